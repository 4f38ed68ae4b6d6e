"""The HTTP port, as curl and browsers meet it. What holds for every transport is tested with gRPC's own tests."""

import asyncio
import gzip
import json
import socket
import struct
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from google.rpc import error_details_pb2
from openapi_spec_validator import validate
from pyqwest import Client, FullResponse, HTTPTransport

from tests.services.house import Game, House, play, saw, start_game
from tests.support.waiting import until
from wellhead_command.main import SERVICE as COMMANDS
from wellhead_projection.main import SERVICE as QUERIES
from wellhead_runtime import limits
from wellhead_runtime.connect import Connect
from wellhead_runtime.openapi import document
from wellhead_scoring.main import SERVICE as SCORES

JSON = {"content-type": "application/json"}


class Door:
    """One HTTP port, spoken to by hand."""

    def __init__(self, client: Client, port: int) -> None:
        self._client = client
        self._url = f"http://127.0.0.1:{port}"

    async def get(self, path: str, **headers: str) -> FullResponse:
        return await self._client.get(self._url + path, headers=headers)

    async def post(self, path: str, body: Any, headers: dict[str, str] = JSON) -> FullResponse:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self._client.post(self._url + path, headers=headers, content=content)

    async def ask(self, method: str, origin: str, headers: str) -> FullResponse:
        asked = {"origin": origin, "access-control-request-method": "POST", "access-control-request-headers": headers}
        return await self._client.execute("OPTIONS", self._url + method, headers=asked)


CREATE = "/wellhead.v1.GameCommandService/CreateGame"
SUBMIT = "/wellhead.v1.GameCommandService/SubmitCommand"
PLAY = "/wellhead.v1.GameCommandService/Play"
VIEW = "/wellhead.v1.GameQueryService/GetGameView"
WATCH = "/wellhead.v1.GameQueryService/WatchGame"

TABLE = {"requestId": "a request of a browser", "game": "oil_rock", "seatCount": 2, "creator": "Ada",
         "seats": [{"player": "Ada"}, {"player": "Bob"}]}  # fmt: skip


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    transport = HTTPTransport(enable_otel=False)
    yield Client(transport)
    await transport.aclose()


@pytest.fixture
async def commands(memory_house: House, client: Client) -> Door:
    await memory_house.command()
    return Door(client, memory_house.running[-1].http_port)


def problem(response: FullResponse) -> dict[str, Any]:
    """The error, with what its details say in words."""
    assert response.headers["content-type"] == "application/json"
    error: dict[str, Any] = response.json()
    told = {detail["type"]: detail["debug"] for detail in error["details"]}
    info = told["google.rpc.ErrorInfo"]
    assert info["domain"] == "wellhead"
    fields = [each["field"] for each in told.get("google.rpc.BadRequest", {}).get("fieldViolations", [])]
    return {"status": response.status, "code": error["code"], "reason": saw(info["reason"]), "fields": fields,
            "message": error["message"]}  # fmt: skip


@pytest.mark.req("R-API-1")
async def test_a_table_is_opened_with_plain_json_and_zeros_are_written_out(commands: Door) -> None:
    answer = (await commands.post(CREATE, TABLE)).json()
    assert [each["seat"] for each in answer["credentials"]] == [0, 1]
    assert answer["receipt"]["revision"] == "1"
    assert (await commands.post(CREATE, TABLE)).json() == answer


@pytest.mark.req("R-API-1")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({**TABLE, "gaem": "chess"}, "gaem"),
        ({**TABLE, "seats": [{"player": "Ada"}, {"plyer": "Bob"}]}, "seats[1].plyer"),
        ({**TABLE, "contentPack": {"id": "x", "colour": 1}}, "contentPack.colour"),
        ({**TABLE, "seatCount": "many"}, "seatCount"),
        ({**TABLE, "seatCount": -1}, "seatCount"),
        ({**TABLE, "requestId": 7}, "requestId"),
        (b"not json", "request"),
        (b"[" * 5000, "request"),
        (b"\xff\xfe", "request"),
        (b'{"seatCount": ' + b"9" * 6000 + b"}", "request"),
    ],
)  # fmt: skip
async def test_json_that_the_contract_does_not_know_is_refused_by_the_name_of_its_field(
    commands: Door, body: Any, field: str
) -> None:
    told = problem(await commands.post(CREATE, body))
    assert (told["status"], told["code"], told["reason"]) == (400, "invalid_argument", "MALFORMED_REQUEST")
    assert told["fields"] == [field]
    assert len(told["message"]) < 200


@pytest.mark.req("R-API-1")
async def test_details_of_an_error_come_as_bytes_and_as_words(commands: Door) -> None:
    response = await commands.post(SUBMIT, {"gameId": "a" * 24, "requestId": "x" * 20, "optionId": "x"})
    assert problem(response)["reason"] == "UNKNOWN_GAME"
    (detail,) = [each for each in response.json()["details"] if each["type"] == "google.rpc.ErrorInfo"]
    info = error_details_pb2.ErrorInfo.FromString(b64decode(detail["value"] + "=="))
    assert dict(info.metadata) == detail["debug"]["metadata"] == {"game_id": "a" * 24}


@pytest.mark.req("R-API-1", "R-LOG-11")
@pytest.mark.parametrize(
    ("size", "packed"),
    [(each, packed) for each in (limits.REQUEST_BYTES + 1, limits.TRANSPORT_BYTES + 1) for packed in (False, True)]
    + [(50 * limits.TRANSPORT_BYTES, True)],
)
async def test_what_is_too_large_is_refused_however_small_it_was_packed(
    commands: Door, size: int, packed: bool
) -> None:
    body = b" " * size
    headers = {**JSON, "content-encoding": "gzip"} if packed else JSON
    told = problem(await commands.post(CREATE, gzip.compress(body) if packed else body, headers))
    assert (told["code"], told["reason"]) == ("resource_exhausted", "MESSAGE_TOO_LARGE")


@pytest.mark.req("R-API-1")
@pytest.mark.parametrize(
    ("path", "headers", "status", "reason", "says"),
    [
        (CREATE, {"content-type": "text/plain"}, 415, "UNKNOWN_ENCODING", "application/json"),
        (CREATE, {"content-type": "application/grpc"}, 415, "UNKNOWN_ENCODING", "application/json"),
        pytest.param(WATCH, JSON, 415, "UNKNOWN_ENCODING", "application/connect+json",
                     marks=pytest.mark.reason("UNKNOWN_ENCODING")),
        (CREATE, {**JSON, "content-encoding": "rot13"}, 501, "UNKNOWN_ENCODING", "gzip"),
        pytest.param(PLAY, JSON, 501, "NOT_OVER_HTTP", "SubmitCommand", marks=pytest.mark.reason("NOT_OVER_HTTP")),
        pytest.param("/wellhead.v1.GameCommandService/Nothing", JSON, 404, "UNKNOWN_METHOD", "nothing",
                     marks=pytest.mark.reason("UNKNOWN_METHOD")),
        (CREATE, {**JSON, "connect-timeout-ms": "soon"}, 400, "MALFORMED_REQUEST", "connect-timeout-ms"),
        (CREATE, {**JSON, "connect-protocol-version": "7"}, 400, "MALFORMED_REQUEST", "connect-protocol-version"),
    ],
)  # fmt: skip
async def test_what_is_no_call_of_a_method_is_told_what_would_be(
    memory_house: House, client: Client, path: str, headers: dict[str, str], status: int, reason: str, says: str
) -> None:
    await (memory_house.query() if path == WATCH else memory_house.command())
    told = problem(await Door(client, memory_house.running[-1].http_port).post(path, {}, headers))
    assert (told["status"], told["reason"]) == (status, reason)
    assert says in told["message"]


async def test_a_stream_in_both_directions_is_refused_in_a_sentence(commands: Door) -> None:
    headers = {"content-type": "application/connect+json"}
    response = await commands.post(PLAY, envelope({}), headers)
    end = json.loads(response.content[5:])
    assert end["error"]["code"] == "unimplemented"
    assert "SubmitCommand" in end["error"]["message"]


async def test_a_call_is_a_post(commands: Door) -> None:
    response = await commands.get(CREATE)
    assert (response.status, response.headers["allow"]) == (405, "POST")
    assert problem(response)["reason"] == "UNKNOWN_METHOD"


# -- streams -----------------------------------------------------------------------------------------------------------


def envelope(message: Any) -> bytes:
    body = json.dumps(message).encode()
    return struct.pack(">BI", 0, len(body)) + body


class Watching:
    """A watch in Connect's JSON, by hand."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer = b""

    async def next(self) -> tuple[int, Any]:
        """Flags and message of the next envelope."""
        while len(self._buffer) < 5 or len(self._buffer) < 5 + self._length:
            self._buffer += bytes(await anext(self._chunks))
        flags, body = self._buffer[0], self._buffer[5 : 5 + self._length]
        self._buffer = self._buffer[5 + self._length :]
        return flags, json.loads(body)

    @property
    def _length(self) -> int:
        return int.from_bytes(self._buffer[1:5], "big")


def watch(client: Client, house: House, game: Game, **wanted: Any) -> Any:
    port = next(each.http_port for each in house.running if each.name == "projection")
    headers = {"content-type": "application/connect+json", "authorization": game.proof(0)[0][1]}
    body = envelope({"gameId": game.id, **wanted})
    return client.stream("POST", f"http://127.0.0.1:{port}{WATCH}", headers=headers, content=body)


@pytest.mark.req("R-API-3")
async def test_a_browser_watches_and_resumes_and_a_stop_tells_it_where(memory_house: House, client: Client) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    async with watch(client, memory_house, game) as response:
        stream = Watching(aiter(response.content))
        _, message = await stream.next()
        assert message["snapshot"]["revision"] == str(game.revision)
        await play(game, query, 3)
        seen = [(await stream.next())[1]["change"]["revision"] for _ in range(3)]
    assert seen == [str(game.revision - 2 + each) for each in range(3)]
    async with watch(client, memory_house, game, afterRevision=seen[0]) as response:
        stream = Watching(aiter(response.content))
        assert [(await stream.next())[1]["change"]["revision"] for _ in range(2)] == seen[1:]
        begun = asyncio.get_running_loop().time()
        stopping = asyncio.create_task(memory_house.stop("projection"))
        _, message = await stream.next()
        assert message["streamEnd"] == {"resumeAfter": seen[-1], "reason": "SERVER_STOPPING"}
        assert await stream.next() == (2, {})
        await stopping
        assert asyncio.get_running_loop().time() - begun < limits.STOP_SECONDS


@pytest.mark.req("R-API-3")
async def test_who_leaves_a_stream_is_forgotten(memory_house: House, client: Client) -> None:
    command, _ = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    async with watch(client, memory_house, game) as response:
        await Watching(aiter(response.content)).next()
        reading = [each for each in asyncio.all_tasks() if "WatchGame" in repr(each) or "run_asgi" in repr(each)]
        assert reading

    async def forgotten() -> bool:
        return all(task.done() for task in reading)

    await until(forgotten)


async def test_a_stream_that_cannot_be_ends_with_its_reason(memory_house: House, client: Client) -> None:
    command, _ = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    async with watch(client, memory_house, game, afterRevision="1000") as response:
        flags, end = await Watching(aiter(response.content)).next()
    assert (flags, end["error"]["code"]) == (2, "out_of_range")
    assert end["error"]["details"][0]["debug"]["reason"] == "REVISION_NOT_REACHED"


def connections(house: House) -> Any:
    return house.running[-1]._server._web._server.server_state.connections  # type: ignore[union-attr]


@pytest.mark.req("R-LOG-11")
async def test_who_does_not_read_a_stream_is_cut(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WRITE_SECONDS", 0.3)
    command, _ = await memory_house.command(), await memory_house.query(heartbeat_seconds=0)
    game = await start_game(command)
    body = envelope({"gameId": game.id})
    head = f"POST {WATCH} HTTP/1.1\r\ncontent-type: application/connect+json\r\ncontent-length: {len(body)}\r\n\r\n"
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(deaf, ("127.0.0.1", memory_house.running[-1].http_port))
        await loop.sock_sendall(deaf, head.encode() + body)
        await loop.sock_recv(deaf, 16)
        (connection,) = connections(memory_house)
        connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

        async def cut() -> bool:
            return not connections(memory_house)

        await until(cut)


@pytest.mark.req("R-LOG-11")
async def test_a_request_that_does_not_come_on_is_not_waited_for(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CALL_SECONDS", 0.3)
    await memory_house.command()
    port, loop = memory_house.running[-1].http_port, asyncio.get_running_loop()
    heads = [b"", b"POST / HT", f"POST {CREATE} HTTP/1.1\r\nx: ".encode()]
    body = f"POST {CREATE} HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{{".encode()
    for begun in heads:
        with socket.create_connection(("127.0.0.1", port)) as slow:
            slow.setblocking(False)
            await loop.sock_sendall(slow, begun)
            with suppress(ConnectionResetError):
                assert await asyncio.wait_for(loop.sock_recv(slow, 100), 10) == b""
    for pause in (10, 0.1):  # silent, or a little at a time
        with socket.create_connection(("127.0.0.1", port)) as slow:
            slow.setblocking(False)
            await loop.sock_sendall(slow, body)
            answer = asyncio.create_task(loop.sock_recv(slow, 100))
            while not (await asyncio.wait([answer], timeout=pause))[0]:
                await loop.sock_sendall(slow, b" ")
            assert b" 504 " in await answer


@pytest.mark.req("R-LOG-11")
async def test_a_head_without_an_end_is_not_kept(memory_house: House) -> None:
    await memory_house.command()
    loop = asyncio.get_running_loop()
    with socket.create_connection(("127.0.0.1", memory_house.running[-1].http_port)) as endless:
        endless.setblocking(False)
        await loop.sock_sendall(endless, f"POST {CREATE} HTTP/1.1\r\nx: ".encode())
        with pytest.raises(ConnectionError):
            for _ in range(1_000):
                await loop.sock_sendall(endless, b"x" * 65_536)


# -- origins, health, description --------------------------------------------------------------------------------------


@pytest.mark.req("R-API-1")
async def test_pages_of_allowed_origins_may_call_and_others_may_not(memory_house: House, client: Client) -> None:
    memory_house.settings = replace(memory_house.settings, cors_origins=("https://play.example",))
    await memory_house.command()
    door = Door(client, memory_house.running[-1].http_port)
    wanted = "content-type,authorization,connect-protocol-version,connect-timeout-ms,x-grpc-web,x-user-agent"
    yes = await door.ask(CREATE, "https://play.example", wanted)
    assert (yes.status, yes.headers["access-control-allow-origin"]) == (200, "https://play.example")
    assert "POST" in yes.headers["access-control-allow-methods"]
    called = await door.post(CREATE, TABLE, {**JSON, "origin": "https://play.example"})
    assert called.headers["access-control-allow-origin"] == "https://play.example"
    assert "grpc-status" in called.headers["access-control-expose-headers"]
    refused = await door.post(CREATE, {}, {**JSON, "origin": "https://play.example"})
    assert refused.headers["access-control-allow-origin"] == "https://play.example"
    assert (await door.ask(CREATE, "https://evil.example", wanted)).status == 400
    other = await door.post(CREATE, TABLE, {**JSON, "origin": "https://evil.example"})
    assert "access-control-allow-origin" not in other.headers


async def test_without_allowed_origins_no_page_may_call(commands: Door) -> None:
    asked = await commands.ask(CREATE, "https://play.example", "content-type")
    assert asked.status == 405
    assert "access-control-allow-origin" not in asked.headers


async def test_health_is_told(commands: Door, memory_house: House) -> None:
    assert [(await commands.get(path)).status for path in ("/healthz", "/readyz")] == [200, 200]
    await memory_house.running[-1]._server.announce_stop()
    assert [(await commands.get(path)).status for path in ("/healthz", "/readyz")] == [200, 503]


@pytest.mark.req("R-API-1")
async def test_a_service_describes_itself_and_all_of_it(commands: Door) -> None:
    described = (await commands.get("/openapi.json")).json()
    validate(described)
    offered = {f"/{COMMANDS.full_name}/{each.name}" for each in COMMANDS.methods if not each.client_streaming}
    assert set(described["paths"]) == offered


def test_the_description_of_all_services_says_what_the_protos_say() -> None:
    described = document([COMMANDS, QUERIES, SCORES])
    validate(described)
    schemas = described["components"]["schemas"]
    assert "unguessable" in schemas["wellhead.v1.CreateGameRequest"]["properties"]["requestId"]["description"]
    silent = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        if name.startswith("wellhead.")
        for field, about in schema.get("properties", {}).items()
        if not about["description"]
    ]
    assert not silent


def test_every_method_is_offered() -> None:
    paths = {f"/{service.full_name}/{each.name}" for service in (COMMANDS, QUERIES, SCORES) for each in service.methods}
    assert set(document([COMMANDS, QUERIES, SCORES])["paths"]) == paths - {PLAY}
    assert Connect([]).path == ""
