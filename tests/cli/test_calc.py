"""`rocecfg calc`: the numbers, their derivation as text and data, and a sentence for every bad question."""

from __future__ import annotations

import csv
import io
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rocecfg.cli.calc import CALCULATORS, calc

ROOT = Path(__file__).resolve().parents[2]


def test_headroom_as_data(cli) -> None:
    ran = cli(
        "calc", "headroom", "--sku", "ACS-MSN3700", "--speed", "100G", "--cable", "40m", "--format", "json", pack=False
    )
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["value"], found["unit"]) == (44_032, "B")
    assert sum(term["bytes"] for term in found["terms"]) == found["value"]
    assert all(set(term) == {"name", "bytes", "because"} for term in found["terms"])
    assert found["because"]
    assert found["assumptions"]
    assert found["sources"]
    assert (found["asic"], found["cable_m"], found["mtu"]) == ("spectrum-2", 40, 9216)


def test_headroom_as_text_adds_up(cli) -> None:
    ran = cli("calc", "headroom", "--sku", "ACS-SN5600", "--speed", "400G", "--cable", "40m", pack=False)
    assert ran.code == 0
    assert "headroom 283648 B" in ran.out
    summed = [int(line.split()[0]) for line in ran.out.splitlines() if line.startswith("  ") and " B  " in line[:12]]
    assert sum(summed) == 283_648
    for part in ("802.1Q bound", "24 of 24 rows", "assumes", "sources"):
        assert part in ran.out


def test_tables_as_csv_and_text(cli) -> None:
    words = ("calc", "headroom", "--sku", "ACS-MSN4700", "--speeds", "100G,400G", "--cables", "5m,40m,300m")
    rows = list(csv.DictReader(io.StringIO(cli(*words, "--format", "csv", pack=False).out)))
    assert [(row["speed"], row["cable"], row["headroom"]) for row in rows] == [
        ("100G", "5m", "33792"), ("100G", "40m", "44032"), ("100G", "300m", "117760"),
        ("400G", "5m", "38912"), ("400G", "40m", "77824"), ("400G", "300m", "373760"),
    ]  # fmt: skip
    assert "373760" in cli(*words, pack=False).out
    assert len(json.loads(cli(*words, "--format", "json", pack=False).out)["rows"]) == 6


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["--speed", "100G", "--cable", "40m"], 2 * 9236 + 84 + 25_216 + 2 * 2500),
        (["--speed", "100G", "--cable", "40m", "--mtu", "4200"], 2 * 4220 + 84 + 25_216 + 2 * 2500),
        (["--asic", "connectx-7", "--speed", "400G", "--cable", "7m", "--mtu", "9000"], 150_880),
        (["--sku", "ACS-SN5600", "--speed", "800G", "--cable", "5m"], 257_024),
        (["--sku", "acs-msn2700", "--speed", "25G", "--cable", "40m"], 31_744),
    ],
)
def test_values(cli, words: list[str], value: int) -> None:
    assert json.loads(cli("calc", "headroom", *words, "-f", "json", pack=False).out)["value"] == value


def test_the_standard_response_gives_the_peer_its_time(cli) -> None:
    words = ("calc", "headroom", "--sku", "ACS-MSN3700", "--speed", "100G", "--cable", "40m", "-f", "json")
    shipped = json.loads(cli(*words, pack=False).out)
    standard = json.loads(cli(*words, "--standard-response", pack=False).out)
    assert standard["value"] > 2 * shipped["value"]
    assert any("15%" in text for text in shipped["assumptions"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["headroom", "--sku", "ACS-MSN3700", "--speed", "100G", "--cable", "0m"], "above 0m, up to 200km"),
        (["headroom", "--sku", "ACS-MSN3700", "--speed", "100G", "--cable", "-5m"], "above 0m, up to 200km"),
        (
            ["headroom", "--sku", "ACS-MSN3700", "--speed", "100G", "--cable", "120km"],
            "accepted cables: above 0m, up to",
        ),
        (["headroom", "--sku", "ACS-MSN3700", "--speed", "400G", "--cable", "5m"], "accepted: 1G, 10G"),
        (["headroom", "--sku", "ACS-MSN3700", "--speed", "100G", "--cable", "5m", "--mtu", "9999"], "256 to 9216 B"),
        (["headroom", "--sku", "ACS-MSN3700", "--speed", "100G", "--cable", "5m", "--mtu", "12"], "256 to 10240 B"),
        (["headroom", "--sku", "ACS-MSN370", "--speed", "100G", "--cable", "5m"], 'did you mean "ACS-MSN3700"'),
        (["headroom", "--asic", "spectrum9", "--speed", "100G", "--cable", "5m"], "known: "),
        (["headroom", "--sku", "ACS-SN5600", "--asic", "th5", "--speed", "100G", "--cable", "5m"], "is no Broadcom"),
        (["headroom", "--sku", "", "--speed", "100G", "--cable", "5m"], "is known"),
        (["headroom", "--speed", "100G", "--cable", "5m", "--own-delay", "2s"], "0ns to 1ms"),
        (["headroom", "--speed", "3T", "--cable", "5m"], "1G to 1.6T"),
        (["headroom", "--speed", "100G"], "--cable is missing"),
        (["headroom", "--cable", "5m"], "--speed is missing"),
        (["headroom", "--speed", "100G", "--cable", "5m", "--traffic", "small"], "worst, large"),
        (["headroom", "--speed", "100G", "--cable", "5m", "--traffic", "mixed 120%"], "0% to 100%"),
        (["headroom", "--speed", "100G", "--cable", "5m", "--cell", "0B"], "1 to 16384 B"),
        (["headroom", "--speed", "100G", "--cable", "5m", "--lossless-mtu", "9500"], "up to 9216 B"),
        (["headroom", "--asic", "connectx-7", "--speed", "400G", "--cable", "2km"], "1m to 999m"),
        (["headroom", "--speeds", ",", "--cable", "5m"], "1 to 64 values"),
        (["buffer", "--ports", "4x100G@5m"], "give --buffer"),
        (["buffer", "--asic", "th5", "--ports", "many"], "32x400G@5m"),
        (["buffer", "--asic", "th5", "--ports", "4x100G@0m"], "above 0m"),
        (["buffer", "--asic", "spectrum-1", "--ports", "32x100G@2km", "--lossless", "2"], "fewer lossless classes"),
        (["buffer", "--asic", "th5", "--ports", "4x100G@5m", "--oversubscription", "0.5"], "at least 1"),
        (["ecn", "--speed", "100G", "--rtt", "1ns"], "100ns to 1s"),
        (["ecn", "--speed", "100G", "--shared", "0B"], "above 0B"),
        (["ecn", "--asic", "spectrum-1", "--speed", "400G"], "accepted: 1G"),
        (["watchdog", "--speed", "100G", "--nos", "nothing"], "unknown system"),
        (["watchdog", "--speed", "100G", "--detect", "1us"], "2ms to 60s"),
        (["headrom"], 'did you mean "headroom"'),
    ],
)
def test_bad_questions_get_a_sentence_with_what_is_accepted(cli, words: list[str], said: str) -> None:
    ran = cli("calc", *words, pack=False)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())


def test_a_box_as_text_and_data(cli) -> None:
    words = ("calc", "buffer", "--sku", "DellEMC-Z9664f-O64", "--ports", "32x400G@5m", "--ports", "32x400G@30m")
    found = json.loads(cli(*words, "-f", "json", pack=False).out)
    assert sum(term["bytes"] for term in found["terms"]) == found["value"]
    assert found["memory"] == 112 * 2**20
    assert "PAUSE goes out" in cli(*words, pack=False).out
    assert cli(*words, "-f", "csv", pack=False).out.startswith("senders,")


def test_ecn_as_text_and_data(cli) -> None:
    words = ("calc", "ecn", "--sku", "ACS-SN5600", "--speed", "400G", "--compare", "--nic")
    found = json.loads(cli(*words, "-f", "json", pack=False).out)
    assert (found["kmin"]["value"], found["kmax"]["value"], found["pmax"]["value"]) == (400_000, 1_600_000, 20)
    assert [check["holds"] for check in found["checks"]] == [True, True, True]
    assert found["cells"] == {"kmin": 2084, "kmax": 8333}
    assert found["nic"]["min_time_between_cnps"]["value"] == 4
    text = cli(*words, pack=False).out
    for part in ("fan-in 16:1", "fan-out 1:4", "SimAI", "rpg_ai_rate", "ours"):
        assert part in text
    assert "not evaluated" in cli("calc", "ecn", "--speed", "100G", pack=False).out


def test_watchdog_beside_what_systems_accept(cli) -> None:
    text = cli("calc", "watchdog", "--speed", "25G", "--asic", "spectrum-2", "--nos", "sonic", pack=False).out
    assert "100 to 5000 ms" in text
    assert "200 ms" in text
    found = json.loads(cli("calc", "watchdog", "--speed", "10G", "--pool", "64MB", "-f", "json", pack=False).out)
    assert found["detect"]["value"] > 469
    assert any("retry budget" in note for note in found["notes"])


@pytest.mark.parametrize("name", CALCULATORS)
def test_help_has_examples_that_run(cli, name: str) -> None:
    command = calc.get_command(None, name)  # type: ignore[arg-type]
    assert cli("calc", name, "--help", pack=False).code == 0
    for line, _ in command.examples:  # type: ignore[union-attr]
        ran = cli(*shlex.split(line)[1:], pack=False)
        assert ran.code == 0, (line, ran.err)


def test_calculating_imports_nothing_heavy() -> None:
    words = ["calc", "headroom", "--sku", "ACS-SN5600", "--speed", "400G", "--cable", "40m"]
    code = (
        "import sys\nfrom rocecfg.cli.group import rocecfg\n"
        f"try: rocecfg.main({words!r})\nexcept SystemExit: pass\n"
        "print(sorted(name for name in ('pydantic', 'ttp', 'netmiko', 'jinja2', 'rich') if name in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, cwd=ROOT)
    assert ran.stdout.splitlines()[-1] == "[]"
