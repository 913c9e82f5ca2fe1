"""What one kind of port needs: maps, PFC, headroom, thresholds, ECN, scheduling, watchdog, each with its reason.

Ports with equal settings, speed and cable are one kind and share one `PortQos`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from rocecfg.errors import PlanError
from rocecfg.physics import thresholds, watchdog
from rocecfg.physics.laws import FEC
from rocecfg.plan.classes import PlannedClass, class_of_codes
from rocecfg.plan.demand import DEFAULT_CABLE, HOST_MTU, SWITCH_MTU, demand_of, headroom_of, roce_frame
from rocecfg.plan.ramp import Marked, around_stated, auto_ramp, checks, close_call, shared_with
from rocecfg.plan.trust import BECAUSE, of_host
from rocecfg.state.model import (
    Amount,
    Curve,
    Dcbx,
    Dynamic,
    Ecn,
    Headroom,
    LinkPause,
    Pfc,
    PortQos,
    PortWatchdog,
    PriorityGroup,
    Queue,
    Static,
    code_map,
    eight,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocecfg.intent.settings import Setting, Settings
    from rocecfg.physics.chip import Chip
    from rocecfg.physics.derived import Derived

_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class PortKind:
    """What tells two ports apart for the planner."""

    settings: Settings
    speed: int
    cable: int | Fraction | None
    host: bool
    tiers: int
    """Tiers of switches in the fabric: decides the round-trip time."""
    chip: Chip | None = None
    shared: int | None = None
    """Bytes of the box's buffer left after all headroom, None where unknown."""
    reserved: int = 0
    """Bytes guaranteed to each lossless group."""
    trust: str = "dscp"
    """What decides the class of a packet where the intent leaves it open."""
    by_tag: bool = False
    """A host that marks its packets with an 802.1p priority only."""


@dataclass(frozen=True, slots=True)
class PlannedPort:
    """The result for one kind of port. `why` = leaf path -> sentence, `derived` = leaf path -> its derivation."""

    qos: PortQos
    mtu: int
    why: dict[str, str]
    derived: dict[str, Derived] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What a reader has to know and no number says: an inequality that fails."""
    stated: frozenset[str] = frozenset()
    """Leaf paths whose value the intent states: a system that cannot carry one must not drop it in silence."""


def plan_port(kind: PortKind, classes: tuple[PlannedClass, ...]) -> PlannedPort:
    """Return what a kind of port needs for the given classes."""
    return _PortPlanner(kind, classes).plan()


class _PortPlanner:
    def __init__(self, kind: PortKind, classes: tuple[PlannedClass, ...]) -> None:
        self._kind = kind
        self._settings = kind.settings
        self._classes = classes
        self._lossless = tuple(item for item in classes if item.of.lossless)
        self._why: dict[str, str] = {}
        self._derived: dict[str, Derived] = {}
        self._notes: list[str] = []
        self._said: set[str] = set()
        self._mtu = self._take(
            "mtu",
            kind.settings.mtu,
            HOST_MTU if kind.host else SWITCH_MTU,
            "the usual host MTU: holds the RoCE frame of 4096 B and stays under 9216 B on the wire"
            if kind.host
            else "the jumbo frame of published NX-OS and Junos designs: a 9000 B IP packet with VXLAN headers fits",
        )

    def plan(self) -> PlannedPort:
        wanted = self._take("trust", self._settings.trust, self._kind.trust, BECAUSE[self._kind.trust])
        trust: Any = of_host(wanted, by_tag=self._kind.by_tag)
        cable = self._cable()
        pfc = self._pfc(trust)
        paused = self._lossless if pfc.admin != "off" else ()
        maps = self._maps(trust, paused)
        qos = PortQos(
            trust=trust,
            default_tc=next((item.tc for item in self._classes if item.of.kind == "default"), 0),
            rewrite=(),
            pfc=pfc,
            link_pause=LinkPause(rx=False, tx=False),
            dcbx=self._dcbx(),
            cable=cable,
            watchdog=self._watchdog(pfc),
            queues=eight({item.queue: self._queue(item) for item in reversed(self._classes)}),
            priority_groups=eight({item.group: self._group(item, cable) for item in paused}),
            **maps,
        )
        self._why["rewrite"] = "the mark must be the same on the next hop"
        self._why["link_pause"] = "802.3x pause stops every class, PFC only its own"
        return PlannedPort(qos, self._mtu, self._why, self._derived, tuple(self._notes), frozenset(self._said))

    def _say(self, leaf: str, because: str) -> None:
        """Note that the intent states a leaf, and where."""
        self._why[leaf] = because
        self._said.add(leaf)

    def _take(self, leaf: str, setting: Setting[Any], default: Any, because: str) -> Any:
        """Return a setting or the default, and note who said so."""
        if setting.value is not None:
            self._say(leaf, setting.because)
        else:
            self._why[leaf] = because
        return setting.or_else(default)

    def _cable(self) -> int | Fraction:
        if self._kind.cable is not None:
            self._why["cable"] = "the link of the intent"
            return self._kind.cable
        self._why["cable"] = f"no cable is stated: {DEFAULT_CABLE} m is assumed"
        return DEFAULT_CABLE

    def _maps(self, trust: str, paused: Sequence[PlannedClass]) -> dict[str, Any]:
        classes, why = self._classes, self._why
        named = [item for item in classes if item.of.kind != "default"]
        codes = class_of_codes(named, lambda item: item.of.dscp, "DSCP") if trust != "pcp" else {}
        unmarked = next((item for item in named if not item.of.dscp), None)
        if trust != "pcp" and unmarked is not None:
            raise PlanError(
                f"class {unmarked.of.name} ({unmarked.stated_at}) has no DSCP, and ports that trust DSCP know it by"
                " nothing else: write its dscp, or trust: pcp"
            )
        stated = "; ".join(
            f"{item.of.name}: DSCP {', '.join(map(str, item.of.dscp))} to class {item.tc} ({_marked_by(item, 'dscp')})"
            for item in named
        )
        why["pcp_to_tc"] = "; ".join(
            f"{item.of.name}: PCP {', '.join(map(str, _pcp(item)))} to class {item.tc} ({_marked_by(item, 'priority')})"
            for item in classes
        )
        why["dscp_to_tc"] = f"{stated}; every other DSCP stays out of the lossless classes"
        why["tc_to_queue"] = _told((item.of.name, item.why["queue"]) for item in classes)
        why["tc_to_pg"] = _told((item.of.name, item.why["group"]) for item in classes)
        why["priority_to_queue"] = "a received pause must stop the queue that its class leaves by"
        why["priority_to_pg"] = "a pause is sent for the group its class is counted in"
        pcp = class_of_codes(classes, _pcp, "PCP") if trust != "dscp" else {}
        return {
            "dscp_to_tc": code_map(codes) if trust != "pcp" else None,
            "pcp_to_tc": code_map(pcp, 8) if trust != "dscp" else None,
            "tc_to_queue": _sixteen((item.tc, item.queue) for item in classes),
            "tc_to_pg": _sixteen((item.tc, item.group) for item in classes),
            "priority_to_queue": eight({item.of.priority: frozenset({item.queue}) for item in paused}),
            "priority_to_pg": eight({item.of.priority: frozenset({item.group}) for item in paused}),
        }

    def _pfc(self, trust: str) -> Pfc:
        wanted = frozenset(item.of.priority for item in self._lossless)
        mode = self._take(
            "pfc.admin", self._settings.pfc_mode, "on" if wanted else "off", "forced: PFC must not hang on DCBX"
        )
        if not wanted or mode == "off":
            self._why["pfc.priorities"] = "no class is lossless" if not wanted else self._why["pfc.admin"]
            return Pfc(admin="off", tx=frozenset(), rx=frozenset())
        origin = {item.of.name: item.of.origins.get("priority") for item in self._lossless}
        names = ", ".join(f"{name} ({of_preset})" if of_preset else name for name, of_preset in origin.items())
        self._why["pfc.priorities"] = f"the lossless classes: {names}"
        asymmetric = bool(self._settings.asymmetric_pfc.or_else(default=False))
        rx = frozenset(range(8)) if asymmetric else wanted
        # With trust pcp the class and the tag say the same, whichever of them the system goes by.
        by: Literal["internal"] | None = "internal" if trust != "pcp" else None
        return Pfc(admin="auto" if mode == "dcbx" else "on", tx=wanted, rx=rx, by=by)

    def _dcbx(self) -> Dcbx | None:
        state = self._settings.dcbx.value
        if state is not None:
            self._say("dcbx", self._settings.dcbx.because)
        return None if state is None else Dcbx(state=state)  # type: ignore[arg-type]

    def _watchdog(self, pfc: Pfc) -> PortWatchdog | None:
        settings = self._settings
        priorities = pfc.rx
        if pfc.admin == "off" or not priorities:
            return None
        if not self._take(
            "watchdog.enabled", settings.watchdog_enabled, True, "one NIC that pauses for ever stops a fabric"
        ):
            return PortWatchdog(enabled=False)
        detect = settings.watchdog_detect.value
        stated = None if detect is None else max(detect // _MS, 1)
        restore = settings.watchdog_restore.value
        longest = None if restore is None else max(restore // _MS, 1)
        auto = watchdog.timers(self._kind.speed, stated, self._one_port_holds(), restore_ms=longest)
        self._notes += [f"watchdog: {text}" for text in auto.notes]
        return PortWatchdog(
            enabled=True,
            priorities=priorities,
            poll=self._time("watchdog.poll", settings.watchdog_poll, auto.poll),
            detect=self._time("watchdog.detect", settings.watchdog_detect, auto.detect),
            restore=self._time("watchdog.restore", settings.watchdog_restore, auto.restore),
            action=self._take(
                "watchdog.action", settings.watchdog_action, "drop", "forwarding would feed the stuck port"
            ),
        )

    def _time(self, leaf: str, setting: Setting[int], auto: Derived) -> int:
        """Return milliseconds: a stated time rounded up, or the derived one."""
        if setting.value is not None:
            self._say(leaf, setting.because)
            return -(-setting.value // _MS)
        self._why[leaf] = auto.because
        return int(auto.value)

    def _group(self, item: PlannedClass, cable: int | Fraction) -> PriorityGroup:
        leaf, settings = f"priority_groups.{item.group}", self._settings
        auto = headroom_of(self._kind.chip, demand_of(settings, self._kind.speed, cable, self._kind.host))
        size = self._take(f"{leaf}.headroom", settings.pfc_headroom, int(auto.value), _with_assumptions(auto))
        if settings.pfc_headroom.value is None:
            self._derived[f"{leaf}.headroom"] = auto
        xon = thresholds.xon_below(self._mtu)
        below = None if settings.pfc_xon_at.value is not None else settings.pfc_xon_below.or_else(int(xon.value))
        self._why[f"{leaf}.xon_below"] = xon.because
        if settings.pfc_xon_below.value is not None:
            self._say(f"{leaf}.xon_below", settings.pfc_xon_below.because)
        if settings.pfc_xon_at.value is not None:
            self._say(f"{leaf}.xon_at", settings.pfc_xon_at.because)
        return PriorityGroup(
            lossless=True,
            headroom=Headroom(Amount.of_bytes(size), by="stated"),
            xoff_at=self._xoff_at(item, leaf),
            xon_at=None if settings.pfc_xon_at.value is None else Amount.of_bytes(settings.pfc_xon_at.value),
            xon_below=None if below is None else Amount.of_bytes(below),
        )

    def _xoff_at(self, item: PlannedClass, leaf: str) -> Dynamic | Static:
        settings = self._settings
        fixed, alpha_of = settings.pfc_xoff_at, self._stated(item.of.alpha, settings.pfc_alpha)
        if fixed.value is not None:
            self._say(f"{leaf}.xoff_at", fixed.because)
            if alpha_of is not None:
                said = (
                    f"alpha {alpha_of} is stated too and not used: a fixed fill stands above a share of the free buffer"
                )
                self._why[f"{leaf}.xoff_at"] += f"; {said}"
                self._notes.append(f"{item.of.name}: xoff_at ({fixed.because}) is a fixed fill, and {said}")
            return Static(Amount.of_bytes(fixed.value))
        auto = thresholds.default_alpha()
        alpha = self._class_or(f"{leaf}.xoff_at", item, item.of.alpha, settings.pfc_alpha, auto.value, auto.because)
        return Dynamic(Fraction(alpha))

    def _queue(self, item: PlannedClass) -> Queue:
        leaf = f"queues.{item.queue}"
        self._why[f"{leaf}.scheduler"] = f"{item.of.name}: {item.why['scheduler']}"
        marks = self._ecn(item, leaf)
        if item.strict:
            return Queue(scheduler="strict", rank=item.rank, ecn=marks, wred=() if item.of.lossless else None)
        weight = item.weight
        self._why[f"{leaf}.weight"] = f"{item.of.name}: {item.why['weight']}"
        if item.of.bandwidth is not None:
            self._said.add(f"{leaf}.weight")
        return Queue(
            scheduler="weighted",
            weight=None if weight is None else int(weight) if weight.denominator == 1 else weight,
            weight_kind="percent-of-rest",
            ecn=marks,
            wred=() if item.of.lossless else None,
        )

    def _ecn(self, item: PlannedClass, leaf: str) -> Ecn | None:
        settings, cc = self._settings, self._settings.congestion_control.or_else("dcqcn")
        enabled = self._class_or(
            f"{leaf}.ecn",
            item,
            item.of.ecn_enabled,
            settings.ecn_enabled if item.of.reacts else None,
            (item.of.reacts and cc == "dcqcn") or item.of.ecn_kmin is not None,
            f"{cc} needs marks on the queues of RoCE" if cc == "dcqcn" else f"congestion control is {cc}",
        )
        if not enabled and not item.of.reacts:
            self._why[f"{leaf}.ecn"] = "a lossy class is marked only where the intent asks for it"
            return None
        if not enabled:
            return Ecn(())
        queue = self._marked(item)
        stated = [
            self._stated(of_class, setting)
            for of_class, setting in ((item.of.ecn_kmin, settings.ecn_kmin), (item.of.ecn_kmax, settings.ecn_kmax))
        ]
        auto = around_stated(auto_ramp(settings, queue), *stated)
        low = self._class_or(
            f"{leaf}.ecn.kmin", item, item.of.ecn_kmin, settings.ecn_kmin, auto.kmin.value, auto.kmin.because
        )
        high = self._class_or(
            f"{leaf}.ecn.kmax", item, item.of.ecn_kmax, settings.ecn_kmax, auto.kmax.value, auto.kmax.because
        )
        top = self._class_or(
            f"{leaf}.ecn.pmax", item, item.of.ecn_pmax, settings.ecn_pmax, auto.pmax.value, auto.pmax.because
        )
        if low > high:
            shown = f"Kmin {int(low)} B lies above Kmax {int(high)} B"
            raise PlanError(f"class {item.of.name} ({item.stated_at}): {shown}; a ramp rises from Kmin to Kmax")
        judged = checks(settings, queue, int(low))
        self._notes += [f"{item.of.name} marks too late, {text}" for text in judged if " FAILS: " in text]
        self._notes += filter(None, [close_call(settings, queue, int(low))])
        self._why[f"{leaf}.ecn.kmin"] = "; ".join((self._why[f"{leaf}.ecn.kmin"], *judged))
        curve = Curve(Amount.of_bytes(int(low)), Amount.of_bytes(int(high)), int(top))
        self._why[f"{leaf}.ecn.weight"] = "DCQCN assumes the instantaneous queue, an average lags behind it"
        return Ecn((curve,), weight=0)

    def _marked(self, item: PlannedClass) -> Marked:
        """Return what the queue of a class marks for.

        A fixed PAUSE threshold leaves nothing to share with, and a lossy class is never paused.
        """
        kind, settings = self._kind, self._settings
        fixed = settings.pfc_xoff_at.value
        alpha = self._stated(item.of.alpha, settings.pfc_alpha) or thresholds.DEFAULT_ALPHA
        if not item.of.lossless:
            return Marked(kind.speed, roce_frame(settings), kind.tiers, None, len(self._lossless))
        shared = None if fixed is not None else shared_with(kind.shared, Fraction(alpha), kind.reserved)
        return Marked(kind.speed, roce_frame(settings), kind.tiers, shared, len(self._lossless), fixed)

    def _one_port_holds(self) -> int | None:
        """Return the bytes that one congested port may hold, None where the shared buffer is not known."""
        shared = self._kind.shared
        alpha = Fraction(self._settings.pfc_alpha.or_else(thresholds.DEFAULT_ALPHA))
        return None if shared is None or shared <= 0 else int(thresholds.share(alpha, 1) * shared)

    @staticmethod
    def _stated(of_class: Any, setting: Setting[Any]) -> Any:
        """Return the narrowest stated value of class and settings, None where nobody states one."""
        narrow = setting.value is not None and not setting.broad
        return setting.value if narrow or of_class is None else of_class

    def _class_or(
        self, leaf: str, item: PlannedClass, of_class: Any, setting: Setting[Any] | None, auto: Any, because: str
    ) -> Any:
        """Return the narrowest stated value: role, device or port, then the class, then the fabric, then auto."""
        narrow = setting is not None and setting.value is not None and not setting.broad
        if setting is not None and narrow:
            self._say(leaf, setting.because)
            return setting.value
        if of_class is not None:
            self._say(leaf, item.of.because("ecn" if ".ecn" in leaf else "alpha"))
            return of_class
        if setting is not None and setting.value is not None:
            self._say(leaf, setting.because)
            return setting.value
        self._why[leaf] = because
        return auto


def _pcp(item: PlannedClass) -> tuple[int, ...]:
    return item.of.pcp or (item.of.priority,)


def _marked_by(item: PlannedClass, key: str) -> str:
    """Return who gives a class its mark: the preset, or the class's own line."""
    return item.of.origins.get(key) or item.stated_at


def _told(reasons: Iterable[tuple[str, str]]) -> str:
    """Return `default, cnp: reason; roce: other reason`: each reason once, with all it is true of."""
    names: dict[str, list[str]] = {}
    for name, reason in reasons:
        names.setdefault(reason, []).append(name)
    return "; ".join(f"{', '.join(of)}: {reason}" for reason, of in names.items())


def _with_assumptions(derived: Derived) -> str:
    """Return a derivation as one sentence, without what is true of every headroom."""
    return "; ".join((derived.because, *(text for text in derived.assumptions if text != FEC)))


def _sixteen(pairs: Iterable[tuple[int, int]]) -> tuple[int | None, ...]:
    table = dict(pairs)
    return tuple(table.get(tc) for tc in range(16))
