"""Inventories of every kind give the same targets, and what is wrong is said with its place."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING

import pytest

from rocecfg.collect.inventory import netbox, read
from rocecfg.collect.inventory.entries import system
from rocecfg.collect.target import Secret, Target
from rocecfg.errors import ReadError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

NORNIR_HOSTS = """\
---
leaf1:
  hostname: 10.0.0.1
  groups: [leafs]
  data: {site: fra}
leaf2:
  hostname: 10.0.0.2
  port: 2222
  groups: [leafs]
  connection_options:
    netmiko: {platform: cisco_nxos, extras: {secret: ena}}
"""
NORNIR_GROUPS = "leafs: {platform: cisco_nxos, data: {role: leaf}, groups: [all]}\nall: {username: audit}\n"
NORNIR_DEFAULTS = "password: 'from defaults'\ndata: {site: unknown}\n"
ANSIBLE = """\
all:
  vars: {ansible_user: audit}
  children:
    leafs:
      vars: {ansible_network_os: cisco.nxos.nxos, role: leaf}
      hosts:
        leaf1: {ansible_host: 10.0.0.1, site: fra}
        leaf2: {ansible_host: 10.0.0.2, ansible_port: 2222, role: border}
        leaf[3:4]:
    hosts:
      hosts:
        gpu1: {rocecfg_nos: mlx5, ansible_password: !vault "$ANSIBLE_VAULT;1.1;AES256\\n616263"}
"""
CSV = "name,address,nos,role,site\nleaf1,10.0.0.1,nxos,leaf,fra\n# a remark\nleaf2,10.0.0.2,nxos,leaf,\n"


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name.replace("__", "/")).parent.mkdir(parents=True, exist_ok=True)
        (folder / name.replace("__", "/").replace("_dot_", ".")).write_text(text, encoding="utf-8")
    return folder


def by_name(targets: list[Target]) -> dict[str, Target]:
    return {target.name: target for target in targets}


def test_nornir_inherits_groups_and_defaults(tmp_path: Path) -> None:
    write(tmp_path, hosts_dot_yaml=NORNIR_HOSTS, groups_dot_yaml=NORNIR_GROUPS, defaults_dot_yaml=NORNIR_DEFAULTS)
    found = by_name(read(str(tmp_path)))
    one, two = found["leaf1"], found["leaf2"]
    assert (one.nos, one.address, one.port, one.username, one.groups) == (
        "nxos", "10.0.0.1", 22, "audit", ("leafs", "all"),
    )  # fmt: skip
    assert (one.data["role"], one.data["site"], two.data["site"]) == ("leaf", "fra", "unknown")
    assert (two.port, two.enable, two.password) == (2222, Secret("ena"), Secret("from defaults"))
    assert one.place is not None
    assert one.place.line == 2


def test_ansible_groups_variables_ranges_and_vaulted_values(tmp_path: Path) -> None:
    write(tmp_path, inventory_dot_yaml=ANSIBLE, group_vars__leafs_dot_yaml="ansible_password: open\n")
    found = by_name(read(str(tmp_path)))
    assert list(found) == ["leaf1", "leaf2", "leaf3", "leaf4", "gpu1"]
    assert (found["leaf1"].nos, found["leaf1"].username, found["leaf1"].data["role"]) == ("nxos", "audit", "leaf")
    assert (found["leaf2"].port, found["leaf2"].data["role"]) == (2222, "border"), "the host's own value wins"
    assert found["leaf4"].password == Secret("open")
    assert found["gpu1"].password is None
    assert "ansible-vault" in found["gpu1"].problem
    assert "616263" not in found["gpu1"].problem


def test_ansible_list_json(tmp_path: Path) -> None:
    data = {
        "_meta": {"hostvars": {"leaf1": {"ansible_host": "10.0.0.1", "ansible_network_os": "arista.eos.eos"}}},
        "all": {"children": ["leafs"]},
        "leafs": {"hosts": ["leaf1"]},
    }
    (tmp_path / "list.json").write_text(json.dumps(data))
    (one,) = read(str(tmp_path / "list.json"))
    assert (one.name, one.nos, one.address, one.groups) == ("leaf1", "eos", "10.0.0.1", ("leafs",))


@pytest.mark.parametrize(
    "text",
    [
        CSV,
        CSV.replace(",", ";"),
        CSV.replace(",", "\t"),
        CSV.replace("\n", "\r\n"),
        "\ufeff" + CSV,
        (
            "devices:\n  leaf1: {address: 10.0.0.1, nos: nxos, role: leaf, site: fra}\n"
            "  leaf2: {address: 10.0.0.2, nos: nxos, role: leaf}\n"
        ),
        (
            "- {name: leaf1, address: 10.0.0.1, nos: nxos, role: leaf, site: fra}\n"
            "- {name: leaf2, address: 10.0.0.2, platform: cisco_nxos, role: leaf}\n"
        ),
    ],
)
def test_plain_lists(text: str, tmp_path: Path) -> None:
    path = tmp_path / ("x.csv" if "name" in text[:6] else "x.yaml")
    path.write_bytes(text.encode())
    found = read(str(path))
    assert [(one.name, one.address, one.nos, one.data["role"]) for one in found] == [
        ("leaf1", "10.0.0.1", "nxos", "leaf"),
        ("leaf2", "10.0.0.2", "nxos", "leaf"),
    ]
    assert not any(one.problem for one in found)


def test_limits(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(ANSIBLE)

    def names(*limits: str) -> list[str]:
        return [one.name for one in read(str(path), limits)]

    assert names("role=leaf") == ["leaf1", "leaf3", "leaf4"]
    assert names("leaf*", "!leaf3") == ["leaf1", "leaf2", "leaf4"]
    assert names("leaf1,gpu*") == ["leaf1", "gpu1"]
    assert names("@leafs", "nos=nxos", "site=fr?") == ["leaf1"]
    for limit, says in {
        "rol=leaf": 'no device says "rol", did you mean "role"',
        "@leaves": 'no group "leaves", did you mean "leafs"',
        "leaf9": "none of the 5 devices is left",
        " , ": "is empty",
    }.items():
        with pytest.raises(UsageError, match=says):
            names(limit)


@pytest.mark.parametrize(
    ("words", "nos", "says"),
    [
        ({"nos": "sonic"}, "sonic", ""),
        ({"platform": "cisco_nxos"}, "nxos", ""),
        ({"ansible_network_os": "dellemc.os10.os10"}, "dell_os10", ""),
        ({"platform": "linux", "nic": "mlx5"}, "mlx5", ""),
        ({"platform": "linux"}, "", "may be any of"),
        ({"platform": "nxso"}, "", 'did you mean "nxos"'),
        ({}, "", "nothing says which system"),
    ],
)
def test_systems(words: dict[str, str], nos: str, says: str) -> None:
    found, problem = system(words)
    assert found == nos
    assert says in problem


def test_a_bad_device_is_a_problem_and_not_an_end(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(
        'name,address,nos,port\nleaf1,10.0.0.1,nxos,22\nleaf2,"10.0. 0.2",nxos,99999\nleaf3,10.0.0.3,what,22\n'
    )
    one, two, three = read(str(path))
    assert not one.problem
    assert "port" in two.problem
    assert "address" in two.problem
    assert "no known system" in three.problem


def test_netmiko_encrypted_passwords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from netmiko.encryption_handling import encrypt_value

    path = tmp_path / "x.yaml"
    for kind in ("fernet", "aes128"):
        value = encrypt_value("s3cret", b"key", kind)
        path.write_text(f"- {{name: leaf1, nos: nxos, password: '{value}'}}\n")
        monkeypatch.setenv("NETMIKO_TOOLS_KEY", "key")
        assert read(str(path))[0].password == Secret("s3cret")
    monkeypatch.setenv("NETMIKO_TOOLS_KEY", "other")
    assert "does not decrypt" in read(str(path))[0].problem
    monkeypatch.delenv("NETMIKO_TOOLS_KEY")
    assert "NETMIKO_TOOLS_KEY is not set" in read(str(path))[0].problem


def test_a_secret_never_shows_itself() -> None:
    secret = Secret("hunter2")
    target = Target("leaf1", password=secret, data={"role": "leaf"})
    for text in (
        repr(secret),
        str(secret),
        f"{secret}",
        f"{secret:>20}",
        repr(target),
        repr([secret]),
        str({"a": secret}),
    ):
        assert "hunter2" not in text
    assert pickle.loads(pickle.dumps(secret)).reveal() == "hunter2"


def test_secrets_are_no_data(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("name,nos,password,snmp_community,api_token\nleaf1,nxos,hunter2,public,abc\n")
    (one,) = read(str(path))
    assert not {"hunter2", "public", "abc"} & set(one.data.values())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("- 3\n- 4\n", "item 1 is"),
        ("a: [1, 2\n", r":\d+: no YAML"),
        ("just words", "is no inventory that is known"),
        ("{}", "no inventory"),
        ("[leafs]\nleaf1 ansible_host=10.0.0.1\n", "INI form is not read"),
        ("all: {children: {a: {children: {a: {}}}}}\n", "inside itself"),
        ("all: {hosts: [leaf1]}\n", "a mapping of host to variables"),
        ("- {address: 10.0.0.1}\n", "has no name"),
        ("- {name: leaf1, nos: nxos}\n- {name: leaf1, nos: nxos}\n", '"leaf1" is named twice'),
        ("- {name: leaf1, nos: nxos}\n- {name: LEAF1, nos: nxos}\n", "differ in case only"),
        ("devices: 3\n", "a list, or a mapping"),
        ("!!python/object/apply:os.system ['true']\n", "no YAML"),
        ("a: &a {hosts: {}}\n" + "", "without a device"),
    ],
)
def test_what_is_no_inventory_is_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=says):
        read(str(path))


def test_bad_tables_and_files(tmp_path: Path) -> None:
    for text, says in {
        "a,b\n1,2\n": "no column is called name",
        "name,nos\nleaf1,nxos,extra,more\n": ":2: 4 cells",
    }.items():
        path = tmp_path / "x.csv"
        path.write_text(text)
        with pytest.raises(UsageError, match=says):
            read(str(path))
    path.write_bytes(b"name\0nos\n")
    with pytest.raises(UsageError, match="binary"):
        read(str(path))
    path.write_bytes(b"name,nos\n\xff,nxos\n")
    with pytest.raises(UsageError, match="no UTF-8"):
        read(str(path))
    with pytest.raises(UsageError, match="No such file"):
        read(str(tmp_path / "missing.yaml"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no inventory in it"):
        read(str(tmp_path / "empty"))


def test_aliases_cannot_make_a_small_text_large(tmp_path: Path) -> None:
    lines = ["g0: &g0 {hosts: {}}"] + [
        f"g{n}: &g{n} {{children: {{{', '.join(f'c{n}_{k}: *g{n - 1}' for k in range(10))}}}}}" for n in range(1, 9)
    ]
    path = tmp_path / "x.yaml"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(UsageError, match="more than 20000 groups"):
        read(str(path))


def test_netbox_devices_and_cables(monkeypatch: pytest.MonkeyPatch) -> None:
    class Record:
        def __init__(self, **words: object) -> None:
            self.__dict__.update(words)

        def __str__(self) -> str:
            return str(self.__dict__.get("text", ""))

    leaf = Record(
        name="leaf1", platform=Record(slug="cisco-nxos"), role=Record(slug="leaf"), site=Record(slug="fra"),
        device_type=Record(model="N9K"), primary_ip=Record(text="10.0.0.1/24"), custom_fields={"row": 7},
        tags=[Record(slug="prod")],
    )  # fmt: skip

    def port(device: str, name: str) -> list[Record]:
        return [Record(device=Record(name=device), name=name)]

    cables = [
        Record(a_terminations=port("leaf1", "Ethernet1/1"), b_terminations=port("gpu1", "rail0"), length=10,
               length_unit=Record(value="ft")),
        Record(a_terminations=port("leaf1", "Ethernet1/2"), b_terminations=[], length=None, length_unit=None),
    ]  # fmt: skip
    api = Record(
        dcim=Record(
            devices=Record(filter=lambda **_: [leaf]),
            cables=Record(all=lambda: cables),
        )
    )
    monkeypatch.setattr(netbox, "connect", lambda _: api)
    (one,) = read("netbox")
    assert (one.name, one.nos, one.address, one.groups) == ("leaf1", "nxos", "10.0.0.1", ("prod",))
    assert (one.data["role"], one.data["row"]) == ("leaf", "7")
    assert netbox.cables("netbox") == [(("leaf1", "Ethernet1/1"), ("gpu1", "rail0"), 3.05)]

    def broken(**_: object) -> list[object]:
        raise RuntimeError("403 Forbidden")

    api.dcim.devices.filter = broken
    with pytest.raises(ReadError, match="403 Forbidden"):
        read("netbox")


def test_netbox_needs_address_and_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NETBOX_URL", raising=False)
    monkeypatch.delenv("NETBOX_TOKEN", raising=False)
    with pytest.raises(UsageError, match="NETBOX_URL and NETBOX_TOKEN"):
        read("netbox")
