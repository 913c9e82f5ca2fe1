"""A default fills only what a whole text leaves open, is marked, and changes nothing that is stated."""

from __future__ import annotations

from dataclasses import replace

from rocecfg.state.defaults import Defaults
from rocecfg.state.model import PortQos


def test_only_what_a_whole_text_leaves_open_is_filled_and_marked() -> None:
    fill = Defaults(PortQos())
    assert fill.fill("trust", True, None, "dscp") == "dscp"
    assert fill.fill("cable", True, 5, 40) == 5
    assert fill.fill("default_tc", False, None, 0) is None
    assert fill.fill("rewrite", True, None, None) is None
    assert fill.filled == {"trust"}


def test_a_known_absence_is_stated() -> None:
    fill = Defaults(PortQos())
    assert (fill.fill("rewrite", True, (), (None,)), fill.fill("default_tc", True, 0, 1)) == ((), 0)
    assert not fill.filled


def test_marks_add_up_and_nothing_filled_gives_the_same_object() -> None:
    given = PortQos(trust="dscp", defaulted=frozenset({"trust"}))
    fill = Defaults(given)
    assert fill.marked(replace(given)) is given
    fill.fill("default_tc", True, None, 0)
    assert fill.marked(replace(given, default_tc=0)).defaulted == {"trust", "default_tc"}
