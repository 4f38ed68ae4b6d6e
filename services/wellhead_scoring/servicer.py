"""The scoring service on the wire."""

from collections.abc import AsyncIterator
from typing import Any, TypeAlias

from grpc import StatusCode, aio

from wellhead.v1 import game_pb2, scoring_service_pb2_grpc
from wellhead.v1 import scoring_service_pb2 as api
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.table import Status
from wellhead_runtime import limits, validation
from wellhead_runtime.errors import Refused, busy
from wellhead_runtime.hub import Ended, Hub
from wellhead_runtime.live import LiveGame, LiveGames

Context: TypeAlias = "aio.ServicerContext[Any, Any]"


class ScoringServicer(scoring_service_pb2_grpc.ScoringServiceServicer):
    """`ScoringService`. Scores are public, so nobody has to prove anything."""

    def __init__(self, games: LiveGames, hub: Hub) -> None:
        self._games = games
        self._hub = hub

    async def GetScoreCard(self, request: api.GetScoreCardRequest, context: Context) -> api.GetScoreCardResponse:
        validation.of_game(request)
        if request.revision:
            live = await self._games.at(request.game_id, request.revision)
        else:
            live = await self._latest(request.game_id)
        return api.GetScoreCardResponse(score_card=_card(live))

    async def GetScoreIfEndedNow(
        self, request: api.GetScoreIfEndedNowRequest, context: Context
    ) -> api.GetScoreIfEndedNowResponse:
        validation.of_game(request)
        return api.GetScoreIfEndedNowResponse(score_card=_card(await self._latest(request.game_id)))

    async def WatchScores(
        self, request: api.WatchScoresRequest, context: Context
    ) -> AsyncIterator[api.WatchScoresResponse]:
        validation.of_game(request)
        with self._hub.topic(request.game_id) as topic:
            live = topic.live
            async with live.lock:
                await self._games.refresh(live)
            with topic.subscription("scores", _recorded) as subscription:
                if live.table.status is Status.ENDED and request.after_revision >= live.head.revision:
                    return
                changes = self._hub.changes(topic, subscription, request.after_revision, limits.HEARTBEAT_SECONDS)
                sent = request.after_revision
                try:
                    async for change in changes:
                        if change is None:
                            continue
                        sent, score = change
                        if score is None:
                            continue
                        yield score
                        if score.HasField("final_score"):
                            return
                except Ended as end:
                    refused = busy(end.reason, "the stream ends early; resume after the revision given")
                    refused.metadata["resume_after"] = str(sent)
                    raise refused from None

    async def _latest(self, game_id: str) -> LiveGame:
        live = self._games.at_hand(game_id)
        async with live.lock:
            await self._games.refresh(live)
        return live


def _card(live: LiveGame) -> game_pb2.ScoreCard:
    if not live.table.started:
        raise Refused(StatusCode.FAILED_PRECONDITION, "GAME_NOT_STARTED", "the game has not started")
    return commits.score_card_to_proto(live.table.ruleset.score(live.table.game), live.head.revision)


def _recorded(live: LiveGame) -> api.WatchScoresResponse | None:
    """The score that a commit records, if it does."""
    assert live.last is not None
    record = live.last.record
    match record.WhichOneof("command"):
        case "round_award":
            return api.WatchScoresResponse(revision=record.revision, round_award=record.round_award)
        case "final_score":
            return api.WatchScoresResponse(revision=record.revision, final_score=record.final_score)
    return None
