"""Settings of RDMA applications on the host: /etc/nccl.conf, environment files, the output of `env`.

NCCL (and RCCL, which reads the same names) and UCX say here how they mark their packets and how long they retry. The
environment wins over nccl.conf: NCCL reads the file only for what is not set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import App
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from rocecfg.state.capture import Text
    from rocecfg.state.model import Where

_SETTING = re.compile(r"(?:export )?((?:NCCL|RCCL|UCX)_[A-Z0-9_]{1,60})=(.{0,200})")
_CEPH = re.compile(r"ms[_ ]async[_ ]rdma[_ ](dscp|sl|gid[_ ]idx|roce[_ ]ver) ?= ?(.{0,60})")
"""Ceph reads blanks and underscores in its names alike."""
_NVME = re.compile(r"(?:(?:sudo|exec) )*nvme connect(?:-all)? (.{0,2000})")
_TOS = re.compile(r"(?:--tos[= ]|-T ?)([0-9]{1,4})(?: |$)")
_RDMA = re.compile(r"(?:--transport[= ]|-t ?)rdma\b")
_ANY = re.compile(r"(?:export )?[A-Za-z_][A-Za-z0-9_]{0,100}=.*")
CONF = "/etc/nccl.conf"
_ENVIRONMENT = {"env", "printenv", "export", "cat /proc/self/environ"}
_FIELDS = {
    "NCCL_IB_TC": ("nccl", "tos"),
    "NCCL_IB_SL": ("nccl", "sl"),
    "NCCL_IB_GID_INDEX": ("nccl", "gid_index"),
    "NCCL_IB_TIMEOUT": ("nccl", "timeout"),
    "NCCL_IB_RETRY_CNT": ("nccl", "retry"),
    "UCX_IB_TRAFFIC_CLASS": ("ucx", "tos"),
    "UCX_IB_SL": ("ucx", "sl"),
    "UCX_IB_GID_INDEX": ("ucx", "gid_index"),
    "dscp": ("ceph", "tos"),
    "sl": ("ceph", "sl"),
    "gid_idx": ("ceph", "gid_index"),
    "roce_ver": ("ceph", ""),
}
_DEFAULTS: dict[str, dict[str, int]] = {
    "nccl": {"tos": 0, "timeout": 20, "retry": 7},
    "ucx": {"tos": 106},
}
"""NVIDIA/nccl src/transport/net_ib/connect.cc (5067397c); openucx/ucx src/uct/ib/base/ib_iface.c (9466d104): UCX takes
the port's global traffic class if one is set, else 106."""
_LARGEST = 255
_OF_FILE, _OF_ENVIRONMENT = 0, 1


@dataclass(slots=True)
class _Said:
    """What the texts say of one application."""

    first: Where
    whole: bool = False
    values: dict[str, tuple[int, int | None, Where]] = field(default_factory=dict)
    """Field -> (rank of the source, value or None for "by itself", place)."""


class Apps:
    """Collects the settings of applications over all texts of a host."""

    def __init__(self) -> None:
        self._said: dict[str, _Said] = {}

    def setting(self, line: str, place: Where, *, file: bool = False, whole: bool = False) -> bool | None:
        """Take a KEY=value line; None when it is none of ours, False when its value is not understood."""
        match = _SETTING.fullmatch(line) or _CEPH.fullmatch(line)
        if match is None:
            return self._nvme(line, place)
        key, raw = match[1].replace(" ", "_"), match[2]
        name, what = _FIELDS.get(key, ("ucx" if key.startswith("UCX_") else "nccl", ""))
        said = self._said.setdefault(name, _Said(place))
        said.whole = said.whole or whole
        if not what:
            return True
        value = _number(raw)
        if value is False:
            return None if " " in raw.strip() else False  # VARIABLE=value command: a command line
        rank = _OF_FILE if file else _OF_ENVIRONMENT
        known = said.values.get(what)
        if known is None or rank >= known[0]:
            said.values[what] = (rank, None if value is None else int(value), place)
        return True

    def _nvme(self, line: str, place: Where) -> bool | None:
        """Take a command that connects to an NVMe target over RDMA. Without --tos the RDMA-CM default is in force."""
        command = _NVME.fullmatch(line)
        if command is None or _RDMA.search(command[1]) is None:
            return None
        said = self._said.setdefault("nvme", _Said(place))
        tos = _TOS.search(command[1])
        if tos is not None:
            if int(tos[1]) > _LARGEST:
                return False
            said.values["tos"] = (_OF_ENVIRONMENT, int(tos[1]), place)
        return True

    def found(self) -> tuple[App, ...] | None:
        """Return the applications that were spoken of; None when none was."""
        return tuple(_app(name, said) for name, said in sorted(self._said.items())) or None


def is_settings(text: Text, lines: list[str]) -> bool:
    """Return whether a text holds nothing but settings: nccl.conf, an environment file, the output of `env`."""
    if text.command.strip() in _ENVIRONMENT:
        return True
    stated = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return all(map(_ANY.fullmatch, stated)) and any(map(_SETTING.fullmatch, stated))


def is_whole(text: Text) -> bool:
    """Return whether what a settings text leaves out is at the application's default.

    An environment is not: the rest may stand in nccl.conf.
    """
    name = text.file.rpartition("/")[2]
    return text.complete is not False and (name.endswith("nccl.conf") or text.command.endswith(CONF))


def _number(raw: str) -> int | bool | None:
    """Return a number, None where the application shall choose by itself, False for what is no value."""
    word = raw.partition(" #")[0].strip().strip("\"'")
    if word in {"auto", "-1", ""}:
        return None
    number = whole_number(word, _LARGEST)
    return False if number is None else number


def _app(name: str, said: _Said) -> App:
    values: dict[str, Any] = {what: value for what, (_, value, _place) in said.values.items() if value is not None}
    by_itself = {what for what, (_, value, _place) in said.values.items() if value is None}
    defaults = {
        what: value
        for what, value in _DEFAULTS.get(name, {}).items()
        if what not in values and (said.whole or what in by_itself)
    }
    places = {what: place for what, (_, _value, place) in said.values.items()}
    return App(name, **values, **defaults, defaulted=frozenset(defaults), place=said.first, places=places)
