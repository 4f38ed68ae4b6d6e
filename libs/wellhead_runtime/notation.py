"""A game in words, commit by commit: who acted, what was asked, what happened."""

from collections.abc import Iterable

from wellhead.v1 import log_pb2
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.ruleset import Event, Viewer
from wellhead_rules.kernel.table import Table
from wellhead_runtime import viewing


def actor(table: Table, sender: log_pb2.Actor) -> str:
    """Who sent a command: a colour once the game has begun, before that a name; or a service."""
    if sender.WhichOneof("kind") != "seat":
        return sender.user or sender.service
    holder = table.seats[sender.seat]
    return viewing.colours(table)[sender.seat] or (holder.player if holder else f"seat {sender.seat}")


def command(before: Table, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, viewer: Viewer) -> str:
    """What was asked, as the viewer may see it, on the table as it was before."""
    match record.WhichOneof("command"):
        case "game_command":
            ruleset = before.ruleset
            return ruleset.option_label(before.game, commits.command_of(ruleset, record, private, viewer))
        case "round_award":
            return f"record the award of round {record.round_award.round}"
        case "final_score":
            return "record the final score"
    match record.table_command.WhichOneof("kind"):
        case "open":
            return "open the table"
        case "take_seat":
            return f"take seat {record.table_command.take_seat.seat}"
        case "leave_seat":
            return f"leave seat {record.table_command.leave_seat.seat}"
    return "start the game"


def facts(after: Table, record: log_pb2.CommitRecord, events: Iterable[Event], viewer: Viewer) -> list[str]:
    """What happened, as the viewer may see it, on the table as it is afterwards; a line a fact."""
    lines = [_table_fact(event) for event in record.table_events]
    lines += [after.ruleset.describe(after.game, after.ruleset.redact(event, viewer)) for event in events]
    return [line for line in lines if line]


def _table_fact(event: log_pb2.TableEvent) -> str:
    match event.WhichOneof("kind"):
        case "table_opened":
            opened = event.table_opened
            return f"a table of {opened.game} with {opened.seat_count} seats is open"
        case "seat_taken":
            return f"{event.seat_taken.player} takes seat {event.seat_taken.seat}"
        case "seat_left":
            return f"seat {event.seat_left.seat} is free again"
        case "game_started":
            return "the game starts"
    return "the game is closed and its seed published"
