"""`display packet-drop interface`: ECN marks and drops at ingress; and a script whose `quit` is indented."""

from __future__ import annotations

import pytest

from rocecfg.errors import ReadError
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

DROPS = """\
HundredGigE1/0/1:
  Packets dropped due to Fast Filter Processor (FFP): 0
  Packets dropped due to STP non-forwarding state: 3
  Packets dropped due to insufficient data buffer. Input dropped: 17 Output dropped: 5
  Packets of ECN marked: 4711
  Packets of WRED droped: 60
HundredGigE1/0/2:
  Packets dropped due to insufficient data buffer. Input dropped: N/A Output dropped: 0
  Packets of ECN marked: 0
"""


def read(*contents: str):
    texts = tuple(Text(f"{number}.txt", content) for number, content in enumerate(contents))
    return parse(Capture("leaf1", "h3c", texts, file="0.txt"))


def test_marks_and_drops_are_counted() -> None:
    device = read(DROPS)
    first, second = (device.sample.ports[f"HundredGigE1/0/{number}"] for number in (1, 2))
    assert not device.lines
    assert (first.rx_buffer_drops, first.marked_total, second.rx_buffer_drops, second.marked_total) == (
        17,
        4711,
        None,
        0,
    )
    assert first.where("marked_total").line == 5


def test_it_is_known_without_a_name() -> None:
    assert registry.detect((Text("a", f"<S1> display packet-drop interface\n{DROPS}"),), "a") == "h3c"


def test_the_ports_are_those_of_the_configuration() -> None:
    config = "#\n sysname leaf1\n#\ninterface HundredGigE1/0/1\n qos trust dscp\n#\nreturn\n"
    device = read(config, DROPS)
    assert device.ports["HundredGigE1/0/1"].qos.trust == "dscp"
    assert device.sample.ports["HundredGigE1/0/1"].marked_total == 4711


def test_a_strange_line_is_reported_and_a_text_without_ports_refused() -> None:
    assert [line.text for line in read(f"{DROPS}  Something else: 3\n").lines] == ["Something else: 3"]
    with pytest.raises(ReadError, match="display packet-drop"):
        read("Packets dropped due to insufficient data buffer. Input dropped: 1 Output dropped: 2\n")


def test_quit_in_an_indented_script_is_no_line() -> None:
    device = read(
        "qos wred queue table T\n  queue 3 ecn\n  quit\ninterface hundredgige 1/0/1\n  qos wred apply T\n  qos trust dscp\n"
    )
    assert not device.lines
    assert device.ports["HundredGigE1/0/1"].qos.trust == "dscp"
