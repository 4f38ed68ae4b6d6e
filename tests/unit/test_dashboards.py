"""Dashboards and alerts speak of what the services count, and of all of it; and Prometheus could read them."""

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from wellhead_runtime.metrics import REGISTRY

DEPLOY = Path(__file__).parents[2] / "deploy"
BOARDS = sorted((DEPLOY / "grafana").glob("*.json"))
PROMETHEUS = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
RULES = [
    rule for group in yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]  # fmt: skip

_SCRAPED = {"up", "process_cpu_seconds_total", "process_resident_memory_bytes"}
"""What Prometheus itself says of a target, and what a process has where the system tells."""
_SERVICES = ("command", "projection", "scoring")


def declared() -> set[str]:
    """Every series' name that some service can expose."""
    for service in _SERVICES:
        importlib.import_module(f"wellhead_{service}.main")
    names = set()
    for family in REGISTRY.collect():
        match family.type:
            case "histogram":
                names |= {f"{family.name}_{part}" for part in ("bucket", "sum", "count")}
            case "counter":
                names.add(f"{family.name}_total")
            case _:
                names.add(family.name)
    return names


def families(names: set[str]) -> set[str]:
    """Ours among the names; of a histogram one for all its series."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in names if name.startswith("wellhead_")}


def panels(board: dict[str, Any]) -> list[dict[str, Any]]:
    return [panel for panel in board["panels"] if panel["type"] != "row"]


def expressions(board: dict[str, Any]) -> list[str]:
    return [target["expr"] for panel in panels(board) for target in panel["targets"]]


def parsed(expression: str) -> Any:
    """What Grafana fills in is some duration."""
    return promql_parser.parse(expression.replace("$__rate_interval", "1m"))


def selectors(node: Any) -> Iterator[Any]:
    """The series that an expression reads."""
    if isinstance(node, promql_parser.VectorSelector):
        yield node
    elif isinstance(node, promql_parser.MatrixSelector):
        yield node.vector_selector
    for part in ("lhs", "rhs", "expr", "param"):
        if (child := getattr(node, part, None)) is not None:
            yield from selectors(child)
    for argument in getattr(node, "args", None) or ():
        yield from selectors(argument)


def names_in(expression: str) -> set[str]:
    return {selector.name for selector in selectors(parsed(expression))}


def load(path: Path) -> dict[str, Any]:
    board: dict[str, Any] = json.loads(path.read_text())
    return board


def test_the_walk_through_an_expression_finds_every_series() -> None:
    told = 'a > scalar(max(b)) or histogram_quantile(0.9, sum by (le) (rate(c_bucket{x="y"}[1m]))) - (-d)'
    assert names_in(told) == {"a", "b", "c_bucket", "d"}


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_a_dashboard_shows_what_the_services_count(path: Path) -> None:
    board = load(path)
    assert board["uid"] == f"wellhead-{path.stem}"
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    for panel in panels(board):
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24, panel["title"]
    unknown = {name for expression in expressions(board) for name in names_in(expression)} - declared() - _SCRAPED
    assert not unknown


def test_the_overview_begins_with_the_four_signals() -> None:
    first = [panel["title"].partition(":")[0] for panel in panels(load(DEPLOY / "grafana" / "overview.json"))[:4]]
    assert first == ["Continuity", "Lag of the slowest consumer", "Parked games", "Durability pending"]


def test_every_service_has_a_dashboard_and_is_scraped_under_the_name_it_reads() -> None:
    jobs = {job["job_name"] for job in PROMETHEUS["scrape_configs"]}
    assert jobs == {f"wellhead-{service}" for service in _SERVICES}
    assert {path.stem for path in BOARDS} == {"overview", *_SERVICES}
    told = " ".join(expression for path in BOARDS for expression in expressions(load(path)))
    assert set(re.findall(r'job="([^"]+)"', told)) <= jobs


def test_what_is_counted_is_on_some_dashboard() -> None:
    shown = {name for path in BOARDS for expression in expressions(load(path)) for name in names_in(expression)}
    assert families(declared()) - families(shown) == set()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_reads_what_is_counted_and_says_what_to_do(rule: dict[str, Any]) -> None:
    assert names_in(rule["expr"]) <= declared() | _SCRAPED
    assert rule["labels"]["severity"] in ("page", "ticket")
    assert rule["annotations"]["summary"]
    assert rule["annotations"]["runbook"].rstrip().endswith(".")
    assert re.search(rf"\b{rule['alert']}\b", (DEPLOY / "README.md").read_text()), "not in what to look at when"


def test_labels_that_are_asked_for_exist() -> None:
    labels = {family.name: _labels(family.name) for family in _ours()}
    told = [rule["expr"] for rule in RULES] + [each for path in BOARDS for each in expressions(load(path))]
    for selector in (selector for expression in told for selector in selectors(parsed(expression))):
        name = re.sub(r"_(bucket|sum|count|total)$", "", selector.name)
        if name in labels:
            asked = {matcher.name for matcher in selector.matchers.matchers}
            assert asked <= labels[name] | {"job", "instance"}, selector.name


def _labels(name: str) -> set[str]:
    collector: Any = REGISTRY._names_to_collectors[name]
    return set(getattr(collector, "label_names", None) or getattr(collector, "_labelnames", ()))


def _ours() -> Iterator[Any]:
    declared()
    return (family for family in REGISTRY.collect() if family.name.startswith("wellhead_"))
