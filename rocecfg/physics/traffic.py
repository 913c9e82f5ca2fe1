"""What arrives after PAUSE: how many bytes of buffer a byte on the wire costs.

A buffer is handed out in cells. A frame of 64 bytes (84 on the wire) takes a whole cell, so small frames fill more
buffer than they bring; the share of small frames is an assumption that has to be stated.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from rocecfg.units import print_percent

if TYPE_CHECKING:
    from rocecfg.physics.chip import Chip

SMALL_FRAME = 64
SMALL_FRAME_ON_WIRE = 84
RDMA_FRAME = 4178
"""A RoCE frame with 4096 bytes of payload, headers and FCS included: the frame of `large`."""


Counting = Literal["", "bytes", "packets", "script"]


@dataclass(frozen=True, slots=True)
class Traffic:
    """The packets to size headroom for: n percent of the packets have 64 bytes, the others are full frames.

    `counted_by` turns n into a share of bytes. bytes: 64 n / (64 n + frame (100 - n)), the arithmetic truth. script:
    64 over the mean packet, as SONiC's NVIDIA script counts, which is about twice as much at 50 %. packets: n itself,
    as older tables count. "" = the way of the chip's own law.
    """

    small: Fraction = Fraction(100)
    counted_by: Counting = ""

    def share(self, frame: int, counted_by: Counting = "bytes") -> Fraction:
        """Return the part of the bytes that come in small frames, the others having `frame` bytes."""
        how = self.counted_by or counted_by
        if how == "packets":
            return self.small / 100
        small, full = SMALL_FRAME * self.small, frame * (100 - self.small)
        return min(Fraction(100 * SMALL_FRAME if how == "script" else small) / (small + full), Fraction(1))

    def __str__(self) -> str:
        if self.small == 100:
            return "worst: every packet is small"
        return "large: no small packets" if self.small == 0 else f"mixed: {print_percent(self.small)} small packets"


WORST, LARGE = Traffic(Fraction(100)), Traffic(Fraction(0))


def cells_of(frame: int, cell: int) -> int:
    """Return the bytes of buffer that a frame takes: whole cells."""
    return -(-frame // cell) * cell


def large_packing(cell: int | None) -> Fraction:
    """Return buffer bytes per wire byte for RDMA data frames; at least 1."""
    return Fraction(1) if cell is None else max(Fraction(cells_of(RDMA_FRAME, cell), RDMA_FRAME), Fraction(1))


def worst_packing(cell: int | None) -> Fraction:
    """Return buffer bytes per wire byte when every frame is 64 bytes, preamble and gap included: cell / 84."""
    return Fraction(1) if cell is None else max(Fraction(cell, SMALL_FRAME_ON_WIRE), large_packing(cell))


def packing(chip: Chip, traffic: Traffic, frame: int) -> tuple[Fraction, str]:
    """Return buffer bytes per wire byte on a chip for the declared traffic, and the sentence that argues for it."""
    cell = chip.whole("cell")
    share = traffic.share(frame, "script" if chip.law == "script" else "bytes")
    worst = chip.number("packing_worst") or worst_packing(cell)
    # The script counts frames larger than a cell as perfectly packed.
    best = Fraction(1) if chip.law == "script" else min(large_packing(cell), worst)
    found = (1 - share) * best + share * worst
    cells = f"cells of {cell} B" if cell is not None else "its cell size is not public"
    if share in {0, 1}:
        return found, f"{cells}, {traffic}: a byte on the wire takes {float(found):.3f} B of buffer"
    return found, (
        f"{cells}, {traffic}: {float(share):.1%} of the bytes take {float(worst):.3f} B of buffer each, the others"
        f" {float(best):.3f} B, {float(found):.3f} B together"
    )
