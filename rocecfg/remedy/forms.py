"""The forms a configuration is changed in, with one face: read, write, word the difference, replay it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from rocecfg.remedy import clitree, patch, setlines, text

if TYPE_CHECKING:
    from rocecfg.remedy.rules import Rules
    from rocecfg.remedy.text import Settings


class Form(Protocol):
    """What `make` needs of a form."""

    def settings(self, content: str, rules: Rules) -> Settings:
        """Return the settings of a text. Raises ValueError when it is none of this form."""
        ...

    def changed(self, content: str, rules: Rules, target: Settings) -> str:
        """Return the text with other settings."""
        ...

    def commands(self, have: Settings, want: Settings, rules: Rules) -> list[str]:
        """Return the commands from one to the other."""
        ...

    def replayed(self, have: Settings, lines: list[str], rules: Rules) -> Settings:
        """Return the settings after the commands."""
        ...


class Tree:
    """Lines in sections."""

    settings = staticmethod(text.settings)
    changed = staticmethod(text.changed)
    commands = staticmethod(clitree.commands)
    replayed = staticmethod(clitree.replayed)


class Flat:
    """Set and delete lines."""

    settings = staticmethod(text.settings)
    changed = staticmethod(text.changed)
    commands = staticmethod(setlines.commands)
    replayed = staticmethod(setlines.replayed)


class Patch:
    """JSON tables, changed by one operation a line."""

    @staticmethod
    def settings(content: str, _: Rules) -> Settings:
        """Return the tables of a text."""
        return patch.settings(content)

    @staticmethod
    def changed(_: str, __: Rules, target: Settings) -> str:
        """Return the text of other tables."""
        return patch.text_of(target)

    @staticmethod
    def commands(have: Settings, want: Settings, rules: Rules) -> list[str]:
        """Return the operations, each as JSON."""
        return [json.dumps(each) for each in patch.operations(have, want, rules)]

    @staticmethod
    def replayed(have: Settings, lines: list[str], _: Rules) -> Settings:
        """Return the tables after the operations."""
        return patch.settings(patch.replayed(patch.text_of(have), [json.loads(line) for line in lines]))


FORMS: dict[str, Form] = {"tree": Tree(), "set": Flat(), "patch": Patch()}
