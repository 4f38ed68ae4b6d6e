"""OR-GOAL: Phase 5, Goals, and the formulas of section G.1."""

import pytest

from wellhead_rules.oil_rock.commands import BuildDrill, EndPhaseTurn, OpenBriefcase, UseExtraAction
from wellhead_rules.oil_rock.events import (
    BriefcaseOpened,
    DecisionOpened,
    FinalScoringDue,
    GoalScored,
    GoalScoringDue,
    LevelReached,
    PhaseTurnStarted,
    VictoryPointsGained,
    WorkerTurnStarted,
)
from wellhead_rules.oil_rock.facts import fact


@pytest.mark.rule("OR-GOAL.1")
def test_every_player_takes_a_phase_turn_before_the_goal_is_scored(position):
    game = position(phase="goals", at="start_of_turn", goals=["GO08"]).player("white", patents=1)
    game.player("red", patents=1)
    assert game.decision == ("white", "phase_menu")
    assert GoalScoringDue not in game.opening
    facts = game.play("white", EndPhaseTurn())
    assert fact(PhaseTurnStarted, player="red", phase="goals") in facts
    assert GoalScoringDue not in facts
    assert fact(GoalScoringDue, round=1, goal="GO08") in game.play("red", EndPhaseTurn())


@pytest.mark.rule("OR-GOAL.1")
def test_what_is_done_in_the_phase_turn_counts_for_the_goal(position):
    game = position(phase="goals", turn="white", goals=["GO02"]).player("white", patents=3, tools=3)
    game.play("white", UseExtraAction("XA3"))
    game.play("white", BuildDrill("green"))
    facts = game.record_scores()
    assert fact(VictoryPointsGained, player="white", amount=5, category="goals", source_id="GO02") in facts


@pytest.mark.rule("OR-GOAL.2")
@pytest.mark.parametrize(("round", "goal", "vp"), [(1, "GO01", 10), (2, "GO12", 2), (3, "GO13", 3), (4, "GO08", 6)])
def test_the_goal_at_the_position_of_the_round_is_scored(position, round, goal, vp):
    game = position(phase="goals", at="end_of_phase", round=round, goals=["GO01", "GO12", "GO13", "GO08"]).player(
        "red", depth={"yellow": 3}, offices=["R05 from yellow"], turbines={"TU2": 3}, refineries=3
    )
    game.player("red", briefcases=["BC1", "BC4"])
    assert fact(GoalScoringDue, round=round, goal=goal) in game.opening
    facts = game.record_scores()
    assert [event.goal for event in facts.of(GoalScored)] == [goal]
    assert fact(VictoryPointsGained, player="red", amount=vp, category="goals", source_id=goal) in facts
    assert fact(VictoryPointsGained, player="white") not in facts


FORMULAS = [
    ("GO01", {"depth": {"yellow": 4}, "offices": ["R05 from yellow", "R06 from yellow"]}, 15),
    ("GO02", {"depth": {"green": 2, "yellow": 2}}, 5),
    ("GO03", {"depth": {"blue": 3, "green": 2}, "offices": ["R02 from blue"]}, 10),
    ("GO04", {"progress": 20}, 12),
    ("GO04", {"progress": 3}, 3),
    ("GO04", {"progress": 42}, 18),
    ("GO05", {"offices": ["R01", "R11", "R02"]}, 8),
    ("GO06", {"offices": ["R03", "R05", "R08", "R01"]}, 12),
    ("GO07", {"offices": ["R02", "R03"]}, 4),
    ("GO08", {"briefcases": ["BC1", "BC2", "BC3", "BC4", "BC5", "BC6"]}, 18),
    ("GO09", {"improvements": ["IM01", "IM02", "IM16"]}, 8),
    ("GO10", {"improvements": ["IM17", "IM31", "IM32"]}, 4),
    ("GO11", {"improvements": ["IM31", "IM32", "IM33", "IM01"]}, 12),
    ("GO12", {"turbines": {"TU1": 1, "TU6": 6, "TU3": 2}}, 6),
    ("GO13", {"refineries": 11}, 11),
    ("GO14", {"extra_actions": {"XA1": 1, "XA6": 2}}, 8),
]


@pytest.mark.rule("OR-GOAL.2")
@pytest.mark.parametrize(("goal", "said", "vp"), FORMULAS)
def test_a_goal_gives_its_points_per_thing_counted(position, goal, said, vp):
    game = position(phase="goals", at="end_of_phase", round=2, goals=["GO09" if goal != "GO09" else "GO10", goal])
    game.player("white", **said)
    game.open()
    before = game["white"].vp
    facts = game.record_scores()
    assert fact(VictoryPointsGained, player="white", amount=vp, category="goals", source_id=goal) in facts
    assert game["white"].vp - before == vp
    assert game["white"].vp_by_category["goals"] == vp


@pytest.mark.rule("OR-GOAL.2")
def test_a_player_who_does_not_meet_a_goal_gets_nothing_and_there_is_no_ranking(position):
    game = position(phase="goals", at="end_of_phase", players=3, goals=["GO08"])
    game.player("white", briefcases=["BC1"]).player("red", briefcases=["BC1", "BC2"])
    facts = game.record_scores()
    awards = {event.player: event.amount for event in facts.of(VictoryPointsGained)}
    assert awards == {game.seat("white"): 3, game.seat("red"): 6}


@pytest.mark.rule("OR-GOAL.2")
def test_a_level_counts_as_on_the_notebook_not_as_the_marker_stands(position):
    game = position(phase="goals", at="end_of_phase", goals=["GO04"]).player("white", progress=12, best_space=13)
    assert fact(VictoryPointsGained, player="white", amount=9, source_id="GO04") in game.record_scores()


@pytest.mark.rule("OR-GOAL.3")
def test_a_level_reached_in_the_last_phase_turn_counts_for_the_goal(position):
    game = position(phase="goals", turn="red", goals=["GO04"]).player("red", progress=3, patents=2)
    facts = game.play("red", OpenBriefcase("BC3"))
    assert facts.in_order(fact(LevelReached, player="red", level=2), GoalScoringDue)
    assert fact(VictoryPointsGained, player="red", amount=6, source_id="GO04") in game.record_scores()


@pytest.mark.rule("OR-GOAL.3")
def test_all_players_score_a_goal_with_their_state_at_that_moment(position):
    game = position(phase="goals", at="end_of_phase", goals=["GO08"]).player("white", patents=1)
    game.player("red", briefcases=["BC1"])
    assert game.decision == ("white", "turn_menu")
    assert fact(BriefcaseOpened, player="white") in game.play("white", OpenBriefcase("BC1"))
    facts = game.record_scores()
    awards = {event.player: event.amount for event in facts.of(VictoryPointsGained)}
    assert awards == {game.seat("red"): 3}


@pytest.mark.rule("OR-GOAL.3")
def test_each_goal_is_scored_exactly_once(position):
    game = position(phase="goals", at="end_of_phase", goals=["GO13"]).player("white", refineries=2)
    assert game.opening.count(GoalScoringDue) == 1
    assert game.record_scores().count(fact(GoalScored, round=1, goal="GO13")) == 1
    assert game.record_scores() == []
    assert game["white"].vp == 2


@pytest.mark.rule("OR-GOAL.4")
@pytest.mark.parametrize("round", [1, 2, 3])
def test_after_the_goal_nobody_is_asked_before_the_next_round(position, round):
    game = position(phase="goals", at="end_of_phase", round=round).player("white", patents=9).player("red", patents=9)
    assert game.opening.in_order(GoalScoringDue, WorkerTurnStarted, DecisionOpened)
    assert game.opening.count(DecisionOpened) == 1
    assert game.decision == ("white", "turn_menu")


@pytest.mark.rule("OR-GOAL.4")
def test_after_the_goal_of_the_last_round_no_patent_can_be_spent(position):
    game = position(phase="goals", at="end_of_phase", round=4).player("white", patents=9)
    assert game.opening.in_order(GoalScoringDue, FinalScoringDue)
    assert game.decision is None
    assert game.refused("white", OpenBriefcase("BC1")).code == "GAME_OVER"
