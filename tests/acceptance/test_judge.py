"""The verdict of an acceptance run: what passes, what fails and why, and what nobody can judge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from rocecfg.acceptance import judge, read_counters, read_nccl, read_others, read_perftest
from rocecfg.acceptance.reading import FlowBroke, NoJudgement
from rocecfg.acceptance.verdict import CAUSES, Status
from rocecfg.cli.accept import accept
from rocecfg.errors import ReadError, UsageError
from rocecfg.lint import load
from rocecfg.report import acceptance as report

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
 Number of qps   : 4		Transport type : IB
 Mtu             : 4096[B]
 Link type       : Ethernet
---------------------------------------------------------------------------------------
"""
COLUMNS = " #bytes     #iterations    BW peak[{unit}/sec]    BW average[{unit}/sec]   MsgRate[Mpps]\n"
LATENCY = """\
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
 2       1000          1.90           10.20        {typical}               2.11             0.10            9.90            9.99
"""
NCCL = """\
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    90.00   11.65   20.39      0    90.00   11.65   20.39      0
  1073741824     268435456     float     sum      -1  45000.0   23.86   44.50      {wrong}  45000.0   23.86   44.50      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 32.44
"""


def table(gbps: float, unit: str = "Gb", size: int = 65536, messages: int = 1000, rate: float | None = None) -> str:
    shown = {"Gb": gbps, "MiB": gbps / read_perftest.MIB, "MB": gbps / read_perftest.MIB}[unit]
    rate = gbps * 1e3 / 8 / size if rate is None else rate
    row = f" {size:<7}    {messages:<10}       0.00            {shown:.2f} 		     {rate:.6f}\n"
    return HEAD + COLUMNS.format(unit=unit) + row


def as_json(gbps: float, **more: Any) -> str:
    results = {"MsgSize": 65536, "n_iterations": 1000, "BW_peak": 0.0, "BW_average": gbps}
    results |= {"MsgRate": gbps * 1e3 / 8 / 65536, **more}
    return json.dumps({"test_info": {"test": "RDMA_Write_BW_Test", "Mtu": 4096}, "results": results})


def plan(kind: str = "pair", flows: int = 4, tool: str = "ib_write_bw", **step: Any) -> dict[str, Any]:
    hosts = {
        f"h{n}": {"interfaces": {"rail0": {"nic": "mlx5", "rail": "0", "speed_gbps": 400.0, "mtu": 9000,
                                           "leaf": "leaf1", "leaf_port": f"Ethernet{n}"}}}
        for n in range(flows + 1)
    }  # fmt: skip
    made = [
        {
            "id": f"f{n}", "client": {"host": f"h{n + 1}", "interface": "rail0"},
            "server": {"host": "h0", "interface": "rail0"}, "path": "same-leaf", "class": "roce", "tool": tool,
            "lossy_competitor": False, "port": 18515 + n, "result": f"results/two-hosts/s1/f{n}",
        }
        for n in range(flows)
    ]  # fmt: skip
    rounds = [[flow["id"] for flow in made]] if kind == "incast" else [[flow["id"]] for flow in made]
    return {
        "rocecfg_acceptance": 1, "intent": "pod1",
        "classes": {
            "roce": {"dscp": 26, "tclass": 104, "priority": 3, "pfc": True, "cnp": False},
            "cnp": {"dscp": 48, "tclass": 192, "priority": 6, "pfc": False, "cnp": True},
        },
        "hosts": hosts, "thresholds": {},
        "stages": [{"name": "two-hosts", "steps": [
            {"name": "s1", "kind": kind, "why": "w", "rounds": rounds, "flows": made, "counters": False, **step}]}],
    }  # fmt: skip


def put(folder: Path, acceptance: dict[str, Any], results: dict[str, str]) -> Path:
    (folder / "acceptance.json").write_text(json.dumps(acceptance), encoding="utf-8")
    place = folder / "results/two-hosts/s1"
    place.mkdir(parents=True, exist_ok=True)
    for name, text in results.items():
        (place / name).write_text(text, encoding="utf-8")
    return folder


def counters(folder: Path, host: str, before: dict[str, int], after: dict[str, int]) -> None:
    for when, values in (("before", before), ("after", after)):
        place = folder / "results/two-hosts/s1/counters" / when / host
        place.mkdir(parents=True)
        text = "NIC statistics:\n" + "".join(f"     {name}: {value}\n" for name, value in values.items())
        (place / "rail0.txt").write_text(text, encoding="utf-8")


def failures(folder: Path) -> dict[str, str]:
    found = judge.judge(folder).verdicts
    return {v.check: v.measured for v in found if v.status is Status.FAIL and v.about not in {"step", "stage"}}


@pytest.mark.parametrize("unit", ["Gb", "MiB", "MB"])
def test_text_in_every_unit_is_the_same_bandwidth(unit: str) -> None:
    reading = read_perftest.read(table(391.44, unit), is_json=False)
    assert reading.gbps == pytest.approx(391.44, rel=1e-3)
    assert (reading.size, reading.mtu) == (65536, 4096)


@pytest.mark.parametrize("factor", [1, 1 / read_perftest.MIB])
def test_json_has_no_unit_so_the_message_rate_proves_it(factor: float) -> None:
    text = as_json(391.44 * factor, MsgRate=391.44 * 1e3 / 8 / 65536)
    assert read_perftest.read(text, is_json=True).gbps == pytest.approx(391.44, rel=1e-3)


def test_repeated_headers_and_warnings_judge_the_worst_of_one_size() -> None:
    text = " WARNING: CPU frequency is not max\n" + table(390) + table(100) + table(391)
    reading = read_perftest.read(text, is_json=False)
    assert reading.gbps == pytest.approx(100)
    assert len(reading.remarks) == 2


def test_huge_messages_whose_rate_is_one_digit() -> None:
    text = table(391.4, size=2**33, messages=100)
    assert read_perftest.read(text, is_json=False).gbps == pytest.approx(391.4)


def test_latency_tables() -> None:
    reading = read_perftest.read(HEAD + LATENCY.format(typical="2.10"), is_json=False)
    assert (reading.typical_us, reading.p99_us) == (2.10, 9.90)
    timed = (
        " #bytes        #iterations       t_avg[usec]    tps average\n 2       1000            2.30        217391.30\n"
    )
    assert read_perftest.read(timed, is_json=False).typical_us == 2.30


def test_nccl_takes_busbw_of_the_largest_size() -> None:
    reading = read_nccl.read(NCCL.format(wrong=0))
    assert reading.gbps == pytest.approx(44.5 * 8)
    assert read_nccl.read(NCCL.format(wrong=3)).wrong == 3


def test_ping_and_iperf3() -> None:
    assert read_others.read_ping("3 packets transmitted, 3 received, 0% packet loss, time 5ms").lost == 0
    assert read_others.read_ping(
        "ping: local error: message too long, mtu=1500\n3 packets transmitted, 0 received"
    ).lost
    line = "[SUM]   0.00-10.00  sec  45.0 GBytes  38.6 Gbits/sec                  receiver\n"
    assert (
        read_others.read_iperf3("[  5]   0.00-10.00  sec  9 GBytes  8.0 Gbits/sec     receiver\n" + line).gbps == 38.6
    )


BAD = {
    "absent": ({}, "no result"),
    "empty": ({"f0.txt": ""}, "empty"),
    "truncated JSON": ({"f0.json": as_json(391)[:80]}, "truncated"),
    "JSON without results": ({"f0.json": '{"test_info": {}}'}, "without `results`"),
    "JSON without unit": ({"f0.json": as_json(391.0, MsgRate=0)}, "no unit"),
    "nan": ({"f0.txt": table(391).replace("391.00", "nan")}, "no number"),
    "mixed units": ({"f0.txt": table(391).replace("Gb/sec", "MiB/sec")}, "mixed units"),
    "another unit": ({"f0.txt": table(391).replace("Gb/sec", "KB/sec")}, "unknown unit"),
    "cut line": ({"f0.txt": table(391)[:-30]}, "cut short"),
    "no table": ({"f0.txt": HEAD + "Couldn't connect to h0:18515\n"}, "Couldn't connect"),
    "zero": ({"f0.txt": table(0)}, "is 0"),
    "faster than the line": ({"f0.txt": table(780)}, "more than the 400"),
    "latency for bandwidth": ({"f0.txt": LATENCY.format(typical="2.10")}, "a latency test"),
    "binary": ({"f0.txt": "\0\1\2"}, "binary"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_results_are_never_a_pass(tmp_path: Path, name: str) -> None:
    results, reason = BAD[name]
    text, code = judge.run(put(tmp_path, plan(flows=1), results))
    assert code == 3
    assert "pod1: cannot judge" in text
    assert reason in text


def test_all_pass(tmp_path: Path) -> None:
    put(
        tmp_path,
        plan(),
        {"f0.txt": table(391), "f1.json": as_json(390.5), "f2.txt": table(391.2, "MiB"), "f3.txt": table(391)},
    )
    text, code = judge.run(tmp_path)
    assert code == 0, text
    assert "pass" in text.splitlines()[0]


def test_a_slow_pair_fails_by_itself_and_in_its_group(tmp_path: Path) -> None:
    put(tmp_path, plan(), {f"f{n}.txt": table(391 if n else 200) for n in range(4)})
    assert set(failures(tmp_path)) == {"share of line rate", "spread"}
    assert judge.run(tmp_path)[1] == 1


def test_a_slow_latency(tmp_path: Path) -> None:
    results = {f"f{n}.txt": HEAD + LATENCY.format(typical="2.10" if n else "9.10") for n in range(4)}
    assert set(failures(put(tmp_path, plan("latency", tool="ib_write_lat"), results))) == {"latency", "spread"}


def test_a_flow_that_broke_is_a_failure(tmp_path: Path) -> None:
    text = "Completion with error at client\n Failed status 12: wr_id 0 syndrom 0x81\n"
    with pytest.raises(FlowBroke):
        read_perftest.read(text, is_json=False)
    assert set(failures(put(tmp_path, plan(flows=1), {"f0.txt": text}))) == {"carries the flow"}


def test_the_error_stream_tells_why(tmp_path: Path) -> None:
    folder = put(tmp_path, plan(flows=1), {"f0.txt": HEAD})
    log = folder / "logs/two-hosts/s1"
    log.mkdir(parents=True)
    (log / "f0.log").write_text("Couldn't connect to h0:18515\n", encoding="utf-8")
    assert "it said: Couldn't connect" in judge.run(folder)[0]
    (log / "f0.log").write_text(" Failed status 12: wr_id 0 syndrom 0x81\n", encoding="utf-8")
    assert set(failures(folder)) == {"carries the flow"}


def test_the_error_stream_of_a_collective_and_of_iperf3_tells_why(tmp_path: Path) -> None:
    folder = put(tmp_path, plan("nccl", flows=1, tool="all_reduce_perf"), {"f0.txt": ""})
    log = folder / "logs/two-hosts/s1"
    log.mkdir(parents=True)
    (log / "f0.log").write_text(
        "timeout: failed to run command 'mpirun': No such file or directory\n", encoding="utf-8"
    )
    assert "it said: timeout: failed to run command 'mpirun'" in judge.run(folder)[0]
    for text, said in (
        ("", "output is empty"),
        ('{"error": "unable to connect"}', "iperf3 ended with: unable to"),
        ('{"end": []}', "truncated JSON"),
        ("{}", "truncated JSON"),
    ):
        with pytest.raises(NoJudgement, match=said):
            read_others.read_iperf3(text)


CLEAN = {"rx_prio3_pause": 0, "tx_prio3_pause": 0, "rx_prio0_pause": 0, "rx_prio3_discards": 0, "tx_prio3_packets": 0,
         "tx_prio6_packets": 0, "tx_prio0_packets": 0, "rx_global_pause": 0, "tx_pause_storm_error_events": 0,
         "out_of_sequence": 0, "packet_seq_err": 0, "np_cnp_sent": 0, "np_ecn_marked_roce_packets": 0}  # fmt: skip
GOOD = CLEAN | {"rx_prio3_pause": 9, "tx_prio3_packets": 20000, "tx_prio6_packets": 50, "np_cnp_sent": 50,
                "np_ecn_marked_roce_packets": 70}  # fmt: skip


def incast(folder: Path, after: dict[str, int]) -> Path:
    put(folder, plan("incast", counters=True), {f"f{n}.txt": table(97) for n in range(4)})
    for n in range(5):
        counters(folder, f"h{n}", CLEAN, GOOD | after)
    return folder


def test_a_clean_incast(tmp_path: Path) -> None:
    text, code = judge.run(incast(tmp_path, {}))
    assert code == 0, text


@pytest.mark.parametrize(
    ("after", "check"),
    [
        ({"rx_prio3_discards": 5}, "lossless drops"),
        ({"rx_prio0_pause": 5}, "PFC on the RoCE priority only"),
        ({"np_cnp_sent": 0, "np_ecn_marked_roce_packets": 0}, "ECN marks"),
        ({"tx_prio6_packets": 0}, "CNPs in priority 6"),
        ({"tx_pause_storm_error_events": 1}, "no pause storm"),
        ({"rx_global_pause": 8}, "no global pause"),
        ({"packet_seq_err": 3}, "lost packets"),
        ({"tx_prio3_packets": 0, "tx_prio0_packets": 20000}, "packets leave in priority 3"),
    ],
)
def test_each_counter_fails_its_own_check(tmp_path: Path, after: dict[str, int], check: str) -> None:
    assert set(failures(incast(tmp_path, after))) == {check}
    verdict = next(v for v in judge.judge(tmp_path).verdicts if v.check == check and v.status is Status.FAIL)
    assert verdict.likely
    assert verdict.rules


def test_counters_absent_or_cleared_cannot_be_judged(tmp_path: Path) -> None:
    put(tmp_path, plan("incast", counters=True), {f"f{n}.txt": table(97) for n in range(4)})
    assert judge.run(tmp_path)[1] == 3
    counters(tmp_path, "h0", GOOD, CLEAN)
    assert "cleared during the step" in judge.run(tmp_path)[0]


def capture(folder: Path, when: str, drops: int, *, mapped: bool = True) -> None:
    place = folder / "results/two-hosts/s1/counters" / when / "leaf1"
    place.mkdir(parents=True, exist_ok=True)
    table = f"""\
Ingress PG dropped packets:
     Port    PG0    PG1    PG2    PG3
---------  -----  -----  -----  -----
Ethernet0      0      0      0  {drops:>5}
"""
    config: dict[str, Any] = {
        "PORT": {"Ethernet0": {"speed": "400000", "lanes": "1"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3", "tc_to_pg_map": "AZURE", "pfc_to_pg_map": "AZURE"}},
    }
    if mapped:
        groups = {str(n): str(n) for n in range(8)}
        config["TC_TO_PRIORITY_GROUP_MAP"] = config["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = {"AZURE": groups}
    (place / "config_db.json").write_text(json.dumps(config), encoding="utf-8")
    (place / "drops.txt").write_text(table, encoding="utf-8")
    texts = [
        {"file": "config_db.json", "command": "show runningconfiguration all"},
        {"file": "drops.txt", "command": "show priority-group drop counters"},
    ]
    index = {"schema": 1, "device": "leaf1", "nos": "sonic", "texts": texts}
    index["taken"] = f"2026-01-01T00:0{int(when == 'after')}:00Z"
    (place / "capture.json").write_text(json.dumps(index), encoding="utf-8")


def test_switches_are_judged_by_the_rules_on_counters(tmp_path: Path) -> None:
    made = plan("incast", counters=True) | {"switches": {"leaf1": "sonic"}}
    incast(tmp_path, {})
    (tmp_path / "acceptance.json").write_text(json.dumps(made), encoding="utf-8")
    assert "not read: leaf1" in judge.run(tmp_path)[0]
    capture(tmp_path, "before", 0)
    assert judge.run(tmp_path)[1] == 3
    capture(tmp_path, "after", 70)
    text, code = judge.run(tmp_path)
    assert code == 1
    assert "rules: OPS-001" in text
    capture(tmp_path, "after", 0)
    assert judge.run(tmp_path)[1] == 0
    for when in ("before", "after"):
        capture(tmp_path, when, 70 * (when == "after"), mapped=False)
    text, code = judge.run(tmp_path)
    assert code == 3
    assert "lossless drops: want of" in text


def test_an_unfair_or_overfull_incast(tmp_path: Path) -> None:
    results = {f"f{n}.txt": table(120 if n else 20) for n in range(4)}
    assert set(failures(put(tmp_path, plan("incast"), results))) == {"fair shares"}
    put(tmp_path, plan("incast"), {f"f{n}.txt": table(300) for n in range(4)})
    assert judge.run(tmp_path)[1] == 3


def test_a_plan_that_is_absent_or_broken(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        judge.run(tmp_path)
    (tmp_path / "acceptance.json").write_text("{", encoding="utf-8")
    with pytest.raises(ReadError):
        judge.run(tmp_path)


def test_an_empty_plan_is_no_pass(tmp_path: Path) -> None:
    assert judge.run(put(tmp_path, plan(flows=0), {}))[1] == 3
    assert judge.run(put(tmp_path, plan() | {"stages": []}, {}))[1] == 3


def test_thresholds_of_the_plan_decide(tmp_path: Path) -> None:
    limits = {"thresholds": {"pair_share": {"value": 0.4}}}
    folder = put(tmp_path, plan(flows=1) | limits, {"f0.txt": table(200)})
    assert judge.run(folder)[1] == 0


@pytest.mark.parametrize("wrong", [{"pair_shair": {"value": 0.4}}, {"pair_share": {"value": -1.0}}])
def test_a_threshold_that_is_none_is_said(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="threshold"):
        judge.run(put(tmp_path, plan() | {"thresholds": wrong}, {}))


def test_a_host_with_nics_of_two_families(tmp_path: Path) -> None:
    for when, count in (("before", 0), ("after", 5)):
        place = tmp_path / when
        place.mkdir()
        (place / "a.ethtool.txt").write_text(f"rx_prio3_pause: {count}\n", encoding="utf-8")
        (place / "b.ethtool.txt").write_text(f"rx_pfc_ena_frames_pri3: {count}\n", encoding="utf-8")
    grew = read_counters.growth(tmp_path / "before", tmp_path / "after", {"a": "mlx5", "b": "bnxt"})
    assert grew.of("rx_pfc", 3) == 10


def test_every_rule_named_exists() -> None:
    known = load.rules()
    assert {rule for cause in CAUSES.values() for rule in cause.rules} <= set(known)


def test_forms_hold_the_same_and_no_markup_of_a_device(tmp_path: Path) -> None:
    made = plan()
    made["intent"] = "<script>alert(1)</script>"
    folder = put(tmp_path, made, {"f0.txt": table(200), "f1.txt": table(391), "f2.txt": table(391)})
    outcome = judge.judge(folder)
    data = json.loads(report.as_json(outcome))
    assert data["status"] == "fail"
    assert data["summary"] == {"pass": 2, "fail": 2, "cannot judge": 1}
    suites = ET.fromstring(report.junit(outcome))
    assert suites.get("failures") == "2"
    assert suites.get("errors") == "1"
    page = report.html(outcome)
    assert "<script" not in page
    assert page.count("<rect") == 4
    assert "<script" not in report.markdown(outcome).replace("\\<", "")
    for form in ("text", "json", "junit", "markdown", "html"):
        assert judge.run(folder, form)[1] == 1


def test_the_command(tmp_path: Path) -> None:
    folder = put(tmp_path, plan(flows=1), {"f0.txt": table(391)})
    ran = CliRunner().invoke(accept, ["judge", str(folder), "-f", "json", "-o", str(tmp_path / "out.json")])
    assert ran.exit_code == 0, ran.output
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["status"] == "pass"


def test_messages_that_say_nothing_raise() -> None:
    for text in ("", "# nothing", NCCL.format(wrong=0)[:400]):
        with pytest.raises(NoJudgement):
            read_nccl.read(text)
    for text in ("", "{", "{}"):
        with pytest.raises(NoJudgement):
            read_others.read_iperf3(text)
