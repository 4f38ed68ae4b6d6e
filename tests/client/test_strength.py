"""How strong the bots are against each other: long, so asked for with `pytest -m soak`."""

import os

import pytest

from wellhead_cli.simulation import Series, play_all

pytestmark = pytest.mark.soak


@pytest.fixture(autouse=True)
def _asked_for(request: pytest.FixtureRequest) -> None:
    if "soak" not in (request.config.getoption("markexpr") or ""):
        pytest.skip("a long run; asked for with -m soak")


def wins(policy: str, other: str, games: int) -> int:
    """Two-player games won by a policy, which takes either seat half the time."""
    outcomes = play_all(Series("oil_rock", (policy, other), seed=1), range(games), workers=os.cpu_count() or 1)
    return sum(outcome.policies[seat] == policy for outcome in outcomes for seat in outcome.winners)


def test_greedy_wins_nine_of_ten_games_against_random() -> None:
    assert wins("greedy", "random", 200) >= 180


def test_search_wins_two_of_three_games_against_greedy() -> None:
    assert wins("search:50ms", "greedy", 100) >= 65


def test_a_longer_search_is_a_better_one() -> None:
    assert wins("search:60n", "search:6n", 60) > 33
