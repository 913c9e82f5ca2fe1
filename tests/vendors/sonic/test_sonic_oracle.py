"""What we render passes SONiC's own YANG modules; the shipped headroom tables are read row by row."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import pytest
from sonic_plans import fit, planned_qos, planned_switch, read

from rocecfg.render.engine import render
from tests.conftest import SHARED

ORACLE = SHARED / "oracles" / "sonic"
TABLES = sorted((ORACLE / "pg_profile_lookup").glob("*.ini")) if ORACLE.is_dir() else []
pytestmark = [pytest.mark.oracle, pytest.mark.skipif(not TABLES, reason="the shared reference data is not here")]


@pytest.fixture(scope="module")
def validator() -> Any:
    pytest.importorskip("libyang")
    spec = importlib.util.spec_from_file_location("validate_config_db", ORACLE / "validate_config_db.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    context, tables = module.load(ORACLE / "yang")

    def check(dump: dict[str, Any]) -> None:
        tree, unknown = module.translate(dump, tables)
        assert unknown == []
        context.parse_data_mem(json.dumps(tree), "json", strict=True, no_state=True).free()

    return check


@pytest.mark.parametrize("model", ["ACS-MSN3700", "Mellanox-SN5600", "Mellanox-SN5640-C512S2", "DellEMC-Z9332f-O32"])
@pytest.mark.parametrize("lossless", [{26: 3}, {26: 3, 28: 4}])
def test_rendered_dump_is_valid(validator: Any, model: str, lossless: dict[int, int]) -> None:
    fitted, _ = fit(planned_switch("sonic", ["Ethernet0", "Ethernet8"], planned_qos(lossless=lossless), model=model))
    dump = json.loads(render(fitted)[0].content)
    dump["PORT"] = {name: {"lanes": str(at), "speed": "400000", "alias": name} for at, name in enumerate(fitted.ports)}
    validator(dump)


def test_the_checker_refuses_what_is_wrong(validator: Any) -> None:
    fitted, _ = fit(planned_switch("sonic", ["Ethernet0"], model="SN5600"))
    dump = json.loads(render(fitted)[0].content)
    with pytest.raises(Exception, match="failed to parse data tree"):
        validator(dump)


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.name)
def test_shipped_table_is_read_row_by_row(file: Any) -> None:
    text = file.read_text()
    device = read(text)
    rows = [line.split() for line in text.splitlines() if line.split() and line.split()[0].isdigit()]
    assert device.headroom_table is not None
    assert device.lines == ()
    assert [(row.speed // 10**6, f"{row.cable}m", row.headroom, row.xon_at) for row in device.headroom_table] == [
        (int(speed), cable, int(xoff), int(xon)) for speed, cable, _, xon, xoff, *_ in rows
    ]
