"""Reading: every layout, the traps of real dumps, show outputs, headroom tables."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from sonic_plans import capture, read, whole

from rocecfg.errors import ReadError
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import Capture, Text
from rocecfg.state.model import NEVER, UNLIMITED, Amount, Dynamic, Pfc, Static
from rocecfg.state.parse import stated
from rocecfg.vendor.registry import detect

DUMP: dict[str, Any] = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf7", "hwsku": "DellEMC-Z9332f-O32", "type": "LeafRouter"}},
    "PORT": {
        "Ethernet0": {"lanes": "1,2", "speed": "400000", "mtu": "9100", "admin_status": "up", "alias": "etp1"},
        "Ethernet8": {"lanes": "3,4", "speed": "100000", "mtu": "9100", "admin_status": "down", "pfc_asym": "on"},
    },
    "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m", "Ethernet8": "5m"}},
    "DSCP_TO_TC_MAP": {"M": {"0": "0", "26": "3", "48": "6"}},
    "TC_TO_QUEUE_MAP": {"M": {str(n): str(n) for n in range(8)}},
    "TC_TO_PRIORITY_GROUP_MAP": {"M": {"0": "0", "3": "3", "6": "0"}},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"M": {str(n): str(n) for n in range(8)}},
    "PORT_QOS_MAP": {
        "global": {"dscp_to_tc_map": "M"},
        "Ethernet0": {
            "dscp_to_tc_map": "M", "tc_to_queue_map": "M", "tc_to_pg_map": "M", "pfc_to_queue_map": "M",
            "pfc_enable": "3", "pfcwd_sw_enable": "3",
        },
        "Ethernet8": {"tc_to_queue_map": "M", "tc_to_pg_map": "M", "pfc_enable": "2,3,4,6", "pfcwd_sw_enable": "3,4"},
    },
    "SCHEDULER": {"s": {"type": "DWRR", "weight": "15"}, "x": {"type": "STRICT", "cir": "125000000", "pir": "250000000"}},
    "WRED_PROFILE": {
        "W": {
            "ecn": "ecn_all",
            **{f"wred_{c}_enable": "true" for c in ("green", "yellow", "red")},
            **{f"{c}_min_threshold": "1048576" for c in ("green", "yellow", "red")},
            **{f"{c}_max_threshold": "2097152" for c in ("green", "yellow", "red")},
            "green_drop_probability": "5", "yellow_drop_probability": "5", "red_drop_probability": "5",
        }
    },
    "QUEUE": {
        "Ethernet0,Ethernet8|0-2": {"scheduler": "s"},
        "Ethernet0|3-4": {"scheduler": "s", "wred_profile": "W"},
        "Ethernet0|6": {"scheduler": "x"},
    },
    "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "1000", "xoff": "300"}},
    "BUFFER_PROFILE": {
        "pg_lossless_400000_40m_profile": {
            "pool": "ingress_lossless_pool", "size": "1248", "xon": "2288", "xon_offset": "2288", "xoff": "177632",
            "dynamic_th": "-3",
        },
        "fixed": {"pool": "ingress_lossless_pool", "size": "1518", "static_th": "3995680"},
    },
    "BUFFER_PG": {"Ethernet0|3": {"profile": "pg_lossless_400000_40m_profile"}},
    "BUFFER_QUEUE": {"Ethernet0|3-4": {"profile": "fixed"}},
    "PFC_WD": {
        "GLOBAL": {"POLL_INTERVAL": "200"},
        "Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"},
    },
}  # fmt: skip


def flat(dump: dict[str, Any]) -> dict[str, Any]:
    return {f"{table}|{key}": row for table, rows in dump.items() for key, row in rows.items()}


def redis(dump: dict[str, Any]) -> dict[str, Any]:
    return {key: {"expireat": 1.5, "ttl": -0.001, "type": "hash", "value": row} for key, row in flat(dump).items()}


def bracketed(dump: dict[str, Any]) -> dict[str, Any]:
    old: dict[str, Any] = json.loads(json.dumps(dump))
    for row in old["PORT_QOS_MAP"].values():
        for field, table in (("dscp_to_tc_map", "DSCP_TO_TC_MAP"), ("tc_to_queue_map", "TC_TO_QUEUE_MAP")):
            if field in row:
                row[field] = f"[{table}|{row[field]}]"
    for row in old["QUEUE"].values():
        row["scheduler"] = f"[SCHEDULER|{row['scheduler']}]"
    for row in old["BUFFER_PROFILE"].values():
        row["pool"] = f"[BUFFER_POOL:{row['pool']}]"
    return old


def layouts() -> list[Any]:
    prompt = "admin@leaf7:~$ show runningconfiguration all\n" + json.dumps(DUMP, indent=4) + "\nadmin@leaf7:~$ \n"
    numbers = json.loads(json.dumps(DUMP), parse_int=int)
    numbers["SCHEDULER"]["s"]["weight"] = 15
    numbers["PORT"]["Ethernet0"]["speed"] = 400000
    one_line = json.dumps(DUMP)
    crlf = json.dumps(DUMP, indent=1).replace("\n", "\r\n")
    foreign = {"BGP_NEIGHBOR": {"10.0.0.1": {"asn": "1"}}, **DUMP, "VLAN": {"Vlan1": {"dhcp_servers": ["10.0.0.1"]}}}
    tabs = json.dumps(DUMP, indent="\t")
    return [DUMP, flat(DUMP), redis(DUMP), bracketed(DUMP), prompt, numbers, one_line, crlf, foreign, tabs]


@pytest.mark.parametrize("text", layouts(), ids=range(10))
def test_every_layout_says_the_same(text: Any) -> None:
    device, expected = read(text), read(DUMP)
    assert device == expected
    assert device.lines == ()
    assert device.complete == expected.complete
    assert [(o.kind, o.name, o.defined, o.used) for o in device.objects] == [
        (o.kind, o.name, o.defined, o.used) for o in expected.objects
    ]


def test_a_whole_dump_gives_what_is_in_force() -> None:
    device = whole(DUMP)
    assert (device.name, device.model, device.buffer_model) == ("leaf7", "DellEMC-Z9332f-O32", "table")
    port = device.ports["Ethernet0"]
    qos = port.qos
    assert (port.speed, port.mtu, port.mtu_counts, port.alias, port.enabled) == (400 * 10**9, 9100, "ip", "etp1", True)
    assert qos.trust == "dscp"
    assert qos.dscp_to_tc is not None
    assert qos.dscp_to_tc.to[26] == 3
    assert qos.dscp_to_tc.to[27] is None
    assert qos.pfc is not None
    assert qos.pfc == Pfc("on", frozenset({3}), frozenset({3}), "internal")
    assert qos.cable == 40
    assert qos.watchdog is not None
    assert (qos.watchdog.enabled, qos.watchdog.poll, qos.watchdog.detect, qos.watchdog.restore) == (True, 200, 200, 400)
    queue = qos.queue(3)
    assert queue is not None
    assert queue.ecn is not None
    assert (queue.scheduler, queue.weight, queue.weight_kind, queue.shaper) == ("weighted", 15, "relative", UNLIMITED)
    assert [(c.low, c.high, c.probability, c.colours, c.active) for c in queue.ecn.curves] == [
        (Amount.of_bytes(1048576), Amount.of_bytes(2097152), 5, frozenset(), True)
    ]
    assert queue.limit == Static(Amount.of_bytes(3995680))
    strict = qos.queue(6)
    assert strict is not None
    assert (strict.scheduler, strict.rank, strict.guarantee, strict.shaper) == ("strict", 1, 10**9, 2 * 10**9)
    group = qos.priority_group(3)
    assert group is not None
    assert group.headroom is not None
    assert (group.lossless, group.headroom.amount, group.headroom.by) == (True, Amount.of_bytes(177632), "table")
    assert group.headroom.made_for == (400 * 10**9, 40)
    assert group.xoff_at == Dynamic(Fraction(1, 8))
    assert (group.xon_at, group.xon_below, group.reserved) == tuple(Amount.of_bytes(n) for n in (2288, 2288, 1248))


def test_global_row_asymmetric_pause_and_a_missing_watchdog_row() -> None:
    port = whole(DUMP).ports["Ethernet8"]
    assert port.qos.trust == "dscp"
    assert port.qos.pfc is not None
    assert port.qos.pfc.tx == frozenset({2, 3, 4, 6})
    assert port.qos.pfc.rx == frozenset(range(8))
    assert port.qos.watchdog is not None
    assert (port.qos.watchdog.enabled, port.qos.watchdog.priorities) == (False, frozenset({3, 4}))


def test_row_without_pfcwd_sw_enable_arms_nothing() -> None:
    dump = json.loads(json.dumps(DUMP))
    del dump["PORT_QOS_MAP"]["Ethernet0"]["pfcwd_sw_enable"]
    assert read(dump).ports["Ethernet0"].qos.watchdog.enabled is None  # type: ignore[union-attr]
    assert whole(dump).ports["Ethernet0"].qos.watchdog.enabled is False  # type: ignore[union-attr]


def test_absent_restoration_time_never_restores() -> None:
    dump = json.loads(json.dumps(DUMP))
    del dump["PFC_WD"]["Ethernet0"]["restoration_time"]
    assert whole(dump).ports["Ethernet0"].qos.watchdog.restore == NEVER  # type: ignore[union-attr]


def test_places_name_the_row_that_decides() -> None:
    text = json.dumps(DUMP, indent=4)
    lines = text.split("\n")
    port = read(text).ports["Ethernet0"]

    def shown(leaf: str) -> str:
        place = port.where(leaf)
        assert place is not None
        return lines[place.line - 1].strip()

    assert lines[port.place.line - 1].strip() == '"Ethernet0": {'  # type: ignore[union-attr]
    assert shown("mtu") == '"mtu": "9100",'
    assert shown("dscp_to_tc") == '"M": {'
    assert shown("queues.3") == '"Ethernet0|3-4": {'
    assert shown("queues.3.ecn") == '"W": {'
    assert shown("queues.6.scheduler") == '"Ethernet0|6": {'
    assert shown("priority_groups.3.headroom") == '"Ethernet0|3": {'
    assert shown("watchdog.detect") == '"detection_time": "200",'
    assert shown("cable") == '"Ethernet0": "40m",'
    assert port.where("pfc") == port.where("trust")


def test_watchdog_place_is_the_pfc_row_when_no_watchdog_row_stands_there() -> None:
    text = json.dumps({key: rows for key, rows in DUMP.items() if key != "PFC_WD"}, indent=4)
    port = read(text).ports["Ethernet0"]
    assert port.where("watchdog") == port.where("pfc")


def test_references_are_broken_only_when_their_table_is_there() -> None:
    dump = json.loads(json.dumps(DUMP))
    dump["QUEUE"]["Ethernet0|3-4"]["wred_profile"] = "W2"
    missing = [item for item in read(dump).objects if not item.defined]
    assert [(item.kind, item.name, item.near, item.used) for item in missing] == [("WRED_PROFILE", "W2", "W", True)]
    assert json.dumps(dump, indent=4).split("\n")[missing[0].place.line - 1].strip() == '"wred_profile": "W2"'  # type: ignore[union-attr]
    del dump["WRED_PROFILE"]
    device = read(dump)
    assert [item for item in device.objects if not item.defined] == []
    assert whole(dump).ports["Ethernet0"].qos.queue(3).ecn is None  # type: ignore[union-attr]


def test_thresholds_without_the_enable_flag_are_inert() -> None:
    dump = json.loads(json.dumps(DUMP))
    for colour in ("green", "yellow", "red"):
        del dump["WRED_PROFILE"]["W"][f"wred_{colour}_enable"]
    device = whole(dump)
    assert [curve.active for curve in device.ports["Ethernet0"].qos.queue(3).ecn.curves] == [False]  # type: ignore[union-attr]
    assert [item.name for item in device.objects if item.inert] == ["W"]


def test_traditional_model_makes_lossless_groups_by_table() -> None:
    dump = json.loads(json.dumps(DUMP))
    del dump["BUFFER_PG"]["Ethernet0|3"]
    group = whole(dump).ports["Ethernet0"].qos.priority_group(3)
    assert group is not None
    assert (group.lossless, group.headroom.by, group.headroom.amount) == (True, "table", None)  # type: ignore[union-attr]
    dump["CABLE_LENGTH"]["AZURE"]["Ethernet0"] = "0m"
    assert whole(dump).ports["Ethernet0"].qos.priority_group(3).lossless is False  # type: ignore[union-attr]


def test_dynamic_model() -> None:
    dump = json.loads(json.dumps(DUMP))
    dump["BUFFER_PG"]["Ethernet0|3"] = {"profile": "NULL"}
    dump["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {"AZURE": {"default_dynamic_th": "1", "over_subscribe_ratio": "2"}}
    dump["LOSSLESS_TRAFFIC_PATTERN"] = {"AZURE": {"mtu": "1024", "small_packet_percentage": "50"}}
    device = whole(dump)
    group = device.ports["Ethernet0"].qos.priority_group(3)
    assert (device.buffer_model, device.traffic) == ("dynamic", (1024, 50))
    assert group is not None
    assert (group.lossless, group.headroom.by, group.xoff_at) == (True, "length", Dynamic(Fraction(2)))  # type: ignore[union-attr]
    assert device.pools is not None
    assert (device.pools[0].oversubscription, device.pools[0].headroom) == (2, Amount.of_bytes(300))


def test_configlet_proves_nothing() -> None:
    patch = [{table: rows} for table, rows in DUMP.items()] + [{"PORT": {"Ethernet0": {"mtu": "1500"}}}]
    device = whole(patch)
    assert device.complete == frozenset()
    assert device.ports["Ethernet0"].mtu == 1500
    assert device.ports["Ethernet0"].alias == "etp1"
    assert device.ports["Ethernet8"].qos.watchdog.enabled is None  # type: ignore[union-attr]


def test_incomplete_text_proves_nothing() -> None:
    assert stated(capture(DUMP, complete=False)).complete == frozenset()


def test_line_card_keys_name_ports_of_other_cards_in_full() -> None:
    queue = {f"lc{n}|asic0|Ethernet0|3": {"scheduler": "s"} for n in (1, 2)}
    dump = {
        "DEVICE_METADATA": {"localhost": {"hostname": "lc1", "asic_name": "asic0"}},
        "PORT": {"Ethernet0": {"speed": "400000"}},
        "SCHEDULER": {"s": {"type": "STRICT"}},
        "QUEUE": queue,
    }
    ports = read(dump).ports
    assert list(ports) == ["Ethernet0", "lc2|asic0|Ethernet0"]
    assert ports["Ethernet0"].qos.queue(3).scheduler == "strict"  # type: ignore[union-attr]
    del dump["DEVICE_METADATA"]
    dump["PORT_QOS_MAP"] = {"Ethernet0": {"pfc_enable": "3"}}
    device = whole(dump)
    assert set(device.ports) == {"Ethernet0", "lc1|asic0|Ethernet0", "lc2|asic0|Ethernet0"}
    assert device.ports["Ethernet0"].qos.queues is None


def test_repeated_keys_are_reported_and_the_last_counts() -> None:
    text = """{
    "PFC_WD": {
        "Ethernet0": {"action": "drop", "detection_time": "200", "detection_time": "400"},
        "Ethernet0": {"action": "alert"}
    },
    "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}, "Ethernet4": {"action": "forward"}}
}"""
    device = read(text)
    assert [(line.place.line, line.text.split(":")[0]) for line in device.lines] == [
        (3, "PFC_WD/Ethernet0/detection_time"), (4, "PFC_WD/Ethernet0"), (6, "PFC_WD"),
    ]  # fmt: skip
    assert list(device.ports) == ["Ethernet4"]


def test_what_is_not_known_is_reported_with_its_line() -> None:
    dump = json.loads(json.dumps(DUMP))
    dump["PFC_WD"]["Ethernet0"]["detect_time"] = "200"
    dump["SCHEDULER"]["s"]["weight"] = "many"
    dump["CABLE_LENGTH"]["AZURE"]["Ethernet8"] = "5"
    dump["BUFFER_STRANGE"] = {"x": {"y": "z"}}
    dump["DSCP_TO_TC_MAP"]["M"]["64"] = "1"
    dump["QUEUE"]["Ethernet0|x"] = {"scheduler": "s"}
    device = read(dump)
    lines = json.dumps(dump, indent=4).split("\n")
    for line in device.lines:
        assert any(
            word in lines[line.place.line - 1] for word in ("detect_time", "many", '"5"', "STRANGE", '"64"', "|x")
        )
    assert len(device.lines) == 6


def test_a_map_to_a_class_that_no_switch_has_is_reported() -> None:
    dump = json.loads(json.dumps(DUMP))
    dump["DSCP_TO_TC_MAP"]["M"]["26"] = "63"
    device = read(dump)
    assert [line.text.split(":")[0] for line in device.lines] == ["26"]
    assert max(tc for tc in device.ports["Ethernet0"].qos.dscp_to_tc.to if tc is not None) < 16


# show outputs


def test_show_pfcwd_config() -> None:
    device = read(
        "admin@leaf:~$ show pfcwd config\nChanged polling interval to 600ms\n"
        "     PORT    ACTION    DETECTION TIME    RESTORATION TIME    HISTORY\n"
        "---------  --------  ----------------  ------------------  ---------\n"
        "Ethernet0      drop               600            infinite    disable\n"
    )
    dog = device.ports["Ethernet0"].qos.watchdog
    assert dog is not None
    assert (dog.enabled, dog.poll, dog.detect, dog.restore, dog.action) == (None, 600, 600, NEVER, "drop")
    assert device.lines == ()
    assert device.ports["Ethernet0"].where("watchdog").line == 5  # type: ignore[union-attr]


def test_show_pfcwd_stats_says_what_is_armed() -> None:
    device = read(
        "      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP    TX LAST OK/DROP    RX LAST OK/DROP\n"
        "-----------  -----------  -------------------------  ------------  ------------  -----------------  -----------------\n"
        "Ethernet0:3      stormed                        1/0       100/300       100/300              0/200              0/200\n"
        "Ethernet0:4  operational                        2/2       100/100       100/100                0/0                0/0\n"
    )
    dog = device.ports["Ethernet0"].qos.watchdog
    assert dog is not None
    assert (dog.enabled, dog.priorities) == (True, frozenset({3, 4}))


def test_show_buffer_pfc_and_ecn_tables() -> None:
    device = read(
        "Interface    Lossless priorities\n-----------  ---------------------\nEthernet0    3,4\nEthernet4    N/A\n\n"
        "Interface    Asymmetric\n-----------  ------------\nEthernet0    on\n\n"
        "Profile: **AZURE**\n-------------------  -------\necn                  ecn_all\ngreen_min_threshold  1048576\n"
        "-------------------  -------\n\nPool: ingress_lossless_pool\n----  -------\nxoff  4194112\ntype  ingress\n----  -------\n\n"
        "Lossless traffic pattern:\n--------------------  -\ndefault_dynamic_th    0\nover_subscribe_ratio  2\n--------------------  -\n"
        "   Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n"
        "----------  ------  ------  ------  ------  ------  ------  ------  ------\n"
        " Ethernet8       0       0       0   1,204       0       0       0       0\n...\n"
    )
    assert device.lines == ()
    pfc = device.ports["Ethernet0"].qos.pfc
    assert pfc is not None
    assert (pfc.tx, pfc.rx) == (frozenset({3, 4}), frozenset(range(8)))
    assert device.ports["Ethernet4"].qos.pfc.admin == "off"  # type: ignore[union-attr]
    assert "Ethernet8" in device.ports
    assert device.pools is not None
    assert (device.pools[0].headroom, device.pools[0].oversubscription) == (Amount.of_bytes(4194112), 2)
    assert [(item.kind, item.name) for item in device.objects] == [
        ("WRED_PROFILE", "AZURE"), ("BUFFER_POOL", "ingress_lossless_pool"),
    ]  # fmt: skip


def test_headroom_table_beside_a_dump_gives_the_bytes_or_takes_the_group_away() -> None:
    table = "\ufeffTitle of the box\n# PG lossless profiles.\n# speed cable size xon xoff threshold xon_offset\n 400000  40m 1248 2288 177632 -3 2288\n 100000 5m x 1 2 3\n"
    dump = json.loads(json.dumps(DUMP))
    del dump["BUFFER_PG"]["Ethernet0|3"]
    both = Capture("leaf7", "sonic", (Text("c.json", json.dumps(dump)), Text("t.ini", table)), file="f")
    from rocecfg.state.parse import effective

    device = effective(stated(both))
    assert device.headroom_table is not None
    row = device.headroom_table[0]
    assert (row.speed, row.cable, row.headroom, row.xon_at, row.xon_below) == (400 * 10**9, 40, 177632, 2288, 2288)
    assert (row.place.file, row.place.line) == ("t.ini", 4)  # type: ignore[union-attr]
    assert [(line.place.file, line.place.line) for line in device.lines] == [("t.ini", 5)]
    made = device.ports["Ethernet0"].qos.priority_group(3)
    assert made.headroom.amount == Amount.of_bytes(177632)  # type: ignore[union-attr]
    assert device.ports["Ethernet8"].qos.priority_group(3).lossless is False  # type: ignore[union-attr]


def test_headroom_table_tells_which_rows_hold_their_headroom_themselves() -> None:
    head = "# PG lossless profiles.\n# speed cable size xon xoff threshold\n"
    shared = " 10000 5m 18000 18000 20000 0\n 25000 5m 18000 18000 21000 0\n 40000 5m 18000 18000 24000 0\n 50000 5m {} 18000 26000 0\n"
    inside = " 10000 5m 50000 18000 32000 0\n 25000 5m 50000 18000 32000 0\n 40000 5m 52000 18000 34000 0\n 400000 5m 84000 36000 38000 0\n"
    for text, rows, odd in (
        (shared.format(18000), [True] * 4, []), (shared.format(44000), [True] * 3 + [False], [6]), (inside, [False] * 4, []),
    ):  # fmt: skip
        device = read(head + text)
        assert [row.headroom_shared for row in device.headroom_table or ()] == rows
        result = lint([device], settings=Settings(select=("BUF-011",)))
        assert [found.line for found in result.findings] == odd


def test_outputs_of_a_switch_of_several_asics_keep_them_apart() -> None:
    device = read(
        "Namespace asic0\n\nInterface    Lossless priorities\n-----------  ---------------------\nEthernet0    3,4\n\n"
        "Changed polling interval to 200ms on asic0\nBIG_RED_SWITCH status is disable on asic0\n"
        "Pool for namespace asic0: ingress_lossless_pool\n----  -------\nmode  dynamic\nsize  1000\ntype  ingress\n----  -------\n\n"
        "Pool for namespace asic1: ingress_lossless_pool\n----  -------\nmode  dynamic\nsize  2000\ntype  ingress\n----  -------\n\n"
        "Total pools: 2\n\nShared pool maximum occupancy: (Namespace asic1)\n"
        "                 Pool    Bytes\n---------------------  -------\ningress_lossless_pool     3000\n"
    )
    assert device.lines == ()
    assert device.pools is not None
    assert [(pool.name, pool.total) for pool in device.pools] == [
        ("asic0|ingress_lossless_pool", Amount.of_bytes(1000)), ("asic1|ingress_lossless_pool", Amount.of_bytes(2000)),
    ]  # fmt: skip


def test_profile_of_show_ecn_without_stars_is_told_by_its_fields() -> None:
    device = read(
        "Profile: AZURE_LOSSLESS\n-------------------  -------\nred_max_threshold    2097152\necn                  ecn_all\n"
        "wred_red_enable      true\n-------------------  -------\n"
    )
    assert device.lines == ()
    assert [(item.kind, item.name) for item in device.objects] == [("WRED_PROFILE", "AZURE_LOSSLESS")]


def test_table_goes_on_behind_the_blank_line_between_two_ports() -> None:
    device = read(
        "     Port    Priority    RX Pause Transitions    Recent RX Pause Timestamp\n"
        "---------  ----------  ----------------------  ---------------------------\n"
        "Ethernet0        PFC3                      12         01/10/2026, 21:20:00\n\n"
        "Ethernet4        PFC3                       0                          N/A\n\n"
        "            Port    Voq    Counter/pkts\n----------------  -----  --------------\nEthernet8   VOQ0               0\n"
    )
    assert device.lines == ()
    assert {"Ethernet0", "Ethernet4", "Ethernet8"} <= device.ports.keys()


def test_threshold_of_a_static_pool_in_a_headroom_table_is_bytes() -> None:
    device = read("# PG lossless profiles.\n# speed cable size xon xoff threshold\n 25000 5m 2048 30000 60000 34000\n")
    assert device.lines == ()
    assert device.headroom_table is not None
    assert (device.headroom_table[0].headroom, device.headroom_table[0].alpha) == (
        60000,
        Static(Amount.of_bytes(34000)),
    )


@pytest.mark.parametrize("mark", [":", "|"])
def test_dump_of_the_applied_tables_is_read_as_what_is_in_force(mark: str) -> None:
    rows = {
        "BUFFER_POOL_TABLE:ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "1000000"},
        "BUFFER_PROFILE_TABLE:pg_lossless_100000_5m_profile": {
            "pool": "[BUFFER_POOL_TABLE:ingress_lossless_pool]", "size": "20000", "xon": "18000", "xoff": "40000",
            "dynamic_th": "0",
        },
        "BUFFER_PG_TABLE:Ethernet8:3-4": {"profile": "[BUFFER_PROFILE_TABLE:pg_lossless_100000_5m_profile]"},
        "BUFFER_MAX_PARAM_TABLE:Ethernet8": {"max_headroom_size": "1"},
        "LLDP_ENTRY_TABLE:Ethernet8": {"lldp_rem_port_desc": "x"},
    }  # fmt: skip
    text = json.dumps({name.replace(":", mark): fields for name, fields in rows.items()}, indent=2)
    assert detect((Text("f", text),), "f") == "sonic"
    device = read(text)
    assert device.lines == ()
    assert device.complete == frozenset()
    group = device.ports["Ethernet8"].qos.priority_group(4)
    assert group is not None
    assert group.headroom is not None
    assert (group.headroom.amount, group.pool) == (Amount.of_bytes(40000), "ingress_lossless_pool")
    assert not any(item.used and not item.defined for item in device.objects)


@pytest.mark.parametrize(
    "text",
    ['{"PORT": {"Ethernet0": {"speed": "100000"}}}', '{\n  "PORT|Ethernet0": {\n    "mtu": "9100"\n  }\n}\n',
     '{\n  "VLAN": {},\n  "PORT": {\n    "Ethernet0": {\n      "lanes": "1"\n    }\n  }\n}\n'],
)  # fmt: skip
def test_switch_without_any_qos_is_known_by_its_ports(text: str) -> None:
    assert detect((Text("f", text),), "f") == "sonic"
    assert list(read(text).ports) == ["Ethernet0"]


def test_header_only_outputs_are_read() -> None:
    header = "  PORT    ACTION    DETECTION TIME    RESTORATION TIME    HISTORY\n------  --------  ----------------  ------------------  ---------\n"
    assert read(header).ports == {}
    assert read("# PG lossless profiles.\n# speed cable size xon xoff threshold\n").headroom_table == ()


def test_pasted_help_is_reported_not_swallowed() -> None:
    device = read(
        "admin@leaf:~$ show pfc priority\nInterface    Lossless priorities\n-----------  ---------------------\nEthernet0    3\n\n"
        "Usage: show pfc [OPTIONS] COMMAND [ARGS]...\n  Show details of the priority-flow-control\n"
    )
    assert [line.place.line for line in device.lines] == [6, 7]


@pytest.mark.parametrize(
    "text",
    ["{", "[", "{}", "[]", '{"VLAN": {}}', '{"QUEUE": {"Ethernet0|3": {"sched', '{"QUEUE": {}} trailing', "hello", "interface Ethernet1/1\n mtu 9216\n",
     '{"QUEUE": {"a|3": {"x": 1,}}}', "--More--", '{"PORT": NaN', '{"QUEUE": {"a": ' + "[" * 100_000, '{"PORT": {"a": {"mtu": ' + "9" * 6000 + "}}}"],
)  # fmt: skip
def test_unusable_texts_are_one_clear_error_or_a_report(text: str) -> None:
    try:
        device = read(text)
    except ReadError:
        return
    assert device.lines or "QUEUE" in text


def test_macsec_of_a_port_and_its_line() -> None:
    device = read('{"PORT": {\n"Ethernet0": {\n"macsec": "MUST_SECURE"},\n"Ethernet4": {"speed": "100000"}}}')
    port = device.ports["Ethernet0"]
    assert port.macsec is True
    assert port.where("macsec").line == 3
    assert device.ports["Ethernet4"].macsec is None
