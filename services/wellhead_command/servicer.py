"""The command service on the wire: check the form, make the intent, commit it."""

from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import structlog
from grpc import aio

from wellhead.v1 import command_service_pb2 as api
from wellhead.v1 import command_service_pb2_grpc
from wellhead_command import intents
from wellhead_command.committer import Committer
from wellhead_runtime import logging, validation
from wellhead_runtime.credentials import bearer
from wellhead_runtime.errors import internal, refusal, to_refusal

Context: TypeAlias = "aio.ServicerContext[Any, Any]"

_log = structlog.get_logger(__name__)


class CommandServicer(command_service_pb2_grpc.GameCommandServiceServicer):
    """`GameCommandService`."""

    def __init__(self, house: intents.House, committer: Committer) -> None:
        self._house = house
        self._commit = committer.commit

    async def CreateGame(self, request: api.CreateGameRequest, context: Context) -> api.CreateGameResponse:
        validation.create_game(request)
        return await self._commit(intents.CreateGame(self._house, request))

    async def TakeSeat(self, request: api.TakeSeatRequest, context: Context) -> api.TakeSeatResponse:
        validation.take_seat(request)
        return await self._commit(intents.TakeSeat(self._house, request))

    async def LeaveSeat(self, request: api.LeaveSeatRequest, context: Context) -> api.LeaveSeatResponse:
        validation.leave_seat(request)
        return await self._commit(intents.LeaveSeat(self._house, request, _credential(context)))

    async def StartGame(self, request: api.StartGameRequest, context: Context) -> api.StartGameResponse:
        validation.start_game(request)
        return await self._commit(intents.StartGame(self._house, request, _credential(context)))

    async def SubmitCommand(self, request: api.SubmitCommandRequest, context: Context) -> api.SubmitCommandResponse:
        return await self._submit(request, _credential(context))

    async def Play(self, requests: AsyncIterator[api.PlayRequest], context: Context) -> AsyncIterator[api.PlayResponse]:
        # One after the other: a stream is one seat, and its next command rests on the answer to the last.
        credential = _credential(context)
        async for request in requests:
            yield await self._play(request.command, credential)

    async def RecordScore(self, request: api.RecordScoreRequest, context: Context) -> api.RecordScoreResponse:
        validation.record_score(request)
        return await self._commit(intents.RecordScore(self._house, request, _credential(context)))

    async def _submit(self, request: api.SubmitCommandRequest, credential: str) -> api.SubmitCommandResponse:
        validation.submit_command(request)
        return await self._commit(intents.SubmitCommand(self._house, request, credential))

    async def _play(self, request: api.SubmitCommandRequest, credential: str) -> api.PlayResponse:
        logging.bind("Play", request)
        try:
            return api.PlayResponse(request_id=request.request_id, accepted=await self._submit(request, credential))
        except Exception as error:
            refused = refusal(error)
            if refused is None:
                _log.error("unforeseen error", exc_info=error)
                refused = internal()
            return api.PlayResponse(request_id=request.request_id, refused=to_refusal(refused))


def _credential(context: Context) -> str:
    return bearer(context.invocation_metadata())
