"""Taking commands back by agreement.

A seat asks for its own latest commands, as far as they form a stretch: nobody has learnt anything new by them and
nobody else has acted since. Once every other seat agrees one more commit is added, and with it the game stands again as
it stood: what is open is open under its number, the next draw is the one that would have come. Nothing is ever removed
from the log, and a command that has been taken back is still recognised when it is sent again.
"""

from collections.abc import Mapping

from wellhead.v1 import log_pb2
from wellhead_rules.kernel.programmes import Stop
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.kernel.table import Step, Table, record, require_player, step_of, stop_programme_of
from wellhead_rules.kernel.violations import RuleViolation


def request_undo(table: Table, seat: int, command: log_pb2.RequestUndo, registry: Mapping[str, Ruleset]) -> Step:
    """A seat asks to go back to a revision.

    Codes: GAME_NOT_STARTED, GAME_OVER, SEAT_RESIGNED, UNDO_PENDING, UNDO_DECLINED, NOTHING_TO_UNDO, UNDO_BARRIER.
    """
    require_player(table, seat)
    undoing, target = table.undoing, command.target_revision
    if undoing.asked is not None:
        raise RuleViolation("UNDO_PENDING", "", f"seat {undoing.asked.seat} is asking already")
    if undoing.refused:
        raise RuleViolation("UNDO_DECLINED", "", "it has been asked, and came to nothing; play goes on")
    if target >= undoing.stood[0]:
        raise RuleViolation("NOTHING_TO_UNDO", "", f"the game stands as it stood at revision {undoing.stood[0]}")
    reach = undoing.reach(seat)
    if target < reach:
        raise RuleViolation("UNDO_BARRIER", "", f"seat {seat} can go back to revision {reach}, and no further")
    stretch = undoing.of(seat)
    if stretch is None or stretch.place(target) is None:
        raise RuleViolation("NOTHING_TO_UNDO", "", f"what led to revision {target} has been taken back itself")
    step = step_of(table)
    record(step, registry, undo_requested=log_pb2.UndoRequested(seat=seat, target_revision=target))
    return _once_agreed(step, registry)


def answer_undo(table: Table, seat: int, command: log_pb2.AnswerUndo, registry: Mapping[str, Ruleset]) -> Step:
    """A seat agrees or refuses, or takes back what it has asked; after the last yes the game goes back.

    Codes: GAME_NOT_STARTED, GAME_OVER, SEAT_RESIGNED, UNDO_NOT_ASKED.
    """
    require_player(table, seat)
    asked = table.undoing.asked
    if asked is None or asked.target != command.target_revision:
        detail = f"nobody asks to go back to revision {command.target_revision}"
        raise RuleViolation("UNDO_NOT_ASKED", "", detail)
    if command.agree and seat in (asked.seat, *asked.agreed):
        raise RuleViolation("UNDO_NOT_ASKED", "", f"seat {seat} has said so already")
    step = step_of(table)
    record(step, registry, undo_answered=log_pb2.UndoAnswered(seat=seat, agree=command.agree))
    return _once_agreed(step, registry)


def _once_agreed(step: Step, registry: Mapping[str, Ruleset]) -> Step:
    """The game goes back once everybody has agreed; a seat whose player does not decide for it is not waited for."""
    asked = step.table.undoing.asked
    if asked is not None and {asked.seat, *asked.agreed, *step.table.absent} >= set(range(len(step.table.seats))):
        for programmed in sorted(step.table.programmes):  # each was filed where the game stands no more
            stop_programme_of(step, programmed, Stop.UNDONE)
        record(step, registry, undone=log_pb2.Undone(target_revision=asked.target))
    return step
