"""OR-CHAR.1 to 9: what all characters have in common."""

import pytest

from wellhead_rules.oil_rock.commands import (
    ActivateRefinery,
    BuildDrill,
    BuildOffice,
    BuyImprovement,
    ChooseOption,
    ChooseResources,
    DeclineEffect,
    EndPhaseTurn,
    KeepEngineer,
    LoadBasicRefinery,
    MoveTrain,
    OpenBriefcase,
    ResolveAction,
    StopPaying,
    UseAbility,
    UseBasicRefinery,
    UseExtraAction,
)
from wellhead_rules.oil_rock.events import (
    AbilityUsed,
    DecisionOpened,
    DrillBuilt,
    GoodsChanged,
    LevelReached,
    OfficeBuilt,
    PhaseTurnEnded,
    PhaseTurnStarted,
    RefineryBuilt,
    VictoryPointsGained,
)
from wellhead_rules.oil_rock.facts import fact

PHASES = {
    "lukasiewicz": "oil_refining",
    "bissel": "goals",
    "carnegie": "goals",
    "drake": "oil_extraction",
    "rockefeller": "oil_refining",
    "vanderbilt": "goals",
}
SPACE = {1: 3, 2: 6, 3: 13, 4: 20, 5: 27, 6: 34}
"""The first space of a level."""
ACTIVE = [character for character in PHASES if character != "lukasiewicz"]
"""Characters whose ability has an optional part."""


def turn_of(position, character, level, **said):
    """White's turn in the phase of the ability; a Patent keeps it from ending by itself."""
    return position(phase=PHASES[character], turn="white").player(
        "white", character=character, progress=SPACE[level], **{"patents": 1, **said}
    )


def start_of(position, character, level, phase="", **said):
    """White's turn is about to start."""
    return position(phase=phase or PHASES[character], at="start_of_turn", turn="white").player(
        "white", character=character, progress=SPACE[level], **{"patents": 1, **said}
    )


# -- tiers -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("OR-CHAR.1", "OR-CHAR.3")
@pytest.mark.parametrize("character", PHASES)
@pytest.mark.parametrize("level", range(1, 7))
def test_there_is_an_ability_from_level_three_with_a_tier_per_level(position, character, level):
    game = start_of(position, character, level)
    tier = level if level >= 3 else 0
    assert fact(PhaseTurnStarted, player="white", phase=PHASES[character], ability_tier=tier) in game.opening


@pytest.mark.rule("OR-CHAR.1")
@pytest.mark.parametrize("character", ACTIVE)
@pytest.mark.parametrize("level", [1, 2])
def test_below_level_three_there_is_nothing_to_use_and_nothing_is_gained(position, character, level):
    game = start_of(position, character, level, tools=9, coins=9, coal=9)
    assert not game.offers("white", UseAbility())
    assert game.refused("white", UseAbility()).code == "ABILITY_NOT_AVAILABLE"
    assert VictoryPointsGained not in game.opening
    assert GoodsChanged not in game.opening


@pytest.mark.rule("OR-CHAR.2", "OR-CHAR.3")
@pytest.mark.parametrize("character", PHASES)
@pytest.mark.parametrize("phase", ["oil_extraction", "oil_refining", "goals"])
def test_an_ability_belongs_to_one_phase(position, character, phase):
    game = start_of(position, character, 5, phase, tools=9, coins=9, coal=9)
    own = phase == PHASES[character]
    assert fact(PhaseTurnStarted, player="white", phase=phase, ability_tier=5 if own else 0) in game.opening
    assert game.offers("white", UseAbility()) == (own and character in ACTIVE)


@pytest.mark.rule("OR-CHAR.2")
def test_an_ability_is_used_at_most_once_in_a_round(position):
    game = turn_of(position, "drake", 5)
    game.play("white", UseAbility())
    game.play("white", BuildDrill("green"))
    assert not game.offers("white", UseAbility())
    assert game.refused("white", UseAbility()).code == "ABILITY_ALREADY_USED"


@pytest.mark.rule("OR-CHAR.2")
def test_the_ability_of_one_player_does_not_use_up_that_of_another(position):
    game = turn_of(position, "bissel", 5, patents=0).player("red", character="carnegie", progress=27)
    game.play("white", UseAbility())
    game.play("white", BuildOffice("R02", "yellow"))
    assert game.decision == ("red", "phase_menu")
    assert game.offers("red", UseAbility())


@pytest.mark.rule("OR-CHAR.3")
def test_level_three_reached_in_the_turn_gives_no_ability_in_it(position):
    game = start_of(position, "drake", 2, patents=3).player("white", progress=12, tools=9)
    assert fact(LevelReached, player="white", level=3) in game.play("white", OpenBriefcase("BC3"))
    assert game.refused("white", UseAbility()).code == "ABILITY_NOT_AVAILABLE"


@pytest.mark.rule("OR-CHAR.3")
def test_a_level_reached_in_the_turn_does_not_change_the_tier(position):
    game = start_of(position, "drake", 3, patents=3).player("white", progress=19, tools=4)
    assert fact(LevelReached, player="white", level=4) in game.play("white", OpenBriefcase("BC3"))
    assert fact(AbilityUsed, player="white", character="drake", tier=3) in game.play("white", UseAbility())
    assert fact(GoodsChanged, tools=-2, reason="PAYMENT") in game.play("white", BuildDrill("blue"))
    assert game["white"].vp == 0


@pytest.mark.rule("OR-CHAR.3")
def test_the_price_too_stays_that_of_the_tier(position):
    game = start_of(position, "rockefeller", 3, patents=3).player("white", progress=19, coins=1)
    assert fact(LevelReached, player="white", level=4) in game.play("white", OpenBriefcase("BC3"))
    assert not game.offers("white", UseAbility())
    assert game.refused("white", UseAbility()).code == "ACTION_IMPOSSIBLE"


# -- gains and the optional part -------------------------------------------------------------------------------

GAINS = [
    ("bissel", 4, {"vp": 1}),
    ("bissel", 5, {"vp": 4}),
    ("bissel", 6, {"vp": 6}),
    ("carnegie", 4, {"vp": 1}),
    ("carnegie", 5, {"vp": 4}),
    ("carnegie", 6, {"vp": 6}),
    ("drake", 4, {"vp": 1}),
    ("drake", 5, {"vp": 4}),
    ("drake", 6, {"vp": 6}),
    ("vanderbilt", 5, {"vp": 3}),
    ("vanderbilt", 6, {"vp": 5}),
    ("lukasiewicz", 5, {"vp": 2, "energy": 8}),
    ("lukasiewicz", 6, {"vp": 5, "energy": 10}),
    ("rockefeller", 3, {"green": 1}),
    ("rockefeller", 5, {"yellow": 1, "green": 1, "blue": 1}),
    ("rockefeller", 6, {"vp": 3, "blue": 3}),
]


@pytest.mark.rule("OR-CHAR.4", "OR-CHAR.6")
@pytest.mark.parametrize(("character", "level", "gains"), GAINS)
def test_gains_come_first_and_only_those_of_the_tier_and_whether_or_not_the_ability_is_used(
    position, character, level, gains
):
    game = start_of(position, character, level)
    vp = gains.get("vp", 0)
    goods = {name: amount for name, amount in gains.items() if name != "vp"}
    first = [fact(GoodsChanged, player="white", reason="ABILITY", **goods)] if goods else []
    first += [fact(VictoryPointsGained, player="white", amount=vp, category="ability")] if vp else []
    assert game.opening.in_order(PhaseTurnStarted, *first, DecisionOpened)
    assert game.opening.count(GoodsChanged) == bool(goods)
    assert game.opening.count(VictoryPointsGained) == bool(vp)
    game.play("white", EndPhaseTurn())
    assert game["white"].vp_by_category["ability"] == vp


@pytest.mark.rule("OR-CHAR.4")
def test_gains_come_once_also_when_the_ability_is_used(position):
    game = start_of(position, "drake", 6)
    game.play("white", UseAbility())
    assert VictoryPointsGained not in game.play("white", BuildDrill("green"))
    assert game["white"].vp == 6


@pytest.mark.rule("OR-CHAR.5")
@pytest.mark.parametrize("character", ACTIVE)
def test_the_optional_part_may_be_left(position, character):
    game = turn_of(position, character, 5)
    assert game.offers("white", UseAbility())
    facts = game.play("white", EndPhaseTurn())
    assert fact(PhaseTurnEnded, player="white", phase=PHASES[character]) in facts
    assert AbilityUsed not in facts


@pytest.mark.rule("OR-CHAR.5")
def test_in_the_refining_phase_the_ability_comes_before_the_first_activation(position):
    barrels = {"yellow": 3, "green": 3}
    game = turn_of(position, "rockefeller", 5, refineries=1, barrels=barrels)
    game.play("white", ActivateRefinery(1, 1, 1, 0))
    assert not game.offers("white", UseAbility())
    assert game.refused("white", UseAbility()).code == "ABILITY_TOO_LATE"


@pytest.mark.rule("OR-CHAR.5")
def test_the_basic_refinery_too_comes_after_the_ability(position):
    game = turn_of(position, "rockefeller", 5, barrels={"yellow": 3, "blue": 1})
    game.play("white", UseBasicRefinery())
    game.play("white", LoadBasicRefinery("yellow", 1))
    game.play("white", LoadBasicRefinery("blue", 0))
    assert game.refused("white", UseAbility()).code == "ABILITY_TOO_LATE"


@pytest.mark.rule("OR-CHAR.5")
def test_in_the_refining_phase_patents_may_be_spent_before_the_ability(position):
    game = turn_of(position, "rockefeller", 3, patents=4)
    game.play("white", OpenBriefcase("BC1"))
    assert fact(RefineryBuilt, player="white", number=1) in game.play("white", UseAbility())
    game.play("white", UseExtraAction("XA4"))
    assert game["white"].coins == 0


@pytest.mark.rule("OR-CHAR.5")
@pytest.mark.parametrize("character", [c for c in ACTIVE if c != "rockefeller"])
def test_in_the_other_phases_the_ability_comes_at_any_time(position, character):
    game = turn_of(position, character, 5, patents=6, coal=3)
    game.play("white", OpenBriefcase("BC1"))
    game.play("white", UseExtraAction("XA6"))
    game.play("white", ResolveAction("XA6", "progress_plus"))
    game.play("white", StopPaying())
    assert fact(AbilityUsed, player="white", character=character, tier=5) in game.play("white", UseAbility())


@pytest.mark.rule("OR-CHAR.5", "OR-ACTION.8")
def test_the_ability_waits_for_an_extra_action_to_be_finished(position):
    game = turn_of(position, "drake", 5, patents=3)
    game.play("white", UseExtraAction("XA4"))
    assert game.refused("white", UseAbility()).code == "ACTIONS_PENDING"


# -- discounts and triggers ------------------------------------------------------------------------------------


@pytest.mark.rule("OR-CHAR.7")
@pytest.mark.parametrize(
    ("region", "improvements", "paid"),
    [("R01", [], 0), ("R05", [], 1), ("R02", [], 2), ("R01", ["IM06"], 0), ("R05", ["IM06"], 0), ("R02", ["IM06"], 1)],
)
def test_office_discounts_of_ability_and_equipment_add_up(position, region, improvements, paid):
    game = turn_of(position, "bissel", 3, tools=5, improvements=improvements)
    game.play("white", UseAbility())
    facts = game.play("white", BuildOffice(region, "yellow"))
    assert fact(OfficeBuilt, player="white", region=region) in facts
    assert [event.tools for event in facts.of(GoodsChanged) if event.reason.name == "PAYMENT"] == [-paid] * bool(paid)


@pytest.mark.rule("OR-CHAR.7")
def test_card_discounts_of_ability_and_equipment_add_up(position):
    game = turn_of(position, "carnegie", 4, tools=1, improvements=["IM15"]).say(display=["IM26"])
    game.play("white", UseAbility())
    facts = game.play("white", BuyImprovement("IM26"))
    assert fact(GoodsChanged, player="white", tools=-1, reason="PAYMENT") in facts


@pytest.mark.rule("OR-CHAR.7")
def test_train_discounts_of_ability_and_equipment_add_up(position):
    game = turn_of(position, "vanderbilt", 3, train="R01", improvements=["IM05"])
    game.play("white", UseAbility())
    facts = game.play("white", MoveTrain(["R12"]))
    assert fact(GoodsChanged, reason="PAYMENT") not in facts
    assert game["white"].train == "R12"


@pytest.mark.rule("OR-CHAR.8")
def test_a_drill_of_an_ability_starts_the_usual_triggers(position):
    game = turn_of(position, "drake", 5, improvements=["IM01"])
    game.play("white", UseAbility())
    game.play("white", BuildDrill("blue"))
    assert game.decision == ("white", "alternative")
    assert fact(GoodsChanged, player="white", coins=2, reason="EQUIPMENT") in game.play("white", ChooseOption(0))


@pytest.mark.rule("OR-CHAR.8")
def test_an_office_of_an_ability_starts_the_usual_triggers(position):
    game = turn_of(position, "bissel", 5, improvements=["IM06"]).region("R02", region_tile="RT_M1")
    game.play("white", UseAbility())
    facts = game.play("white", BuildOffice("R02", "blue"))
    assert facts.in_order(
        fact(OfficeBuilt, player="white", region="R02", slot_vp=5),
        fact(VictoryPointsGained, amount=4, category="branch_bonus"),
        fact(VictoryPointsGained, amount=1, category="equipment", source_id="IM06"),
    )


@pytest.mark.rule("OR-CHAR.8")
def test_a_refinery_of_an_ability_starts_the_usual_triggers(position):
    game = turn_of(position, "rockefeller", 5, improvements=["IM03"])
    assert fact(RefineryBuilt, player="white", number=1) in game.play("white", UseAbility())
    assert game.decision == ("white", "alternative")


@pytest.mark.rule("OR-CHAR.8")
def test_a_card_of_an_ability_is_resolved_and_laid_down_like_any_other(position):
    game = turn_of(position, "carnegie", 5, depth={"green": 2}, improvements=["IM13"]).say(display=["IM29"])
    game.region("R03", railway_token="RW_H1")
    game.play("white", UseAbility())
    game.play("white", BuyImprovement("IM29"))
    facts = game.play("white", ChooseResources(3, 0, 0))
    assert fact(VictoryPointsGained, amount=3, category="technology", source_id="IM29") in facts
    assert fact(VictoryPointsGained, amount=2, category="improvement_depth", source_id="IM29") in facts
    assert game.decision == ("white", "bonus_region")


# -- possible or not -------------------------------------------------------------------------------------------

IMPOSSIBLE = [
    ("drake", 3, {"depth": {"yellow": 2}, "tools": 0}, {"tools": 1}),
    ("bissel", 3, {"offices": ["R01", "R04", "R06", "R11"], "tools": 0}, {"tools": 1}),
    ("bissel", 6, {"offices": ["R01", "R02", "R03", "R04", "R05", "R06"]}, {"offices": ["R01", "R02", "R03", "R04"]}),
    ("rockefeller", 3, {"coins": 1}, {"coins": 2}),
    ("rockefeller", 4, {"coins": 0}, {"coins": 1}),
    ("rockefeller", 6, {"refineries": 12}, {"refineries": 11}),
    ("drake", 6, {"depth": {"yellow": 2, "green": 2, "blue": 2}}, {"depth": {"yellow": 2, "green": 2, "blue": 1}}),
]


@pytest.mark.rule("OR-CHAR.9")
@pytest.mark.parametrize(("character", "level", "poor", "enough"), IMPOSSIBLE)
def test_the_optional_part_needs_a_legal_and_affordable_execution(position, character, level, poor, enough):
    game = turn_of(position, character, level, **poor)
    assert not game.offers("white", UseAbility())
    assert game.refused("white", UseAbility()).code == "ACTION_IMPOSSIBLE"
    assert turn_of(position, character, level, **{**poor, **enough}).offers("white", UseAbility())


@pytest.mark.rule("OR-CHAR.9")
@pytest.mark.parametrize(
    ("display", "unknown", "bottom", "possible"),
    [
        ([], [], [], False),
        ([], ["IM40"], [], True),
        ([], [], ["IM40"], True),
        (["IM40"], [], [], True),
    ],
)
def test_carnegie_may_look_while_the_deck_or_the_display_holds_a_card(position, display, unknown, bottom, possible):
    game = turn_of(position, "carnegie", 3).say(display=display).deck(unknown=unknown, bottom=bottom)
    assert game.offers("white", UseAbility()) == possible
    if not possible:
        assert game.refused("white", UseAbility()).code == "ACTION_IMPOSSIBLE"


@pytest.mark.rule("OR-CHAR.9", "OR-ACTION.11")
def test_an_ability_that_has_been_started_cannot_be_declined(position):
    game = turn_of(position, "vanderbilt", 6, train="R01")
    game.play("white", UseAbility())
    assert game.refused("white", DeclineEffect()).code == "CANNOT_DECLINE"
    game.play("white", MoveTrain(["R06"]))
    game.play("white", KeepEngineer())
    assert game["white"].train == "R06"
    assert game.refused("white", UseAbility()).code == "ABILITY_ALREADY_USED"


@pytest.mark.rule("OR-CHAR.8")
def test_an_ability_is_a_sequence_and_nothing_else_runs_in_it(position):
    game = turn_of(position, "drake", 5)
    game.play("white", UseAbility())
    assert game.refused("white", OpenBriefcase("BC1")).code == "COMMAND_NOT_EXPECTED"
    assert fact(DrillBuilt, player="white", well="blue", depth=2) in game.play("white", BuildDrill("blue"))
