"""Reads the JSON file that `mlxconfig -j` writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module

if TYPE_CHECKING:
    from rocecfg.state.model import Where
    from vendors.nic.mlx5.outputs import Outputs

_words = load_module(Path(__file__).with_name("words.py"))


def take(outputs: Outputs, value: Any, place: Where) -> list[str] | None:
    """Take a JSON value; None when it is none of mlxconfig's."""
    if not any(isinstance(item, dict) and "tlv_configuration" in item for item in value.values()):
        return None
    _mlxconfig(outputs, value, place)
    return []


def _mlxconfig(outputs: Outputs, value: dict[str, Any], place: Where) -> None:
    for device in value.values():
        name = str(device.get("device", ""))
        model = device.get("device_type")
        for parameter, cells in device["tlv_configuration"].items():
            try:
                word, port = _words.parameter_name(parameter)
            except ValueError:
                continue
            card, number = _words.card_of(name, port)
            following = _number(cells.get("next_value"))
            current = _number(cells.get("current_value"))
            if following is not None:
                outputs.firmware(card, number, word, following, place)
            if current is not None:
                outputs.host.card(card, number, place).current[word] = current
        if isinstance(model, str):
            outputs.models.append(model)


def _number(cell: Any) -> int | None:
    if isinstance(cell, bool) or cell is None:
        return None
    return cell if isinstance(cell, int) else _words.firmware_number(str(cell))
