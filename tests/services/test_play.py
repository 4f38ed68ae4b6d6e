"""A whole game through the three services."""

import io

import pytest

from tests.services.house import SECONDS, House, play, start_game
from tests.services.over_http import TRANSPORTS
from tests.support.waiting import until
from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead.v1 import scoring_service_pb2 as scoring
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import verify


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.req("R-SCORE-1", "R-SCORE-2", "R-SCORE-3")
async def test_a_game_is_played_scored_listed_and_proved(house: House) -> None:
    command, query = await house.command(), await house.query()
    scores = await house.scoring()
    game = await start_game(command, 2)
    played = await play(game, query)
    assert played > 50

    async def ended() -> bool:
        view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), timeout=SECONDS)
        return view.view.summary.status == game_pb2.GAME_STATUS_ENDED

    await until(ended)
    recorded = [each async for each in scores.WatchScores(scoring.WatchScoresRequest(game_id=game.id))]
    assert [each.round_award.round for each in recorded[:-1]] == [1, 2, 3, 4]
    final = recorded[-1].final_score
    totals = {seat: sum(line.points for line in final.lines if line.seat == seat) for seat in range(2)}
    assert totals == {rank.seat: rank.total for rank in final.ranking}

    chunks = [each.chunk async for each in query.ExportGame(queries.ExportGameRequest(game_id=game.id))]
    report = verify(io.BytesIO(b"".join(chunks)), RULESETS)
    assert report.ended
    assert not report.unproved
