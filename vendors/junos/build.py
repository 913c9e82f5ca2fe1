"""From a state that a QFX can carry to the objects that say it: profiles, schedulers and maps, each once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.model import UNLIMITED, Dynamic

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from rocecfg.state.model import Curve, Device, Port, PortQos, Queue
    from vendors.junos.config import Binding, Classifier, CnProfile, Config, Ref, Scheduler

_HERE = Path(__file__).parent
_config = load_module(_HERE / "config.py")
_settings = load_module(_HERE / "settings.py")

LOSS = {"green": "low", "yellow": "medium-high", "red": "high"}


class _Shared:
    """Objects by content, so that equal settings share one object and its name."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, Hashable], str] = {}
        self._taken: set[tuple[str, str]] = set()

    def name(self, kind: str, content: Hashable, wish: str, make: Callable[[str], None]) -> str:
        """Return the name of the object with this content; a new one is made under the wished name or the next free."""
        key = (kind, content)
        if key not in self._names:
            name, count = wish, 1
            while (kind, name) in self._taken:
                count += 1
                name = f"{wish}-{count}"
            self._taken.add((kind, name))
            self._names[key] = name
            make(name)
        return self._names[key]


def class_name(tc: int, *, lossless: bool) -> str:
    """Return the name of the forwarding class of a traffic class."""
    return f"NO-LOSS-{tc}" if lossless else f"LOSSY-{tc}"


class Builder:
    """Builds the configuration of one device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.config: Config = _config.Config()
        self.names: dict[int, str] = {}
        self._shared = _Shared()
        self._bindings: dict[int, dict[str, Any]] = {}

    def build(self) -> Config:
        """Return the configuration."""
        self._classes()
        self._partitions()
        for port in self.device.ports.values():
            self._port(port)
        return self.config

    def _classes(self) -> None:
        for qos in {id(port.qos): port.qos for port in self.device.ports.values()}.values():
            for tc, queue in enumerate(qos.tc_to_queue or ()):
                group = qos.tc_to_pg[tc] if qos.tc_to_pg is not None else None
                if (queue is None and group is None) or tc in self.names:
                    continue
                of_group = qos.priority_group(group) if group is not None else None
                lossless = of_group is not None and of_group.lossless is True
                name = class_name(tc, lossless=lossless)
                priority = _priority(qos, group) if lossless else None
                self.names[tc] = name
                self.config.classes[name] = _config.ForwardingClass(name, queue, lossless, priority)
        self.config.classes = {self.names[tc]: self.config.classes[self.names[tc]] for tc in sorted(self.names)}

    def _partitions(self) -> None:
        for pool in self.device.pools or ():
            direction, _, name = pool.name.partition(" ")
            index = pool.alpha.index if pool.alpha is not None else None
            for part, amount in ((name, pool.total), (f"{name}-headroom", pool.headroom)):
                if amount is not None and amount.unit == "percent":
                    at = index if part == name else None
                    found = _config.Partition(direction, part, int(amount.value), at)
                    self.config.partitions[direction, part] = found

    def _port(self, port: Port) -> None:
        interface = _config.Interface(port.name, mtu=port.mtu, lag=port.lag or "")
        pause = port.qos.link_pause
        if pause is not None:
            interface.pause = {side: on for side, on in (("rx", pause.rx), ("tx", pause.tx)) if on is not None}
        self.config.interfaces[port.name] = interface
        binding: Binding = _config.Binding(port.name)
        parts = self._bindings.get(id(port.qos))
        if parts is None:
            parts = self._bindings[id(port.qos)] = self._parts(port.qos)
        binding.cn, binding.maps = parts["cn"], parts["maps"]
        binding.classifiers, binding.rewrites = parts["classifiers"], parts["rewrites"]
        if binding.cn or binding.maps or binding.classifiers or binding.rewrites:
            self.config.bindings[port.name] = binding

    def _parts(self, qos: PortQos) -> dict[str, Any]:
        dscp = self._classifier(qos, "dscp") if qos.trust in {"dscp", "both"} else None
        pcp = self._classifier(qos, "ieee-802.1") if qos.trust in {"pcp", "both"} else None
        classifiers = {("0", kind): ref for kind, ref in (("dscp", dscp), ("ieee-802.1", pcp)) if ref}
        rewrite = self._rewrite(qos)
        cn = self._cn(qos)
        scheduler_map = self._map(qos)
        return {
            "cn": cn,
            "maps": [scheduler_map] if scheduler_map else [],
            "classifiers": classifiers,
            "rewrites": {("0", "dscp"): rewrite} if rewrite else {},
        }

    def _classifier(self, qos: PortQos, kind: str) -> Ref | None:
        codes = qos.dscp_to_tc if kind == "dscp" else qos.pcp_to_tc
        if codes is None or not any(tc is not None for tc in codes.to):
            return None
        colours = qos.dscp_to_colour if kind == "dscp" else None
        content = (codes.to, colours)

        def make(name: str) -> None:
            found: Classifier = _config.Classifier(kind, name)
            for code, tc in enumerate(codes.to):
                if tc is not None and tc in self.names:
                    loss = LOSS[colours[code] or "green"] if colours is not None else "low"
                    found.codes[code] = _config.CodeClass(self.names[tc], loss)
            self.config.classifiers[kind, name] = found

        wish = "RDMA-DSCP" if kind == "dscp" else "RDMA-PCP"
        return _ref(self._shared.name(f"classifier {kind}", content, wish, make))

    def _rewrite(self, qos: PortQos) -> Ref | None:
        marks = tuple((tc, code) for kind, tc, code in qos.rewrite or () if kind == "tc" and tc in self.names)
        if not marks:
            return None

        def make(name: str) -> None:
            self.config.marks["dscp", name] = {self.names[tc]: {"low": (code, None)} for tc, code in marks}

        return _ref(self._shared.name("rewrite-rules", marks, "RDMA-REWRITE", make))

    # congestion notification profile --------------------------------------------------------------------------

    def _cn(self, qos: PortQos) -> Ref | None:
        pfc = qos.pfc
        if pfc is None or pfc.admin in {"off", None}:
            return None
        watched = qos.watchdog
        inputs = self._inputs(qos)
        output = {}
        for priority in sorted(pfc.rx or ()):
            queues = qos.priority_to_queue[priority] if qos.priority_to_queue is not None else None
            output[priority] = queues if queues is not None else frozenset({priority})
        watchdog: tuple[object, ...] | None = None
        if watched is not None and watched.enabled and output:
            poll = watched.poll or _settings.POLL
            detection = -(-watched.detect // poll) if watched.detect is not None else None
            watchdog = (poll, detection, watched.restore, watched.action or "")
        cable = qos.cable if pfc.tx and "cable" not in qos.defaulted else None
        content = (tuple((kind, code, *entry) for kind, code, entry in inputs), tuple(output.items()), cable, watchdog)

        def make(name: str) -> None:
            profile: CnProfile = _config.CnProfile(name, output=output, cable=cable)
            for kind, code, (xon, mru) in inputs:
                profile.inputs.setdefault(kind, {})[code] = _config.Input(pfc=True, mru=mru, xon=xon)
            if watchdog is not None:
                profile.watchdog = _config.Watchdog(*watchdog)
            self.config.cn_profiles[name] = profile

        wish = f"RDMA-PFC-{cable}M" if cable is not None else "RDMA-PFC"
        return _ref(self._shared.name("congestion-notification-profile", content, wish, make))

    def _inputs(self, qos: PortQos) -> list[tuple[str, int, tuple[int | None, int | None]]]:
        """Return the code points that make the port pause: every one of a paused class, or the priority itself."""
        pfc, found = qos.pfc, []
        paused = pfc.tx if pfc is not None and pfc.tx else frozenset()
        for priority in sorted(paused):
            groups = qos.priority_to_pg[priority] if qos.priority_to_pg is not None else None
            numbers = sorted(groups or ())
            group = qos.priority_group(numbers[0]) if numbers else None
            xon = int(group.xon_below.value) if group is not None and group.xon_below is not None else None
            settings = (xon, group.mtu if group is not None else None)
            if pfc is not None and pfc.by == "pcp":
                found.append(("ieee-802.1", priority, settings))
                continue
            classes = [tc for tc, pg in enumerate(qos.tc_to_pg or ()) if pg in numbers]
            codes = [code for code, tc in enumerate(qos.dscp_to_tc.to) if tc in classes] if qos.dscp_to_tc else []
            found += [("dscp", code, settings) for code in codes]
        return found

    # queues ---------------------------------------------------------------------------------------------------

    def _map(self, qos: PortQos) -> Ref | None:
        entries = []
        for tc, queue_number in enumerate(qos.tc_to_queue or ()):
            queue = qos.queue(queue_number) if queue_number is not None else None
            if queue is not None and tc in self.names and queue_number == tc and _says_something(queue):
                entries.append((self.names[tc], self._scheduler(queue, self.names[tc])))
        if not entries:
            return None
        content = tuple(entries)

        def make(name: str) -> None:
            self.config.scheduler_maps[name] = {class_name: _ref(scheduler) for class_name, scheduler in content}

        return _ref(self._shared.name("scheduler-map", content, "SM-RDMA", make))

    def _scheduler(self, queue: Queue, of_class: str) -> str:
        curves = queue.ecn.curves if queue.ecn is not None and queue.ecn.curves else queue.wred or ()

        def make(name: str) -> None:
            found: Scheduler = _config.Scheduler(name)
            found.priority = {"strict": "strict-high", "weighted": "low"}.get(queue.scheduler or "", "")
            found.percent = int(queue.weight) if queue.weight is not None else None
            found.rate = queue.guarantee if queue.guarantee != UNLIMITED else None
            found.shaper = queue.shaper if queue.shaper != UNLIMITED else None
            found.threshold = queue.limit.index if isinstance(queue.limit, Dynamic) else None
            found.ecn = bool(queue.ecn is not None and queue.ecn.curves)
            for curve in curves:
                loss = LOSS[next(iter(curve.colours))] if curve.colours else "any"
                profile = self._drop_profile(curve)
                if profile:
                    found.drops[loss] = _ref(profile)
            self.config.schedulers[name] = found

        return self._shared.name("scheduler", (of_class, queue), f"S-{of_class}", make)

    def _drop_profile(self, curve: Curve) -> str:
        if curve.low is None or curve.high is None or curve.probability is None:
            return ""
        low, high = curve.low.value, curve.high.value

        def make(name: str) -> None:
            self.config.drop_profiles[name] = _config.DropProfile(
                name, levels=[low, high], probabilities=[0, curve.probability or 0]
            )

        content = (low, high, curve.probability)
        return self._shared.name("drop-profile", content, f"ECN-{low}-{high}-{curve.probability}", make)


def _says_something(queue: Queue) -> bool:
    """Return whether a queue needs a scheduler: one that says nothing is what the system does by itself."""
    return bool(
        queue.scheduler is not None or queue.weight is not None or queue.guarantee or queue.shaper or queue.limit
        or (queue.ecn is not None and queue.ecn.curves) or queue.wred
    )  # fmt: skip


def _priority(qos: PortQos, group: int | None) -> int | None:
    """Return the priority that a lossless group pauses."""
    for priority, groups in enumerate(qos.priority_to_pg or ()):
        if groups is not None and group in groups:
            return priority
    return None


def _ref(name: str) -> Ref:
    found: Ref = _config.Ref(name, None)
    return found


def build(device: Device) -> Config:
    """Return the configuration of a device whose state a QFX can carry."""
    return Builder(device).build()
