"""`rocecfg simulate`: what it takes from a plan, what it says, what it refuses."""

from __future__ import annotations

import builtins
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

pytest.importorskip("numpy")

INTENT = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: 26, priority: 3, lossless: true, bandwidth: 60%}
  cnp:  {dscp: 48, priority: 6, strict: true}
devices:
  leaf[1-2]: {nos: NOS, model: DellEMC-Z9664f-O64, role: leaf}
  gpu[01-40]: {nic: mlx5, model: ConnectX-7, role: host}
links:
  - {a: "leaf1:Ethernet[0-152:8]", b: "gpu[01-20]:rail0", speed: 400G, cable: 15m aoc}
  - {a: "leaf2:Ethernet[0-152:8]", b: "gpu[21-40]:rail0", speed: 400G, cable: 15m aoc}
  - {a: "leaf1:Ethernet[256-272:8]", b: "leaf2:Ethernet[256-272:8]", speed: 400G, cable: 30m fibre}
"""


@pytest.fixture
def simulate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)

    def call(*words: str, intent: str = INTENT.replace("NOS", "eos"), time: str = "500us") -> Result:
        Path("pod1.roce.yaml").write_text(intent, encoding="utf-8")
        return CliRunner().invoke(rocecfg, ["simulate", "pod1.roce.yaml", "--time", time, *words])

    return call


def cases(ran: Result) -> list[dict]:
    assert ran.exit_code in {0, 1}, ran.stderr
    return json.loads(ran.stdout)["cases"]


def test_everything_comes_from_the_fitted_devices(simulate) -> None:
    (case,) = cases(simulate("--format", "json", "--incast", "8"))
    numbers = case["numbers"]
    assert (case["device"], case["alike"], case["senders"]) == ("leaf1", ["leaf1", "leaf2"], 8)
    assert numbers["rate"] == 400_000_000_000
    assert numbers["alpha"] == 1
    assert numbers["ramp"] == {"kmin": 400_000, "kmax": 1_600_000, "pmax": 20}
    assert numbers["rtt_ns"] == 8_000
    assert numbers["dcqcn"]["min_time_between_cnps"] == 4
    assert numbers["pool"] > 50_000_000
    assert [(lane["ports"], lane["flows"], lane["rate"]) for lane in numbers["ingress"]] == [(1, 1, 400 * 10**9)] * 8
    assert all(lane["headroom"] > 100_000 for lane in numbers["ingress"])
    assert case["verdict"] == "ECN first"
    assert case["model"]["series"]["queue"]
    assert not any("as planned" in text for text in case["assumed"])
    assert any("5 us more" in text for text in case["assumed"])


def test_what_the_system_works_out_itself_is_assumed_and_said(simulate) -> None:
    (case,) = cases(simulate("--format", "json", intent=INTENT.replace("NOS", "sonic")))
    assert "PAUSE threshold as planned (alpha 1): sonic works it out itself" in case["assumed"]
    assert "16 senders: the design incast" in case["assumed"]


def test_what_is_not_known_is_not_evaluated_and_named(simulate) -> None:
    unknown = INTENT.replace("NOS", "eos").replace(", model: DellEMC-Z9664f-O64", "")
    ran = simulate("--format", "json", intent=unknown)
    (case,) = cases(ran)
    assert case["verdict"] == "not evaluated"
    assert case["missing"] == ["shared buffer of leaf1 (its chip is not known: give `model` or `asic`)"]
    assert json.loads(ran.stdout)["not_evaluated"][0]["missing"] == case["missing"][0]
    assert (case["model"], case["numbers"]) == (None, None)
    assert "not evaluated: shared buffer" in simulate(intent=unknown).stdout
    for words in (["--set", "pool=60MB"], ["--sweep", "pool=60MB,80MB"]):
        assert all(case["verdict"] != "not evaluated" for case in cases(simulate("-f", "json", *words, intent=unknown)))


def test_a_nic_that_keeps_its_timers_to_itself_is_not_evaluated(simulate) -> None:
    (case,) = cases(simulate("-f", "json", intent=INTENT.replace("NOS", "eos").replace("mlx5", "bnxt")))
    assert case["verdict"] == "not evaluated"
    assert any("rpg_time_reset" in text and "(bnxt)" in text for text in case["missing"])


def test_percentages_without_bytes_are_missing(simulate) -> None:
    junos = INTENT.replace("NOS", "junos").replace("Ethernet[0-152:8]", "et-0/0/[0-19]")
    junos = junos.replace("Ethernet[256-272:8]", "et-0/0/[32-34]")
    (case,) = cases(simulate("-f", "json", intent=junos))
    assert "Kmin of leaf1:et-0/0/0 in bytes (55 percent)" in case["missing"]


def test_who_sends_and_who_receives(simulate) -> None:
    (case,) = cases(simulate("-f", "json", "--to", "gpu25", "--from", "gpu0*", "--incast", "9"))
    assert (case["device"], case["port"], case["receiver"]) == ("leaf2", "Ethernet32", "gpu25")
    ports = case["numbers"]["ingress"]
    assert [lane["flows"] for lane in ports] == [3, 3, 3], "nine hosts of the other leaf come over three uplinks"
    assert any("uplinks" in text for text in case["assumed"])
    (case,) = cases(simulate("-f", "json", "--to", "leaf1:Ethernet256", "--incast", "64"))
    assert (case["port"], case["receiver"]) == ("Ethernet256", "leaf2")


def test_a_switch_port_towards_a_switch_needs_no_receiver_nic(simulate) -> None:
    (case,) = cases(simulate("-f", "json", "--to", "leaf1:Ethernet256", "--incast", "16"))
    assert case["verdict"] != "not evaluated", case["missing"]


def test_an_incast_that_cannot_congest_says_so(simulate) -> None:
    ran = simulate("--incast", "1")
    assert "no congestion: 400G arrive, the port takes 400G" in ran.stdout
    assert ran.exit_code == 0


def test_findings_are_advice_and_fail_on_decides(simulate) -> None:
    words = ["--incast", "20", "--set", "pool=5MB"]
    ran = simulate("-f", "json", *words)
    data = json.loads(ran.stdout)
    assert data["cases"][0]["verdict"] == "PFC first"
    (finding,) = data["findings"]
    assert (finding["rule"], finding["severity"], finding["device"]) == ("SIM-001", "warning", "leaf1")
    assert (finding["file"], finding["line"]) == ("pod1.roce.yaml", 10)
    assert [simulate(*words, "--fail-on", word).exit_code for word in ("error", "warning", "info", "never")] == [
        0,
        1,
        1,
        0,
    ]
    data = json.loads(simulate("-f", "json", *words, "--set", "headroom=20KB").stdout)
    assert {item["rule"] for item in data["findings"]} == {"SIM-001", "SIM-003"}
    assert data["summary"]["errors"] == 0


def test_a_near_miss_is_marginal(simulate) -> None:
    free = cases(simulate("-f", "json", "--incast", "16"))[0]["model"]["peak"]
    pool = round(free * 17 / 16)
    (case,) = cases(simulate("-f", "json", "--incast", "16", "--set", f"pool={pool}B"))
    assert case["verdict"] == "marginal"
    assert 0.9 < case["to_pause"] <= 1.1


def test_messages_and_flows_that_were_there_before(simulate) -> None:
    words = ["--incast", "16", "--set", "message=1MB", "--sweep", "background=0,4"]
    alone, beside = cases(simulate("-f", "json", *words, time="3ms"))
    assert (alone["numbers"]["message"], alone["model"]["background"]) == (1_000_000, 0)
    assert alone["model"]["done_at_us"] < beside["model"]["done_at_us"]
    assert alone["closed_form"]["settles"] is None, "messages that end settle nowhere"
    assert 0 < beside["model"]["background"] <= beside["model"]["link_used"] <= 1
    assert [lane["background"] for lane in beside["numbers"]["ingress"]].count(True) == 4
    text = simulate(*words).stdout
    assert "16 senders with 1000000 B each" in text
    assert "all through" in text
    text = simulate("--incast", "16", "--set", "message=1MB", "--set", "background=4", time="3ms").stdout
    assert "beside 4 flows that were there before" in text
    assert "x what the port alone would take" in text
    assert "not all through" in simulate("--incast", "16", "--set", "message=100MB").stdout
    assert "flows that were there before" in simulate("-f", "html", *words).stdout


def test_a_sweep_is_a_table_of_all_combinations(simulate) -> None:
    words = ["--sweep", "senders=8,64", "--sweep", "cnp=4us,50us", "--sweep", "alpha=1/8,1"]
    found = cases(simulate("-f", "json", *words))
    assert len(found) == 8
    assert found[3]["changes"] == {"senders": 8, "min_time_between_cnps": 50, "alpha": 1}
    text = simulate(*words).stdout
    assert text.count("400G") == 2
    assert "1/8" in text
    assert all(word in text for word in ("to PAUSE", "assumed", "proves nothing"))


def test_the_text_prints_every_assumption(simulate) -> None:
    (case,) = cases(simulate("-f", "json", "--incast", "8"))
    text = simulate("--incast", "8").stdout
    for words in case["assumed"]:
        assert f"    - {words}\n" in text
    for name in ("verdict", "PAUSE", "closed form", "fluid model", "marks", "headroom", "taken"):
        assert f"\n  {name}" in text


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_the_same_bytes_each_time(simulate, form: str) -> None:
    words = ["-f", form, "--incast", "24", "--set", "pool=10MB"]
    assert simulate(*words).stdout == simulate(*words).stdout


def test_the_page_needs_nothing_else_and_draws_four_things(simulate) -> None:
    page = simulate("-f", "html", "--incast", "20", "--set", "pool=5MB").stdout
    assert page.lstrip().startswith("<!DOCTYPE html>")
    assert page.count("<figure>") == 4
    for word in ("http:", "https:", "src=", "<script", "nan", "inf "):
        assert word not in page
    calm = simulate("-f", "html", "--incast", "4").stdout
    assert calm.count("<figure>") == 2, "no PAUSE: nothing to draw about pauses and headroom"


def test_svg_goes_to_a_folder(simulate) -> None:
    assert simulate("-f", "svg").exit_code == 2
    ran = simulate("-f", "svg", "-o", "out", "--incast", "20", "--set", "pool=5MB")
    assert (ran.exit_code, ran.stdout) == (0, "")
    files = sorted(Path("out").iterdir())
    assert [file.name for file in files] == [
        f"leaf1-Ethernet0-{name}.svg" for name in ("headroom", "pauses", "queue", "rates")
    ]
    for file in files:
        root = ET.fromstring(file.read_text(encoding="utf-8"))
        lines = [item.get("points") for item in root.iter("{http://www.w3.org/2000/svg}polyline")]
        assert lines
        for points in lines:
            for pair in points.split():
                x, y = map(float, pair.split(","))
                assert 0 <= x <= 860
                assert 0 <= y <= 400


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--incast", "0"], "0 is not in the range"),
        (["--incast", "-3"], "-3 is not in the range"),
        (["--incast", "99999999999999999999"], "not in the range"),
        (["--incast", "many"], "not a valid integer"),
        (["--to", "gpu99"], 'is called "gpu99"'),
        (["--to", "leaf1:Ethernet1"], 'has no port "Ethernet1"'),
        (["--from", "gpv*"], 'is called "gpv*"'),
        (["--from", "gpu01", "--to", "gpu01"], "can send"),
        (["--sweep", "kmim=1KB"], 'did you mean "kmin"'),
        (["--sweep", "senders=0,1"], "accepted: 1 to 65536"),
        (["--sweep", "senders=-1"], "whole number"),
        (["--sweep", "senders=١٦"], "whole number"),
        (["--sweep", "kmin=5"], "150KB"),
        (["--sweep", "kmin"], "accepted: kmin=VALUE"),
        (["--sweep", "alpha=0"], "alpha"),
        (["--sweep", "pmax=0%"], "accepted: above 0%"),
        (["--sweep", "pool=0B"], "accepted: 1B"),
        (["--sweep", "cnp=300ns"], "whole microseconds"),
        (["--sweep", "cnp=4us", "--sweep", "min_time_between_cnps=4"], "each name once"),
        (["--sweep", "rpg_gd=99"], "10 to 15"),
        (["--set", "background=65"], "accepted: 0 to 64"),
        (["--set", "background=-1"], "whole number"),
        (["--set", "message=0B"], "accepted: 1B"),
        (["--set", "message=5"], "150KB"),
        (["--sweep", "kmin=3MB"], "lies above Kmax"),
        (["--sweep", "senders=" + ",".join(map(str, range(1, 60))), "--sweep", "cnp=1us,2us,3us,4us,5us"], "at most 256"),
        (["--set", "senders=3"], "--incast"),
        (["--set", "kmin=1KB,2KB"], "accepted: kmin=VALUE"),
        (["--time", "1us"], "--time"),
        (["--time", "5s"], "--time"),
        (["--fail-on", "bad"], "bad"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_what_is_accepted(simulate, words: list[str], said: str) -> None:
    ran = simulate(*words)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in ran.stderr


def test_huge_counts_are_stepped_in_groups(simulate) -> None:
    (case,) = cases(simulate("-f", "json", "--incast", "65536", time="200us"))
    assert sum(lane["ports"] * lane["flows"] for lane in case["numbers"]["ingress"]) == 65_536
    assert any("more than the 39 ports that send" in text for text in case["assumed"])


def test_an_intent_without_lossless_class_or_hosts_is_refused(simulate) -> None:
    lossy = INTENT.replace("NOS", "eos").replace("lossless: true", "lossless: false")
    assert "no lossless class" in simulate(intent=lossy).stderr
    bare = INTENT.partition("  gpu")[0].replace("NOS", "eos") + "links:\n" + INTENT.splitlines(keepends=True)[-1]
    ran = simulate(intent=bare)
    assert ran.exit_code == 2
    assert "--to SWITCH:PORT" in ran.stderr
    assert "can send" in simulate("--to", "leaf1", intent=bare).stderr


def test_without_numpy_the_command_says_how_to_install_it(simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def fake(name: str, *rest: object, **more: object) -> object:
        if name.partition(".")[0] == "numpy":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", fake)
    ran = simulate()
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "pip install 'rocecfg[sim]'" in ran.stderr


def test_plan_points_here_where_an_incast_is_marginal(simulate) -> None:
    simulate()
    text = INTENT.replace("NOS", "eos")
    Path("calm.roce.yaml").write_text(text, encoding="utf-8")
    tight = text.replace("lossless: true,", "lossless: true, alpha: 1/256,")
    Path("tight.roce.yaml").write_text(tight, encoding="utf-8")
    assert "rocecfg simulate" not in CliRunner().invoke(rocecfg, ["plan", "calm.roce.yaml"]).stdout
    assert "`rocecfg simulate INTENT --incast 16`" in CliRunner().invoke(rocecfg, ["plan", "tight.roce.yaml"]).stdout


@pytest.mark.parametrize("name", ["minimal", "lab-25g", "mixed-pod", "pod-400g"])
def test_the_examples_end_with_a_verdict_for_each_kind_of_switch(name: str) -> None:
    path = Path(__file__).parents[2] / "examples" / name / f"{name}.roce.yaml"
    ran = CliRunner().invoke(rocecfg, ["simulate", str(path), "-f", "json", "--time", "200us"])
    words = {"ECN first", "marginal", "PFC first", "no congestion", "not evaluated"}
    assert {case["verdict"] for case in cases(ran)} <= words
    assert all(case["missing"] for case in cases(ran) if case["verdict"] == "not evaluated")
