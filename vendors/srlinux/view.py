"""The views of both files: `switch.cfg.j2` prints the profiles line by line, `switch.json.j2` the same tree as JSON."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.packs import load_module
from rocecfg.vendor.api import View

if TYPE_CHECKING:
    from rocecfg.state.model import Device

_HERE = Path(__file__)
build: Any = load_module(_HERE.with_name("build.py"))


_RELEASE = re.compile(r"v?([0-9]{2})\.([0-9]{1,2})\b")


def views(device: Device) -> dict[str, View]:
    """Return the views of both templates."""
    config = build.build(device)
    found = _RELEASE.match(device.os_version or "")
    as_list = found is not None and (int(found[1]), int(found[2])) < (25, 3)
    return {
        "switch.cfg.j2": View({"config": config}),
        "switch.json.j2": View({"document": document(config, priorities_as_list=as_list)}),
    }


def document(config: Any, *, priorities_as_list: bool = False) -> dict[str, Any]:
    """Return a configuration as RFC 7951 JSON: module prefixes at the top, 64-bit numbers as texts.

    Up to 24.10 the priority of a PFC queue is a list of one, from 25.3 on a number.
    """
    return {
        "srl_nokia-interfaces:interface": [_interface(port) for port in config.interfaces],
        "srl_nokia-qos:qos": _kept(
            {
                "explicit-congestion-notification": {} if config.marking else None,
                "queues": _kept(
                    {
                        "queue": [{"name": item.name, "queue-index": item.index} for item in config.queues],
                        "pfc-queue": [
                            {"pfc-queue-name": item.name, "queue-index": item.index} for item in config.pfc_queues
                        ],
                    }
                ),
                "forwarding-classes": _listed(
                    "forwarding-class",
                    [
                        {
                            "name": item.name,
                            "forwarding-class-index": item.index,
                            "output": {"unicast-queue": item.queue},
                        }
                        for item in config.classes
                    ],
                ),
                "pfc-mapping-profile": [_mapping(profile, as_list=priorities_as_list) for profile in config.mappings],
                "classifiers": _listed(
                    "dscp-policy",
                    [
                        {
                            "name": profile.name,
                            "dscp": [
                                {
                                    "value": row.dscp,
                                    "forwarding-class": row.forwarding_class,
                                    "drop-probability": row.drop,
                                }
                                for row in profile.rows
                            ],
                        }
                        for profile in config.classifiers
                    ],
                ),
                "rewrite-rules": _listed(
                    "dscp-policy",
                    [
                        {
                            "name": profile.name,
                            "map": [
                                {"forwarding-class": row.forwarding_class, "dscp": row.dscp} for row in profile.rows
                            ],
                        }
                        for profile in config.rewrites
                    ],
                ),
                "scheduler-policies": _listed("scheduler-policy", [_scheduler(item) for item in config.schedulers]),
                "buffer-management": _kept(
                    {
                        "queue-management-profile": [_management(item) for item in config.managements],
                        "buffer-allocation-profile": [_allocation(item) for item in config.allocations],
                    }
                ),
                "linecard": [
                    {
                        "slot": int(slot),
                        "forwarding-complex": [{"name": name, "input": {"pfc-buffer-reservation": percent}}],
                    }
                    for slot, name, percent in config.linecards
                ],
                "interfaces": _listed("interface", [entry for port in config.interfaces for entry in _bindings(port)]),
            }
        ),
    }


def _kept(members: dict[str, Any]) -> dict[str, Any]:
    """Return an object without the members that say nothing; an empty presence container says something."""
    return {
        name: value
        for name, value in members.items()
        if value is not None and (value or name == "explicit-congestion-notification")
    }


def _listed(name: str, entries: list[Any]) -> dict[str, Any] | None:
    return {name: entries} if entries else None


def _interface(port: Any) -> dict[str, Any]:
    ethernet = _kept(
        {
            "aggregate-id": port.lag,
            "flow-control": None if port.receive is None else {"receive": port.receive},
        }
    )
    return _kept(
        {
            "name": port.name,
            "mtu": port.mtu,
            "ethernet": ethernet,
            "subinterface": [_subinterface(port)] if port.has_subinterface else None,
        }
    )


def _subinterface(port: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {"index": 0, "type": "srl_nokia-interfaces:routed"}
    return entry if port.ip_mtu is None else {**entry, "ip-mtu": port.ip_mtu}


def _bindings(port: Any) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    if port.has_qos:
        entries.append(
            _kept(
                {
                    "interface-id": port.name,
                    "interface-ref": {"interface": port.name},
                    "pfc": {"pfc-mapping-profile": port.mapping, "pfc-enable": True} if port.mapping else None,
                    "input": {"pfc-buffer-allocation-profile": port.ingress} if port.ingress else None,
                    "output": _kept(
                        {
                            "queues": _listed(
                                "queue",
                                [
                                    {"queue-name": queue, "queue-management-profile": profile}
                                    for queue, profile in port.management
                                ],
                            ),
                            "scheduler": {"scheduler-policy": port.scheduler} if port.scheduler else None,
                            "buffer-allocation-profile": port.egress or None,
                        }
                    ),
                }
            )
        )
    if port.has_subinterface:
        entries.append(
            _kept(
                {
                    "interface-id": f"{port.name}.0",
                    "interface-ref": {"interface": port.name, "subinterface": 0},
                    "input": {"classifiers": {"dscp-policy": port.classifier}} if port.classifier else None,
                    "output": {"rewrite-rules": {"dscp-policy": port.rewrite}} if port.rewrite else None,
                }
            )
        )
    return entries


def _mapping(profile: Any, *, as_list: bool) -> dict[str, Any]:
    received = [
        {
            "pfc-queue-name": row.queue,
            "forwarding-class": list(row.classes),
            "pfc-pause-frame-priority": [row.priority] if as_list else row.priority,
        }
        for row in profile.received
    ]
    stalls = profile.stalls
    return _kept(
        {
            "name": profile.name,
            "received-traffic": {"unicast-mapping": {"pfc-queue": received}} if received else None,
            "received-pfc-pause-frames": _kept(
                {
                    "deadlock": None
                    if stalls is None
                    else {"enable": True, "detection-timer": stalls.detection, "recovery-timer": stalls.recovery},
                    "queue": [
                        {
                            "queue-name": row.queue,
                            "pfc-pause-frame-priority": [row.priority] if as_list else row.priority,
                            "enable-pfc": True,
                        }
                        for row in profile.rows
                    ],
                }
            ),
        }
    )


def _scheduler(profile: Any) -> dict[str, Any]:
    schedulers = []
    for sequence in (0, 1):
        inputs = [
            {name: value for name, value in
             (("id", row.queue), ("input-type", "queue"), ("queue-name", row.queue), ("weight", row.weight))
             if value is not None}
            for row in profile.rows
            if row.scheduler == sequence
        ]  # fmt: skip
        if inputs:
            head = {"sequence": sequence, "priority": "strict"} if sequence == 0 else {"sequence": sequence}
            schedulers.append({**head, "input": inputs})
    return {"name": profile.name, "scheduler": schedulers}


def _management(profile: Any) -> dict[str, Any]:
    slopes = [
        {
            "traffic-type": "all",
            "drop-probability": slope.drop,
            "enable-ecn": slope.ecn == "true",
            **{
                word: str(value) if word in {"min-threshold", "max-threshold"} else value
                for word, value in slope.leaves
            },
        }
        for slope in profile.rows
    ]
    weight = {} if profile.weight is None else {"weight-factor": profile.weight}
    return {"name": profile.name, **weight, "wred": {"wred-slope": slopes}}


def _allocation(profile: Any) -> dict[str, Any]:
    queues = [{"queue-name": row.queue, "maximum-burst-size": row.size} for row in profile.rows]
    pfc = [
        {
            "pfc-queue-name": row.queue,
            **({} if row.size is None else {"maximum-burst-size": row.size}),
            **({} if row.share is None else {row.share[0]: row.share[1]}),
        }
        for row in profile.pfc
    ]
    return {"name": profile.name, "queues": _kept({"queue": queues, "pfc-queue": pfc})}
