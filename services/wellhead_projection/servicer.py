"""The projection service on the wire."""

import asyncio
from collections.abc import AsyncIterator

from grpc import StatusCode

from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as api
from wellhead_projection import history, lists, summaries, tokens, turns, watching
from wellhead_projection.presence import Presence
from wellhead_rules.kernel.table import Status
from wellhead_runtime import limits, viewing
from wellhead_runtime.authority import Authority
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import not_reached
from wellhead_runtime.hub import Ended, Hub
from wellhead_runtime.live import LiveGame, LiveGames
from wellhead_runtime.proof import export_chunks
from wellhead_runtime.reasons import Reason


class QueryServicer:
    """`GameQueryService`. After a game has been looked up nothing is awaited until the answer is built from it."""

    def __init__(self, games: LiveGames, hub: Hub, authority: Authority, heartbeat_seconds: float) -> None:
        self._games = games
        self._hub = hub
        self._authority = authority
        self._heartbeat_seconds = heartbeat_seconds
        self._presence = Presence()

    async def GetGameView(self, request: api.GetGameViewRequest, call: Call) -> api.GetGameViewResponse:
        live = await self._at_least(request.game_id, request.min_revision, call)
        viewer = self._authority.viewer(live, call.caller)
        view = viewing.game_view(live.table, viewer)
        self._presence.add_to(view)
        await self._name_rematch(view.summary, call)
        return api.GetGameViewResponse(view=view)

    async def ListGames(self, request: api.ListGamesRequest, call: Call) -> api.ListGamesResponse:
        limit = request.page_size or limits.GAMES_PAGE_DEFAULT
        wanted = lists.Wanted(request)
        after = tokens.read(request.page_token, "games", wanted.name)
        games, reached = await lists.page(
            self._games.log,
            wanted,
            lambda game: self._authority.lists(call.caller, game, wanted.person),
            after,
            limit,
        )
        await asyncio.gather(*(self._name_rematch(game, call) for game in games))
        token = tokens.make("games", wanted.name, reached) if reached else ""
        return api.ListGamesResponse(games=games, next_page_token=token)

    async def ListTurns(self, request: api.ListTurnsRequest, call: Call) -> api.ListTurnsResponse:
        after = tokens.read(request.page_token, "turns", request.player)
        found, reached = await turns.page(
            self._games.log,
            request.player,
            lambda game: self._authority.lists(call.caller, game, request.player),
            after,
            request.page_size or limits.GAMES_PAGE_DEFAULT,
        )
        token = tokens.make("turns", request.player, reached) if reached else ""
        return api.ListTurnsResponse(turns=found, next_page_token=token)

    async def ListHistory(self, request: api.ListHistoryRequest, call: Call) -> api.ListHistoryResponse:
        live = await self._latest(request.game_id)
        viewer, last = self._authority.viewer(live, call.caller), live.head.revision
        after = tokens.revision(request.page_token, "history", request.game_id)
        limit = request.page_size or limits.HISTORY_PAGE_DEFAULT
        entries = await history.page(self._games, request.game_id, after, limit, viewer)
        reached = entries[-1].revision if entries else after
        token = tokens.make("history", request.game_id, str(reached)) if reached < last else ""
        return api.ListHistoryResponse(entries=entries, next_page_token=token)

    async def ListLegalCommands(
        self, request: api.ListLegalCommandsRequest, call: Call
    ) -> api.ListLegalCommandsResponse:
        live = await self._at_least(request.game_id, request.min_revision, call)
        seat = self._authority.require_seat(live, call.caller, request.seat)
        owed = [each for each in viewing.decisions(live.table, seat) if each.seat == seat]
        anytime = viewing.anytime(live.table, seat)
        return api.ListLegalCommandsResponse(revision=live.head.revision, decisions=owed, anytime=anytime)

    async def WatchGame(self, request: api.WatchGameRequest, call: Call) -> AsyncIterator[api.WatchGameResponse]:
        with self._hub.topic(request.game_id) as topic:
            live = topic.live
            async with live.lock:
                await self._games.refresh(live)
            viewer = self._authority.viewer(live, call.caller)
            with (
                topic.subscription(viewer, watching.change_for(viewer)) as subscription,
                self._presence.following(live.game_id, viewer),
            ):
                if request.HasField("after_revision"):
                    sent = request.after_revision
                else:
                    sent = subscription.start
                    first = watching.snapshot(live, viewer)
                    self._presence.add_to(first.snapshot)
                    yield first
                if live.table.status.final and sent == live.head.revision:
                    yield watching.game_over(viewing.summary(live.table))
                    return
                try:
                    async for change in self._hub.changes(topic, subscription, sent, self._heartbeat_seconds):
                        if change is None:
                            yield watching.heartbeat(sent)
                            continue
                        if self._authority.viewer(live, call.caller) != viewer:
                            yield watching.stream_end(sent, Reason.SEAT_CHANGED)
                            return
                        sent, message = change
                        yield message
                        if Status(message.change.summary.status).final:
                            yield watching.game_over(message.change.summary)
                            return
                except Ended as end:
                    yield watching.stream_end(sent, end.reason)

    async def ExportGame(self, request: api.ExportGameRequest, call: Call) -> AsyncIterator[api.ExportGameResponse]:
        live = await self._latest(request.game_id)
        self._authority.viewer(live, call.caller)
        redacted, revision = not live.table.status.over, live.head.revision
        entries = await self._games.log.read(live.stream, 0, revision)
        for chunk in export_chunks(request.game_id, entries, redacted):
            yield api.ExportGameResponse(chunk=chunk)

    async def _name_rematch(self, game: game_pb2.GameSummary, call: Call) -> None:
        """Says which game the rematch is, if there is one that the caller may find."""
        if not Status(game.status).over:
            return
        rematch = await summaries.rematch_of(self._games.log, game.game_id)
        if rematch is not None and self._authority.lists(call.caller, rematch):
            game.rematch_game_id = rematch.game_id

    async def _latest(self, game_id: str) -> LiveGame:
        live = self._games.at_hand(game_id)
        async with live.lock:
            await self._games.refresh(live)
        return live

    async def _at_least(self, game_id: str, revision: int, call: Call) -> LiveGame:
        """The game at the latest revision, or, if that is not enough, as soon as it is."""
        live = await self._latest(game_id)
        if live.head.revision >= revision:
            return live
        left = call.time_remaining()
        seconds = limits.CALL_SECONDS if left is None else left
        seconds -= max(limits.DEADLINE_MARGIN_SECONDS, seconds * limits.DEADLINE_MARGIN_SHARE)
        with self._hub.topic(game_id) as topic:
            try:
                async with asyncio.timeout(seconds):
                    async with topic.live.lock:
                        await self._games.refresh(topic.live)
                    await self._hub.reach(topic, revision)
            except TimeoutError:
                raise not_reached(revision, topic.live.head.revision, StatusCode.DEADLINE_EXCEEDED) from None
            return topic.live
