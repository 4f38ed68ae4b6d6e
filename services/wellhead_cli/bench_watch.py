"""`wellhead bench watch`: many watchers of one game on one process, beside bare streams of equal bytes in the same run.

The baseline is what such streams cost at least here: a server that puts a message of the same size into as many queues
and writes it to as many gRPC streams, without game, log or views. A move and a message of the baseline alternate, so
that a machine that is slower for a while is slower for both. What is timed ends when this process, which reads all the
streams, has the last watcher's message: the reader's own work is in both figures.
"""

import asyncio
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, cast

import grpc
from grpc import aio
from msgspec import structs
from rich.progress import Progress
from rich.table import Table

from wellhead.v1 import query_service_pb2 as api
from wellhead_cli.bench import Measure
from wellhead_cli.console import err, out
from wellhead_cli.stack import Stack
from wellhead_client import WellheadClient
from wellhead_eventlog.durability import Durability
from wellhead_rules.registry import RULESETS

_STREAMS_PER_CONNECTION = 100
_SECONDS = 120.0
_CHANGE = b"\x12"  # the first byte of a message that holds a change: heartbeats are not counted
_WATCH, _PUT, _ECHO = "/wellhead.v1.GameQueryService/WatchGame", "/bench.Echo/Put", "/bench.Echo/Watch"


def run(watchers: int, moves: int, as_json: bool) -> None:
    """Measures and prints."""
    measures = asyncio.run(_measure(watchers, moves, as_json))
    if as_json:
        sys.stdout.write(json.dumps({"watch": [structs.asdict(measure) for measure in measures]}) + "\n")
        return
    shown = Table(title="Live streams", caption=measures[0].conditions)
    for column in ("measure", "baseline"):
        shown.add_column(column)
    for column in ("value", "baseline value", "ratio"):
        shown.add_column(column, justify="right")
    for measure in measures:
        shown.add_row(
            measure.name, measure.baseline, f"{measure.value:,.1f} {measure.unit}", f"{measure.baseline_value:,.1f}",
            f"{measure.ratio:.2f}",
        )  # fmt: skip
    out.print(shown)


class _Crowd:
    """Streams that count what arrives on them; `arrived` is when the slowest of them had its latest message."""

    def __init__(self) -> None:
        self._counts: list[int] = []
        self._wanted = 0
        self._behind = 0
        self._all = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.bytes = 0

    async def join(self, port: str, path: str, request: bytes, watchers: int, stack: AsyncExitStack) -> None:
        """Opens the streams; returns once each has had its first message."""
        for first in range(0, watchers, _STREAMS_PER_CONNECTION):
            channel = aio.insecure_channel(port, options=[("grpc.use_local_subchannel_pool", 1)])
            stack.push_async_callback(channel.close)
            opened = []
            for _ in range(min(_STREAMS_PER_CONNECTION, watchers - first)):
                call: Any = channel.unary_stream(path)(cast(Any, request))
                opened.append(call)
            await asyncio.gather(*(call.read() for call in opened))
            for call in opened:
                self._counts.append(0)
                self._tasks.append(asyncio.create_task(self._read(call, len(self._counts) - 1)))

    async def _read(self, call: Any, place: int) -> None:
        while (message := await call.read()) is not aio.EOF:
            if message[:1] == _CHANGE:
                self._counts[place] += 1
                self.bytes += len(message)
                if self._counts[place] == self._wanted:
                    self._behind -= 1
                    if not self._behind:
                        self._all.set()

    async def all_have(self, count: int) -> None:
        """Waits until every stream has brought so many messages."""
        self._wanted, self._behind = count, sum(each < count for each in self._counts)
        self._all.clear()
        if self._behind:
            async with asyncio.timeout(_SECONDS):
                await self._all.wait()

    def leave(self) -> None:
        for task in self._tasks:
            task.cancel()


async def _measure(watchers: int, moves: int, as_json: bool) -> list[Measure]:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="wellhead-bench-"))
        services = await stack.enter_async_context(Stack(Path(folder), durability=Durability.MEMORY))
        ends = services.endpoints
        client = await stack.enter_async_context(WellheadClient(ends.command, ends.query))
        ruleset = next(iter(RULESETS.values()))
        players = [f"player {seat}" for seat in range(ruleset.seat_counts[0])]
        created = await client.create_game(ruleset.name, players)
        game_id, seats = created.game_id, created.credentials
        revision = (await client.start_game(game_id, seats[0])).receipt.revision
        pid = services.pids["wellhead_projection"]
        echo_port, echo_pid, stop = await asyncio.to_thread(_start_echo)
        stack.callback(stop)
        put = aio.insecure_channel(f"127.0.0.1:{echo_port}")
        stack.push_async_callback(put.close)

        game, echo = _Crowd(), _Crowd()
        stack.callback(game.leave)
        stack.callback(echo.leave)
        request = api.WatchGameRequest(game_id=game_id).SerializeToString()
        bare = _resident_kb(pid), _resident_kb(echo_pid)
        await game.join(ends.query, _WATCH, request, watchers, stack)
        await echo.join(f"127.0.0.1:{echo_port}", _ECHO, b"", watchers, stack)
        await asyncio.sleep(0.5)
        full = _resident_kb(pid), _resident_kb(echo_pid)

        random, times, base_times = Random(1), [], []
        start, size = revision, 0
        with Progress(console=err, transient=True, disable=as_json) as progress:
            task = progress.add_task("moves", total=moves)
            for number in range(moves):
                owed = (await client.view(game_id)).summary.awaiting
                legal = await client.legal(game_id, seats[owed[0]], min_revision=revision)
                decision = legal.decisions[0]
                answer = await client.submit(
                    game_id, seats[owed[0]], decision.decision_id, random.choice(decision.options).id
                )
                begun, revision = time.perf_counter(), answer.receipt.revision
                await game.all_have(revision - start)
                times.append(time.perf_counter() - begun)
                size = game.bytes // (watchers * (revision - start))
                await put.unary_unary(_PUT)(cast(Any, _CHANGE + bytes(size - 1)))
                begun = time.perf_counter()
                await echo.all_have(number + 1)
                base_times.append(time.perf_counter() - begun)
                progress.advance(task)
        peak = _resident_kb(pid), _resident_kb(echo_pid)
    about = (
        f"{watchers} watchers over {-(-watchers // _STREAMS_PER_CONNECTION)} connections, {moves} moves, {size} bytes "
        f"a change, store without durability, CPython {platform.python_version()}, {platform.machine()}, "
        f"{os.cpu_count()} cores shared by store, services and the reader"
    )
    echoes, both = "bare gRPC streams of equal bytes", (times, base_times)

    def grown(now: tuple[int, int]) -> list[float]:
        return [(after - before) / watchers for before, after in zip(bare, now, strict=True)]

    pairs: list[tuple[str, str, list[float]]] = [
        ("memory a watcher, joined", "KB", grown(full)),
        ("memory a watcher, after the moves", "KB", grown(peak)),
        ("answer to last watcher, median", "ms", [statistics.median(each) * 1e3 for each in both]),
        ("answer to last watcher, 99 of 100", "ms", [_percentile(each, 99) * 1e3 for each in both]),
    ]
    return [Measure(name, ours, unit, echoes, base, ours / base, about) for name, unit, (ours, base) in pairs]


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def _resident_kb(pid: int) -> int:
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True).stdout)


# -- the baseline ------------------------------------------------------------------------------------------------------


def _start_echo() -> tuple[int, int, Any]:
    """A bare server in a process of its own: its port, its pid, and what stops it."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_echo, args=(there,), daemon=True)
    process.start()
    return here.recv(), process.pid or 0, process.terminate


def _echo(told: Connection) -> None:
    import uvloop

    uvloop.run(_serve_echo(told))


async def _serve_echo(told: Connection) -> None:
    queues: list[asyncio.Queue[bytes]] = []

    async def put(message: bytes, context: Any) -> bytes:
        for queue in queues:
            queue.put_nowait(message)
        return b""

    async def watch(request: bytes, context: Any) -> AsyncIterator[bytes]:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        queues.append(queue)
        yield b"joined"
        while True:
            yield await queue.get()

    handlers: dict[str, Any] = {
        "Put": grpc.unary_unary_rpc_method_handler(put),
        "Watch": grpc.unary_stream_rpc_method_handler(watch),
    }
    server = aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", handlers),))
    told.send(server.add_insecure_port("127.0.0.1:0"))
    await server.start()
    await server.wait_for_termination()
