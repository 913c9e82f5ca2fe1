"""Suppressions: by line, device, port and glob; reasons are asked for, unknown rules refused, stale entries named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.errors import ConfigurationError
from rocecfg.findings import Finding, Severity
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.suppress import Suppressions, of_fabric, read_ignore_file

if TYPE_CHECKING:
    from pathlib import Path

INTENT = """\
version: 1
fabric: pod1
classes: {{roce: {{dscp: 26, priority: 3, lossless: true}}}}
{top}
devices:
  leaf1: {{nos: nxos}}  {leaf1}
  leaf2: {{nos: nxos{leaf2}}}
  gpu[01-02]: {{nic: mlx5}}
links:
  - {{a: "leaf1:Ethernet1/[1-2]", b: "gpu[01-02]:rail0", speed: 400G, cable: 3m}}  {link}
"""


def intent(**parts: str) -> Suppressions:
    text = INTENT.format(**{"top": "", "leaf1": "", "leaf2": "", "link": "", **parts})
    return of_fabric(expand(parse_intent(text, "pod1.roce.yaml")))


def finding(
    device: str = "leaf1", *ports: str, rule: str = "WD-001", file: str = "caps/leaf1.cfg", line: int = 3
) -> Finding:
    from rocecfg.lint.ranges import compact

    about = f"{compact(ports)} priority 3".strip()
    return Finding(rule, "x", Severity.ERROR, device, about, "m", file=file, line=line, ports=ports)


def kept(suppressions: Suppressions, *findings: Finding) -> list[Finding]:
    return suppressions.apply(findings)[0]


def test_comment_on_a_device_line_speaks_about_that_device() -> None:
    found = intent(leaf1="# rocecfg: ignore WD-001 -- lab switch")
    assert kept(found, finding("leaf1"), finding("leaf2"), finding(rule="WD-003")) == [
        finding("leaf2"), finding(rule="WD-003"),
    ]  # fmt: skip
    assert found.unused() == []


def test_comment_on_a_link_line_speaks_about_its_ports() -> None:
    found = intent(link="# rocecfg: ignore watchdog-missing -- storage only")
    rest, silenced = found.apply([finding("leaf1", "Ethernet1/1", "Ethernet1/2", "Ethernet1/3")])
    assert [(item.ports, item.object) for item in rest] == [(("Ethernet1/3",), "Ethernet1/3 priority 3")]
    assert [(item.ports, item.object) for item in silenced] == [
        (("Ethernet1/1", "Ethernet1/2"), "Ethernet1/1-2 priority 3")
    ]


def test_comment_speaks_about_findings_of_its_own_line() -> None:
    found = intent(link="# rocecfg: ignore INT-003 -- special cable")
    assert kept(found, finding("", rule="INT-003", file="pod1.roce.yaml", line=10)) == []
    assert kept(found, finding("", rule="INT-003", file="pod1.roce.yaml", line=9)) != []


def test_ignore_lists_of_a_device_and_of_the_fabric() -> None:
    found = intent(leaf2=', ignore: ["WD-001 -- canary"]')
    assert kept(found, finding("leaf1"), finding("leaf2")) == [finding("leaf1")]
    found = intent(top='ignore: ["WD-001 -- no storms here"]')
    assert kept(found, finding("leaf1"), finding("leaf9")) == []


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# rocecfg: ignore WD-01 -- lab", 'pod1.roce.yaml:6: no rule is called "WD-01", did you mean'),
        ("# rocecfg: ignore WD-001", "pod1.roce.yaml:6: the suppression of WD-001 gives no reason"),
    ],
)
def test_wrong_comments_are_errors(comment: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        intent(leaf1=comment)
    assert message in str(caught.value)


def ignore_file(folder: Path, text: str) -> Suppressions:
    file = folder / ".rocecfg-ignore"
    file.write_text(text)
    return Suppressions(read_ignore_file(file))


@pytest.mark.parametrize("target", ["leaf1", "leaf*", "caps/*.cfg", "leaf1.cfg", "*"])
def test_ignore_file_targets(tmp_path: Path, target: str) -> None:
    found = ignore_file(tmp_path, f"# lab\n\n{target} WD-001 # known\n")
    assert kept(found, finding("leaf1", "swp1")) == []
    assert kept(found, finding("spine1", file="other/spine1.txt")) == ([] if target == "*" else [
        finding("spine1", file="other/spine1.txt")
    ])  # fmt: skip


def test_ignore_file_ports_split_a_finding(tmp_path: Path) -> None:
    found = ignore_file(tmp_path, "leaf1:ethernet1/1/4* WD-001 # storage\n")
    rest, silenced = found.apply([finding("leaf1", "ethernet1/1/3", "ethernet1/1/4:1", "ethernet1/1/4:2")])
    assert [item.ports for item in rest] == [("ethernet1/1/3",)]
    assert [item.ports for item in silenced] == [("ethernet1/1/4:1", "ethernet1/1/4:2")]
    assert kept(found, finding("leaf1")) == [finding("leaf1")], "a finding without ports is not about those ports"


def test_stale_entries_are_named(tmp_path: Path) -> None:
    found = ignore_file(tmp_path, "leaf1 WD-001 # a\nleaf2 WD-001 # b\n")
    kept(found, finding("leaf1"))
    assert found.unused() == [f"{tmp_path / '.rocecfg-ignore'}:2: the suppression of WD-001 silences nothing"]


def test_wrong_lines_of_an_ignore_file_are_all_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        ignore_file(tmp_path, "leaf1 WD-001\nleaf1 # x\nleaf1 WD-1 # y\nleaf1 WD-001 extra # z\n")
    lines = str(caught.value).splitlines()
    assert [line.split(".rocecfg-ignore")[1][:3] for line in lines] == [":1:", ":2:", ":3:", ":4:"]
    assert "gives no reason; write: DEVICE_OR_PATH[:PORT] RULE # reason" in lines[0]
    assert 'no rule is called "WD-1"' in lines[2]
