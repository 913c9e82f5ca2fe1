"""The stepped model: senders with DCQCN, one egress queue, a shared buffer with PFC, in steps of a microsecond.

Deterministic: marks are counted as expected values, and a sender's first mark falls due at a fixed phase of its own.
Many runs advance together, one row each. Within a step, the moment at which a threshold is crossed is interpolated.
As in the public RDMA simulators: marking at dequeue on the instantaneous queue, headroom drains first, PAUSE while
headroom is in use or the shared part is at its limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocecfg.incast.result import Run, Samples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocecfg.incast.numbers import Incast

    Floats = NDArray[np.float64]

STEP_US = 1.0
LARGE = 1e30
LEAD_US = 2_000.0
"""How long flows of the background send before the incast begins: they have settled by then (7 rises of 300 us)."""


def run(
    incasts: Sequence[Incast],
    duration_us: float,
    *,
    step_us: float = STEP_US,
    pfc: bool = True,
    record: bool = False,
    enough: float | None = None,
    watch: Callable[[float, Floats, Floats, Floats], None] | None = None,
) -> list[Run]:
    """Step all incasts through time. `pfc` False lets the buffer grow without end, to see how deep it would be.

    `enough` ends the run when every incast went that part of the way to PAUSE. `watch` is called after each step with
    the time and, by run, the bytes arrived, served and held. Where an incast has a background, all runs begin LEAD_US
    earlier with that alone; what is told, times and sums, begins with the incast.
    """
    return _Model(incasts, duration_us, step_us, pfc=pfc).run(record=record, enough=enough, watch=watch)


class _Model:
    def __init__(self, incasts: Sequence[Incast], duration_us: float, step_us: float, *, pfc: bool) -> None:
        self.incasts, self.dt, self.pfc = incasts, step_us, pfc
        self.lead = round(LEAD_US / step_us) if any(item.background for item in incasts) else 0
        self.steps = self.lead + max(round(duration_us / step_us), 1)
        rows, lanes = len(incasts), max(len(item.lanes) for item in incasts)
        self.shape = (rows, lanes)

        def by_lane(read: Callable[[Any], float], empty: float = 0.0) -> Floats:
            made = np.full(self.shape, empty)
            for row, item in enumerate(incasts):
                made[row, : len(item.lanes)] = [read(lane) for lane in item.lanes]
            return made

        def by_run(read: Callable[[Incast], float]) -> Floats:
            return np.array([[read(item)] for item in incasts], dtype=float)

        self.ports = by_lane(lambda lane: lane.ports)
        self.flows = by_lane(lambda lane: lane.flows, 1.0)
        self.cap = by_lane(lambda lane: lane.rate / 8e6)
        self.behind = by_lane(lambda lane: lane.background) > 0
        self.message = np.where(self.behind, LARGE, by_run(lambda item: item.message or LARGE))
        self.messages = any(item.message is not None for item in incasts)
        self.silence = by_lane(lambda lane: lane.of.silence_ns / 1000)
        self.kept = by_lane(lambda lane: max(lane.of.headroom, 1), LARGE)
        self.link = by_run(lambda item: item.rate / 8e6)
        self.pack = by_run(lambda item: float(item.packing))
        self.pool = by_run(lambda item: LARGE if item.pool is None else max(item.pool, 1))
        self.alpha = by_run(lambda item: 0.0 if item.alpha is None else float(item.alpha))
        self.limit = by_run(lambda item: LARGE if item.limit is None else max(item.limit, 1))
        self.fixed = by_run(lambda item: item.limit is not None) > 0
        self.reserved = by_run(lambda item: item.reserved)
        self.xon_below = by_run(lambda item: item.xon_below)
        self.xon_at = by_run(lambda item: -1.0 if item.xon_at is None else item.xon_at)
        self.frame = by_run(lambda item: item.frame)
        self.kmin = by_run(lambda item: LARGE if item.ramp is None else item.ramp[0])
        self.kmax = by_run(lambda item: LARGE if item.ramp is None else item.ramp[1])
        self.pmax = by_run(lambda item: 0.0 if item.ramp is None else float(item.ramp[2]) / 100)

        def knob(name: str, factor: float = 1.0) -> Floats:
            return by_run(lambda item: item.reaction[name] * factor)

        self.cnp_gap = knob("min_time_between_cnps")
        self.cut_gap = knob("rate_reduce_monitor_period")
        self.timer, self.counter = knob("rpg_time_reset"), knob("rpg_byte_reset")
        self.counter[self.counter <= 0] = LARGE
        self.counts_bytes = self.counter < LARGE
        self.threshold = knob("rpg_threshold")
        self.additive, self.hyper = knob("rpg_ai_rate", 1 / 8), knob("rpg_hai_rate", 1 / 8)
        self.gain = by_run(lambda item: 2.0 ** (10 - item.reaction["rpg_gd"]))
        self.most_cut = knob("rpg_min_dec_fac", 1 / 100)
        self.floor, self.first_rate = knob("rpg_min_rate", 1 / 8), knob("rate_to_set_on_first_cnp", 1 / 8)
        self.keep, self.alpha_timer = knob("dce_tcp_g", 1 / 1024), knob("dce_tcp_rtt")
        self.initial = knob("initial_alpha_value", 1 / 1024)
        self.clamp = by_run(lambda item: item.reaction.clamp) > 0
        self.delay = np.array([max(round(item.loop_ns / 1000 / step_us), 1) for item in incasts])

    def run(
        self,
        *,
        record: bool,
        enough: float | None,
        watch: Callable[[float, Floats, Floats, Floats], None] | None,
    ) -> list[Run]:
        dt, ports, flows, pack, pool = self.dt, self.ports, self.flows, self.pack, self.pool
        alpha, reserved, shape = self.alpha, self.reserved, self.shape
        rows = np.arange(shape[0])
        per_run = (shape[0], 1)
        rate, target = self.cap.copy(), self.cap.copy()
        congested = np.broadcast_to(self.initial, shape).copy()
        seen, pending, started = (np.zeros(shape, dtype=bool) for _ in range(3))
        last_cnp, last_cut = np.full(shape, -LARGE), np.full(shape, -LARGE)
        marks = np.broadcast_to(_phases(shape[1]), shape).copy()
        clock, counted = np.zeros(shape), np.zeros(shape)
        timed, byted = np.zeros(shape), np.zeros(shape)
        alpha_clock = np.zeros(per_run)
        shared, beyond = np.zeros(shape), np.zeros(shape)
        paused = np.zeros(shape, dtype=bool)
        stop_at, go_at = np.full(shape, -LARGE), np.full(shape, -LARGE)
        ring = np.zeros((int(self.delay.max()) + 1, *shape), dtype=bool)
        gap = np.where(self.fixed, np.minimum(self.limit, pool), alpha * pool + reserved)
        gap = np.broadcast_to(gap, shape).copy()
        fill_scale = np.where(self.fixed, self.limit, np.maximum(alpha * pool, 1e-9))
        fill_reserved = np.where(self.fixed, 0.0, reserved)
        spread = np.where(self.kmax > self.kmin, self.kmax - self.kmin, 1.0)
        # results
        peak, peak_at, fill = np.zeros(per_run), np.zeros(per_run), np.zeros(per_run)
        marked_at, cut_at, pause_at, calm_at = (np.full(per_run, np.nan) for _ in range(4))
        pauses, silent = np.zeros(per_run), np.zeros(per_run)
        most_beyond, most_part, most_total = np.zeros(per_run), np.zeros(per_run), np.zeros(per_run)
        arrived, served, tail = np.zeros(per_run), np.zeros(per_run), np.zeros(per_run)
        sent, finished = np.zeros(shape), np.full(shape, np.nan)
        served_before = np.zeros(per_run)
        all_ports = np.maximum(ports.sum(1, keepdims=True), 1)
        ever_paused = False
        taken = Samples(self.steps - self.lead, shape[0]) if record else None
        last_fifth = self.steps - max((self.steps - self.lead) // 5, 1)
        done = 0
        for step in range(self.steps):
            now = (step - self.lead) * dt
            then = now + dt
            if step == self.lead > 0:  # what the background did while it settled is not told
                for told in (
                    peak,
                    peak_at,
                    fill,
                    pauses,
                    silent,
                    most_beyond,
                    most_part,
                    most_total,
                    served,
                    served_before,
                    sent,
                ):
                    told[:] = 0
                for moment in (marked_at, cut_at, pause_at, calm_at):
                    moment[:] = np.nan
                arrived = (ports * (shared + beyond)).sum(1, keepdims=True)
            # Arrivals, as the switch sees them: what a CNP changes comes a whole loop after the mark.
            bring = rate * flows
            if ever_paused:
                held_back = np.where(
                    paused,
                    np.maximum(np.minimum(then, stop_at) - np.maximum(now, go_at), 0.0),
                    np.clip(stop_at - now, 0.0, dt) + np.clip(then - go_at, 0.0, dt),
                )
                np.minimum(held_back, dt, out=held_back)
                silent += (ports * (dt - held_back)).sum(1, keepdims=True)
                bring *= held_back
            else:
                bring *= dt
            if step < self.lead:
                bring *= self.behind
            if self.messages:
                np.minimum(bring, (self.message - sent) * flows, out=bring)
            # Service: a well-mixed queue; headroom drains first.
            held = shared + beyond
            held += bring
            total = (ports * held).sum(1, keepdims=True)
            out = np.minimum(self.link * dt, total)
            leave = held * (out / np.maximum(total, 1e-9))
            total -= out
            arrived += (ports * bring).sum(1, keepdims=True)
            served += out
            if self.lead:
                served_before += (ports * leave * self.behind).sum(1, keepdims=True)
            if ever_paused:
                from_beyond = np.minimum(beyond, leave)
                beyond -= from_beyond
                shared += bring
                shared -= leave - from_beyond
            else:
                shared += bring
                shared -= leave
            if self.pfc:
                new_gap = self._gap(shared)
                crossed = (new_gap < 0) & (ports > 0)
                if crossed.any():
                    ever_paused = True
                    part = np.clip(gap / np.maximum(gap - new_gap, 1e-9), 0.0, 1.0)
                    over = np.where(crossed, bring * (1 - part), 0.0)
                    np.minimum(over, np.maximum(shared, 0), out=over)
                    shared -= over
                    beyond += over
                    begins = crossed & ~paused
                    at = now + part * dt
                    stop_at = np.where(begins, at + self.silence, stop_at)
                    paused |= begins
                    pauses += (ports * begins).sum(1, keepdims=True)
                    first = np.min(np.where(begins, at, np.inf), axis=1, keepdims=True)
                    pause_at = np.where(np.isnan(pause_at) & np.isfinite(first), first, pause_at)
                    new_gap = self._gap(shared)
                gap = new_gap
                if ever_paused:
                    ends = paused & (beyond <= 1e-6) & ((gap >= self.xon_below) | (shared * pack <= self.xon_at))
                    if ends.any():
                        go_at = np.where(ends, np.maximum(then + self.silence, stop_at), go_at)
                        paused &= ~ends
                    in_beyond = beyond * pack
                    np.maximum(most_beyond, in_beyond.max(1, keepdims=True), out=most_beyond)
                    np.maximum(most_part, (in_beyond / self.kept).max(1, keepdims=True), out=most_part)
                    np.maximum(most_total, (ports * in_beyond).sum(1, keepdims=True), out=most_total)
            queue = total * pack
            deepest = (shared + beyond).max(1, keepdims=True) * pack
            level = np.maximum(deepest - fill_reserved, 0) / fill_scale
            in_pool = np.maximum(queue - reserved * all_ports, 0) / pool
            level = np.where(self.fixed, np.maximum(level, in_pool), level + in_pool)
            np.maximum(fill, level, out=fill)
            higher = queue > peak
            peak = np.where(higher, queue, peak)
            peak_at = np.where(higher, then, peak_at)
            calm = np.isnan(calm_at) & (queue < self.kmin) & (peak > self.kmin)
            if calm.any():
                calm_at = np.where(calm, then, calm_at)
            if step >= last_fifth:
                tail += queue
            # Marks: expected ones, counted by sender; a CNP where the last one is old enough.
            if (queue > self.kmin).any():
                chance = np.where(queue > self.kmax, 1.0, np.clip((queue - self.kmin) / spread, 0.0, 1.0) * self.pmax)
                marks += leave * (chance / self.frame) / flows
                hit = marks >= 1.0
                if hit.any():
                    marks -= np.floor(marks)
                    hit &= then - last_cnp >= self.cnp_gap - 1e-9
                    hit &= ports > 0
                    some = hit.any(1, keepdims=True)
                    marked_at = np.where(np.isnan(marked_at) & some, then, marked_at)
                    last_cnp = np.where(hit, then, last_cnp)
                    ring[(step + self.delay) % len(ring), rows] = hit
            slot = ring[step % len(ring)]
            if slot.any():
                fresh = slot & ~started
                if fresh.any():
                    congested = np.where(fresh, self.initial, congested)
                    lower = fresh & (self.first_rate > 0)
                    rate = np.where(lower, np.minimum(rate, self.first_rate), rate)
                    started |= fresh
                pending |= slot
                seen |= slot
                slot[:] = False
            alpha_clock += dt
            due = alpha_clock >= self.alpha_timer - 1e-9
            if due.any():
                moved = congested * self.keep + (1 - self.keep) * seen
                congested = np.where(due & started, moved, congested)
                seen &= ~due
                alpha_clock -= due * self.alpha_timer
            # Increase by time and by bytes, then cut: a cut in the same step wins.
            clock += dt
            share = bring / flows
            counted += share
            sent += share
            if self.messages:
                ends = np.isnan(finished) & (sent >= self.message - 1.0) & (shared + beyond <= self.frame)
                finished = np.where(ends, then, finished)
            by_time = started & (clock >= self.timer - 1e-9)
            by_bytes = started & (counted >= self.counter)
            grows = by_time | by_bytes
            if grows.any():
                most = np.maximum(timed, byted)
                least = np.where(self.counts_bytes, np.minimum(timed, byted), timed)
                more = np.where(most < self.threshold, 0.0, np.where(least > self.threshold, self.hyper, self.additive))
                target = np.where(grows, np.minimum(target + more, self.cap), target)
                rate = np.where(grows, (rate + target) / 2, rate)
                timed += by_time
                byted += by_bytes
                clock[by_time] = 0
                counted = np.where(by_bytes, np.minimum(counted - self.counter, self.counter), counted)
            if pending.any():
                cuts = pending & (then - last_cut >= self.cut_gap - 1e-9)
                if cuts.any():
                    cut_at = np.where(np.isnan(cut_at) & cuts.any(1, keepdims=True), then, cut_at)
                    target = np.where(cuts & (self.clamp | (timed > 0)), rate, target)
                    less = np.minimum(congested * self.gain, self.most_cut)
                    rate = np.where(cuts, np.maximum(rate * (1 - less), np.minimum(self.floor, self.cap)), rate)
                    last_cut = np.where(cuts, then, last_cut)
                    pending &= ~cuts
                    for counter in (timed, byted, clock, counted):
                        counter[cuts] = 0
            done = step + 1
            if watch is not None:
                watch(then, arrived[:, 0], served[:, 0], (ports * (shared + beyond)).sum(1))
            if taken is not None and step >= self.lead:
                taken.add(
                    step - self.lead,
                    queue[:, 0],
                    (ports * bring).sum(1) / dt,
                    np.where(ports > 0, rate, np.inf).min(1),
                    np.where(ports > 0, rate, 0).max(1),
                    (ports * paused).sum(1) / all_ports[:, 0],
                    (beyond * pack).max(1),
                )
            if enough is not None and step >= self.lead and (fill > enough).all():
                break
        lasted = (done - self.lead) * dt
        bytes_of = np.where((ports > 0) & ~self.behind, sent / np.maximum(self.cap, 1e-12), np.nan)
        last = np.where((ports > 0) & ~self.behind, finished, -LARGE).max(1, keepdims=True)

        def when(values: Floats, row: int) -> float | None:
            return None if np.isnan(values[row, 0]) else float(values[row, 0])

        return [
            Run(
                float(peak[row, 0]),
                float(peak_at[row, 0]),
                float(fill[row, 0]),
                when(calm_at, row),
                when(marked_at, row),
                when(cut_at, row),
                when(pause_at, row),
                int(pauses[row, 0]),
                float(silent[row, 0] / (all_ports[row, 0] * lasted)),
                float(most_beyond[row, 0]),
                float(most_part[row, 0]),
                float(most_total[row, 0]),
                float(tail[row, 0] / max(done - last_fifth, 1)),
                float(served[row, 0] / (self.link[row, 0] * lasted)),
                float(np.nanmin(bytes_of[row]) / max(np.nanmax(bytes_of[row]), 1e-12)),
                when(last, row) if self.messages else None,
                float(served_before[row, 0] / (self.link[row, 0] * lasted)),
                taken.of(row, dt) if taken is not None else {},
            )
            for row in range(shape[0])
        ]

    def _gap(self, shared: Floats) -> Floats:
        """Return how far each ingress group is below its limit, in bytes of buffer."""
        inside = shared * self.pack
        left = self.pool - (self.ports * np.maximum(inside - self.reserved, 0)).sum(1, keepdims=True)
        dynamic = self.alpha * left + self.reserved - inside
        made: Floats = np.where(self.fixed, np.minimum(self.limit - inside, left), dynamic)
        return made


def _phases(count: int) -> Floats:
    """Return a fixed phase in 0 to 1 for each sender, evenly spread however many there are (van der Corput)."""
    made = np.zeros(count)
    for number in range(count):
        rest, part = number + 1, 0.5
        while rest:
            made[number] += part * (rest & 1)
            rest >>= 1
            part /= 2
    return made
