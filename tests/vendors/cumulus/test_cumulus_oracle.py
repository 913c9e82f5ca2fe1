"""What we render is valid in NVUE's own models, for both keyword generations."""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from cumulus_plans import fit, patch, planned_qos, planned_switch, refused

from rocecfg.state.model import Amount, Curve, Device, Ecn, Lag, LinkPause, Static, intern_ports

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.oracle
RELEASES = ("5.9", "5.14", "5.15", "5.18")


@pytest.fixture(scope="module")
def validator(shared: Path) -> Any:
    pytest.importorskip("nvueschema")
    pytest.importorskip("yaml")
    folder = shared / "oracles" / "cumulus"
    if not folder.is_dir():
        pytest.skip("the NVUE check is not beside this checkout")
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("validate_nvue")
    finally:
        sys.path.remove(str(folder))


def rich_plan(release: str) -> Device:
    """A plan that makes the template print every shape it has."""
    plain = planned_qos(lossless={26: 3, 34: 4}, cable=5)
    dropping = tuple(
        queue
        and replace(
            queue,
            ecn=Ecn(),
            wred=(Curve(Amount.of_bytes(1000), Amount.of_bytes(9000), 5),),
            shaper=10**9,
            guarantee=10**6,
        )
        for queue in plain.queues
    )
    stated = tuple(group and replace(group, xoff_at=Static(Amount.of_bytes(50_000))) for group in plain.priority_groups)
    other = replace(
        plain, cable=40, queues=dropping, priority_groups=stated, rewrite=(("tc", 3, 26),), trust="both", pcp_to_tc=None
    )
    paused = replace(planned_qos(lossless={}), pfc=None, link_pause=LinkPause(rx=True, tx=False), watchdog=None)
    device = planned_switch("cumulus", [], os_version=f"{release}.0", model="SN5600")
    ports = {"swp1": plain, "swp2": plain, "swp3s0": plain, "swp4": other, "swp5": paused}
    base = planned_switch("cumulus", ["swp1"]).ports["swp1"]
    made = intern_ports(replace(base, name=name, qos=qos) for name, qos in ports.items())
    return replace(device, ports=made, lags=(Lag("bond1", ("swp1", "swp2")),))


@pytest.mark.parametrize("release", RELEASES)
def test_rendered_patches_validate(validator: Any, release: str, tmp_path: Path) -> None:
    import pydantic
    import yaml

    config = validator.strict(release)
    alpha = Fraction(1, 8)
    limited = planned_qos(alpha=alpha)
    queues = tuple(queue and replace(queue, limit=limited.priority_groups[3].xoff_at) for queue in limited.queues)
    plans = [planned_switch("cumulus", ["swp1", "swp2s0"], os_version=f"{release}.0"), rich_plan(release),
             planned_switch("cumulus", ["swp1"], replace(limited, queues=queues))]  # fmt: skip
    for plan in plans:
        fitted, changes = fit(plan)
        assert refused(changes) == []
        tree = yaml.load(patch(fitted), Loader=yaml.BaseLoader)
        for body in validator.bodies(tree):
            config.model_validate(body)
    broken = yaml.load(patch(fit(plans[0])[0]).replace("cable-length", "cable-lenght"), Loader=yaml.BaseLoader)
    with pytest.raises(pydantic.ValidationError):
        config.model_validate(validator.bodies(broken)[0])
