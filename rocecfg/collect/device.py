"""Reads one device: connects, prepares, reads every command, proves each text whole, blots out secrets."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rocecfg.collect import answers, connect, whole
from rocecfg.collect.gate import Gate
from rocecfg.collect.order import Reading, Text
from rocecfg.collect.redact import redacted
from rocecfg.collect.target import DeviceResult
from rocecfg.collect.trouble import INCOMPLETE, INTERNAL, REFUSED, WRONG_DEVICE, TroubleError
from rocecfg.units import shown

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from rocecfg.collect.order import Ask, Order
    from rocecfg.collect.session import Session

_PAUSE = 0.3
"""Seconds before another try: a server that is out of session slots needs a moment."""


def read_device(order: Order) -> Reading:
    """Return what a device says. Never raises: whatever goes wrong is the result."""
    start = time.monotonic()
    try:
        return _tried(order, start)
    except Exception as error:  # noqa: BLE001 - one device must not stop the others
        # the type alone: a message may quote what was sent
        reason = f"reading the device failed inside rocecfg: {type(error).__name__}"
        return _nothing(order, start, INTERNAL, reason, [])


def _tried(order: Order, start: float) -> Reading:
    new_keys: list[str] = []
    best: Reading | None = None
    for left in range(max(order.tries, 1) - 1, -1, -1):
        try:
            reading = _read(order, start, new_keys)
        except TroubleError as trouble:
            more = f" (tried {order.tries} times)" if trouble.again and order.tries > 1 and not left else ""
            reading = _nothing(order, start, trouble.rule, trouble.reason + more, new_keys)
            again = trouble.again
        else:
            again = "closed the connection" in reading.result.reason
        if best is None or len(reading.texts) >= len(best.texts):
            best = reading
        late = time.monotonic() - start > order.times.device / 2
        if not again or not left or late or connect.STOPPED.is_set():
            break
        connect.STOPPED.wait(_PAUSE)
    assert best is not None
    return best


def _nothing(order: Order, start: float, rule: str, reason: str, new_keys: Iterable[str]) -> Reading:
    result = DeviceResult(order.device, order.nos, "failed", rule, reason, time.monotonic() - start)
    return Reading(result, (), tuple(dict.fromkeys(new_keys)), _address(order), _now())


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _address(order: Order) -> str:
    device = order.hops[-1]
    return device.address if device.port == 22 else f"{device.address}:{device.port}"


def _read(order: Order, start: float, new_keys: list[str]) -> Reading:
    from rocecfg.collect.session import Session

    looks = [look for ask in order.asks if (look := whole.second_look(ask.send, ask.whole_when))]
    gate = Gate(order.driver, (*(ask.send for ask in order.asks), *looks))
    until = start + order.times.device
    with Session(order, connect.connected(order, new_keys), gate, until) as session:
        if not order.any_name:
            _expect_name(order, answers.hostname_of(session.prompt), f"the prompt is {shown(session.prompt)}")
        texts, over = _texts(order, session)
    return _judged(order, start, texts, over, tuple(dict.fromkeys(new_keys)))


def _expect_name(order: Order, name: str, seen: str) -> None:
    wanted = [order.device, order.hops[-1].address]
    if name and not any(answers.same_host(name, other) for other in wanted):
        raise TroubleError(WRONG_DEVICE, f"another device answers at {_address(order)}: {seen}, not {order.device}")


def _texts(order: Order, session: Session) -> tuple[list[Text], TroubleError | None]:
    """Return the texts read, and what ended the session early."""
    from rocecfg.collect.session import TextTroubleError

    texts: list[Text] = []
    ports: list[str] = []
    secrets = [secret.reveal() for hop in order.hops if (secret := hop.password)]
    secrets += [order.enable.reveal()] if order.enable else []

    def store(ask: Ask, content: str, proved: Iterable[str] = (), problem: str = "") -> None:
        clean = redacted(
            "".join(letter if letter != "\0" else "\ufffd" for letter in content) if "\0" in content else content,
            secrets,
        )
        texts.append(Text(ask.send, ask.id, clean, not problem, tuple(proved), problem))

    for ask in order.asks:
        try:
            content, proved, problem = _whole_text(order, session, ask, ports)
        except TextTroubleError as trouble:
            store(ask, trouble.text, (), trouble.reason)
            return texts, trouble
        store(ask, content, proved, problem)
        if not texts[1:]:
            ports = whole.ports_of(content, order.port_words)
            _expect_stated_name(order, content)
            if _refused(order, content)[0] and not order.is_host:
                break
    return texts, None


def _expect_stated_name(order: Order, text: str) -> None:
    """Compare the host name that the configuration states, where it states one on a line of its own."""
    if order.any_name:
        return
    for line in text.split("\n"):
        words = line.split()
        if len(words) == 2 and line[:1] != " " and words[0] in {"hostname", "sysname", "switchname"}:
            _expect_name(order, words[1].strip('"'), f"its configuration says `{line.strip()[:80]}`")
            return


def _refused(order: Order, text: str) -> tuple[str, bool]:
    from rocecfg.collect.gate import SHELLS

    return answers.refusal(text, shell=order.driver in SHELLS)


def _whole_text(order: Order, session: Session, ask: Ask, ports: list[str]) -> tuple[str, list[str], str]:
    """Return a text, what proves it whole, and what says that it is not. One that fails is read once more."""
    problem = ""
    for left in (1, 0):
        content = session.read(ask.send)
        if _refused(order, content)[0]:
            return content, [], ""
        proved, problem = _proved(session, ask, content, ports)
        if not problem or not left:
            return content, proved, problem
    raise AssertionError("unreachable")


def _proved(session: Session, ask: Ask, content: str, ports: list[str]) -> tuple[list[str], str]:
    damaged = answers.garbage(content)
    if damaged:
        return [], f"{damaged} characters in it are no text"
    messages = answers.log_lines(content)
    if messages:
        return [], f"{messages} log messages of the device stand between its lines"
    proved, problem = whole.proofs(content, ask.whole_when, ports)
    look = whole.second_look(ask.send, ask.whole_when)
    if not problem and look:
        against = whole.second_look_problem(content, session.read(look), ask.send, look)
        if against:
            return proved, against
        proved += ["second look"] if against is not None else []
    return proved, problem


def _judged(
    order: Order, start: float, texts: list[Text], over: TroubleError | None, new_keys: tuple[str, ...]
) -> Reading:
    """Return the verdict over all texts: the configuration decides, refused extras are remarks."""
    seconds = time.monotonic() - start

    def reading(status: Literal["ok", "failed", "partial"], rule: str, reason: str, kept: list[Text]) -> Reading:
        result = DeviceResult(order.device, order.nos, status, rule, reason, seconds)
        # what a device said that could not be read must not take the place of an older, whole capture
        texts_kept = () if status == "failed" else tuple(kept)
        return Reading(result, texts_kept, new_keys, _address(order), _now())

    refused = {text.id: (*_refused(order, text.content), text) for text in texts if not text.problem}
    refused = {name: item for name, item in refused.items() if item[0]}
    first = texts[0]
    nothing = all(text.id in refused or not text.content.strip() for text in texts) and over is None
    if first.id in refused and (nothing or not order.is_host):
        message, rights, _ = refused[first.id]
        why = "the account may not run" if rights else "the device does not know"
        return reading("failed", REFUSED, f"{why} `{first.command[:80]}`: {shown(message)}", [])
    kept = [text for text in texts if text.id not in refused]
    if over is None and not first.content.strip() and (nothing or not order.is_host):
        return reading("failed", INCOMPLETE, f"`{first.command[:80]}` printed nothing", [])
    broken = [text for text in kept if text.problem]
    if over is not None:
        status: Literal["failed", "partial"] = "partial" if any(text.content.strip() for text in kept) else "failed"
        if over.rule == WRONG_DEVICE:
            status = "failed"
        return reading(status, over.rule, over.reason, kept)
    if broken:
        more = f" (and {len(broken) - 1} more texts)" if broken[1:] else ""
        return reading("partial", INCOMPLETE, f"`{broken[0].command[:80]}`: {broken[0].problem}{more}", kept)
    forbidden = [item for item in refused.values() if item[1]]
    if forbidden:
        message, _, text = forbidden[0]
        return reading("partial", REFUSED, f"the account may not run `{text.command[:80]}`: {shown(message)}", kept)
    if refused and not order.is_host:
        names = ", ".join(f"`{text.command[:60]}`" for _, _, text in refused.values())
        return reading("ok", REFUSED, f"this release does not know {names}", kept)
    return reading("ok", "", "", kept)
