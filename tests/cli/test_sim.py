"""`wellhead sim`: whole games without services, each checked."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from wellhead_cli.simulation import play_game, simulate
from wellhead_client.bots import RandomBot
from wellhead_rules.kernel.scores import Rank, ScoreCard
from wellhead_rules.registry import RULESETS

OIL_ROCK = RULESETS["oil_rock"]


class Altered:
    """Oil Rock with some of its answers replaced."""

    def __init__(self, **answers: Any) -> None:
        vars(self).update(answers)

    def __getattr__(self, name: str) -> Any:
        return getattr(OIL_ROCK, name)


def play(ruleset: Any) -> Any:
    return play_game(ruleset, [RandomBot(seat) for seat in range(2)], bytes(32))


@pytest.mark.req("R-RULES-2", "R-RULES-3", "R-SCORE-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_hundred_random_games_are_flawless(players: int) -> None:
    *_, summary = simulate(OIL_ROCK, ["random"] * players, 200, 1)
    assert summary.anomalies == []
    assert (summary.finished, summary.refused) == (200, 0)
    assert sum(summary.wins_by_seat) == 200


def test_greedy_bots_beat_random_ones() -> None:
    *_, summary = simulate(OIL_ROCK, ["greedy", "random"], 20, 1)
    assert summary.flawless
    assert summary.mean_score_by_seat[0] > summary.mean_score_by_seat[1]


def test_the_same_seed_plays_the_same_games(wellhead: Callable[..., Any]) -> None:
    def outcome(seed: int) -> dict[str, Any]:
        ran = wellhead("sim", "--games", 5, "--policy", "random,greedy", "--players", 3, "--seed", seed, "--json")
        assert (ran.code, ran.err) == (0, "")
        said: dict[str, Any] = json.loads(ran.out)
        assert said.pop("seconds") > 0
        assert said.pop("decisions_per_second") > 0
        return said

    assert outcome(7) == outcome(7)
    assert outcome(7) != outcome(8)


def test_json_is_one_object_with_what_a_program_needs(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("sim", "--game", "oil_rock", "--players", 2, "--games", 2, "--policy", "random", "--json")
    assert ran.out.count("\n") == 1
    wanted = {"games", "finished", "decisions", "seconds", "decisions_per_second", "mean_score", "wins_by_seat"}
    assert wanted <= json.loads(ran.out).keys()


def test_people_get_a_table(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("sim", "--players", 2, "--games", 2)
    assert ran.code == 0
    assert "2 of 2 finished" in ran.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--game", "chess"], "there is no game 'chess'"),
        (["--players", "7"], "takes 2 to 4 players, not 7"),
        (["--policy", "clever"], "there is no policy 'clever'"),
        (["--players", "2", "--policy", "random,random,random"], "3 policies for 2 seats"),
    ],
)
def test_what_cannot_be_simulated_is_refused_on_one_line(
    wellhead: Callable[..., Any], arguments: list[str], complaint: str
) -> None:
    ran = wellhead("sim", *arguments)
    assert (ran.code, ran.out) == (1, "")
    assert complaint in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["sim", "--games", "none"], ["sim", "--nonsense"], ["nonsense"]])
def test_wrong_usage_is_code_2_on_one_line(wellhead: Callable[..., Any], arguments: list[str]) -> None:
    ran = wellhead(*arguments)
    assert ran.code == 2
    assert ran.err.count("\n") == 1


# -- what a fault in the rules would look like -------------------------------------------------------------------------


def test_a_seat_without_a_legal_command_is_an_anomaly() -> None:
    outcome = play(Altered(legal=lambda state, seat: []))
    assert not outcome.finished
    assert "has no legal command" in outcome.anomalies[0]


def test_a_refused_legal_command_is_an_anomaly() -> None:
    def refuse(state: Any, seat: int, decision_id: int, command: Any, chance: Any) -> Any:
        return OIL_ROCK.play(state, seat, decision_id + 1, command, chance)

    outcome = play(Altered(play=refuse))
    assert (outcome.finished, outcome.refused) == (False, 1)


def test_a_game_that_does_not_end_is_an_anomaly() -> None:
    outcome = play(Altered(max_commands=10))
    assert outcome.decisions == 10
    assert "not over after 10 decisions" in outcome.anomalies[0]


def test_a_total_that_is_not_its_breakdown_is_an_anomaly() -> None:
    def wrong(state: Any) -> ScoreCard:
        card = OIL_ROCK.score(state)
        return ScoreCard(card.lines, tuple(Rank(rank.seat, rank.total + 1) for rank in card.ranking))

    outcome = play(
        Altered(score=wrong, record_final=lambda state, card: OIL_ROCK.record_final(state, OIL_ROCK.score(state)))
    )
    assert "are not those of the breakdown" in outcome.anomalies[0]
