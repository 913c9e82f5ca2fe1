"""Keys of the rendered script that only bnxt hosts have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vendors.nic.linux.facts import Facts


def _sets_ect(port: Facts, value: str) -> None:
    port.nic["sets_ect"] = {"on": True, "off": False}[value]


def _repeated(_: Facts, value: str) -> None:
    """Check a value that repeats what `roce_tos` and `pfc` say, for another file of the driver."""
    if not 0 <= int(value) <= 63:
        raise ValueError(value)


KEYS = {"sets_ect": _sets_ect, "roce_dscp": _repeated, "roce_priority": _repeated}
LEAVES = {"sets_ect": "nic.sets_ect", "roce_dscp": "nic.default_tos", "roce_priority": "pfc"}
