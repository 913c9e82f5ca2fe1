"""The sample dashboard asks for metrics and labels that `audit --metrics` writes, and for all of them."""

from __future__ import annotations

import json
import re

from rocecfg.report import metrics
from tests.conftest import ROOT
from tests.report import fleet_sample as sample

_METRIC = re.compile(r"\brocecfg_\w+")
_SELECTOR = re.compile(r"(rocecfg_\w+)\{([^}]*)\}")
_BY = re.compile(r"by \(([^)]*)\) \((rocecfg_\w+)")


def test_every_metric_and_label_of_the_dashboard_exists() -> None:
    dashboard = json.loads((ROOT / "docs" / "grafana-dashboard.json").read_text())
    written = metrics.write(sample.small()[0])
    labels = {
        name: set(re.findall(r'(\w+)="', pairs))
        for name, pairs in re.findall(r"^(\w+)\{(.*)\} ", written, re.MULTILINE)
    }
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += [variable["definition"] for variable in dashboard["templating"]["list"] if "definition" in variable]
    asked = {name for query in queries for name in _METRIC.findall(query)}
    assert asked == set(labels)
    for query in queries:
        for name, pairs in _SELECTOR.findall(query):
            assert set(re.findall(r"(\w+)=", pairs)) <= labels[name], query
        for words, name in _BY.findall(query):
            assert set(words.split(", ")) <= labels[name], query


def test_the_dashboard_has_panels_with_numbers_and_places_of_their_own() -> None:
    dashboard = json.loads((ROOT / "docs" / "grafana-dashboard.json").read_text())
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert all(x < 24 for x, _ in cells)
    assert all(panel["datasource"]["uid"] == "${datasource}" for panel in panels)
