"""Whatever comes in: a state, or one error that names the file; never a traceback, a hang or a wild number."""

from __future__ import annotations

import contextlib
import json
import random
import time

import pytest
from srlinux_plans import capture, read
from texts import BRACES, FLAT, STATE, TREE

from rocecfg.errors import ReadError, RocecfgError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.model import Device
from rocecfg.state.parse import parse

JSON = json.dumps(TREE, indent=2)
STRANGE = (
    "9" * 400,
    "-1",
    "1e9",
    "٣",
    "{}",
    "[",
    "}",
    "!!!",
    "null",
    "true",
    "0x1f",
    "18446744073709551616",
    "\x0b",
    "é",
)


@pytest.mark.parametrize(
    "text",
    [
        "hostname leaf1\ninterface Ethernet1/1\n",
        "{}",
        "[]",
        '{"PORT": {"Ethernet0": {"mtu": "9100"}}}',
        "just some prose about qos and interfaces\n",
        "qos\n",
    ],
)
def test_what_is_no_text_of_this_system_is_refused(text: str) -> None:
    with pytest.raises(ReadError, match=r"leaf\.cfg"):
        read(text)


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_cut_off_json_is_one_error(cut: int) -> None:
    with pytest.raises(ReadError, match=r"leaf\.cfg"):
        read(JSON[: len(JSON) * cut // 20])


def test_a_cut_off_text_proves_nothing() -> None:
    for text in (BRACES, FLAT):
        lines = text.split("\n")
        for cut in range(25, len(lines), 7):
            device = parse(capture("\n".join(lines[:cut]), complete=False))
            assert device.complete == frozenset()
    open_end = parse(capture(BRACES[: BRACES.rindex("    }")]))
    assert open_end.complete == frozenset()


def test_a_byte_order_mark_and_line_ends_change_nothing() -> None:
    assert read("\ufeff" + JSON) == read(JSON)
    assert read(FLAT.replace("\n", "\r\n")) == read(FLAT)
    assert read(JSON.replace("\n", "\r\n")) == read(JSON)


def test_doubled_names_and_members() -> None:
    """The later statement wins, as on the device; JSON with a member twice is read in order."""
    text = FLAT + "set / qos queues queue lossless queue-index 5\n"
    assert read(text).ports["ethernet-1/1"].qos.tc_to_queue[3] == 5
    doubled = JSON.replace('"mtu": 9232', '"mtu": 1500, "mtu": 9100', 1)
    device = read(doubled)
    assert device.ports["ethernet-1/1"].mtu == 9100
    assert device.ports["ethernet-1/1"].where("watchdog.detect") == read(JSON).ports["ethernet-1/1"].where(
        "watchdog.detect"
    )


def test_numbers_out_of_range_are_reported_or_judged() -> None:
    device = read(
        FLAT
        + "set / qos classifiers dscp-policy marks dscp 64 forwarding-class rdma\n"
        + "set / qos classifiers dscp-policy marks dscp ٣ forwarding-class rdma\n"
        + "set / qos linecard 1 forwarding-complex 0 input pfc-buffer-reservation -5\n"
    )
    assert [line.place.line for line in device.lines] == [len(FLAT.split("\n")) + more for more in (2, 0, 1)]
    slow = read(FLAT.replace("detection-timer 300", "detection-timer 5000"))
    assert "WD-004" in {found.rule for found in lint([slow], settings=Settings()).findings}


def damaged(text: str, dice: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(dice.randint(1, 5)):
        at = dice.randrange(len(lines))
        words = lines[at].split(" ")
        how = dice.randrange(5)
        if how == 0:
            words[dice.randrange(len(words))] = dice.choice(STRANGE)
            lines[at] = " ".join(words)
        elif how == 1:
            lines[at] = ""
        elif how == 2:
            lines.insert(dice.randrange(len(lines)), lines[at])
        elif how == 3:
            lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
        else:
            lines = lines[: at + 1]
    return "\n".join(lines)


@pytest.mark.parametrize("number", range(4))
def test_damage(number: int) -> None:
    text = (FLAT, BRACES, JSON, json.dumps({"qos": {"interfaces": STATE}}, indent=1))[number]
    dice, understood = random.Random(number), 0
    refused: list[str] = []
    for _ in range(150):
        try:
            device = parse(capture(damaged(text, dice)))
        except RocecfgError as error:
            refused.append(str(error))
            continue
        assert isinstance(device, Device)
        understood += 1
        assert "RUN-008" not in {found.rule for found in lint([device], settings=Settings()).findings}
    assert all(message.startswith("leaf.cfg") for message in refused)
    assert understood > (10 if number < 2 else 2)


@pytest.mark.parametrize(
    "text",
    [
        "qos {\n" * 50_000,
        "[" * 100_000,
        '{"qos":' * 5_000,
        "set / qos queues queue a " * 20_000,
        "set / interface ethernet-1/{1..999999999} mtu 9000\n",
        "set / interface ethernet-{1..99}/{1..99} subinterface {1..99} type routed\n",
        "set / qos queues queue " + "{a,b,c,d}" * 5_000 + " queue-index 1\n",
        '{"qos": {"queues": {"queue": [' + ",".join('{"name": "x"}' for _ in range(30_000)) + "]}}}",
    ],
    ids=range(8),
)
def test_texts_made_to_exhaust_us_end_soon(text: str) -> None:
    started = time.monotonic()
    with contextlib.suppress(ReadError):
        assert isinstance(parse(capture(text)), Device)
    assert time.monotonic() - started < 5


def test_json_that_is_broken_inside_is_reported_and_not_whole() -> None:
    """A log line behind the first bracket: the pieces inside are read, and that something is lost is said."""
    text = (
        '{\n"update": [\n{"path": "/interface[name=ethernet-1/1]/mtu", "value": 9232},\n'
        '{"path": "/system/name/host-name", "value": "b1"},\n'
        '{"path": "/qos/classifiers/dscp-policy[name=blue]/dscp[value=26]/forwarding-class", "value": "fc3"}\n]}\n'
    )
    assert (read(text, complete=None).lines, read(text, complete=None).complete) == ((), frozenset({"all"}))
    found = read("{\nlinux|warning: link 7 down" + text[1:], complete=None)
    assert [line.text.partition(",")[0] for line in found.lines] == ["the JSON is broken here"]
    assert found.complete == frozenset()
    with pytest.raises(ReadError, match="broken JSON"):
        read(text.replace(',\n{"path": "/system', ',\nlinux|warning: link 7 down\n{"path": "/system'), complete=None)
