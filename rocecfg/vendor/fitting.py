"""What fitting a plan is on every switch, whatever it is called there: names, PFC both ways, the device as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import intern_ports

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.model import Device, LinkPause, Pfc, Port
    from rocecfg.vendor.changes import Log

_ALL = frozenset({"all"})


def carried(device: Device, ports: Iterable[Port], **own: Any) -> Device:
    """Return the device with its fitted ports and with nothing set for it as a whole but what is the system's `own`.

    Its text is complete: a plan leaves nothing unsaid.
    """
    settings: dict[str, Any] = dict.fromkeys(
        ("pfc_enabled", "ecn_enabled", "ecn_on_pool", "pools", "buffer_model", "traffic")
    )
    return replace(device, **{**settings, "complete": _ALL, **own}, ports=intern_ports(ports))


def as_printed(port: Port, printed: str | None, log: Log, *, names: str, by: str) -> Port:
    """Return a switch port under the name the system prints, None for no name of it, and without NIC settings.

    `names` says how the system names ports, `by` which command shows it.
    """
    if printed is None:
        log("refused", "name", port.name, "none", names, at=port.name)
    elif printed != port.name:
        log("equalised", "name", port.name, printed, f"the name that {by} prints", at=port.name)
    if port.nic is not None:
        log("dropped", "nic", "NIC settings", "none", "a switch port has none", at=port.name)
    return (
        port
        if printed in (None, port.name) and port.nic is None
        else replace(port, name=printed or port.name, nic=None)
    )


def listed(numbers: Iterable[int]) -> str:
    """Return priorities or classes as a change shows them: `3,4`, or `none`."""
    return ",".join(map(str, sorted(numbers))) or "none"


def both_ways(pfc: Pfc, log: Log, because: str, *, at: str = "") -> frozenset[int]:
    """Return the priorities of a port whose system sends and honours PFC for one set, noted where the plan has two."""
    tx, rx = pfc.tx or frozenset(), pfc.rx or frozenset()
    if tx != rx:
        log("refused", "pfc", f"tx {listed(tx)}, rx {listed(rx)}", listed(tx | rx), because, at=at)
    return tx | rx


def one_set(port_of: Mapping[frozenset[int], str], log: Log, because: str) -> frozenset[int]:
    """Return the one PFC set of a device, noted where its ports have several; `port_of` names a port of each."""
    every: frozenset[int] = frozenset().union(*port_of)
    if len(port_of) > 1:
        log(
            "refused",
            "pfc",
            " and ".join(f"{listed(one)} on {name}" for one, name in port_of.items()),
            listed(every),
            because,
        )
    return every


def no_link_pause(planned: LinkPause | None, log: Log, because: str) -> None:
    """Note that 802.3x pause of a plan is not set."""
    if planned is not None and (planned.rx or planned.tx):
        log("dropped", "link_pause", f"rx {planned.rx}, tx {planned.tx}", "off", because)


def drop_device_settings(device: Device, log: Log, *, pools: str = "", pools_become: str = "none") -> None:
    """Note the settings of the whole device that a switch marking on its queues has no command for.

    `pools` says why it takes none, empty where it does.
    """
    if device.pools and pools:
        log("dropped", "pools", ", ".join(pool.name for pool in device.pools), pools_become, pools)
    if device.ecn_on_pool is not None and device.ecn_on_pool.curves:
        log("dropped", "ecn_on_pool", "on", "none", "ECN is set on each egress queue")
    if device.traffic is not None:
        log("dropped", "traffic", device.traffic, "none", "the box has no such input")
