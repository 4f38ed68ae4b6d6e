"""How far a consumer is behind: each process tells it of the partitions that it holds, so the sum is the consumer's."""

import asyncio
import contextlib
from collections import deque

from prometheus_client import Gauge

from wellhead_eventlog.consumer import Consumer
from wellhead_eventlog.errors import EventLogError
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import EventLog
from wellhead_runtime import limits
from wellhead_runtime.metrics import REGISTRY

POSITIONS = Gauge(
    "wellhead_consumer_lag_positions", "Commits that wait for the consumer.", ["consumer"], registry=REGISTRY
)
SECONDS = Gauge(
    "wellhead_consumer_lag_seconds",
    "How long the longest waiting commit has waited for the consumer, as far as this process has seen.",
    ["consumer"],
    registry=REGISTRY,
)
LEASES = Gauge("wellhead_consumer_leases", "Partitions that the consumer holds here.", ["consumer"], registry=REGISTRY)
PARKED = Gauge(
    "wellhead_consumer_parked", "Games that the consumer has put aside: nothing follows from them.", ["consumer"],
    registry=REGISTRY,
)  # fmt: skip
ALL = Gauge("wellhead_partitions", "Partitions that somebody has to hold, for each consumer.", registry=REGISTRY)

_REMEMBERED = 1_000
"""Tails of one partition: whoever is further behind is told a little late that they catch up."""


class Lag:
    """Compares a consumer's positions with the ends of its feeds, now and then."""

    def __init__(self, log: EventLog, consumer: Consumer) -> None:
        self._log = log
        self._consumer = consumer
        self._tails: dict[int, deque[tuple[int, float]]] = {}
        """Of each partition the ends that the consumer has not reached, and when they were seen first."""
        self._stopping = asyncio.Event()
        self._gauges = [each.labels(consumer.name) for each in (POSITIONS, SECONDS, LEASES, PARKED)]
        ALL.set(PARTITIONS)

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping.set()

    async def run(self) -> None:
        """Looks until stopped. While the store is away the positions stay, and the seconds grow."""
        while not self._stopping.is_set():
            with contextlib.suppress(EventLogError):
                await self.look()
            self._tell_seconds()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(limits.LAG_SECONDS):
                    await self._stopping.wait()
        for gauge in self._gauges:
            gauge.set(0)

    async def look(self) -> None:
        """Reads the ends of the feeds, then the positions."""
        partitions = list(self._consumer.positions)
        tails = await asyncio.gather(*(self._log.feed_tail(partition) for partition in partitions))
        now, positions, behind = asyncio.get_running_loop().time(), self._consumer.positions, 0
        self._tails = {partition: self._tails.get(partition, deque()) for partition in positions}
        for partition, tail in zip(partitions, tails, strict=True):
            if (position := positions.get(partition)) is None:
                continue
            seen = self._tails[partition]
            if tail > (seen[-1][0] if seen else position) and len(seen) < _REMEMBERED:
                seen.append((tail, now))
            while seen and seen[0][0] <= position:
                seen.popleft()
            behind += max(tail - position, 0)
        for gauge, value in zip(self._gauges, (behind, None, len(positions), self._consumer.parked), strict=True):
            if value is not None:
                gauge.set(value)
        self._tell_seconds()

    def _tell_seconds(self) -> None:
        now = asyncio.get_running_loop().time()
        self._gauges[1].set(max((now - seen[0][1] for seen in self._tails.values() if seen), default=0.0))
