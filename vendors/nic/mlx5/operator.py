"""NVIDIA's NIC configuration operator for Kubernetes: its NicConfigurationTemplate, both directions.

The operator sets trust, PFC, ToS, cable length, ECN of one priority, 802.3x pause, the RoCE mode and firmware values
(`rawNvConfig`, which wins over what `roceOptimized` writes by itself: CNP DSCP 4). All else stays with the host's
script. A template is for one kind of card on one host.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg import yamlfile
from rocecfg.errors import IntentError, ReadError
from rocecfg.packs import load_module
from rocecfg.state.model import CongestionControl, Device, Line, LinkPause, Nic, NicBoot, Pfc, Port, PortQos, Where
from rocecfg.state.numbers import whole_number
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.capture import Text

_view = load_module(Path(__file__).parents[1] / "linux" / "view.py")
TEMPLATE = "nicconfigurationtemplate.yaml.j2"
KIND = "NicConfigurationTemplate"
_MARK = re.compile(rf"^kind: *[\"']?{KIND}[\"']?\s*$", re.MULTILINE)
NIC_TYPES = {
    "connectx-4": "1013", "connectx-4 lx": "1015", "connectx-5": "1017", "connectx-5 ex": "1019", "connectx-6": "101b",
    "connectx-6 dx": "101d", "connectx-6 lx": "101f", "connectx-7": "1021", "connectx-8": "1023", "connectx-9": "1025",
    "bluefield-2": "a2d6", "bluefield-3": "a2dc",
}  # fmt: skip
"""Model -> PCI device id, the operator's `nicType` (Linux drivers/net/ethernet/mellanox/mlx5/core/main.c)."""
_WITHOUT_PORT = {"ROCE_CONTROL"}
_BY_ITSELF = {"cnp_dscp": 4, "cnp_priority": 6}
"""What `roceOptimized` writes where no rawNvConfig says otherwise (pkg/configuration/configvalidation.go)."""


def nic_type(model: str | None) -> str | None:
    """Return the operator's word for a card, None for a model that is none or several cards."""
    word = " ".join((model or "").lower().replace("nvidia", "").replace("mellanox", "").split())
    return NIC_TYPES.get(word)


def refusals(device: Device) -> Iterator[tuple[str, str, str, str]]:
    """Yield what stands against one template for all ports of a host: field, wanted, got, why."""
    if device.kubernetes_vfs is None:
        return
    if nic_type(device.model) is None:
        yield ("model", device.model or "left open", "a model such as ConnectX-7",
               f"the operator selects cards by their kind; known: {', '.join(NIC_TYPES)}")  # fmt: skip
    if len({repr(_asked(port)) for port in device.ports.values()}) > 1:
        yield (
            "kubernetes",
            "ports with settings of their own",
            "equal ports",
            "one template is for all cards of a kind",
        )


def notes(device: Device) -> tuple[str, ...]:
    """Return what the operator leaves to the host's script."""
    if device.kubernetes_vfs is None:
        return ()
    left = ["MTU", "priority to TC and scheduler", "pause storm timeout", "RDMA-CM defaults"]
    ports = list(device.ports.values())
    codes = [port.qos.dscp_to_tc for port in ports if port.qos.dscp_to_tc is not None]
    if any(to != code >> 3 for table in codes for code, to in enumerate(table.to)):
        left.insert(0, "DSCP to priority (the driver's own map is DSCP / 8)")
    found = [f"Kubernetes: the NIC configuration operator has no word for {', '.join(left)}: rocecfg-nic.sh sets them"]
    if any(port.qos.pfc is not None and len(port.qos.pfc.tx or ()) > 1 for port in ports):
        found.append("Kubernetes: the operator turns ECN on for one priority; the others have the firmware's mask")
    found.append(
        "Kubernetes: two templates that match one card are both ignored; this one selects the host by its name"
    )
    return tuple(found)


def view(device: Device) -> View:
    """Return what the template prints: the answers of the operator's fields for a fitted host."""
    port = next(iter(device.ports.values()), None)
    values = {
        "device": device.name,
        "name": re.sub(r"[^a-z0-9-]+", "-", device.name.lower()).strip("-")[:200],
        "nic_type": nic_type(device.model),
        "vfs": device.kubernetes_vfs,
        "asked": _asked(port) if port is not None else {},
        "raw": list(_raw(port)) if port is not None else [],
    }
    return View(values)


def _asked(port: Port) -> dict[str, Any]:
    qos, nic = port.qos, port.nic
    priorities = sorted((qos.pfc.tx or ()) if qos.pfc is not None and qos.pfc.admin == "on" else ())
    control = nic.congestion_control if nic is not None else None
    reacts = sorted((control.reacts if control is not None else None) or ())
    pause = qos.link_pause
    return {
        "trust": qos.trust,
        "pfc": ",".join("1" if priority in priorities else "0" for priority in range(8)),
        "tos": nic.default_tos if nic is not None else None,
        "cable": qos.cable,
        "ecn": reacts[0] if reacts else None,
        "pause": None if pause is None or pause.rx != pause.tx else pause.rx,
        "mode": {"v1": 1, "v2": 2}.get((nic.roce_version if nic is not None else None) or ""),
        "raw": list(_raw(port)),
    }


def _raw(port: Port) -> Iterator[tuple[str, str]]:
    """Yield the firmware values, for both ports of a card: the second is ignored where there is none."""
    if port.nic is None:
        return
    firmware = load_module(Path(__file__).with_name("view.py")).firmware
    for want in firmware(port.nic):
        name = want.key.removeprefix("firmware ")
        for suffix in ("",) if name in _WITHOUT_PORT else ("_P1", "_P2"):
            yield name + suffix, want.value


# ---- reading --------------------------------------------------------------------------------------------------------


def is_template(text: Text) -> bool:
    """Return whether a text is YAML with a template of the operator."""
    return _MARK.search(text.content) is not None


def read(device: Device | None, name: str, text: Text) -> Device:
    """Return a device with what a template says; what other texts say of its ports stays. Raises ReadError."""
    known = device or Device(name, "mlx5", kind="host")
    for part in _documents(text.content):
        if not _MARK.search(part[1]):
            continue
        place = Where(text.file, part[0])
        try:
            document = yamlfile.load_text(part[1], text.file)
        except IntentError as error:
            raise ReadError(str(error)) from error
        lines = sum(1 for line in part[1].splitlines() if line.strip() and not line.lstrip().startswith("#"))
        port, strange = _port(document.data, place)
        ports = {item: _filled(old, port) for item, old in known.ports.items()} or {port.name: port}
        known = replace(
            known, ports=ports, lines=(*known.lines, *(Line(words, place) for words in strange)),
            lines_read=known.lines_read + lines, place=known.place or place,
        )  # fmt: skip
    return known


def _documents(content: str) -> Iterator[tuple[int, str]]:
    """Yield first line and text of each document of a file."""
    first, lines = 1, list[str]()
    for number, line in enumerate(content.splitlines(), 1):
        if line.rstrip() == "---":
            yield first, "\n".join(lines)
            first, lines = number + 1, []
        else:
            lines.append(line)
    yield first, "\n".join(lines)


_FIELDS = {"trust", "pfc", "tos", "cableLen", "ecn", "pauseFrames"}


def _port(data: Any, place: Where) -> tuple[Port, list[str]]:
    """Return what a template says of a port, and the fields that are not understood."""
    spec = _mapping(data, "spec")
    template, selector = _mapping(spec, "template"), _mapping(spec, "nicSelector")
    roce = _mapping(template, "roceOptimized")
    qos = _mapping(roce, "qos")
    name = f"nicType {str(selector.get('nicType', 'unknown'))[:20]}"
    if roce.get("enabled") is not True:
        return Port(name, place=place), []
    strange = [f"roceOptimized.qos.{key}" for key in qos if key not in _FIELDS]
    raw = template.get("rawNvConfig")
    values = {
        str(item.get("name")): item.get("value")
        for item in (raw if isinstance(raw, list) else [])
        if isinstance(item, dict)
    }
    trust: Any = str(qos.get("trust", "dscp"))
    bits = str(qos.get("pfc", "0,0,0,1,0,0,0,0"))
    priorities = frozenset(n for n, bit in enumerate(bits.split(",")) if bit == "1")
    if trust not in {"dscp", "pcp"} or re.fullmatch(r"([01],){7}[01]", bits) is None:
        strange.append("roceOptimized.qos")
        return Port(name, place=place), strange
    pause = _mapping(qos, "pauseFrames").get("enabled")
    ecn = _mapping(qos, "ecn")
    reacts = frozenset({ecn["priority"]}) if ecn.get("enabled") is True and _whole(ecn.get("priority"), 7) else None
    mask = _whole(values.get("ROCE_CC_PRIO_MASK_P1"), 255)
    boot = NicBoot(
        cnp_dscp=_whole(values.get("CNP_DSCP_P1", _BY_ITSELF["cnp_dscp"]), 63),
        cnp_priority=_whole(values.get("CNP_802P_PRIO_P1", _BY_ITSELF["cnp_priority"]), 7),
        congestion_control=None if mask is None else frozenset(n for n in range(8) if mask >> n & 1),
    )
    nic = Nic(
        default_tos=_whole(qos.get("tos", 0), 255),
        roce_version={1: "v1", 2: "v2"}.get(roce.get("roceMode", 0)),  # type: ignore[arg-type]
        congestion_control=None if reacts is None else CongestionControl("dcqcn", receives=reacts, reacts=reacts),
        next_boot=boot,
    )
    state = PortQos(
        trust=trust,
        pfc=Pfc(admin="on" if priorities else "off", tx=priorities, rx=priorities),
        link_pause=LinkPause(pause, pause) if isinstance(pause, bool) else None,
        cable=_whole(qos.get("cableLen"), 999),
    )
    leaves = ("trust", "pfc", "nic", "nic.next_boot", "cable", "link_pause")
    return Port(name, qos=state, nic=nic, place=place, places=dict.fromkeys(leaves, place)), strange


def _filled(port: Port, template: Port) -> Port:
    """Return a port with the template's word where no other text says anything."""
    qos, nic = port.qos, port.nic
    leaves = ("trust", "pfc", "link_pause", "cable")
    qos = replace(qos, **{leaf: getattr(template.qos, leaf) for leaf in leaves if getattr(qos, leaf) is None})
    if nic is None:
        return replace(port, qos=qos, nic=template.nic)
    if template.nic is not None:
        own = ("default_tos", "roce_version", "next_boot")
        nic = replace(nic, **{leaf: getattr(template.nic, leaf) for leaf in own if getattr(nic, leaf) is None})
    return replace(port, qos=qos, nic=nic)


def _mapping(data: Any, key: str) -> dict[str, Any]:
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def _whole(value: Any, top: int) -> int | None:
    """Return a number of a field or of the text of a firmware value; None for any other."""
    if isinstance(value, str):
        return whole_number(value, top)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= top else None
