"""The flow of the game (OR-FLOW, section E.4), income (OR-INC) and the end of a round (OR-EOR)."""

from collections.abc import Callable
from functools import cache

from wellhead_rules.oil_rock import characters, progress, refining, scoring, wells, wheel
from wellhead_rules.oil_rock.events import (
    FinalScoringDue,
    Frame,
    ImprovementDiscarded,
    PhaseEnded,
    PhaseStarted,
    RoundStarted,
    TurnOrderSet,
    WorkersReturned,
    WorkerTurnStarted,
)
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.improvements import deck_size, reveal
from wellhead_rules.oil_rock.lists import push_list
from wellhead_rules.oil_rock.progress import SETTLE
from wellhead_rules.oil_rock.vocabulary import FlowStep, FrameKind, Phase


def flow(game: Game, frame: Frame) -> None:
    """Takes the next step; `frame.count` players have taken it before."""
    _STEPS[frame.step or FlowStep.ROUND](game, frame.count)


def _next(game: Game, step: FlowStep, count: int = 0) -> None:
    game.push(_flow(step, count))


@cache
def _flow(step: FlowStep, count: int) -> Frame:
    return Frame(FrameKind.FLOW, step=step, count=count)


def _take_character(game: Game, done: int) -> None:
    """The players choose in reverse turn order (OR-SETUP.16)."""
    if done == len(game.turn_order):
        return _next(game, FlowStep.DEPLOYMENT)
    _next(game, FlowStep.CHARACTER, done + 1)
    game.push(Frame(FrameKind.CHOOSE_CHARACTER, game.turn_order[-1 - done]))


def _deploy(game: Game, done: int) -> None:
    """The players deploy in reverse turn order (OR-DEPLOY.1, 6)."""
    if done == len(game.turn_order):
        return _next(game, FlowStep.ROUND)
    _next(game, FlowStep.DEPLOYMENT, done + 1)
    game.push(SETTLE)
    game.push(Frame(FrameKind.DEPLOY, game.turn_order[-1 - done]))


def _start_round(game: Game, done: int) -> None:
    game.record(RoundStarted(game.round + 1))
    game.record(PhaseStarted(game.round, Phase.INCOME))
    _next(game, FlowStep.INCOME)


def _income(game: Game, done: int) -> None:
    """Each player resolves the income band of the own level (OR-INC.1, 5)."""
    if done == len(game.turn_order):
        _change_phase(game, Phase.ACTIONS)
        return _next(game, FlowStep.WORKER_TURN)
    _next(game, FlowStep.INCOME, done + 1)
    player = game.players[game.turn_order[done]]
    game.push(SETTLE)
    push_list(game, player.seat, f"income:{player.character}:{player.level}")


def _worker_turn(game: Game, done: int) -> None:
    """All first turns, then all second, then all third (OR-FLOW.2)."""
    number, place = divmod(done, len(game.turn_order))
    if number == game.content.constants.worker_turns_per_round:
        _change_phase(game, Phase.OIL_EXTRACTION)
        return _next(game, FlowStep.PHASE_TURN)
    _next(game, FlowStep.WORKER_TURN, done + 1)
    seat = game.turn_order[place]
    game.record(WorkerTurnStarted(seat, number + 1))
    game.push(Frame(FrameKind.TURN_MENU, seat))


def _phase_turn(game: Game, done: int) -> None:
    """One phase turn each, then what the phase does for everybody (OR-FLOW.3 to 5)."""
    if done < len(game.turn_order):
        _next(game, FlowStep.PHASE_TURN, done + 1)
        return characters.start_phase_turn(game, game.turn_order[done])
    if game.phase == Phase.OIL_EXTRACTION:
        wells.extract(game)
        _change_phase(game, Phase.OIL_REFINING)
    elif game.phase == Phase.OIL_REFINING:
        refining.cap_barrels(game)
        _change_phase(game, Phase.GOALS)
    else:
        scoring.goal_due(game)
        _change_phase(game, Phase.END_OF_ROUND)
        return _end_round(game)
    _next(game, FlowStep.PHASE_TURN)


def _change_phase(game: Game, phase: Phase) -> None:
    game.record(PhaseEnded(game.round, Phase(game.phase or 0)))
    game.record(PhaseStarted(game.round, phase))


def _end_round(game: Game) -> None:
    """Phase 6, in the order of its clauses; also in round 4 (OR-EOR.1 to 10)."""
    constants = game.content.constants
    for card in game.display[: constants.improvements_discarded_per_round]:
        game.record(ImprovementDiscarded(card))
    while len(game.display) < constants.improvement_display_size[len(game.players)] and deck_size(game):
        reveal(game)
    game.record(WorkersReturned())
    wheel.turn(game)
    game.record(TurnOrderSet(game.round + 1, progress.furthest_back_first(game)))
    game.record(PhaseEnded(game.round, Phase.END_OF_ROUND))
    if game.round < constants.rounds:
        _next(game, FlowStep.ROUND)
    else:
        game.record(FinalScoringDue())


_STEPS: dict[FlowStep, Callable[[Game, int], None]] = {
    FlowStep.CHARACTER: _take_character,
    FlowStep.DEPLOYMENT: _deploy,
    FlowStep.ROUND: _start_round,
    FlowStep.INCOME: _income,
    FlowStep.WORKER_TURN: _worker_turn,
    FlowStep.PHASE_TURN: _phase_turn,
}
