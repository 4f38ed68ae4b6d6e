"""Nobody is sent what their seat may not know, on any way out; the game here is one with secrets (R-RULES-7)."""

import base64
import io
import logging as standard_logging
import sys
from contextlib import suppress
from dataclasses import replace

import grpc
import pytest
import structlog

from tests.services.house import KEYRING, SECONDS, Game, House, creation, new_id, play, refused, start_game
from tests.support.hiding import SECRETIVE, is_told
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2, log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_client import WellheadClient
from wellhead_runtime import logging
from wellhead_runtime.proof import verify
from wellhead_runtime.roles import IdentityMode, Role
from wellhead_runtime.tokens import Tokens


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


@pytest.mark.req("R-API-9")
async def test_nothing_secret_is_ever_logged(
    memory_house: House, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = standard_logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logging.configure("test", "debug")
    for name, module in list(sys.modules.items()):
        if name.startswith("wellhead_") and hasattr(module, "_log"):
            monkeypatch.setattr(module, "_log", structlog.get_logger(name))  # one that was used has kept its level
    house = memory_house
    house.registry = SECRETIVE
    house.settings = replace(house.settings, identity=IdentityMode.TOKENS, http_listen="127.0.0.1:0")
    tokens, secrets = Tokens(KEYRING), Secrets()
    people = [secrets.token(tokens.identity(f"player {seat}", Role.PLAYER, 60)) for seat in range(2)]
    operator = secrets.token(tokens.identity("organiser", Role.OPERATOR, 60))
    try:
        command, query = await house.command(), await house.query()
        await house.scoring()
        creation_request = creation(2)
        created = await command.CreateGame(creation_request, metadata=bearer(operator))
        game = Game(command, created.game_id, {each.seat: each.credential for each in created.credentials})
        for credential in game.credentials.values():
            secrets.token(credential)
        start = commands.StartGameRequest(game_id=game.id, request_id=new_id())
        await command.StartGame(start, metadata=bearer(people[0]))
        await play(game, query, 40)
        game.credentials = dict(enumerate(people))
        await play(game, query)
        # What is refused and what breaks is logged too.
        for token in (*people, *created.credentials[0:1], operator):
            text = token if isinstance(token, str) else token.credential
            forged = secrets.token(text[:-6] + "AAAAAA")
            with suppress(grpc.aio.AioRpcError):
                await query.ListGames(queries.ListGamesRequest(), metadata=bearer(forged))
            with suppress(grpc.aio.AioRpcError):
                await command.SubmitCommand(commands.SubmitCommandRequest(game_id=game.id), metadata=bearer(text))
        urls = [f"http://127.0.0.1:{running.http_port}" for running in house.running]
        async with WellheadClient(*urls, token=operator) as client:
            await client.view(game.id)
            await client.export(game.id, created.credentials[0])
        for request in (creation_request, start):
            secrets.text(request.request_id)
        for entry in await house.entries(game.id):
            for part in log_pb2.PrivateRecord.FromString(entry.private).parts:
                secrets.bytes(part.salt)
                secrets.bytes(part.body)
        for key_id in KEYRING.ids:
            secrets.bytes(KEYRING.key(key_id))
            secrets.bytes(tokens._own[key_id].private_key.private_bytes_raw())
            secrets.bytes(KEYRING.seed(key_id, game.id))
        await house.close()
    finally:
        logging.configure("test", "warning")
        root.handlers[:] = handlers
        root.setLevel(level)
    told = capfd.readouterr()
    logged = told.out + told.err
    assert logged.count('"event"') > 300, "the services have logged at every level"
    assert '"reason": "TOKEN_INVALID"' in logged
    assert [secret for secret in secrets if secret in logged] == []


class Secrets(set[str]):
    """What may not appear, in every form in which it could."""

    def text(self, text: str) -> str:
        self.add(text)
        return text

    def token(self, token: str) -> str:
        self.add(token)
        self.update(part for part in token.split(".")[1:])
        return token

    def bytes(self, secret: bytes) -> None:
        self.update((secret.hex(), str(secret)[2:-1], base64.b64encode(secret).decode().rstrip("=")))
        self.add(base64.urlsafe_b64encode(secret).decode().rstrip("="))


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)
