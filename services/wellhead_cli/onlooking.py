"""`wellhead games`: games as text, through the query service and no other door: what an operator's token may see."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from rich.table import Table
from rich.text import Text

from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_cli.console import Failure, err, listed, out, words
from wellhead_client import Refused, Unreachable, WellheadClient

_PATIENCE_S = 10.0
_PAGE = 200
_STATUSES: dict[str, game_pb2.GameStatus.ValueType] = {
    name.removeprefix("GAME_STATUS_").lower(): number for name, number in game_pb2.GameStatus.items() if number
}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games to list; what is empty matches any."""

    status: str = ""
    game: str = ""
    player: str = ""
    limit: int = 50

    def matches(self, summary: game_pb2.GameSummary) -> bool:
        """Whether it is one of them."""
        players = [seat.player for seat in summary.seats]
        return self.game in ("", summary.game) and (not self.player or self.player in players)


def list_games(wanted: Wanted, target: str, token: str, as_json: bool) -> None:
    """Prints a line a game."""
    if wanted.status and wanted.status not in _STATUSES:
        raise Failure(f"a game is never {wanted.status!r}; it is {', '.join(_STATUSES)}")

    async def ask(client: WellheadClient) -> list[game_pb2.GameSummary]:
        found: list[game_pb2.GameSummary] = []
        async for summary in client.games(
            _STATUSES.get(wanted.status, game_pb2.GAME_STATUS_UNSPECIFIED), page_size=_PAGE
        ):
            if wanted.matches(summary):
                found.append(summary)
            if len(found) == wanted.limit:
                break
        return found

    games = _ask(ask, target, token)
    if as_json:
        return _say({"games": [_plain(each) for each in games]})
    if not games:
        return out.print("There is no such game.")
    for each in games:
        at = f"{each.game} at revision {each.revision}, {_when(each.updated)}"
        _print(f"{each.game_id}  {status(each):<9}  {at}: {_seats(each)}")


def show_game(game_id: str, facts: int, target: str, token: str, as_json: bool) -> None:
    """Prints a game and the last of what has happened in it."""

    async def ask(client: WellheadClient) -> tuple[game_pb2.GameView, list[queries.HistoryEntry]]:
        view = await client.view(game_id)
        if not facts:
            return view, []
        return view, [entry async for entry in client.history(game_id, page_size=_PAGE)]

    view, history = _ask(ask, target, token)
    if as_json:
        said = {"view": _plain(view), "history": [_plain(entry) for entry in history[-facts:]] if facts else []}
        return _say(said)
    for line in described(view):
        _print(line)
    out.print(seat_table(view))
    for line in owed(view):
        _print(line)
    last = list(islice((line for entry in reversed(history) for line in reversed(list(told(entry)))), facts))
    if last:
        _print("Last:")
    for line in reversed(last):
        _print(line)


def watch_game(game_id: str, after: int, target: str, token: str, as_json: bool) -> None:
    """Prints every fact after a revision as it comes, and who has won."""

    async def ask(client: WellheadClient) -> None:
        seen, history = after, History(client, game_id)
        try:
            async for message in client.watch(game_id):
                if message.HasField("game_over"):
                    _print_end(message.game_over, await client.view(game_id), as_json)
                    return
                reached = message.change.revision or message.snapshot.revision
                if reached > seen:
                    async for entry in history.after(seen):
                        seen = entry.revision
                        if as_json:
                            _say(_plain(entry))
                        else:
                            for line in told(entry):
                                _print(line)
        except BaseException:
            if seen > after:
                err.print(f"seen up to revision {seen}: --after {seen} goes on from here", soft_wrap=True)
            raise

    _ask(ask, target, token)


class History:
    """A game's history, read on from where it was left: only its last page is read twice."""

    def __init__(self, client: WellheadClient, game_id: str) -> None:
        self._client = client
        self._game_id = game_id
        self._token = ""

    async def after(self, revision: int) -> AsyncIterator[queries.HistoryEntry]:
        """What has happened after a revision."""
        while True:
            page = await self._client.history_page(self._game_id, page_size=_PAGE, page_token=self._token)
            for entry in page.entries:
                if entry.revision > revision:
                    yield entry
            if not page.next_page_token:
                return
            self._token = page.next_page_token


# -- words -------------------------------------------------------------------------------------------------------------


def status(summary: game_pb2.GameSummary) -> str:
    """How far the game is, in a word."""
    return game_pb2.GameStatus.Name(summary.status).removeprefix("GAME_STATUS_").lower()


def described(view: game_pb2.GameView) -> Iterator[str]:
    """What the game is: a few lines."""
    game = view.summary
    yield f"{words(game.game).title()} {game.game_id}: {status(game)}, revision {view.revision}"
    yield f"opened {_when(game.created)} by {game.creator or 'somebody'}, latest {_when(game.updated)}"
    content = f"{game.content_pack.id} {game.content_pack.version}".strip()
    yield f"rules {game.rules_version}, content {content or 'unknown'}"
    if game.options:
        yield "options " + ", ".join(f"{name}={value}" for name, value in sorted(game.options.items()))
    if control := game.time_control.WhichOneof("kind"):
        fields = MessageToDict(getattr(game.time_control, control), preserving_proto_field_name=True)
        yield f"time {words(control)}: " + ", ".join(f"{words(name)} {value}" for name, value in fields.items())
    else:
        yield "time: no clocks"
    if game.rematch_of:
        yield f"a rematch of {game.rematch_of}"
    if view.HasField("undo"):
        agreed = listed(_name(game, seat) for seat in view.undo.agreed) if view.undo.agreed else "nobody"
        yield f"{_name(game, view.undo.seat)} asks to go back to revision {view.undo.target_revision}; {agreed} agrees"


def seat_table(view: game_pb2.GameView) -> Table:
    """A row a seat: who, in which colour, how much time, whether somebody is there, and what is waited for."""
    game = view.summary
    clocks = {clock.seat: clock for clock in game.clocks}
    absent = {each.seat: each.WhichOneof("kind") for each in game.absent}
    present = {each.seat: each.connected for each in view.presence}
    places = {rank.seat: f"place {place}, {rank.total} points" for place, rank in enumerate(game.ranking, 1)}
    table = Table("seat", "player", "colour", "clock", "presence", "state")
    for seat in game.seats:
        away = {"resigned": "has resigned", "taken_over": "a bot plays"}.get(absent.get(seat.seat) or "", "")
        state = "to decide" if seat.seat in game.awaiting else "waits" if seat.player else "free"
        here = "·" if seat.seat not in present else "connected" if present[seat.seat] else "away"
        kept = f"(kept for {seat.reserved_for})" if seat.reserved_for else "(free)"
        standing = places.get(seat.seat) or "; ".join(filter(None, (state, away)))
        clock = _clock(clocks[seat.seat]) if seat.seat in clocks else "·"
        table.add_row(*map(Text, (str(seat.seat), seat.player or kept, seat.colour or "·", clock, here, standing)))
    return table


def owed(view: game_pb2.GameView) -> Iterator[str]:
    """The decisions that are waited for, a line each."""
    deadlines = {clock.seat: clock.deadline for clock in view.summary.clocks if clock.HasField("deadline")}
    for decision in view.decisions:
        until = f", until {_when(deadlines[decision.seat])}" if decision.seat in deadlines else ""
        who = _name(view.summary, decision.seat)
        yield f"Decision {decision.decision_id}: {who} (seat {decision.seat}){until}: {decision.prompt}"
    if not view.decisions:
        yield "Nobody owes a decision."


def told(entry: queries.HistoryEntry) -> Iterator[str]:
    """A commit, a line a fact; what was asked, where no fact has words."""
    for fact in entry.facts or [entry.command]:
        yield f"{entry.revision:>5}  {_when(entry.time)}  {entry.actor}: {fact}"


def _seats(game: game_pb2.GameSummary) -> str:
    """Everybody at the table, and who has to decide."""
    players = [(seat.player or "(free)", seat.seat in game.awaiting) for seat in game.seats]
    return ", ".join(f"{player} (to decide)" if awaited else player for player, awaited in players)


def _clock(clock: game_pb2.SeatClock) -> str:
    minutes, seconds = divmod(max(clock.remaining_ms, 0) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    left = f"{hours}:{minutes:02}:{seconds:02} left"
    return f"{left}, running" if clock.running else left


def _name(game: game_pb2.GameSummary, seat: int) -> str:
    return game.seats[seat].player or f"seat {seat}"


def _when(moment: Timestamp) -> str:
    return datetime.fromtimestamp(moment.seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _print_end(over: queries.GameOver, view: game_pb2.GameView, as_json: bool) -> None:
    if as_json:
        return _say({"game_over": _plain(over)})
    if not over.ranking:
        return _print(f"The game is {status(view.summary)}, without a ranking.")
    places = (f"{_name(view.summary, rank.seat)} {rank.total}" for rank in over.ranking)
    return _print(f"The game is over: {', '.join(places)}.")


# -- asking ------------------------------------------------------------------------------------------------------------


def _ask(ask: Callable[[WellheadClient], Coroutine[Any, Any, T]], target: str, token: str) -> T:
    async def run() -> T:
        async with WellheadClient(target, target, token=token, patience=_PATIENCE_S) as client:
            return await ask(client)

    try:
        return asyncio.run(run())
    except (Refused, Unreachable) as error:
        raise Failure(str(error)) from error


def _plain(message: Message) -> dict[str, Any]:
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def _print(line: str) -> None:
    out.print(Text(line), soft_wrap=True)


def _say(what: object) -> None:
    out.print(json.dumps(what), markup=False, soft_wrap=True)
