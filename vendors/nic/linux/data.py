"""Reads JSON: `dcb -j`, `ip -j link`, `ethtool --json -a`, `rdma -j link`, and what tools of a family print."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.errors import ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED
from rocecfg.state.numbers import natural

if TYPE_CHECKING:
    from rocecfg.state.model import Where
    from vendors.nic.linux.facts import Facts
    from vendors.nic.linux.outputs import Outputs

_words = load_module(Path(__file__).with_name("words.py"))

_DCB_KNOWN = {
    "pfc_cap", "macsec_bypass", "requests", "indications", "willing", "ets_cap", "cbs", "pg_bw", "reco_tc_bw",
    "reco_tc_tsa", "reco_prio_tc", "total_size", "default_prio", "pcp_prio",
}  # fmt: skip
_DCB = {
    "delay", "prio_pfc", "pg_pfc", "tc_bw", "tc_tsa", "prio_tc", "prio_buffer", "buffer_size", "dscp_prio",
    "tc_maxrate", "ethtype_prio", "stream_port_prio", "dgram_port_prio", "port_prio",
}  # fmt: skip
_SELECTORS = {"ethtype_prio": "ethertype", "stream_port_prio": "tcp", "dgram_port_prio": "udp", "port_prio": "port"}
_DCBX = {"host", "lld_managed", "cee", "ieee", "static"}


def parse(text: str, file: str) -> Any:
    """Return a JSON text as data. Raises ReadError when it is broken or cut off."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{file}: JSON that is broken or cut off: {str(error)[:200]}") from error


def take(outputs: Outputs, value: Any, place: Where) -> list[str] | None:
    """Take a JSON value; return the keys that nobody knows, None when the whole is none of ours."""
    try:
        if isinstance(value, dict):
            own = outputs.family.json(outputs, value, place) if outputs.family.json is not None else None
            if own is not None:
                return own
            if set(value) & (_DCB | _DCB_KNOWN | _DCBX) or outputs.command.startswith("dcb "):
                return _dcb(outputs, value, place)
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            taken = [_entry(outputs, item, place) for item in value]
            return [] if any(taken) else None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return ["a value of another kind than the tool prints"]
    return None


def _dcb(outputs: Outputs, value: dict[str, Any], place: Where) -> list[str]:
    port = outputs.host.port(outputs.netdev, place)
    if set(value) & _DCBX or (outputs.command == "dcb dcbx"):
        outputs.dcbx({key.replace("_", "-") for key, on in value.items() if on is True}, place)
        return [key for key in value if key not in _DCBX]
    if "prio_pfc" in value or "pg_pfc" in value:
        states = value.get("prio_pfc", value.get("pg_pfc"))
        port.pfc = frozenset(number for number, on in enumerate(_eight(states)) if on is True)
        port.at("pfc", place)
    if outputs.family.delay_is_metres and value.get("delay") in _words.METRES:
        port.cable = value["delay"]
        port.at("cable", place)
    for key, name, leaf, top in (
        ("tc_bw", "share", "queues.share", 100),
        ("prio_tc", "priority_to_tc", "tc_to_queue", 7),
        ("prio_buffer", "priority_to_buffer", "tc_to_pg", 7),
        ("buffer_size", "buffer_bytes", "priority_groups", 2**31),
    ):
        if key in value:
            numbers = [int(item) for item in _eight(value[key])]
            if not all(0 <= number <= top for number in numbers):
                raise ValueError(key)
            setattr(port, name, dict(enumerate(numbers)))
            port.at(leaf, place)
    if "tc_tsa" in value:
        port.scheduler = dict(enumerate(map(str, _eight(value["tc_tsa"]))))
        port.at("queues", place)
    if "tc_maxrate" in value:  # bytes a second, whatever the text form says
        rates = [int(rate) for rate in _eight(value["tc_maxrate"])]
        if min(rates) < 0:
            raise ValueError("tc_maxrate")
        port.rate = {number: rate * 8 or UNLIMITED for number, rate in enumerate(rates)}
    if "dscp_prio" in value:
        # pairs from iproute2 6, triples with a stray blank from iproute2 7
        pairs = [(int(entry[0]), int(entry[1])) for entry in value["dscp_prio"]]
        if any(not 0 <= code <= 63 or not 0 <= priority <= 7 for code, priority in pairs):
            raise ValueError("dscp_prio")
        outputs.map_codes(pairs, place)
    if outputs.family.any_selector:
        _apps(port, value, place, whole=outputs.command == "dcb app")
    if "dscp_prio" not in value and outputs.command == "dcb app":
        port.trust, port.codes, port.other_codes = "pcp", {}, None
        port.at("trust", place)
    return [key for key in value if key not in _DCB | _DCB_KNOWN]


def _apps(port: Facts, value: dict[str, Any], place: Where, *, whole: bool) -> None:
    """Note entries of other selectors than DSCP."""
    port.no_apps = port.no_apps or whole
    for key, selector in _SELECTORS.items():
        for entry in value.get(key, ()):
            number, priority = int(entry[0]), int(entry[1])
            if not 0 <= number <= 65535 or not 0 <= priority <= 7:
                raise ValueError(key)
            port.apps[selector, number] = priority
            port.at("app_to_tc", place)


def _eight(values: Any) -> list[Any]:
    if not isinstance(values, list) or len(values) != 8:
        raise ValueError("not 8 values")
    return values


def _entry(outputs: Outputs, item: dict[str, Any], place: Where) -> bool:
    """Take one element of a list: a link of `ip`, the pause of `ethtool`, an RDMA link."""
    name = item.get("ifname")
    if not isinstance(name, str):
        return False
    if "netdev" in item or ("port" in item and "state" in item):
        outputs.host.device(name, place).netdev = str(item.get("netdev", ""))
        return True
    if outputs.family.counting.rdma(outputs.host.tally, name, item.items(), place):
        return True
    if "autonegotiate" in item or ("rx" in item and "tx" in item and isinstance(item["rx"], bool)):
        port = outputs.host.port(name, place)
        for side in ("rx", "tx"):
            port.pause[side] = item[side] is True
        port.at("link_pause", place)
        return True
    if "mtu" in item and "flags" in item:
        return _link(outputs, item, place)
    return False


def _link(outputs: Outputs, item: dict[str, Any], place: Where) -> bool:
    """Take a link only where another text made it a NIC port: a host has many links that are none."""
    outputs.links.append((item, place))
    return True


def link(port: Facts, item: dict[str, Any], place: Where) -> None:
    """Note MTU, bond and administrative state of a link."""
    with suppress(ValueError):
        port.mtu = natural(str(item["mtu"]), _words.LARGEST_MTU)
        port.at("mtu", place)
    port.lag = str(item["master"]) if "master" in item else None
    flags = item.get("flags")
    port.enabled = "UP" in flags if isinstance(flags, list) else None
