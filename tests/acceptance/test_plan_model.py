"""`acceptance.json`: what is read, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.acceptance import model
from rocecfg.errors import ReadError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

CARD = {"nic": "mlx5", "rail": "rail0", "speed_gbps": 400.0, "mtu": 9000, "leaf": "leaf1", "leaf_port": "Ethernet1/1"}
FLOW = {
    "id": "f1",
    "client": {"host": "a", "interface": "rail0"},
    "server": {"host": "b", "interface": "rail0"},
    "path": "same-leaf",
    "class": "roce",
    "tool": "ib_write_bw",
    "lossy_competitor": False,
    "port": 18515,
    "result": "results/two-hosts/pair/f1",
}


def plain(**flow: Any) -> dict[str, Any]:
    step = {"name": "pair", "kind": "pair", "why": "w", "rounds": [["f1"]], "flows": [FLOW | flow], "counters": True}
    return {
        "rocecfg_acceptance": 1,
        "intent": "pod1",
        "classes": {"roce": {"dscp": 26, "tclass": 104, "priority": 3, "pfc": True, "cnp": False}},
        "hosts": {name: {"interfaces": {"rail0": CARD}} for name in "ab"},
        "stages": [{"name": "two-hosts", "steps": [step]}],
        "thresholds": {},
    }


def write(tmp_path: Path, data: object) -> Path:
    path = tmp_path / model.FILE
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    found = model.read(write(tmp_path, plain()))
    assert found.stages[0].steps[0].flows[0].traffic_class == "roce"
    path = tmp_path / "again.json"
    path.write_text(model.as_json(found), encoding="utf-8")
    assert model.read(path) == found


@pytest.mark.parametrize(
    "flow",
    [
        {"class": "gold"},
        {"id": "../f1"},
        {"result": "/etc/passwd"},
        {"port": "18515"},
        {"client": {"host": "c", "interface": "rail0"}},
        {"more": 1},
        {"id": "f2", "result": "results/two-hosts/pair/f2"},
    ],
)
def test_a_wrong_flow_is_refused(tmp_path: Path, flow: dict[str, Any]) -> None:
    with pytest.raises(ReadError, match=r"acceptance\.json"):
        model.read(write(tmp_path, plain(**flow)))


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"[]", b'{"rocecfg_acceptance": 2}', b"[" * 100_000])
def test_no_plan_is_one_clear_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / model.FILE
    path.write_bytes(data)
    with pytest.raises(ReadError):
        model.read(path)
    with pytest.raises(UsageError, match="accept plan"):
        model.read(tmp_path / "absent.json")
