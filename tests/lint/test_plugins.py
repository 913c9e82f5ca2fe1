"""Rules and vendors of other installed packages: found, and left out with a warning that names them when broken."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT
from tests.lint.test_site import RULE

if TYPE_CHECKING:
    from pathlib import Path

PACK = ROOT / "tests" / "cli" / "pack"


@pytest.fixture
def site_packages(tmp_path: Path) -> Path:
    """A folder that stands in sys.path like site-packages."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    return folder


def install(folder: Path, package: str, group: str, name: str = "mine", target: str = "") -> Path:
    """Write a package with one entry point and return its folder."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {target or package}\n")
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text("")
    return folder / package


def rocecfg(folder: Path, *arguments: str) -> tuple[int, str, str]:
    code = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(folder)!r}]; from rocecfg.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=folder.parent,
        check=False,
        timeout=60,
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_rules_of_a_plugin_are_rules(site_packages: Path) -> None:
    package = install(site_packages, "goodrules", "rocecfg.rules")
    (package / "port_e3.py").write_text(RULE)
    code, out, err = rocecfg(site_packages, "rules")
    assert (code, err) == (0, "")
    assert "OWN-001" in out
    assert "PFC-001" in out


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda package: (package / "__init__.py").write_text("1 / 0"), "does not load: ZeroDivisionError"),
        (lambda package: (package / "__init__.py").write_text("raise SystemExit(3)"), "does not load: SystemExit"),
        (lambda package: (package / "rule.py").write_text("x = 1"), "rule.py: no rule"),
        (lambda package: (package / "rule.py").write_text(RULE + "1 / 0\n"), "rule.py: does not import"),
        (lambda package: (package / "rule.py").write_text(RULE.replace("OWN-001", "PFC-001")), "is already the id of"),
    ],
)
def test_a_broken_rule_plugin_is_a_warning_with_its_name(site_packages: Path, spoil, message: str) -> None:
    package = install(site_packages, "badrules", "rocecfg.rules", "broken")
    spoil(package)
    code, out, err = rocecfg(site_packages, "rules")
    assert code == 0
    assert "PFC-001" in out
    assert err.startswith("warning: plugin broken: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_plugin_that_is_not_there(site_packages: Path) -> None:
    install(site_packages, "gone", "rocecfg.rules", "gone", "gone.nowhere")
    code, _, err = rocecfg(site_packages, "rules")
    assert code == 0
    assert "plugin gone: gone.nowhere does not load: ModuleNotFoundError" in err


def test_vendors_of_a_plugin_are_vendors(site_packages: Path) -> None:
    package = install(site_packages, "toys", "rocecfg.vendors")
    (package / "vendors").symlink_to(PACK / "vendors")
    (package / "templates").symlink_to(PACK / "templates")
    code, out, err = rocecfg(site_packages, "vendors")
    assert (code, err) == (0, "")
    assert "toyos" in out


def test_a_broken_vendor_plugin_is_a_warning_with_its_name(site_packages: Path) -> None:
    package = install(site_packages, "badtoys", "rocecfg.vendors", "toys")
    folder = package / "vendors" / "toyos"
    folder.mkdir(parents=True)
    (folder / "vendor.yaml").write_text("name: [\n")
    (site_packages.parent / "a.cfg").write_text("feature qos\ninterface Ethernet1/1\n  mtu 9216\n")
    code, _, err = rocecfg(site_packages, "lint", "a.cfg")
    assert code in {0, 1, 3}
    assert "warning: plugin toys: " in err
    assert "Traceback" not in err
    install(site_packages, "empty", "rocecfg.vendors", "empty")
    assert "plugin empty: " in rocecfg(site_packages, "vendors")[2]
