"""OR-TURB: building Turbines."""

import pytest

from wellhead_rules.oil_rock.commands import (
    ActivateRefinery,
    BuildTurbine,
    ChooseTurbineBonus,
    ForgoSource,
    ResolveAction,
    UseExtraAction,
)
from wellhead_rules.oil_rock.events import DecisionOpened, GoodsChanged, RoundStarted, TurbineBuilt
from wellhead_rules.oil_rock.events import VictoryPointsGained as PointsGained
from wellhead_rules.oil_rock.facts import fact

TURBINE = ResolveAction("AT02", "turbine")
ALL = ("TU1", "TU2", "TU3", "TU4", "TU5", "TU6")
SLOTS = range(1, 7)


@pytest.mark.rule("OR-TURB.1", "OR-TURB.3", "OR-TURB.6")
def test_any_turbine_of_the_own_supply_goes_to_any_empty_space(position):
    game = position(players=2).player("white", coal=2, turbines={"TU3": 1, "TU6": 4})
    game.player("red", turbines={"TU1": 2}).acting("turbine")
    assert set(game.legal("white")) == {
        BuildTurbine(turbine, slot) for turbine in ("TU1", "TU2", "TU4", "TU5") for slot in (2, 3, 5, 6)
    }
    facts = game.play("white", BuildTurbine("TU5", 6))
    assert facts.count(TurbineBuilt) == 1
    assert fact(TurbineBuilt, player="white", turbine="TU5", slot=6) in facts
    assert game["white"].turbines == {"TU3": 1, "TU6": 4, "TU5": 6}


@pytest.mark.rule("OR-TURB.2")
@pytest.mark.parametrize(("turbine", "price"), [("TU1", 0), ("TU2", 0), ("TU3", 1), ("TU4", 1), ("TU5", 2), ("TU6", 2)])
def test_a_turbine_costs_the_coal_on_its_tile(position, turbine, price):
    game = position(players=2).player("white", coal=price).acting("turbine")
    facts = game.play("white", BuildTurbine(turbine, 1))
    assert game["white"].coal == 0
    assert facts.count(fact(GoodsChanged, player="white")) == (1 if price else 0), "nothing but the price"


@pytest.mark.rule("OR-TURB.2")
@pytest.mark.parametrize(("turbine", "coal"), [("TU3", 0), ("TU4", 0), ("TU5", 1), ("TU6", 1)])
def test_a_turbine_that_cannot_be_paid_is_refused(position, turbine, coal):
    game = position(players=2).player("white", coal=coal, tools=9, coins=9).acting("turbine")
    assert game.refused("white", BuildTurbine(turbine, 1)).code == "NOT_ENOUGH_COAL"


@pytest.mark.rule("OR-TURB.3")
def test_a_turbine_space_holds_one_turbine(position):
    game = position(players=2).player("white", coal=2, turbines={"TU1": 3}).acting("turbine")
    assert game.refused("white", BuildTurbine("TU2", 3)).code == "SLOT_OCCUPIED"


@pytest.mark.rule("OR-TURB.4")
@pytest.mark.parametrize("options", [{}, {"turbine_placement": "ANY_SPACE"}])
def test_the_slot_may_still_be_empty(position, options):
    game = position(players=2, options=options).player("white", refineries=2).acting("turbine")
    assert {command.slot for command in game.legal("white", BuildTurbine)} == set(SLOTS)
    game.play("white", BuildTurbine("TU1", 6))
    assert game["white"].turbines == {"TU1": 6}


@pytest.mark.rule("OR-TURB.4")
def test_by_option_the_slot_must_hold_a_refinery(position):
    game = position(players=2, options={"turbine_placement": "BUILT_REFINERY_ONLY"}).player("white", refineries=2)
    game.acting("turbine")
    assert {command.slot for command in game.legal("white", BuildTurbine)} == {1, 2}
    assert game.refused("white", BuildTurbine("TU1", 3)).code == "SLOT_NOT_BUILT"


@pytest.mark.rule("OR-TURB.5")
def test_a_turbine_that_is_built_cannot_be_moved(position):
    game = position(players=2).player("white", coal=2, turbines={"TU1": 3}).acting("turbine")
    assert game.refused("white", BuildTurbine("TU1", 4)).code == "TURBINE_ALREADY_BUILT"


@pytest.mark.rule("OR-TURB.5")
def test_a_turbine_stays_when_its_refinery_is_turned_over(position):
    game = position(players=2, phase="oil_refining")
    game.player("white", refineries=6, turbines={"TU6": 1}, barrels={"yellow": 1, "green": 1}, patents=3)
    game.play("white", UseExtraAction("XA4"))
    game.play("white", ResolveAction("XA4", "refinery_plus"))
    game.play("white", ForgoSource("XA4"))
    assert game["white"].turbines == {"TU6": 1}
    facts = game.play("white", ActivateRefinery(1, 1, 1, 0))
    assert fact(PointsGained, player="white", amount=2, category="TURBINE") in facts


@pytest.mark.rule("OR-TURB.5")
def test_a_turbine_stays_when_the_round_ends(position):
    game = position(players=2, phase="goals", at="end_of_phase").player("white", turbines={"TU1": 2, "TU6": 5})
    assert fact(RoundStarted, round=2) in game.opening
    assert game["white"].turbines == {"TU1": 2, "TU6": 5}


@pytest.mark.rule("OR-TURB.6")
def test_a_sixth_turbine_can_be_built_and_a_seventh_cannot(position):
    five = {turbine: slot for slot, turbine in enumerate(ALL[:5], 1)}
    game = position(players=2).player("white", coal=2, turbines=five, patents=1).pending("AT02")
    assert fact(TurbineBuilt, turbine="TU6", slot=6) in game.play("white", TURBINE), "one is left, and one space"

    six = {turbine: slot for slot, turbine in enumerate(ALL, 1)}
    game = position(players=2).player("white", coal=9, turbines=six, patents=1).pending("AT02")
    assert game.refused("white", TURBINE).code == "ACTION_IMPOSSIBLE"


@pytest.mark.rule("OR-TURB.7")
def test_the_triggers_follow_the_turbine(position):
    game = position(players=2).player("white", coal=1, turbines={"TU1": 1}, improvements=["IM12"]).acting("turbine")
    facts = game.play("white", BuildTurbine("TU3", 2))
    assert facts.in_order(
        fact(GoodsChanged, coal=-1, reason="PAYMENT"),
        fact(TurbineBuilt, player="white", turbine="TU3"),
        fact(DecisionOpened, owner="white", kind="turbine_bonus"),
    )
    game.play("white", ChooseTurbineBonus("TU3"))
    assert game["white"].tools == 1


@pytest.mark.rule("OR-TURB.7")
def test_without_such_a_trigger_the_turbine_gives_nothing_when_it_is_built(position):
    game = position(players=2).player("white", coal=1).acting("turbine")
    game.play("white", BuildTurbine("TU3", 2))
    assert game["white"].tools == 0
