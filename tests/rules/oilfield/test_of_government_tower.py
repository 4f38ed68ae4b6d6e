"""OF-20.7 to OF-20.13: the government tower."""

import pytest

from tests.rules.oilfield.silence import silent
from wellhead_rules.oilfield.commands import (
    BuildTower,
    DrillTower,
    ForfeitGovernmentTower,
    PayGovernmentTower,
    SellInvestment,
    TakeLease,
)
from wellhead_rules.oilfield.events import (
    DecisionClosed,
    FieldExhausted,
    FieldReplenished,
    GovernmentPaymentDemanded,
    GovernmentTowerForfeited,
    GovernmentTowerLiberated,
    InvestmentSold,
    LeaseTaken,
    OilfieldMarkerAdvanced,
    TowerBuilt,
    TowerDrilled,
)
from wellhead_rules.oilfield.facts import fact

GOVERNMENT_TOWERS = ["government_tower_1", "government_tower_2"]


def advanced(position, **said):
    """Four players with the advanced tiles: no tile has been removed."""
    return position(players=4, options={"advanced_towers": "true"}, **said)


def amounts(game, seat="P0"):
    """What may be drilled: oil and gas to the warehouse, oil and gas to the local market."""
    return {
        (one.oil_to_warehouse, one.gas_to_warehouse, one.oil_to_local, one.gas_to_local)
        for one in game.legal(seat, DrillTower)
    }


@pytest.mark.rule("OF-20.7")
def test_a_government_tower_is_free_and_built_with_a_disc(position):
    game = advanced(position, building_market=GOVERNMENT_TOWERS).player("P0", coins=0).slot("pecos_slot_1", "P0")
    facts = game.acting("P0", "build").play("P0", BuildTower("government_tower", "pecos"))
    assert fact(TowerBuilt, tile_id=GOVERNMENT_TOWERS[0], coins_paid=0, has_disc=True) in facts
    assert game.seen.slots["pecos_slot_1"].disc
    assert amounts(game) == {(0, 0, 0, 1)}


@pytest.mark.rule("OF-20.7")
def test_restricted_it_extracts_one_gas_to_the_local_market_only(position):
    game = advanced(position).slot("pecos_slot_1", "P0", GOVERNMENT_TOWERS[0]).acting("P0", "drill")
    assert amounts(game) == {(0, 0, 0, 1)}
    assert game.refused("P0", DrillTower(GOVERNMENT_TOWERS[0], oil_to_warehouse=1)).code == "INVALID_OUTPUT"
    facts = game.play("P0", DrillTower(GOVERNMENT_TOWERS[0], gas_to_local=1))
    assert fact(TowerDrilled, field="pecos", gas_to_local=1, vp_gained=1, coins_gained=0) in facts
    assert game["P0"].vp == 1


@pytest.mark.rule("OF-20.10")
def test_liberated_it_extracts_up_to_two_oil_besides(position):
    game = advanced(position).slot("pecos_slot_1", "P0", GOVERNMENT_TOWERS[0], disc=False).acting("P0", "drill")
    assert amounts(game) == {(a, 0, 0, c) for a in range(3) for c in range(2) if a + c}
    facts = game.play("P0", DrillTower(GOVERNMENT_TOWERS[0], oil_to_warehouse=2, gas_to_local=1))
    assert fact(TowerDrilled, oil_to_warehouse=2, gas_to_local=1, vp_gained=1) in facts
    assert (game["P0"].oil, game["P0"].vp) == (2, 1)


def demanding(position, *owners, phase="public_actions", field="austin", step=0, **said):
    """The field runs out of oil; government towers of the owners stand in it, the lowest number first."""
    game = advanced(position, at="check", phase=phase, **silent(4)).say(**said).field(field, oil=0, gas=2, step=step)
    for number, owner in enumerate(owners):
        game.slot(f"{field}_slot_{number + 1}", owner, GOVERNMENT_TOWERS[number])
    return game


@pytest.mark.rule("OF-20.8")
@pytest.mark.parametrize("step", [0, 1])
@pytest.mark.parametrize("phase", ["public_actions", "private_actions"])
def test_when_its_field_is_refilled_the_owner_is_asked_for_ten_coins_before_the_draw(position, phase, step):
    game = demanding(position, "P1", phase=phase, step=step)
    assert game.decision == ("P1", "government_payment")
    assert game.opening.in_order(OilfieldMarkerAdvanced, fact(GovernmentPaymentDemanded, seat="P1", amount=10))
    assert FieldReplenished not in game.opening
    assert game.legal("P1") == [PayGovernmentTower(GOVERNMENT_TOWERS[0]), ForfeitGovernmentTower(GOVERNMENT_TOWERS[0])]
    assert FieldReplenished in game.play("P1", PayGovernmentTower(GOVERNMENT_TOWERS[0]))


@pytest.mark.rule("OF-20.8")
def test_when_its_field_is_exhausted_nothing_is_asked(position):
    game = demanding(position, "P1", step=2)
    assert FieldExhausted in game.opening
    assert GovernmentPaymentDemanded not in game.opening
    assert game.seen.slots["austin_slot_1"].disc


@pytest.mark.rule("OF-20.8")
def test_only_towers_of_the_field_that_is_refilled_are_settled(position):
    game = demanding(position).slot("dallas_slot_1", "P1", GOVERNMENT_TOWERS[0])
    assert FieldReplenished in game.opening
    assert GovernmentPaymentDemanded not in game.opening


@pytest.mark.rule("OF-20.8")
def test_the_refill_at_the_end_of_the_phase_in_which_it_was_built_counts(position):
    game = advanced(position, building_market=GOVERNMENT_TOWERS, **silent(4)).field("austin", oil=0, gas=0)
    game.slot("austin_slot_1", "P1").acting("P1", "build")
    facts = game.play("P1", BuildTower("government_tower", "austin"))
    assert facts.in_order(TowerBuilt, OilfieldMarkerAdvanced, fact(GovernmentPaymentDemanded, seat="P1"))


@pytest.mark.rule("OF-20.8", "OF-20.10")
def test_a_liberated_tower_is_not_asked_for_again(position):
    game = demanding(position).slot("austin_slot_1", "P1", GOVERNMENT_TOWERS[0], disc=False)
    assert FieldReplenished in game.opening
    assert GovernmentPaymentDemanded not in game.opening


@pytest.mark.rule("OF-20.9")
def test_several_owners_are_asked_in_turn_order(position):
    game = demanding(position, "P0", "P3", first_player="P2")
    assert game.decision == ("P3", "government_payment")
    game.play("P3", PayGovernmentTower(GOVERNMENT_TOWERS[1]))
    assert game.decision == ("P0", "government_payment")
    assert FieldReplenished in game.play("P0", PayGovernmentTower(GOVERNMENT_TOWERS[0]))


@pytest.mark.rule("OF-20.9")
def test_one_owner_is_asked_per_tower_lowest_number_first(position):
    game = demanding(position).slot("austin_slot_1", "P1", GOVERNMENT_TOWERS[1])
    game.slot("austin_slot_3", "P1", GOVERNMENT_TOWERS[0])
    first = game.play("P1", PayGovernmentTower(GOVERNMENT_TOWERS[0]))
    assert fact(GovernmentPaymentDemanded, seat="P1", tile_id=GOVERNMENT_TOWERS[1]) in first
    second = game.play("P1", ForfeitGovernmentTower(GOVERNMENT_TOWERS[1]))
    assert second.in_order(fact(GovernmentTowerForfeited, tile_id=GOVERNMENT_TOWERS[1]), FieldReplenished)
    assert not game.seen.slots["austin_slot_3"].disc


@pytest.mark.rule("OF-20.10")
def test_paying_removes_the_disc(position):
    game = demanding(position, "P1").player("P1", coins=12)
    facts = game.play("P1", PayGovernmentTower(GOVERNMENT_TOWERS[0]))
    assert fact(GovernmentTowerLiberated, seat="P1", tile_id=GOVERNMENT_TOWERS[0], coins_paid=10) in facts
    slot = game.seen.slots["austin_slot_1"]
    assert (slot.owner, slot.tower, slot.disc) == ("P1", GOVERNMENT_TOWERS[0], False)
    assert game["P1"].coins == 2


@pytest.mark.rule("OF-20.11")
def test_who_does_not_pay_loses_tower_and_lease_to_the_markets(position):
    game = demanding(position, "P1", phase="private_actions", final_round=9).player("P1", coins=50)
    game.say(building_market=["small_tower_1"], building_deck=[], lease_market=["pecos_lease_2"], lease_deck=[])
    free = game.posed.P1.lease_markers
    facts = game.play("P1", ForfeitGovernmentTower(GOVERNMENT_TOWERS[0]))
    forfeited = fact(
        GovernmentTowerForfeited,
        seat="P1",
        tile_id=GOVERNMENT_TOWERS[0],
        slot_id="austin_slot_1",
        lease_id="austin_lease_1",
    )
    assert forfeited in facts
    slot = game.seen.slots["austin_slot_1"]
    assert (slot.owner, slot.tower, slot.disc) == (None, None, False)
    assert game.seen.building_market == ("small_tower_1", GOVERNMENT_TOWERS[0])
    assert game.seen.lease_market == ("pecos_lease_2", "austin_lease_1")
    assert (game["P1"].coins, game["P1"].leases, game["P1"].lease_markers) == (50, (), free + 1)


@pytest.mark.rule("OF-20.11")
def test_markets_may_exceed_their_size(position):
    game = demanding(position, "P1", phase="private_actions")
    game.play("P1", ForfeitGovernmentTower(GOVERNMENT_TOWERS[0]))
    assert (len(game.seen.building_market), len(game.seen.lease_market)) == (7, 5)


@pytest.mark.rule("OF-20.11")
def test_of_several_own_cards_of_the_field_the_lowest_goes(position):
    game = demanding(position).player("P1", leases=["austin_lease_4", "austin_lease_2", "dallas_lease_1"])
    game.slot("austin_slot_1", "P1").slot("austin_slot_2", "P1", GOVERNMENT_TOWERS[0])
    facts = game.play("P1", ForfeitGovernmentTower(GOVERNMENT_TOWERS[0]))
    assert fact(GovernmentTowerForfeited, slot_id="austin_slot_2", lease_id="austin_lease_2") in facts
    assert game["P1"].leases == ("dallas_lease_1", "austin_lease_4")
    assert game.seen.slots["austin_slot_1"].owner == "P1"


@pytest.mark.rule("OF-20.11")
def test_an_investment_may_be_sold_first(position):
    game = demanding(position, "P1").player("P1", coins=6).track("vp2", {3: "P1"})
    assert game.legal("P1") == [ForfeitGovernmentTower(GOVERNMENT_TOWERS[0]), SellInvestment("vp2")]
    assert game.refused("P1", PayGovernmentTower(GOVERNMENT_TOWERS[0])).code == "INSUFFICIENT_COINS"
    game.play("P1", SellInvestment("vp2"))
    assert game.decision == ("P1", "government_payment")
    game.play("P1", PayGovernmentTower(GOVERNMENT_TOWERS[0]))
    assert game["P1"].coins == 0


@pytest.mark.rule("OF-20.11")
def test_tower_and_lease_are_there_for_the_private_actions_of_the_round(position):
    game = demanding(position, "P1").say(lease_market=[], building_market=[]).player("P0", card="lease")
    game.player("P1", card="build").slot("pecos_slot_1", "P1")
    game.play("P1", ForfeitGovernmentTower(GOVERNMENT_TOWERS[0]))
    assert game.legal("P0", TakeLease) == [TakeLease("austin")]
    taken = game.play("P0", TakeLease("austin"))
    assert fact(LeaseTaken, seat="P0", lease_id="austin_lease_1", slot_id="austin_slot_1") in taken
    assert game.legal("P1", BuildTower) == [BuildTower("government_tower", "pecos")]


@pytest.mark.rule("OF-20.12")
def test_a_returned_tower_is_bought_like_a_new_one_with_a_disc(position):
    game = demanding(position).slot("austin_slot_1", "P1", GOVERNMENT_TOWERS[1]).slot("pecos_slot_1", "P1")
    game.say(building_market=[], building_deck=[]).player("P1", card="build", coins=10)
    game.play("P1", ForfeitGovernmentTower(GOVERNMENT_TOWERS[1]))
    facts = game.play("P1", BuildTower("government_tower", "pecos"))
    built = fact(TowerBuilt, seat="P1", tile_id=GOVERNMENT_TOWERS[1], coins_paid=0, has_disc=True)
    assert built in facts


@pytest.mark.rule("OF-20.13")
@pytest.mark.parametrize(("coins", "asked"), [(0, False), (9, False), (10, True)])
def test_an_owner_without_the_coins_and_an_investment_is_not_asked(position, coins, asked):
    game = demanding(position, "P1").player("P1", coins=coins)
    assert (GovernmentPaymentDemanded in game.opening) == asked
    assert (GovernmentTowerForfeited in game.opening) != asked


@pytest.mark.rule("OF-20.13")
def test_an_owner_with_an_investment_is_asked(position):
    game = demanding(position, "P1").player("P1", coins=0).track("vp2", {3: "P1"})
    assert game.decision == ("P1", "government_payment")


@pytest.mark.rule("OF-20.13")
def test_after_the_last_sale_the_tower_is_lost_at_once_if_the_coins_do_not_suffice(position):
    game = demanding(position, "P1").player("P1", coins=0).track("vp2", {3: "P1", 4: "P1"})
    first = game.play("P1", SellInvestment("vp2"))
    second = game.play("P1", SellInvestment("vp2"))
    assert GovernmentTowerForfeited not in first + second, "$5 twice are enough"
    assert game.decision == ("P1", "government_payment")

    game = demanding(position, "P1").player("P1", coins=5).track("vp2", {3: "P1"})
    facts = game.play("P1", SellInvestment("vp2"))
    assert facts.in_order(InvestmentSold, DecisionClosed, GovernmentTowerForfeited, FieldReplenished)
    assert game["P1"].coins == 9


@pytest.mark.rule("OF-20.13")
def test_a_sale_by_another_does_not_judge_the_owner(position):
    game = demanding(position, "P1").player("P1", coins=0).track("vp2", {3: "P1", 4: "P2"})
    assert GovernmentTowerForfeited not in game.play("P2", SellInvestment("vp2"))
    assert game.decision == ("P1", "government_payment")


@pytest.mark.rule("OF-20.13")
def test_it_is_judged_when_the_payment_falls_due(position):
    game = demanding(position, "P1", "P1").player("P1", coins=15)
    facts = game.play("P1", PayGovernmentTower(GOVERNMENT_TOWERS[0]))
    assert facts.in_order(
        fact(GovernmentTowerLiberated, tile_id=GOVERNMENT_TOWERS[0]),
        fact(GovernmentTowerForfeited, tile_id=GOVERNMENT_TOWERS[1]),
        FieldReplenished,
    )
