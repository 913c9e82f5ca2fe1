"""`rocecfg accept plan`: the laws of its schedule over every example, its scripts, and what it refuses."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from rocecfg.acceptance import model, schedule, thresholds
from rocecfg.acceptance.participants import refuse_unsafe
from rocecfg.acceptance.plan import Made, Wishes, make
from rocecfg.cli.group import rocecfg
from rocecfg.cli.intents import load_plan
from rocecfg.errors import PlanError
from tests.conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*/*.roce.yaml"))
LAB = ROOT / "examples" / "lab-25g" / "lab-25g.roce.yaml"
SMALL = """\
version: 1
fabric: pod1
classes: {{roce: {{dscp: 26, priority: 3, lossless: true}}}}
devices: {{leaf1: {{nos: nxos}}, "{host}": {{nic: mlx5}}, gpu02: {{nic: mlx5}}}}
links:
  - {{a: "leaf1:Ethernet1/1", b: "{host}:rail0", speed: 400G, cable: 3m dac}}
{more}
"""
SECOND = '  - {a: "leaf1:Ethernet1/2", b: "gpu02:rail0", speed: 400G, cable: 3m dac}'


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.parent.name)
def made(request: pytest.FixtureRequest) -> Made:
    return make(load_plan(request.param), Wishes())


def steps(made: Made) -> list[model.Step]:
    return [step for stage in made.acceptance.stages for step in stage.steps]


def run(*arguments: object) -> tuple[int, str]:
    ran = CliRunner().invoke(rocecfg, ["accept", "plan", *map(str, arguments)])
    return ran.exit_code, ran.output


def test_thresholds_are_told_and_changed_ones_stay(tmp_path: Path) -> None:
    intent = ROOT / "examples" / "minimal" / "minimal.roce.yaml"
    assert run(intent, "-o", tmp_path)[0] == 0
    path = tmp_path / "acceptance.json"
    plan = json.loads(path.read_text("utf-8"))
    assert set(plan["thresholds"]) == set(thresholds.DEFAULTS)
    assert all(item["reason"] and item["source"] for item in plan["thresholds"].values())
    plan["thresholds"]["pair_share"] = {"value": 0.95, "reason": "as the supplier promised"}
    path.write_text(json.dumps(plan), encoding="utf-8")
    assert run(intent, "-o", tmp_path, "--seconds", "30")[0] == 0
    again = json.loads(path.read_text("utf-8"))["thresholds"]
    assert (again["pair_share"]["value"], again["pair_share"]["reason"]) == (0.95, "as the supplier promised")
    path.write_text("{", encoding="utf-8")
    code, said = run(intent, "-o", tmp_path)
    assert code == 3
    assert "its thresholds would be lost" in said
    assert path.read_text("utf-8") == "{"


def test_flows_of_a_round_share_no_host_link(made: Made) -> None:
    looked_at = 0
    for step in steps(made):
        flows = {flow.id: flow for flow in step.flows}
        for one in step.rounds:
            ends = [(end.host, end.interface) for name in one for end in (flows[name].client, flows[name].server)]
            looked_at += 1
            if step.kind == "incast":
                assert len({(flows[name].server.host, flows[name].server.interface) for name in one}) == 1
                assert len({flows[name].client.host for name in one}) == len(one)
                assert len({flows[name].port for name in one}) == len(one)
            else:
                assert len(set(ends)) == len(ends), step.name
                servers = [(flows[name].server.host, flows[name].port) for name in one]
                assert len(set(servers)) == len(servers), "two servers of a host listen on one port"
    assert looked_at


def test_measured_alone_a_flow_is_alone_on_the_cables_of_its_leaves(made: Made) -> None:
    cards = made.acceptance.hosts
    for step in steps(made):
        if step.kind not in {"pair", "latency"} or step.name.endswith("same-leaf"):
            continue
        flows = {flow.id: flow for flow in step.flows}
        for one in step.rounds:
            leaves = [cards[flows[name].client.host].interfaces[flows[name].client.interface].leaf for name in one]
            enters = [cards[flows[name].server.host].interfaces[flows[name].server.interface].leaf for name in one]
            assert len(set(leaves)) == len(leaves)
            assert len(set(enters)) == len(enters)


def test_every_interface_sends_and_receives(made: Made) -> None:
    everywhere = {(host, name) for host, of in made.acceptance.hosts.items() for name in of.interfaces}
    sent, received = set(), set()
    for step in made.acceptance.stages[-1].steps:
        if step.kind == "pair":
            sent |= {(flow.client.host, flow.client.interface) for flow in step.flows}
            received |= {(flow.server.host, flow.server.interface) for flow in step.flows}
    assert sent == received == everywhere


def test_no_flow_ends_on_its_own_host_and_its_path_word_is_true(made: Made) -> None:
    for step in steps(made):
        for flow in step.flows:
            assert flow.client.host != flow.server.host
            if step.kind in {"pair", "latency", "class", "incast"}:
                ends = [made.acceptance.hosts[end.host].interfaces[end.interface] for end in (flow.client, flow.server)]
                assert (flow.path == "same-leaf") == (ends[0].leaf == ends[1].leaf)


def test_the_mark_is_the_dscp_times_four(made: Made) -> None:
    assert made.acceptance.classes["roce"].tclass == 104
    assert made.acceptance.classes["roce"].pfc
    assert made.acceptance.classes["cnp"].cnp
    assert all(of.tclass == of.dscp * 4 for of in made.acceptance.classes.values())


def test_no_roce_flow_crosses_a_link_without_pfc() -> None:
    made = make(load_plan(ROOT / "examples" / "two-sites" / "two-sites.roce.yaml"), Wishes())
    assert any("PFC off" in remark for remark in made.remarks)
    flows = [flow for step in steps(made) for flow in step.flows]
    assert {flow.client.host[:4] for flow in flows} == {"east", "west"}
    assert all(flow.client.host[:4] == flow.server.host[:4] for flow in flows)


def test_rdma_says_that_it_understands_ecn_and_a_ping_does_not(tmp_path: Path) -> None:
    assert run(LAB, "-o", tmp_path)[0] == 0
    lines = (tmp_path / "run" / "2-one-rack.sh").read_text(encoding="utf-8").splitlines()
    sent: dict[str, set[str]] = {}
    for words in map(str.split, lines):
        if words[:1] == ["flow"]:
            sent.setdefault(words[2], set()).add(words[8])
    assert sent["ib_write_bw"] == {"0", "106"}
    assert sent["ib_write_lat"] == {"106"}
    assert sent["ping"] == {"104"}
    assert sent["iperf3"] == {"0"}


def test_the_same_intent_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        code, output = run(LAB, "-o", tmp_path / name)
        assert code == 0, output
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert Path("SCHEDULE.md") in files
    assert Path("run/1-two-hosts.sh") in files
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    model.read(tmp_path / "one" / model.FILE)
    kept = tmp_path / "one" / "results" / "kept.txt"
    kept.parent.mkdir()
    kept.write_text("mine", encoding="utf-8")
    assert "(0 files written" in run(LAB, "-o", tmp_path / "one")[1]
    assert kept.read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_the_scripts_are_clean(tmp_path: Path) -> None:
    assert run(LAB, "-o", tmp_path)[0] == 0
    scripts = sorted(map(str, [*tmp_path.glob("run/*.sh"), *tmp_path.glob("run/lib/*.bash")]))
    assert len(scripts) >= 3
    ran = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_a_stage_runs_and_keeps_what_failed(tmp_path: Path) -> None:
    """A stand-in for ssh that knows addresses and counters, and whose flows break off after one line.

    gpu02's clock is 100 s ahead, gpu01 does not tell its own.
    """
    began = time.time()
    assert run(ROOT / "examples" / "minimal" / "minimal.roce.yaml", "-o", tmp_path)[0] == 0
    ssh = tmp_path / "ssh"
    ssh.write_text(
        "#!/usr/bin/env bash\ncat >/dev/null\nhost=$1\nset -- $2\n"
        "[[ $host$4 != gpu02clock ]] || echo $(($(date +%s%3N) + 100000))\n"
        'case $4 in address) echo 10.0.0.1 ;; ethtool) echo "rx_prio3_pause: 0" ;; rdma) echo "np_cnp_sent: 0" ;;\n'
        'send) echo "$*"; exit 1 ;; esac\n',
        encoding="utf-8",
    )
    ssh.chmod(0o755)
    pull = tmp_path / "rocecfg"
    pull.write_text('#!/usr/bin/env bash\nmkdir -p "$5/leaf1" "$5/gpu01"\necho "$*" >"$5/leaf1/capture.json"\n')
    pull.chmod(0o755)
    engine = tmp_path / "run" / "lib" / "engine.bash"
    engine.write_text(engine.read_text(encoding="utf-8").replace("sleep 2", "sleep 0"), encoding="utf-8")
    ran = subprocess.run(
        [tmp_path / "run" / "1-two-hosts.sh"],
        env={
            "PATH": f"{tmp_path}:/usr/bin:/bin",
            "ROCECFG_SSH": str(ssh),
            "ROCECFG_MPIRUN": "echo mpirun",
            "ROCECFG_INVENTORY": "devices.yaml",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 1, ran.stderr
    for step in model.read(tmp_path / model.FILE).stages[0].steps:
        for flow in step.flows:
            if step.kind == "nccl":
                ranks = (tmp_path / f"{flow.result}.txt").read_text(encoding="utf-8")
                assert ranks.startswith("mpirun -np 16 -H gpu01:8,gpu02:8 -x NCCL_IB_TC=106 all_reduce_perf ")
            else:
                sent = (tmp_path / f"{flow.result}.txt").read_text(encoding="utf-8")
                assert f"send {flow.tool} {flow.client.interface} 10.0.0.1" in sent
                late = float(sent.split()[-1]) - began - (100 if flow.client.host == "gpu02" else 0)
                assert 0 < late < 90, "by the host's own clock"
        if step.counters:
            counters = tmp_path / "results" / "two-hosts" / step.name / "counters"
            for when in ("before", "after"):
                pulled = (counters / when / "leaf1" / "capture.json").read_text(encoding="utf-8")
                assert pulled.startswith("pull -i devices.yaml -o ")
                assert sorted(path.name for path in (counters / when).iterdir()) == ["gpu01", "gpu02", "leaf1"]
                assert (counters / when / "gpu01" / "rail0.ethtool.txt").read_text() == "rx_prio3_pause: 0\n"
                assert (counters / when / "gpu02" / "rail0.rdma.txt").read_text() == "np_cnp_sent: 0\n"


@pytest.mark.parametrize(
    ("host", "more", "said"),
    [("gpu01", "", "two hosts"), ("gpu;reboot", SECOND, "is no device name")],
)
def test_what_cannot_be_tested_is_refused(tmp_path: Path, host: str, more: str, said: str) -> None:
    path = tmp_path / "pod1.roce.yaml"
    path.write_text(SMALL.format(host=host, more=more), encoding="utf-8")
    code, output = run(path, "-o", tmp_path / "out")
    assert code == 2
    assert said in output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["a b", "-x", "$(reboot)", "a;b", "../a", "", "a\n"])
def test_a_name_that_a_shell_would_read_is_refused(name: str) -> None:
    with pytest.raises(PlanError, match="no script can carry"):
        refuse_unsafe("leaf1", name)


def test_what_a_host_is_told(tmp_path: Path) -> None:
    """`host.bash` with stand-ins for the tools: the options they get, and the counters' form."""
    (tmp_path / "sys/class/net/rail0/device/infiniband/mlx5_7").mkdir(parents=True)
    counters = tmp_path / "sys/class/infiniband/mlx5_7/ports/1/hw_counters"
    counters.mkdir(parents=True)
    (counters / "np_cnp_sent").write_text("12\n", encoding="utf-8")
    tools = {
        "ip": "echo '2: rail0    inet 10.0.0.2/24 brd 10.0.0.255 scope global rail0'",
        **dict.fromkeys(("ib_write_bw", "ib_write_lat", "iperf3", "ping"), 'echo "$(basename "$0") $*"'),
    }
    for name, text in tools.items():
        (tmp_path / name).write_text(f"#!/usr/bin/env bash\n{text}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)

    def told(*words: str) -> tuple[int, str]:
        return told_all(*words)[:2]

    def told_all(*words: str) -> tuple[int, str, str]:
        ran = subprocess.run(
            ["bash", "-s", "--", *words],
            input=(ROOT / "templates" / "acceptance" / "host.bash").read_text(encoding="utf-8"),
            env={"PATH": f"{tmp_path}:/usr/bin:/bin", "ROCECFG_SYSROOT": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return ran.returncode, ran.stdout, ran.stderr

    bulk = "-d mlx5_7 -p 18515 --tclass 106 -s 65536 -F -q 4 --report_gbits -D 20"
    assert told("address", "rail0") == (0, "10.0.0.2\n")
    assert told("rdma", "rail0") == (0, "np_cnp_sent: 12\n")
    assert told("serve", "ib_write_bw", "rail0", "18515", "106", "65536", "4", "20") == (0, f"ib_write_bw {bulk}\n")
    sent = told("send", "ib_write_bw", "rail0", "10.0.0.1", "18515", "106", "65536", "4", "20", "0")
    assert sent == (0, f"ib_write_bw {bulk} 10.0.0.1\n")
    sent = told("send", "ib_write_lat", "rail0", "10.0.0.1", "18515", "106", "2", "1", "0", "0")
    assert sent == (0, "ib_write_lat -d mlx5_7 -p 18515 --tclass 106 -s 2 -F 10.0.0.1\n")
    sent = told("send", "ping", "rail0", "10.0.0.1", "1", "104", "8972", "1", "0", "0")
    assert sent == (0, "ping -I rail0 -c 5 -W 2 -Q 104 -M do -s 8972 10.0.0.1\n")
    sent = told("send", "iperf3", "rail0", "10.0.0.1", "5201", "0", "65536", "1", "20", "0")
    assert sent == (0, "iperf3 -c 10.0.0.1 -p 5201 -B 10.0.0.2 -S 0 -P 8 -t 20 -J\n")
    (tmp_path / "timeout").write_text("#!/usr/bin/env bash\nexit 124\n", encoding="utf-8")
    (tmp_path / "timeout").chmod(0o755)
    code, output, error = told_all("send", "ib_write_bw", "rail0", "10.0.0.1", "1", "0", "2", "1", "20", "0")
    assert (code, output) == (124, "")
    assert "ib_write_bw: timed out after 80 s" in error
    (tmp_path / "timeout").unlink()
    code, output = told("send", "ib_write_bw", "rail9", "10.0.0.1", "18515", "106", "65536", "4", "20", "0")
    assert code != 0, "no RDMA device is a failure"
    assert output == ""

    gids = tmp_path / "sys/class/infiniband/mlx5_bond_0/ports/1"
    table = [  # a bond and a VLAN on it: neither has a device of its own in sysfs
        ("bond0", "RoCE v2", "fe80:0000:0000:0000:0ac0:ebff:fe12:3456"),
        ("bond0", "IB/RoCE v1", "0000:0000:0000:0000:0000:ffff:0a00:0002"),
        ("bond0", "RoCE v2", "0000:0000:0000:0000:0000:ffff:0a00:0002"),
        ("bond0.100", "RoCE v2", "0000:0000:0000:0000:0000:ffff:0a64:0002"),
    ]
    for index, columns in enumerate(table):
        for name, value in zip(("gid_attrs/ndevs", "gid_attrs/types", "gids"), columns, strict=True):
            (gids / name).mkdir(parents=True, exist_ok=True)
            (gids / name / str(index)).write_text(value + "\n", encoding="utf-8")
    for interface, gid in (("bond0", 2), ("bond0.100", 3)):
        sent = told("send", "ib_write_lat", interface, "10.0.0.1", "18515", "106", "2", "1", "0", "0")
        assert sent == (0, f"ib_write_lat -d mlx5_bond_0 -p 18515 --tclass 106 -s 2 -F -x {gid} 10.0.0.1\n")


def test_bad_paths_are_one_message(tmp_path: Path) -> None:
    assert run(tmp_path / "absent.yaml", "-o", tmp_path / "out")[0] in {2, 3}
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, output = run(LAB, "-o", tmp_path / "file" / "below")
    assert code == 2
    assert "cannot write" in output


def test_a_thousand_hosts_of_eight_rails_are_scheduled_in_few_rounds() -> None:
    cards = [
        schedule.Card(f"h{host:04}", f"rail{rail}", f"leaf{rail}-{host // 32}", 400.0, 9000, ("nxos", None, "400"))
        for host in range(1024)
        for rail in range(8)
    ]
    far = schedule.in_rounds(schedule.across(cards), alone_on_leaf=True)
    assert sum(map(len, far)) == 8192
    assert len(far) <= 64
    near = schedule.in_rounds(schedule.neighbours(cards), alone_on_leaf=False)
    assert len(near) == 2


def test_no_roce_mark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = load_plan(LAB)
    monkeypatch.setattr("rocecfg.acceptance.participants.classes", lambda _: {})
    with pytest.raises(PlanError, match="roce"):
        make(plan, Wishes())
