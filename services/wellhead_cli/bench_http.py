"""`wellhead bench http`: what a call costs a service over gRPC and over HTTP, in the same run.

Both sides alternate on the same services; the store is in memory, and games move on, so that every command is new. CPU
time is that of the service which is called; calls a second also depend on what the clients, in this process, cost.
"""

import asyncio
import json
import os
import platform
import random
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop
from msgspec import Struct, structs
from rich.table import Table

from wellhead_cli.bench import Measure
from wellhead_cli.console import Failure, out
from wellhead_cli.stack import Ports, Stack
from wellhead_client import SeatAt, WellheadClient
from wellhead_eventlog.durability import Durability
from wellhead_rules.registry import RULESETS

_IN_FLIGHT = 16
_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(Struct, frozen=True):
    """Of one kind of call in one run."""

    per_second: float
    cpu_us: float


def run(seconds: float, repeats: int, as_json: bool) -> None:
    """Measures and prints."""
    if sys.platform != "linux":
        raise Failure("the CPU time of other processes is read from /proc, which this system does not have")
    os.environ["WELLHEAD_RATES_PERCENT"] = "0"  # one caller does here what no caller may
    measures = uvloop.run(_measure(seconds, repeats))
    if as_json:
        sys.stdout.write(json.dumps({"http": [structs.asdict(each) for each in measures]}) + "\n")
        return
    table = Table(title="Connect over HTTP beside gRPC", caption=measures[0].conditions)
    table.add_column("measure")
    for column in ("HTTP", "gRPC", "ratio"):
        table.add_column(column, justify="right")
    for each in measures:
        assert each.baseline_value is not None and each.ratio is not None
        value = f"{each.value:,.0f} {each.unit}"
        table.add_row(each.name, value, f"{each.baseline_value:,.0f}", f"{each.ratio:.2f}")
    out.print(table)


async def _measure(seconds: float, repeats: int) -> list[Measure]:
    with tempfile.TemporaryDirectory(prefix="wellhead-bench-") as where:
        ports = Ports(command_http=0, query_http=0)
        async with Stack(Path(where), ports, Durability.MEMORY) as stack:
            at, pids = stack.endpoints, stack.pids
            async with (
                WellheadClient(at.command, at.query) as over_grpc,
                WellheadClient(at.command_http, at.query_http) as over_http,
            ):
                sides = {"grpc": over_grpc, "http": over_http}
                costs: dict[tuple[str, str], list[Cost]] = {}
                # All views before all commands: what follows from commands costs the projection something too.
                for call, service, prepare in (
                    ("GetGameView", "wellhead_projection", _viewers),
                    ("SubmitCommand", "wellhead_command", _players),
                ):
                    for number in range(repeats + 1):
                        for side, client in sides.items():
                            cost = await _cost(pids[service], seconds, await prepare(client, number))
                            if number:  # the first run warms up
                                costs.setdefault((call, side), []).append(cost)
    conditions = (
        f"{_IN_FLIGHT} calls in flight, {seconds:g} s a run, median of {repeats} alternating runs, two queries before "
        f"every command, CPython {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    )
    measures = []
    for call in ("GetGameView", "SubmitCommand"):
        for name, unit, figure in (("calls", "1/s", "per_second"), ("server CPU", "µs a call", "cpu_us")):
            ours, base = (
                statistics.median(getattr(each, figure) for each in costs[call, side]) for side in ("http", "grpc")
            )
            measures.append(Measure(f"{call}, {name}", ours, unit, "gRPC", base, ours / base, conditions))
    return measures


Step = Callable[[], Awaitable[bool]]
"""One call of the kind that is measured; False if there is nothing more to call for."""


async def _cost(pid: int, seconds: float, steps: list[Step]) -> Cost:
    loop = asyncio.get_running_loop()
    begun, cpu = loop.time(), _cpu_seconds(pid)

    async def work(step: Step) -> int:
        calls = 0
        while loop.time() - begun < seconds and await step():
            calls += 1
        return calls

    calls = sum(await asyncio.gather(*map(work, steps)))
    return Cost(calls / (loop.time() - begun), 1e6 * (_cpu_seconds(pid) - cpu) / calls)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


async def _viewers(client: WellheadClient, seed: int) -> list[Step]:
    game_id, seats = await _table(client)

    async def view() -> bool:
        await client.view(game_id, seats[0])
        return True

    return [view] * _IN_FLIGHT


async def _players(client: WellheadClient, seed: int) -> list[Step]:
    return [await _player(client, random.Random(seed * _IN_FLIGHT + number)) for number in range(_IN_FLIGHT)]


async def _player(client: WellheadClient, chance: random.Random) -> Step:
    game_id, seats = await _table(client)

    async def submit() -> bool:
        nonlocal game_id, seats
        view = await client.view(game_id)
        if not view.decisions:
            game_id, seats = await _table(client)
            view = await client.view(game_id)
        seat = seats[view.decisions[0].seat]
        (owed,) = (await client.legal(game_id, seat)).decisions
        await client.submit(game_id, seat, owed.decision_id, chance.choice(owed.options).id)
        return True

    return submit


async def _table(client: WellheadClient) -> tuple[str, list[SeatAt]]:
    created = await client.create_game(next(iter(RULESETS)), ["ada", "bob"])
    await client.start_game(created.game_id, created.credentials[0])
    return created.game_id, list(created.credentials)
