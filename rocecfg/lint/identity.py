"""What makes two findings the same from one run to the next: rule, device, object and leaf, never the line.

A finding about 32 ports that becomes one about 31 is still the same finding, so ports are not part of it. A finding
without a device is about a file (an intent), and the file stands instead.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.lint.ranges import compact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocecfg.findings import Finding


def about(finding: Finding) -> str:
    """Return the object of a finding without its ports: "priority 3"."""
    return finding.object.removeprefix(_ports(finding.ports)).strip() if finding.ports else finding.object


@lru_cache(maxsize=1024)
def _ports(names: tuple[str, ...]) -> str:
    return compact(names)  # the same ports come with every rule and every device of a role


def identity(finding: Finding) -> tuple[str, ...]:
    """Return what stays equal when lines move and ports come and go."""
    return (finding.rule, finding.device or finding.file, about(finding), finding.leaf)


def digest(words: Iterable[str]) -> str:
    """Return 32 hexadecimal digits for an identity."""
    return hashlib.sha256("\x1f".join(words).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """Return a fingerprint for each finding, unique in the list and free of lines.

    Findings of one identity (the same rule says two things of one object) are numbered in the order of their ports
    and sentences, not of their places.
    """
    known = list(findings)
    keys = [identity(finding) for finding in known]
    shared = {key for key, count in Counter(keys).items() if count > 1}
    order: dict[int, int] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    several = [at for at, key in enumerate(keys) if key in shared]
    for at in sorted(several, key=lambda at: (known[at].ports, known[at].message, known[at].file)):
        order[at] = seen[keys[at]]
        seen[keys[at]] += 1
    return [digest((*key, str(order[at])) if order.get(at) else key) for at, key in enumerate(keys)]
