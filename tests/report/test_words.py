"""State values in words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from planned import planned_host, planned_switch

from rocecfg.report import state, table, words
from rocecfg.state.model import NEVER, UNLIMITED, Amount, CodeMap, Curve, Dynamic, Ecn, Headroom, Static, code_map


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (words.amount(Amount.of_bytes(150_000)), "150000 B"),
        (words.amount(Amount(150, "kbyte", 153_600)), "150 kbytes (153600 B)"),
        (words.amount(Amount(Fraction(25, 2), "percent")), "12.5%"),
        (words.amount(Amount(7, "cell")), "7 cells"),
        (words.limit(Dynamic(Fraction(1, 8))), "alpha 1/8"),
        (words.limit(Dynamic(index=3)), "alpha index 3"),
        (words.limit(Static(Amount.of_bytes(5))), "5 B"),
        (words.ecn(Ecn(())), "off"),
        (words.curve(Curve(None, Amount.of_bytes(9), None)), "? to 9 B at ?%"),
        (words.curve(Curve(Amount.of_bytes(1), Amount.of_bytes(9), 10, active=False)), "1 B to 9 B at 10% (not armed)"),
        (words.ecn(Ecn((Curve(Amount.of_bytes(1), Amount.of_bytes(9), 10),), gate=False)),
         "1 B to 9 B at 10% (switched off device-wide)"),
        (words.headroom(Headroom(Amount.of_bytes(5))), "5 B"),
        (words.headroom(Headroom(by="length")), "from the cable length"),
        (words.headroom(Headroom(by="none")), "none"),
        (words.rate(400 * 10**9), "400G"),
        (words.rate(2_500_000_000), "2.5G"),
        (words.rate(UNLIMITED), "unlimited"),
        (words.milliseconds(NEVER), "never"),
        (words.codes(code_map({26: 3, 48: 6}, rest=0)), "26 -> 3, 48 -> 6, rest -> 0"),
        (words.codes(code_map({}, rest=0)), "all -> 0"),
        (words.codes(code_map({26: 3})), "26 -> 3"),
        (words.codes(CodeMap((None,) * 64, conflicts=((26, frozenset({0, 3})),))), "26 -> 0 and 3 (conflict)"),
        (words.table((0, None, 2)), "identity (0,2)"),
        (words.table((0, None, 3)), "0 -> 0, 2 -> 3"),
        (words.set_table((None, frozenset({4, 5}))), "1 -> 4-5"),
        (words.numbers([]), "none"),
        (table.printable("a\tb\x00c\u202e"), "a\tb\\x00c\\u202e"),
        (table.counted(1, "port"), "1 port"),
        (table.counted(0, "port"), "0 ports"),
    ],
)  # fmt: skip
def test_words(written: str, expected: str) -> None:
    assert written == expected


def test_ports_with_equal_settings_are_one_block() -> None:
    text = state.as_text(planned_switch("nxos", [f"Ethernet1/{number}" for number in range(1, 65)]))
    assert text.startswith("leaf1  nxos, intended configuration: 64 ports in 1 setting, ")
    assert "\nEthernet1/1-64\n" in text
    assert "  watchdog           on, priorities 3, poll 100 ms, detect 200 ms, restore 400 ms, drop\n" in text


def test_host_port_shows_its_nic() -> None:
    text = state.as_text(planned_host("mlx5", ["rail0"]))
    assert "  congestion control  dcqcn, answers marks on 3, slows down on 3\n" in text
    assert "  CNP DSCP            48\n" in text


def test_plain_state_names_every_line_not_understood() -> None:
    from dataclasses import replace

    from rocecfg.state.model import Line, Where

    device = replace(planned_switch("nxos", ["Ethernet1/1"]), lines=(Line("what", Where("a.cfg", 3)),), lines_read=9)
    plain = state.as_plain(device)
    assert (plain["schema"], plain["lines_read"]) == (1, 9)
    assert plain["not_understood"] == [{"file": "a.cfg", "line": 3, "text": "what"}]
    assert "lines" not in plain
