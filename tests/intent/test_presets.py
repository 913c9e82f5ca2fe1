"""Presets: every shipped one is whole and sourced, the intent's own words win, a wrong name says what is known."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

from rocecfg import packs, yamlfile
from rocecfg.errors import IntentError, PlanError
from rocecfg.findings import Severity
from rocecfg.intent import presets
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.intent.schema import json_schema
from rocecfg.intent.shape import Part
from rocecfg.lint.run import lint
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import as_capture, render
from rocecfg.state.parse import parse
from rocecfg.yamlfile import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = presets.names()
INTENT = """\
version: 1
fabric: pod1
preset: PRESET
devices:
  leaf[1-2]: {nos: nxos, model: N9K-C9364D-GX2A, role: leaf}
  spine1: {nos: sonic, model: Mellanox-SN5600, role: spine}
  host[1-2]: {nic: mlx5}
links:
  - {a: "leaf[1-2]:Ethernet1/1", b: "host[1-2]:rail0", speed: 100G, cable: 3m dac}
  - {a: "leaf[1-2]:Ethernet1/2", b: "spine1:Ethernet[0,8]", speed: 100G, cable: 30m fibre}
"""


def text_of(name: str, *lines: str) -> str:
    return INTENT.replace("preset: PRESET", "\n".join((f"preset: {name}", *lines)))


def fabric_of(name: str, *lines: str):
    return expand(parse_intent(text_of(name, *lines), "f"))


def problems(text: str):
    with pytest.raises(IntentError) as caught:
        parse_intent(text, "f")
    return caught.value.problems


def leaves(part: Part, *path: str) -> Iterator[tuple[str, ...]]:
    for key, value in part.stated.items():
        yield from leaves(value, *path, key) if isinstance(value, Part) else [(*path, key)]


def test_the_promised_presets_are_there():
    assert {"azure-local", "gaudi3", "nvidia-roce", "sonic-dual-tor", "vsan"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_a_preset_has_a_source_and_every_source_a_value(name):
    preset = presets.load_preset(name, Place("f", 1, 1))
    paths = [path for of, part in preset.classes.items() for path in leaves(part, "classes", of)]
    paths += list(leaves(preset.settings, "settings"))
    assert not [path for path in paths if preset.because(*path) == f"preset {name}"]
    of_paths = {".".join(path[:length]) for path in paths for length in range(1, len(path) + 1)}
    assert set(preset.sources) <= of_paths


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_with_devices_and_links_is_a_whole_intent(name):
    text = text_of(name)
    assert not [
        str(error)
        for error in jsonschema.Draft202012Validator(json_schema()).iter_errors(yamlfile.load_text(text).data)
    ]
    fabric = fabric_of(name)
    made = plan(fabric)
    assert not made.refusals()
    for device in made.devices.values():
        numbers = {item.name: item.because for port in device.fitted.ports for item in device.numbers(port)}
        assert f"preset {name}: " in numbers["pfc.priorities"]
    states = [parse(as_capture(device.fitted, render(device.fitted))) for device in made.devices.values()]
    result = lint(states, intent=fabric)
    assert not [str(item) for item in result.findings if item.severity > Severity.INFO]


def test_numbers_of_the_presets():
    def classes(name: str):
        return {
            item.name: (item.dscp, item.priority, item.lossless, item.bandwidth)
            for item in fabric_of(name).classes.values()
        }

    assert classes("azure-local") == {
        "storage": ((), 3, True, 50), "cluster": ((), 7, False, 1),
        "default": (tuple(range(64)), 0, False, None),
    }  # fmt: skip
    assert classes("nvidia-roce")["roce"] == ((26,), 3, True, 50)
    assert classes("nvidia-roce")["cnp"] == ((48,), 6, False, None)
    assert classes("gaudi3")["data"][:3] == ((24,), 2, True)
    assert classes("gaudi3")["ack"][:3] == ((16,), 3, True)
    assert classes("vsan")["vsan"][:3] == ((26,), 3, True)
    lossless = {item[0][0]: item[1] for item in classes("sonic-dual-tor").values() if item[2]}
    assert lossless == {3: 3, 4: 4, 2: 2, 6: 6}
    assert classes("sonic-dual-tor")["default"][1] == 1


def test_the_class_of_the_intent_wins_key_by_key():
    fabric = fabric_of(
        "nvidia-roce", "classes: {roce: {bandwidth: 60%, ecn: {pmax: 5%}}, backup: {dscp: 10, priority: 1}}"
    )
    roce, cnp, backup = (fabric.classes[name] for name in ("roce", "cnp", "backup"))
    assert (roce.dscp, roce.priority, roce.lossless, roce.bandwidth, roce.ecn_pmax) == ((26,), 3, True, 60, 5)
    assert roce.stated == {"bandwidth", "ecn"}
    assert roce.because("priority").startswith("preset nvidia-roce: NVIDIA")
    assert roce.because("bandwidth") == "class roce (f:4)"
    assert roce.place == ("f", 4, 11), "the class is written there"
    assert cnp.place == ("f", 3, 9), "the preset brings the whole class"
    assert backup.origins == {}
    made = plan(fabric).devices["leaf1"]
    numbers = {item.name: item.because for item in made.numbers("Ethernet1/1")}
    assert "class roce of the intent" in numbers["queues.3.weight"]
    assert "preset nvidia-roce: NVIDIA" in numbers["queues.6.scheduler"]
    assert numbers["queues.3.ecn.pmax"].startswith("class roce (f:4)")


def test_settings_of_the_intent_win_at_every_level():
    assert fabric_of("azure-local").settings("leaf1").trust.value == "pcp"
    assert fabric_of("azure-local").settings("leaf1").trust.because.startswith("preset azure-local: Microsoft, ")
    for lines in (["settings: {trust: dscp}"], ["roles: {leaf: {trust: dscp}}"]):
        trust = fabric_of("azure-local", *lines).settings("leaf1", "Ethernet1/1").trust
        assert (trust.value, "preset" in trust.because) == ("dscp", False)
    assert fabric_of("azure-local", "settings: {trust: auto}").settings("leaf1").trust.value is None
    assert fabric_of("vsan", "settings: {mtu: 9100}").settings("leaf1").dcbx.value == "ieee"


def test_a_class_stands_above_the_settings_of_a_preset(monkeypatch, tmp_path):
    room = tmp_path / "vendors" / "presets"
    room.mkdir(parents=True)
    (room / "own.yaml").write_text(
        "title: ours\nclasses: {roce: {dscp: 26, priority: 3, lossless: true}}\n"
        "settings: {ecn: {kmin: 100KB, kmax: 900KB}}\nsources: {classes: a, settings: b}\n"
    )
    monkeypatch.setattr(packs, "_extra", [tmp_path])
    assert "own" in presets.names()
    made = plan(fabric_of("own", "classes: {roce: {ecn: {kmin: 200KB}}}")).devices["spine1"]
    numbers = {item.name: (item.value, item.because) for item in made.numbers("Ethernet0")}
    assert numbers["queues.3.ecn.kmin"] == (200_000, "class roce (f:4)") or numbers["queues.3.ecn.kmin"][0] == 200_000
    assert numbers["queues.3.ecn.kmax"][0] == 900_000
    assert numbers["queues.3.ecn.kmax"][1].startswith("preset own: b (f:3)")


def test_no_dscp_and_ports_that_trust_dscp():
    with pytest.raises(PlanError, match=r"class storage \(f:3\) has no DSCP.*write its dscp, or trust: pcp"):
        plan(fabric_of("azure-local", "settings: {trust: dscp}"))
    made = plan(
        fabric_of("azure-local", "settings: {trust: dscp}", "classes: {storage: {dscp: 26}, cluster: {dscp: 48}}")
    )
    assert made.devices["leaf1"].fitted.ports["Ethernet1/1"].qos.dscp_to_tc.to[26] == 3


@pytest.mark.parametrize(("word", "message"), [
    ("azure-locl", '"azure-locl" is not known, did you mean "azure-local"?'),
    ("../../etc/passwd", '"../../etc/passwd" is not known'),
    ("NVIDIA-ROCE", '"NVIDIA-ROCE" is not known'),
    ("[gaudi3]", "is not known"), ("{}", "is not known"), ("7", '"7" is not known'), ("true", '"true" is not known'),
    ("", "is not known"), ("'\"; rm'", "is not known"),
])  # fmt: skip
def test_a_name_that_is_none(word, message):
    found = problems(text_of(word))
    assert message in found[0].message
    assert found[0].line == 3
    assert ", ".join(NAMES) in found[0].help


def test_neither_preset_nor_classes():
    found = problems(INTENT.replace("preset: PRESET\n", ""))
    assert [(item.line, item.message) for item in found] == [(1, '"classes" is missing')]
    assert "preset" in found[0].help
    bare = yamlfile.load_text(INTENT.replace("preset: PRESET\n", "")).data
    assert list(jsonschema.Draft202012Validator(json_schema()).iter_errors(bare))


def test_mistakes_beside_a_preset_keep_their_places():
    found = problems(text_of("vsan", "classes: {vsan: {bandwith: 10%}, own: {dscp: 3}}"))
    assert [(item.line, item.message.split(",")[0]) for item in found] == [
        (4, 'unknown key "bandwith" in classes.vsan'), (4, 'classes.own: "priority" is missing'),
    ]  # fmt: skip
    found = problems(text_of("sonic-dual-tor", "classes: {rest: {kind: default}}"))
    assert 'there is a default class already, "default"' in found[0].message


def test_a_broken_preset_of_a_pack_names_its_own_file(monkeypatch, tmp_path):
    room = tmp_path / "vendors" / "presets"
    room.mkdir(parents=True)
    monkeypatch.setattr(packs, "_extra", [tmp_path])
    for broken, message in (
        ("title: x\nclases: {}\n", 'unknown key "clases"'), ("- 1\n", "must be a mapping"), ("title: x\n", "is missing"),
        ("title: x\nclasses: {a: {priority: 9}}\nsources: {a: b}\n", '"9" is not accepted'), ("a: [\n", "own.yaml"),
    ):  # fmt: skip
        (room / "own.yaml").write_text(broken)
        found = problems(text_of("own"))
        assert any(message in item.message or message in item.file for item in found), (broken, found)
        assert all(item.file.endswith("own.yaml") for item in found if item.line and "own" in item.file)


def test_no_preset_is_read_where_none_is_named(tmp_path: Path):
    program = (
        "import sys\n"
        "from rocecfg.intent.load import parse_intent\n"
        "parse_intent('version: 1\\nfabric: a\\nclasses: {r: {dscp: 26, priority: 3}}\\ndevices: {a: {nos: nxos}}\\n')\n"
        "print('rocecfg.intent.presets' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_every_preset_is_in_the_document():
    text = (Path(__file__).resolve().parents[2] / "docs" / "intent.md").read_text(encoding="utf-8")
    assert not [name for name in NAMES if f"| `{name}` |" not in text]
