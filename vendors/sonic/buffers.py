"""Buffer profiles, priority groups and pools of CONFIG_DB."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Dynamic, Headroom, Pool, PriorityGroup, Static

if TYPE_CHECKING:
    from rocecfg.state.model import Limit

names: Any = load_module(Path(__file__).with_name("names.py"))
_reference = names.reference


def _shared(kept: int | None, size: int | None, resume: int | None) -> bool | None:
    """Return whether a profile leaves its headroom to the shared pool: its `size` is xon alone, or less than `xoff`."""
    if not kept or size is None:
        return None
    return size < kept or size == resume


class Buffers:
    """Turns buffer rows into values. SONiC's `xoff` is the headroom, its `size` a guarantee that may include it."""

    def __init__(self, resolver: Any, values: Any) -> None:
        self._resolver = resolver
        self._number = values.number
        self._odd = values.odd
        self._known: dict[tuple[Any, ...], Any] = {}

    def limit(self, row: Any) -> Limit | None:
        power = self._number(row.fields, "dynamic_th", row)
        if power is not None:
            if -64 <= power <= 64:
                return Dynamic(Fraction(2) ** power)
            self._odd(row, "dynamic_th", str(power))
            return None
        fixed = self._number(row.fields, "static_th", row)
        return Static(Amount.of_bytes(fixed)) if fixed is not None else None

    def pool_name(self, row: Any) -> str | None:
        value = row.fields.get("pool")
        return _reference(value) if value is not None else None

    def group(self, row: Any) -> PriorityGroup | None:
        if row is None:
            return None
        profile = row.fields.get("profile")
        key = ("group", str(profile))
        if key not in self._known:
            self._known[key] = self._read_group(row, profile)
        found: PriorityGroup | None = self._known[key]
        return found

    def _read_group(self, row: Any, profile: Any) -> PriorityGroup | None:
        if profile is None:
            return None
        name = _reference(profile)
        if name in {"NULL", ""}:
            return PriorityGroup(lossless=True, headroom=Headroom(by="length"), xoff_at=self._default_alpha())
        made_for = self._made_for(name)
        found = self._resolver.look_up("BUFFER_PROFILE", profile, row.line_of("profile"))
        if found is None:
            if made_for is not None:
                return PriorityGroup(lossless=True, headroom=Headroom(by="table", made_for=made_for))
            if name == "ingress_lossy_profile" and "BUFFER_PROFILE" not in self._resolver.rows:
                return PriorityGroup(lossless=False, headroom=Headroom(by="none"))
            return None
        return self._from_profile(found, made_for)

    def _from_profile(self, row: Any, made_for: tuple[int, int] | None) -> PriorityGroup:
        fields = row.fields
        kept, size = self._number(fields, "xoff", row), self._number(fields, "size", row)
        resume, below = self._number(fields, "xon", row), self._number(fields, "xon_offset", row)
        by_length = kept is None and str(fields.get("headroom_type")) == "dynamic"
        lossless = by_length or bool(kept)
        reserved = size
        if kept and size is not None and size >= kept + (resume or 0):
            reserved = size - kept
        if by_length:
            headroom = Headroom(by="length")
        elif kept:
            headroom = Headroom(Amount.of_bytes(kept), "table" if made_for else "stated", made_for)
        else:
            headroom = Headroom(by="none")
        return PriorityGroup(
            lossless=lossless,
            headroom=headroom,
            xoff_at=self.limit(row),
            xon_at=Amount.of_bytes(resume) if resume is not None and lossless else None,
            xon_below=Amount.of_bytes(below) if below is not None and lossless else None,
            reserved=Amount.of_bytes(reserved) if reserved is not None else None,
            pool=self.pool_name(row),
            headroom_shared=_shared(kept, size, resume),
        )

    @staticmethod
    def _made_for(name: str) -> tuple[int, int] | None:
        match = names.generated(name)
        return (match[0] * 1_000_000, match[1]) if match is not None else None

    def _default_alpha(self) -> Dynamic | None:
        for row in self._resolver.table("DEFAULT_LOSSLESS_BUFFER_PARAMETER").values():
            power = self._number(row.fields, "default_dynamic_th", row)
            if power is not None and -8 <= power <= 7:
                return Dynamic(Fraction(2) ** power)
        return None

    def pools(self) -> tuple[Pool, ...] | None:
        """Return the buffer pools, None when the dump has no such table."""
        if "BUFFER_POOL" not in self._resolver.rows:
            return None
        ratio = next(
            (
                self._number(row.fields, "over_subscribe_ratio", row)
                for row in self._resolver.table("DEFAULT_LOSSLESS_BUFFER_PARAMETER").values()
            ),
            None,
        )
        return tuple(self._pool(name, row, ratio) for name, row in self._resolver.table("BUFFER_POOL").items())

    def _pool(self, name: str, row: Any, ratio: int | None) -> Pool:
        direction, mode = row.fields.get("type"), row.fields.get("mode")
        lossless = True if "lossless" in name else False if "lossy" in name else None
        size, percent = (self._number(row.fields, what, row) for what in ("size", "percentage"))
        kept = self._number(row.fields, "xoff", row)
        total = Amount.of_bytes(size) if size is not None else None
        if percent is not None:
            total = Amount(percent, "percent")
        if kept is None and size and lossless and direction == "ingress":
            kept = 0  # the row has a size of its own and no xoff: no headroom is shared
        return Pool(
            name,
            direction=direction if direction in {"ingress", "egress", "both"} else None,
            lossless=lossless,
            total=total,
            mode=mode if mode in {"static", "dynamic"} else None,
            headroom=Amount.of_bytes(kept) if kept is not None else None,
            oversubscription=ratio if name == "ingress_lossless_pool" and ratio else None,
            place=self._resolver.files.where(row.line),
        )

    def traffic(self) -> tuple[int, int] | None:
        """Return (lossless MTU, percent of small packets) that the dynamic model sizes headroom for."""
        for row in self._resolver.table("LOSSLESS_TRAFFIC_PATTERN").values():
            mtu, small = (self._number(row.fields, what, row) for what in ("mtu", "small_packet_percentage"))
            if mtu is not None and small is not None:
                return mtu, small
        return None
