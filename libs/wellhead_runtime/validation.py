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
    pack = request.content_pack
    for field, word in (("content_pack.id", pack.id), ("content_pack.version", pack.version)):
        _length(faults, field, word, "WORD_CHARS")
    _length(faults, "content_pack.digest", pack.digest, "WORD_CHARS")
    if not request.game:
        faults.append(FieldFault("game", "must be given"))
    _length(faults, "game", request.game, "WORD_CHARS")
    if len(request.options) > limits.OPTIONS:
        faults.append(_above("options", f"are {len(request.options)}", "OPTIONS"))
    for name, value in request.options.items():
        _length(faults, "options", name, "WORD_CHARS")
        _length(faults, f"options[{name[: limits.WORD_CHARS[-1]]}]", value, "WORD_CHARS")
    if request.seat_count > limits.SEATS or len(request.seats) > limits.SEATS:
        faults.append(_above("seats", f"are {max(request.seat_count, len(request.seats))}", "SEATS"))
        return
    for index, player in enumerate(request.seats):
        _player(faults, f"seats[{index}]", player)


def _take_seat(request: commands.TakeSeatRequest, faults: Faults) -> None:
    _command(request, faults)
    _player(faults, "player", request.player)


def _submit_command(request: commands.SubmitCommandRequest, faults: Faults) -> None:
    _command(request, faults)
    match request.WhichOneof("answer"):
        case "option_id":
            _length(faults, "option_id", request.option_id, "OPTION_ID_CHARS")
        case None:
            faults.append(FieldFault("answer", "must be given"))


def _record_score(request: commands.RecordScoreRequest, faults: Faults) -> None:
    _command(request, faults)
    if request.WhichOneof("score") is None:
        faults.append(FieldFault("score", "must be given"))


# -- queries -----------------------------------------------------------------------------------------------------------


def _list_games(request: queries.ListGamesRequest, faults: Faults) -> None:
    _page(request, faults, "GAMES_PAGE")
    if request.status not in game_pb2.GameStatus.values():
        faults.append(FieldFault("status", f"{request.status} is no status"))


def _list_history(request: queries.ListHistoryRequest, faults: Faults) -> None:
    _game(request, faults)
    _page(request, faults, "HISTORY_PAGE")


# -- all ---------------------------------------------------------------------------------------------------------------

CHECKS: Mapping[type[Message], Callable[[Any, Faults], None]] = {
    commands.CreateGameRequest: _create_game,
    commands.TakeSeatRequest: _take_seat,
    commands.LeaveSeatRequest: _command,
    commands.StartGameRequest: _command,
    commands.SubmitCommandRequest: _submit_command,
    commands.RecordScoreRequest: _record_score,
    queries.GetGameViewRequest: _game,
    queries.ListGamesRequest: _list_games,
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
