"""Reading live devices: our pull beside hand-written netmiko on the same fake switches, and 500 devices with faults.

    python benchmarks/pull.py [--devices 200] [--rounds 3] [--faults 500]

The fake switches (real SSH on loopback) run in a process of their own and share the cores, so rates are lower bounds;
the ratios count. Bars: threads >= 0.9 x bare netmiko, two processes >= 1.6 x one.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rocecfg.collect.credentials import Credentials
from rocecfg.collect.order import Times
from rocecfg.collect.pull import PullOptions, pull
from rocecfg.collect.target import Secret, Target
from rocecfg.vendor import registry
from tests.collect.fake_devices import PASSWORD, USER, Fleet

PORTS = 64
FAULTS = ("silent-tcp", "closed-at-greeting", "hung-login", "wrong-password", "changed-key", "closed-in-the-middle",
          "hung-command", "truncated", "garbage", "flood")  # fmt: skip
SENDS = [command.send for command in registry.get("nxos").manifest.commands]


def answers(name: str) -> dict[str, str]:
    """Return a switch of 64 ports, about 2,000 lines of configuration."""
    body = "  priority-flow-control mode on\n  mtu 9216\n" + "".join(f"  description line {n}\n" for n in range(28))
    ports = "".join(f"interface Ethernet1/{port}\n{body}" for port in range(1, PORTS + 1))
    rows = "".join(f"Ethernet1/{port}  Auto  On  8  0  0\n" for port in range(1, PORTS + 1))
    config = f"!Command: show running-config\nversion 10.3(4a)\nhostname {name}\n{ports}line vty\n"
    return {SENDS[0]: config, **dict.fromkeys(SENDS[1:], rows)}


def serve(names: list[str], faulty: dict[str, str], pipe: Any) -> None:
    """Serve fake switches until the pipe closes; answers with their ports, then with what they received."""
    with Fleet() as fleet:
        devices = [fleet.add(name, "cisco_nxos", answers(name), faulty.get(name, "")) for name in names]
        pipe.send(([device.port for device in devices], fleet.known_hosts()))
        while (order := pipe.recv()) is not None:
            pipe.send({device.name: device.received for device in devices} if order == "received" else None)


class Switches:
    """Fake switches in a process of their own."""

    def __init__(self, count: int, faulty: dict[str, str] | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, inner = context.Pipe()
        self.names = [f"sw{number}" for number in range(count)]
        self._process = context.Process(target=serve, args=(self.names, faulty or {}, inner), daemon=True)
        self._process.start()
        self.ports, self.known = self._pipe.recv()

    def received(self) -> dict[str, list[str]]:
        self._pipe.send("received")
        return dict(self._pipe.recv())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.send(None)
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()


def bare(switches: Switches, folder: Path, threads: int) -> float:
    """Return the seconds that hand-written netmiko needs for the same texts: no proof, no host keys, no redaction."""
    from netmiko import ConnectHandler

    def one(name: str, port: int) -> None:
        device = ConnectHandler(device_type="cisco_nxos", host="127.0.0.1", port=port, username=USER, password=PASSWORD,
                                conn_timeout=60, banner_timeout=60, auth_timeout=60)  # fmt: skip
        place = folder / name
        place.mkdir()
        for at, send in enumerate(SENDS):
            (place / f"{at}.txt").write_text(str(device.send_command(send, read_timeout=90)), encoding="utf-8")
        device.disconnect()

    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, switches.names, switches.ports))
    return time.perf_counter() - start


def ours(switches: Switches, folder: Path, **how: Any) -> tuple[float, list[Any]]:
    """Return the seconds of our pull, and its results."""
    known, config = folder / "known_hosts", folder / "ssh_config"
    known.write_text(switches.known, encoding="utf-8")
    config.write_text("", encoding="utf-8")
    targets = [
        Target(name, "nxos", "127.0.0.1", port) for name, port in zip(switches.names, switches.ports, strict=True)
    ]
    options = PullOptions(credentials=Credentials(USER, Secret(PASSWORD)), known_hosts=known, ssh_config=config, **how)
    start = time.perf_counter()
    results = pull(targets, folder / "captures", options)
    return time.perf_counter() - start, results


def rates(count: int, threads: int, rounds: int) -> None:
    """Print the rates of bare netmiko, one process and two, side by side."""
    import netmiko  # noqa: F401 - what is imported once is not measured

    seconds: dict[str, list[float]] = {"bare netmiko": [], "pull": [], "pull --workers 2": []}
    cpu: dict[str, list[float]] = {name: [] for name in seconds}
    with Switches(count) as switches:
        for _ in range(rounds):
            for name, taken in seconds.items():
                with tempfile.TemporaryDirectory() as folder:
                    before = _cpu()
                    if name == "bare netmiko":
                        took = bare(switches, Path(folder), threads)
                    else:
                        took, results = ours(switches, Path(folder), threads=threads, workers=1 + name.endswith("2"))
                        assert all(result.status == "ok" for result in results), results
                    taken.append(took)
                    cpu[name].append(_cpu() - before)
    print(f"{count} switches, {len(SENDS)} commands, {threads} threads, median of {rounds} rounds")
    base = statistics.median(seconds["bare netmiko"])
    for name, taken in seconds.items():
        middle = statistics.median(taken)
        used = statistics.median(cpu[name]) / count * 1000
        print(f"  {name:18s} {count / middle:7.1f} devices/s  {base / middle:5.2f} x  {used:5.1f} CPU-ms a device")
    one = statistics.median(seconds["pull"])
    print(f"  two processes {one / statistics.median(seconds['pull --workers 2']):.2f} x one")


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in used)


def faults(count: int, threads: int) -> None:
    """Read devices of which one in ten is faulty, and check what must hold."""
    faulty = {f"sw{number}": FAULTS[number // 10 % len(FAULTS)] for number in range(0, count, 10)}
    times = Times(connect=3, login=6, silence=6, device=20)
    with Switches(count, faulty) as switches, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took, results = ours(switches, folder, threads=threads, times=times, tries=2)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) // 1024
        wrong = [item for item in results if (item.status == "ok") == (item.device in faulty)]
        assert not wrong, wrong[:5]
        allowed = {*SENDS, *(f"{send} | count" for send in SENDS), "terminal width 511", "terminal length 0"}
        strange = {line for lines in switches.received().values() for line in lines} - allowed
        assert not strange, strange
        assert not any(PASSWORD in file.read_text(encoding="utf-8") for file in folder.rglob("*") if file.is_file())
    slowest = max(item.seconds for item in results)
    print(
        f"{count} devices, {len(faulty)} bad: {took:.1f} s, the slowest device {slowest:.1f} s, {grown} MiB more memory"
    )
    print("  every fault was told, every other device read; nothing outside the list was sent; no password on disk")
    reasons: dict[str, str] = {}
    for item in results:
        if item.device in faulty:
            reasons.setdefault(faulty[item.device], f"{item.status} {item.rule} {item.reason}")
    print(json.dumps(reasons, indent=2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=200)
    parser.add_argument("--threads", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--faults", type=int, default=500)
    given = parser.parse_args()
    os.environ.pop("SSH_AUTH_SOCK", None)
    if given.devices:
        rates(given.devices, given.threads, given.rounds)
    if given.faults:
        faults(given.faults, given.threads)


if __name__ == "__main__":
    main()
