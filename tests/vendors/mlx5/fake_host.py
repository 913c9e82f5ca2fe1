"""A host that does not exist: a folder with /sys files, and the fake tools on PATH."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

FAKE = Path(__file__).with_name("fake_tools.py")
ALL_TOOLS = ("mlnx_qos", "dcb", "ethtool", "ip", "cma_roce_mode", "cma_roce_tos", "mlxconfig", "modprobe")
FIRMWARE = {
    "ROCE_CC_PRIO_MASK": 255, "CNP_DSCP": 48, "CNP_802P_PRIO": 6, "LLDP_NB_DCBX": 1, "LLDP_NB_RX_MODE": 2,
    "LLDP_NB_TX_MODE": 2, "MIN_TIME_BETWEEN_CNPS": 4, "RPG_AI_RATE": 5,
}  # fmt: skip


class FakeHost:
    """Two ports of one card at factory settings: ens1f0np0 with mlx5_0, ens1f1np1 with mlx5_1."""

    def __init__(self, folder: Path, tools: tuple[str, ...] = ALL_TOOLS, *, ofed: bool = True) -> None:
        self.folder, self.root, self.bin = folder, folder / "root", folder / "bin"
        self.state, self.log = folder / "state.json", folder / "log"
        self.bin.mkdir(parents=True)
        self.program = self.bin / "fake_tools.py"  # imported, so that it is compiled once
        self.program.write_text(FAKE.read_text(encoding="utf-8"), encoding="utf-8")
        program = self.bin / "fake"
        program.write_text(
            f"#!{sys.executable} -SE\nimport sys\nsys.path.insert(0, {str(self.bin)!r})\nimport fake_tools\n"
        )
        program.chmod(0o755)
        for tool in tools:
            (self.bin / tool).symlink_to(program)
        for real in ("bash", "awk", "sed", "tr", "cat", "basename", "readlink", "sort", "mkdir", "rmdir", "env"):
            found = next(Path(place) / real for place in ("/usr/bin", "/bin") if (Path(place) / real).exists())
            (self.bin / real).symlink_to(found)
        ports = {}
        for number, name in enumerate(("ens1f0np0", "ens1f1np1")):
            ports[name] = {
                "owner": "fw", "app": {}, "pfc": [0] * 8, "cable": 7, "sizes": [262016, *[0] * 7], "buffers": [0] * 8,
                "prio_tc": [1, 0, 2, 3, 4, 5, 6, 7], "tsa": ["vendor"] * 8, "bandwidth": [0] * 8, "rates": [0] * 8,
                "rx": "on", "tx": "on", "storm": 8000,
            }  # fmt: skip
            self._sysfs(name, number, ofed=ofed)
        cards = {
            f"0000:17:00.{number}": {f"{key}_P{number + 1}": [value] * 3 for key, value in FIRMWARE.items()}
            for number in (0, 1)
        }
        self.state.write_text(json.dumps({"ports": ports, "devices": {}, "cards": cards}), encoding="utf-8")

    def _sysfs(self, name: str, number: int, *, ofed: bool) -> None:
        card = self.root / f"sys/devices/pci0000:16/0000:17:00.{number}"
        (card / f"infiniband/mlx5_{number}").mkdir(parents=True)
        netdev = self.root / "sys/class/net" / name
        netdev.mkdir(parents=True)
        (netdev / "device").symlink_to(card)
        (netdev / "mtu").write_text("1500\n", encoding="utf-8")
        (netdev / "speed").write_text("400000\n", encoding="utf-8")
        if not ofed:
            # a kernel makes these files as the folder is made; a folder that stands there does for a test
            defaults = self.root / f"sys/kernel/config/rdma_cm/mlx5_{number}/ports/1"
            defaults.mkdir(parents=True)
            (defaults / "default_roce_tos").write_text("0\n", encoding="utf-8")
            (defaults / "default_roce_mode").write_text("IB/RoCE v1\n", encoding="utf-8")
            params = self.root / f"sys/kernel/debug/mlx5/0000:17:00.{number}/cc_params"
            params.mkdir(parents=True)
            for file, value in (
                ("np_cnp_dscp", 0),
                ("np_cnp_prio", 0),
                ("np_min_time_between_cnps", 4),
                ("rp_ai_rate", 5),
            ):
                (params / file).write_text(f"{value}\n", encoding="utf-8")
            return
        for point in ("roce_np", "roce_rp"):
            (netdev / "ecn" / point / "enable").mkdir(parents=True)
            for priority in range(8):
                (netdev / "ecn" / point / "enable" / str(priority)).write_text("1\n", encoding="utf-8")
        for file, value in (
            ("roce_np/cnp_dscp", 0), ("roce_np/cnp_802p_prio", 0), ("roce_np/min_time_between_cnps", 4),
            ("roce_rp/rpg_ai_rate", 5),
        ):  # fmt: skip
            (netdev / "ecn" / file).write_text(f"{value}\n", encoding="utf-8")
        tc = self.root / f"sys/class/infiniband/mlx5_{number}/tc/1"
        tc.mkdir(parents=True)
        (tc / "traffic_class").write_text("", encoding="utf-8")

    def run(self, script: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a rendered script on this host."""
        path = self.folder / "rocecfg-nic.sh"
        path.write_text(script, encoding="utf-8")
        return subprocess.run(
            ["bash", str(path), *options],
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def tool(self, *words: str) -> str:
        """Return what a fake tool prints."""
        done = subprocess.run(words, env=self.environment(), capture_output=True, text=True, check=True, timeout=20)
        return done.stdout

    def environment(self) -> dict[str, str]:
        return {
            "PATH": str(self.bin), "FAKE_STATE": str(self.state), "FAKE_LOG": str(self.log),
            "ROCECFG_ROOT": str(self.root), "LC_ALL": "C", "HOME": os.environ.get("HOME", "/"),
        }  # fmt: skip

    def calls(self) -> list[str]:
        """Return the commands run since the last look."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines

    def file(self, path: str) -> str:
        """Return the text of a file under the fake root."""
        return (self.root / path).read_text(encoding="utf-8").strip()
