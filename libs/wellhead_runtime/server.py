"""A server as every service has it: gRPC, guarded, with health and reflection; where it is wanted, HTTP beside it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import grpc
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from wellhead_runtime import limits
from wellhead_runtime.interceptors import Guard
from wellhead_runtime.methods import Method, Service
from wellhead_runtime.settings import BadSetting, Settings

if TYPE_CHECKING:
    from wellhead_runtime.webserver import WebServer

_SERVING = health_pb2.HealthCheckResponse.SERVING


class Server:
    """One listening server, in the clear unless the settings have a certificate."""

    def __init__(self, services: Sequence[Service], settings: Settings) -> None:
        self._settings = settings
        self._web = _web_server(services, settings)
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
        for name in ("", *self._names):
            await self._health.set(name, _SERVING)
        return port, await self._web.start(self._settings.http_listen) if self._web else 0

    async def announce_stop(self) -> None:
        """Tells whoever asks for the health that this server goes, and ends the calls that wait for their client."""
        await self._health.enter_graceful_shutdown()
        self._guard.stop()
        if self._web:
            self._web.announce_stop()

    async def stop(self) -> None:
        """Takes no new calls and lets those that run end, for a limited time."""
        await asyncio.gather(self._server.stop(limits.STOP_SECONDS), *([self._web.stop()] if self._web else []))


def _web_server(services: Sequence[Service], settings: Settings) -> "WebServer | None":
    if not settings.http_listen:
        return None
    from wellhead_runtime.webserver import WebServer  # a service without HTTP need not load it

    return WebServer(services, settings)


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
