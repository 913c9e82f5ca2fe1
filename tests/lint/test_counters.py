"""Two captures of a device: in which order, what of a cleared counter, what of one capture alone, what is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rocecfg.cli.group import rocecfg
from rocecfg.fabric.links import Cabling
from rocecfg.findings import Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.run import Linter, lint
from rocecfg.lint.samples import Samples
from rocecfg.state.counters import PortCounters, RdmaCounters, Sample
from rocecfg.state.model import Device, Pfc, Port, PortQos, PortWatchdog, Where, eight

if TYPE_CHECKING:
    from pathlib import Path

QOS = PortQos(pfc=Pfc("on", frozenset({3}), frozenset({3})), priority_to_pg=eight({3: frozenset({3})}))
ALL_OPS = Settings(select=("OPS",))


def at(second: int) -> str:
    return f"2026-01-01T00:00:{second:02d}Z"


def leaf(taken: str, drops: int, name: str = "leaf1", **more: object) -> Device:
    counters = PortCounters(pg_drops=eight({3: drops}), place=Where(f"{name}/{taken}", 7), **more)  # type: ignore[arg-type]
    return Device(name, "demo", {"Ethernet0": Port("Ethernet0", QOS)}, sample=Sample(taken, {"Ethernet0": counters}))


def test_the_later_minus_the_earlier_whatever_the_order() -> None:
    captures = [leaf(at(0), 5), leaf(at(20), 25)]
    for order in permutations(captures):
        (finding,) = lint(order, settings=ALL_OPS).findings
        assert finding.message == "packets dropped in lossless priority group 3: 20 in 20 s"
        assert (finding.file, finding.line, finding.severity) == (f"leaf1/{at(20)}", 7, Severity.ERROR)


def test_times_in_other_zones_are_compared_as_moments() -> None:
    captures = [leaf("2026-01-01T01:00:00+01:00", 5), leaf("2026-01-01T00:00:30", 25)]
    (finding,) = lint(captures, settings=ALL_OPS).findings
    assert finding.message.endswith("20 in 30 s")


def test_the_same_capture_twice_is_no_pair() -> None:
    result = lint([leaf(at(0), 0), leaf(at(0), 0)], settings=ALL_OPS)
    assert result.findings == ()
    assert ("OPS-001", "a second capture of the device, some time later") in {
        (item.rule, item.missing) for item in result.not_evaluated
    }


@pytest.mark.parametrize("taken", ["", "yesterday", "9" * 500])
def test_without_a_time_there_is_growth_and_no_rate(taken: str) -> None:
    before, after = leaf(taken, 5, tx_pfc=eight({3: 0})), leaf(taken, 25, tx_pfc=eight({3: 10**6}))
    result = lint([before, after], settings=ALL_OPS)
    assert [finding.message for finding in result.findings] == [
        "packets dropped in lossless priority group 3: 20 between the captures"
    ]
    assert ("OPS-005", "when the captures were taken") in {(item.rule, item.missing) for item in result.not_evaluated}


def test_a_counter_that_went_backwards_was_cleared() -> None:
    result = lint([leaf(at(0), 500), leaf(at(20), 25)], settings=ALL_OPS)
    assert result.findings == ()
    said = {(item.rule, item.missing) for item in result.not_evaluated}
    assert ("OPS-001", "drops by priority group: cleared between the captures") in said


def test_three_captures_are_two_pairs() -> None:
    found = lint([leaf(at(0), 5), leaf(at(10), 7), leaf(at(40), 107)], settings=ALL_OPS).findings
    assert [finding.message.rpartition(": ")[2] for finding in found] == ["2 in 10 s", "100 in 30 s"]


def test_a_missing_port_or_counter_is_no_zero() -> None:
    other = Device("leaf1", "demo", sample=Sample(at(20), {"Ethernet0": PortCounters(fcs_errors=3)}))
    result = lint([leaf(at(0), 5), other], settings=ALL_OPS)
    assert result.findings == ()
    assert ("OPS-009", "checksum and FEC errors") in {(item.rule, item.missing) for item in result.not_evaluated}


def test_one_capture_says_so_once_for_all_devices() -> None:
    devices = [leaf(at(0), 0, f"leaf{number}") for number in range(50)]
    result = lint(devices, settings=ALL_OPS)
    missing = [item for item in result.not_evaluated if item.missing.startswith("a second capture")]
    assert {item.device for item in missing} == {""}
    assert len(missing) == len({item.rule for item in missing})


def test_a_device_without_counters_asks_for_nothing() -> None:
    assert lint([Device("leaf1", "demo", {"p": Port("p", QOS)})], settings=ALL_OPS).not_evaluated == ()


def test_old_drops_are_a_warning_until_a_second_capture_shows_whether_they_grow() -> None:
    (alone,) = lint([leaf(at(0), 5)], settings=ALL_OPS).findings
    assert (alone.severity, alone.message) == (
        Severity.WARNING,
        "packets dropped in lossless priority group 3 since its counters were cleared: 5",
    )
    assert lint([leaf(at(0), 5), leaf(at(20), 5)], settings=ALL_OPS).findings == ()


def test_a_second_capture_is_no_second_twin() -> None:
    """Fleet rules count devices, not captures."""
    linter = Linter(Settings(select=("REF-005",)))
    for number in range(5):
        for second in (0, 10):
            linter.add(replace(leaf(at(second), 0, f"leaf{number}"), role="leaf"))
    (fleet,) = linter._fleets.values()
    assert [device.name for device in fleet] == [f"leaf{number}" for number in range(5)]
    assert all(device.sample is None for device in fleet)


def test_what_two_captures_show_alike_is_said_once() -> None:
    """A missing watchdog is one problem, however often the device was looked at."""
    unwatched = replace(QOS, watchdog=PortWatchdog(enabled=False))
    captures = []
    for second in (0, 10):
        place = Where(f"run{second}", 5)
        port = Port("Ethernet0", unwatched, place=place)
        captures.append(replace(leaf(at(second), 0), ports={"Ethernet0": port}))
    (finding,) = lint(captures, settings=Settings(select=("WD-001", "OPS"))).findings
    assert (finding.rule, finding.file) == ("WD-001", "run10")


def test_what_waits_for_a_second_capture_is_small() -> None:
    samples = Samples()
    zeros = eight(dict.fromkeys(range(8), 0))
    port = PortCounters(
        rx_pfc=zeros, tx_pfc=zeros, queue_packets=zeros, queue_drops=zeros, pg_drops=zeros, fcs_errors=0
    )
    for number in range(100):
        ports = {f"Ethernet{at}": port for at in range(64)}
        assert samples.pair(Device(f"leaf{number}", "demo", sample=Sample(at_time(number), ports))) is None
    assert sum(map(len, samples._held.values())) < 100 * 2_000
    assert len(samples.alone) == 100


def at_time(number: int) -> str:
    return f"2026-01-01T{number // 60:02d}:{number % 60:02d}:00Z"


def test_cnps_of_all_hosts_are_needed() -> None:
    samples = Samples()
    for second, sent in ((0, 0), (10, 50)):
        rdma = {"mlx5_0": RdmaCounters(cnp_sent=sent, cnp_handled=sent, cnp_ignored=0)}
        samples.pair(Device("gpu01", "mlx5", kind="host", sample=Sample(at(second), {}, rdma)))
    fabric = samples.fabric(Cabling(()), ["gpu01", "gpu02"])
    assert fabric is not None
    assert fabric.absent == {"gpu02"}
    assert (fabric.cnps["gpu01"].sent, fabric.cnps["gpu01"].arrived) == (50, 50)


PFC_TABLE = """\
  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0       0   {count}       0       0       0
"""
WATCHDOG = """\
      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP    TX LAST OK/DROP    RX LAST OK/DROP
-----------  -----------  -------------------------  ------------  ------------  -----------------  -----------------
Ethernet0:3  operational                        {count}/{count}       0/0           0/0                0/0                0/0
"""


def write(folder: Path, taken: str, texts: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    listed = []
    for number, (command, text) in enumerate(texts.items()):
        (folder / f"{number}.txt").write_text(text)
        listed.append({"command": command, "file": f"{number}.txt", "complete": True})
    index = {"schema": 1, "device": "leaf1", "nos": "sonic", "taken": taken, "texts": listed}
    (folder / "capture.json").write_text(json.dumps(index))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_two_capture_folders_on_the_command_line(tmp_path: Path, workers: str) -> None:
    for second, count in ((0, "1,000"), (10, "3,500")):
        write(
            tmp_path / f"run{second}" / "leaf1",
            at(second),
            {
                "show pfc counters": PFC_TABLE.format(count=count),
                "show pfcwd stats": WATCHDOG.format(count=1 + second // 10),
                "show pfc priority": "Interface    Lossless priorities\n-----------  ----------\nEthernet0    3\n",
            },
        )
    arguments = ["lint", str(tmp_path / "run0"), str(tmp_path / "run10"), "--select", "OPS", "--format", "json"]
    ran = CliRunner().invoke(rocecfg, [*arguments, "--jobs", workers])
    assert ran.exit_code == 1, ran.output
    found = {(item["rule"], item["line"], item["message"]) for item in json.loads(ran.stdout)["findings"]}
    assert found == {
        ("OPS-011", 3, "storms that the PFC watchdog found: 1 in 10 s"),
        ("OPS-013", 3, "PFC frames received for priority 4, where the port honours 3: 2500 in 10 s"),
    }
