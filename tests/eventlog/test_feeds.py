"""Following and trimming the feeds: one contract, every store."""

import asyncio

import pytest

from tests.eventlog.builders import Writer, a_stream, after
from tests.eventlog.conftest import Harness
from wellhead_eventlog.errors import FeedMissing, FeedTrimmed
from wellhead_eventlog.port import GENESIS, EventLog, Pointer


async def consumed(log: EventLog, consumer: str, partition: int, position: int) -> None:
    lease = await log.acquire(consumer, partition, "owner", ttl_ms=60_000)
    assert lease is not None
    await log.commit(lease, position)


@pytest.mark.req("R-LOG-1")
async def test_a_feed_lists_the_commits_of_all_its_streams_in_order(log: EventLog) -> None:
    one, other, elsewhere = Writer(log, a_stream(5)), Writer(log, a_stream(5)), Writer(log, a_stream(6))
    await one.write(b"a", mark="started")
    await other.write(b"a")
    await elsewhere.write(b"a")
    await one.write(b"b", mark="ended")

    assert await log.follow_feeds({5: 0, 6: 0, 7: 0}) == {
        5: [
            Pointer(1, one.stream, 1, "started"),
            Pointer(2, other.stream, 1, ""),
            Pointer(3, one.stream, 2, "ended"),
        ],
        6: [Pointer(1, elsewhere.stream, 1, "")],
    }
    assert [pointer.position for pointer in (await log.follow_feeds({5: 1}, limit=1))[5]] == [2]


@pytest.mark.req("R-LOG-5")
async def test_whoever_waits_is_woken_by_a_commit(log: EventLog) -> None:
    writer = Writer(log, a_stream(5))
    await writer.write(b"a")
    waiting = asyncio.create_task(log.follow_feeds({4: 0, 5: 1}, timeout_ms=10_000))
    await writer.write(b"b")

    assert await waiting == {5: [Pointer(2, writer.stream, 2, "")]}


@pytest.mark.req("R-LOG-5")
async def test_a_quiet_feed_answers_nothing(log: EventLog) -> None:
    writer = Writer(log, a_stream(5))
    await writer.write(b"a")

    assert await log.follow_feeds({4: 0, 5: 1}, timeout_ms=1) == {}


@pytest.mark.req("R-LOG-7")
async def test_a_feed_is_trimmed_below_the_slowest_registered_consumer_only(log: EventLog) -> None:
    await log.register_consumer("fast")
    await log.register_consumer("slow")
    await Writer(log, a_stream(9)).write(b"a", b"b", b"c", b"d")
    await consumed(log, "fast", 9, 4)

    assert await log.trim_feed(9) == 0
    await consumed(log, "slow", 9, 3)
    assert await log.trim_feed(9) == 2
    assert [pointer.position for pointer in (await log.follow_feeds({9: 3}))[9]] == [4]


@pytest.mark.req("R-LOG-7")
async def test_nothing_is_trimmed_while_nobody_is_registered(log: EventLog) -> None:
    await Writer(log, a_stream(9)).write(b"a", b"b")

    assert await log.trim_feed(9) == 0


@pytest.mark.req("R-LOG-7")
async def test_a_consumer_that_retired_holds_nothing_up(log: EventLog) -> None:
    await log.register_consumer("current")
    await log.register_consumer("former")
    await Writer(log, a_stream(9)).write(b"a", b"b", b"c")
    await consumed(log, "current", 9, 3)
    await log.retire_consumer("former")

    assert await log.trim_feed(9) == 2


@pytest.mark.req("R-LOG-1", "R-LOG-7")
async def test_the_last_pointer_is_never_trimmed_so_positions_go_on(log: EventLog) -> None:
    await log.register_consumer("only")
    writer = Writer(log, a_stream(9))
    await writer.write(b"a", b"b")
    await consumed(log, "only", 9, 2)
    assert await log.trim_feed(9) == 1
    assert await log.trim_feed(9) == 0

    await writer.write(b"c")

    assert await log.follow_feeds({9: 2}) == {9: [Pointer(3, writer.stream, 3, "")]}


@pytest.mark.req("R-LOG-7")
async def test_a_reader_of_what_was_trimmed_is_told_where_the_feed_goes_on(log: EventLog) -> None:
    await log.register_consumer("only")
    await Writer(log, a_stream(9)).write(b"a", b"b", b"c")
    await consumed(log, "only", 9, 3)
    await log.trim_feed(9)

    with pytest.raises(FeedTrimmed) as trimmed:
        await log.follow_feeds({9: 0})
    assert (trimmed.value.partition, trimmed.value.position, trimmed.value.first) == (9, 0, 3)


@pytest.mark.req("R-LOG-7")
async def test_a_missing_feed_is_an_alarm_for_whoever_follows_it(harness: Harness) -> None:
    await Writer(harness.log, a_stream(9)).write(b"a", b"b")
    await Writer(harness.log, a_stream(8)).write(b"a")
    await harness.lose_feed(9)

    with pytest.raises(FeedMissing) as missing:
        await harness.log.follow_feeds({8: 1, 9: 2}, timeout_ms=1)
    assert missing.value.partition == 9


@pytest.mark.req("R-LOG-7")
async def test_a_missing_feed_is_an_alarm_for_whoever_appends_and_is_not_created_anew(harness: Harness) -> None:
    writer = Writer(harness.log, a_stream(9))
    await writer.write(b"a", b"b")
    await harness.lose_feed(9)

    for stream, head in ((writer.stream, writer.head), (a_stream(9), GENESIS)):
        with pytest.raises(FeedMissing):
            await harness.log.append(stream, head, after(head, b"c"))
        assert await harness.log.head(stream) == (head if head.revision else None)
    await Writer(harness.log, a_stream(8)).write(b"other partitions go on")


@pytest.mark.req("R-LOG-7")
async def test_a_position_that_was_never_given_out_is_an_alarm(log: EventLog) -> None:
    await Writer(log, a_stream(9)).write(b"a")

    with pytest.raises(FeedMissing):
        await log.follow_feeds({9: 2}, timeout_ms=1)
    with pytest.raises(FeedMissing):
        await consumed(log, "ahead", 9, 2)
    assert await log.checkpoint("ahead", 9) == 0
