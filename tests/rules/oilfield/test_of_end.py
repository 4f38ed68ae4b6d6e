"""OF-18: when the game ends."""

import pytest

from tests.rules.oilfield.silence import silent
from wellhead_rules.oilfield.commands import CommitPrivateAction, PassAction, PlaceWorker, SellNational
from wellhead_rules.oilfield.events import (
    EndTriggered,
    FieldExhausted,
    FieldReplenished,
    LeaseRevealed,
    OilfieldMarkerAdvanced,
    PhaseStarted,
    RoundStarted,
    SubsidyIncreased,
    TileRevealed,
)
from wellhead_rules.oilfield.facts import fact

RUNNING_OUT = {"oil": 0, "step": 2}
"""At the next check the field is exhausted."""
EXHAUSTED = {"step": 3}
PHASES = pytest.mark.parametrize("phase", ["public_actions", "private_actions"])


def checking(position, phase="public_actions", **said):
    return position(at="check", phase=phase, **silent()).say(**said)


def play_round(game):
    """Nobody does anything for a whole round; the facts."""
    facts = game.opening
    for seat, space in zip(game.seen.turn_order, ("first_player_1", "subsidy_1", "drill_1"), strict=True):
        facts += game.play(seat, PlaceWorker(space))
    for seat in ("P0", "P1", "P2"):
        facts += game.play(seat, CommitPrivateAction("drill"))
    while game.decision is not None and game.decision[1] != "place_worker":
        facts += game.play(game.decision[0], PassAction())
    return facts


# -- the trigger -----------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-18.1")
@PHASES
@pytest.mark.parametrize("exhausted", [("dallas",), ("pecos",)])
def test_the_second_exhausted_field_triggers_the_end(position, phase, exhausted):
    fields = {**dict.fromkeys(exhausted, EXHAUSTED), "austin": RUNNING_OUT}
    game = checking(position, phase, round=9, fields=fields)
    assert game.opening.of(EndTriggered) == [EndTriggered(10)]
    assert game.opening.in_order(FieldExhausted, EndTriggered)


@pytest.mark.rule("OF-18.1")
def test_three_fields_exhausted_at_one_check_trigger_the_end_once(position):
    game = checking(position, round=9, fields=dict.fromkeys(("dallas", "austin", "pecos"), RUNNING_OUT))
    assert game.opening.count(FieldExhausted) == 3
    assert game.opening.of(EndTriggered) == [EndTriggered(10)]


@pytest.mark.rule("OF-18.1")
def test_one_exhausted_field_triggers_nothing(position):
    game = checking(position, fields={"dallas": RUNNING_OUT})
    assert FieldExhausted in game.opening
    assert EndTriggered not in game.opening


@pytest.mark.rule("OF-18.1")
def test_a_field_that_is_refilled_does_not_count(position):
    game = checking(position, fields={"dallas": EXHAUSTED, "austin": {"oil": 0, "step": 1}})
    assert EndTriggered not in game.opening


@pytest.mark.rule("OF-18.1")
def test_the_end_is_triggered_once(position):
    game = checking(position, round=9, final_round=10, fields={"dallas": EXHAUSTED, "austin": EXHAUSTED})
    game.field("pecos", **RUNNING_OUT)
    assert FieldExhausted in game.opening
    assert EndTriggered not in game.opening
    assert fact(RoundStarted, round=10, is_final=True) in game.opening


@pytest.mark.rule("OF-18.1")
def test_in_the_final_round_nothing_is_triggered(position):
    fields = {"dallas": EXHAUSTED, "austin": RUNNING_OUT}
    game = checking(position, round=12, is_final=True, fields=fields)
    assert FieldExhausted in game.opening
    assert EndTriggered not in game.opening
    assert fact(PhaseStarted, phase="final_scoring") in game.opening


# -- the final round -------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-18.2")
@PHASES
def test_the_round_is_finished_and_one_more_is_played(position, phase):
    game = checking(position, phase, round=9, fields={"dallas": EXHAUSTED, "austin": RUNNING_OUT})
    assert game.opening.of(RoundStarted) == [RoundStarted(10, True)]
    assert game.opening.of(PhaseStarted)[-1] == PhaseStarted(1)
    assert (game.seen.is_final, game.seen.final_round) == (True, 10)
    facts = play_round(game)
    assert facts[-1] == PhaseStarted(5)
    assert game.decision is None


@pytest.mark.rule("OF-18.2")
def test_without_a_trigger_the_next_round_is_not_final(position):
    game = checking(position, round=9)
    assert game.opening.of(RoundStarted) == [RoundStarted(10, False)]
    play_round(game)
    assert game.seen.round == 11


@pytest.mark.rule("OF-18.3")
def test_after_the_private_phase_of_the_final_round_nothing_is_checked_or_refilled(position):
    game = position(is_final=True, round=9, building_market=[], lease_market=[]).player("P2", oil=1)
    game.field("dallas", oil=0).acting("P2", "national")
    facts = game.play("P2", SellNational(1))
    assert facts[-1] == PhaseStarted(5)
    for kind in (OilfieldMarkerAdvanced, FieldReplenished, TileRevealed, LeaseRevealed, SubsidyIncreased, RoundStarted):
        assert kind not in facts


@pytest.mark.rule("OF-18.3")
def test_after_the_public_phase_of_the_final_round_there_is_a_check(position):
    game = checking(position, is_final=True, round=9, fields={"dallas": {"oil": 0}})
    assert game.opening.count(FieldReplenished) == 1
    assert game.opening[-1] == PhaseStarted(5)


@pytest.mark.rule("OF-18.4")
@pytest.mark.parametrize(("round", "is_final"), [(37, False), (38, False), (39, True)])
def test_round_forty_is_the_final_round(position, round, is_final):
    game = position(at="end_of_round", round=round, **silent())
    assert game.opening.of(RoundStarted) == [RoundStarted(round + 1, is_final)]
    facts = play_round(game)
    assert (facts[-1] == PhaseStarted(5)) == is_final


@pytest.mark.rule("OF-18.4")
@PHASES
def test_a_trigger_in_round_thirty_nine_names_round_forty(position, phase):
    game = checking(position, phase, round=39, fields={"dallas": EXHAUSTED, "austin": RUNNING_OUT})
    assert game.opening.of(EndTriggered) == [EndTriggered(40)]
    assert game.opening.of(RoundStarted) == [RoundStarted(40, True)]


@pytest.mark.rule("OF-18.4", "OF-18.1")
def test_no_trigger_moves_the_final_round_beyond_the_limit(position):
    game = checking(position, round=40, fields={"dallas": EXHAUSTED, "austin": RUNNING_OUT})
    assert FieldExhausted in game.opening
    assert EndTriggered not in game.opening
    assert RoundStarted not in game.opening
    assert game.opening[-1] == PhaseStarted(5)


@pytest.mark.rule("OF-18.5")
def test_after_the_last_private_action_no_command_is_accepted(position):
    game = (
        position(is_final=True, round=9).player("P2", oil=3, coins=0).track("vp2", {3: "P0"}).acting("P2", "national")
    )
    game.play("P2", SellNational(2))
    assert game.decisions == ()
    for seat in ("P0", "P1", "P2"):
        assert game.legal(seat) == []
        for command in (PassAction(), SellNational(1), CommitPrivateAction("drill"), PlaceWorker("drill_1")):
            assert game.refused(seat, command).code == "WRONG_PHASE"


@pytest.mark.rule("OF-18.5")
def test_the_score_is_that_of_the_state_then(position):
    game = position(is_final=True, round=9).player("P2", oil=3, coins=13).acting("P2", "national")
    game.play("P2", SellNational(2))
    assert {(line.seat, line.category, line.points) for line in game.score.lines} == {(2, "vp_most_money", 2)}
    game.record_scores()
    assert [game[seat].vp for seat in ("P0", "P1", "P2")] == [0, 0, 2]
