"""The wheel works from an empty environment and another folder; so do the sdist it is built from and a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("vendors", "templates", "lint_rules", "examples")


def _run(command: list[str | Path], cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    ran = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert ran.returncode == 0, f"{command}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def _content(room: str) -> set[str]:
    """Return the files of a room that git knows or would know: what must be in the wheel."""
    listed = _run(["git", "ls-files", "--cached", "--others", "--exclude-standard", room], ROOT).split()
    return {name for name in listed if (ROOT / name).is_file()}


def _renders_and_lints(python: Path, folder: Path) -> None:
    """Render and lint the shipped minimal example with nothing but the installed package."""
    where = "import rocecfg.packs as p; print(p._own('examples')); print(p._own('vendors'))"
    examples, vendors = map(Path, _run([python, "-c", where], folder).split())
    assert folder not in vendors.parents
    intent = examples / "minimal" / "minimal.roce.yaml"
    rocecfg = [python, "-m", "rocecfg"]
    _run([*rocecfg, "render", intent, "-o", "out"], folder)
    assert "no findings" in _run([*rocecfg, "drift", intent, "out"], folder)
    _run([*rocecfg, "lint", "out", "--intent", intent], folder)
    assert "PFC-001" in _run([*rocecfg, "rules"], folder)
    assert "nxos" in _run([*rocecfg, "vendors"], folder)
    _run([*rocecfg, "init", "new"], folder)
    (new,) = (folder / "new").glob("*.roce.yaml")
    _run([*rocecfg, "validate", new], folder)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    _run([sys.executable, "-m", "build", "--outdir", folder, ROOT], ROOT)
    return folder


@pytest.mark.slow
def test_sdist_and_wheel_hold_every_content_file(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        in_sdist = {name.partition("/")[2] for name in archive.getnames()}
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = set(archive.namelist())
    for room in ROOMS:
        wanted = _content(room)
        assert wanted
        assert wanted <= in_sdist
        assert {f"rocecfg/{name}" for name in wanted} <= in_wheel
    assert {"LICENSE", "CHANGELOG.md", "Makefile", "tests/conftest.py"} <= in_sdist
    assert {name.partition("/")[0].partition("-")[0] for name in in_wheel} == {"rocecfg"}
    assert any(name.endswith("licenses/LICENSE") for name in in_wheel)


@pytest.mark.slow
def test_wheel_works_in_an_empty_environment(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    _run([sys.executable, "-m", "venv", tmp_path / "venv"], tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    _run([python, "-m", "pip", "install", "--quiet", wheel], tmp_path)
    (tmp_path / "work").mkdir()
    _renders_and_lints(python, tmp_path / "work")
    assert _run([tmp_path / "venv" / "bin" / "rocecfg", "--version"], tmp_path).startswith("rocecfg ")


@pytest.mark.slow
def test_checkout_works_without_installing(tmp_path: Path) -> None:
    where = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from rocecfg.cli import main; sys.argv[0] = 'rocecfg'; main()"
    )
    assert "nxos" in _run([sys.executable, "-c", where, "vendors"], tmp_path)
