"""Watching: gap-free, without repeats, whatever the connection does (R-API-3)."""

from typing import Any

import grpc
import pytest

from tests.client.conftest import Connect
from tests.client.fakes import Break, FakeQueries
from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_client import Refused

OVER = queries.WatchGameResponse(game_over=queries.GameOver(revision=5))
UNAVAILABLE = Break(grpc.StatusCode.UNAVAILABLE)


def change(revision: int) -> queries.WatchGameResponse:
    return queries.WatchGameResponse(change=queries.GameChange(revision=revision))


def snapshot(revision: int) -> queries.WatchGameResponse:
    return queries.WatchGameResponse(snapshot=game_pb2.GameView(revision=revision))


def stream_end(after: int) -> queries.WatchGameResponse:
    return queries.WatchGameResponse(stream_end=queries.StreamEnd(resume_after=after, reason="SERVER_STOPPING"))


HEARTBEAT = queries.WatchGameResponse(heartbeat=queries.Heartbeat(revision=2))


async def watched(connect: Connect, fake: FakeQueries, after: int | None = None) -> list[Any]:
    client = await connect(fake, patience=5.0)
    seen = []
    async for message in client.watch("game", after_revision=after):
        kind = message.WhichOneof("kind")
        seen.append(getattr(message, kind).revision if kind != "game_over" else "over")
    return seen


async def test_a_whole_game(connect: Connect) -> None:
    fake = FakeQueries([snapshot(1), change(2), HEARTBEAT, change(3), OVER])
    assert await watched(connect, fake) == [1, 2, 3, "over"]
    assert fake.asked == [None]


@pytest.mark.req("R-API-3", "R-API-4")
@pytest.mark.parametrize("end", [[UNAVAILABLE], [], [stream_end(2)]], ids=["broken", "ended", "told"])
async def test_a_watch_resumes_after_the_last_revision(connect: Connect, end: list[Any]) -> None:
    fake = FakeQueries([snapshot(1), change(2), *end], [change(3), *end], [*end], [change(4), OVER])
    assert await watched(connect, fake) == [1, 2, 3, 4, "over"]
    assert fake.asked == [None, 2, 3, 3]


async def test_a_watch_from_a_revision_has_no_snapshot(connect: Connect) -> None:
    fake = FakeQueries([change(1), change(2), OVER])
    assert await watched(connect, fake, after=0) == [1, 2, "over"]
    assert fake.asked == [0]


@pytest.mark.req("R-API-3")
async def test_what_was_seen_is_not_given_twice(connect: Connect) -> None:
    fake = FakeQueries([change(1), change(2), UNAVAILABLE], [change(2), change(3), OVER])
    assert await watched(connect, fake, after=0) == [1, 2, 3, "over"]


@pytest.mark.req("R-API-3")
async def test_a_gap_is_not_passed_on(connect: Connect) -> None:
    fake = FakeQueries([change(1), change(3)], [change(2), change(3), OVER])
    assert await watched(connect, fake, after=0) == [1, 2, 3, "over"]


async def test_a_game_that_does_not_exist_is_refused(connect: Connect) -> None:
    with pytest.raises(Refused, match="UNKNOWN_GAME"):
        await watched(connect, FakeQueries([Break(grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME")]))
