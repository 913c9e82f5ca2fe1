"""The JSON Schema agrees with the loader, and every example we ship loads, expands and validates."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
from intents import GOOD

from rocecfg import yamlfile
from rocecfg.errors import IntentError
from rocecfg.intent.expand import expand
from rocecfg.intent.load import load_intent, parse_intent
from rocecfg.intent.schema import FILE_NAME, json_schema
from rocecfg.intent.settings import Settings
from rocecfg.vendor import registry

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = [*sorted((ROOT / "examples").rglob("*.roce.yaml")), ROOT / "templates" / "intent" / "starter.roce.yaml"]
VALIDATOR = jsonschema.Draft202012Validator(json_schema())


def test_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(json_schema())


def test_shipped_schema_is_the_one_we_make():
    assert json.loads((ROOT / "examples" / FILE_NAME).read_text(encoding="utf-8")) == json_schema()


def parts(schema):
    yield schema
    yield from schema["$defs"].values()


def test_schema_is_closed_and_described():
    for part in parts(json_schema()):
        assert part["additionalProperties"] is False
        for name, field in part["properties"].items():
            assert field["description"], name


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples(path):
    fabric = expand(load_intent(path))
    used = Counter(end for link in fabric.links for end in (link.a, link.b))
    assert max(used.values()) == 1, "a port carries one cable"
    assert {end.device for end in used} == set(fabric.devices)
    assert all(port.cable_m for device in fabric.devices.values() for port in device.ports.values())
    assert not list(VALIDATOR.iter_errors(yamlfile.load_path(path).data))
    assert path.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=")


def test_sizes_of_the_examples():
    pod = expand(load_intent(ROOT / "examples" / "pod-400g" / "pod-400g.roce.yaml"))
    assert Counter(device.role for device in pod.devices.values()) == {"leaf": 32, "spine": 16, "host": 128}
    assert Counter(len(device.ports) for device in pod.devices.values()) == {8: 128, 64: 48}
    pairs = Counter((link.a.device, link.b.device) for link in pod.links if link.b.device.startswith("spine"))
    assert len(pairs) == 32 * 16
    assert set(pairs.values()) == {2}
    rails = {(link.a.device, link.b.port) for link in pod.links if link.b.device.startswith("gpu")}
    assert len(rails) == 32, "a leaf serves one rail"
    lab = expand(load_intent(ROOT / "examples" / "lab-25g" / "lab-25g.roce.yaml"))
    assert Counter(device.role for device in lab.devices.values()) == {"leaf": 2, "host": 8}
    assert len((ROOT / "examples" / "minimal" / "minimal.roce.yaml").read_text().splitlines()) == 12


def test_the_mixed_pod_has_every_system_that_is_rendered():
    pod = expand(load_intent(ROOT / "examples" / "mixed-pod" / "mixed-pod.roce.yaml"))
    rendered = {name for name in registry.names() if registry.get(name).manifest.render}
    assert {device.system for device in pod.devices.values()} == rendered


BOTH_REFUSE = [
    ("mtu: 9216", "mtuu: 9216"),
    ("mtu: 9216", "mtu: 99999"),
    ("mtu: 9216", "mtu: 9216B"),
    ("mtu: 9216", "trust: yes"),
    ("98KB", "98"),
    ("98KB", "98Kb"),
    ("60%", "60"),
    ("dscp: 26", "dscp: 64"),
    ("dscp: 26", "dscp: []"),
    ("lossless: true", "lossless: yes"),
    ("priority: 3", "priority: 8"),
    ("200ms", "200"),
    ("speed: 400G, cable", "speed: 400, cable"),
    ("speed: 400G, cable", "cable"),
    ('a: "leaf1:Ethernet1/[1-4]"', 'a: "leaf1"'),
    ("version: 1", "version: 2"),
    ("fabric: pod1\n", ""),
    ("strict: true", "ecn: off"),
]


@pytest.mark.parametrize(("old", "new"), BOTH_REFUSE, ids=[new for _, new in BOTH_REFUSE])
def test_schema_and_loader_refuse_the_same(old, new):
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    assert list(VALIDATOR.iter_errors(yamlfile.load_text(text).data))
    with pytest.raises(IntentError):
        parse_intent(text)


BOTH_TAKE = [
    ("mtu: 9216", "mtu: auto, roce_mtu: 4096, trust: dscp, congestion_control: dcqcn, traffic: mixed 50%"),
    ("mtu: 9216", "dcbx: off, design_incast: 64, max_oversubscription: 1.5, rtt: 8us, asymmetric_pfc: false"),
    ("headroom: 98KB", "mode: on, alpha: 1/8, xoff_at: 1MiB, xon_below: 18KB"),
    ("60%", "auto"),
    ("dscp: 26", 'dscp: [24, "26-31"]'),
    ("strict: true", "ecn: false, pcp: [5, 6], queue: 6, traffic_class: 6, priority_group: 0, kind: cnp"),
    ("strict: true", "ecn: {kmin: 150KB, kmax: 1.5MB, pmax: 10%}"),
    ("nic: mlx5,", "nic: mlx5, host: {cnp_dscp: 48, cnp_interval: 4us, rdma_device: mlx5_0},"),
    ("release: 10.30", 'release: "10.3(4a)", asic: th4'),
    ("fabric: pod1", "fabric: pod1\nignore: [PFC-003 -- lab]"),
    ("mtu: 9216", "buffer: {lossless_share: 50%, headroom_share: 20%, oversubscription: 2}"),
    ("mtu: 9216", "watchdog: {enabled: true, poll: 100ms, restore: 1s, action: drop}, ecn: {profile: latency}"),
]


@pytest.mark.parametrize(("old", "new"), BOTH_TAKE, ids=[new[:40] for _, new in BOTH_TAKE])
def test_schema_and_loader_take_the_same(old, new):
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    assert not [error.message for error in VALIDATOR.iter_errors(yamlfile.load_text(text).data)]
    expand(parse_intent(text))


def test_every_setting_of_the_file_has_its_place_in_the_merged_view():
    definitions = json_schema()["$defs"]
    names = set()
    for name, field in definitions["SettingsPart"]["properties"].items():
        inner = definitions[field["$ref"].rsplit("/", 1)[1]]["properties"] if "$ref" in field else {"": None}
        names |= {f"{name}_{key}" if key else name for key in inner}
    assert names == set(Settings.__dataclass_fields__)


def test_every_setting_is_read_by_somebody():
    rooms = (ROOT / room for room in ("rocecfg", "vendors", "lint_rules"))
    text = "\n".join(file.read_text("utf-8") for room in rooms for file in room.rglob("*.py"))
    unread = [name for name in Settings.__dataclass_fields__ if not re.search(rf"\.{name}\b", text)]
    assert not unread, "the file takes these, and nothing comes of it"
