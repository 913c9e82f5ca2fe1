"""The NIC configuration operator's template: valid by its definition, true to the plan, read back, and judged."""

from __future__ import annotations

import jsonschema
import pytest
import yaml

from rocecfg.errors import PlanError, ReadError
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.run import lint
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import as_capture, render
from rocecfg.render.evidence import Shapes, vouch
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

INTENT = """\
version: 1
fabric: pod1
classes:
  roce: {dscp: 26, priority: 3, lossless: true}
  cnp: {dscp: 48, priority: 6}
devices:
  gpu1: {nic: mlx5, model: ConnectX-7, host: {kubernetes: true, virtual_functions: 8}}
  gpu2: {nic: mlx5, model: ConnectX-7}
links:
  - {a: "gpu1:rail[0-1]", b: "gpu2:rail[0-1]", speed: 100G, cable: 3m dac}
"""
FILE = "nicconfigurationtemplate.yaml"


def whole(low: int | None = None, high: int | None = None):
    return {
        "type": "integer",
        **({"minimum": low} if low is not None else {}),
        **({"maximum": high} if high is not None else {}),
    }


def closed(required: tuple[str, ...] = (), **properties):
    return {"type": "object", "additionalProperties": False, "required": list(required), "properties": properties}


TEXT, FLAG = {"type": "string"}, {"type": "boolean"}
DEFINITION = closed(
    ("apiVersion", "kind", "metadata", "spec"),
    apiVersion={"const": "configuration.net.nvidia.com/v1alpha1"},
    kind={"const": "NicConfigurationTemplate"},
    metadata=closed(("name",), name={"type": "string", "pattern": "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$", "maxLength": 253}, namespace=TEXT),
    spec=closed(
        ("nicSelector", "template"),
        nodeSelector={"type": "object", "additionalProperties": TEXT},
        nicSelector=closed(("nicType",), nicType=TEXT, pciAddresses={"type": "array"}, serialNumbers={"type": "array"}, partNumbers={"type": "array"}),
        resetToDefault=FLAG,
        template=closed(
            ("numVfs", "linkType"),
            numVfs=whole(),
            linkType={"enum": ["Ethernet", "Infiniband"]},
            force=FLAG,
            roceOptimized=closed(
                ("enabled",),
                enabled=FLAG,
                roceMode={"enum": [1, 2]},
                qos=closed(
                    ("pfc", "trust"),
                    trust=TEXT,
                    pfc={"type": "string", "pattern": "^([01],){7}[01]$"},
                    tos=whole(0, 255),
                    cableLen=whole(),
                    ecn=closed(("enabled", "priority"), enabled=FLAG, priority=whole(0, 7)),
                    pauseFrames=closed(("enabled",), enabled=FLAG),
                ),
            ),
            rawNvConfig={
                "type": "array", "maxItems": 128,
                "items": closed(("name", "value"), name={"type": "string", "maxLength": 64}, value={"type": "string", "maxLength": 128}),
            },
        ),
    ),
)  # fmt: skip
"""Fields, types and bounds of config/crd/bases/configuration.net.nvidia.com_nicconfigurationtemplates.yaml (8bfbeb3)."""


def planned(text: str = INTENT):
    return plan(expand(parse_intent(text, "f")))


def template_of(device) -> str:
    return {item.file: item.content for item in render(device.fitted)}[FILE]


VARIANTS = [
    INTENT,
    INTENT.replace("virtual_functions: 8", "virtual_functions: 0"),
    INTENT.replace("devices:", "settings: {trust: pcp, congestion_control: none}\ndevices:"),
    INTENT.replace("devices:", "settings: {pfc: {mode: off}}\ndevices:"),
    INTENT.replace("  cnp:", "  b: {dscp: 24, priority: 4, lossless: true}\n  cnp:"),
    INTENT.replace("gpu1", "GPU_1.rack-2"),
]


@pytest.mark.parametrize("text", VARIANTS, ids=range(len(VARIANTS)))
def test_valid_by_the_definition(text):
    device = planned(text).devices["gpu1" if "gpu1" in text else "GPU_1.rack-2"]
    assert not [item for item in device.adjustments if item.kind == "refused"]
    data = yaml.safe_load(template_of(device))
    jsonschema.Draft202012Validator.check_schema(DEFINITION)
    jsonschema.validate(data, DEFINITION)
    levels = {
        item.level
        for item in vouch(
            Shapes(registry.get("mlx5").manifest.evidence),
            [item for item in render(device.fitted) if item.file == FILE],
        )
    }
    assert levels == {"schema"}


def test_what_it_says():
    data = yaml.safe_load(template_of(planned().devices["gpu1"]))
    assert data["spec"]["nodeSelector"] == {"kubernetes.io/hostname": "gpu1"}
    assert data["spec"]["nicSelector"] == {"nicType": "1021"}
    template = data["spec"]["template"]
    assert (template["numVfs"], template["linkType"]) == (8, "Ethernet")
    assert template["roceOptimized"] == {
        "enabled": True, "roceMode": 2,
        "qos": {
            "trust": "dscp", "pfc": "0,0,0,1,0,0,0,0", "tos": 106, "cableLen": 3,
            "ecn": {"enabled": True, "priority": 3}, "pauseFrames": {"enabled": False},
        },
    }  # fmt: skip
    raw = {item["name"]: item["value"] for item in template["rawNvConfig"]}
    assert (raw["CNP_DSCP_P1"], raw["CNP_DSCP_P2"], raw["CNP_802P_PRIO_P1"], raw["ROCE_CC_PRIO_MASK_P1"]) == (
        "48",
        "48",
        "6",
        "8",
    )


def test_only_where_the_intent_asks_for_it():
    made = planned()
    assert FILE not in {item.file for item in render(made.devices["gpu2"].fitted)}
    assert not made.devices["gpu2"].notes
    assert "MTU" in " ".join(made.devices["gpu1"].notes)
    assert "DSCP to priority" in " ".join(made.devices["gpu1"].notes)


def test_read_back_with_the_script():
    device = planned().devices["gpu1"]
    back = parse(as_capture(device.fitted, render(device.fitted)))
    assert not back.lines
    assert back == device.fitted
    again, more = registry.get("mlx5").module.fit(device.fitted)
    assert again == device.fitted
    assert not more


def alone(text: str, name: str = "a.yaml"):
    return parse(Capture("h", "", (Text(name, text),), file=name))


OWN = """\
# a cluster's own template
apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata: {name: cx7, namespace: network-operator}
spec:
  nicSelector: {nicType: "1021"}
  template:
    numVfs: 2
    linkType: Ethernet
    roceOptimized:
      enabled: true
"""


def test_the_operators_own_values_are_judged():
    device = alone(OWN)
    assert (device.nos, list(device.ports)) == ("mlx5", ["nicType 1021"])
    port = device.ports["nicType 1021"]
    assert (port.qos.trust, port.qos.pfc.tx, port.nic.default_tos) == ("dscp", {3}, 0)
    assert (port.nic.next_boot.cnp_dscp, port.nic.next_boot.cnp_priority) == (4, 6)
    assert [item.rule for item in lint([device]).findings] == ["NIC-016"]
    cured = alone(OWN + '    rawNvConfig: [{name: CNP_DSCP_P1, value: "48"}]\n')
    assert cured.ports["nicType 1021"].nic.next_boot.cnp_dscp == 48
    assert not lint([cured]).findings


def test_own_fields():
    device = alone(
        OWN
        + '      roceMode: 2\n      qos: {trust: pcp, pfc: "0,0,0,1,1,0,0,0", tos: 106, cableLen: 30, pauseFrames: {enabled: true}, ecn: {enabled: true, priority: 4}}\n'
    )
    port = device.ports["nicType 1021"]
    assert not device.lines
    assert (port.qos.trust, port.qos.pfc.tx, port.qos.cable, port.qos.link_pause.rx) == ("pcp", {3, 4}, 30, True)
    assert (port.nic.default_tos, port.nic.roce_version, port.nic.congestion_control.reacts) == (106, "v2", {4})


def test_several_documents_in_one_file():
    device = alone("kind: Namespace\nmetadata: {name: x}\n---\n" + OWN + "---\n" + OWN.replace("1021", "101d"))
    assert device.ports["nicType 1021"].place.line == 4


@pytest.mark.parametrize(
    "qos",
    [
        '{trust: l3, pfc: "0,0,0,1,0,0,0,0"}',
        '{trust: dscp, pfc: "3"}',
        "{trust: [1], pfc: 7}",
        '{trust: dscp, pfc: "0,0,0,1,0,0,0,0", speed: 4}',
    ],
)
def test_strange_fields_are_reported(qos):
    assert alone(OWN + f"      qos: {qos}\n").lines


@pytest.mark.parametrize("value", ["-1", "400", "'٣'", "[1]", "null", "true", "99999999999999999999"])
def test_strange_numbers_are_unknown(value):
    port = alone(
        OWN
        + f"      qos: {{trust: dscp, pfc: '0,0,0,1,0,0,0,0', tos: {value}, cableLen: {value}}}\n    rawNvConfig: [{{name: CNP_DSCP_P1, value: {value}}}, 7]\n"
    ).ports["nicType 1021"]
    assert port.nic.default_tos is None
    assert port.qos.cable is None or port.qos.cable == 400
    assert port.nic.next_boot.cnp_dscp is None


@pytest.mark.parametrize(
    "spec", ["spec: 7\n", "spec: {template: [1]}\n", "spec: {template: {roceOptimized: true}}\n", ""]
)
def test_a_template_without_roce_says_nothing_of_it(spec):
    device = alone("kind: NicConfigurationTemplate\n" + spec)
    assert [port.qos.pfc for port in device.ports.values()] == [None]


@pytest.mark.parametrize(
    "broken",
    [
        "kind: NicConfigurationTemplate\nspec: {a: [1\n",
        "kind: NicConfigurationTemplate\nspec: !x 1\n",
        "kind: NicConfigurationTemplate\n\ta: 1\n",
    ],
)
def test_broken_yaml_is_one_error(broken):
    with pytest.raises(ReadError):
        alone(broken)


def test_the_number_of_functions_must_be_stated():
    with pytest.raises(PlanError, match="0 would turn SR-IOV off"):
        planned(INTENT.replace(", virtual_functions: 8", ""))


@pytest.mark.parametrize(
    ("old", "new"),
    [(", model: ConnectX-7, host", ", model: MCX7-unknown, host"), (", model: ConnectX-7, host", ", host")],
)
def test_a_card_that_the_operator_cannot_be_told(old, new):
    found = [
        item for item in planned(INTENT.replace(old, new, 1)).devices["gpu1"].adjustments if item.kind == "refused"
    ]
    assert [item.field for item in found] == ["model"]


def test_ports_that_differ_are_refused():
    text = INTENT.replace("virtual_functions: 8}", "virtual_functions: 8}, ports: {rail1: {pfc: {mode: off}}}")
    assert [item.field for item in planned(text).devices["gpu1"].adjustments if item.kind == "refused"] == [
        "kubernetes"
    ]


def test_hosts_without_an_operator_say_so():
    device = planned(
        INTENT.replace("nic: mlx5, model: ConnectX-7, host", "nic: windows_dcb, host").replace(
            "gpu2: {nic: mlx5", "gpu2: {nic: windows_dcb"
        )
    ).devices["gpu1"]
    assert ("kubernetes", "dropped") in [(item.field, item.kind) for item in device.overruled()]
    assert FILE not in {item.file for item in render(device.fitted)}
