"""A vendor.yaml: what it gives, and every mistake with its line, key, value and what is accepted."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from rocecfg.errors import ConfigurationError
from rocecfg.vendor.manifest import load_manifest

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
name: toy
title: Toy OS
kind: switch
port_names: [swp1, swp2]
commands:
  - {send: show running-config, id: running-config}
detect:
  - {pattern: '^toy ', score: 40, id: running-config}
render:
  - {file: toy.cfg, template: toy.cfg.j2}
  - {file: apply.sh, template: apply.sh.j2, mode: "0755"}
capabilities: {pfc: all priorities}
evidence:
  - {shape: 'toy <word>', level: device, source: "a real file"}
"""


def load(folder: Path, text: str):
    (folder / "vendor.yaml").write_text(text)
    load_manifest.cache_clear()
    return load_manifest(folder)


def test_what_a_manifest_gives(tmp_path: Path):
    manifest = load(tmp_path, GOOD)
    assert (manifest.name, manifest.kind, manifest.netmiko, manifest.sources) == ("toy", "switch", "", ())
    assert [output.mode for output in manifest.render] == [0o644, 0o755]
    assert manifest.detect[0].pattern.search("first\ntoy line")
    assert manifest.detect[0].score == 40
    assert manifest.evidence[0].level == "device"
    assert hash(manifest.evidence[0])
    assert load_manifest(tmp_path) is manifest
    with pytest.raises(ValidationError, match="frozen"):
        manifest.name = "other"


MISTAKES = [
    ("title: Toy OS\n", "", "vendor.yaml:1:1: title is missing"),
    ("kind: switch", "kind: swich", ':3:7: kind: "swich" is not accepted, did you mean "switch"?; accepted: \'switch\' or \'host\''),
    ("port_names", "port_name", ':4:1: unknown key port_name, did you mean "port_names"?; accepted: name, title'),
    (", id: running-config}\ndetect", "}\ndetect", ":6:5: commands.0.id is missing"),
    ("send:", "sent:", ':6:6: unknown key commands.0.sent, did you mean "send"?; accepted: send, id, whole_when'),
    ("'^toy '", "'^toy ('", ':8:15: detect.0.pattern: "^toy (": no regular expression: missing ), unterminated subpattern'),
    ("score: 40", "score: many", ':8:31: detect.0.score: "many" is not accepted; accepted: a valid integer'),
    ('"0755"', '"0799"', ':11:51: render.1.mode: "0799": a file mode is expected, in quotes: "0644", "0755"'),
    ('"0755"', "0755", ':11:51: "0755" is octal to some YAML programs'),
    ("level: device", "level: devise", ':14:34: evidence.0.level: "devise" is not accepted, did you mean "device"?'),
    ("{pfc: all priorities}", "[pfc]", ":12:15: capabilities: "),
    ("title: Toy OS", "title: Toy OS\ntitle: again", ':3:1: the key "title" stands twice'),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES, ids=lambda text: text[:24])
def test_mistakes(tmp_path: Path, old, new, message):
    assert old in GOOD
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, GOOD.replace(old, new, 1))
    said = str(caught.value)
    assert said.startswith(str(tmp_path / "vendor.yaml"))
    assert message in said


def test_all_mistakes_at_once(tmp_path: Path):
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, GOOD.replace("kind: switch", "kind: router").replace("send:", "sent:"))
    assert [line.split(":")[1] for line in str(caught.value).splitlines()] == ["3", "6", "6"]


@pytest.mark.parametrize("text", ["- a\n", "", "name: [\n"])
def test_no_mapping(tmp_path: Path, text):
    with pytest.raises(ConfigurationError, match=r"vendor\.yaml"):
        load(tmp_path, text)


def test_listing_the_systems_needs_no_pydantic():
    program = "import sys\nfrom rocecfg.vendor import registry\nregistry.names()\nprint('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
