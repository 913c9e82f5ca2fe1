"""What is in force on each port: profiles of the switch, overrides of the port, what a member has from its LAG."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rocecfg.state.model import (
    UNLIMITED,
    Amount,
    Curve,
    Dcbx,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    Pool,
    PortQos,
    PriorityGroup,
    Queue,
    code_map,
    eight,
)
from rocecfg.state.numbers import number_set

if TYPE_CHECKING:
    from rocecfg.state.grammar import Record
    from rocecfg.state.model import CodeMap, Trust, Where
    from vendors.aruba_cx.config import Config, Interface, Profile

KBYTE = 1024
FACTORY = "factory-default"
FACTORY_POOL = (Fraction(203, 5), 3072)
"""(percent of the buffer, kbytes of headroom) that `factory-default` stands for."""
TRUSTS: dict[str, Trust] = {"none": "none", "cos": "pcp", "dscp": "dscp"}
_INHERITED = ("trust", "unmarked", "schedule", "thresholds", "queues", "rewrite")


def pools(config: Config) -> tuple[Pool, ...]:
    """Return the lossless pools of a switch."""
    return tuple(
        lossless_pool(pool.name, pool.percent, pool.headroom, config.where(pool.number))
        for pool in config.pools.values()
    )


def lossless_pool(name: str, percent: int | Fraction | None, headroom: int | None, place: Where | None = None) -> Pool:
    """Return a pool of a size in percent and a headroom in kbytes, None = the factory default."""
    kbytes = FACTORY_POOL[1] if headroom is None else headroom
    return Pool(
        name,
        direction="ingress",
        lossless=True,
        total=Amount(FACTORY_POOL[0] if percent is None else percent, "percent"),
        headroom=Amount(kbytes, "kbyte", kbytes * KBYTE),
        place=place,
    )


class Resolver:
    """Resolves the ports of one configuration; ports that state the same are worked out once."""

    def __init__(self, config: Config, *, whole: bool) -> None:
        """`whole` = the text is complete: a queue that a threshold profile does not name marks nothing."""
        self._config = config
        self._whole = whole
        self._unnamed: tuple[Ecn | None, tuple[Curve, ...] | None] = (Ecn(), ()) if whole else (None, None)
        self._pool_of = {priority: pool for pool in config.pools.values() for priority in pool.priorities}
        self._known: dict[tuple[Any, ...], PortQos] = {}
        self._code_places: dict[str, Where] = {}

    def port(self, interface: Interface) -> tuple[PortQos, dict[str, Where]]:
        """Return what is in force on a port, and the line that decides each leaf."""
        stated = dict(interface.settings)
        pfc = dict(interface.pfc)
        lag = self._config.interfaces.get(stated["lag"][0]) if "lag" in stated else None
        if "trust" in stated:  # a port's own trust brings its own priority, or none
            stated.setdefault("unmarked", (None, 0))
        if lag is not None:
            for name in _INHERITED:
                if name in lag.settings:
                    stated.setdefault(name, lag.settings[name])
            pfc = {**lag.pfc, **pfc}
        for name in ("trust", "unmarked", "queues", "schedule", "thresholds"):
            if name in self._config.options:
                stated.setdefault(name, self._config.options[name])
        key = (
            tuple(sorted((name, str(value)) for name, (value, _) in stated.items() if name not in _NOT_QOS)),
            tuple(sorted((priority, direction) for priority, (direction, _) in pfc.items())),
        )
        qos = self._known.get(key)
        if qos is None:
            qos = self._known[key] = self._qos(stated, pfc)
        return qos, self._places(stated, pfc, qos)

    def _qos(self, stated: dict[str, tuple[Any, int]], directions: dict[int, tuple[str, int]]) -> PortQos:
        trust = TRUSTS[stated["trust"][0]] if "trust" in stated else None
        untrusted = trust == "none" or (trust is None and self._whole)
        queue_of = self._queue_map(stated)
        pfc = None
        if directions:
            pfc = Pfc(
                admin="on",
                tx=frozenset(priority for priority, (way, _) in directions.items() if "tx" in way),
                rx=frozenset(priority for priority, (way, _) in directions.items() if way.startswith("rx")),
            )
        paused = sorted(directions)
        return PortQos(
            trust=trust,
            dscp_to_tc=self._table(self._config.dscp, 64) if trust == "dscp" else None,
            pcp_to_tc=self._table(self._config.cos, 8) if trust == "pcp" else None,
            default_tc=self._unmarked(stated) if untrusted else None,
            rewrite=self._rewrite(stated),
            tc_to_queue=queue_of,
            priority_to_queue=_by_priority(paused, queue_of),
            priority_to_pg=eight({priority: frozenset({priority}) for priority in paused}) if paused else None,
            pfc=pfc,
            link_pause=_link_pause(stated),
            dcbx=self._dcbx(stated),
            cable=stated["cable"][0] or None if "cable" in stated else None,
            queues=self._queues(stated),
            priority_groups=self._groups(pfc, by_length="cable" in stated) if pfc is not None else None,
        )

    def _unmarked(self, stated: dict[str, tuple[Any, int]]) -> int | None:
        """Return the local priority of all packets of a port that trusts none: its own, else that of CoS 0."""
        own: int | None = stated.get("unmarked", (None, 0))[0]
        return own if own is not None else self._config.cos[0][0] if 0 in self._config.cos else None

    def _table(self, stated: dict[int, tuple[Any, int]], size: int) -> CodeMap | None:
        return code_map({code: to for code, (to, _) in stated.items()}, size) if stated else None

    def _rewrite(self, stated: dict[str, tuple[Any, int]]) -> tuple[tuple[str, int, int], ...] | None:
        if stated.get("rewrite", ("", 0))[0] != "dscp":
            return None
        return tuple(("tc", priority, to) for priority, (to, _) in sorted(self._config.rewrites.items()))

    def _queue_map(self, stated: dict[str, tuple[Any, int]]) -> tuple[int | None, ...] | None:
        name = stated["queues"][0] if "queues" in stated else None
        if name == FACTORY:
            return IDENTITY
        profile = self._config.profiles.get(("queue-profile", name)) if name is not None else None
        if profile is None:
            return None
        found: dict[int, int] = {}
        for record, _ in profile.settings:
            if record.kind == "map":
                found.update(dict.fromkeys(number_set(record.values["from"], 7) or (), int(record.values["queue"])))
        return tuple(found.get(priority) for priority in range(16))

    def _queues(self, stated: dict[str, tuple[Any, int]]) -> tuple[Queue | None, ...] | None:
        schedule = schedule_of(
            self._profile("schedule-profile", stated, "schedule"), stated.get("schedule", ("", 0))[0]
        )
        thresholds = self._profile("threshold-profile", stated, "thresholds")
        if schedule is None and thresholds is None:
            return None
        marking = _thresholds(thresholds) if thresholds is not None else None
        queues = {}
        for number in range(8):
            queue = (schedule or {}).get(number)
            if marking is None:
                queues[number] = queue
            elif queue is not None or number in marking:
                ecn, wred = marking.get(number, self._unnamed)
                plain = queue or Queue()
                queues[number] = Queue(
                    plain.scheduler, plain.rank, plain.weight, plain.weight_kind, None, plain.shaper, ecn, wred
                )
        return eight({number: queue for number, queue in queues.items() if queue is not None})

    def _profile(self, kind: str, stated: dict[str, tuple[Any, int]], name: str) -> Profile | None:
        return self._config.profiles.get((kind, stated[name][0])) if name in stated else None

    def _dcbx(self, stated: dict[str, tuple[Any, int]]) -> Dcbx | None:
        whole, own = self._config.options.get("dcbx"), stated.get("dcbx")
        if own is not None and own[0] == "off":
            return Dcbx(state="off", willing=False)
        if whole is None:
            return None
        version = own[0] if own is not None and own[0] != "on" else whole[0]
        return Dcbx(state="cee" if version == "cee" else "ieee", willing=False)

    def _groups(self, pfc: Pfc, *, by_length: bool) -> tuple[PriorityGroup | None, ...]:
        groups = {}
        for priority in sorted((pfc.tx or frozenset()) | (pfc.rx or frozenset())):
            pool = self._pool_of.get(priority)
            sends = priority in (pfc.tx or ())
            if sends and pool is not None:
                room = Headroom(by="length" if by_length else "box")
                groups[priority] = PriorityGroup(lossless=True, headroom=room, pool=pool.name)
            elif not sends:
                groups[priority] = PriorityGroup(lossless=False)
        return eight(groups)

    def _of_codes(self) -> dict[str, Where]:
        """Return the line of each code of the device's DSCP map, the first one for the map as a whole."""
        if not self._code_places:
            where, lines = self._config.where, {code: number for code, (_, number) in self._config.dscp.items()}
            self._code_places = {f"dscp_to_tc.{code}": where(number) for code, number in lines.items()}
            self._code_places["dscp_to_tc"] = where(min(lines.values()))
        return self._code_places

    def _places(
        self, stated: dict[str, tuple[Any, int]], pfc: dict[int, tuple[str, int]], qos: PortQos
    ) -> dict[str, Where]:
        where = self._config.where
        places = {leaf: where(stated[name][1]) for name, leaf in _LEAVES.items() if name in stated}
        if pfc:
            places["pfc"] = where(min(number for _, number in pfc.values()))
            for priority, (_, number) in pfc.items():
                places[f"pfc.tx.{priority}"] = places[f"pfc.rx.{priority}"] = where(number)
        if qos.dscp_to_tc is not None:
            places |= self._of_codes()
        for priority, pool in self._pool_of.items():
            places[f"priority_groups.{priority}"] = where(pool.number)
        for kind, name in (("schedule-profile", "schedule"), ("threshold-profile", "thresholds")):
            profile = self._profile(kind, stated, name)
            for record, number in profile.settings if profile is not None else ():
                leaf = f"queues.{record.values['queue']}"
                places[f"{leaf}.{record.kind}" if record.kind in ("ecn", "wred") else leaf] = where(number)
        return places


IDENTITY: tuple[int | None, ...] = (*range(8), *([None] * 8))
_NOT_QOS = frozenset({"mtu", "mode", "enabled", "lag"})
_LEAVES = {
    "trust": "trust", "queues": "tc_to_queue", "schedule": "queues", "cable": "cable", "mtu": "mtu",
    "dcbx": "dcbx", "link_pause": "link_pause", "rewrite": "rewrite",
}  # fmt: skip


def _by_priority(
    paused: list[int], queue_of: tuple[int | None, ...] | None
) -> tuple[frozenset[int] | None, ...] | None:
    """Return the queue that a received pause stops: PFC number and local priority are one number space."""
    if not paused or queue_of is None:
        return None
    queues = {priority: queue_of[priority] for priority in paused}
    return eight({priority: frozenset({queue}) for priority, queue in queues.items() if queue is not None})


def _link_pause(stated: dict[str, tuple[Any, int]]) -> LinkPause | None:
    if "link_pause" not in stated:
        return None
    way = stated["link_pause"][0]
    return LinkPause(rx=way in ("rx", "rxtx"), tx=way in ("tx", "rxtx"))


def schedule_of(profile: Profile | None, name: str) -> dict[int, Queue] | None:
    """Return the queues of a schedule profile, or of one that the system brings; None when nobody defines it."""
    if profile is None:
        if name == FACTORY:
            return {
                number: Queue("weighted", weight=1, weight_kind="relative", shaper=UNLIMITED) for number in range(8)
            }
        return (
            {number: Queue("strict", rank=8 - number, shaper=UNLIMITED) for number in range(8)}
            if name == "strict"
            else None
        )
    strict = sorted({int(record.values["queue"]) for record, _ in profile.settings if record.kind == "strict"})
    queues: dict[int, Queue] = {}
    for record, _ in profile.settings:
        if record.kind not in ("weighted", "strict"):
            continue
        number, shaper = int(record.values["queue"]), _shaper(record)
        if record.kind == "strict":
            queues[number] = Queue("strict", rank=len(strict) - strict.index(number), shaper=shaper)
        else:
            weight = int(record.values["weight"])
            queues[number] = Queue("weighted", weight=weight, weight_kind="relative", shaper=shaper)
    return queues


def _shaper(record: Record) -> int | None:
    """Return the limit of a queue in bit/s; a limit in percent of a speed that the line does not know is None."""
    if "rate" not in record.values:
        return UNLIMITED
    return int(record.values["rate"]) * 1000 if record.values["unit"] == "kbps" else None


def kbytes(count: int) -> Amount:
    """Return an amount as AOS-CX states thresholds."""
    return Amount(count, "kbyte", count * KBYTE)


def _thresholds(profile: Profile) -> dict[int, tuple[Ecn, tuple[Curve, ...]]]:
    """Return marking and dropping curves of the queues that a threshold profile names."""
    found: dict[int, tuple[Ecn, tuple[Curve, ...]]] = {}
    for record, _ in profile.settings:
        if record.kind not in ("ecn", "wred"):
            continue
        number = int(record.values["queue"])
        ecn, wred = found.get(number, (Ecn(), ()))
        low, high = int(record.values["low"]), int(record.values.get("high", record.values["low"]))
        if record.kind == "ecn":
            # Everything is marked above the maximum; how steep the ramp is below it is not published.
            ecn = Ecn((Curve(kbytes(low), kbytes(high), 100 if low == high else None),))
        else:
            colour = record.values["colour"]
            colours = frozenset() if colour == "all" else frozenset({colour})
            wred = (*wred, Curve(kbytes(low), kbytes(high), int(record.values["probability"]), colours))
        found[number] = (ecn, wred)
    return found
