"""`wellhead bench`: the shape of its answer; what it measures is no test's business."""

import json
from collections.abc import Callable
from typing import Any


def test_every_figure_comes_with_its_baseline_and_conditions(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("bench", "rules", "--players", 2, "--games", 1, "--json")
    assert (ran.code, ran.err) == (0, "")
    measures = json.loads(ran.out)
    names = {"name", "value", "unit", "baseline", "baseline_value", "ratio", "conditions"}
    assert all(set(measure) == names and measure["conditions"] for measure in measures)
    assert {"legal", "decide", "evolve", "clone", "view", "stored events folded"} <= {each["name"] for each in measures}
    for measure in measures:
        if measure["ratio"] is not None:
            assert measure["ratio"] == measure["value"] / measure["baseline_value"]


def test_a_game_that_does_not_exist_is_one_line(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("bench", "rules", "--game", "chess")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
