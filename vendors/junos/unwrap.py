"""Brings pasted texts into the form of a saved configuration; no line changes its number.

`show configuration class-of-service` prints what stands inside `class-of-service { }` and not those braces. A
session or a page of a manual has a prompt before each `set`, and says with `[edit class-of-service]` or by an `edit`
command below which hierarchy the lines after it stand.
"""

from __future__ import annotations

import re

_HEADS = ("classifiers", "drop-profiles", "shared-buffer", "dedicated-buffer", "forwarding-classes", "rewrite-rules",
          "congestion-notification-profile", "scheduler-maps", "schedulers", "traffic-control-profiles")  # fmt: skip
"""Blocks of class-of-service that no hierarchy at the top of a configuration is named like."""
_FIRST = re.compile(rf"^(?:{'|'.join(_HEADS)}|interfaces|code-point-aliases|host-outbound-traffic) \{{", re.MULTILINE)
_PROMPTED = re.compile(r"^[ \t]*(?:\{[a-z0-9:]+\}\s*)?[\w.-]{1,64}@[\w.-]{0,64} ?[#>] ?(?=\S)")
_SESSION = re.compile(r"^[ \t]*[\w.-]{1,64}@[\w.-]{0,64} ?[#>] ?set ", re.MULTILINE)
_EDIT = re.compile(r"^[ \t]*\[edit(?: ([^\]\n]{1,400}))?\][ \t\r]*$")
_LONGEST_PATH = 400
"""Characters; a path that grows with each line would fill the memory."""
_VERBS = ("set ", "delete ", "activate ", "deactivate ")


def unwrapped(text: str) -> str:
    """Return a text as a saved configuration would say it."""
    if "[edit" in text or is_session(text):
        text = _as_saved(text)
    if _is_inside(text):
        first, end = _FIRST.search(text), text.rfind("\n}")
        if first is not None and end > first.start():
            text = f"{text[: first.start()]}class-of-service {{ {text[first.start() : end + 2]} }}{text[end + 2 :]}"
    return text


def is_session(text: str) -> bool:
    """Return whether a text holds commands at a prompt: a change, whose silence proves nothing."""
    return "@" in text and ("# set " in text or "> set " in text) and _SESSION.search(text) is not None


def _is_inside(text: str) -> bool:
    """Return whether blocks of class-of-service stand at the margin, with no such section around them."""
    if "\nclass-of-service {" in text or text.startswith("class-of-service {"):
        return False
    return any(f"\n{head} {{" in text for head in _HEADS) or text.startswith(_HEADS)


def _as_saved(text: str) -> str:
    """Return the lines with whole paths and without prompts."""
    path, lines = "", []
    for line in text.split("\n"):
        hierarchy = _EDIT.match(line)
        if hierarchy is not None:
            path = " ".join((hierarchy[1] or "").split())
            lines.append("")
            continue
        prompt = _PROMPTED.match(line) if "@" in line[:140] else None
        command = line[prompt.end() :] if prompt is not None else line.lstrip()
        if command.startswith(_VERBS):
            verb, _, rest = command.partition(" ")
            lines.append(f"{verb} {path} {rest}" if path else command)
        elif prompt is not None and command.startswith("edit "):
            path = f"{path} {' '.join(command.split()[1:])}".strip()[:_LONGEST_PATH]
            lines.append("")
        elif prompt is not None and command.strip() == "top":
            path = ""
            lines.append("")
        else:
            lines.append(line)
    return "\n".join(lines)
