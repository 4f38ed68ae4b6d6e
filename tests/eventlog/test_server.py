"""What only a store with a connection can suffer: cancellation, cut connections, missing functions, strange keys."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.eventlog.builders import Writer, a_stream, after
from tests.eventlog.conftest import RedisHarness
from wellhead_eventlog import functions
from wellhead_eventlog.errors import StoreRefused, StoreUnavailable
from wellhead_eventlog.port import GENESIS, Appended, Conflict, Frozen, LostTail
from wellhead_eventlog.redis_store import RedisStore


class Proxy:
    """Between a client and its store; can let a request pass and cut the connection instead of answering."""

    def __init__(self, path: Path, target: str) -> None:
        self.url = f"unix://{path}"
        self.cuts = 0
        self._path = path
        self._target = target.removeprefix("unix://")

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["Proxy"]:
        server = await asyncio.start_unix_server(self._serve, self._path)
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        store_reader, store_writer = await asyncio.open_unix_connection(self._target)
        try:
            while request := await reader.read(1 << 20):
                store_writer.write(request)
                reply = await store_reader.read(1 << 20)
                if b"FCALL" in request and self.cuts:
                    self.cuts -= 1
                    return
                writer.write(reply)
        finally:
            store_writer.close()
            writer.close()


@pytest.fixture
async def proxy(server: RedisHarness, tmp_path: Path) -> AsyncIterator[Proxy]:
    async with Proxy(tmp_path / "proxy.sock", server.url).running() as proxy:
        yield proxy


@pytest.fixture
async def distant(server: RedisHarness, proxy: Proxy) -> AsyncIterator[RedisStore]:
    """The server's store, seen through the proxy."""
    log = RedisStore(proxy.url, namespace=server.namespace, durability=server.durability)
    yield log
    await log.close()


@pytest.mark.req("R-LOG-3")
async def test_an_append_whose_answer_was_lost_is_sent_again_and_stands_once(
    server: RedisHarness, proxy: Proxy, distant: RedisStore
) -> None:
    writer = Writer(distant)
    await writer.write(b"a")
    proxy.cuts = 2

    assert await writer.offer(after(writer.head, b"b")) == Appended(2, server.durability)

    assert proxy.cuts == 0
    assert len(await server.log.read(writer.stream)) == 2


@pytest.mark.req("R-LOG-3")
async def test_after_a_resend_another_writer_of_the_same_revision_is_still_seen(
    server: RedisHarness, proxy: Proxy, distant: RedisStore
) -> None:
    stream = a_stream()
    await Writer(server.log, stream).write(b"theirs")
    proxy.cuts = 1

    assert await distant.append(stream, GENESIS, after(GENESIS, b"ours")) == Conflict(1)


@pytest.mark.req("R-LOG-3")
async def test_a_store_that_keeps_failing_is_reported_and_the_call_can_be_repeated(
    server: RedisHarness, proxy: Proxy, distant: RedisStore
) -> None:
    writer = Writer(distant)
    proxy.cuts = 3
    entry = after(GENESIS, b"a")

    with pytest.raises(StoreUnavailable):
        await writer.offer(entry)

    assert type(await writer.offer(entry)).__name__ == "Duplicate"
    assert len(await server.log.read(writer.stream)) == 1


@pytest.mark.req("R-LOG-9")
@pytest.mark.parametrize("seed", range(3))
async def test_calls_cancelled_at_any_point_finish_and_leave_the_store_usable(server: RedisHarness, seed: int) -> None:
    chance = random.Random(seed)
    cancelled = [Writer(server.log, a_stream(seed)) for _ in range(60)]
    for writer in cancelled:
        call = asyncio.create_task(writer.offer(after(GENESIS, b"a")))
        reads = asyncio.create_task(server.log.read(writer.stream))
        follows = asyncio.create_task(server.log.follow_feeds({seed: 0}))
        for _ in range(chance.randrange(1, 40)):
            await asyncio.sleep(0)  # one step of the loop: so cancelling meets every await in turn
        for task in (call, reads, follows):
            task.cancel()
        await asyncio.gather(call, reads, follows, return_exceptions=True)

    last = Writer(server.log, a_stream(seed))
    await last.write(b"a", b"b")

    # A call that was made is a call that finishes: the stream holds the commit of whoever went away.
    for writer in cancelled:
        assert [entry.public for entry in await server.log.read(writer.stream)] == [b"a"]
    assert [entry.public for entry in await server.log.read(last.stream)] == [b"a", b"b"]
    pointers = (await server.log.follow_feeds({seed: 0}))[seed]
    assert [pointer.position for pointer in pointers] == list(range(1, 63))


@pytest.mark.req("R-LOG-9")
async def test_closing_finishes_what_was_sent(server: RedisHarness) -> None:
    log, stream = server.another(), a_stream()
    call = asyncio.create_task(log.append(stream, GENESIS, after(GENESIS, b"a")))
    await asyncio.sleep(0)
    await log.close()

    assert await call == Appended(1, server.durability)


@pytest.mark.req("R-LOG-10")
async def test_functions_that_are_missing_are_loaded(server: RedisHarness) -> None:
    writer = Writer(server.log)
    await writer.write(b"a")
    await server.client.execute_command("FUNCTION", "DELETE", functions.function("functions"))

    await asyncio.gather(*(Writer(server.log).write(b"a", b"b") for _ in range(5)))
    await server.client.execute_command("FUNCTION", "DELETE", functions.function("functions"))

    assert await server.log.scan("board", writer.stream.partition) == []


@pytest.mark.req("R-LOG-1")
@pytest.mark.parametrize("wrong", ["stream", "streams", "frozen", "deadlines", "feed", "position"])
async def test_a_key_of_the_wrong_type_is_found_before_anything_is_written(server: RedisHarness, wrong: str) -> None:
    stream = a_stream()
    keys = {
        "stream": server.keys.stream(stream),
        **{name: getattr(server.keys, name)(stream.partition) for name in ("streams", "frozen", "deadlines")},
        **{name: getattr(server.keys, name)(stream.partition) for name in ("feed", "position")},
    }
    await server.client.sadd(keys[wrong], "a set")

    with pytest.raises(StoreRefused, match="WRONGTYPE"):
        await server.log.append(stream, GENESIS, after(GENESIS, b"a", deadline=1))

    assert [name for name, key in keys.items() if await server.client.exists(key)] == [wrong]


@pytest.mark.req("R-LOG-4")
async def test_a_tail_that_was_deleted_from_the_stream_is_a_lost_tail_even_for_a_new_writer(
    server: RedisHarness,
) -> None:
    writer = Writer(server.log)
    shorter = await writer.write(b"a")
    await writer.write(b"b")
    await server.client.xdel(server.keys.stream(writer.stream), "2-0")
    newcomer = Writer(server.log, writer.stream, shorter)

    assert await newcomer.offer(after(shorter, b"c")) == LostTail(1)
    assert isinstance(await newcomer.offer(after(shorter, b"c")), Frozen)
    assert await server.log.feed_tail(writer.stream.partition) == 2


@pytest.mark.req("R-LOG-3")
async def test_processes_see_each_others_commits(server: RedisHarness) -> None:
    other = server.another()
    writer = Writer(server.log)
    await writer.write(b"a")

    await Writer(other, writer.stream, writer.head).write(b"b")

    assert await writer.offer(after(writer.head, b"c")) == Conflict(2)
    await other.close()
