"""The event log on Redis (7.2 and later) or Valkey (8 and later): every write is one call of `functions.lua`.

Writes share one connection and reads another, so that a read does not wait for the flush that a write needs; blocked
feed reads have connections of their own. Every call stays within one partition, so within one Cluster slot.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Self

from redis.asyncio import Redis
from redis.exceptions import ConnectionError as BrokenConnection
from redis.exceptions import ReadOnlyError, ResponseError

from wellhead_eventlog import limits
from wellhead_eventlog.durability import Durability, check_store
from wellhead_eventlog.errors import FeedMissing, FeedTrimmed, StaleLease, StoreRefused, StoreUnavailable
from wellhead_eventlog.functions import function
from wellhead_eventlog.keys import Keys
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
from wellhead_eventlog.wire import Batcher, Command, Reply, Wire, client_options

_ANSWER_TIMEOUT_S = 5.0
_FOLLOW_TIMEOUT_S = limits.MAX_FOLLOW_MS / 1000 + _ANSWER_TIMEOUT_S

_SCORE_DIGITS = 20

_log = logging.getLogger(__name__)


class RedisStore:
    """`EventLog` on a server. Belongs to the event loop it is first used on."""

    def __init__(self, url: str, *, namespace: str = "wellhead", durability: Durability = Durability.FSYNC) -> None:
        """`durability` is the class that appends are answered with: `open` also checks that the store keeps it."""
        self._url = url
        self._keys = Keys(namespace)
        self._durability = durability
        self._writes = Batcher(Wire(url, _ANSWER_TIMEOUT_S))
        self._reads = Batcher(Wire(url, _ANSWER_TIMEOUT_S))
        self._idle_followers: list[Wire] = []
        self._closed = False

    @classmethod
    async def open(cls, url: str, *, namespace: str = "wellhead", durability: Durability = Durability.FSYNC) -> Self:
        """A store whose settings keep what `durability` promises; raises `UnsafeStore` (R-LOG-8)."""
        try:
            async with Redis.from_url(url, **client_options()) as client:
                await check_store(client, durability)
        except (BrokenConnection, OSError) as broken:
            raise StoreUnavailable(str(broken)) from broken
        return cls(url, namespace=namespace, durability=durability)

    async def close(self) -> None:
        self._closed = True
        await self._writes.close()
        await self._reads.close()
        for wire in self._idle_followers:
            await wire.close()

    # Streams

    async def append(self, stream: StreamId, expected: Head, entry: NewEntry) -> AppendResult:
        limits.check_append(expected, entry)
        partition = stream.partition
        keys = [
            self._keys.stream(stream),
            self._keys.streams(partition),
            self._keys.frozen(partition),
            self._keys.deadlines(partition),
            self._keys.feed(partition),
            self._keys.position(partition),
        ]
        answer, resent = await self._call(
            "append",
            partition,
            keys,
            str(stream),
            expected.revision,
            expected.digest,
            entry.digest,
            entry.command_id,
            entry.public,
            entry.private,
            entry.mark,
            "" if entry.deadline is None else entry.deadline,
            entry.trace,
        )
        match answer:
            case [b"appended", revision]:
                return Appended(revision, self._durability)
            case [b"duplicate", revision, digest]:
                # After a resend the commit found may be the one this very call appended at its first attempt.
                if resent and digest == entry.digest:
                    return Appended(revision, self._durability)
                return Duplicate(revision)
            case [b"conflict", revision]:
                return Conflict(revision)
            case [b"frozen", reason]:
                return Frozen(reason.decode())
            case [b"lost tail", revision]:
                _log.critical("%s lost its tail: ends at %d, %d was seen", stream, revision, expected.revision)
                return LostTail(revision)
            case [b"fork", revision]:
                _log.critical("%s is forked: another commit %d was seen", stream, revision)
                return Fork(revision)
        raise AssertionError(f"append answers none of {answer!r}")

    async def read(self, stream: StreamId, after: int = 0, limit: int | None = None) -> list[Entry]:
        key = self._keys.stream(stream)
        entries: list[Entry] = []
        while limit is None or len(entries) < limit:
            page = limits.PAGE if limit is None else min(limit - len(entries), limits.PAGE)
            found = await self._read("XRANGE", key, f"{after + 1}-0", "+", "COUNT", page)
            entries += [_entry(id, fields) for id, fields in found]
            if len(found) < page:
                break
            after = entries[-1].revision
        return entries

    async def head(self, stream: StreamId) -> Head | None:
        last = await self._read("XREVRANGE", self._keys.stream(stream), "+", "-", "COUNT", 1)
        return _entry(*last[0]).head if last else None

    async def streams(self, partition: int, after: str = "", limit: int = 1000) -> list[StreamId]:
        limits.check("streams of a page", limit, limits.PAGE)
        start = f"({after}" if after else "-"
        names = await self._read("ZRANGE", self._keys.streams(partition), start, "+", "BYLEX", "LIMIT", 0, limit)
        return [StreamId.parse(name.decode()) for name in names]

    async def freeze(self, stream: StreamId, reason: str) -> None:
        partition = stream.partition
        keys = [self._keys.frozen(partition), self._keys.deadlines(partition)]
        await self._call("freeze", partition, keys, str(stream), reason[: limits.MAX_REASON_CHARS])

    async def frozen(self, stream: StreamId) -> str | None:
        reason = await self._read("HGET", self._keys.frozen(stream.partition), str(stream))
        return None if reason is None else reason.decode()

    async def due(self, partition: int, now_ms: int, limit: int = 1000) -> list[Due]:
        limits.check("deadlines of a page", limit, limits.PAGE)
        key = self._keys.deadlines(partition)
        found = await self._read("ZRANGE", key, "-inf", now_ms, "BYSCORE", "LIMIT", 0, limit, "WITHSCORES")
        return [Due(StreamId.parse(name.decode()), int(at)) for name, at in zip(found[::2], found[1::2], strict=True)]

    # Feeds

    async def follow_feeds(
        self, positions: Mapping[int, int], limit: int = 1000, timeout_ms: int = 1000
    ) -> dict[int, list[Pointer]]:
        limits.check_follow(limit, timeout_ms)
        if not positions:
            return {}
        partitions = list(positions)
        feeds = [self._keys.feed(partition) for partition in partitions]
        counters = [self._keys.position(partition) for partition in partitions]
        starts = [f"{positions[partition]}-0" for partition in partitions]
        started = [feed for feed, partition in zip(feeds, partitions, strict=True) if positions[partition]]

        # The first two tell a feed that is quiet from one that is gone; XREAD would wait for either alike.
        commands: list[Command] = [
            ("MGET", *counters),
            ("EXISTS", *started) if started else ("ECHO", "0"),
            ("XREAD", "COUNT", limit, "BLOCK", max(timeout_ms, 1), "STREAMS", *feeds, *starts),
        ]
        announced, present, news = [_value(reply) for reply in await self._follow(commands)]
        for partition, position in zip(partitions, announced, strict=True):
            if int(position or 0) < positions[partition]:
                raise FeedMissing(partition, positions[partition])
        if int(present) < len(started):
            await self._name_missing(positions)

        found: dict[int, list[Pointer]] = {}
        partition_of_feed = dict(zip(feeds, partitions, strict=True))
        for feed, entries in news or ():
            partition = partition_of_feed[feed.decode()]
            pointers = [_pointer(id, fields) for id, fields in entries]
            if pointers[0].position != positions[partition] + 1:
                raise FeedTrimmed(partition, positions[partition], pointers[0].position)
            found[partition] = pointers
        return found

    async def feed_tail(self, partition: int) -> int:
        return int(await self._read("GET", self._keys.position(partition)) or 0)

    async def trim_feed(self, partition: int) -> int:
        keys = [self._keys.feed(partition), self._keys.checkpoints(partition)]
        answer, _ = await self._call("trim", partition, keys)
        return int(answer[1])

    async def _follow(self, commands: list[Command]) -> list[Reply]:
        wire = self._idle_followers.pop() if self._idle_followers else Wire(self._url, _FOLLOW_TIMEOUT_S)
        try:
            return await wire.exchange(commands)
        finally:
            if self._closed:
                await wire.close()
            else:
                self._idle_followers.append(wire)

    async def _name_missing(self, positions: Mapping[int, int]) -> None:
        for partition, position in positions.items():
            if position and not await self._read("EXISTS", self._keys.feed(partition)):
                raise FeedMissing(partition, position)

    # Consumers

    async def register_consumer(self, consumer: str) -> None:
        keys = [self._keys.checkpoints(partition) for partition in range(PARTITIONS)]
        for reply in await asyncio.gather(*(self._writes.call("HSETNX", key, consumer, 0) for key in keys)):
            _value(reply)

    async def retire_consumer(self, consumer: str) -> None:
        async def retire(partition: int) -> None:
            keys = [
                self._keys.lease(partition, consumer),
                self._keys.parked(partition, consumer),
                self._keys.checkpoints(partition),
            ]
            await self._call("retire", partition, keys, consumer)

        await asyncio.gather(*map(retire, range(PARTITIONS)))

    async def attend(self, consumer: str, owner: str, ttl_ms: int) -> int:
        reply = await self._writes.call("FCALL", function("attend"), 1, self._keys.members(consumer), owner, ttl_ms)
        return int(_value(reply)[1])

    async def consumers(self) -> list[str]:
        return sorted(name.decode() for name in await self._read("HKEYS", self._keys.checkpoints(0)))

    async def attending(self, consumer: str) -> list[str]:
        now = await self._now_ms()
        found = await self._read("ZRANGE", self._keys.members(consumer), f"({now}", "+inf", "BYSCORE")
        return sorted(owner.decode() for owner in found)

    async def leases(self, consumer: str) -> dict[int, str]:
        now = await self._now_ms()
        keys = [self._keys.lease(partition, consumer) for partition in range(PARTITIONS)]
        found = await asyncio.gather(*(self._read("HMGET", key, "owner", "until") for key in keys))
        return {
            partition: owner.decode() for partition, (owner, until) in enumerate(found) if until and int(until) > now
        }

    async def beat(self, service: str, now_ms: int, gap_ms: int, after_ms: int = 0) -> list[Outage]:
        keys = (self._keys.alive(service), self._keys.outages(service))
        limit = limits.MAX_OUTAGES
        reply = await self._writes.call("FCALL", function("beat"), len(keys), *keys, now_ms, gap_ms, after_ms, limit)
        return [Outage(*map(int, each.split())) for each in _value(reply)[1]]

    async def outages(self, service: str, after_ms: int = 0) -> tuple[int | None, list[Outage]]:
        # What has ended is read last: an end that comes in between is there, if the sign of life is the one after it.
        alive = await self._read("GET", self._keys.alive(service))
        ended = await self._read("ZRANGE", self._keys.outages(service), f"({after_ms}", "+inf", "BYSCORE")
        return None if alive is None else int(alive), [Outage(*map(int, each.split())) for each in ended]

    async def acquire(self, consumer: str, partition: int, owner: str, ttl_ms: int) -> Lease | None:
        keys = [self._keys.lease(partition, consumer)]
        answer, _ = await self._call("acquire", partition, keys, owner, ttl_ms)
        return None if answer == [b"taken"] else Lease(consumer, partition, answer[1], owner)

    async def renew(self, lease: Lease, ttl_ms: int) -> None:
        await self._call_fenced("renew", lease, [], ttl_ms)

    async def release(self, lease: Lease) -> None:
        await self._call_fenced("release", lease, [])

    async def checkpoint(self, consumer: str, partition: int) -> int:
        return int(await self._read("HGET", self._keys.checkpoints(partition), consumer) or 0)

    async def commit(self, lease: Lease, position: int, writes: Sequence[Write] = ()) -> None:
        limits.check_writes(writes)
        partition = lease.partition
        keys = [self._keys.checkpoints(partition), self._keys.position(partition)]
        pairs: dict[str, int] = {}
        arguments: list[str | bytes | int] = []
        for write in writes:
            if write.collection not in pairs:
                pairs[write.collection] = len(pairs) + 1
                keys += self._collection(write.collection, partition)
            pair = pairs[write.collection]
            match write:
                case Put(document=document):
                    arguments += ["put", pair, document.id, f"{document.score:0{_SCORE_DIGITS}d}", document.value]
                case Delete(id=id):
                    arguments += ["delete", pair, id, "", ""]
        await self._call_fenced("commit", lease, keys, lease.consumer, position, *arguments)

    async def get(self, collection: str, partition: int, id: str) -> Document | None:
        documents, _ = self._collection(collection, partition)
        stored = await self._read("HGET", documents, id)
        return None if stored is None else _document(id, stored)

    async def scan(
        self, collection: str, partition: int, after: str = "", limit: int = 100, descending: bool = False
    ) -> list[Document]:
        limits.check("documents of a page", limit, limits.PAGE)
        keys = self._collection(collection, partition)
        order = "descending" if descending else "ascending"
        page = await self._read("FCALL_RO", function("scan"), len(keys), *keys, after, limit, order)
        return [
            _document(place[_SCORE_DIGITS:].decode(), stored)
            for place, stored in zip(page[::2], page[1::2], strict=True)
        ]

    async def size(self, collection: str, partition: int) -> int:
        return int(await self._read("HLEN", self._keys.documents(partition, collection)))

    async def drop(self, collection: str) -> None:
        keys = [self._collection(collection, partition) for partition in range(PARTITIONS)]
        for reply in await asyncio.gather(*(self._writes.call("UNLINK", *pair) for pair in keys)):
            _value(reply)

    async def park(self, lease: Lease, parked: Parked) -> None:
        record = f"{parked.revision} {parked.attempts} {parked.error[: limits.MAX_REASON_CHARS]}"
        keys = [self._keys.parked(lease.partition, lease.consumer)]
        await self._call_fenced("park", lease, keys, str(parked.stream), record)

    async def parked(self, consumer: str, partition: int) -> list[Parked]:
        found = await self._read("HGETALL", self._keys.parked(partition, consumer))
        records = sorted(zip(found[::2], found[1::2], strict=True))
        return [_parked(name.decode(), record.decode()) for name, record in records]

    async def unpark(self, consumer: str, stream: StreamId) -> bool:
        partition = stream.partition
        keys = [
            self._keys.stream(stream),
            self._keys.feed(partition),
            self._keys.position(partition),
            self._keys.parked(partition, consumer),
        ]
        answer, _ = await self._call("unpark", partition, keys, str(stream), RETRY)
        return bool(answer == [b"ok"])

    # Calls

    async def _now_ms(self) -> int:
        """The store's clock, by which leases expire."""
        seconds, microseconds = await self._read("TIME")
        return int(seconds) * 1_000 + int(microseconds) // 1_000

    def _collection(self, collection: str, partition: int) -> tuple[str, str]:
        return self._keys.documents(partition, collection), self._keys.places(partition, collection)

    async def _read(self, *command: str | bytes | int) -> Any:
        return _value(await self._reads.call(*command))

    async def _call(self, name: str, partition: int, keys: Sequence[str], *arguments: str | bytes | int) -> Reply:
        """What a function of `functions.lua` answers; raises `FeedMissing` for it."""
        reply = await self._writes.call("FCALL", function(name), len(keys), *keys, *arguments)
        match _value(reply):
            case [b"feed missing", position]:
                raise FeedMissing(partition, position)
        return reply

    async def _call_fenced(self, name: str, lease: Lease, keys: Sequence[str], *arguments: str | bytes | int) -> None:
        """Call a function that does nothing unless the lease is still good; raises `StaleLease`."""
        fence = self._keys.lease(lease.partition, lease.consumer)
        answer, _ = await self._call(name, lease.partition, [fence, *keys], lease.epoch, *arguments)
        if answer == [b"stale"]:
            raise StaleLease(lease.consumer, lease.partition, lease.epoch)


def _value(reply: Reply) -> Any:
    match reply.value:
        case ReadOnlyError() as demoted:  # a primary that has become a replica: another one takes over
            raise StoreUnavailable(str(demoted))
        case ResponseError() as refusal:
            raise StoreRefused(str(refusal))
    return reply.value


def _number(id: bytes) -> int:
    return int(id.partition(b"-")[0])


def _entry(id: bytes, fields: list[bytes]) -> Entry:
    _, digest, _, command_id, _, public, _, private, _, mark, *trace = fields
    return Entry(_number(id), digest, command_id, public, private, mark.decode(), trace[1].decode() if trace else "")


def _pointer(id: bytes, fields: list[bytes]) -> Pointer:
    _, stream, _, revision, _, mark = fields
    return Pointer(_number(id), StreamId.parse(stream.decode()), int(revision), mark.decode())


def _document(id: str, stored: bytes) -> Document:
    return Document(id, stored[_SCORE_DIGITS:], int(stored[:_SCORE_DIGITS]))


def _parked(name: str, record: str) -> Parked:
    revision, attempts, error = record.split(" ", 2)
    return Parked(StreamId.parse(name), int(revision), error, int(attempts))
