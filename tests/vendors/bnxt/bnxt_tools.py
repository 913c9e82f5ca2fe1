"""A stand-in for niccli (above version 233) beside those for dcb and ethtool, in the shapes of bnxt_setupcc.sh."""

# ruff: noqa: B905 - it runs by itself, under the tool's own name
import sys

import dcb_tools

ARGS = dcb_tools.ARGS


def niccli():
    host = dcb_tools.load()
    function = ARGS[ARGS.index("--dev") + 1]
    port = host["ports"][list(host["ports"])[int(function[-1])]]
    words = ARGS[ARGS.index("qos") + 1 :]
    values = dict(zip(words, [*words[1:], ""]))
    if "--show" in words:
        show(port)
        return
    if "--apptlv" in words:
        priority, selector, number = (int(word) for word in values["--app"].split(","))
        entry = [{3: "dgram-port-prio", 5: "dscp-prio"}[selector], number, priority]
        if "--add" in words:
            port["app"].append(entry)
        elif entry in port["app"]:
            port["app"].remove(entry)
        else:
            sys.exit("ERROR: no such APP TLV")
    elif "--pfc" in words:
        on = [] if values["--enable"] == "0xFF" else [int(values["--enable"])]
        port["pfc"] = [int(priority in on) for priority in range(8)]
    else:
        tsa = dict(word.split(":") for word in values["--tsa"].split(","))
        shares = [int(share) for share in values["--tcbw"].split(",")]
        port["tsa"] = [tsa.get(str(tc), "strict") for tc in range(8)]
        port["bandwidth"] = [*shares, *[0] * (8 - len(shares))]
        port["prio_tc"] = [int(word.split(":")[1]) for word in values["--up2tc"].split(",")]
    dcb_tools.save(host)


def show(port):
    tcs = range(max(port["prio_tc"]) + 1)
    print("\nIEEE 8021QAZ ETS Configuration TLV:")
    print("         PRIO_MAP: " + " ".join(f"{p}:{tc}" for p, tc in enumerate(port["prio_tc"])))
    print("         TC Bandwidth: " + " ".join(f"{port['bandwidth'][tc]}%" for tc in tcs))
    print("         TSA_MAP: " + " ".join(f"{tc}:{port['tsa'][tc]}" for tc in tcs))
    on = [str(priority) for priority in range(8) if port["pfc"][priority]]
    print("IEEE 8021QAZ PFC TLV:\n         PFC enabled: " + (" ".join(on) or "none"))
    print("IEEE 8021QAZ APP TLV:")
    for at, (kind, number, priority) in enumerate(port["app"]):
        selector, title = {"dgram-port-prio": (3, "UDP or DCCP"), "dscp-prio": (5, "DSCP")}[kind]
        print(
            f"         APP#{at}:\n          Priority: {priority}\n          Sel: {selector}\n          {title}: {number}\n"
        )
    print("TC Rate Limit: 100% 100% 100% 0% 0% 0% 0% 0%")


dcb_tools.main({"niccli": niccli})
