r"""How much of real texts is understood, and which of their known faults are found (`make corpus`).

Reads every file of the reference corpus (a folder `shared/corpus` beside this checkout, or the argument) and compares
with its MANIFEST.tsv: a row lists the known faults of a file with their lines, "-" says that none is known. Each
fault sentence stands for a rule that is built, a rule that is not built, or plain information: `MEANINGS`, and those
of one vendor in `tests/vendors/<nos>/corpus.yaml`:

    files: ["eos/*"]                                  # of the corpus: read, judged, in the table
    meanings:
      - {says: 'ECN minimum \d+ not below', rule: ECN-001}            # a regular expression and the rule
      - {says: 'is not defined in this', information: "why no rule"}
    explained:                                        # a missing or surplus finding, and why it is right
      - {file: eos/show.txt, rule: REF-004, because: "..."}

The exit code is 1 when a fault of a built rule is missing, or an error is reported on a file without known fault,
and nobody explained why. Words after the options choose files: `benchmarks/corpus.py 'eos/*'`.
"""

from __future__ import annotations

import csv
import re
import sys
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rocecfg import yamlfile
from rocecfg.errors import ReadError, RocecfgError
from rocecfg.findings import Finding, Severity
from rocecfg.lint.config import Settings
from rocecfg.lint.run import lint
from rocecfg.state.capture import captures_under
from rocecfg.state.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocecfg.state.model import Device

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
VENDOR_TESTS = Path(__file__).resolve().parents[1] / "tests" / "vendors"
FILES = ("nxos/*", "sonic/*", "cumulus/*", "junos/*", "host/*")
NEARBY = 1
"""Lines between the manifest's line and ours that still count as the same: a block's header or its name."""

NOT_BUILT, INFORMATION = "not built", "information"
MEANINGS: tuple[tuple[str, str, str], ...] = (
    # what the manifest says, what it stands for, the rule
    (r"Kmin equals Kmax", "rule", "ECN-001"),
    (r"no PFC watchdog|without any PFC watchdog|no PFC_WD entry", "rule", "WD-001"),
    (r"watchdog (on|is set on) GPU ports", "rule", "WD-001"),
    (r"no type qos input policy", "rule", "REF-003"),
    (r"attached nowhere|attached to no interface", "rule", "REF-002"),
    (r"network-qos class .* is neither a system class", "rule", "REF-001"),
    (r"is not an NX-OS interface type|malformed interface name", "rule", "REF-001"),
    (r"without any ECN marking on its queue", "rule", "ECN-002"),
    (r"link pause and PFC on the same ports", "rule", "PFC-006"),
    (r"line is neither comment nor setting", "rule", "RUN-007"),
    (r"ports differ in pfc_enable", "rule", "REF-004"),
    (r"settings are written under", "rule", "REF-001"),
    (r"no-drop class MTU .* is smaller", "rule", "BUF-016"),
    (r"almost a step at an empty queue", "rule", "ECN-009"),
    (r"egress rewrite", "rule", "QMAP-010"),
    (r"partitions are 0 percent", "rule", "BUF-024"),
    (r"only an output half", "rule", "PFC-004"),
    (r"transmit on, receive off|rx disable with tx enable", "rule", "PFC-004"),
    (r"PFC on priority 0", "rule", "PFC-002"),
    (r"xon_delta 0", "rule", "PFC-011"),
    (r"headroom sized for another speed", "rule", "BUF-004"),
    (r"remapped to priority", "rule", "QMAP-002"),
    (r"firmware DCBX", "rule", "NIC-019"),
    (r"DEADLOCK|stormed again", "rule", "OPS-011"),
    (r"discards on the lossless", "rule", "OPS-001"),
    (r"DSCP 26 .* maps to lossy", INFORMATION, "needs an intent: QMAP-001"),
    (r"no port has a BUFFER_PG entry", INFORMATION, "dynamic buffer models fill it in"),
    (r"pfcwd_sw_enable differs from pfc_enable", INFORMATION, "dual-ToR design; the file has no PFC_WD table"),
    (r"attached to one CoS interface of three", INFORMATION, "REF-004 asks for four twins"),
    (r"watchdog entry on .* although no priority", INFORMATION, "harmless"),
    (r"empty cos_list", INFORMATION, "PFC on no priority does nothing"),
    (r"drops counted, receive drops zero|under watchdog drop", INFORMATION, "counters at one moment"),
)

EXPLAINED: tuple[tuple[str, str, str], ...] = (
    # file, rule, why it is right as it is
    ("sonic/bi-qos-mellanox4600c-c64.json", "REF-004", "20 of 28 ports agree: below three quarters"),
    ("sonic/bi-qos-mellanox4700-o28-t1-smartswitch.json", "REF-004", "one port of five has PFC: no majority"),
    ("sonic/su-mock-config-db-flat.json", "REF-004", "two ports of three agree: below four"),
    (
        "sonic/show-pfcwd-config-512-ports.txt",
        "WD-003",
        "right: polls of 1000 ms, 600 ms to detect: pfcwd refuses it",
    ),
    (
        "cumulus/cl4-traffic-conf-pfc-pause.cfg",
        "PFC-006",
        "its PFC group names no priority: nothing to conflict with",
    ),
)


class Fault(NamedTuple):
    """One known fault of a manifest row."""

    line: int
    text: str
    kind: str
    rule: str


@dataclass
class Row:
    """What was read and found in one file."""

    file: str
    clean: bool
    system: str = ""
    read: int = 0
    not_understood: int = 0
    open_lines: list[str] = field(default_factory=list)
    refused: str = ""
    faults: list[Fault] = field(default_factory=list)
    found: list[Fault] = field(default_factory=list)
    elsewhere: list[tuple[Fault, tuple[int, ...]]] = field(default_factory=list)
    errors: list[Finding] = field(default_factory=list)
    """Error findings on a file without known fault."""

    @property
    def expected(self) -> list[Fault]:
        """The faults that a built rule stands for."""
        return [fault for fault in self.faults if fault.kind == "rule"]

    def unexplained(self) -> Iterator[str]:
        """Yield what is missing or too much, and what nobody explained."""
        for fault in self.expected:
            if fault not in self.found and not explanation(self.file, fault.rule):
                at = dict(self.elsewhere).get(fault)
                where = f"; {fault.rule} is reported on line {', '.join(map(str, at))}" if at else ""
                yield f"{self.file}:{fault.line}: {fault.rule} is missing: {fault.text}{where}"
        for finding in self.errors:
            if not explanation(self.file, finding.rule):
                yield f"{self.file}:{finding.line}: {finding.rule} on a file without known fault: {finding.message}"


@cache
def of_vendors() -> tuple[tuple[str, ...], tuple[tuple[str, str, str], ...], tuple[tuple[str, str, str], ...]]:
    """Return the files, meanings and explanations of all vendors: the built-in ones and each `corpus.yaml`."""
    files, meanings, explained = list(FILES), list(MEANINGS), list(EXPLAINED)
    for path in sorted(VENDOR_TESTS.glob("*/corpus.yaml")):
        data = yamlfile.load_path(path).data
        files += data.get("files", ())
        for item in data.get("meanings", ()):
            kind = "rule" if "rule" in item else INFORMATION
            meanings.append((item["says"], kind, item.get("rule") or item[INFORMATION]))
        explained += [(item["file"], item["rule"], item["because"]) for item in data.get("explained", ())]
    return tuple(files), tuple(meanings), tuple(explained)


def explanation(file: str, rule: str) -> str:
    """Return why a missing or surplus finding is right, an empty text when nobody said."""
    return next((why for glob, of, why in of_vendors()[2] if of == rule and fnmatch(file, glob)), "")


def meaning(text: str) -> tuple[str, str]:
    """Return what a fault sentence stands for: kind and rule. Raises LookupError for a sentence nobody sorted."""
    for pattern, kind, rule in of_vendors()[1]:
        if re.search(pattern, text):
            return kind, rule
    raise LookupError(f"no meaning is given for the manifest's sentence: {text}")


def faults_of(column: str) -> list[Fault]:
    """Return the faults of a manifest row."""
    if column.strip() in {"", "-"}:
        return []
    faults = []
    for item in re.split(r"(?:^|; )(?=L\d+: )", column):
        match = re.fullmatch(r"L(\d+): (.*)", item.strip())
        if match:
            faults.append(Fault(int(match[1]), match[2], *meaning(match[2])))
    return faults


def manifest(corpus: Path, chosen: tuple[str, ...] = ("*",)) -> Iterator[tuple[str, list[Fault], bool]]:
    """Yield file, faults and whether the file has no known fault, for the systems that are built."""
    built = of_vendors()[0]
    with (corpus / "MANIFEST.tsv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            if any(fnmatch(row["file"], glob) for glob in built) and any(fnmatch(row["file"], glob) for glob in chosen):
                column = row["misconfigurations"]
                yield row["file"], faults_of(column), column.strip() == "-"


def examine(corpus: Path, file: str, faults: list[Fault], *, clean: bool) -> Row:
    """Read and lint one file, and compare with what is known of it."""
    row = Row(file, clean, faults=faults)
    try:
        (capture,) = captures_under(corpus / file)
        if isinstance(capture, ReadError):
            raise capture
        device = parse(capture)
    except RocecfgError as error:
        row.refused = str(error).replace(f"{corpus}/", "")
        return row
    row.system, row.read, row.not_understood = device.nos, device.lines_read, len(device.lines)
    row.open_lines = [f"{file}:{line.place.line}: {line.text.strip()[:80]}" for line in device.lines]
    found = [*lint([device], settings=Settings()).findings, *_not_understood(device)]
    for fault in row.expected:
        lines = tuple(sorted(finding.line for finding in found if finding.rule == fault.rule))
        if any(abs(line - fault.line) <= NEARBY for line in lines):
            row.found.append(fault)
        elif lines:
            row.elsewhere.append((fault, lines))
    if clean:
        row.errors = [finding for finding in found if finding.severity is Severity.ERROR]
    return row


def _not_understood(device: Device) -> Iterator[Finding]:
    for line in device.lines:
        at = line.place
        yield Finding(
            "RUN-007", "not-understood", Severity.WARNING, device.name, "", line.text, file=at.file, line=at.line
        )


def examined(corpus: Path, chosen: tuple[str, ...] = ("*",)) -> list[Row]:
    """Return a row for every chosen file of the systems that are built."""
    return [examine(corpus, file, faults, clean=clean) for file, faults, clean in manifest(corpus, chosen)]


def table(rows: list[Row]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"{'file':62} {'system':8} {'lines':>6} {'open':>5} {'%':>7} {'faults':>6} {'found':>6} {'errors':>6}"
    for row in rows:
        if row.refused:
            yield f"{row.file:62} -        {row.refused.partition(': ')[2][:60] or row.refused[:60]}"
            continue
        expected = str(len(row.expected) or "")
        found = str(len(row.found)) if row.expected else ""
        errors = str(len(row.errors)) if row.clean else ""
        share = _percent(row.read, row.not_understood)
        yield (
            f"{row.file:62} {row.system:8} {row.read:6} {row.not_understood:5} {share:>7} {expected:>6} {found:>6} "
            f"{errors:>6}"
        )
    yield ""
    for system in sorted({row.system for row in rows if row.system}):
        own = [row for row in rows if row.system == system]
        read, left = sum(row.read for row in own), sum(row.not_understood for row in own)
        known, hits = sum(len(row.expected) for row in own), sum(len(row.found) for row in own)
        surplus = sum(len(row.errors) for row in own)
        yield (
            f"{system:8} {len(own):3} files, {read:6} lines in the sections read, {left:3} not understood "
            f"({_percent(read, left)} %); {hits} of {known} known faults found; {surplus} errors on files without fault"
        )


def _percent(read: int, left: int) -> str:
    return f"{100 * (read - left) / read:.2f}" if read else "-"


def notes(rows: list[Row]) -> Iterator[str]:
    """Yield what the table does not say: rules not built, information, explanations, files nobody read."""
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        for fault in row.faults:
            if fault.kind != "rule":
                counts[fault.kind, fault.rule] = counts.get((fault.kind, fault.rule), 0) + 1
    for (kind, rule), count in sorted(counts.items()):
        yield f"{kind}: {rule} ({count} in the manifest)"
    for row in rows:
        yield from (f"not understood: {line}" for line in row.open_lines)
    for row in rows:
        missing = [fault.rule for fault in row.expected if fault not in row.found]
        for rule in dict.fromkeys([*missing, *(finding.rule for finding in row.errors)]):
            if why := explanation(row.file, rule):
                yield f"explained: {row.file} {rule}: {why}"


def main(arguments: list[str]) -> int:
    """Print the report; 0 when every difference from the manifest is explained."""
    corpus = CORPUS
    if arguments and Path(arguments[0]).is_dir():
        corpus, *arguments = Path(arguments[0]), *arguments[1:]
    if not (corpus / "MANIFEST.tsv").is_file():
        print(f"{corpus}: no reference corpus there, nothing to compare", file=sys.stderr)
        return 0
    rows = examined(corpus, tuple(arguments) or ("*",))
    print("\n".join(table(rows)))
    print()
    print("\n".join(notes(rows)))
    unexplained = [line for row in rows for line in row.unexplained()]
    print("\n" + ("\n".join(unexplained) if unexplained else "every difference from the manifest is explained"))
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
