"""Which games somebody asks for, and a page of them.

A list is read from the shortest read model that holds all of its games; what that does not tell apart is looked at game
by game, so many for a page.
"""

import hashlib
from collections.abc import Callable

from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as api
from wellhead_eventlog.port import EventLog
from wellhead_projection import summaries
from wellhead_rules.kernel.table import Status
from wellhead_runtime import limits


class Wanted:
    """What a request filters by."""

    def __init__(self, request: api.ListGamesRequest) -> None:
        self._asked = request
        self._status = Status(request.status) if request.status else None

    @property
    def name(self) -> str:
        """The name of the list, for page tokens: another for everything that is asked but the page."""
        asked = api.ListGamesRequest()
        asked.CopyFrom(self._asked)
        for field in ("page_size", "page_token"):
            asked.ClearField(field)
        return hashlib.sha256(asked.SerializeToString(deterministic=True)).hexdigest()[:16]

    @property
    def collection(self) -> str:
        """The list that holds all of the games, and may hold others.

        It is one, never the sum of several: a game that moves from one to the other could be missed in both.
        """
        asked = self._asked
        if asked.awaiting:
            return summaries.awaiting(asked.awaiting)
        if asked.invited:
            return summaries.inviting(asked.invited)
        if asked.player:
            return summaries.of_player(asked.player, self._status)
        if asked.creator:
            return summaries.of_creator(asked.creator)
        if asked.has_free_seat:
            return summaries.with_status(Status.OPEN)
        return summaries.GAMES if self._status is None else summaries.with_status(self._status)

    @property
    def person(self) -> str:
        """The person whose games are asked for; "" if they are anybody's."""
        asked = self._asked
        return asked.awaiting or asked.invited or asked.player or asked.creator

    def holds(self, game: game_pb2.GameSummary) -> bool:
        """Whether the game is one of those asked for."""
        asked, pack = self._asked, self._asked.content_pack
        return all(
            (
                asked.status in (0, game.status),
                asked.game in ("", game.game),
                asked.seat_count in (0, len(game.seats)),
                all(game.options.get(name) == value for name, value in asked.options.items()),
                pack.id in ("", game.content_pack.id),
                pack.version in ("", game.content_pack.version),
                pack.digest in ("", game.content_pack.digest),
                not asked.has_free_seat or _has_free_seat(game),
                not asked.player or any(seat.player == asked.player for seat in game.seats),
                not asked.awaiting or any(game.seats[seat].player == asked.awaiting for seat in game.awaiting),
                asked.creator in ("", game.creator),
                not asked.invited or any(seat.reserved_for == asked.invited for seat in game.seats),
            )
        )


def _has_free_seat(game: game_pb2.GameSummary) -> bool:
    free = any(not seat.player and not seat.reserved_for for seat in game.seats)
    return free and Status(game.status) is Status.OPEN


async def page(
    log: EventLog, wanted: Wanted, finds: Callable[[game_pb2.GameSummary], bool], after: str, size: int
) -> tuple[list[game_pb2.GameSummary], str]:
    """The games after a place that the caller `finds`, at most `size`; and where the next page begins, "" on the last.

    Every game that is wanted before and after the pages are read stands on one of them, once: a game keeps its place.
    """
    games: list[game_pb2.GameSummary] = []
    left = limits.GAMES_LOOKED_AT
    while left:
        chunk = min(size + 1, left)
        found = await summaries.newest(log, wanted.collection, after, chunk)
        for place, game in found:
            if len(games) == size:
                return games, after
            after = place
            if game is not None and wanted.holds(game) and finds(game):
                games.append(game)
        if len(found) < chunk:
            return games, ""
        left -= chunk
    return games, after
