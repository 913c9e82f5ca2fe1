"""PFC headroom: what still arrives between "pause goes out" and silence.

Symbols: R line rate, L cable length, MTU the largest frame without preamble. One byte takes 8 / R seconds, so
R bit/s x t ns / 8e9 = bytes in t.
"""

from __future__ import annotations

from fractions import Fraction

from rocecfg.physics.derived import Derived, Term, round_up

GIGABIT = 1_000_000_000
PROPAGATION_NS_PER_METRE = 5
"""Fibre 4.9 to 5.13 ns/m, twinax about 4.76 (Cisco PFC white paper; SONiC 198,000 km/s): 5 is used for both."""
PREAMBLE_AND_GAP = 20
"""Bytes between frames on the wire: 8 preamble, 12 inter-frame gap (IEEE 802.3)."""
PFC_FRAME = 64 + PREAMBLE_AND_GAP
QUANTUM_BYTES = 64
"""A pause quantum is 512 bit times (IEEE 802.3 Annex 31B)."""

PAUSE_QUANTA = {1: 2, 10: 67, 25: 80, 40: 118, 50: 147, 100: 394, 200: 453, 400: 905, 800: 1810}
"""Gb/s -> quanta a sender may take to stop (IEEE 802.3 Annex 31B.3.7, as SONiC's headroom script carries them).

800G is unsettled in public: that script says 905, NVIDIA's own SN6600 table fits only with 1810, the same 1.16 us
as 200G and 400G. The larger one is used."""

SOURCES = (
    "IEEE 802.3 Annex 31B.3.7, IEEE 802.1Q annex on PFC buffer requirements",
    "Cisco, Priority Flow Control: Build Reliable Layer 2 Infrastructure",
    "sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua (pause quanta)",
)


def bytes_in(rate: int, nanoseconds: int | Fraction) -> Fraction:
    """Return how many bytes pass at `rate` bit/s in a time."""
    return Fraction(rate) * Fraction(nanoseconds) / (8 * GIGABIT)


def pause_quanta(rate: int) -> tuple[int, str]:
    """Return the quanta a sender of this speed may take to stop, and a remark where the speed is in no table.

    A speed between two of the table takes the quanta of the faster one; above 800G the time of 800G is kept.
    """
    gigabits = Fraction(rate, GIGABIT)
    for speed, quanta in PAUSE_QUANTA.items():
        if gigabits <= speed:
            remark = "" if gigabits == speed else f"no published value for this speed: that of {speed}G is used"
            return quanta, remark
    fastest = max(PAUSE_QUANTA)
    return round_up(gigabits * PAUSE_QUANTA[fastest] / fastest), f"no published value: the time of {fastest}G is kept"


def wire_floor_bytes(rate: int, metres: int | Fraction, mtu: int) -> int:
    """Return the bytes that are physically under way: there and back on the cable, and one frame.

    No switch can be lossless with less headroom, however fast it reacts.
    """
    return round_up(bytes_in(rate, 2 * PROPAGATION_NS_PER_METRE * Fraction(metres)) + mtu)


def standard_bound(rate: int, metres: int | Fraction, mtu: int, lossless_mtu: int) -> Derived:
    """Return the headroom that the 802.3 and 802.1Q delays ask for, in bytes on the wire.

    `mtu` is the largest frame of any class on the port, `lossless_mtu` that of the paused class (bytes).
    """
    quanta, remark = pause_quanta(rate)
    flight = round_up(bytes_in(rate, PROPAGATION_NS_PER_METRE * Fraction(metres)))
    speed = f"{Fraction(rate, GIGABIT)}G"
    length = f"{float(metres):g} m"
    terms = (
        Term("own frame", mtu + PREAMBLE_AND_GAP, f"a {mtu} B frame has just begun; PAUSE cannot overtake it"),
        Term("pause frame", PFC_FRAME, "the PFC frame itself with preamble and gap"),
        Term("cable out", flight, f"{length} at 5 ns/m and {speed}: the PAUSE travels"),
        Term(
            "response", quanta * QUANTUM_BYTES, f"the peer may take {quanta} quanta of 512 bit times at {speed} to stop"
        ),
        Term(
            "peer frame", lossless_mtu + PREAMBLE_AND_GAP, f"the peer has just begun a {lossless_mtu} B lossless frame"
        ),
        Term("cable back", flight, f"{length}: what is under way still arrives"),
    )
    total = sum(term.bytes for term in terms)
    sentence = " + ".join(f"{term.bytes} {term.name}" for term in terms)
    return Derived(
        total,
        "B",
        f"802.1Q bound for {speed} over {length}: {sentence} = {total} B",
        terms,
        tuple(filter(None, (remark, "bytes on the wire: cell packing of the chip is not included"))),
        SOURCES,
    )
