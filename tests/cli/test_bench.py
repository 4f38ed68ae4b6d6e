"""`wellhead bench`: the shape of its answer; what it measures is no test's business."""

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from wellhead_rules.registry import RULESETS


def test_every_figure_comes_with_its_baseline_and_conditions(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("bench", "rules", "--players", 2, "--games", 1, "--json")
    assert (ran.code, ran.err) == (0, "")
    engines = json.loads(ran.out)["engines"]
    assert list(engines) == list(RULESETS)
    measures = [measure for each in engines.values() for measure in each]
    names = {"name", "value", "unit", "baseline", "baseline_value", "ratio", "conditions"}
    assert all(set(measure) == names and measure["conditions"] for measure in measures)
    wanted = {"random play", "legal", "decide", "evolve", "clone", "view", "stored events folded"}
    for each in engines.values():
        assert wanted <= {measure["name"] for measure in each}
    for measure in measures:
        if measure["ratio"] is not None:
            assert measure["ratio"] == measure["value"] / measure["baseline_value"]


def test_a_game_that_does_not_exist_is_one_line(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("bench", "rules", "--game", "chess")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert ", ".join(RULESETS) in ran.err


def test_a_table_has_a_row_a_game_under_every_measure(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("bench", "rules", "--players", 2, "--games", 1)
    assert ran.code == 0
    for game in RULESETS:
        assert len(re.findall(rf"│ +{game} ", ran.out)) >= 8


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_calls_over_both_transports_are_compared(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("bench", "http", "--seconds", 0.3, "--repeats", 1, "--json")
    assert (ran.code, ran.err) == (0, "")
    measures = json.loads(ran.out)["http"]
    assert [each["name"].partition(",")[0] for each in measures] == ["GetGameView"] * 2 + ["SubmitCommand"] * 2
    assert all(each["ratio"] == each["value"] / each["baseline_value"] for each in measures)


def test_live_streams_are_measured_beside_bare_ones(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("bench", "watch", "--watchers", 5, "--moves", 3, "--json")
    assert (ran.code, ran.err) == (0, "")
    measures = json.loads(ran.out)["watch"]
    assert [measure["unit"] for measure in measures] == ["KB", "KB", "ms", "ms"]
    assert all(measure["baseline"] and measure["conditions"] for measure in measures)
    assert all(measure["value"] > 0 for measure in measures[2:])
