"""The one clock of the services, and how each of them says that it is there.

every process ──says that its service is there──> store ──when it was not──> whoever keeps time
"""

import asyncio
import contextlib
import time
from collections.abc import Callable

import structlog
from msgspec import Struct

from wellhead_eventlog.errors import StoreBusy, StoreUnavailable
from wellhead_eventlog.limits import MAX_OUTAGES
from wellhead_eventlog.port import EventLog, Outage
from wellhead_runtime import limits

COMMAND, QUERY = "command", "query"
"""The services that nobody can play without."""

_log = structlog.get_logger(__name__)


def _unix_us() -> int:
    return time.time_ns() // 1000


class Clock(Struct, frozen=True):
    """What time it is, in microseconds since the Unix epoch, and how often it matters."""

    now_us: Callable[[], int] = _unix_us
    sweep_seconds: float = limits.SWEEP_SECONDS
    beat_seconds: float = limits.BEAT_SECONDS
    outage_seconds: float = limits.OUTAGE_SECONDS

    @property
    def now_ms(self) -> int:
        """The same in milliseconds."""
        return self.now_us() // 1000


WALL_CLOCK = Clock()


class Beating:
    """Says again and again that a service is there; a silence of all its processes is noted in the store."""

    def __init__(self, log: EventLog, service: str, clock: Clock) -> None:
        self.clock = clock
        self._log = log
        self._service = service
        self.outages: list[Outage] = []
        self.said_ms = 0
        self._stopping = asyncio.Event()

    async def begin(self) -> None:
        """The first word of a process. That there are no others is noticed sooner than by themselves."""
        await self.say(min(2 * self.clock.beat_seconds, self.clock.outage_seconds))

    async def say(self, gap_seconds: float) -> None:
        """Says it once; afterwards `outages` are all those that have ended."""
        now_ms = self.clock.now_ms
        news = await self._log.beat(self._service, now_ms, int(gap_seconds * 1000), known(self.outages))
        self.said_ms = max(now_ms, self.said_ms)
        add(self.outages, news)

    async def run(self) -> None:
        """Says it until stopped; outlives an absent store."""
        while not self._stopping.is_set():
            try:
                await self.say(self.clock.outage_seconds)
            except (StoreUnavailable, StoreBusy) as absence:
                _log.warning("waiting for the store", why=str(absence))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.clock.beat_seconds):
                    await self._stopping.wait()

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping.set()


def known(outages: list[Outage]) -> int:
    """Until when outages are known: the end of the last one."""
    return outages[-1].until if outages else 0


def add(outages: list[Outage], news: list[Outage]) -> None:
    """Those that are new; two answers may have come to the same."""
    outages += [each for each in news if each.until > known(outages)]
    del outages[:-MAX_OUTAGES]
