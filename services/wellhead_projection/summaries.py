"""The read model behind the lists of games: a summary per game, and for each list the games that stand in it.

    games                       the summary of every game
    status/STATUS               games by how far they are
    creator/WHO                 games by who opened them
    player/WHO/PHASE            games by who holds a seat: all, and the open, the running, those that are over
    awaiting/WHO                games by who owes a decision
    invited/WHO                 games by whom a seat is kept for
    lists                       of every game the lists that it stands in: what is to change when the game does

It is derived from the feeds, so it may lag behind a game by moments; it can be thrown away and derived again. A change
of its form is a new generation: other collections, and another consumer, which begins at the first commit.
"""

import asyncio
import hashlib
from collections.abc import Sequence

from wellhead.v1 import game_pb2
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import Delete, Document, Entry, EventLog, Put, StreamId, Write
from wellhead_rules.kernel.table import Status
from wellhead_runtime import limits, viewing
from wellhead_runtime.ids import rematch_id_of
from wellhead_runtime.live import GAME, LiveGames

_GENERATION = 3
CONSUMER = f"summaries-{_GENERATION}"
GAMES = f"{CONSUMER}/games"
LISTS = f"{CONSUMER}/lists"

_CHUNK = 8
_PHASES = {Status.OPEN: "open", Status.RUNNING: "running", Status.SCORING: "running"}


# -- which lists there are ---------------------------------------------------------------------------------------------


def with_status(status: Status) -> str:
    """The games that are so far."""
    return f"{CONSUMER}/status/{status.name.lower()}"


def of_creator(name: str) -> str:
    """The games opened under this name."""
    return f"{CONSUMER}/creator/{_who(name)}"


def of_player(name: str, status: Status | None = None) -> str:
    """The games in which the player holds a seat: all of them, or those about so far."""
    phase = "all" if status is None else _PHASES.get(status, "over")
    return f"{CONSUMER}/player/{_who(name)}/{phase}"


def awaiting(name: str) -> str:
    """The games in which the player owes a decision."""
    return f"{CONSUMER}/awaiting/{_who(name)}"


def inviting(name: str) -> str:
    """The games in which a seat is kept for the player."""
    return f"{CONSUMER}/invited/{_who(name)}"


def _who(name: str) -> str:
    """A name as it may stand in a collection's: any text, so by its digest. Two may meet there: readers look again."""
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def lists_of(summary: game_pb2.GameSummary) -> set[str]:
    """The lists that a game stands in."""
    status = Status(summary.status)
    lists = {with_status(status), of_creator(summary.creator)}
    for seat in summary.seats:
        if seat.player:
            lists.update((of_player(seat.player), of_player(seat.player, status)))
        if seat.reserved_for:
            lists.add(inviting(seat.reserved_for))
    return lists | {awaiting(summary.seats[seat].player) for seat in summary.awaiting}


# -- deriving ----------------------------------------------------------------------------------------------------------


class Summaries:
    """Derives the summaries."""

    def __init__(self, games: LiveGames) -> None:
        self._games = games

    async def derive(self, stream: StreamId, entries: Sequence[Entry]) -> list[Write]:
        """What the commits change: the game's summary, and the lists that it enters and leaves by them."""
        if stream.kind != GAME:
            return []
        live = self._games.at_hand(stream.id)
        async with live.lock:
            await live.follow(self._games.log, entries)
            self._games.keep(live)
            summary = viewing.summary(live.table)
            created_us = live.table.created_us
        # What stands in the store is what the last writes left there, whichever process made them.
        stored = await self._games.log.get(LISTS, stream.partition, stream.id)
        before = set(stored.value.decode().split()) if stored else set()
        now = lists_of(summary)
        writes: list[Write] = [Put(GAMES, Document(stream.id, summary.SerializeToString(), created_us))]
        writes += [Delete(each, stream.id) for each in sorted(before - now)]
        writes += [Put(each, Document(stream.id, b"", created_us)) for each in sorted(now - before)]
        if now != before:
            writes.append(Put(LISTS, Document(stream.id, " ".join(sorted(now)).encode())))
        return writes


# -- reading -----------------------------------------------------------------------------------------------------------


async def newest(
    log: EventLog, collection: str, after: str, limit: int
) -> list[tuple[str, game_pb2.GameSummary | None]]:
    """The games of a list with their places, the newest first: those that come after a place, "" for the first.

    None is a game whose summary is gone: the read model is being thrown away.
    """
    shelves = [_Shelf(log, collection, partition) for partition in range(PARTITIONS)]
    await asyncio.gather(*(shelf.more(after) for shelf in shelves))
    while True:
        documents = sorted((each for shelf in shelves for each in shelf.found), key=_place, reverse=True)[:limit]
        last = documents[-1].place if len(documents) == limit else ""
        short = [shelf for shelf in shelves if not shelf.empty and shelf.found[-1].place > last]
        if not short:
            games = await asyncio.gather(*(_summary(log, each) for each in documents))
            return [(each.place, game) for each, game in zip(documents, games, strict=True)]
        await asyncio.gather(*(shelf.more(shelf.found[-1].place) for shelf in short))


async def rematch_of(log: EventLog, game_id: str) -> game_pb2.GameSummary | None:
    """The rematch of a game, if somebody has asked for one and it has not been abandoned."""
    for number in range(limits.REMATCHES):
        rematch = await _find(log, rematch_id_of(game_id, number))
        if rematch is None or Status(rematch.status) is not Status.ABANDONED:
            return rematch
    return None


async def _summary(log: EventLog, document: Document) -> game_pb2.GameSummary | None:
    return game_pb2.GameSummary.FromString(document.value) if document.value else await _find(log, document.id)


async def _find(log: EventLog, game_id: str) -> game_pb2.GameSummary | None:
    document = await log.get(GAMES, StreamId(GAME, game_id).partition, game_id)
    return game_pb2.GameSummary.FromString(document.value) if document else None


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
