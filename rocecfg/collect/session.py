"""A session with one device: netmiko prepares it, our own loop reads its commands, the gate stands below both."""

from __future__ import annotations

import re
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self, cast

import netmiko
from netmiko.channel import SSHChannel
from netmiko.exceptions import NetmikoBaseException
from netmiko.no_enable import NoEnable
from netmiko.ssh_dispatcher import CLASS_MAPPER

from rocecfg.collect import connect
from rocecfg.collect.answers import EXPIRED, PAGER, hostname_of, is_prompt, squeezed, without_echo
from rocecfg.collect.gate import SHELLS, ChannelClosedError, Gate, NotAllowedError, Shell, TooLateError
from rocecfg.collect.trouble import INCOMPLETE, INTERNAL, LOGIN, UNREACHABLE, WRONG_DEVICE, TroubleError
from rocecfg.units import shown

if TYPE_CHECKING:
    import paramiko

    from rocecfg.collect.order import Order

_WIDTH = {"linux": 4096}
"""Columns of the terminal where 511 would wrap the echo of a long command."""
_TAIL = 4096
_KEPT_OF_FLOOD = 65536


class TextTroubleError(TroubleError):
    """A command whose text did not come whole: what came of it is kept."""

    def __init__(self, rule: str, reason: str, text: str, *, over: bool = True) -> None:
        super().__init__(rule, reason)
        self.text, self.over = text, over


@lru_cache(maxsize=64)
def _driver(name: str) -> type[Any]:
    """Return netmiko's class of a system with its connecting, logging out and privilege code taken out."""
    if name not in CLASS_MAPPER:
        raise TroubleError(INTERNAL, f"netmiko has no driver {shown(name)}")
    base: Any = CLASS_MAPPER[name]

    class Driver(base):  # type: ignore[misc]
        prompt = ""

        def establish_connection(self, width: int = 511, height: int = 1000) -> None:
            del width, height  # the channel is there

        def find_prompt(self, *arguments: Any, **options: Any) -> str:
            self.prompt = str(super().find_prompt(*arguments, **options))
            return self.prompt

        def enable(self, *_arguments: Any, **_options: Any) -> str:
            return ""  # `Session` does it, through the gate

        def cleanup(self, command: str = "") -> None:
            del command  # closing the channel ends the session

    return Driver


class Session:
    """An open, prepared session. Use it in a `with` block."""

    def __init__(self, order: Order, transport: paramiko.Transport, gate: Gate, until: float) -> None:
        """Prepare the session. Raises TroubleError: no terminal, no prompt, an expired password, no privilege."""
        self._order, self._gate, self._until = order, gate, until
        self._transport = transport
        self._shell = self._opened()
        self._driver = _driver(order.driver)(
            device_type=order.driver, host=order.hops[-1].address, username=order.hops[-1].username, auto_connect=False
        )
        self._prepare()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the session; the device sees its channel close."""
        netmiko.log.removeFilter(self._driver._secrets_filter)  # noqa: SLF001 - netmiko adds one per connection
        self._transport.close()

    @property
    def prompt(self) -> str:
        """The last line of the prompt."""
        return str(self._driver.prompt)

    def _opened(self) -> Shell:
        try:
            channel = self._transport.open_session(timeout=self._order.times.login)
            channel.get_pty("vt100", _WIDTH.get(self._order.driver, 511), 1000)
            channel.invoke_shell()
        except Exception as error:  # noqa: BLE001 - paramiko raises SSHException, EOFError or what its thread died of
            self._transport.close()
            text = " ".join(str(error).split())[:200] or type(error).__name__
            raise TroubleError(LOGIN, f"logged in, and no terminal was given: {text}", again=True) from None
        return Shell(channel, self._gate, self._order.most_bytes, connect.STOPPED)

    def _prepare(self) -> None:
        driver, shell = self._driver, self._shell
        driver.remote_conn_pre, driver.remote_conn = None, shell
        driver.channel = SSHChannel(cast("Any", shell), "utf-8")
        shell.deadline = min(time.monotonic() + self._order.times.login, self._until)
        try:
            driver._modify_connection_params()  # noqa: SLF001 - the steps of netmiko's own _open()
            driver.special_login_handler()
            driver._try_session_preparation()  # noqa: SLF001
            if not driver.prompt:
                driver.find_prompt()
            if driver.prompt.endswith(">") and "enable" in self._gate.lines and not isinstance(driver, NoEnable):
                self._enable()
        except (ChannelClosedError, EOFError, OSError):
            self.close()
            raise TroubleError(
                LOGIN, f"logged in, and the device closed the session before a prompt{self._said()}", again=True
            ) from None
        except TroubleError:
            self.close()
            raise
        except (TooLateError, NetmikoBaseException, ValueError) as error:
            self.close()
            raise self._no_prompt(error) from None
        except NotAllowedError as error:
            self.close()
            raise TroubleError(INTERNAL, f"{error}, and was not: {_line(shell.last)}") from None
        except Exception as error:
            self.close()
            raise TroubleError(INTERNAL, f"preparing the session failed: {type(error).__name__}") from error
        driver.prompt = self._cleaned(driver.prompt).strip()

    def _no_prompt(self, error: Exception) -> TroubleError:
        text = self._shell.last.decode("utf-8", "replace")
        if EXPIRED.search(text):
            return TroubleError(LOGIN, f"the account must change its password first: {_line(self._shell.last)}")
        if str(error) == "the run was stopped":
            return TroubleError(UNREACHABLE, "the run was stopped")
        if str(error) == "too much output":
            return TroubleError(INCOMPLETE, "the device prints without end before it shows a prompt")
        return TroubleError(UNREACHABLE, f"logged in, and no prompt that is understood came{self._said()}")

    def _said(self) -> str:
        line = _line(self._shell.last)
        return f"; the last it said is {line}" if line != '""' else "; it said nothing"

    def _enable(self) -> None:
        """Become privileged where the system asks for it: `enable`, and its password when that is asked for."""
        shell, secret = self._shell, self._order.enable
        self._drain()
        shell.sendall(b"enable" + self._driver.RETURN.encode())
        asked = 0
        text, echoed = "", False
        while True:
            more = shell.wait(1.0).decode("utf-8", "replace")
            text += more
            if not echoed and "enable" in text:  # what came before is the answer to an earlier line, come late
                echoed, text = True, text.partition("enable")[2]
            last = text.replace("\r", "\n").rpartition("\n")[2].strip()
            if re.search(r"assword\s*:?\s*$", last):
                if secret is None or asked:
                    why = "was refused" if asked else "is asked for, and none was given: set ROCECFG_ENABLE"
                    raise TroubleError(LOGIN, f"the enable password {why}")
                asked, text = 1, ""
                self._gate.expect_secret(secret)
                shell.sendall((secret.reveal() + self._driver.RETURN).encode())
            elif last.endswith("#") and hostname_of(last) == hostname_of(self.prompt):
                self._driver.prompt = last
                return
            elif echoed and last == self.prompt and (not more or squeezed(text) != squeezed(last)):
                said = _line(text.encode())
                if asked:
                    raise TroubleError(LOGIN, f"the enable password was refused: {said}")
                return  # not offered to this account; the commands will tell

    def _drain(self) -> None:
        while self._shell.recv_ready():
            self._shell.recv(65536)

    def read(self, command: str) -> str:
        """Send a command of the list and return all that it printed, echo and prompt taken off.

        Raises TextTroubleError when the text does not come whole.
        """
        shell = self._shell
        shell.deadline = self._until
        parts: list[bytes] = []
        try:
            self._drain()
            shell.count_anew()
            shell.sendall(command.encode() + self._driver.RETURN.encode())
            self._until_prompt(command, parts)
        except NotAllowedError:
            raise
        except (ChannelClosedError, OSError, EOFError):
            reason = f"the device closed the connection in the middle of `{_short(command)}`"
            raise TextTroubleError(
                INCOMPLETE, f"{reason}, after {shell.received} bytes", self._text(parts, command)
            ) from None
        except TooLateError as error:
            if str(error) == "too much output":
                reason = f"`{_short(command)}` printed more than {self._order.most_bytes} bytes and was cut off"
                head = [b"".join(parts)[:_KEPT_OF_FLOOD]]
                parts.clear()
                raise TextTroubleError(INCOMPLETE, reason, self._text(head, command)) from None
            if str(error):
                raise TextTroubleError(INCOMPLETE, str(error), "") from None
            reason = f"`{_short(command)}` was not done when the {self._order.times.device:g} s of the device were over"
            raise TextTroubleError(INCOMPLETE, reason, self._text(parts, command)) from None
        return self._text(parts, command)

    def _until_prompt(self, command: str, parts: list[bytes]) -> None:
        """Collect what comes until the prompt stands alone after the echo of the command."""
        shell, prompt = self._shell, self.prompt
        wanted, head, echoed, tail = squeezed(command), b"", False, b""
        unbroken = self._order.driver in SHELLS  # a file without a last line feed: the prompt stands behind its end
        quiet_since = time.monotonic()
        while True:
            data = shell.wait(self._order.times.silence)
            if not data:
                self._silent(command, parts, tail, time.monotonic() - quiet_since)
            quiet_since = time.monotonic()
            parts.append(data)
            tail = (tail + data)[-_TAIL:]
            if not echoed:
                head += data
                echoed = wanted in squeezed(self._cleaned(head.decode("utf-8", "replace")))
                if not echoed and len(head) < 65536:
                    continue
            last = self._last_line(tail)
            if (last == prompt or (unbroken and last.endswith(prompt))) and not shell.recv_ready():
                return
            if PAGER.search(last[-80:]):
                reason = f"`{_short(command)}` stops at a pager ({shown(last[:40])}) although paging was turned off"
                raise TextTroubleError(INCOMPLETE, reason, self._text(parts, command))

    def _silent(self, command: str, parts: list[bytes], tail: bytes, seconds: float) -> None:
        """Raise what a device that says nothing more is: hung, or another one."""
        last = self._last_line(tail)
        text = self._text(parts, command)
        name, now = hostname_of(self.prompt), hostname_of(last)
        if is_prompt(last) and now and now != name:
            raise TextTroubleError(
                WRONG_DEVICE, f"the prompt changed from {shown(self.prompt)} to {shown(last)} in the session", text
            )
        said = f"the last line is {shown(last[:80])}" if parts else "it printed nothing"
        raise TextTroubleError(
            INCOMPLETE, f"no prompt after `{_short(command)}`: nothing came for {seconds:.0f} s; {said}", text
        )

    def _cleaned(self, text: str) -> str:
        return str(self._driver.strip_ansi_escape_codes(text)) if "\x1b" in text else text

    def _last_line(self, tail: bytes) -> str:
        piece = self._cleaned(tail.decode("utf-8", "replace"))
        return piece.replace("\r", "\n").rpartition("\n")[2].strip()

    def _text(self, parts: list[bytes], command: str) -> str:
        raw = b"".join(parts)
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
        text = self._cleaned(text.replace("\r\r\n", "\n").replace("\r\n", "\n"))
        text = str(self._driver.normalize_linefeeds(text)) if "\r" in text else text
        return without_echo(text, command, self.prompt)


def _short(command: str) -> str:
    return command if len(command) <= 60 else f"{command[:57]}..."


def _line(data: bytes) -> str:
    lines = [line.strip() for line in data.decode("utf-8", "replace").replace("\r", "\n").split("\n")]
    printable = "".join(
        letter for letter in next((line for line in reversed(lines) if line), "") if letter.isprintable()
    )
    return shown(printable[:120])
