"""OF-8: build, and the refusals of `BuildTower` and `BuildExpansion`."""

import pytest

from wellhead_rules.oilfield import commands as c
from wellhead_rules.oilfield.commands import (
    BuildExpansion,
    BuildTower,
    DrillTower,
    FinishDrilling,
    PassAction,
    SellInvestment,
)
from wellhead_rules.oilfield.events import (
    ActionCompleted,
    ActionLost,
    DecisionOpened,
    ExpansionBuilt,
    FieldReplenished,
    TileRevealed,
    TowerBuilt,
    TowerDrilled,
    WorkerReturned,
)
from wellhead_rules.oilfield.facts import fact

TOWERS = {
    "small_tower": 5, "medium_tower": 8, "mixed_tower": 10, "small_local_tower": 7, "medium_local_tower": 13,
    "small_national_tower": 10, "government_tower": 0,
}  # fmt: skip
EXPANSIONS = {"refinery_expansion": 4, "gas_refinery_expansion": 8}
ADVANCED = {"advanced_towers": "true"}


def building(position, *market, **said):
    """A build action of P0 with these tiles in the market."""
    return position(options=ADVANCED, building_market=list(market), **said).acting("P0", "build")


# -- buying ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-8.1")
@pytest.mark.parametrize(("tower", "price"), TOWERS.items())
def test_a_tower_costs_its_price(position, tower, price):
    game = building(position, f"{tower}_2").player("P0", coins=price).slot("austin_slot_2", "P0")
    facts = game.play("P0", BuildTower(tower, "austin"))
    built = {"tile_id": f"{tower}_2", "slot_id": "austin_slot_2", "has_disc": tower == "government_tower"}
    assert fact(TowerBuilt, seat="P0", coins_paid=price, **built) in facts
    assert game["P0"].coins == 0
    assert game.seen.slots["austin_slot_2"].tower == f"{tower}_2"
    if price:
        game = building(position, f"{tower}_2", tracks={"vp2": {3: "P0"}}).slot("austin_slot_2", "P0")
        refusal = game.player("P0", coins=price - 1).refused("P0", BuildTower(tower, "austin"))
        assert (refusal.code, refusal.clause) == ("INSUFFICIENT_COINS", "OF-1.5")


@pytest.mark.rule("OF-8.1", "OF-15.8")
@pytest.mark.parametrize(("expansion", "price"), EXPANSIONS.items())
def test_an_expansion_costs_its_price(position, expansion, price):
    game = building(position, f"{expansion}_2").player("P0", coins=price)
    facts = game.play("P0", BuildExpansion(expansion))
    assert fact(ExpansionBuilt, seat="P0", tile_id=f"{expansion}_2", coins_paid=price, storage_added=2) in facts
    assert (game["P0"].coins, game["P0"].expansions) == (0, (f"{expansion}_2",))
    game = building(position, f"{expansion}_2", tracks={"vp2": {3: "P0"}}).player("P0", coins=price - 1)
    assert game.refused("P0", BuildExpansion(expansion)).code == "INSUFFICIENT_COINS"


@pytest.mark.rule("OF-8.1")
def test_only_a_tile_of_the_market_can_be_bought_and_the_lowest_copy_is_taken(position):
    game = building(position, "refinery_expansion_3", "small_tower_2", "refinery_expansion_2")
    refusal = game.refused("P0", BuildExpansion("gas_refinery_expansion"))
    assert (refusal.code, refusal.clause) == ("TILE_NOT_IN_MARKET", "OF-8.1")
    facts = game.play("P0", BuildExpansion("refinery_expansion"))
    assert fact(ExpansionBuilt, tile_id="refinery_expansion_2") in facts
    assert set(game.seen.building_market) == {"refinery_expansion_3", "small_tower_2"}


@pytest.mark.rule("OF-8.1")
def test_one_tile_is_bought_per_action(position):
    game = building(position, "refinery_expansion_2", "refinery_expansion_3").player("P0", coins=90)
    facts = game.play("P0", BuildExpansion("refinery_expansion"))
    assert facts.in_order(ExpansionBuilt, fact(ActionCompleted, seat="P0", action="build"), WorkerReturned)
    assert game.decision == ("P0", "resolve_lease"), "of the private actions"
    assert TileRevealed not in facts


# -- where a tower goes ----------------------------------------------------------------------------------------


@pytest.mark.rule("OF-8.2")
def test_a_tower_goes_on_an_empty_own_slot_of_the_field_chosen(position):
    game = building(position, "small_tower_2").slot("dallas_slot_1", "P1")
    game.slot("austin_slot_2", "P0").slot("pecos_slot_4", "P0").slot("pecos_slot_3", "P0")
    game.slot("pecos_slot_2", "P0", "mixed_tower_2").slot("pecos_slot_1", "P1")
    assert game.legal("P0") == [BuildTower("small_tower", "austin"), BuildTower("small_tower", "pecos"), PassAction()]
    refusal = game.refused("P0", BuildTower("small_tower", "dallas"))
    assert (refusal.code, refusal.clause) == ("NO_EMPTY_LEASE", "OF-8.2")
    facts = game.play("P0", BuildTower("small_tower", "pecos"))
    assert fact(TowerBuilt, seat="P0", tile_id="small_tower_2", slot_id="pecos_slot_3") in facts


@pytest.mark.rule("OF-8.2")
def test_the_field_may_be_any_with_an_empty_own_slot(position):
    for field in ("dallas", "austin", "pecos"):
        game = building(position, "medium_tower_2")
        for each in ("dallas", "austin", "pecos"):
            game.slot(f"{each}_slot_2", "P0")
        assert fact(TowerBuilt, slot_id=f"{field}_slot_2") in game.play("P0", BuildTower("medium_tower", field))


@pytest.mark.rule("OF-8.3")
def test_a_slot_with_a_tower_is_not_built_on_again(position):
    game = building(position, "small_tower_2", "refinery_expansion_2").slot("dallas_slot_1", "P0", "medium_tower_2")
    assert game.legal("P0") == [BuildExpansion("refinery_expansion"), PassAction()]
    assert game.refused("P0", BuildTower("small_tower", "dallas")).code == "NO_EMPTY_LEASE"


@pytest.mark.rule("OF-8.4", "OF-15.2")
def test_expansions_need_no_lease_and_their_number_is_not_limited(position):
    every = ["refinery_expansion_1", "refinery_expansion_2", "refinery_expansion_3", "gas_refinery_expansion_1"]
    game = position(players=4, options=ADVANCED, building_market=["gas_refinery_expansion_2"])
    game.player("P0", expansions=every).acting("P0", "build")
    assert game["P0"].leases == ()
    game.play("P0", BuildExpansion("gas_refinery_expansion"))
    assert game["P0"].expansions == (*every, "gas_refinery_expansion_2")
    assert game["P0"].storage == 3 + 5 * 2


# -- the free drill --------------------------------------------------------------------------------------------


def built(position, tower="medium_tower", **said):
    """P0 has just built this tower in Austin, and has a small tower in Dallas."""
    game = building(position, f"{tower}_2", **said)
    game.slot("austin_slot_1", "P0").slot("dallas_slot_1", "P0", "small_tower_2")
    return game, game.play("P0", BuildTower(tower, "austin"))


@pytest.mark.rule("OF-8.5")
def test_a_tower_just_built_may_drill_once_for_free(position):
    game, facts = built(position)
    assert ActionCompleted not in facts
    assert game.decision == ("P0", "drill_new_tower")
    coins = game["P0"].coins
    facts = game.play("P0", DrillTower("medium_tower_2", oil_to_warehouse=2))
    assert facts.in_order(fact(TowerDrilled, tile_id="medium_tower_2", oil_to_warehouse=2), ActionCompleted)
    assert game["P0"].coins == coins
    assert game["P0"].oil == 2
    assert game.decision == ("P0", "resolve_lease"), "once, although there is room for another cube"


@pytest.mark.rule("OF-8.5", "OF-9.5")
def test_the_free_drill_may_be_left_out(position):
    game, _ = built(position)
    facts = game.play("P0", FinishDrilling())
    assert fact(ActionCompleted, seat="P0", action="build") in facts
    assert TowerDrilled not in facts


@pytest.mark.rule("OF-8.5")
def test_only_the_new_tower_drills(position):
    game, _ = built(position)
    assert {one.tile_id for one in game.legal("P0", DrillTower)} == {"medium_tower_2"}
    refusal = game.refused("P0", DrillTower("small_tower_2", oil_to_warehouse=1))
    assert (refusal.code, refusal.clause) == ("TOWER_NOT_DRILLABLE", "OF-8.5")


@pytest.mark.rule("OF-8.5")
def test_the_free_drill_follows_the_rules_of_drilling(position):
    game, _ = built(position, fields={"austin": {"oil": 2, "gas": 5}}, P0={"gas": 2})
    assert game.legal("P0") == [DrillTower("medium_tower_2", oil_to_warehouse=1), FinishDrilling()]
    assert game.refused("P0", DrillTower("medium_tower_2", oil_to_warehouse=3)).code == "FIELD_LACKS_CUBES"
    assert game.refused("P0", DrillTower("medium_tower_2", oil_to_warehouse=2)).code == "WAREHOUSE_FULL"
    assert game.refused("P0", DrillTower("medium_tower_2", gas_to_warehouse=1)).code == "INVALID_OUTPUT"
    assert game.refused("P0", DrillTower("medium_tower_2")).code == "EMPTY_AMOUNT"


NO_FREE_DRILL = {
    "a field without oil": {"fields": {"austin": {"oil": 0, "gas": 4}}},
    "a full warehouse": {"P0": {"oil": 3}},
    "a strike": {"strike": "austin"},
}


@pytest.mark.rule("OF-8.5")
@pytest.mark.parametrize("said", NO_FREE_DRILL.values(), ids=NO_FREE_DRILL)
def test_where_nothing_can_be_extracted_the_action_is_over(position, said):
    _, facts = built(position, **said)
    assert facts.in_order(TowerBuilt, fact(ActionCompleted, seat="P0", action="build"))
    assert not any(one.kind == 5 for one in facts.of(DecisionOpened))


@pytest.mark.rule("OF-8.5")
def test_who_has_built_cannot_pass_any_more(position):
    game, _ = built(position)
    refusal = game.refused("P0", PassAction())
    assert (refusal.code, refusal.clause) == ("ACTION_ALREADY_STARTED", "OF-3.5")


# -- what cannot be built, and what can ------------------------------------------------------------------------


@pytest.mark.rule("OF-8.6")
@pytest.mark.parametrize("origin", ["public", "private"])
def test_without_an_empty_own_slot_only_expansions_can_be_bought(position, origin):
    game = position(building_market=["small_tower_2", "refinery_expansion_2"])
    game.slot("dallas_slot_1", "P0", "mixed_tower_2").slot("dallas_slot_2", "P1").acting("P0", "build", origin=origin)
    assert game.legal("P0") == [BuildExpansion("refinery_expansion"), PassAction()]


@pytest.mark.rule("OF-8.6")
@pytest.mark.parametrize("origin", ["public", "private"])
@pytest.mark.parametrize(
    ("market", "coins", "reason"),
    [
        ([], 90, "NOTHING_TO_BUILD"),
        (["small_tower_2", "mixed_tower_2"], 90, "NOTHING_TO_BUILD"),
        (["refinery_expansion_2"], 3, "INSUFFICIENT_COINS"),
        (["small_tower_2", "refinery_expansion_2"], 3, "INSUFFICIENT_COINS"),
    ],
)
def test_without_a_tile_to_pay_for_and_place_the_action_is_lost(position, origin, market, coins, reason):
    game = position(building_market=market).player("P0", coins=coins).acting("P0", "build", origin=origin)
    assert fact(ActionLost, seat="P0", action="build", origin=origin, reason=reason) in game.opening


@pytest.mark.rule("OF-8.6")
def test_an_own_slot_counts_only_if_its_tower_can_be_paid_for(position):
    game = position(building_market=["small_tower_2", "medium_tower_2"]).slot("pecos_slot_1", "P0")
    game.player("P0", coins=7).acting("P0", "build")
    assert game.legal("P0") == [BuildTower("small_tower", "pecos"), PassAction()]
    game = position(building_market=["small_tower_2", "medium_tower_2"]).slot("pecos_slot_1", "P0")
    game.player("P0", coins=4).acting("P0", "build")
    assert fact(ActionLost, seat="P0", action="build", reason="INSUFFICIENT_COINS") in game.opening


@pytest.mark.rule("OF-8.7")
def test_no_command_removes_a_tower_but_that_which_gives_up_a_government_tower():
    assert {kind.__name__ for kind in c.Command.__subclasses__()} == {
        "PlaceWorker", "CommitPrivateAction", "PassAction", "TakeLease", "BuildTower", "BuildExpansion", "DrillTower",
        "FinishDrilling", "SellLocal", "SellNational", "ShipNationalTower", "FinishNational", "TakeFirstPlayer",
        "TakeSubsidy", "BuyInvestment", "SellInvestment", "PayGovernmentTower", "ForfeitGovernmentTower",
    }  # fmt: skip


@pytest.mark.rule("OF-8.7")
def test_a_tower_that_cannot_be_given_up_stays(position):
    game = position(at="check", options=ADVANCED).slot("dallas_slot_1", "P0", "small_tower_2").field("dallas", oil=0)
    game.slot("dallas_slot_2", "P0", "government_tower_2", disc=False).player("P0", coins=0)
    assert fact(FieldReplenished, field="dallas") in game.opening
    assert game.seen.slots["dallas_slot_1"].tower == "small_tower_2"
    assert game.seen.slots["dallas_slot_2"].tower == "government_tower_2"
    assert game.refused("P0", c.ForfeitGovernmentTower("small_tower_2")).code == "WRONG_PHASE"


@pytest.mark.rule("OF-8.8")
@pytest.mark.parametrize(
    "said", [{"strike": "austin"}, {"fields": {"austin": {"step": 3}}}, {"fields": {"austin": {"step": 3, "gas": 4}}}]
)
def test_a_field_on_strike_or_exhausted_may_be_built_in(position, said):
    game, facts = built(position, "mixed_tower", **said)
    assert fact(TowerBuilt, seat="P0", tile_id="mixed_tower_2", slot_id="austin_slot_1", coins_paid=10) in facts
    drilling = [DrillTower("mixed_tower_2", gas_to_warehouse=2), DrillTower("mixed_tower_2", gas_to_warehouse=1)]
    assert game.legal("P0", DrillTower) == (drilling if said.get("fields", {}).get("austin", {}).get("gas") else [])


# -- refusals --------------------------------------------------------------------------------------------------


def refusals(game, *cases):
    for command, code in cases:
        assert game.refused("P0", command).code == code


@pytest.mark.rule("OF-8.1", "OF-8.2")
def test_what_is_checked_first_of_a_tower(position):
    """An expansion is in the market as well; the tower is too dear, and there is a lease in Dallas only."""
    game = building(position, "medium_tower_2", "refinery_expansion_2").player("P0", coins=4)
    refusals(
        game.slot("dallas_slot_2", "P0"),
        (BuildTower("oil_rig", "houston"), "UNKNOWN_TILE"),
        (BuildTower("medium_tower_2", "dallas"), "UNKNOWN_TILE"),
        (BuildTower("gas_refinery_expansion", "houston"), "TILE_NOT_IN_MARKET"),
        (BuildTower("small_tower", "dallas"), "TILE_NOT_IN_MARKET"),
        (BuildTower("refinery_expansion", "houston"), "NOT_A_TOWER"),
        (BuildTower("refinery_expansion", "dallas"), "NOT_A_TOWER"),
        (BuildTower("medium_tower", "houston"), "UNKNOWN_FIELD"),
        (BuildTower("medium_tower", "pecos"), "NO_EMPTY_LEASE"),
        (BuildTower("medium_tower", "dallas"), "INSUFFICIENT_COINS"),
    )


@pytest.mark.rule("OF-8.1", "OF-8.4")
def test_what_is_checked_first_of_an_expansion(position):
    game = building(position, "small_tower_2", "refinery_expansion_2", tracks={"vp2": {3: "P0"}}).player("P0", coins=3)
    refusals(
        game.slot("dallas_slot_2", "P0"),
        (BuildExpansion("oil_rig"), "UNKNOWN_TILE"),
        (BuildExpansion("medium_tower"), "TILE_NOT_IN_MARKET"),
        (BuildExpansion("gas_refinery_expansion"), "TILE_NOT_IN_MARKET"),
        (BuildExpansion("small_tower"), "NOT_AN_EXPANSION"),
        (BuildExpansion("refinery_expansion"), "INSUFFICIENT_COINS"),
    )
    game.play("P0", SellInvestment("vp2"))
    assert game.offers("P0", BuildExpansion("refinery_expansion"))
