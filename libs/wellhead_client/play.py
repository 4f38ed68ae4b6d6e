"""A session of one seat: commands and answers over one bidirectional stream, or, where there is none, one by one."""

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

import grpc

from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2
from wellhead_client.errors import CALL_FAILED, Refused, refusal_in_stream, refusal_of_call
from wellhead_client.patience import Patience

PlayCall = grpc.aio.StreamStreamCall[commands.PlayRequest, commands.PlayResponse]
Submission = Callable[[int, game_pb2.Command | str, str], commands.SubmitCommandRequest]


class PlaySession:
    """Submits one command at a time. A broken stream is opened again and the unanswered command sent once more under
    its request id, so that it counts once (R-LOG-3). Use it as an async context manager, or `close` it.
    """

    def __init__(
        self, open_stream: Callable[[], PlayCall], submission: Submission, patience: float, deadline: float
    ) -> None:
        self._open_stream = open_stream
        self._submission = submission
        self._patience = patience
        self._deadline = deadline
        self._stream: PlayCall | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def submit(
        self, decision_id: int, answer: game_pb2.Command | str, *, request_id: str = ""
    ) -> commands.SubmitCommandResponse:
        """Answers a decision with a command or the id of an option; 0 is for what is open at any time."""
        request = commands.PlayRequest(command=self._submission(decision_id, answer, request_id))
        patience = Patience(self._patience)
        async with self._turn:
            while True:
                outcome = await self._attempt(request)
                if isinstance(outcome, commands.SubmitCommandResponse):
                    return outcome
                await patience.pause(outcome)

    async def close(self) -> None:
        """Says goodbye and lets go of the stream."""
        stream, self._stream = self._stream, None
        if stream is not None and not stream.done():
            try:
                await stream.done_writing()
                async with asyncio.timeout(self._deadline):
                    await stream.read()
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                stream.cancel()

    async def _attempt(self, request: commands.PlayRequest) -> commands.SubmitCommandResponse | Refused:
        """The answer, or why there is none; after a failure of the stream that is gone."""
        if self._stream is None:
            self._stream = self._open_stream()
        stream = self._stream
        try:
            async with asyncio.timeout(self._deadline):
                await stream.write(request)
                answer = await stream.read()
            if isinstance(answer, commands.PlayResponse):
                if answer.request_id == request.command.request_id:
                    refused = answer.WhichOneof("outcome") == "refused"
                    return refusal_in_stream(answer.refused) if refused else answer.accepted
                problem = "the stream answered another request"
            else:
                problem = "the stream ended"
            failure = Refused(grpc.StatusCode.UNAVAILABLE.value[0], "STREAM_ENDED", problem)
        except grpc.aio.AioRpcError as error:
            failure = refusal_of_call(error)
        except asyncio.InvalidStateError as error:
            # grpc.aio says so when the stream has ended before the write.
            failure = Refused(grpc.StatusCode.UNAVAILABLE.value[0], "STREAM_ENDED", str(error))
        except TimeoutError:
            failure = Refused(grpc.StatusCode.DEADLINE_EXCEEDED.value[0], "DEADLINE_EXCEEDED", "no answer in time")
        except asyncio.CancelledError:
            # The answer to this command would be taken for the next one's.
            self._stream = None
            stream.cancel()
            raise
        self._stream = None
        stream.cancel()
        return failure


class CallSession(PlaySession):
    """The same where there are no streams in both directions: a call for every command."""

    def __init__(self, call: "Call", submission: Submission, patience: float) -> None:
        super().__init__(_no_stream, submission, patience, deadline=0)
        self._call = call

    async def _attempt(self, request: commands.PlayRequest) -> commands.SubmitCommandResponse | Refused:
        try:
            return await self._call(request.command)
        except CALL_FAILED as error:
            return refusal_of_call(error)


Call = Callable[[commands.SubmitCommandRequest], Awaitable[commands.SubmitCommandResponse]]


def _no_stream() -> PlayCall:
    raise AssertionError("this session has no stream")
