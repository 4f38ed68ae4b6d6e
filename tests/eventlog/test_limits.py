"""Every limit is enforced before anything is sent."""

import asyncio

import pytest

from tests.eventlog.builders import a_stream, after
from tests.eventlog.conftest import RedisHarness
from wellhead_eventlog import limits
from wellhead_eventlog.errors import InvalidName, LimitExceeded, StoreBusy
from wellhead_eventlog.keys import checked
from wellhead_eventlog.port import GENESIS, Document, EventLog, Head, NewEntry, Put, StreamId


def commit_of(**sizes: int) -> NewEntry:
    public = bytes(sizes.get("public", 0))
    entry = after(GENESIS, public, mark="m" * sizes.get("mark", 0))
    return NewEntry(entry.digest, bytes(sizes.get("command_id", 1)), public, bytes(sizes.get("private", 0)), entry.mark)


@pytest.mark.req("R-LOG-11")
@pytest.mark.parametrize(
    ("part", "limit"),
    [
        ("public", limits.MAX_PUBLIC_BYTES),
        ("private", limits.MAX_PRIVATE_BYTES),
        ("command_id", limits.MAX_COMMAND_ID_BYTES),
        ("mark", limits.MAX_MARK_CHARS),
    ],
)
async def test_a_commit_may_be_as_large_as_the_limit_and_no_larger(log: EventLog, part: str, limit: int) -> None:
    stream, other = a_stream(), a_stream()
    await log.append(stream, GENESIS, commit_of(**{part: limit}))
    assert len(await log.read(stream)) == 1

    with pytest.raises(LimitExceeded) as exceeded:
        await log.append(other, GENESIS, commit_of(**{part: limit + 1}))
    assert (exceeded.value.size, exceeded.value.limit) == (limit + 1, limit)
    assert await log.head(other) is None


@pytest.mark.req("R-LOG-11")
async def test_a_stream_has_a_last_commit(log: EventLog) -> None:
    full = Head(limits.MAX_COMMITS, bytes(32))

    with pytest.raises(LimitExceeded):
        await log.append(a_stream(), full, after(full, b"one more"))


@pytest.mark.req("R-LOG-4")
async def test_a_commit_that_would_break_the_chain_is_refused(log: EventLog) -> None:
    stream = a_stream()
    for expected, entry in ((GENESIS, NewEntry(bytes(32), b"c", b"a")), (Head(0, b"x" * 32), after(GENESIS, b"a"))):
        with pytest.raises(ValueError, match="digest"):
            await log.append(stream, expected, entry)
    assert await log.head(stream) is None


@pytest.mark.req("R-LOG-11")
async def test_reads_that_ask_for_too_much_are_refused(log: EventLog) -> None:
    for read in (
        log.follow_feeds({1: 0}, limit=limits.MAX_FEED_READ + 1),
        log.follow_feeds({1: 0}, timeout_ms=limits.MAX_FOLLOW_MS + 1),
        log.streams(1, limit=limits.PAGE + 1),
        log.due(1, 0, limit=limits.PAGE + 1),
        log.scan("board", 1, limit=limits.PAGE + 1),
    ):
        with pytest.raises(LimitExceeded):
            await read


@pytest.mark.req("R-LOG-11")
async def test_a_consumers_commit_is_limited_in_number_and_size(log: EventLog) -> None:
    lease = await log.acquire("boards", 1, "owner", 60_000)
    assert lease is not None
    largest = [Put("board", Document(f"{n}", b"", limits.MAX_SCORE)) for n in range(limits.MAX_WRITES)]
    await log.commit(lease, 0, largest)

    for writes in (
        [*largest, *largest[:1]],
        [Put("board", Document("x", bytes(limits.MAX_DOCUMENT_BYTES + 1)))],
        [Put("board", Document("x" * (limits.MAX_DOCUMENT_ID_CHARS + 1), b""))],
        [Put("board", Document("x", b"", limits.MAX_SCORE + 1))],
    ):
        with pytest.raises(LimitExceeded):
            await log.commit(lease, 0, writes)
    with pytest.raises(ValueError, match="negative"):
        await log.commit(lease, 0, [Put("board", Document("x", b"", -1))])
    assert await log.get("board", 1, "x") is None
    assert len(await log.scan("board", 1, limit=limits.PAGE)) == limits.MAX_WRITES


@pytest.mark.req("R-LOG-11")
async def test_the_queue_of_waiting_calls_is_bounded(server: RedisHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_WAITING_CALLS", 8)
    stream = a_stream()
    calls = (server.log.append(stream, GENESIS, after(GENESIS, b"%d" % n)) for n in range(9))
    answers = await asyncio.gather(*calls, return_exceptions=True)

    assert [type(answer).__name__ for answer in answers] == ["Appended"] + ["Conflict"] * 7 + [StoreBusy.__name__]


@pytest.mark.req("R-LOG-11")
@pytest.mark.parametrize(
    ("kind", "id"),
    [
        ("", "a"),
        ("Game", "a"),
        ("g" * 33, "a"),
        ("game", ""),
        ("game", "a/b"),
        ("game", "a}b"),
        ("game", "a b"),
        ("game", "a\n"),
        ("game", "é"),
        ("game", "x" * 129),
    ],
)
def test_a_name_that_could_be_mistaken_is_no_stream(kind: str, id: str) -> None:
    with pytest.raises(InvalidName):
        StreamId(kind, id)


@pytest.mark.req("R-LOG-11")
@pytest.mark.parametrize("name", ["", "a:b", "{a}", "a b", "x" * 201])
def test_a_name_that_could_be_mistaken_builds_no_key(name: str) -> None:
    with pytest.raises(InvalidName):
        checked(name)
