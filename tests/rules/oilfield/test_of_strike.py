"""OF-17: strikes."""

import pytest

from tests.rules.oilfield.silence import silent
from wellhead_rules.oilfield.commands import (
    BuildTower,
    CommitPrivateAction,
    DrillTower,
    FinishDrilling,
    PassAction,
    PlaceWorker,
    SellNational,
    ShipNationalTower,
)
from wellhead_rules.oilfield.events import (
    ActionLost,
    ActionStarted,
    DummyDrilled,
    FieldReplenished,
    NationalTowerShipped,
    PhaseStarted,
    StrikeCubeReturnedToBag,
    StrikeEnded,
    StrikeStarted,
    TowerBuilt,
    TowerDrilled,
)
from wellhead_rules.oilfield.facts import fact

ADVANCED = {"advanced_towers": "true"}


@pytest.mark.rule("OF-17.1")
@pytest.mark.parametrize("field", ["dallas", "austin", "pecos"])
def test_the_field_for_which_the_strike_cube_is_drawn_is_on_strike(position, field):
    game = position(at="check", phase="private_actions", draws=["gas", "strike"], **silent()).field(field, oil=0, gas=0)
    assert game.opening.of(StrikeStarted) == [StrikeStarted(field)]
    assert game.seen.strike == field


@pytest.mark.rule("OF-17.1")
def test_a_refill_without_the_strike_cube_starts_no_strike(position):
    game = position(at="check", phase="private_actions", draws=["oil"] * 10, **silent()).field("austin", oil=0, gas=0)
    assert StrikeStarted not in game.opening
    assert game.seen.strike is None
    assert game.seen.bag.strike_cube


def struck(position, phase):
    """Dallas runs out of oil in a phase, and the strike cube is drawn; P0 drills there in every phase."""
    game = position(at="check", phase=phase, draws=["strike", *["oil"] * 10], **silent()).field("dallas", oil=0, gas=0)
    return game.slot("dallas_slot_1", "P0", "small_tower_2")


def drill_in_public(game):
    """P0 drills before the others, and everybody commits drill; the facts of the last commitment."""
    for seat, space in (("P0", "drill_1"), ("P1", "drill_2"), ("P2", "subsidy_1")):
        game.play(seat, PlaceWorker(space))
    return [game.play(seat, CommitPrivateAction("drill")) for seat in ("P0", "P1", "P2")][-1]


LOST = fact(ActionLost, seat="P0", action="drill", reason="NOTHING_TO_DRILL")


@pytest.mark.rule("OF-17.1", "OF-17.2")
def test_drawn_after_the_public_phase_the_strike_covers_the_private_phase_of_the_round(position):
    game = struck(position, "public_actions")
    assert game.opening.in_order(StrikeStarted, fact(PhaseStarted, phase="private_actions"), LOST, StrikeEnded)
    assert game.decision == ("P0", "place_worker")
    assert game.seen.strike is None
    drill_in_public(game)
    assert game.decision == ("P0", "resolve_drill")


@pytest.mark.rule("OF-17.1", "OF-17.2")
def test_drawn_after_the_private_phase_the_strike_covers_the_public_phase_of_the_next_round(position):
    game = struck(position, "private_actions")
    assert game.seen.round == 2
    assert game.seen.strike == "dallas"
    assert LOST in drill_in_public(game)
    facts = game.play("P2", PassAction())
    assert facts.in_order(StrikeEnded, fact(PhaseStarted, phase="private_actions"), ActionStarted)
    assert game.decision == ("P0", "resolve_drill")


@pytest.mark.rule("OF-17.3")
def test_nothing_is_drilled_in_a_field_on_strike(position):
    game = position(strike="dallas").slot("dallas_slot_1", "P0", "small_tower_2")
    game.slot("pecos_slot_1", "P0", "medium_tower_2").acting("P0", "drill")
    assert {one.tile_id for one in game.legal("P0", DrillTower)} == {"medium_tower_2"}
    assert game.refused("P0", DrillTower("small_tower_2", oil_to_warehouse=1)).code == "FIELD_ON_STRIKE"


@pytest.mark.rule("OF-17.3")
@pytest.mark.parametrize("tower", ["small_local_tower_2", "mixed_tower_2", "medium_local_tower_2"])
def test_gas_and_deliveries_stop_as_well(position, tower):
    game = position(strike="dallas", is_final=True).slot("dallas_slot_1", "P0", tower)
    assert LOST in game.acting("P0", "drill").opening


@pytest.mark.rule("OF-17.3")
def test_a_tower_built_in_a_field_on_strike_gives_no_free_drill(position):
    game = position(strike="dallas", is_final=True).slot("dallas_slot_1", "P0").slot("pecos_slot_1", "P0")
    game.acting("P0", "build")
    facts = game.play("P0", BuildTower("small_tower", "dallas"))
    assert TowerBuilt in facts
    assert TowerDrilled not in facts
    assert game.decision != ("P0", "drill_new_tower")


@pytest.mark.rule("OF-17.3")
def test_in_another_field_the_free_drill_is_given(position):
    game = position(strike="dallas").slot("dallas_slot_1", "P0").slot("pecos_slot_1", "P0").acting("P0", "build")
    game.play("P0", BuildTower("small_tower", "pecos"))
    assert game.decision == ("P0", "drill_new_tower")
    assert game.offers("P0", FinishDrilling())


@pytest.mark.rule("OF-17.3")
@pytest.mark.parametrize(("strike", "asked"), [("dallas", False), ("austin", True)])
def test_a_national_tower_ships_nothing_from_a_field_on_strike(position, strike, asked):
    game = position(strike=strike, is_final=True, options=ADVANCED).player("P0", oil=1)
    game.slot("dallas_slot_1", "P0", "small_national_tower_2").acting("P0", "national")
    facts = game.play("P0", SellNational(1))
    assert (game.decision == ("P0", "ship_national_tower")) == asked
    if asked:
        facts = game.play("P0", ShipNationalTower("small_national_tower_2"))
    assert (NationalTowerShipped in facts) == asked


@pytest.mark.rule("OF-17.3", "OF-21.15")
@pytest.mark.parametrize(("strike", "oil"), [("pecos", 0), ("dallas", 3)])
def test_the_dummy_drills_nothing_in_a_field_on_strike(position, strike, oil):
    game = position(players=2, at="private_actions", strike=strike, draws=["drill", "pecos"], **silent(2))
    assert game.opening.of(DummyDrilled) == [DummyDrilled("pecos", "medium_tower_1", oil, 0)]


@pytest.mark.rule("OF-17.4")
def test_the_strike_cube_is_out_of_the_bag_during_the_strike_and_goes_back_when_it_ends(position):
    game = position(at="check", phase="private_actions", draws=["strike"], **silent()).field("austin", oil=0)
    assert not game.seen.bag.strike_cube
    drill_in_public(game)
    facts = game.play("P2", PassAction())
    assert facts.in_order(StrikeEnded, StrikeCubeReturnedToBag)
    assert game.seen.bag.strike_cube


@pytest.mark.rule("OF-17.4")
def test_never_are_two_fields_on_strike(position):
    game = position(at="check", phase="private_actions", draws=["strike"], bag={"oil": 12, "gas": 2}, **silent())
    game.field("dallas", oil=0, gas=0).field("austin", oil=0, gas=0).field("pecos", oil=0, gas=0)
    assert game.opening.of(StrikeStarted) == [StrikeStarted("dallas")]
    assert [one.oil + one.gas for one in game.opening.of(FieldReplenished)] == [10, 4, 0]


@pytest.mark.rule("OF-17.4")
def test_there_can_be_several_strikes_in_a_game(position):
    game = position(at="check", strike="pecos", draws=["strike"], **silent())
    game.field("dallas", oil=0, gas=0).field("austin", oil=1, gas=9)
    assert game.opening.in_order(
        fact(StrikeEnded, field="pecos"), fact(StrikeStarted, field="dallas"), fact(StrikeEnded, field="dallas")
    )
