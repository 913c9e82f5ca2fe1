"""Bad input: every text gives a state or one clear error, in bounded time."""

from __future__ import annotations

import random
import time

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import Device
from rocecfg.state.parse import parse
from tests.vendors.h3c.test_h3c_read import PORT, SYSTEM, WHOLE
from tests.vendors.h3c.test_h3c_shows import WRAPPED


def read(text: str) -> Device:
    return parse(Capture("leaf1", "h3c", (Text("leaf1.cfg", text),), file="leaf1.cfg"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        (" \n\t\r\n", "empty"),
        ("\x00\x01\x02" * 50, "a binary file"),
        ("\x1b\x07\x08" * 200, "a binary file"),
        ('{"PORT": {}}', "nothing of Comware"),
        ("hello world\n", "nothing of Comware"),
        ("hostname leaf1\nend\n", "nothing of Comware"),
    ],
)
def test_unreadable_texts_are_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(ReadError, match=rf"^leaf1\.cfg: {message}"):
        read(text)


def test_a_byte_order_mark_and_unicode_do_no_harm() -> None:
    text = WHOLE.replace(" stp edged-port\n", " description 上联 \u202e лист\n")
    assert read(text).ports["HundredGigE1/0/1"].qos.trust == "dscp"


@pytest.mark.parametrize("number", ["-1", "9" * 200, "٣", "３", "1e3", "0x3", "3.0", ""])
@pytest.mark.parametrize(
    "line", ["no-drop dot1p {}", "dot1p {} headroom 5", "dot1p 3 headroom {}", "dot1p 3 ingress-buffer static {}"]
)
def test_odd_numbers_are_refused_and_never_crash(line: str, number: str) -> None:
    text = WHOLE.replace(" stp edged-port\n", f" priority-flow-control {line.format(number)}\n")
    device = read(text)
    assert len(device.lines) == 1
    assert device.ports["HundredGigE1/0/1"].qos.trust == "dscp"


def test_duplicate_ports_and_tables_are_one() -> None:
    device = read(SYSTEM + SYSTEM + PORT + PORT.replace("headroom 600", "headroom 700") + "return\n")
    group = device.ports["HundredGigE1/0/1"].qos.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert group.headroom.amount is not None
    assert group.headroom.amount.value == 700
    assert not [named for named in device.objects if not named.defined]


def test_a_text_that_names_too_many_ports_is_refused() -> None:
    line = "interface range HundredGigE1/0/1 to HundredGigE1/0/500\n qos trust dscp\n"
    with pytest.raises(ReadError, match="100000 ports are named"):
        read(line * 300)


def test_long_lines_and_deep_repetition_take_no_time() -> None:
    started = time.perf_counter()
    texts = [
        WHOLE.replace(" stp edged-port\n", " description " + "a" * 200_000 + "\n"),
        WHOLE.replace(" stp edged-port\n", " qos " + "x " * 50_000 + "\n"),
        "[" * 100_000 + "\n" + WHOLE,
        "[H3C-" + "-" * 5_000 + "]qos trust dscp\n" + WHOLE,
        "interface range " + "HGE1/0/1 to " * 3_000 + "HGE1/0/2\n" + WHOLE,
        "<" + "a" * 100_000 + ">" + WHOLE,
    ]
    for text in texts:
        assert isinstance(read(text), Device)
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize("whole", [WHOLE, WRAPPED], ids=["configuration", "display"])
def test_damage_gives_a_state_or_one_error(whole: str) -> None:
    dice = random.Random(7)
    odd = [
        "\x0b",
        "%s",
        "interface",
        "qos",
        "undo",
        "#",
        "import",
        "queue",
        "9" * 50,
        "]",
        "[H3C]",
        "٣",
        "to",
        "{{ x }}",
        "return",
    ]
    read_well = 0
    refused: list[str] = []
    for _ in range(150):
        lines = whole.split("\n")
        for _ in range(dice.randint(1, 6)):
            at = dice.randrange(len(lines))
            words = lines[at].split(" ")
            how = dice.randrange(4)
            if how == 0:
                words[dice.randrange(len(words))] = dice.choice(odd)
                lines[at] = " ".join(words)
            elif how == 1:
                lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
            elif how == 2:
                lines.insert(dice.randrange(len(lines)), lines[at])
            else:
                lines = lines[: at + 1]
        try:
            device = read("\n".join(lines))
        except ReadError as error:
            refused.append(str(error))
            continue
        assert len(device.lines) <= device.lines_read
        read_well += 1
    assert read_well > 50
    assert all(message.startswith("leaf1.cfg") for message in refused)


def test_a_foreign_section_changes_nothing() -> None:
    foreign = "bgp 65001\n peer 10.0.0.1 as-number 65002\n address-family ipv4 unicast\n  peer 10.0.0.1 enable\n#\n"
    parts = WHOLE.split("#\n")
    wanted = read(WHOLE)
    for at in range(1, len(parts)):
        device = read("#\n".join([*parts[:at], foreign.removesuffix("#\n"), *parts[at:]]))
        assert device.ports == wanted.ports
        assert device.lines_read == wanted.lines_read
        assert device.lines == ()
