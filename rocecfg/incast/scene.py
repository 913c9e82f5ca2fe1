"""Takes the numbers of an incast from a plan: what the devices will carry, and what had to be assumed.

A number that the device works out itself is taken as planned and said to be assumed. One that is carried otherwise
and cannot be counted in bytes, or that nobody states, is missing: the incast is then not evaluated.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rocecfg.errors import UsageError, did_you_mean
from rocecfg.incast.numbers import Incast, Ingress, changed, spread
from rocecfg.incast.reading import Reader
from rocecfg.physics.marking import DESIGN_INCAST
from rocecfg.report.plan import alike_devices
from rocecfg.units import print_rate

if TYPE_CHECKING:
    from rocecfg.plan.planned import Plan
    from rocecfg.yamlfile import Place

MOST_SENDERS = 65_536
Changes = tuple[tuple[str, Fraction], ...]


@dataclass(slots=True)
class Scene:
    """One congested switch port and who sends to it. `incast()` gives the numbers for a count of senders."""

    switch: str
    port: str
    receiver: str
    senders: int
    sources: list[tuple[int, Ingress, int]]
    assumed: list[str]
    missing: list[str]
    alike: tuple[str, ...] = ()
    """Switches of which this one stands for all."""
    place: Place | None = None
    """The line of the intent that asks for the port."""
    direct: int = 0
    """How many of the sources hang on the switch itself; they come first."""
    unstated: bool = False
    """The number of senders is the design incast."""
    given: Changes = ()
    """Numbers that the user states instead of the planned ones."""
    base: Incast | None = field(default=None, repr=False)
    """The numbers without the ingress ports, which depend on the count of senders."""

    def incast(self, changes: Changes = ()) -> Incast:
        """Return the numbers of the incast with some changed (`senders` among them)."""
        assert self.base is not None
        senders = int(dict(changes).get("senders", Fraction(self.senders)))
        made = replace(self.base, lanes=spread(self.sources, senders))
        for name, value in (*self.given, *changes):
            if name != "senders":
                made = changed(made, name, value)
        return made

    def remarks(self, senders: int) -> tuple[str, ...]:
        """Return what is assumed for a count of senders."""
        hosts, ports = len(self.sources), len({port for port, _, _ in self.sources})
        said = [f"{senders} senders over {min(ports, hosts, senders)} ingress ports of {self.switch}"]
        if self.unstated and senders == self.senders:
            said.append(f"{senders} senders: the design incast")
        if senders > self.direct:
            said.append("hosts behind other switches come evenly over the uplinks; upstream queues are left out")
        if senders > hosts:
            said.append(f"{senders} senders are more than the {hosts} ports that send: some carry several flows")
        return (*said, *self.assumed)


def scenes(plan: Plan, to: str, sent_from: str, senders: int | None, given: Changes) -> list[Scene]:
    """Return the scenes of a plan: one for the port `to`, else one for each kind of switch that hosts hang on.

    `given` are numbers that the user states. Raises UsageError for unknown devices and ports, and where nobody sends.
    """
    if to:
        switch, port, receiver = _congested(plan, to)
        return [_scene(plan, switch, port, receiver, sent_from, senders, given, (switch,))]
    found = []
    switches = [name for name, device in plan.devices.items() if device.fitted.kind == "switch"]
    for alike in alike_devices(plan, switches):
        ports = plan.fabric.devices[alike[0]].ports
        facing = [item for item in ports.values() if item.peer_kind == "host" and item.peer is not None]
        if facing:
            fastest = max(facing, key=lambda item: item.speed or 0)
            receiver = fastest.peer.device if fastest.peer is not None else ""
            found.append(_scene(plan, alike[0], fastest.name, receiver, sent_from, senders, given, tuple(alike)))
    if not found:
        raise UsageError(
            f"no switch of {plan.name} has a link to a host: name the congested port with --to SWITCH:PORT"
        )
    return found


def _congested(plan: Plan, to: str) -> tuple[str, str, str]:
    """Return switch, its congested port, and the receiver of `DEVICE[:PORT]`."""
    name, _, port = to.partition(":")
    device = plan.fabric.devices.get(name)
    if device is None:
        raise UsageError(f'no device of {plan.name} is called "{name}"{did_you_mean(name, plan.fabric.devices)}')
    if port and port not in device.ports:
        raise UsageError(f'{name} has no port "{port}"{did_you_mean(port, device.ports)}')
    chosen = [device.ports[port]] if port else list(device.ports.values())
    if device.kind == "host":
        for item in chosen:
            if item.peer is not None and item.peer_kind == "switch":
                return item.peer.device, item.peer.port, name
        raise UsageError(f"no link leads from {to} to a switch")
    facing = [item for item in chosen if item.peer_kind == "host" and not port] or chosen
    if not facing:
        raise UsageError(f"{name} has no ports")
    first = facing[0]
    return name, first.name, first.peer.device if first.peer is not None else ""


def _scene(
    plan: Plan,
    switch: str,
    port: str,
    receiver: str,
    sent_from: str,
    senders: int | None,
    given: Changes,
    alike: tuple[str, ...],
) -> Scene:
    reader = Reader(plan, switch, port, receiver, sent_from, {name for name, _ in given})
    settings = plan.fabric.settings(switch, port)
    count = int(settings.design_incast.or_else(DESIGN_INCAST)) if senders is None else senders
    scene = Scene(switch, port, receiver, count, [], reader.assumed, reader.missing, alike)
    scene.place = plan.fabric.devices[switch].ports[port].place
    scene.base, scene.given = reader.read(), given
    scene.sources, scene.direct = reader.sources, reader.direct
    scene.unstated = senders is None
    reader.assumed += [f"{name} as given on the command line" for name, _ in given]
    return scene


def print_scene(scene: Scene, incast: Incast) -> str:
    """Return a scene in one line."""
    kinds = sorted({lane.of.rate for lane in incast.lanes})
    speeds = ", ".join(print_rate(rate) for rate in kinds)
    each = "" if incast.message is None else f" with {incast.message} B each"
    beside = f", beside {incast.background} flows that were there before" if incast.background else ""
    return (
        f"{incast.senders} senders{each} over {incast.ports} ports of {speeds} into {scene.switch}:{scene.port}"
        f" ({print_rate(incast.rate)}{f', {scene.receiver}' if scene.receiver else ''}){beside}"
    )
