"""The event log in memory: no durability, but the same answers. Where a store differs from this, the store is wrong.

No method awaits between its first read and its last write, so each is one atomic step.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from wellhead_eventlog import limits
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.errors import FeedMissing, FeedTrimmed, StaleLease
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import (
    RETRY,
    Appended,
    AppendResult,
    Conflict,
    Delete,
    Document,
    Due,
    Duplicate,
    Entry,
    Fork,
    Frozen,
    Head,
    Lease,
    LostTail,
    NewEntry,
    Outage,
    Parked,
    Pointer,
    Put,
    StreamId,
    Write,
)


@dataclass(slots=True)
class Tenure:
    """Who holds a lease, and until when (ms)."""

    epoch: int = 0
    owner: str = ""
    until: int = 0


@dataclass(slots=True)
class Partition:
    """Everything a partition knows; in a server all of it shares one slot."""

    streams: dict[StreamId, list[Entry]] = field(default_factory=dict)
    feed: list[Pointer] = field(default_factory=list)
    position: int = 0
    deadlines: dict[StreamId, int] = field(default_factory=dict)
    frozen: dict[StreamId, str] = field(default_factory=dict)
    checkpoints: dict[str, int] = field(default_factory=dict)
    tenures: dict[str, Tenure] = field(default_factory=dict)
    parked: dict[str, dict[StreamId, Parked]] = field(default_factory=lambda: defaultdict(dict))
    documents: dict[str, dict[str, Document]] = field(default_factory=lambda: defaultdict(dict))

    @property
    def intact(self) -> bool:
        """Whether the feed still ends at the last position given out (R-LOG-7)."""
        return (self.feed[-1].position if self.feed else 0) == self.position


def unix_ms() -> int:
    """The wall clock in ms, as a server's."""
    return time.time_ns() // 1_000_000


class MemoryStore:
    """`EventLog` in memory, for tests and simulations."""

    def __init__(self, clock: Callable[[], int] = unix_ms) -> None:
        self._clock = clock
        self._partitions = [Partition() for _ in range(PARTITIONS)]
        self._members: dict[str, dict[str, int]] = defaultdict(dict)
        self._alive: dict[str, int] = {}
        self._outages: dict[str, list[Outage]] = defaultdict(list)
        self._news = asyncio.Event()

    # Streams

    async def append(self, stream: StreamId, expected: Head, entry: NewEntry) -> AppendResult:
        limits.check_append(expected, entry)
        partition = self._partitions[stream.partition]
        commits = partition.streams.get(stream, [])
        revision = expected.revision + 1
        if reason := partition.frozen.get(stream):
            return Frozen(reason)
        if not partition.intact:
            raise FeedMissing(stream.partition, partition.position)
        if len(commits) < expected.revision:
            await self.freeze(stream, f"lost tail: ends at {len(commits)}, {expected.revision} was seen")
            return LostTail(len(commits))
        if expected.revision and commits[expected.revision - 1].digest != expected.digest:
            await self.freeze(stream, f"fork: another commit {expected.revision} was seen")
            return Fork(expected.revision)
        if len(commits) >= revision:
            same = commits[revision - 1].command_id == entry.command_id
            return Duplicate(revision) if same else Conflict(len(commits))
        commits.append(
            Entry(revision, entry.digest, entry.command_id, entry.public, entry.private, entry.mark, entry.trace)
        )
        partition.streams[stream] = commits
        self._announce(partition, stream, revision, entry.mark)
        if entry.deadline == 0:
            partition.deadlines.pop(stream, None)
        elif entry.deadline is not None:
            partition.deadlines[stream] = entry.deadline
        return Appended(revision, Durability.MEMORY)

    async def read(self, stream: StreamId, after: int = 0, limit: int | None = None) -> list[Entry]:
        commits = self._partitions[stream.partition].streams.get(stream, [])
        return commits[after:] if limit is None else commits[after : after + limit]

    async def head(self, stream: StreamId) -> Head | None:
        commits = self._partitions[stream.partition].streams.get(stream)
        return commits[-1].head if commits else None

    async def streams(self, partition: int, after: str = "", limit: int = 1000) -> list[StreamId]:
        limits.check("streams of a page", limit, limits.PAGE)
        return sorted((s for s in self._partitions[partition].streams if str(s) > after), key=str)[:limit]

    async def freeze(self, stream: StreamId, reason: str) -> None:
        partition = self._partitions[stream.partition]
        partition.frozen.setdefault(stream, reason[: limits.MAX_REASON_CHARS])
        partition.deadlines.pop(stream, None)

    async def frozen(self, stream: StreamId) -> str | None:
        return self._partitions[stream.partition].frozen.get(stream)

    async def due(self, partition: int, now_ms: int, limit: int = 1000) -> list[Due]:
        limits.check("deadlines of a page", limit, limits.PAGE)
        standing = sorted((at, str(s)) for s, at in self._partitions[partition].deadlines.items() if at <= now_ms)
        return [Due(StreamId.parse(name), at) for at, name in standing[:limit]]

    # Feeds

    async def follow_feeds(
        self, positions: Mapping[int, int], limit: int = 1000, timeout_ms: int = 1000
    ) -> dict[int, list[Pointer]]:
        limits.check_follow(limit, timeout_ms)
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                while not (found := self._pointers(positions, limit)):
                    await self._news.wait()
                return found
        except TimeoutError:
            return {}

    async def feed_tail(self, partition: int) -> int:
        return self._partitions[partition].position

    async def trim_feed(self, partition: int) -> int:
        state = self._partitions[partition]
        if not state.checkpoints or not state.feed:
            return 0
        slowest = min(*state.checkpoints.values(), state.position)
        kept = [pointer for pointer in state.feed if pointer.position >= slowest]
        dropped = len(state.feed) - len(kept)
        state.feed = kept
        return dropped

    def _announce(self, partition: Partition, stream: StreamId, revision: int, mark: str) -> None:
        partition.position += 1
        partition.feed.append(Pointer(partition.position, stream, revision, mark))
        self._news.set()
        self._news = asyncio.Event()

    def _pointers(self, positions: Mapping[int, int], limit: int) -> dict[int, list[Pointer]]:
        found = {}
        for number, position in positions.items():
            partition = self._partitions[number]
            if position > partition.position or not (position == 0 or partition.feed):
                raise FeedMissing(number, position)
            if news := [pointer for pointer in partition.feed if pointer.position > position][:limit]:
                if news[0].position != position + 1:
                    raise FeedTrimmed(number, position, news[0].position)
                found[number] = news
        return found

    # Consumers

    async def register_consumer(self, consumer: str) -> None:
        for partition in self._partitions:
            partition.checkpoints.setdefault(consumer, 0)

    async def retire_consumer(self, consumer: str) -> None:
        for partition in self._partitions:
            partition.checkpoints.pop(consumer, None)
            partition.parked.pop(consumer, None)
            # The epoch stays and rises, so that whoever still holds a lease is fenced off.
            if tenure := partition.tenures.get(consumer):
                tenure.epoch, tenure.until = tenure.epoch + 1, 0

    async def attend(self, consumer: str, owner: str, ttl_ms: int) -> int:
        now, members = self._clock(), self._members[consumer]
        members[owner] = now + ttl_ms
        return sum(until > now or member == owner for member, until in members.items())

    async def consumers(self) -> list[str]:
        return sorted(self._partitions[0].checkpoints)

    async def attending(self, consumer: str) -> list[str]:
        now = self._clock()
        return sorted(owner for owner, until in self._members[consumer].items() if until > now)

    async def leases(self, consumer: str) -> dict[int, str]:
        now = self._clock()
        tenures = [(number, partition.tenures.get(consumer)) for number, partition in enumerate(self._partitions)]
        return {number: tenure.owner for number, tenure in tenures if tenure and tenure.until > now}

    async def beat(self, service: str, now_ms: int, gap_ms: int, after_ms: int = 0) -> list[Outage]:
        last, outages = self._alive.get(service), self._outages[service]
        if last is not None and now_ms - last > gap_ms:
            outages.append(Outage(last, now_ms))
            del outages[: -limits.MAX_OUTAGES]
        self._alive[service] = max(now_ms, last or 0)
        return [each for each in outages if each.until > after_ms]

    async def outages(self, service: str, after_ms: int = 0) -> tuple[int | None, list[Outage]]:
        ended = [each for each in self._outages[service] if each.until > after_ms]
        return self._alive.get(service), ended

    async def acquire(self, consumer: str, partition: int, owner: str, ttl_ms: int) -> Lease | None:
        tenure = self._partitions[partition].tenures.setdefault(consumer, Tenure())
        if tenure.owner != owner and tenure.until > self._clock():
            return None
        tenure.epoch, tenure.owner, tenure.until = tenure.epoch + 1, owner, self._clock() + ttl_ms
        return Lease(consumer, partition, tenure.epoch, owner)

    async def renew(self, lease: Lease, ttl_ms: int) -> None:
        self._tenure(lease).until = self._clock() + ttl_ms

    async def release(self, lease: Lease) -> None:
        tenure = self._partitions[lease.partition].tenures.get(lease.consumer)
        if tenure and tenure.epoch == lease.epoch:
            tenure.until = 0

    async def checkpoint(self, consumer: str, partition: int) -> int:
        return self._partitions[partition].checkpoints.get(consumer, 0)

    async def commit(self, lease: Lease, position: int, writes: Sequence[Write] = ()) -> None:
        limits.check_writes(writes)
        self._tenure(lease)
        partition = self._partitions[lease.partition]
        if position > partition.position:
            raise FeedMissing(lease.partition, position)
        for write in writes:
            match write:
                case Put(collection, document):
                    partition.documents[collection][document.id] = document
                case Delete(collection, id):
                    partition.documents[collection].pop(id, None)
        partition.checkpoints[lease.consumer] = position

    async def get(self, collection: str, partition: int, id: str) -> Document | None:
        return self._partitions[partition].documents[collection].get(id)

    async def scan(
        self, collection: str, partition: int, after: str = "", limit: int = 100, descending: bool = False
    ) -> list[Document]:
        limits.check("documents of a page", limit, limits.PAGE)
        documents = sorted(
            self._partitions[partition].documents[collection].values(), key=lambda d: d.place, reverse=descending
        )
        if after:
            documents = [d for d in documents if (d.place < after if descending else d.place > after)]
        return documents[:limit]

    async def size(self, collection: str, partition: int) -> int:
        return len(self._partitions[partition].documents[collection])

    async def drop(self, collection: str) -> None:
        for partition in self._partitions:
            partition.documents.pop(collection, None)

    async def park(self, lease: Lease, parked: Parked) -> None:
        self._tenure(lease)
        error = parked.error[: limits.MAX_REASON_CHARS]
        self._partitions[lease.partition].parked[lease.consumer][parked.stream] = replace(parked, error=error)

    async def parked(self, consumer: str, partition: int) -> list[Parked]:
        return sorted(self._partitions[partition].parked[consumer].values(), key=lambda parked: str(parked.stream))

    async def unpark(self, consumer: str, stream: StreamId) -> bool:
        partition = self._partitions[stream.partition]
        if partition.parked[consumer].pop(stream, None) is None:
            return False
        self._announce(partition, stream, len(partition.streams.get(stream, [])), RETRY)
        return True

    async def close(self) -> None:
        """Nothing is held."""

    def _tenure(self, lease: Lease) -> Tenure:
        tenure = self._partitions[lease.partition].tenures.get(lease.consumer)
        if tenure is None or tenure.epoch != lease.epoch:
            raise StaleLease(lease.consumer, lease.partition, lease.epoch)
        return tenure
