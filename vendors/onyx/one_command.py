"""Tells when a fitted device is what one `roce` command makes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.model import Device, PortQos

_HERE = Path(__file__)
_CONFIG = load_module(_HERE.with_name("config.py"))
_INFORCE = load_module(_HERE.with_name("inforce.py"))
_EFFECTIVE = load_module(_HERE.with_name("effective.py"))
_MODES = load_module(_HERE.with_name("modes.py"))

_COMPARED = (
    "trust", "dscp_to_tc", "pcp_to_tc", "default_tc", "rewrite", "tc_to_queue", "link_pause", "watchdog",
    "queues",
)  # fmt: skip
_HALF = 50


def one_command(device: Device) -> str:
    """Return `roce lossless` or `roce lossy` when it makes the settings of a fitted device, else an empty text.

    Compared is all that the mode is known to set, and that it leaves alone: ports under PFC must not have a watchdog,
    which no mode turns on. The mode splits the memory in halves, so the lossless pool must have half of it.
    """
    kinds = list({id(port.qos): port.qos for port in device.ports.values()}.values())
    return next((f"roce {mode}" for mode in _MODES.MODES if kinds and _makes(mode, device, kinds)), "")


def _makes(mode: str, device: Device, kinds: list[PortQos]) -> bool:
    made = _made_by(mode)
    if any(getattr(qos, leaf) != getattr(made, leaf) for qos in kinds for leaf in _COMPARED):
        return False
    if any(_paused(qos) != _paused(made) for qos in kinds):
        return False
    shares = {pool.total.value if pool.total is not None else None for pool in device.pools or () if pool.lossless}
    return shares == {_HALF} if mode == "lossless" else not shares


def _paused(qos: PortQos) -> tuple[frozenset[int] | None, frozenset[int] | None]:
    """Return what a port pauses and honours: a port left on `auto` does neither while PFC is off for the switch."""
    return (qos.pfc.sends(), qos.pfc.honours()) if qos.pfc is not None else (None, None)


def _made_by(mode: str) -> Any:
    """Return the settings that a mode makes on a port without lines of its own."""
    config = _CONFIG.Config("roce", roce=(mode, 1))
    port = config.ports["Eth1/1"] = _CONFIG.Interface("Eth1/1", 1)
    resolver = _INFORCE.Resolver(config)
    from rocecfg.state.model import Device as Made
    from rocecfg.state.model import Port

    qos, _ = resolver.port(port)
    made = Made(
        "roce", "onyx", ports={"Eth1/1": Port("Eth1/1", qos)}, pools=resolver.pools(),
        pfc_enabled=mode != "lossy", complete=frozenset({"all"}),
    )  # fmt: skip
    return _EFFECTIVE.defaults(made).ports["Eth1/1"].qos
