"""The client: one method per call of the contract, typed, repeated where that is safe (R-API-3, R-LOG-3)."""

import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

import grpc
from google.protobuf.descriptor import FileDescriptor

from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import command_service_pb2_grpc, game_pb2, query_service_pb2_grpc, scoring_service_pb2_grpc
from wellhead.v1 import query_service_pb2 as queries
from wellhead.v1 import scoring_service_pb2 as scores
from wellhead_client.patience import persist
from wellhead_client.play import CallSession, PlaySession
from wellhead_client.tls import Tls
from wellhead_client.watch import Messages, messages_of, watch_game

if TYPE_CHECKING:
    from wellhead_client.http import Connection

_CHANNEL_OPTIONS = [
    ("grpc.enable_retries", 0),  # ours know which calls may be repeated
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 1000),
]

Metadata = tuple[tuple[str, str], ...]


class SeatAt(Protocol):
    """A seat and the credential that proves it; `SeatCredential` is one, and `Seat` for whoever holds it by name."""

    @property
    def seat(self) -> int: ...

    @property
    def credential(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that is proved by the client's token: without a credential of its own."""

    seat: int
    credential: str = ""


def new_request_id() -> str:
    """An unguessable request id; keep it to repeat the request."""
    return secrets.token_urlsafe(24)


class WellheadClient:
    """Talks to the services at these targets: `host:port` for gRPC, `http://host:port` or `https://host:port` for the
    same calls over HTTP. Use it as an async context manager, or `close` it.

    `token` says who we are in every call that is not for a seat with a credential of its own. `tls` is for gRPC that is
    encrypted, and for authorities that the system does not know.

    Every call raises `Refused` when the server says no, and `Unreachable` when nobody has answered for `patience`
    seconds. A call without a request id gets one, so that repeating it is safe; pass your own to repeat it after a
    crash of yours.
    """

    def __init__(
        self,
        command_target: str,
        query_target: str,
        scoring_target: str | None = None,
        *,
        token: str = "",
        tls: Tls | None = None,
        patience: float = 30.0,
        deadline: float = 10.0,
    ) -> None:
        self._token = token
        self._patience = patience
        self._deadline = deadline
        targets = (command_target, query_target, scoring_target)
        self._connections = {target: _connection(target, tls) for target in targets if target is not None}
        self._over_http = _is_url(command_target)
        command, query = self._connections[command_target], self._connections[query_target]
        self._commands: command_service_pb2_grpc.GameCommandServiceAsyncStub = _stub(
            command, command_service_pb2_grpc.GameCommandServiceStub, commands.DESCRIPTOR, "GameCommandService"
        )
        self._queries: query_service_pb2_grpc.GameQueryServiceAsyncStub = _stub(
            query, query_service_pb2_grpc.GameQueryServiceStub, queries.DESCRIPTOR, "GameQueryService"
        )
        self._scores: scoring_service_pb2_grpc.ScoringServiceAsyncStub | None = None
        if scoring_target is not None:
            self._scores = _stub(
                self._connections[scoring_target],
                scoring_service_pb2_grpc.ScoringServiceStub,
                scores.DESCRIPTOR,
                "ScoringService",
            )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Lets go of the connections."""
        for connection in self._connections.values():
            await connection.close()

    # -- tables ------------------------------------------------------------------------------------------------------

    async def create_game(
        self,
        game: str,
        players: Iterable[str] = (),
        *,
        seat_count: int | None = None,
        options: Mapping[str, str] | None = None,
        content_pack: game_pb2.ContentPack | None = None,
        creator: str = "",
        spectating: game_pb2.Spectating.ValueType = game_pb2.SPECTATING_UNSPECIFIED,
        invited: Mapping[int, str] | None = None,
        private: bool = False,
        start_when_full: bool = False,
        time_control: game_pb2.TimeControl | None = None,
        absence_policy: game_pb2.AbsencePolicy | None = None,
        request_id: str = "",
    ) -> commands.CreateGameResponse:
        """Opens a table with these players in its first seats, for everybody to look at unless told otherwise.

        Unless told otherwise there are as many seats as players, and the creator is whoever the client's token names,
        or the first player if it has none. `invited` says for whom other seats are kept. The answer for a `private`
        table has the code to hand on to whoever else may sit there.
        """
        seats = [commands.SeatRequest(player=player) for player in players]
        request = commands.CreateGameRequest(
            request_id=request_id or new_request_id(),
            game=game,
            seat_count=len(seats) if seat_count is None else seat_count,
            options=options or {},
            content_pack=content_pack,
            seats=seats,
            creator=creator or (seats[0].player if seats and not self._token else ""),
            spectating=spectating,
            invitations=[game_pb2.Invitation(seat=seat, player=player) for seat, player in (invited or {}).items()],
            private=private,
            start_when_full=start_when_full,
            time_control=time_control,
            absence_policy=absence_policy,
        )
        call = self._commands.CreateGame
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof()), self._patience)

    async def take_seat(
        self,
        game_id: str,
        player: str = "",
        *,
        seat: int | None = None,
        colour: str = "",
        nonce: bytes = b"",
        invitation_code: str = "",
        request_id: str = "",
    ) -> commands.TakeSeatResponse:
        """Takes a seat, the one kept for the player or the first free one unless told otherwise, as whoever the
        client's token names if no player is given; `nonce` is the player's share in every draw. Whoever is not invited
        to a private table shows its code."""
        request = commands.TakeSeatRequest(
            game_id=game_id,
            request_id=request_id or new_request_id(),
            seat=seat,
            player=commands.SeatRequest(player=player, colour=colour, nonce=nonce),
            invitation_code=invitation_code,
        )
        call = self._commands.TakeSeat
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof()), self._patience)

    async def leave_seat(self, game_id: str, seat: SeatAt, *, request_id: str = "") -> commands.LeaveSeatResponse:
        """Gives the seat back before the game has started."""
        request = commands.LeaveSeatRequest(game_id=game_id, request_id=request_id or new_request_id(), seat=seat.seat)
        call = self._commands.LeaveSeat
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    async def start_game(
        self, game_id: str, seat: SeatAt | None = None, *, request_id: str = ""
    ) -> commands.StartGameResponse:
        """Starts a game whose seats are all taken; with a seat, the answer holds that seat's options."""
        request = commands.StartGameRequest(game_id=game_id, request_id=request_id or new_request_id())
        call = self._commands.StartGame
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    async def invite(
        self, game_id: str, seat: int, player: str, *, host: SeatAt | None = None, request_id: str = ""
    ) -> commands.InvitePlayerResponse:
        """Keeps a free seat for a player. `host` is the creator's own seat, for a client without their token; so for
        the next two."""
        request = commands.InvitePlayerRequest(
            game_id=game_id, request_id=request_id or new_request_id(), seat=seat, player=player
        )
        call = self._commands.InvitePlayer
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(host)), self._patience)

    async def withdraw_invitation(
        self, game_id: str, seat: int, *, host: SeatAt | None = None, request_id: str = ""
    ) -> commands.WithdrawInvitationResponse:
        """Keeps the seat for nobody any longer."""
        request = commands.WithdrawInvitationRequest(
            game_id=game_id, request_id=request_id or new_request_id(), seat=seat
        )
        call = self._commands.WithdrawInvitation
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(host)), self._patience)

    async def close_table(
        self, game_id: str, *, host: SeatAt | None = None, request_id: str = ""
    ) -> commands.CloseTableResponse:
        """Closes a table whose game has not started, for good."""
        request = commands.CloseTableRequest(game_id=game_id, request_id=request_id or new_request_id())
        call = self._commands.CloseTable
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(host)), self._patience)

    async def rematch(
        self, game_id: str, seat: SeatAt | None = None, *, request_id: str = ""
    ) -> commands.RequestRematchResponse:
        """Sits down in the rematch of an ended game, as whoever holds the seat in it or the client's token names; opens
        its table if nobody has yet."""
        request = commands.RequestRematchRequest(game_id=game_id, request_id=request_id or new_request_id())
        call = self._commands.RequestRematch
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    # -- playing -----------------------------------------------------------------------------------------------------

    async def submit(
        self,
        game_id: str,
        seat: SeatAt,
        decision_id: int,
        answer: game_pb2.Command | str,
        *,
        request_id: str = "",
    ) -> commands.SubmitCommandResponse:
        """Answers a decision with a command or the id of an option; 0 is for what is open at any time."""
        request = submission(game_id, seat, decision_id, answer, request_id)
        call = self._commands.SubmitCommand
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    def play(self, game_id: str, seat: SeatAt) -> PlaySession:
        """A session that submits over one stream: half the cost of a call each. Over HTTP it makes the calls."""

        def submit(decision_id: int, answer: game_pb2.Command | str, request_id: str) -> commands.SubmitCommandRequest:
            return submission(game_id, seat, decision_id, answer, request_id)

        if self._over_http:
            call = self._commands.SubmitCommand
            return CallSession(
                lambda request: call(request, timeout=self._deadline, metadata=self._proof(seat)),
                submit,
                self._patience,
            )
        return PlaySession(
            lambda: self._commands.Play(metadata=self._proof(seat)), submit, self._patience, self._deadline
        )

    async def resign(self, game_id: str, seat: SeatAt, *, request_id: str = "") -> commands.ResignResponse:
        """Gives the game up, for good."""
        request = commands.ResignRequest(game_id=game_id, request_id=request_id or new_request_id(), seat=seat.seat)
        call = self._commands.Resign
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    async def return_to_seat(
        self, game_id: str, seat: SeatAt, *, request_id: str = ""
    ) -> commands.ReturnToSeatResponse:
        """Takes the seat back from the bot that plays it."""
        request = commands.ReturnToSeatRequest(
            game_id=game_id, request_id=request_id or new_request_id(), seat=seat.seat
        )
        call = self._commands.ReturnToSeat
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    async def request_undo(
        self, game_id: str, seat: SeatAt, target_revision: int, *, request_id: str = ""
    ) -> commands.RequestUndoResponse:
        """Asks the others to agree that the game go back to a revision: before the seat's latest commands."""
        request = commands.RequestUndoRequest(
            game_id=game_id,
            request_id=request_id or new_request_id(),
            seat=seat.seat,
            target_revision=target_revision,
        )
        call = self._commands.RequestUndo
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    async def answer_undo(
        self, game_id: str, seat: SeatAt, target_revision: int, agree: bool, *, request_id: str = ""
    ) -> commands.AnswerUndoResponse:
        """Agrees to such a request, or refuses it; whoever has asked takes it back so."""
        request = commands.AnswerUndoRequest(
            game_id=game_id,
            request_id=request_id or new_request_id(),
            seat=seat.seat,
            target_revision=target_revision,
            agree=agree,
        )
        call = self._commands.AnswerUndo
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    async def set_programme(
        self,
        game_id: str,
        seat: SeatAt,
        programme: game_pb2.PassUntilRound | game_pb2.WhenAsked,
        revision: int,
        *,
        request_id: str = "",
    ) -> commands.SetProgrammeResponse:
        """Files a programme for the seat, made for the game as it stands at `revision`; everybody sees it."""
        request = commands.SetProgrammeRequest(
            game_id=game_id, request_id=request_id or new_request_id(), seat=seat.seat, revision=revision
        )
        if isinstance(programme, game_pb2.PassUntilRound):
            request.pass_until_round.CopyFrom(programme)
        else:
            request.when.CopyFrom(programme)
        call = self._commands.SetProgramme
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    async def stop_programme(
        self, game_id: str, seat: SeatAt, *, request_id: str = ""
    ) -> commands.StopProgrammeResponse:
        """Stops the programme of the seat."""
        request = commands.StopProgrammeRequest(
            game_id=game_id, request_id=request_id or new_request_id(), seat=seat.seat
        )
        call = self._commands.StopProgramme
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    # -- looking -----------------------------------------------------------------------------------------------------

    async def view(self, game_id: str, seat: SeatAt | None = None, *, min_revision: int = 0) -> game_pb2.GameView:
        """The game as the seat, or a spectator, may see it at `min_revision` or later."""
        request = queries.GetGameViewRequest(game_id=game_id, min_revision=min_revision)
        call = self._queries.GetGameView
        answer = await persist(
            lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience
        )
        return answer.view

    async def legal(self, game_id: str, seat: SeatAt, *, min_revision: int = 0) -> queries.ListLegalCommandsResponse:
        """Every legal command of the seat."""
        request = queries.ListLegalCommandsRequest(game_id=game_id, seat=seat.seat, min_revision=min_revision)
        call = self._queries.ListLegalCommands
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    async def turns(self, player: str = "", *, page_size: int = 0) -> AsyncIterator[queries.Turn]:
        """Whose turn it is in running games, and until when: of one player, or of all."""
        request = queries.ListTurnsRequest(player=player, page_size=page_size)
        call = self._queries.ListTurns
        while True:
            page = await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof()), self._patience)
            for turn in page.turns:
                yield turn
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def games(
        self,
        status: game_pb2.GameStatus.ValueType = game_pb2.GAME_STATUS_UNSPECIFIED,
        *,
        game: str = "",
        seat_count: int = 0,
        options: Mapping[str, str] | None = None,
        content_pack: game_pb2.ContentPack | None = None,
        has_free_seat: bool = False,
        player: str = "",
        awaiting: str = "",
        creator: str = "",
        invited: str = "",
        page_size: int = 0,
    ) -> AsyncIterator[game_pb2.GameSummary]:
        """All games that are all of this, the newest first, fetched page by page: of a status, a ruleset, a number of
        seats, with these values of options, this content, a seat for anybody to take; those in which somebody plays,
        owes a decision, that somebody has opened or in which a seat is kept for them, by name."""
        request = queries.ListGamesRequest(
            status=status,
            game=game,
            seat_count=seat_count,
            options=options or {},
            content_pack=content_pack,
            has_free_seat=has_free_seat,
            player=player,
            awaiting=awaiting,
            creator=creator,
            invited=invited,
            page_size=page_size,
        )
        call = self._queries.ListGames
        while True:
            page = await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof()), self._patience)
            for summary in page.games:
                yield summary
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def history(
        self, game_id: str, seat: SeatAt | None = None, *, page_size: int = 0
    ) -> AsyncIterator[queries.HistoryEntry]:
        """What has happened, in plain language, fetched page by page."""
        token = ""
        while True:
            page = await self.history_page(game_id, seat, page_size=page_size, page_token=token)
            for entry in page.entries:
                yield entry
            if not (token := page.next_page_token):
                return

    async def history_page(
        self, game_id: str, seat: SeatAt | None = None, *, page_size: int = 0, page_token: str = ""
    ) -> queries.ListHistoryResponse:
        """One page of it; a token is good for ever, and its page grows as long as it is the last."""
        request = queries.ListHistoryRequest(game_id=game_id, page_size=page_size, page_token=page_token)
        call = self._queries.ListHistory
        return await persist(lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience)

    def watch(
        self, game_id: str, seat: SeatAt | None = None, *, after_revision: int | None = None
    ) -> AsyncIterator[queries.WatchGameResponse]:
        """The current state, then every change, or every change after a revision; without gaps, up to the game's end.

        Goes on where it was when a connection breaks (R-API-3). Yields `snapshot`, `change` and at last `game_over`.
        """

        def open_stream(after: int | None) -> Messages:
            request = queries.WatchGameRequest(game_id=game_id, after_revision=after)
            stream: Any = self._queries.WatchGame(request, metadata=self._proof(seat))
            return messages_of(stream) if isinstance(stream, grpc.aio.UnaryStreamCall) else stream

        return watch_game(open_stream, after_revision, self._patience)

    async def export(self, game_id: str, seat: SeatAt | None = None) -> bytes:
        """The game's log as an auditor receives it; redacted until the game has ended."""
        request = queries.ExportGameRequest(game_id=game_id)

        async def whole() -> bytes:
            call = self._queries.ExportGame(request, timeout=6 * self._deadline, metadata=self._proof(seat))
            return b"".join([piece.chunk async for piece in call])

        return await persist(whole, self._patience)

    # -- scores ------------------------------------------------------------------------------------------------------

    async def score_card(self, game_id: str, seat: SeatAt | None = None, *, revision: int = 0) -> game_pb2.ScoreCard:
        """The itemised score as it stood at a revision; 0 for the latest."""
        request = scores.GetScoreCardRequest(game_id=game_id, revision=revision)
        call = self._scoring.GetScoreCard
        answer = await persist(
            lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience
        )
        return answer.score_card

    async def score_if_ended_now(self, game_id: str, seat: SeatAt | None = None) -> game_pb2.ScoreCard:
        """The itemised score if the game ended now."""
        request = scores.GetScoreIfEndedNowRequest(game_id=game_id)
        call = self._scoring.GetScoreIfEndedNow
        answer = await persist(
            lambda: call(request, timeout=self._deadline, metadata=self._proof(seat)), self._patience
        )
        return answer.score_card

    def _proof(self, seat: SeatAt | None = None) -> Metadata:
        token = (seat.credential if seat is not None else "") or self._token
        return (("authorization", f"Bearer {token}"),) if token else ()

    @property
    def _scoring(self) -> "scoring_service_pb2_grpc.ScoringServiceAsyncStub":
        if self._scores is None:
            raise ValueError("this client was made without the scoring service's target")
        return self._scores


def submission(
    game_id: str, seat: SeatAt, decision_id: int, answer: game_pb2.Command | str, request_id: str = ""
) -> commands.SubmitCommandRequest:
    """The request that answers a decision with a command or the id of an option."""
    request = commands.SubmitCommandRequest(
        game_id=game_id, request_id=request_id or new_request_id(), seat=seat.seat, decision_id=decision_id
    )
    if isinstance(answer, str):
        request.option_id = answer
    else:
        request.command.CopyFrom(answer)
    return request


def _is_url(target: str) -> bool:
    return target.startswith(("http://", "https://"))


def _connection(target: str, tls: Tls | None) -> "grpc.aio.Channel | Connection":
    if not _is_url(target):
        if tls is None:
            return grpc.aio.insecure_channel(target, options=_CHANNEL_OPTIONS)
        return grpc.aio.secure_channel(target, tls.credentials(), options=_CHANNEL_OPTIONS)
    from wellhead_client.http import Connection  # whoever speaks gRPC need not load it

    return Connection(target, tls or Tls())


def _stub(
    connection: "grpc.aio.Channel | Connection", make: Callable[..., Any], file: FileDescriptor, service: str
) -> Any:
    """The stub of a service, of the same shape whatever carries its calls."""
    if isinstance(connection, grpc.aio.Channel):
        return make(connection)
    return connection.stub(file.services_by_name[service])
