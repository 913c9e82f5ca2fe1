"""What ethtool's private flags and options of the irdma module set on ice hosts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocecfg.state.model import Where
    from vendors.nic.ice.outputs import Outputs

_LINUX = Path(__file__).parents[1] / "linux"
_words = load_module(_LINUX / "words.py")
_shared = load_module(_LINUX / "commands.py")
_agent = load_module(Path(__file__).with_name("outputs.py")).firmware_agent
_safe: Callable[[str], str] = _words.device_name
_SWITCHES = {"1": True, "true": True, "y": True, "Y": True, "0": False, "false": False, "n": False, "N": False}


def _ethtool(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    if words[:1] == ["--show-priv-flags"] and len(words) == 2:
        outputs.begin("ethtool --show-priv-flags", netdev=_safe(words[1]))
        return True
    if words[:1] != ["--set-priv-flags"]:
        taken: bool | None = _shared.READERS["ethtool"](outputs, words, place, only_reading)
        return taken
    if only_reading or "fw-lldp-agent" not in words[2:]:
        return None
    flags = dict(zip(words[2::2], words[3::2], strict=True))
    _agent(outputs.host.port(_safe(words[1]), place), place, on={"on": True, "off": False}[flags["fw-lldp-agent"]])
    return True


def _options(outputs: Outputs, words: list[str], place: Where, _: bool) -> bool | None:
    """Take a line of /etc/modprobe.d: `options irdma roce_ena=1 dcqcn_enable=1`."""
    if words[:1] != ["irdma"]:
        return None
    values = dict(word.partition("=")[::2] for word in words[1:])
    device = outputs.host.device("", place)
    if "roce_ena" in values and _SWITCHES[values["roce_ena"]]:
        device.nic["roce_version"] = "v2"
        device.places["nic.roce_version"] = place
    if "dcqcn_enable" in values:
        device.nic["algorithm"] = "dcqcn" if _SWITCHES[values["dcqcn_enable"]] else "none"
        device.places["nic.congestion_control"] = place
    return True


def _modprobe(outputs: Outputs, words: list[str], place: Where, only_reading: bool) -> bool | None:
    return None if only_reading else _options(outputs, words, place, only_reading)


READERS = {"ethtool": _ethtool, "options": _options, "modprobe": _modprobe}
