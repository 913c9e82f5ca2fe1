"""The READMEs say what is so: the matrix is current, both languages keep the same commands, the example is the shipped one."""

from __future__ import annotations

import importlib.util
import re

from benchmarks import vendor_pages
from tests.conftest import ROOT


def _matrix_module() -> object:
    spec = importlib.util.spec_from_file_location("readme_matrix", ROOT / "benchmarks" / "readme_matrix.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_support_matrix_is_current() -> None:
    module = _matrix_module()
    matrix = module.matrix()  # type: ignore[attr-defined]
    for name in module.READMES:  # type: ignore[attr-defined]
        text = (ROOT / name).read_text(encoding="utf-8")
        assert module.with_matrix(text, matrix) == text, f"{name}: run python benchmarks/readme_matrix.py"  # type: ignore[attr-defined]


def test_the_page_of_each_system_is_current() -> None:
    made, folder = vendor_pages.pages(), ROOT / "docs" / "vendors"
    assert {path.name for path in folder.glob("*.md")} == set(made)
    stale = [name for name, text in made.items() if (folder / name).read_text(encoding="utf-8") != text]
    assert not stale, "run `make pages`"


def _blocks(name: str) -> list[str]:
    """The fenced blocks without their comments, which are translated."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return [re.sub(r" *#.*", "", block) for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)]


def test_both_languages_show_the_same_commands() -> None:
    assert _blocks("README.md") == _blocks("README.zh-CN.md")


def test_the_example_is_the_shipped_one() -> None:
    shipped = (ROOT / "examples" / "minimal" / "minimal.roce.yaml").read_text(encoding="utf-8")
    lines = [line for line in shipped.splitlines() if line and not line.startswith("#")]
    shown = [line for line in _blocks("README.md")[1].splitlines() if line]
    assert shown == lines


def test_the_quick_start_begins_with_two_commands() -> None:
    assert _blocks("README.md")[0].split("\n") == ["make demo", "make test", ""]
