"""Nothing that changes a device can be sent: the rule on commands, the gate in front of the channel, the manifests."""

from __future__ import annotations

import pytest

from rocecfg.collect import readonly
from rocecfg.collect.gate import PREPARATION, SHELLS, Gate, NotAllowedError, Shell
from rocecfg.collect.target import Secret
from rocecfg.errors import ConfigurationError
from rocecfg.vendor import registry

NAMES = [name for name in registry.names() if registry.get(name).manifest.netmiko]


@pytest.mark.parametrize("nos", NAMES)
def test_every_command_of_every_manifest_only_reads(nos: str) -> None:
    manifest = registry.get(nos).manifest
    for command in manifest.commands:
        assert readonly.rejected(command.send, shell=manifest.netmiko in SHELLS) == ""
    assert manifest.netmiko in PREPARATION


@pytest.mark.parametrize("command", [
    "reload", "configure", "configure terminal", "write erase", "copy running-config startup-config", "clear counters",
    "show run ; reload", "show run\nreload", "show running-config > bootflash:x", "show version | redirect bootflash:x",
    "show version | tee x", "show version | append x", "show run && reload", "show run `reload`", "show $(reload)",
    "sh run", "do show run", "", "  ", "show version | ", "request system reboot", "set cli idle-timeout", "édit",
    "show version | save x", "display version | by-linenum; reboot", "info flat / | save x", "show run \\\nreload",
    "show tech-support", "show tech", "display diagnostic-information x.tar.gz", "display diag",
])  # fmt: skip
def test_a_command_line_that_changes_is_refused(command: str) -> None:
    assert readonly.rejected(command, shell=False)
    with pytest.raises(ConfigurationError):
        Gate("cisco_nxos", [command])


@pytest.mark.parametrize("command", [
    "rm -rf /", "show version; rm -rf /", "show version ; rm x", "show version && reboot", "show version || reboot",
    "show version & reboot", "cat /etc/passwd > /tmp/x", "cat x >> y", "cat < x", "echo `reboot`", "echo $(reboot)",
    'echo "$(reboot)"', 'echo "`reboot`"', "bash -c 'reboot'", "sh x", "eval reboot", "sudo reboot", "sudo", "config save",
    "for i in a; do reboot; done", "for i in $(reboot); do echo x; done", "ip link set eth0 down", "ip netns exec x reboot",
    "dcb pfc set dev eth0 prio-pfc all:on", "ethtool -A eth0 rx off", "ethtool -K eth0 gro off", "ethtool eth0 -s speed 1",
    "mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0", "lldptool -T -i eth0 -V PFC", "rdma link add x type rxe netdev eth0",
    "niccli --dev 1 qos --ets --set x", "docker exec swss rm x", "docker run x", "docker exec swss sh -c cat", "nv set x",
    "nv config apply", "PATH=/tmp:$PATH show version", "LD_PRELOAD=x cat y", "cat x | tee y", "cat x | xargs rm", "x=1 reboot",
    "{ reboot; }", "(reboot)", "if true; then reboot; fi", "while true; do reboot; done", "cat 'x", 'echo "x', "echo $((1))",
    "echo ${x:=y}", "echo ${x@P}", "cat x 2>/tmp/y", "cat x 2>&1", "function f", "sort -o x y", "tail -f x", "\x1bcat",
    "show clear x", "echo \\$(x)", "cat x\nreboot", "find / -delete", "awk 'BEGIN{system(1)}'", "grep x y | sh", "done; reboot",
    "show techsupport", "sudo show techsupport", "cat x 2>/dev/nullx", "cat x 2>/dev/null/../x",
    'x="eth0 --pfc 0,0,0,1"; mlnx_qos -i $x', 'x="set dev eth0"; rdma link $x', "mlnx_qos -i $(cat x)", "ip -j $x",
    'for o in "pfc set dev x prio-pfc all:on"; do dcb -j $o show dev y; done', "for o in $(cat x); do dcb $o show dev y; done",
    'for o in pfc; do o="pfc set"; dcb $o show dev y; done', 'niccli "$x" --show', "dcb pfc", "dcb pfc dev x show",
])  # fmt: skip
def test_a_shell_command_that_changes_is_refused(command: str) -> None:
    assert readonly.rejected(command, shell=True)


@pytest.mark.parametrize("tool", ["ip link", "ip addr", "ip -j link", "rdma link", "rdma dev", "dcb pfc", "dcb -j app"])
@pytest.mark.parametrize("verb", ["set", "add", "delete", "change", "replace", "flush", "append"])
def test_a_verb_of_iproute2_that_changes_is_refused_in_every_length(tool: str, verb: str) -> None:
    for end in range(1, len(verb) + 1):
        assert readonly.rejected(f"{tool} {verb[:end]} dev show", shell=True), verb[:end]


class _Channel:
    closed = eof_received = False

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.sent.append(data)


@pytest.mark.parametrize("data", [
    b"reload\n", b"show version\nreload\n", b"show version", b"show version\rreload\r", b"show version;reload\n", b"y\n", b"Y\n",
    b"show versio", b"n", b"\x03", b"\x1a\n", b"\x00", b"show version\n\nreload", b"enable\n", b"configure terminal\n",
    b"show  version\n", b"show version \n",
])  # fmt: skip
def test_the_gate_refuses_before_anything_is_sent(data: bytes) -> None:
    channel = _Channel()
    shell = Shell(channel, Gate("cisco_nxos", ["show version"]), 1000)
    with pytest.raises(NotAllowedError) as error:
        shell.sendall(data)
    assert channel.sent == []
    assert "reload" not in str(error.value), "what was to be sent may be a secret"


def test_the_gate_lets_the_list_through() -> None:
    channel = _Channel()
    shell = Shell(channel, Gate("cisco_nxos", ["show version"]), 1000)
    sent = [b"show version\n", b"terminal length 0\n", b"\n", b"\r", b"show version\r"]
    for data in sent:
        shell.sendall(data)
    assert channel.sent == sent
    with pytest.raises(AttributeError):
        shell.send(b"reload\n")  # there is no other way in


def test_a_secret_goes_through_once_and_only_when_expected() -> None:
    gate = Gate("arista_eos", ["show version"])
    with pytest.raises(NotAllowedError):
        gate.check(b"En4ble-me\n")
    gate.expect_secret(Secret("En4ble-me"))
    gate.check(b"En4ble-me\n")
    with pytest.raises(NotAllowedError):
        gate.check(b"En4ble-me\n")


def test_saving_the_configuration_at_login_is_never_confirmed() -> None:
    """netmiko's driver of VRP answers Y when the system asks to secure its saved configuration."""
    with pytest.raises(NotAllowedError):
        Gate("huawei_vrpv8", ["display version"]).check(b"Y\n")
