"""The read model behind the list of games: a summary per game, in one collection per status.

It is derived from the feeds, so it may lag behind a game by moments; it can be thrown away and derived again. A change
of its form is a new generation: other collections, and another consumer, which begins at the first commit.
"""

import asyncio
from collections.abc import Sequence

from wellhead.v1 import game_pb2
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import Delete, Document, Entry, EventLog, Put, StreamId, Write
from wellhead_rules.kernel.table import Status
from wellhead_runtime import viewing
from wellhead_runtime.live import GAME, LiveGames

_GENERATION = 2
CONSUMER = f"summaries-{_GENERATION}"
COLLECTIONS = {status: f"summaries-{_GENERATION}/{status.name.lower()}" for status in Status}

_CHUNK = 8


class Summaries:
    """Derives the summaries."""

    def __init__(self, games: LiveGames) -> None:
        self._games = games

    async def derive(self, stream: StreamId, entries: Sequence[Entry]) -> list[Write]:
        """What the commits change: the game's summary stands in the collection of its status, and in no other."""
        if stream.kind != GAME:
            return []
        live = self._games.at_hand(stream.id)
        async with live.lock:
            await live.follow(self._games.log, entries)
            self._games.keep(live)
            table = live.table
            document = Document(table.game_id, viewing.summary(table).SerializeToString(), table.created_us)
            others = [collection for status, collection in COLLECTIONS.items() if status is not table.status]
            return [*(Delete(each, document.id) for each in others), Put(COLLECTIONS[table.status], document)]


async def newest(
    log: EventLog, statuses: Sequence[Status], after: str, limit: int
) -> list[tuple[str, game_pb2.GameSummary]]:
    """Summaries with their places, the newest game first: those that come after a place, "" for the first."""
    shelves = [_Shelf(log, COLLECTIONS[status], partition) for status in statuses for partition in range(PARTITIONS)]
    await asyncio.gather(*(shelf.more(after) for shelf in shelves))
    while True:
        documents = sorted((each for shelf in shelves for each in shelf.found), key=_place, reverse=True)[:limit]
        last = documents[-1].place if len(documents) == limit else ""
        short = [shelf for shelf in shelves if not shelf.empty and shelf.found[-1].place > last]
        if not short:
            return [(each.place, game_pb2.GameSummary.FromString(each.value)) for each in documents]
        await asyncio.gather(*(shelf.more(shelf.found[-1].place) for shelf in short))


class _Shelf:
    """A collection's part in one partition, read as far as needed."""

    def __init__(self, log: EventLog, collection: str, partition: int) -> None:
        self._log = log
        self._collection = collection
        self._partition = partition
        self.found: list[Document] = []
        self.empty = False

    async def more(self, after: str) -> None:
        """Reads on; `empty` if there is no more."""
        page = await self._log.scan(self._collection, self._partition, after, _CHUNK, descending=True)
        self.found += page
        self.empty = len(page) < _CHUNK


def _place(document: Document) -> str:
    return document.place
