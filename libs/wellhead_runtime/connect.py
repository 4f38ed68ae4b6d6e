"""The same methods over Connect and gRPC-Web: how their bytes become calls, and how our errors become theirs.

`connectrpc` speaks the protocols. From here it gets an endpoint for every method, codecs that refuse what the gRPC side
refuses, and errors that carry the same details.
"""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any, cast

import protobuf.wkt
from connectrpc._protocol import ConnectWireError  # how an error is written
from connectrpc.code import Code
from connectrpc.codec import Codec
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf import descriptor_pool, json_format
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from wellhead_runtime import guard, limits, logging, tracing
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import FieldFault, Refused, malformed, to_status
from wellhead_runtime.methods import Method, Service
from wellhead_runtime.reasons import Reason

Context = RequestContext[Any, Any]


class Connect(ConnectASGIApplication[None]):
    """The methods of these services as an ASGI application."""

    def __init__(self, services: Iterable[Service]) -> None:
        endpoints = {method.path: _endpoint(method) for service in services for method in service.methods}
        super().__init__(
            service=None,
            endpoints=lambda _: endpoints,
            interceptors=[_Explain()],
            read_max_bytes=limits.TRANSPORT_BYTES,  # what is smaller and still too large is refused by the codecs
            codecs=[_Binary(), _Json()],
        )

    @property
    def path(self) -> str:
        """Where it is mounted."""
        return ""


# -- methods -----------------------------------------------------------------------------------------------------------


def _endpoint(method: Method) -> Any:
    kind = StreamType.SERVER_STREAM if method.goes_on else StreamType.UNARY
    service, _, name = method.path[1:].partition("/")
    info: MethodInfo[Any, Any] = MethodInfo(
        name=name,
        service_name=service,
        input=method.request,
        output=method.response,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.BIDI_STREAM if method.asks_on else kind,
    )
    if method.asks_on:
        return Endpoint.bidi_stream(info, _one_way)
    if method.goes_on:
        return Endpoint.server_stream(info, _stream(method))
    return Endpoint.unary(info, _unary(method))


def _unary(method: Method) -> Any:
    async def unary(request: Message, context: Context) -> Message:
        try:
            return cast(Message, await guard.answer(method.path, method.serve, request, _call(method, context)))
        except Exception as error:
            tracing.fail(error)
            raise refuse(guard.explain(error, method.path)) from None

    return unary


def _stream(method: Method) -> Any:
    async def stream(request: Message, context: Context) -> AsyncGenerator[Message]:
        try:
            logging.bind(method.path, request)
            async with aclosing(method.serve(request, _call(method, context))) as messages:
                async for message in messages:
                    yield message
        except Exception as error:
            raise refuse(guard.explain(error, method.path)) from None

    return stream


def one_way_only(name: str) -> Refused:
    """A method whose requests are a stream, asked for over a protocol that lets the client speak once."""
    detail = f"{name} needs a stream in both directions, which only gRPC has; send each command with SubmitCommand"
    return Refused(Reason.NOT_OVER_HTTP, detail)


def _one_way(requests: AsyncIterator[Message], context: Context) -> AsyncIterator[Message]:
    raise refuse(one_way_only(context.method.name))


def _call(method: Method, context: Context) -> Call:
    def time_remaining() -> float | None:
        left = context.timeout_ms
        return None if left is None else max(left, 0.0) / 1000

    address = (context.client_address or "").rpartition(":")[0]
    return Call(method.path, dict(context.request_headers.allitems()), address, time_remaining)


# -- messages ----------------------------------------------------------------------------------------------------------


class _Binary(Codec[Message, Message]):
    """Protobuf's own bytes."""

    def name(self) -> str:
        return "proto"

    def encode(self, message: Message) -> bytes:
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, message_class: type[Message]) -> Message:
        try:
            with tracing.span("parse"):
                return cast(Message, guard.parse(bytes(data), message_class.FromString))
        except Refused as refused:
            raise refuse(guard.explain(refused)) from None


class _Json(Codec[Message, Message]):
    """Protobuf's JSON. What is not a field of the message is an error: a word misspelt would be a wish ignored."""

    def name(self) -> str:
        return "json"

    def encode(self, message: Message) -> bytes:
        return _json(message).encode()

    def decode(self, data: bytes | bytearray, message_class: type[Message]) -> Message:
        try:
            guard.check_size(len(data))
            with tracing.span("parse"):
                return json_format.Parse(data.decode(), message_class(), max_recursion_depth=limits.JSON_DEPTH)
        except Refused as refused:
            raise refuse(guard.explain(refused)) from None
        except (json_format.ParseError, ValueError, RecursionError) as error:
            raise refuse(guard.explain(malformed([_fault(str(error))]))) from None


def _json(message: Message) -> str:
    """Zeros and empty lists are written out: whoever reads JSON by hand should not have to know what is left out."""
    return json_format.MessageToJson(message, indent=None, always_print_fields_with_no_presence=True)


_UNKNOWN = re.compile(r'has no field named "(?P<name>[^"]*)" at "(?P<place>[^"]*)"')
_BAD_VALUE = re.compile(r"Failed to parse (\w+) field: ")


def _fault(told: str) -> FieldFault:
    """The field at fault, from what the parser says: it names the message's type, then the fields down to the place."""
    if unknown := _UNKNOWN.search(told):
        path = [*unknown["place"].split(".")[1:], unknown["name"]]
        return FieldFault(".".join(path), "is no field of this message")
    path = _BAD_VALUE.findall(told)
    if not path:
        return FieldFault("request", "the text is no JSON of this method's message")
    return FieldFault(".".join(path), "has a value of another type, or one out of range")


# -- errors ------------------------------------------------------------------------------------------------------------


class _Detail(ErrorDetail):
    """A google.rpc detail. Beside its bytes the error's JSON shows it readable, as the protocol's `debug`."""

    def __init__(self, detail: Packed) -> None:
        super().__init__(protobuf.wkt.Any(type_url=detail.type_url, value=detail.value))
        self._packed = detail

    def value(self, *_: Any) -> Any:
        name = self._packed.TypeName()
        message = GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(name))()
        self._packed.Unpack(message)
        return protobuf.wkt.Struct.from_json(_json(message))


def refuse(refused: Refused) -> ConnectError:
    """The error in Connect's words."""
    status = to_status(refused)
    code = Code[refused.code.name.replace("CANCELLED", "CANCELED")]
    return ConnectError(code, status.message, [_Detail(detail) for detail in status.details])


def http_status(error: ConnectError) -> int:
    """The status that goes with the error."""
    return ConnectWireError.from_exception(error).to_http_status().code


def to_json(error: ConnectError) -> bytes:
    """The error as the body of an answer."""
    return ConnectWireError.from_exception(error).to_json_bytes()


class _Explain:
    """Gives what the library itself refuses a reason too."""

    async def on_start(self, context: Context) -> None:
        """There is nothing to do yet."""

    async def on_end(self, token: None, context: Context, error: Exception | None) -> None:
        """Called with whatever has ended the call."""
        match error:
            case None:
                return
            case ConnectError():
                refused = None if error.details else _refused_by_library(error)
            case _:
                refused = guard.explain(error)
        if refused is not None:
            raise refuse(refused) from error


def _refused_by_library(error: ConnectError) -> Refused | None:
    match error.code:
        case Code.RESOURCE_EXHAUSTED:
            return guard.too_large(f"the message has more than {limits.TRANSPORT_BYTES} bytes")
        case Code.INVALID_ARGUMENT:
            return malformed([FieldFault("request", "the bytes are no message of this method")])
        case Code.DEADLINE_EXCEEDED:
            return guard.explain(TimeoutError())
        case Code.UNIMPLEMENTED:
            return Refused(Reason.UNKNOWN_ENCODING, error.message)
    return None  # the client is gone
