"""User name, password and enable password of a run: asked for, from the environment, or from the keyring.

What an inventory says of one device fills in where these are silent.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocecfg.collect.target import Secret
from rocecfg.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

USERNAME, PASSWORD, ENABLE = "ROCECFG_USERNAME", "ROCECFG_PASSWORD", "ROCECFG_ENABLE"
SERVICE = "rocecfg"
"""The name that the keyring has the passwords under; the enable password is the user `NAME/enable`."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """How to log in where the inventory does not say, or is not asked."""

    username: str = ""
    password: Secret | None = None
    enable: Secret | None = None


def gathered(
    username: str = "", *, ask: Callable[[str], str] | None = None, ask_enable: bool = False, keyring: bool = False
) -> Credentials:
    """Return the credentials of a run. `ask` = how to ask a person for a secret, None = do not.

    Raises UsageError when the keyring is asked for and not installed.
    """
    name = username or os.environ.get(USERNAME, "")
    password = _secret(ask(f"Password of {name or 'the devices'}")) if ask is not None else None
    enable = _secret(ask("Enable password")) if ask is not None and ask_enable else None
    password = password or _secret(os.environ.get(PASSWORD, ""))
    enable = enable or _secret(os.environ.get(ENABLE, ""))
    if keyring and (password is None or enable is None):
        password = password or _kept(name)
        enable = enable or _kept(f"{name}/enable")
    return Credentials(name, password, enable)


def _secret(value: str | None) -> Secret | None:
    return Secret(value) if value else None


def _kept(name: str) -> Secret | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise UsageError("--keyring needs the extra: pip install 'rocecfg[keyring]'") from error
    try:
        return _secret(keyring.get_password(SERVICE, name))
    except KeyringError as error:
        raise UsageError(f"the keyring does not answer: {error}") from error
