"""A game folded in memory, and the bounded cache of such games.

A `LiveGame` is always a prefix of its stream: every step forward continues the digest chain. Whether it is the whole
stream only the store knows; `catch_up` asks. Whoever moves a game holds its lock.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from weakref import WeakSet, WeakValueDictionary

from msgspec import Struct
from prometheus_client import Gauge

from wellhead.v1 import log_pb2
from wellhead_eventlog import limits as log_limits
from wellhead_eventlog.chain import verify_chain
from wellhead_eventlog.errors import InvalidName
from wellhead_eventlog.port import GENESIS, Entry, EventLog, Head, StreamId
from wellhead_eventlog.reading import read_on
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.ruleset import Command, Event, Ruleset, Viewer
from wellhead_rules.kernel.table import Step, Table
from wellhead_runtime.errors import not_reached, unknown_game
from wellhead_runtime.metrics import REGISTRY

_caches: "WeakSet[LiveGames]" = WeakSet()

LIVE_GAMES = Gauge("wellhead_live_games", "Games that are kept folded in memory.", registry=REGISTRY)
LIVE_GAMES.set_function(lambda: sum(len(games._kept) for games in _caches))

GAME = "game"
"""The kind of the streams that hold games."""

_FOLDED_AT_ONCE = 100  # commits, before others on the loop get a turn


def stream_of(game_id: str) -> StreamId:
    """The stream of a game; an id that no game can have is an unknown game."""
    try:
        return StreamId(GAME, game_id)
    except InvalidName:
        raise unknown_game(game_id) from None


class Commit(Struct, frozen=True):
    """The latest commit of a live game: its record, its facts with their hidden parts, and the stored private parts."""

    record: log_pb2.CommitRecord
    events: list[Event]
    private: bytes

    def command(self, ruleset: Ruleset, viewer: Viewer) -> Command:
        """The player's command as a viewer may see it."""
        return commits.command_of(ruleset, self.record, log_pb2.PrivateRecord.FromString(self.private), viewer)


Listener = Callable[["LiveGame"], None]
"""Called after each commit, while the game stands at exactly that commit."""


class LiveGame:
    """A table with its head, and what the services need to know beside it."""

    __slots__ = (
        "__weakref__", "_registry", "commands", "head", "held", "holders", "last", "listeners", "lock", "spoilt",
        "stream", "table",
    )  # fmt: skip

    def __init__(self, stream: StreamId, registry: Mapping[str, Ruleset]) -> None:
        self._registry = registry
        self.stream = stream
        self.table = Table(stream.id)
        self.head = GENESIS
        self.commands: dict[bytes, int] = {}
        """Revision by command key: what has been answered before."""
        self.holders: dict[int, bytes] = {}
        """The key of the command that took each seat that is taken."""
        self.held: set[tuple[int, str]] = set()
        """Who has ever held which seat, by name."""
        self.last: Commit | None = None
        self.listeners: list[Listener] = []
        self.lock = asyncio.Lock()
        self.spoilt = False
        """A fold has failed half-way: of no use any more."""

    @property
    def game_id(self) -> str:
        """The game's id."""
        return self.stream.id

    @property
    def begun(self) -> bool:
        """At least one commit has been folded."""
        return self.head.revision > 0

    def fold(self, entry: Entry) -> None:
        """Folds the next commit, whose place in the chain has been verified; CorruptRecord if this version cannot."""
        self.spoilt = True
        record, private = commits.decode(entry.public, entry.private)
        events = commits.fold(self.table, record, private, self._registry)
        self._advance(entry.head, Commit(record, events, entry.private))

    def accept(self, step: Step, record: log_pb2.CommitRecord, private: bytes, head: Head) -> None:
        """Puts the table of a step in place of the present one: its commit has been appended."""
        self.table = step.table
        self._advance(head, Commit(record, step.events, private))

    async def catch_up(self, log: EventLog, reach: int = 0) -> bool:
        """Folds what the stream holds beyond the head; whether that was anything. The caller holds the lock.

        BrokenChain if the stream does not continue the head, or ends before `reach`; it is frozen then (R-LOG-4).
        """
        entries = await read_on(log, self.stream, self.head, reach)
        for entry in entries:
            self.fold(entry)
        return bool(entries)

    async def follow(self, log: EventLog, entries: Sequence[Entry]) -> None:
        """Folds those of the given commits that are new here, without reading them again. The caller holds the lock."""
        news = [entry for entry in entries if entry.revision > self.head.revision]
        if news and news[0].revision > self.head.revision + 1:
            await self.catch_up(log, news[-1].revision)
            return
        verify_chain(news, after=self.head)
        for entry in news:
            self.fold(entry)

    def _advance(self, head: Head, commit: Commit) -> None:
        record = commit.record
        self.head = head
        self.commands[record.command_key] = head.revision
        for event in record.table_events:
            match event.WhichOneof("kind"):
                case "seat_taken":
                    self.holders[event.seat_taken.seat] = record.command_key
                    self.held.add((event.seat_taken.seat, event.seat_taken.player))
                case "seat_left":
                    self.holders.pop(event.seat_left.seat, None)
        self.last = commit
        self.spoilt = False
        for listener in self.listeners:
            listener(self)


class LiveGames:
    """The games that a process keeps folded: all that are in use, and at most `capacity` beyond, the latest used."""

    def __init__(self, log: EventLog, registry: Mapping[str, Ruleset], capacity: int) -> None:
        self.log = log
        self.registry = registry
        self._capacity = capacity
        self._in_use: WeakValueDictionary[str, LiveGame] = WeakValueDictionary()
        self._kept: OrderedDict[str, LiveGame] = OrderedDict()
        _caches.add(self)

    def fresh(self, game_id: str) -> LiveGame:
        """A game of its own, outside the cache, before its first commit."""
        return LiveGame(stream_of(game_id), self.registry)

    def at_hand(self, game_id: str) -> LiveGame:
        """The game as far as it is folded here, which may be not at all."""
        live = self._in_use.get(game_id)
        if live is None or live.spoilt:
            live = self._in_use[game_id] = self.fresh(game_id)
        return live

    def keep(self, live: LiveGame) -> None:
        """Keeps a game that has begun, as the latest used."""
        if self._kept.get(live.game_id) is not live:
            self._in_use[live.game_id] = self._kept[live.game_id] = live
        self._kept.move_to_end(live.game_id)
        if len(self._kept) > self._capacity:
            self._kept.popitem(last=False)

    def forget(self, live: LiveGame) -> None:
        """Lets go of a game that is damaged."""
        for games in (self._kept, self._in_use):
            if games.get(live.game_id) is live:
                del games[live.game_id]

    async def load(self, live: LiveGame) -> None:
        """Makes sure that a game at hand has begun; UNKNOWN_GAME if it has not. The caller holds its lock."""
        if not live.begun:
            await self.refresh(live)
        else:
            self.keep(live)

    async def refresh(self, live: LiveGame, reach: int = 0) -> None:
        """Brings a game up to the store's tail; UNKNOWN_GAME if it has none. The caller holds its lock."""
        await live.catch_up(self.log, reach)
        if not live.begun:
            raise unknown_game(live.game_id)
        self.keep(live)

    async def replay(self, game_id: str, until: int | None = None) -> AsyncIterator[LiveGame]:
        """The game after each of its commits, from the first one on; a game of its own, outside the cache."""
        live = self.fresh(game_id)
        while until is None or live.head.revision < until:
            left = log_limits.PAGE if until is None else min(until - live.head.revision, log_limits.PAGE)
            entries = await self.log.read(live.stream, after=live.head.revision, limit=left)
            verify_chain(entries, after=live.head)
            for entry in entries:
                live.fold(entry)
                yield live
                if live.head.revision % _FOLDED_AT_ONCE == 0:
                    await asyncio.sleep(0)
            if len(entries) < left:
                break

    async def at(self, game_id: str, revision: int) -> LiveGame:
        """The game as it stood at a revision, from 1; UNKNOWN_GAME or REVISION_NOT_REACHED if it has not been there."""
        found: LiveGame | None = None
        async for live in self.replay(game_id, revision):
            found = live
        if found is None:
            raise unknown_game(game_id)
        if found.head.revision < revision:
            raise not_reached(revision, found.head.revision)
        return found
