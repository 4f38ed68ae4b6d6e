"""`wellhead sim --report`: one page with everything that was counted."""

import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from wellhead_cli import charts
from wellhead_cli.simulation import Outcome, Series, play_all
from wellhead_cli.tallies import tallies
from wellhead_rules.kernel.ruleset import Taken
from wellhead_rules.registry import RULESETS

OIL_ROCK = RULESETS["oil_rock"]


class Page(HTMLParser):
    """Headings and rows of a page; checks that every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.rows: dict[str, list[str]] = {}
        self.open: list[str] = []
        self._row: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        assert not {"src", "href"} & {name for name, _ in attributes}, "the page needs nothing from elsewhere"
        if tag != "meta":
            self.open.append(tag)
        if tag == "tr":
            self._row = []

    def handle_startendtag(self, tag: str, attributes: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "tr" and self._row:
            self.rows[self._row[0]] = self._row

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)
        elif "td" in self.open:
            self._row.append(data)


@pytest.fixture
def page(wellhead: Callable[..., Any], tmp_path: Path) -> Page:
    file = tmp_path / "report.html"
    ran = wellhead("sim", "--players", 4, "--games", 4, "--policy", "random,greedy", "--report", file)
    assert ran.code == 0
    return Page(file.read_text(encoding="utf-8"))


def test_a_report_has_every_thing_that_can_be_taken(page: Page) -> None:
    for kind, items in OIL_ROCK.things("oil_rock_house", 4).items():
        for item, label in items.items():
            assert page.rows.get(item) or page.rows.get(label), f"{kind} {item} is missing"
    assert sum(bool(re.fullmatch(r"IM\d\d", name)) for name in page.rows) == 45


def test_a_report_says_where_points_and_wins_come_from(page: Page) -> None:
    wanted = {"Balance", "Ratings", "Points", "Points by source", "Wins by seat", "Wins by character"}
    assert wanted <= set(page.headings)
    assert {"goals", "depth", "modern refineries", "structures", "greedy", "random", "Seat 3"} <= page.rows.keys()


def test_a_report_says_what_was_tuned(page: Page) -> None:
    assert "What was tuned, and why" in page.headings


def test_a_report_is_made_even_of_a_single_game(wellhead: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert wellhead("sim", "--players", 2, "--games", 1, "--report", file).code == 0
    assert Page(file.read_text(encoding="utf-8")).rows


# -- counting ----------------------------------------------------------------------------------------------------------


def test_tallies_agree_with_the_games() -> None:
    outcomes = list(play_all(Series("oil_rock", ("random", "random"), 1), range(3)))
    kinds = {kind.name: kind for kind in tallies(OIL_ROCK, 2, outcomes)}
    assert [name for name, kind in kinds.items() if kind.identity] == ["character"]
    assert sum(one.wins for one in kinds["character"].items) == 3
    assert sum(one.points for one in kinds["character"].items) == sum(sum(outcome.totals) for outcome in outcomes)
    for name, kind in kinds.items():
        uses = sum(times for outcome in outcomes for taken, times in outcome.taken.items() if taken.kind == name)
        assert sum(one.uses for one in kind.items) == uses


def test_a_thing_that_a_seat_takes_twice_is_used_twice_by_one_seat() -> None:
    taken = Counter({Taken(1, "Action tile", "AT01"): 2, Taken(0, "Action tile", "AT02"): 1})
    outcome = Outcome(totals=[10, 20], ranking=[1, 0], ranks=[0, 1], taken=taken)
    kind = next(kind for kind in tallies(OIL_ROCK, 2, [outcome]) if kind.name == "Action tile")
    first, second = kind.items[:2]
    assert (first.uses, first.seats, first.wins, first.mean_points) == (2, 1, 1, 20)
    assert (second.uses, second.seats, second.win_share) == (1, 1, 0)
    assert not kind.identity


@pytest.mark.parametrize(("part", "value"), [(0, 1), (0.5, 2.5), (1, 4)])
def test_quantiles_lie_between_the_values(part: float, value: float) -> None:
    assert charts.quantile([1, 2, 3, 4], part) == value


def test_a_histogram_draws_all_values_that_are_equal() -> None:
    assert "histogram of 3 values" in charts.histogram([5, 5, 5], [5])
