"""A server as every service has it: gRPC, guarded, with health and reflection; where it is wanted, HTTP beside it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import grpc
import structlog
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from prometheus_client import Gauge

from wellhead_runtime import limits
from wellhead_runtime.interceptors import Guard
from wellhead_runtime.methods import Method, Service
from wellhead_runtime.metrics import REGISTRY
from wellhead_runtime.settings import BadSetting, Settings

if TYPE_CHECKING:
    from wellhead_runtime.webserver import WebServer

READY = Gauge("wellhead_ready", "1 while the service takes calls that can succeed, else 0.", registry=REGISTRY)

STOPPING, FAILED, SILENT = "stopping", "background work has failed", "the store does not answer"
"""Why a service takes no calls."""

_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

_log = structlog.get_logger(__name__)


class Server:
    """One listening server, in the clear unless the settings have a certificate."""

    def __init__(self, services: Sequence[Service], settings: Settings) -> None:
        self._settings = settings
        self._why_not: dict[str, None] = {}
        own_port = bool(settings.metrics_listen)
        self._web = _web_server(services, settings, self, not own_port) if settings.http_listen else None
        self._metrics = _web_server((), replace(settings, reuse_port=False), self, True) if own_port else None
        self.metrics_port = 0
        self._names = [service.name for service in services]
        self._guard = Guard({method.path for service in services for method in service.methods})
        self._server = aio.server(
            interceptors=[self._guard],
            options=[
                ("grpc.max_receive_message_length", limits.TRANSPORT_BYTES),
                # Off unless asked for: otherwise a second server on a port in use would start without a word.
                ("grpc.so_reuseport", int(settings.reuse_port)),
                ("grpc.max_concurrent_streams", limits.CALLS_PER_CONNECTION),
                ("grpc.keepalive_time_ms", limits.KEEPALIVE_MS),
                ("grpc.keepalive_timeout_ms", limits.KEEPALIVE_TIMEOUT_MS),
            ],
        )
        for service in services:
            handlers = {method.name: _handler(method) for method in service.methods}
            self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service.name, handlers),))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection([*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server)

    async def start(self) -> tuple[int, int]:
        """Listens where the settings say; the port, and that for HTTP, 0 if there is none."""
        listen, tls = self._settings.listen, self._settings.tls
        try:
            if tls is None:
                port = self._server.add_insecure_port(listen)
            else:
                port = self._server.add_secure_port(listen, tls.server())
        except RuntimeError:
            raise BadSetting("WELLHEAD_LISTEN", f"cannot listen on {listen}") from None
        await self._server.start()
        await self._tell()
        if self._metrics:
            self.metrics_port = await self._metrics.start(self._settings.metrics_listen, "WELLHEAD_METRICS_LISTEN")
        return port, await self._web.start(self._settings.http_listen, "WELLHEAD_HTTP_LISTEN") if self._web else 0

    @property
    def why_not(self) -> str:
        """Why the service takes no calls that can succeed; empty if it does."""
        return ", ".join(self._why_not)

    async def hinder(self, why: str, on: bool = True) -> None:
        """From now on there is such a reason, or not any more; whoever asks for the health is told."""
        if on == (why in self._why_not):
            return
        if on:
            self._why_not[why] = None
            _log.warning("not ready", why=why)
        else:
            del self._why_not[why]
            _log.info("ready again", after=why)
        await self._tell()

    async def _tell(self) -> None:
        READY.set(not self._why_not)
        for name in ("", *self._names):
            await self._health.set(name, _NOT_SERVING if self._why_not else _SERVING)

    async def announce_stop(self) -> None:
        """Tells whoever asks for the health that this server goes, and ends the calls that wait for their client."""
        self._why_not[STOPPING] = None
        READY.set(0)
        await self._health.enter_graceful_shutdown()
        self._guard.stop()

    async def stop(self) -> None:
        """Takes no new calls and lets those that run end, for a limited time."""
        await asyncio.gather(
            self._server.stop(limits.STOP_SECONDS), *(each.stop() for each in (self._web, self._metrics) if each)
        )


def _web_server(services: Sequence[Service], settings: Settings, server: Server, counted: bool) -> "WebServer":
    from wellhead_runtime.webserver import WebServer  # a service without HTTP need not load it

    return WebServer(services, settings, lambda: server.why_not, counted)


def _handler(method: Method) -> "grpc.RpcMethodHandler[Any, Any]":
    make: Any
    match method.asks_on, method.goes_on:
        case False, False:
            make = grpc.unary_unary_rpc_method_handler
        case False, True:
            make = grpc.unary_stream_rpc_method_handler
        case _:
            make = grpc.stream_stream_rpc_method_handler
    write = _Once(method.response.SerializeToString) if method.goes_on else method.response.SerializeToString
    return make(method.serve, method.request.FromString, write)  # type: ignore[no-any-return]


class _Once:
    """Writes a message that goes to many streams, one after the other, as bytes once."""

    def __init__(self, write: Callable[[Any], bytes]) -> None:
        self._write = write
        self._latest: tuple[Any, bytes] = (None, b"")

    def __call__(self, message: Any) -> bytes:
        latest, written = self._latest
        if message is not latest:
            written = self._write(message)
            self._latest = (message, written)
        return written
