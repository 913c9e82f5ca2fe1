"""Applications on hosts: which traffic class they belong to, and the file that makes them mark their packets.

One file each in `vendors/applications/`, its template in `templates/applications/`; adding one edits no shared file.

    title: NCCL
    hosts: [linux]          # families of hosts it runs on: the name of a system, or the word it is logged in with
    class_kind: roce        # the kind of class that carries it where the intent names none
    takes: [tos, sl, gid_index]    # what it can be told: these three where the key is left out
    output: {file: nccl.conf, template: nccl.conf.j2}    # none: the host's own script sets it up (SMB Direct)
    evidence: [{shape: 'NCCL_IB_TC=<tos>', level: documented, source: "..."}]
    sources: ["..."]
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.errors import ConfigurationError
from rocecfg.packs import room_folders

if TYPE_CHECKING:
    from pathlib import Path

    from rocecfg.vendor.manifest import Application, Evidence

ROOM = "applications"


def names() -> list[str]:
    """Return the names of all applications, those of the user's packs among them."""
    return sorted({path.stem for room in room_folders("vendors") for path in (room / ROOM).glob("*.yaml")})


@lru_cache(maxsize=64)
def get(name: str) -> Application | None:
    """Return an application, None for a name that is none. Raises ConfigurationError when its file is wrong."""
    from rocecfg.vendor.manifest import load_application

    path = _path(name)
    return None if path is None else load_application(path)


def evidence() -> list[Evidence]:
    """Return who vouches for the lines of the files of all applications."""
    found = (get(name) for name in names())
    return [entry for application in found if application is not None for entry in application.evidence]


def runs_on(application: Application, system: str) -> bool:
    """Return whether an application runs on hosts of a family."""
    from rocecfg.vendor import registry

    return bool({system, registry.get(system).manifest.netmiko} & set(application.hosts))


def _path(name: str) -> Path | None:
    """Return the file of an application; the user's packs come last and win."""
    if name not in names():
        return None
    found = [path for room in room_folders("vendors") if (path := room / ROOM / f"{name}.yaml").is_file()]
    if not found:
        raise ConfigurationError(f"the file of the application {name} is gone")
    return found[-1]
