"""Live streams: one follower of the feeds a process, one read a change, any number of watchers (R-API-3).

    feeds ──> Hub ──wakes──> Topic (a watched game) ──folds──> LiveGame ──after each commit──> Subscriptions

A topic renders a commit once for all watchers of one kind and puts it into their queues, which are bounded: whoever
does not keep up is cut, with the revision to resume after. Nothing can be missed: a topic listens before it reads, and
what was written before is replayed from the log.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import structlog
from prometheus_client import Counter, Gauge

from wellhead_eventlog.errors import FeedTrimmed, StoreBusy, StoreUnavailable
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_runtime import limits, metrics
from wellhead_runtime.errors import Refused, busy, not_reached
from wellhead_runtime.live import GAME, LiveGame, LiveGames
from wellhead_runtime.metrics import REGISTRY
from wellhead_runtime.reasons import Reason

WATCHERS = Gauge("wellhead_watchers", "Streams and calls that wait for changes of a game.", registry=REGISTRY)
CUTS = Counter(
    "wellhead_streams_cut_total", "Watch streams ended before their game, by the reason told.", ["reason"],
    registry=REGISTRY,
)  # fmt: skip
FANOUT_SECONDS = metrics.Histogram(
    "wellhead_fanout_seconds",
    "From a commit, by the clock of who wrote it, until it lies in the queues of its watchers here.",
    buckets=metrics.DELAYS,
).labels()

T = TypeVar("T")

Render = Callable[[LiveGame], T]
"""What watchers of one kind are sent after the commit at which the game stands."""

_log = structlog.get_logger(__name__)


def _moved(live: LiveGame) -> bool:
    """What those are sent who only wait for the game to move."""
    return True


class Ended(Exception):
    """The stream ends although the game does not; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.name)
        self.reason = reason


class Subscription(Generic[T]):
    """One watcher's queue: what follows from every commit after revision `start`."""

    def __init__(self, render: Render[T], start: int) -> None:
        self.render = render
        self.start = start
        self._queue: deque[tuple[int, T]] = deque()
        self._news = asyncio.Event()
        self._end: Exception | None = None

    def offer(self, revision: int, message: T) -> None:
        """Queues what follows from a commit; a queue that is full is thrown away, and the watcher with it."""
        if self._end is not None:
            return
        if len(self._queue) >= limits.WATCH_QUEUE:
            self._queue.clear()
            self.end(Ended(Reason.SLOW_WATCHER))
            return
        self._queue.append((revision, message))
        self._news.set()

    def end(self, error: Exception) -> None:
        """Once the queue is empty, `next` raises this."""
        if self._end is None:
            self._end = error
            CUTS.labels(error.reason.name if isinstance(error, Ended) else "FAULT").inc()
        self._news.set()

    async def next(self, seconds: float) -> tuple[int, T] | None:
        """The next commit's revision and message; None if nothing happens for so long; raises what ended it."""
        while not self._queue:
            if self._end is not None:
                raise self._end
            self._news.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._news.wait()
            except TimeoutError:
                return None
        return self._queue.popleft()


class Topic:
    """A watched game: its watchers by kind, and how far the feeds say it has come."""

    def __init__(self, live: LiveGame) -> None:
        self.live = live
        self.reach = 0
        self.users = 0
        self.advancing: asyncio.Task[None] | None = None
        self._kinds: dict[Hashable, list[Subscription[Any]]] = {}

    def __call__(self, live: LiveGame) -> None:
        """Listens to the live game: sends a commit to everybody. A fault in rendering is no fault of the fold."""
        try:
            for subscriptions in self._kinds.values():
                message = subscriptions[0].render(live)
                for subscription in subscriptions:
                    subscription.offer(live.head.revision, message)
            if self._kinds and live.last is not None:
                FANOUT_SECONDS.observe(max(time.time() - live.last.record.time_us / 1e6, 0.0))
        except Exception as error:
            self.end(error)

    @contextmanager
    def subscription(self, kind: Hashable, render: Render[T]) -> Iterator[Subscription[T]]:
        """A new watcher, from the game's present revision on. Watchers of one kind share what the first one renders."""
        if sum(map(len, self._kinds.values())) >= limits.WATCHERS_PER_GAME:
            detail = f"the game has {limits.WATCHERS_PER_GAME} watchers, no more are taken"
            raise Refused(Reason.TOO_MANY_WATCHERS, detail, limit="WATCHERS_PER_GAME")
        subscription = Subscription(render, self.live.head.revision)
        self._kinds.setdefault(kind, []).append(subscription)
        WATCHERS.inc()
        try:
            yield subscription
        finally:
            WATCHERS.dec()
            self._kinds[kind].remove(subscription)
            if not self._kinds[kind]:
                del self._kinds[kind]

    def end(self, error: Exception) -> None:
        """Ends every stream of the game."""
        for subscriptions in self._kinds.values():
            for subscription in subscriptions:
                subscription.end(error)


class Hub:
    """Follows all feeds of the store for the games that somebody in this process watches."""

    def __init__(self, games: LiveGames) -> None:
        self._games = games
        self._topics: dict[str, Topic] = {}
        self._positions: dict[int, int] = {}
        self._stopping = False
        self._following: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Takes its place at the end of all feeds; no game may be watched before."""
        tails = await asyncio.gather(*(self._games.log.feed_tail(partition) for partition in range(PARTITIONS)))
        self._positions = dict(enumerate(tails))

    async def run(self) -> None:
        """Follows the feeds until stopped; outlives an absent store."""
        self._following = asyncio.current_task()
        while not self._stopping:
            try:
                await self._follow()
            except FeedTrimmed:
                await self._begin_again()
            except (StoreUnavailable, StoreBusy) as absence:
                _log.warning("waiting for the store", why=str(absence))
                await asyncio.sleep(limits.STORE_RETRY_SECONDS)

    def stop(self) -> None:
        """Ends every stream; the watchers hear after which revision to resume."""
        self._stopping = True
        for topic in self._topics.values():
            topic.end(Ended(Reason.SERVER_STOPPING))
        if self._following is not None:
            self._following.cancel()

    # -- watching ----------------------------------------------------------------------------------------------------

    @contextmanager
    def topic(self, game_id: str) -> Iterator[Topic]:
        """The game as a topic: from here on it follows its feed, until nobody uses it any more."""
        if self._stopping:
            raise busy(Reason.SERVER_STOPPING, "the server is stopping")
        topic = self._topics.get(game_id)
        if topic is None or topic.live.spoilt:
            if len(self._topics) >= limits.WATCHED_GAMES:
                detail = f"{limits.WATCHED_GAMES} games are watched, no more are taken"
                raise Refused(Reason.TOO_MANY_WATCHED_GAMES, detail, limit="WATCHED_GAMES")
            topic = self._topics[game_id] = Topic(self._games.at_hand(game_id))
            topic.live.listeners.append(topic)
        topic.users += 1
        try:
            yield topic
        finally:
            topic.users -= 1
            if not topic.users:
                topic.live.listeners.remove(topic)
                if self._topics.get(game_id) is topic:
                    del self._topics[game_id]

    async def changes(
        self, topic: Topic, subscription: Subscription[T], after: int, heartbeat: float
    ) -> AsyncIterator[tuple[int, T] | None]:
        """What the subscription renders of every commit after a revision, without a gap; None when nothing happens for
        `heartbeat` seconds. Raises `Ended`."""
        if after > subscription.start:
            raise not_reached(after, subscription.start)
        if after < subscription.start:
            async for past in self._games.replay(topic.live.game_id, subscription.start):
                if past.head.revision > after:
                    yield past.head.revision, subscription.render(past)
        while True:
            yield await subscription.next(heartbeat)

    async def reach(self, topic: Topic, revision: int) -> None:
        """Waits until the topic's game stands at a revision or a later one."""
        with topic.subscription(object(), _moved) as subscription:
            while topic.live.head.revision < revision:
                try:
                    await subscription.next(limits.HEARTBEAT_SECONDS)
                except Ended as end:
                    raise busy(end.reason, "the wait has been cut short") from None

    # -- following ---------------------------------------------------------------------------------------------------

    async def _follow(self) -> None:
        found = await self._games.log.follow_feeds(self._positions)
        for partition, pointers in found.items():
            self._positions[partition] = pointers[-1].position
            for pointer in pointers:
                topic = self._topics.get(pointer.stream.id)
                if topic is not None and pointer.stream.kind == GAME:
                    topic.reach = max(topic.reach, pointer.revision)
                    self._wake(topic)

    async def _begin_again(self) -> None:
        await self.begin()
        for topic in self._topics.values():
            # How far it has come is unknown; one further than we are, so that it is looked at.
            topic.reach = max(topic.reach, topic.live.head.revision + 1)
            self._wake(topic)

    def _wake(self, topic: Topic) -> None:
        if topic.advancing is None:
            topic.advancing = asyncio.create_task(self._advance(topic))

    async def _advance(self, topic: Topic) -> None:
        """One read a change, whoever waits for it; more changes in the meantime are another round."""
        try:
            while topic.live.head.revision < topic.reach and topic.users:
                async with topic.live.lock:
                    await topic.live.catch_up(self._games.log)
                if topic.live.head.revision < topic.reach:
                    break
        except (StoreUnavailable, StoreBusy) as absence:
            _log.warning("waiting for the store", game=topic.live.game_id, why=str(absence))
            await asyncio.sleep(limits.STORE_RETRY_SECONDS)
            topic.advancing = None
            return self._wake(topic)
        except Exception as error:
            self._games.forget(topic.live)
            topic.end(error)
        topic.advancing = None
