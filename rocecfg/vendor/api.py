"""The contract of a vendor folder, and the few things its `state.py` may import beside the state model.

`vendors/<nos>/` (or `vendors/nic/<family>/`) holds

- `vendor.yaml`: title, commands, files rendered, capabilities, evidence per construct (`rocecfg.vendor.manifest`);
- `limits.yaml`: ranges, units, steps and defaults, each with its source;
- `parse/*.ttp`: the line shapes it reads (`rocecfg.state.grammar`);
- `state.py`: the functions of `VendorModule` below.

`templates/<nos>/` holds the Jinja2 text that goes out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocecfg.state.capture import Capture
    from rocecfg.state.model import Device

Kind = Literal["quantised", "equalised", "box-made", "chosen", "dropped", "refused"]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A planned value that the device cannot carry as planned, and what became of it.

    quantised: rounded to the device's step. equalised: one value for all ports. box-made: the device works it out
    from another value. chosen: the system needs a value the plan leaves open, and a published design gives it.
    dropped: no documented construct says it. refused: the plan must change, nothing is rendered.

    `object` = the ports, joined by ", " ("" = the whole device); `field` = the leaf path ("queues.3.ecn",
    "pools.lossless").
    """

    device: str
    object: str
    field: str
    wanted: str
    got: str
    kind: Kind
    because: str


@dataclass(frozen=True, slots=True)
class View:
    """What a template prints: `values` are its variables, objects rather than dicts (5 times faster)."""

    values: Mapping[str, object]


class VendorModule(Protocol):
    """The functions of a vendor's `state.py`. All are pure: no I/O beyond the vendor's own folder.

    Two more are optional. `one_command(device) -> str`: the system's own RoCE command (`roce lossless`) that makes the
    very same settings as a fitted device, an empty text where none does; `plan` and `render` tell of it.
    `notes(device) -> tuple[str, ...]`: what a reader of a fitted device has to know and no number says.
    """

    def to_state(self, capture: Capture) -> Device:
        """Read a device's texts: what they state, resolved per port, no default filled in.

        Every line of a section it reads is taken or stands in `Device.lines`; `Device.lines_read` counts both.
        `Device.complete` names the sections whose absence proves a default.
        Raises ReadError when the text is none of this system's, is cut off, or is broken.
        """
        ...

    def defaults(self, device: Device) -> Device:
        """Fill in what the system does where the complete text is silent; mark it in `PortQos.defaulted`.

        Unknown defaults stay None. Idempotent, and never changes a stated value.
        """
        ...

    def fit(self, device: Device) -> tuple[Device, tuple[Adjustment, ...]]:
        """Return what this system can carry of a planned device, ending with `defaults`, and every change.

        Idempotent: fit(fit(s)) == fit(s), and the second call adjusts nothing.
        """
        ...

    def from_state(self, device: Device) -> Mapping[str, View]:
        """Return the view of each template of the manifest's `render` list, by template name, for a fitted device."""
        ...
