"""OR-BUY: buying Improvements."""

import pytest

from wellhead_rules.oil_rock.commands import (
    BuildDrill,
    BuyImprovement,
    EndTurn,
    ForgoSource,
    OpenBriefcase,
    ResolveAction,
    UseAbility,
    UseExtraAction,
)
from wellhead_rules.oil_rock.events import (
    DecisionOpened,
    DrillBuilt,
    GoodsChanged,
    ImprovementLaid,
    ImprovementRevealed,
    ImprovementTaken,
    ProgressMarkerMoved,
)
from wellhead_rules.oil_rock.events import VictoryPointsGained as PointsGained
from wellhead_rules.oil_rock.facts import fact
from wellhead_rules.oil_rock.vocabulary import Reason

EQUIPMENT = dict(zip(range(1, 16), [3, 2, 3, 3, 3, 3, 2, 2, 2, 2, 3, 2, 3, 4, 3], strict=True))
TECHNOLOGY = dict(zip(range(16, 31), [4, 5, 4, 4, 5, 4, 4, 4, 4, 3, 4, 4, 5, 5, 4], strict=True))
STRUCTURE = dict(zip(range(31, 46), [4, 4, 3, 3, 3, 2, 4, 3, 5, 3, 4, 4, 4, 4, 5], strict=True))
PRICES = [
    (f"IM{number:02}", goods, price)
    for goods, cards in (("coins", EQUIPMENT), ("tools", TECHNOLOGY), ("coal", STRUCTURE))
    for number, price in cards.items()
]
RICH = {"tools": 9, "coins": 9, "coal": 9}


def buyable(game):
    return {command.improvement for command in game.legal("white", BuyImprovement)}


@pytest.mark.rule("OR-BUY.1")
def test_any_one_card_of_the_display_can_be_bought(position):
    game = position(players=2, display=["IM01", "IM16", "IM31", "IM45"]).player("white", **RICH).acting("improvement")
    assert buyable(game) == {"IM01", "IM16", "IM31", "IM45"}
    assert game.refused("white", BuyImprovement("IM02")).code == "CARD_NOT_AVAILABLE"
    facts = game.play("white", BuyImprovement("IM45"))
    assert facts.count(ImprovementTaken) == 1
    assert fact(ImprovementTaken, player="white", improvement="IM45", origin="DISPLAY") in facts
    assert game["white"].improvements == ("IM45",)
    assert not game.legal("white", BuyImprovement)


@pytest.mark.rule("OR-BUY.2")
@pytest.mark.parametrize(("card", "goods", "price"), PRICES)
def test_equipment_costs_coins_technology_tools_and_structures_coal(position, card, goods, price):
    game = position(players=2, display=[card, "IM10" if card != "IM10" else "IM09"]).player("white", **RICH)
    facts = game.acting("improvement").play("white", BuyImprovement(card))
    nothing = {"tools": 0, "coins": 0, "coal": 0}
    assert fact(GoodsChanged, player="white", **{**nothing, goods: -price}, reason="PAYMENT") in facts


@pytest.mark.rule("OR-BUY.2")
@pytest.mark.parametrize(
    ("card", "held", "code"),
    [
        ("IM01", {**RICH, "coins": 2}, "NOT_ENOUGH_COINS"),
        ("IM17", {**RICH, "tools": 4}, "NOT_ENOUGH_TOOLS"),
        ("IM31", {**RICH, "coal": 3}, "NOT_ENOUGH_COAL"),
    ],
)
def test_no_other_goods_pay_for_a_card(position, card, held, code):
    game = position(players=2, display=["IM01", "IM17", "IM31"]).player("white", **held).acting("improvement")
    assert game.refused("white", BuyImprovement(card)).code == code


@pytest.mark.rule("OR-BUY.3")
def test_the_display_is_one_card_shorter_until_phase_6(position):
    game = position(players=2, display=["IM01", "IM16", "IM31"]).player("white", **RICH).acting("improvement")
    facts = game.play("white", BuyImprovement("IM31"))
    assert game.seen.display == ("IM01", "IM16")
    facts += game.play("white", ForgoSource("AT07"))
    assert game.decision == ("red", "turn_menu")
    assert ImprovementRevealed not in facts
    assert game.seen.display == ("IM01", "IM16")


@pytest.mark.rule("OR-BUY.3")
def test_phase_6_fills_the_display_again(position):
    game = position(players=2, phase="goals", at="end_of_phase", display=["IM01", "IM16", "IM31"])
    assert game.opening.count(ImprovementRevealed) == 5, "two of the three leave, six are wanted"
    assert len(game.seen.display) == 6


@pytest.mark.rule("OR-BUY.4")
def test_a_technology_works_when_it_is_acquired_and_never_again(position):
    game = position(players=2, display=["IM26", "IM19"]).player("white", tools=8, patents=3, progress=7)
    game.acting("improvement")
    facts = game.play("white", BuyImprovement("IM26"))
    assert fact(ProgressMarkerMoved, player="white", origin=7, space=11, reason="TECHNOLOGY") in facts
    facts = game.play("white", UseExtraAction("XA5"))
    assert fact(ImprovementTaken, improvement="IM19") in facts, "the only card left in the display"
    assert facts.count(fact(ProgressMarkerMoved, player="white", reason="TECHNOLOGY")) == 1
    assert game["white"].progress == 12


@pytest.mark.rule("OR-BUY.5")
def test_an_equipment_works_from_its_acquisition_on_each_time_its_condition_occurs(position):
    game = position(players=2, display=["IM10", "IM16"]).player("white", tools=4, coins=2, patents=3, progress=7)
    game.pending("AT07")
    assert ProgressMarkerMoved not in game.play("white", OpenBriefcase("BC1"))
    game.play("white", ResolveAction("AT07", "improvement"))
    game.play("white", BuyImprovement("IM10"))
    assert game["white"].progress == 7
    game.play("white", OpenBriefcase("BC2"))
    assert game["white"].progress == 8
    game.play("white", ResolveAction("AT07", "progress"))
    assert game["white"].progress == 9


@pytest.mark.rule("OR-BUY.6")
def test_a_structure_scores_at_the_end_of_the_game_and_not_when_it_is_bought(position):
    game = position(players=2, display=["IM31", "IM01"]).player("white", coal=4, coins=3, offices=["R01", "R02"])
    game.acting("improvement")
    facts = game.play("white", BuyImprovement("IM31"))
    assert facts.count(PointsGained) == 1
    assert game["white"].vp == game["white"].vp_by_category["improvement_depth"] == 1
    structures = [line for line in game.score.lines if line.category == "structures"]
    assert [(line.seat, line.source_id, line.points) for line in structures] == [(game.seat("white"), "IM31", 4)]


@pytest.mark.rule("OR-BUY.7")
def test_cost_card_effects_laying_points_for_the_depth_and_triggers_come_in_this_order(position):
    game = position(players=2, display=["IM18", "IM26"])
    game.player("white", tools=9, depth={"green": 2}, improvements=["IM13"]).acting("improvement")
    facts = game.play("white", BuyImprovement("IM18"))
    assert facts.in_order(
        fact(GoodsChanged, player="white", tools=-4, reason="PAYMENT"),
        fact(ImprovementTaken, player="white", improvement="IM18"),
        fact(GoodsChanged, player="white", patents=2, reason="TECHNOLOGY"),
        fact(ProgressMarkerMoved, player="white", origin=3, space=5, reason="TECHNOLOGY"),
        fact(ImprovementLaid, player="white", improvement="IM18"),
        fact(PointsGained, player="white", amount=2, category="IMPROVEMENT_DEPTH"),
        fact(DecisionOpened, owner="white", kind="bonus_region"),
    )


@pytest.mark.rule("OR-BUY.7")
@pytest.mark.parametrize(("card", "points"), [("IM01", 2), ("IM20", 3), ("IM31", 4)])
def test_the_points_are_the_depth_of_the_well_of_the_colour_of_the_card(position, card, points):
    game = position(players=2, display=[card, "IM02"])
    game.player("white", depth={"yellow": 2, "green": 3, "blue": 4}, **RICH)
    game.player("white", offices=["R01 from yellow", "R02 from green", "R03 from blue", "R04 from blue",
                                  "R05 from green"]).acting("improvement")  # fmt: skip
    facts = game.play("white", BuyImprovement(card))
    assert fact(PointsGained, player="white", amount=points, category="IMPROVEMENT_DEPTH", source_id=card) in facts


@pytest.mark.rule("OR-BUY.8")
@pytest.mark.parametrize(("well", "points"), [("green", 2), ("blue", 1)])
def test_a_drill_built_by_the_technology_counts_for_its_own_points(position, well, points):
    game = position(players=2, display=["IM23", "IM26"]).player("white", tools=9).acting("improvement")
    game.play("white", BuyImprovement("IM23"))
    facts = game.play("white", BuildDrill(well))
    assert facts.in_order(
        fact(DrillBuilt, player="white", well=well),
        fact(ImprovementLaid, player="white", improvement="IM23"),
        fact(PointsGained, player="white", amount=points, category="IMPROVEMENT_DEPTH"),
    )


@pytest.mark.rule("OR-BUY.9")
def test_a_player_may_own_every_improvement(position):
    owned = [f"IM{number:02}" for number in range(1, 45)]
    game = position(players=2, display=["IM45"]).player("white", coal=5, improvements=owned, patents=1).pending("AT07")
    game.play("white", ResolveAction("AT07", "improvement"))
    assert len(game["white"].improvements) == 45


def by_action(game):
    game.acting("improvement")


def by_extra_action(game):
    game.player("white", patents=3)
    game.play("white", UseExtraAction("XA5"))


def by_briefcase(game):
    game.player("white", patents=3)
    game.play("white", OpenBriefcase("BC6"))


def by_ability(level):
    def use(game):
        game.say(phase="goals").player("white", character="carnegie", progress={3: 15, 5: 30}[level])
        game.play("white", UseAbility())

    return use


def by_bonus(game):
    game.resolving("briefcase:BC6", player="white")


@pytest.mark.rule("OR-BUY.10")
@pytest.mark.parametrize(
    ("way", "price"),
    [
        (by_action, 5),
        (by_extra_action, 5),
        (by_briefcase, 0),
        (by_ability(3), 4),
        (by_ability(5), 0),
        (by_bonus, 0),
    ],
    ids=["action", "extra_action", "briefcase", "ability_cheaper", "ability_free", "bonus"],
)
def test_effects_points_and_triggers_are_the_same_however_a_card_is_acquired(position, way, price):
    """Card 17 gives 3 Coal and 3 Progress; the owner of card 13 then takes a railway bonus."""
    game = position(players=2, display=["IM17", "IM16"]).region("R03", railway_token="RW_H4")
    game.player("white", tools=6, depth={"green": 2}, improvements=["IM13"])
    way(game)
    facts = game.play("white", BuyImprovement("IM17"))
    paid = [-change.tools for change in facts.of(GoodsChanged) if change.tools]
    assert paid == ([price] if price else [])
    assert facts.in_order(
        fact(ImprovementTaken, player="white", improvement="IM17"),
        fact(GoodsChanged, player="white", coal=3, reason="TECHNOLOGY"),
        fact(ProgressMarkerMoved, player="white", reason="TECHNOLOGY"),
        fact(ImprovementLaid, player="white", improvement="IM17"),
        fact(PointsGained, player="white", amount=2, category="IMPROVEMENT_DEPTH"),
        fact(DecisionOpened, owner="white", kind="bonus_region"),
    )


@pytest.mark.rule("OR-BUY.10")
def test_a_structure_acquired_free_scores_like_any_other(position):
    game = position(players=2, display=["IM31", "IM16"]).player("white", patents=3, offices=["R01", "R02"])
    game.play("white", OpenBriefcase("BC6"))
    facts = game.play("white", BuyImprovement("IM31"))
    assert fact(PointsGained, player="white", amount=1, category="IMPROVEMENT_DEPTH") in facts
    assert ("IM31", 4) in [(line.source_id, line.points) for line in game.score.lines]


@pytest.mark.rule("OR-BUY.3")
def test_the_next_player_buys_from_what_is_left(position):
    game = position(players=2, display=["IM01", "IM20", "IM31"]).player("white", patents=1, **RICH)
    game.player("red", patents=3, **RICH).pending("AT07", "improvement")
    game.play("white", ResolveAction("AT07", "improvement"))
    game.play("white", BuyImprovement("IM20"))
    game.play("white", EndTurn())
    game.play("red", UseExtraAction("XA5"))
    assert {command.improvement for command in game.legal("red", BuyImprovement)} == {"IM01", "IM31"}


@pytest.mark.rule("OR-BUY.11")
@pytest.mark.parametrize(
    ("card", "goods", "price"), [("IM01", "coins", 3), ("IM17", "tools", 5), ("IM31", "coal", 4), ("IM36", "coal", 2)]
)
@pytest.mark.parametrize(("owned", "discount"), [([], 2), (["IM15"], 3)])
def test_a_discount_lowers_the_cost_number_of_a_card_whatever_goods_it_costs(
    position, card, goods, price, owned, discount
):
    """Carnegie at Level IV takes off 2, card 15 one more."""
    game = position(players=2, phase="goals", display=[card, "IM02"])
    game.player("white", character="carnegie", progress=22, improvements=owned, **RICH)
    game.play("white", UseAbility())
    facts = game.play("white", BuyImprovement(card))
    paid = sum(-getattr(change, goods) for change in facts.of(GoodsChanged) if change.reason == Reason.PAYMENT)
    assert paid == max(0, price - discount)
