"""`rocecfg lint --fix`: the intents among the paths, each mended as far as that is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocecfg.cli.terminal import note, result_stream
from rocecfg.errors import IntentError, ReadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from rocecfg.intent.fabric import Fabric
    from rocecfg.lint.config import Settings


def fix_intents(paths: Iterable[Path], settings: Settings, output: Path | None, *, only_show: bool) -> bool:
    """Mend every intent under the paths, or print the changes; return whether there are any.

    An intent that does not load is left alone: linting it says why.
    """
    from rocecfg.cli.findings import read_suppressions
    from rocecfg.lint.fix import Fixer

    fixer = Fixer(settings, _from_text, lambda fabric: read_suppressions(fabric, settings))
    changes: list[str] = []
    for path in dict.fromkeys(_intents(paths)):
        try:
            fixed = fixer.fix(path)
        except IntentError:
            continue
        if not fixed.done:
            continue
        changes.append(fixed.diff())
        if not only_show:
            fixed.write()
            note(f"{path}: fixed {'; '.join(fixed.done)}")
    if only_show:
        with result_stream(output) as stream:
            stream.write("".join(changes))
    return bool(changes)


def _from_text(path: Path, text: str) -> Fabric:
    from rocecfg.intent.expand import expand
    from rocecfg.intent.load import parse_intent
    from rocecfg.vendor.registry import known_systems

    return expand(parse_intent(text, str(path), known_systems()))


def _intents(paths: Iterable[Path]) -> Iterator[Path]:
    from rocecfg.cli.inputs import sources_under

    for source in sources_under(path for path in paths if str(path) != "-"):
        if not isinstance(source, ReadError) and source.is_intent:
            yield source.path
