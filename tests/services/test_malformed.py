"""Requests made from the protos to be wrong, against every method over every transport: only typed errors, nothing
unforeseen in the log, and nothing in any stream that was not answered for (R-API-1)."""

import asyncio
import base64
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2

from tests.services.house import SECONDS, House, creation, new_id, open_game, read_refusal, start_game
from tests.support.descriptors import SERVICES, Method
from tests.support.hostile import Hostile
from tests.tools import game_codes
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import Entry, StreamId
from wellhead_projection import lists, tokens
from wellhead_rules.registry import RULESETS
from wellhead_runtime import limits
from wellhead_runtime.live import LiveGames
from wellhead_runtime.reasons import Reason
from wellhead_runtime.tokens import CLOCK

REASONS = Reason.__members__.keys() | {code for game in RULESETS for code in game_codes.codes(game)}
METHODS = [method for service in SERVICES for method in service]
ANSWERED = 60.0
PATIENCE = 0.4  # for answers that have to be waited for: a revision that never comes
AT_ONCE = 16


@contextmanager
def alarms() -> Iterator[list[str]]:
    """What is logged as an error or worse."""
    lines: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: lines.append(str(record.msg))  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)


@dataclass
class Target:
    """Services with games in every condition, and what a stranger may know of them."""

    house: House
    ports: dict[str, tuple[int, int]]
    plausible: dict[str, list[Any]]
    credentials: list[str]

    def port(self, method: Method, http: bool = False) -> int:
        return self.ports[method.descriptor.containing_service.name][http]

    async def lengths(self) -> dict[str, int]:
        """How many commits each game has that somebody has asked for: the clock plays on for seats that resign."""
        log = self.house.log
        found = [stream for partition in range(PARTITIONS) for stream in await log.streams(partition)]
        return {stream.id: sum(map(_asked_for, await log.read(stream))) for stream in found}


def _asked_for(entry: Entry) -> bool:
    return log_pb2.CommitRecord.FromString(entry.public).actor.service != CLOCK


@asynccontextmanager
async def target(house: House) -> AsyncIterator[Target]:
    command = await house.command()
    query = await house.query(heartbeat_seconds=0.05)
    await house.scoring()
    game = await start_game(command)
    other = await command.CreateGame(creation(3, game="oilfield"), timeout=SECONDS)
    opened = await open_game(command, 3)
    started = commands.StartGameRequest(game_id=other.game_id, request_id=new_id())
    bearer = (("authorization", f"Bearer {other.credentials[0].credential}"),)
    await command.StartGame(started, metadata=bearer, timeout=SECONDS)
    decision = (await game.owed(query))[0]
    names = {"command": "GameCommandService", "projection": "GameQueryService", "scoring": "ScoringService"}
    forged = [tokens.make("history", game.id, last) for last in ("x", "-1", "9" * 30, "1", "\ud7ff")]
    every = lists.Wanted(queries.ListGamesRequest()).name
    forged += [tokens.make("games", every, last) for last in ("", "x", "\0" * 50, "9" * 300)]
    plausible = {
        "game_id": [game.id, game.id, other.game_id, opened.id],
        "request_id": [f"hostile-request-{number:09}" for number in range(50)],
        "seat": [0, 1, 2],
        "seat_count": [2, 3],
        "decision_id": [decision.decision_id, 1, 0],
        "option_id": [option.id for option in decision.options],
        "game": list(RULESETS),
        "creator": ["organiser"],
        "player": ["Ann", "Bob", "Cyd"],
        "page_token": ["", *forged],
        "page_size": [0, 1, 2],
        "min_revision": [0, 0, 0, 1],
        "after_revision": [0, 1, 2],
        "revision": [0, 1, 2, 3],
        "id": [""],
        "version": [""],
        "digest": [""],
    }
    yield Target(
        house,
        {names[running.name]: (running.port, running.http_port) for running in house.running},
        plausible,
        [game.credentials[0], game.credentials[1], other.credentials[0].credential, opened.credentials[0]],
    )


@dataclass
class Answer:
    """What came back: an answer, or a reason."""

    ok: bytes | None
    reason: str = ""


# -- gRPC --------------------------------------------------------------------------------------------------------------


async def over_grpc(channel: grpc.aio.Channel, method: Method, body: bytes, credential: str) -> Answer:
    bearer = (("authorization", f"Bearer {credential}"),) if credential else ()
    given: dict[str, Any] = {"metadata": bearer, "timeout": PATIENCE}
    descriptor = method.descriptor
    try:
        if descriptor.client_streaming:
            call: Any = channel.stream_stream(method.path)(**given)
            await call.write(body)
            await call.done_writing()
            answer = await call.read()
        elif descriptor.server_streaming:
            call = channel.unary_stream(method.path)(body, **given)
            answer = await call.read()
            call.cancel()
        else:
            answer = await channel.unary_unary(method.path)(body, **given)
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED and not error.trailing_metadata():
            return Answer(None, "TOO_LATE")  # the client's own clock
        return Answer(None, read_refusal(error).reason)
    if answer is grpc.aio.EOF:
        return Answer(b"")
    message: Any = method.response.FromString(answer)
    if descriptor.client_streaming and message.HasField("refused"):
        return Answer(None, message.refused.reason)
    return Answer(bytes(answer))


# -- HTTP --------------------------------------------------------------------------------------------------------------


def reason_of(error: dict[str, Any]) -> str:
    info = error_details_pb2.ErrorInfo()
    for detail in error.get("details", ()):
        if detail["type"] == "google.rpc.ErrorInfo":
            info.ParseFromString(base64.b64decode(detail["value"] + "=="))
    assert info.reason, f"no reason: {error}"
    return info.reason


def framed(body: bytes, compressed: bool = False) -> bytes:
    return bytes([compressed]) + len(body).to_bytes(4, "big") + body


async def post(
    port: int, path: str, kind: str, body: bytes, credential: str, headers: str = "", seconds: float = 2 * PATIENCE
) -> tuple[int, bytes]:
    """The status and the body: of a stream what comes within our patience."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    bearer = f"authorization: Bearer {credential}\r\n" if credential else ""
    head = (
        f"POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: {kind}\r\n"
        f"connect-timeout-ms: {int(seconds * 500)}\r\n{bearer}{headers}content-length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    received = b""
    try:
        async with asyncio.timeout(ANSWERED):  # however busy the machine is, an answer begins
            while b"\r\n\r\n" not in received and (part := await reader.read(65_536)):
                received += part
        async with asyncio.timeout(seconds):
            while part := await reader.read(65_536):
                received += part
    except (TimeoutError, ConnectionError):
        pass  # a stream goes on
    writer.close()
    top, _, rest = received.partition(b"\r\n\r\n")
    assert top.startswith(b"HTTP/1.1 "), received[:200]
    if b"transfer-encoding: chunked" in top.lower():
        rest = unchunked(rest)
    return int(top.split()[1]), rest


def unchunked(data: bytes) -> bytes:
    whole = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        whole += data[: int(size or b"0", 16)]
        data = data[int(size or b"0", 16) + 2 :]
    return whole


async def over_http(made: Hostile, port: int, method: Method, credential: str) -> Answer:
    """With one of the content types that the method speaks, or with one that it does not."""
    streams = method.descriptor.server_streaming
    sort = made.random.choice(("json", "json", "proto"))
    kind = f"application/{'connect+' if streams else ''}{sort}"
    body = made.text(method.request) if sort == "json" else made.encoded(method.request)
    if made.random.random() < 0.05:
        kind = made.random.choice(("text/plain", "application/json", "application/grpc", "x", "application/proto"))
    elif streams and made.random.random() < 0.9:
        body = framed(body)
    status, answer = await post(port, method.path, kind, body, credential, seconds=2 * PATIENCE if streams else 10.0)
    if status != 200:
        return Answer(None, reason_of(json.loads(answer)))
    if not streams:
        return Answer(answer)
    while len(answer) >= 5:
        flags, size = answer[0], int.from_bytes(answer[1:5], "big")
        if flags & 2:
            end = json.loads(answer[5 : 5 + size])
            return Answer(None, reason_of(end["error"])) if "error" in end else Answer(b"")
        answer = answer[5 + size :]
    return Answer(b"")


# -- all of it ---------------------------------------------------------------------------------------------------------


async def bombard(house: House, seed: int, count: int, http: bool) -> Counter[str]:
    """So many requests to every method; how often each reason was read, "" for an answer."""
    told: Counter[str] = Counter()
    async with target(house) as aim:
        before = await aim.lengths()
        written: Counter[str] = Counter()
        made = Hostile(seed, aim.plausible)
        room = asyncio.Semaphore(AT_ONCE)

        async def once(method: Method, channel: grpc.aio.Channel) -> None:
            credential = made.random.choice(aim.credentials if made.random.random() < 0.9 else ["", "x" * 99])
            if http:
                answer = await over_http(made, aim.port(method, True), method, credential)
            else:
                answer = await over_grpc(channel, method, made.encoded(method.request), credential)
            if answer.ok is None:
                assert answer.reason in REASONS, (method.path, answer.reason)
                assert answer.reason != "INTERNAL", method.path
            elif method.descriptor.containing_service.name == "GameCommandService":
                written[method.descriptor.name] += 1
            told[answer.reason] += 1

        with alarms() as heard:
            for method in METHODS:
                channel = house.stubs.connect(aim.port(method))

                async def bounded(method: Method = method, channel: grpc.aio.Channel = channel) -> None:
                    async with room:
                        await once(method, channel)

                async with asyncio.TaskGroup() as group:
                    for _ in range(count):
                        group.create_task(bounded())
        assert not heard
        after = await aim.lengths()
        # What was answered may have been written, and repeats of it were answered without; nothing else has been.
        grown = {game: length - before.get(game, 0) for game, length in after.items() if length != before.get(game)}
        # Besides there is what a programme has done or why it has stopped, if one was filed.
        entries = [entry for game in grown for entry in await house.entries(game)]
        by_programme = sum(log_pb2.CommitRecord.FromString(each.public).HasField("programmed") for each in entries)
        assert not by_programme or written["SetProgramme"], (grown, written)
        assert sum(grown.values()) - by_programme <= sum(written.values()), (grown, written)
        games = LiveGames(house.log, RULESETS, 10)
        for game in after:
            async for _ in games.replay(game):
                pass
            assert await house.log.frozen(StreamId("game", game)) is None
    return told


@pytest.mark.req("R-API-1", "R-LOG-11")
@pytest.mark.parametrize("transport", ["grpc", "http"])
async def test_malformed_requests_meet_typed_errors_only(memory_house: House, transport: str) -> None:
    told = await bombard(memory_house, 1, 100 if transport == "grpc" else 60, transport == "http")
    assert {"", "MALFORMED_REQUEST", "MESSAGE_TOO_LARGE", "UNKNOWN_GAME"} <= told.keys()


@pytest.mark.soak
@pytest.mark.req("R-API-1", "R-LOG-11")
@pytest.mark.parametrize("transport", ["grpc", "http"])
async def test_ten_thousand_malformed_requests_meet_typed_errors_only(memory_house: House, transport: str) -> None:
    told = await bombard(memory_house, 2, 1 + 10_000 // len(METHODS), transport == "http")
    assert told.total() >= 10_000
    print(transport, dict(told.most_common()))


def test_what_is_generated_is_as_varied_as_it_should_be() -> None:
    made, longest = Hostile(3, {}), 0
    for method in METHODS:
        bodies = [made.encoded(method.request) for _ in range(300)]
        sound = 0
        for body in bodies:
            try:
                method.request.FromString(body)
                sound += 1
            except DecodeError:
                pass
        assert 30 < sound < 290, method.path
        longest = max(longest, *map(len, bodies))
    assert longest > limits.REQUEST_BYTES
