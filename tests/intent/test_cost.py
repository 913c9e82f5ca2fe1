"""What loading costs: imports, and a large file against PyYAML's fastest loader in the same run."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
import yaml

from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent


def test_imports_stay_small():
    program = (
        "import sys\n"
        "import rocecfg.intent.load, rocecfg.intent.expand\n"
        "heavy = {'pydantic', 'jinja2', 'ttp', 'netmiko', 'rich', 'click', 'yaml', 'jsonschema'}\n"
        "print(*sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def large(switches, ports):
    lines = ["version: 1", "fabric: bench", "classes:", "  roce: {dscp: 26, priority: 3, lossless: true}", "devices:"]
    for switch in range(switches):
        lines += [f"  leaf-{switch:04d}:", "    nos: nxos", "    role: leaf"]
    lines += [f'  "host-[0000-{switches - 1:04d}]-[01-{ports:02d}]": {{nic: mlx5}}', "links:"]
    for switch in range(switches):
        for port in range(1, ports + 1):
            lines += [f"  - a: leaf-{switch:04d}:Ethernet1/{port}", f"    b: host-{switch:04d}-{port:02d}:rail0",
                      "    speed: 400G", f"    cable: {3 + port % 50}.5m dac"]  # fmt: skip
    return "\n".join(lines) + "\n"


@pytest.mark.slow
def test_a_large_intent_loads_faster_than_the_yaml_library_alone():
    if not hasattr(yaml, "CSafeLoader"):
        pytest.skip("PyYAML without its C module")
    text = large(100, 64)
    rival, ours = [], []
    for _ in range(3):
        start = time.process_time()
        yaml.load(text, Loader=yaml.CSafeLoader)
        rival.append(time.process_time() - start)
        start = time.process_time()
        intent = parse_intent(text)
        ours.append(time.process_time() - start)
    assert min(ours) <= 0.4 * min(rival)
    fabric = expand(intent)
    assert len(fabric.links) == 6_400
    assert len(fabric.devices) == 6_500
