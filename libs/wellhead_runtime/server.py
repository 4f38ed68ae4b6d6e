"""A gRPC server as every service has it: guarded, with health and reflection."""

from collections.abc import Callable, Sequence

from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from wellhead_runtime import limits
from wellhead_runtime.interceptors import Guard
from wellhead_runtime.settings import BadSetting

_SERVING = health_pb2.HealthCheckResponse.SERVING

Register = Callable[[aio.Server], None]
"""Adds a servicer to a server."""


class Server:
    """One listening server; `names` are the full names of its services."""

    def __init__(self, names: Sequence[str], register: Register, reuse_port: bool = False) -> None:
        self._names = names
        self._guard = Guard()
        self._server = aio.server(
            interceptors=[self._guard],
            options=[
                ("grpc.max_receive_message_length", limits.TRANSPORT_BYTES),
                # Off unless asked for: otherwise a second server on a port in use would start without a word.
                ("grpc.so_reuseport", int(reuse_port)),
                ("grpc.keepalive_time_ms", limits.KEEPALIVE_MS),
                ("grpc.keepalive_timeout_ms", limits.KEEPALIVE_TIMEOUT_MS),
            ],
        )
        register(self._server)
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection([*names, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server)

    async def start(self, listen: str) -> int:
        """Listens on HOST:PORT, port 0 for a free one; the port."""
        try:
            port = self._server.add_insecure_port(listen)
        except RuntimeError:
            raise BadSetting("WELLHEAD_LISTEN", f"cannot listen on {listen}") from None
        await self._server.start()
        for name in ("", *self._names):
            await self._health.set(name, _SERVING)
        return port

    async def announce_stop(self) -> None:
        """Tells whoever asks for the health that this server goes, and ends the calls that wait for their client."""
        await self._health.enter_graceful_shutdown()
        self._guard.stop()

    async def stop(self) -> None:
        """Takes no new calls and lets those that run end, for a limited time."""
        await self._server.stop(limits.STOP_SECONDS)
