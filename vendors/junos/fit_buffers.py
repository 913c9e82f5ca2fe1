"""Buffers of a QFX: partitions in percent of one packet buffer, thresholds in percent of a queue's part of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import Amount, Dynamic, Pool

if TYPE_CHECKING:
    from rocecfg.state.model import Curve, Device
    from rocecfg.vendor.changes import Log
    from vendors.junos.fit_classes import Classes

_HERE = Path(__file__).parent
_MEGABYTE = 1_048_576
_WORST_ROUNDING = Fraction(1, 4)
"""A threshold that whole percents miss by more than this is not converted: it would be another threshold."""


def _limits() -> Any:
    return load_module(_HERE / "fit_ports.py").limits()


def platform(model: str | None) -> dict[str, Any] | None:
    """Return the buffer facts of a model, None when its name begins like none we know."""
    word = (model or "").upper().replace("JUNIPER", "").strip(" -_")
    return next((entry for entry in _limits()["buffers"] if word.startswith(entry["model"])), None)


@dataclass(slots=True)
class Base:
    """What percentages are taken of."""

    model: str | None
    pools: tuple[Pool, ...] | None

    @property
    def cell(self) -> int:
        """Bytes of a cell where `xon` counts cells for sure, else 0."""
        facts = platform(self.model)
        return facts["cell"] if facts is not None and facts.get("xon_in_cells") else 0

    @property
    def alpha(self) -> Dynamic | None:
        """The index of the ingress lossless partition."""
        return next((pool.alpha for pool in self.pools or () if pool.name == "ingress lossless"), None)

    def of_queue(self, *, lossless: bool) -> int | None:
        """Return the most bytes a queue may reach: the whole egress partition it belongs to."""
        facts = platform(self.model)
        name = "egress lossless" if lossless else "egress lossy"
        share = next((pool.total for pool in self.pools or () if pool.name == name), None)
        if facts is None or share is None or not share.value:
            return None
        return int(facts["megabytes"] * _MEGABYTE * share.value / 100)

    def thresholds(self, curve: Curve, path: str, log: Log, *, lossless: bool, marks: bool) -> tuple[int, int, int]:
        """Return a ramp in whole percents: low, high, probability."""
        leaf = f"{path}.ecn" if marks else f"{path}.wred"
        published = _limits()["published"]["ecn"]
        probability = published["probability"] if curve.probability is None else min(max(curve.probability, 0), 100)
        low, high = _percent(curve.low), _percent(curve.high)
        if low is not None and high is not None:
            low_percent, high_percent = (
                min(100, int(low)),
                min(100, max(-(-high.numerator // high.denominator), int(low))),
            )
            if low_percent != low or high_percent != high:
                log(
                    "quantised",
                    leaf,
                    f"{low} to {high} %",
                    f"{low_percent} to {high_percent} %",
                    "fill-level is a whole percent",
                )
            return low_percent, high_percent, probability
        wanted = _shown(curve)
        base = self.of_queue(lossless=lossless)
        exact = [_share(amount, base) for amount in (curve.low, curve.high)]
        if base is not None and all(_near(share) for share in exact):
            got = [round(share) for share in exact if share is not None]
            size = [share * base // 100 for share in got]
            log("quantised", leaf, wanted, f"{got[0]} to {got[1]} % = {size[0]} to {size[1]} B",
                f"fill-level is a whole percent of the queue's buffer, taken as the whole egress partition of {base} B "
                f"of a {self.model}: with less free buffer the same percent is less")  # fmt: skip
            return got[0], max(got), probability
        why = "the buffer of this model is not known" if base is None else (
            f"a whole percent is {base // 100} B of the {base} B a queue may reach, too coarse for them")  # fmt: skip
        log("chosen", leaf, wanted, f"{published['low']} to {published['high']} %, {published['probability']} %",
            f"fill-level is a whole percent of the queue's buffer and {why}: the published ramp is used ("
            f"{_limits()['published']['source']})")  # fmt: skip
        return published["low"], published["high"], published["probability"]


def _percent(amount: Amount | None) -> Fraction | None:
    return Fraction(amount.value) if amount is not None and amount.unit == "percent" else None


def _share(amount: Amount | None, base: int | None) -> Fraction | None:
    if amount is None or amount.bytes is None or base is None:
        return None
    return Fraction(amount.bytes * 100, base)


def _near(share: Fraction | None) -> bool:
    """Return whether the whole percent beside an exact one still says the same."""
    return share is not None and 1 <= round(share) <= 100 and abs(round(share) - share) <= share * _WORST_ROUNDING


def _shown(curve: Curve) -> str:
    ends = [f"{amount.value} {amount.unit}" if amount is not None else "?" for amount in (curve.low, curve.high)]
    return f"{ends[0]} to {ends[1]}, {curve.probability} %"


def pools(device: Device, classes: Classes, log: Log) -> tuple[tuple[Pool, ...] | None, Device]:
    """Return the partitions: the plan's when they are percents, else the published ones; None without a lossless class.

    Ingress lossless, headroom and lossy must add up to 100: the lossy part gives way.
    """
    planned: dict[str, Pool] = {pool.name: pool for pool in device.pools or () if _is_percent(pool)}
    if not planned:
        for pool in device.pools or ():
            log("dropped", f"pools.{pool.name}", "planned", "not used", "partitions are percents; this one is not")
        if not classes.lossless:
            return None, device
        planned = _published(device, log)
    found = []
    for direction in ("ingress", "egress"):
        for name in ("lossless", "lossy", "multicast"):
            wanted = f"{direction} {name}"
            if wanted in planned:
                pool = planned.pop(wanted)
                found.append(_whole(pool, direction, log, lossless=name == "lossless"))
    for name in planned:
        log("dropped", f"pools.{name}", "planned", "not used", "the partitions are lossless, lossy and multicast")
    return _hundred(tuple(found), log), device


def _is_percent(pool: Pool) -> bool:
    amounts = [amount for amount in (pool.total, pool.headroom) if amount is not None]
    return bool(amounts) and all(amount.unit == "percent" for amount in amounts)


def _whole(pool: Pool, direction: str, log: Log, *, lossless: bool) -> Pool:
    """Return a partition in whole percents and with nothing that no statement says."""
    index = pool.alpha.index if pool.alpha is not None else None
    if pool.alpha is not None and index is None:
        log(
            "dropped",
            f"pools.{pool.name}.alpha",
            f"alpha {pool.alpha.alpha}",
            "default",
            "the ratio of an index is unpublished",
        )
    amounts: list[Amount | None] = []
    for leaf in ("total", "headroom"):
        amount = getattr(pool, leaf)
        if amount is None or (leaf == "headroom" and (not lossless or direction == "egress")):
            amounts.append(None)
            continue
        value = min(100, -(-Fraction(amount.value).numerator // Fraction(amount.value).denominator))
        if value != amount.value:
            log(
                "quantised",
                f"pools.{pool.name}.{leaf}",
                f"{amount.value} %",
                f"{value} %",
                "a whole percent, rounded up",
            )
        amounts.append(Amount(value, "percent"))
    return Pool(
        pool.name,
        direction=direction,  # type: ignore[arg-type]
        lossless=lossless,
        total=amounts[0],
        headroom=amounts[1],
        alpha=Dynamic(index=min(max(index, 0), 10)) if index is not None and amounts[0] is not None else None,
    )


def _hundred(found: tuple[Pool, ...], log: Log) -> tuple[Pool, ...]:
    """Make the ingress partitions add up to 100 percent."""
    names = [pool.name for pool in found]
    if not any(name.startswith("ingress") for name in names):
        return found
    taken = sum(
        int(amount.value)
        for pool in found
        if pool.name == "ingress lossless"
        for amount in (pool.total, pool.headroom)
        if amount
    )
    rest = 100 - taken
    if rest < 0:
        log(
            "refused",
            "pools.ingress lossless",
            f"{taken} %",
            "100 %",
            "lossless and lossless-headroom are more than all",
        )
        return tuple(
            replace(pool, total=Amount(max(0, int(pool.total.value) + rest), "percent"))
            if pool.name == "ingress lossless" and pool.total else replace(pool, total=Amount(0, "percent"))
            if pool.name == "ingress lossy" else pool
            for pool in found
        )  # fmt: skip
    lossy = next((pool for pool in found if pool.name == "ingress lossy"), None)
    if lossy is None:
        added = Pool("ingress lossy", direction="ingress", lossless=False, total=Amount(rest, "percent"))
        log("chosen", "pools.ingress lossy", "nothing", f"{rest} %", "ingress partitions must add up to 100 percent")
        at = names.index("ingress lossless") + 1
        return (*found[:at], added, *found[at:])
    if lossy.total is None or lossy.total.value != rest:
        log("equalised", "pools.ingress lossy", f"{lossy.total.value if lossy.total else 0} %", f"{rest} %",
            "ingress partitions must add up to 100 percent")  # fmt: skip
        return tuple(replace(pool, total=Amount(rest, "percent")) if pool is lossy else pool for pool in found)
    return found


def _published(device: Device, log: Log) -> dict[str, Pool]:
    """Return the partitions of the validated design, its headroom part raised when the plan needs more."""
    published = _limits()["published"]
    ingress, egress = published["ingress"], published["egress"]
    headroom, lossless = ingress["headroom"], ingress["lossless"]
    facts = platform(device.model)
    needed = _needed(device)
    because = published["source"]
    if facts is not None and needed:
        share = -(-needed * 100 // (facts["megabytes"] * _MEGABYTE))
        if share > headroom:
            got = min(share, 100 - ingress["lossy"] - 5)
            if got < share:
                log("refused", "pools.ingress lossless.headroom", f"{needed} B", f"{got} %",
                    f"that is {share} % of the {facts['megabytes']} MB of a {device.model}")  # fmt: skip
            headroom, lossless = got, 100 - ingress["lossy"] - got
            because += f"; headroom raised to the {needed} B that all lossless ports need"
    shown = f"ingress {lossless}/{headroom}/{ingress['lossy']} %, egress {egress['lossless']}/{egress['lossy']} %"
    log("chosen", "pools", "not planned", shown, because)  # fmt: skip
    groups = [group for port in device.ports.values() for group in port.qos.priority_groups or () if group is not None]
    triggers = [group.xoff_at for group in groups if group.lossless and isinstance(group.xoff_at, Dynamic)]
    alpha = next((trigger for trigger in triggers if trigger.index is not None), None)
    return {
        "ingress lossless": Pool(
            "ingress lossless", total=Amount(lossless, "percent"), headroom=Amount(headroom, "percent"), alpha=alpha
        ),
        "ingress lossy": Pool("ingress lossy", total=Amount(ingress["lossy"], "percent")),
        "egress lossless": Pool("egress lossless", total=Amount(egress["lossless"], "percent")),
        "egress lossy": Pool("egress lossy", total=Amount(egress["lossy"], "percent")),
    }  # fmt: skip


def _needed(device: Device) -> int:
    """Return the bytes of headroom that all ports need together, as far as the plan says them."""
    total = 0
    for port in device.ports.values():
        for group in port.qos.priority_groups or ():
            if group is not None and group.headroom is not None and group.headroom.amount is not None:
                total += group.headroom.amount.bytes or 0
    return total
