"""Lists, history and exports."""

import io

import pytest

from tests.services.house import SECONDS, House, creation, open_game, play, start_game
from tests.services.over_http import TRANSPORTS
from tests.support.waiting import until
from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import verify


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.req("R-API-1")
async def test_games_are_listed_newest_first_in_pages_and_by_status(house: House) -> None:
    command, query = await house.command(), await house.query()
    created = [(await command.CreateGame(creation())).game_id for _ in range(25)]
    started = await start_game(command)

    async def listed() -> bool:
        found = await query.ListGames(queries.ListGamesRequest(page_size=200))
        running = [game for game in found.games if game.status == game_pb2.GAME_STATUS_RUNNING]
        return len(found.games) == 26 and bool(running)

    await until(listed)
    paged, token = [], ""
    while True:
        request = queries.ListGamesRequest(page_size=10, page_token=token, status=game_pb2.GAME_STATUS_OPEN)
        page = await query.ListGames(request)
        paged += [game.game_id for game in page.games]
        token = page.next_page_token
        if not token:
            break
    assert paged == created[::-1]
    running = await query.ListGames(queries.ListGamesRequest(status=game_pb2.GAME_STATUS_RUNNING))
    assert [game.game_id for game in running.games] == [started.id]
    assert list(running.games[0].awaiting)


@pytest.mark.req("R-LOG-5")
async def test_the_list_is_the_same_after_the_projection_was_restarted(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    await play(game, query, 5)
    await house.stop("projection")
    other = await open_game(command)
    query = await house.query()

    async def listed() -> bool:
        found = {each.game_id: each for each in (await query.ListGames(queries.ListGamesRequest())).games}
        return other.id in found and game.id in found and found[game.id].revision == game.revision

    await until(listed)


@pytest.mark.req("R-API-8")
async def test_history_reads_as_words_in_pages(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    await play(game, query, 20)
    whole = await query.ListHistory(queries.ListHistoryRequest(game_id=game.id))
    assert [each.revision for each in whole.entries] == list(range(1, game.revision + 1))
    assert [each.command for each in whole.entries[:2]] == ["open the table", "start the game"]
    assert all(each.command and each.actor for each in whole.entries)
    assert sum(len(each.facts) for each in whole.entries) > 40
    paged, token = [], ""
    while True:
        page = await query.ListHistory(
            queries.ListHistoryRequest(game_id=game.id, page_size=7, page_token=token), timeout=SECONDS
        )
        paged += page.entries
        token = page.next_page_token
        if not token:
            break
    assert paged == list(whole.entries)


@pytest.mark.req("R-PROOF-3")
async def test_an_export_of_a_running_game_is_redacted_and_verifies(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    await play(game, query, 10)
    chunks = [each.chunk async for each in query.ExportGame(queries.ExportGameRequest(game_id=game.id))]
    report = verify(io.BytesIO(b"".join(chunks)), RULESETS)
    assert report.redacted
    assert not report.ended


@pytest.mark.req("R-API-1")
async def test_every_service_has_health_and_reflection(memory_house: House) -> None:
    from grpc_health.v1 import health_pb2, health_pb2_grpc
    from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

    await memory_house.command()
    await memory_house.query()
    await memory_house.scoring()
    for running in memory_house.running:
        channel = memory_house.stubs.connect(running.port)
        health = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        reflect = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo()
        await reflect.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        services = [each.name for each in (await reflect.read()).list_services_response.service]
        assert any(name.startswith("wellhead.v1.") for name in services)
        await reflect.done_writing()


@pytest.mark.req("R-API-9")
async def test_a_view_shows_who_sits_where_and_no_secret(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id))
    assert [seat.player for seat in view.view.summary.seats] == ["player 0", "player 1"]
    assert all(seat.colour for seat in view.view.summary.seats)
    for credential in game.credentials.values():
        assert credential.encode() not in view.SerializeToString()
