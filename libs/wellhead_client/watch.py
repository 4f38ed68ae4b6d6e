"""Watching a game for as long as it lasts, whatever happens to the connection (R-API-3)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing

import grpc

from wellhead.v1 import query_service_pb2 as queries
from wellhead_client.errors import CALL_FAILED, Refused, refusal_of_call
from wellhead_client.patience import Patience

Messages = AsyncGenerator[queries.WatchGameResponse]

SILENCE_S = 60.0
"""A stream that has not even sent a heartbeat for this long is taken for dead."""

_UNAVAILABLE = grpc.StatusCode.UNAVAILABLE.value[0]


async def watch_game(
    open_stream: Callable[[int | None], Messages], after_revision: int | None, patience_s: float
) -> AsyncIterator[queries.WatchGameResponse]:
    """Snapshot, changes without gaps or repeats, and at last the end of the game; resumes after the last revision."""
    seen = after_revision
    patience = Patience(patience_s)
    while True:
        failure = Refused(_UNAVAILABLE, "STREAM_ENDED", "the stream ended without an end of the game")
        try:
            async with aclosing(open_stream(seen)) as stream:
                while True:
                    async with asyncio.timeout(SILENCE_S):
                        message = await anext(stream, None)
                    if message is None:
                        break
                    match message.WhichOneof("kind"):
                        case "snapshot":
                            patience.renew()
                            seen = message.snapshot.revision
                            yield message
                        case "change" if seen is not None and message.change.revision > seen + 1:
                            failure = Refused(_UNAVAILABLE, "GAP", f"revision {seen + 1} was left out")
                            break
                        case "change" if seen is None or message.change.revision > seen:
                            patience.renew()
                            seen = message.change.revision
                            yield message
                        case "heartbeat":
                            patience.renew()
                        case "game_over":
                            yield message
                            return
                        case "stream_end":
                            failure = Refused(_UNAVAILABLE, message.stream_end.reason, "the server ended the stream")
                            break
        except CALL_FAILED as error:
            failure = refusal_of_call(error)
        except TimeoutError:
            failure = Refused(_UNAVAILABLE, "SILENCE", f"nothing came for {SILENCE_S:g} s")
        await patience.pause(failure)


async def messages_of(call: grpc.aio.UnaryStreamCall[queries.WatchGameRequest, queries.WatchGameResponse]) -> Messages:
    """What a gRPC stream brings; the stream is gone when this is closed."""
    try:
        while isinstance(message := await call.read(), queries.WatchGameResponse):
            yield message
    finally:
        call.cancel()
