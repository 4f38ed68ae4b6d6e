"""OR-REF: building refineries."""

import pytest

from wellhead_rules.oil_rock.commands import (
    ActivateRefinery,
    BuildOffice,
    ChooseOption,
    ForgoSource,
    PayForMore,
    ResolveAction,
    StopPaying,
    UseExtraAction,
)
from wellhead_rules.oil_rock.events import (
    DecisionOpened,
    EffectSkipped,
    GoodsChanged,
    RefineryActivated,
    RefineryBuilt,
)
from wellhead_rules.oil_rock.events import VictoryPointsGained as PointsGained
from wellhead_rules.oil_rock.facts import fact

REFINERY = ResolveAction("AT17", "refinery")
REFINERY_PLUS = ResolveAction("AT03", "refinery_plus")
# What pays exactly for the recipe of a slot.
RECIPES = {
    1: ActivateRefinery(1, 1, 1, 0),
    2: ActivateRefinery(2, 1, 0, 1),
    3: ActivateRefinery(3, 0, 2, 0),
    4: ActivateRefinery(4, 0, 1, 1),
    5: ActivateRefinery(5, 2, 0, 1),
    6: ActivateRefinery(6, 0, 2, 1),
}
PLENTY = {"yellow": 4, "green": 4, "blue": 4}


def numbers(facts):
    return [built.number for built in facts.of(RefineryBuilt)]


@pytest.mark.rule("OR-REF.1")
def test_the_refinery_action_builds_one_refinery_free_of_charge(position):
    game = position(players=2).player("white", coins=9, tools=9, coal=9).pending("AT17")
    facts = game.play("white", REFINERY)
    assert numbers(facts) == [1]
    assert GoodsChanged not in facts


@pytest.mark.rule("OR-REF.1")
def test_a_player_with_nothing_can_build_a_refinery(position):
    game = position(players=2).pending("AT17")
    game.play("white", REFINERY)
    assert game["white"].refineries == 1


@pytest.mark.rule("OR-REF.2", "OR-REF.3", "OR-REF.4")
@pytest.mark.parametrize("number", range(1, 13))
def test_refineries_are_built_in_ascending_number_and_again_from_slot_1_after_the_sixth(position, number):
    game = position(players=2).player("white", refineries=number - 1).pending("AT17")
    facts = game.play("white", REFINERY)
    slot = number if number <= 6 else number - 6
    assert facts.count(RefineryBuilt) == 1
    assert fact(RefineryBuilt, player="white", number=number, slot=slot) in facts


@pytest.mark.rule("OR-REF.3")
@pytest.mark.parametrize("number", range(1, 7))
def test_each_of_the_first_six_refineries_opens_its_own_slot(position, number):
    game = position(players=2, phase="oil_refining")
    game.player("white", refineries=number - 1, barrels=PLENTY, patents=3)
    assert game.refused("white", RECIPES[number]).code == "REFINERY_NOT_BUILT"
    game.play("white", UseExtraAction("XA4"))
    game.play("white", ResolveAction("XA4", "refinery_plus"))
    game.play("white", ForgoSource("XA4"))
    assert game.offers("white", RECIPES[number])
    opened = {command.slot for command in game.legal("white", ActivateRefinery)}
    assert opened == set(range(1, number + 1))


@pytest.mark.rule("OR-REF.4")
@pytest.mark.parametrize("number", range(7, 13))
def test_a_modern_refinery_replaces_the_early_one_in_its_slot(position, number):
    """The recipe stays; every other slot keeps the refinery that stands there."""
    game = position(players=2, phase="oil_refining").player("white", refineries=number, barrels=PLENTY)
    slot = number - 6
    facts = game.play("white", RECIPES[slot])
    assert fact(RefineryActivated, slot=slot, number=number) in facts
    after = slot + 1
    if after <= 6:
        assert fact(RefineryActivated, slot=after, number=after) in game.play("white", RECIPES[after])
    assert {command.slot for command in game.legal("white", ActivateRefinery)} <= set(range(1, 7))


@pytest.mark.rule("OR-REF.4")
def test_turning_the_first_refinery_over_changes_what_slot_1_gives(position):
    early = position(players=2, phase="oil_refining").player("white", refineries=6, barrels=PLENTY)
    early.play("white", RECIPES[1])
    modern = position(players=2, phase="oil_refining").player("white", refineries=7, barrels=PLENTY)
    modern.play("white", RECIPES[1])
    assert (early["white"].tools, early["white"].coins, early["white"].vp) == (2, 0, 1)
    assert (modern["white"].tools, modern["white"].coins, modern["white"].vp) == (2, 1, 3)


@pytest.mark.rule("OR-REF.5", "OR-REF.8")
@pytest.mark.parametrize(("source", "action"), [("AT17", "refinery"), ("AT03", "refinery_plus")])
def test_a_thirteenth_refinery_cannot_be_built(position, source, action):
    game = position(players=2).player("white", refineries=12, coins=9, patents=1).pending(source)
    assert game.refused("white", ResolveAction(source, action)).code == "ACTION_IMPOSSIBLE"


@pytest.mark.rule("OR-REF.5")
def test_nothing_more_is_offered_for_coins_after_the_twelfth(position):
    game = position(players=2).player("white", refineries=11, coins=9).pending("AT03")
    facts = game.play("white", REFINERY_PLUS)
    assert numbers(facts) == [12]
    assert fact(DecisionOpened, kind="paid_repeat") not in facts
    assert game["white"].coins == 9


@pytest.mark.rule("OR-REF.6")
def test_refinery_plus_builds_one_free_and_up_to_two_more_for_3_coins_each(position):
    game = position(players=2).player("white", coins=20).pending("AT03")
    facts = game.play("white", REFINERY_PLUS)
    assert numbers(facts) == [1]
    assert GoodsChanged not in facts
    for number in (2, 3):
        assert set(game.legal("white")) == {PayForMore(), StopPaying()}
        facts = game.play("white", PayForMore())
        assert facts.in_order(fact(GoodsChanged, coins=-3, reason="PAYMENT"), fact(RefineryBuilt, number=number))
    assert not game.legal("white", PayForMore)
    assert (game["white"].coins, game["white"].refineries) == (14, 3)


@pytest.mark.rule("OR-REF.6")
def test_the_longest_refinery_action_costs_6_coins(position):
    game = position(players=2).player("white", coins=6).pending("AT03")
    game.play("white", REFINERY_PLUS)
    game.play("white", PayForMore())
    game.play("white", PayForMore())
    assert (game["white"].refineries, game["white"].coins) == (3, 0)


@pytest.mark.rule("OR-REF.6")
def test_a_player_may_stop_after_any_refinery(position):
    game = position(players=2).player("white", coins=6, refineries=1).pending("AT03")
    game.play("white", REFINERY_PLUS)
    game.play("white", PayForMore())
    game.play("white", StopPaying())
    assert (game["white"].refineries, game["white"].coins) == (3, 3)
    assert not game.legal("white", PayForMore)


@pytest.mark.rule("OR-REF.6")
def test_with_less_than_3_coins_no_further_refinery_is_offered(position):
    game = position(players=2).player("white", coins=4, refineries=1).pending("AT03")
    game.play("white", REFINERY_PLUS)
    facts = game.play("white", PayForMore())
    assert fact(DecisionOpened, kind="paid_repeat") not in facts
    assert (game["white"].refineries, game["white"].coins) == (3, 1)


@pytest.mark.rule("OR-REF.7")
@pytest.mark.parametrize(("gain", "asked"), [(0, True), (1, False)])
def test_each_purchase_is_decided_after_the_effects_of_the_refinery_before_it(position, gain, asked):
    """Equipment 4 gives a Coin or a point; only with the Coin is the next refinery within reach."""
    game = position(players=2).player("white", coins=2, improvements=["IM04"]).pending("AT03")
    game.play("white", REFINERY_PLUS)
    assert game.decision == ("white", "alternative")
    game.play("white", ChooseOption(gain))
    assert (game.decision == ("white", "paid_repeat")) is asked


@pytest.mark.rule("OR-REF.8")
def test_a_bonus_that_would_build_a_thirteenth_refinery_is_skipped(position):
    game = position(players=2).region("R05", region_tile="RT_H4")
    game.player("white", train="R05", tools=3, refineries=12).acting("office")
    facts = game.play("white", BuildOffice("R05", "yellow"))
    assert RefineryBuilt not in facts
    assert fact(EffectSkipped, player="white") in facts
    assert game["white"].coins == 1, "the rest of the bonus is received"


@pytest.mark.rule("OR-REF.9")
def test_the_triggers_follow_each_refinery(position):
    game = position(players=2).player("white", coins=3, improvements=["IM04"]).pending("AT03")
    game.play("white", REFINERY_PLUS)
    facts = game.play("white", ChooseOption(1))
    assert fact(PointsGained, player="white", amount=1, category="EQUIPMENT") in facts
    facts = game.play("white", PayForMore())
    assert facts.in_order(RefineryBuilt, fact(DecisionOpened, owner="white", kind="alternative"))
    facts = game.play("white", ChooseOption(1))
    assert fact(PointsGained, player="white", amount=1, category="EQUIPMENT") in facts
