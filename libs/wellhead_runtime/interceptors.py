"""The outermost layer of every gRPC call: nothing that goes wrong below reaches the client unmapped (R-API-1).

It takes the bytes as they come, so that a message which is too large or no message at all gets a typed error like any
other; makes the call of the context; and writes streams itself, to notice a reader that takes nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Container
from contextlib import AbstractContextManager, aclosing, nullcontext
from typing import Any, TypeAlias, cast
from urllib.parse import unquote

import grpc
from grpc import aio
from grpc_status import rpc_status

from wellhead_runtime import guard, limits, logging, tracing
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import to_status

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class Guard(aio.ServerInterceptor):
    """Guards every method; a method's guarded handler is made once. `ours` are the paths of those that take a `Call`:
    the libraries' own, like the health service's, take the context."""

    def __init__(self, ours: Container[str]) -> None:
        self._ours = ours
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
        give = _call if method in self._ours else _context
        read = cast(Callable[[bytes], Any], handler.request_deserializer)
        if handler.request_streaming:
            both = self._stream_stream(method, cast(Any, handler.stream_stream), read, give)
            return grpc.stream_stream_rpc_method_handler(both, None, handler.response_serializer)
        if handler.response_streaming:
            stream = _unary_stream(method, cast(Any, handler.unary_stream), read, give)
            return grpc.unary_stream_rpc_method_handler(stream, None, handler.response_serializer)
        unary = _unary_unary(method, cast(Any, handler.unary_unary), read, give)
        return grpc.unary_unary_rpc_method_handler(unary, None, handler.response_serializer)

    def _stream_stream(self, method: str, serve: Callable[..., Any], read: Callable[[bytes], Any], give: "Give") -> Any:
        async def stream_stream(sent: AsyncIterator[bytes], context: Context) -> None:
            try:
                # No limit on the time of a write: who does not read the answers does not get to ask on either.
                async with aclosing(serve(self._requests(method, sent, read), give(method, context))) as answers:
                    async for answer in answers:
                        await context.write(answer)
            except asyncio.CancelledError:
                if not self._stopping:
                    raise
                await _abort(context, guard.stopping(), method)
            except Exception as error:
                await _abort(context, error, method)

        return stream_stream

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
            request = guard.parse(each, read)
            logging.bind(method, request)
            yield request
        raise guard.stopping()


Give: TypeAlias = Callable[[str, Context], Any]
"""What a handler is given beside the request."""


def _context(method: str, context: Context) -> Context:
    return context


def _call(method: str, context: Context) -> Call:
    metadata = {name: value for name, value in context.invocation_metadata() or () if isinstance(value, str)}
    return Call(method, metadata, _address(context.peer()), cast(Any, context.time_remaining))


def _address(peer: str) -> str:
    """The address in `ipv4:ADDRESS:PORT` or `ipv6:%5BADDRESS%5D:PORT`."""
    kind, _, rest = peer.partition(":")
    return unquote(rest.rpartition(":")[0]).strip("[]") if kind in ("ipv4", "ipv6") else ""


def _unary_unary(method: str, serve: Callable[..., Awaitable[Any]], read: Callable[[bytes], Any], give: Give) -> Any:
    async def unary_unary(sent: bytes, context: Context) -> Any:
        try:
            call = give(method, context)
            with _received(method, call):
                with tracing.span("parse"):
                    request = guard.parse(sent, read)
                return await guard.answer(method, serve, request, call)
        except Exception as error:
            await _abort(context, error, method)

    return unary_unary


def _received(method: str, call: Any) -> AbstractContextManager[None]:
    """The trace of a call to one of ours."""
    return tracing.receive(method, call.metadata) if isinstance(call, Call) else nullcontext()


def _unary_stream(
    method: str, serve: Callable[..., AsyncIterator[Any]], read: Callable[[bytes], Any], give: Give
) -> Any:
    async def unary_stream(sent: bytes, context: Context) -> None:
        try:
            request = guard.parse(sent, read)
            logging.bind(method, request)
            await _write(serve(request, give(method, context)), context)
        except Exception as error:
            await _abort(context, error, method)

    return unary_stream


async def _write(messages: AsyncIterator[Any] | Awaitable[None], context: Context) -> None:
    if isinstance(messages, Awaitable):  # the health service writes its stream itself
        return await messages
    stream, loop = cast(AsyncGenerator[Any, None], messages), asyncio.get_running_loop()
    closing: asyncio.Task[None] | None = None

    def let_go() -> None:
        """Nobody reads: what the stream holds is given back now. The call itself has one write at a time, and no status
        before that is through, which is when the reader takes something again or its connection is found dead."""
        nonlocal closing
        closing = loop.create_task(stream.aclose())

    async with aclosing(stream):
        async for message in stream:
            timer = loop.call_later(limits.WRITE_SECONDS, let_go)
            try:
                await context.write(message)
            finally:
                timer.cancel()
                if closing is not None:
                    await closing
            if closing is not None:
                raise guard.slow_reader()


async def _abort(context: Context, error: Exception, method: str) -> None:
    if isinstance(error, aio.AbortError):
        raise error
    await context.abort_with_status(rpc_status.to_status(to_status(guard.explain(error, method))))
