"""Fake devices behind real SSH on loopback, all in one thread; each can be given one fault by name.

    with Fleet() as fleet:
        device = fleet.add("leaf1", "cisco_nxos", {"show running-config": TEXT}, fault="wrong-hostname")
        ...  # 127.0.0.1:device.port
        assert device.received == ["terminal width 511", ...]

Faults of TCP and SSH: refused, silent-tcp, closed-at-greeting, not-ssh, hung-login, closed-at-login, wrong-password,
changed-key, old-ciphers. Faults of the session: no-prompt, wrong-hostname, password-expired, closed-in-the-middle,
hung-command, hung-at-once, rejected, denied, pager, truncated, garbage, flood, log-lines, other-prompt, drip, once-closed, empty.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Self

import asyncssh

USER, PASSWORD, ENABLE = "auditor", "S3cret-Passw0rd!", "En4ble-me-now"

logging.getLogger("asyncssh").setLevel(logging.CRITICAL)


@dataclass
class Kind:
    """How the terminal of a system behaves."""

    prompt: str
    error: str
    denied: str
    newline: str = "\r\n"
    privileged: str = ""
    """The prompt after `enable`."""
    answers: dict[str, str] = field(default_factory=dict)


KINDS = {
    "cisco_nxos": Kind("{name}# ", "% Invalid command at '^' marker.", "% Permission denied for the role",
                       answers={"terminal width 511": "", "terminal length 0": ""}),
    "arista_eos": Kind("{name}>", "% Invalid input", "% Invalid input (privileged mode required)", privileged="{name}#",
                       answers={"terminal width 511": "Width set to 511 columns.",
                                "terminal length 0": "Pagination disabled."}),
    "linux": Kind("{user}@{name}:~$ ", "bash: line 1: show: command not found", "bash: /usr/bin/show: Permission denied"),
    "juniper_junos": Kind("\r\n{{master:0}}\r\n{user}@{name}> ", "unknown command.", "error: permission denied",
                          answers={"set cli screen-width 511": "Screen width set to 511",
                                   "set cli complete-on-space off": "Disabling complete-on-space",
                                   "set cli screen-length 0": "Screen length set to 0"}),
    "huawei_vrpv8": Kind("<{name}>", "Error: Unrecognized command found at '^' position.",
                         "Error: You do not have permission to run the command or the command is incomplete.",
                         answers={"screen-length 0 temporary": "Info: The configuration takes effect on the current user."}),
    "hp_comware": Kind("<{name}>", "% Unrecognized command found at '^' position.", "Permission denied.",
                       answers={"screen-length disable": ""}),
    "dell_os10": Kind("{name}# ", "% Error: Unrecognized command.", "% Error: Permission denied.",
                      answers={"terminal width 511": "", "terminal length 0": ""}),
    "mellanox_mlnxos": Kind("{name} [standalone: master] > ", "% Unrecognized command", "% Insufficient privileges",
                            privileged="{name} [standalone: master] # ",
                            answers={"no cli session paging enable": "", "enable": ""}),
    "aruba_aoscx": Kind("{name}# ", "Invalid input: show", "Permission denied", answers={"no page": ""}),
    "nokia_srl": Kind("--{{ running }}--[  ]--\r\nA:{name}# ", "Error: Parsing error: Unknown token", "Error: not allowed",
                      answers={"environment complete-on-space false": "", "environment cli-engine type basic": ""}),
    "dell_sonic": Kind("{user}@{name}:~$ ", '%Error: Invalid input detected at "^" marker.', "%Error: Permission denied",
                       privileged="{name}# ", answers={"terminal length 0": ""}),
}  # fmt: skip


@dataclass(eq=False)
class FakeDevice:
    """One device: where it listens, what it answers, what it was sent."""

    name: str
    driver: str
    answers: dict[str, str]
    fault: str = ""
    port: int = 0
    delay: float = 0.0
    enable: str = ""
    """The enable password; empty = none is asked for."""
    received: list[str] = field(default_factory=list)
    logins: int = 0
    key_line: str = ""
    """The line of known_hosts that is right (for `changed-key`: was right)."""
    password: str = PASSWORD

    @property
    def kind(self) -> Kind:
        """How its terminal behaves."""
        return KINDS[self.driver]


def key_pair() -> tuple[asyncssh.SSHKey, str]:
    key = asyncssh.generate_private_key("ssh-ed25519")
    return key, key.export_public_key().decode().strip()


class _Server(asyncssh.SSHServer):
    def __init__(self, device: FakeDevice) -> None:
        self._device = device

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn

    def begin_auth(self, username: str) -> bool:
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def password_auth_supported(self) -> bool:
        return self._device.fault != "keyboard-interactive"

    def kbdint_auth_supported(self) -> bool:
        return self._device.fault == "keyboard-interactive"

    def get_kbdint_challenge(self, _user: str, _lang: str, _submethods: str) -> object:
        return "", "", "", [("Password: ", False)]

    def validate_kbdint_response(self, username: str, responses: list[str]) -> bool:
        return (username, responses) == (USER, [self._device.password])

    async def validate_password(self, username: str, password: str) -> bool:
        device = self._device
        device.logins += 1
        if device.fault == "hung-login":
            await asyncio.sleep(3600)
        if device.fault == "closed-at-login" or (device.fault == "once-closed" and device.logins == 1):
            self._connection.abort()
        return device.fault != "wrong-password" and (username, password) == (USER, device.password)


class _Terminal:
    """One shell session of a device."""

    def __init__(self, device: FakeDevice, process: asyncssh.SSHServerProcess) -> None:
        self._device, self._process = device, process
        shown = "spine9" if device.fault == "wrong-hostname" else device.name
        self._names = {"name": shown, "user": USER}
        self._prompt = device.kind.prompt.format(**self._names)
        self._asking = ""

    async def run(self) -> None:
        device, out = self._device, self._process.stdout
        if device.fault == "no-prompt":
            out.write("Welcome.\r\n")
            await asyncio.sleep(3600)
        if device.fault == "password-expired":
            out.write("Your password has expired, you must change it now.\r\nNew password: ")
            await asyncio.sleep(3600)
        if device.fault == "message-of-the-day":
            out.write(
                "Last login: Mon Nov 30\r\n**** leaf9# is down, spine1> too ****\r\nPassword: not asked for\r\nleaf9#\r\n"
            )
        if device.fault == "coloured":
            self._prompt = f"\x1b[01;32m{self._prompt}\x1b[00m"
        out.write("\r\n" + self._prompt)
        if device.fault == "log-while-idle":
            nxos = "2026 Nov 30 02:00:00 leaf1 %ETHPORT-5-IF_UP: Interface Ethernet1/1 is up"
            log = nxos if device.driver == "cisco_nxos" else "Message from syslogd@leaf1 at Nov 30 02:00:00: link up"
            out.write(f"\r\n{log}\r\n{self._prompt}")
        buffer = ""
        with contextlib.suppress(asyncssh.BreakReceived, asyncssh.TerminalSizeChanged, ConnectionError):
            while data := await self._process.stdin.read(4096):
                buffer += data
                while "\n" in buffer or "\r" in buffer:
                    at = min(found for letter in "\r\n" if (found := buffer.find(letter)) >= 0)
                    line, buffer = buffer[:at], buffer[at + 1 :]
                    await self._line(line.strip())
                await out.drain()
        self._process.exit(0)

    async def _line(self, line: str) -> None:
        device, out = self._device, self._process.stdout
        if self._asking:
            device.received.append("(secret)" if line == device.enable else f"(wrong secret) {line}")
            if line == device.enable:
                self._prompt = device.kind.privileged.format(**self._names)
            self._asking = ""
            out.write(("" if line == device.enable else "\r\n% Bad secret") + "\r\n" + self._prompt)
            return
        if not line:
            out.write("\r\n" + self._prompt)
            return
        device.received.append(line)
        if line == "enable" and device.fault == "late-prompt":
            out.write("\r\n" + self._prompt)
            await asyncio.sleep(0.3)
        out.write(line + "\r\n")
        if device.delay:
            await asyncio.sleep(device.delay)
        if line == "enable" and device.kind.privileged and device.enable:
            self._asking = "yes"
            out.write("Password: ")
            return
        if line in {"enable", "sonic-cli"} and device.kind.privileged and device.fault != "enable-does-nothing":
            self._prompt = device.kind.privileged.format(**self._names)
        elif line in device.kind.answers:
            text = device.kind.answers[line]
            out.write(text + "\r\n" if text else "")
        elif line in device.answers:
            if await self._answer(line, device.answers[line]):
                return
        elif line.endswith(" | count") and line[: -len(" | count")] in device.answers:
            out.write(f"{len(device.answers[line[: -len(' | count')]].splitlines())}\r\n")
        else:
            out.write(device.kind.error + "\r\n")
        out.write("\r\n" * (device.driver == "cisco_nxos") + self._prompt)

    async def _answer(self, line: str, text: str) -> bool:
        """Write an answer, faulty where the device is. Returns whether no prompt follows."""
        device, out, fault = self._device, self._process.stdout, self._device.fault
        text = text.replace("\n", "\r\n")
        if fault == "rejected":
            text = device.kind.error + "\r\n"
        elif fault == "denied":
            text = device.kind.denied + "\r\n"
        elif fault == "empty":
            text = ""
        elif fault == "truncated":
            text = text[: len(text) // 2].rpartition("\r\n")[0] + "\r\n"
        elif fault == "garbage":
            text = text[:100] + "".join(chr(1 + at % 8) + "\x9d\x02" for at in range(50)) + text[100:]
        elif fault == "log-lines":
            half = text.find("\r\n", len(text) // 2) + 2
            log = f"2026 Nov 30 02:00:00 {device.name} %ETHPORT-5-IF_UP: Interface Ethernet1/1 is up\r\n"
            text = text[:half] + log + text[half:]
        elif fault == "flood":
            with contextlib.suppress(ConnectionError, asyncssh.Error):
                for _ in range(800):
                    out.write(("interface Ethernet1/1\r\n  mtu 9216\r\n" * 1800)[:65536])
                    await out.drain()
            return True
        elif fault == "hung-at-once":
            await asyncio.sleep(3600)
        elif fault in {"closed-in-the-middle", "hung-command", "pager", "other-prompt"}:
            out.write(text[: len(text) // 2].rpartition("\r\n")[0] + "\r\n")
            await out.drain()
            if fault == "closed-in-the-middle":
                self._process.channel.get_connection().abort()
            elif fault == "pager":
                out.write("--More--")
            elif fault == "other-prompt":
                out.write(device.kind.prompt.format(name="spine9", user=USER))
            await asyncio.sleep(3600)
        elif fault == "trickle":
            for at in range(0, len(text), 7):
                out.write(text[at : at + 7])
                await asyncio.sleep(0.0005)
            return False
        elif fault == "drip":
            for letter in text:
                out.write(letter)
                await asyncio.sleep(0.05)
        out.write(text)
        return False


class Fleet:
    """Fake devices of one test, served by one thread. Use it in a `with` block."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._servers: list[object] = []
        self._sockets: list[socket.socket] = []
        self.devices: dict[str, FakeDevice] = {}

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        async def end() -> None:
            for server in self._servers:
                server.close()
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=2) if tasks else None

        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(end(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        for opened in self._sockets:
            opened.close()

    def add(self, name: str, driver: str, answers: dict[str, str], fault: str = "", **more: object) -> FakeDevice:
        """Start a device and return it; it listens when this returns."""
        device = FakeDevice(name, driver, answers, fault, **more)
        key, public = key_pair()
        if fault == "refused":
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                device.port = probe.getsockname()[1]
        else:
            asyncio.run_coroutine_threadsafe(self._listen(device, key), self._loop).result(10)
        if fault == "changed-key":
            _, public = key_pair()
        kind, encoded = public.split()[:2]
        device.key_line = f"[127.0.0.1]:{device.port} {kind} {encoded}"
        self.devices[name] = device
        return device

    async def _listen(self, device: FakeDevice, key: asyncssh.SSHKey) -> None:
        greetings = {"silent-tcp": None, "closed-at-greeting": b"", "not-ssh": b"HTTP/1.1 400 Bad Request\r\n\r\n"}
        if device.fault in greetings:
            answer = greetings[device.fault]

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                if answer is None:
                    with contextlib.suppress(ConnectionError):
                        await reader.read()
                else:
                    writer.write(answer)
                writer.close()

            server: object = await asyncio.start_server(serve, "127.0.0.1", 0)
            device.port = server.sockets[0].getsockname()[1]
        else:

            async def process(opened: asyncssh.SSHServerProcess) -> None:
                with contextlib.suppress(asyncssh.Error, OSError):
                    await _Terminal(device, opened).run()

            only = {"old-ciphers": "diffie-hellman-group1-sha1", "new-names": "curve25519-sha256"}.get(device.fault)
            old = {"kex_algs": [only]} if only else {}
            server = await asyncssh.create_server(
                lambda: _Server(device), "127.0.0.1", 0, server_host_keys=[key], process_factory=process,
                line_editor=False, encoding="latin-1", login_timeout=3600, **old,
            )  # fmt: skip
            device.port = server.sockets[0].getsockname()[1]
        self._servers.append(server)

    def known_hosts(self) -> str:
        """Return the text of a known_hosts file for all devices."""
        return "".join(f"{device.key_line}\n" for device in self.devices.values())


def wait_until(true: object, seconds: float = 10.0) -> None:
    """Poll until a condition holds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)
