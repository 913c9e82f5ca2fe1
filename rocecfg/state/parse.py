"""From texts to the effective state of a device: detect the system, let its folder read, fill in its defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError, RocecfgError
from rocecfg.state import doubt, transcript
from rocecfg.state.pager import without_pager
from rocecfg.state.sections import text_lines
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.capture import Capture, Text
    from rocecfg.state.model import Device, Line


def parse(capture: Capture, nos: str = "") -> Device:
    """Return the effective state of a capture: what it states, then the system's defaults.

    Raises ReadError when the system is unknown or the texts cannot be read, UsageError for an unknown `nos`.
    """
    name = nos or capture.nos or registry.detect(capture.texts, capture.file)
    device = stated(replace(capture, nos=name))
    return doubt.withheld(capture, device, effective(device))


def stated(capture: Capture) -> Device:
    """Return what the texts of a capture state, without defaults. `capture.nos` must be set."""
    if not any(text.content.strip() for text in capture.texts):
        raise ReadError(f"{capture.file}: empty")
    vendor = registry.get(capture.nos)
    capture = replace(capture, texts=tuple(without_pager(text) for text in capture.texts))
    capture, left_out = transcript.opened(capture)
    try:
        device = vendor.module.to_state(capture)
        cut = _cut_off(capture, device)
        if cut is not capture:
            device = vendor.module.to_state(cut)
    except RocecfgError:
        raise
    except RecursionError as error:
        raise ReadError(f"{capture.file}: nested too deeply to be read") from error
    if not device.name:
        device = replace(device, name=capture.device or Path(capture.file).stem or "device")
    if device.sample is not None and not device.sample.taken:
        device = replace(device, sample=replace(device.sample, taken=capture.taken))
    if capture.source != "running":
        device = replace(device, source=capture.source)  # type: ignore[arg-type]
    return replace(device, lines=tuple(_with_owner(line, capture.nos) for line in (*device.lines, *left_out)))


def _cut_off(capture: Capture, device: Device) -> Capture:
    """Return a capture whose texts are marked as cut off where they end inside a line that nobody understands.

    What stood behind it is not known, so its absence proves nothing.
    """
    texts = tuple(
        replace(text, complete=False) if text.complete is None and _ends_inside(text, device.lines) else text
        for text in capture.texts
    )
    return capture if texts == capture.texts else replace(capture, texts=texts)


def _ends_inside(text: Text, reported: tuple[Line, ...]) -> bool:
    """Return whether the last line of a text has no end and is reported, itself or as the value of the line above."""
    if not reported or text.content[-1:] in {"", "\n", "\r"}:
        return False
    lines = text_lines(text.content)
    last, count = lines[-1].strip(), len(lines)
    return bool(last) and any(
        line.place.line == count or (line.place.line == count - 1 and last in line.text)
        for line in reported
        if line.place.file == text.file
    )


def effective(device: Device) -> Device:
    """Return a device with its system's defaults filled in where the complete text is silent."""
    return registry.get(device.nos).module.defaults(device)


def _with_owner(line: Line, nos: str) -> Line:
    """Note which other systems claim a line that this one does not know (pasted from another vendor)."""
    others = tuple(name for name, (score, _) in registry.scores(line.text).items() if name != nos and score > 0)
    return replace(line, known_to=others) if others else line
