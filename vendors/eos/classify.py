"""The classification of a port: its trust, the device's maps, and what an input policy makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocecfg.state.model import CodeMap

if TYPE_CHECKING:
    from rocecfg.state.model import Trust
    from vendors.eos.config import Config, Policy, Settings

DSCP_DEFAULT: tuple[int, ...] = tuple({0: 1, 1: 0}.get(code // 8, code // 8) for code in range(64))
"""DSCP 0-7 in class 1, 8-15 in class 0, the rest by its upper three bits: the EOS manual, as quoted."""
COS_DEFAULT: tuple[int, ...] = (1, 0, 2, 3, 4, 5, 6, 7)
"""The same inversion at the low end."""
_WITH_DSCP: dict[Trust | None, Trust] = {"dscp": "dscp", "pcp": "both", "both": "both", "none": "dscp", None: "both"}
_WITH_COS: dict[Trust | None, Trust] = {"dscp": "both", "pcp": "pcp", "both": "both", "none": "pcp", None: "both"}


@dataclass(frozen=True, slots=True)
class Classification:
    """Trust and maps of a port, as stated. A code marked as stated without a class is decided by what no code tells."""

    trust: Trust | None
    dscp: CodeMap | None
    pcp: CodeMap | None
    default_tc: int | None
    rewrites: tuple[tuple[str, int, int], ...] = ()


def stated_map(lines: Settings, size: int) -> CodeMap | None:
    """Return the map that `qos map` lines state, None where they state nothing."""
    if not lines:
        return None
    to = {int(code): item[0] for code, item in lines.items()}
    return CodeMap(tuple(to.get(code) for code in range(size)), sum(1 << code for code in to))


def filled(stated: CodeMap | None, default: tuple[int, ...]) -> CodeMap:
    """Return a full map: the system's default where nothing is stated."""
    if stated is None:
        return CodeMap(default)
    to = tuple(
        tc if tc is not None or stated.stated >> code & 1 else default[code] for code, tc in enumerate(stated.to)
    )
    return stated if to == stated.to else CodeMap(to, stated.stated)


def classification(
    config: Config, settings: Settings, dscp: CodeMap | None, cos: CodeMap | None, *, whole: bool
) -> Classification:
    """Return what the trust line, the default marks and the input policy of a port state.

    `whole` = nothing of the text is missing.
    """
    trust: Trust | None = settings["trust"][0] if "trust" in settings else None
    default_tc = _default_tc(trust, settings, dscp, cos) if whole else None
    policy = config.policies.get(settings["policy"][0]) if settings.get("policy", (None,))[0] else None
    if policy is None:
        return Classification(trust, dscp, cos, default_tc)
    return _with_policy(config, policy, Classification(trust, dscp, cos, default_tc))


def _default_tc(trust: Trust | None, settings: Settings, dscp: CodeMap | None, cos: CodeMap | None) -> int | None:
    """Return the class of packets that carry no mark the port trusts, where a default mark is stated."""
    if trust is None:
        trust = "dscp" if settings.get("mode", ("",))[0] == "routed" else "pcp"
    by_cos, by_dscp = settings.get("cos", (None,))[0], settings.get("dscp", (None,))[0]
    of_cos = filled(cos, COS_DEFAULT).to[by_cos or 0]
    of_dscp = filled(dscp, DSCP_DEFAULT).to[by_dscp or 0]
    if trust == "dscp" and by_dscp:
        return of_dscp
    if trust == "pcp" and by_cos:
        return of_cos
    # Which of the two default marks counts on a port that trusts nothing depends on the platform.
    return of_cos if trust == "none" and (by_cos or by_dscp) and of_cos == of_dscp else None


def _with_policy(config: Config, policy: Policy, base: Classification) -> Classification:
    """Return the classification with an input policy in front: the first class that matches decides."""
    dscp: dict[int, int | None] = {}
    cos: dict[int, int | None] = {}
    rewrites: list[tuple[str, int, int]] = []
    unclear = False
    rest: int | None = None
    for name, (tc, _) in policy.classes.items():
        if name == "class-default":
            rest = tc
            continue
        class_map = config.class_maps.get(name)
        if class_map is None or class_map.other:
            unclear = unclear or tc is not None
        if class_map is None:
            continue
        for code in sorted(class_map.dscp - dscp.keys()):
            if tc is not None:
                dscp[code] = None if unclear else tc
            if name in policy.rewrites:
                rewrites.append(("dscp", code, policy.rewrites[name]))
        if tc is not None:
            cos |= dict.fromkeys(class_map.cos - cos.keys(), None if unclear else tc)
    trust = base.trust
    trust = _WITH_DSCP[trust] if dscp else trust
    trust = _WITH_COS[trust] if cos else trust
    if rest is not None:
        trust = "both" if trust is None else trust
    return Classification(
        trust,
        _overlaid(base.dscp, dscp, 64, rest, unclear=unclear),
        _overlaid(base.pcp, cos, 8, rest, unclear=unclear),
        None if unclear else base.default_tc if rest is None else rest,
        tuple(rewrites),
    )


def _overlaid(
    base: CodeMap | None, decided: dict[int, int | None], size: int, rest: int | None, *, unclear: bool
) -> CodeMap | None:
    """Return a map with the codes that the policy decides, and those it leaves to what no code tells."""
    if not decided and rest is None and not unclear:
        return base
    to: list[int | None] = list(base.to) if base is not None else [None] * size
    stated = base.stated if base is not None else 0
    for code in range(size):
        if code in decided:
            to[code] = decided[code]
        elif unclear or rest is not None:
            to[code] = None if unclear else rest
        else:
            continue
        stated |= 1 << code
    return CodeMap(tuple(to), stated)
