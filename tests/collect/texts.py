"""What a healthy fake device of each system answers to its system's commands: short, written for these tests."""

from __future__ import annotations

import json

from rocecfg.vendor import registry

PORTS = tuple(f"1/{number}" for number in range(1, 9))


def _nxos(name: str) -> str:
    ports = "".join(f"interface Ethernet{port}\n  priority-flow-control mode on\n  mtu 9216\n" for port in PORTS)
    return (
        f"!Command: show running-config\nversion 10.3(4a) Bios:version 01.09\nhostname {name}\n"
        "username admin password 5 $5$ABCDEF$kk7MNOPQRSTUVWXYZabcdefghijkl role network-admin\n"
        "policy-map type network-qos roce\n  class type network-qos c-8q-nq3\n    mtu 9216\n    pause pfc-cos 3\n"
        f"system qos\n  service-policy type network-qos roce\n{ports}line vty\n"
    )


def _eos(name: str) -> str:
    ports = "".join(f"interface Ethernet{port}\n   priority-flow-control on\n!\n" for port in PORTS)
    return f"! device: {name} (DCS-7060DX5-64S, EOS-4.32.2F)\n!\nhostname {name}\n!\n{ports}end\n"


_CONFIGURATIONS = {
    "nxos": _nxos,
    "eos": _eos,
    "junos": lambda name: f"set version 23.4R2\nset system host-name {name}\nset interfaces et-0/0/0 mtu 9216\n",
    "huawei": lambda name: f"!Software Version V300R023C00\n#\nsysname {name}\n#\ninterface 100GE1/0/1\n dcb pfc enable\n#\nreturn\n",
    "h3c": lambda name: f"#\n version 7.1.070, Release 6710\n#\n sysname {name}\n#\ninterface HundredGigE1/0/1\n"
    " priority-flow-control enable\n#\nreturn\n",
    "sonic": lambda name: json.dumps({"DEVICE_METADATA": {"localhost": {"hostname": name}}, "PORT": {"Ethernet0": {}}}, indent=4),
    "cumulus": lambda name: f"- header:\n    model: sn5600\n- set:\n    system:\n      hostname: {name}\n    interface:\n      swp1:\n        type: swp\n",
    "dell_os10": lambda name: f"! Version 10.5.6.2\n!\nhostname {name}\n!\ninterface ethernet1/1/1\n no shutdown\n!\n",
    "dell_sonic": lambda name: f"!\nhostname {name}\n!\ninterface Eth1/1\n mtu 9216\n!\n",
    "onyx": lambda name: f'##\n## Running database "initial"\n## Hostname: {name}\n##\n   hostname {name}\n   interface ethernet 1/1 mtu 9216\n'
    "## AAA remote server configuration\n",
    "aruba_cx": lambda name: f"Current configuration:\n!\n!Version ArubaOS-CX GL.10.13.1000\nhostname {name}\ninterface 1/1/1\n    mtu 9198\n",
    "srlinux": lambda _: "set / qos forwarding-classes forwarding-class fc3 queue-id 3\n",
    "linux_dcb": lambda _: "# dcb -j pfc show dev enp1s0f0\n" + json.dumps({"pfc": {"0": False, "3": True}}) + "\n",
    "mlx5": lambda _: "# mlnx_qos -i ens1f0np0\nDCBX mode: OS controlled\nPriority trust state: dscp\ntc: 3 ratelimit: unlimited, tsa: ets\n",
}  # fmt: skip


def _shown(whole_when: str) -> str:
    """Return an output that its own manifest calls whole."""
    if "JSON" in whole_when:
        return '{"interfaces": {}}\n'
    if "closing rule" in whole_when:
        return "-------------------\nInterface  Queue\n-------------------\n100GE1/0/1 3\n-------------------\n"
    if "each" in whole_when or "every" in whole_when:
        lines = [f"Ethernet{port} queue 3 counters 0" for port in PORTS] + ["HundredGigE1/0/1 on 3", "100GE1/0/1 3"]
        return "\n".join([*lines, "End of LLDPDU"]) + "\n"
    if "Ingress and Egress" in whole_when:
        return "Ingress:\n  Total Buffer : 100\nEgress:\n  Total Buffer : 100\n"
    return "n_gids_found=4\nuptime is 3 days\n"


def answers_of(nos: str, name: str) -> dict[str, str]:
    """Return the answers of a device to all commands of its system."""
    first, *others = registry.get(nos).manifest.commands
    return {first.send: _CONFIGURATIONS[nos](name), **{command.send: _shown(command.whole_when) for command in others}}
