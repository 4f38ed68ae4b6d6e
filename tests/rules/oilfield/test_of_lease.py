"""OF-7: lease, and the refusals of `TakeLease`."""

import pytest

from tests.support.positions import play_to_the_end
from wellhead_rules.oilfield.commands import BuildTower, PassAction, TakeLease
from wellhead_rules.oilfield.events import (
    ActionLost,
    FinalScoreAdded,
    LeaseReturnedToDeck,
    LeaseRevealed,
    LeaseTaken,
    RoundStarted,
    TowerBuilt,
)
from wellhead_rules.oilfield.facts import fact

MARKET = ["pecos_lease_3", "austin_lease_2", "dallas_lease_1", "austin_lease_4"]


@pytest.mark.rule("OF-7.1")
@pytest.mark.parametrize("bid", [5, 7, 9, 11])
@pytest.mark.parametrize(("field", "card"), [("dallas", "dallas_lease_1"), ("pecos", "pecos_lease_3")])
def test_a_public_lease_costs_the_bid_and_brings_card_and_slot(position, bid, field, card):
    game = position(lease_market=MARKET).acting("P0", "lease", price=bid)
    facts = game.play("P0", TakeLease(field))
    assert fact(LeaseTaken, seat="P0", lease_id=card, slot_id=f"{field}_slot_1", coins_paid=bid) in facts
    assert facts.count(LeaseTaken) == 1
    assert (game["P0"].coins, game["P0"].leases, game["P0"].lease_markers) == (20 - bid, (card,), 3)
    assert game.seen.slots[f"{field}_slot_1"].owner == "P0"
    assert set(game.seen.lease_market) == set(MARKET) - {card}


@pytest.mark.rule("OF-7.1")
def test_only_a_field_with_a_card_in_the_market_can_be_chosen(position):
    game = position(lease_market=["pecos_lease_3", "pecos_lease_1", "dallas_lease_2"]).acting("P0", "lease")
    assert game.legal("P0") == [TakeLease("dallas"), TakeLease("pecos"), PassAction()]
    refusal = game.refused("P0", TakeLease("austin"))
    assert (refusal.code, refusal.clause) == ("LEASE_NOT_IN_MARKET", "OF-7.1")


@pytest.mark.rule("OF-7.2")
def test_a_private_lease_costs_5(position):
    game = position(lease_market=MARKET).acting("P0", "lease", origin="private")
    facts = game.play("P0", TakeLease("austin"))
    assert fact(LeaseTaken, seat="P0", lease_id="austin_lease_2", slot_id="austin_slot_1", coins_paid=5) in facts
    assert game["P0"].coins == 15
    assert position().player("P0", coins=5).acting("P0", "lease", origin="private").offers("P0", TakeLease("dallas"))


@pytest.mark.rule("OF-7.2")
def test_a_private_lease_has_the_cards_that_are_still_there(position):
    game = position(lease_market=["dallas_lease_1", "pecos_lease_2"]).acting("P0", "lease", price=11)
    game.play("P0", TakeLease("dallas"))
    assert game.decision == ("P0", "resolve_lease")
    assert game.legal("P0", TakeLease) == [TakeLease("pecos")]
    assert game.refused("P0", TakeLease("dallas")).code == "LEASE_NOT_IN_MARKET"


@pytest.mark.rule("OF-7.3")
@pytest.mark.parametrize("origin", ["public", "private"])
def test_if_the_market_is_empty_the_action_is_lost_and_nothing_is_paid(position, origin):
    game = position(lease_market=[]).acting("P0", "lease", origin=origin)
    assert fact(ActionLost, seat="P0", action="lease", origin=origin, reason="NO_LEASE_CARDS") in game.opening
    assert game["P0"].coins == 20
    assert game["P0"].leases == ()


@pytest.mark.rule("OF-7.4")
def test_card_and_slot_are_those_with_the_lowest_number(position):
    game = position(lease_market=["pecos_lease_5", "pecos_lease_2", "pecos_lease_4"])
    game.slot("pecos_slot_1", "P1").slot("pecos_slot_3", "P2").acting("P0", "lease")
    assert game.legal("P0", TakeLease) == [TakeLease("pecos")], "the player names no more than the field"
    facts = game.play("P0", TakeLease("pecos"))
    assert fact(LeaseTaken, lease_id="pecos_lease_2", slot_id="pecos_slot_2") in facts
    facts = game.play("P0", TakeLease("pecos"))
    assert fact(LeaseTaken, lease_id="pecos_lease_4", slot_id="pecos_slot_4") in facts


@pytest.mark.rule("OF-7.5")
@pytest.mark.parametrize("origin", ["public", "private"])
def test_nobody_has_more_than_four_leases(position, origin):
    slots = ["dallas_slot_1", "austin_slot_1", "pecos_slot_1", "pecos_slot_2"]
    game = position().acting("P0", "lease", origin=origin)
    for slot in slots[:3]:
        game.slot(slot, "P0")
    game.play("P0", TakeLease("dallas"))
    assert (len(game["P0"].leases), game["P0"].lease_markers) == (4, 0)
    game = position().acting("P0", "lease", origin=origin)
    for slot in slots:
        game.slot(slot, "P0")
    assert fact(ActionLost, seat="P0", action="lease", origin=origin, reason="NO_LEASE_MARKER") in game.opening


@pytest.mark.rule("OF-7.6", "OF-8.3")
def test_a_lease_lets_its_owner_build_exactly_one_tower(position):
    game = position(building_market=["small_tower_2", "medium_tower_2"]).player("P0", card="build", coins=40)
    game.slot("dallas_slot_1", "P0").slot("dallas_slot_2", "P0", "mixed_tower_2").slot("dallas_slot_3", "P1")
    game.field("dallas", oil=0, gas=0, step=3).acting("P0", "build")
    facts = game.play("P0", BuildTower("small_tower", "dallas"))
    assert fact(TowerBuilt, seat="P0", slot_id="dallas_slot_1") in facts
    assert fact(ActionLost, seat="P0", action="build", origin="private", reason="NOTHING_TO_BUILD") in facts


@pytest.mark.rule("OF-7.6")
def test_two_leases_in_a_field_let_build_two_towers(position):
    game = position(building_market=["small_tower_2", "medium_tower_2"]).player("P0", card="build")
    game.slot("dallas_slot_1", "P0").slot("dallas_slot_3", "P0").field("dallas", oil=0, gas=0, step=3)
    game.acting("P0", "build")
    for tower, slot in (("small_tower", "dallas_slot_1"), ("medium_tower", "dallas_slot_3")):
        assert fact(TowerBuilt, seat="P0", slot_id=slot) in game.play("P0", BuildTower(tower, "dallas"))


@pytest.mark.rule("OF-7.7", "OF-8.7")
@pytest.mark.parametrize("seed", range(3))
def test_lease_cards_and_towers_are_kept_until_the_end(position, seed):
    game = position(players=3 + seed, at="setup")
    facts = play_to_the_end(game, seed)
    for seat, name in enumerate(game.names):
        taken = {one.lease_id for one in facts.of(LeaseTaken) if one.seat == seat}
        assert set(game[name].leases) == taken
        scored = [one.vp for one in facts.of(FinalScoreAdded) if one.seat == seat and one.category == 3]
        assert scored == ([len(taken)] if taken else [])
    built = {one.slot_id: one.tile_id for one in facts.of(TowerBuilt)}
    assert {slot: one.tower for slot, one in game.seen.slots.items() if one.tower} == built
    assert facts.count(LeaseTaken) > 0
    assert built


@pytest.mark.rule("OF-7.8")
def test_cards_taken_are_not_replaced_before_the_next_round_starts(position):
    game = position(lease_market=MARKET).acting("P0", "lease")
    facts = game.play("P0", TakeLease("austin")) + game.play("P0", TakeLease("austin"))
    assert game.decision == ("P1", "resolve_lease"), "of the private actions"
    assert game.seen.lease_market == ("pecos_lease_3", "dallas_lease_1")
    assert not {LeaseRevealed, LeaseReturnedToDeck} & {type(one) for one in facts}
    facts = game.play("P1", PassAction()) + game.play("P2", PassAction())
    assert facts.in_order(fact(RoundStarted, round=2), LeaseRevealed, LeaseRevealed)
    assert len(game.seen.lease_market) == 4


# -- refusals --------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-7.1", "OF-1.5")
def test_what_is_checked_first_of_a_lease(position):
    """Too few coins for any lease, but an investment to sell: the question is open."""
    game = position(lease_market=["pecos_lease_1"], tracks={"vp3": {6: "P0"}}).player("P0", coins=10)
    game.acting("P0", "lease", price=11)
    for field, code, clause in [
        ("houston", "UNKNOWN_FIELD", "OF-7.1"),
        ("dallas", "LEASE_NOT_IN_MARKET", "OF-7.1"),
        ("pecos", "INSUFFICIENT_COINS", "OF-1.5"),
    ]:
        refusal = game.refused("P0", TakeLease(field))
        assert (refusal.code, refusal.clause) == (code, clause)
