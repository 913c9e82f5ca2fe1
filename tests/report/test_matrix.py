"""The support matrix."""

from __future__ import annotations

import json

from rocecfg.report import matrix, vendorpage
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
    assert {line.replace("\\|", "").count("|") for line in lines} == {8}
    assert lines[2] == "| [toyos](docs/vendors/toyos.md) | Toy \\| switch | `toy.cfg` | 2 | 0 | 0 | 1 |"


def test_a_page_says_who_vouches_for_each_line() -> None:
    page = vendorpage.page(MANIFEST)
    assert page.startswith("# Toy | switch\n")
    assert "- 2 line shapes **schema**: checked against" in page
    assert "- 1 line shape **inferred**: nobody says so" in page
    assert "| `` c `` | inferred | s |" in page
    assert page.index("`` c ``") < page.index("`` a ``"), "the weakest evidence stands first"


def test_a_system_that_renders_nothing_says_so() -> None:
    bare = Manifest(name="bare", title="Bare", kind="switch", notes=("no <syntax> is known",))
    page = vendorpage.page(bare)
    assert "Nothing is rendered for it." in page
    assert "- no &lt;syntax> is known" in page
    assert "| [bare](bare.md) | Bare | nothing | 0 | 0 | 0 | 0 |" in vendorpage.index([bare])


def test_json() -> None:
    data = json.loads(matrix.as_json([MANIFEST]))
    assert data["vendors"][0]["evidence"] == {"schema": 2, "device": 0, "documented": 0, "inferred": 1}
    assert data["vendors"][0]["files"] == ["toy.cfg"]
