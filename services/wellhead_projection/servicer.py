"""The projection service on the wire."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeAlias, cast

from grpc import StatusCode, aio

from wellhead.v1 import query_service_pb2 as api
from wellhead.v1 import query_service_pb2_grpc
from wellhead_projection import history, summaries, tokens, watching
from wellhead_rules.kernel.table import Status
from wellhead_runtime import limits, validation, viewing
from wellhead_runtime.authority import Authority
from wellhead_runtime.credentials import bearer
from wellhead_runtime.errors import not_reached
from wellhead_runtime.hub import Ended, Hub
from wellhead_runtime.live import LiveGame, LiveGames
from wellhead_runtime.proof import export_chunks

Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class QueryServicer(query_service_pb2_grpc.GameQueryServiceServicer):
    """`GameQueryService`. After a game has been looked up nothing is awaited until the answer is built from it."""

    def __init__(self, games: LiveGames, hub: Hub, authority: Authority, heartbeat_seconds: float) -> None:
        self._games = games
        self._hub = hub
        self._authority = authority
        self._heartbeat_seconds = heartbeat_seconds

    async def GetGameView(self, request: api.GetGameViewRequest, context: Context) -> api.GetGameViewResponse:
        validation.of_game(request)
        live = await self._at_least(request.game_id, request.min_revision, context)
        viewer = self._authority.viewer(live, _credential(context))
        return api.GetGameViewResponse(view=viewing.game_view(live.table, viewer))

    async def ListGames(self, request: api.ListGamesRequest, context: Context) -> api.ListGamesResponse:
        validation.list_games(request)
        limit = request.page_size or limits.GAMES_PAGE_DEFAULT
        statuses = [Status(request.status)] if request.status else list(Status)
        after = tokens.read(request.page_token, "games", str(request.status))
        found = await summaries.newest(self._games.log, statuses, after, limit + 1)
        page = found[:limit]
        token = tokens.make("games", str(request.status), page[-1][0]) if len(found) > limit else ""
        return api.ListGamesResponse(games=[game for _, game in page], next_page_token=token)

    async def ListHistory(self, request: api.ListHistoryRequest, context: Context) -> api.ListHistoryResponse:
        validation.list_history(request)
        live = await self._latest(request.game_id)
        viewer, last = self._authority.viewer(live, _credential(context)), live.head.revision
        after = int(tokens.read(request.page_token, "history", request.game_id) or 0)
        limit = request.page_size or limits.HISTORY_PAGE_DEFAULT
        entries = await history.page(self._games, request.game_id, after, limit, viewer)
        reached = entries[-1].revision if entries else after
        token = tokens.make("history", request.game_id, str(reached)) if reached < last else ""
        return api.ListHistoryResponse(entries=entries, next_page_token=token)

    async def ListLegalCommands(
        self, request: api.ListLegalCommandsRequest, context: Context
    ) -> api.ListLegalCommandsResponse:
        validation.of_game(request)
        live = await self._at_least(request.game_id, request.min_revision, context)
        seat = self._authority.require_seat(live, _credential(context), request.seat)
        owed = [each for each in viewing.decisions(live.table, seat) if each.seat == seat]
        anytime = viewing.anytime(live.table, seat)
        return api.ListLegalCommandsResponse(revision=live.head.revision, decisions=owed, anytime=anytime)

    async def WatchGame(self, request: api.WatchGameRequest, context: Context) -> AsyncIterator[api.WatchGameResponse]:
        validation.of_game(request)
        with self._hub.topic(request.game_id) as topic:
            live = topic.live
            async with live.lock:
                await self._games.refresh(live)
            viewer = self._authority.viewer(live, _credential(context))
            with topic.subscription(viewer, watching.change_for(viewer)) as subscription:
                if request.HasField("after_revision"):
                    sent = request.after_revision
                else:
                    sent = subscription.start
                    yield watching.snapshot(live, viewer)
                if live.table.status is Status.ENDED and sent == live.head.revision:
                    yield watching.game_over(viewing.summary(live.table))
                    return
                try:
                    async for change in self._hub.changes(topic, subscription, sent, self._heartbeat_seconds):
                        if change is None:
                            yield watching.heartbeat(sent)
                            continue
                        sent, message = change
                        yield message
                        if message.change.summary.status == int(Status.ENDED):
                            yield watching.game_over(message.change.summary)
                            return
                except Ended as end:
                    yield watching.stream_end(sent, end.reason)

    async def ExportGame(
        self, request: api.ExportGameRequest, context: Context
    ) -> AsyncIterator[api.ExportGameResponse]:
        validation.of_game(request)
        live = await self._latest(request.game_id)
        redacted, revision = live.table.status is not Status.ENDED, live.head.revision
        entries = await self._games.log.read(live.stream, 0, revision)
        for chunk in export_chunks(request.game_id, entries, redacted):
            yield api.ExportGameResponse(chunk=chunk)

    async def _latest(self, game_id: str) -> LiveGame:
        live = self._games.at_hand(game_id)
        async with live.lock:
            await self._games.refresh(live)
        return live

    async def _at_least(self, game_id: str, revision: int, context: Context) -> LiveGame:
        """The game at the latest revision, or, if that is not enough, as soon as it is."""
        live = await self._latest(game_id)
        if live.head.revision >= revision:
            return live
        left = cast("float | None", context.time_remaining())
        seconds = (limits.CALL_SECONDS if left is None else left) - limits.DEADLINE_MARGIN_SECONDS
        with self._hub.topic(game_id) as topic:
            try:
                async with asyncio.timeout(seconds):
                    async with topic.live.lock:
                        await self._games.refresh(topic.live)
                    await self._hub.reach(topic, revision)
            except TimeoutError:
                raise not_reached(revision, topic.live.head.revision, StatusCode.DEADLINE_EXCEEDED) from None
            return topic.live


def _credential(context: Context) -> str:
    return bearer(context.invocation_metadata())
