"""Everything on one machine: an embedded store, and the services as processes that are kept running."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from wellhead_eventlog.durability import Durability
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.errors import EventLogError
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.roles import IdentityMode

_READY_S = 30.0
_STOP_S = 10.0
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 5.0
_STABLE_S = 30.0
"""A child that has run for so long is restarted after the shortest pause when it dies."""

Tell = Callable[[str], None]
"""Takes a sentence about something that happened to the stack."""


class StackFailed(Exception):
    """The stack did not start; the message says which part and why."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the services listen; 0 for any free port. HTTP is off where it has none."""

    command: int = 0
    query: int = 0
    scoring: int = 0
    command_http: int | None = None
    query_http: int | None = None
    scoring_http: int | None = None


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Targets of the services, as a client takes them; those for HTTP are empty if it is off."""

    command: str
    query: str
    scoring: str
    command_http: str
    query_http: str
    scoring_http: str


class Stack:
    """A running stack, as an async context manager; what it starts is gone when it is left.

    A process that dies is started again where it was: services on their ports, the store on its data.
    """

    def __init__(
        self,
        data_dir: Path,
        ports: Ports = Ports(),
        durability: Durability = Durability.FSYNC,
        identity: IdentityMode = IdentityMode.OPEN,
        tell: Tell = lambda sentence: None,
        cors: str = "",
    ) -> None:
        self.data_dir = data_dir.absolute()
        self._durability = durability
        self._identity = identity
        self._tell = tell
        self._cors = cors
        self._store: EmbeddedStore | None = None
        self._command = _Service("wellhead_command", ports.command, ports.command_http, self)
        self._projection = _Service("wellhead_projection", ports.query, ports.query_http, self)
        self._scoring = _Service("wellhead_scoring", ports.scoring, ports.scoring_http, self)
        self._services = (self._command, self._projection, self._scoring)
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def endpoints(self) -> Endpoints:
        """Where clients find the services; the same for as long as the stack runs."""
        services = (self._command, self._projection, self._scoring)
        return Endpoints(*(each.target for each in services), *(each.url for each in services))

    @property
    def store_url(self) -> str:
        """Where the services find the store."""
        assert self._store is not None
        return self._store.url

    @property
    def pids(self) -> dict[str, int]:
        """The process of each part, by name."""
        assert self._store is not None
        return {service.module: service.pid for service in self._services} | {"store": self._store.pid}

    async def __aenter__(self) -> Self:
        for service in self._services:
            service.require_ports()
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            await self._start_store()
            Keyring.load_or_create(self.data_dir / "server-key.json")
            (self.data_dir / "logs").mkdir(exist_ok=True)
            # The others are told where the command service listens, so it comes first.
            await self._command.start()
            starting = asyncio.gather(self._projection.start(), self._scoring.start(), return_exceptions=True)
            for failure in filter(None, await starting):
                raise failure
        except BaseException:
            await self._stop()
            raise
        self._tasks = [asyncio.create_task(service.keep_running()) for service in self._services]
        self._tasks.append(asyncio.create_task(self._keep_store_running()))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    def environment(self) -> dict[str, str]:
        """The settings of every service."""
        settings = {
            "STORE_URL": self.store_url,
            "DURABILITY": self._durability.value,
            "KEY_FILE": str(self.data_dir / "server-key.json"),
            "IDENTITY": self._identity.value,
            # Where everybody may act under any name, only this machine calls: its bots are not slowed down.
            "RATES_PERCENT": os.environ.get("WELLHEAD_RATES_PERCENT")
            or ("0" if self._identity is IdentityMode.OPEN else "100"),
            "COMMAND_TARGET": self._command.target,
        }
        if self._cors:
            settings["CORS_ORIGINS"] = self._cors
        return os.environ | {f"WELLHEAD_{name}": value for name, value in settings.items()}

    def tell(self, sentence: str) -> None:
        """Passes on what happened."""
        self._tell(sentence)

    async def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await asyncio.gather(*(service.stop() for service in self._services))
        if self._store is not None:
            await asyncio.to_thread(self._store.stop)

    async def _start_store(self) -> None:
        """Starts the store; also when cancelled, so that no server is left whose handle got lost."""
        start = asyncio.ensure_future(asyncio.to_thread(EmbeddedStore.start, self.data_dir / "store", self._durability))
        try:
            self._store = await asyncio.shield(start)
        except asyncio.CancelledError:
            self._store = await start
            raise

    async def _keep_store_running(self) -> None:
        """Starts the store again when it dies; a connection that ends tells at once."""
        while True:
            await _connection_ends(self.store_url)
            self.tell("the store has ended; starting it again")
            url = self.store_url
            assert self._store is not None
            await asyncio.to_thread(self._store.stop)
            try:
                await self._start_store()
            except EventLogError as error:
                self.tell(f"the store does not start: {error}")
                await asyncio.sleep(_LONGEST_PAUSE_S)
                continue
            if self.store_url != url:
                for service in self._services:
                    service.terminate()


class _Service:
    """One service's process, started again whenever it ends."""

    def __init__(self, module: str, port: int, http_port: int | None, stack: Stack) -> None:
        self.module = module
        self._port = port
        self._http_port = http_port
        self._stack = stack
        self._process: asyncio.subprocess.Process | None = None
        self._drain: asyncio.Task[None] | None = None

    @property
    def target(self) -> str:
        return f"127.0.0.1:{self._port}" if self._port else ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http_port}" if self._http_port else ""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def require_ports(self) -> None:
        """StackFailed if somebody else has a port; found out here, where it can be said in one line."""
        for port in (self._port, self._http_port or 0):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError as error:
                    raise StackFailed(f"{self.module}: port {port}: {error.strerror}") from error

    async def start(self) -> None:
        """Starts the process and waits until it serves; StackFailed with the last line of its log if it does not."""
        log = self._stack.data_dir / "logs" / f"{self.module}.log"
        http = "" if self._http_port is None else f"127.0.0.1:{self._http_port}"
        environment = self._stack.environment() | {
            "WELLHEAD_LISTEN": f"127.0.0.1:{self._port}",
            "WELLHEAD_HTTP_LISTEN": http,
        }
        with log.open("ab") as errors:
            # A session of its own: Ctrl-C reaches us alone, and we stop what we started in order.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "wellhead_cli.tether", self.module,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=errors,
                env=environment, start_new_session=True,
            )  # fmt: skip
        try:
            async with asyncio.timeout(_READY_S):
                self._port, http_port = await _ports_when_ready(self._process)
                self._http_port = http_port or None
        except TimeoutError:
            await self.stop()
            raise StackFailed(f"{self.module} did not become ready within {_READY_S:g} s: {_last_line(log)}") from None
        except EOFError:
            code = await self._process.wait()
            raise StackFailed(f"{self.module} ended with code {code}: {_last_line(log)}") from None
        self._drain = asyncio.create_task(_discard(self._process))

    async def keep_running(self) -> None:
        """Starts the process again when it ends, sooner if it had run for long."""
        pause, loop = _FIRST_PAUSE_S, asyncio.get_running_loop()
        while True:
            assert self._process is not None
            begun = loop.time()
            code = await self._process.wait()
            pause = _FIRST_PAUSE_S if loop.time() - begun > _STABLE_S else min(pause * 2, _LONGEST_PAUSE_S)
            self._stack.tell(f"{self.module} ended with code {code}; starting it again in {pause:.1f} s")
            await asyncio.sleep(pause)
            try:
                await self.start()
            except StackFailed as failure:
                self._stack.tell(str(failure))

    def terminate(self) -> None:
        """Asks the process to end."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()

    async def stop(self) -> None:
        """Asks the process to end and waits for it; kills it, and what it started, if it does not."""
        if self._process is None:
            return
        self.terminate()
        try:
            async with asyncio.timeout(_STOP_S):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
        if self._drain is not None:
            await self._drain


async def _ports_when_ready(process: asyncio.subprocess.Process) -> tuple[int, int]:
    """The ports in the readiness line, that for HTTP 0 if there is none; EOFError if the process ends before."""
    assert process.stdout is not None
    while line := await process.stdout.readline():
        with contextlib.suppress(ValueError):
            said = json.loads(line)
            if isinstance(said, dict) and "service" in said and isinstance(said.get("port"), int):
                return int(said["port"]), int(said["http_port"])
    raise EOFError


async def _discard(process: asyncio.subprocess.Process) -> None:
    """Reads on, so that a service that talks does not block on a full pipe."""
    assert process.stdout is not None
    while await process.stdout.read(65536):
        pass


async def _connection_ends(url: str) -> None:
    try:
        reader, writer = await asyncio.open_unix_connection(url.removeprefix("unix://"))
    except OSError:
        return
    try:
        await reader.read()
    except OSError:
        pass
    finally:
        writer.close()


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()
    return lines[-1] if lines else "its log is empty"
