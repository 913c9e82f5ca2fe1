"""What perftest really printed: 4.5+0.17 and 25.01+0.80 of Debian 12 and 13 over soft RoCE (rdma_rxe), in virtual machines.

The numbers are those of an emulated processor; the forms are what counts. Clients, unless the name says otherwise.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rocecfg.acceptance import read_perftest
from rocecfg.acceptance.reading import NoJudgement

HERE = Path(__file__).parent / "perftest"
BANDWIDTH = {  # Gb/s of payload, bytes a message, messages
    "4.5_write_bw_default.txt": (0.695, 65536, 500),
    "4.5_write_bw_all.txt": (0.72, 8388608, 100),
    "4.5_write_bw_bidir.txt": (1.33, 65536, 200),
    "4.5_write_bw.json": (0.71, 65536, 200),
    "25.01_write_bw_default.txt": (1.074, 65536, 500),
    "25.01_write_bw_duration.txt": (0.94, 65536, 5363),
    "25.01_write_bw_tos.txt": (0.56, 65536, 200),
    "25.01_write_bw.json": (0.92, 65536, 200),
}
LATENCY = {  # microseconds: typical (the average where only that was measured), 99 %
    "4.5_write_lat.txt": (10.34, 26.37),
    "4.5_write_lat_duration.txt": (10.51, None),
    "4.5_write_lat.json": (10.22, 24.57),
    "25.01_write_lat.txt": (26.77, 298.83),
    "25.01_write_lat_hist.txt": (35.57, 82.19),
}
NOTHING = {
    "4.5_bad_gid.txt": "and said: Gid index should be between 0 and 64",
    "4.5_mismatch_qps_server.txt": "a message of 3472328296395452464 bytes",
    "4.5_read_lat_cycles.txt": "-nan",  # --cycles: cycles under a header of microseconds
    "25.01_send_bw_bidir_all.txt": "stands where a number belongs",
}


def read(name: str) -> read_perftest.Reading:
    return read_perftest.read((HERE / name).read_text("utf-8"), is_json=name.endswith(".json"))


def test_every_file_has_its_answer() -> None:
    assert {path.name for path in HERE.iterdir()} == {*BANDWIDTH, *LATENCY, *NOTHING}


@pytest.mark.parametrize("name", BANDWIDTH)
def test_bandwidth(name: str) -> None:
    reading = read(name)
    gbps, size, messages = BANDWIDTH[name]
    assert reading.gbps == pytest.approx(gbps, rel=1e-3)
    assert (reading.size, reading.messages, reading.mtu) == (size, messages, 4096)
    assert not reading.remarks


@pytest.mark.parametrize("name", LATENCY)
def test_latency(name: str) -> None:
    reading = read(name)
    assert (reading.typical_us, reading.p99_us) == LATENCY[name]
    assert reading.gbps is None


@pytest.mark.parametrize("name", NOTHING)
def test_no_judgement_and_why(name: str) -> None:
    with pytest.raises(NoJudgement, match=NOTHING[name]):
        read(name)


@pytest.mark.parametrize("name", [*BANDWIDTH, *LATENCY])
def test_a_cut_output_is_no_other_result(name: str) -> None:
    """Cut anywhere, an output reads as it did whole, or not at all."""
    text = (HERE / name).read_text("utf-8")
    whole = read(name)
    for end in range(len(text)):
        try:
            part = read_perftest.read(text[:end], is_json=name.endswith(".json"), message=whole.size)
        except NoJudgement:
            continue
        assert (part.gbps, part.typical_us, part.p99_us) == (whole.gbps, whole.typical_us, whole.p99_us), text[:end][
            -80:
        ]
