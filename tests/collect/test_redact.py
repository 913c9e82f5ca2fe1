"""Secrets go, everything else stays: per system, idempotent, and never in a line of QoS."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocecfg.collect.redact import BLOT, redacted
from tests.conftest import ROOT

SECRET = "Zq7xSecretValue9"
LINES = [
    f"username admin password 5 $5$ABCDEF${SECRET}  role network-admin",
    f"username admin secret sha512 $6$salt${SECRET}",
    f"username admin privilege 15 role network-admin secret 0 {SECRET}",
    f"enable secret 5 {SECRET}",
    f"enable password {SECRET}",
    f"snmp-server community {SECRET} group network-operator",
    f"snmp-server host 10.0.0.1 version 2c {SECRET}",
    f"snmp-server host 10.0.0.1 traps version 2c {SECRET}",
    f"snmp-server user audit network-admin auth sha {SECRET} priv aes-128 {SECRET}",
    f'radius-server host 10.0.0.1 key 7 "{SECRET}" authentication accounting',
    f"tacacs-server key 7 {SECRET}",
    f"radius-server host 10.0.0.1 auth-port 1812 acct-port 1813 key 9 {SECRET}",
    f"  neighbor 10.0.0.1 password 7 {SECRET}",
    f"    password 3 {SECRET}",
    f"ntp authentication-key 1 md5 {SECRET} 7",
    f"  key-string 7 {SECRET}",
    f"  ip ospf message-digest-key 1 md5 3 {SECRET}",
    f'set system root-authentication encrypted-password "$6$abc${SECRET}"',
    f'set system radius-server 10.0.0.1 secret "$9${SECRET}"',
    f"set snmp community {SECRET} authorization read-only",
    f'set security ike policy p pre-shared-key ascii-text "$9${SECRET}"',
    f'set protocols bgp group g authentication-key "$9${SECRET}"',
    f"snmp-agent community read cipher {SECRET}",
    f"snmp-agent community write {SECRET}",
    f" local-user admin password irreversible-cipher {SECRET}",
    f" radius-server shared-key cipher {SECRET}",
    f" password hash {SECRET}",
    f" key authentication cipher $c$3${SECRET}",
    f"super password level 3 cipher {SECRET}",
    f"user admin group administrators password ciphertext {SECRET}",
    f"tacacs-server host 10.0.0.1 key ciphertext {SECRET}",
    f"        hashed-password: '$6$abc${SECRET}'",
    f"          password: {SECRET}",
    f'        "passkey": "{SECRET}",',
    f'            "auth_password": "{SECRET}"',
    f"set / system aaa authentication admin-user password {SECRET}",
    f"ssh-rsa AAAAB3NzaC1yc2E{SECRET}{'A' * 60} admin@host",
]
QOS = [
    "class-map type qos match-any key-traffic", "  match dscp 26", "qos dscp-map community", "policy-map type queuing password",
    "  pause buffer-size 104000 pause-threshold 92000 resume-threshold 90000", "  priority-flow-control mode on",
    "set class-of-service forwarding-classes class secret queue-num 3", "  random-detect ecn minimum-threshold 150 kbytes",
    " qos wred table password", "   queue 3 wrr weight 60", '        "dscp_to_tc_map": "AZURE",', "  priv-flag secret on mtu 9216",
    "traffic-policy key dscp 26",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_a_secret_goes_and_blotting_twice_changes_nothing(line: str) -> None:
    text = f"hostname x\n{line}\nmtu 9216\n"
    once = redacted(text)
    assert SECRET not in once
    assert BLOT in once
    assert once.count("\n") == 3
    assert redacted(once) == once


@pytest.mark.parametrize("line", QOS)
def test_qos_is_never_touched(line: str) -> None:
    assert redacted(line) == line


def test_blocks_and_tables() -> None:
    pem = f"x\n-----BEGIN PRIVATE KEY-----\n{SECRET}\nAAAA==\n-----END PRIVATE KEY-----\nmtu 9216\n"
    assert redacted(pem) == "x\n-----BEGIN PRIVATE KEY-----\nREDACTED\nREDACTED\n-----END PRIVATE KEY-----\nmtu 9216\n"
    chain = "crypto pki certificate chain a\n certificate self-signed 01\n  3082021A 30820183 A0030201 02020101\n  0D010104 05003031 312F302D 06035504\n  \tquit\nmtu 9216\n"
    assert "3082" not in redacted(chain)
    assert redacted(chain).endswith("quit\nmtu 9216\n")
    table = '{"SNMP_COMMUNITY": {"public1": {"TYPE": "RO"}, "x": {}}, "PORT": {"Ethernet0": {"mtu": "9100"}}}'
    wanted = (
        '{"SNMP_COMMUNITY": {"REDACTED-1": {"TYPE": "RO"}, "REDACTED-2": {}}, "PORT": {"Ethernet0": {"mtu": "9100"}}}'
    )
    assert redacted(table) == wanted
    for text in (pem, chain, table):
        assert redacted(redacted(text)) == redacted(text)


def test_the_password_of_the_run_goes_wherever_it_stands() -> None:
    assert redacted("banner S3cret-Pw!\n", ["S3cret-Pw!"]) == "banner REDACTED\n"
    assert redacted("queue lossless\n", ["lossless"]) == "queue lossless\n", (
        "a plain word is no reason to change a text"
    )


def test_what_we_render_holds_no_secret() -> None:
    """Golden configurations of all systems come through unchanged."""
    files = [
        path
        for path in Path(ROOT / "tests").rglob("*")
        if path.suffix in {".cfg", ".json", ".yaml", ".set", ".conf", ".txt"}
    ]
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        changed = [(a, b) for a, b in zip(text.split("\n"), redacted(text).split("\n"), strict=True) if a != b]
        assert all(
            any(word in line.lower() for word in ("passw", "secret", "community", "key")) for line, _ in changed
        ), (path, changed)
