"""Working on the agenda until somebody has to choose (section E).

The frame on top is worked on next: it records facts, pushes further frames, or asks.
"""

from collections.abc import Callable
from typing import Any

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import actions, checks, drilling, dummy, investments, rounds, sales, selection
from wellhead_rules.oilfield import commands as c
from wellhead_rules.oilfield.commands import Command
from wellhead_rules.oilfield.decision import DecisionPoint, Options
from wellhead_rules.oilfield.events import DecisionClosed, DecisionOpened, Frame
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.vocabulary import DecisionKind, Phase, Step

_WORK: dict[int, Callable[[Game, Frame], None]] = {
    Step.PLACE_WORKER: selection.ask_for_worker,
    Step.COMMIT_PRIVATE: selection.ask_for_cards,
    Step.PUBLIC_ACTIONS: actions.public_actions,
    Step.CHECK: checks.check,
    Step.CHECK_FIELD: checks.check_field,
    Step.SETTLE_GOVERNMENT_TOWER: checks.settle,
    Step.REPLENISH: checks.replenish,
    Step.CHECK_END: checks.check_end,
    Step.REVEAL: actions.reveal,
    Step.PRIVATE_ACTION: actions.private_action,
    Step.DUMMY_CARD: dummy.between_players,
    Step.DRILL_NEW_TOWER: drilling.drill_new,
    Step.DRILL_ON: drilling.drill_on,
    Step.SHIP: sales.ship,
    Step.COMPLETE: actions.complete,
    Step.NEXT_ROUND: rounds.next_round,
}


def _answered_by_all(game: Game, frame: Frame, command: Any) -> None:
    raise RuntimeError("a card is committed for its own seat")


_POINTS: dict[DecisionKind, DecisionPoint] = {
    **actions.POINTS,
    DecisionKind.PLACE_WORKER: DecisionPoint(
        selection.spaces, selection.place, selection.refuse_space, (c.PlaceWorker,)
    ),
    DecisionKind.COMMIT_PRIVATE: DecisionPoint(
        selection.cards, _answered_by_all, selection.refuse_card, (c.CommitPrivateAction,)
    ),
    DecisionKind.DRILL_NEW_TOWER: drilling.NEW_TOWER,
    DecisionKind.SHIP_NATIONAL_TOWER: sales.SHIP,
    DecisionKind.GOVERNMENT_PAYMENT: checks.PAYMENT,
}

_PASSED = (*actions.POINTS, DecisionKind.DRILL_NEW_TOWER, DecisionKind.SHIP_NATIONAL_TOWER)
_ASKED_BY: dict[type[Command], tuple[DecisionKind, ...]] = {
    kind: tuple(asked for asked, point in _POINTS.items() if kind in point.answers)
    for kind in c.Command.__subclasses__()
} | {c.PassAction: _PASSED}
"""The kinds of decision that a kind of command can answer, well or badly (section F.1)."""


def advance(game: Game) -> None:
    """Works on the agenda until a decision is open or nothing is left."""
    while game.agenda and game.open is None:
        frame = game.agenda.pop()
        _WORK[frame.step](game, frame)
    game.agenda.clear()


def point(opened: DecisionOpened) -> DecisionPoint:
    """How the open decision is asked and answered."""
    return drilling.DRILL_ON if opened.parameters.step == Step.DRILL_ON else _POINTS[opened.kind]


def listed_options(game: Game) -> Options:
    """Every legal answer to the open decision; worked out once per position."""
    if game.choices is None and game.open is not None:
        game.choices = point(game.open).options(game, game.open.parameters)
    return game.choices or []


def answer(game: Game, seat: int, decision_id: int, command: Command) -> None:
    """Carries a command out; RuleViolation, with nothing recorded, if it is illegal (F.1)."""
    if game.phase == Phase.GAME_OVER:
        raise RuleViolation("GAME_OVER", "OF-19.5", "the game is over")
    if not 0 <= seat < len(game.players):
        raise RuleViolation("UNKNOWN_PLAYER", "OF-1.1", f"there is no seat {seat}")
    opened = game.open
    if opened is None:
        raise RuleViolation("WRONG_PHASE", "OF-18.5", "no command is accepted now")
    if isinstance(command, c.SellInvestment):
        _check_bound(opened, seat, decision_id)
        investments.sell(game, seat, command)
        game.choices = None
        if seat in opened.seats:
            _reconsider(game, opened)
        return
    _check_expected(game, opened, seat, decision_id, command)
    asked, frame = point(opened), opened.parameters
    if command not in listed_options(game):
        raise asked.refuse(game, frame, command)
    game.choices = None
    game.record(DecisionClosed(opened.decision_id, seat))
    if isinstance(command, c.CommitPrivateAction):
        selection.commit(game, seat, command)
    else:
        game.agenda = list(opened.agenda)
        asked.choose(game, frame, command)
        return advance(game)
    if game.open is None:
        game.agenda = list(opened.agenda)
        advance(game)


def _check_bound(opened: DecisionOpened, seat: int, decision_id: int) -> None:
    """A sale answers no decision; who names one all the same means it to be still open."""
    if decision_id and (decision_id != opened.decision_id or seat not in opened.seats):
        raise RuleViolation("STALE_DECISION", "OF-14.10", f"you do not owe decision {decision_id}")


def _check_expected(game: Game, opened: DecisionOpened, seat: int, decision_id: int, command: Command) -> None:
    """The refusals that come before any look at what the command says."""
    if opened.kind not in _ASKED_BY[command.__class__]:
        kind = DecisionKind(opened.kind).name.lower()
        raise RuleViolation("WRONG_PHASE", "OF-5.4", f"{kind} is asked now, which the command does not answer")
    if seat not in opened.seats:
        if opened.kind == DecisionKind.COMMIT_PRIVATE:
            raise RuleViolation("ALREADY_COMMITTED", "OF-4.10", "your card lies face down and stays")
        raise RuleViolation("NOT_YOUR_DECISION", "OF-5.4", f"seat {opened.seats[0]} is asked")
    if decision_id != opened.decision_id:
        detail = f"decision {opened.decision_id} is open, not {decision_id}"
        raise RuleViolation("STALE_DECISION", "OF-5.4", detail)
    begun = game.current is not None and game.current.begun
    if isinstance(command, c.PassAction) and (opened.kind not in actions.POINTS or begun):
        raise RuleViolation("ACTION_ALREADY_STARTED", "OF-3.5", "the action has begun; finish it")


def _reconsider(game: Game, opened: DecisionOpened) -> None:
    """The asked player has sold: if nothing can be done any more, the question is closed (OF-5.7, OF-20.13)."""
    asked = point(opened)
    outcome = asked.moot(game, opened.parameters) if asked.moot is not None else None
    if outcome is not None:
        game.record(DecisionClosed(opened.decision_id, opened.parameters.seat))
        game.agenda = list(opened.agenda)
        outcome()
        advance(game)
