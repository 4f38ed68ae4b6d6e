"""What has happened in a game, commit by commit, in words."""

from wellhead.v1 import query_service_pb2
from wellhead_eventlog.chain import verify_chain
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.ruleset import Viewer
from wellhead_runtime import notation
from wellhead_runtime.live import LiveGames


async def page(
    games: LiveGames, game_id: str, after: int, limit: int, viewer: Viewer
) -> list[query_service_pb2.HistoryEntry]:
    """The commits after a revision, at most `limit`, as the viewer may see them."""
    live = await games.at(game_id, after) if after else games.fresh(game_id)
    entries = await games.log.read(live.stream, after, limit)
    verify_chain(entries, after=live.head)
    result = []
    for entry in entries:
        record, private = commits.decode(entry.public, entry.private)
        command = notation.command(live.table, record, private, viewer)
        live.fold(entry)
        assert live.last is not None
        message = query_service_pb2.HistoryEntry(
            revision=record.revision,
            actor=notation.actor(live.table, record.actor),
            command=command,
            facts=notation.facts(live.table, record, live.last.events, viewer),
        )
        message.time.FromMicroseconds(record.time_us)
        result.append(message)
    return result
