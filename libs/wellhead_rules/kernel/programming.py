"""What happens at a table by programmes: one is filed, stopped, or does what it is for.

What a programme does follows from the commits before it, so that whoever has the log can decide it again.
"""

from collections.abc import Mapping

from wellhead.v1 import log_pb2
from wellhead_rules.kernel.programmes import Stop, filed
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.kernel.table import (
    Step,
    Table,
    record,
    require_player,
    require_playing,
    step_of,
    stop_programme_of,
    with_chance,
)
from wellhead_rules.kernel.violations import RuleViolation


def set_programme(table: Table, seat: int, command: log_pb2.SetProgramme, registry: Mapping[str, Ruleset]) -> Step:
    """A seat files a programme; it brings its player back if they were away.

    Codes: GAME_NOT_STARTED, GAME_OVER, SEAT_RESIGNED, STALE_PROGRAMME.
    """
    require_player(table, seat)
    if command.revision != table.revision:
        detail = f"it was made for revision {command.revision}, the game is at {table.revision}"
        raise RuleViolation("STALE_PROGRAMME", "", detail)
    step = step_of(table)
    if seat in table.absent:
        record(step, registry, seat_returned=log_pb2.SeatReturned(seat=seat))
    stop_programme_of(step, seat, Stop.STOPPED)
    record(step, registry, programme_set=filed(seat, command).to_proto())
    return step


def stop_programme(table: Table, seat: int, registry: Mapping[str, Ruleset]) -> Step:
    """A seat stops its programme. Codes: GAME_NOT_STARTED, GAME_OVER, SEAT_RESIGNED, NO_PROGRAMME."""
    require_player(table, seat)
    if seat not in table.programmes:
        raise RuleViolation("NO_PROGRAMME", "", f"no programme of seat {seat} stands")
    step = step_of(table)
    stop_programme_of(step, seat, Stop.STOPPED)
    return step


def act(table: Table, seat: int, revision: int, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    """The programme of a seat, bound to that revision, does what is due by it.

    Codes: GAME_NOT_STARTED, GAME_OVER, STALE_DECISION if nothing is due by it, and the ruleset's.
    """
    require_playing(table)
    verdict = table.programmed(seat)
    if verdict is None or table.programmes[seat].revision != revision:
        raise RuleViolation("STALE_DECISION", "", f"nothing is due by a programme of seat {seat} for {revision}")
    step = step_of(table)
    step.programmed = log_pb2.Programmed(seat=seat, programme_revision=revision, decision_id=verdict.decision_id)
    if verdict.stop is not None:
        stop_programme_of(step, seat, verdict.stop)
    if verdict.command is not None:
        command, ruleset, game = verdict.command, table.ruleset, step.table.game
        step.command = command
        with_chance(step, seed, lambda chance: ruleset.play(game, seat, verdict.decision_id, command, chance))
    return step
