"""What one caller may do, and beyond it a typed error that names the limit; never for a move (R-API-6)."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from tests.services.house import SECONDS, Game, House, creation, new_id, open_game, play, refused, start_game
from tests.support.descriptors import SERVICES
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import query_service_pb2 as queries
from wellhead_runtime import limits
from wellhead_runtime.admission import COUNTED, Buckets, Gate, key_of
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import Refused
from wellhead_runtime.limits import Rate
from wellhead_runtime.validation import CHECKS

MOVES = {
    commands.SubmitCommandRequest, commands.RecordScoreRequest, commands.ResignRequest, commands.ReturnToSeatRequest,
}  # fmt: skip
STREAMED = {commands.PlayRequest}


def requests() -> set[type[Message]]:
    return {method.request for service in SERVICES for method in service}


@pytest.mark.req("R-API-1")
async def test_every_request_has_a_check_and_none_reaches_a_servicer_without() -> None:
    assert CHECKS.keys() == requests() - STREAMED
    call = Call("/x/Y", {})

    async def serve(request: Any, call: Call) -> None:
        raise AssertionError("it has been let in")

    async def stream(request: Any, call: Call) -> AsyncIterator[None]:
        raise AssertionError("it has been let in")
        yield

    for request in requests() - STREAMED - {queries.ListGamesRequest, queries.ListTurnsRequest}:
        with pytest.raises(Refused, match="MALFORMED_REQUEST"):
            await Gate().answer(serve)(request(), call)
        with pytest.raises(Refused, match="MALFORMED_REQUEST"):
            await anext(Gate().stream(stream)(request(), call))


@pytest.mark.req("R-API-6")
def test_every_request_but_a_move_is_counted() -> None:
    assert COUNTED.keys() == requests() - STREAMED - MOVES


@pytest.mark.req("R-API-6")
def test_a_bucket_fills_again_and_says_when() -> None:
    now = 100.0
    buckets = Buckets(Rate(2, 3), lambda: now)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b") == 0
    now += 0.5
    assert buckets.take("a") == 0
    assert buckets.take("a", 2) == 1.0
    now += 1_000
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    buckets.spend("c")
    assert buckets.seconds("c") == 0
    for _ in range(5):
        buckets.spend("c")
    assert buckets.seconds("c") == 0.5


@pytest.mark.req("R-LOG-11")
def test_callers_are_remembered_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CALLERS", 50)
    buckets = Buckets(Rate(1, 1))
    for number in range(1_000):
        buckets.take(f"198.51.100.{number}")
    assert len(buckets) == 50


def test_callers_are_told_apart_by_who_they_are_else_by_address() -> None:
    def key(peer: str, caller: Any = None) -> Any:
        call = Call("/x/Y", {}, peer)
        call.caller = caller
        return key_of(call)

    class Ada:
        subject = "ada"

    assert key("198.51.100.1", Ada) == key("203.0.113.9", Ada) == ("caller", "ada")
    assert key("198.51.100.1") != key("198.51.100.2")
    assert key("2001:db8::1") == key("2001:db8::2") != key("2001:db8:1::1")
    assert key("::ffff:198.51.100.1") == key("198.51.100.1")
    assert key("") == ("address", "")


@pytest.mark.req("R-API-6")
@pytest.mark.reason("RATE_LIMITED")
async def test_whoever_asks_too_often_is_told_by_what_key_and_how_long_to_wait_and_moves_go_on(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "READS", Rate(0.5, 20))
    command, free = await memory_house.command(rates=1), await memory_house.query()
    query = await memory_house.query(rates=1)
    game = await start_game(command)
    view = queries.GetGameViewRequest(game_id=game.id)
    for _ in range(20):
        await query.GetGameView(view)
    told = await refused(query.GetGameView(view))
    assert told.reason == "RATE_LIMITED"
    assert told.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert told.metadata == {"limit": "READS", "at_most": "0.5 per second", "key": "address"}
    assert told.retry
    assert 1 < told.seconds <= 2
    export = query.ExportGame(queries.ExportGameRequest(game_id=game.id))
    for read in (query.ListGames(queries.ListGamesRequest()), export.read()):
        assert (await refused(read)).reason == "RATE_LIMITED"
    before = await memory_house.revisions(game.id)
    assert await play(game, free, 60) == 60
    assert await memory_house.revisions(game.id) == before + 60


@pytest.mark.req("R-API-6")
@pytest.mark.reason("RATE_LIMITED")
async def test_tables_are_opened_and_changed_at_a_rate(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CREATIONS", Rate(0.1, 3))
    monkeypatch.setattr(limits, "TABLE_COMMANDS", Rate(0.1, 2))
    command = await memory_house.command(rates=1)
    games = [await open_game(command) for _ in range(3)]
    assert (await refused(command.CreateGame(creation()))).metadata["limit"] == "CREATIONS"
    for game in games[:2]:
        start = commands.StartGameRequest(game_id=game.id, request_id=new_id())
        await command.StartGame(start, metadata=game.proof(0))
    late = commands.StartGameRequest(game_id=games[2].id, request_id=new_id())
    assert (await refused(command.StartGame(late, metadata=games[2].proof(0)))).metadata["limit"] == "TABLE_COMMANDS"


@pytest.mark.req("R-API-6")
async def test_the_scale_makes_all_of_it_wider_or_switches_it_off(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "READS", Rate(0.1, 4))
    listing = queries.ListGamesRequest()
    for rates, answered in ((0.5, 2), (2, 8), (0, 30)):
        query = await memory_house.query(rates=rates)
        for _ in range(answered):
            await query.ListGames(listing)
        if rates:
            assert (await refused(query.ListGames(listing))).reason == "RATE_LIMITED"


@pytest.mark.req("R-API-6")
async def test_whoever_floods_with_bad_commands_is_slowed_down_and_nobody_is_turned_away(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REFUSED_COMMANDS", Rate(5, 10))
    command, query = await memory_house.command(rates=1), await memory_house.query()
    game = await start_game(command)
    decision = (await game.owed(query))[0]
    await game.submit(game.submission(decision))  # one seat's credential is known to be good
    decision = (await game.owed(query))[0]
    stale = [game.submission(decision, decision_id=999) for _ in range(20)]
    begun = time.monotonic()
    told = await asyncio.gather(*(refused(game.submit(each)) for each in stale[:10]))
    quick = time.monotonic() - begun
    told += [await refused(game.submit(each)) for each in stale[10:14]]
    slow = time.monotonic() - begun - quick
    assert {each.reason for each in told} == {"STALE_DECISION"}
    assert slow > 4 * 0.15 > quick / 2
    before = game.revision
    begun = time.monotonic()
    await game.submit(game.submission(decision))
    assert time.monotonic() - begun < limits.REFUSED_COMMAND_SECONDS + 1
    assert game.revision == before + 1


@pytest.mark.req("R-API-6")
async def test_a_flood_without_credentials_does_not_slow_down_a_player_from_the_same_address(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REFUSED_COMMANDS", Rate(0.001, 5))
    monkeypatch.setattr(limits, "REFUSED_COMMAND_SECONDS", 1.0)
    command, query = await memory_house.command(rates=1), await memory_house.query()
    game = await start_game(command)
    await play(game, query, 8)
    decision = (await game.owed(query))[0]

    async def forge() -> None:
        await refused(command.SubmitCommand(game.submission(decision), timeout=SECONDS))

    await asyncio.gather(*(forge() for _ in range(5)))
    flood = [asyncio.create_task(forge()) for _ in range(50)]
    await asyncio.sleep(0.05)
    assert not any(each.done() for each in flood)
    begun = time.monotonic()
    await play(game, query, 5)
    assert time.monotonic() - begun < 0.9
    await asyncio.gather(*flood)


@pytest.mark.req("R-LOG-11")
@pytest.mark.reason("TOO_MANY_OPEN_TABLES")
async def test_a_caller_has_so_many_open_tables_and_a_repeat_still_gets_its_answer(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "OPEN_TABLES", 3)
    command = await memory_house.command(rates=1)
    request = creation()
    first = await command.CreateGame(request)
    games = [await open_game(command) for _ in range(2)]
    told = await refused(command.CreateGame(creation()))
    assert told.metadata == {"limit": "OPEN_TABLES", "at_most": "3", "key": "address", "revision": "0"}
    assert await command.CreateGame(request) == first
    elsewhere = await memory_house.command()
    start = commands.StartGameRequest(game_id=games[0].id, request_id=new_id())
    await elsewhere.StartGame(start, metadata=games[0].proof(0))
    more = await asyncio.gather(*(command.CreateGame(creation()) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(each, commands.CreateGameResponse) for each in more) == 1


def watching(stub: Any, game: Game) -> Any:
    return stub.WatchGame(queries.WatchGameRequest(game_id=game.id))


@pytest.mark.req("R-LOG-11")
@pytest.mark.reason("TOO_MANY_STREAMS")
async def test_a_caller_has_so_many_streams(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STREAMS_PER_CALLER", 2)
    command, query = await memory_house.command(), await memory_house.query(rates=1)
    game = await open_game(command)
    streams = [watching(query, game) for _ in range(2)]
    for stream in streams:
        await stream.read()
    told = await refused(watching(query, game).read())
    assert told.metadata == {"limit": "STREAMS_PER_CALLER", "at_most": "2", "key": "address"}
    streams[0].cancel()
    async with asyncio.timeout(5):
        while True:
            stream = watching(query, game)
            try:
                await stream.read()
                break
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.01)
    for each in (streams[1], stream):
        each.cancel()


@pytest.mark.req("R-LOG-11")
@pytest.mark.reason("TOO_MANY_WATCHED_GAMES")
async def test_a_process_watches_so_many_games(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCHED_GAMES", 1)
    command, query = await memory_house.command(), await memory_house.query()
    stream = watching(query, await open_game(command))
    await stream.read()
    told = await refused(watching(query, await open_game(command)).read())
    assert told.metadata == {"limit": "WATCHED_GAMES", "at_most": "1"}
    stream.cancel()


@pytest.mark.req("R-LOG-11")
async def test_what_is_too_long_is_malformed_and_its_limit_named(memory_house: House) -> None:
    command = await memory_house.command()
    for changes, limit in (
        ({"creator": "x" * 65}, "NAME_CHARS"),
        ({"request_id": "x" * 129}, "REQUEST_ID_CHARS"),
        ({"seat_count": 17}, "SEATS"),
        ({"seats": [{"player": "a", "nonce": bytes(65)}]}, "NONCE_BYTES"),
        ({"options": {str(n): "" for n in range(65)}}, "OPTIONS"),
    ):
        told = await refused(command.CreateGame(creation(**changes)))
        assert (told.reason, told.metadata["limit"]) == ("MALFORMED_REQUEST", limit)
        assert told.metadata["at_most"] == str(limits.at_most(limit))
