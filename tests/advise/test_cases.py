"""The three cases that the articles tell, and others: plain, contradictory, incomplete."""

from __future__ import annotations

import pytest

LABORATORY = """
name: laboratory
workloads: {training: 70%, experiments: 30%}
gpus: {now: 64, later: 64, per_server: 8}
traffic: {pattern: collectives, message: 32MB}
goal: cost
link: {speed: 25G}
network: {kind: ethernet, keep: true, pfc: true}
people: {roce: 1, infiniband: 0}
sites: {count: 1}
"""
CLOUD = """
name: cloud
workloads: {training: 90%, inference: 10%}
gpus: {now: 1024, later: 1024, per_server: 8}
traffic: {pattern: collectives, message: 256MB}
goal: throughput
link: {speed: 400G, nics_per_server: 8}
network: {kind: none}
people: {roce: 2, infiniband: 3}
scheduler: {topology: true}
sites: {count: 1}
"""
HYBRID = """
name: hybrid
workloads: {training: 60%, inference: 40%}
gpus: {now: 128, later: 256}
traffic: {pattern: collectives}
goal: balance
link: {speed: 100G}
network: {kind: ethernet, keep: true, pfc: true}
people: {roce: 2}
sites: {count: 2, distance: 300km, together: true}
"""
TRAINING = "workloads: {training: 80%}\ntraffic: {pattern: collectives}\n"

CASES = {
    "laboratory": (LABORATORY, ["lossless-roce"], False, set()),
    "cloud": (CLOUD, ["infiniband"], False, set()),
    "hybrid": (HYBRID, ["lossless-roce"], False, set()),
    "one-server": (
        "workloads: {training: 100%}\ngpus: {later: 8, per_server: 8}\n", ["plain-ethernet"], False, set(),
    ),
    "rack-scale-domain": (
        f"{TRAINING}gpus: {{later: 72, per_server: 72}}\n", ["plain-ethernet"], False, set(),
    ),
    "ordinary-inference": (
        "workloads: {inference: 100%}\ngpus: {later: 512}\ntraffic: {pattern: independent}\n",
        ["plain-ethernet"], False, set(),
    ),
    "inference-with-exchange": (
        ("workloads: {inference: 90%, training: 10%}\ngpus: {later: 256}\ntraffic: {pattern: exchange}\n"
        "people: {roce: 1}\n"),
        ["lossy-roce"], False, set(),
    ),
    "small-and-nobody": (
        f"{TRAINING}gpus: {{later: 32}}\npeople: {{roce: 0, infiniband: 0}}\n", ["plain-ethernet"], True, set(),
    ),
    "medium-and-nobody-for-roce": (
        f"{TRAINING}gpus: {{later: 384}}\npeople: {{roce: 0, infiniband: 1}}\n", ["infiniband"], False, set(),
    ),
    "large-in-an-ethernet-estate": (
        (f"{TRAINING}gpus: {{now: 256, later: 2048}}\nlink: {{speed: 400G}}\nnetwork: {{kind: ethernet, keep: false}}\n"
        "people: {roce: 3}\n"),
        ["spectrum-x"], False, set(),
    ),
    "large-and-nothing-decides": (
        f"{TRAINING}gpus: {{later: 4096}}\nlink: {{speed: 800G}}\npeople: {{roce: 2, infiniband: 2}}\n",
        ["spectrum-x", "infiniband"], False, set(),
    ),
    "efficiency-is-the-business": (
        f"{TRAINING}gpus: {{later: 600}}\ngoal: throughput\nnetwork: {{kind: infiniband}}\nlink: {{speed: 200G}}\n",
        ["spectrum-x", "infiniband"], False, set(),
    ),
    "infiniband-is-there": (
        f"{TRAINING}gpus: {{later: 128}}\nnetwork: {{kind: infiniband, keep: true}}\npeople: {{roce: 5}}\n",
        ["infiniband"], False, set(),
    ),
    "large-but-slow": (
        f"{TRAINING}gpus: {{later: 2000}}\nlink: {{speed: 25G}}\npeople: {{roce: 4}}\n",
        ["lossless-roce"], True, {"slow-and-large"},
    ),
    "switches-without-pfc": (
        f"{TRAINING}gpus: {{later: 128}}\nnetwork: {{kind: ethernet, keep: true, pfc: false}}\npeople: {{roce: 2}}\n",
        ["lossy-roce"], True, set(),
    ),
    "switches-without-pfc-and-old-nics": (
        (f"{TRAINING}gpus: {{later: 128}}\nnetwork: {{kind: ethernet, keep: true, pfc: false}}\npeople: {{roce: 2}}\n"
        "hardware: {loss_recovery: false}\n"),
        ["plain-ethernet"], True, set(),
    ),
    "fewer-gpus-later": (
        (f"{TRAINING}gpus: {{now: 1200, later: 200}}\nlink: {{speed: 400G}}\nnetwork: {{kind: none}}\n"
        "goal: throughput\n"),
        ["infiniband"], False, {"shrinking"},
    ),
    "keeps-what-is-not-there": (
        f"{TRAINING}gpus: {{later: 64}}\nnetwork: {{kind: none, keep: true}}\n", ["lossless-roce"], False,
        {"keep-nothing"},
    ),
    "one-site-far-apart": (
        f"{TRAINING}gpus: {{later: 64}}\nsites: {{count: 1, distance: 80km, together: true}}\n", ["lossless-roce"], False,
        {"one-site-with-distance", "one-site-spanned"},
    ),
    "training-that-does-not-talk": (
        "workloads: {training: 90%}\ngpus: {later: 512}\ntraffic: {pattern: independent}\ngoal: throughput\n",
        ["plain-ethernet"], False, {"independent-but-training", "throughput-but-independent"},
    ),
    "server-larger-than-all": (
        f"{TRAINING}gpus: {{later: 4, per_server: 16}}\n", ["plain-ethernet"], False, {"server-larger-than-all"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, advised) -> None:
    plan, choices, compromise, contradictions = CASES[name]
    advice = advised(plan)
    assert list(advice.verdict.choices) == choices
    assert advice.verdict.compromise is compromise
    assert {rule.name for rule in advice.about("contradiction")} == contradictions


@pytest.mark.parametrize(
    ("plan", "missing"),
    [
        ("name: nothing\n", 2),
        ("gpus: {later: 64}\n", 1),
        ("gpus: {now: 64}\ngoal: cost\nnetwork: {kind: none}\n", 1),
        ("workloads: {training: 80%}\n", 1),
        ("gpus: {per_server: 8}\ntraffic: {pattern: collectives}\n", 1),
    ],
)
def test_too_little_gives_no_verdict(plan: str, missing: int, advised, advise) -> None:
    verdict = advised(plan).verdict
    assert (verdict.choices, len(verdict.missing)) == ((), missing)
    ran = advise(plan=f"version: 1\n{plan}")
    assert ran.code == 1
    assert "not established: too little is given" in ran.out
    assert "What would change" not in ran.out


def test_the_laboratory_hears_of_its_like_and_of_its_one_person(advise) -> None:
    ran = advise(plan=f"version: 1{LABORATORY}")
    assert ran.code == 0
    assert "lossless RoCE (PFC and ECN)\n" in ran.out
    assert "reached over 85% of theoretical bandwidth" in ran.out
    assert "one person alone" in ran.out
    assert "ib_write_bw" in ran.out


def test_the_cloud_hears_of_a_test_bed_and_of_what_infiniband_asks(advise) -> None:
    ran = advise(plan=f"version: 1{CLOUD}")
    assert ran.code == 0
    assert "a bed of about 100 GPUs" in ran.out
    assert "What InfiniBand asks of you" in ran.out
    assert "shook a whole fabric for 30 s" in ran.out


def test_the_hybrid_hears_of_tcp_across_and_of_the_bytes_in_the_fibre(advise) -> None:
    ran = advise(plan=f"version: 1{HYBRID}")
    assert ran.code == 0
    between = ran.out.partition("Between the data centres")[2].partition("The answers")[0]
    assert "TCP" in between
    assert "FP32 to FP8" in between
    # 100 Gb/s x 300 km x 10 ns/m / 8 = 37.5 MB.
    assert "37.5 MB" in between
    assert "100 km" not in between, "300 km is beyond what was reported"


def test_an_open_answer_is_said_to_be_open(advise) -> None:
    plan = "version: 1\nworkloads: {training: 80%}\ngpus: {later: 384}\ntraffic: {pattern: collectives}\n"
    ran = advise("-f", "json", plan=plan)
    assert ran.data["status"] == "open"
    asked = {change["question"] for change in ran.data["changes"]} - set(ran.data["given"])
    assert "people.roce" in asked
    assert "people.roce" in ran.data["unanswered"]


def test_what_would_change_the_verdict_does(advise) -> None:
    base = f"version: 1{CLOUD}"
    changes = advise("-f", "json", plan=base).data["changes"]
    training = next(change for change in changes if change["question"] == "workloads.training")
    assert training["value"] == "29%"
    other = advise("-f", "json", plan=base.replace("90%", "29%")).data
    assert other["verdict"] == training["verdict"]


def test_a_verdict_needs_no_money_but_says_when_the_budget_lacks(advise) -> None:
    prices = "budget: 10000\nprices: {currency: EUR, roce: {nic: 1000, switch: 30000, cable: 100}}\n"
    ran = advise(plan=f"version: 1{LABORATORY}{prices}")
    assert ran.code == 0
    assert "100,000 EUR is above the budget of 10,000 EUR" in ran.out
