"""Appending and reading: one contract, every store."""

import asyncio
import random
from dataclasses import replace

import pytest

from tests.eventlog.builders import Writer, a_stream, after
from tests.eventlog.conftest import Harness
from wellhead_eventlog import chain
from wellhead_eventlog.port import (
    GENESIS,
    Appended,
    Conflict,
    Due,
    Duplicate,
    Entry,
    EventLog,
    Fork,
    Frozen,
    Head,
    LostTail,
    Pointer,
)


@pytest.mark.req("R-LOG-1")
async def test_a_commit_is_read_back_as_it_was_written(harness: Harness) -> None:
    stream, entry = a_stream(), after(GENESIS, bytes(range(256)), mark="ended")

    assert await harness.log.append(stream, GENESIS, entry) == Appended(1, harness.durability)
    assert await harness.log.read(stream) == [
        Entry(1, entry.digest, entry.command_id, entry.public, entry.private, "ended")
    ]
    assert await harness.log.head(stream) == Head(1, entry.digest)


@pytest.mark.req("R-LOG-1")
async def test_a_stream_that_was_never_written_is_empty(log: EventLog) -> None:
    stream = a_stream()

    assert await log.read(stream) == []
    assert await log.head(stream) is None
    assert await log.frozen(stream) is None


@pytest.mark.req("R-LOG-1")
async def test_reading_starts_after_a_revision_and_ends_at_a_limit(log: EventLog) -> None:
    writer = Writer(log)
    await writer.write(b"a", b"b", b"c", b"d")

    assert [entry.revision for entry in await log.read(writer.stream, after=1, limit=2)] == [2, 3]
    assert [entry.revision for entry in await log.read(writer.stream, after=3, limit=9)] == [4]
    assert await log.read(writer.stream, after=4) == []


@pytest.mark.req("R-LOG-1")
async def test_a_long_stream_is_read_whole(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wellhead_eventlog.limits.PAGE", 3)
    writer = Writer(log)
    for length in range(1, 8):
        await writer.write(b"%d" % length)
        assert [entry.revision for entry in await log.read(writer.stream)] == list(range(1, length + 1))


@pytest.mark.req("R-LOG-1")
async def test_commit_pointer_and_deadline_appear_together(log: EventLog) -> None:
    writer = Writer(log)
    partition = writer.stream.partition
    await writer.write(b"a", mark="started", deadline=5_000)

    assert await log.follow_feeds({partition: 0}) == {partition: [Pointer(1, writer.stream, 1, "started")]}
    assert await log.feed_tail(partition) == 1
    assert await log.due(partition, now_ms=5_000) == [Due(writer.stream, 5_000)]
    assert await log.streams(partition) == [writer.stream]


@pytest.mark.req("R-LOG-1")
async def test_a_refused_commit_leaves_nothing(log: EventLog) -> None:
    writer = Writer(log)
    await writer.write(b"a", b"b")
    partition = writer.stream.partition

    assert isinstance(await log.append(writer.stream, GENESIS, after(GENESIS, b"late", deadline=1)), Conflict)

    assert len(await log.read(writer.stream)) == 2
    assert await log.feed_tail(partition) == 2
    assert await log.due(partition, now_ms=9_999) == []


@pytest.mark.req("R-LOG-1")
async def test_a_deadline_stands_until_it_is_replaced_or_cleared(log: EventLog) -> None:
    writer = Writer(log)
    partition = writer.stream.partition

    await writer.write(b"a", deadline=5_000)
    await writer.write(b"b", deadline=None)
    assert await log.due(partition, now_ms=5_000) == [Due(writer.stream, 5_000)]
    await writer.write(b"c", deadline=7_000)
    assert await log.due(partition, now_ms=6_999) == []
    await writer.write(b"d", deadline=0)
    assert await log.due(partition, now_ms=9_999) == []


@pytest.mark.req("R-LOG-1")
async def test_the_most_overdue_stream_comes_first(log: EventLog) -> None:
    late, later, future = (Writer(log, a_stream(partition=7)) for _ in range(3))
    await later.write(b"a", deadline=1_000)
    await late.write(b"a", deadline=2_000)
    await future.write(b"a", deadline=3_000)

    assert await log.due(7, now_ms=2_500) == [Due(later.stream, 1_000), Due(late.stream, 2_000)]
    assert await log.due(7, now_ms=2_500, limit=1) == [Due(later.stream, 1_000)]


@pytest.mark.req("R-LOG-1")
async def test_a_partition_lists_its_streams_in_pages(log: EventLog) -> None:
    streams = sorted((a_stream(partition=3) for _ in range(5)), key=str)
    for stream in streams:
        await Writer(log, stream).write(b"a", b"b")

    assert await log.streams(3, limit=3) == streams[:3]
    assert await log.streams(3, after=str(streams[2]), limit=3) == streams[3:]


@pytest.mark.req("R-LOG-2")
async def test_of_two_writers_at_one_revision_one_wins_and_the_other_is_told(log: EventLog) -> None:
    stream = a_stream()
    answers = await asyncio.gather(*(log.append(stream, GENESIS, after(GENESIS, b"%d" % n)) for n in range(2)))

    assert sorted(type(answer).__name__ for answer in answers) == ["Appended", "Conflict"]
    assert Conflict(1) in answers
    assert len(await log.read(stream)) == 1


@pytest.mark.req("R-LOG-1", "R-LOG-2")
@pytest.mark.parametrize("seed", range(3))
async def test_racing_writers_leave_revisions_and_positions_without_gaps(log: EventLog, seed: int) -> None:
    chance = random.Random(seed)
    streams = [a_stream(partition=seed) for _ in range(3)]

    async def write(name: int) -> None:
        for n in range(12):
            stream = chance.choice(streams)
            taken = False
            while not taken:
                head = await log.head(stream) or GENESIS
                answer = await log.append(stream, head, after(head, b"%d/%d" % (name, n)))
                assert isinstance(answer, Appended | Conflict)
                taken = isinstance(answer, Appended)

    await asyncio.gather(*map(write, range(6)))

    written = []
    for stream in streams:
        entries = await log.read(stream)
        chain.verify_chain(entries, until=await log.head(stream))
        written += [entry.public for entry in entries]
    assert sorted(written) == sorted(b"%d/%d" % (name, n) for name in range(6) for n in range(12))
    pointers = (await log.follow_feeds({seed: 0}))[seed]
    assert [pointer.position for pointer in pointers] == list(range(1, 73))
    for stream in streams:
        revisions = [pointer.revision for pointer in pointers if pointer.stream == stream]
        assert revisions == list(range(1, len(revisions) + 1))


@pytest.mark.req("R-LOG-3")
async def test_a_command_sent_again_is_recognised_however_far_the_stream_has_come(log: EventLog) -> None:
    writer = Writer(log)
    before = await writer.write(b"a")
    entry = after(before, b"b")
    await writer.offer(entry)

    assert await log.append(writer.stream, before, entry) == Duplicate(2)
    await writer.write(b"c", b"d")
    assert await log.append(writer.stream, before, entry) == Duplicate(2)
    assert len(await log.read(writer.stream)) == 4


@pytest.mark.req("R-LOG-3")
async def test_a_command_raced_by_itself_takes_effect_once(log: EventLog) -> None:
    stream = a_stream()
    entries = [after(GENESIS, b"written at %d" % time, command_id=b"move") for time in range(5)]
    answers = await asyncio.gather(*(log.append(stream, GENESIS, entry) for entry in entries))

    assert sorted(type(answer).__name__ for answer in answers) == ["Appended"] + ["Duplicate"] * 4
    assert len(await log.read(stream)) == 1


@pytest.mark.req("R-LOG-4")
async def test_a_lost_tail_is_told_and_freezes_the_stream(harness: Harness) -> None:
    writer, neighbour = Writer(harness.log), Writer(harness.log)
    await writer.write(b"a", b"b", deadline=1_000)
    await harness.lose_tail(writer.stream)

    assert await writer.offer(after(writer.head, b"c")) == LostTail(1)

    assert isinstance(await writer.offer(after(writer.head, b"c")), Frozen)
    head = await harness.log.head(writer.stream)
    assert head is not None
    assert isinstance(await harness.log.append(writer.stream, head, after(head, b"b")), Frozen)
    assert "lost tail" in str(await harness.log.frozen(writer.stream))
    assert len(await harness.log.read(writer.stream)) == 1
    assert await harness.log.due(writer.stream.partition, now_ms=9_999) == []
    await neighbour.write(b"other games go on")


@pytest.mark.req("R-LOG-4")
async def test_a_fork_of_the_same_length_is_told_and_freezes_the_stream(harness: Harness) -> None:
    writer = Writer(harness.log)
    await writer.write(b"a")
    survivor = Writer(harness.log, writer.stream, writer.head)
    await writer.write(b"b")
    await harness.lose_tail(writer.stream)
    await survivor.write(b"another b")

    assert await writer.offer(after(writer.head, b"c")) == Fork(2)

    assert isinstance(await survivor.offer(after(survivor.head, b"c")), Frozen)
    assert "fork" in str(await harness.log.frozen(writer.stream))
    assert len(await harness.log.read(writer.stream)) == 2


@pytest.mark.req("R-LOG-4")
async def test_a_fork_is_told_when_the_stream_has_gone_on(harness: Harness) -> None:
    writer = Writer(harness.log)
    await writer.write(b"a")
    survivor = Writer(harness.log, writer.stream, writer.head)
    await writer.write(b"b")
    await harness.lose_tail(writer.stream)
    await survivor.write(b"another b", b"another c", b"another d")

    assert await writer.offer(after(writer.head, b"c")) == Fork(2)


@pytest.mark.req("R-LOG-4")
async def test_a_stream_can_be_frozen_and_the_first_reason_stays(log: EventLog) -> None:
    writer = Writer(log)
    await writer.write(b"a", deadline=1_000)
    await log.freeze(writer.stream, "an auditor said so")
    await log.freeze(writer.stream, "and another")

    assert await writer.offer(after(writer.head, b"b")) == Frozen("an auditor said so")
    assert await log.frozen(writer.stream) == "an auditor said so"
    assert await log.due(writer.stream.partition, now_ms=9_999) == []


@pytest.mark.req("R-LOG-1")
async def test_a_commit_keeps_the_trace_in_which_it_came_about_beside_what_the_digest_covers(log: EventLog) -> None:
    stream, untraced = a_stream(), after(GENESIS, b"a", mark="ended")
    traced = replace(untraced, trace="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")

    assert isinstance(await log.append(stream, GENESIS, traced), Appended)
    (entry,) = await log.read(stream)
    assert (entry.trace, entry.mark, entry.head) == (traced.trace, "ended", Head(1, untraced.digest))
    # A repeat is the same command whichever trace it comes in.
    assert await log.append(stream, GENESIS, untraced) == Duplicate(1)
