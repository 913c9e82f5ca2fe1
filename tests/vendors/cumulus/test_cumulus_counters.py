"""NVUE's counter tables, of one interface and of a text that names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import eight
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from rocecfg.state.counters import PortCounters

QOS = """\
cumulus@leaf01:~$ nv show interface swp1 counters qos
Ingress Buffer Statistics
============================
    priority-group  rx-frames  rx-buffer-discards  rx-shared-buffer-discards
    --------------  ---------  ------------------  -------------------------
    0               81234      0 Bytes             0 Bytes
    3               81234      640 Bytes           0 Bytes

Egress Queue Statistics
==========================
    traffic-class  tx-frames  tx-bytes  tx-uc-buffer-discards  wred-discards
    -------------  ---------  --------  ---------------------  -------------
    3              81234      83183616  12                     0

PFC Statistics
=================
    switch-priority  rx-pause-frames  rx-pause-duration  tx-pause-frames  tx-pause-duration
    ---------------  ---------------  -----------------  ---------------  -----------------
    0                0                0                  0                0
    3                1204             88                 17               2

Qos Port Statistics
======================
    Counter             Receive  Transmit
    ------------------  -------  --------
    ecn-marked-packets  n/a      517
    pause-frames        5        0
"""
WATCHDOG = """\
cumulus@leaf01:~$ nv show interface swp1 qos pfc-watchdog
                 operational  applied
---------------  -----------  -------
state            enabled      enabled

PFC WD Status
===========================
    traffic-class  status    deadlock-count
    -------------  --------  --------------
    0              OK        0
    2              DEADLOCK  2
    3              OK        1
"""
ROCE = """\
cumulus@leaf01:~$ nv show interface swp1 qos roce counters
                               operational  applied  description
-----------------------------  -----------  -------  ----------------------------------
rx-stats
  rx-pfc-stats
    pause-packets              1204                  Rx PFC pause packets for RoCE traffic
  rx-roce-stats
    no-buffer-discard          3                     Rx buffer discards for RoCE traffic
tx-stats
  tx-ecn-stats
    ecn-marked-packets         517                   Tx ECN marked packets
  tx-pfc-stats
    pause-packets              17                    Tx PFC pause packets for RoCE traffic
  tx-roce-stats
    unicast-no-buffer-discard  6630                  Tx buffer discards for RoCE traffic
"""


def counters(*texts: str, port: str = "swp1") -> PortCounters:
    device = parse(Capture("leaf1", "cumulus", tuple(Text(f"{n}.txt", text) for n, text in enumerate(texts))))
    assert device.lines == ()
    assert device.sample is not None
    return device.sample.ports[port]


def test_the_four_tables_of_counters_qos() -> None:
    found = counters(QOS)
    assert (found.pg_drop_bytes, found.pg_drops) == (eight({0: 0, 3: 640}), None)
    assert (found.queue_drops, found.queue_drop_bytes) == (eight({3: 12}), None)
    assert (found.queue_packets, found.queue_bytes) == (eight({3: 81234}), eight({3: 83183616}))
    assert (found.rx_pfc, found.tx_pfc) == (eight({0: 0, 3: 1204}), eight({0: 0, 3: 17}))
    assert (found.rx_link_pause, found.tx_link_pause, found.marked_total) == (5, 0, 517)


def test_pause_durations_are_left_out_because_nobody_states_their_unit() -> None:
    assert counters(QOS).rx_paused is None


def test_the_watchdog() -> None:
    found = counters(WATCHDOG)
    assert (found.storms, found.stormed) == (eight({0: 0, 2: 2, 3: 1}), frozenset({2}))
    assert found.where("stormed.2").line == 11  # type: ignore[union-attr]


def test_the_roce_counters() -> None:
    found = counters(ROCE)
    assert (found.roce_rx_drops, found.roce_tx_drops, found.marked_total) == (3, 6630, 517)
    assert (found.rx_pfc_total, found.tx_pfc_total) == (1204, 17)
    assert found.where("roce_tx_drops").line == 15  # type: ignore[union-attr]


def test_a_text_that_names_no_interface_counts_for_the_port_that_stands_for_all() -> None:
    assert counters(WATCHDOG.partition("\n")[2], port="default-global").stormed == frozenset({2})


@pytest.mark.parametrize("cell", ["n/a", "1.43 MB", "12 frames", "-"])
def test_what_is_rounded_or_no_number_is_not_known(cell: str) -> None:
    text = QOS.replace("83183616  12                     0", f"83183616  {cell:23}0")
    assert (counters(text).queue_drops, counters(text).queue_packets) == (None, eight({3: 81234}))
