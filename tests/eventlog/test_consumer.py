"""Consumers: exactly-once effects, rewinding, sharing, parking."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.eventlog.builders import Writer, a_stream, after
from tests.eventlog.conftest import Harness
from wellhead_eventlog import limits
from wellhead_eventlog.consumer import Consumer
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.errors import FeedMissing
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import Document, Entry, EventLog, Frozen, Put, StreamId, Write
from wellhead_eventlog.redis_store import RedisStore


class Story:
    """Derives a stream's public bytes, end to end: a commit taken twice, or out of order, would be seen."""

    def __init__(self, log: EventLog, collection: str = "story") -> None:
        self.log = log
        self.collection = collection
        self.broken: set[StreamId] = set()
        self.calls: list[tuple[StreamId, list[int]]] = []

    async def __call__(self, stream: StreamId, entries: Sequence[Entry]) -> Sequence[Write]:
        self.calls.append((stream, [entry.revision for entry in entries]))
        if stream in self.broken:
            raise KeyError("a card that nobody knows")
        before = await self.log.get(self.collection, stream.partition, str(stream))
        told = (before.value if before else b"") + b"".join(entry.public for entry in entries)
        return [Put(self.collection, Document(str(stream), told))]

    async def of(self, stream: StreamId) -> bytes | None:
        document = await self.log.get(self.collection, stream.partition, str(stream))
        return document.value if document else None


def a_consumer(handle: Any, log: EventLog, owner: str = "one", name: str = "stories", **options: Any) -> Consumer:
    return Consumer(log, name, handle, owner=owner, pause_s=0.001, **options)


@contextlib.asynccontextmanager
async def running(*consumers: Consumer) -> AsyncIterator[None]:
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        for consumer in consumers:
            group.create_task(consumer.run())
        try:
            yield
        finally:
            for consumer in consumers:
                consumer.stop()


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    while not await condition():  # noqa: ASYNC110
        await asyncio.sleep(0)  # lets the consumer take its next step


async def settled(log: EventLog, *partitions: int, name: str = "stories") -> None:
    """Wait until the consumer's checkpoints have reached the ends of the feeds."""
    for partition in partitions:

        async def reached(partition: int = partition) -> bool:
            return await log.checkpoint(name, partition) == await log.feed_tail(partition)

        await until(reached)


@pytest.mark.req("R-LOG-5")
async def test_a_consumer_takes_every_commit_of_every_stream_once_and_in_order(log: EventLog) -> None:
    story = Story(log)
    writers = [Writer(log, a_stream(n)) for n in (1, 1, 2)]
    await writers[0].write(b"a", b"b")
    async with running(a_consumer(story, log)):
        for writer in writers:
            await writer.write(b"c", b"d")
        await settled(log, 1, 2)

    assert [await story.of(writer.stream) for writer in writers] == [b"abcd", b"cd", b"cd"]


@pytest.mark.req("R-LOG-5")
async def test_a_consumer_rewound_to_any_position_ends_in_the_same_state(log: EventLog) -> None:
    story = Story(log)
    one, two = Writer(log, a_stream(1)), Writer(log, a_stream(1))
    for letter in (b"a", b"b", b"c"):
        await one.write(letter)
        await two.write(letter)

    for position in (0, *range(7)):
        lease = await log.acquire("stories", 1, "operator", 60_000)
        assert lease is not None
        await log.commit(lease, position)
        await log.release(lease)
        async with running(a_consumer(story, log)):
            await settled(log, 1)
        assert [await story.of(writer.stream) for writer in (one, two)] == [b"abc", b"abc"]


@pytest.mark.req("R-LOG-5", "R-LOG-7")
async def test_a_new_generation_ends_in_the_same_state_although_the_feed_was_trimmed(log: EventLog) -> None:
    first, second = Story(log), Story(log, "story/2")
    writers = [Writer(log, a_stream(1)) for _ in range(3)]
    async with running(a_consumer(first, log)):
        for writer in writers:
            await writer.write(b"a", b"b", b"c")
        await settled(log, 1)
    assert await log.trim_feed(1) == 8

    async with running(a_consumer(second, log, name="stories/2")):
        await settled(log, 1, name="stories/2")
        await writers[0].write(b"d")
        await settled(log, 1, name="stories/2")

    assert [await second.of(writer.stream) for writer in writers] == [b"abcd", b"abc", b"abc"]


@pytest.mark.req("R-LOG-5")
async def test_a_batch_of_many_writes_is_committed_in_parts(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_WRITES", 5)
    story = Story(log)
    writers = [Writer(log, a_stream(1)) for _ in range(7)]
    for writer in writers:
        await writer.write(b"a", b"b")
    async with running(a_consumer(story, log)):
        await settled(log, 1)

    assert [await story.of(writer.stream) for writer in writers] == [b"ab"] * 7


@pytest.mark.req("R-LOG-5")
async def test_members_share_the_partitions_and_take_over_when_one_leaves(log: EventLog) -> None:
    story = Story(log)
    one, two = (a_consumer(story, log, owner=owner, ttl_ms=600) for owner in ("one", "two"))

    async def shared() -> bool:
        halves = len(one.partitions) == len(two.partitions) == PARTITIONS // 2
        return halves and not one.partitions & two.partitions

    async def alone() -> bool:
        return len(one.partitions) == PARTITIONS

    async with running(one):
        await until(alone)
        async with running(two):
            await until(shared)
        await until(alone)
    assert one.partitions == two.partitions == frozenset()


@pytest.mark.req("R-LOG-5")
async def test_the_partition_of_a_dead_owner_is_taken_when_its_lease_expires(log: EventLog) -> None:
    story, writer = Story(log), Writer(log, a_stream(1))
    await writer.write(b"a")
    await log.attend("stories", "dead", ttl_ms=30)
    assert await log.acquire("stories", 1, "dead", ttl_ms=30) is not None

    async with running(a_consumer(story, log, ttl_ms=60)):
        await settled(log, 1)

    assert await story.of(writer.stream) == b"a"


@pytest.mark.req("R-LOG-5")
async def test_a_consumer_that_lost_its_lease_while_it_worked_writes_nothing(log: EventLog) -> None:
    writer = Writer(log, a_stream(1))
    await writer.write(b"a")
    story = Story(log)

    async def slow(stream: StreamId, entries: Sequence[Entry]) -> Sequence[Write]:
        await log.release(consumer._held[1].lease)
        assert await log.acquire("stories", 1, "thief", 60_000) is not None
        return await story(stream, entries)

    consumer = a_consumer(slow, log)

    async def dropped() -> bool:
        return bool(story.calls) and 1 not in consumer.partitions

    async with running(consumer):
        await until(dropped)

    assert await story.of(writer.stream) is None
    assert await log.checkpoint("stories", 1) == 0


@pytest.mark.req("R-LOG-6")
async def test_a_stream_that_keeps_failing_is_parked_and_the_rest_goes_on(log: EventLog) -> None:
    story = Story(log)
    good, bad = Writer(log, a_stream(1)), Writer(log, a_stream(1))
    await good.write(b"a")
    await bad.write(b"a")
    story.broken.add(bad.stream)
    async with running(a_consumer(story, log, attempts=3)):
        await settled(log, 1)
        await bad.write(b"b")
        await good.write(b"b")
        await settled(log, 1)

        (parked,) = await log.parked("stories", 1)
        assert (parked.stream, parked.revision, parked.attempts) == (bad.stream, 1, 3)
        assert parked.error.startswith("KeyError: 'a card that nobody knows' (in __call__")
        assert [revisions for stream, revisions in story.calls if stream == bad.stream] == [[1]] * 3
        assert (await story.of(good.stream), await story.of(bad.stream)) == (b"ab", None)

        story.broken.clear()
        assert await log.unpark("stories", bad.stream)
        await settled(log, 1)

    assert await story.of(bad.stream) == b"ab"
    assert await log.parked("stories", 1) == []


@pytest.mark.req("R-LOG-6")
async def test_a_parked_stream_stays_parked_for_the_next_owner(log: EventLog) -> None:
    story, writer = Story(log), Writer(log, a_stream(1))
    await writer.write(b"a")
    story.broken.add(writer.stream)
    async with running(a_consumer(story, log, attempts=1)):
        await settled(log, 1)
    story.broken.clear()
    async with running(a_consumer(story, log, owner="two")):
        await writer.write(b"b")
        await settled(log, 1)

    assert story.calls == [(writer.stream, [1])]
    assert len(await log.parked("stories", 1)) == 1


@pytest.mark.req("R-LOG-6")
async def test_a_passing_failure_parks_nothing(log: EventLog) -> None:
    story, writer = Story(log), Writer(log, a_stream(1))
    await writer.write(b"a")
    story.broken.add(writer.stream)

    async def recovering(stream: StreamId, entries: Sequence[Entry]) -> Sequence[Write]:
        if len(story.calls) == 2:
            story.broken.clear()
        return await story(stream, entries)

    async with running(a_consumer(recovering, log, attempts=3)):
        await settled(log, 1)

    assert len(story.calls) == 3
    assert await story.of(writer.stream) == b"a"
    assert await log.parked("stories", 1) == []


@pytest.mark.req("R-LOG-6", "R-LOG-11")
async def test_a_handler_that_writes_too_much_parks_its_stream(log: EventLog) -> None:
    writer = Writer(log, a_stream(1))
    await writer.write(b"a")

    async def flood(stream: StreamId, entries: Sequence[Entry]) -> Sequence[Write]:
        return [Put("flood", Document("x", b""))] * limits.MAX_WRITES

    async with running(a_consumer(flood, log)):
        await settled(log, 1)

    (parked,) = await log.parked("stories", 1)
    assert "writes of a commit" in parked.error


@pytest.mark.req("R-LOG-4", "R-LOG-6")
async def test_a_damaged_stream_is_frozen_and_parked_and_the_rest_goes_on(harness: Harness) -> None:
    log, story = harness.log, Story(harness.log)
    damaged, sound = Writer(log, a_stream(1)), Writer(log, a_stream(1))
    await damaged.write(b"a", b"b")
    await harness.lose_tail(damaged.stream)
    await sound.write(b"a")
    async with running(a_consumer(story, log)):
        await settled(log, 1)

    assert (await story.of(damaged.stream), await story.of(sound.stream)) == (None, b"a")
    assert [parked.stream for parked in await log.parked("stories", 1)] == [damaged.stream]
    assert isinstance(await damaged.offer(after(damaged.head, b"c")), Frozen)


@pytest.mark.req("R-LOG-5")
async def test_a_consumer_with_marks_is_called_for_those_and_given_all_commits_since(log: EventLog) -> None:
    story, writer = Story(log), Writer(log, a_stream(1))
    async with running(a_consumer(story, log, marks=frozenset({"scoring_due"}))):
        await writer.write(b"a", b"b")
        await writer.write(b"c", mark="scoring_due")
        await settled(log, 1)
        await writer.write(b"d", mark="ended")
        await settled(log, 1)

    assert await story.of(writer.stream) == b"abc"


@pytest.mark.req("R-LOG-7")
async def test_a_consumer_does_not_go_on_without_a_feed(harness: Harness) -> None:
    story, writer = Story(harness.log), Writer(harness.log, a_stream(1))
    await writer.write(b"a")
    async with running(a_consumer(story, harness.log)):
        await settled(harness.log, 1)
    await harness.lose_feed(1)

    async with asyncio.timeout(20):
        with pytest.raises(FeedMissing):
            await a_consumer(story, harness.log).run()


@pytest.mark.req("R-LOG-5")
async def test_a_consumer_that_is_cancelled_lets_its_partitions_go(log: EventLog) -> None:
    consumer = a_consumer(Story(log), log)
    task = asyncio.create_task(consumer.run())

    async def complete() -> bool:
        return len(consumer.partitions) == PARTITIONS

    await until(complete)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert task.cancelled()
    for partition in range(PARTITIONS):
        assert await log.acquire("stories", partition, "two", 60_000) is not None


@pytest.mark.req("R-API-4")
async def test_a_consumer_outlives_the_store(tmp_path: Path) -> None:
    store = EmbeddedStore.start(tmp_path)
    log = await RedisStore.open(store.url, durability=store.durability)
    story, writer = Story(log), Writer(log, a_stream(1))
    async with running(a_consumer(story, log)):
        await writer.write(b"a")
        await settled(log, 1)
        os.kill(store.pid, signal.SIGKILL)
        await asyncio.to_thread(store.stop)
        store = await asyncio.to_thread(EmbeddedStore.start, tmp_path)
        await writer.write(b"b")
        await settled(log, 1)

    assert await story.of(writer.stream) == b"ab"
    await log.close()
    store.stop()
