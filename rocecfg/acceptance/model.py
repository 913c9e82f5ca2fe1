"""`acceptance.json`: the plan of an acceptance run, which the scripts carry out and the verdict is read against.

    acceptance = model.read(Path("acceptance/acceptance.json"))
    for stage in acceptance.stages:
        for step in stage.steps:
            step.flows[0].result         # "results/two-hosts/pair-same-leaf/f0001", without suffix

Fields are only ever added, with a default; a changed meaning raises the number of `rocecfg_acceptance`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rocecfg.errors import ReadError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

FILE = "acceptance.json"
LARGEST = 256 * 1024 * 1024
"""Bytes; a plan of 1,024 hosts with 8 rails takes a tenth of it."""

StageName = Literal["two-hosts", "one-rack", "all"]
Kind = Literal["mtu", "class", "pair", "latency", "bisection", "incast", "nccl"]
PathKind = Literal["same-leaf", "across-spines", "same-rail", "cross-rail"]
Tool = Literal["ib_write_bw", "ib_write_lat", "ping", "iperf3", "all_reduce_perf"]
STAGES: tuple[StageName, ...] = get_args(StageName)

Word = Annotated[str, Field(pattern=r"\A[A-Za-z0-9][A-Za-z0-9_.-]{0,127}\z")]
"""A name that is a folder, a file or a shell word without any quoting, and never a way out of the folder."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class TrafficClass(_Part):
    """A class of the intent, as one packet of the test carries it."""

    dscp: int = Field(ge=0, le=63)
    tclass: int = Field(ge=0, le=255)
    """The byte that perftest's `--tclass` takes: DSCP x 4."""
    priority: int = Field(ge=0, le=7)
    pfc: bool
    """Whether PFC protects its priority."""
    cnp: bool
    """Whether congestion notifications (CNP) travel in it."""


class Interface(_Part):
    """A port of a host's NIC and the cable that leaves it."""

    nic: str
    """rocecfg's word for the NIC's family."""
    rail: str | None = None
    speed_gbps: float = Field(gt=0)
    mtu: int | None = Field(default=None, ge=576)
    """What an IP packet may measure; None where the intent leaves it open."""
    leaf: str
    leaf_port: str


class Host(_Part):
    """A host that takes part."""

    interfaces: dict[str, Interface]


class End(_Part):
    """One end of a flow."""

    host: str
    interface: str


class Flow(_Part):
    """One sender and one receiver (of a collective: the first and the last host)."""

    id: Word
    client: End
    server: End
    path: PathKind
    traffic_class: str = Field(alias="class")
    tool: Tool
    lossy_competitor: bool = False
    """It runs beside the flows under test, in a class that may lose packets."""
    port: int = Field(ge=1, le=65535)
    result: str
    """Where its output goes: `results/STAGE/STEP/FLOW`, to which `.json` or `.txt` is added."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, populate_by_name=True)


class Step(_Part):
    """Flows that answer one question, in rounds: what is in one round runs at the same time."""

    name: Word
    kind: Kind
    why: str
    rounds: list[list[str]]
    """Ids of flows. Two flows of a round share no host link in one direction, but in an incast, whose point it is."""
    flows: list[Flow]
    counters: bool = False
    """Whether counters are read before and after."""
    seconds: int = Field(default=0, ge=0)
    """How long each flow sends; 0 = until it has sent its messages."""
    message: int = Field(default=0, ge=0)
    """Bytes of a message, of a ping its payload; 0 = a range, or the tool's own choice."""
    queue_pairs: int = Field(default=1, ge=1)
    hosts: list[str] = Field(default_factory=list)
    """The hosts of a collective, in the order of their ranks; empty for flows between two ends."""

    @model_validator(mode="after")
    def _rounds_name_flows(self) -> Step:
        ids = [flow.id for flow in self.flows]
        in_rounds = [each for one in self.rounds for each in one]
        if len(set(ids)) != len(ids):
            raise ValueError(f"step {self.name}: two flows have one id")
        if len(set(in_rounds)) != len(in_rounds) or set(in_rounds) != set(ids):
            raise ValueError(f"step {self.name}: every flow stands in one round, and a round names flows of the step")
        return self


class Stage(_Part):
    """Two hosts, one rack, or all; a later stage is worth running only when the earlier ones passed."""

    name: StageName
    steps: list[Step]


class Threshold(_Part):
    """A number that decides, with who says so. Yours to change in the file."""

    value: float
    unit: str = ""
    reason: str = ""
    source: str = ""


class Acceptance(_Part):
    """The whole plan."""

    rocecfg_acceptance: Literal[1] = 1
    intent: str
    classes: dict[str, TrafficClass]
    hosts: dict[str, Host]
    stages: list[Stage]
    thresholds: dict[str, Threshold] = Field(default_factory=dict)
    switches: dict[str, str] = Field(default_factory=dict)
    """Switch -> rocecfg's word for its system: whose counters are read."""

    @model_validator(mode="after")
    def _names_are_known(self) -> Acceptance:
        ends = {(host, name) for host, of in self.hosts.items() for name in of.interfaces}
        for stage in self.stages:
            for step in stage.steps:
                for flow in step.flows:
                    where = f"stage {stage.name}, step {step.name}, flow {flow.id}"
                    if flow.traffic_class not in self.classes:
                        raise ValueError(f'{where}: no class is called "{flow.traffic_class[:80]}"')
                    for end in (flow.client, flow.server):
                        if (end.host, end.interface) not in ends:
                            raise ValueError(f'{where}: no interface "{end.host[:80]}:{end.interface[:80]}"')
                    if flow.result != f"results/{stage.name}/{step.name}/{flow.id}":
                        raise ValueError(f"{where}: its result is not results/{stage.name}/{step.name}/{flow.id}")
        return self


def read(path: Path) -> Acceptance:
    """Return the plan of a file. Raises UsageError where there is none, ReadError where it cannot be understood."""
    try:
        if path.stat().st_size > LARGEST:
            raise ReadError(f"{path}: larger than {LARGEST // 1024 // 1024} MiB, no plan is")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise UsageError(f"{path}: not there; `rocecfg accept plan INTENT -o DIR` writes it") from error
    except OSError as error:
        raise ReadError(f"{path}: cannot read: {error.strerror or error}") from error
    try:
        return Acceptance.model_validate_json(data)
    except ValidationError as error:
        raise ReadError(f"{path}: {_first(error)}") from error


def _first(error: ValidationError) -> str:
    """Return what is wrong first, and where."""
    found = error.errors(include_url=False, include_input=False)
    where = ".".join(str(part)[:80] for part in found[0]["loc"])
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"{where + ': ' if where else ''}{found[0]['msg'].removeprefix('Value error, ')}{more}"


def as_json(acceptance: Acceptance) -> str:
    """Return the text of the file: the same plan gives the same bytes."""
    return acceptance.model_dump_json(indent=1, by_alias=True) + "\n"
