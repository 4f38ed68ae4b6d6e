"""The HTTP port of a service: its methods for browsers and curl, its health, its description.

    POST /package.Service/Method   Connect, gRPC-Web, or plain JSON: see `connect`
    GET  /healthz, /readyz         is it alive, and does it take calls; if not, why
    GET  /metrics                  its numbers, for Prometheus, unless they have a port of their own
    GET  /openapi.json             the same methods as an OpenAPI document

It listens beside the gRPC port, in the same loop, for the same servicers: see `webserver`.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from http import HTTPStatus
from typing import Any

from connectrpc.errors import ConnectError
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wellhead_runtime import connect, guard, limits, metrics, openapi, tracing
from wellhead_runtime.errors import FieldFault, Refused, malformed
from wellhead_runtime.methods import Method, Service
from wellhead_runtime.reasons import Reason

ABORT = "wellhead.abort"
"""The extension of a scope by which a call ends a connection at once: an orderly end would wait for the reader."""

_GRPC_WEB = {"application/grpc-web", "application/grpc-web+proto", "application/grpc-web+json"}
_UNARY = {"application/json", "application/proto", *_GRPC_WEB}
_STREAM = {"application/connect+json", "application/connect+proto", *_GRPC_WEB}

_ASKED = (
    "authorization", "content-encoding", "connect-accept-encoding", "connect-content-encoding",
    "connect-protocol-version", "connect-timeout-ms", "grpc-accept-encoding", "grpc-timeout", "x-grpc-web",
    "x-user-agent",
)  # fmt: skip
_TOLD = ("connect-content-encoding", "grpc-encoding", "grpc-message", "grpc-status", "grpc-status-details-bin")


class Web:
    """The ASGI application of some services; `why_not` says why they take no calls, empty if they do."""

    def __init__(
        self,
        services: Sequence[Service],
        why_not: Callable[[], str],
        origins: Sequence[str] = (),
        counted: bool = False,
    ) -> None:
        self._services = services
        self._why_not = why_not
        self._methods = {method.path: method for service in services for method in service.methods}
        self._connect: Any = connect.Connect(services)
        self._pages = Starlette(
            routes=[
                Route("/healthz", self._healthz),
                Route("/readyz", self._readyz),
                *([Route("/openapi.json", self._openapi)] if services else []),
                *([Route("/metrics", self._metrics)] if counted else []),
            ],
            exception_handlers={404: _no_such_page},
        )
        self.app: ASGIApp = self._serve
        if origins:
            self.app = CORSMiddleware(
                self._serve,
                allow_origins=origins,
                allow_methods=["GET", "POST"],
                allow_headers=_ASKED,
                expose_headers=_TOLD,
                max_age=7200,
            )

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = self._methods.get(scope["path"])
        if method is None:
            return await self._pages(scope, receive, send)
        if response := _not_a_call(scope, method):
            return await response(scope, receive, send)
        try:
            with _received(scope, method):
                await self._connect(scope, _bounded(receive), _patient(send))
        except ConnectError:
            # It has been logged, and cannot be told any more: what was sent before lies unread.
            scope["extensions"][ABORT]()
            await asyncio.sleep(0)  # for whoever asks next, it is gone

    async def _healthz(self, request: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def _readyz(self, request: Request) -> Response:
        why_not = self._why_not()
        return PlainTextResponse(f"{why_not}\n", 503) if why_not else PlainTextResponse("ready\n")

    async def _metrics(self, request: Request) -> Response:
        return Response(metrics.page(), headers={"content-type": metrics.CONTENT_TYPE})

    async def _openapi(self, request: Request) -> Response:
        return JSONResponse(self._description)

    @cached_property
    def _description(self) -> dict[str, Any]:
        return openapi.document([service.descriptor for service in self._services])


def _received(scope: Scope, method: Method) -> AbstractContextManager[None]:
    """The trace of a call that is answered; a stream is none, it lasts."""
    if not tracing.active() or method.goes_on:
        return nullcontext()
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    return tracing.receive(method.path, headers)


# -- what is no call ---------------------------------------------------------------------------------------------------


def _not_a_call(scope: Scope, method: Method) -> Response | None:
    """Says what is wrong with a request that cannot be a call of the method; None if it may be one."""
    if scope["method"] != "POST":
        detail = f"{method.name} is called by POST"
        return _refusal(Refused(Reason.UNKNOWN_METHOD, detail), HTTPStatus.METHOD_NOT_ALLOWED, {"allow": "POST"})
    kind = ""
    for name, value in scope["headers"]:
        if not value.isascii() or not name.isascii():
            return _refusal(malformed([FieldFault("request", "a header has a character that is not ASCII")]))
        if name == b"content-type":
            kind = value.partition(b";")[0].strip().lower().decode()
        elif name == b"connect-protocol-version" and value != b"1":
            return _refusal(malformed([FieldFault("request", "connect-protocol-version is not 1")]))
        elif name == b"connect-timeout-ms" and not (value.isdigit() and len(value) <= 10):
            return _refusal(malformed([FieldFault("request", "connect-timeout-ms is no number of at most 10 digits")]))
    if kind in (_STREAM if method.goes_on else _UNARY):
        return None
    if method.asks_on:
        return _refusal(connect.one_way_only(method.name))
    what = "answers with a stream; ask for it" if method.goes_on else "is called"
    how = "application/connect+json" if method.goes_on else "application/json"
    detail = f"{method.name} {what} with Content-Type {how}, Connect's protobuf or gRPC-Web"
    return _refusal(Refused(Reason.UNKNOWN_ENCODING, detail), HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


def _no_such_page(request: Request, error: Exception) -> Response:
    return _refusal(Refused(Reason.UNKNOWN_METHOD, "there is nothing at this path"), HTTPStatus.NOT_FOUND)


def _refusal(refused: Refused, status: HTTPStatus | None = None, headers: dict[str, str] | None = None) -> Response:
    error = connect.refuse(guard.explain(refused))
    return Response(connect.to_json(error), status or connect.http_status(error), headers, "application/json")


# -- slow clients ------------------------------------------------------------------------------------------------------


def _patient(send: Send) -> Send:
    """Sends as long as somebody reads."""

    async def patient(message: Message) -> None:
        try:
            async with asyncio.timeout(limits.WRITE_SECONDS):
                await send(message)
        except TimeoutError:
            raise guard.slow_reader() from None

    return patient


def _bounded(receive: Receive) -> Receive:
    """Receives a request that arrives within the time of a call; afterwards it only waits for the client to leave."""
    arrived, until = False, asyncio.get_running_loop().time() + limits.CALL_SECONDS

    async def bounded() -> Message:
        nonlocal arrived
        if arrived:
            return await receive()
        async with asyncio.timeout_at(until):
            message = await receive()
        arrived = not message.get("more_body", False)
        return message

    return bounded
