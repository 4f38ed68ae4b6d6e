"""The command service on the wire: make the intent, commit it."""

from collections.abc import AsyncIterator

from wellhead.v1 import command_service_pb2 as api
from wellhead_command import absence, intents, lobby, programmes
from wellhead_command.committer import Committer
from wellhead_command.restraint import OpenTables, Tempered
from wellhead_runtime import guard, tracing, validation
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import to_refusal


class CommandServicer:
    """`GameCommandService`."""

    def __init__(self, house: intents.House, committer: Committer, tempered: Tempered, tables: OpenTables) -> None:
        self._house = house
        self._commit = committer.commit
        self._tempered = tempered
        self._tables = tables
        self._rematches = lobby.Rematches(house, committer.games)

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

    async def InvitePlayer(self, request: api.InvitePlayerRequest, call: Call) -> api.InvitePlayerResponse:
        return await self._commit(lobby.InvitePlayer(self._house, request, call.caller))

    async def WithdrawInvitation(
        self, request: api.WithdrawInvitationRequest, call: Call
    ) -> api.WithdrawInvitationResponse:
        return await self._commit(lobby.WithdrawInvitation(self._house, request, call.caller))

    async def CloseTable(self, request: api.CloseTableRequest, call: Call) -> api.CloseTableResponse:
        return await self._commit(lobby.CloseTable(self._house, request, call.caller))

    async def RequestRematch(self, request: api.RequestRematchRequest, call: Call) -> api.RequestRematchResponse:
        intent = await self._rematches.intent(request, call.caller)
        intent.take_room = await self._tables.room_for(call, intent.game_id)
        return await self._commit(intent)

    async def SubmitCommand(self, request: api.SubmitCommandRequest, call: Call) -> api.SubmitCommandResponse:
        return await self._submit(request, call)

    async def Play(self, requests: AsyncIterator[api.PlayRequest], call: Call) -> AsyncIterator[api.PlayResponse]:
        # One after the other: a stream is one seat, and its next command rests on the answer to the last.
        async for request in requests:
            yield await self._play(request.command, call)

    async def Resign(self, request: api.ResignRequest, call: Call) -> api.ResignResponse:
        async with self._tempered.command(call):
            return await self._commit(absence.Resign(self._house, request, call.caller))

    async def ReturnToSeat(self, request: api.ReturnToSeatRequest, call: Call) -> api.ReturnToSeatResponse:
        async with self._tempered.command(call):
            return await self._commit(absence.ReturnToSeat(self._house, request, call.caller))

    async def RecordScore(self, request: api.RecordScoreRequest, call: Call) -> api.RecordScoreResponse:
        return await self._commit(intents.RecordScore(self._house, request, call.caller))

    async def RequestUndo(self, request: api.RequestUndoRequest, call: Call) -> api.RequestUndoResponse:
        async with self._tempered.command(call):
            return await self._commit(intents.RequestUndo(self._house, request, call.caller))

    async def AnswerUndo(self, request: api.AnswerUndoRequest, call: Call) -> api.AnswerUndoResponse:
        async with self._tempered.command(call):
            return await self._commit(intents.AnswerUndo(self._house, request, call.caller))

    async def SetProgramme(self, request: api.SetProgrammeRequest, call: Call) -> api.SetProgrammeResponse:
        async with self._tempered.command(call):
            return await self._commit(programmes.SetProgramme(self._house, request, call.caller))

    async def StopProgramme(self, request: api.StopProgrammeRequest, call: Call) -> api.StopProgrammeResponse:
        async with self._tempered.command(call):
            return await self._commit(programmes.StopProgramme(self._house, request, call.caller))

    async def _submit(self, request: api.SubmitCommandRequest, call: Call) -> api.SubmitCommandResponse:
        async with self._tempered.command(call):
            return await self._commit(intents.SubmitCommand(self._house, request, call.caller))

    async def _play(self, request: api.SubmitCommandRequest, call: Call) -> api.PlayResponse:
        try:
            with tracing.receive(call.method, call.metadata):
                accepted = await guard.answer(call.method, self._checked, request, call)
            return api.PlayResponse(request_id=request.request_id, accepted=accepted)
        except Exception as error:
            refused = to_refusal(guard.explain(error, call.method))
            return api.PlayResponse(request_id=request.request_id, refused=refused)

    async def _checked(self, request: api.SubmitCommandRequest, call: Call) -> api.SubmitCommandResponse:
        validation.check(request)
        return await self._submit(request, call)
