"""Keys of the rendered script that only ice hosts have, or write in a form of their own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module
from rocecfg.state.model import NicBoot
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from vendors.nic.linux.facts import Facts

_KEYS = load_module(Path(__file__).parents[1] / "linux" / "wanted.py").KEYS
TCS = 4


def _agent(port: Facts, value: str) -> None:
    port.nic["next_boot"] = NicBoot(lldp_agent={"on": True, "off": False}[value])


def _schedulers(port: Facts, value: str) -> None:
    """Take the schedulers of the 4 TCs of DSCP mode, else of all 8."""
    words = value.split(",")
    if len(words) != TCS:
        _KEYS["tc_scheduler"](port, value)
    elif set(words) <= {"ets", "strict"}:
        port.scheduler = dict(enumerate(words))
    else:
        raise ValueError(value)


def _shares(port: Facts, value: str) -> None:
    words = value.split(",")
    if len(words) == TCS:
        port.share = {tc: natural(word, 100) for tc, word in enumerate(words)}
    else:
        _KEYS["tc_share"](port, value)


def _derived(_: Facts, value: str) -> None:
    """Check TCs that follow from the other values: they say what the script does with DSCPs nobody planned."""
    for word in value.split(","):
        natural(word, TCS - 1)


KEYS = {
    "kept_tcs": _derived,
    "other_dscps": _derived,
    "fw_lldp_agent": _agent,
    "tc_scheduler": _schedulers,
    "tc_share": _shares,
}
LEAVES = {"kept_tcs": "dscp_to_tc", "other_dscps": "dscp_to_tc", "fw_lldp_agent": "nic.next_boot"}
