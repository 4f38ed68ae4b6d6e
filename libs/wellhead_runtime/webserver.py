"""Listening for HTTP: uvicorn, in the loop of the service, with patience for no one."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Generator, Sequence
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from wellhead_runtime import limits
from wellhead_runtime.methods import Service
from wellhead_runtime.settings import BadSetting, Settings
from wellhead_runtime.web import ABORT, Web


class _Connection(HttpToolsProtocol):
    """A connection whose requests begin in time and within bounds, and which a call can end at once."""

    _late: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_there()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._late is not None:
            self._head_bytes += len(data)
            if self._head_bytes > limits.HTTP_HEAD_BYTES:
                self.transport.abort()
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = cast(Any, {ABORT: self.transport.abort})
        if self._late is None:
            self._expect_head()

    def on_headers_complete(self) -> None:
        self._head_is_there()
        super().on_headers_complete()

    def _expect_head(self) -> None:
        self._late = self.loop.call_later(limits.CALL_SECONDS, self.transport.abort)

    def _head_is_there(self) -> None:
        self._head_bytes = 0
        if self._late is not None:
            self._late.cancel()
            self._late = None


class _Uvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are the service's own affair."""
        yield


class WebServer:
    """Listens for HTTP, in the clear unless the settings have a certificate. Without services it has only pages."""

    def __init__(
        self, services: Sequence[Service], settings: Settings, why_not: Callable[[], str], counted: bool
    ) -> None:
        self._settings = settings
        self._task: asyncio.Task[None] | None = None
        web, tls = Web(services, why_not, settings.cors_origins, counted), settings.tls
        self._server = _Uvicorn(
            uvicorn.Config(
                web.app,
                lifespan="off",
                interface="asgi3",
                loop="none",
                http=_Connection,
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # an address that the client itself may write says nothing
                limit_concurrency=limits.HTTP_CONNECTIONS,
                timeout_keep_alive=limits.KEEPALIVE_MS // 1000,
                timeout_graceful_shutdown=int(limits.STOP_SECONDS),
                ssl_certfile=tls and tls.certificate,
                ssl_keyfile=tls and tls.key,
                ssl_ca_certs=str(tls.client_ca) if tls and tls.client_ca else None,
                ssl_cert_reqs=ssl.CERT_REQUIRED if tls and tls.client_ca else ssl.CERT_NONE,
            )
        )

    async def start(self, listen: str, setting: str) -> int:
        """Listens on HOST:PORT, which this setting says, port 0 for a free one; the port."""
        host, _, port = listen.rpartition(":")
        try:
            self._server.config.load()
        except (OSError, ssl.SSLError):
            raise BadSetting("WELLHEAD_TLS_CERTIFICATE", "the certificate and its key are of no use") from None
        try:
            listener = socket.create_server(
                (host.strip("[]"), int(port)),
                family=socket.AF_INET6 if ":" in host else socket.AF_INET,
                reuse_port=self._settings.reuse_port,
                backlog=2048,
            )
        except OSError:
            raise BadSetting(setting, f"cannot listen on {listen}") from None
        self._task = asyncio.create_task(self._server.serve([listener]))
        listening = asyncio.create_task(self._server.listening.wait())
        await asyncio.wait((self._task, listening), return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            listening.cancel()
            self._task.result()
        return int(listener.getsockname()[1])

    async def stop(self) -> None:
        """Takes no new calls and lets those that run end, for a limited time."""
        self._server.should_exit = True
        if self._task is not None:
            await self._task
