"""Applications: every Linux host writes their files and reads the same back; marks come from the class."""

from __future__ import annotations

import pytest

from rocecfg import packs
from rocecfg.errors import ConfigurationError, IntentError, PlanError
from rocecfg.findings import Severity
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.run import lint
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import as_capture, render
from rocecfg.render.evidence import Shapes, doubtful
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import applications, registry
from rocecfg.vendor.manifest import load_application

HOSTS = [
    name
    for name in registry.names()
    if (registry.get(name).manifest.kind, registry.get(name).manifest.netmiko) == ("host", "linux")
]
INTENT = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
  storage: {dscp: [24, 25], priority: 2}
  cnp: {dscp: 48, priority: 1}
devices:
  host1: {nic: NIC, host: {applications: APPS}}
  host2: {nic: NIC}
links:
  - {a: "host1:PORT", b: "host2:PORT", speed: 100G, cable: 3m dac}
"""


def text_of(apps: str, system: str = "mlx5") -> str:
    port = registry.get(system).manifest.port_names[0]
    return INTENT.replace("NIC", system).replace("APPS", apps).replace("PORT", port)


def planned(apps: str, system: str = "mlx5", **replaced: str):
    text = text_of(apps, system)
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    return plan(expand(parse_intent(text, "f")))


def told(apps):
    return {
        app.name: {leaf: value for leaf in ("tos", "sl", "gid_index") if (value := getattr(app, leaf)) is not None}
        for app in apps or ()
    }


def files_of(device) -> dict[str, str]:
    return {item.file: item.content for item in render(device.fitted)}


@pytest.mark.parametrize("system", HOSTS)
def test_every_linux_host_writes_them_and_reads_the_same_back(system):
    made = planned("{nccl: auto, ucx: auto, nvme: storage, ceph: storage}", system, host2="host3")
    device = made.devices["host1"]
    assert told(device.fitted.apps) == {
        "nccl": {"tos": 106}, "ucx": {"tos": 106}, "nvme": {"tos": 98}, "ceph": {"tos": 98},
    }  # fmt: skip
    files = render(device.fitted)
    assert {"nccl.conf", "ucx.conf", "nvme-connect-rdma.sh", "ceph-rdma.conf"} <= {item.file for item in files}
    assert {item.file: oct(item.mode) for item in files}["nvme-connect-rdma.sh"] == "0o755"
    back = parse(as_capture(device.fitted, files))
    assert not back.lines
    assert told(back.apps) == told(device.fitted.apps)
    assert not planned("[nccl]", system).devices["host2"].fitted.apps, "who asks for none gets none"
    result = lint([back], intent=made.fabric)
    assert not [item for item in result.findings if item.severity > Severity.INFO and item.rule.startswith("APP")]


@pytest.mark.parametrize("name", applications.names())
def test_an_application_is_whole(name):
    application = applications.get(name)
    assert application.title
    assert application.sources
    assert set(application.hosts) <= {"linux", *registry.names()}
    assert (application.output is None) == (not application.evidence)


def test_every_line_of_their_files_is_vouched_for():
    device = planned("[nccl, rccl, ucx, ceph, nvme]", host1="host1", roce="roce").devices["host1"]
    shapes = Shapes((*registry.get("mlx5").manifest.evidence, *applications.evidence()))
    own = {"nccl.conf", "rccl.env", "ucx.conf", "ceph-rdma.conf", "nvme-connect-rdma.sh"}
    found = [
        what
        for what, where in doubtful(shapes, "host1", render(device.fitted))
        if where.partition(":")[0].rpartition("/")[2] in own
    ]
    assert not found


def test_what_the_files_say():
    files = files_of(planned("[nccl, rccl, ucx, nvme, ceph]").devices["host1"])
    assert "\nNCCL_IB_TC=106\n" in files["nccl.conf"]
    assert "\nNCCL_IB_TC=106\n" in files["rccl.env"]
    assert "\nUCX_IB_TRAFFIC_CLASS=106\n" in files["ucx.conf"]
    assert '\nexec nvme connect --transport=rdma --tos=106 "$@"\n' in files["nvme-connect-rdma.sh"]
    assert "\n[global]\nms_async_rdma_dscp = 106\nms_async_rdma_roce_ver = 1\n" in files["ceph-rdma.conf"]
    for name in ("nccl.conf", "rccl.env", "ucx.conf"):
        comments = [line for line in files[name].splitlines() if line.startswith("#")]
        assert not [line for line in comments if "=" in line], "NCCL takes any line with = for a setting"


def test_ports_that_trust_the_tag_get_a_service_level():
    device = planned(
        "[nccl, ucx, ceph, nvme]", **{"devices:": "settings: {trust: pcp, host: {gid_index: 5}}\ndevices:"}
    ).devices["host1"]
    assert told(device.fitted.apps)["nccl"] == {"tos": 106, "sl": 3, "gid_index": 5}
    files = files_of(device)
    assert "NCCL_IB_TC=106\nNCCL_IB_SL=3\nNCCL_IB_GID_INDEX=5\n" in files["nccl.conf"]
    assert "ms_async_rdma_sl = 3\nms_async_rdma_gid_idx = 5\n" in files["ceph-rdma.conf"]
    assert told(device.fitted.apps)["nvme"] == {"tos": 106}, "nvme knows a ToS only"


def test_a_class_without_a_dscp_leaves_nvme_unmarked_and_says_so():
    text = text_of("[nvme, nccl]").replace(
        "classes:\n  roce: {dscp: 26, priority: 3, lossless: true}\n  storage: {dscp: [24, 25], priority: 2}\n"
        "  cnp: {dscp: 48, priority: 1}\n",
        "preset: azure-local\n",
    )
    device = plan(expand(parse_intent(text, "f"))).devices["host1"]
    assert told(device.fitted.apps) == {"nccl": {"sl": 3}}
    assert [(item.field, item.because) for item in device.overruled() if item.field.startswith("apps")] == [
        ("apps.nvme", "it can be told a ToS only, and class storage has no DSCP")
    ]
    assert "nvme-connect-rdma.sh" not in files_of(device)


def test_an_application_of_other_hosts_is_dropped_aloud(monkeypatch, tmp_path):
    room = tmp_path / "vendors" / "applications"
    room.mkdir(parents=True)
    (room / "elsewhere.yaml").write_text("title: runs elsewhere\nhosts: [vms]\n")
    monkeypatch.setattr(packs, "_extra", [tmp_path])
    device = planned("[elsewhere, nccl]").devices["host1"]
    assert told(device.fitted.apps) == {"nccl": {"tos": 106}}
    assert ("apps.elsewhere", "dropped") in [(item.field, item.kind) for item in device.overruled()]


def test_the_reason_of_each_number():
    device = planned("{nccl: storage}").devices["host1"]
    numbers = {item.name: (item.value, item.because) for item in device.numbers()}
    assert numbers["apps.nccl.tos"] == (98, "DSCP 24 x 4 + 2: class storage, ECN-capable (ECT(0))")


def test_a_role_or_a_port_may_ask_too():
    text = (
        text_of("[nccl]")
        .replace("host2: {nic: mlx5}", "host2: {nic: mlx5, role: gpu}")
        .replace("devices:", "roles: {gpu: {host: {applications: [ucx]}}}\ndevices:")
    )
    assert told(plan(expand(parse_intent(text, "f"))).devices["host2"].fitted.apps) == {"ucx": {"tos": 106}}
    port = registry.get("mlx5").manifest.port_names[0]
    text = text_of("[nccl]").replace(
        "host2: {nic: mlx5}", f"host2: {{nic: mlx5, ports: {{{port}: {{host: {{applications: [ceph]}}}}}}}}"
    )
    assert set(told(plan(expand(parse_intent(text, "f"))).devices["host2"].fitted.apps)) == {"ceph"}


@pytest.mark.parametrize(("apps", "message"), [
    ("[ncl]", 'the application "ncl" is not known, did you mean "nccl"?'), ("nccl", '"nccl" is no list of applications'),
    ("7", "is no list"), ("[7]", '"7" is not known'), ("[[nccl]]", "is not known"), ("{nccl: [a]}", "is no text"), ("{ceph: 'a b'}", "is no name"),
])  # fmt: skip
def test_mistakes(apps, message):
    with pytest.raises(IntentError) as caught:
        parse_intent(text_of(apps), "f")
    assert message in str(caught.value)


def test_a_class_that_is_none_and_none_of_its_kind():
    with pytest.raises(
        PlanError, match='nccl wants the class storag, which the intent does not have, did you mean "storage"'
    ):
        planned("{nccl: storag}")
    text = (
        text_of("[nccl]")
        .replace("dscp: 26, priority: 3, lossless: true", "dscp: 26, priority: 3, kind: other")
        .replace("priority: 4, lossless: true", "priority: 4")
    )
    with pytest.raises(PlanError, match="nccl belongs to a class of kind roce"):
        plan(expand(parse_intent(text, "f")))


READ = [
    (
        "ceph.conf",
        "[global]\nfsid = 1\nms type = async+rdma\nms async rdma dscp = 104\nms_async_rdma_sl=3\n[osd]\n",
        {"ceph": {"tos": 104, "sl": 3}},
    ),
    ("up.sh", "#!/bin/bash\nsudo nvme connect -t rdma -a 10.0.0.1 -s 4420 -n nqn.x -T 104\n", {"nvme": {"tos": 104}}),
    ("up.sh", "#!/bin/bash\nnvme connect-all --transport rdma --tos 98\n", {"nvme": {"tos": 98}}),
    ("up.sh", "#!/bin/bash\nnvme connect -t rdma -a 10.0.0.1\n", {"nvme": {}}),
    ("rccl.env", "NCCL_IB_TC=41\nRCCL_X=1\n", {"nccl": {"tos": 41}}),
]


@pytest.mark.parametrize(("file", "content", "apps"), READ)
def test_reading_of_others_texts(file, content, apps):
    device = parse(Capture("host1", "mlx5", (Text(file, content),)))
    assert told(device.apps) == apps


@pytest.mark.parametrize("value", ["300", "-1", "x", "٣", "99999999999999999999", "104 105"])
def test_strange_values_are_reported(value):
    lines = f"ms_async_rdma_dscp = {value}\nNCCL_IB_TC=106\n"
    device = parse(Capture("host1", "mlx5", (Text("ceph.conf", lines),)))
    assert "ceph" not in told(device.apps) or told(device.apps)["ceph"] == {}
    device = parse(
        Capture("host1", "mlx5", (Text("a.sh", f"#!/bin/sh\nnvme connect -t rdma --tos={value}\nNCCL_IB_TC=106\n"),))
    )
    assert "tos" not in told(device.apps).get("nvme", {}) or value == "104 105"


def test_a_broken_file_of_a_pack_names_its_line(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text("title: x\nhosts: [linux]\nclas_kind: roce\n")
    with pytest.raises(ConfigurationError, match=r'own.yaml:3:1: unknown key clas_kind, did you mean "class_kind"'):
        load_application(path)
