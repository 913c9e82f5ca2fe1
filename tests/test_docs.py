"""What the documentation and the CI files say is true: commands, configurations, rules, pages."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from rocecfg import packs
from rocecfg.cli.group import COMMANDS, rocecfg
from rocecfg.errors import ConfigurationError
from rocecfg.lint import load, site
from rocecfg.lint.config import Settings, find_file, load_settings, read_settings
from rocecfg.lint.configschema import json_schema
from rocecfg.lint.examples import read_example
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ("accept.md", "advise.md", "ci.md", "configuration.md", "live.md", "simulate.md")
INTENT = """\
version: 1
fabric: pod1
classes: {roce: {dscp: 26, priority: 3, lossless: true}}
devices: {leaf1: {nos: nxos}, gpu01: {nic: mlx5}}
links: [{a: "leaf1:Ethernet1/1", b: "gpu01:rail0", speed: 400G, cable: 3m dac}]
"""


@pytest.fixture(autouse=True)
def _forget():
    yield
    load.set_assertions([])
    packs._rule_folders.clear()


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_line_is_valid(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    lines = re.findall(
        r"^(?: *- )?(rocecfg [^#\n]+)", "\n".join(re.findall(r"```.*?```", text, re.DOTALL)), re.MULTILINE
    )
    lines += [line for line in re.findall(r"`(rocecfg [a-z][^`]*)`", text) if line.split()[1] in COMMANDS]
    assert lines
    import click

    for line in lines:
        _, name, *arguments = shlex.split(line)
        with click.Context(rocecfg) as ctx:
            command = rocecfg.get_command(ctx, name)
        assert command is not None, line
        if arguments:
            command.make_context(name, arguments).close()


def test_the_configurations_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, assertion, plugin = blocks("configuration.md", "toml")
    (tmp_path / "policy").mkdir()
    (tmp_path / "policy" / "rule.py").write_text(blocks("configuration.md", "python")[0], encoding="utf-8")
    (tmp_path / "policy" / "site.yaml").write_text(blocks("configuration.md", "yaml")[1], encoding="utf-8")
    (tmp_path / "rocecfg.toml").write_text(first + assertion, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    settings = load_settings(find_file(tmp_path))
    assert settings.options_of(load.rules()["INT-003"]).fibre == 2000
    assert {"OWN-001", "SITE-001", "SITE-002"} <= {rule.id for rule in settings.selected()}
    assert settings.baseline == tmp_path / ".rocecfg-baseline.json"
    assert set(tomllib.loads(plugin)["project"]["entry-points"]) == {"rocecfg.rules", "rocecfg.vendors"}


def test_the_schema_of_the_configuration_takes_what_the_reader_takes() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    first, assertion, _ = blocks("configuration.md", "toml")
    assert list(validator.iter_errors(tomllib.loads(first + assertion))) == []
    assert (
        list(
            validator.iter_errors(
                {"site": pytest.importorskip("yaml").safe_load(blocks("configuration.md", "yaml")[1])}
            )
        )
        == []
    )
    wrong: list[dict[str, object]] = [
        {"profil": "min"}, {"profile": "x"}, {"select": "PFC"}, {"rules": {"INT-003": {"dak": 3}}},
        {"rules": {"INT-003": {"dac": "3m"}}}, {"site": [{"id": "SITE-1", "require": {"mtu": 1}}]},
        {"site": [{"id": "SITE-001"}]}, {"site": [{"id": "SITE-001", "require": {"mtu": {"least": 1}}}]},
    ]  # fmt: skip
    for data in wrong:
        assert not validator.is_valid(data), data
        with pytest.raises(ConfigurationError):
            read_settings(data, "rocecfg.toml")


def test_the_rule_in_python_does_what_its_page_says(tmp_path: Path) -> None:
    (tmp_path / "rule.py").write_text(blocks("configuration.md", "python")[0], encoding="utf-8")
    packs.add_rule_folders([tmp_path])
    loaded = load.load(load.rules()["OWN-001"])
    own = Settings(select=("OWN",))
    assert read_example(loaded.good).lint(own).findings == ()
    assert [item.rule for item in read_example(loaded.bad).lint(own).findings] == ["OWN-001"]


def test_every_key_of_the_configuration_is_in_its_page() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    with pytest.raises(Exception, match="Known: ") as caught:
        read_settings({"?": 1}, "f")
    for key in str(caught.value).partition("Known: ")[2].split(", "):
        assert re.search(rf'^(?:{key} = |\[rules\."|\[\[{key}\]\])', text, re.MULTILINE), key
    for key in site.KEYS:
        assert key in text


def test_the_pages_of_the_rules_are_those_of_the_rules(tmp_path: Path) -> None:
    """`rocecfg explain --all --output docs/rules` brings them in step."""
    from rocecfg.cli.explain import _write

    _write(tmp_path, [load.load(rule) for rule in load.rules().values()])
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "rules").glob("*.md")}
    stale = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    assert stale == [], "run: make pages"


def test_links_of_the_pages_lead_somewhere() -> None:
    for page in [*(ROOT / "docs").glob("*.md"), ROOT / "docs" / "rules" / "README.md"]:
        for target in re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


# -- hooks and the action ----------------------------------------------------------------------------------------------


def _program(folder: Path) -> Path:
    """Write a `rocecfg` that runs this checkout, and return its folder for PATH."""
    folder.mkdir()
    program = folder / "rocecfg"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom rocecfg.cli import main\nmain()\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    return folder


def _environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "PRE_COMMIT"))}
    return kept | {
        "PATH": f"{_program(folder / 'bin')}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder), "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@y", "GIT_COMMITTER_NAME": "x",
        "GIT_COMMITTER_EMAIL": "x@y", "PRE_COMMIT_HOME": str(folder / "cache"), **more,
    }  # fmt: skip


def _yaml(path: Path):
    return pytest.importorskip("yaml").safe_load(path.read_text(encoding="utf-8"))


def test_the_hooks_name_valid_commands() -> None:
    hooks = {hook["id"]: hook for hook in _yaml(ROOT / ".pre-commit-hooks.yaml")}
    assert set(hooks) == {"rocecfg-validate", "rocecfg-lint", "rocecfg-render-check"}
    for hook in hooks.values():
        program, command, *_ = hook["entry"].split()
        assert (program, command in COMMANDS, hook["language"]) == ("rocecfg", True, "python")
        assert hook["description"]
    for page in blocks("ci.md", "yaml"):
        for name in re.findall(r"id: (rocecfg-\S+)", page):
            assert name in hooks


@pytest.mark.slow
def test_the_hooks_run_under_the_real_pre_commit(tmp_path: Path) -> None:
    """Offline: the hooks come from a local repository and run this checkout (`language: system`)."""
    pytest.importorskip("pre_commit")
    env = _environment(tmp_path)

    def run(*command: str, folder: Path, code: int = 0) -> str:
        ran = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=300)
        assert ran.returncode == code, f"{command}\n{ran.stdout}\n{ran.stderr}"
        return ran.stdout

    def commit_all(folder: Path) -> None:
        run("git", "add", ".", folder=folder)
        run("git", "commit", "-qm", "x", "--allow-empty", "--no-verify", folder=folder)

    hooks, sample = tmp_path / "hooks", tmp_path / "sample"
    for folder in (hooks, sample):
        folder.mkdir()
        run("git", "init", "-q", folder=folder)
    (hooks / ".pre-commit-hooks.yaml").write_bytes((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    commit_all(hooks)
    revision = run("git", "rev-parse", "HEAD", folder=hooks).strip()
    (sample / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {hooks}\n  rev: {revision}\n  hooks:\n"
        "  - {id: rocecfg-validate, language: system}\n"
        "  - {id: rocecfg-lint, language: system}\n"
        "  - {id: rocecfg-render-check, language: system, args: [pod1.roce.yaml, -o, out]}\n",
        encoding="utf-8",
    )
    intent = sample / "pod1.roce.yaml"
    intent.write_text(INTENT, encoding="utf-8")
    pre_commit = (sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose")
    run("rocecfg", "render", "pod1.roce.yaml", "-o", "out", folder=sample)
    commit_all(sample)
    out = run(*pre_commit, folder=sample)
    assert out.count("Passed") == 3, out

    intent.write_text(INTENT.replace("3m dac", "300m dac"), encoding="utf-8")
    commit_all(sample)
    out = run(*pre_commit, folder=sample, code=1)
    assert "INT-003" in out
    assert re.search(r"rocecfg render --check\.+Failed", out), "the cable's length changes the headroom"
    intent.write_text(INTENT.replace("priority: 3", "priority: 9"), encoding="utf-8")
    commit_all(sample)
    assert re.search(r"rocecfg validate\.+Failed", run(*pre_commit, folder=sample, code=1))


def test_the_action_annotates_and_writes_sarif(tmp_path: Path) -> None:
    action = _yaml(ROOT / "action.yml")
    step = next(step for step in action["runs"]["steps"] if step.get("name") == "Lint")
    assert action["runs"]["using"] == "composite"
    used = set(re.findall(r"inputs\.([a-z-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert used == set(action["inputs"])
    assert "${{" not in step["run"], "inputs reach the shell as variables only"
    (tmp_path / "a.roce.yaml").write_text(INTENT.replace("3m dac", "300m dac"), encoding="utf-8")
    env = _environment(
        tmp_path,
        ARGS="*.roce.yaml --fail-on warning",
        SARIF_FILE="r.sarif",
        GITHUB_STEP_SUMMARY=str(tmp_path / "sum.md"),
    )
    ran = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=tmp_path, env=env, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("::warning title=INT-003")
    assert '"ruleId": "INT-003"' in (tmp_path / "r.sarif").read_text(encoding="utf-8")
    assert "INT-003" in (tmp_path / "sum.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("schema", "number"), [("vendor.github-workflows", 2), ("vendor.gitlab-ci", 3)], ids=["github", "gitlab"]
)
def test_the_snippets_are_what_the_services_take(tmp_path: Path, schema: str, number: int) -> None:
    pytest.importorskip("check_jsonschema")
    file = tmp_path / "snippet.yml"
    file.write_text(blocks("ci.md", "yaml")[number], encoding="utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stdout


def test_every_room_is_on_the_map():
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = [path for path in (ROOT / "rocecfg").iterdir() if (path / "__init__.py").is_file()]
    assert [room.name for room in rooms if f"`rocecfg/{room.name}/`" not in page] == []
    named = set(re.findall(r"`((?:rocecfg|vendors|templates|tests|lint_rules|benchmarks)/[\w/.]*)`", page))
    assert [name for name in sorted(named) if not (ROOT / name).exists() and "<" not in name] == []
