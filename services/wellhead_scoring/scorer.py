"""Computes what is due, from the game as it stood when it became due, and has it recorded (R-SCORE-1, 2)."""

import hashlib
import time
from collections.abc import Sequence

import structlog

from wellhead.v1 import command_service_pb2 as api
from wellhead.v1 import game_pb2
from wellhead_eventlog.port import Entry, StreamId, Write
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.ruleset import FINAL
from wellhead_runtime import metrics, tracing
from wellhead_runtime.live import GAME, LiveGame, LiveGames
from wellhead_scoring.recorder import Recorder

DELAY_SECONDS = metrics.Histogram(
    "wellhead_score_delay_seconds",
    "From the commit after which a score is due, by the clock of who wrote it, until the score is recorded.",
    ["kind"],
    buckets=metrics.DELAYS,
)

CONSUMER = "scoring"
MARKS = frozenset({"scoring_due"})

_REMEMBERED = 10_000

_log = structlog.get_logger(__name__)


class Scorer:
    """Handles the commits after which scoring is due. Its checkpoint moves once the command service has answered."""

    def __init__(self, games: LiveGames, recorder: Recorder) -> None:
        self._games = games
        self._recorder = recorder
        self._recorded: set[tuple[str, int]] = set()

    async def handle(self, stream: StreamId, entries: Sequence[Entry]) -> list[Write]:
        """Folds the commits one by one, and scores where it is due."""
        if stream.kind != GAME:
            return []
        live = await self._before(stream.id, entries[0].revision)
        for entry in entries:
            live.fold(entry)
            if entry.mark in MARKS:
                with tracing.carry_on("score", stream, [entry]):
                    await self._score(live)
        self._games.keep(live)
        return []

    async def _before(self, game_id: str, revision: int) -> LiveGame:
        """The game right before a revision: the one at hand, unless it has come further in an attempt that failed."""
        live = self._games.at_hand(game_id)
        if live.head.revision == revision - 1:
            return live
        return await self._games.at(game_id, revision - 1) if revision > 1 else self._games.fresh(game_id)

    async def _score(self, live: LiveGame) -> None:
        assert live.last is not None
        due_s = live.last.record.time_us / 1e6
        for round in live.table.scoring_due:
            # Until an award arrives every commit finds it due. To forget that it was recorded costs only a repeat.
            if (live.game_id, round) in self._recorded:
                continue
            revision = await self._recorder.record(_request(live, round))
            DELAY_SECONDS.labels("final" if round == FINAL else "award").observe(max(time.time() - due_s, 0.0))
            _log.info("recorded", game=live.game_id, round=round, revision=revision)
            if len(self._recorded) >= _REMEMBERED:
                self._recorded.clear()
            self._recorded.add((live.game_id, round))


def request_id(game_id: str, round: int) -> str:
    """The same for every repeat, so that a score is recorded once however often it is computed (R-SCORE-1)."""
    return "score-" + hashlib.sha256(f"wellhead/v1/score/{game_id}/{round}".encode()).hexdigest()


def _request(live: LiveGame, round: int) -> api.RecordScoreRequest:
    request = api.RecordScoreRequest(game_id=live.game_id, request_id=request_id(live.game_id, round))
    ruleset, game = live.table.ruleset, live.table.game
    if round == FINAL:
        request.final_score.CopyFrom(commits.score_card_to_proto(ruleset.score(game), live.head.revision))
    else:
        lines = map(commits.score_line_to_proto, ruleset.award(game, round))
        request.round_award.CopyFrom(game_pb2.RoundAward(round=round, lines=lines))
    return request
