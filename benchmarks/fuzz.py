"""Feeds broken texts to every parser, to the intent loader and to the linter until the time is over.

    python benchmarks/fuzz.py --seconds 300 [--seed 1]

Seeds are what the templates render for the shipped examples, the examples themselves, and the reference texts where
they lie beside the checkout. Each input must end in a state or in one clear error, within a time limit and without
eating memory; anything else is a defect, and its input is kept under out/fuzz/ for a test.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

from rocecfg.errors import RocecfgError
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.run import lint
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text, decode
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
KEPT = ROOT / "out" / "fuzz"
SECONDS_EACH = 20
LARGEST_MEMORY = 2 * 1024**3
WORDS = [
    "{{ x }}", "%s%n", "\x00", "\x1b[2J", "!", "}", "{", "exit", "no ", "--More--", "999999999999999999999", "-1",
    "1-99999999", "Ethernet1/1-1000000", '"', "'", "\\", "\t", "\r", "a" * 5000, "[" * 2000, "{" * 2000, "\u202e",
    "\ud800", "*a", "&a", "<<:", "!!python/object", "0x", "1e999", "NaN", "null", "true", "[]", "{}", ",", ":", "|",
    "-", "3,4,", "dscp 64", "queue 99",
]  # fmt: skip


@dataclass(frozen=True)
class Seed:
    """A text to start from: the system that reads it ("intent" for an intent), and what it is called."""

    system: str
    name: str
    command: str
    text: str


def seeds() -> list[Seed]:
    """Return rendered texts of the examples, the examples, and the reference texts."""
    found = []
    for path in sorted((ROOT / "examples").rglob("*.roce.yaml")):
        text = path.read_text(encoding="utf-8")
        found.append(Seed("intent", path.name, "", text))
        seen = set()
        for device in plan(expand(parse_intent(text, path.name))).devices.values():
            if device.fitted.nos not in seen:
                seen.add(device.fitted.nos)
                found += [
                    Seed(device.fitted.nos, f"{path.stem}-{item.file}", item.command, item.content)
                    for item in render(device.fitted)
                ]
    for path in sorted(CORPUS.rglob("*")) if CORPUS.is_dir() else ():
        if path.is_file() and path.suffix not in {".md", ".tsv"} and path.stat().st_size < 200_000:
            try:
                text = decode(path.read_bytes(), path.name)
                found.append(Seed(registry.detect((Text(path.name, text),), path.name), path.name, "", text))
            except RocecfgError:
                continue
    return found


def mutated(text: str, chance: random.Random, others: list[Seed]) -> str:
    """Return a text with a few things broken."""
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.randrange(12)
        if kind == 0:
            text = text[: chance.randrange(len(text) + 1)]
        elif kind == 1:
            del lines[at]
        elif kind == 2:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif kind == 3:
            lines[at] = chance.choice(("", " ", "    ", "\t")) + lines[at].strip()
        elif kind == 4:
            lines.insert(at, chance.choice(WORDS))
        elif kind == 5:
            words = lines[at].split(" ")
            words[chance.randrange(len(words))] = chance.choice(WORDS)
            lines[at] = " ".join(words)
        elif kind == 6:
            words = lines[at].split(" ")
            del words[chance.randrange(len(words))]
            lines[at] = " ".join(words)
        elif kind == 7:
            spot = chance.randrange(len(text) + 1)
            text = text[:spot] + chance.choice(WORDS) + text[spot:]
        elif kind == 8:
            foreign = chance.choice(others).text.split("\n")
            start = chance.randrange(len(foreign))
            lines[at:at] = foreign[start : start + chance.randrange(1, 20)]
        elif kind == 9:
            chance.shuffle(lines)
        elif kind == 10:
            spot = chance.randrange(len(text) + 1)
            text = text[:spot] + chr(chance.randrange(0x250)) + text[spot + 1 :]
        else:
            lines[at : at + chance.randrange(40)] = []
        if kind not in {0, 7, 10}:
            text = "\n".join(lines)
    return text[:2_000_000]


def read_capture(seed: Seed, text: str) -> None:
    """Parse and lint a device text."""
    capture = Capture("fuzz", seed.system, (Text(seed.name, text, seed.command),), file=seed.name)
    result = lint([parse(capture)])
    crashed = [finding.message for finding in result.findings if finding.rule == "RUN-008"]
    if crashed:
        raise AssertionError(crashed[0])


def read_intent(seed: Seed, text: str) -> None:
    """Load, expand, judge and plan an intent."""
    fabric = expand(parse_intent(text, seed.name))
    if sum(len(device.ports) for device in fabric.devices.values()) < 5000:
        lint([], intent=fabric)
        for device in plan(fabric).devices.values():
            render(device.fitted)


def too_slow(signum: int, frame: object) -> NoReturn:
    """End an input that takes too long."""
    del signum, frame
    raise TimeoutError(f"more than {SECONDS_EACH} s")


def attempt(read: Callable[[Seed, str], None], seed: Seed, text: str) -> str:
    """Return how an input ended: "state", "error", or the defect."""
    signal.alarm(SECONDS_EACH)
    try:
        read(seed, text)
    except RocecfgError:
        return "error"
    except (Exception, MemoryError):  # noqa: BLE001 - whatever it is, it is what we look for
        return traceback.format_exc()
    finally:
        signal.alarm(0)
    return "state"


def main() -> int:
    """Fuzz for the time given; exit 1 when something broke."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--seed", type=int, default=int(time.time()))
    given = options.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST_MEMORY, LARGEST_MEMORY))
    signal.signal(signal.SIGALRM, too_slow)
    chance = random.Random(given.seed)
    known = seeds()
    by_system: dict[str, list[Seed]] = {}
    for seed in known:
        by_system.setdefault(seed.system, []).append(seed)
    print(f"seed {given.seed}, {len(known)} texts of {', '.join(sorted(by_system))}")
    ends: Counter[tuple[str, str]] = Counter()
    defects: Counter[str] = Counter()
    stop = time.monotonic() + given.seconds
    while time.monotonic() < stop:
        system = chance.choice(sorted(by_system))
        seed = chance.choice(by_system[system])
        text = mutated(seed.text, chance, known)
        end = attempt(read_intent if system == "intent" else read_capture, seed, text)
        if end in {"state", "error"}:
            ends[system, end] += 1
            continue
        ends[system, "defect"] += 1
        where = "\n".join(end.strip().splitlines()[-3:])
        defects[where] += 1
        if defects[where] == 1:
            KEPT.mkdir(parents=True, exist_ok=True)
            kept = KEPT / f"{system}-{len(defects)}.txt"
            kept.write_text(text, encoding="utf-8", errors="surrogatepass")
            print(f"DEFECT in {system} ({seed.name}), input kept as {kept}\n{end}", file=sys.stderr)
    for system in sorted(by_system):
        counts = [f"{ends[system, end]} {end}" for end in ("state", "error", "defect")]
        print(f"{system:<10} {', '.join(counts)}")
    print(f"{sum(ends.values())} inputs, {len(defects)} kinds of defects")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
