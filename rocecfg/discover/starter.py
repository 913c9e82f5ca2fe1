"""The classes of `rocecfg init`, for a network that tells none."""

from __future__ import annotations

from rocecfg.discover.draft import ClassLine


def starter_classes() -> list[ClassLine]:
    """Return the classes a new fabric starts with."""
    why = "no text tells the classes: these are the usual ones"
    return [
        ClassLine("roce", {"dscp": "26", "priority": "3", "lossless": "true", "bandwidth": "60%"}, why),
        ClassLine("cnp", {"dscp": "48", "priority": "6", "strict": "true"}, why),
    ]
