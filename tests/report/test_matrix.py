"""The support matrix."""

from __future__ import annotations

import json

from rocecfg.report import matrix
from rocecfg.vendor.manifest import Evidence, Manifest, Output

MANIFEST = Manifest(
    name="toyos",
    title="Toy | switch",
    kind="switch",
    render=(Output(file="toy.cfg", template="toy.cfg.j2"),),
    capabilities={"pfc": "yes", "deep_buffer": "no"},
    evidence=tuple(
        Evidence(shape=shape, level=level, source="s")
        for shape, level in (("a", "schema"), ("b", "schema"), ("c", "inferred"))
    ),
    sources=("a manual",),
)


def test_text() -> None:
    written = matrix.as_text([MANIFEST])
    assert written.startswith("toyos  Toy | switch  (switch)\n")
    assert "evidence     schema 2  inferred 1 (line shapes)\n" in written


def test_markdown_is_one_table() -> None:
    lines = matrix.as_markdown([MANIFEST, MANIFEST]).splitlines()
    assert {line.replace("\\|", "").count("|") for line in lines} == {4}
    assert "| deep buffer | no | no |" in lines
    assert "| line shapes: schema | 2 | 2 |" in lines


def test_json() -> None:
    data = json.loads(matrix.as_json([MANIFEST]))
    assert data["vendors"][0]["evidence"] == {"schema": 2, "device": 0, "documented": 0, "inferred": 1}
    assert data["vendors"][0]["files"] == ["toy.cfg"]
