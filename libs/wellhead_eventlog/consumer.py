"""A consumer follows the feeds and derives documents from the streams they point to (R-LOG-5, R-LOG-6).

It leases partitions, shares them with whoever else consumes under its name, and writes effect and checkpoint together.
What it knows of a stream is that stream's head as of its last commit, kept as a document beside the effects. So a
pointer seen twice or late does no harm, and a rewound consumer ends in the same state.
"""

import asyncio
import contextlib
import logging
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from wellhead_eventlog import limits
from wellhead_eventlog.errors import BrokenChain, FeedTrimmed, StaleLease, StoreBusy, StoreUnavailable
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import (
    GENESIS,
    RETRY,
    Document,
    Entry,
    EventLog,
    Head,
    Lease,
    Parked,
    Pointer,
    Put,
    StreamId,
    Write,
)
from wellhead_eventlog.reading import read_on

Handler = Callable[[StreamId, Sequence[Entry]], Awaitable[Sequence[Write]]]
"""Derives writes from a stream's next commits, without a gap since the last ones it was given and whose writes stand.

It may be given commits again that it has seen, if their writes did not stand; it is called for several partitions at
once, but never for two parts of one stream.
"""

_FOLLOW_MS = 1_000
_FOLLOW_POINTERS = 200  # of one partition: what is handled between two looks at the feed
_IDLE_S = 0.05  # without a partition
_MAX_HEADS = 10_000  # known by heart, of one partition
_AWAY = (StoreUnavailable, StoreBusy)

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Holding:
    """A leased partition: where we are in it, and what we know of its streams while nobody else writes them."""

    lease: Lease
    position: int
    parked: set[StreamId]
    heads: dict[StreamId, Head] = field(default_factory=dict)


class Consumer:
    """One member of the consumer `name`; `run` it until `stop`."""

    def __init__(
        self,
        log: EventLog,
        name: str,
        handle: Handler,
        *,
        owner: str,
        marks: frozenset[str] | None = None,
        ttl_ms: int = 10_000,
        attempts: int = 3,
        pause_s: float = 0.1,
    ) -> None:
        """`owner` names this member, and no other that is alive. `marks` are those of the commits that matter: on one
        of them the handler gets all commits since the last; None is every commit. A stream is parked after `attempts`
        failures of its handler, `pause_s` apart; so long does a member wait, too, for a store that is away.
        """
        self._log = log
        self._name = name
        self._handle = handle
        self._owner = owner
        self._marks = marks and marks | {RETRY}
        self._ttl_ms = ttl_ms
        self._attempts = attempts
        self._pause_s = pause_s
        self._heads = f"{name}/heads"
        self._held: dict[int, _Holding] = {}
        self._stopping = asyncio.Event()
        self._reading: asyncio.Task[dict[int, list[Pointer]]] | None = None

    @property
    def name(self) -> str:
        """The consumer that this is a member of."""
        return self._name

    @property
    def partitions(self) -> frozenset[int]:
        """The partitions held now."""
        return frozenset(self._held)

    @property
    def positions(self) -> dict[int, int]:
        """How far this member has come in the feed of each partition that it holds."""
        return {partition: holding.position for partition, holding in self._held.items()}

    @property
    def parked(self) -> int:
        """How many streams of the partitions held now are put aside."""
        return sum(len(holding.parked) for holding in self._held.values())

    def stop(self) -> None:
        """Finish what has begun, let the partitions go and end `run`."""
        self._stopping.set()
        self._wake()

    async def run(self) -> None:
        """Consume until `stop`. Outlives an absent store; raises `FeedMissing`, which no consumer can make up for."""
        try:
            await self._patiently(lambda: self._log.register_consumer(self._name))
            async with asyncio.TaskGroup() as group:
                group.create_task(self._repeat(self._balance, every_s=self._ttl_ms / 3000))
                group.create_task(self._repeat(self._follow, every_s=0))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            with contextlib.suppress(*_AWAY):
                await asyncio.gather(*map(self._let_go, list(self._held)))

    # Leases

    async def _balance(self) -> None:
        """Keep, give up and take partitions, towards an equal share for every member that is alive."""
        alive = await self._log.attend(self._name, self._owner, self._ttl_ms)
        share = -(-PARTITIONS // alive)
        await asyncio.gather(*map(self._renew, list(self._held.values())))
        for partition in sorted(self._held)[share:]:
            await self._let_go(partition)
        others = [partition for partition in range(PARTITIONS) if partition not in self._held]
        while others and (room := share - len(self._held)) > 0:
            await asyncio.gather(*map(self._take, others[:room]))
            others = others[room:]

    async def _renew(self, holding: _Holding) -> None:
        try:
            await self._log.renew(holding.lease, self._ttl_ms)
        except StaleLease:
            self._drop(holding)

    async def _take(self, partition: int) -> None:
        lease = await self._log.acquire(self._name, partition, self._owner, self._ttl_ms)
        if lease is not None:
            # Read under the new epoch: nobody else can move the checkpoint any more.
            position = await self._log.checkpoint(self._name, partition)
            self._held[partition] = _Holding(lease, position, await self._parked(partition))
            self._wake()

    async def _let_go(self, partition: int) -> None:
        if holding := self._held.pop(partition, None):
            await self._log.release(holding.lease)

    def _drop(self, holding: _Holding) -> None:
        """Forget a lease that is over, unless a newer one is held already."""
        if self._held.get(holding.lease.partition) is holding:
            del self._held[holding.lease.partition]

    async def _parked(self, partition: int) -> set[StreamId]:
        return {parked.stream for parked in await self._log.parked(self._name, partition)}

    # Feeds

    async def _follow(self) -> None:
        """Wait for pointers and process them, partitions beside each other."""
        held = dict(self._held)
        if not held:
            return await self._pause(_IDLE_S)
        positions = {partition: holding.position for partition, holding in held.items()}
        try:
            self._reading = asyncio.create_task(self._log.follow_feeds(positions, _FOLLOW_POINTERS, _FOLLOW_MS))
            found = await self._reading
        except FeedTrimmed as trimmed:
            return await self._guard(held[trimmed.partition], self._catch_up)
        except asyncio.CancelledError:
            if _is_being_cancelled():
                raise
            return None
        finally:
            self._reading = None

        async def advance(partition: int, pointers: list[Pointer]) -> None:
            await self._guard(held[partition], lambda holding: self._advance(holding, pointers))

        # All of them end before a failure is passed on, so that none goes on unseen.
        for outcome in await asyncio.gather(*(advance(*news) for news in found.items()), return_exceptions=True):
            if outcome is not None:
                raise outcome

    def _wake(self) -> None:
        """End the wait for pointers: there is a partition more to follow, or nothing more to do."""
        if self._reading is not None:
            self._reading.cancel()

    async def _guard(self, holding: _Holding, step: Callable[[_Holding], Awaitable[None]]) -> None:
        try:
            await step(holding)
        except StaleLease:
            self._drop(holding)
        except BaseException:
            # Whether the writes stand is unknown, so what we know by heart may be ahead of what is stored.
            holding.heads.clear()
            raise

    async def _advance(self, holding: _Holding, pointers: Sequence[Pointer]) -> None:
        """Process the streams that `pointers` name, then commit their last position."""
        if any(pointer.mark == RETRY for pointer in pointers):
            holding.parked = await self._parked(holding.lease.partition)
        reach = {p.stream: p.revision for p in pointers if self._marks is None or p.mark in self._marks}
        writes: list[Write] = []
        for stream, revision in reach.items():
            if stream in holding.parked:
                continue
            more = await self._process(holding, stream, revision)
            if len(writes) + len(more) > limits.MAX_WRITES:
                await self._log.commit(holding.lease, holding.position, writes)
                writes = []
            writes += more
        await self._log.commit(holding.lease, pointers[-1].position, writes)
        holding.position = pointers[-1].position

    async def _catch_up(self, holding: _Holding) -> None:
        """Process every stream of the partition, since the feed no longer lists what we have missed (R-LOG-5)."""
        partition = holding.lease.partition
        tail = await self._log.feed_tail(partition)
        last = ""
        while streams := await self._log.streams(partition, after=last):
            heads = [await self._log.head(stream) or GENESIS for stream in streams]
            await self._advance(
                holding,
                [Pointer(holding.position, s, head.revision, RETRY) for s, head in zip(streams, heads, strict=True)],
            )
            last = str(streams[-1])
        await self._log.commit(holding.lease, tail)
        holding.position = tail

    # Streams

    async def _process(self, holding: _Holding, stream: StreamId, reach: int) -> list[Write]:
        """What follows from the stream's next commits; nothing, and the stream parked, if that cannot be told."""
        known = holding.heads.get(stream) or await self._head(stream)
        if known.revision >= reach:
            return []
        for attempt in range(1, self._attempts + 1):
            try:
                entries = await read_on(self._log, stream, known, reach)
                head = entries[-1].head
                writes = [*await self._handle(stream, entries), Put(self._heads, _head_document(stream, head))]
                limits.check_writes(writes)
            except (*_AWAY, StaleLease):
                raise
            except Exception as failure:
                if attempt == self._attempts or isinstance(failure, BrokenChain):
                    await self._park(holding, Parked(stream, known.revision + 1, _describe(failure), attempt))
                    break
                await asyncio.sleep(attempt * self._pause_s)
            else:
                if len(holding.heads) >= _MAX_HEADS:
                    holding.heads.clear()
                holding.heads[stream] = head
                return writes
        return []

    async def _park(self, holding: _Holding, parked: Parked) -> None:
        await self._log.park(holding.lease, parked)
        holding.parked.add(parked.stream)
        # The error itself may quote what no log line may hold: it stays in the record.
        _log.error(
            "%s parked %s at revision %d after %d attempts",
            self._name,
            parked.stream,
            parked.revision,
            parked.attempts,
        )

    async def _head(self, stream: StreamId) -> Head:
        document = await self._log.get(self._heads, stream.partition, str(stream))
        return GENESIS if document is None else Head(int.from_bytes(document.value[:8], "big"), document.value[8:])

    # Patience

    async def _repeat(self, action: Callable[[], Awaitable[None]], every_s: float) -> None:
        while not self._stopping.is_set():
            await self._patiently(action)
            await self._pause(every_s)

    async def _patiently(self, action: Callable[[], Awaitable[None]]) -> None:
        """Do it, and again while the store is away."""
        while not self._stopping.is_set():
            try:
                return await action()
            except _AWAY as absence:
                _log.warning("%s waits for the store: %s", self._name, absence)
                await self._pause(self._pause_s)

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


def _head_document(stream: StreamId, head: Head) -> Document:
    return Document(str(stream), head.revision.to_bytes(8, "big") + head.digest)


def _describe(failure: Exception) -> str:
    where = traceback.extract_tb(failure.__traceback__)[-1]
    return f"{type(failure).__name__}: {failure} (in {where.name}, line {where.lineno})"
