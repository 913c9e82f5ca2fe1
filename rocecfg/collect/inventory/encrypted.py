"""Passwords as netmiko's tools encrypt them in an inventory: `__encrypt__SALT:TEXT`, key in NETMIKO_TOOLS_KEY."""

from __future__ import annotations

import os

from rocecfg.collect.target import Secret

PREFIX = "__encrypt__"
KEY = "NETMIKO_TOOLS_KEY"
_LONGEST = 10_000


def is_encrypted(value: str) -> bool:
    """Return whether a value has netmiko's form."""
    return value.startswith(PREFIX)


def decrypt(value: str) -> tuple[Secret | None, str]:
    """Return the secret, and why it cannot be had: no key, another key, a damaged text."""
    key = os.environ.get(KEY, "")
    if not key:
        return None, f"it is encrypted by netmiko's tools, and {KEY} is not set"
    if len(value) > _LONGEST:
        return None, "it is encrypted and longer than any password"
    from netmiko.encryption_handling import decrypt_value

    problems = []
    for kind in ("fernet", "aes128"):
        try:
            return Secret(decrypt_value(value, key.encode(), kind)), ""
        except Exception as error:  # noqa: BLE001 - the library raises whatever its base64, cipher or padding raise
            problems.append(type(error).__name__)
    return None, f"it does not decrypt with {KEY} ({', '.join(problems)}): another key, or a damaged value"
