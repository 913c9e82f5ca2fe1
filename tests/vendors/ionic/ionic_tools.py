"""A stand-in for nicctl beside those for ip, in the shapes of ROCm's documents: it refuses what those say it refuses."""

# ruff: noqa: B905 - it runs by itself, under the tool's own name
import json
import sys

import dcb_tools

ARGS = dcb_tools.ARGS
CARD = "42424650-4c32-3530-3330-30343900000{}"


def value(*names):
    return next((ARGS[at + 1] for at, word in enumerate(ARGS[:-1]) if word in names), None)


def codes(text):
    found = []
    for word in text.split(","):
        first, _, last = word.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def runs(numbers):
    parts = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def nicctl():
    host = dcb_tools.load()
    if ARGS[0] == "show":
        show(host)
        return
    ports = list(host["ports"].values())
    target = value("-p")
    if target is not None:
        ports = [port for port in ports if port["uuid"] == target] or sys.exit("ERROR - Invalid UUID")
    if ARGS[1] == "dcqcn":
        next(port for port in ports if port["device"] == value("-r"))["cnp_dscp"] = int(value("--cnp-dscp"))
    for port in () if ARGS[1] == "dcqcn" else ports:
        change(port)
    dcb_tools.save(host)


def change(port):
    if ARGS[1] == "port":
        if value("--pause-type"):
            port.update(pause_type=value("--pause-type").upper(), rx_pause="enabled", tx_pause="enabled")
        port["port_mtu"] = value("--mtu") or port["port_mtu"]
    elif value("--classification-type"):
        port["trust"] = value("--classification-type")
    elif ARGS[2] == "dscp-to-priority":
        for code in codes(value("--dscp")):
            port["map"][code] = int(value("--priority"))
    elif ARGS[2] == "pfc":
        others = [priority for priority in port["no_drop"] if priority != int(value("--priority"))]
        on = [int(value("--priority"))] if value("--no-drop") == "enable" else []
        port["no_drop"] = sorted(others + on)
    elif ARGS[2] == "scheduling":
        rows = list(zip(*(map(int, value(name).split(",")) for name in ("--priority", "--dwrr", "--rate-limit"))))
        if any(priority not in port["map"] or not (share or rate) for priority, share, rate in rows):
            sys.exit("Invalid input")
        port["schedule"] = rows
    else:
        sys.exit("unknown command")


def show(host):
    cards = {CARD.format(at): port for at, port in enumerate(host["ports"].values())}
    if ARGS[1] == "card":
        found = [{"id": card, "pcie_bdf": f"0000:15:00.{at}", "eth_bdf": f"0000:17:00.{at}", "product_name": "POLLARA"}
                 for at, card in enumerate(cards)]  # fmt: skip
        print(json.dumps({"nic": found}, indent=4))
    elif ARGS[1] == "port":
        spec = {card: {"id": port["uuid"], "name": "eth1/1", "pause_type": port["pause_type"], "mtu": port["port_mtu"],
                       "tx_pause": port["tx_pause"], "rx_pause": port["rx_pause"]} for card, port in cards.items()}  # fmt: skip
        chosen = [value("--card")] if value("--card") else list(cards)
        print(json.dumps({"nic": [{"id": card, "port": [{"spec": spec[card], "status": {"mtu": "0"}}]} for card in chosen]},
                         indent=4))  # fmt: skip
    elif ARGS[1] == "qos":
        for card, port in cards.items():
            show_qos(card, port)
    else:
        chosen = [port for port in cards.values() if value("-r") in {None, port["device"]}]
        for port in chosen or sys.exit("ERROR - no such device"):
            print(f"NIC : {CARD.format(0)} (0000:15:00.0)\n{'-' * 60}\n  Lif id              : 43000070-0100-0000-4242-0490\n"
                  f"  ROCE device         : {port['device']}\n    DCQCN profile id  : 1\n    Status            : {port['dcqcn']}\n"
                  f"    Token bucket size : 800000\n    DSCP value used for CNP                  : {port['cnp_dscp']}")  # fmt: skip


def show_qos(card, port):
    print(
        f"NIC  : {card} (0000:15:00.0)\n\nPort : {port['uuid']}\n\n  Classification type         : {port['trust'].upper()}\n"
    )
    print("  DSCP-to-priority :")
    for priority in sorted(set(port["map"])):
        listed = [code for code in range(64) if port["map"][code] == priority]
        print(f"    DSCP bitmap               : {sum(1 << code for code in listed):#018x} ==> priority : {priority}")
        print(f"    DSCP                      : {runs(listed)} ==> priority : {priority}")
    mask = sum(1 << priority for priority in port["no_drop"])
    print(f"\n  PFC :\n    PFC priority bitmap       : {mask:#x}")
    print(f"    PFC no-drop priorities    : {','.join(map(str, port['no_drop']))}\n\n  Scheduling :")
    print(
        f"  {'-' * 44}\n  Priority  Scheduling  Bandwidth Rate-limit\n            Type        (in %age) (in Gbps)\n  {'-' * 44}"
    )
    for priority, share, rate in port["schedule"]:
        kind = ("DWRR", share, "N/A") if share or not rate else ("strict", "N/A", rate)
        print(f"  {priority}         {kind[0]}        {kind[1]}        {kind[2]}")


dcb_tools.main({"nicctl": nicctl})
