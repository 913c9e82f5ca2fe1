"""The script is PowerShell: a published grammar parses it without an error, over several intents."""

from __future__ import annotations

from typing import Any

import pytest

from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import render

pytestmark = pytest.mark.oracle
HEAD = """\
version: 1
fabric: cluster1
devices: {node1: {nic: windows_dcb, host: {applications: [smb-direct]}}, node2: {nic: windows_dcb}}
links: [{a: "node1:SLOT 2 (A)", b: "node2:Ethernet 3", speed: 25G, cable: 3m dac}, {a: "node1:S2", b: "node2:S2", speed: 25G}]
"""
INTENTS = [
    "classes: {roce: {dscp: 26, priority: 3, lossless: true}}\n",
    "preset: azure-local\n",
    "classes: {a: {dscp: 26, priority: 3, lossless: true}, b: {dscp: 24, priority: 4, lossless: true}, cnp: {dscp: 48, priority: 6}}\nsettings: {mtu: 1500}\n",
    "classes: {roce: {dscp: 26, priority: 3, lossless: true}}\nsettings: {pfc: {mode: off}}\n",
]


@pytest.fixture(scope="module")
def parser() -> Any:
    tree_sitter = pytest.importorskip("tree_sitter")
    powershell = pytest.importorskip("tree_sitter_powershell")
    return tree_sitter.Parser(tree_sitter.Language(powershell.language()))


def mistakes(node: Any) -> list[tuple[int, str]]:
    own = [(node.start_point[0] + 1, node.type)] if node.type == "ERROR" or node.is_missing else []
    return own + [found for child in node.children for found in mistakes(child)]


@pytest.mark.parametrize("intent", INTENTS, ids=range(len(INTENTS)))
def test_the_script_parses(parser, intent):
    for device in plan(expand(parse_intent(HEAD + intent, "f"))).devices.values():
        (script,) = render(device.fitted)
        assert not mistakes(parser.parse(script.content.encode()).root_node)


def test_the_grammar_finds_mistakes(parser):
    assert mistakes(parser.parse(b"if ($x { 1 }\n").root_node)
