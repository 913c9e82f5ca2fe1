"""The paths file: ways that packets take, where routing is known better than cables tell.

- {via: [gpu01, leaf1, spine1, leaf2, gpu05], priority: 3}
- {via: [spine1, leaf1/2, spine2], priority: 3}          # from leaf1 on in priority 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.errors import IntentError, Problem, did_you_mean
from rocecfg.fabric.graph import DeclaredPath, PathNode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from rocecfg.findings import Spot

KEYS = ("via", "priority")
_ACCEPTED = "accepted: - {via: [gpu01, leaf1, spine1, leaf2/2, gpu05], priority: 3}"


def paths_of_file(path: Path | str) -> list[DeclaredPath]:
    """Return the paths of a paths file. Raises IntentError with every problem of the file."""
    from rocecfg import yamlfile

    document = yamlfile.load_path(path)
    data, problems = document.data, []
    if not isinstance(data, list):
        place = document.place(())
        raise IntentError([Problem(*place, "a paths file is a list of paths", _ACCEPTED)])
    paths = []
    for number, item in enumerate(data):
        place = document.child_place(data, number)
        found = paths_of([item], lambda _number, place=place: place)  # type: ignore[misc]
        paths += [one for one in found if isinstance(one, DeclaredPath)]
        problems += [Problem(*place, one, _ACCEPTED) for one in found if isinstance(one, str)]
    if problems:
        raise IntentError(problems)
    return paths


def paths_of(items: Iterable[Any], place: Callable[[int], Spot | None] = lambda _number: None) -> list[Any]:
    """Return plain data as declared paths; what does not fit becomes a sentence."""
    found: list[Any] = []
    for number, item in enumerate(items):
        problem = _problem(item)
        if problem:
            found.append(problem)
            continue
        default = item.get("priority")
        nodes, priority = [], default
        for word in map(str, item["via"]):
            name, slash, own = word.rpartition("/")
            changes = bool(slash and name) and len(own) == 1 and own in "01234567"
            priority = int(own) if changes else priority
            nodes.append(PathNode(name if changes else word, priority))
        found.append(DeclaredPath(tuple(nodes), place(number)))
    return found


def _problem(item: Any) -> str:
    if not isinstance(item, dict) or "via" not in item:
        return "a path needs the key via: the devices it passes, in order"
    for key in item:
        if key not in KEYS:
            return f'unknown key "{key}"{did_you_mean(str(key), KEYS)}'
    via, priority = item["via"], item.get("priority")
    if not isinstance(via, list) or len(via) < 2 or not all(isinstance(node, str | int) and str(node) for node in via):
        return "via is a list of at least two device names"
    if priority is not None and (isinstance(priority, bool) or priority not in range(8)):
        return f"priority {priority!r} is none of 0 to 7"
    return ""
