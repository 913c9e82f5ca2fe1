"""Commands that stand in files of the start-up: systemd units, /etc/network/interfaces."""

from __future__ import annotations

import pytest

from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

UNIT = """\
[Unit]
Description=RoCE settings
After=network-online.target

[Service]
Type=oneshot
ExecStartPre=-/usr/bin/modprobe mlx5_ib
ExecStart=/usr/bin/mlnx_qos -i ens1np0 --trust dscp
ExecStart=+/usr/bin/mlnx_qos -i ens1np0 --pfc 0,0,0,1,0,0,0,0
ExecStart=/bin/bash -c 'cma_roce_tos -d mlx5_0 -t 104'
ExecStop=/usr/bin/mlnx_qos -i ens1np0 --pfc 0,0,0,0,0,0,0,0
RemainAfterExit=yes

[Install]
WantedBy=multi-user.target
"""
INTERFACES = """\
auto ens1np0
iface ens1np0 inet static
    address 192.0.2.7/24
    post-up mlnx_qos -i ens1np0 --trust dscp
    post-up mlnx_qos -i ens1np0 --pfc 0,0,0,1,0,0,0,0
    up cma_roce_tos -d mlx5_0 -t 104
    down mlnx_qos -i ens1np0 --pfc 0,0,0,0,0,0,0,0
    mtu 9000
"""


@pytest.mark.parametrize("content", [UNIT, INTERFACES])
def test_commands_of_the_start_count_and_those_of_the_stop_do_not(content: str) -> None:
    text = Text("roce", content)
    assert registry.detect((text,), "roce") == "mlx5"
    device = parse(Capture("host1", "mlx5", (text,), file="roce"))
    port = device.ports["ens1np0"]
    assert not device.lines
    assert (port.qos.trust, port.qos.pfc.tx, port.nic.default_tos) == ("dscp", {3}, 104)
