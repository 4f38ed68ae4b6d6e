"""OR-PROG: the Progress track and the levels."""

import pytest

from wellhead_rules.oil_rock.commands import (
    BuildDrill,
    ChooseOption,
    OpenBriefcase,
    PayForMore,
    PlaceOnCircle,
    PlaceOnCopy,
    ResolveAction,
    StopPaying,
    UseAbility,
)
from wellhead_rules.oil_rock.events import (
    BestSpaceRaised,
    DecisionOpened,
    GoodsChanged,
    LevelReached,
    ProgressMarkerMoved,
    TurnOrderSet,
    WorkersReceived,
)
from wellhead_rules.oil_rock.events import VictoryPointsGained as PointsGained
from wellhead_rules.oil_rock.facts import fact

ONE_PROGRESS = ResolveAction("AT07", "progress")
FOUR_PROGRESS = "improvement:IM26"
TWO_PROGRESS = "railway_token:RW_H1"


@pytest.mark.rule("OR-PROG.1")
@pytest.mark.parametrize("space", [0, 3, 12, 40])
def test_1_progress_moves_the_own_marker_one_space_forward(position, space):
    game = position(players=2).player("white", progress=space).player("red", progress=7).pending("AT07", "progress")
    game.play("white", ONE_PROGRESS)
    assert (game["white"].progress, game["red"].progress) == (space + 1, 7)


@pytest.mark.rule("OR-PROG.2")
def test_a_gain_of_several_progress_is_one_movement_and_spaces_passed_over_do_not_matter(position):
    game = position(players=3, stacks={3: ["white"], 4: ["red"], 5: ["blue"]}).resolving(FOUR_PROGRESS, player="white")
    assert game.opening.count(ProgressMarkerMoved) == 1
    assert fact(ProgressMarkerMoved, player="white", origin=3, space=7) in game.opening
    assert game.seen.stacks == {4: ("red",), 5: ("blue",), 7: ("white",)}


@pytest.mark.rule("OR-PROG.3")
@pytest.mark.parametrize(("space", "points"), [(38, 0), (39, 1), (41, 3), (42, 4)])
def test_progress_beyond_the_last_space_gives_1_point_each(position, space, points):
    game = position(players=2).player("white", progress=space).resolving(FOUR_PROGRESS, player="white")
    assert game["white"].progress == 42
    assert game["white"].vp == points
    assert game.opening.count(PointsGained) == bool(points)
    assert game["white"].vp_by_category["progress_overflow"] == points


@pytest.mark.rule("OR-PROG.4")
def test_a_marker_that_arrives_from_behind_is_put_on_top(position):
    game = position(players=3, stacks={7: ["white"], 11: ["red", "blue"]}).resolving(FOUR_PROGRESS, player="white")
    assert game.seen.stacks == {11: ("red", "blue", "white")}


@pytest.mark.rule("OR-PROG.4")
def test_a_marker_that_moves_back_is_put_on_top_too(position):
    game = position(players=3, stacks={10: ["red", "blue"], 11: ["white"]})
    game.play("white", PlaceOnCopy("AT01"))
    assert game.seen.stacks == {10: ("red", "blue", "white")}


@pytest.mark.rule("OR-PROG.5")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["white", "red", "blue"], ("red", "blue")),
        (["red", "white", "blue"], ("red", "blue")),
        (["blue", "red", "white"], ("blue", "red")),
    ],
)
def test_a_marker_that_leaves_a_stack_does_not_change_the_order_of_the_others(position, before, after):
    game = position(players=3, stacks={7: before}).resolving(FOUR_PROGRESS, player="white")
    assert game.seen.stacks == {7: after, 11: ("white",)}


@pytest.mark.rule("OR-PROG.5")
def test_a_marker_that_cannot_move_keeps_its_place_in_its_stack(position):
    game = position(players=3, stacks={42: ["white", "red", "blue"]}).resolving(FOUR_PROGRESS, player="white")
    assert game.seen.stacks == {42: ("white", "red", "blue")}
    assert ProgressMarkerMoved not in game.opening


@pytest.mark.rule("OR-PROG.6")
@pytest.mark.parametrize(
    ("options", "order"),
    [
        ({}, ("blue", "red", "white")),
        ({"stack_tie": "LOWER_AHEAD"}, ("blue", "red", "white")),
        ({"stack_tie": "LOWER_BEHIND"}, ("blue", "white", "red")),
    ],
)
def test_inside_a_stack_the_lower_marker_is_ahead_or_by_option_behind(position, options, order):
    """The player furthest back acts first in the next round."""
    game = position(players=3, options=options, stacks={8: ["blue"], 10: ["white", "red"]})
    game.say(phase="goals", at="end_of_phase")
    assert fact(TurnOrderSet, round=2, order=order) in game.opening


@pytest.mark.rule("OR-PROG.7")
@pytest.mark.parametrize(("threshold", "level"), [(6, 2), (13, 3), (20, 4), (27, 5), (34, 6)])
def test_a_level_begins_at_its_threshold(position, threshold, level):
    game = position(players=2).player("white", progress=threshold - 2).pending("AT07", "progress")
    assert LevelReached not in game.play("white", ONE_PROGRESS)
    assert game["white"].level == level - 1

    game = position(players=2).player("white", progress=threshold - 1).pending("AT07", "progress")
    assert fact(LevelReached, player="white", level=level) in game.play("white", ONE_PROGRESS)

    game = position(players=2).player("white", progress=threshold).pending("AT07", "progress")
    assert LevelReached not in game.play("white", ONE_PROGRESS)
    assert game["white"].level == level


@pytest.mark.rule("OR-PROG.8")
def test_the_level_is_that_of_the_best_space_ever_reached(position):
    game = position(players=2).player("white", progress=10, best_space=14).pending("AT07", "progress")
    facts = game.play("white", ONE_PROGRESS)
    assert BestSpaceRaised not in facts
    assert (game["white"].progress, game["white"].best_space, game["white"].level) == (11, 14, 3)

    game = position(players=2).player("white", progress=19, best_space=19).pending("AT07", "progress")
    facts = game.play("white", ONE_PROGRESS)
    assert facts.in_order(fact(BestSpaceRaised, player="white", space=20), fact(LevelReached, player="white", level=4))


@pytest.mark.rule("OR-PROG.9")
def test_a_level_reached_while_a_sequence_runs_is_updated_when_it_is_resolved(position):
    game = position(players=2).player("white", progress=5, coins=4).pending("AT06")
    facts = game.play("white", ResolveAction("AT06", "progress_plus"))
    assert fact(BestSpaceRaised, player="white", space=6) in facts
    assert LevelReached not in facts
    assert LevelReached not in game.play("white", PayForMore())
    assert game["white"].level == 1
    assert fact(LevelReached, player="white", level=2) in game.play("white", StopPaying())


@pytest.mark.rule("OR-PROG.10")
@pytest.mark.parametrize(("space", "level"), [(6, 2), (13, 3), (34, 6)])
def test_a_marker_that_moves_back_over_a_threshold_does_not_lower_the_level(position, space, level):
    game = position(players=2).player("white", progress=space)
    game.play("white", PlaceOnCopy("AT01"))
    assert (game["white"].progress, game["white"].level) == (space - 1, level)


@pytest.mark.rule("OR-PROG.11")
def test_a_threshold_crossed_again_does_not_reach_the_level_a_second_time(position):
    game = position(players=2).player("white", progress=13, improvements=["IM08", "IM09"])
    game.play("white", PlaceOnCopy("AT07"))
    facts = game.play("white", ONE_PROGRESS)
    assert fact(ProgressMarkerMoved, player="white", origin=12, space=13) in facts
    assert LevelReached not in facts
    assert GoodsChanged not in facts
    assert fact(DecisionOpened, kind="alternative") not in facts


@pytest.mark.rule("OR-PROG.12")
def test_several_levels_are_updated_one_by_one_lowest_first_with_the_triggers_after_each(position):
    game = position(players=2).player("white", progress=12, improvements=["IM08"])
    game.resolving(FOUR_PROGRESS, FOUR_PROGRESS, player="white")
    assert game.opening.in_order(
        fact(LevelReached, player="white", level=3),
        fact(GoodsChanged, player="white", patents=1, reason="EQUIPMENT"),
        fact(LevelReached, player="white", level=4),
        fact(GoodsChanged, player="white", patents=1, reason="EQUIPMENT"),
    )
    assert game.opening.count(LevelReached) == 2


@pytest.mark.rule("OR-PROG.12")
def test_a_trigger_is_answered_before_the_next_level_is_updated(position):
    game = position(players=2).player("white", progress=12, improvements=["IM09"])
    game.resolving(FOUR_PROGRESS, FOUR_PROGRESS, player="white")
    assert game["white"].level == 3
    assert game.decision == ("white", "alternative")
    facts = game.play("white", ChooseOption(0))
    assert facts.in_order(fact(LevelReached, player="white", level=4), fact(DecisionOpened, kind="alternative"))


@pytest.mark.rule("OR-PROG.13")
def test_levels_due_at_one_settle_begin_with_the_active_player_and_go_round_in_turn_order(position):
    game = position(players=3, turn="red", turn_order=["white", "red", "blue"], stacks={12: ["white", "red", "blue"]})
    game.asking("settle")
    for colour in ("white", "blue", "red"):
        game.asking("effects", effects=TWO_PROGRESS, player=colour)
    assert game.opening.in_order(
        *(fact(LevelReached, player=colour, level=3) for colour in ("red", "blue", "white")),
    )


@pytest.mark.rule("OR-PROG.13")
def test_each_player_answers_the_decisions_of_the_own_triggers(position):
    """A circle lifts an opponent to Level III: that opponent chooses before the active player goes on."""
    game = position(players=2).wheel(outer={0: "AT01"}, inner={0: "AT06"})
    game.player("red", workers=["AT01"], progress=12, improvements=["IM08", "IM09"])
    game.player("white", assistants=0, managers=1)
    facts = game.play("white", PlaceOnCircle("C1"))
    assert facts.in_order(
        fact(ProgressMarkerMoved, player="red", origin=12, space=13, reason="COMPENSATION"),
        fact(LevelReached, player="red", level=3),
        fact(GoodsChanged, player="red", patents=1, reason="EQUIPMENT"),
        fact(DecisionOpened, owner="red", kind="alternative"),
    )
    facts = game.play("red", ChooseOption(0))
    assert facts.in_order(
        fact(GoodsChanged, player="red", reason="EQUIPMENT"), fact(DecisionOpened, owner="white", kind="turn_menu")
    )


@pytest.mark.rule("OR-PROG.14")
def test_a_new_level_grants_nothing_by_itself(position):
    game = position(players=2).player("white", character="drake", progress=5, patents=1).pending("AT07", "progress")
    facts = game.play("white", ONE_PROGRESS)
    assert fact(LevelReached, player="white", level=2) in facts
    assert GoodsChanged not in facts
    assert WorkersReceived not in facts
    assert PointsGained not in facts


@pytest.mark.rule("OR-PROG.14")
@pytest.mark.parametrize(
    ("space", "tools", "assistants", "managers"), [(5, 0, 2, 1), (6, 2, 2, 1), (12, 2, 2, 1), (13, 2, 1, 2)]
)
def test_the_income_is_that_of_the_level_when_the_income_phase_comes(position, space, tools, assistants, managers):
    game = position(players=2, phase="income", at="start_of_turn", turn="white")
    game.player("white", character="drake", progress=space)
    assert fact(WorkersReceived, player="white", assistants=assistants, managers=managers) in game.opening
    assert game["white"].tools == tools


@pytest.mark.rule("OR-PROG.14")
def test_a_level_reached_in_a_phase_turn_gives_its_ability_from_the_next_phase_turn_only(position):
    game = position(players=2, phase="oil_extraction", at="start_of_turn", turn="white")
    game.player("white", character="drake", progress=12, patents=3, tools=9)
    assert fact(LevelReached, player="white", level=3) in game.play("white", OpenBriefcase("BC3"))
    assert game.refused("white", UseAbility()).code == "ABILITY_NOT_AVAILABLE"

    game = position(players=2, phase="oil_extraction", at="start_of_turn", turn="white", round=2)
    game.player("white", character="drake", progress=15, patents=1, tools=9)
    game.play("white", UseAbility())
    assert game.legal("white", BuildDrill)


@pytest.mark.rule("OR-PROG.15")
def test_a_player_on_space_3_is_at_level_i(position):
    """Level and space are two things: the goal of 3 points per level gives 3 points."""
    game = position(players=2, phase="goals", at="end_of_phase", goals=["GO04"]).player("white", progress=3)
    game.record_scores()
    assert (game["white"].progress, game["white"].level) == (3, 1)
    assert game["white"].vp_by_category["goals"] == 3
