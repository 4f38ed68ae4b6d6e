"""The client: one method per call of the contract, typed, repeated where that is safe (R-API-3, R-LOG-3)."""

import secrets
from collections.abc import AsyncIterator, Iterable, Mapping
from types import TracebackType
from typing import Protocol, Self

import grpc

from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import command_service_pb2_grpc, game_pb2, query_service_pb2_grpc, scoring_service_pb2_grpc
from wellhead.v1 import query_service_pb2 as queries
from wellhead.v1 import scoring_service_pb2 as scores
from wellhead_client.patience import persist
from wellhead_client.play import PlaySession
from wellhead_client.watch import watch_game

_CHANNEL_OPTIONS = [
    ("grpc.enable_retries", 0),  # ours know which calls may be repeated
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 1000),
]

Metadata = tuple[tuple[str, str], ...]


class SeatAt(Protocol):
    """A seat and the credential that proves it; `SeatCredential` is one."""

    @property
    def seat(self) -> int: ...

    @property
    def credential(self) -> str: ...


def new_request_id() -> str:
    """An unguessable request id; keep it to repeat the request."""
    return secrets.token_urlsafe(24)


class WellheadClient:
    """Talks to the services at these targets (`host:port`). Use it as an async context manager, or `close` it.

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
        patience: float = 30.0,
        deadline: float = 10.0,
    ) -> None:
        self._patience = patience
        self._deadline = deadline
        self._channels = {
            target: grpc.aio.insecure_channel(target, options=_CHANNEL_OPTIONS)
            for target in (command_target, query_target, scoring_target)
            if target is not None
        }
        self._commands = command_service_pb2_grpc.GameCommandServiceStub(self._channels[command_target])
        self._queries = query_service_pb2_grpc.GameQueryServiceStub(self._channels[query_target])
        self._scores = (
            scoring_service_pb2_grpc.ScoringServiceStub(self._channels[scoring_target]) if scoring_target else None
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Lets go of the connections."""
        for channel in self._channels.values():
            await channel.close()

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
        request_id: str = "",
    ) -> commands.CreateGameResponse:
        """Opens a table with these players in its first seats.

        Unless told otherwise there are as many seats as players, and the first player is the creator.
        """
        seats = [commands.SeatRequest(player=player) for player in players]
        request = commands.CreateGameRequest(
            request_id=request_id or new_request_id(),
            game=game,
            seat_count=len(seats) if seat_count is None else seat_count,
            options=options or {},
            content_pack=content_pack,
            seats=seats,
            creator=creator or (seats[0].player if seats else ""),
        )
        return await persist(lambda: self._commands.CreateGame(request, timeout=self._deadline), self._patience)

    async def take_seat(
        self,
        game_id: str,
        player: str,
        *,
        seat: int | None = None,
        colour: str = "",
        nonce: bytes = b"",
        request_id: str = "",
    ) -> commands.TakeSeatResponse:
        """Takes a seat, the first free one unless told otherwise; `nonce` is the player's share in every draw."""
        request = commands.TakeSeatRequest(
            game_id=game_id,
            request_id=request_id or new_request_id(),
            seat=seat,
            player=commands.SeatRequest(player=player, colour=colour, nonce=nonce),
        )
        return await persist(lambda: self._commands.TakeSeat(request, timeout=self._deadline), self._patience)

    async def leave_seat(self, game_id: str, seat: SeatAt, *, request_id: str = "") -> commands.LeaveSeatResponse:
        """Gives the seat back before the game has started."""
        request = commands.LeaveSeatRequest(game_id=game_id, request_id=request_id or new_request_id(), seat=seat.seat)
        call = self._commands.LeaveSeat
        return await persist(lambda: call(request, timeout=self._deadline, metadata=_proof(seat)), self._patience)

    async def start_game(
        self, game_id: str, seat: SeatAt | None = None, *, request_id: str = ""
    ) -> commands.StartGameResponse:
        """Starts a game whose seats are all taken; with a seat, the answer holds that seat's options."""
        request = commands.StartGameRequest(game_id=game_id, request_id=request_id or new_request_id())
        call = self._commands.StartGame
        return await persist(lambda: call(request, timeout=self._deadline, metadata=_proof(seat)), self._patience)

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
        return await persist(lambda: call(request, timeout=self._deadline, metadata=_proof(seat)), self._patience)

    def play(self, game_id: str, seat: SeatAt) -> PlaySession:
        """A session that submits over one stream: half the cost of a call each."""
        return PlaySession(
            open_stream=lambda: self._commands.Play(metadata=_proof(seat)),
            submission=lambda decision_id, answer, id: submission(game_id, seat, decision_id, answer, id),
            patience=self._patience,
            deadline=self._deadline,
        )

    # -- looking -----------------------------------------------------------------------------------------------------

    async def view(self, game_id: str, seat: SeatAt | None = None, *, min_revision: int = 0) -> game_pb2.GameView:
        """The game as the seat, or a spectator, may see it at `min_revision` or later."""
        request = queries.GetGameViewRequest(game_id=game_id, min_revision=min_revision)
        call = self._queries.GetGameView
        answer = await persist(lambda: call(request, timeout=self._deadline, metadata=_proof(seat)), self._patience)
        return answer.view

    async def legal(self, game_id: str, seat: SeatAt, *, min_revision: int = 0) -> queries.ListLegalCommandsResponse:
        """Every legal command of the seat."""
        request = queries.ListLegalCommandsRequest(game_id=game_id, seat=seat.seat, min_revision=min_revision)
        call = self._queries.ListLegalCommands
        return await persist(lambda: call(request, timeout=self._deadline, metadata=_proof(seat)), self._patience)

    async def games(
        self, status: game_pb2.GameStatus.ValueType = game_pb2.GAME_STATUS_UNSPECIFIED, *, page_size: int = 0
    ) -> AsyncIterator[game_pb2.GameSummary]:
        """All games, or those of a status, fetched page by page."""
        request = queries.ListGamesRequest(status=status, page_size=page_size)
        while True:
            page = await persist(lambda: self._queries.ListGames(request, timeout=self._deadline), self._patience)
            for summary in page.games:
                yield summary
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def history(
        self, game_id: str, seat: SeatAt | None = None, *, page_size: int = 0
    ) -> AsyncIterator[queries.HistoryEntry]:
        """What has happened, in plain language, fetched page by page."""
        request = queries.ListHistoryRequest(game_id=game_id, page_size=page_size)
        call = self._queries.ListHistory
        while True:
            page = await persist(lambda: call(request, timeout=self._deadline, metadata=_proof(seat)), self._patience)
            for entry in page.entries:
                yield entry
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def watch(
        self, game_id: str, seat: SeatAt | None = None, *, after_revision: int | None = None
    ) -> AsyncIterator[queries.WatchGameResponse]:
        """The current state, then every change, or every change after a revision; without gaps, up to the game's end.

        Goes on where it was when a connection breaks (R-API-3). Yields `snapshot`, `change` and at last `game_over`.
        """

        def open_stream(
            after: int | None,
        ) -> grpc.aio.UnaryStreamCall[queries.WatchGameRequest, queries.WatchGameResponse]:
            request = queries.WatchGameRequest(game_id=game_id, after_revision=after)
            return self._queries.WatchGame(request, metadata=_proof(seat))

        return watch_game(open_stream, after_revision, self._patience)

    async def export(self, game_id: str, seat: SeatAt | None = None) -> bytes:
        """The game's log as an auditor receives it; redacted until the game has ended."""
        request = queries.ExportGameRequest(game_id=game_id)

        async def whole() -> bytes:
            call = self._queries.ExportGame(request, timeout=6 * self._deadline, metadata=_proof(seat))
            return b"".join([piece.chunk async for piece in call])

        return await persist(whole, self._patience)

    # -- scores ------------------------------------------------------------------------------------------------------

    async def score_card(self, game_id: str, *, revision: int = 0) -> game_pb2.ScoreCard:
        """The itemised score as it stood at a revision; 0 for the latest."""
        request = scores.GetScoreCardRequest(game_id=game_id, revision=revision)
        call = self._scoring.GetScoreCard
        return (await persist(lambda: call(request, timeout=self._deadline), self._patience)).score_card

    async def score_if_ended_now(self, game_id: str) -> game_pb2.ScoreCard:
        """The itemised score if the game ended now."""
        request = scores.GetScoreIfEndedNowRequest(game_id=game_id)
        call = self._scoring.GetScoreIfEndedNow
        return (await persist(lambda: call(request, timeout=self._deadline), self._patience)).score_card

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


def _proof(seat: SeatAt | None) -> Metadata:
    return () if seat is None else (("authorization", f"Bearer {seat.credential}"),)
