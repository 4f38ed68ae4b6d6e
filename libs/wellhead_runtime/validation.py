"""Checks of requests before any servicer sees them: one function a type of request, all faults at once (R-API-1).

Only form is checked here: sizes, characters, what must be present. Whether it makes sense is for the rules to say. A
request whose type has no check is refused, so none can be forgotten.
"""

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.message import Message

from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead.v1 import scoring_service_pb2 as scores
from wellhead_runtime import limits
from wellhead_runtime.errors import FieldFault, malformed

Faults = list[FieldFault]


def _length(faults: Faults, field: str, value: str, limit: str) -> None:
    allowed: range = getattr(limits, limit)
    if len(value) not in allowed:
        detail = f"has {len(value)} characters, not {allowed[0]} to {allowed[-1]}"
        faults.append(FieldFault(field, detail, limit if len(value) > allowed[-1] else ""))
    elif not value.isprintable():
        faults.append(FieldFault(field, "has characters that cannot be printed"))


def _above(field: str, what: str, limit: str) -> FieldFault:
    return FieldFault(field, f"{what}, at most {getattr(limits, limit)}", limit)


def _game(request: Any, faults: Faults) -> None:
    _length(faults, "game_id", request.game_id, "GAME_ID_CHARS")


def _command(request: Any, faults: Faults) -> None:
    _game(request, faults)
    _length(faults, "request_id", request.request_id, "REQUEST_ID_CHARS")


def _player(faults: Faults, field: str, player: commands.SeatRequest) -> None:
    if player.player:  # empty: whoever a token says the caller is
        _length(faults, f"{field}.player", player.player, "NAME_CHARS")
    _length(faults, f"{field}.colour", player.colour, "WORD_CHARS")
    if len(player.nonce) > limits.NONCE_BYTES:
        faults.append(_above(f"{field}.nonce", f"has {len(player.nonce)} bytes", "NONCE_BYTES"))


def _page(request: Any, faults: Faults, limit: str) -> None:
    largest: int = getattr(limits, limit)
    if not 0 <= request.page_size <= largest:
        faults.append(FieldFault("page_size", f"is {request.page_size}, not 0 to {largest}", limit))
    if len(request.page_token) > limits.PAGE_TOKEN_CHARS:
        faults.append(FieldFault("page_token", "was not given out by this service", "PAGE_TOKEN_CHARS"))


# -- commands ----------------------------------------------------------------------------------------------------------


def _create_game(request: commands.CreateGameRequest, faults: Faults) -> None:
    _length(faults, "request_id", request.request_id, "REQUEST_ID_CHARS")
    if request.creator:  # empty: whoever a token says the caller is
        _length(faults, "creator", request.creator, "NAME_CHARS")
    if request.spectating not in game_pb2.Spectating.values():
        faults.append(FieldFault("spectating", f"{request.spectating} is none of those known here"))
    if not request.game:
        faults.append(FieldFault("game", "must be given"))
    _kind(request, faults)
    _time_control(request.time_control, faults)
    _absence_policy(request.absence_policy, faults)
    if len(request.invitations) > limits.SEATS:
        faults.append(_above("invitations", f"are {len(request.invitations)}", "SEATS"))
        return
    for index, invitation in enumerate(request.invitations):
        _length(faults, f"invitations[{index}].player", invitation.player, "NAME_CHARS")
    if request.seat_count > limits.SEATS or len(request.seats) > limits.SEATS:
        faults.append(_above("seats", f"are {max(request.seat_count, len(request.seats))}", "SEATS"))
        return
    for index, player in enumerate(request.seats):
        _player(faults, f"seats[{index}]", player)


def _time_control(control: game_pb2.TimeControl, faults: Faults) -> None:
    match control.WhichOneof("kind"):
        case "per_turn":
            _time(faults, "time_control.per_turn.seconds", control.per_turn.seconds, "CLOCK_SECONDS")
        case "per_game":
            stock = control.per_game
            _time(faults, "time_control.per_game.initial_seconds", stock.initial_seconds, "CLOCK_SECONDS")
            if stock.increment_seconds:
                _time(faults, "time_control.per_game.increment_seconds", stock.increment_seconds, "CLOCK_SECONDS")
        case "correspondence":
            _time(faults, "time_control.correspondence.days", control.correspondence.days, "CLOCK_DAYS")


def _time(faults: Faults, field: str, value: int, limit: str) -> None:
    allowed: range = getattr(limits, limit)
    if value not in allowed:
        detail = f"is {value}, not {allowed[0]} to {allowed[-1]}"
        faults.append(FieldFault(field, detail, limit if value > allowed[-1] else ""))


def _absence_policy(policy: game_pb2.AbsencePolicy, faults: Faults) -> None:
    if policy.HasField("take_over"):
        _length(faults, "absence_policy.take_over.bot", policy.take_over.bot, "NAME_CHARS")


def _kind(request: Any, faults: Faults) -> None:
    """Which game with what options, as it is asked for."""
    pack = request.content_pack
    for field, word in (("id", pack.id), ("version", pack.version), ("digest", pack.digest)):
        _length(faults, f"content_pack.{field}", word, "WORD_CHARS")
    _length(faults, "game", request.game, "WORD_CHARS")
    if len(request.options) > limits.OPTIONS:
        faults.append(_above("options", f"are {len(request.options)}", "OPTIONS"))
    for name, value in request.options.items():
        _length(faults, "options", name, "WORD_CHARS")
        _length(faults, f"options[{name[: limits.WORD_CHARS[-1]]}]", value, "WORD_CHARS")


def _invite_player(request: commands.InvitePlayerRequest, faults: Faults) -> None:
    _command(request, faults)
    _length(faults, "player", request.player, "NAME_CHARS")


def _take_seat(request: commands.TakeSeatRequest, faults: Faults) -> None:
    _command(request, faults)
    _length(faults, "invitation_code", request.invitation_code, "INVITATION_CODE_CHARS")
    _player(faults, "player", request.player)


def _submit_command(request: commands.SubmitCommandRequest, faults: Faults) -> None:
    _command(request, faults)
    match request.WhichOneof("answer"):
        case "option_id":
            _length(faults, "option_id", request.option_id, "OPTION_ID_CHARS")
        case None:
            faults.append(FieldFault("answer", "must be given"))


def _undo(request: Any, faults: Faults) -> None:
    _command(request, faults)
    if not request.target_revision:
        faults.append(FieldFault("target_revision", "must be given"))


def _set_programme(request: commands.SetProgrammeRequest, faults: Faults) -> None:
    _command(request, faults)
    if not request.revision:
        faults.append(FieldFault("revision", "must be given"))
    match request.WhichOneof("kind"):
        case "pass_until_round":
            if not request.pass_until_round.round:
                faults.append(FieldFault("pass_until_round.round", "must be given"))
        case "when":
            if not request.when.decision_kind:
                faults.append(FieldFault("when.decision_kind", "must be given"))
            _length(faults, "when.decision_kind", request.when.decision_kind, "WORD_CHARS")
            _length(faults, "when.option_id", request.when.option_id, "OPTION_ID_CHARS")
        case None:
            faults.append(FieldFault("kind", "must be given"))


def _record_score(request: commands.RecordScoreRequest, faults: Faults) -> None:
    _command(request, faults)
    if request.WhichOneof("score") is None:
        faults.append(FieldFault("score", "must be given"))


# -- queries -----------------------------------------------------------------------------------------------------------


def _list_games(request: queries.ListGamesRequest, faults: Faults) -> None:
    _page(request, faults, "GAMES_PAGE")
    if request.status not in game_pb2.GameStatus.values():
        faults.append(FieldFault("status", f"{request.status} is no status"))
    _kind(request, faults)
    if request.seat_count > limits.SEATS:
        faults.append(_above("seat_count", f"is {request.seat_count}", "SEATS"))
    for field in ("player", "awaiting", "creator", "invited"):
        if name := getattr(request, field):
            _length(faults, field, name, "NAME_CHARS")


def _list_turns(request: queries.ListTurnsRequest, faults: Faults) -> None:
    _page(request, faults, "GAMES_PAGE")
    if request.player:
        _length(faults, "player", request.player, "NAME_CHARS")


def _list_history(request: queries.ListHistoryRequest, faults: Faults) -> None:
    _game(request, faults)
    _page(request, faults, "HISTORY_PAGE")


# -- all ---------------------------------------------------------------------------------------------------------------

CHECKS: Mapping[type[Message], Callable[[Any, Faults], None]] = {
    commands.CreateGameRequest: _create_game,
    commands.TakeSeatRequest: _take_seat,
    commands.LeaveSeatRequest: _command,
    commands.StartGameRequest: _command,
    commands.ResignRequest: _command,
    commands.ReturnToSeatRequest: _command,
    commands.InvitePlayerRequest: _invite_player,
    commands.WithdrawInvitationRequest: _command,
    commands.CloseTableRequest: _command,
    commands.RequestRematchRequest: _command,
    commands.SubmitCommandRequest: _submit_command,
    commands.RecordScoreRequest: _record_score,
    commands.RequestUndoRequest: _undo,
    commands.AnswerUndoRequest: _undo,
    commands.SetProgrammeRequest: _set_programme,
    commands.StopProgrammeRequest: _command,
    queries.GetGameViewRequest: _game,
    queries.ListGamesRequest: _list_games,
    queries.ListTurnsRequest: _list_turns,
    queries.ListHistoryRequest: _list_history,
    queries.ListLegalCommandsRequest: _game,
    queries.WatchGameRequest: _game,
    queries.ExportGameRequest: _game,
    scores.GetScoreCardRequest: _game,
    scores.GetScoreIfEndedNowRequest: _game,
    scores.WatchScoresRequest: _game,
}
"""The check of every request that a servicer takes. Those of a `Play` stream are checked one by one as they come."""


def check(request: Message) -> None:
    """MALFORMED_REQUEST, with all that is wrong with the request's form."""
    faults: Faults = []
    CHECKS[type(request)](request, faults)
    if faults:
        raise malformed(faults)
