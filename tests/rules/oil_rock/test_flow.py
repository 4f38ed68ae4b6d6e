"""B.4 Flow and turn order."""

import pytest

from tests.rules.oil_rock.playing import idle_round
from tests.support.positions import play_to_the_end
from wellhead_rules.oil_rock.commands import EndPhaseTurn, EndTurn, OpenBriefcase, PayForMore, ResolveAction
from wellhead_rules.oil_rock.events import (
    DecisionOpened,
    FinalScoringDue,
    GameEnded,
    GoalScoringDue,
    GoodsChanged,
    PhaseEnded,
    PhaseStarted,
    PhaseTurnEnded,
    PhaseTurnStarted,
    TurnOrderSet,
    WorkersReceived,
    WorkerTurnEnded,
    WorkerTurnStarted,
)
from wellhead_rules.oil_rock.facts import fact
from wellhead_rules.oil_rock.vocabulary import Phase

ORDER = ["blue", "white", "red"]


@pytest.mark.rule("OR-FLOW.1")
def test_income_and_every_kind_of_turn_run_in_turn_order(position):
    game = position(players=3, turn_order=ORDER, at="start_of_round")
    facts = idle_round(game)
    colours = game.seen.players
    assert [colours[one.player] for one in facts.of(WorkersReceived)] == ORDER
    assert [colours[one.player] for one in facts.of(WorkerTurnStarted)] == ORDER * 3
    for phase in (Phase.OIL_EXTRACTION, Phase.OIL_REFINING, Phase.GOALS):
        assert [colours[one.player] for one in facts.of(PhaseTurnStarted) if one.phase == phase] == ORDER


@pytest.mark.rule("OR-FLOW.2")
def test_all_first_worker_turns_come_before_all_second_and_those_before_all_third(position):
    game = position(players=3, turn_order=ORDER, at="start_of_round")
    facts = idle_round(game)
    colours = game.seen.players
    turns = [(one.number, colours[one.player]) for one in facts.of(WorkerTurnStarted)]
    assert turns == [(number, colour) for number in (1, 2, 3) for colour in ORDER]
    ended = [(one.number, colours[one.player]) for one in facts.of(WorkerTurnEnded)]
    assert ended == turns


def phase_turns(position, phase, **said):
    """Every player has a Patent, so nobody's phase turn ends by itself."""
    game = position(players=3, phase=phase, at="start_of_turn", turn="blue", turn_order=ORDER)
    for colour in ORDER:
        game.player(colour, patents=1, **said)
    return game


@pytest.mark.rule("OR-FLOW.3")
def test_in_oil_extraction_everybody_has_a_phase_turn_before_anybody_receives_barrels(position):
    game = phase_turns(position, "oil_extraction")
    facts = game.opening
    for colour in ORDER:
        assert game.decision == (colour, "phase_menu")
        assert fact(GoodsChanged, reason="EXTRACTION") not in facts
        facts = game.play(colour, EndPhaseTurn())
    assert facts.in_order(
        fact(PhaseTurnEnded, player="red"),
        *[fact(GoodsChanged, player=colour, reason="EXTRACTION") for colour in ORDER],
        fact(PhaseStarted, phase="oil_refining"),
    )


@pytest.mark.rule("OR-FLOW.4")
def test_in_oil_refining_everybody_refines_before_the_barrel_cap(position):
    game = phase_turns(position, "oil_refining", barrels={"yellow": 3})
    for colour in ORDER:
        assert game.decision == (colour, "phase_menu")
        assert all(game[other].barrels["yellow"] == 3 for other in ORDER)
        facts = game.play(colour, EndPhaseTurn())
    assert facts.in_order(
        fact(PhaseTurnEnded, player="red"),
        *[fact(GoodsChanged, player=colour, yellow=-2, reason="BARREL_CAP") for colour in ORDER],
        fact(PhaseStarted, phase="goals"),
    )


@pytest.mark.rule("OR-FLOW.5")
def test_in_goals_everybody_has_a_phase_turn_before_the_goal_is_scored(position):
    game = phase_turns(position, "goals")
    game.say(goals=["GO08"])
    for colour in ORDER:
        assert game.decision == (colour, "phase_menu")
        assert GoalScoringDue not in game.log
        game.play(colour, OpenBriefcase("BC1"))
    # The last Briefcase ends the last phase turn, and all three count.
    assert fact(GoalScoringDue, round=1, goal="GO08", measures=(3, 3, 3)) in game.log
    game.record_scores()
    assert [game[colour].vp for colour in ORDER] == [3, 3, 3]


@pytest.mark.rule("OR-FLOW.6")
def test_the_turn_order_is_set_in_setup_and_in_phase_six_only(position):
    for players in (2, 3, 4):
        facts = play_to_the_end(position(at="setup", players=players), seed=7)
        phase = None
        for event in facts:
            if isinstance(event, PhaseStarted):
                phase = event.phase
            if isinstance(event, TurnOrderSet):
                assert phase in (None, Phase.END_OF_ROUND)
        assert facts.count(TurnOrderSet) == 5


@pytest.mark.rule("OR-FLOW.6")
def test_overtaking_on_the_track_changes_nothing_during_the_round(position):
    game = position(players=3, turn_order=ORDER, turn="blue").player("blue", coins=2).pending("AT06")
    game.play("blue", ResolveAction("AT06", "progress_plus"))
    facts = game.play("blue", PayForMore())
    assert game["blue"].progress == 5 > game["white"].progress
    assert fact(DecisionOpened, owner="white", kind="turn_menu") in facts
    assert game.seen.turn_order == tuple(ORDER)


@pytest.mark.rule("OR-FLOW.7")
def test_after_phase_six_of_round_four_the_game_ends_with_final_scoring(position):
    game = position(round=4, phase="goals", at="end_of_phase").player("white", vp=3)
    assert game.opening.in_order(fact(PhaseEnded, round=4, phase="end_of_round"), FinalScoringDue)
    assert game.decision is None
    assert game.refused("white", EndTurn()).code == "GAME_OVER"
    facts = game.record_scores()
    assert facts.in_order(GameEnded)
    assert game.refused("red", EndPhaseTurn()).code == "GAME_OVER"


@pytest.mark.rule("OR-FLOW.7")
@pytest.mark.parametrize("round", [1, 2, 3])
def test_after_phase_six_of_the_other_rounds_the_next_round_starts(position, round):
    game = position(round=round, phase="goals", at="end_of_phase")
    assert FinalScoringDue not in game.opening
    assert game.seen.round == round + 1
    assert game.decision == ("white", "turn_menu")
