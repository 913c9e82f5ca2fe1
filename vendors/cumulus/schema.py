"""The part of NVUE's tree that this folder reads, as data: paths, kinds of keys, and what a leaf accepts.

Source: the published models of releases 5.0 to 5.18 (nvueschema) and the Quality-of-Service pages of 5.9 to 5.14.
Both keyword generations stand side by side: `roce enable on` (<= 5.14) and `roce state enabled` (>= 5.15),
`ingress-pool` (<= 5.9) and `ingress-service-pool`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path as FilePath

from rocecfg.packs import load_module
from rocecfg.state.numbers import whole_number

facts = load_module(FilePath(__file__).with_name("facts.py"))

_SWITCH = "enable|disable"
_ALPHA = (
    "alpha_0|alpha_1_128|alpha_1_64|alpha_1_32|alpha_1_16|alpha_1_8|alpha_1_4|alpha_1_2|alpha_1|alpha_2|alpha_4|"
    "alpha_8|alpha_16|alpha_32|alpha_64|alpha_infinity"
)
_BYTES, _METRES = "0..4294967295", "1..100000"
_BUFFER = {"reserved": _BYTES, "service-pool": "0..15", "shared-alpha": _ALPHA, "shared-bytes": _BYTES}
_POOL = {
    "infinite": "true|false", "memory-percent": "0..100", "mode": "static|dynamic", "reserved": _BYTES,
    "shared-alpha": _ALPHA, "shared-bytes": _BYTES,
}  # fmt: skip
_PAUSE = {
    "tx": _SWITCH, "rx": _SWITCH, "cable-length": _METRES, "port-buffer": _BYTES, "xoff-threshold": _BYTES,
    "xon-threshold": _BYTES,
}  # fmt: skip

# A name in <> is a key: <name> any word, <N..M> a number, <*> any word of the system. "" = the key alone says it.
QOS: dict[str, str] = {
    "roce": "",
    "roce/enable": "on|off|true|false|True|False|yes|no",
    "roce/state": "enabled|disabled",
    "roce/mode": "lossless|lossy|lossless-single-ipool|lossy-multi-tc|dci-1|dci-custom",
    "roce/cable-length": _METRES,
    "mapping/<name>/trust": "l2|l3|port|both",
    "mapping/<name>/port-default-sp": "0..7",
    "mapping/<name>/dscp/<0..63>/switch-priority": "0..7",
    "mapping/<name>/pcp/<0..7>/switch-priority": "0..7",
    "egress-queue-mapping/<name>/switch-priority/<0..7>/traffic-class": "0..7",
    "remark/<name>/rewrite": "l2|l3|both",
    "remark/<name>/switch-priority/<0..7>/dscp": "0..63",
    "remark/<name>/switch-priority/<0..7>/pcp": "0..7",
    "traffic-pool/<name>/memory-percent": "0..100",
    "traffic-pool/<name>/switch-priority/<0..7>": "",
    **{f"pfc/<name>/{leaf}": accepts for leaf, accepts in _PAUSE.items()},
    "pfc/<name>/switch-priority/<0..7>": "",
    "pfc/<name>/small-packet-probability": "0..100",
    **{f"link-pause/<name>/{leaf}": accepts for leaf, accepts in _PAUSE.items()},
    "pfc-watchdog/polling-interval": "100..5000",
    "pfc-watchdog/robustness": "1..1000",
    "congestion-control/<name>/traffic-class/<0..7>/ecn": _SWITCH,
    "congestion-control/<name>/traffic-class/<0..7>/red": _SWITCH,
    "congestion-control/<name>/traffic-class/<0..7>/mode": "absolute|relative",
    "congestion-control/<name>/traffic-class/<0..7>/min-threshold": _BYTES,
    "congestion-control/<name>/traffic-class/<0..7>/max-threshold": _BYTES,
    "congestion-control/<name>/traffic-class/<0..7>/min-threshold-percent": "0..100",
    "congestion-control/<name>/traffic-class/<0..7>/max-threshold-percent": "0..100",
    "congestion-control/<name>/traffic-class/<0..7>/probability": "0..100",
    "egress-scheduler/<name>/traffic-class/<0..7>/mode": "dwrr|strict",
    "egress-scheduler/<name>/traffic-class/<0..7>/bw-percent": "0..100",
    "egress-shaper/<name>/mode": "kbps|pps",
    "egress-shaper/<name>/port-max-rate": "0..2147483647",
    "egress-shaper/<name>/traffic-class/<0..7>/min-rate": "0..2147483647",
    "egress-shaper/<name>/traffic-class/<0..7>/max-rate": "0..2147483647",
}
for _leaf, _accepts in _BUFFER.items():
    for _part in (
        "ingress-lossless-buffer", "ingress-mgmt-buffer", "egress-lossless-buffer", "egress-mgmt-buffer",
        "ingress-lossy-buffer/priority-group/<name>", "egress-lossy-buffer/traffic-class/<0..15>",
        "egress-lossy-buffer/multicast-switch-priority/<0..7>", "egress-lossy-buffer/multicast-port",
    ):  # fmt: skip
        QOS[f"advance-buffer-config/<name>/{_part}/{_leaf}"] = _accepts
for _leaf, _accepts in _POOL.items():
    for _part in ("ingress-pool", "egress-pool", "ingress-service-pool", "egress-service-pool"):
        QOS[f"advance-buffer-config/<name>/{_part}/<0..15>/{_leaf}"] = _accepts
for _part in ("ingress-lossy-buffer/priority-group/<name>", "ingress-mgmt-buffer"):
    QOS[f"advance-buffer-config/<name>/{_part}/headroom"] = _BYTES
QOS |= {
    "advance-buffer-config/<name>/ingress-lossy-buffer/priority-group/<name>/name": "*",
    "advance-buffer-config/<name>/ingress-lossy-buffer/priority-group/<name>/switch-priority/<0..7>": "",
    "advance-buffer-config/<name>/shared-headroom/exclusive-headroom-per-pg": _BYTES,
    "advance-buffer-config/<name>/shared-headroom/required-headroom-per-pg": "19456..2621440",
    "advance-buffer-config/<name>/shared-headroom/oversubscription-ratio": "1..256",
}
PROFILES = (
    "mapping", "pfc", "congestion-control", "egress-scheduler", "remark", "link-pause", "egress-shaper",
)  # fmt: skip
INTERFACE: dict[str, str] = {
    **{f"qos/{section}/profile": "*" for section in PROFILES},
    "qos/pfc-watchdog": "",
    "qos/pfc-watchdog/state": "enable|disable|enabled|disabled",
    "qos/headroom/lossy/extra-threshold": _BYTES,
    "qos/shared-headroom-pool": "enabled|disabled",
    "link/mtu": "552..9216",
    "link/speed": "*",
    "link/breakout/<*>": "",
    "link/breakout/<*>/lanes-per-port": "*",
    "bond/member/<name>": "",
}


class _Node:
    __slots__ = ("accepts", "below", "key", "low", "words")

    def __init__(self) -> None:
        self.below: dict[str, _Node] = {}
        self.key: _Node | None = None
        self.low: tuple[int, int] | None = None
        """Range of this node's own name, where it is a numbered key."""
        self.accepts: str | None = None
        self.words: frozenset[str] = frozenset()


def _tree(paths: dict[str, str]) -> _Node:
    root = _Node()
    for path, accepts in paths.items():
        node = root
        for step in path.split("/"):
            if not step.startswith("<"):
                node = node.below.setdefault(step, _Node())
                continue
            if node.key is None:
                node.key = _Node()
            node = node.key
            node.accepts = node.accepts or ""  # a profile that is merely named exists
            if ".." in step:
                low, high = step.strip("<>").split("..")
                node.low = (int(low), int(high))
        node.accepts = accepts
        node.words = frozenset(accepts.split("|"))
    return root


_QOS_TREE, _INTERFACE_TREE = _tree(QOS), _tree(INTERFACE)


def qos_setting(words: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the (path, value) pairs of a setting below `qos`, none when NVUE has no such setting or value."""
    return _read(_QOS_TREE, _usual(words))


def interface_setting(words: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the (path, value) pairs of a setting below `interface <name>`, none when we know no such setting."""
    return _read(_INTERFACE_TREE, _usual(words))


def is_container(words: tuple[str, ...]) -> bool:
    """Return whether words end at a place that holds settings: there empty (`pfc: {}`), it states nothing.

    `nv config show` of all values prints each such place of each port.
    """
    if words[:1] == ("qos",):
        return _holds(_INTERFACE_TREE, _usual(words))
    return _holds(_QOS_TREE, _usual(words))


def _holds(root: _Node, words: tuple[str, ...]) -> bool:
    node = root
    for word in words:
        child = node.below.get(word) or node.key
        if child is None or (child is node.key and not _keys(child, word)):
            return False
        node = child
    return bool(node.below or node.key)


_OTHER_SPELLINGS = {"min-threshold-bytes": "min-threshold", "max-threshold-bytes": "max-threshold"}
"""Words of the QoS pages of 5.4 to 5.9 beside those of the models."""


def _usual(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a setting in the words of the models: the pages also leave out `profile` before a profile's name."""
    if words[:1] == ("qos",) and words[1:2] == ("qos",):
        words = words[1:]
    if words[:1] == ("qos",) and len(words) == 3 and words[1] in PROFILES and words[2] != "profile":
        return (*words[:2], "profile", words[2])
    if words[:1] == ("congestion-control",):
        return tuple(_OTHER_SPELLINGS.get(word, word) for word in words)
    return words


@lru_cache(maxsize=20_000)
def _read(root: _Node, words: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], str], ...]:
    node = root
    paths: list[tuple[str, ...]] = [()]
    for at, word in enumerate(words):
        child = node.below.get(word)
        if child is not None:
            paths = [(*path, word) for path in paths]
        elif node.key is not None:
            child = node.key
            names = _keys(child, word)
            if not names or len(names) * len(paths) > facts.MOST_PORTS:
                return ()
            paths = [(*path, name) for path in paths for name in names]
        elif node.accepts and at == len(words) - 1 and _fits(node, word):
            return tuple((path, word) for path in paths)
        else:
            return ()
        node = child
    return tuple((path, "") for path in paths) if node.accepts == "" else ()


def _keys(node: _Node, word: str) -> tuple[str, ...]:
    """Return the keys a word stands for; numbers lose leading zeros and must lie in the key's range."""
    if node.low is None:
        return (word,)
    names: tuple[str, ...] = facts.expand(word)
    low, high = node.low
    numbers = [whole_number(name, high, low) for name in names]
    return () if None in numbers else tuple(map(str, numbers))


def _fits(node: _Node, word: str) -> bool:
    if node.accepts == "*":
        return bool(word)
    if ".." in str(node.accepts):
        low, high = str(node.accepts).split("..")
        return whole_number(word, int(high), int(low)) is not None
    return word in node.words
