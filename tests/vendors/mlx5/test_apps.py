"""Settings of RDMA applications: nccl.conf, environment files, the output of env, and lines inside other texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.errors import ReadError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor.registry import detect

if TYPE_CHECKING:
    from rocecfg.state.model import Device

CONF = "# RoCE on rail fabric\nNCCL_IB_HCA==mlx5_0,mlx5_1\nNCCL_IB_TC=106\nNCCL_IB_GID_INDEX=3\nNCCL_DEBUG=WARN\n"


def read(content: str, file: str = "nccl.conf", command: str = "", complete: bool | None = None) -> Device:
    return parse(Capture("gpu01", "mlx5", (Text(file, content, command, complete),)))


def app(device: Device, name: str = "nccl") -> Any:
    return next(item for item in device.apps or () if item.name == name)


def test_nccl_conf_with_defaults_where_it_is_silent() -> None:
    device = read(CONF)
    found = app(device)
    assert (found.tos, found.gid_index, found.timeout, found.retry) == (106, 3, 20, 7)
    assert found.defaulted == {"timeout", "retry"}
    assert found.places["tos"].line == 3
    assert device.lines == ()
    assert device.kind == "host"
    assert detect((Text("nccl.conf", CONF),), "nccl.conf") == "mlx5"


def test_a_text_that_is_not_whole_proves_no_default() -> None:
    assert app(read("NCCL_IB_HCA=mlx5_0\n", complete=False)).tos is None
    assert app(read("NCCL_IB_HCA=mlx5_0\n", "job.env")).tos is None
    assert app(read("NCCL_IB_HCA=mlx5_0\n")).tos == 0


def test_environment_wins_over_the_file_and_auto_is_a_choice() -> None:
    env = "HOME=/root\nexport NCCL_IB_TC=104\nUCX_IB_TRAFFIC_CLASS=auto\nNCCL_IB_GID_INDEX=-1\n"
    for order in ((0, 1), (1, 0)):
        texts = (Text("nccl.conf", CONF), Text("env.txt", env, "env"))
        device = parse(Capture("gpu01", "mlx5", tuple(texts[number] for number in order)))
        assert app(device).tos == 104
        assert app(device).gid_index is None
        assert (app(device, "ucx").tos, app(device, "ucx").defaulted) == (106, {"tos"})


def test_lines_of_grep_and_of_a_job_script_are_read_beside_the_port() -> None:
    text = (
        "/sys/class/net/ens1f0np0/mtu:9000\n"
        "/sys/class/net/ens1f0np0/device/current_link_speed:16.0 GT/s PCIe\n"
        "/sys/class/net/ens1f0np0/device/current_link_width:16\n"
        "/sys/class/net/ens1f0np0/speed:400000\n"
        "/etc/nccl.conf:NCCL_IB_TC=26\n"
    )
    device = read(text, "sysfs.txt")
    assert device.lines == ()
    assert device.ports["ens1f0np0"].nic is not None
    assert device.ports["ens1f0np0"].nic.pcie == (4, 16)
    assert (app(device).tos, app(device).timeout) == (26, 20)
    rules = {finding.rule for finding in lint([device], settings=Settings(select=("NIC-012",))).findings}
    assert rules == {"NIC-012"}
    script = "#!/bin/bash\nmlnx_qos -i ens1f0np0 --trust dscp\nexport NCCL_IB_TC=106\nNCCL_IB_SL=3 mpirun ./a.out\n"
    device = read(script, "job.sh")
    assert app(device).tos == 106
    assert device.ports["ens1f0np0"].qos.trust == "dscp"


def test_what_is_no_number_is_reported() -> None:
    device = read("NCCL_IB_TC=lots\nNCCL_IB_SL=999\n")
    assert [line.text for line in device.lines] == ["NCCL_IB_TC=lots", "NCCL_IB_SL=999"]
    assert app(device).tos == 0


@pytest.mark.parametrize("text", ["HOME=/root\nPATH=/bin\n", "", "hello\n"])
def test_texts_without_a_setting_are_no_host(text: str) -> None:
    with pytest.raises(ReadError):
        read(text, "env.txt", "env")


def test_rules_point_at_the_line() -> None:
    for content, rule, line in (
        ("NCCL_IB_HCA=mlx5_0\n", "APP-001", 1),
        ("NCCL_IB_HCA=mlx5_0\nNCCL_IB_TC=107\n", "APP-003", 2),
    ):
        (finding,) = lint([read(content)], settings=Settings(select=(rule,))).findings
        assert (finding.file, finding.line) == ("nccl.conf", line)


def test_active_mtu_and_fec_of_the_usual_tools() -> None:
    text = (
        "# ethtool --show-fec ens1f0np0\nFEC parameters for ens1f0np0:\nSupported/Configured FEC encodings: Auto\n"
        "Active FEC encoding: RS\n# mlnx_qos -i ens1f0np0\nPriority trust state: dscp\n# ibv_devinfo\n"
        "hca_id:\tmlx5_0\n\ttransport:\t\t\tInfiniBand (0)\n\tfw_ver:\t\t\t\t28.39.1002\n\t\tport:\t1\n"
        "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tmax_mtu:\t\t4096 (5)\n\t\t\tactive_mtu:\t\t1024 (3)\n"
        "\t\t\tlink_layer:\t\tEthernet\n# rdma link\n"
        "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1f0np0\n"
        "/sys/class/net/ens1f0np0/mtu:9000\n"
    )
    device = read(text, "session.txt")
    assert device.lines == ()
    port = device.ports["ens1f0np0"]
    assert port.fec == "rs"
    assert port.nic is not None
    assert port.nic.active_mtu == 1024
    (finding,) = lint([device], settings=Settings(select=("NIC-015",))).findings
    assert finding.line == 14
