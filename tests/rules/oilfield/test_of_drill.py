"""OF-9: drill, and the refusals of `DrillTower` and `FinishDrilling`."""

from itertools import permutations

import pytest

from wellhead_rules.oilfield.commands import DrillTower, FinishDrilling, PassAction
from wellhead_rules.oilfield.events import ActionCompleted, ActionLost, DecisionOpened, TowerDrilled, WorkerReturned
from wellhead_rules.oilfield.facts import fact

SLOTS = {"dallas_slot_1": "small_tower_2", "austin_slot_1": "medium_tower_2", "pecos_slot_1": "mixed_tower_2"}
ONE = {
    "small_tower_2": {"oil_to_warehouse": 1},
    "medium_tower_2": {"oil_to_warehouse": 1},
    "mixed_tower_2": {"gas_to_warehouse": 1},
}
"""One cube from each of them."""


def drilling(position, slots=SLOTS, origin="public", **said):
    """A drill action of P0 with these towers."""
    game = position(**said)
    for slot, tower in slots.items():
        game.slot(slot, "P0", tower)
    return game.acting("P0", "drill", origin=origin)


def towers(game):
    return {one.tile_id for one in game.legal("P0", DrillTower)}


# -- which towers ----------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-9.1")
@pytest.mark.parametrize("order", list(permutations(ONE)))
def test_each_own_tower_may_be_used_in_any_order(position, order):
    game = drilling(position)
    facts = game.opening
    for place, tower in enumerate(order):
        assert towers(game) == set(order[place:])
        facts = game.play("P0", DrillTower(tower, **ONE[tower]))
        assert fact(TowerDrilled, seat="P0", tile_id=tower) in facts
    assert facts.in_order(TowerDrilled, fact(ActionCompleted, seat="P0", action="drill"), WorkerReturned)
    assert (game["P0"].oil, game["P0"].gas) == (2, 1)


@pytest.mark.rule("OF-9.1")
def test_a_tower_is_used_at_most_once_an_action(position):
    game = drilling(position, {"dallas_slot_1": "small_tower_2", "austin_slot_1": "medium_tower_2"})
    game.player("P0", card="drill", expansions=["refinery_expansion_2"])
    drill = DrillTower("small_tower_2", oil_to_warehouse=1)
    game.play("P0", drill)
    refusal = game.refused("P0", drill)
    assert (refusal.code, refusal.clause) == ("TOWER_ALREADY_USED", "OF-9.1")
    game.play("P0", FinishDrilling())
    assert game.decision == ("P0", "resolve_drill"), "the private action"
    assert towers(game) == {"small_tower_2", "medium_tower_2"}, "in another action both may be used again"
    game.play("P0", drill)
    assert game["P0"].oil == 2


@pytest.mark.rule("OF-9.1")
def test_towers_of_others_are_not_used(position):
    game = drilling(position, {"dallas_slot_1": "small_tower_2"}).slot("dallas_slot_2", "P1", "medium_tower_2")
    assert towers(game) == {"small_tower_2"}
    for tower in ("medium_tower_2", "mixed_tower_2"):
        refusal = game.refused("P0", DrillTower(tower, oil_to_warehouse=1))
        assert (refusal.code, refusal.clause) == ("TOWER_NOT_OWNED", "OF-9.1")


# -- what they take --------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-9.2")
def test_a_tower_takes_cubes_from_its_field_only(position):
    game = drilling(position, {"austin_slot_1": "small_tower_2"}, fields={"austin": {"oil": 5, "gas": 2}})
    before = game.seen
    facts = game.play("P0", DrillTower("small_tower_2", oil_to_warehouse=2))
    assert fact(TowerDrilled, seat="P0", field="austin", oil_to_warehouse=2) in facts
    after = game.seen
    assert (after.fields["austin"].oil, after.fields["austin"].gas) == (3, 2)
    assert after.P0.oil == 2
    for untouched in ("dallas", "pecos"):
        assert after.fields[untouched] == before.fields[untouched]
    assert after.bag == before.bag
    dry = drilling(position, {"austin_slot_1": "small_tower_2"}, fields={"austin": {"oil": 0, "gas": 2}})
    assert fact(ActionLost, seat="P0", reason="NOTHING_TO_DRILL") in dry.opening, "there is oil in the other fields"


@pytest.mark.rule("OF-9.2")
@pytest.mark.parametrize(
    ("tower", "wrong"),
    [
        ("small_tower_2", {"oil_to_warehouse": 3}),
        ("small_tower_2", {"gas_to_warehouse": 1}),
        ("small_tower_2", {"oil_to_local": 1}),
        ("medium_tower_2", {"oil_to_warehouse": 4}),
        ("medium_tower_2", {"oil_to_warehouse": 1, "gas_to_warehouse": 1}),
        ("medium_tower_2", {"oil_to_warehouse": 2, "gas_to_warehouse": -1}),
        ("small_local_tower_2", {"oil_to_warehouse": 1}),
        ("medium_local_tower_2", {"gas_to_local": 2}),
        ("medium_local_tower_2", {"oil_to_local": 1}),
    ],
)
def test_a_tower_takes_the_kinds_and_amounts_of_its_tile_only(position, tower, wrong):
    game = drilling(position, {"austin_slot_1": tower}).player("P0", expansions=["refinery_expansion_2"])
    refusal = game.refused("P0", DrillTower(tower, **wrong))
    assert (refusal.code, refusal.clause) == ("INVALID_OUTPUT", "OF-9.2")


@pytest.mark.rule("OF-9.3")
@pytest.mark.parametrize("stored", [0, 1, 2])
def test_no_more_is_taken_than_there_is_free_space(position, stored):
    game = drilling(position, {"austin_slot_1": "medium_tower_2"}).player("P0", gas=stored)
    space = 3 - stored
    assert [one.oil_to_warehouse for one in game.legal("P0", DrillTower)] == list(range(space, 0, -1))
    if stored:
        refusal = game.refused("P0", DrillTower("medium_tower_2", oil_to_warehouse=space + 1))
        assert (refusal.code, refusal.clause) == ("WAREHOUSE_FULL", "OF-9.3")
    game.play("P0", DrillTower("medium_tower_2", oil_to_warehouse=space))
    assert game["P0"].oil + game["P0"].gas == game["P0"].storage == 3


@pytest.mark.rule("OF-9.3")
def test_what_one_tower_takes_leaves_less_space_for_the_next(position):
    game = drilling(position, {"austin_slot_1": "medium_tower_2", "dallas_slot_1": "small_tower_2"})
    game.play("P0", DrillTower("medium_tower_2", oil_to_warehouse=2))
    assert game.legal("P0") == [DrillTower("small_tower_2", oil_to_warehouse=1), FinishDrilling()]
    facts = game.play("P0", DrillTower("small_tower_2", oil_to_warehouse=1))
    assert ActionCompleted in facts


@pytest.mark.rule("OF-9.4")
def test_only_the_cubes_present_are_taken_and_missing_ones_are_not_replaced(position):
    game = drilling(position, {"dallas_slot_1": "medium_tower_2"}, fields={"dallas": {"oil": 2, "gas": 1}})
    assert [one.oil_to_warehouse for one in game.legal("P0", DrillTower)] == [2, 1]
    refusal = game.refused("P0", DrillTower("medium_tower_2", oil_to_warehouse=3))
    assert (refusal.code, refusal.clause) == ("FIELD_LACKS_CUBES", "OF-9.4")
    refused = game.refused("P0", DrillTower("medium_tower_2", oil_to_warehouse=2, gas_to_warehouse=1))
    assert refused.code == "INVALID_OUTPUT"


@pytest.mark.rule("OF-9.4")
def test_missing_gas_is_not_replaced_by_oil(position):
    fields = {"dallas": {"oil": 5, "gas": 0}}
    game = drilling(position, {"dallas_slot_1": "mixed_tower_2"}, fields=fields)
    assert game.legal("P0", DrillTower) == [
        DrillTower("mixed_tower_2", oil_to_warehouse=2),
        DrillTower("mixed_tower_2", oil_to_warehouse=1),
    ]
    assert game.refused("P0", DrillTower("mixed_tower_2", gas_to_warehouse=1)).code == "FIELD_LACKS_CUBES"


@pytest.mark.rule("OF-9.4")
def test_two_towers_share_the_cubes_of_a_field(position):
    slots = {"dallas_slot_1": "small_tower_2", "dallas_slot_2": "medium_tower_2"}
    game = drilling(position, slots, fields={"dallas": {"oil": 3, "gas": 0}})
    game.play("P0", DrillTower("small_tower_2", oil_to_warehouse=2))
    assert game.legal("P0") == [DrillTower("medium_tower_2", oil_to_warehouse=1), FinishDrilling()]


@pytest.mark.rule("OF-9.5")
def test_fewer_cubes_may_be_taken(position):
    game = drilling(position, {"austin_slot_1": "medium_tower_2"})
    assert [one.oil_to_warehouse for one in game.legal("P0", DrillTower)] == [3, 2, 1]
    game.play("P0", DrillTower("medium_tower_2", oil_to_warehouse=1))
    assert game["P0"].oil == 1


@pytest.mark.rule("OF-9.5")
def test_a_tower_may_be_skipped(position):
    game = drilling(position)
    game.play("P0", DrillTower("medium_tower_2", oil_to_warehouse=1))
    facts = game.play("P0", FinishDrilling())
    assert fact(ActionCompleted, seat="P0", action="drill") in facts
    assert TowerDrilled not in facts


@pytest.mark.rule("OF-9.6")
@pytest.mark.parametrize(("amount", "coins", "vp"), [({"oil_to_local": 1}, 2, 0), ({"gas_to_local": 1}, 0, 1)])
def test_cubes_for_the_local_market_need_no_space_and_go_back_to_the_bag_at_once(position, amount, coins, vp):
    game = drilling(position, {"austin_slot_1": "small_local_tower_2"}).player("P0", oil=3)
    before = game.seen
    facts = game.play("P0", DrillTower("small_local_tower_2", **amount))
    assert fact(TowerDrilled, seat="P0", coins_gained=coins, vp_gained=vp, **amount) in facts
    after = game.seen
    oil, gas = amount.get("oil_to_local", 0), amount.get("gas_to_local", 0)
    assert (after.bag.oil, after.bag.gas) == (before.bag.oil + oil, before.bag.gas + gas)
    assert after.fields["austin"].oil == before.fields["austin"].oil - oil
    assert after.fields["austin"].gas == before.fields["austin"].gas - gas
    assert (after.P0.oil, after.P0.gas) == (3, 0)
    assert (after.P0.coins, after.P0.vp) == (20 + coins, vp)


NOTHING = {
    "no tower": {"slots": {"dallas_slot_1": None}},
    "no oil": {"slots": {"dallas_slot_1": "small_tower_2"}, "fields": {"dallas": {"oil": 0, "gas": 9}}},
    "no room": {"slots": SLOTS, "P0": {"gas": 3}},
    "a strike": {"slots": {"dallas_slot_1": "small_tower_2"}, "strike": "dallas"},
    "an exhausted field": {"slots": {"dallas_slot_1": "small_local_tower_2"}, "fields": {"dallas": {"step": 3}}},
}


@pytest.mark.rule("OF-9.7")
@pytest.mark.parametrize("said", NOTHING.values(), ids=NOTHING)
@pytest.mark.parametrize("origin", ["public", "private"])
def test_if_no_own_tower_can_extract_a_cube_the_action_is_lost(position, said, origin):
    game = drilling(position, origin=origin, **said).slot("pecos_slot_3", "P1", "medium_local_tower_2")
    assert fact(ActionLost, seat="P0", action="drill", origin=origin, reason="NOTHING_TO_DRILL") in game.opening


@pytest.mark.rule("OF-9.7")
def test_one_tower_that_can_extract_is_enough(position):
    slots = {"dallas_slot_1": "small_tower_2", "pecos_slot_1": "medium_local_tower_2"}
    game = drilling(position, slots, strike="dallas").player("P0", oil=3)
    assert game.legal("P0") == [DrillTower("medium_local_tower_2", gas_to_local=1), PassAction()]


@pytest.mark.rule("OF-9.8")
def test_cubes_stored_are_not_thrown_away_to_make_room(position):
    slots = {"dallas_slot_1": "small_tower_2", "austin_slot_1": "small_local_tower_2"}
    game = drilling(position, slots).player("P0", oil=1, gas=2)
    assert {type(one) for one in game.legal("P0")} == {DrillTower, PassAction}
    assert towers(game) == {"small_local_tower_2"}
    assert game.refused("P0", DrillTower("small_tower_2", oil_to_warehouse=1)).code == "WAREHOUSE_FULL"
    refused = game.refused("P0", DrillTower("small_tower_2", oil_to_warehouse=1, gas_to_warehouse=-1))
    assert refused.code == "INVALID_OUTPUT"
    game.play("P0", DrillTower("small_local_tower_2", gas_to_local=1))
    assert (game["P0"].oil, game["P0"].gas) == (1, 2)


# -- passing and finishing -------------------------------------------------------------------------------------


@pytest.mark.rule("OF-9.1", "OF-3.5")
def test_before_the_first_tower_the_player_passes_and_after_it_finishes(position):
    game = drilling(position)
    assert PassAction() in game.legal("P0")
    assert FinishDrilling() not in game.legal("P0")
    refusal = game.refused("P0", FinishDrilling())
    assert (refusal.code, refusal.clause) == ("NOTHING_DONE_YET", "OF-9.1")
    game.play("P0", DrillTower("small_tower_2", oil_to_warehouse=1))
    assert FinishDrilling() in game.legal("P0")
    assert PassAction() not in game.legal("P0")
    refusal = game.refused("P0", PassAction())
    assert (refusal.code, refusal.clause) == ("ACTION_ALREADY_STARTED", "OF-3.5")


@pytest.mark.rule("OF-9.1")
def test_drilling_ends_by_itself_when_no_unused_tower_can_extract_anything(position):
    game = drilling(position).player("P0", gas=1)
    facts = game.play("P0", DrillTower("medium_tower_2", oil_to_warehouse=2))
    assert facts.in_order(TowerDrilled, fact(ActionCompleted, seat="P0", action="drill"))
    assert not any(one.kind == 6 for one in facts.of(DecisionOpened))


# -- refusals --------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-9.1", "OF-9.2", "OF-9.3", "OF-9.4")
def test_what_is_checked_first_of_a_drill(position):
    slots = {
        "dallas_slot_1": "small_tower_2", "dallas_slot_2": "medium_tower_2", "austin_slot_1": "mixed_tower_2",
        "pecos_slot_1": "small_national_tower_2",
    }  # fmt: skip
    said = {"options": {"advanced_towers": "true"}, "strike": "austin"}
    game = drilling(position, slots, fields={"dallas": {"oil": 3, "gas": 1}}, **said).player("P0", oil=1)
    game.slot("pecos_slot_2", "P1", "mixed_tower_3")
    game.play("P0", DrillTower("small_tower_2", oil_to_warehouse=1))
    for command, code in [
        (DrillTower("oil_rig_1"), "UNKNOWN_TILE"),
        (DrillTower("small_tower"), "UNKNOWN_TILE"),
        (DrillTower("mixed_tower_3"), "TOWER_NOT_OWNED"),
        (DrillTower("small_tower_2"), "TOWER_ALREADY_USED"),
        (DrillTower("small_national_tower_2"), "TOWER_NOT_DRILLABLE"),
        (DrillTower("mixed_tower_2"), "FIELD_ON_STRIKE"),
        (DrillTower("mixed_tower_2", oil_to_local=9), "FIELD_ON_STRIKE"),
        (DrillTower("medium_tower_2"), "EMPTY_AMOUNT"),
        (DrillTower("medium_tower_2", oil_to_warehouse=4), "INVALID_OUTPUT"),
        (DrillTower("medium_tower_2", oil_to_warehouse=-1), "INVALID_OUTPUT"),
        (DrillTower("medium_tower_2", oil_to_warehouse=3), "FIELD_LACKS_CUBES"),
        (DrillTower("medium_tower_2", oil_to_warehouse=2), "WAREHOUSE_FULL"),
    ]:
        assert game.refused("P0", command).code == code
    game.play("P0", DrillTower("medium_tower_2", oil_to_warehouse=1))
