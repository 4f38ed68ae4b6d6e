"""The command service on the wire: make the intent, commit it."""

from collections.abc import AsyncIterator

import structlog

from wellhead.v1 import command_service_pb2 as api
from wellhead_command import intents
from wellhead_command.committer import Committer
from wellhead_command.restraint import OpenTables, Tempered
from wellhead_runtime import logging, validation
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import internal, refusal, to_refusal

_log = structlog.get_logger(__name__)


class CommandServicer:
    """`GameCommandService`."""

    def __init__(self, house: intents.House, committer: Committer, tempered: Tempered, tables: OpenTables) -> None:
        self._house = house
        self._commit = committer.commit
        self._tempered = tempered
        self._tables = tables

    async def CreateGame(self, request: api.CreateGameRequest, call: Call) -> api.CreateGameResponse:
        intent = intents.CreateGame(self._house, request, call.caller)
        intent.take_room = await self._tables.room_for(call, intent.game_id)
        return await self._commit(intent)

    async def TakeSeat(self, request: api.TakeSeatRequest, call: Call) -> api.TakeSeatResponse:
        return await self._commit(intents.TakeSeat(self._house, request, call.caller))

    async def LeaveSeat(self, request: api.LeaveSeatRequest, call: Call) -> api.LeaveSeatResponse:
        return await self._commit(intents.LeaveSeat(self._house, request, call.caller))

    async def StartGame(self, request: api.StartGameRequest, call: Call) -> api.StartGameResponse:
        return await self._commit(intents.StartGame(self._house, request, call.caller))

    async def SubmitCommand(self, request: api.SubmitCommandRequest, call: Call) -> api.SubmitCommandResponse:
        return await self._submit(request, call)

    async def Play(self, requests: AsyncIterator[api.PlayRequest], call: Call) -> AsyncIterator[api.PlayResponse]:
        # One after the other: a stream is one seat, and its next command rests on the answer to the last.
        async for request in requests:
            yield await self._play(request.command, call)

    async def RecordScore(self, request: api.RecordScoreRequest, call: Call) -> api.RecordScoreResponse:
        return await self._commit(intents.RecordScore(self._house, request, call.caller))

    async def _submit(self, request: api.SubmitCommandRequest, call: Call) -> api.SubmitCommandResponse:
        async with self._tempered.command(call):
            return await self._commit(intents.SubmitCommand(self._house, request, call.caller))

    async def _play(self, request: api.SubmitCommandRequest, call: Call) -> api.PlayResponse:
        logging.bind(call.method, request)
        try:
            validation.check(request)
            return api.PlayResponse(request_id=request.request_id, accepted=await self._submit(request, call))
        except Exception as error:
            refused = refusal(error)
            if refused is None:
                _log.error("unforeseen error", exc_info=error)
                refused = internal()
            return api.PlayResponse(request_id=request.request_id, refused=to_refusal(refused))
