"""Nobody is sent what their seat may not know, on any way out; the game here is one with secrets (R-RULES-7)."""

import io

import pytest

from tests.services.house import SECONDS, House, play, refused, start_game
from tests.support.hiding import SECRETIVE, is_told
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2, log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_runtime.proof import verify


def tells(events: game_pb2.Events, seat: int) -> bool:
    return is_told(SECRETIVE["oil_rock"].events_from_proto(events), seat)


@pytest.fixture
def secretive_house(house: House) -> House:
    house.registry = SECRETIVE
    return house


@pytest.mark.req("R-RULES-7", "R-API-9")
async def test_watchers_are_told_their_own_secrets_only(secretive_house: House) -> None:
    house = secretive_house
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    request = queries.WatchGameRequest(game_id=game.id, after_revision=1)
    live = {
        viewer: query.WatchGame(request, metadata=() if viewer is None else game.proof(viewer), timeout=SECONDS)
        for viewer in (None, 0, 1)
    }
    await play(game, query, 40)
    late = {
        viewer: query.WatchGame(request, metadata=() if viewer is None else game.proof(viewer), timeout=SECONDS)
        for viewer in (None, 0, 1)
    }
    for streams in (live, late):
        for viewer, stream in streams.items():
            seen = [(await stream.read()).change.events for _ in range(game.revision - 1)]
            assert {seat for seat in range(2) for events in seen if tells(events, seat)} == {viewer} - {None}
            stream.cancel()


@pytest.mark.req("R-RULES-7")
async def test_an_answer_and_its_repeat_tell_the_player_and_the_same(secretive_house: House) -> None:
    house = secretive_house
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    sent = []
    for _ in range(30):
        decision = (await game.owed(query))[0]
        request = game.submission(decision)
        answer = await game.submit(request)
        sent.append((request, answer))
        assert not tells(answer.events, 1 - request.seat)
    assert any(tells(answer.events, request.seat) for request, answer in sent)
    await house.stop("command")
    game.stub = await house.command()
    for request, answer in sent:
        assert await game.submit(request) == answer
    stolen, _ = sent[0]
    proof = game.proof(1 - stolen.seat)
    assert (await refused(game.stub.SubmitCommand(stolen, metadata=proof))).reason == "NOT_SEAT_HOLDER"


@pytest.mark.req("R-RULES-7", "R-PROOF-3")
async def test_history_and_the_export_of_a_running_game_keep_secrets(secretive_house: House) -> None:
    house = secretive_house
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    await play(game, query, 40)

    async def history(viewer: int | None) -> list[str]:
        proof = () if viewer is None else game.proof(viewer)
        page = await query.ListHistory(queries.ListHistoryRequest(game_id=game.id), metadata=proof)
        return [fact for entry in page.entries for fact in entry.facts]

    spectator, first, second = [await history(viewer) for viewer in (None, 0, 1)]
    assert spectator != first != second != spectator
    chunks = [each.chunk async for each in query.ExportGame(queries.ExportGameRequest(game_id=game.id))]
    exported = b"".join(chunks)
    bodies = []
    for entry in await house.entries(game.id):
        bodies += [part.body for part in log_pb2.PrivateRecord.FromString(entry.private).parts]
    assert bodies
    assert not any(body in exported for body in bodies)
    assert verify(io.BytesIO(exported), SECRETIVE).redacted


@pytest.mark.req("R-API-9")
async def test_a_credential_of_one_game_opens_no_other(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game, other = await start_game(command), await start_game(command)
    request = queries.GetGameViewRequest(game_id=game.id)
    assert (await refused(query.GetGameView(request, metadata=other.proof(0)))).reason == "NOT_SEAT_HOLDER"
    start = commands.StartGameRequest(game_id=game.id, request_id="a start by a stranger")
    assert (await refused(command.StartGame(start, metadata=other.proof(0)))).reason == "NOT_SEAT_HOLDER"
