"""The published validated configurations: read whole, rendered and read again, and their known faults on their lines."""

from __future__ import annotations

import pytest

from rocecfg.render.engine import as_capture, render
from rocecfg.state.capture import captures_under
from rocecfg.state.model import distinct_qos
from rocecfg.state.parse import effective, parse, stated
from rocecfg.vendor import registry

COMPUTE = "jvd-5stage-compute-leaf1-qfx5120-48ym.cfg"
STORAGE = "jvd-5stage-storage-leaf1-qfx5130-32cd.cfg"
RAMP = {
    COMPUTE: 1808, STORAGE: 1888, "jvd-5stage-compute-spine1-qfx5210-64c.cfg": 1176,
    "jvd-5stage-services-spine1-qfx5210-64c.cfg": 2102, "jvd-5stage-storage-spine1-qfx5220-32cd.cfg": 995,
    "jvd-5stage-superspine1-qfx5230-64cd.cfg": 1327,
}  # fmt: skip
REMARK = {
    COMPUTE: 1904, STORAGE: 1986, "jvd-5stage-compute-spine1-qfx5210-64c.cfg": 1518,
    "jvd-5stage-services-spine1-qfx5210-64c.cfg": 2732, "jvd-5stage-storage-spine1-qfx5220-32cd.cfg": 1405,
    "jvd-5stage-superspine1-qfx5230-64cd.cfg": 2089,
}  # fmt: skip


@pytest.fixture(scope="module")
def corpus(shared):
    folder = shared / "corpus" / "junos"
    if not folder.is_dir():
        pytest.skip("no Junos files in the corpus")
    return {capture.file.rpartition("/")[2]: capture for capture in captures_under(folder)}


@pytest.fixture(scope="module")
def devices(corpus):
    return {name: parse(capture, "junos") for name, capture in corpus.items()}


def bound(device):
    """The first port with a scheduler map of its own."""
    return next(port for port in device.ports.values() if port.qos.trust is not None)


def test_every_line_is_understood(devices):
    assert len(devices) == 13
    for name, device in devices.items():
        assert device.lines_read > 20, name
        assert len(device.lines) * 100 <= device.lines_read, (name, device.lines)
        assert device.ports, name
        assert device.complete, name


def test_every_file_is_told_to_be_junos(corpus):
    for capture in corpus.values():
        assert registry.detect(capture.texts, capture.file) == "junos"


def test_rendered_and_read_again_it_is_the_same(devices):
    for name, device in devices.items():
        again = effective(stated(as_capture(device, render(device))))
        assert again == device, name


def test_a_drop_profile_from_1_to_2_percent(devices):
    for name, line in RAMP.items():
        port = bound(devices[name])
        curve = port.qos.queue(5).ecn.curves[0]
        assert (curve.low.value, curve.high.value, curve.low.unit) == (1, 2, "percent")
        assert port.where("queues.5.ecn").line == line, name


def test_the_rewrite_that_turns_dscp_26_into_8(devices):
    for name, line in REMARK.items():
        port = bound(devices[name])
        assert ("tc", 5, 8) in port.qos.rewrite
        assert port.qos.dscp_to_tc.to[26] == 5
        assert port.where("rewrite.tc.5").line == line, name


@pytest.mark.parametrize(("name", "partition", "profile"), [(COMPUTE, 1816, 1853), (STORAGE, 1896, 1930)])
def test_no_buffer_behind_a_profile_with_only_an_output(devices, name, partition, profile):
    device = devices[name]
    lossless = next(pool for pool in device.pools if pool.name == "ingress lossless")
    assert (lossless.total.value, lossless.headroom.value, lossless.place.line) == (0, 0, partition)
    found = next(entry for entry in device.objects if entry.kind == "congestion-notification-profile")
    assert found.place.line == profile  # the block's line: it holds this profile only
    assert found.used == (name == STORAGE)


def test_the_profile_is_on_one_port_of_three(devices):
    device = devices[STORAGE]
    classified = [name for name, port in device.ports.items() if port.qos.trust is not None]
    paused = [name for name, port in device.ports.items() if port.qos.pfc is not None and port.qos.pfc.admin == "on"]
    assert len(classified) == 3
    assert paused == ["et-0/0/2"]
    port = device.ports["et-0/0/2"]
    assert (port.qos.pfc.tx, port.qos.pfc.rx) == (frozenset(), frozenset({3}))
    assert port.where("pfc").line == 1965
    assert port.where("pfc.tx").line == 1930
    assert port.qos.watchdog.enabled is False
    assert port.where("watchdog").line == 1965


def test_the_ai_design(devices):
    for name, device in devices.items():
        if "aiml" not in name:
            continue
        assert [len(ports) for _, ports in distinct_qos(device)] == [len(device.ports)]
        qos = bound(device).qos
        assert qos.pfc.tx == qos.pfc.rx == frozenset({3})
        assert qos.lossless_tcs() == frozenset({4})
        assert qos.priority_to_queue[3] == frozenset({4})
        assert (qos.watchdog.enabled, qos.watchdog.poll, qos.watchdog.detect, qos.watchdog.restore) == (
            True,
            100,
            200,
            200,
        )
        assert not [entry for entry in device.objects if entry.used and not entry.defined and not entry.system]
        assert not [entry for entry in device.objects if entry.matters and not entry.used]


def test_the_snippet_without_interfaces_keeps_its_wildcard(devices):
    device = devices["jvd-aidc-rocev2-cos-snippet.cfg"]
    assert list(device.ports) == ["et-*"]
    assert device.ports["et-*"].qos.trust == "dscp"
