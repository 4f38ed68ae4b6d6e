"""OR-CHAR.LUKASIEWICZ to OR-CHAR.VANDERBILT: the abilities of the six characters, tier by tier."""

import pytest

from wellhead_rules.oil_rock import RULESET
from wellhead_rules.oil_rock.commands import (
    ActivateRefinery,
    BuildDrill,
    BuildOffice,
    BuyImprovement,
    ChooseResources,
    ConvertBarrels,
    DeclineEffect,
    EndPhaseTurn,
    KeepEngineer,
    LoadBasicRefinery,
    MoveEngineer,
    MoveTrain,
    UseAbility,
    UseBasicRefinery,
)
from wellhead_rules.oil_rock.events import (
    CategoryScored,
    DecisionOpened,
    DrillBuilt,
    EffectDeclined,
    EngineerMoved,
    GoodsChanged,
    ImprovementLaid,
    ImprovementRevealed,
    ImprovementsLookedAt,
    ImprovementsPutUnder,
    ImprovementTaken,
    OfficeBuilt,
    PhaseTurnEnded,
    PhaseTurnStarted,
    ProgressMarkerMoved,
    RefineryActivated,
    RefineryBuilt,
    TrainMoved,
    VictoryPointsGained,
)
from wellhead_rules.oil_rock.facts import fact

SPACE = {1: 3, 2: 6, 3: 13, 4: 20, 5: 27, 6: 34}


def using(position, character, phase, level, **said):
    """White is about to begin the phase turn of the ability; a Patent keeps the turn from ending by itself."""
    return position(phase=phase, at="start_of_turn", turn="white").player(
        "white", character=character, progress=SPACE[level], **{"patents": 1, **said}
    )


def paid(facts):
    """What has been paid, by kind."""
    names = ("tools", "coins", "coal", "patents", "yellow", "green", "blue", "energy")
    payments = [event for event in facts.of(GoodsChanged) if event.reason.name == "PAYMENT"]
    return {name: -sum(getattr(event, name) for event in payments) for name in names
            if sum(getattr(event, name) for event in payments)}  # fmt: skip


def points(facts):
    """The points that the ability itself has given."""
    return sum(event.amount for event in facts.of(VictoryPointsGained) if event.category.name == "ABILITY")


# -- Ignacy Lukasiewicz ----------------------------------------------------------------------------------------


def lukasiewicz(position, level=3, **said):
    return using(position, "lukasiewicz", "oil_refining", level, **said)


ENERGY_COSTS = {1: 2, 2: 2, 3: 3, 4: 3, 5: 4, 6: 5}


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.1")
@pytest.mark.parametrize(("slot", "energy"), ENERGY_COSTS.items())
@pytest.mark.parametrize("modern", [0, 6])
def test_refineries_are_paid_with_energy(position, slot, energy, modern):
    game = lukasiewicz(position, 6, refineries=slot + modern)
    facts = game.play("white", ActivateRefinery(slot, 0, 0, 0))
    assert paid(facts) == {"energy": energy}
    assert fact(RefineryActivated, player="white", slot=slot, number=slot + modern) in facts
    assert game["white"].energy == 10 - energy


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.1")
def test_barrels_cannot_pay_for_a_refinery_any_more(position):
    game = lukasiewicz(position, 3, refineries=6, barrels={"yellow": 1, "green": 1})
    game.play("white", ConvertBarrels("yellow", 0))
    game.play("white", ConvertBarrels("green", 0))
    assert game.refused("white", ActivateRefinery(1, 1, 1, 0)).code == "PAYMENT_NOT_EXACT"
    payable = [ActivateRefinery(slot, 0, 0, 0) for slot in (1, 2, 3, 4)]
    assert game.legal("white", ActivateRefinery) == payable
    assert game.refused("white", ActivateRefinery(5, 0, 0, 0)).code == "NOT_ENOUGH_ENERGY"


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.2")
def test_barrels_are_converted_colour_by_colour_after_the_gains_and_before_anything_else(position):
    game = lukasiewicz(position, 5, barrels={"yellow": 2, "green": 1, "blue": 3})
    assert game.opening.in_order(
        fact(GoodsChanged, player="white", energy=8, reason="ABILITY"),
        fact(VictoryPointsGained, amount=2, category="ability"),
        fact(DecisionOpened, owner="white", kind="energy_conversion"),
    )
    assert game.legal("white") == [ConvertBarrels(1, count) for count in (0, 1, 2)]
    game.play("white", ConvertBarrels("yellow", 2))
    assert game.legal("white") == [ConvertBarrels(2, count) for count in (0, 1)]
    game.play("white", ConvertBarrels("green", 0))
    assert game.legal("white") == [ConvertBarrels(3, count) for count in (0, 1, 2, 3)]
    game.play("white", ConvertBarrels("blue", 1))
    assert game.decision == ("white", "phase_menu")
    assert game["white"].energy == 8 + 2 + 3
    assert game["white"].barrels == {"yellow": 0, "green": 1, "blue": 2}


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.2")
@pytest.mark.parametrize(("colour", "energy"), [("yellow", 1), ("green", 2), ("blue", 3)])
def test_a_barrel_gives_energy_by_its_quality(position, colour, energy):
    game = lukasiewicz(position, 3, barrels={colour: 2})
    facts = game.play("white", ConvertBarrels(colour, 2))
    assert fact(GoodsChanged, player="white", energy=2 * energy, reason="CONVERSION", **{colour: -2}) in facts
    assert game["white"].energy == 3 + 2 * energy


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.2")
def test_a_colour_that_is_not_held_is_not_asked(position):
    game = lukasiewicz(position, 3, barrels={"blue": 1})
    assert game.legal("white") == [ConvertBarrels(3, 0), ConvertBarrels(3, 1)]
    game = lukasiewicz(position, 3)
    assert game.decision == ("white", "phase_menu")


LUKASIEWICZ_TIERS = [
    pytest.param(3, 3, 0, marks=pytest.mark.rule("OR-CHAR.LUKASIEWICZ.3")),
    pytest.param(4, 5, 0, marks=pytest.mark.rule("OR-CHAR.LUKASIEWICZ.4")),
    pytest.param(5, 8, 2, marks=pytest.mark.rule("OR-CHAR.LUKASIEWICZ.5")),
    pytest.param(6, 10, 5, marks=pytest.mark.rule("OR-CHAR.LUKASIEWICZ.6")),
]


@pytest.mark.parametrize(("level", "energy", "vp"), LUKASIEWICZ_TIERS)
def test_lukasiewicz_gains_energy_and_points_by_tier(position, level, energy, vp):
    game = lukasiewicz(position, level)
    assert fact(PhaseTurnStarted, ability_tier=level, energy_mode=True) in game.opening
    assert game["white"].energy == energy
    assert game["white"].vp == vp == points(game.opening)
    assert game.refused("white", UseAbility()).code == "ABILITY_NOT_AVAILABLE"


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.7")
def test_energy_too_runs_each_slot_once_in_a_phase(position):
    game = lukasiewicz(position, 6, refineries=2)
    game.play("white", ActivateRefinery(1, 0, 0, 0))
    assert game.refused("white", ActivateRefinery(1, 0, 0, 0)).code == "REFINERY_ALREADY_ACTIVATED"
    assert game.legal("white", ActivateRefinery) == [ActivateRefinery(2, 0, 0, 0)]


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.8")
def test_energy_left_is_lost_at_the_end_of_the_phase_turn(position):
    game = lukasiewicz(position, 4, refineries=1)
    game.play("white", ActivateRefinery(1, 0, 0, 0))
    facts = game.play("white", EndPhaseTurn())
    assert facts.in_order(
        fact(GoodsChanged, player="white", energy=-3, reason="ENERGY_LOST"),
        fact(PhaseTurnEnded, player="white", phase="oil_refining"),
    )
    assert game["white"].energy == 0


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.8")
def test_energy_does_not_run_the_basic_refinery_and_is_no_resource(position):
    game = lukasiewicz(position, 6)
    assert game["white"].energy == 10
    assert not game.offers("white", UseBasicRefinery())
    assert game.refused("white", UseBasicRefinery()).code == "NOT_ENOUGH_BARRELS"
    facts = position(at="final_scoring").player("white", energy=9).record_scores()
    assert fact(CategoryScored, player="white", category="resources", vp=0) in facts


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.9")
def test_barrels_not_converted_run_the_basic_refinery_or_are_kept(position):
    game = lukasiewicz(position, 3, barrels={"green": 4}).player("red", patents=1)
    game.play("white", ConvertBarrels("green", 1))
    game.play("white", UseBasicRefinery())
    game.play("white", LoadBasicRefinery("green", 1))
    facts = game.play("white", ChooseResources(0, 0, 1))
    assert fact(GoodsChanged, player="white", coal=1, reason="BASIC_REFINERY") in facts
    game.play("white", EndPhaseTurn())
    assert game["white"].barrels["green"] == 2
    game.play("red", EndPhaseTurn())
    assert game["white"].barrels["green"] == 1


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.10")
@pytest.mark.parametrize("level", [1, 2])
def test_below_level_three_lukasiewicz_pays_the_recipes(position, level):
    game = lukasiewicz(position, level, refineries=1, barrels={"yellow": 1, "green": 1})
    assert fact(PhaseTurnStarted, ability_tier=0, energy_mode=False) in game.opening
    assert game.decision == ("white", "phase_menu")
    assert game.refused("white", ActivateRefinery(1, 0, 0, 0)).code == "PAYMENT_NOT_EXACT"
    assert paid(game.play("white", ActivateRefinery(1, 1, 1, 0))) == {"yellow": 1, "green": 1}


@pytest.mark.rule("OR-CHAR.LUKASIEWICZ.2", "OR-CHAR.LUKASIEWICZ.3")
def test_the_example_with_energy(position):
    game = lukasiewicz(position, 3, refineries=3, barrels={"yellow": 1, "green": 2, "blue": 1})
    game.play("white", ConvertBarrels("yellow", 1))
    game.play("white", ConvertBarrels("green", 0))
    game.play("white", ConvertBarrels("blue", 1))
    assert game["white"].energy == 7
    for slot in (1, 2, 3):
        game.play("white", ActivateRefinery(slot, 0, 0, 0))
    assert game["white"].energy == 0
    assert game.offers("white", UseBasicRefinery())


# -- George Bissel ---------------------------------------------------------------------------------------------


def bissel(position, level, **said):
    return using(position, "bissel", "goals", level, train="R01", **said)


BISSEL_TIERS = [
    pytest.param(3, (0, 1, 2), 0, marks=pytest.mark.rule("OR-CHAR.BISSEL.1")),
    pytest.param(4, (0, 0, 1), 1, marks=pytest.mark.rule("OR-CHAR.BISSEL.2")),
    pytest.param(5, (0, 0, 0), 4, marks=pytest.mark.rule("OR-CHAR.BISSEL.3")),
    pytest.param(6, (0, 0, 0), 6, marks=pytest.mark.rule("OR-CHAR.BISSEL.4")),
]


@pytest.mark.parametrize(("level", "costs", "vp"), BISSEL_TIERS)
def test_bissel_builds_an_office_in_any_region_for_less(position, level, costs, vp):
    for region, cost in zip(("R11", "R08", "R12"), costs, strict=True):
        game = bissel(position, level, tools=2)
        game.play("white", UseAbility())
        facts = game.play("white", BuildOffice(region, "green"))
        assert fact(OfficeBuilt, player="white", region=region, well="green") in facts
        assert paid(facts) == ({"tools": cost} if cost else {})
        assert points(game.opening) == vp
        assert game["white"].train == "R01"


@pytest.mark.rule("OR-CHAR.BISSEL.1", "OR-CHAR.BISSEL.3")
@pytest.mark.parametrize(("level", "regions"), [(3, 4), (4, 8), (5, 12), (6, 12)])
def test_bissel_is_offered_every_region_that_can_be_paid(position, level, regions):
    game = bissel(position, level)
    game.play("white", UseAbility())
    assert len({command.region for command in game.legal("white", BuildOffice)}) == regions


@pytest.mark.rule("OR-CHAR.BISSEL.5")
def test_bissel_receives_the_branch_bonus(position):
    game = bissel(position, 5).region("R09", region_tile="RT_M2")
    game.play("white", UseAbility())
    facts = game.play("white", BuildOffice("R09", "yellow"))
    assert facts.in_order(
        fact(OfficeBuilt, region="R09", slot_vp=5),
        fact(GoodsChanged, coins=1, reason="BRANCH_BONUS"),
        fact(ProgressMarkerMoved, origin=27, space=30, reason="BRANCH_BONUS"),
    )


@pytest.mark.rule("OR-CHAR.BISSEL.5")
def test_the_limits_of_offices_hold_for_bissel(position):
    game = position(phase="goals", players=4, turn="white")
    game.player("white", character="bissel", progress=27, offices=["R05 from yellow", "R06 from yellow"])
    game.region("R07", offices=["red", "blue", "yellow"])
    game.play("white", UseAbility())
    assert game.refused("white", BuildOffice("R05", "green")).code == "OFFICE_ALREADY_IN_REGION"
    assert game.refused("white", BuildOffice("R07", "green")).code == "REGION_FULL"
    assert game.refused("white", BuildOffice("R02", "yellow")).code == "WELL_HAS_NO_OFFICE"
    six = position(phase="goals", turn="white").player(
        "white", character="bissel", progress=27, patents=1, offices=["R01", "R02", "R03", "R04", "R05", "R06"]
    )
    assert six.refused("white", UseAbility()).code == "ACTION_IMPOSSIBLE"


# -- Andrew Carnegie -------------------------------------------------------------------------------------------


def carnegie(position, level, **said):
    return using(position, "carnegie", "goals", level, **said)


CARNEGIE_TIERS = [
    pytest.param(3, 1, 3, 0, marks=pytest.mark.rule("OR-CHAR.CARNEGIE.1")),
    pytest.param(4, 2, 2, 1, marks=pytest.mark.rule("OR-CHAR.CARNEGIE.2")),
    pytest.param(5, 3, 0, 4, marks=pytest.mark.rule("OR-CHAR.CARNEGIE.3")),
    pytest.param(6, 4, 0, 6, marks=pytest.mark.rule("OR-CHAR.CARNEGIE.4")),
]
TOP = ["IM43", "IM31", "IM45", "IM44"]
"""Cards on top of the deck; the first costs 4 Coal."""


@pytest.mark.parametrize(("level", "looked_at", "price", "vp"), CARNEGIE_TIERS)
@pytest.mark.parametrize("card", ["IM43", "IM32"])
def test_carnegie_looks_at_cards_and_buys_one_of_them_or_of_the_display_for_less(
    position, level, looked_at, price, vp, card
):
    """Both cards cost 4 Coal, one lies on the deck and one in the display."""
    game = carnegie(position, level, coal=price).say(display=["IM32", "IM16"]).deck(next=TOP)
    facts = game.play("white", UseAbility())
    (look,) = facts.of(ImprovementsLookedAt)
    assert (look.count, list(look.hidden.improvements)) == (looked_at, TOP[:looked_at])
    assert points(game.opening) == vp
    facts = game.play("white", BuyImprovement(card))
    assert paid(facts) == ({"coal": price} if price else {})
    origin = "LOOKED_AT" if card in TOP else "DISPLAY"
    assert fact(ImprovementTaken, player="white", improvement=card, origin=origin) in facts
    assert game["white"].improvements == (card,)


@pytest.mark.rule("OR-CHAR.CARNEGIE.1", "OR-CHAR.CARNEGIE.2")
@pytest.mark.parametrize(("level", "coal"), [(3, 2), (4, 1)])
def test_carnegie_cannot_buy_what_stays_too_dear(position, level, coal):
    game = carnegie(position, level, coal=coal).say(display=["IM32"]).deck(next=TOP)
    game.play("white", UseAbility())
    assert game.refused("white", BuyImprovement("IM32")).code == "NOT_ENOUGH_COAL"
    assert game.legal("white") == [DeclineEffect()]


@pytest.mark.rule("OR-CHAR.CARNEGIE.5")
def test_carnegie_may_buy_nothing(position):
    game = carnegie(position, 5).deck(next=TOP)
    game.play("white", UseAbility())
    facts = game.play("white", DeclineEffect())
    assert EffectDeclined in facts
    assert game["white"].improvements == ()
    assert game.refused("white", UseAbility()).code == "ABILITY_ALREADY_USED"


@pytest.mark.rule("OR-CHAR.CARNEGIE.5")
def test_carnegie_buys_at_most_one_card(position):
    game = carnegie(position, 5).say(display=["IM32", "IM33"]).deck(next=TOP)
    game.play("white", UseAbility())
    game.play("white", BuyImprovement("IM31"))
    assert game.decision == ("white", "phase_menu")
    assert game.legal("white", BuyImprovement) == []


@pytest.mark.rule("OR-CHAR.CARNEGIE.6")
def test_cards_not_bought_go_under_the_deck_as_looked_at_before_the_effects_of_the_bought_card(position):
    game = carnegie(position, 6).deck(next=["IM43", "IM26", "IM08", "IM12"], bottom=["IM02"])
    game.play("white", UseAbility())
    facts = game.play("white", BuyImprovement("IM26"))
    assert facts.in_order(
        fact(ImprovementTaken, improvement="IM26"),
        fact(ImprovementsPutUnder, player="white", count=3),
        fact(ProgressMarkerMoved, player="white", reason="TECHNOLOGY"),
        fact(ImprovementLaid, improvement="IM26"),
    )
    assert game.seen.deck.bottom == ("IM02", "IM43", "IM08", "IM12")
    assert game.seen.deck.looked_at == ()


@pytest.mark.rule("OR-CHAR.CARNEGIE.6")
def test_cards_go_under_the_deck_right_after_the_payment(position):
    game = carnegie(position, 3, coal=3).deck(next=["IM26"]).say(display=["IM43"])
    game.play("white", UseAbility())
    facts = game.play("white", BuyImprovement("IM43"))
    assert facts.in_order(
        fact(GoodsChanged, coal=-3, reason="PAYMENT"),
        fact(ImprovementTaken, improvement="IM43"),
        fact(ImprovementsPutUnder, count=1),
        fact(ImprovementLaid, improvement="IM43"),
    )


@pytest.mark.rule("OR-CHAR.CARNEGIE.6")
def test_declined_cards_go_under_the_deck_and_are_drawn_last(position):
    game = carnegie(position, 4, patents=0).deck(next=["IM43", "IM44"], unknown=["IM43", "IM44", "IM02"])
    game.say(display=["IM20", "IM21", "IM22"])
    game.play("white", UseAbility())
    facts = game.play("white", DeclineEffect())
    assert facts.in_order(ImprovementsPutUnder, fact(ImprovementRevealed, improvement="IM02"))
    assert [event.improvement for event in facts.of(ImprovementRevealed)] == ["IM02", "IM43", "IM44"]


def seen_by(game, facts, colour):
    """What a player sees: the facts and the table."""
    seat = game.seat(colour)
    shown = RULESET.events_to_proto([RULESET.redact(event, seat) for event in facts])
    return shown.SerializeToString(deterministic=True), RULESET.view(game.state, seat).SerializeToString(
        deterministic=True
    )


@pytest.mark.rule("OR-CHAR.CARNEGIE.7")
@pytest.mark.parametrize("answer", [None, DeclineEffect(), BuyImprovement("IM16")])
def test_nothing_that_others_see_depends_on_the_cards_not_bought(position, answer):
    def look(cards):
        game = carnegie(position, 4, tools=2).say(display=["IM16"]).deck(next=cards)
        facts = game.play("white", UseAbility())
        if answer is not None:
            facts = game.play("white", answer)
        return game, facts

    (one, first), (other, second) = look(["IM20", "IM26"]), look(["IM45", "IM08"])
    assert seen_by(one, first, "red") == seen_by(other, second, "red")
    assert seen_by(one, first, "white") != seen_by(other, second, "white")


@pytest.mark.rule("OR-CHAR.CARNEGIE.7")
def test_only_carnegie_sees_the_cards(position):
    game = carnegie(position, 4).deck(next=["IM20", "IM26"])
    (look,) = game.play("white", UseAbility()).of(ImprovementsLookedAt)
    own, foreign = RULESET.redact(look, game.seat("white")), RULESET.redact(look, game.seat("red"))
    assert own.hidden.improvements == ("IM20", "IM26")
    assert (foreign.count, foreign.hidden) == (2, None)
    assert RULESET.redact(look, None).hidden is None


@pytest.mark.rule("OR-CHAR.CARNEGIE.7")
def test_a_card_bought_from_the_look_becomes_public(position):
    game = carnegie(position, 5).deck(next=["IM20", "IM26", "IM32"])
    game.play("white", UseAbility())
    facts = game.play("white", BuyImprovement("IM32"))
    (taken,) = facts.of(ImprovementTaken)
    assert RULESET.redact(taken, game.seat("red")).improvement == "IM32"


@pytest.mark.rule("OR-CHAR.CARNEGIE.7")
def test_the_decision_after_a_look_is_put_to_the_player_even_with_one_option(position):
    game = carnegie(position, 3).say(display=["IM01", "IM16"]).deck(next=["IM40"])
    facts = game.play("white", UseAbility())
    assert fact(DecisionOpened, owner="white", kind="improvement_purchase") in facts
    assert game.legal("white") == [DeclineEffect()]
    game.play("white", DeclineEffect())
    assert game.seen.deck.bottom == ("IM40",)


@pytest.mark.rule("OR-CHAR.CARNEGIE.8")
def test_a_short_deck_is_looked_at_whole(position):
    game = carnegie(position, 6).deck(next=["IM40"], unknown=["IM40"], bottom=["IM44", "IM02"])
    (look,) = game.play("white", UseAbility()).of(ImprovementsLookedAt)
    assert look.hidden.improvements == ("IM40", "IM44", "IM02")
    assert game.offers("white", BuyImprovement("IM44"))


@pytest.mark.rule("OR-CHAR.CARNEGIE.8")
def test_with_an_empty_deck_only_the_display_is_offered(position):
    game = carnegie(position, 5).say(display=["IM01", "IM44"]).deck(unknown=[])
    assert ImprovementsLookedAt not in game.play("white", UseAbility())
    assert set(game.legal("white")) == {BuyImprovement("IM01"), BuyImprovement("IM44"), DeclineEffect()}


# -- Edwin Drake -----------------------------------------------------------------------------------------------


def drake(position, level, **said):
    return using(position, "drake", "oil_extraction", level, **said)


DRAKE_TIERS = [
    pytest.param(3, (0, 1, 2), 0, marks=pytest.mark.rule("OR-CHAR.DRAKE.1")),
    pytest.param(4, (0, 0, 1), 1, marks=pytest.mark.rule("OR-CHAR.DRAKE.2")),
    pytest.param(5, (0, 0, 0), 4, marks=pytest.mark.rule("OR-CHAR.DRAKE.3")),
    pytest.param(6, (0, 0, 0), 6, marks=pytest.mark.rule("OR-CHAR.DRAKE.4")),
]


@pytest.mark.parametrize(("level", "costs", "vp"), DRAKE_TIERS)
def test_drake_builds_one_drill_for_less(position, level, costs, vp):
    for well, cost in zip(("yellow", "green", "blue"), costs, strict=True):
        game = drake(position, level, tools=5)
        game.play("white", UseAbility())
        facts = game.play("white", BuildDrill(well))
        assert fact(DrillBuilt, player="white", well=well, depth=2) in facts
        assert paid(facts) == ({"tools": cost} if cost else {})
        assert points(game.opening) == vp
        assert game.decision == ("white", "phase_menu")


@pytest.mark.rule("OR-CHAR.DRAKE.5")
def test_drake_builds_the_topmost_drill_of_a_well_and_none_under_an_office(position):
    game = drake(position, 5, depth={"yellow": 2, "green": 2}, offices=["R02 from green"])
    game.play("white", UseAbility())
    assert set(game.legal("white")) == {BuildDrill(2), BuildDrill(3)}
    assert game.refused("white", BuildDrill("yellow")).code == "DRILL_BLOCKED_BY_OFFICE"
    assert fact(DrillBuilt, well="green", depth=3) in game.play("white", BuildDrill("green"))


@pytest.mark.rule("OR-CHAR.DRAKE.6")
def test_drakes_drill_counts_at_once(position):
    game = drake(position, 6, patents=0)
    game.play("white", UseAbility())
    facts = game.play("white", BuildDrill("blue"))
    assert facts.in_order(DrillBuilt, fact(GoodsChanged, player="white", blue=2, reason="EXTRACTION"))


# -- John D. Rockefeller ---------------------------------------------------------------------------------------


def rockefeller(position, level, **said):
    return using(position, "rockefeller", "oil_refining", level, **said)


ROCKEFELLER_TIERS = [
    pytest.param(3, {"green": 1}, 2, 0, marks=pytest.mark.rule("OR-CHAR.ROCKEFELLER.1")),
    pytest.param(4, {"yellow": 1, "blue": 1}, 1, 0, marks=pytest.mark.rule("OR-CHAR.ROCKEFELLER.2")),
    pytest.param(5, {"yellow": 1, "green": 1, "blue": 1}, 0, 0, marks=pytest.mark.rule("OR-CHAR.ROCKEFELLER.3")),
    pytest.param(6, {"blue": 3}, 0, 3, marks=pytest.mark.rule("OR-CHAR.ROCKEFELLER.4")),
]


@pytest.mark.parametrize(("level", "barrels", "price", "vp"), ROCKEFELLER_TIERS)
def test_rockefeller_gains_barrels_and_may_build_the_next_refinery(position, level, barrels, price, vp):
    game = rockefeller(position, level, coins=price, refineries=3)
    assert game["white"].barrels == {"yellow": 0, "green": 0, "blue": 0, **barrels}
    assert points(game.opening) == vp
    assert game["white"].refineries == 3
    facts = game.play("white", UseAbility())
    assert fact(RefineryBuilt, player="white", number=4, slot=4) in facts
    assert paid(facts) == ({"coins": price} if price else {})


@pytest.mark.rule("OR-CHAR.ROCKEFELLER.1", "OR-CHAR.ROCKEFELLER.2")
@pytest.mark.parametrize(("level", "price"), [(3, 2), (4, 1)])
def test_rockefeller_cannot_build_without_the_coins(position, level, price):
    game = rockefeller(position, level, coins=price - 1)
    assert game.refused("white", UseAbility()).code == "ACTION_IMPOSSIBLE"


@pytest.mark.rule("OR-CHAR.ROCKEFELLER.5")
def test_rockefellers_refinery_may_be_activated_at_once(position):
    game = rockefeller(position, 5)
    assert game.refused("white", ActivateRefinery(1, 1, 1, 0)).code == "REFINERY_NOT_BUILT"
    game.play("white", UseAbility())
    facts = game.play("white", ActivateRefinery(1, 1, 1, 0))
    assert fact(RefineryActivated, player="white", slot=1, number=1) in facts


@pytest.mark.rule("OR-CHAR.ROCKEFELLER.5")
def test_rockefellers_refinery_turns_the_tile_over_from_number_seven(position):
    game = rockefeller(position, 5, refineries=6)
    assert fact(RefineryBuilt, player="white", number=7, slot=1) in game.play("white", UseAbility())
    assert fact(RefineryActivated, slot=1, number=7) in game.play("white", ActivateRefinery(1, 1, 1, 0))


# -- Cornelius Vanderbilt --------------------------------------------------------------------------------------


def vanderbilt(position, level, **said):
    """Bonuses by terrain: 2 Coins and 1 Patent with 1 Tool; 2 Progress and 2 Patents; 4 points each."""
    game = using(position, "vanderbilt", "goals", level, train="R09", engineer="R01", **said)
    game.region("R11", railway_token="RW_P1", region_tile="RT_P2")
    game.region("R08", railway_token="RW_H1", region_tile="RT_H2")
    return game.region("R12", railway_token="RW_M1", region_tile="RT_M4")


VANDERBILT_TIERS = [
    pytest.param(3, (0, 1, 2), False, 0, marks=pytest.mark.rule("OR-CHAR.VANDERBILT.1")),
    pytest.param(4, (0, 1, 2), True, 0, marks=pytest.mark.rule("OR-CHAR.VANDERBILT.2")),
    pytest.param(5, (0, 0, 1), True, 3, marks=pytest.mark.rule("OR-CHAR.VANDERBILT.3")),
    pytest.param(6, (0, 0, 0), True, 5, marks=pytest.mark.rule("OR-CHAR.VANDERBILT.4")),
]


@pytest.mark.parametrize(("level", "costs", "railway", "vp"), VANDERBILT_TIERS)
def test_vanderbilt_moves_the_train_anywhere_for_less_and_receives_the_branch_bonus(
    position, level, costs, railway, vp
):
    railway_bonuses = (
        fact(GoodsChanged, coins=2, reason="RAILWAY_BONUS"),
        fact(ProgressMarkerMoved, reason="RAILWAY_BONUS"),
        fact(VictoryPointsGained, amount=4, category="railway_bonus"),
    )
    branch_bonuses = (
        fact(GoodsChanged, patents=1, tools=1, reason="BRANCH_BONUS"),
        fact(GoodsChanged, patents=2, reason="BRANCH_BONUS"),
        fact(VictoryPointsGained, amount=1, category="branch_bonus"),
    )
    for region, cost, railway_bonus, branch_bonus in zip(
        ("R11", "R08", "R12"), costs, railway_bonuses, branch_bonuses, strict=True
    ):
        game = vanderbilt(position, level, coal=3)
        assert points(game.opening) == vp
        game.play("white", UseAbility())
        facts = game.play("white", MoveTrain([region]))
        assert paid(facts) == ({"coal": cost} if cost else {})
        assert fact(TrainMoved, player="white", origin="R09", region=region) in facts
        assert facts.count(branch_bonus) == 1
        assert facts.count(railway_bonus) == railway


@pytest.mark.rule("OR-CHAR.VANDERBILT.1", "OR-CHAR.VANDERBILT.4")
@pytest.mark.parametrize(("level", "coal", "regions"), [(3, 0, 4), (3, 1, 8), (3, 2, 11), (5, 0, 8), (6, 0, 11)])
def test_vanderbilt_is_offered_every_other_region_that_can_be_paid(position, level, coal, regions):
    game = vanderbilt(position, level, coal=coal)
    game.play("white", UseAbility())
    assert len(game.legal("white", MoveTrain)) == regions
    assert game.refused("white", MoveTrain(["R09"])).code == "SAME_REGION"


@pytest.mark.rule("OR-CHAR.VANDERBILT.5")
@pytest.mark.parametrize("region", ["R09", "R12"])
def test_after_vanderbilts_move_the_engineer_may_go_to_either_end(position, region):
    game = vanderbilt(position, 6)
    game.play("white", UseAbility())
    game.play("white", MoveTrain(["R12"]))
    assert set(game.legal("white")) == {KeepEngineer(), MoveEngineer("R09"), MoveEngineer("R12")}
    facts = game.play("white", MoveEngineer(region))
    assert fact(EngineerMoved, player="white", origin="R01", region=region) in facts


@pytest.mark.rule("OR-CHAR.VANDERBILT.6")
def test_vanderbilts_branch_bonus_is_no_office(position):
    game = vanderbilt(position, 6, improvements=["IM06", "IM07"], coins=5)
    game.play("white", UseAbility())
    facts = game.play("white", MoveTrain(["R12"]))
    assert fact(VictoryPointsGained, category="branch_bonus") in facts
    assert OfficeBuilt not in facts
    assert fact(VictoryPointsGained, category="equipment") not in facts
    assert game.decision == ("white", "engineer_move")
    assert game["white"].offices == ()


@pytest.mark.rule("OR-CHAR.VANDERBILT.6")
def test_vanderbilts_railway_bonus_comes_before_the_branch_bonus(position):
    game = vanderbilt(position, 4, coal=3)
    game.play("white", UseAbility())
    facts = game.play("white", MoveTrain(["R12"]))
    assert facts.in_order(
        TrainMoved,
        fact(VictoryPointsGained, amount=4, category="railway_bonus"),
        fact(GoodsChanged, patents=2, reason="BRANCH_BONUS"),
        fact(VictoryPointsGained, amount=1, category="branch_bonus"),
    )
