"""Clients and networks at their worst: nothing happens twice, nothing that should not, and nobody else feels it."""

import asyncio
import contextlib
import gc
import gzip
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from grpc_status import rpc_status

from tests.services.house import SECONDS, Game, House, new_id, play, read_refusal, refused, start_game
from tests.services.test_malformed import alarms, framed, post
from tests.support.proxy import Proxy
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import command_service_pb2_grpc, query_service_pb2_grpc
from wellhead.v1 import query_service_pb2 as queries
from wellhead_rules.registry import RULESETS
from wellhead_runtime import limits
from wellhead_runtime.hub import Subscription
from wellhead_runtime.limits import Rate
from wellhead_runtime.live import LiveGames
from wellhead_runtime.reasons import Reason

IMPATIENT = [
    ("grpc.enable_retries", 0), ("grpc.use_local_subchannel_pool", 1), ("grpc.initial_reconnect_backoff_ms", 10),
    ("grpc.min_reconnect_backoff_ms", 10), ("grpc.max_reconnect_backoff_ms", 50),
]  # fmt: skip
SUBMIT = "/wellhead.v1.GameCommandService/SubmitCommand"
MOVE = commands.SubmitCommandRequest


def resident_mb() -> float:
    """Memory of this process, which is server and client at once."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1024**2


linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


# -- a network that repeats, reorders, delays and cuts -----------------------------------------------------------------


class Restless:
    """A client that sends everything more than once, in any order, over every way there is, until it has answers."""

    def __init__(self, ways: list[Any], seed: int) -> None:
        self._ways = ways
        self._random = Random(seed)
        self._answers: dict[str, commands.SubmitCommandResponse] = {}
        self._sent: list[tuple[Game, commands.SubmitCommandRequest]] = []
        self.repeats = 0

    async def play(self, game: Game, query: Any, most: int) -> int:
        """Plays until nothing is owed, or for so many commands; how many were accepted."""
        for accepted in range(most):
            owed = await game.owed(query)
            if not owed:
                return accepted
            decision = owed[0]
            move = game.submission(decision, self._random.randrange(len(decision.options)))
            self._sent.append((game, move))
            again = self._random.sample(self._sent, min(len(self._sent), self._random.randrange(3)))
            copies = [(game, move)] * self._random.randrange(1, 4) + again
            self._random.shuffle(copies)
            await asyncio.gather(*(self._insist(*each) for each in copies), self._trespass(game, decision, move))
        return most

    async def _insist(self, game: Game, move: commands.SubmitCommandRequest) -> None:
        """Until somebody has answered, and always the same."""
        await asyncio.sleep(self._random.random() * 0.01)
        while True:
            way = self._random.choice(self._ways)
            try:
                answer = await way.SubmitCommand(move, metadata=game.proof(move.seat), timeout=SECONDS)
            except grpc.aio.AioRpcError as error:
                assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
                assert rpc_status.from_call(error) is None, read_refusal(error)  # the network said it, no service did
                continue
            self.repeats += move.request_id in self._answers
            assert self._answers.setdefault(move.request_id, answer) == answer
            return

    async def _trespass(self, game: Game, decision: Any, move: commands.SubmitCommandRequest) -> None:
        """What must not count: another's credential, another's decision, the same id for another move."""
        foreign = MOVE(**{**_fields(move), "request_id": new_id(), "seat": 1 - move.seat})
        with contextlib.suppress(grpc.aio.AioRpcError):
            await self._ways[0].SubmitCommand(foreign, metadata=game.proof(move.seat), timeout=SECONDS)
            raise AssertionError("a foreign seat has been let through")


def _fields(move: commands.SubmitCommandRequest) -> dict[str, Any]:
    return {
        "game_id": move.game_id, "seat": move.seat, "decision_id": move.decision_id, "command": move.command,
    }  # fmt: skip


async def storm(house: House, wanted: int, at_once: int) -> tuple[int, int, int]:
    """Games played through bad networks to two processes until so many commands have been accepted.

    How many were, how many answers were repeats, how often a connection was cut.
    """
    one, query = await house.command(), await house.query()
    await house.command()
    ports = [running.port for running in house.running if running.name == "command"]
    accepted = repeats = 0
    async with contextlib.AsyncExitStack() as stack:
        proxies = [
            await stack.enter_async_context(Proxy(port, seed, delay=0.004, cut=0.004))
            for seed, port in enumerate(ports * 2)
        ]
        ways = []
        for proxy in proxies:
            channel = grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}", options=IMPATIENT)
            stack.push_async_callback(channel.close)
            ways.append(command_service_pb2_grpc.GameCommandServiceStub(channel))

        async def one_game(number: int) -> None:
            nonlocal accepted, repeats
            while accepted < wanted:
                game = await start_game(one)
                client = Restless(ways, number)
                before = await house.revisions(game.id)
                count = await client.play(game, query, min(wanted - accepted, 200))
                accepted += count
                repeats += client.repeats
                entries = await house.entries(game.id)
                assert len(entries) == before + count
                assert len({entry.command_id for entry in entries}) == len(entries), "a command was applied twice"
                folded = None
                async for live in LiveGames(house.log, RULESETS, 1).replay(game.id):
                    folded = live
                assert folded is not None
                view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), timeout=SECONDS)
                assert view.view.revision == folded.head.revision == before + count
                assert view.view.table == folded.table.ruleset.view(folded.table.game, None)

        with alarms() as heard:
            await asyncio.gather(*(one_game(number) for number in range(at_once)))
        assert not heard
        return accepted, repeats, sum(proxy.cuts for proxy in proxies)


@pytest.mark.req("R-LOG-3", "R-API-4")
async def test_hundreds_of_commands_through_a_bad_network_are_applied_once_each(house: House) -> None:
    accepted, repeats, cuts = await storm(house, 300, 3)
    assert accepted >= 300
    assert repeats > 300
    assert cuts > 5


@pytest.mark.soak
@pytest.mark.req("R-LOG-3", "R-API-4")
async def test_ten_thousand_commands_through_a_bad_network_are_applied_once_each(house: House) -> None:
    accepted, repeats, cuts = await storm(house, 10_000, 8)
    assert accepted >= 10_000
    print(f"{accepted} accepted, {repeats} answers repeated, {cuts} connections cut")


# -- messages that are more than they seem -----------------------------------------------------------------------------


@linux
@pytest.mark.req("R-API-1", "R-LOG-11")
@pytest.mark.reason("MESSAGE_TOO_LARGE")
async def test_a_bomb_is_not_unpacked(memory_house: House) -> None:
    await memory_house.command()
    running = memory_house.running[0]
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{running.port}", options=[("grpc.max_send_message_length", -1)])
    submit = channel.unary_unary(SUBMIT)
    large = MOVE(option_id="x" * (limits.TRANSPORT_BYTES - 1_000)).SerializeToString()
    for compression in (grpc.Compression.Gzip, grpc.Compression.Deflate):
        told = await refused(submit(large, compression=compression))
        assert told.metadata == {"limit": "REQUEST_BYTES", "at_most": str(limits.REQUEST_BYTES)}
    before = resident_mb()
    with pytest.raises(grpc.aio.AioRpcError) as bang:
        await submit(bytes(60 * 1024**2), compression=grpc.Compression.Gzip)
    assert bang.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    await channel.close()
    # Over HTTP, 48 times: 64 MB each, if anybody unpacked them.
    bomb = gzip.compress(bytes(64 * 1024**2))
    assert len(bomb) < limits.REQUEST_BYTES
    for kind, body, header in (
        ("application/json", bomb, "content-encoding: gzip\r\n"),
        ("application/proto", bomb, "content-encoding: gzip\r\n"),
        ("application/grpc-web+proto", framed(bomb, True), "grpc-encoding: gzip\r\n"),
    ):
        answers = await asyncio.gather(
            *(post(running.http_port, SUBMIT, kind, body, "", header, 20.0) for _ in range(16))
        )
        for status, answer in answers:
            assert status != 200 or b"grpc-status" in answer
            assert b"INTERNAL" not in answer
    gc.collect()
    assert resident_mb() - before < 150


# -- readers that do not read ------------------------------------------------------------------------------------------


def subscriptions() -> int:
    gc.collect()
    return sum(type(each) is Subscription for each in gc.get_objects())


@linux
@pytest.mark.req("R-API-3", "R-LOG-11")
@pytest.mark.reason("SLOW_READER")
async def test_readers_who_take_nothing_are_let_go_and_cost_bounded_memory(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    await play(game, query, 60)
    port = next(running.port for running in memory_house.running if running.name == "projection")
    async with Proxy(port) as proxy:
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}", options=IMPATIENT)
        slow = query_service_pb2_grpc.GameQueryServiceStub(channel)
        await slow.ListGames(queries.ListGamesRequest())
        proxy.stall()
        monkeypatch.setattr(limits, "WRITE_SECONDS", 0.3)
        before = resident_mb()
        streams = [slow.WatchGame(queries.WatchGameRequest(game_id=game.id, after_revision=0)) for _ in range(150)]
        good = query.WatchGame(queries.WatchGameRequest(game_id=game.id, after_revision=game.revision))
        await play(game, query, 40)
        async with asyncio.timeout(SECONDS):
            last = 0
            while last < game.revision:
                last = max(last, (await good.read()).change.revision)
        good.cancel()
        await until(lambda: _now(subscriptions() == 0))  # nothing is kept for those who still take nothing
        assert resident_mb() - before < 200
        proxy.go_on()
        reasons = await asyncio.gather(*(_end(each) for each in streams))
        assert "SLOW_READER" in reasons
        await channel.close()


async def _now(answer: bool) -> bool:
    return answer


async def _end(stream: Any) -> str:
    """Why a stream has ended; "" if it goes on."""
    try:
        async with asyncio.timeout(5):
            while await stream.read() is not grpc.aio.EOF:
                pass
    except TimeoutError:
        stream.cancel()
    except grpc.aio.AioRpcError as error:
        return read_refusal(error).reason
    return ""


# -- floods ------------------------------------------------------------------------------------------------------------


@linux
@pytest.mark.req("R-API-6", "R-LOG-11")
@pytest.mark.reason("RATE_LIMITED", "TOO_MANY_STREAMS")
async def test_a_flood_meets_typed_errors_and_a_game_goes_on_under_it(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("READS", "WATCHES", "CREATIONS", "TABLE_COMMANDS"):
        monkeypatch.setattr(limits, name, Rate(1, 200))
    monkeypatch.setattr(limits, "STREAMS_PER_CALLER", 100)
    command, query = await memory_house.command(rates=1), await memory_house.query(rates=1)
    quiet = await memory_house.query()
    player = grpc.aio.insecure_channel(f"127.0.0.1:{memory_house.running[0].port}", options=IMPATIENT)
    game = await start_game(command_service_pb2_grpc.GameCommandServiceStub(player))
    before, entries = resident_mb(), await memory_house.revisions(game.id)
    told: dict[str, int] = {}
    streams: list[Any] = []

    room = asyncio.Semaphore(300)  # calls at once: below what the transport makes wait by itself

    async def call(make: Callable[[], Awaitable[Any]]) -> None:
        try:
            async with room:
                await make()
            reason = ""
        except grpc.aio.AioRpcError as error:
            if rpc_status.from_call(error) is None:
                reason = "TRANSPORT"  # its own word: more calls than it takes on one connection, or lets wait
            else:
                reason = read_refusal(error).reason
                assert reason in Reason.__members__
        told[reason] = told.get(reason, 0) + 1

    async def watch() -> Any:
        streams.append(query.WatchGame(queries.WatchGameRequest(game_id=game.id)))
        return await streams[-1].read()

    def forged() -> Any:
        return command.SubmitCommand(MOVE(game_id=game.id, request_id=new_id(), option_id="x"))

    view = queries.GetGameViewRequest(game_id=game.id)
    kinds: list[Callable[[], Any]] = [lambda: query.GetGameView(view), watch, forged]
    with alarms() as heard:
        flood = asyncio.gather(*(call(kinds[number % 3]) for number in range(3_000)))
        begun = time.monotonic()
        assert await play(game, quiet, 20) == 20
        assert time.monotonic() - begun < 60
        await flood
    assert not heard
    assert told["RATE_LIMITED"] > 1_000, told
    assert told["TOO_MANY_STREAMS"] > 50, told
    await player.close()
    assert await memory_house.revisions(game.id) == entries + 20
    for stream in streams:
        stream.cancel()
    await until(lambda: _now(subscriptions() == 0))
    assert resident_mb() - before < 200
