"""Any damage to a host's text gives a state or one clear error: never a traceback, a number that cannot be, or a long wait."""

from __future__ import annotations

import contextlib
import random
import time

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.codec import from_plain, to_plain
from rocecfg.state.model import Device
from rocecfg.vendor import registry
from tests.vendors.bnxt import test_bnxt_reading as bnxt
from tests.vendors.ice import test_ice_reading as ice
from tests.vendors.ionic import test_ionic_reading as ionic
from tests.vendors.linux_dcb import test_linux_dcb_reading as linux_dcb
from tests.vendors.test_counter_texts import damaged

TEXTS = {
    "linux_dcb": [linux_dcb.DCB, linux_dcb.LLDPTOOL, linux_dcb.SCRIPT],
    "bnxt": [bnxt.LIST + bnxt.SHOW, bnxt.COSQ, bnxt.SCRIPT, linux_dcb.DCB],
    "ice": [
        ice.SCRIPT,
        linux_dcb.LLDPTOOL,
        "Private flags for a:\nfw-lldp-agent : on\noptions irdma roce_ena=1 dcqcn_enable=1\n",
    ],
    "ionic": [ionic.QOS + ionic.DCQCN, ionic.PORT, ionic.SCRIPT, ionic.CARDS],
}
CASES = [(nos, number) for nos, texts in TEXTS.items() for number in range(len(texts))]
ROUNDS = 60


def sound(device: Device) -> None:
    for port in device.ports.values():
        qos = port.qos
        for codes in (qos.dscp_to_tc, qos.pcp_to_tc):
            assert codes is None or all(tc is None or 0 <= tc <= 7 for tc in codes.to)
        for numbers in (qos.tc_to_queue, qos.tc_to_pg):
            assert numbers is None or all(number is None or 0 <= number <= 7 for number in numbers)
        if qos.pfc is not None:
            assert (qos.pfc.tx or frozenset()) <= set(range(8))
        for queue in qos.queues or ():
            assert queue is None or queue.weight is None or 0 <= queue.weight <= 100
        assert all(0 <= number <= 65535 and 0 <= to <= 7 for _, number, to in qos.app_to_tc or ())
        nic = port.nic
        assert nic is None or nic.cnp_dscp is None or 0 <= nic.cnp_dscp <= 63
    assert from_plain(Device, to_plain(device)) == device


@pytest.mark.parametrize(("nos", "number"), CASES, ids=[f"{nos}-{number}" for nos, number in CASES])
def test_damage(nos: str, number: int) -> None:
    text, dice, module, read = TEXTS[nos][number], random.Random(f"{nos}{number}"), registry.get(nos).module, 0
    start = time.perf_counter()
    for _ in range(ROUNDS):
        with contextlib.suppress(ReadError):
            sound(
                module.defaults(module.to_state(Capture("n1", nos, (Text("n1.txt", damaged(text, dice)),), file="n1")))
            )
            read += 1
    assert read > (0 if text.startswith("{") else ROUNDS // 4)  # most damage to JSON makes it none
    assert time.perf_counter() - start < 30


@pytest.mark.parametrize("nos", TEXTS)
def test_foreign_lines_anywhere_change_nothing_else(nos: str) -> None:
    module, foreign = registry.get(nos).module, "router bgp 65000\n neighbor 10.0.0.1 remote-as 65001\n"
    text = TEXTS[nos][0]
    plain = module.to_state(Capture("n1", nos, (Text("n1.txt", text),)))
    lines = text.splitlines(keepends=True)
    for at in range(1, len(lines), 3):
        device = module.to_state(
            Capture("n1", nos, (Text("n1.txt", "".join(lines[:at]) + foreign + "".join(lines[at:])),))
        )
        assert device.ports == plain.ports, at
