"""Watch streams: gap-free, alive, explicit about their end, and bounded (R-API-3)."""

import asyncio
from typing import Any

import grpc
import pytest

from tests.services.house import KEYRING, SECONDS, Game, House, QueryStub, open_game, play, refused, saw, start_game
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_eventlog.port import StreamId
from wellhead_projection.servicer import QueryServicer
from wellhead_rules.registry import RULESETS
from wellhead_runtime import limits
from wellhead_runtime.authority import Authority
from wellhead_runtime.calls import Call
from wellhead_runtime.hub import Hub
from wellhead_runtime.live import LiveGames
from wellhead_runtime.tokens import Tokens


def watch(stub: QueryStub, game: Game, after: int | None = None, seat: int | None = None) -> grpc.aio.UnaryStreamCall:
    request = queries.WatchGameRequest(game_id=game.id, after_revision=after)
    return stub.WatchGame(request, metadata=() if seat is None else game.proof(seat))


@pytest.mark.req("R-API-3")
async def test_a_watcher_sees_every_commit_then_the_end_of_the_game(house: House) -> None:
    command, query = await house.command(), await house.query()
    await house.scoring()
    game = await open_game(command)
    stream = watch(query, game)
    first = await stream.read()
    assert first.snapshot.summary.status == game_pb2.GAME_STATUS_OPEN
    await command.StartGame(
        commands.StartGameRequest(game_id=game.id, request_id="start of this very game"), metadata=game.proof(0)
    )
    await play(game, query)
    seen = [first.snapshot.revision]
    async with asyncio.timeout(SECONDS):
        while (message := await stream.read()).HasField("change"):
            seen.append(message.change.revision)
    assert seen == list(range(1, await house.revisions(game.id) + 1))
    assert message.game_over.revision == seen[-1]
    assert len(message.game_over.ranking) == 2
    assert await stream.read() is grpc.aio.EOF


@pytest.mark.req("R-API-3")
async def test_a_watcher_resumes_from_any_revision_and_reads_the_same(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    live = watch(query, game, after=0)
    await play(game, query, 30)
    revision = game.revision
    whole = [await live.read() for _ in range(revision)]
    for after in (0, 1, 7, revision - 1):
        resumed = watch(query, game, after)
        assert [await resumed.read() for _ in range(after, revision)] == whole[after:]
        resumed.cancel()
    live.cancel()


@pytest.mark.req("R-API-3")
async def test_watchers_that_come_while_the_game_moves_miss_nothing(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)

    async def join(after: int | None) -> list[int]:
        stream, seen = watch(query, game, after), []
        async for message in stream:
            seen.append(message.snapshot.revision or message.change.revision)
            if seen[-1] >= 40:
                stream.cancel()
                return seen
        raise AssertionError("the stream ended")

    watchers = []
    moving = asyncio.create_task(play(game, query, 45))
    for number in range(10):
        watchers.append(asyncio.create_task(join(None if number % 2 else 0)))
        await asyncio.sleep(0.01)
    for seen in await asyncio.gather(*watchers):
        assert seen == list(range(seen[0], seen[-1] + 1))
    await moving


@pytest.mark.req("R-API-3", "R-RULES-7")
async def test_options_go_to_the_seat_that_owes_and_to_nobody_else(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    for viewer in (None, 0, 1):
        stream = watch(query, game, seat=viewer)
        view = (await stream.read()).snapshot
        assert view.decisions
        for decision in view.decisions:
            assert bool(decision.options) == (decision.seat == viewer)
        stream.cancel()


@pytest.mark.req("R-API-3")
async def test_a_quiet_stream_says_that_it_lives(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query(heartbeat_seconds=0.05)
    game = await open_game(command)
    stream = watch(query, game)
    await stream.read()
    assert (await stream.read()).heartbeat.revision == 1
    stream.cancel()


# The transport would buffer for a slow reader; here nothing lies between.
CALL = Call("/wellhead.v1.GameQueryService/WatchGame", {})


@pytest.mark.req("R-API-3", "R-LOG-11")
@pytest.mark.reason("SLOW_WATCHER")
async def test_a_slow_watcher_is_cut_with_the_revision_to_resume_after(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WATCH_QUEUE", 3)
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    games = LiveGames(memory_house.log, RULESETS, 10)
    hub = Hub(games)
    await hub.begin()
    following = asyncio.create_task(hub.run())
    servicer = QueryServicer(games, hub, Authority(Tokens(KEYRING)), heartbeat_seconds=15)
    slow: Any = servicer.WatchGame(queries.WatchGameRequest(game_id=game.id), CALL)
    assert (await anext(slow)).snapshot.revision == game.revision
    await play(game, query, 1)
    sent = (await anext(slow)).change.revision
    await play(game, query, 8)
    live = games.at_hand(game.id)

    async def arrived() -> bool:
        return live.head.revision == game.revision

    await until(arrived)
    end = (await anext(slow)).stream_end
    assert (saw(end.reason), end.resume_after) == ("SLOW_WATCHER", sent)
    with pytest.raises(StopAsyncIteration):
        await anext(slow)
    assert not live.listeners
    hub.stop()
    await asyncio.gather(following, return_exceptions=True)
    resumed = watch(query, game, after=end.resume_after)
    assert (await resumed.read()).change.revision == end.resume_after + 1
    resumed.cancel()


@pytest.mark.req("R-API-3", "R-LOG-11")
@pytest.mark.reason("TOO_MANY_WATCHERS")
async def test_watchers_per_game_are_bounded(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHERS_PER_GAME", 2)
    command, query = await memory_house.command(), await memory_house.query()
    game = await open_game(command)
    streams = [watch(query, game) for _ in range(2)]
    for stream in streams:
        await stream.read()
    assert (await refused(watch(query, game).read())).reason == "TOO_MANY_WATCHERS"
    for stream in streams:
        stream.cancel()


@pytest.mark.req("R-API-3", "R-API-4")
async def test_a_stopping_server_says_so_and_the_watcher_resumes_at_the_next_one(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    stream = watch(query, game)
    await stream.read()
    async with asyncio.timeout(3):
        await house.stop("projection")
    end = (await stream.read()).stream_end
    assert end.reason == "SERVER_STOPPING"
    assert end.resume_after == game.revision
    query = await house.query()
    await play(game, query, 3)
    resumed = watch(query, game, after=end.resume_after)
    assert [(await resumed.read()).change.revision for _ in range(3)] == [end.resume_after + n for n in (1, 2, 3)]
    resumed.cancel()


@pytest.mark.req("R-API-3")
async def test_a_view_is_waited_for_until_the_revision_is_there(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    request = queries.GetGameViewRequest(game_id=game.id, min_revision=game.revision + 2)
    waiting = asyncio.ensure_future(query.GetGameView(request, timeout=SECONDS))
    await play(game, query, 2)
    assert (await waiting).view.revision >= request.min_revision


@pytest.mark.req("R-API-3", "R-LOG-7")
async def test_a_hub_that_fell_behind_a_trimmed_feed_misses_nothing(memory_house: House) -> None:
    log = memory_house.log
    command, query = await memory_house.command(), await memory_house.query()
    game = await open_game(command)
    games = LiveGames(log, RULESETS, 10)
    hub = Hub(games)
    await hub.begin()
    servicer = QueryServicer(games, hub, Authority(Tokens(KEYRING)), heartbeat_seconds=15)
    stream: Any = servicer.WatchGame(queries.WatchGameRequest(game_id=game.id), CALL)
    await anext(stream)
    request = commands.StartGameRequest(game_id=game.id, request_id="start of a trimmed game")
    await command.StartGame(request, metadata=game.proof(0))
    await play(game, query, 10)
    partition = StreamId("game", game.id).partition

    async def trimmed() -> bool:
        return await log.trim_feed(partition) > 0

    await until(trimmed)
    following = asyncio.create_task(hub.run())
    assert [(await anext(stream)).change.revision for _ in range(11)] == list(range(2, 13))
    hub.stop()
    assert (await anext(stream)).stream_end.resume_after == 12
    await asyncio.gather(following, return_exceptions=True)
