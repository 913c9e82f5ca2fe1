"""What one worker needs to read one device: plain data that travels to a thread, a process or another machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocecfg.collect.target import DeviceResult, Secret


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds that each phase of a session may take."""

    connect: float = 5.0
    """TCP, and the first bytes of the SSH server."""
    login: float = 20.0
    """Key exchange, login, and the first prompt: each."""
    silence: float = 60.0
    """The longest time without a byte while a command runs."""
    device: float = 300.0
    """A device altogether, tries included."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A server to log in to: the device, or a jump host on the way."""

    address: str
    port: int
    username: str
    password: Secret | None = None
    keys: tuple[str, ...] = ()
    """Private key files."""
    agent: bool = True
    known: tuple[str, ...] = ()
    """What known_hosts says about it (`KnownHosts.of`)."""
    host_name: str = ""
    """The name that known_hosts has it under, where that is not the address."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A command to send, the name of its text, and what proves the text whole."""

    send: str
    id: str
    whole_when: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """One device to read."""

    device: str
    nos: str
    driver: str
    """netmiko's word for the system."""
    asks: tuple[Ask, ...]
    hops: tuple[Hop, ...]
    """Jump hosts in order, the device last."""
    proxy_command: str = ""
    enable: Secret | None = None
    times: Times = field(default_factory=Times)
    tries: int = 2
    most_bytes: int = 16 * 1024 * 1024
    accept_new: bool = False
    any_name: bool = False
    is_host: bool = False
    """A host: tools differ from one to the next, so none of its texts is the one that must be there."""
    port_words: tuple[str, ...] = ()
    """How ports of this system are spelt, without their numbers: "Ethernet"."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that a device printed, secrets blotted out."""

    command: str
    id: str
    content: str
    complete: bool
    proved: tuple[str, ...] = ()
    """By what it is known to be whole."""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of an order."""

    result: DeviceResult
    texts: tuple[Text, ...] = ()
    new_keys: tuple[str, ...] = ()
    """Lines for known_hosts, of hosts met for the first time."""
    address: str = ""
    taken: str = ""
