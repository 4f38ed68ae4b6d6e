"""How a service lives: it starts, says where it listens, runs until it is told to stop, and stops in order."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import structlog
import uvloop

from wellhead_eventlog.consumer import Consumer
from wellhead_eventlog.errors import EventLogError
from wellhead_eventlog.port import EventLog
from wellhead_runtime import limits, logging, metrics, tracing
from wellhead_runtime.keyring import BadKeyFile
from wellhead_runtime.lag import Lag
from wellhead_runtime.pulse import Pulse
from wellhead_runtime.server import FAILED, SILENT, Server
from wellhead_runtime.settings import BadSetting, Settings

_log = structlog.get_logger(__name__)

StopStep = Callable[[], None]


class Running:
    """A service that runs in this process."""

    def __init__(self, name: str, server: Server, log: EventLog) -> None:
        self.name = name
        self.port = 0
        self.http_port = 0
        self.metrics_port = 0
        self._server = server
        self._log = log
        self._tasks: list[asyncio.Task[None]] = []
        self._closing: list[Callable[[], Awaitable[None]]] = [log.close]
        self._before_stop: list[StopStep] = []
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._telling: asyncio.Task[None] | None = None
        self._stopped = False

    def background(self, work: Coroutine[Any, Any, None], stop: StopStep | None = None) -> None:
        """Work that goes on beside the calls; if it ends by an error, so does the service. `stop` asks it to end."""
        task = asyncio.create_task(work)
        task.add_done_callback(self._notice)
        self._tasks.append(task)
        if stop is not None:
            self.before_stop(stop)

    def consume(self, consumer: Consumer) -> None:
        """Runs a consumer in the background, and tells how far it is behind."""
        lag = Lag(self._log, consumer)
        self.background(lag.run(), lag.stop)
        self.background(consumer.run(), consumer.stop)

    def before_stop(self, step: StopStep) -> None:
        """Something to do first when the service stops."""
        self._before_stop.append(step)

    def after_stop(self, close: Callable[[], Awaitable[None]]) -> None:
        """Something to close once nothing runs any more."""
        self._closing.append(close)

    async def start(self) -> "Running":
        """Listens; afterwards `port` is known, and `http_port` and `metrics_port`, 0 where there is none."""
        self.port, self.http_port = await self._server.start()
        self.metrics_port = self._server.metrics_port
        pulse = Pulse(self._log, lambda silent: self._server.hinder(SILENT, silent))
        self.background(pulse.run(), pulse.stop)
        _log.info("started", port=self.port, http_port=self.http_port, metrics_port=self.metrics_port)
        return self

    async def failed(self) -> None:
        """Waits until a background task fails, and raises its error."""
        await self._failed

    async def stop(self) -> None:
        """Ends streams with the revision to resume after, lets calls end, ends background work, closes the store."""
        if self._stopped:
            return
        self._stopped = True
        await self._server.announce_stop()
        for step in self._before_stop:
            step()
        await self._server.stop()
        _, late = await asyncio.wait(self._tasks, timeout=limits.STOP_SECONDS) if self._tasks else ((), ())
        for task in late:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for close in reversed(self._closing):
            await close()
        _log.info("stopped")

    def _notice(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or task.exception() is None:
            return
        _log.critical("background work failed", exc_info=task.exception())
        self._telling = asyncio.create_task(self._server.hinder(FAILED))
        if not self._failed.done():
            self._failed.set_exception(task.exception() or RuntimeError())
            self._failed.exception()  # it may be that nobody waits for it


Serve = Callable[[Settings], Awaitable[Running]]


def main(name: str, serve: Serve) -> int:
    """Runs a service as a process until SIGTERM or SIGINT; the exit code.

    Once it listens it writes one line of JSON to standard output, for whoever started it:
    `{"service": NAME, "port": PORT, "http_port": PORT, "pid": PID}`. Logs go to standard error.
    """
    try:
        settings = Settings.from_environment(os.environ, name)
        logging.configure(name, settings.log_level)
        metrics.introduce(name, settings.durability.value)
        if settings.otlp_endpoint:
            tracing.export(name, settings.otlp_endpoint)
        try:
            return uvloop.run(_run(name, serve, settings))
        finally:
            tracing.close()
    except (BadSetting, BadKeyFile, EventLogError, OSError) as error:
        sys.stderr.writelines(f"{name}: {line}\n" for line in str(error).splitlines())  # a fault a line
        return 1


async def _run(name: str, serve: Serve, settings: Settings) -> int:
    loop = asyncio.get_running_loop()
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    running = await serve(settings)
    said = {"service": name, "port": running.port, "http_port": running.http_port, "pid": os.getpid()}
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
    waiting = [asyncio.ensure_future(told.wait()), asyncio.ensure_future(running.failed())]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    failed = not told.is_set()
    for each in waiting:
        each.cancel()
        with contextlib.suppress(BaseException):
            await each
    await running.stop()
    return int(failed)
