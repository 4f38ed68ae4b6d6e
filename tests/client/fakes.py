"""Services that answer as a test tells them to, on a real port."""

from collections.abc import AsyncIterator
from typing import Any

import grpc
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import command_service_pb2_grpc, query_service_pb2_grpc
from wellhead.v1 import query_service_pb2 as queries


class Break(Exception):
    """Tells a fake to fail the call: the status code, and details as a service sends them."""

    def __init__(self, code: grpc.StatusCode, reason: str = "", retry_ms: int | None = None, **metadata: str) -> None:
        super().__init__(code.name)
        self.code = code
        self.reason = reason
        self.retry_ms = retry_ms
        self.metadata = metadata

    async def abort(self, context: Any) -> None:
        if not self.reason:
            await context.abort(self.code, "broken")
        status = status_pb2.Status(code=code_pb2.Code.Value(self.code.name), message="a sentence")
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain="wellhead", metadata=self.metadata)
        status.details.add().Pack(info)
        if self.retry_ms is not None:
            retry = error_details_pb2.RetryInfo()
            retry.retry_delay.FromMilliseconds(self.retry_ms)
            status.details.add().Pack(retry)
        await context.abort_with_status(rpc_status.to_status(status))


class FakeCommands(command_service_pb2_grpc.GameCommandServiceServicer):
    """Answers by a script, an item a call or message of a stream, and remembers what it was sent.

    `Break` fails the call, None ends the stream, (asked, go on, answer) answers once the second event is set.
    """

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.requests: list[commands.SubmitCommandRequest] = []
        self.credentials: list[str] = []

    async def SubmitCommand(self, request: Any, context: Any) -> Any:
        self._remember(request, context)
        item = self.script.pop(0)
        if isinstance(item, Break):
            await item.abort(context)
        return item

    async def Play(self, requests: Any, context: Any) -> AsyncIterator[commands.PlayResponse]:
        async for request in requests:
            self._remember(request.command, context)
            item = self.script.pop(0)
            if isinstance(item, Break):
                await item.abort(context)
            if isinstance(item, tuple):
                asked, go_on, item = item
                asked.set()
                await go_on.wait()
            if item is None:
                return  # the stream ends without an answer
            answer = commands.PlayResponse(request_id=request.command.request_id)
            if isinstance(item, commands.Refusal):
                answer.refused.CopyFrom(item)
            else:
                answer.accepted.CopyFrom(item)
            yield answer

    def _remember(self, request: commands.SubmitCommandRequest, context: Any) -> None:
        self.requests.append(request)
        self.credentials.append(dict(context.invocation_metadata()).get("authorization", ""))


class FakeQueries(query_service_pb2_grpc.GameQueryServiceServicer):
    """Watch streams by a script: a list of messages a stream; `Break` in it fails the stream."""

    def __init__(self, *streams: list[Any]) -> None:
        self.streams = list(streams)
        self.asked: list[int | None] = []

    async def WatchGame(self, request: Any, context: Any) -> AsyncIterator[queries.WatchGameResponse]:
        self.asked.append(request.after_revision if request.HasField("after_revision") else None)
        for item in self.streams.pop(0):
            if isinstance(item, Break):
                await item.abort(context)
            yield item


async def serve(fake: Any) -> tuple[grpc.aio.Server, str]:
    """A server of the fake, and its target."""
    server = grpc.aio.server()
    if isinstance(fake, FakeCommands):
        command_service_pb2_grpc.add_GameCommandServiceServicer_to_server(fake, server)
    else:
        query_service_pb2_grpc.add_GameQueryServiceServicer_to_server(fake, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, f"127.0.0.1:{port}"
