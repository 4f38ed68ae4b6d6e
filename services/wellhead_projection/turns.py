"""Whose turn it is, and until when: what reminders are made from."""

from collections.abc import Callable

from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as api
from wellhead_eventlog.port import EventLog
from wellhead_projection import summaries
from wellhead_rules.kernel.table import Status


async def page(
    log: EventLog, player: str, found_by: Callable[[game_pb2.GameSummary], bool], after: str, limit: int
) -> tuple[list[api.Turn], str]:
    """The turns of so many games after a place, of one player or "" for all, and the place reached; "" at the end."""
    collection = summaries.awaiting(player) if player else summaries.with_status(Status.RUNNING)
    found = await summaries.newest(log, collection, after, limit + 1)
    turns = [
        turn
        for _, game in found[:limit]
        if game is not None and found_by(game)
        for turn in _turns(game)
        if not player or turn.player == player
    ]
    return turns, found[limit - 1][0] if len(found) > limit else ""


def _turns(game: game_pb2.GameSummary) -> list[api.Turn]:
    """The turns of a game; a seat that is absent is nobody's to remind."""
    absent = {each.seat for each in game.absent}
    deadlines = {each.seat: each.deadline for each in game.clocks if each.running}
    return [
        api.Turn(
            game_id=game.game_id,
            game=game.game,
            seat=seat,
            player=game.seats[seat].player,
            revision=game.revision,
            until=deadlines.get(seat),
        )
        for seat in game.awaiting
        if seat not in absent
    ]
