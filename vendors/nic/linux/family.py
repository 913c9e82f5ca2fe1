"""What one family of NICs adds to what all hosts with Linux have in common.

The folder holds no system of its own (it has no `vendor.yaml`): the readers, fitting and views that every family under
`vendors/nic/` is made of. A family makes one `Family` and hands it to `read.to_state`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from rocecfg.state.model import Where
    from vendors.nic.linux.counters import Counting
    from vendors.nic.linux.facts import Facts, Host
    from vendors.nic.linux.outputs import Outputs

    Reader = Callable[[Outputs, list[str], Where, bool], bool | None]
    """Takes the words behind a command's name: True = understood, False = ours and not understood, None = not ours.
    The last argument: the line may be a comment, so only commands that set nothing count."""
    Setter = Callable[[Facts, str], None]
    """Takes the value of a wanted key of our own script. Raises ValueError, KeyError."""

DRIVERS = {
    "mlx5": frozenset({"mlx5_core"}),
    "bnxt": frozenset({"bnxt_en"}),
    "ice": frozenset({"ice"}),
    "ionic": frozenset({"ionic"}),
}
"""Netdev drivers (`ethtool -i`) of the families that have a folder of their own."""
RDMA_NAMES = {"mlx5": ("mlx5_",), "bnxt": ("bnxt_re",), "ice": ("irdma",), "ionic": ("ionic_",)}
"""How their RDMA devices begin where udev did not rename them (kernel drivers/infiniband/hw)."""
OTHER_RDMA_NAMES = ("mlx4_", "hns_", "qedr", "efa_", "erdma", "mana_", "cxgb4_", "rxe", "siw")


@dataclass(frozen=True, slots=True)
class Family:
    """How one family of NICs is read."""

    name: str
    expected: str
    """What a text of it may be, for the error when it is none."""
    host: Callable[[Family], Host]
    outputs: Callable[[Host], Outputs]
    counting: Counting
    readers: Mapping[str, Reader]
    """Command name -> who takes it."""
    shapes: tuple[Path, ...]
    """TTP files, looked up in this order."""
    commands: str = ""
    """More commands that make a script's line worth a look: an alternation of a regular expression."""
    paths: str = ""
    """The same for paths and other words."""
    files: Any = None
    """Module with `is_ours(path)` and `take(host, path, value, place)`."""
    json: Callable[[Outputs, Any, Where], list[str] | None] | None = None
    """Takes a JSON value of a tool of its own; the keys not understood, None when it is none of its own."""
    look_alike: frozenset[str] = frozenset()
    """Kinds whose shape other texts have too: outside our outputs such a line is not ours."""
    whole: frozenset[str] = frozenset()
    """Commands whose output is all ours: each strange line in it is reported."""
    keys: Mapping[str, Setter] = field(default_factory=dict)
    """Keys of our own script that only this family has."""
    leaves: Mapping[str, str] = field(default_factory=dict)
    """Key -> the leaf it decides, where the names differ."""
    delay_is_metres: bool = False
    """The driver takes the `delay` of `dcb pfc` as the cable's length; by the standard it is a number of bit times."""
    any_selector: bool = True
    """The driver takes APP entries of any selector; False = DSCP only."""

    other_codes: int | None = 0
    """The priority of a DSCP without an APP entry; None = nobody says."""
    lldpad: bool = True
    """The driver's settings may be made through lldpad."""

    def others_rdma(self) -> tuple[str, ...]:
        """Return beginnings of RDMA device names that are another family's."""
        theirs = (name for family, names in RDMA_NAMES.items() if family != self.name for name in names)
        return OTHER_RDMA_NAMES if self.name not in RDMA_NAMES else (*theirs, *OTHER_RDMA_NAMES)

    def is_others(self, driver: str | None) -> bool:
        """Return whether a netdev driver belongs to another family that has a folder of its own."""
        return self.name in DRIVERS and any(
            driver in drivers for family, drivers in DRIVERS.items() if family != self.name
        )
