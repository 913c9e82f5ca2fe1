"""The report in three forms and two languages, and what the equipment costs."""

from __future__ import annotations

import re

import pytest

from rocecfg.advise.costs import rounded, size_of
from tests.advise.test_cases import CASES, CLOUD, HYBRID, LABORATORY

HAN = re.compile(r"[\u4e00-\u9fff]")
PRICES = """\
budget: 100000000
prices:
  currency: EUR
  person: 90000
  roce: {nic: 1000, switch: 30000, cable: 150}
  ethernet: {nic: 500, switch: 20000, cable: 150}
"""


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["laboratory", "hybrid", "large-but-slow", "one-site-far-apart"])
def test_same_plan_same_bytes(advise, form: str, language: str, name: str) -> None:
    plan = f"version: 1\n{CASES[name][0]}"
    first = advise("-f", form, "--language", language, plan=plan)
    assert first.err == ""
    assert first.out == advise("-f", form, "--language", language, plan=plan).out
    assert "{" not in first.out or form == "json", "every brace is filled in"
    assert not re.search(r"\bNone\b(?! of)", first.out)


@pytest.mark.parametrize("name", CASES)
def test_the_chinese_report_is_chinese(advise, name: str) -> None:
    """No line is left in English: each has Chinese in it, apart from names and titles of papers."""
    ran = advise("--language", "zh", plan=f"version: 1\nname: p\n{CASES[name][0].replace('name:', '# name:')}")
    lines = [line.strip(" -") for line in ran.out.splitlines() if line.strip()]
    assert len(lines) > 20
    assert [line for line in lines if not HAN.search(line) and line != "InfiniBand"] == []
    english = advise(plan=f"version: 1\nname: p\n{CASES[name][0].replace('name:', '# name:')}")
    assert len(english.out.splitlines()) == len(ran.out.splitlines()), "both say the same, line by line"
    assert not HAN.search(english.out)
    assert ran.code == english.code


def test_json_has_every_answer_with_reasons_and_sources(advise) -> None:
    data = advise("-f", "json", plan=f"version: 1{LABORATORY}").data
    assert data["schema"] == 1
    assert data["verdict"] == ["lossless-roce"]
    assert set(data["choices"]) == {"plain-ethernet", "lossy-roce", "lossless-roce", "spectrum-x", "infiniband"}
    for choice in data["choices"].values():
        assert choice["imposes"]
        for reason in (*choice["for"], *choice["against"], *choice["ruled_out"]):
            assert reason["text"]
            assert reason["source"]
            assert reason["kind"] in {
                "rule of thumb", "house rule", "documented", "reported", "follows from what is given",
            }  # fmt: skip
    assert data["given"]["link.speed"] == "25G"


@pytest.mark.parametrize("name", CASES)
def test_every_answer_has_a_reason_for_or_against(advise, name: str) -> None:
    data = advise("-f", "json", plan=f"version: 1\n{CASES[name][0]}").data
    for title, choice in data["choices"].items():
        if title != "lossy-roce":
            assert choice["for"] or choice["against"] or choice["ruled_out"], title


def test_markdown_has_headings_points_and_no_live_markup(advise) -> None:
    plan = f"version: 1{CLOUD}".replace("name: cloud", "name: a_b_c")
    out = advise("-f", "markdown", plan=plan).out
    assert out.startswith("# Interconnect for a\\_b\\_c\n\n## Verdict\n\nInfiniBand\n")
    assert "\n### lossless RoCE (PFC and ECN)\n" in out
    assert "\n- for: " in out


def test_output_goes_to_a_file(advise, tmp_path) -> None:
    ran = advise("-f", "markdown", "-o", "advice.md", plan=f"version: 1{HYBRID}")
    assert (ran.code, ran.out) == (0, "")
    assert (tmp_path / "advice.md").read_text(encoding="utf-8").startswith("# Interconnect for hybrid")


def test_without_prices_only_a_rule_of_thumb(advise) -> None:
    out = advise(plan=f"version: 1{LABORATORY}").out
    cost = out.partition("Cost of the equipment")[2].partition("Mind")[0]
    assert "NICs: 64, switches: 1, cables: 64, tiers: 1, non-blocking" in cost
    assert "plain Ethernet with TCP: not established: give prices.ethernet" in cost
    assert "InfiniBand: 1.5 - 2 times lossless RoCE" in cost
    assert "[rule of thumb: articles]" in cost
    assert not re.search(r"EUR|USD|\d{4,}", cost), "no sum without a price"


def test_with_prices_sums_ranges_and_what_is_still_unknown(advise) -> None:
    plan = f"version: 1\nmonths: 24\nworkloads: {{training: 80%}}\ngpus: {{later: 512}}\npeople: {{roce: 2}}\n{PRICES}"
    ran = advise("-f", "json", plan=plan)
    cost = ran.data["cost"]
    # 512 NICs on 64-port switches: 16 leaves, 8 spines, 512 + 16 x 32 cables.
    assert cost["size"] == {"nics": 512, "switches": 24, "cables": 1024, "tiers": 2}
    assert cost["choices"]["lossless-roce"]["low"] == rounded(512 * 1000 + 24 * 30_000 + 1024 * 150)
    assert cost["choices"]["plain-ethernet"]["basis"] == "your prices"
    infiniband = cost["choices"]["infiniband"]
    assert (infiniband["low"], infiniband["high"]) == (2_100_000, 2_800_000)
    assert infiniband["basis"] == "rule of thumb"
    assert cost["choices"]["spectrum-x"]["basis"] == "not established"
    assert cost["choices"]["lossless-roce"]["people"] == 2 * 2 * 90_000


def test_a_price_list_with_gaps_says_what_lacks(advise) -> None:
    plan = f"version: 1{LABORATORY}prices: {{infiniband: {{nic: 900}}, roce: {{nic: 1, switch: 2, cable: 3}}}}\n"
    assert "InfiniBand: not established: prices.infiniband lacks switch, cable" in advise(plan=plan).out


@pytest.mark.parametrize(
    ("nics", "ports", "size"),
    [
        (64, 64, (1, 64, 1)), (65, 64, (3 + 2, 65 + 96, 2)), (2048, 64, (64 + 32, 4096, 2)),
        (2049, 64, (2 * 65 + 33, 2049 + 2 * 65 * 32, 3)), (65536, 64, (5 * 1024, 3 * 65536, 3)), (65537, 64, None),
        (3, 2, None), (2, 2, (1, 2, 1)),
    ],
)  # fmt: skip
def test_the_size_of_a_network(nics: int, ports: int, size: tuple[int, int, int] | None) -> None:
    found = size_of({"gpus": nics, "gpus.per_server": 8, "link.switch_ports": ports})
    assert (None if found is None else (found.switches, found.cables, found.tiers)) == size


def test_a_network_grows_with_its_gpus() -> None:
    sizes = [size_of({"gpus": n, "gpus.per_server": 8, "link.switch_ports": 32}) for n in range(1, 8000, 7)]
    counts = [(size.switches, size.cables) for size in sizes if size is not None]
    assert counts == sorted(counts)


def test_two_significant_figures() -> None:
    assert [rounded(n) for n in (0, 7, 99, 104, 1_449, 1_451, 999_999)] == [0, 7, 99, 100, 1_400, 1_500, 1_000_000]
