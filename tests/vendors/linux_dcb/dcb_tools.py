"""Stand-ins for dcb, ethtool, ip, modprobe, systemctl and nmcli, which keep their state in one JSON file.

Run under the tool's own name (the tests put links into a folder on PATH). They print what iproute2 6.1 and ethtool
print, and refuse what the driver named in the state refuses (Linux bnxt_dcb.c, ice_dcb_nl.c).
"""

# ruff: noqa: PTH103, PTH119, PTH123, B905 - it starts a hundred times in a test: it imports nothing it can do without
import json
import os
import sys

NAME, ARGS = os.path.basename(sys.argv[0]), sys.argv[1:]
STATE = os.environ["FAKE_STATE"]
ROOT = os.environ["ROCECFG_ROOT"]
KINDS = {
    "dscp-prio": 63, "ethtype-prio": 65535, "stream-port-prio": 65535, "dgram-port-prio": 65535, "port-prio": 65535,
}  # fmt: skip


def load():
    with open(STATE) as file:
        return json.load(file)


def save(host):
    with open(STATE, "w") as file:
        json.dump(host, file)


def log():
    with open(os.environ["FAKE_LOG"], "a") as file:
        file.write(" ".join([NAME, *ARGS]) + "\n")


def refuse(text="RTNETLINK answers: Invalid argument"):
    sys.exit(text)


def dcb():
    words = [word for word in ARGS if not word.startswith("-")]
    kind, action, _, netdev, *rest = words
    host = load()
    port = host["ports"].get(netdev) or refuse(f"Cannot find device {netdev}")
    if action == "show":
        print_dcb(kind, port)
        return
    if host["driver"] != "generic" and not (kind == "dcbx" or port["dcbx"] == ["host", "ieee"]):
        refuse()
    groups, key = {}, ""
    for word in rest:
        if ":" in word or (key == "willing" and not groups[key]):
            groups[key].append(word)
        else:
            key = word
            groups.setdefault(key, [])
    set_dcb(kind, action, host, port, groups)
    save(host)


def listed(groups, name, before, convert=int):
    values = list(before)
    for word in groups.get(name, ()):
        place, value = word.split(":")
        for at in range(8) if place == "all" else [int(place)]:
            values[at] = convert(value)
    return values


def set_dcb(kind, action, host, port, groups):
    ice, bnxt = host["driver"] == "ice", host["driver"] == "bnxt"
    if kind == "dcbx":
        if port["agent"] == "firmware":
            refuse()
        port["dcbx"] = list(groups)
    elif kind == "app":
        change_apps(action, port, groups, ice=ice)
    elif kind == "pfc":
        bits = listed(groups, "prio-pfc", port["pfc"], lambda word: int(word == "on"))
        if bnxt and (port["prio_tc"] is None or len({port["prio_tc"][p] for p in range(8) if bits[p]}) > port["cap"]):
            refuse()
        port["pfc"] = bits
        port["resets"] += ice
    elif kind == "ets":
        prio_tc = listed(groups, "prio-tc", port["prio_tc"] or [0] * 8)
        tsa = listed(groups, "tc-tsa", port["tsa"], str)
        shares = listed(groups, "tc-bw", port["bandwidth"])
        if ice and port["app"]:
            prio_tc = port["prio_tc"]  # in DSCP mode it cannot change
        total = sum(share for share, word in zip(shares, tsa) if word == "ets")
        if any(share for share, word in zip(shares, tsa) if word != "ets") or ("ets" in tsa and total != 100):
            refuse("Error: ETS bandwidths do not add up to 100%")
        port.update(prio_tc=prio_tc, tsa=tsa, bandwidth=shares)
        port["resets"] += ice
    elif kind == "maxrate":
        port["rates"] = listed(groups, "tc-maxrate", port["rates"], lambda word: int(word.removesuffix("Gbit")))
    else:
        refuse(f'Object "{kind}" is unknown, try "dcb help".')


def change_apps(action, port, groups, *, ice):
    if action == "flush":
        port["app"] = [entry for entry in port["app"] if groups and entry[0] not in groups]
        return
    for kind, words in groups.items():
        for word in words:
            number, priority = (int(part, 0) for part in word.split(":"))
            same = [entry for entry in port["app"] if entry[:2] == [kind, number]]
            if not (0 <= number <= KINDS[kind] and 0 <= priority <= 7):
                refuse()
            if ice:
                if kind != "dscp-prio" or (action != "del" and (priority >= port["max_tc"] or same)):
                    refuse()
                if action != "del" and not port["app"]:  # the first entry enters DSCP mode
                    port.update(prio_tc=list(range(8)), tsa=["ets"] * 8, bandwidth=[100, *[0] * 7])
                port["resets"] += 1
            if action == "del":
                if [kind, number, priority] not in port["app"]:
                    refuse("RTNETLINK answers: No such file or directory")
                port["app"].remove([kind, number, priority])
                continue
            if action == "replace":
                port["app"] = [entry for entry in port["app"] if entry[:2] != [kind, number]]
            if [kind, number, priority] not in port["app"]:
                port["app"].append([kind, number, priority])


def row(key, values):
    print(key, " ".join(f"{at}:{value}" for at, value in enumerate(values)), end=" \n")


def print_dcb(kind, port):
    as_json = "-j" in ARGS
    if kind == "dcbx":
        flags = {word.replace("-", "_"): True for word in port["dcbx"]}
        print(json.dumps(flags) if as_json else " ".join(port["dcbx"]) + " ")
    elif kind == "app":
        tables = {}
        for key, number, priority in sorted(port["app"]):
            tables.setdefault(key, []).append([number, priority])
        if as_json:
            print(json.dumps({key.replace("-", "_"): entries for key, entries in tables.items()}))
        for key, entries in () if as_json else tables.items():
            print(key, " ".join(f"{number}:{priority}" for number, priority in entries), end=" \n")
    elif kind == "pfc":
        if as_json:
            bits = [bool(bit) for bit in port["pfc"]]
            print(json.dumps({"pfc_cap": port["cap"], "macsec_bypass": False, "delay": 0, "prio_pfc": bits}))
        else:
            print(f"pfc-cap {port['cap']} macsec-bypass off delay 0 ")
            row("prio-pfc", ["on" if bit else "off" for bit in port["pfc"]])
    elif kind == "ets":
        prio_tc = port["prio_tc"] or [0] * 8
        if as_json:
            print(json.dumps({"willing": False, "ets_cap": port["max_tc"], "cbs": False, "tc_bw": port["bandwidth"],
                              "pg_bw": [0] * 8, "tc_tsa": port["tsa"], "prio_tc": prio_tc}))  # fmt: skip
        else:
            print(f"willing off ets-cap {port['max_tc']} cbs off ")
            row("tc-bw", port["bandwidth"])
            row("pg-bw", [0] * 8)
            row("tc-tsa", port["tsa"])
            row("prio-tc", prio_tc)
            row("reco-tc-bw", [0] * 8)
    elif kind == "maxrate":
        print(json.dumps({"tc_maxrate": [rate * 125_000_000 for rate in port["rates"]]}, separators=(",", ":")))


def ethtool():
    host = load()
    port = host["ports"][ARGS[1] if ARGS[0].startswith("-") else ARGS[0]]
    if ARGS[0] == "-a":
        print(f"Pause parameters for {ARGS[1]}:\nAutonegotiate:\toff\nRX:\t\t{port['rx']}\nTX:\t\t{port['tx']}\n")
    elif ARGS[0] == "-A":
        settings = dict(zip(ARGS[2::2], ARGS[3::2]))
        port.update({key: settings[key] for key in ("rx", "tx") if key in settings})
    elif ARGS[0] == "--get-tunable":
        if port["storm"] is None:
            sys.exit("netlink error: Operation not supported")
        print(f"{ARGS[2]}: {port['storm']}")
    elif ARGS[0] == "--set-tunable":
        port["storm"] = int(ARGS[3])
    elif ARGS[0] == "--show-priv-flags":
        print(f"Private flags for {ARGS[1]}:\nlink-down-on-close     : off")
        if host["driver"] == "ice":
            print(f"fw-lldp-agent          : {'on' if port['agent'] == 'firmware' else 'off'}")
    elif ARGS[0] == "--set-priv-flags":
        port["agent"] = "firmware" if ARGS[3] == "on" else "host"
        port["dcbx"] = ["lld-managed", "ieee"] if ARGS[3] == "on" else ["host", "cee"]
    save(host)


def ip():
    assert ARGS[:3] == ["link", "set", "dev"]
    assert ARGS[4] == "mtu"
    with open(f"{ROOT}/sys/class/net/{ARGS[3]}/mtu", "w") as file:
        file.write(ARGS[5] + "\n")


def modprobe():
    os.makedirs(f"{ROOT}/sys/kernel/config/{ARGS[0]}", exist_ok=True)


def systemctl():
    host = load()
    if ARGS[0] == "is-active":
        sys.exit(0 if ARGS[-1] in host["running"] else 3)
    host["running"] = [unit for unit in host["running"] if unit not in ARGS[1:]]
    save(host)


def nmcli():
    answers = {"GENERAL.CONNECTION": "fabric", "802-3-ethernet.mtu": "1500", "dcb.priority-flow-control-flags": "3"}
    print(answers[ARGS[1]])


def main(more=()):
    log()
    tools = {
        "dcb": dcb, "ethtool": ethtool, "ip": ip, "modprobe": modprobe, "systemctl": systemctl, "nmcli": nmcli,
    }  # fmt: skip
    tools.update(more)
    broken = load().get("broken", "")
    if broken and " ".join([NAME, *ARGS]).startswith(broken):
        refuse("RTNETLINK answers: Operation not permitted")
    tools[NAME]()


if __name__ == "fake_tools":
    main()
