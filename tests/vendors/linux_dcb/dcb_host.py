"""A host that does not exist: a folder with /sys files, and the fake tools on PATH."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.state.capture import Capture, Text
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from rocecfg.state.model import Device

FAKE = Path(__file__).with_name("dcb_tools.py")
TOOLS = ("dcb", "ethtool", "ip", "modprobe", "systemctl")
REAL = ("bash", "awk", "sed", "tr", "cat", "basename", "readlink", "sort", "mkdir", "rmdir", "env", "grep")
PORT: dict[str, Any] = {
    "dcbx": ["host", "ieee"], "agent": "host", "app": [], "pfc": [0] * 8, "cap": 8, "max_tc": 8, "prio_tc": [0] * 8,
    "tsa": ["strict"] * 8, "bandwidth": [0] * 8, "rates": [0] * 8, "rx": "on", "tx": "on", "storm": None, "resets": 0,
}  # fmt: skip


class Host:
    """Ports of one driver at factory settings, each with an RDMA device."""

    def __init__(
        self,
        folder: Path,
        nos: str,
        devices: dict[str, str],
        driver: str = "generic",
        tools: tuple[str, ...] = TOOLS,
        program: Path = FAKE,
        **port: object,
    ) -> None:
        self.folder, self.root, self.bin, self.nos = folder, folder / "root", folder / "bin", nos
        self.state, self.log, self.devices = folder / "state.json", folder / "log", devices
        self.bin.mkdir(parents=True)
        for source, name in ((FAKE, "dcb_tools.py"), (program, "fake_tools.py")):
            (self.bin / name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
        starter = self.bin / "fake"
        starter.write_text(
            f"#!{sys.executable} -SE\nimport sys\nsys.path.insert(0, {str(self.bin)!r})\nimport fake_tools\n"
        )
        starter.chmod(0o755)
        for tool in tools:
            (self.bin / tool).symlink_to(starter)
        for real in REAL:
            found = next(Path(place) / real for place in ("/usr/bin", "/bin") if (Path(place) / real).exists())
            (self.bin / real).symlink_to(found)
        ports = {name: {**json.loads(json.dumps(PORT)), **port} for name in devices}
        self.change(driver=driver, running=["lldpad.service"], broken="", ports=ports)
        for number, (name, device) in enumerate(devices.items()):
            self._sysfs(name, device, number)

    def _sysfs(self, name: str, device: str, number: int) -> None:
        card = self.root / f"sys/devices/pci0000:16/0000:17:00.{number}"
        (card / "infiniband" / device).mkdir(parents=True)
        netdev = self.root / "sys/class/net" / name
        netdev.mkdir(parents=True)
        (netdev / "device").symlink_to(card)
        self.write(f"sys/class/net/{name}/mtu", "1500")
        self.write(f"sys/class/net/{name}/speed", "400000")
        # a kernel makes these files as the folder is made; a folder that stands there does for a test
        self.write(f"sys/kernel/config/rdma_cm/{device}/ports/1/default_roce_tos", "0")
        self.write(f"sys/kernel/config/rdma_cm/{device}/ports/1/default_roce_mode", "IB/RoCE v1")

    def write(self, path: str, text: str) -> None:
        """Put a file under the fake root."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8")

    def file(self, path: str) -> str:
        """Return the text of a file under the fake root."""
        return (self.root / path).read_text(encoding="utf-8").strip()

    def now(self) -> dict[str, Any]:
        """Return the state of the fake tools."""
        found: dict[str, Any] = json.loads(self.state.read_text(encoding="utf-8"))
        return found

    def change(self, **values: object) -> None:
        """Change the state of the fake tools."""
        state = self.now() if self.state.exists() else {}
        self.state.write_text(json.dumps({**state, **values}), encoding="utf-8")

    def change_port(self, name: str, **values: object) -> None:
        """Change one port, as somebody else on the host might."""
        ports = self.now()["ports"]
        ports[name].update(values)
        self.change(ports=ports)

    def run(self, script: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a rendered script on this host."""
        path = self.folder / "rocecfg-nic.sh"
        path.write_text(script, encoding="utf-8")
        return subprocess.run(
            ["bash", str(path), *options],
            env=self.environment(), capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

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

    def captured(self, *more: tuple[str, ...]) -> Device:
        """The host as an audit would see it; `more` = commands beside dcb, ethtool and the files."""
        commands: list[tuple[str, ...]] = []
        for name in self.devices:
            commands += [("dcb", "-j", kind, "show", "dev", name) for kind in ("pfc", "ets", "app", "dcbx")]
            commands += [("ethtool", "-a", name)]
        texts = [Text(f"text{at}", self.tool(*words), " ".join(words)) for at, words in enumerate([*commands, *more])]
        links = "".join(
            f"link {device}/1 state ACTIVE physical_state LINK_UP netdev {name}\n"
            for name, device in self.devices.items()
        )
        files = [path for path in sorted((self.root / "sys").rglob("*")) if path.is_file()]
        dump = "".join(
            f"/{path.relative_to(self.root)}:{path.read_text().strip()}\n"
            for path in files
            if "devices" not in path.parts and path.read_text().strip()
        )
        texts += [Text("rdma", links, "rdma link"), Text("sysfs", dump)]
        module = registry.get(self.nos).module
        return module.defaults(module.to_state(Capture("gpu01", self.nos, tuple(texts))))
