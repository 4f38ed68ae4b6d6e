"""Whether a service can do its work: it asks the store for a sign of life, and looks whether its own loop keeps up.

Alive (`/healthz`) is who answers at all. Ready (gRPC health, `/readyz`) is who takes calls that can succeed: not while
the store has been silent for too long, not after background work has failed, not while stopping.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from prometheus_client import Gauge

from wellhead_eventlog.errors import EventLogError
from wellhead_eventlog.port import EventLog
from wellhead_runtime import limits
from wellhead_runtime.metrics import REGISTRY

STORE_SILENT = Gauge(
    "wellhead_store_silent_seconds", "How long ago the store has last answered.", registry=REGISTRY
)  # fmt: skip
LOOP_LATE = Gauge(
    "wellhead_loop_late_seconds",
    "How much later than wanted the event loop came back: it is busy, or the machine is.",
    registry=REGISTRY,
)


class Pulse:
    """Asks again and again; `tell` hears whether the store has been silent for too long."""

    def __init__(self, log: EventLog, tell: Callable[[bool], Awaitable[None]]) -> None:
        self._log = log
        self._tell = tell
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping.set()

    async def run(self) -> None:
        """Asks until stopped."""
        loop = asyncio.get_running_loop()
        heard = loop.time()
        while not self._stopping.is_set():
            # How long it takes is the store's affair; a question that is late is asked again.
            with contextlib.suppress(EventLogError, TimeoutError):
                async with asyncio.timeout(limits.PULSE_SECONDS):
                    await self._log.feed_tail(0)
                heard = loop.time()
            silent = loop.time() - heard
            STORE_SILENT.set(silent)
            await self._tell(silent > limits.STORE_SILENT_SECONDS)
            await self._pause()

    async def _pause(self) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + limits.PULSE_SECONDS
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                await self._stopping.wait()
            return
        LOOP_LATE.set(max(loop.time() - until, 0.0))
