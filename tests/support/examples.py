"""The worked examples of a rules document, as scenario files: marked with their clauses, and true in every number."""

import copy
import json
from collections.abc import Iterator
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest

from wellhead_rules.kernel.scenarios import BadScenario, Document, ScenarioFiles

SCENARIOS = Path(__file__).parent.parent / "scenarios"


def files(game: str) -> list[Path]:
    """The scenario files of a game, by number."""
    return sorted((SCENARIOS / game).glob("*.yaml"), key=lambda file: (len(file.stem), file.stem))


def named(game: str) -> set[str]:
    """The examples that have a file."""
    return {Document(file.read_text()).data["example"] for file in files(game)}


def parameters(game: str) -> list[Any]:
    """A parameter for each file, marked with the rules it holds."""
    return [_parameter(file) for file in files(game)]


def _parameter(file: Path) -> Any:
    document = Document(file.read_text())
    clauses = (document.data.get("example"), *document.data.get("clauses", ()))
    return pytest.param(file, id=file.stem, marks=pytest.mark.rule(*filter(None, clauses)))


def idle_numbers(scenarios: ScenarioFiles, file: Path) -> list[tuple[Any, ...]]:
    """The places of expected numbers that could be another without anything differing."""
    document = Document(file.read_text()).data
    return [path for path in _numbers(document) if _may_change(scenarios, document, path)]


def _may_change(scenarios: ScenarioFiles, document: Any, path: tuple[Any, ...]) -> bool:
    changed = copy.deepcopy(document)
    *way, last = path
    place = reduce(getitem, way, changed)
    place[last] += 1
    try:
        return not scenarios.run(json.dumps(changed))
    except BadScenario:  # which says that there is no such number
        return False


def _numbers(value: Any, path: tuple[Any, ...] = (), expected: bool = False) -> Iterator[tuple[Any, ...]]:
    """The paths of all numbers that are expected."""
    if isinstance(value, int) and not isinstance(value, bool):
        if expected:
            yield path
    elif isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            known = key in ("unchanged", "no_facts", "offers_not")
            yield from _numbers(one, (*path, key), (expected or key in ("then", "first")) and not known)
