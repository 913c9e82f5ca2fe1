"""Detection of the system: never a guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Text
from rocecfg.vendor import registry

GOLDENS = sorted(Path(__file__).parent.glob("*/expected_switch.cfg"))


@pytest.mark.parametrize("content", ["", "\n\n", " \t\r\n"])
def test_an_empty_text_is_said_to_be_empty(content: str) -> None:
    with pytest.raises(ReadError, match=r"^leaf1\.cfg: empty$"):
        registry.detect((Text("leaf1.cfg", content),), "leaf1.cfg")


def test_a_text_of_no_known_system_names_the_systems() -> None:
    with pytest.raises(ReadError, match=r"of no known system \(known: .*nxos.*--nos"):
        registry.detect((Text("leaf1.cfg", "one two\nthree\n"),), "leaf1.cfg")


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.parent.name)
def test_a_session_is_of_the_system_of_what_was_typed(golden: Path) -> None:
    content = golden.read_text(encoding="utf-8")
    typed = [line.strip() for line in content.splitlines() if line.strip() not in {"", "!", "#"}]
    session = "".join(f"leaf1(config)# {line}\n" for line in typed)
    assert registry.detect((Text("a", content),), "a") == golden.parent.name
    assert registry.detect((Text("a", session),), "a") == golden.parent.name


OF_OTHERS = {
    "IOS XR": "!! IOS XR Configuration 7.5.2\nhostname core1\nssh server vrf mgmt\ninterface HundredGigE0/0/0/1\n mtu 9100\n!\nend\n",
    "IOS XR policies": "policy-map type qos P\n class C\n  set dscp 26\n !\n end-policy-map\n!\n",
    "VOSS": "#\n# box type             : VSP-8284\n#\nconfig terminal\nqos queue-profile 1 member add\n",
    "IOS": "hostname r1\n!\ninterface Ethernet0\n ip address 10.0.0.1 255.255.255.0\n!\nrouter eigrp 10\n network 10.0.0.0\n",
}


@pytest.mark.parametrize("system", OF_OTHERS)
def test_a_system_that_we_do_not_know_is_taken_for_none(system: str) -> None:
    with pytest.raises(ReadError, match="of no known system"):
        registry.detect((Text("box.cfg", OF_OTHERS[system]),), "box.cfg")


def test_class_maps_alone_are_told_by_their_indentation() -> None:
    for indent, system in (("  ", "nxos"), ("   ", "eos")):
        text = f"class-map type qos match-any STORAGE\n{indent}match dscp 26\n!\nclass-map type qos match-any BEAT\n{indent}match cos 7\n"
        assert registry.detect((Text("maps.cfg", text),), "maps.cfg") == system


def test_the_command_whose_output_nobody_reads_is_named() -> None:
    text = "torA# show interface 1/1/7 flow-control\nRx pause   Tx pause\n       3          9\n"
    with pytest.raises(
        ReadError, match=r'--nos; what "show interface 1/1/7 flow-control" prints is not known: rocecfg v'
    ):
        registry.detect((Text("shown.txt", text),), "shown.txt")
