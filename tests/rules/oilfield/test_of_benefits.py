"""OF-12 and OF-13: the first player card and the subsidy."""

import pytest

from tests.rules.oilfield.silence import silent
from wellhead_rules.oilfield.commands import CommitPrivateAction, PassAction, PlaceWorker, TakeFirstPlayer, TakeSubsidy
from wellhead_rules.oilfield.events import (
    ActionStarted,
    FirstPlayerTaken,
    RoundStarted,
    SubsidyIncreased,
    SubsidyTaken,
)
from wellhead_rules.oilfield.facts import fact


def cards(position):
    return {one.card.name.lower() for one in position(at="private_selection").legal("P0", CommitPrivateAction)}


@pytest.mark.rule("OF-12.1")
def test_the_first_player_card_is_taken_with_the_worker_only(position):
    assert position().offers("P0", PlaceWorker("first_player_1"))
    assert "first_player" not in cards(position)


@pytest.mark.rule("OF-12.1")
def test_who_takes_the_first_player_card_keeps_it_until_another_takes_it(position):
    game = position(players=4, **silent(4)).acting("P2", "first_player")
    facts = game.play("P2", TakeFirstPlayer())
    assert fact(FirstPlayerTaken, seat="P2") in facts
    assert fact(RoundStarted, round=2) in facts, "nobody can do anything in the private actions phase"
    assert game.seen.first_player == "P2"
    assert game.seen.turn_order == ("P2", "P3", "P0", "P1")
    assert game.decision == ("P2", "place_worker")


@pytest.mark.rule("OF-12.1")
def test_passing_leaves_the_first_player_card_where_it_is(position):
    game = position().acting("P2", "first_player")
    assert game.legal("P2") == [TakeFirstPlayer(), PassAction()]
    game.play("P2", PassAction())
    assert game.seen.first_player == "P0"


@pytest.mark.rule("OF-12.2")
def test_the_first_player_may_choose_the_space_and_keeps_the_card(position):
    assert position(first_player="P1").offers("P1", PlaceWorker("first_player_1"))
    game = position(first_player="P1").acting("P1", "first_player")
    facts = game.play("P1", TakeFirstPlayer())
    assert fact(FirstPlayerTaken, seat="P1") in facts
    assert game.seen.turn_order == ("P1", "P2", "P0")


@pytest.mark.rule("OF-12.1")
def test_the_private_actions_of_the_round_follow_the_new_order(position):
    game = position(**silent()).acting("P2", "first_player")
    facts = game.play("P2", TakeFirstPlayer())
    assert [one.seat for one in facts.of(ActionStarted)] == [2, 0, 1]


@pytest.mark.rule("OF-13.1")
@pytest.mark.parametrize("pot", [0, 1, 9])
def test_the_subsidy_is_all_coins_of_the_pot(position, pot):
    game = position(subsidy_pot=pot, is_final=True).player("P1", coins=3).acting("P1", "subsidy")
    facts = game.play("P1", TakeSubsidy())
    assert fact(SubsidyTaken, seat="P1", coins=pot) in facts
    assert game["P1"].coins == 3 + pot
    assert game.seen.subsidy_pot == 0


@pytest.mark.rule("OF-13.1")
def test_the_subsidy_is_taken_with_the_worker_only(position):
    assert position().offers("P0", PlaceWorker("subsidy_1"))
    assert "subsidy" not in cards(position)


@pytest.mark.rule("OF-13.1")
def test_who_passes_leaves_the_pot(position):
    game = position(subsidy_pot=4, is_final=True).acting("P1", "subsidy")
    assert game.legal("P1") == [TakeSubsidy(), PassAction()]
    assert SubsidyTaken not in game.play("P1", PassAction())
    assert game.seen.subsidy_pot == 4


@pytest.mark.rule("OF-13.2")
def test_the_pot_holds_one_coin_in_the_first_round(position):
    game = position(at="setup")
    assert game.opening.of(SubsidyIncreased) == [SubsidyIncreased(1)]
    assert game.seen.subsidy_pot == 1


@pytest.mark.rule("OF-13.2")
@pytest.mark.parametrize(("round", "pot"), [(1, 1), (1, 0), (12, 12), (38, 60)])
def test_the_pot_gains_one_coin_at_the_start_of_each_later_round(position, round, pot):
    game = position(at="end_of_round", round=round, subsidy_pot=pot)
    assert game.opening.of(SubsidyIncreased) == [SubsidyIncreased(1)]
    assert game.seen.subsidy_pot == pot + 1
