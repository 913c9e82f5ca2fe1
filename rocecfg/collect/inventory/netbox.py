"""NetBox: active devices with their platform and primary address, through pynetbox (extra `netbox`)."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from rocecfg.collect.inventory.entries import Entry
from rocecfg.errors import ReadError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

URL, TOKEN = "NETBOX_URL", "NETBOX_TOKEN"
SECONDS = 30
_MOST = 100_000


def connect(source: str) -> Any:
    """Return the API of a NetBox. Raises UsageError without address, token or the package."""
    url = source if source.startswith(("http://", "https://")) else os.environ.get(URL, "")
    token = os.environ.get(TOKEN, "")
    missing = " and ".join(name for name, value in ((URL, url), (TOKEN, token)) if not value)
    if missing:
        raise UsageError(f"NetBox: {missing} is not set in the environment")
    try:
        import pynetbox
    except ImportError as error:
        raise UsageError("NetBox needs the package pynetbox: install rocecfg[netbox]") from error
    api = pynetbox.api(url, token=token)
    api.http_session.trust_env = True
    session = api.http_session
    plain = session.request
    session.request = lambda *given, **named: plain(*given, **{"timeout": SECONDS, **named})
    return api


def read(source: str) -> list[Entry]:
    """Return the active devices of a NetBox. Raises ReadError when it does not answer, or not as NetBox does."""
    api = connect(source)
    return list(_asked("devices", lambda: _devices(api)))


def _asked(what: str, ask: Any) -> Any:
    """Run a question to NetBox; its library's and requests' errors become one sentence, without token."""
    try:
        return list(ask())
    except UsageError:
        raise
    except Exception as error:
        text = " ".join(str(error).split())[:300]
        raise ReadError(f"NetBox does not give its {what}: {type(error).__name__}: {text}") from error


def _devices(api: Any) -> Iterator[Entry]:
    for count, device in enumerate(api.dcim.devices.filter(status="active")):
        if count >= _MOST:
            raise UsageError(f"NetBox has more than {_MOST} active devices, more than are read")
        words: dict[str, Any] = {
            "platform": _slug(device, "platform"),
            "role": _slug(device, "role") or _slug(device, "device_role"),
            "site": _slug(device, "site"),
            "model": _slug(device, "device_type", "model"),
            "address": str(getattr(device, "primary_ip", None) or "").partition("/")[0],
        }
        for name, value in dict(getattr(device, "custom_fields", None) or {}).items():
            words.setdefault(str(name), value)
        tags = tuple(_slug(tag) for tag in getattr(device, "tags", None) or ())
        yield Entry(str(device.name or ""), {key: value for key, value in words.items() if value}, tags)


def _slug(record: Any, field: str = "", leaf: str = "slug") -> str:
    inner = getattr(record, field, None) if field else record
    if inner is None:
        return ""
    return str(getattr(inner, leaf, "") or inner)


def cables(source: str) -> list[tuple[tuple[str, str], tuple[str, str], float | None]]:
    """Return the cables between interfaces: both ends as (device, port), and the length in metres where it is known."""
    api = connect(source)
    found: list[tuple[tuple[str, str], tuple[str, str], float | None]] = _asked("cables", lambda: _cables(api))
    return found


_METRES = {"m": 1.0, "cm": 0.01, "km": 1000.0, "ft": 0.3048, "in": 0.0254, "mi": 1609.344}


def _cables(api: Any) -> Iterator[tuple[tuple[str, str], tuple[str, str], float | None]]:
    for cable in api.dcim.cables.all():
        ends = [_end(getattr(cable, side, None)) for side in ("a_terminations", "b_terminations")]
        unit = getattr(cable, "length_unit", None)
        factor = _METRES.get(str(getattr(unit, "value", unit) or ""))
        length = getattr(cable, "length", None)
        metres = round(float(length) * factor, 2) if length is not None and factor is not None else None
        if ends[0] is not None and ends[1] is not None:
            yield ends[0], ends[1], metres


def _end(terminations: Any) -> tuple[str, str] | None:
    """Return the port at one end; breakout cables with several, circuits and patch panels are none."""
    listed = list(terminations or ())
    if len(listed) != 1:
        return None
    device, port = getattr(listed[0], "device", None), getattr(listed[0], "name", None)
    return (str(getattr(device, "name", "") or device), str(port)) if device is not None and port else None


_BASE = re.compile(r"([0-9]{1,4})gbase-")


def speeds(source: str) -> dict[tuple[str, str], int]:
    """Return the speed in bit/s of each cabled interface, by (device, port): its own, else that of its type."""
    api = connect(source)
    return dict(_asked("interfaces", lambda: _speeds(api)))


def _speeds(api: Any) -> Iterator[tuple[tuple[str, str], int]]:
    for interface in api.dcim.interfaces.filter(cabled=True):
        device, name = getattr(interface, "device", None), str(getattr(interface, "name", None) or "")
        stated = getattr(interface, "speed", None)  # kbit/s
        kind = getattr(interface, "type", None)
        base = _BASE.match(str(getattr(kind, "value", kind) or ""))
        rate = int(stated) * 1000 if stated else int(base[1]) * 10**9 if base else 0
        if device is not None and name and 10**9 <= rate <= 10**13:
            yield (str(getattr(device, "name", "") or device), name), rate
