"""Published ECN ramps, to stand beside ours. They show how far apart the world is; none of them is followed blindly."""

from __future__ import annotations

from typing import NamedTuple


class PublishedRamp(NamedTuple):
    """One published ramp: speeds in Gb/s (0 = any), Kmin and Kmax in bytes, Pmax in percent (None = unset)."""

    slowest: int
    fastest: int
    kmin: int
    kmax: int
    pmax: int | None
    where: str
    mark: str

    def is_for(self, gigabits: float) -> bool:
        """Return whether the row speaks about a speed."""
        return self.slowest <= gigabits <= (self.fastest or 10_000)


ROWS = (
    PublishedRamp(40, 40, 5_000, 200_000, 1, "DCQCN paper (SIGCOMM 2015), Trident II", "inferred"),
    PublishedRamp(40, 40, 40_000, 1_000_000, 100, "bobzhuyb/ns3-rdma, the paper authors' simulator", "seen"),
    PublishedRamp(25, 25, 100_000, 400_000, 20, "HPCC ns-3 run.py", "seen"),
    PublishedRamp(50, 50, 200_000, 800_000, 20, "HPCC ns-3 run.py, K grows with the rate", "seen"),
    PublishedRamp(100, 100, 400_000, 1_600_000, 20, "HPCC ns-3 run.py", "seen"),
    PublishedRamp(200, 200, 300_000, 1_200_000, 80, "SimAI, Alibaba HPN7 configuration", "seen"),
    PublishedRamp(400, 400, 800_000, 3_200_000, 20, "SimAI", "seen"),
    PublishedRamp(100, 100, 100_000, 400_000, 20, "ConWeave ns-3, which calls 400/1600 too large", "seen"),
    PublishedRamp(0, 0, 1_048_576, 2_097_152, 5, "SONiC qos_config.j2 AZURE_LOSSLESS", "seen"),
    PublishedRamp(0, 100, 250_000, 2_097_152, 5, "SONiC Tomahawk SKUs (S6100, 7060CX)", "seen"),
    PublishedRamp(0, 400, 2_000_000, 10_000_000, 5, "SONiC Tomahawk 2, Jericho 2, Qumran 3D, SN4600C", "seen"),
    PublishedRamp(0, 100, 1_048_576, 12_000_144, 5, "SONiC Trident 2", "seen"),
    PublishedRamp(0, 100, 104_000, 312_000, None, "SONiC Inventec D6332, D6356", "seen"),
    PublishedRamp(0, 100, 184_128, 184_128, 100, "SONiC Ingrasys S9130, S9230: a step", "seen"),
    PublishedRamp(100, 800, 166_912, 282_624, 5, "SONiC SN5600-C256S1, 7060X6 backend, all queues lossy", "seen"),
    PublishedRamp(0, 0, 150_000, 1_500_000, None, "NVIDIA Onyx and Cumulus roce default", "seen"),
    PublishedRamp(25, 25, 7_000, 150_000, 30, "Huawei CE6865, CE8850, CE8861: latency, RTT 20 us", "seen"),
    PublishedRamp(100, 100, 7_000, 500_000, 30, "Huawei CE6865, CE8850, CE8861: latency, RTT 20 us", "seen"),
    PublishedRamp(25, 25, 7_000, 200_000, 10, "Huawei CE6865, CE8850, CE8861: throughput", "seen"),
    PublishedRamp(100, 100, 7_000, 750_000, 10, "Huawei CE6865, CE8850, CE8861: throughput", "seen"),
    PublishedRamp(100, 100, 7_000, 18_000_000, 100, "Huawei CE16800, virtual output queues", "seen"),
    PublishedRamp(100, 100, 3_125_000, 6_250_000, 100, "OpenConfig featureprofiles DP-1.3", "seen"),
    PublishedRamp(100, 100, 150_000, 3_000_000, 7, "Cisco AI/ML networking blueprint, as quoted", "reported"),
    PublishedRamp(0, 0, 950_000, 3_000_000, 7, "Cisco engineer's RoCEv2 automation v0.60", "seen"),
    PublishedRamp(25, 100, 300_000, 300_000, 100, "Azure Local on Nexus: a step", "seen"),
    PublishedRamp(0, 0, 256_000, 512_000, 100, "Arista AI Network Fabric guide, leaf", "reported"),
    PublishedRamp(0, 0, 512_000, 768_000, 100, "Arista AI Network Fabric guide, spine", "reported"),
)
"""Rows in bytes; published percentages and cell counts depend on the chip and are left out."""


def for_speed(gigabits: float) -> tuple[PublishedRamp, ...]:
    """Return the published ramps for a speed, those made for it first."""
    rows = [row for row in ROWS if row.is_for(gigabits)]
    return tuple(sorted(rows, key=lambda row: (row.fastest or 10_000) - row.slowest))
