"""Numbers and names as the tools write them: DSCP names, sizes, rates, GIDs, devices."""

from __future__ import annotations

import re

from rocecfg.state.model import Gid
from rocecfg.state.numbers import DSCP_NAMES, natural

METRES = range(1, 1000)
"""Cable lengths the mlx5 driver accepts; other "delay" values are bit times of another driver."""
_NAMES = {
    "be": 0, "default": 0, "le": 1, "va": 44,
    "cs0": 0, **DSCP_NAMES,
}  # fmt: skip
"""Names that dcb(8) prints for DSCPs (RFC 2474, 2597, 3246, 5865, 8622)."""
_SIZE_UNITS = {"b": 1, "kb": 1024, "mb": 1024 * 1024, "": 1, "k": 1024, "m": 1024 * 1024}
_RATE_UNITS = {
    "bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9, "tbit": 10**12, "bps": 8, "kbps": 8 * 10**3,
    "mbps": 8 * 10**6, "gbps": 8 * 10**9, "tbps": 8 * 10**12, "": 8,
}  # fmt: skip
"""tc(8): words with "bit" are bits, with "bps" bytes a second, a bare number bytes a second."""


def gid_of(index: int, address: str, version: str, netdev: str) -> Gid:
    """Return a GID with the kind of its address."""
    ipv4 = address.startswith(("0000:0000:0000:0000:0000:ffff:", "::ffff:"))
    kind = "ipv4" if ipv4 else "link-local" if address.startswith("fe80") else "ipv6"
    return Gid(index, version, kind, netdev)  # type: ignore[arg-type]


LARGEST_MTU = 2**31 - 1
"""What the kernel itself can hold; drivers take less."""


def whole(word: str, top: int) -> int:
    """Return a number in plain digits or, as scripts of Broadcom write them, in hexadecimal ones behind `0x`."""
    if word[:2] in {"0x", "0X"} and 2 < len(word) < 12:
        number = int(word, 0)
        if word.isascii() and word.isalnum() and number <= top:
            return number
        raise ValueError(word)
    return natural(word, top)


def dscp_of(word: str) -> int:
    """Return a DSCP from its number or name. Raises ValueError for neither."""
    named = _NAMES.get(word.lower())
    code = int(word, 0) if named is None else named
    if not 0 <= code <= 63:
        raise ValueError(word)
    return code


def size_of(word: str) -> int:
    """Return bytes from `130944b`, `128Kb` or `64K`. Raises ValueError."""
    found = re.fullmatch(r"([0-9]+)([A-Za-z]*)", word)
    if found is None or found[2].lower() not in _SIZE_UNITS:
        raise ValueError(word)
    return int(found[1]) * _SIZE_UNITS[found[2].lower()]


def rate_of(word: str) -> int:
    """Return bit/s from `10Gbit` or `100Mbps`. Raises ValueError."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([A-Za-z]*)", word)
    if found is None or found[2].lower() not in _RATE_UNITS:
        raise ValueError(word)
    return round(float(found[1]) * _RATE_UNITS[found[2].lower()])


_REFERENCE = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*|[0-9])\}?$")


def is_variable(word: str) -> bool:
    """Return whether a word is nothing but a reference to a shell variable or argument."""
    return _REFERENCE.match(word) is not None


def device_name(word: str) -> str:
    """Return the device a word of a script names; one in a variable is called `$NAME`: each port the script runs for.

    Raises ValueError for no name, or one that holds any other expansion.
    """
    found = _REFERENCE.match(word)
    if found is not None:
        return f"${found[1]}"
    if not word or "$" in word or "`" in word:
        raise ValueError(word)
    return word
