"""What has happened in a game, commit by commit, in words."""

from wellhead.v1 import log_pb2, query_service_pb2
from wellhead_eventlog.chain import verify_chain
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.ruleset import Viewer
from wellhead_rules.kernel.table import Table
from wellhead_runtime import viewing
from wellhead_runtime.live import LiveGame, LiveGames


async def page(
    games: LiveGames, game_id: str, after: int, limit: int, viewer: Viewer
) -> list[query_service_pb2.HistoryEntry]:
    """The commits after a revision, at most `limit`, as the viewer may see them."""
    live = await games.at(game_id, after) if after else games.fresh(game_id)
    entries = await games.log.read(live.stream, after, limit)
    verify_chain(entries, after=live.head)
    result = []
    for entry in entries:
        record, _ = commits.decode(entry.public)
        command = _command(live.table, record)
        live.fold(entry)
        result.append(_entry(live, record, command, viewer))
    return result


def _entry(
    live: LiveGame, record: log_pb2.CommitRecord, command: str, viewer: Viewer
) -> query_service_pb2.HistoryEntry:
    assert live.last is not None
    table, ruleset = live.table, live.table.ruleset
    facts = [_table_fact(event) for event in record.table_events]
    facts += [ruleset.describe(table.game, ruleset.redact(event, viewer)) for event in live.last.events]
    message = query_service_pb2.HistoryEntry(
        revision=record.revision,
        actor=_actor(table, record.actor),
        command=command,
        facts=[fact for fact in facts if fact],
    )
    message.time.FromMicroseconds(record.time_us)
    return message


def _actor(table: Table, actor: log_pb2.Actor) -> str:
    if actor.WhichOneof("kind") != "seat":
        return actor.user or actor.service
    holder = table.seats[actor.seat]
    return viewing.colours(table)[actor.seat] or (holder.player if holder else f"seat {actor.seat}")


def _command(before: Table, record: log_pb2.CommitRecord) -> str:
    """What was asked, on the table as it was before."""
    match record.WhichOneof("command"):
        case "game_command":
            ruleset = before.ruleset
            return ruleset.option_label(before.game, ruleset.command_from_proto(record.game_command.command))
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
