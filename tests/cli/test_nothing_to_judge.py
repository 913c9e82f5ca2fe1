"""A text that says nothing any rule looks at is named: a clean verdict would be about nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner

from rocecfg.cli.group import rocecfg

if TYPE_CHECKING:
    from pathlib import Path


def findings(*files: Path) -> list[dict[str, str]]:
    result = CliRunner().invoke(rocecfg, ["lint", "--format", "json", *map(str, files)])
    assert result.exit_code == 0
    return json.loads(result.stdout)["findings"]


def test_a_version_alone_is_nothing_to_judge(tmp_path: Path) -> None:
    version = tmp_path / "version.txt"
    version.write_text("SONiC Software Version: SONiC.202405\n", encoding="utf-8")
    (said,) = findings(version)
    assert (said["rule"], said["severity"], said["file"]) == ("RUN-007", "info", str(version))
    assert "nothing of it was judged" in said["message"]
    assert "show runningconfiguration all" in said["help"]


def test_a_port_is_something(tmp_path: Path) -> None:
    ports = tmp_path / "status.txt"
    ports.write_text(
        "Interface    Lanes    Speed    MTU    Alias    Oper    Admin\n"
        "-----------  -------  -------  -----  -------  ------  -------\n"
        "Ethernet0    0,1,2,3  400G     9100   etp1     up      up\n",
        encoding="utf-8",
    )
    assert findings(ports) == []
