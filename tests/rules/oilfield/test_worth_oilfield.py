"""The guess at the final points: it knows nothing hidden, changes nothing, is right at the end, and makes good bots."""

from functools import cache
from typing import Any

import pytest

from wellhead_client.policies import make_bot
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import FINAL
from wellhead_rules.kernel.scores import totals
from wellhead_rules.oilfield.game import UNSEEN, placed
from wellhead_rules.registry import RULESETS

OILFIELD = RULESETS["oilfield"]
ADVANCED = {"advanced_towers": "true"}


@cache
def states(policies: tuple[str, ...], seed: int, advanced: bool = False) -> tuple[Any, ...]:
    """Every position of a game at which something is owed, and the one before the final score."""
    chance = Chance(seed.to_bytes(32))
    seats = len(policies)
    options = OILFIELD.options(ADVANCED if advanced else {}, seats)
    state = OILFIELD.new("oilfield_house", options, OILFIELD.colours([""] * seats))
    OILFIELD.begin(state, chance)
    bots = [make_bot(policy, OILFIELD, seed + seat) for seat, policy in enumerate(policies)]
    found = []
    while list(OILFIELD.scoring_due(state)) != [FINAL]:
        found.append(OILFIELD.clone(state))
        owed = OILFIELD.decisions(state)[0]
        commands = [*OILFIELD.legal(state, owed.seat), *OILFIELD.anytime(state, owed.seat)]
        OILFIELD.play(state, owed.seat, owed.decision_id, bots[owed.seat].choose(state, owed, commands), chance)
    return (*found, state)


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_at_the_end_a_position_is_worth_its_score(policy: str) -> None:
    last = OILFIELD.clone(states((policy, "random", policy), 1)[-1])
    score = totals(OILFIELD.score(last).lines)
    assert [OILFIELD.worth(last, seat) for seat in range(3)] == [score.get(seat, 0) for seat in range(3)]
    OILFIELD.record_final(last, OILFIELD.score(last))
    assert [OILFIELD.worth(last, seat) for seat in range(3)] == [score.get(seat, 0) for seat in range(3)]


@pytest.mark.parametrize("policies", [("random", "random"), ("greedy", "random", "random", "greedy")])
def test_a_guess_changes_nothing(policies: tuple[str, ...]) -> None:
    for state in states(policies, 2, advanced=True)[::3]:
        before = OILFIELD.snapshot(state)
        for seat in range(len(policies)):
            assert OILFIELD.worth(state, seat) == OILFIELD.worth(OILFIELD.clone(state), seat)
        assert OILFIELD.snapshot(state) == before


@pytest.mark.req("R-RULES-7")
@pytest.mark.parametrize("seats", [2, 3])
def test_cards_that_others_have_committed_are_not_looked_at(seats: int) -> None:
    compared = 0
    for state in states(("greedy",) * seats, 3):
        if state.revealed:
            continue
        for seat in range(seats):
            for other in range(seats):
                if other != seat and state.committed[other]:
                    worths = set()
                    for card in (UNSEEN, *map(int, state.content.cards)):
                        world = OILFIELD.clone(state)
                        world.committed = placed(state.committed, other, card)
                        worths.add(OILFIELD.worth(world, seat))
                    assert worths == {OILFIELD.worth(state, seat)}
                    compared += 1
    assert compared > 20


def test_what_is_chosen_is_worth_something_only_if_it_can_be_done() -> None:
    first = states(("greedy",) * 3, 3)[0]
    seat = OILFIELD.decisions(first)[0].seat
    drill = next(command for command in OILFIELD.legal(first, seat) if command.space_id == "drill_1")
    lease = next(command for command in OILFIELD.legal(first, seat) if command.space_id == "lease_5")
    worths = {}
    for command in (drill, lease):
        after = OILFIELD.clone(first)
        OILFIELD.play(after, seat, OILFIELD.decisions(first)[0].decision_id, command, Chance(bytes(32)))
        worths[command] = OILFIELD.worth(after, seat)
    assert worths[lease] > worths[drill]


def test_greedy_beats_random() -> None:
    for seed in range(3):
        policies = tuple("greedy" if seat == seed else "random" for seat in range(3))
        score = OILFIELD.score(states(policies, 10 + seed)[-1])
        assert score.ranking[0].seat == seed


def test_purposeful_players_exhaust_the_fields() -> None:
    last = states(("greedy",) * 3, 3)[-1]
    assert sum(last.exhausted) >= 2
    assert last.round < last.content.max_rounds
