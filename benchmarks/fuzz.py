"""Every parser on broken input: `make fuzz`, or a bounded run in CI.

    python benchmarks/fuzz.py --seconds 300                 # all targets, time shared between them
    python benchmarks/fuzz.py --seconds 60 --target nxos    # one of them

A target is a system (its texts are parsed and linted) or `intent` (the YAML loader, the expansion and the planner).
An input may end in a result or in one of our own errors; anything else, or an input that takes longer than
`--slow` seconds, is a defect: the input is saved in `fuzz-failures/` and the run exits 1.

With atheris installed (`pip install atheris`) the inputs are guided by coverage; without it they are mutations of
texts we render and of the tests' fixtures, from a fixed seed.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import importlib.util
import random
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rocecfg.errors import RocecfgError  # noqa: E402 - the checkout must be on the path first
from rocecfg.lint.run import lint  # noqa: E402
from rocecfg.render.engine import render  # noqa: E402
from rocecfg.state.capture import Capture, Text, decode  # noqa: E402
from rocecfg.state.parse import parse  # noqa: E402
from rocecfg.vendor import registry  # noqa: E402
from tests.laws.intents import auto_intent, planned  # noqa: E402

_SPICE = (
    b"\x00", b"\xff\xfe", b"\r\n", b"\t", b"{", b"}", b"[", b"]", b'"', b"'", b"|", b"-", b"*", b"&a", b"*a", b"<<", b"!!python/name:os",
    b"{{ x }}", b"{% x %}", b"999999999999999999999", b"-1", b"1e999", b"0x1f", b"%", b"/", b"..", b"\xe2\x80\xa8", b"--More--",
    b"banner motd ^C", b"interface ", b"class ", b"set ", b"dscp ", b"  ", b"\n\n", b"null", b"true", b"NaN",
)  # fmt: skip


def seeds(target: str) -> list[bytes]:
    """Return texts to start from: what we render, and the fixtures of the target's tests."""
    if target == "intent":
        found = [path.read_bytes() for path in (ROOT / "examples").rglob("*.roce.yaml")]
        return [text for text in found if len(text) < 4000]
    found = [file.content.encode() for file in render(planned(auto_intent(target)).devices["one"].fitted)]
    for path in sorted((ROOT / "tests" / "vendors" / target).rglob("*")):
        if path.is_file() and path.suffix not in {".py", ".pyc"} and path.stat().st_size < 20_000:
            found.append(path.read_bytes())
    return found


def judge(target: str) -> Callable[[bytes], None]:
    """Return what is done with an input: parse and lint, or load, expand and plan."""
    if target == "intent":
        return lambda data: _ours_only(lambda: planned(data.decode("latin-1")))
    return lambda data: _ours_only(
        lambda: lint([parse(Capture("fuzz", target, (Text("fuzz.txt", decode(data, "fuzz.txt")),)))])
    )


def _ours_only(work: Callable[[], object]) -> None:
    try:
        work()
    except RocecfgError as error:
        if not str(error).strip():
            raise AssertionError("an error without a sentence") from error


def mutate(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """Return a text with a few things broken."""
    lines = data.split(b"\n")
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(lines))
        kind = chance.randrange(9)
        if kind == 0:
            del lines[at : at + chance.randint(1, 4)]
        elif kind == 1:
            lines[at:at] = lines[at : at + chance.randint(1, 5)] * chance.randint(1, 3)
        elif kind == 2:
            lines = lines[: at + 1]
        elif kind == 3:
            chance.shuffle(lines)
        elif kind == 4:
            lines[at:at] = chance.choice(others).split(b"\n")[: chance.randint(1, 30)]
        elif kind == 5:
            place = chance.randint(0, len(lines[at]))
            lines[at] = lines[at][:place] + chance.choice(_SPICE) + lines[at][place:]
        elif kind == 6:
            lines[at] = b" " * chance.randint(0, 5) + lines[at].strip()
        elif kind == 7:
            words = lines[at].split()
            if words:
                words[chance.randrange(len(words))] = chance.choice(_SPICE)
                lines[at] = b" ".join(words)
        else:
            lines[at] = bytes(chance.randrange(256) for _ in range(chance.randint(0, 40)))
        lines = lines or [b""]
    return b"\n".join(lines)


def save(target: str, data: bytes) -> Path:
    """Keep an input that broke something."""
    folder = ROOT / "fuzz-failures"
    folder.mkdir(exist_ok=True)
    path = folder / f"{target}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def run_mutations(target: str, seconds: float, slow: float, seed: int) -> tuple[int, list[str]]:
    """Try mutations until the time is up. Returns how many, and what went wrong."""
    chance, texts, work = random.Random(seed), seeds(target), judge(target)
    others = [text for name in registry.names() for text in seeds(name)[:2]]
    failures: list[str] = []
    tried, until = 0, time.monotonic() + seconds
    while time.monotonic() < until and len(failures) < 5:
        data = mutate(chance.choice(texts), chance, others)
        start = time.monotonic()
        faulthandler.dump_traceback_later(slow * 6, exit=True)
        try:
            work(data)
        except Exception:
            failures.append(f"{save(target, data)}\n{traceback.format_exc(limit=-4)}")
        finally:
            faulthandler.cancel_dump_traceback_later()
        spent = time.monotonic() - start
        if spent > slow:
            failures.append(f"{save(target, data)}: {spent:.1f} s")
        tried += 1
    return tried, failures


def run_atheris(target: str, seconds: int, slow: float) -> None:
    """Let atheris guide the inputs by coverage; it ends the process itself, with 0 when nothing broke."""
    import atheris

    corpus = ROOT / "fuzz-failures" / f"corpus-{target}"
    corpus.mkdir(parents=True, exist_ok=True)
    for text in seeds(target):
        (corpus / hashlib.sha256(text).hexdigest()[:16]).write_bytes(text)
    work = judge(target)
    atheris.instrument_all()
    options = [f"-max_total_time={seconds}", f"-timeout={int(slow)}", "-rss_limit_mb=2048", "-max_len=20000"]
    prefix = f"-artifact_prefix={ROOT / 'fuzz-failures'}/{target}-"
    atheris.Setup([sys.argv[0], *options, prefix, "-print_final_stats=1", str(corpus)], work)
    atheris.Fuzz()


def main() -> int:
    """Run the targets one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    targets = ["intent", *registry.names()]
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--target", choices=targets, action="append", help="only these")
    parser.add_argument("--slow", type=float, default=5, help="seconds that one input may take")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coverage", action="store_true", help="guide one target by coverage (needs atheris)")
    chosen = parser.parse_args()
    names = chosen.target or targets
    if chosen.coverage:
        if importlib.util.find_spec("atheris") is None or len(names) != 1:
            parser.error("--coverage needs atheris and exactly one --target")
        run_atheris(names[0], int(chosen.seconds), chosen.slow)
        return 0
    broken = 0
    for name in names:
        tried, failures = run_mutations(name, chosen.seconds / len(names), chosen.slow, chosen.seed)
        print(f"{name:12} {tried:7} inputs, {len(failures)} defects", flush=True)
        for failure in failures:
            print(f"    {failure}", flush=True)
        broken += len(failures)
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
