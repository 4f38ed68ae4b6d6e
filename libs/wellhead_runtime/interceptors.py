"""The outermost layer of every call: nothing that goes wrong below reaches the client unmapped (R-API-1).

It takes the bytes as they come, so that a message which is too large or no message at all gets a typed error like any
other; binds the call to the log; bounds calls that bring no deadline; and writes streams itself, to notice a reader
that takes nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias, cast

import grpc
import structlog
from google.protobuf.message import DecodeError
from grpc import StatusCode, aio
from grpc_status import rpc_status

from wellhead_runtime import limits, logging
from wellhead_runtime.errors import FieldFault, Refused, busy, internal, malformed, refusal, to_status

_log = structlog.get_logger(__name__)

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class Guard(aio.ServerInterceptor):
    """Guards every method; a method's guarded handler is made once."""

    def __init__(self) -> None:
        self._guarded: dict[str, Handler | None] = {}
        self._listening: set[asyncio.Task[Any]] = set()
        self._stopping = False

    def stop(self) -> None:
        """Ends the calls that wait for their client's next message; those at work end before they wait again."""
        self._stopping = True
        for task in self._listening:
            task.cancel()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        method = handler_call_details.method
        if method in self._guarded:
            return self._guarded[method]
        handler = await continuation(handler_call_details)
        if handler is not None:  # what is not served is not remembered: its name is the caller's choice
            handler = self._guarded[method] = self._guard(method, handler)
        return handler

    def _guard(self, method: str, handler: Handler) -> Handler:
        if not handler.request_streaming:
            return _guard(method, handler)
        serve, read = cast(Any, handler.stream_stream), cast(Callable[[bytes], Any], handler.request_deserializer)

        async def stream_stream(sent: AsyncIterator[bytes], context: Context) -> None:
            try:
                # No limit on the time of a write: who does not read the answers does not get to ask on either.
                async with aclosing(serve(self._requests(method, sent, read), context)) as answers:
                    async for answer in answers:
                        await context.write(answer)
            except asyncio.CancelledError:
                if not self._stopping:
                    raise
                await _abort(context, _stopping())
            except Exception as error:
                await _abort(context, error)

        return grpc.stream_stream_rpc_method_handler(cast(Any, stream_stream), None, handler.response_serializer)

    async def _requests(
        self, method: str, sent: AsyncIterator[bytes], read: Callable[[bytes], Any]
    ) -> AsyncIterator[Any]:
        task = asyncio.current_task()
        assert task is not None
        while not self._stopping:
            self._listening.add(task)
            try:
                each = await anext(sent)
            except StopAsyncIteration:
                return
            finally:
                self._listening.discard(task)
            request = _parse(each, read)
            logging.bind(method, request)
            yield request
        raise _stopping()


def _stopping() -> Refused:
    return busy("SERVER_STOPPING", "the server is stopping; another one or the next one will answer")


def _guard(method: str, handler: Handler) -> Handler:
    read = cast(Callable[[bytes], Any], handler.request_deserializer)
    if handler.response_streaming:
        behaviour = _unary_stream(method, cast(Any, handler.unary_stream), read)
        return grpc.unary_stream_rpc_method_handler(behaviour, None, handler.response_serializer)
    behaviour = _unary_unary(method, cast(Any, handler.unary_unary), read)
    return grpc.unary_unary_rpc_method_handler(behaviour, None, handler.response_serializer)


def _unary_unary(method: str, serve: Callable[..., Awaitable[Any]], read: Callable[[bytes], Any]) -> Any:
    async def unary_unary(sent: bytes, context: Context) -> Any:
        try:
            request = _parse(sent, read)
            logging.bind(method, request)
            if context.time_remaining() is not None:
                return await serve(request, context)
            async with asyncio.timeout(limits.CALL_SECONDS):
                return await serve(request, context)
        except Exception as error:
            await _abort(context, error)

    return unary_unary


def _unary_stream(method: str, serve: Callable[..., AsyncIterator[Any]], read: Callable[[bytes], Any]) -> Any:
    async def unary_stream(sent: bytes, context: Context) -> None:
        try:
            request = _parse(sent, read)
            logging.bind(method, request)
            await _write(serve(request, context), context)
        except Exception as error:
            await _abort(context, error)

    return unary_stream


async def _write(messages: AsyncIterator[Any] | Awaitable[None], context: Context) -> None:
    if isinstance(messages, Awaitable):  # the health service writes its stream itself
        return await messages
    async with aclosing(cast(AsyncGenerator[Any, None], messages)):
        async for message in messages:
            try:
                async with asyncio.timeout(limits.WRITE_SECONDS):
                    await context.write(message)
            except TimeoutError:
                detail = f"the reader has taken nothing for {limits.WRITE_SECONDS:.0f} seconds"
                raise Refused(StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER", detail) from None


def _parse(sent: bytes, read: Callable[[bytes], Any]) -> Any:
    if len(sent) > limits.REQUEST_BYTES:
        detail = f"the message has {len(sent)} bytes, at most {limits.REQUEST_BYTES}"
        raise Refused(StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE", detail)
    try:
        return read(sent)
    except DecodeError:
        raise malformed([FieldFault("", "the bytes are no message of this method")]) from None


async def _abort(context: Context, error: Exception) -> None:
    if isinstance(error, aio.AbortError):
        raise error
    refused = refusal(error)
    if refused is None:
        _log.error("unforeseen error", exc_info=error)
        refused = internal()
    elif refused.code is StatusCode.DATA_LOSS:
        _log.critical("data loss", reason=refused.reason, exc_info=error)
    else:
        _log.info("refused", reason=refused.reason, code=refused.code.name)
    await context.abort_with_status(rpc_status.to_status(to_status(refused)))
