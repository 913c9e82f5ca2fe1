"""What a host's port has beyond a switch's: its NIC, and the RDMA applications that use it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.values import Where


@dataclass(frozen=True, slots=True)
class CongestionControl:
    """DCQCN (or another algorithm) on a NIC."""

    algorithm: str | None = None
    receives: frozenset[int] | None = None
    """Priorities on which the NIC answers marks with CNPs (notification point)."""
    reacts: frozenset[int] | None = None
    """Priorities on which the NIC slows down on CNPs (reaction point)."""
    parameters: tuple[tuple[str, int], ...] = ()
    """(neutral name, number), sorted by name."""


@dataclass(frozen=True, slots=True)
class NicBoot:
    """What the firmware will use after the next reset, where it differs from the running value."""

    cnp_dscp: int | None = None
    cnp_priority: int | None = None
    congestion_control: frozenset[int] | None = None
    willing: bool | None = None
    lldp_agent: bool | None = None
    rdma: bool | None = None


@dataclass(frozen=True, slots=True)
class Gid:
    """One entry of a RoCE address table."""

    index: int
    version: Literal["v1", "v2"]
    kind: Literal["ipv4", "ipv6", "link-local"]
    netdev: str = ""


@dataclass(frozen=True, slots=True)
class Nic:
    """What a NIC port has beyond a switch port."""

    family: str | None = field(default=None, compare=False)
    model: str | None = field(default=None, compare=False)
    firmware: str | None = field(default=None, compare=False)
    driver: str | None = field(default=None, compare=False)
    pcie: tuple[int, int] | None = field(default=None, compare=False)
    """(generation, lanes)."""
    rdma_device: str | None = None
    roce_version: Literal["v1", "v2"] | None = None
    active_mtu: int | None = None
    gids: tuple[Gid, ...] | None = field(default=None, compare=False)
    default_tos: int | None = None
    forced_tos: int | None = None
    sets_ect: bool | None = None
    congestion_control: CongestionControl | None = None
    cnp_dscp: int | None = None
    cnp_priority: int | None = None
    storm_timeout: int | None = None
    """Milliseconds until the NIC stops pausing by itself; NEVER = off."""
    manual_buffers: bool | None = None
    reorders: bool | None = None
    next_boot: NicBoot | None = None


@dataclass(frozen=True, slots=True)
class App:
    """What an RDMA application on a host was told: how it marks its packets, and how long it retries."""

    name: str
    """ "nccl" (RCCL reads the same settings), "ucx"."""
    tos: int | None = None
    """ToS byte (traffic class) of its packets: DSCP x 4 + ECN bits; 0 = known to mark nothing."""
    sl: int | None = None
    gid_index: int | None = None
    """Entry of the RoCE address table; None where the application chooses by itself."""
    timeout: int | None = None
    """Code of the QP's ACK timeout: 4.096 us x 2^code."""
    retry: int | None = None
    defaulted: frozenset[str] = frozenset()
    """Fields that hold the application's own default."""
    place: Where | None = field(default=None, compare=False)
    places: Mapping[str, Where] = field(default_factory=dict, compare=False, hash=False, repr=False)
