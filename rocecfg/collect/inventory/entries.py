"""One device as an inventory names it, with the words of that inventory, and the target that becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rocecfg.collect.inventory import encrypted
from rocecfg.collect.target import Secret, Target
from rocecfg.errors import did_you_mean
from rocecfg.state.numbers import whole_number
from rocecfg.units import shown
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rocecfg.state.model import Where

ADDRESS = ("ansible_host", "hostname", "address", "host", "ip", "ansible_ssh_host")
PORT = ("ansible_port", "port", "ansible_ssh_port")
USER = ("ansible_user", "username", "user", "ansible_ssh_user")
PASSWORD = ("ansible_password", "password", "ansible_ssh_pass", "ansible_ssh_password")
ENABLE = ("ansible_become_password", "enable", "secret", "enable_password")
KEY_FILE = ("ansible_ssh_private_key_file", "key_file", "ansible_private_key_file")
SYSTEM = ("rocecfg_nos", "nos", "nic", "ansible_network_os", "platform", "device_type")
"""Words for one thing in the order of trust: what names our system first, what names a connection last."""
_SECRET_WORDS = ("pass", "secret", "token", "key", "vault", "community", "private")
LONGEST_NAME = 253


class Vaulted:
    """A value that only ansible-vault can read."""

    def __repr__(self) -> str:
        return "Vaulted()"


@dataclass(slots=True)
class Entry:
    """A device of an inventory: its name, its words, the groups it is in."""

    name: str
    words: dict[str, Any] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    place: Where | None = None


def targets(entries: Iterable[Entry]) -> list[Target]:
    """Return the targets of an inventory, one for each entry, in its order."""
    return [_target(entry) for entry in entries]


def _target(entry: Entry) -> Target:
    words, problems = entry.words, []
    nos, trouble = system(words)
    if trouble:
        problems.append(trouble)
    port = _first(words, PORT, 22)
    number = whole_number(str(port), 65535, 1)
    if number is None:
        problems.append(f"port {shown(port)} is none: 1 to 65535")
        number = 22
    secrets: dict[str, Secret | None] = {}
    for name, keys in (("password", PASSWORD), ("enable", ENABLE)):
        secrets[name], trouble = _secret(words, keys)
        if trouble:
            problems.append(trouble)
    address = str(_first(words, ADDRESS, "") or "")
    if not entry.name or len(entry.name) > LONGEST_NAME or not entry.name.isprintable():
        problems.append(f"{shown(entry.name)} is no name of a device")
    if any(letter.isspace() or not letter.isprintable() for letter in address):
        problems.append(f"address {shown(address)} is none")
    return Target(
        name=entry.name,
        nos=nos,
        address=address,
        port=number,
        username=str(_first(words, USER, "") or ""),
        password=secrets["password"],
        enable=secrets["enable"],
        key_file=str(_first(words, KEY_FILE, "") or ""),
        groups=entry.groups,
        data=_data(words),
        problem="; ".join(problems),
        place=entry.place,
    )


def _first(words: Mapping[str, Any], keys: tuple[str, ...], default: Any) -> Any:
    return next((words[key] for key in keys if words.get(key) not in (None, "")), default)


def _secret(words: Mapping[str, Any], keys: tuple[str, ...]) -> tuple[Secret | None, str]:
    """Return a secret of the inventory, and why it cannot be used."""
    value = _first(words, keys, None)
    key = next((key for key in keys if words.get(key) is not None), "")
    if value is None:
        return None, ""
    if isinstance(value, Vaulted) or str(value).lstrip().startswith("$ANSIBLE_VAULT"):
        return None, f"{key} is encrypted with ansible-vault, which is not read here: hand it over by ROCECFG_PASSWORD"
    if "{{" in str(value):
        return (
            None,
            f"{key} is a template of Ansible, which is not run here: `ansible-inventory --list` prints it resolved",
        )
    if not encrypted.is_encrypted(str(value)):
        return Secret(str(value)), ""
    plain, trouble = encrypted.decrypt(str(value))
    return plain, f"{key}: {trouble}" if trouble else ""


def _data(words: Mapping[str, Any]) -> dict[str, str]:
    """Return what filters may look at: plain words, nothing that could be a secret."""
    data = {}
    for key, value in words.items():
        hidden = any(word in key.lower() for word in _SECRET_WORDS)
        if not hidden and isinstance(value, (str, int, float, bool)) and len(str(value)) < 200:
            data[str(key)] = str(value).lower() if isinstance(value, bool) else str(value)
    return data


def system(words: Mapping[str, Any]) -> tuple[str, str]:
    """Return our word for the system of a device, and the problem when nothing names it."""
    for key in SYSTEM:
        value = words.get(key)
        if value in (None, ""):
            continue
        word = str(value)
        known = _systems().get(word.lower(), ())
        if len(known) == 1:
            return known[0], ""
        if len(known) > 1:
            return "", f"{key} {shown(word)} may be any of {', '.join(known)}: say which with `nos`"
        near = did_you_mean(word, registry.names())
        return "", f"{key} {shown(word)} is no known system{near} Known: {', '.join(registry.names())}"
    return "", "nothing says which system it runs: give `nos` (or platform, ansible_network_os)"


@lru_cache(maxsize=1)
def _systems() -> dict[str, tuple[str, ...]]:
    """Return the systems that each word may mean: our name, names of inventories, netmiko's type."""
    found: dict[str, dict[str, None]] = {}
    for name in registry.names():
        found.setdefault(name, {})[name] = None
    for name in registry.names():
        manifest = registry.get(name).manifest
        for word in (*manifest.inventory_names, manifest.netmiko):
            if word and word.lower() not in registry.names():
                found.setdefault(word.lower(), {})[name] = None
    return {word: tuple(names) for word, names in found.items()}
