"""Leases, fenced commits, documents and parked streams: one contract, every store."""

import asyncio

import pytest

from tests.eventlog.builders import Writer, a_stream
from wellhead_eventlog.errors import StaleLease
from wellhead_eventlog.port import RETRY, Delete, Document, EventLog, Lease, Parked, Pointer, Put

HOUR = 3_600_000


async def taken(log: EventLog, owner: str = "one", ttl_ms: int = HOUR) -> Lease:
    lease = await log.acquire("boards", 4, owner, ttl_ms)
    assert lease is not None
    return lease


def put(id: str, value: bytes = b"", score: int = 0) -> Put:
    return Put("board", Document(id, value, score))


@pytest.mark.req("R-LOG-5")
async def test_a_partition_has_one_owner_at_a_time(log: EventLog) -> None:
    assert await taken(log, "one") == Lease("boards", 4, 1, "one")
    assert await log.acquire("boards", 4, "two", HOUR) is None
    assert await log.acquire("ratings", 4, "two", HOUR) == Lease("ratings", 4, 1, "two")
    assert await log.acquire("boards", 5, "two", HOUR) == Lease("boards", 5, 1, "two")


@pytest.mark.req("R-LOG-5")
async def test_an_expired_or_released_lease_changes_hands_with_a_higher_epoch(log: EventLog) -> None:
    await taken(log, "one", ttl_ms=0)
    second = await taken(log, "two")
    await log.release(second)

    assert await taken(log, "one") == Lease("boards", 4, 3, "one")


@pytest.mark.req("R-LOG-5")
async def test_a_renewed_lease_stays_with_its_owner(log: EventLog) -> None:
    lease = await taken(log, "one", ttl_ms=0)
    await log.renew(lease, HOUR)

    assert await log.acquire("boards", 4, "two", HOUR) is None


@pytest.mark.req("R-LOG-5")
async def test_an_owner_that_restarts_ends_its_own_former_lease(log: EventLog) -> None:
    before = await taken(log, "one")
    await taken(log, "one")

    with pytest.raises(StaleLease):
        await log.commit(before, 0)


async def test_whoever_looks_on_sees_consumers_owners_and_leases_until_they_expire(log: EventLog) -> None:
    assert (await log.consumers(), await log.attending("boards"), await log.leases("boards")) == ([], [], {})
    await log.register_consumer("ratings")
    await log.register_consumer("boards")
    await log.attend("boards", "two", HOUR)
    await log.attend("boards", "one", HOUR)
    await log.attend("boards", "dead", 0)
    await taken(log, "one")
    await log.acquire("boards", 5, "dead", 0)
    released = await log.acquire("boards", 6, "two", HOUR)
    assert released is not None
    await log.release(released)

    assert await log.consumers() == ["boards", "ratings"]
    assert await log.attending("boards") == ["one", "two"]
    assert await log.leases("boards") == {4: "one"}
    assert await log.leases("ratings") == {}

    await log.retire_consumer("boards")
    assert (await log.consumers(), await log.leases("boards")) == (["ratings"], {})


async def test_a_collection_says_how_many_documents_it_has(log: EventLog) -> None:
    lease = await taken(log)
    await log.commit(lease, 0, [put("a"), put("b"), put("b"), Put("other", Document("c", b""))])
    assert [await log.size(each, 4) for each in ("board", "other", "none")] == [2, 1, 0]
    await log.commit(lease, 0, [Delete("board", "a")])
    assert await log.size("board", 4) == 1


@pytest.mark.req("R-LOG-5")
async def test_who_lost_the_lease_can_write_nothing(log: EventLog) -> None:
    await Writer(log, a_stream(4)).write(b"a", b"b")
    stale = await taken(log, "one", ttl_ms=0)
    await log.commit(stale, 1, [put("kept", b"mine")])
    current = await taken(log, "two")
    stream = a_stream(4)

    for attempt in (
        log.commit(stale, 2, [put("kept", b"theirs"), put("new"), Delete("board", "kept")]),
        log.renew(stale, HOUR),
        log.park(stale, Parked(stream, 1, "error", 1)),
    ):
        with pytest.raises(StaleLease):
            await attempt
    await log.release(stale)

    assert await log.checkpoint("boards", 4) == 1
    assert await log.scan("board", 4) == [Document("kept", b"mine")]
    assert await log.parked("boards", 4) == []
    assert await log.acquire("boards", 4, "three", HOUR) is None
    await log.commit(current, 2)


@pytest.mark.req("R-LOG-5")
async def test_a_retired_consumer_is_fenced_off(log: EventLog) -> None:
    await log.register_consumer("boards")
    lease = await taken(log, "one")
    await log.retire_consumer("boards")

    with pytest.raises(StaleLease):
        await log.commit(lease, 0, [put("late")])
    assert (await taken(log, "one")).epoch > lease.epoch


@pytest.mark.req("R-LOG-5")
async def test_a_race_for_a_lease_has_one_winner(log: EventLog) -> None:
    leases = await asyncio.gather(*(log.acquire("boards", 4, f"owner {n}", HOUR) for n in range(8)))

    assert sum(lease is not None for lease in leases) == 1


@pytest.mark.req("R-LOG-5")
async def test_members_that_are_alive_are_counted(log: EventLog) -> None:
    assert await log.attend("boards", "one", HOUR) == 1
    assert await log.attend("boards", "two", HOUR) == 2
    assert await log.attend("boards", "one", HOUR) == 2
    assert await log.attend("ratings", "one", HOUR) == 1
    assert await log.attend("boards", "two", 0) == 2
    assert await log.attend("boards", "one", HOUR) == 1


@pytest.mark.req("R-LOG-5")
async def test_effect_and_checkpoint_move_together_and_can_be_rewound(log: EventLog) -> None:
    await Writer(log, a_stream(4)).write(b"a", b"b")
    lease = await taken(log)
    await log.commit(lease, 2, [put("g", b"two")])
    assert (await log.checkpoint("boards", 4), await log.get("board", 4, "g")) == (2, Document("g", b"two"))

    await log.commit(lease, 1, [put("g", b"one"), Delete("board", "none")])

    assert (await log.checkpoint("boards", 4), await log.get("board", 4, "g")) == (1, Document("g", b"one"))


@pytest.mark.req("R-LOG-5")
async def test_documents_are_listed_by_score_and_id_in_pages_both_ways(log: EventLog) -> None:
    lease = await taken(log)
    await log.commit(lease, 0, [put("b", b"B", 1), put("ä", b"\x00", 1), put("a", b"A", 20), put("c", b"C"), put("d")])
    in_order = [Document("c", b"C"), Document("d", b""), Document("b", b"B", 1), Document("ä", b"\x00", 1)]
    in_order.append(Document("a", b"A", 20))

    assert await log.scan("board", 4) == in_order
    assert await log.scan("board", 4, after=in_order[1].place, limit=2) == in_order[2:4]
    assert await log.scan("board", 4, descending=True, limit=3) == in_order[:-4:-1]
    assert await log.scan("board", 4, after=in_order[2].place, descending=True) == in_order[1::-1]
    assert await log.scan("board", 5) == await log.scan("empty", 4) == []


@pytest.mark.req("R-LOG-5")
async def test_a_document_has_one_place_and_none_when_deleted(log: EventLog) -> None:
    lease = await taken(log)
    await log.commit(lease, 0, [put("a", b"1", 5), put("b", b"1", 6), put("a", b"2", 7), put("b", b"2", 6)])
    assert await log.scan("board", 4) == [Document("b", b"2", 6), Document("a", b"2", 7)]

    await log.commit(lease, 0, [Delete("board", "a")])

    assert await log.get("board", 4, "a") is None
    assert await log.scan("board", 4) == [Document("b", b"2", 6)]


@pytest.mark.req("R-LOG-5")
async def test_a_commit_may_write_several_collections_and_one_can_be_dropped(log: EventLog) -> None:
    lease = await taken(log)
    await log.commit(lease, 0, [put("a"), Put("lobby/1", Document("a", b"L")), put("b"), Delete("lobby/2", "a")])
    assert await log.get("lobby/1", 4, "a") == Document("a", b"L")

    await log.drop("board")

    assert await log.scan("board", 4) == []
    assert await log.get("lobby/1", 4, "a") == Document("a", b"L")


@pytest.mark.req("R-LOG-6")
async def test_parked_streams_are_listed_with_error_and_count(log: EventLog) -> None:
    lease = await taken(log)
    one, two = sorted((a_stream(4), a_stream(4)), key=str)
    await log.park(lease, Parked(two, 7, "KeyError: 'x y'\nline", 3))
    await log.park(lease, Parked(one, 1, "", 1))
    await log.park(lease, Parked(one, 1, "e" * 10_000, 2))

    assert await log.parked("boards", 4) == [Parked(one, 1, "e" * 500, 2), Parked(two, 7, "KeyError: 'x y'\nline", 3)]
    assert await log.parked("ratings", 4) == []


@pytest.mark.req("R-LOG-6")
async def test_a_parked_stream_that_is_to_be_retried_is_announced_again(log: EventLog) -> None:
    lease = await taken(log)
    writer = Writer(log, a_stream(4))
    await writer.write(b"a", b"b", mark="ended")
    await log.park(lease, Parked(writer.stream, 1, "error", 3))

    assert await log.unpark("boards", writer.stream)
    assert not await log.unpark("boards", writer.stream)

    assert await log.parked("boards", 4) == []
    assert await log.follow_feeds({4: 2}) == {4: [Pointer(3, writer.stream, 2, RETRY)]}
    await writer.write(b"c")
    assert await log.feed_tail(4) == 4
