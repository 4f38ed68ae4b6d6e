"""OR-REFINE: Phase 4, Oil Refining."""

from itertools import product

import pytest

from wellhead_rules.oil_rock.commands import (
    ActivateRefinery,
    ChooseResources,
    ChooseTurbineBonus,
    EndPhaseTurn,
    LoadBasicRefinery,
    OpenBriefcase,
    UseBasicRefinery,
)
from wellhead_rules.oil_rock.events import (
    BasicRefineryUsed,
    EffectSkipped,
    GoodsChanged,
    LevelReached,
    PhaseEnded,
    PhaseTurnEnded,
    ProgressMarkerMoved,
    RefineryActivated,
    VictoryPointsGained,
)
from wellhead_rules.oil_rock.facts import fact

PLENTY = {"yellow": 4, "green": 4, "blue": 4}
RECIPES = {1: (1, 1, 0), 2: (1, 0, 1), 3: (0, 2, 0), 4: (0, 1, 1), 5: (2, 0, 1), 6: (0, 2, 1)}
"""Yellow, green and blue barrels by slot (H.8)."""


def refining(position, **said):
    """White refines; a Patent keeps the turn from ending by itself."""
    return position(phase="oil_refining", turn="white").player("white", **{"patents": 1, **said})


# -- activating ------------------------------------------------------------------------------------------------


@pytest.mark.rule("OR-REFINE.1")
@pytest.mark.parametrize("order", [(), (1,), (3, 1), (1, 2, 3), (3, 2, 1)])
def test_any_all_or_none_of_the_built_refineries_run_in_any_order(position, order):
    game = refining(position, refineries=3, barrels=PLENTY)
    for slot in order:
        facts = game.play("white", ActivateRefinery(slot, *RECIPES[slot]))
        assert fact(RefineryActivated, player="white", slot=slot, number=slot) in facts
    assert game.seen.phase_turn.slots_activated == order
    assert fact(PhaseTurnEnded, player="white") in game.play("white", EndPhaseTurn())


@pytest.mark.rule("OR-REFINE.1")
def test_a_refinery_that_is_not_built_does_not_run(position):
    game = refining(position, refineries=3, barrels=PLENTY)
    assert {command.slot for command in game.legal("white", ActivateRefinery)} == {1, 2, 3}
    assert game.refused("white", ActivateRefinery(4, *RECIPES[4])).code == "REFINERY_NOT_BUILT"


@pytest.mark.rule("OR-REFINE.2")
@pytest.mark.parametrize("slot", RECIPES)
def test_an_activation_costs_the_barrels_of_the_recipe(position, slot):
    yellow, green, blue = RECIPES[slot]
    game = refining(position, refineries=6, barrels=dict(zip(PLENTY, RECIPES[slot], strict=True)))
    facts = game.play("white", ActivateRefinery(slot, yellow, green, blue))
    assert facts.in_order(
        fact(GoodsChanged, player="white", yellow=-yellow, green=-green, blue=-blue, reason="PAYMENT"),
        fact(RefineryActivated, player="white", slot=slot),
    )
    assert game["white"].barrels == {"yellow": 0, "green": 0, "blue": 0}


@pytest.mark.rule("OR-REFINE.2")
def test_barrels_that_are_not_held_cannot_be_paid(position):
    game = refining(position, refineries=2, barrels={"yellow": 1, "green": 2})
    assert game.refused("white", ActivateRefinery(2, 1, 0, 1)).code == "NOT_ENOUGH_BARRELS"
    game.play("white", ActivateRefinery(1, 0, 2, 0))
    assert game.legal("white", ActivateRefinery) == []


@pytest.mark.rule("OR-REFINE.3", "OR-REFINE.15")
@pytest.mark.parametrize("slot", RECIPES)
def test_each_barrel_may_be_replaced_by_a_better_one_and_by_nothing_else(position, slot):
    asked_yellow, asked_green, asked_blue = RECIPES[slot]
    game = refining(position, refineries=6, barrels=PLENTY)
    paying = {
        ActivateRefinery(slot, yellow, green, blue)
        for yellow, green, blue in product(range(5), repeat=3)
        if yellow + green + blue == asked_yellow + asked_green + asked_blue
        and blue >= asked_blue
        and blue + green >= asked_blue + asked_green
    }
    assert {command for command in game.legal("white", ActivateRefinery) if command.slot == slot} == paying


@pytest.mark.rule("OR-REFINE.3")
@pytest.mark.parametrize(
    ("slot", "better", "worse"),
    [(1, (0, 2, 0), (2, 0, 0)), (3, (0, 0, 2), (1, 1, 0)), (4, (0, 0, 2), (0, 2, 0)), (5, (0, 1, 2), (2, 1, 0))],
)
def test_a_better_barrel_stands_in_and_a_worse_one_does_not(position, slot, better, worse):
    game = refining(position, refineries=6, barrels=PLENTY)
    assert game.refused("white", ActivateRefinery(slot, *worse)).code == "PAYMENT_NOT_EXACT"
    assert fact(RefineryActivated, slot=slot) in game.play("white", ActivateRefinery(slot, *better))


@pytest.mark.rule("OR-REFINE.3")
def test_never_more_barrels_than_the_recipe_asks(position):
    game = refining(position, refineries=1, barrels=PLENTY)
    assert game.refused("white", ActivateRefinery(1, 1, 1, 1)).code == "PAYMENT_NOT_EXACT"
    assert game.refused("white", ActivateRefinery(1, 0, 1, 0)).code == "PAYMENT_NOT_EXACT"


# Goods, Progress and points of each refinery (H.8).
OUTPUTS = [
    (1, {"tools": 2}, 0, 1),
    (2, {"coins": 3}, 1, 0),
    (3, {"coal": 2, "patents": 1}, 0, 0),
    (4, {"tools": 2}, 0, 3),
    (5, {}, 2, 3),
    (6, {"patents": 1}, 2, 4),
    (7, {"tools": 2, "coins": 1}, 0, 3),
    (8, {"coins": 3}, 2, 2),
    (9, {"coal": 2, "patents": 1}, 0, 2),
    (10, {"tools": 2}, 0, 6),
    (11, {}, 3, 5),
    (12, {"patents": 1}, 3, 8),
]


@pytest.mark.rule("OR-REFINE.4")
@pytest.mark.parametrize(("number", "goods", "progress", "vp"), OUTPUTS)
def test_a_refinery_gives_its_output(position, number, goods, progress, vp):
    slot = (number - 1) % 6 + 1
    game = refining(position, refineries=number, barrels=PLENTY)
    facts = game.play("white", ActivateRefinery(slot, *RECIPES[slot]))
    assert fact(RefineryActivated, player="white", slot=slot, number=number) in facts
    every = {"tools": 0, "coins": 0, "coal": 0, "patents": 0, "yellow": 0, "green": 0, "blue": 0}
    assert facts.count(fact(GoodsChanged, reason="REFINERY")) == bool(goods)
    assert facts.count(fact(GoodsChanged, player="white", reason="REFINERY", **{**every, **goods})) == bool(goods)
    moved = [event.space - event.origin for event in facts.of(ProgressMarkerMoved)]
    assert moved == [progress] * bool(progress)
    gained = [event.amount for event in facts.of(VictoryPointsGained)]
    assert gained == [vp] * bool(vp)
    assert game["white"].vp_by_category["refinery"] == vp


@pytest.mark.rule("OR-REFINE.4")
def test_refinery_nine_adds_the_bonus_of_any_one_built_turbine(position):
    game = refining(position, refineries=9, barrels=PLENTY, turbines={"TU1": 1, "TU3": 2})
    game.play("white", ActivateRefinery(3, 0, 2, 0))
    assert game.decision == ("white", "turbine_bonus")
    facts = game.play("white", ChooseTurbineBonus("TU3"))
    assert fact(GoodsChanged, player="white", tools=1, reason="TURBINE") in facts

    game = refining(position, refineries=9, barrels=PLENTY)
    assert EffectSkipped in game.play("white", ActivateRefinery(3, 0, 2, 0))


@pytest.mark.rule("OR-REFINE.4")
def test_the_modern_refinery_gives_its_output_instead_of_the_early_one(position):
    game = refining(position, refineries=7, barrels=PLENTY)
    game.play("white", ActivateRefinery(1, 1, 1, 0))
    assert (game["white"].tools, game["white"].coins, game["white"].vp) == (2, 1, 3)


@pytest.mark.rule("OR-REFINE.5")
@pytest.mark.parametrize(
    ("turbine", "bonus"),
    [
        ("TU1", fact(GoodsChanged, player="white", coins=1, reason="TURBINE")),
        ("TU2", fact(GoodsChanged, player="white", coal=1, reason="TURBINE")),
        ("TU3", fact(GoodsChanged, player="white", tools=1, reason="TURBINE")),
        ("TU4", fact(ProgressMarkerMoved, player="white", origin=3, space=4, reason="TURBINE")),
        ("TU5", fact(GoodsChanged, player="white", patents=1, reason="TURBINE")),
        ("TU6", fact(VictoryPointsGained, player="white", amount=2, category="turbine")),
    ],
)
def test_a_flanked_slot_adds_the_bonus_of_its_turbine_after_the_output(position, turbine, bonus):
    game = refining(position, refineries=3, barrels=PLENTY, turbines={turbine: 3})
    facts = game.play("white", ActivateRefinery(3, 0, 2, 0))
    assert facts.in_order(fact(GoodsChanged, coal=2, patents=1, reason="REFINERY"), bonus)
    assert facts.count(bonus) == 1
    assert bonus not in game.play("white", ActivateRefinery(1, 1, 1, 0))


@pytest.mark.rule("OR-REFINE.6")
def test_a_slot_is_activated_once_in_a_phase(position):
    game = refining(position, refineries=2, barrels=PLENTY)
    game.play("white", ActivateRefinery(1, 1, 1, 0))
    assert game.refused("white", ActivateRefinery(1, 1, 1, 0)).code == "REFINERY_ALREADY_ACTIVATED"
    assert {command.slot for command in game.legal("white", ActivateRefinery)} == {2}


@pytest.mark.rule("OR-REFINE.6")
def test_what_one_player_has_activated_does_not_bind_the_next(position):
    game = refining(position, refineries=1, barrels=PLENTY)
    game.player("red", refineries=1, barrels=PLENTY)
    game.play("white", ActivateRefinery(1, 1, 1, 0))
    game.play("white", UseBasicRefinery())
    game.play("white", LoadBasicRefinery("yellow", 0))
    game.play("white", LoadBasicRefinery("green", 1))
    game.play("white", LoadBasicRefinery("blue", 0))
    game.play("white", ChooseResources(1, 0, 0))
    game.play("white", EndPhaseTurn())
    assert game.offers("red", ActivateRefinery(1, 1, 1, 0))
    assert game.offers("red", UseBasicRefinery())


@pytest.mark.rule("OR-REFINE.7")
def test_goods_from_one_activation_serve_in_the_same_turn(position):
    game = refining(position, patents=0, refineries=3, barrels={"yellow": 1, "green": 3})
    assert game.refused("white", OpenBriefcase("BC1")).code == "NOT_ENOUGH_PATENTS"
    game.play("white", ActivateRefinery(3, 0, 2, 0))
    game.play("white", OpenBriefcase("BC1"))
    assert game.offers("white", ActivateRefinery(1, 1, 1, 0))


@pytest.mark.rule("OR-REFINE.7")
def test_each_activation_is_a_sequence_and_is_settled(position):
    game = refining(position, refineries=5, barrels=PLENTY, progress=5)
    facts = game.play("white", ActivateRefinery(2, 1, 0, 1))
    assert facts.in_order(fact(ProgressMarkerMoved, space=6), fact(LevelReached, player="white", level=2))
    assert game.decision == ("white", "phase_menu")


@pytest.mark.rule("OR-REFINE.8")
@pytest.mark.parametrize("slot", RECIPES)
def test_the_modern_refinery_keeps_the_recipe_of_its_slot(position, slot):
    early = refining(position, refineries=slot, barrels=PLENTY)
    modern = refining(position, refineries=slot + 6, barrels=PLENTY)

    def payments(game):
        return {command for command in game.legal("white", ActivateRefinery) if command.slot == slot}

    assert payments(modern) == payments(early)
    facts = modern.play("white", ActivateRefinery(slot, *RECIPES[slot]))
    assert fact(RefineryActivated, player="white", slot=slot, number=slot + 6) in facts


# -- the Basic Refinery ----------------------------------------------------------------------------------------


def load(game, yellow, green, blue):
    """Loads the Basic Refinery; white holds barrels of every colour."""
    game.play("white", UseBasicRefinery())
    for colour, count in zip(("yellow", "green", "blue"), (yellow, green, blue), strict=True):
        facts = game.play("white", LoadBasicRefinery(colour, count))
    return facts


@pytest.mark.rule("OR-REFINE.9")
def test_the_basic_refinery_runs_once_in_a_phase(position):
    game = refining(position, barrels=PLENTY)
    load(game, 1, 0, 0)
    assert game.decision == ("white", "phase_menu")
    assert not game.offers("white", UseBasicRefinery())
    assert game.refused("white", UseBasicRefinery()).code == "BASIC_ALREADY_USED"


@pytest.mark.rule("OR-REFINE.9")
def test_the_basic_refinery_takes_any_positive_number_of_barrels(position):
    game = refining(position, barrels={"yellow": 2, "green": 1, "blue": 1})
    game.play("white", UseBasicRefinery())
    assert game.legal("white") == [LoadBasicRefinery(1, count) for count in (0, 1, 2)]
    game.play("white", LoadBasicRefinery("yellow", 0))
    game.play("white", LoadBasicRefinery("green", 0))
    assert game.refused("white", LoadBasicRefinery("blue", 0)).code == "COMMAND_NOT_EXPECTED"
    assert game["white"].barrels["blue"] == 0


@pytest.mark.rule("OR-REFINE.9")
def test_the_basic_refinery_does_not_run_on_nothing(position):
    game = refining(position, barrels={"yellow": 1, "blue": 2})
    game.play("white", UseBasicRefinery())
    game.play("white", LoadBasicRefinery("yellow", 0))
    assert game.refused("white", LoadBasicRefinery("blue", 0)).code == "NOTHING_LOADED"
    assert game.legal("white") == [LoadBasicRefinery(3, 1), LoadBasicRefinery(3, 2)]
    game = refining(position, barrels={})
    assert game.refused("white", UseBasicRefinery()).code == "NOT_ENOUGH_BARRELS"


VALUES = [
    ((1, 0, 0), 1, 0),
    ((2, 0, 0), 2, 1),
    ((0, 1, 0), 2, 1),
    ((0, 0, 1), 3, 1),
    ((1, 0, 1), 4, 2),
    ((1, 1, 1), 6, 3),
    ((0, 2, 1), 7, 3),
    ((2, 2, 1), 9, 4),
]


@pytest.mark.rule("OR-REFINE.10")
@pytest.mark.parametrize(("barrels", "value", "result"), VALUES)
def test_the_basic_refinery_gives_half_the_value_of_its_barrels(position, barrels, value, result):
    game = refining(position, barrels=PLENTY)
    facts = load(game, *barrels)
    yellow, green, blue = barrels
    assert facts.in_order(
        fact(GoodsChanged, yellow=-yellow, green=-green, blue=-blue, reason="PAYMENT"),
        fact(BasicRefineryUsed, player="white", yellow=yellow, green=green, blue=blue, value=value),
    )
    if result == 0:
        assert game.decision == ("white", "phase_menu")
        return
    assert {sum((mix.tools, mix.coins, mix.coal)) for mix in game.legal("white", ChooseResources)} == {result}
    facts = game.play("white", ChooseResources(0, result, 0))
    assert fact(GoodsChanged, player="white", coins=result, reason="BASIC_REFINERY") in facts


@pytest.mark.rule("OR-REFINE.10")
def test_the_resources_of_the_basic_refinery_are_taken_in_any_mix(position):
    game = refining(position, barrels=PLENTY)
    load(game, 1, 0, 1)
    assert set(game.legal("white")) == {
        ChooseResources(tools, coins, 2 - tools - coins) for tools in range(3) for coins in range(3 - tools)
    }
    game.play("white", ChooseResources(1, 0, 1))
    assert (game["white"].tools, game["white"].coins, game["white"].coal) == (1, 0, 1)


@pytest.mark.rule("OR-REFINE.11")
def test_triggers_of_the_basic_refinery_follow_the_resources(position):
    game = refining(position, barrels=PLENTY, improvements=["IM11"])
    load(game, 1, 1, 0)
    assert game["white"].patents == 1
    facts = game.play("white", ChooseResources(1, 0, 0))
    assert facts.in_order(
        fact(GoodsChanged, tools=1, reason="BASIC_REFINERY"),
        fact(GoodsChanged, patents=1, reason="EQUIPMENT"),
        fact(VictoryPointsGained, amount=1, category="equipment"),
    )


@pytest.mark.rule("OR-REFINE.11")
def test_triggers_of_the_basic_refinery_start_also_for_no_result(position):
    game = refining(position, barrels=PLENTY, improvements=["IM11"])
    facts = load(game, 1, 0, 0)
    assert facts.in_order(BasicRefineryUsed, fact(GoodsChanged, patents=1, reason="EQUIPMENT"))


# -- the end of the phase --------------------------------------------------------------------------------------


@pytest.mark.rule("OR-REFINE.12")
def test_a_player_ends_the_phase_turn_at_will_and_keeps_unused_barrels_for_the_moment(position):
    game = refining(position, refineries=2, barrels={"yellow": 3, "green": 2, "blue": 2})
    game.player("red", barrels={"blue": 1})
    facts = game.play("white", EndPhaseTurn())
    assert fact(PhaseTurnEnded, player="white", phase="oil_refining") in facts
    assert game.decision == ("red", "phase_menu")
    assert game["white"].barrels == {"yellow": 3, "green": 2, "blue": 2}


@pytest.mark.rule("OR-REFINE.13")
def test_after_the_last_phase_turn_all_barrels_above_one_of_a_colour_are_discarded_for_nothing(position):
    game = position(phase="oil_refining", at="end_of_phase", players=3)
    game.player("white", barrels={"yellow": 3, "green": 1, "blue": 2}).player("red", barrels={"green": 5})
    game.player("blue", barrels={"blue": 1})
    capped = game.opening[: game.opening.index(next(e for e in game.opening if isinstance(e, PhaseEnded)))]
    assert len(capped) == 2
    assert fact(GoodsChanged, player="white", yellow=-2, green=0, blue=-1, reason="BARREL_CAP") in game.opening
    assert fact(GoodsChanged, player="red", yellow=0, green=-4, blue=0, reason="BARREL_CAP") in game.opening
    cap = {"tools": 0, "coins": 0, "coal": 0, "patents": 0, "energy": 0, "reason": "BARREL_CAP"}
    assert game.opening.count(fact(GoodsChanged, **cap)) == 2
    assert game["white"].barrels == {"yellow": 1, "green": 1, "blue": 1}
    assert game["red"].barrels == {"yellow": 0, "green": 1, "blue": 0}
    assert game["blue"].barrels == {"yellow": 0, "green": 0, "blue": 1}


@pytest.mark.rule("OR-REFINE.14")
def test_barrels_kept_are_there_in_the_next_round_under_the_same_rules(position):
    game = position(phase="oil_refining", at="end_of_phase", round=1).player("white", barrels={"blue": 2})
    assert game.seen.round == 2
    assert game["white"].barrels == {"yellow": 0, "green": 0, "blue": 1}

    later = position(phase="oil_extraction", at="end_of_phase", round=2)
    later.player("white", barrels={"blue": 1}, refineries=2)
    assert later.decision == ("white", "phase_menu")
    assert later["white"].barrels == {"yellow": 1, "green": 1, "blue": 2}
    assert later.offers("white", ActivateRefinery(2, 0, 0, 2))


@pytest.mark.rule("OR-REFINE.4", "OR-REFINE.10")
def test_the_example_with_one_refinery_and_the_basic_one(position):
    game = refining(position, patents=0, refineries=2, progress=5, barrels={"yellow": 1, "green": 2, "blue": 1})
    facts = game.play("white", ActivateRefinery(2, 1, 0, 1))
    assert fact(LevelReached, player="white", level=2) in facts
    assert (game["white"].coins, game["white"].progress) == (3, 6)
    game.play("white", UseBasicRefinery())
    game.play("white", LoadBasicRefinery("green", 1))
    facts = game.play("white", ChooseResources(1, 0, 0))
    assert fact(PhaseTurnEnded, player="white", phase="oil_refining") in facts
    assert fact(GoodsChanged, reason="BARREL_CAP") not in facts
    assert game["white"].barrels == {"yellow": 0, "green": 1, "blue": 0}


@pytest.mark.rule("OR-REFINE.3")
def test_the_example_with_both_refineries(position):
    game = refining(position, refineries=2, barrels={"yellow": 1, "green": 2, "blue": 1})
    game.play("white", ActivateRefinery(1, 0, 2, 0))
    game.play("white", ActivateRefinery(2, 1, 0, 1))
    assert game["white"].barrels == {"yellow": 0, "green": 0, "blue": 0}
    game = refining(position, refineries=2, barrels={"yellow": 1, "green": 2, "blue": 1})
    game.play("white", ActivateRefinery(1, 1, 0, 1))
    assert game.refused("white", ActivateRefinery(2, 1, 0, 1)).code == "NOT_ENOUGH_BARRELS"
