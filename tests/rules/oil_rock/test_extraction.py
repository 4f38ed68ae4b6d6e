"""OR-EXTR: Phase 3, Oil Extraction."""

import pytest

from wellhead_rules.oil_rock.commands import BuildDrill, EndPhaseTurn, UseAbility, UseExtraAction
from wellhead_rules.oil_rock.events import (
    DecisionOpened,
    DrillBuilt,
    GoodsChanged,
    PhaseEnded,
    PhaseTurnEnded,
    PhaseTurnStarted,
)
from wellhead_rules.oil_rock.facts import fact


@pytest.mark.rule("OR-EXTR.1")
def test_every_player_takes_a_phase_turn_before_anybody_extracts(position):
    game = position(phase="oil_extraction", at="start_of_turn", players=3, turn_order=["blue", "white", "red"])
    assert game.opening.in_order(
        fact(PhaseTurnStarted, player="blue", phase="oil_extraction"),
        fact(PhaseTurnEnded, player="blue"),
        fact(PhaseTurnStarted, player="white", phase="oil_extraction"),
        fact(PhaseTurnEnded, player="white"),
        fact(PhaseTurnStarted, player="red", phase="oil_extraction"),
        fact(PhaseTurnEnded, player="red"),
        fact(GoodsChanged, player="blue", reason="EXTRACTION"),
        fact(GoodsChanged, player="white", reason="EXTRACTION"),
        fact(GoodsChanged, player="red", reason="EXTRACTION"),
        fact(PhaseEnded, phase="oil_extraction"),
    )


@pytest.mark.rule("OR-EXTR.1")
def test_nobody_extracts_while_the_last_phase_turn_runs(position):
    game = position(phase="oil_extraction", at="start_of_turn").player("red", patents=1)
    assert fact(DecisionOpened, owner="red", kind="phase_menu") in game.opening
    assert fact(GoodsChanged, reason="EXTRACTION") not in game.opening
    assert fact(GoodsChanged, player="white", reason="EXTRACTION") in game.play("red", EndPhaseTurn())


@pytest.mark.rule("OR-EXTR.2")
@pytest.mark.parametrize(
    ("depth", "offices"),
    [
        ({"yellow": 1, "green": 2, "blue": 1}, []),
        ({"yellow": 1, "green": 1, "blue": 2}, []),
        ({"yellow": 3, "green": 2, "blue": 1}, ["R05 from yellow"]),
        ({"yellow": 2, "green": 4, "blue": 3}, ["R02 from green", "R03 from green", "R05 from blue"]),
    ],
)
def test_every_well_gives_as_many_barrels_as_it_is_deep(position, depth, offices):
    game = position(phase="oil_extraction", at="end_of_phase").player("red", depth=depth, offices=offices)
    assert game.opening.count(fact(GoodsChanged, player="red", reason="EXTRACTION", **depth)) == 1
    assert fact(GoodsChanged, player="white", reason="EXTRACTION", yellow=1, green=1, blue=1) in game.opening
    assert game["red"].barrels == depth


@pytest.mark.rule("OR-EXTR.3")
def test_the_first_level_of_a_well_is_open_from_the_start(position):
    game = position(phase="oil_extraction", at="end_of_phase", round=1)
    assert game["white"].depth == {"yellow": 1, "green": 1, "blue": 1}
    assert game["white"].barrels == {"yellow": 1, "green": 1, "blue": 1}


@pytest.mark.rule("OR-EXTR.3")
def test_a_well_is_at_most_four_deep(position):
    offices = ["R05 from yellow", "R06 from yellow"]
    game = position(turn="white").player("white", tools=20, depth={"yellow": 3}, offices=offices).acting("drill")
    facts = game.play("white", BuildDrill("yellow"))
    assert fact(DrillBuilt, player="white", well="yellow", depth=4) in facts
    game = position(turn="white").player("white", tools=20, depth={"yellow": 4}, offices=offices).acting("drill")
    assert game.refused("white", BuildDrill("yellow")).code == "WELL_EXHAUSTED"


@pytest.mark.rule("OR-EXTR.4")
def test_a_drill_built_in_the_own_phase_turn_counts_for_the_extraction(position):
    game = position(phase="oil_extraction", turn="white").player("white", patents=3, tools=9, briefcases=["BC1", "BC2"])
    game.play("white", UseExtraAction("XA3"))
    facts = game.play("white", BuildDrill("blue"))
    assert facts.in_order(
        fact(DrillBuilt, player="white", well="blue", depth=2),
        fact(GoodsChanged, player="white", reason="EXTRACTION", yellow=1, green=1, blue=2),
    )


@pytest.mark.rule("OR-EXTR.4", "OR-CHAR.DRAKE.6")
def test_the_drill_of_drakes_ability_counts_for_the_extraction(position):
    game = position(phase="oil_extraction", turn="white").player("white", character="drake", progress=13)
    game.play("white", UseAbility())
    assert game["white"].depth["yellow"] == 2
    assert game["white"].barrels == {"yellow": 2, "green": 1, "blue": 1}


@pytest.mark.rule("OR-EXTR.5")
def test_barrels_are_added_to_those_held(position):
    game = position(phase="oil_extraction", at="end_of_phase").player("white", barrels={"yellow": 1, "blue": 1})
    assert game["white"].barrels == {"yellow": 2, "green": 1, "blue": 2}
