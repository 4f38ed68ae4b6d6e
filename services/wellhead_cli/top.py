"""`wellhead top`: what goes on in a place, read from its store.

A process is seen if it consumes something, as projection, scoring, and every further copy of them do; whoever only
answers calls leaves no trace in the store.
"""

import asyncio
import contextlib
import json
import signal
import time
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from wellhead_cli import places
from wellhead_cli.console import out, whole
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import EventLog
from wellhead_projection.summaries import with_status
from wellhead_rules.kernel.table import Status


@dataclass(frozen=True, slots=True)
class Consumption:
    """A consumer: its state in words, how many partitions are held and processes attend, how far it is behind."""

    consumer: str
    state: str
    processes: int
    held: int
    behind: int
    parked: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One look. `commits` counts pointers in all feeds, `per_second` those since the look before."""

    time: str
    commits: int
    per_second: float
    games: dict[str, int]
    consumers: list[Consumption]
    processes: dict[str, dict[str, int]]
    """By process, the partitions that it holds of each consumer that it attends."""


def run(url: str, data_dir: Path | None, interval: float, once: bool, as_json: bool) -> None:
    """Shows a frame an interval until it is interrupted or terminated; with `once` a single one."""
    asyncio.run(_run(url, data_dir, interval, once, as_json))


async def _run(url: str, data_dir: Path | None, interval: float, once: bool, as_json: bool) -> None:
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    watching = out.is_terminal and not once and not as_json
    async with places.store(url, data_dir) as log:
        before = await look(log)
        with Live(console=out, auto_refresh=False) if watching else contextlib.nullcontext() as live:
            while not stopping.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(interval):
                        await stopping.wait()
                        return
                before, frame = (now := await look(log)), framed(before, now)
                if live is not None:
                    live.update(rendered(frame), refresh=True)
                elif as_json:
                    out.print(json.dumps(asdict(frame)), markup=False, soft_wrap=True)
                else:
                    out.print(rendered(frame))
                if once:
                    return


@dataclass(frozen=True, slots=True)
class Look:
    """What the store says at a moment, `at` in seconds of a steady clock."""

    at: float
    commits: int
    games: dict[str, int]
    consumers: list[Consumption]
    processes: dict[str, dict[str, int]]


async def look(log: EventLog) -> Look:
    """Looks at everything once."""
    tails = await asyncio.gather(*map(log.feed_tail, range(PARTITIONS)))
    at = time.monotonic()
    processes: dict[str, dict[str, int]] = {}
    consumptions = []
    for consumer in await places.consumers(log):
        attending = await log.attending(consumer)
        held = Counter((await log.leases(consumer)).values())
        for owner in {*attending, *held}:
            processes.setdefault(owner, {})[consumer] = held[owner]
        reached = await asyncio.gather(*(log.checkpoint(consumer, partition) for partition in range(PARTITIONS)))
        parked = await asyncio.gather(*(log.parked(consumer, partition) for partition in range(PARTITIONS)))
        behind = sum(max(tail - position, 0) for tail, position in zip(tails, reached, strict=True))
        aside = sum(map(len, parked))
        state = _state(len(attending), held.total(), behind, aside)
        consumptions.append(Consumption(consumer, state, len(attending), held.total(), behind, aside))
    games = {}
    for status in Status:
        sizes = await asyncio.gather(*(log.size(with_status(status), partition) for partition in range(PARTITIONS)))
        games[status.name.lower()] = sum(sizes)
    return Look(at, sum(tails), games, consumptions, dict(sorted(processes.items())))


def framed(before: Look, now: Look) -> Frame:
    """A look, with what has changed since the one before."""
    rate = (now.commits - before.commits) / max(now.at - before.at, 0.001)
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    return Frame(moment, now.commits, round(rate, 1), now.games, now.consumers, now.processes)


def _state(attending: int, held: int, behind: int, parked: int) -> str:
    """The worst that can be said, in words."""
    if not attending:
        return "NOBODY ATTENDS"
    if held < PARTITIONS:
        return f"{PARTITIONS - held} PARTITIONS WITHOUT OWNER"
    if parked:
        return f"{parked} PUT ASIDE"
    return "behind" if behind else "up to date"


def rendered(frame: Frame) -> RenderableType:
    """A frame as people read it: what needs somebody stands in capitals."""
    games = ", ".join(f"{number:,} {status}" for status, number in frame.games.items())
    consumers = Table("consumer", "state", title="Consumers", title_justify="left")
    for column in ("processes", "partitions", "behind", "put aside"):
        consumers.add_column(column, justify="right")
    for each in frame.consumers:
        figures = (str(each.processes), f"{each.held}/{PARTITIONS}", f"{each.behind:,}", f"{each.parked:,}")
        calm = each.state.islower()
        consumers.add_row(each.consumer, Text(each.state, "" if calm else "bold red"), *figures)
    processes = Table(whole("process"), "holds", title="Processes that consume", title_justify="left")
    for owner, held in frame.processes.items():
        processes.add_row(owner, ", ".join(f"{number} of {consumer}" for consumer, number in held.items()))
    head = f"{frame.time}  commits {frame.commits:,}, {frame.per_second:,.1f} a second\ngames: {games}"
    return Group(Text(head), consumers, processes)
