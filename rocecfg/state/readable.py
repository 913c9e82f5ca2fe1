"""Refuses what is no text of a device at all, before a vendor looks at it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocecfg.errors import ReadError

if TYPE_CHECKING:
    from rocecfg.state.capture import Text

_LOOKED_AT = 4096
_CONTROL = re.compile(r"[\x00-\x07\x0e-\x1a\x1c-\x1f]")
"""What no terminal prints: white space, backspaces of a pager and escapes are left out."""


def readable_head(text: Text) -> str:
    """Return how a text begins, white space before it left out; never empty.

    Raises ReadError for an empty text and for a binary file.
    """
    head = text.content.lstrip()[:_LOOKED_AT]
    if not head:
        raise ReadError(f"{text.file}: empty")
    if "\x00" in text.content or len(_CONTROL.findall(head)) > len(head) // 10:
        raise ReadError(f"{text.file}: a binary file, not a configuration")
    return head
