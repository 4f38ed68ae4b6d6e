"""The services as a client reaches them over HTTP, by a library that is not ours, in the shape of gRPC's stubs."""

from collections.abc import Callable
from typing import Any

import grpc
from connectrpc.client import ConnectClient
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, status_pb2
from pyqwest import Client, HTTPTransport

TRANSPORTS = ["grpc", "connect", "json", "grpc-web"]


class Stub:
    """The methods of a service over one of the protocols; those that need streams in both directions are missing."""

    def __init__(self, transport: str, port: int, service: ServiceDescriptor) -> None:
        self.http = HTTPTransport(enable_otel=False)
        client = ConnectClient(
            f"http://127.0.0.1:{port}",
            codec=google_protobuf_json_codec() if transport == "json" else google_protobuf_binary_codec(),
            protocol=ProtocolType.GRPC_WEB if transport == "grpc-web" else ProtocolType.CONNECT,
            http_client=Client(self.http),
        )
        for method in service.methods:
            if not method.client_streaming:
                setattr(self, method.name, _call(client, method))


class Stream:
    """Messages as a gRPC stream hands them out."""

    def __init__(self, messages: Any) -> None:
        self._messages = messages

    def __aiter__(self) -> Any:
        return self._messages

    async def read(self) -> Any:
        return await anext(self._messages, grpc.aio.EOF)

    async def close(self) -> None:
        await self._messages.aclose()


def _call(client: ConnectClient, method: MethodDescriptor) -> Callable[..., Any]:
    info: MethodInfo[Any, Any] = MethodInfo(
        name=method.name,
        service_name=method.containing_service.full_name,
        input=GetMessageClass(method.input_type),
        output=GetMessageClass(method.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.SERVER_STREAM if method.server_streaming else StreamType.UNARY,
    )

    def call(request: Any, timeout: float | None = None, metadata: Any = ()) -> Any:
        given: dict[str, Any] = {
            "request": request,
            "method": info,
            "headers": dict(metadata),
            "timeout_ms": None if timeout is None else int(timeout * 1000),
        }
        if method.server_streaming:
            return Stream(client.execute_server_stream(**given))
        return client.execute_unary(**given)

    return call


def status_of(error: ConnectError) -> status_pb2.Status:
    """The error as gRPC has it."""
    code = code_pb2.Code.Value(error.code.name.replace("CANCELED", "CANCELLED"))
    status = status_pb2.Status(code=code, message=error.message)
    for detail in error.details:
        status.details.add(type_url=f"type.googleapis.com/{detail.type_name}", value=detail.message_bytes)
    return status
