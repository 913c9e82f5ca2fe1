"""Time `rocecfg accept judge` on 1,024 hosts with 8 rails: `python benchmarks/accept_judge.py [HOSTS]`."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rocecfg.acceptance import judge

RAILS = 8
_TABLE = """\
 Mtu             : 4096[B]
 Link type       : Ethernet
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      14930000         0.00               {gbps:.2f} 		     {rate:.6f}
"""
_LATENCY = """\
 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]
 2       1000          1.90           4.20         {us:.2f}               2.11             0.10
"""


def main() -> int:
    """Write a run of three steps, two with counters, and judge it."""
    hosts = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        flows = _write(folder, hosts)
        for form in ("text", "html"):
            start = time.perf_counter()
            text, code = judge.run(folder, form)
            took = time.perf_counter() - start
            sys.stdout.write(f"{hosts} hosts x {RAILS} rails, {flows} flows, {form}: {took:.1f} s, code {code}, ")
            sys.stdout.write(f"{len(text)} characters\n")
    return 0


def _write(folder: Path, hosts: int) -> int:
    ports = {
        f"rail{rail}": {
            "nic": "mlx5",
            "rail": str(rail),
            "speed_gbps": 400.0,
            "mtu": 9000,
            "leaf": "leaf",
            "leaf_port": "p",
        }
        for rail in range(RAILS)
    }
    plan = {
        "rocecfg_acceptance": 1,
        "intent": "large",
        "classes": {"roce": {"dscp": 26, "tclass": 104, "priority": 3, "pfc": True, "cnp": False}},
        "hosts": {f"h{n}": {"interfaces": ports} for n in range(hosts)},
        "stages": [{"name": "all", "steps": []}],
    }
    for name, kind, shift in (("pair", "pair", 1), ("latency", "latency", 1), ("bisection", "bisection", hosts // 2)):
        tool = "ib_write_lat" if kind == "latency" else "ib_write_bw"
        made = [
            {
                "id": f"f{n}-{rail}",
                "client": {"host": f"h{n}", "interface": f"rail{rail}"},
                "server": {"host": f"h{(n + shift) % hosts}", "interface": f"rail{rail}"},
                "path": "same-rail",
                "class": "roce",
                "tool": tool,
                "port": 18515,
                "result": f"results/all/{name}/f{n}-{rail}",
            }
            for n in range(hosts)
            for rail in range(RAILS)
        ]
        step: dict[str, Any] = {
            "name": name,
            "kind": kind,
            "why": "w",
            "rounds": [[flow["id"] for flow in made]],
            "flows": made,
        }
        step["counters"] = kind != "latency"
        plan["stages"][0]["steps"].append(step)  # type: ignore[index]
        place = folder / "results/all" / name
        place.mkdir(parents=True)
        for at, flow in enumerate(made):
            gbps = 391.0 - at % 5 / 10
            text = (
                _TABLE.format(gbps=gbps, rate=gbps * 1e3 / 8 / 65536)
                if tool == "ib_write_bw"
                else _LATENCY.format(us=2.1)
            )
            (place / f"{flow['id']}.txt").write_text(text, encoding="utf-8")
        if step["counters"]:
            _counters(place / "counters", hosts)
    (folder / "acceptance.json").write_text(json.dumps(plan), encoding="utf-8")
    return 3 * hosts * RAILS


def _counters(place: Path, hosts: int) -> None:
    others = "".join(f"     rx{n}_packets: {n}\n" for n in range(120))
    for when, count in (("before", 0), ("after", 300_000_000)):
        ethtool = "NIC statistics:\n" + others
        for priority in range(8):
            sent = count if priority == 3 else 0
            ethtool += (
                f"     rx_prio{priority}_pause: 0\n"
                f"     tx_prio{priority}_pause: 0\n     rx_prio{priority}_discards: 0\n"
            )
            ethtool += f"     tx_prio{priority}_packets: {sent}\n"
        ethtool += "     tx_pause_storm_error_events: 0\n"
        rdma = "out_of_sequence: 0\npacket_seq_err: 0\nnp_cnp_sent: 0\n"
        for host in range(hosts):
            folder = place / when / f"h{host}"
            folder.mkdir(parents=True)
            for rail in range(RAILS):
                (folder / f"rail{rail}.ethtool.txt").write_text(ethtool, encoding="utf-8")
                (folder / f"rail{rail}.rdma.txt").write_text(rdma, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
