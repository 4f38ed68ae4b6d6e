"""Awards and final scores: exactly once, however often the service restarts or doubles (R-SCORE-1)."""

import pytest

from tests.services.house import KEYRING, SECONDS, Game, House, QueryStub, new_id, play, refused, start_game
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2, log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead.v1 import scoring_service_pb2 as scoring
from wellhead_runtime.tokens import SCORING, Tokens


async def scores_of(house: House, game: Game) -> list[str]:
    """What has been recorded, in the order of the log."""
    records = [log_pb2.CommitRecord.FromString(entry.public) for entry in await house.entries(game.id)]
    kinds = {"round_award": lambda record: f"round {record.round_award.round}", "final_score": lambda record: "final"}
    return [kinds[kind](record) for record in records if (kind := record.WhichOneof("command")) in kinds]


async def ends(query: QueryStub, game: Game) -> None:
    async def ended() -> bool:
        view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), timeout=SECONDS)
        return view.view.summary.status == game_pb2.GAME_STATUS_ENDED

    await until(ended)


ONCE = ["round 1", "round 2", "round 3", "round 4", "final"]


@pytest.mark.req("R-SCORE-1")
async def test_two_scoring_services_that_restart_in_the_middle_score_once(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    for _ in range(2):
        await house.scoring()
    await play(game, query, 60)
    await house.stop("scoring")
    await play(game, query, 40, seed=2)
    for _ in range(2):
        await house.scoring()
    await play(game, query, seed=3)
    await ends(query, game)
    assert await scores_of(house, game) == ONCE


@pytest.mark.req("R-SCORE-1")
async def test_play_does_not_wait_for_a_scoring_service_that_comes_after_the_end(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    await play(game, query)
    assert await scores_of(house, game) == []
    view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id))
    assert view.view.summary.status == game_pb2.GAME_STATUS_SCORING
    await house.scoring()
    await ends(query, game)
    assert await scores_of(house, game) == ONCE


@pytest.mark.req("R-SCORE-1", "R-API-4")
async def test_the_scoring_service_waits_for_a_command_service_that_is_away(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    await play(game, query)
    port = house.running[0].port
    await house.stop("command")
    await house.scoring()
    await house.command(listen=f"127.0.0.1:{port}")
    await ends(query, game)
    assert await scores_of(house, game) == ONCE


@pytest.mark.req("R-SCORE-2")
@pytest.mark.reason("SCORE_NOT_DUE", "SCORE_DIFFERS", "GAME_OVER")
async def test_a_score_that_is_not_due_or_differs_is_refused(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    proof = (("authorization", f"Bearer {Tokens(KEYRING).service(SCORING)()}"),)

    def award(round: int, points: int) -> commands.RecordScoreRequest:
        lines = [game_pb2.ScoreLine(seat=seat, category="goal", points=points) for seat in range(2)]
        return commands.RecordScoreRequest(
            game_id=game.id, request_id=new_id(), round_award=game_pb2.RoundAward(round=round, lines=lines)
        )

    assert (await refused(command.RecordScore(award(1, 0), metadata=proof))).reason == "SCORE_NOT_DUE"
    await play(game, query)
    before = await memory_house.revisions(game.id)
    move = commands.SubmitCommandRequest(game_id=game.id, request_id=new_id(), decision_id=1, option_id="x")
    assert (await refused(game.submit(move))).reason == "GAME_OVER"
    assert (await refused(command.RecordScore(award(1, 99), metadata=proof))).reason == "SCORE_DIFFERS"
    assert (await refused(command.RecordScore(award(7, 0), metadata=proof))).reason == "SCORE_NOT_DUE"
    assert await memory_house.revisions(game.id) == before


@pytest.mark.req("R-SCORE-2", "R-SCORE-3")
@pytest.mark.reason("GAME_NOT_STARTED", "REVISION_NOT_REACHED")
async def test_score_cards_add_up_at_every_revision_and_the_last_is_the_final_score(memory_house: House) -> None:
    command, query, scores = await memory_house.command(), await memory_house.query(), await memory_house.scoring()
    game = await start_game(command)
    early = await refused(scores.GetScoreCard(scoring.GetScoreCardRequest(game_id=game.id, revision=1)))
    assert early.reason == "GAME_NOT_STARTED"
    await play(game, query)
    await ends(query, game)
    last = await memory_house.revisions(game.id)
    for revision in (2, 40, 90, last):
        answer = await scores.GetScoreCard(scoring.GetScoreCardRequest(game_id=game.id, revision=revision))
        card = answer.score_card
        assert card.revision == revision
        for rank in card.ranking:
            assert rank.total == sum(line.points for line in card.lines if line.seat == rank.seat)
    now = await scores.GetScoreIfEndedNow(scoring.GetScoreIfEndedNowRequest(game_id=game.id))
    watched = [each async for each in scores.WatchScores(scoring.WatchScoresRequest(game_id=game.id))]
    final = watched[-1].final_score
    assert (list(now.score_card.lines), list(now.score_card.ranking)) == (list(final.lines), list(final.ranking))
    over = await refused(scores.GetScoreCard(scoring.GetScoreCardRequest(game_id=game.id, revision=last + 1)))
    assert over.reason == "REVISION_NOT_REACHED"
