"""Games come from the registry: what is said of one that is not there, or not for so many."""

from collections.abc import Callable
from typing import Any

import pytest

from wellhead_rules.registry import RULESETS

COMMANDS = (("demo",), ("sim",), ("bench", "rules"))


@pytest.mark.parametrize("command", [*COMMANDS, ("scenario", "schema")])
def test_a_game_that_is_not_there_is_one_line_that_names_those_there_are(
    wellhead: Callable[..., Any], command: tuple[str, ...]
) -> None:
    ran = wellhead(*command, "--game", "chess")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"wellhead: there is no game 'chess'; there is {', '.join(RULESETS)}\n"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("game", RULESETS)
def test_more_players_than_a_game_takes_are_one_line_that_says_how_many_it_does(
    wellhead: Callable[..., Any], command: tuple[str, ...], game: str
) -> None:
    counts = RULESETS[game].seat_counts
    ran = wellhead(*command, "--game", game, "--players", counts[-1] + 1)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"wellhead: {game} takes {counts[0]} to {counts[-1]} players, not {counts[-1] + 1}\n"
