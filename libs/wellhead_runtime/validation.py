"""Checks of requests before anything else looks at them: one function a request, all faults at once (R-API-1).

Only form is checked here: sizes, characters, what must be present. Whether it makes sense is for the rules to say.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_runtime import limits
from wellhead_runtime.errors import FieldFault, malformed

Faults = list[FieldFault]


def _check(find: Callable[[Any, Faults], None]) -> Callable[[Any], None]:
    """Makes a check of a function that collects faults: it raises them together."""

    @wraps(find)
    def check(request: Any) -> None:
        faults: Faults = []
        find(request, faults)
        if faults:
            raise malformed(faults)

    return check


def _length(faults: Faults, field: str, value: str, allowed: range) -> None:
    if len(value) not in allowed:
        faults.append(FieldFault(field, f"has {len(value)} characters, not {allowed[0]} to {allowed[-1]}"))
    elif not value.isprintable():
        faults.append(FieldFault(field, "has characters that cannot be printed"))


def _game(request: Any, faults: Faults) -> None:
    _length(faults, "game_id", request.game_id, limits.GAME_ID_CHARS)


def _command(request: Any, faults: Faults) -> None:
    _game(request, faults)
    _length(faults, "request_id", request.request_id, limits.REQUEST_ID_CHARS)


def _player(faults: Faults, field: str, player: commands.SeatRequest) -> None:
    _length(faults, f"{field}.player", player.player, limits.NAME_CHARS)
    _length(faults, f"{field}.colour", player.colour, limits.WORD_CHARS)
    if len(player.nonce) > limits.NONCE_BYTES:
        faults.append(FieldFault(f"{field}.nonce", f"has {len(player.nonce)} bytes, at most {limits.NONCE_BYTES}"))


def _page(request: Any, faults: Faults, largest: int) -> None:
    if not 0 <= request.page_size <= largest:
        faults.append(FieldFault("page_size", f"is {request.page_size}, not 0 to {largest}"))
    if len(request.page_token) > limits.PAGE_TOKEN_CHARS:
        faults.append(FieldFault("page_token", "was not given out by this service"))


# -- commands ----------------------------------------------------------------------------------------------------------


@_check
def create_game(request: commands.CreateGameRequest, faults: Faults) -> None:
    """Form of CreateGame."""
    _length(faults, "request_id", request.request_id, limits.REQUEST_ID_CHARS)
    _length(faults, "creator", request.creator, limits.NAME_CHARS)
    pack = request.content_pack
    for field, word in (("content_pack.id", pack.id), ("content_pack.version", pack.version)):
        _length(faults, field, word, limits.WORD_CHARS)
    _length(faults, "content_pack.digest", pack.digest, limits.WORD_CHARS)
    if not request.game:
        faults.append(FieldFault("game", "must be given"))
    _length(faults, "game", request.game, limits.WORD_CHARS)
    if len(request.options) > limits.OPTIONS:
        faults.append(FieldFault("options", f"are {len(request.options)}, at most {limits.OPTIONS}"))
    for name, value in request.options.items():
        _length(faults, "options", name, limits.WORD_CHARS)
        _length(faults, f"options[{name[: limits.WORD_CHARS[-1]]}]", value, limits.WORD_CHARS)
    if request.seat_count > limits.SEATS or len(request.seats) > limits.SEATS:
        faults.append(FieldFault("seats", f"are more than {limits.SEATS}"))
        return
    for index, player in enumerate(request.seats):
        _player(faults, f"seats[{index}]", player)


@_check
def take_seat(request: commands.TakeSeatRequest, faults: Faults) -> None:
    """Form of TakeSeat."""
    _command(request, faults)
    _player(faults, "player", request.player)


@_check
def leave_seat(request: commands.LeaveSeatRequest, faults: Faults) -> None:
    """Form of LeaveSeat."""
    _command(request, faults)


@_check
def start_game(request: commands.StartGameRequest, faults: Faults) -> None:
    """Form of StartGame."""
    _command(request, faults)


@_check
def submit_command(request: commands.SubmitCommandRequest, faults: Faults) -> None:
    """Form of SubmitCommand."""
    _command(request, faults)
    match request.WhichOneof("answer"):
        case "option_id":
            _length(faults, "option_id", request.option_id, limits.OPTION_ID_CHARS)
        case None:
            faults.append(FieldFault("answer", "must be given"))


@_check
def record_score(request: commands.RecordScoreRequest, faults: Faults) -> None:
    """Form of RecordScore."""
    _command(request, faults)
    if request.WhichOneof("score") is None:
        faults.append(FieldFault("score", "must be given"))


# -- queries -----------------------------------------------------------------------------------------------------------


@_check
def of_game(request: Any, faults: Faults) -> None:
    """Form of a query about one game."""
    _game(request, faults)


@_check
def list_games(request: queries.ListGamesRequest, faults: Faults) -> None:
    """Form of ListGames."""
    _page(request, faults, limits.GAMES_PAGE)
    if request.status not in game_pb2.GameStatus.values():
        faults.append(FieldFault("status", f"{request.status} is no status"))


@_check
def list_history(request: queries.ListHistoryRequest, faults: Faults) -> None:
    """Form of ListHistory."""
    _game(request, faults)
    _page(request, faults, limits.HISTORY_PAGE)
