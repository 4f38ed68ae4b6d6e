"""What happens at a table when a player is away, gives up or comes back, and when the service itself was away.

Everything here follows from the commits before it, the time of this one, and, where a bot plays, the bot's choice; so
whoever has the log can decide it again.
"""

from collections.abc import Mapping

from wellhead.v1 import log_pb2
from wellhead_rules.kernel import clocks
from wellhead_rules.kernel.absence import RESIGNED
from wellhead_rules.kernel.programmes import Stop
from wellhead_rules.kernel.ruleset import Command, Ruleset
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


def expire(
    table: Table, seat: int, decision_id: int, bots_choice: Command | None, now_us: int,
    registry: Mapping[str, Ruleset], seed: bytes,
) -> Step:  # fmt: skip
    """The clock resolves a decision as the table's policy says; `bots_choice` is needed where a bot plays.

    Codes: GAME_NOT_STARTED, GAME_OVER, STALE_DECISION if it is not owed or its time is not over, and the ruleset's.
    """
    require_playing(table)
    if not any((each.seat, each.decision_id) == (seat, decision_id) for each in table.owed):
        raise RuleViolation("STALE_DECISION", "", f"seat {seat} does not owe decision {decision_id}")
    away = seat in table.absent
    reading = 0 if away else clocks.reading(table.clocks, seat, now_us)
    if reading is None or reading > 0:
        raise RuleViolation("STALE_DECISION", "", f"the time of seat {seat} is not over")
    step = step_of(table)
    step.expiry = log_pb2.Expiry(seat=seat, decision_id=decision_id, reading_us=reading)
    stop_programme_of(step, seat, Stop.AWAY)
    if not away and table.policy.abort_early and not table.first_round_over:
        step.expiry.abort.SetInParent()
        _abort(step, registry, seed)
    elif not away and table.policy.kind == "resignation":
        step.expiry.resignation.SetInParent()
        _resign(step, seat, registry, seed)
    else:
        _answer(step, seat, bots_choice, registry)
        command, ruleset, game = step.command, table.ruleset, step.table.game
        with_chance(step, seed, lambda chance: ruleset.play(game, seat, decision_id, command, chance))
    return step


def player_of(table: Table, seat: int) -> str:
    """The bot that is to answer for the seat once its time is over, or RESIGNED if none is."""
    if seat in table.absent:
        return table.absent[seat]
    return table.policy.bot if table.policy.kind == "take_over" else RESIGNED


def resign(table: Table, seat: int, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    """A seat gives the game up. Codes: GAME_NOT_STARTED, GAME_OVER, SEAT_RESIGNED."""
    require_player(table, seat)
    step = step_of(table)
    _resign(step, seat, registry, seed)
    return step


def return_to_seat(table: Table, seat: int, registry: Mapping[str, Ruleset]) -> Step:
    """A player comes back to a seat that a bot plays. Codes: those of `resign`, and SEAT_NOT_AWAY."""
    require_player(table, seat)
    if seat not in table.absent:
        raise RuleViolation("SEAT_NOT_AWAY", "", f"no bot plays seat {seat}")
    step = step_of(table)
    record(step, registry, seat_returned=log_pb2.SeatReturned(seat=seat))
    return step


def credit(table: Table, command: log_pb2.ClockCredit, registry: Mapping[str, Ruleset]) -> Step:
    """Time in which the service was down is given back to the clocks that ran. Codes: GAME_NOT_STARTED, GAME_OVER."""
    require_playing(table)
    step = step_of(table)
    due = clocks.credits(table.clocks, ((each.from_us, each.until_us) for each in command.downtimes))
    seats = [log_pb2.CreditedSeat(seat=seat, us=us) for seat, us in due.items()]
    record(step, registry, clock_credited=log_pb2.ClockCredited(seats=seats))
    return step


def _answer(step: Step, seat: int, bots_choice: Command | None, registry: Mapping[str, Ruleset]) -> None:
    """Who answers for the seat, and what."""
    table, expiry, bot = step.table, step.expiry, player_of(step.table, seat)
    assert expiry is not None
    if bot == RESIGNED:
        expiry.automatic_pass.SetInParent()
        step.command = table.ruleset.absent(table.game, seat)
        return
    if bots_choice is None:
        raise RuleViolation("COMMAND_NOT_EXPECTED", "", f"the choice of {bot} is missing")
    expiry.take_over.bot = bot
    step.command = bots_choice
    if seat not in table.absent:
        record(step, registry, seat_taken_over=log_pb2.SeatTakenOver(seat=seat, bot=bot))


def _resign(step: Step, seat: int, registry: Mapping[str, Ruleset], seed: bytes) -> None:
    """Once nobody is left who wants to play a game that has hardly begun, it is broken off."""
    stop_programme_of(step, seat, Stop.RESIGNED)
    record(step, registry, seat_resigned=log_pb2.SeatResigned(seat=seat))
    table = step.table
    if not table.first_round_over and all(table.absent.get(each) == RESIGNED for each in range(len(table.seats))):
        _abort(step, registry, seed)


def _abort(step: Step, registry: Mapping[str, Ruleset], seed: bytes) -> None:
    record(step, registry, game_aborted=log_pb2.GameAborted())
    record(step, registry, game_closed=log_pb2.GameClosed(seed=seed))
