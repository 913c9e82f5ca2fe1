"""From an address to a logged-in SSH transport, phase by phase, so that each failure has its true reason."""

from __future__ import annotations

import logging
import select
import socket
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import paramiko
from paramiko.auth_handler import AuthOnlyHandler

from rocecfg.collect.knownhosts import judged
from rocecfg.collect.trouble import HOST_KEY, LOGIN, UNREACHABLE, TroubleError
from rocecfg.units import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocecfg.collect.order import Hop, Order, Times

logging.getLogger("paramiko").setLevel(logging.CRITICAL + 1)  # it writes tracebacks of every failed login to stderr

STOPPED = threading.Event()
"""Set when the run is interrupted: every session ends at its next look."""
_OPEN: weakref.WeakSet[Any] = weakref.WeakSet()


def stop_all() -> None:
    """End every connection of this process at once."""
    STOPPED.set()
    for item in list(_OPEN):
        with suppress(Exception):
            item.close()


def connected(order: Order, new_keys: list[str]) -> paramiko.Transport:
    """Return a transport to the device of an order, logged in. Raises TroubleError with the true reason."""
    if order.proxy_command:
        return _logged_in(order.hops[-1], _proxied(order.proxy_command), order, new_keys)
    *jumps, device = order.hops
    through = _jump(tuple(jumps), order, new_keys) if jumps else None
    return _logged_in(device, _reached(device, through, order.times), order, new_keys)


def reach(address: str, port: int, seconds: float) -> socket.socket:
    """Return a TCP connection. Raises TroubleError: no such name, refused, no route, no answer."""
    try:
        return socket.create_connection((address, port), timeout=seconds)
    except socket.gaierror as error:
        raise TroubleError(UNREACHABLE, f"the name {shown(address)} is not known: {error.strerror}") from None
    except TimeoutError:
        raise TroubleError(UNREACHABLE, f"{address}:{port} does not answer (TCP, {seconds:g} s)") from None
    except ConnectionRefusedError:
        raise TroubleError(UNREACHABLE, f"{address}:{port} refuses TCP connections: no SSH server there") from None
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise TroubleError(UNREACHABLE, f"{address}:{port} cannot be reached: {why}") from None


def _reached(hop: Hop, through: paramiko.Transport | None, times: Times) -> Any:
    """Return a socket to a hop, with the server's greeting waiting in it."""
    if through is not None:
        try:
            return through.open_channel(
                "direct-tcpip", (hop.address, hop.port), ("127.0.0.1", 0), timeout=times.connect + times.login
            )
        except (paramiko.SSHException, EOFError, OSError) as error:
            why = getattr(error, "text", None) or error
            raise TroubleError(
                UNREACHABLE, f"the jump host cannot reach {hop.address}:{hop.port}: {why}", again=True
            ) from None
    sock = reach(hop.address, hop.port, times.connect)
    _OPEN.add(sock)
    _greeted(sock, hop, times)
    return sock


def _greeted(sock: socket.socket, hop: Hop, times: Times) -> None:
    """Look at the first bytes without taking them. Raises TroubleError when no SSH server stands there."""
    where = f"{hop.address}:{hop.port}"
    try:
        ready = select.select([sock], [], [], times.login)[0]
        first = sock.recv(255, socket.MSG_PEEK) if ready else None
    except (OSError, ValueError) as error:
        sock.close()
        reason = f"{where} broke the connection before the SSH greeting: {getattr(error, 'strerror', None) or error}"
        raise TroubleError(UNREACHABLE, reason, again=True) from None
    if first is None:
        sock.close()
        raise TroubleError(UNREACHABLE, f"{where} accepts TCP and then says nothing for {times.login:g} s")
    if not first:
        sock.close()
        raise TroubleError(UNREACHABLE, f"{where} closed the connection before the SSH greeting", again=True)
    if b"SSH-" not in first and not first.startswith(b"SSH"[: len(first)]) and b"\n" in first:
        sock.close()
        answer = first.decode("latin-1")[:60]
        raise TroubleError(UNREACHABLE, f"{where} answers, and not with SSH: {shown(answer.strip())}")


def _proxied(command: str) -> Any:
    proxy = paramiko.ProxyCommand(command)
    _OPEN.add(proxy)
    return proxy


class _Login(AuthOnlyHandler):  # type: ignore[misc]
    """One attempt after the other. paramiko 5.1's own misses an answer that comes before it begins to wait."""

    def send_auth_request(self, username: str, method: str, finish_message: Any = None) -> Any:
        """Send an attempt and return what the server wants besides, an empty list once it is satisfied."""
        self.auth_method, self.username = method, username
        message = paramiko.Message()
        message.add_byte(bytes([paramiko.common.MSG_USERAUTH_REQUEST]))
        for word in (username, "ssh-connection", method):
            message.add_string(word)
        finish_message(message)
        self.auth_event = threading.Event()
        with self.transport.lock:
            self.transport._send_message(message)  # noqa: SLF001 - as the method it replaces does
        return self.wait_for_response(self.auth_event)


_CURVE = paramiko.Transport._kex_info.get("curve25519-sha256@libssh.org")  # noqa: SLF001 - None on a FIPS system


class _Transport(paramiko.ServiceRequestingTransport):  # type: ignore[misc]
    """Asks for the login service once, not before each attempt: strict servers close the connection at a second one.

    So a key that is refused can be followed by the password, and that by keyboard-interactive.
    The one exchange of keys that has two names (RFC 8731) is offered by both: some servers know only the standard's.
    """

    _kex_info: ClassVar = {**paramiko.Transport._kex_info, **({"curve25519-sha256": _CURVE} if _CURVE else {})}  # noqa: SLF001
    _preferred_kex = tuple(
        name for known in paramiko.Transport._preferred_kex  # noqa: SLF001
        for name in (("curve25519-sha256", known) if _CURVE and known == "curve25519-sha256@libssh.org" else (known,))
    )  # fmt: skip

    def ensure_session(self) -> None:
        """Ask for the service if nobody has. paramiko's own waits for ever where the server has gone."""
        if self._service_userauth_accepted:
            return
        message = paramiko.Message()
        message.add_byte(bytes([paramiko.common.MSG_SERVICE_REQUEST]))
        message.add_string("ssh-userauth")
        self._send_message(message)
        until = time.monotonic() + self.auth_timeout
        while not self._service_userauth_accepted:
            if not self.is_active():
                raise self.get_exception() or EOFError
            if time.monotonic() > until:
                raise paramiko.AuthenticationException("Authentication timeout.")
            time.sleep(0.002)
        self.auth_handler = _Login(self)


def _logged_in(hop: Hop, sock: Any, order: Order, new_keys: list[str]) -> paramiko.Transport:
    transport: paramiko.Transport | None = None
    try:
        transport = _Transport(sock)
        _OPEN.add(transport)
        transport.daemon = True
        _negotiated(transport, hop, order.times)
        _trusted(transport, hop, order, new_keys)
        transport.auth_timeout = order.times.login
        _authenticated(transport, hop, order.times)
    except BaseException:
        if transport is not None:
            transport.close()
        with suppress(Exception):
            sock.close()
        raise
    return transport


def _negotiated(transport: paramiko.Transport, hop: Hop, times: Times) -> None:
    """Agree on algorithms and keys; a type of host key that is known is asked for first."""
    where = f"{hop.address}:{hop.port}"
    transport.banner_timeout = times.login
    kinds = {entry.split(" ")[1] for entry in hop.known}
    if kinds:
        security = transport.get_security_options()
        rsa = {"rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"} if "ssh-rsa" in kinds else set()
        security.key_types = tuple(sorted(security.key_types, key=lambda kind: kind not in kinds | rsa))
    try:
        transport.start_client(timeout=times.login)
    except paramiko.ssh_exception.IncompatiblePeer as error:
        raise TroubleError(
            UNREACHABLE,
            f"{where} offers no SSH algorithms that are accepted here, old ones are not: {_incompatible(error)}",
        ) from None
    except (paramiko.SSHException, EOFError, OSError) as error:
        text = " ".join(str(error).split())
        if "banner" in text or isinstance(error, EOFError) or not text:
            reason = f"{where} closed the connection during the SSH greeting or key exchange"
        else:
            reason = f"the SSH key exchange with {where} failed: {text[:200]}"
        raise TroubleError(UNREACHABLE, reason, again=True) from None
    if not transport.is_active() or transport.initial_kex_done is False:
        raise TroubleError(UNREACHABLE, f"{where} began SSH and did not finish the key exchange in {times.login:g} s")


def _incompatible(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text.removeprefix("Incompatible ssh peer").strip(" ()")[:300]


def _trusted(transport: paramiko.Transport, hop: Hop, order: Order, new_keys: list[str]) -> None:
    key = transport.get_remote_server_key()
    name = hop.host_name or hop.address
    line = judged(hop.known, name, hop.port, key.get_name(), key.asbytes(), accept_new=order.accept_new)
    if line:
        new_keys.append(line)


def _authenticated(transport: paramiko.Transport, hop: Hop, times: Times) -> None:
    """Log in: key files and agent, then the password. Raises TroubleError that tells refused from hung from closed."""
    where = f"{hop.username}@{hop.address}"
    refused: list[str] = []
    for what, key in _keys(hop, refused):
        if _tried(transport, where, times, refused, what, lambda key=key: transport.auth_publickey(hop.username, key)):
            return
    password = hop.password
    if password is not None and _tried(
        transport, where, times, refused, "the password",
        lambda: transport.auth_password(hop.username, password.reveal()),
    ):  # fmt: skip
        return
    if not refused:
        raise TroubleError(
            LOGIN, f"no password and no key to log in as {where} with: set ROCECFG_PASSWORD or use a key"
        )
    raise TroubleError(LOGIN, f"the login as {where} was refused: {', '.join(refused)}")


def _tried(
    transport: paramiko.Transport, where: str, times: Times, refused: list[str], what: str, attempt: Any
) -> bool:
    try:
        left: Sequence[str] = attempt()
    except paramiko.BadAuthenticationType as error:
        refused.append(f"{what} (the server takes {', '.join(error.allowed_types) or 'nothing'} only)")
        return False
    except paramiko.AuthenticationException as error:
        if "timeout" in str(error).lower():
            reason = f"the SSH server did not answer the login as {where} for {times.login:g} s"
            raise TroubleError(UNREACHABLE, reason) from None
        if not transport.is_active():
            raise TroubleError(
                LOGIN, f"the device closed the connection during the login as {where}, after {what} was offered"
            ) from None
        refused.append(what)
        return False
    except (paramiko.SSHException, EOFError, OSError) as error:
        text = " ".join(str(error).split())[:200] or type(error).__name__
        raise TroubleError(LOGIN, f"the login as {where} broke off: {text}", again=True) from None
    except ValueError:  # a key that cannot sign for this server
        refused.append(what)
        return False
    if left:
        refused.append(f"{what} alone (also wanted: {', '.join(left)})")
        return False
    return True


def _keys(hop: Hop, refused: list[str]) -> list[tuple[str, paramiko.PKey]]:
    """Return the keys to offer: key files that are named, else agent and default keys where there is no password."""
    found: list[tuple[str, paramiko.PKey]] = []
    for file in hop.keys:
        path = Path(file).expanduser()
        try:
            phrase = hop.password.reveal() if hop.password else None
            found.append((f"the key {path.name}", _loaded(path, phrase)))
        except Exception as error:  # noqa: BLE001 - whatever a broken key file makes the cryptography library raise
            why = getattr(error, "strerror", None) or type(error).__name__
            refused.append(f"the key {path.name} cannot be used ({why})")
    if found or refused or hop.password is not None or not hop.agent:
        return found
    with suppress(Exception):  # an agent that does not answer is no agent
        found += [("a key of the agent", key) for key in paramiko.Agent().get_keys()[:5]]
    for name in ("id_ed25519", "id_ecdsa", "id_rsa"):
        path = Path("~/.ssh").expanduser() / name
        if path.is_file():
            with suppress(Exception):
                found.append((f"the key {name}", paramiko.PKey.from_path(str(path))))
    return found


def _loaded(path: Path, phrase: str | None) -> paramiko.PKey:
    try:
        return paramiko.PKey.from_path(str(path))
    except Exception:
        if not phrase:
            raise
        return paramiko.PKey.from_path(str(path), phrase)


_BROKEN_FOR = 30.0
_JUMPS: dict[tuple[Any, ...], paramiko.Transport] = {}
_BROKEN: dict[tuple[Any, ...], tuple[float, TroubleError]] = {}
"""Jump hosts that could not be used, and when: the devices behind one do not wait for it one after the other."""
_JUMP_LOCK = threading.Lock()


def _jump(hops: tuple[Hop, ...], order: Order, new_keys: list[str]) -> paramiko.Transport:
    """Return the transport to the last jump host: one a process, shared by all devices behind it."""
    name = tuple((hop.username, hop.address, hop.port) for hop in hops)
    with _JUMP_LOCK:
        transport = _JUMPS.get(name)
        if transport is not None and transport.is_active():
            return transport
        when, broken = _BROKEN.get(name, (0.0, None))
        if broken is not None and time.monotonic() - when < _BROKEN_FOR:
            raise TroubleError(broken.rule, broken.reason)
        through: paramiko.Transport | None = None
        for at, hop in enumerate(hops):
            try:
                through = _logged_in(hop, _reached(hop, through, order.times), order, new_keys)
            except TroubleError as trouble:
                rule = trouble.rule if trouble.rule == HOST_KEY else UNREACHABLE
                reason = f"the jump host {hop.address} cannot be used: {trouble.reason}"
                said = TroubleError(rule, reason)
                _BROKEN[name] = (time.monotonic(), said)
                raise said from None
            _JUMPS[name[: at + 1]] = through
            through.set_keepalive(30)
        assert through is not None
        return through


def close_jumps() -> None:
    """Log out of the jump hosts of this process."""
    with _JUMP_LOCK:
        for transport in _JUMPS.values():
            transport.close()
        _JUMPS.clear()
        _BROKEN.clear()
