"""The gate in front of a device: no byte reaches it that is not on the list of its system.

Whatever is written to a session's channel passes `Shell.sendall`, below netmiko and below every caller. A line goes
through when it is literally a command of the manifest (each of which passed `readonly.rejected`), a second look at one,
or one of the fixed lines that prepare a session (paging off). Nothing that answers a question with yes is on any list.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rocecfg.collect import readonly
from rocecfg.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.collect.target import Secret

_CISCO = ("terminal width 511", "terminal length 0")
PREPARATION: dict[str, tuple[str, ...]] = {
    "arista_eos": (*_CISCO, "enable"),
    "aruba_aoscx": ("no page", "enable"),
    "cisco_nxos": _CISCO,
    "dell_os10": (*_CISCO, "enable"),
    "dell_sonic": ("sonic-cli", "terminal length 0"),
    "hp_comware": ("screen-length disable",),
    "huawei": ("screen-length 0 temporary", "N"),
    "huawei_vrp": ("screen-length 0 temporary", "N"),
    "huawei_vrpv8": ("screen-length 0 temporary", "N"),
    "juniper_junos": ("cli", "set cli screen-width 511", "set cli complete-on-space off", "set cli screen-length 0"),
    "linux": (),
    "mellanox_mlnxos": ("no cli session paging enable", "terminal width 999", "enable"),
    "nokia_srl": ("environment complete-on-space false", "environment cli-engine type basic"),
    "ruijie_os": ("terminal width 256", "terminal length 0", "enable", "n"),
}
"""What netmiko's driver of a system sends before the first command: settings of this session, answers that say no."""
SHELLS = frozenset({"linux"})
"""Drivers whose commands a shell runs."""


class NotAllowedError(Exception):
    """Something tried to send what is not on the list. Nothing was sent."""


class ChannelClosedError(Exception):
    """The device closed the session."""


class TooLateError(Exception):
    """The time of this phase is over."""


class Gate:
    """The lines that one device may be sent."""

    def __init__(self, driver: str, commands: Iterable[str]) -> None:
        """Take the list. Raises ConfigurationError when a command does not only read: no manifest can widen it."""
        shell = driver in SHELLS
        lines = set(PREPARATION.get(driver, _CISCO))
        for command in commands:
            reason = readonly.rejected(command, shell=shell)
            if reason:
                raise ConfigurationError(f'"{command}" is not sent to any device: {reason}')
            lines.add(command)
        self.lines = frozenset(lines)
        """Every line that may be sent."""
        self._secret: Secret | None = None

    def expect_secret(self, secret: Secret) -> None:
        """Let a secret through once, as the answer to the device's question for it."""
        self._secret = secret

    def check(self, data: bytes) -> None:
        """Let data through. Raises NotAllowedError unless each line of it is on the list and whole."""
        text = data.decode("utf-8", "replace")
        if not text.strip(" \r\n"):
            return
        *lines, rest = text.replace("\r", "\n").split("\n")
        if rest:
            raise NotAllowedError("a line without its end was to be sent")
        secret, self._secret = self._secret, None
        if secret is not None and [line for line in lines if line] == [secret.reveal()]:
            return
        for line in lines:
            if line and line not in self.lines:
                raise NotAllowedError("a line that is not on the list of read-only commands was to be sent")


class Shell:
    """A session's channel behind the gate: what netmiko and our own reading use in its place."""

    def __init__(self, channel: Any, gate: Gate, most: int, stopped: Any = None) -> None:
        self._channel, self._gate, self._most = channel, gate, most
        self._stopped = stopped
        self.received = 0
        """Bytes since the last `count_anew`."""
        self.deadline = time.monotonic() + 60.0
        self.last = b""
        """The last bytes that came, for messages."""

    @property
    def transport(self) -> Any:
        """The SSH transport below."""
        return self._channel.transport

    @property
    def closed(self) -> bool:
        """Whether the device has nothing more to say."""
        return bool(self._channel.closed or self._channel.eof_received)

    def sendall(self, data: bytes) -> None:
        """Send bytes that pass the gate. Raises NotAllowedError before anything is sent."""
        self._gate.check(data)
        try:
            self._channel.sendall(data)
        except (OSError, EOFError) as error:
            raise ChannelClosedError from error

    def recv_ready(self) -> bool:
        """Return whether bytes are there. Raises when they never will be: closed, or too late."""
        if self._channel.recv_ready():
            return True
        if self.closed and not self._channel.recv_ready():
            raise ChannelClosedError
        self._in_time()
        return False

    def recv(self, size: int) -> bytes:
        """Return bytes that are there."""
        return self._taken(self._channel.recv(size))

    def wait(self, seconds: float) -> bytes:
        """Return the next bytes, b"" when none came for so long. Raises ChannelClosedError at the end."""
        end = min(time.monotonic() + seconds, self.deadline)
        while True:
            self._in_time()
            self._channel.settimeout(max(min(end - time.monotonic(), 0.5), 0.001))
            try:
                data = self._channel.recv(65536)
            except TimeoutError:
                if time.monotonic() >= end:
                    self._in_time()
                    return b""
                continue
            if not data:
                raise ChannelClosedError
            return self._taken(data)

    def settimeout(self, seconds: float) -> None:
        """Set how long the channel blocks."""
        self._channel.settimeout(seconds)

    def close(self) -> None:
        """Close the session."""
        self._channel.close()

    def count_anew(self) -> None:
        """Begin a new count of bytes: a new command."""
        self.received = 0

    def _taken(self, data: bytes) -> bytes:
        self.received += len(data)
        self.last = (self.last + data)[-400:]
        return data

    def _in_time(self) -> None:
        if self._stopped is not None and self._stopped.is_set():
            raise TooLateError("the run was stopped")
        if time.monotonic() >= self.deadline:
            raise TooLateError
        if self.received > self._most:
            raise TooLateError("too much output")
