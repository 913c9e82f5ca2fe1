"""The starter intent: it loads, is planned, lints clean and renders, whatever systems are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg
from rocecfg.intent import presets
from rocecfg.intent.load import load_intent
from rocecfg.vendor import registry
from tests.advise.test_cases import CLOUD, LABORATORY

if TYPE_CHECKING:
    from rocecfg.advise import knowledge

SYSTEMS = [name for name in registry.names() if registry.get(name).manifest.kind == "switch"]
NICS = [name for name in registry.names() if registry.get(name).manifest.kind == "host"]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(rocecfg, arguments)
    return result.exit_code, result.output


@pytest.mark.parametrize("nos", SYSTEMS)
def test_every_switch_system(advise, nos: str) -> None:
    ran = advise("--intent", "pod.roce.yaml", plan=f"version: 1{LABORATORY}hardware: {{nos: {nos}, nic: mlx5}}\n")
    if nos == "ruijie":  # its commands are not public
        assert (ran.code, "are not public" in ran.err) == (2, True)
        return
    assert ran.code == 0, ran.err
    assert ran.err == "written: pod.roce.yaml\n"
    assert run("validate", "pod.roce.yaml")[0] == 0
    code, out = run("lint", "pod.roce.yaml", "--fail-on", "warning")
    assert code == 0, out
    code, out = run("render", "pod.roce.yaml", "-o", "out")
    assert code == 0, out


@pytest.mark.parametrize("nic", NICS)
def test_every_nic_family_and_its_preset(advise, nic: str) -> None:
    ran = advise("--intent", "pod.roce.yaml", plan=f"version: 1{LABORATORY}hardware: {{nos: sonic, nic: {nic}}}\n")
    assert ran.code == 0, ran.err
    fitting = {"mlx5": "nvidia-roce", "ionic": "amd-pollara", "bnxt": "broadcom-thor2"}.get(nic)
    intent = load_intent("pod.roce.yaml")
    assert (intent.preset.name if intent.preset else None) == fitting
    code, out = run("lint", "pod.roce.yaml", "--fail-on", "warning")
    assert code == 0, out


def test_the_presets_of_the_knowledge_exist(known: knowledge.Knowledge) -> None:
    assert set(known.starter["presets"].values()) <= set(presets.names())
    assert {known.starter["nos"], known.starter["nic"], *known.starter["presets"]} <= {*SYSTEMS, *NICS}


def test_a_lossy_verdict_writes_a_lossy_intent(advise) -> None:
    plan = (
        "version: 1\nworkloads: {inference: 90%, training: 10%}\ngpus: {later: 256}\ntraffic: {pattern: exchange}\n"
        "people: {roce: 1}\nlink: {speed: 100G}\n"
    )
    assert advise("--intent", "pod.roce.yaml", plan=plan).code == 0
    intent = load_intent("pod.roce.yaml")
    assert not any(item.lossless for item in intent.classes.values())
    code, out = run("lint", "pod.roce.yaml", "--fail-on", "warning")
    assert code == 0, out


def test_what_stands_in_is_said(advise, tmp_path) -> None:
    plan = "version: 1\nworkloads: {training: 80%}\ngpus: {later: 256}\n"
    advise("--intent", "pod.roce.yaml", plan=plan)
    text = (tmp_path / "pod.roce.yaml").read_text(encoding="utf-8")
    assert "# nos: nobody named one" in text
    assert "# nic: nobody named one" in text
    assert "# speed: nobody named one" in text


def test_names_of_users_are_quoted(advise, tmp_path) -> None:
    plan = f"version: 1{LABORATORY.replace('laboratory', '2026')}hardware: {{model: \"SN5600, 'x'}}\"}}\n"
    assert advise("--intent", "pod.roce.yaml", plan=plan).code == 0
    assert load_intent("pod.roce.yaml").fabric == "2026"


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (CLOUD, "the verdict is InfiniBand"),
        ("\ngpus: {later: 8}\nworkloads: {training: 100%}\n", "the verdict is plain Ethernet with TCP"),
        ("\ngpus: {later: 8}\n", "the verdict is not established"),
        (f"{LABORATORY}hardware: {{nos: sonik}}\n", 'hardware.nos: "sonik" is not known, did you mean "sonic"?'),
        (f"{LABORATORY}hardware: {{nic: sonic}}\n", 'hardware.nic: "sonic" is not known'),
    ],
)
def test_no_intent_where_none_fits(advise, tmp_path, plan: str, message: str) -> None:
    ran = advise("--intent", "pod.roce.yaml", plan=f"version: 1{plan}")
    assert ran.code == 2
    assert "\nVerdict\n" in ran.out, "the advice is given all the same"
    assert message in ran.err
    assert not (tmp_path / "pod.roce.yaml").exists()


def test_nothing_is_overwritten(advise, tmp_path) -> None:
    (tmp_path / "pod.roce.yaml").write_text("mine", encoding="utf-8")
    ran = advise("--intent", "pod.roce.yaml", plan=f"version: 1{LABORATORY}")
    assert ran.code == 2
    assert "already there" in ran.err
    assert (tmp_path / "pod.roce.yaml").read_text(encoding="utf-8") == "mine"
