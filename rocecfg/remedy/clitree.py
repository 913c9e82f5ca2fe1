"""Commands for systems whose configuration is a tree of lines: hier_config compares, a vendor's rules word it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocecfg.remedy.text import Path, Settings, earlier, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rocecfg.remedy.rules import Rules


def commands(have: Settings, want: Settings, rules: Rules) -> list[str]:
    """Return the lines to enter in configure mode that make `want` out of `have`.

    What is defined comes before what uses it (`order`), what is taken back at the top level last and in reverse.
    """
    changed = {path[0] for path, line in want.items() if have.get(path) != line}
    changed |= {path[0] for path in have if path not in want}
    beside = frozenset(lines_of(path, have) for path in earlier(have, rules) if path not in want)
    difference = _loaded(have, changed, rules, beside).config_to_get_to(_loaded(want, changed, rules))
    blocks = [(_weight(child.text, rules), at, child) for at, child in enumerate(difference.children)]
    lines: list[str] = []
    for _, _, child in sorted(blocks, key=lambda block: block[:2]):
        lines += _block(child, (), rules, have)
    if rules.around is not None and any(rules.around[0].search(line) for line in lines):
        return [rules.around[1], *lines, rules.around[2]]
    return lines


def _weight(line: str, rules: Rules) -> int:
    if is_negative(line, rules):
        return 2 * len(rules.order) + 2 - rules.weight(positive(line, rules))
    return rules.weight(line)


def is_negative(line: str, rules: Rules) -> bool:
    """Return whether a line takes something back."""
    if rules.reset and line.startswith(rules.reset):
        return True
    return line.startswith(rules.negate) and not any(pattern.search(line) for pattern in rules.stands)


def positive(line: str, rules: Rules) -> str:
    """Return what a negative line is about."""
    return line.removeprefix(rules.reset) if rules.reset and line.startswith(rules.reset) else line[len(rules.negate) :]


def _block(child: Any, above: Path, rules: Rules, have: Settings) -> Iterator[str]:
    yield " " * (rules.indent * len(above)) + child.text
    below, path = list(child.children), (*above, rules.key(child.text, bool(above)))
    # what is taken back makes room for what is set, what takes a smaller share for what takes a larger one
    order = {id(each): (not is_negative(each.text, rules), not _lowers(each, path, rules, have)) for each in below}
    for line in sorted(below, key=lambda each: order[id(each)]):
        yield from _block(line, path, rules, have)
    if below and rules.exit:
        yield " " * (rules.indent * (len(above) + 1)) + rules.exit


def _lowers(child: Any, above: Path, rules: Rules, have: Settings) -> bool:
    """Return whether a line, or one below it, gives something a smaller share than it has."""
    if not rules.shares:
        return False
    path = (*above, rules.key(child.text, bool(above)))
    after, before = rules.share(child.text), rules.share(have.get(path, ""))
    if after is not None and before is not None and after < before:
        return True
    return any(_lowers(each, path, rules, have) for each in child.children)


def _loaded(settings: Settings, tops: Iterable[str], rules: Rules, beside: frozenset[Path] = frozenset()) -> Any:
    """Return the changed sections as hier_config's tree. `beside` = lines to take back beside another of their key."""
    from hier_config.root import HConfig

    root = HConfig(_driver(rules, beside))
    nodes: dict[Path, Any] = {(): root}
    wanted = frozenset(tops)
    for path, line in settings.items():
        if path[0] in wanted and path[:-1] in nodes:
            nodes[path] = nodes[path[:-1]].add_child(line, return_if_present=True)
    return root


def _driver(rules: Rules, beside: frozenset[Path]) -> Any:
    from hier_config.platforms.driver_base import HConfigDriverBase, HConfigDriverRules

    class Driver(HConfigDriverBase):
        """Answers hier_config's questions from a vendor's rules."""

        @staticmethod
        def _instantiate_rules() -> HConfigDriverRules:
            return HConfigDriverRules(indentation=rules.indent)

        @property
        def negation_prefix(self) -> str:
            return rules.negate

        def negate_with(self, config: Any) -> str | None:
            return rules.negated(config.text)

        def idempotent_for(self, config: Any, other_children: Iterable[Any]) -> Any:
            if beside and tuple(config.path()) in beside:
                return None
            inside = config.depth() > 1
            key = rules.key(config.text, inside)
            return next((other for other in other_children if rules.key(other.text, inside) == key), None)

    return Driver()


def replayed(have: Settings, lines: Iterable[str], rules: Rules) -> Settings:
    """Return the settings after commands were entered, as the system's command line takes them."""
    now = dict(have)
    stack: list[tuple[int, Path]] = []
    for raw in lines:
        line = raw.strip()
        if not line or line.startswith("!") or line == rules.exit:
            continue
        indent = len(raw) - len(raw.lstrip())
        while stack and stack[-1][0] >= indent:
            stack.pop()
        above = stack[-1][1] if stack else ()
        if is_negative(line, rules):
            _take_back(now, above, positive(line, rules), rules)
            continue
        path = (*above, rules.key(line, bool(above)))
        now[path] = line
        stack.append((indent, path))
    return now


def _take_back(now: Settings, above: Path, line: str, rules: Rules) -> None:
    """Remove a line and what is below it: the very line, else every line that goes on from these words."""
    depth = len(above)
    beside = [path for path in now if len(path) == depth + 1 and path[:depth] == above]
    gone = [path for path in beside if now[path] == line]
    key = rules.key(line, bool(above))
    if not gone and key != line:
        gone = [path for path in beside if path[-1] == key]
    if not gone:
        gone = [path for path in beside if now[path].startswith(line + " ")]
    for path in [each for each in now if each[: depth + 1] in set(gone)]:
        del now[path]


def shown(path: Path, *sources: Settings) -> str:
    """Return a path as a person reads it."""
    return " / ".join(lines_of(path, *sources))
