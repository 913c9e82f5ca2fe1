"""Chooses devices of an inventory: `--limit role=leaf`, `--limit 'leaf*'`, `--limit @spines`, `--limit '!leaf3'`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from rocecfg.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocecfg.collect.target import Target


def chosen(targets: Sequence[Target], limits: Sequence[str]) -> list[Target]:
    """Return the targets that fit every limit; words of one limit, split by commas, are alternatives.

    Raises UsageError for a limit that fits nothing: a wrong word must not look like an empty network.
    """
    kept = list(targets)
    for limit in limits:
        words = [word.strip() for word in limit.split(",") if word.strip()]
        if not words:
            raise UsageError(f'--limit "{limit}" is empty: role=leaf, leaf*, @group or !leaf3')
        wanted = [_test(word, targets) for word in words if not word.startswith("!")]
        unwanted = [_test(word[1:], targets) for word in words if word.startswith("!")]
        kept = [
            target
            for target in kept
            if (not wanted or any(test(target) for test in wanted)) and not any(test(target) for test in unwanted)
        ]
    if targets and limits and not kept:
        raise UsageError(f"--limit {' --limit '.join(limits)}: none of the {len(targets)} devices is left")
    return kept


def _test(word: str, targets: Sequence[Target]) -> Callable[[Target], bool]:
    """Return what a word asks. Raises UsageError for a key or group that no device has."""
    key, equals, value = word.partition("=")
    if equals:
        return _of_key(key.strip(), value.strip(), targets)
    if word.startswith("@"):
        groups = {group for target in targets for group in target.groups}
        if not any(fnmatchcase(group, word[1:]) for group in groups):
            raise UsageError(f'--limit: no group "{word[1:]}"{did_you_mean(word[1:], groups)}')
        return lambda target: any(fnmatchcase(group, word[1:]) for group in target.groups)
    return lambda target: fnmatchcase(target.name, word)


def _of_key(key: str, value: str, targets: Sequence[Target]) -> Callable[[Target], bool]:
    if key in ("name", "nos", "address", "group"):
        if key == "group":
            return lambda target: any(fnmatchcase(group, value) for group in target.groups)
        return lambda target: fnmatchcase(str(getattr(target, key)), value)
    known = {name for target in targets for name in target.data}
    if key not in known:
        words = ", ".join(sorted(known)[:30]) or "none"
        raise UsageError(f'--limit: no device says "{key}"{did_you_mean(key, known)} Known: {words}')
    return lambda target: fnmatchcase(target.data.get(key, ""), value)
