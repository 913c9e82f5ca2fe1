"""Reads captures into devices, one after the other or in several processes, always in the order given."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError, RocecfgError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocecfg.cli.inputs import Source
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import Device, Where

MANY = 200
"""Captures from which on a second process pays."""
_CHUNK = 16


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one capture: the device, or why there is none."""

    file: str
    device: Device | None
    error: str = ""
    name: str = ""
    rule: str = ""
    """With `error`: the RUN rule it is reported under."""
    texts: int = 1
    digest: str = ""
    """Of all texts: equal digests are equal captures."""


def check_system(nos: str) -> None:
    """Raise UsageError when `--nos` names no system."""
    if nos:
        from rocecfg.vendor import registry

        registry.get(nos)


def read_devices(sources: Iterable[Source | ReadError], nos: str = "", jobs: int | None = None) -> Iterator[Reading]:
    """Yield the outcome of every capture, in order. No text outlives its own capture.

    `jobs` = number of processes; None = two from `MANY` captures on, where the machine has two cores.
    """
    waiting = iter(sources)
    first = list(islice(waiting, MANY))
    count = jobs or (min(2, os.cpu_count() or 1) if len(first) == MANY else 1)
    if count < 2 or len(first) < 2:
        for source in (*first, *waiting):
            yield read_source(source, nos)
        return
    yield from _in_processes(first, waiting, nos, count)


def _in_processes(
    first: list[Source | ReadError], waiting: Iterator[Source | ReadError], nos: str, count: int
) -> Iterator[Reading]:
    from concurrent.futures import Future, ProcessPoolExecutor

    from rocecfg import packs

    def chunks() -> Iterator[list[Source | ReadError]]:
        yield from (first[at : at + _CHUNK] for at in range(0, len(first), _CHUNK))
        while chunk := list(islice(waiting, _CHUNK)):
            yield chunk

    with ProcessPoolExecutor(count, initializer=packs.add_packs, initargs=(packs.extra_packs(),)) as pool:
        running: deque[Future[list[Reading]]] = deque()
        for chunk in chunks():
            running.append(pool.submit(_read_chunk, chunk, nos))
            if len(running) > 2 * count:
                yield from running.popleft().result()
        while running:
            yield from running.popleft().result()


def _read_chunk(sources: list[Source | ReadError], nos: str) -> list[Reading]:
    return [_portable(read_source(source, nos)) for source in sources]


def _portable(reading: Reading) -> Reading:
    """Make a reading fit to go to another process: a vendor may keep places in a class of its own folder."""
    device = reading.device
    if device is None or all(type(port.places) is dict for port in device.ports.values()):
        return reading
    same: dict[Where, Where] = {}
    ports = {
        name: replace(port, places={leaf: same.setdefault(place, place) for leaf, place in port.places.items()})
        for name, port in device.ports.items()
    }
    return replace(reading, device=replace(device, ports=ports))


def read_source(source: Source | ReadError, nos: str = "") -> Reading:
    """Read one capture. Every way it can fail becomes the outcome's `error`: one bad file never stops the rest."""
    from rocecfg.state.capture import device_of, read_capture
    from rocecfg.state.parse import parse

    if isinstance(source, ReadError):
        return _failed("", source)
    file = "<stdin>" if source.text is not None else str(source.path)
    capture = _stdin_capture(source.text) if source.text is not None else read_capture(source.path)
    if isinstance(capture, ReadError):
        return _failed(file, capture, device_of(source.path) if source.text is None else "")
    try:
        texts = capture.texts
        return Reading(file, parse(capture, nos), name=capture.device, texts=len(texts), digest=_digest(texts))
    except RocecfgError as error:
        return _failed(file, error, capture.device)
    except Exception as error:
        if os.environ.get("ROCECFG_TRACEBACK"):
            raise
        message = f"{file}: internal error while reading: {type(error).__name__}; ROCECFG_TRACEBACK=1 shows where"
        return Reading(file, None, message, capture.device, "RUN-008")


def _digest(texts: Iterable[Text]) -> str:
    summed = hashlib.sha256()
    for text in texts:
        summed.update(text.content.encode("utf-8", "surrogatepass"))
        summed.update(b"\0")
    return summed.hexdigest()[:32]


def _failed(file: str, error: RocecfgError, name: str = "") -> Reading:
    message = str(error)
    file = file or message.partition(": ")[0]
    rule = "RUN-001" if isinstance(error.__cause__, OSError) else "RUN-007"
    return Reading(file, None, message if message.startswith(file) else f"{file}: {message}", name, rule)


def _stdin_capture(text: str) -> Capture:
    from rocecfg.state.capture import Capture, Text

    return Capture("", "", (Text("<stdin>", text),), file="<stdin>")
