"""Feeds broken texts to every parser, to the intent loader and to the linter until the time is over.

    python benchmarks/fuzz.py --seconds 300 [--seed 1]

    python benchmarks/fuzz.py --seconds 300 --system eos --system h3c

Seeds are the shipped examples, and for every system: what is rendered for it, the texts its tests hold, and the
reference texts where they lie beside the checkout. Each input must end in a state or in one clear error, within a time
limit and without eating memory; anything else is a defect, and its input is kept under out/fuzz/ for a test.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocecfg.state.model import Device

from rocecfg.errors import RocecfgError
from rocecfg.intent.expand import expand
from rocecfg.intent.load import parse_intent
from rocecfg.lint.run import lint
from rocecfg.packs import load_module
from rocecfg.plan.resolve import plan
from rocecfg.render.engine import render
from rocecfg.state.capture import Capture, Text
from rocecfg.state.parse import parse
from rocecfg.vendor import registry

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "out" / "fuzz"
device_texts = load_module(Path(__file__).with_name("device_texts.py"))
LARGEST_SEED = 200_000
SECONDS_EACH = 20
SLOW = 2.0
"""Seconds of computing; an input of a few hundred kilobytes that takes longer is told, not counted as a defect."""
LARGEST_MEMORY = 2 * 1024**3
MOST_WEIGHT = 2**32
"""More than any system counts in: H3C shares by bytes."""
WORDS = [
    "{{ x }}", "%s%n", "\x00", "\x1b[2J", "!", "}", "{", "exit", "no ", "--More--", "999999999999999999999", "-1",
    "1-99999999", "Ethernet1/1-1000000", '"', "'", "\\", "\t", "\r", "a" * 5000, "[" * 2000, "{" * 2000, "\u202e",
    "\ud800", "*a", "&a", "<<:", "!!python/object", "0x", "1e999", "NaN", "null", "true", "[]", "{}", ",", ":", "|",
    "-", "3,4,", "dscp 64", "queue 99",
]  # fmt: skip
NUMBER = re.compile(r"[0-9]{1,30}")


@dataclass(frozen=True)
class Seed:
    """A text to start from: the system that reads it ("intent" for an intent), and what it is called."""

    system: str
    name: str
    command: str
    text: str


def seeds() -> list[Seed]:
    """Return the examples, and the texts of every system: rendered ones, those of its tests, reference texts."""
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
    texts = []
    for system in registry.names():
        if registry.get(system).manifest.render:
            texts += list(device_texts.rendered(system))
        texts += list(device_texts.fixtures(system))
    texts += list(device_texts.reference())
    for item in texts:
        if len(item.text) < LARGEST_SEED:
            with suppress(RocecfgError):
                system = item.system or registry.detect((Text(item.name, item.text),), item.name)
                found.append(Seed(system, item.name, item.command, item.text))
    return found


def other_number(number: str, chance: random.Random) -> str:
    """Return a number that stands where another stood: negative, huge, a fraction, near it, or of other digits."""
    return chance.choice(
        (
            f"-{number}", "9" * chance.choice((3, 20, 400)), "0", f"{number}.5", str(int(number) - 1),
            str(int(number) + 1), "".join(chr(0x660 + int(digit)) for digit in number),
            "".join(chr(0xFF10 + int(digit)) for digit in number), "\u00b2", f"{number}-{number}", f"0-{number * 3}",
            f"{number},{number}", f"{number}e{number}", f"0x{number}", f"{number}{number}", f"+{number}", "1/0", "8",
            "63", "64", "65536",
        )
    )  # fmt: skip


def mutated(text: str, chance: random.Random, others: list[Seed]) -> str:
    """Return a text with a few things broken."""
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.randrange(15)
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
        elif kind == 11:
            lines[at : at + chance.randrange(40)] = []
        elif kind == 12:
            block = lines[at : at + chance.randrange(2, 60)]
            lines[at:at] = block * chance.choice((1, 1, 3, 50))
        elif kind == 13:
            lines[at] = NUMBER.sub(lambda found: other_number(found[0], chance), lines[at])
        else:
            rate = chance.choice((0.02, 0.2))
            lines = [
                NUMBER.sub(lambda found: other_number(found[0], chance), line) if chance.random() < rate else line
                for line in lines
            ]
        if kind not in {0, 7, 10}:
            text = "\n".join(lines)
    return text[:2_000_000]


def impossible(device: Device) -> str:
    """Return what a state says that no device can be in, such as a queue 63; "" when all numbers are possible."""
    for name, port in device.ports.items():
        if port.mtu is not None and not 0 <= port.mtu < 2**32:
            return f"{name}: MTU {port.mtu}"
        if port.speed is not None and not 0 <= port.speed < 10**15:
            return f"{name}: speed {port.speed}"
        qos = port.qos
        if qos is None:
            continue
        ends = (
            (16, qos.dscp_to_tc.to if qos.dscp_to_tc is not None else ()),
            (16, qos.pcp_to_tc.to if qos.pcp_to_tc is not None else ()),
            (16, (qos.default_tc, *(tc for _, _, tc in qos.app_to_tc or ()))),
            (64, [mark for _, _, mark in qos.rewrite or ()]),
            (16, qos.tc_to_queue or ()),
            (8, qos.tc_to_pg or ()),
            (16, _members(qos.priority_to_queue)),
            (8, _members(qos.priority_to_pg)),
            (8, _members((qos.pfc.tx, qos.pfc.rx, qos.pfc.oper) if qos.pfc is not None else None)),
            (8, _members((qos.watchdog.priorities,) if qos.watchdog is not None else None)),
        )
        for end, numbers in ends:
            for number in numbers:
                if number is not None and not 0 <= number < end:
                    return f"{name}: {number} where less than {end} is possible: {numbers}"
        weights = [queue.weight for queue in qos.queues or () if queue is not None and queue.weight is not None]
        if any(not 0 <= weight <= MOST_WEIGHT for weight in weights):
            return f"{name}: weights {weights}"
        for curve in (
            curve
            for queue in qos.queues or ()
            if queue is not None
            for curve in (
                *(queue.ecn.curves if queue.ecn is not None and queue.ecn.curves else ()),
                *(queue.wred or ()),
            )
        ):
            if curve.probability is not None and not 0 <= curve.probability <= 100:
                return f"{name}: probability {curve.probability}"
            if any(amount is not None and amount.value < 0 for amount in (curve.low, curve.high)):
                return f"{name}: {curve}"
        sizes = {len(row) for row in (qos.queues, qos.priority_groups, qos.priority_to_pg) if row is not None}
        if sizes - {8}:
            return f"{name}: {sizes} queues or groups"
    return ""


def _members(sets: Iterable[frozenset[int] | None] | None) -> list[int]:
    return [member for numbers in sets or () if numbers is not None for member in numbers]


def read_capture(seed: Seed, text: str) -> None:
    """Parse and lint a device text."""
    capture = Capture("fuzz", seed.system, (Text(seed.name, text, seed.command),), file=seed.name)
    device = parse(capture)
    if said := impossible(device):
        raise AssertionError(f"no device is like this: {said}")
    result = lint([device])
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


def keep(name: str, text: str) -> Path:
    """Write an input where a test can be made of it."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{name}.txt"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return path


def main() -> int:
    """Fuzz for the time given; exit 1 when something broke."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--system", action="append", help="only texts of this system (again for more)")
    given = options.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST_MEMORY, LARGEST_MEMORY))
    signal.signal(signal.SIGALRM, too_slow)
    chance = random.Random(given.seed)
    known = seeds()
    by_system: dict[str, list[Seed]] = {}
    for seed in known:
        if not given.system or seed.system in given.system:
            by_system.setdefault(seed.system, []).append(seed)
    if not by_system:
        options.error(f"no text of {', '.join(given.system)}")
    print(f"seed {given.seed}, {len(known)} texts of {', '.join(sorted(by_system))}")
    ends: Counter[tuple[str, str]] = Counter()
    defects: Counter[str] = Counter()
    stop = time.monotonic() + given.seconds
    while time.monotonic() < stop:
        system = chance.choice(sorted(by_system))
        seed = chance.choice(by_system[system])
        text = mutated(seed.text, chance, known)
        began = time.process_time()
        end = attempt(read_intent if system == "intent" else read_capture, seed, text)
        if (took := time.process_time() - began) > SLOW:
            ends[system, "slow"] += 1
            kept = keep(f"{system}-slow-{ends[system, 'slow']}", text)
            print(f"SLOW in {system} ({seed.name}): {took:.1f} s for {len(text)} characters, kept as {kept}")
        if end in {"state", "error"}:
            ends[system, end] += 1
            continue
        ends[system, "defect"] += 1
        where = "\n".join(end.strip().splitlines()[-3:])
        defects[where] += 1
        if defects[where] == 1:
            kept = keep(f"{system}-{len(defects)}", text)
            print(f"DEFECT in {system} ({seed.name}), input kept as {kept}\n{end}", file=sys.stderr)
    for system in sorted(by_system):
        counts = [f"{ends[system, end]} {end}" for end in ("state", "error", "defect", "slow")]
        print(f"{system:<10} {', '.join(counts)}")
    count = sum(number for (_, end), number in ends.items() if end != "slow")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count} inputs, {len(defects)} kinds of defects, {grown:.0f} MiB at the most")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
