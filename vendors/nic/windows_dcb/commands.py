"""Reads PowerShell scripts of DCB cmdlets: statements, their parameters by name, abbreviation or position."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.state.numbers import natural, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocecfg.state.model import Where
    from vendors.nic.windows_dcb.facts import Adapter, Host

_HERE = Path(__file__)
_facts = load_module(_HERE.with_name("facts.py"))
_script = load_module(_HERE.with_name("script.py"))

_TOKEN = re.compile(r"'((?:[^']|''){0,300})'|\"([^\"]{0,300})\"|(,)|([^\s,'\"]{1,300})")
_DASHES = "-\u2013\u2014\u2015"
"""PowerShell takes the dashes and quotation marks that word processors write for the plain ones."""
_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b"), "'") | dict.fromkeys(map(ord, "\u201c\u201d\u201e"), '"')
_ALL_PRIORITIES = re.compile(
    r"(?i)(?:^|[;{])\s{0,40}(?:Get-NetQosFlowControl\s{0,9}\|\s{0,9})?"
    r"Disable-NetQosFlowControl\s{0,9}(?:-Confirm:\S{1,9}\s{0,9})?(?:[;}#]|$)"
)
"""Without a priority, by itself or behind a bare Get, it ends PFC on all eight."""
_LONGEST = 4_000
_NAMED = re.compile(r"(?:\$?[A-Za-z0-9])[^*?]{0,259}$")
Values = dict[str, list[str]]
_PARAMETERS: dict[str, tuple[str, ...]] = {
    # cmdlet -> its parameters, the positional one first
    "netqospolicy": ("name", "netdirectportmatchcondition", "priorityvalue8021action", "policystore", "precedence",
                     "networkprofile", "smb", "cluster", "livemigration", "nfs", "iscsi", "fcoe", "default",
                     "dscpaction",
                     "ipportmatchcondition", "ipprotocolmatchcondition", "ipdstportmatchcondition",
                     "apppathnamematchcondition", "minbandwidthweightaction", "throttlerateactionbitspersecond"),
    "netqosflowcontrol": ("priority", "enabled", "interfacealias", "interfaceindex"),
    "netqostrafficclass": ("name", "priority", "algorithm", "bandwidthpercentage", "interfacealias", "interfaceindex"),
    "netqosdcbxsetting": ("interfacealias", "willing", "interfaceindex"),
    "netadapterqos": ("name", "interfacealias", "interfacedescription", "enabled", "norestart", "includehidden"),
    "netadapterrdma": ("name", "interfacealias", "interfacedescription", "enabled", "norestart", "includehidden"),
    "netadapteradvancedproperty": ("name", "interfacealias", "displayname", "displayvalue", "registrykeyword",
                                   "registryvalue", "norestart", "interfacedescription", "allproperties"),
}  # fmt: skip
_COMMON = ("confirm", "cimsession", "passthru", "erroraction", "whatif", "asjob", "verbose", "throttlelimit",
           "errorvariable", "outvariable", "warningaction", "force")  # fmt: skip
_SWITCHES = {"smb", "cluster", "livemigration", "nfs", "iscsi", "fcoe", "default", "confirm", "passthru", "whatif",
             "asjob", "verbose", "norestart", "force", "includehidden", "allproperties"}  # fmt: skip
_VERBS = {"new", "set", "enable", "disable", "remove", "get"}
_CMDLET = re.compile(
    r"(?i)(?:\[void\]|&|\$[A-Za-z_][A-Za-z0-9_]{0,60} ?=)?\s*([A-Za-z]{3,10})[-\u2013-\u2015](Net[A-Za-z]{5,30})$"
)
_DISPLAY = {"jumbo packet": "*jumbopacket", "networkdirect technology": "*networkdirecttechnology"}
"""Display names that drivers share -> the standardized keyword."""


def logical_lines(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (number, line) with lines joined that end in a backtick, at the number of the first."""
    at = 0
    while at < len(lines):
        first, parts = at, [lines[at]]
        while parts[-1].rstrip().endswith("`") and at + 1 < len(lines) and len(parts) < 40:
            at += 1
            parts[-1] = parts[-1].rstrip()[:-1]
            parts.append(lines[at])
        yield first + 1, " ".join(parts)[:_LONGEST]
        at += 1


def take(host: Host, line: str, place: Where) -> bool | None:
    """Take the statements of a line; None when none is a DCB cmdlet, False when one is not understood."""
    taken: bool | None = None
    for statement in _statements(line.translate(_QUOTES)):
        if len(statement) in {1, 2} and _ALL_PRIORITIES.search(line):
            statement.append(("0..7", False))
        result = _statement(host, statement, place)
        if result is not None:
            taken = result if taken is None else taken and result
    return taken


def _statements(line: str) -> Iterator[list[tuple[str, bool]]]:
    """Yield statements as (word, quoted) tokens: parts between `;`, `|`, `{` and `}`, without comments.

    What stands in parentheses is a statement of its own; outside it counts as a value that nobody knows.
    """
    statement: list[tuple[str, bool]] = []
    outer: list[list[tuple[str, bool]]] = []
    for found in _TOKEN.finditer(line):
        single, double, comma, bare = found.groups()
        if bare is None:
            statement.append((single.replace("''", "'") if single is not None else double or comma or "", not comma))
            continue
        if bare.startswith("#"):
            break
        for piece in re.split(r"([;|{}()])", bare):
            if piece in {";", "|", "{", "}"}:
                yield statement
                statement = []
            elif piece == "(" and len(outer) < 20:
                outer.append([*statement, ("$()", False)])
                statement = []
            elif piece == ")" and outer:
                yield statement
                statement = outer.pop()
            elif piece and piece not in {"(", ")"} and not (piece.startswith(".") and statement):
                dashed = piece[0] in _DASHES and piece[1:2].isalpha()
                statement.append((f"-{piece[1:]}" if dashed else piece, False))
    yield from (*outer, statement)


def _statement(host: Host, words: list[tuple[str, bool]], place: Where) -> bool | None:
    at = next((i for i, (word, quoted) in enumerate(words[:4]) if not quoted and _CMDLET.match(word)), None)
    found = None if at is None else _CMDLET.match(words[at][0])
    if at is None or found is None:
        return None
    verb, noun = found[1].lower(), found[2].lower()
    if noun not in _PARAMETERS or verb not in _VERBS:
        return None
    if verb == "get":
        return True
    values = _values(words[at + 1 :], _PARAMETERS[noun])
    if values is None:
        return False
    handler = _HANDLERS.get((verb, noun)) or _HANDLERS.get(("*", noun))
    try:
        return handler is not None and handler(host, verb, values, place)
    except (ValueError, KeyError, IndexError):
        return False


def _values(words: list[tuple[str, bool]], known: tuple[str, ...]) -> Values | None:
    """Return the parameters of a statement; None where one is none of the cmdlet's."""
    values: Values = {}
    name, comma = "", False
    for word, quoted in words:
        if word == "," and not quoted:
            comma = True
        elif word.startswith("-") and not quoted and not word[1:2].isdecimal():
            short, colon, value = word[1:].lower().partition(":")
            full = [item for item in (*known, *_COMMON) if item == short] or [
                item for item in (*known, *_COMMON) if item.startswith(short)
            ]
            if not short or len(full) != 1:
                return None
            name = full[0]
            values[name] = [value] if colon else []
            name = "" if colon or name in _SWITCHES else name
            comma = False
        elif name:
            values[name].append(word)
        elif comma and values:
            list(values.values())[-1].append(word)
            comma = False
        elif known[0] not in values:
            values[known[0]] = [word]
        else:
            return None
        if name and values[name] and word != "," and not comma:
            comma = False
    return values


def _priorities(words: list[str]) -> frozenset[int]:
    found: set[int] = set()
    for word in words:
        first, _, last = word.partition("..") if ".." in word else word.partition("-")
        numbers = range(natural(first, 7), natural(last or first, 7) + 1)
        found.update(numbers)
    if not found:
        raise ValueError(words)
    return frozenset(found)


def _truth(word: str) -> bool:
    return {"$true": True, "true": True, "1": True, "$false": False, "false": False, "0": False}[word.lower()]


def _policy(host: Host, verb: str, values: Values, place: Where) -> bool:
    host.places["app_to_tc"] = place
    if verb == "remove" or "priorityvalue8021action" not in values:
        return True
    priority = natural(values["priorityvalue8021action"][0], 7)
    if "default" in values:
        host.default_priority = priority
        host.places["default_tc"] = place
    elif "cluster" in values:
        host.policies[("cluster", 0)] = priority
    elif "netdirectportmatchcondition" in values:
        host.policies[("netdirect", natural(values["netdirectportmatchcondition"][0], 65535))] = priority
    return True  # policies of TCP and UDP traffic are none of RDMA


def _flow_control(host: Host, verb: str, values: Values, place: Where) -> bool:
    on = _truth(values["enabled"][0]) if verb == "set" else verb == "enable"
    wanted = dict.fromkeys(_priorities(values["priority"]), on)
    if "interfaceindex" in values:
        return False  # an adapter that only its host can name
    if "interfacealias" in values:
        for adapter in _named(host, values, place):
            adapter.flow_control.update(wanted)
            adapter.places["pfc"] = place
        return True
    host.flow_control.update(wanted)
    host.places["pfc"] = place
    return True


def _class(host: Host, verb: str, values: Values, place: Where) -> bool:
    if "interfaceindex" in values:
        return False  # an adapter that only its host can name
    if "interfacealias" not in values:
        return _class_of(host.classes, host.places, verb, values, place)
    named = _named(host, {"name": values["interfacealias"]}, place)
    taken = [_class_of(adapter.own_classes, adapter.places, verb, values, place) for adapter in named]
    return all(taken)


def _class_of(classes: dict[str, Any], places: dict[str, Where], verb: str, values: Values, place: Where) -> bool:
    """Take a traffic class of the host, or of the adapter that the statement names."""
    if verb == "remove":
        if values.get("name"):
            classes.pop(values["name"][0], None)
        else:  # what a pipe hands over: all of them
            classes.clear()
        return True
    name = values["name"][0]
    known = classes.get(name)
    algorithm = values.get("algorithm", [known.algorithm if known else "ETS"])[0]
    algorithm = {"ets": "ETS", "strict": "Strict"}[algorithm.lower()]
    share = known.share if known else None
    if "bandwidthpercentage" in values:
        share = natural(values["bandwidthpercentage"][0], 100)
    priorities = _priorities(values["priority"]) if "priority" in values else known.priorities if known else frozenset()
    classes[name] = _facts.TrafficClass(priorities, algorithm, share if algorithm == "ETS" else None, place)
    if priorities:
        places[f"queues.{min(priorities)}"] = place
    return True


def _willing(host: Host, _verb: str, values: Values, place: Where) -> bool:
    willing = _truth(values["willing"][0])
    if "interfacealias" in values:
        for name in values["interfacealias"]:
            host.adapter(name, place).willing = willing
    else:
        host.willing = willing
    host.places["dcbx"] = place
    return True


def _named(host: Host, values: Values, place: Where) -> list[Adapter]:
    """Return the adapters of a statement; a variable or a pipe stands for each one the script runs for."""
    names = values.get("name") or values.get("interfacealias") or []
    return [host.adapter(name, place) for name in names if _NAMED.match(name)]


def _adapter_qos(host: Host, verb: str, values: Values, place: Where) -> bool:
    on = _truth(values["enabled"][0]) if verb == "set" and "enabled" in values else verb == "enable"
    for adapter in _named(host, values, place):
        adapter.qos = on
    host.places.setdefault("qos", place)
    return True


def _adapter_rdma(host: Host, verb: str, values: Values, place: Where) -> bool:
    on = _truth(values["enabled"][0]) if verb == "set" and "enabled" in values else verb == "enable"
    for adapter in _named(host, values, place):
        adapter.rdma = on
    return True


def _property(host: Host, _verb: str, values: Values, place: Where) -> bool:
    keyword = values.get("registrykeyword", [""])[0].lower()
    word = values.get("registryvalue", [""])[0]
    if not keyword and "displayname" in values:
        keyword = _DISPLAY.get(values["displayname"][0].lower(), "")
        word = values.get("displayvalue", [""])[0]
    for adapter in _named(host, values, place):
        set_property(adapter, keyword, word, place)
    return True


def set_property(adapter: Adapter, keyword: str, word: str, place: Where) -> None:
    """Note an advanced property that we model, by its standardized keyword."""
    leaf = {"*jumbopacket": "mtu", "*flowcontrol": "link_pause", "*networkdirecttechnology": "nic"}.get(keyword)
    word = word.strip("{} ")
    number = whole_number(word, 99_999)
    if leaf is None or number is None:
        return
    adapter.properties[keyword] = number
    adapter.places[leaf] = place


_HANDLERS: dict[tuple[str, str], Callable[[Any, str, Values, Any], bool]] = {
    ("*", "netqospolicy"): _policy,
    ("*", "netqosflowcontrol"): _flow_control,
    ("*", "netqostrafficclass"): _class,
    ("set", "netqosdcbxsetting"): _willing,
    ("*", "netadapterqos"): _adapter_qos,
    ("*", "netadapterrdma"): _adapter_rdma,
    ("set", "netadapteradvancedproperty"): _property,
}
