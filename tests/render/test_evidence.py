"""Which rendered lines somebody vouches for."""

from __future__ import annotations

import time

import pytest

from rocecfg.errors import RenderError
from rocecfg.render.engine import Rendered
from rocecfg.render.evidence import Shapes, doubtful, vouch
from rocecfg.vendor.manifest import Evidence

SHAPES = Shapes(
    Evidence(shape=shape, level=level, source="s")
    for shape, level in [
        ("mtu <bytes>", "device"),
        ("mtu jumbo", "inferred"),
        ("class-map <name>", "documented"),
        ("class-map type qos match-any <name>", "schema"),
        ("description <text...>", "device"),
        ("set <path...> dscp <code>", "documented"),
        ("priority p<number>", "device"),
        ("forwarding-class <name>-<number>;", "device"),
        ("Description=<text...>", "documented"),
        ("config reload <file>", "documented"),
        ("config qos clear", "inferred"),
        ("BUFFER_PG/<port>/profile", "schema"),
        ("set/qos/pfc/<name>/cable-length", "schema"),
        ("set/qos/pfc/<name>/switch-priority/<sp>", "schema"),
    ]
)


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("mtu 9216", "device"),
        ("mtu jumbo", "inferred"),
        ("mtu", "unmatched"),
        ("mtu 9216 bytes", "unmatched"),
        ("MTU 9216", "unmatched"),
        ("class-map a", "documented"),
        ("class-map type qos match-any a", "schema"),
        ("class-map type qos a", "unmatched"),
        ("description a", "device"),
        ("description a b c d", "device"),
        ("description", "unmatched"),
        ("set a b c dscp 26", "documented"),
        ("set dscp 26", "unmatched"),
        ("set dscp dscp 26", "documented"),
        ("priority p3", "device"),
        ("priority p", "unmatched"),
        ("priority q3", "unmatched"),
        ("forwarding-class roce-3;", "device"),
        ("forwarding-class roce3;", "unmatched"),
        ("Description=RoCE", "documented"),
        ("Description=RoCE settings of gpu01", "documented"),
        ("Description=", "unmatched"),
        ("", "unmatched"),
    ],
)
def test_lines(line: str, level: str) -> None:
    assert SHAPES.of_line(line) == level


def test_comments_and_blank_lines_are_free() -> None:
    file = Rendered("a.cfg", "! comment\n\n# comment\n  mtu 9216\n", 0o644, "")
    assert [(item.line, item.text, item.level) for item in vouch(SHAPES, [file])] == [(4, "mtu 9216", "device")]


def test_data_files_are_compared_as_paths() -> None:
    json_file = Rendered("a.json", '{"BUFFER_PG": {"Ethernet0|3-4": {"profile": "x", "odd": "y"}}}', 0o644, "")
    yaml_file = Rendered(
        "a.yaml", "- set:\n    qos:\n      pfc:\n        roce: {cable-length: 5, switch-priority: {3: {}}}\n", 0o644, ""
    )
    found = {item.text: item.level for item in vouch(SHAPES, [json_file, yaml_file])}
    assert found == {
        "BUFFER_PG/Ethernet0|3-4/odd": "unmatched",
        "BUFFER_PG/Ethernet0|3-4/profile": "schema",
        "set/qos/pfc/roce/cable-length": "schema",
        "set/qos/pfc/roce/switch-priority/3": "schema",
    }


def test_of_a_script_only_device_commands_are_compared() -> None:
    script = (
        "#!/bin/sh\nset -eu\nwork=$(mktemp)\nif true; then\n  config reload a.json >/dev/null || exit  # loads\nfi\n"
    )
    script += "config qos clear\nconfig reboot\n"
    found = [(item.text.split()[0], item.level) for item in vouch(SHAPES, [Rendered("a.sh", script, 0o755, "")])]
    assert found[-4:] == [("config", "documented"), ("fi", "shell"), ("config", "inferred"), ("config", "unmatched")]
    assert {level for _, level in found[:3]} == {"shell", "unmatched"}  # `set` begins a shape, so it is compared


def test_doubtful_lines_have_a_place() -> None:
    files = [Rendered("a.cfg", "mtu 9216\nmtu jumbo\nwhat\n", 0o644, ""), Rendered("b.json", '{"x": 1}', 0o644, "")]
    assert list(doubtful(SHAPES, "leaf1", files)) == [
        ("inferred: mtu jumbo", "leaf1:a.cfg:2"),
        ("unmatched: what", "leaf1:a.cfg:3"),
        ("unmatched: x", "leaf1:b.json"),
    ]


def test_broken_data_is_a_defect_of_the_template() -> None:
    with pytest.raises(RenderError, match=r"a\.json: the template did not write valid data"):
        list(vouch(SHAPES, [Rendered("a.json", "{", 0o644, "")]))


def test_matching_is_fast() -> None:
    lines = "".join(f"mtu {number}\nset {'a ' * 20}dscp {number}\n" for number in range(10_000))
    started = time.process_time()
    assert all(item.level != "unmatched" for item in vouch(SHAPES, [Rendered("a.cfg", lines, 0o644, "")]))
    assert time.process_time() - started < 2
