"""Loading: what the file says in base units, and every mistake with its line, column, value and cure."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from intents import GOOD, SYSTEMS

from rocecfg.errors import IntentError
from rocecfg.intent.expand import expand
from rocecfg.intent.fields import AUTO, Cable
from rocecfg.intent.load import load_intent, load_links, parse_intent

if TYPE_CHECKING:
    from pathlib import Path


def problems(text, known=SYSTEMS):
    with pytest.raises(IntentError) as caught:
        parse_intent(text, "f", known)
    return caught.value.problems


def test_values_in_base_units():
    intent = parse_intent(GOOD, "f", SYSTEMS)
    assert intent.fabric == "pod1"
    assert intent.classes["roce"].dscp == (26,)
    assert intent.classes["roce"].bandwidth == 60
    assert intent.classes["roce"].strict is None
    assert intent.settings.pfc.headroom == 98_000
    assert intent.settings.cable == Cable(30, "fibre")
    assert intent.roles["leaf"].watchdog.detect == 200_000_000
    assert intent.devices["leaf2"].pfc.headroom is AUTO
    assert intent.devices["leaf[1-2]"].release == "10.30", "a version is no number"
    assert [link.pairs for link in intent.links] == [4, 2]
    assert intent.links[1].place == ("f", 16, 5)
    assert intent.place("classes", "roce", "dscp") == ("f", 4, 16)


def test_all_forms_of_a_class_and_of_settings():
    intent = parse_intent(
        GOOD.replace("bandwidth: 60%", "bandwidth: 60%, pcp: [3, 4], ecn: {kmin: 150KB, kmax: 1.5MB, pmax: 5%}, alpha: 1/8")
        .replace("dscp: 48", 'dscp: ["46-48", 50]')
        .replace("strict: true", "strict: auto, ecn: false, kind: cnp")
        .replace("cable: 30m fibre", 'cable: 0.5m copper, traffic: mixed 50%, max_oversubscription: "2:1", rtt: 8us')
    )  # fmt: skip
    roce, cnp = intent.classes["roce"], intent.classes["cnp"]
    assert (roce.pcp, roce.alpha) == ((3, 4), Fraction(1, 8))
    assert (roce.ecn.kmin, roce.ecn.kmax, roce.ecn.pmax) == (150_000, 1_500_000, 5)
    assert cnp.dscp == (46, 47, 48, 50)
    assert cnp.strict is AUTO
    assert cnp.ecn.enabled is False
    assert intent.settings.cable == Cable(Fraction(1, 2), "dac")
    assert intent.settings.traffic == 50
    assert intent.settings.max_oversubscription == 2
    assert intent.settings.rtt == 8_000


def test_parts_do_not_change():
    with pytest.raises(AttributeError):
        parse_intent(GOOD).settings.mtu = 1


MISTAKES = [
    # name, old text, new text, line, column, part of the message, part of the help
    ("unknown top key", "fabric: pod1", "fabric: pod1\nclases: {}", 3, 1, 'unknown key "clases", did you mean "classes"?', "links"),
    ("unknown class key", "bandwidth", "bandwith", 4, 49, 'unknown key "bandwith" in classes.roce, did you mean "bandwidth"?', "dscp"),
    ("unknown setting", "mtu: 9216", "mttu: 9216", 6, 12, 'did you mean "mtu"?', "accepted: mtu"),
    ("unknown nested key", "headroom: 98KB", "headrom: 98KB", 6, 47, 'in settings.pfc, did you mean "headroom"?', "mode"),
    ("unknown device key", "model: ConnectX-7", "modell: x", 13, 27, 'did you mean "model"?', "nos"),
    ("unknown key of no kind", "mtu: 9216", "zzz: 1", 6, 12, 'unknown key "zzz" in settings', "accepted"),
    ("version missing", "version: 1\n", "", 1, 1, '"version" is missing', "version: 1"),
    ("version unknown", "version: 1", "version: 2", 1, 10, 'version "2" is not known', "accepted: 1"),
    ("version true", "version: 1", "version: true", 1, 10, "is not known", "1"),
    ("fabric missing", "fabric: pod1\n", "", 1, 1, '"fabric" is missing', "fabric: pod1"),
    ("fabric with blanks", "pod1", "my pod", 2, 9, '"my pod" is no name', "no blanks"),
    ("fabric empty", "fabric: pod1", "fabric:", 2, 1, "fabric: ", "quotes"),
    ("roles no mapping", "roles:\n  leaf: {mtu: 9100, watchdog: {detect: 200ms}}", "roles: 3", 7, 8, 'roles: "3" is no mapping', "lines under it"),
    ("class no mapping", "{dscp: 48, priority: 6, strict: true}", "48", 5, 9, 'classes.cnp: "48" is no mapping', "accepted keys: dscp"),
    ("class without priority", "priority: 3, ", "", 4, 3, 'classes.roce: "priority" is missing', "priority: 3"),
    ("class without dscp", "dscp: 48, ", "", 5, 3, 'classes.cnp: "dscp" is missing', "dscp: 26"),
    ("two default classes", "strict: true", "kind: default}\n  default: {priority: 0", 6, 3, "there is a default class already", "kind"),
    ("priority 9", "priority: 3", "priority: 9", 4, 30, 'classes.roce.priority: "9" is not accepted', "from 0 to 7"),
    ("priority text", "priority: 3", "priority: high", 4, 30, '"high" is not accepted', "from 0 to 7"),
    ("priority true", "priority: 3", "priority: true", 4, 30, '"true" is not accepted', "from 0 to 7"),
    ("yes", "lossless: true", "lossless: yes", 4, 43, '"yes" is no truth value', "write true"),
    ("off", "strict: true", "strict: off", 5, 41, '"off" is no truth value', "write false"),
    ("lossless number", "lossless: true", "lossless: 1", 4, 43, '"1" is no truth value', "true, false"),
    ("dscp 64", "dscp: 26", "dscp: 64", 4, 16, 'DSCP "64" is outside 0 to 63', "0 to 63"),
    ("dscp downwards", "dscp: 26", 'dscp: "31-24"', 4, 16, "counts down", "24-31"),
    ("dscp name", "dscp: 26", "dscp: af31", 4, 16, '"af31" is no DSCP', "0 to 63"),
    ("dscp list", "dscp: 26", "dscp: []", 4, 16, "the list of DSCPs is empty", "[24, 26]"),
    ("percent missing", "60%", "60", 4, 60, 'percentage "60" has no unit', "10%"),
    ("percent above", "60%", "160%", 4, 60, "above 100%", "0% to 100%"),
    ("size without unit", "98KB", "98000", 6, 57, 'size "98000" has no unit', "128KiB (1024)"),
    ("size, wrong unit", "98KB", "98Kb", 6, 57, 'did you mean "kB"?', "or auto"),
    ("size as a list", "98KB", "[98KB]", 6, 57, "is no size", "or auto"),
    ("nothing written", "mtu: 9216", "mtu: ", 6, 12, "settings.mtu: no value is written", "auto"),
    ("mtu too large", "mtu: 9216", "mtu: 99999", 6, 17, '"99999" is not accepted', "1280 to 10240, or auto"),
    ("mtu with unit", "mtu: 9216", "mtu: 9216B", 6, 17, '"9216B" is not accepted', "whole number"),
    ("roce mtu", "mtu: 9216", "roce_mtu: 4200", 6, 22, '"4200" is no RDMA path MTU', "256, 512, 1024, 2048, 4096"),
    ("enum word", "mtu: 9216", "trust: dcsp", 6, 19, '"dcsp" is not accepted, did you mean "dscp"?', "dscp, pcp"),
    ("enum word, case", "mtu: 9216", "trust: DSCP", 6, 19, 'did you mean "dscp"?', "dscp, pcp"),
    ("pfc mode", "headroom: 98KB", "mode: true", 6, 53, '"true" is not accepted', "on, off, dcbx"),
    ("ecn word", "bandwidth: 60%", "ecn: off", 4, 54, '"off" is not accepted', "auto, false"),
    ("ecn ramp", "bandwidth: 60%", "ecn: {kmin: 150}", 4, 61, "classes.roce.ecn.kmin: size", "150KB"),
    ("time without unit", "200ms", "200", 8, 40, 'time "200" has no unit', "200ms"),
    ("cable, medium", "30m fibre", "30m fibr", 6, 30, '"fibr" is no medium, did you mean "fibre"?', "dac"),
    ("cable, length", "30m fibre", "30 fibre", 6, 30, 'length "30" has no unit', "3m"),
    ("cable, zero", "30m fibre", "0m", 6, 30, "is not accepted", "200km"),
    ("traffic", "mtu: 9216", "traffic: wurst", 6, 21, 'did you mean "worst"?', "mixed 50%"),
    ("nos unknown", "nos: sonic", "nos: sonik", 12, 21, '"sonik" is not known, did you mean "sonic"?', "nxos, sonic"),
    ("nic unknown", "nic: mlx5", "nic: cx7", 13, 21, '"cx7" is not known', "mlx5"),
    ("nos yes", "nos: nxos", "nos: true", 10, 21, "is no text", "quotes"),
    ("device pattern", "gpu[01-08]:", '"gpu[01-08":', 13, 3, 'has a "[" without a "]"', "[1-4]"),
    ("device path", "gpu[01-08]:", '"../x":', 13, 3, '"../x" is no device name', "leaf1"),
    ("device with port", "gpu[01-08]:", '"gpu1:eth0":', 13, 3, "is no device name", "leaf1"),
    ("device number", "gpu[01-08]:", "7:", 13, 3, "is no text", "quotes"),
    ("too many devices", "gpu[01-08]:", "gpu[1-900000]:", 13, 3, "more than 200,000 devices", "ranges"),
    ("port pattern", "Ethernet[0,8]", "Ethernet[8-0]", 12, 49, "counts down", "[0-8]"),
    ("port with shell words", "Ethernet64", "eth0;reboot", 12, 79, '"eth0;reboot" is no port name', "swp1"),
    ("port speed", "speed: 100G}", "speed: 100}", 12, 99, 'speed "100" has no unit', "400G"),
    ("links no list", "fabric: pod1", 'fabric: pod1\n"links ": []', 3, 1, 'unknown key "links "', "links"),
    ("link unknown key", "cable: 5m dac", "kable: 5m dac", 15, 70, 'unknown key "kable", did you mean "cable"?', "a, b, speed"),
    ("link without b", 'b: "gpu[01-04]:rail0", ', "", 15, 5, 'link: "b" is missing', "Ethernet1/1"),
    ("link without speed", "speed: 400G, cable", "cable", 15, 5, 'link: "speed" is missing', "400G"),
    ("link end without port", '"gpu[01-04]:rail0"', '"gpu[01-04]"', 15, 37, "is no link end", "device:port"),
    ("link end number", '"gpu[01-04]:rail0"', "4", 15, 37, '"4" is no link end', "device:port"),
    ("link counts", "Ethernet1/[1-4]", "Ethernet1/[1-5]", 15, 5, "a stands for 5 ports and b for 4", "same number"),
    ("link pattern", "Ethernet1/[1-4]", "Ethernet1/[4-1]", 15, 9, "counts down from 4 to 1", "[1-4]"),
    ("link bomb", "leaf1:Ethernet1/[1-4]", "leaf[1-9999999]:a[1-9999999]", 15, 5, "a stands for", "same number"),
    ("link speed", "speed: 400G, cable", "speed: 400, cable", 15, 64, 'speed "400" has no unit', "25G, 400G"),
    ("link speed, odd", "speed: 400G, cable", "speed: 400M, cable", 15, 64, "is not accepted", "1G to 10T"),
    ("link cable", "5m dac", "5m dak", 15, 77, '"dak" is no medium, did you mean "dac"?', "aoc"),
    ("link no mapping", '  - {a: "leaf1', '  - leaf1\n  - {a: "leaf1', 15, 5, '"leaf1" is no link', "a:"),
    ("suppression comment", "fabric: pod1", "fabric: pod1  # rocecfg: ignroe PFC-003", 2, 15, 'did you mean "ignore"?', "PFC-003"),
    ("suppression without rule", "fabric: pod1", "fabric: pod1  # rocecfg: ignore -- because", 2, 15, "names no rule", "PFC-003"),
    ("ignore no list", "fabric: pod1", "fabric: pod1\nignore: PFC-003", 3, 9, "is no list", "PFC-003"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "column", "message", "cure"), [m[1:] for m in MISTAKES],
                         ids=[m[0] for m in MISTAKES])  # fmt: skip
def test_mistakes(old, new, line, column, message, cure):
    assert old in GOOD
    found = problems(GOOD.replace(old, new, 1))
    assert len(found) == 1, [str(p) for p in found]
    assert message in found[0].message
    assert cure in found[0].help, found[0]
    assert (found[0].line, found[0].column) == (line, column), found[0]


def test_all_problems_of_a_file_at_once():
    broken = GOOD
    for old, new in (
        ("60%", "60"),
        ("mtu: 9216", "mtuu: 1"),
        ("nos: sonic", "nos: sonik"),
        ("400G, cable", "400, cable"),
    ):
        broken = broken.replace(old, new)
    assert [p.line for p in problems(broken)] == [4, 6, 12, 15]


def test_more_problems_than_anybody_reads():
    found = problems(GOOD.replace("settings:", "".join(f"  c{n}: 1\n" for n in range(50_000)) + "settings:"))
    assert len(found) == 101
    assert found[-1].message == "more than 100 problems: the rest is not shown"


def test_many_problems_in_one_part_cost_little():
    found = problems(GOOD.replace("roles:", "  " + "".join(f"\n  z{n}: 1" for n in range(50_000)) + "\nroles:")
                     .replace("settings: {mtu: 9216, cable: 30m fibre, pfc: {headroom: 98KB}}", "settings:"))  # fmt: skip
    assert len(found) == 101
    assert found[0].message.startswith('unknown key "z0" in settings')
    assert found[-1].message == "more than 100 problems: the rest is not shown"


def test_problems_under_a_key_that_is_a_number():
    found = problems(GOOD.replace("gpu[01-08]: {nic", "7: {zzz: 1, 8: 2, nic"))
    assert [(p.line, p.column, p.message) for p in found] == [
        (13, 3, 'device "7" is no text'),
        (13, 7, 'unknown key "zzz" in devices.7'),
        (13, 15, 'unknown key "8" in devices.7'),
    ]


@pytest.mark.parametrize("text", ["[]", "1", "pod1", "- a\n- b\n"])
def test_no_mapping(text):
    assert "is no intent" in problems(text)[0].message


def test_known_systems_are_only_asked_when_given():
    assert parse_intent(GOOD.replace("nos: sonic", "nos: anything")).devices["spine1"].nos == "anything"


def test_suppressions():
    text = GOOD.replace("fabric: pod1", "fabric: pod1\nignore: [INT-001, ECN-002 -- lab]").replace(
        "  leaf2: ", "  # rocecfg: ignore PFC-003, BUF-001 -- old cable\n  leaf2: "
    )
    text = text.replace("nic: mlx5,", "nic: mlx5, ignore: [NIC-001 -- later],")
    found = [(s.rule, s.reason, s.line, s.device) for s in parse_intent(text).suppressions]
    assert found == [
        ("PFC-003", "old cable", 13, None),
        ("BUF-001", "old cable", 13, None),
        ("INT-001", "", None, None),
        ("ECN-002", "lab", None, None),
        ("NIC-001", "later", None, "gpu[01-08]"),
    ]


def test_anchors_and_merges():
    text = GOOD.replace("leaf2:      {", "leaf2:      {<<: *l, ").replace("leaf[1-2]:  {", "leaf[1-2]:  &l {")
    assert parse_intent(text).devices["leaf2"].model == "N9K-C9364D-GX2A"


def test_links_file(tmp_path: Path):
    path = tmp_path / "links.yaml"
    path.write_text('- {a: "leaf1:swp1", b: "gpu1:eth0"}\n- {a: "leaf[0-8:8]:swp1", b: "gpu1:eth[1-2]", cable: 2km}\n')
    links = load_links(path)
    assert [(link.pairs, link.speed) for link in links] == [(1, None), (2, None)]
    path.write_text("a: 1\n")
    with pytest.raises(IntentError, match="is no list"):
        load_links(path)


def test_load_from_a_file(tmp_path: Path):
    path = tmp_path / "a.roce.yaml"
    path.write_text(GOOD)
    assert load_intent(path).file == str(path)
    assert load_intent(str(path), SYSTEMS).links


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_edit_gives_an_intent_or_problems(data):
    """Cut, double or replace pieces of a good file."""
    text = GOOD
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        inserted = data.draw(
            st.sampled_from(
                ["", "[1-3]", "{", "}", ": ", "\n", "- ", "auto", "null", "[]", "{}", "9", "&a ", "*a", "<<: "]
            )
            | st.text(max_size=6)
        )
        text = text[:start] + inserted + text[end:]
    fabric, found = None, ()
    try:
        fabric = expand(parse_intent(text, "f", SYSTEMS))
    except IntentError as error:
        found = error.problems
    assert (fabric is None) == bool(found)
    assert all(p.line >= 1 and p.column >= 1 and len(str(p)) < 2000 for p in found)
