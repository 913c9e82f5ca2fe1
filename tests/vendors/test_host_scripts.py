"""A law for every system that is a host: bash accepts each script we render, and shellcheck has nothing to say."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rocecfg.render.engine import render
from rocecfg.vendor import registry
from tests.laws.intents import auto_intent, planned
from tests.planned import planned_host

if TYPE_CHECKING:
    from pathlib import Path

HOSTS = [name for name in registry.names() if registry.get(name).manifest.kind == "host"]


def scripts(system: str) -> list[str]:
    """The shell scripts of a plain intent, of a sample plan, and of a plan that leaves the RDMA side open."""
    plan = planned_host(system, list(registry.get(system).manifest.port_names[:2]))
    bare = replace(plan, ports={name: replace(port, nic=None) for name, port in plan.ports.items()})
    fit = registry.get(system).module.fit
    devices = [planned(auto_intent(system)).devices["one"].fitted, fit(plan)[0], fit(bare)[0]]
    files = [file.content for device in devices for file in render(device)]
    return [content for content in files if content.startswith("#!") and "sh" in content.split("\n", 1)[0]]


@pytest.mark.parametrize("system", HOSTS)
def test_bash_and_shellcheck_have_nothing_to_say(system: str, tmp_path: Path) -> None:
    texts = scripts(system)
    if not texts:
        pytest.skip("renders no shell script")
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.sh"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(["bash", "-n", str(path)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        if shutil.which("shellcheck") is not None:
            done = subprocess.run(["shellcheck", str(path)], capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout) == (0, "")
