"""The same calls over HTTP, in Connect's protobuf: for places that gRPC does not reach.

A stub looks like the one that gRPC's generator makes, so that the client need not know which it has; only `Play`, which
needs a stream in both directions, is missing. What fails, fails as `Refused` at once.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

from connectrpc.client import ConnectClient
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, status_pb2
from pyqwest import Client, HTTPTransport

from wellhead_client.errors import Refused, refusal_of_status
from wellhead_client.tls import Tls

Metadata = tuple[tuple[str, str], ...]


class Connection:
    """Connections to a service at `http://HOST:PORT` or `https://HOST:PORT`."""

    def __init__(self, address: str, tls: Tls) -> None:
        ca, certificate, key = tls.pem
        self._transport = HTTPTransport(
            enable_otel=False,
            enable_gzip=False,
            enable_brotli=False,
            enable_zstd=False,
            tls_ca_cert=ca,
            tls_include_system_certs=ca is None,
            tls_cert=certificate,
            tls_key=key,
        )
        self._client = ConnectClient(
            address.rstrip("/"),
            codec=google_protobuf_binary_codec(),
            accept_compression=(),
            send_compression=None,
            http_client=Client(self._transport),
        )

    def stub(self, service: ServiceDescriptor) -> Any:
        """An object with a method for each of the service's."""
        return _Stub(self._client, service)

    async def close(self) -> None:
        """Lets go of the connections."""
        await self._transport.aclose()


class _Stub:
    def __init__(self, client: ConnectClient, service: ServiceDescriptor) -> None:
        for method in service.methods:
            if not method.client_streaming:
                make = _stream if method.server_streaming else _unary
                setattr(self, method.name, make(client, method))


def _info(method: MethodDescriptor, kind: StreamType) -> MethodInfo[Any, Any]:
    return MethodInfo(
        name=method.name,
        service_name=method.containing_service.full_name,
        input=GetMessageClass(method.input_type),
        output=GetMessageClass(method.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=kind,
    )


def _unary(client: ConnectClient, method: MethodDescriptor) -> Callable[..., Any]:
    info = _info(method, StreamType.UNARY)

    async def unary(request: Any, timeout: float | None = None, metadata: Metadata = ()) -> Any:  # noqa: ASYNC109
        try:
            return await client.execute_unary(
                request=request, method=info, headers=dict(metadata), timeout_ms=_milliseconds(timeout)
            )
        except ConnectError as error:
            raise _failure(error) from error

    return unary


def _stream(client: ConnectClient, method: MethodDescriptor) -> Callable[..., Any]:
    info = _info(method, StreamType.SERVER_STREAM)

    async def stream(
        request: Any,
        timeout: float | None = None,  # noqa: ASYNC109
        metadata: Metadata = (),
    ) -> AsyncGenerator[Any]:
        messages: Any = client.execute_server_stream(
            request=request, method=info, headers=dict(metadata), timeout_ms=_milliseconds(timeout)
        )
        try:
            async for message in messages:
                yield message
        except ConnectError as error:
            raise _failure(error) from error
        finally:
            await messages.aclose()

    return stream


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else max(1, int(seconds * 1000))


def _failure(error: ConnectError) -> BaseException:
    """What the error says; a cancellation, which the library dresses as an error, as itself."""
    if isinstance(error.__cause__, asyncio.CancelledError):
        return error.__cause__
    code = code_pb2.Code.Value(error.code.name.replace("CANCELED", "CANCELLED"))
    if not error.details:
        # A server's own error carries details. Without them these are words of whatever stands in between.
        broken = code in (code_pb2.INTERNAL, code_pb2.UNKNOWN, code_pb2.CANCELLED)
        code = code_pb2.UNAVAILABLE if broken else code
        return Refused(code, code_pb2.Code.Name(code), error.message)
    status = status_pb2.Status(code=code, message=error.message)
    for detail in error.details:
        status.details.add(type_url=f"type.googleapis.com/{detail.type_name}", value=detail.message_bytes)
    return refusal_of_status(status)
