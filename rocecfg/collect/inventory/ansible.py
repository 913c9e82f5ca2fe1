"""Ansible: inventory YAML with children and variables, group_vars and host_vars beside it, `--list` JSON."""

from __future__ import annotations

from typing import Any

from rocecfg.collect.inventory.entries import Entry
from rocecfg.errors import UsageError
from rocecfg.units import shown

_GROUP_KEYS = frozenset({"hosts", "children", "vars"})
_DEEPEST = 64
_MOST_HOSTS = 100_000
_MOST_GROUPS = 20_000


def looks_like_list(data: Any) -> bool:
    """Return whether data is what `ansible-inventory --list` prints."""
    return isinstance(data, dict) and isinstance(data.get("_meta"), dict) and "hostvars" in data["_meta"]


def looks_like(data: Any) -> bool:
    """Return whether a mapping is an inventory: groups that hold hosts, children or variables, and nothing else."""
    if not isinstance(data, dict) or not data:
        return False
    groups = [group for group in data.values() if group is not None]
    return bool(groups) and all(isinstance(group, dict) and set(group) <= _GROUP_KEYS for group in groups)


def read(data: dict[str, Any], group_vars: dict[str, Any], host_vars: dict[str, Any], file: str) -> list[Entry]:
    """Return the hosts of an inventory in YAML, each with the variables it has after Ansible's precedence.

    Raises UsageError for a shape that is not Ansible's, or groups that hold each other.
    """
    walk = _Walk(group_vars, file)
    for name, group in data.items():
        walk.group(str(name), group, ())
    return [
        Entry(host, {**words, **_mapping(host_vars.get(host))}, tuple(groups))
        for name, (words, groups) in walk.hosts.items()
        for host in _expanded(name)
    ]


class _Walk:
    """Collects the hosts of a tree of groups: an inner group's variables win over an outer one's."""

    def __init__(self, group_vars: dict[str, Any], file: str) -> None:
        self._group_vars = group_vars
        self._file = file
        self._groups = 0
        self._all = _mapping(group_vars.get("all"))
        self.hosts: dict[str, tuple[dict[str, Any], list[str]]] = {}

    def group(self, name: str, group: Any, above: tuple[tuple[str, dict[str, Any]], ...]) -> None:
        """Take a group, its hosts and its children."""
        if name in {outer for outer, _ in above} or len(above) > _DEEPEST:
            raise UsageError(f'{self._file}: the group "{name}" is inside itself')
        self._groups += 1
        if self._groups > _MOST_GROUPS:  # aliases of YAML can make a small text stand for any number
            raise UsageError(f"{self._file}: more than {_MOST_GROUPS} groups, counted wherever they are children")
        group = _mapping(group)
        words = {**_mapping(group.get("vars")), **_mapping(self._group_vars.get(name))}
        path = (*above, (name, words))
        hosts = group.get("hosts")
        if hosts is not None and not isinstance(hosts, dict):
            raise UsageError(f"{self._file}: hosts of {name} are {shown(hosts)}: a mapping of host to variables")
        for host, own in (hosts or {}).items():
            self._host(str(host), _mapping(own), path)
        children = group.get("children")
        if children is not None and not isinstance(children, dict):
            raise UsageError(f"{self._file}: children of {name} are {shown(children)}: a mapping of groups")
        for child, inner in (children or {}).items():
            self.group(str(child), inner, path)

    def _host(self, name: str, own: dict[str, Any], path: tuple[tuple[str, dict[str, Any]], ...]) -> None:
        if len(self.hosts) >= _MOST_HOSTS:
            raise UsageError(f"{self._file}: more than {_MOST_HOSTS} hosts")
        inherited = dict(self._all)
        for _, words in path:
            inherited |= words
        known, groups = self.hosts.get(name, ({}, []))
        groups += [group for group, _ in path if group not in groups and group != "all"]
        self.hosts[name] = ({**known, **inherited, **own}, groups)


def _mapping(value: Any) -> dict[str, Any]:
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def _expanded(name: str) -> list[str]:
    """Return the hosts of a range of Ansible's (`leaf[01:04]`), the name itself where it is none."""
    head, bracket, rest = name.partition("[")
    inside, closed, tail = rest.partition("]")
    first, colon, last = inside.partition(":")
    if not (bracket and closed and colon and first.isdecimal() and last.isdecimal()) or int(last) - int(first) > 10_000:
        return [name]
    return [f"{head}{number:0{len(first)}d}{tail}" for number in range(int(first), int(last) + 1)]


def read_list(data: dict[str, Any], file: str) -> list[Entry]:
    """Return the hosts of `ansible-inventory --list`: groups hold names, `_meta` the resolved variables."""
    variables = data["_meta"]["hostvars"]
    if not isinstance(variables, dict):
        raise UsageError(f"{file}: _meta.hostvars is no mapping")
    groups: dict[str, list[str]] = {}
    for name, group in data.items():
        for host in group.get("hosts", ()) if isinstance(group, dict) and name not in ("_meta", "all") else ():
            groups.setdefault(str(host), []).append(str(name))
    names = dict.fromkeys([*map(str, variables), *groups])
    return [Entry(name, _mapping(variables.get(name)), tuple(groups.get(name, ()))) for name in names]
