"""OF-20.1 to OF-20.6: the gas refinery expansion and the small national tower."""

import pytest

from wellhead_rules.oilfield.commands import (
    BuildExpansion,
    BuildTower,
    DrillTower,
    FinishNational,
    SellNational,
    ShipNationalTower,
)
from wellhead_rules.oilfield.events import (
    ActionCompleted,
    ActionLost,
    ExpansionBuilt,
    NationalSold,
    NationalTowerShipped,
    TowerBuilt,
    TowerDrilled,
)
from wellhead_rules.oilfield.facts import fact

GAS_EXPANSIONS = ["gas_refinery_expansion_1", "gas_refinery_expansion_2"]
NATIONAL_TOWERS = ["small_national_tower_1", "small_national_tower_2"]


def advanced(position, **said):
    """Four players with the advanced tiles: no tile has been removed."""
    return position(players=4, options={"advanced_towers": "true"}, **said)


def amounts(game, seat="P0"):
    """What may be drilled: oil and gas to the warehouse, oil and gas to the local market."""
    return {
        (one.oil_to_warehouse, one.gas_to_warehouse, one.oil_to_local, one.gas_to_local)
        for one in game.legal(seat, DrillTower)
    }


# -- gas refinery expansion ------------------------------------------------------------------------------------


@pytest.mark.rule("OF-20.1")
def test_a_gas_expansion_costs_eight_coins_and_stores_two_cubes(position):
    game = advanced(position, building_market=GAS_EXPANSIONS).player("P0", coins=8).acting("P0", "build")
    facts = game.play("P0", BuildExpansion("gas_refinery_expansion"))
    assert fact(ExpansionBuilt, tile_id=GAS_EXPANSIONS[0], coins_paid=8, storage_added=2) in facts
    assert (game["P0"].coins, game["P0"].storage) == (0, 5)


@pytest.mark.rule("OF-20.1")
@pytest.mark.parametrize(("oil", "points"), [(1, 0), (2, 1), (5, 2)])
def test_a_full_gas_expansion_scores(position, oil, points):
    game = advanced(position, at="final_scoring").player("P0", oil=oil, expansions=GAS_EXPANSIONS[:1])
    game.record_scores()
    assert game["P0"].vp_by_category["vp_full_storage"] == points


@pytest.mark.rule("OF-20.2", "OF-11.2")
@pytest.mark.parametrize(("oil", "gas"), [(0, 2), (2, 1), (1, 0)])
def test_its_owner_sells_gas_at_the_national_price_alone_or_with_oil(position, oil, gas):
    game = advanced(position).player("P0", oil=2, gas=2, coins=0, expansions=GAS_EXPANSIONS[:1])
    game.acting("P0", "national")
    listed = {(one.oil, one.gas) for one in game.legal("P0", SellNational)}
    assert listed == {(a, b) for a in range(3) for b in range(3) if a + b}
    before = game.seen.bag
    facts = game.play("P0", SellNational(oil, gas))
    assert fact(NationalSold, oil_removed=oil, gas_removed=gas, coins_gained=4 * (oil + gas)) in facts
    assert game["P0"].coins == 4 * (oil + gas)
    assert (game.seen.bag.oil, game.seen.bag.gas) == (before.oil + oil, before.gas + gas)


@pytest.mark.rule("OF-20.2")
def test_gas_alone_brings_up_a_national_action_only_with_the_expansion(position):
    game = advanced(position).player("P0", gas=1).player("P1", gas=1, expansions=GAS_EXPANSIONS[:1], card="national")
    game.acting("P0", "national")
    assert fact(ActionLost, seat="P0", reason="NOTHING_TO_SELL") in game.opening
    assert game.legal("P1", SellNational) == [SellNational(0, 1)]


@pytest.mark.rule("OF-20.3")
@pytest.mark.parametrize(
    ("tower", "with_it", "without"),
    [
        (
            "small_local_tower_1",
            {(0, 0, 1, 0), (0, 0, 0, 1), (0, 1, 0, 0)},
            {(0, 0, 1, 0), (0, 0, 0, 1)},
        ),
        ("government_tower_1", {(0, 0, 0, 1), (0, 1, 0, 0)}, {(0, 0, 0, 1)}),
        (
            "medium_local_tower_1",
            {(a, b, 0, c) for a in range(4) for b in range(2) for c in range(2 - b) if a + b + c > 0},
            {(a, 0, 0, c) for a in range(4) for c in range(2) if a + c},
        ),
    ],
)
def test_gas_for_the_local_market_may_go_to_the_warehouse_instead(position, tower, with_it, without):
    for expansions, expected in ((GAS_EXPANSIONS[:1], with_it), (["refinery_expansion_1"], without)):
        game = advanced(position).player("P0", expansions=expansions).slot("dallas_slot_1", "P0", tower)
        assert amounts(game.acting("P0", "drill")) == expected


@pytest.mark.rule("OF-20.3")
def test_diverted_gas_is_stored_and_brings_no_point(position):
    game = advanced(position).player("P0", expansions=GAS_EXPANSIONS[:1])
    game.slot("dallas_slot_1", "P0", "small_local_tower_1").acting("P0", "drill")
    facts = game.play("P0", DrillTower("small_local_tower_1", gas_to_warehouse=1))
    assert fact(TowerDrilled, gas_to_warehouse=1, coins_gained=0, vp_gained=0) in facts
    assert (game["P0"].gas, game["P0"].vp) == (1, 0)
    assert game.seen.bag == game.posed.bag


@pytest.mark.rule("OF-20.3")
def test_without_free_space_no_gas_is_diverted(position):
    game = advanced(position).player("P0", oil=5, expansions=GAS_EXPANSIONS[:1])
    game.slot("dallas_slot_1", "P0", "small_local_tower_1").acting("P0", "drill")
    assert amounts(game) == {(0, 0, 1, 0), (0, 0, 0, 1)}
    assert game.refused("P0", DrillTower("small_local_tower_1", gas_to_warehouse=1)).code == "WAREHOUSE_FULL"


@pytest.mark.rule("OF-20.3")
def test_oil_for_the_local_market_is_not_diverted(position):
    game = advanced(position).player("P0", expansions=GAS_EXPANSIONS[:1])
    game.slot("dallas_slot_1", "P0", "small_local_tower_1").acting("P0", "drill")
    assert game.refused("P0", DrillTower("small_local_tower_1", oil_to_warehouse=1)).code == "INVALID_OUTPUT"


@pytest.mark.rule("OF-20.4")
def test_a_second_gas_expansion_adds_storage_and_no_power(position):
    game = advanced(position).player("P0", gas=1, expansions=GAS_EXPANSIONS)
    game.slot("dallas_slot_1", "P0", "medium_local_tower_1").acting("P0", "drill")
    assert game["P0"].storage == 7
    assert max(gas + local for _, gas, _, local in amounts(game)) == 1
    game = advanced(position).player("P0", gas=1, coins=0, expansions=GAS_EXPANSIONS).acting("P0", "national")
    game.play("P0", SellNational(0, 1))
    assert game["P0"].coins == 4


# -- small national tower --------------------------------------------------------------------------------------


@pytest.mark.rule("OF-20.5")
def test_a_national_tower_costs_ten_coins_and_gives_no_free_drill(position):
    game = advanced(position, building_market=NATIONAL_TOWERS).player("P0", coins=10).slot("pecos_slot_1", "P0")
    facts = game.acting("P0", "build").play("P0", BuildTower("small_national_tower", "pecos"))
    assert fact(TowerBuilt, tile_id=NATIONAL_TOWERS[0], coins_paid=10, has_disc=False) in facts
    assert facts.in_order(TowerBuilt, ActionCompleted)
    assert game["P0"].coins == 0
    assert game.decision != ("P0", "drill_new_tower")


@pytest.mark.rule("OF-20.5")
def test_a_national_tower_is_never_drilled_with(position):
    game = advanced(position).slot("pecos_slot_1", "P0", NATIONAL_TOWERS[0]).acting("P0", "drill")
    assert fact(ActionLost, seat="P0", reason="NOTHING_TO_DRILL") in game.opening
    game = advanced(position).slot("pecos_slot_1", "P0", NATIONAL_TOWERS[0]).slot("pecos_slot_2", "P0", "small_tower_1")
    game.acting("P0", "drill")
    refusal = game.refused("P0", DrillTower(NATIONAL_TOWERS[0], oil_to_warehouse=1))
    assert (refusal.code, refusal.clause) == ("TOWER_NOT_DRILLABLE", "OF-20.5")


def shipping(position, **said):
    """P0 has national towers in Dallas and Pecos and is the only seller; the price is $4."""
    game = advanced(position).player("P0", **{"oil": 1, "coins": 0, **said})
    game.slot("dallas_slot_1", "P0", NATIONAL_TOWERS[1]).slot("pecos_slot_1", "P0", NATIONAL_TOWERS[0])
    return game.acting("P0", "national")


@pytest.mark.rule("OF-20.6")
def test_each_own_national_tower_may_ship_one_oil_for_the_price_and_a_coin(position):
    game = shipping(position)
    game.play("P0", SellNational(1))
    assert game.decision == ("P0", "ship_national_tower")
    listed = [ShipNationalTower(NATIONAL_TOWERS[1]), ShipNationalTower(NATIONAL_TOWERS[0]), FinishNational()]
    assert game.legal("P0") == listed
    facts = game.play("P0", ShipNationalTower(NATIONAL_TOWERS[0]))
    assert fact(NationalTowerShipped, seat="P0", field="pecos", coins_gained=5) in facts
    assert game["P0"].coins == 9
    assert game.legal("P0") == [ShipNationalTower(NATIONAL_TOWERS[1]), FinishNational()]
    assert game.refused("P0", ShipNationalTower(NATIONAL_TOWERS[0])).code == "TOWER_ALREADY_USED"
    facts = game.play("P0", ShipNationalTower(NATIONAL_TOWERS[1]))
    assert facts.in_order(fact(NationalTowerShipped, field="dallas"), ActionCompleted)
    assert game["P0"].coins == 14


@pytest.mark.rule("OF-20.6")
@pytest.mark.parametrize(("sellers", "coins"), [(2, 4), (3, 3), (4, 2)])
def test_the_bonus_is_one_coin_above_any_price(position, sellers, coins):
    game = shipping(position)
    for seat in ("P1", "P2", "P3")[: sellers - 1]:
        game.player(seat, card="national")
    game.play("P0", SellNational(1))
    facts = game.play("P0", ShipNationalTower(NATIONAL_TOWERS[0]))
    assert fact(NationalTowerShipped, coins_gained=coins) in facts


@pytest.mark.rule("OF-20.6")
def test_shipped_oil_comes_from_the_field_needs_no_storage_and_goes_to_the_bag(position):
    game = shipping(position, oil=2, gas=1)
    before = game.seen
    game.play("P0", SellNational(1))
    game.play("P0", ShipNationalTower(NATIONAL_TOWERS[0]))
    after = game.seen
    assert (game["P0"].oil, game["P0"].gas) == (1, 1)
    assert after.fields["pecos"].oil == before.fields["pecos"].oil - 1
    assert (after.bag.oil, after.bag.gas) == (before.bag.oil + 2, before.bag.gas)


@pytest.mark.rule("OF-20.6")
def test_gas_from_the_warehouse_satisfies_the_condition(position):
    game = shipping(position, oil=0, gas=1, expansions=GAS_EXPANSIONS[:1])
    game.play("P0", SellNational(0, 1))
    assert game.decision == ("P0", "ship_national_tower")


@pytest.mark.rule("OF-20.6")
def test_without_a_sale_from_the_warehouse_nothing_is_shipped(position):
    assert fact(ActionLost, seat="P0", reason="NOTHING_TO_SELL") in shipping(position, oil=0).opening


@pytest.mark.rule("OF-20.6")
def test_shipping_is_optional(position):
    game = shipping(position)
    game.play("P0", SellNational(1))
    facts = game.play("P0", FinishNational())
    assert fact(ActionCompleted, seat="P0", action="national") in facts
    assert NationalTowerShipped not in facts


@pytest.mark.rule("OF-20.6")
def test_only_from_a_field_with_oil_and_only_with_an_own_tower(position):
    game = shipping(position).field("dallas", oil=0).field("pecos", oil=1)
    game.play("P0", SellNational(1))
    assert game.legal("P0") == [ShipNationalTower(NATIONAL_TOWERS[0]), FinishNational()]
    game = (
        advanced(position).player("P0", oil=1).slot("pecos_slot_1", "P1", NATIONAL_TOWERS[0]).acting("P0", "national")
    )
    assert fact(ActionCompleted, seat="P0") in game.play("P0", SellNational(1))
