"""The user's OpenSSH configuration: host names, ports, users, keys, jump hosts and proxy commands."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.collect.order import Hop
from rocecfg.errors import UsageError
from rocecfg.state.numbers import whole_number

if TYPE_CHECKING:
    from rocecfg.collect.credentials import Credentials
    from rocecfg.collect.knownhosts import KnownHosts
    from rocecfg.collect.target import Target

DEFAULT = "~/.ssh/config"
_MOST_JUMPS = 8


class Ways:
    """Finds how each device is reached: directly, over jump hosts, or by a command."""

    def __init__(
        self, file: Path | None, known: KnownHosts, credentials: Credentials, key_file: str = "", jump: str = ""
    ) -> None:
        """Read the configuration. Raises UsageError for one that cannot be read."""
        self._known, self._credentials, self._key_file, self._jump = known, credentials, key_file, jump
        self._config: Any = None
        self._text = ""
        path = file if file is not None else Path(DEFAULT).expanduser()
        if file is None and not path.is_file():
            return
        import paramiko

        try:
            self._text = path.read_text(encoding="utf-8")
            self._config = paramiko.SSHConfig.from_text(self._text)
        except (OSError, paramiko.SSHException, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from error

    def to(self, target: Target) -> tuple[tuple[Hop, ...], str]:
        """Return the hops to a device, itself last, and the proxy command where one is configured.

        Raises UsageError for a jump host that is spelt wrongly or a chain without end.
        """
        address = target.address or target.name
        said = self._said(address)
        given = self._credentials
        device = Hop(
            address=said.get("hostname", address),
            port=target.port if target.port != 22 else _port(said.get("port", "22"), address),
            username=given.username or target.username or said.get("user", "") or getpass.getuser(),
            password=given.password or target.password,
            keys=self._keys(target.key_file, said),
            host_name=said.get("hostkeyalias", ""),
        )
        command = said.get("proxycommand", "")
        if command and command.lower() != "none":
            if target.port != 22:  # %p is the port of the inventory
                command = self._said(address, target.port)["proxycommand"]
            return (self._trusted(device),), command
        jumps = self._jump or target.data.get("jump", "") or said.get("proxyjump", "")
        return (*self._jumps(jumps, 0), self._trusted(device)), ""

    def _jumps(self, chain: str, depth: int) -> list[Hop]:
        if not chain or chain.lower() == "none":
            return []
        if depth >= _MOST_JUMPS:
            raise UsageError(f"more than {_MOST_JUMPS} jump hosts, or one that is reached over itself: {chain}")
        hops: list[Hop] = []
        for at, spelt in enumerate(chain.split(",")):
            user, _, host = spelt.strip().removeprefix("ssh://").rpartition("@")
            name, port = _split(host)
            if not name or name.startswith("-"):
                raise UsageError(f'"{spelt}" is no jump host: [user@]host[:port]')
            said = self._said(name)
            if not at:
                hops += self._jumps(said.get("proxyjump", ""), depth + 1)
            hop = Hop(
                address=said.get("hostname", name),
                port=port or _port(said.get("port", "22"), name),
                username=user or said.get("user", "") or self._credentials.username or getpass.getuser(),
                password=self._credentials.password,
                keys=self._keys("", said),
                host_name=said.get("hostkeyalias", ""),
            )
            hops.append(self._trusted(hop))
        return hops

    def _said(self, host: str, port: int = 0) -> dict[str, Any]:
        if self._config is None:
            return {}
        if not port:
            return dict(self._config.lookup(host))
        import paramiko

        return dict(paramiko.SSHConfig.from_text(f"Host *\n  Port {port}\n{self._text}").lookup(host))

    def _keys(self, of_target: str, said: dict[str, Any]) -> tuple[str, ...]:
        if self._key_file or of_target:
            return (self._key_file or of_target,)
        return tuple(file for file in said.get("identityfile", ()) if Path(file).expanduser().is_file())

    def _trusted(self, hop: Hop) -> Hop:
        from dataclasses import replace

        return replace(hop, known=self._known.of(hop.host_name or hop.address, hop.port))


def _split(host: str) -> tuple[str, int]:
    """Return host and port of `host:port` and `[v6]:port`; port 0 where none is said."""
    if host.startswith("["):
        name, _, port = host[1:].partition("]")
        return name, _port(port[1:], host) if port.startswith(":") else 0
    name, colon, port = host.rpartition(":")
    return (name, _port(port, host)) if colon and ":" not in name else (host, 0)


def _port(text: str, where: str) -> int:
    port = whole_number(text, 65535, 1)
    if port is None:
        raise UsageError(f'"{text}" is no port of {where}')
    return port
