"""The scoring service on the wire."""

from collections.abc import AsyncIterator

from wellhead.v1 import game_pb2
from wellhead.v1 import scoring_service_pb2 as api
from wellhead_rules.kernel import commits
from wellhead_runtime import limits
from wellhead_runtime.authority import Authority
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import Refused, busy
from wellhead_runtime.hub import Ended, Hub
from wellhead_runtime.live import LiveGame, LiveGames
from wellhead_runtime.reasons import Reason


class ScoringServicer:
    """`ScoringService`. Whoever may look at a table may see its scores."""

    def __init__(self, games: LiveGames, hub: Hub, authority: Authority) -> None:
        self._games = games
        self._hub = hub
        self._authority = authority

    async def GetScoreCard(self, request: api.GetScoreCardRequest, call: Call) -> api.GetScoreCardResponse:
        live = await self._latest(request.game_id, call)
        if request.revision:
            live = await self._games.at(request.game_id, request.revision)
        return api.GetScoreCardResponse(score_card=_card(live))

    async def GetScoreIfEndedNow(
        self, request: api.GetScoreIfEndedNowRequest, call: Call
    ) -> api.GetScoreIfEndedNowResponse:
        return api.GetScoreIfEndedNowResponse(score_card=_card(await self._latest(request.game_id, call)))

    async def WatchScores(self, request: api.WatchScoresRequest, call: Call) -> AsyncIterator[api.WatchScoresResponse]:
        with self._hub.topic(request.game_id) as topic:
            live = topic.live
            async with live.lock:
                await self._games.refresh(live)
            self._authority.viewer(live, call.caller)
            with topic.subscription("scores", _recorded) as subscription:
                if live.table.status.final and request.after_revision >= live.head.revision:
                    return
                changes = self._hub.changes(topic, subscription, request.after_revision, limits.HEARTBEAT_SECONDS)
                sent = request.after_revision
                try:
                    async for change in changes:
                        if change is None:
                            continue
                        sent, score = change
                        if score is None:
                            if live.table.status.final and sent == live.head.revision:
                                return
                            continue
                        self._authority.viewer(live, call.caller)
                        yield score
                        if score.HasField("final_score"):
                            return
                except Ended as end:
                    refused = busy(end.reason, "the stream ends early; resume after the revision given")
                    refused.metadata["resume_after"] = str(sent)
                    raise refused from None

    async def _latest(self, game_id: str, call: Call) -> LiveGame:
        """The game at the latest revision, if the caller may look at it."""
        live = self._games.at_hand(game_id)
        async with live.lock:
            await self._games.refresh(live)
        self._authority.viewer(live, call.caller)
        return live


def _card(live: LiveGame) -> game_pb2.ScoreCard:
    if not live.table.started:
        raise Refused(Reason.GAME_NOT_STARTED, "the game has not started")
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
