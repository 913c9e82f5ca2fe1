"""Bad input: any text gives a state or one clear error."""

from __future__ import annotations

import random

import pytest

from rocecfg.errors import ReadError, RocecfgError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from tests.vendors.onyx.onyx_texts import ADVANCED, DATABASE, read


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("\x00\x01\x02", "binary"),
        ("\x01\x02\x03\x04 abc", "binary"),
        ("hello\nworld\n", "nothing of Onyx"),
        ("feature lldp\npolicy-map type network-qos x\n", "nothing of Onyx"),
    ],
)
def test_what_is_no_onyx_text_says_so(content: str, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read(content)


@pytest.mark.parametrize("change", ["crlf", "bom", "tabs", "trailing", "no final newline"])
def test_forms_of_a_file(change: str) -> None:
    texts = {
        "crlf": DATABASE.replace("\n", "\r\n"),
        "bom": DATABASE,
        "tabs": DATABASE.replace("   ", "\t"),
        "trailing": DATABASE.replace("\n", "  \n"),
        "no final newline": DATABASE.rstrip("\n"),
    }
    device = read(texts[change])
    assert device.ports == read(DATABASE).ports
    assert not device.lines


def test_too_many_ports_are_refused() -> None:
    text = "".join(f"interface ethernet {slot}/1-{slot}/500 qos trust L3\n" for slot in range(1, 20))
    with pytest.raises(ReadError, match="more ports are named than a switch has"):
        read(text)


def test_long_lines_and_many_lines_take_no_time() -> None:
    line = "interface ethernet 1/1 qos map dscp " + "1 " * 200_000 + "to switch-priority 3\n"
    assert len(read(line + DATABASE).lines) <= 1
    assert read("interface ethernet 1/1 qos trust L3\n" * 20_000).ports["Eth1/1"].qos.trust == "dscp"


def test_odd_hostnames_and_quotes() -> None:
    text = DATABASE.replace("rack7-leaf1", "ré\u202e\x07" * 50).replace("spare !", 'spare \\" !')
    assert isinstance(parse(Capture("", "onyx", (Text("a", text),), file="a")).name, str)


def test_damage() -> None:
    dice = random.Random(7)
    strange = (
        "9" * 400,
        "-1",
        "٣",
        "%s",
        "{{ x }}",
        "(",
        "[",
        "\\",
        '"',
        "#",
        "\x0b",
        "interface",
        "no",
        "exit",
        "1/1-1/999",
    )
    refused: list[str] = []
    for _ in range(300):
        lines = dice.choice((DATABASE, ADVANCED)).split("\n")
        for _ in range(dice.randint(1, 5)):
            at = dice.randrange(len(lines))
            words = lines[at].split(" ")
            how = dice.randrange(4)
            if how == 0:
                words[dice.randrange(len(words))] = dice.choice(strange)
                lines[at] = " ".join(words)
            elif how == 1:
                lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
            elif how == 2:
                lines.insert(dice.randrange(len(lines)), lines[at])
            else:
                del lines[at]
                lines = lines or [""]
        try:
            device = parse(Capture("x", "onyx", (Text("a.txt", "\n".join(lines)),), file="a.txt"))
        except RocecfgError as error:
            refused.append(str(error))
            continue
        assert device.lines_read >= len(device.lines)
        found = lint([device], settings=Settings(select=("PFC", "ECN", "WD", "BUF", "REF", "SCH", "QMAP")))
        assert "RUN-008" not in {finding.rule for finding in found.findings}
    assert all(message.startswith("a.txt") for message in refused)
    assert len(refused) < 100
