"""The three services in this process, on free ports, over one store; and a client that knows only the protos."""

import itertools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any, TypeAlias

import grpc
import pytest
from connectrpc.errors import ConnectError
from google.protobuf.descriptor import ServiceDescriptor
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

import wellhead_command.main
import wellhead_projection.main
import wellhead_scoring.main
from tests.services.over_http import Stub, status_of
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import (
    command_service_pb2_grpc,
    game_pb2,
    query_service_pb2_grpc,
    scoring_service_pb2_grpc,
)
from wellhead.v1 import query_service_pb2 as queries
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.port import Entry, EventLog, StreamId
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.registry import RULESETS
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.lifecycle import Running
from wellhead_runtime.settings import Settings
from wellhead_runtime.timekeeping import WALL_CLOCK, Clock

CommandStub: TypeAlias = "command_service_pb2_grpc.GameCommandServiceAsyncStub"
QueryStub: TypeAlias = "query_service_pb2_grpc.GameQueryServiceAsyncStub"
ScoringStub: TypeAlias = "scoring_service_pb2_grpc.ScoringServiceAsyncStub"

KEYRING = Keyring({"old": b"o" * 32, "new": b"n" * 32}, "new")
SECONDS = 20.0

_numbers = itertools.count(1)


def new_id() -> str:
    return f"request-of-a-test-{next(_numbers):06}"


class Unclosed:
    """A log that outlives the services which close it, as a store outlives processes."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def close(self) -> None:
        """The test's own log stays open."""


@dataclass
class Refusal:
    """What a client reads of a refused call."""

    code: grpc.StatusCode
    reason: str
    message: str
    metadata: dict[str, str]
    fields: list[str]
    retry: bool
    seconds: float = 0.0
    standing: commands.Standing | None = None


SEEN: set[str] = set()
"""The reasons that the running test has read."""


def saw(reason: str) -> str:
    """A test has read a reason where no status brings it."""
    SEEN.add(reason)
    return reason


def read_refusal(error: grpc.aio.AioRpcError) -> Refusal:
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    assert isinstance(status, status_pb2.Status), f"no details: {error.code()} {error.details()}"
    refusal = read_status(status)
    assert refusal.code is error.code()
    return refusal


_CODES = {code.value[0]: code for code in grpc.StatusCode}


def read_status(status: status_pb2.Status) -> Refusal:
    info, bad, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    standing = commands.Standing()
    details = (info, bad, retry, standing)
    unpacked = [[detail.Unpack(each) for detail in status.details].count(True) > 0 for each in details]
    assert unpacked[0]
    assert info.domain == "wellhead"
    saw(info.reason)
    return Refusal(
        _CODES[status.code],
        info.reason,
        status.message,
        dict(info.metadata),
        [violation.field for violation in bad.field_violations],
        unpacked[2],
        retry.retry_delay.ToMilliseconds() / 1000,
        standing if unpacked[3] else None,
    )


async def refused(call: Awaitable[Any]) -> Refusal:
    with pytest.raises((grpc.aio.AioRpcError, ConnectError)) as caught:
        await call
    error: Any = caught.value
    return read_status(status_of(error)) if isinstance(error, ConnectError) else read_refusal(error)


class Stubs:
    """The three services as a client reaches them."""

    def __init__(self) -> None:
        self._channels: list[grpc.aio.Channel] = []
        self._over_http: list[Stub] = []

    def connect(self, port: int) -> grpc.aio.Channel:
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
        self._channels.append(channel)
        return channel

    def over_http(self, transport: str, port: int, service: ServiceDescriptor) -> Any:
        self._over_http.append(Stub(transport, port, service))
        return self._over_http[-1]

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()
        for stub in self._over_http:
            await stub.http.aclose()


@dataclass
class House:
    """What runs, and how to reach it."""

    settings: Settings
    open_log: Callable[[], EventLog]
    stubs: Stubs = field(default_factory=Stubs)
    running: list[Running] = field(default_factory=list)
    registry: Mapping[str, Ruleset] = field(default_factory=lambda: RULESETS)
    transport: str = "grpc"
    clock: Clock = WALL_CLOCK

    @property
    def log(self) -> EventLog:
        """The store, for looking into."""
        return self.open_log()

    async def command(self, **changes: Any) -> CommandStub:
        running = await self._run(partial(wellhead_command.main.serve, clock=self.clock), changes)
        self.settings = replace(self.settings, command_target=f"127.0.0.1:{running.port}")
        return self._stub(command_service_pb2_grpc.GameCommandServiceStub, running, wellhead_command.main.SERVICE)

    async def query(self, **changes: Any) -> QueryStub:
        running = await self._run(partial(wellhead_projection.main.serve, clock=self.clock), changes)
        return self._stub(query_service_pb2_grpc.GameQueryServiceStub, running, wellhead_projection.main.SERVICE)

    async def scoring(self, **changes: Any) -> ScoringStub:
        running = await self._run(wellhead_scoring.main.serve, changes)
        return self._stub(scoring_service_pb2_grpc.ScoringServiceStub, running, wellhead_scoring.main.SERVICE)

    def _stub(self, over_grpc: Callable[[grpc.aio.Channel], Any], running: Running, service: ServiceDescriptor) -> Any:
        if self.transport == "grpc":
            return over_grpc(self.stubs.connect(running.port))
        return self.stubs.over_http(self.transport, running.http_port, service)

    async def _run(self, serve: Callable[..., Awaitable[Running]], changes: dict[str, Any]) -> Running:
        running = await serve(replace(self.settings, **changes), self.open_log(), self.registry)
        self.running.append(running)
        return running

    async def stop(self, name: str) -> None:
        for running in [each for each in self.running if each.name == name]:
            await running.stop()
            self.running.remove(running)

    async def close(self) -> None:
        await self.stubs.close()
        for running in reversed(self.running):
            await running.stop()

    async def entries(self, game_id: str) -> list[Entry]:
        return await self.log.read(StreamId("game", game_id))

    async def revisions(self, game_id: str) -> int:
        return len(await self.log.read(StreamId("game", game_id)))


def settings(durability: Durability) -> Settings:
    return Settings(keyring=KEYRING, durability=durability, lease_ms=500, rates=0, http_listen="127.0.0.1:0")


# -- playing -----------------------------------------------------------------------------------------------------------


@dataclass
class Game:
    """A game and the credentials of all its seats."""

    stub: CommandStub
    id: str
    credentials: dict[int, str]
    revision: int = 0

    def proof(self, seat: int) -> Any:
        return (("authorization", f"Bearer {self.credentials[seat]}"),)

    def submission(self, decision: game_pb2.Decision, option: int = 0, **changes: Any) -> commands.SubmitCommandRequest:
        fields: dict[str, Any] = {
            "game_id": self.id,
            "request_id": new_id(),
            "seat": decision.seat,
            "decision_id": decision.decision_id,
            "command": decision.options[option].command,
        }
        return commands.SubmitCommandRequest(**(fields | changes))

    async def submit(self, request: commands.SubmitCommandRequest) -> commands.SubmitCommandResponse:
        answer = await self.stub.SubmitCommand(request, metadata=self.proof(request.seat), timeout=SECONDS)
        self.revision = answer.receipt.revision
        return answer

    async def owed(self, query: QueryStub) -> list[game_pb2.Decision]:
        """What is owed now, each decision with its options."""
        view = await query.GetGameView(queries.GetGameViewRequest(game_id=self.id), timeout=SECONDS)
        result = []
        for seat in view.view.summary.awaiting:
            request = queries.ListLegalCommandsRequest(game_id=self.id, seat=seat)
            legal = await query.ListLegalCommands(request, metadata=self.proof(seat), timeout=SECONDS)
            result += legal.decisions
        return result


def creation(players: int = 2, **changes: Any) -> commands.CreateGameRequest:
    seats = [commands.SeatRequest(player=f"player {seat}", nonce=bytes([seat])) for seat in range(players)]
    fields: dict[str, Any] = {
        "request_id": new_id(), "game": "oil_rock", "seat_count": players, "creator": "organiser", "seats": seats,
    }  # fmt: skip
    return commands.CreateGameRequest(**(fields | changes))


async def open_game(stub: CommandStub, seats: int = 2) -> Game:
    """A table that is full and has not started."""
    created = await stub.CreateGame(creation(seats), timeout=SECONDS)
    credentials = {each.seat: each.credential for each in created.credentials}
    return Game(stub, created.game_id, credentials, created.receipt.revision)


async def start_game(stub: CommandStub, seats: int = 2) -> Game:
    """A game that has just started."""
    game = await open_game(stub, seats)
    request = commands.StartGameRequest(game_id=game.id, request_id=new_id())
    started = await stub.StartGame(request, metadata=game.proof(0), timeout=SECONDS)
    game.revision = started.receipt.revision
    return game


async def play(
    game: Game,
    query: QueryStub,
    commands_at_most: int = 10_000,
    seed: int = 1,
) -> int:
    """Plays at random until nothing is owed, or for so many commands; how many were accepted."""
    random = Random(seed)
    for number in range(commands_at_most):
        owed = await game.owed(query)
        if not owed:
            return number
        decision = owed[0]
        await game.submit(game.submission(decision, random.randrange(len(decision.options))))
    return commands_at_most
