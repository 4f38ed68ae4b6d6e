"""The specification in memory beside a server: the same calls get the same answers."""

import random
from collections.abc import Awaitable

import pytest

from tests.eventlog.builders import a_stream, after
from tests.eventlog.conftest import RedisHarness
from wellhead_eventlog.errors import EventLogError
from wellhead_eventlog.memory import MemoryStore
from wellhead_eventlog.port import GENESIS, Appended, Delete, Document, EventLog, Head, Lease, Parked, Put

HOUR = 3_600_000


async def outcome(call: Awaitable[object]) -> object:
    """What a call answers, but for the durability, which is all that may differ."""
    try:
        answer = await call
        return ("appended", answer.revision) if isinstance(answer, Appended) else answer
    except EventLogError as error:
        return type(error), str(error)


@pytest.mark.req("R-LOG-10")
@pytest.mark.parametrize("seed", range(8))
async def test_a_server_answers_what_the_specification_answers(server: RedisHarness, seed: int) -> None:
    chance = random.Random(seed)
    twin = MemoryStore()
    streams = [a_stream(partition=seed) for _ in range(3)]
    seen = {stream: [GENESIS] for stream in streams}

    def arbitrary(log: EventLog, step: int, chance: random.Random) -> Awaitable[object]:
        """One call, drawn alike for both."""
        stream = chance.choice(streams)
        lease = Lease("boards", seed, chance.randint(1, 4), "one")
        document = Document(f"d{chance.randrange(4)}", b"%d" % step, chance.randrange(3))
        # Mostly the last head or one shortly before it; seldom one that is from another world.
        known = chance.choice(seen[stream][-3:]) if chance.random() < 0.97 else Head(chance.randint(1, 9), b"x" * 32)
        entry = after(known, b"%d" % step, b"command %d" % chance.randrange(6), deadline=chance.choice((None, 0, step)))
        calls = [
            *[lambda: log.append(stream, known, entry)] * 12,
            lambda: log.commit(lease, chance.randrange(12), [Put("board", document), Delete("board", "d0")]),
            lambda: log.acquire("boards", seed, chance.choice(("one", "two")), chance.choice((0, HOUR))),
            lambda: log.renew(lease, HOUR),
            lambda: log.release(lease),
            lambda: log.park(lease, Parked(stream, 1, "error", step)),
            lambda: log.unpark("boards", stream),
            lambda: log.trim_feed(seed),
            lambda: log.register_consumer(chance.choice(("boards", "ratings"))),
            lambda: log.retire_consumer("ratings"),
            lambda: log.scan("board", seed, limit=2, descending=chance.random() < 0.5),
        ]
        return chance.choice(calls)()

    async def everything(log: EventLog) -> list[object]:
        return [
            *[[await log.read(s), await log.head(s), await log.frozen(s)] for s in streams],
            await log.streams(seed),
            await log.due(seed, HOUR),
            await outcome(log.follow_feeds({seed: 0}, timeout_ms=1)),
            await log.feed_tail(seed),
            await log.checkpoint("boards", seed),
            await log.parked("boards", seed),
            await log.scan("board", seed),
        ]

    for step in range(200):
        state = chance.getstate()
        expected = await outcome(arbitrary(twin, step, chance))
        chance.setstate(state)
        answer = await outcome(arbitrary(server.log, step, chance))
        assert answer == expected, step
        for stream in streams:
            if (head := await twin.head(stream)) and head not in seen[stream]:
                seen[stream].append(head)
    assert await everything(server.log) == await everything(twin)
