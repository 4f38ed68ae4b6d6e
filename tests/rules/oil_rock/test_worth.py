"""The guess at the final points: cheap talk, but it must know nothing hidden and be right at the end."""

from random import Random
from typing import Any

import pytest

from tests.support.recording import record_game
from wellhead_client.policies import make_bot
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import FINAL
from wellhead_rules.kernel.scores import totals
from wellhead_rules.registry import RULESETS

OIL_ROCK = RULESETS["oil_rock"]


def states(players: int, policy: str, seed: int = 1) -> list[Any]:
    """Every position of a game at which something is owed, and the one before the final score."""
    chance = Chance(seed.to_bytes(32))
    state = OIL_ROCK.new("oil_rock_house", OIL_ROCK.options({}, players), OIL_ROCK.colours([""] * players))
    OIL_ROCK.begin(state, chance)
    bots = [make_bot(policy, OIL_ROCK, seed + seat) for seat in range(players)]
    found = []
    while list(OIL_ROCK.scoring_due(state)) != [FINAL]:
        for round in tuple(OIL_ROCK.scoring_due(state)):
            OIL_ROCK.record_award(state, round, OIL_ROCK.award(state, round))
        if owed := OIL_ROCK.decisions(state):
            found.append(OIL_ROCK.clone(state))
            chosen = bots[owed[0].seat].choose(state, owed[0], OIL_ROCK.legal(state, owed[0].seat))
            OIL_ROCK.play(state, owed[0].seat, owed[0].decision_id, chosen, chance)
    return [*found, state]


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_at_the_end_a_position_is_worth_its_score(policy: str) -> None:
    *_, last = states(3, policy)
    score = totals(OIL_ROCK.score(last).lines)
    for seat in range(3):
        # Resources score in threes; the guess counts every one.
        assert OIL_ROCK.worth(last, seat) == pytest.approx(score[seat], abs=1)


@pytest.mark.req("R-RULES-7")
@pytest.mark.parametrize("seed", range(3))
def test_what_a_seat_cannot_know_is_worth_nothing(seed: int) -> None:
    for state in states(4, "random", seed):
        for seat in range(4):
            other_world = OIL_ROCK.determinise(state, seat, Random(seed))
            assert OIL_ROCK.worth(other_world, seat) == OIL_ROCK.worth(state, seat)


def test_a_guess_changes_nothing() -> None:
    for state in states(2, "random"):
        before = OIL_ROCK.snapshot(state)
        assert OIL_ROCK.worth(state, 0) == OIL_ROCK.worth(state, 0)
        assert OIL_ROCK.snapshot(state) == before


def test_guesses_come_nearer_to_the_final_points() -> None:
    recorded = states(2, "greedy")
    score = totals(OIL_ROCK.score(recorded[-1]).lines)

    def error(part: list[Any]) -> float:
        return sum(abs(OIL_ROCK.worth(state, seat) - score[seat]) for state in part for seat in (0, 1)) / len(part)

    third = len(recorded) // 3
    assert error(recorded[-third:]) < error(recorded[third:-third]) < error(recorded[:third])


def test_a_pending_action_is_worth_something_and_giving_it_up_costs_it() -> None:
    state = record_game(2, ("greedy",), seed=4, commands=30).table.game
    while not (state.sources and OIL_ROCK.decisions(state)):
        owed = OIL_ROCK.decisions(state)[0]
        OIL_ROCK.play(state, owed.seat, owed.decision_id, OIL_ROCK.legal(state, owed.seat)[0], Chance(bytes(32)))
    owed = OIL_ROCK.decisions(state)[0]
    forgo = next(one for one in OIL_ROCK.legal(state, owed.seat) if type(one).__name__ == "ForgoSource")
    after = OIL_ROCK.clone(state)
    OIL_ROCK.play(after, owed.seat, owed.decision_id, forgo, Chance(bytes(32)))
    assert OIL_ROCK.worth(after, owed.seat) <= OIL_ROCK.worth(state, owed.seat)
