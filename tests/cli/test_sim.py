"""`wellhead sim`: whole games without services, each checked."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from wellhead_cli.simulation import Series, play_all, play_game, play_one
from wellhead_cli.standings import Standings, Summary, interval
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


def series(*policies: str, seed: int = 1, game: str = "oil_rock", **options: str) -> Series:
    return Series(game, policies, seed, options)


def standing(played: Series, games: int) -> Summary:
    standings = Standings(RULESETS[played.game], played)
    for outcome in play_all(played, range(games)):
        standings.add(outcome)
    return standings.rate()


@pytest.mark.req("R-RULES-2", "R-RULES-3", "R-SCORE-3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_hundred_random_games_are_flawless(players: int) -> None:
    summary = standing(series(*["random"] * players), 200)
    assert summary.anomalies == []
    assert (summary.finished, summary.refused) == (200, 0)
    assert sum(summary.wins_by_seat) == 200


@pytest.mark.req("R-RULES-2", "R-RULES-3", "R-SCORE-3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("advanced", ["false", "true"])
def test_random_games_of_oilfield_are_flawless(players: int, advanced: str) -> None:
    summary = standing(series(*["random"] * players, game="oilfield", advanced_towers=advanced), 25)
    assert summary.anomalies == []
    assert (summary.finished, summary.refused) == (25, 0)


# -- the same games for everybody --------------------------------------------------------------------------------------


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


def test_the_number_of_processes_changes_nothing() -> None:
    played = series("greedy", "search:3n")
    alone = list(play_all(played, range(5)))
    assert list(play_all(played, range(5), workers=2)) == alone
    assert [outcome.number for outcome in alone] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("policies", "totals", "decisions"),
    [
        (("random", "random"), [17, 17], 93),
        (("greedy", "random", "greedy"), [82, 25, 88], 288),
        (("search:5n", "greedy"), [94, 93], 230),
    ],
)
def test_a_game_is_the_same_on_every_machine(policies: tuple[str, ...], totals: list[int], decisions: int) -> None:
    outcome = play_one(series(*policies), 0)
    assert (outcome.totals, outcome.decisions) == (totals, decisions)


# -- seats and ratings -------------------------------------------------------------------------------------------------


def test_the_policies_move_on_by_a_seat_every_game() -> None:
    played = series("a", "b", "c", "a")
    assert [played.seated(number) for number in range(3)] == [
        ["a", "b", "c", "a"],
        ["a", "a", "b", "c"],
        ["c", "a", "a", "b"],
    ]


def test_the_better_policy_is_rated_higher() -> None:
    summary = standing(series("random", "greedy", "random"), 6)
    best, worst = summary.ratings
    assert (best.policy, worst.policy) == ("greedy", "random")
    assert (best.seats, worst.seats) == (6, 12)
    assert best.wins + worst.wins == 6
    assert worst.rating < 25 < best.rating
    for rated in summary.ratings:
        assert rated.rating_low < rated.rating < rated.rating_high
        assert 0 <= rated.win_share_low <= rated.win_share <= rated.win_share_high <= 1
    mean = (best.mean_score + 2 * worst.mean_score) / 3
    assert mean == pytest.approx(summary.mean_score)


def test_a_policy_against_itself_is_as_good_as_itself() -> None:
    (rated,) = standing(series("random", "random"), 4).ratings
    assert (rated.rating, rated.wins, rated.seats, rated.win_share) == (25, 4, 8, 0.5)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"), [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763), (10, 10, 0.722, 1.0)]
)
def test_an_interval_of_a_share_is_wilsons(successes: int, trials: int, low: float, high: float) -> None:
    assert interval(successes, trials) == pytest.approx((low, high), abs=5e-4)


def test_people_get_a_rating_table(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("sim", "--players", 2, "--games", 2, "--policy", "random,greedy")
    assert ran.code == 0
    assert "ratings" in ran.out
    assert "2 of 2" in ran.out


def test_an_option_of_the_game_is_kept(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("sim", "--players", 2, "--games", 1, "--option", "initial_turn_order=SEAT_ORDER", "--json")
    assert json.loads(ran.out)["options"]["initial_turn_order"] == "SEAT_ORDER"


def test_json_is_one_object_with_what_a_program_needs(wellhead: Callable[..., Any]) -> None:
    ran = wellhead("sim", "--game", "oil_rock", "--players", 2, "--games", 2, "--policy", "random", "--json")
    assert ran.out.count("\n") == 1
    wanted = {
        "games", "finished", "decisions", "seconds", "decisions_per_second", "mean_score", "wins_by_seat", "ratings",
    }  # fmt: skip
    said = json.loads(ran.out)
    assert wanted <= said.keys()
    assert {"policy", "rating", "rating_low", "rating_high", "win_share", "seats", "wins"} <= said["ratings"][0].keys()


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
        (["--policy", "greedy:50ms"], "there is no policy 'greedy:50ms'"),
        (["--policy", "search:0n"], "a budget is a time such as 50ms"),
        (["--option", "weather=fair"], "there is no option 'weather'"),
        (["--option", "stack_tie=EITHER"], "stack_tie is one of"),
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
