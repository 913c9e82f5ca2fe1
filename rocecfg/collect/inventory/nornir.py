"""nornir's SimpleInventory: hosts, groups and defaults, each host under its groups, those under the defaults."""

from __future__ import annotations

from typing import Any

from rocecfg.collect.inventory.entries import Entry
from rocecfg.errors import UsageError
from rocecfg.units import shown

KEYS = frozenset({"hostname", "port", "username", "password", "platform", "groups", "data", "connection_options"})
_CONNECTIONS = ("netmiko", "napalm", "scrapli", "paramiko")
_DEEPEST = 32


def looks_like(data: Any) -> bool:
    """Return whether a mapping is one of hosts as nornir writes them."""
    if not isinstance(data, dict) or not data:
        return False
    hosts = [host for host in data.values() if isinstance(host, dict)]
    return len(hosts) == len(data) and all(set(host) <= KEYS for host in hosts) and any(host for host in hosts)


def read(hosts: Any, groups: Any, defaults: Any, file: str) -> list[Entry]:
    """Return the hosts with all that they inherit. Raises UsageError for a shape that is not nornir's."""
    for what, data in (("hosts", hosts), ("groups", groups), ("defaults", defaults)):
        if not isinstance(data, dict):
            raise UsageError(f"{file}: {what} of a nornir inventory are a mapping")
    entries = []
    for name, stated in hosts.items():
        host = stated if isinstance(stated, dict) else {}
        member_of = _groups(host.get("groups"), groups, file, str(name))
        layers = [host, *(groups[group] or {} for group in member_of), defaults]
        words: dict[str, Any] = {}
        for layer in reversed(layers):
            words |= _words(layer)
        entries.append(Entry(str(name), words, tuple(member_of)))
    return entries


def _groups(named: Any, groups: dict[str, Any], file: str, host: str, depth: int = 0) -> list[str]:
    """Return the groups of a host, nearest first, each group's own groups behind it."""
    if named is None:
        return []
    if not isinstance(named, list) or depth > _DEEPEST:
        raise UsageError(f"{file}: groups of {host} are {shown(named)}: a list of group names, without a ring")
    found: dict[str, None] = {}
    for group in map(str, named):
        if group not in groups:
            raise UsageError(f'{file}: {host} is in the group "{group}", which groups.yaml does not have')
        found[group] = None
        inner = groups[group].get("groups") if isinstance(groups[group], dict) else None
        found.update(dict.fromkeys(_groups(inner, groups, file, group, depth + 1)))
    return list(found)


def _words(layer: Any) -> dict[str, Any]:
    """Return the words of one layer: its data, its own keys, and what it says of an SSH connection."""
    if not isinstance(layer, dict):
        return {}
    words: dict[str, Any] = dict(layer["data"]) if isinstance(layer.get("data"), dict) else {}
    words |= {key: layer[key] for key in ("hostname", "port", "username", "password", "platform") if layer.get(key)}
    options = layer.get("connection_options")
    for name in _CONNECTIONS if isinstance(options, dict) else ():
        option = options.get(name)  # type: ignore[union-attr]
        if isinstance(option, dict):
            words |= {key: option[key] for key in ("hostname", "port", "username", "password") if option.get(key)}
            if option.get("platform"):
                words["device_type"] = option["platform"]
            extras = option.get("extras")
            if isinstance(extras, dict):
                words |= {key: extras[key] for key in ("secret", "key_file") if extras.get(key)}
            break
    return words
