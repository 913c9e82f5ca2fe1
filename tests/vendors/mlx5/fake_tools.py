"""Stand-ins for mlnx_qos, dcb, ethtool, ip, cma_roce_*, mlxconfig and modprobe, which keep their state in one JSON file.

Run under the tool's own name (the tests put links into a folder on PATH). They print what the real tools print, in
the shapes of mlnx-tools 26.07, iproute2 6.1, ethtool and mstflint; they refuse what those refuse.
"""

# ruff: noqa: PTH103, PTH119, PTH123, B905 - it starts a hundred times in a test: it imports nothing it can do without
import json
import os
import sys

NAME, ARGS = os.path.basename(sys.argv[0]), sys.argv[1:]
STATE = os.environ["FAKE_STATE"]
ROOT = os.environ["ROCECFG_ROOT"]


def load():
    with open(STATE) as file:
        return json.load(file)


def save(host):
    with open(STATE, "w") as file:
        json.dump(host, file)


def log():
    with open(os.environ["FAKE_LOG"], "a") as file:
        file.write(" ".join([NAME, *ARGS]) + "\n")


def eight(text):
    words = text.split(",")
    if len(words) != 8:
        sys.exit("list must have 8 items")
    return words


def option(*names):
    values = [ARGS[at + 1] for at, word in enumerate(ARGS) if word in names]
    return values[-1] if values else None


def set_ets(port, prio_tc, tsa, bandwidth):
    total = sum(share for share, kind in zip(bandwidth, tsa) if kind == "ets")
    if any(share for share, kind in zip(bandwidth, tsa) if kind != "ets") or ("ets" in tsa and total != 100):
        sys.exit("BW sum is illegal")
    port.update(prio_tc=prio_tc, tsa=tsa, bandwidth=bandwidth)


def mlnx_qos():
    host = load()
    port = host["ports"][option("-i")]
    if "--trust" in ARGS and "--dscp2prio" in ARGS:
        sys.exit("trust and dscp2prio commands cannot be used at the same time.")
    if option("-d"):
        port["owner"] = option("-d")
    pfc, cable = option("--pfc"), option("--cable_len")
    if pfc or cable:  # as older releases do: what is not given becomes 0
        port["pfc"] = [int(bit) for bit in eight(pfc)] if pfc else [0] * 8
        port["cable"] = int(cable) if cable else 0
    for at, word in enumerate(ARGS):
        if word == "--dscp2prio":
            action, code, priority = ARGS[at + 1].split(",")
            assert action == "set"
            port["app"][code] = int(priority)
    trust = option("--trust")
    if trust == "dscp" and not port["app"]:
        port["app"] = {str(code): code >> 3 for code in range(64)}
    elif trust == "pcp":
        port["app"] = {}
    if option("--buffer_size"):
        port["sizes"] = [int(size) for size in eight(option("--buffer_size"))]
    elif option("--prio2buffer"):
        port["buffers"] = [int(number) for number in eight(option("--prio2buffer"))]
    if option("-r"):
        port["rates"] = [int(rate) for rate in eight(option("-r"))]
    if option("-p") or option("-s") or option("-t"):
        set_ets(
            port,
            [int(tc) for tc in eight(option("-p"))] if option("-p") else port["prio_tc"],
            eight(option("-s")) if option("-s") else port["tsa"],
            [int(share) for share in eight(option("-t"))] if option("-t") else port["bandwidth"],
        )
    save(host)
    print_mlnx_qos(port)


def print_mlnx_qos(port):
    print("DCBX mode:", "OS controlled" if port["owner"] == "os" else "Firmware controlled")
    print("Priority trust state:", "dscp" if port["app"] else "pcp")
    if port["app"]:
        print("dscp2prio mapping:")
        for priority in range(8):
            codes = [
                f"{int(code):02d},"
                for code, to in sorted(port["app"].items(), key=lambda i: -int(i[0]))
                if to == priority
            ]
            for at in range(0, len(codes), 8):
                print(f"\tprio:{priority} dscp:{''.join(codes[at : at + 8])}")
    print("Receive buffer size (bytes): " + "".join(f"{size}," for size in port["sizes"]) + "max_buffer_size=262016")
    print(f"Cable len: {port['cable']}")
    print("PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7")
    print("\tenabled     " + "".join(f"{bit}   " for bit in port["pfc"]))
    print("\tbuffer      " + "".join(f"{number}   " for number in port["buffers"]))
    for tc in range(8):
        priorities = [p for p in range(8) if port["prio_tc"][p] == tc]
        if not priorities and "-a" not in ARGS:
            continue
        rate = f"{port['rates'][tc]:.1f} Gbps" if port["rates"][tc] else "unlimited"
        share = f", bw: {port['bandwidth'][tc]}%" if port["tsa"][tc] == "ets" else ""
        print(f"tc: {tc} ratelimit: {rate}, tsa: {port['tsa'][tc]}{share}")
        for priority in priorities:
            print(f"\t priority:  {priority}")


def dcb():
    words = [word for word in ARGS if not word.startswith("-")]
    as_json = "-j" in ARGS
    kind, action, _, netdev, *rest = words
    host = load()
    port = host["ports"][netdev]
    if action == "show":
        print_dcb(kind, port, as_json)
        return
    groups, key = {}, ""
    for word in rest:
        if ":" in word or (key == "delay" and not groups[key]) or (key == "willing" and not groups[key]):
            groups[key].append(word)
        else:
            key = word
            groups.setdefault(key, [])
    pairs = {key: [word.split(":") for word in values if ":" in word] for key, values in groups.items()}

    def listed(name, before, convert=int):
        values = list(before)
        for place, value in pairs[name]:
            for at in range(8) if place == "all" else [int(place)]:
                values[at] = convert(value)
        return values

    if kind == "dcbx":
        port["owner"] = "os" if "host" in rest else "fw"
    elif kind == "app":
        if action == "flush":
            port["app"] = {}
        else:
            assert action == "replace"
            port["app"].update({code: int(priority) for code, priority in pairs["dscp-prio"]})
    elif kind == "pfc":
        port["pfc"] = listed("prio-pfc", port["pfc"], lambda word: int(word == "on"))
        port["cable"] = int(groups["delay"][0])
    elif kind == "ets":
        set_ets(
            port,
            listed("prio-tc", port["prio_tc"]),
            listed("tc-tsa", port["tsa"], str),
            listed("tc-bw", port["bandwidth"]),
        )
    elif kind == "maxrate":
        port["rates"] = listed("tc-maxrate", port["rates"], lambda word: int(word.removesuffix("Gbit")))
    elif kind == "buffer":
        if "buffer-size" in groups:
            port["sizes"] = listed("buffer-size", port["sizes"])
        if "prio-buffer" in groups:
            port["buffers"] = listed("prio-buffer", port["buffers"])
    else:
        sys.exit(f"dcb: unknown object {kind}")
    save(host)


def print_dcb(kind, port, as_json):
    def row(key, values):
        print(key, " ".join(f"{at}:{value}" for at, value in enumerate(values)), end=" \n")

    if kind == "dcbx":
        print(
            json.dumps({"host": True, "ieee": True}) if as_json else "host ieee " if port["owner"] == "os" else "ieee "
        )
    elif kind == "app":
        entries = sorted(((int(code), to) for code, to in port["app"].items()))
        if as_json:
            print(json.dumps({"dscp_prio": [list(entry) for entry in entries]} if entries else {}))
        elif entries:
            print("dscp-prio " + " ".join(f"{code}:{to}" for code, to in entries), end=" \n")
    elif kind == "pfc":
        bits = [bool(bit) for bit in port["pfc"]]
        if as_json:
            print(json.dumps({"pfc_cap": 8, "macsec_bypass": False, "delay": port["cable"], "prio_pfc": bits}))
        else:
            print(f"pfc-cap 8 macsec-bypass off delay {port['cable']} ")
            row("prio-pfc", ["on" if bit else "off" for bit in bits])
    elif kind == "ets":
        if as_json:
            print(
                json.dumps(
                    {
                        "willing": False,
                        "ets_cap": 8,
                        "cbs": False,
                        "tc_bw": port["bandwidth"],
                        "tc_tsa": port["tsa"],
                        "prio_tc": port["prio_tc"],
                    }
                )
            )
        else:
            print("willing off ets-cap 8 cbs off ")
            row("tc-bw", port["bandwidth"])
            row("pg-bw", [0] * 8)
            row("tc-tsa", port["tsa"])
            row("prio-tc", port["prio_tc"])
    elif kind == "maxrate":
        assert as_json
        print(json.dumps({"tc_maxrate": [rate * 125_000_000 for rate in port["rates"]]}, separators=(",", ":")))
    elif kind == "buffer":
        assert as_json
        print(
            json.dumps(
                {"prio_buffer": port["buffers"], "buffer_size": port["sizes"], "total_size": 524160},
                separators=(",", ":"),
            )
        )


def ethtool():
    host = load()
    if ARGS[0] == "-a":
        port = host["ports"][ARGS[1]]
        print(f"Pause parameters for {ARGS[1]}:\nAutonegotiate:\toff\nRX:\t\t{port['rx']}\nTX:\t\t{port['tx']}\n")
    elif ARGS[0] == "-A":
        settings = dict(zip(ARGS[2::2], ARGS[3::2]))
        host["ports"][ARGS[1]].update({key: settings[key] for key in ("rx", "tx") if key in settings})
    elif ARGS[0] == "--get-tunable":
        print(f"{ARGS[2]}: {host['ports'][ARGS[1]]['storm']}")
    elif ARGS[0] == "--set-tunable":
        if not (80 <= int(ARGS[3]) <= 8000 or ARGS[3] == "0"):
            sys.exit("netlink error: Invalid argument")
        host["ports"][ARGS[1]]["storm"] = int(ARGS[3])
    save(host)


def ip():
    assert ARGS[:3] == ["link", "set", "dev"]
    assert ARGS[4] == "mtu"
    with open(f"{ROOT}/sys/class/net/{ARGS[3]}/mtu", "w") as file:
        file.write(ARGS[5] + "\n")


def cma(key, flag, words):
    host = load()
    device = host["devices"].setdefault(option("-d"), {"mode": "IB/RoCE v1", "tos": 0})
    value = option(flag)
    if value is not None:
        device[key] = words[value] if words else int(value)
        save(host)
    print(device[key])


def mlxconfig():
    host = load()
    card = host["cards"][option("-d")]
    if "set" in ARGS:
        assert "-y" in ARGS
        for word in ARGS[ARGS.index("set") + 1 :]:
            name, _, value = word.partition("=")
            assert name in card, name
            card[name][2] = int(value)
        save(host)
        print("Applying... Done!\n-I- Please reboot machine to load new configurations.")
        return
    print(f"\nDevice #1:\n----------\n\nDevice type:        ConnectX7           \nDevice:             {option('-d')}\n")
    print(f"{'Configurations:':<56}{'Default':<20}{'Current':<20}{'Next Boot':<20}")
    for name, values in card.items():
        mark = "*" if values[2] != values[1] else " "
        words = [
            f"{'True' if value else 'False'}({value})" if name.startswith("LLDP_NB_DCBX") else str(value)
            for value in values
        ]
        print(f"{mark}       {name:<48}" + "".join(f"{word:<20}" for word in words))


def modprobe():
    os.makedirs(f"{ROOT}/sys/kernel/config/rdma_cm", exist_ok=True)


log()
{
    "mlnx_qos": mlnx_qos,
    "dcb": dcb,
    "ethtool": ethtool,
    "ip": ip,
    "cma_roce_mode": lambda: cma("mode", "-m", {"1": "IB/RoCE v1", "2": "RoCE v2"}),
    "cma_roce_tos": lambda: cma("tos", "-t", None),
    "mlxconfig": mlxconfig,
    "modprobe": modprobe,
}[NAME]()
