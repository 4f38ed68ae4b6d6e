"""A command counts once, however often and wherever it is sent; every repeat gets the first answer (R-LOG-3)."""

import asyncio
from typing import Any

import grpc
import pytest

from tests.services.house import (
    SECONDS,
    Game,
    House,
    creation,
    new_id,
    open_game,
    play,
    read_refusal,
    refused,
    start_game,
)
from wellhead.v1 import command_service_pb2 as commands

FIVE = range(5)


@pytest.mark.req("R-LOG-3")
async def test_a_command_sent_five_times_at_once_is_one_commit_with_five_equal_answers(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    request = game.submission((await game.owed(query))[0])
    before = await house.revisions(game.id)
    answers = await asyncio.gather(*(game.submit(request) for _ in FIVE))
    assert all(answer == answers[0] for answer in answers)
    assert await house.revisions(game.id) == before + 1


@pytest.mark.req("R-LOG-3", "R-API-4")
async def test_a_repeat_gets_the_first_answer_after_the_game_went_on_and_the_service_was_restarted(
    house: House,
) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    request = game.submission((await game.owed(query))[0])
    first = await game.submit(request)
    await play(game, query, 20)
    later = await game.submit(request)
    await house.stop("command")
    game.stub = await house.command()
    before = await house.revisions(game.id)
    again = await asyncio.gather(*(game.submit(request) for _ in FIVE))
    assert [first] * 6 == [later, *again]
    assert await house.revisions(game.id) == before


@pytest.mark.req("R-LOG-3")
async def test_two_processes_get_the_same_command_at_once(house: House) -> None:
    one, query = await house.command(), await house.query()
    game = await start_game(one)
    other = Game(await house.command(), game.id, game.credentials)
    for _ in range(10):
        request = game.submission((await game.owed(query))[0])
        before = await house.revisions(game.id)
        answers = await asyncio.gather(game.submit(request), other.submit(request))
        assert answers[0] == answers[1]
        assert await house.revisions(game.id) == before + 1


@pytest.mark.req("R-LOG-3")
async def test_a_repeat_by_option_id_equals_the_typed_command(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    decision = (await game.owed(query))[0]
    typed = game.submission(decision)
    by_option = commands.SubmitCommandRequest(
        game_id=game.id, request_id=typed.request_id, seat=typed.seat, decision_id=typed.decision_id,
        option_id=decision.options[0].id,
    )  # fmt: skip
    assert await game.submit(by_option) == await game.submit(typed)


@pytest.mark.req("R-LOG-3")
@pytest.mark.reason("REQUEST_ID_REUSED")
async def test_a_request_id_with_other_content_is_refused(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    decision = (await game.owed(query))[0]
    request = game.submission(decision)
    first = await game.submit(request)
    before = await house.revisions(game.id)
    other = game.submission(decision, 1, request_id=request.request_id)
    refusal = await refused(game.submit(other))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "REQUEST_ID_REUSED")
    assert refusal.metadata["revision"] == str(first.receipt.revision)
    by_option = commands.SubmitCommandRequest(
        game_id=game.id, request_id=request.request_id, seat=request.seat, decision_id=request.decision_id,
        option_id=decision.options[1].id,
    )  # fmt: skip
    assert (await refused(game.submit(by_option))).reason == "REQUEST_ID_REUSED"
    empty = game.submission(decision, command={}, request_id=request.request_id)
    assert (await refused(game.submit(empty))).reason == "REQUEST_ID_REUSED"
    start = commands.StartGameRequest(game_id=game.id, request_id=request.request_id)
    refusal = await refused(command.StartGame(start, metadata=game.proof(request.seat)))
    assert refusal.reason == "REQUEST_ID_REUSED"
    assert await house.revisions(game.id) == before


@pytest.mark.req("R-LOG-3")
async def test_a_creation_repeated_finds_the_same_game_and_the_same_credentials(house: House) -> None:
    command = await house.command()
    request = creation(3)
    answers = await asyncio.gather(*(command.CreateGame(request) for _ in FIVE))
    await house.stop("command")
    command = await house.command()
    answers.append(await command.CreateGame(request))
    assert all(answer == answers[0] for answer in answers)
    assert await house.revisions(answers[0].game_id) == 1
    other = creation(2, request_id=request.request_id)
    assert (await refused(command.CreateGame(other))).reason == "REQUEST_ID_REUSED"


@pytest.mark.req("R-LOG-3", "R-API-9")
async def test_taking_and_leaving_a_seat_may_be_repeated_but_an_old_credential_is_of_no_use(house: House) -> None:
    command = await house.command()
    table = await command.CreateGame(creation(2, seats=[]))

    def take(name: str, **more: Any) -> commands.TakeSeatRequest:
        player = commands.SeatRequest(player=name)
        return commands.TakeSeatRequest(game_id=table.game_id, request_id=new_id(), player=player, **more)

    first = take("Ann", seat=1)
    taken = await command.TakeSeat(first)
    assert await command.TakeSeat(first) == taken
    old = (("authorization", f"Bearer {taken.credential.credential}"),)
    leave = commands.LeaveSeatRequest(game_id=table.game_id, request_id=new_id(), seat=1)
    left = await command.LeaveSeat(leave, metadata=old)
    assert await command.LeaveSeat(leave, metadata=old) == left
    retaken = await command.TakeSeat(take("Bob", seat=1))
    assert retaken.credential.credential != taken.credential.credential
    again = commands.LeaveSeatRequest(game_id=table.game_id, request_id=new_id(), seat=1)
    assert (await refused(command.LeaveSeat(again, metadata=old))).reason == "NOT_SEAT_HOLDER"
    free = await command.TakeSeat(take("Cyd"))
    assert free.credential.seat == 0
    assert (await refused(command.TakeSeat(take("Dan")))).reason == "NO_FREE_SEAT"


@pytest.mark.req("R-LOG-2")
async def test_two_commands_for_one_decision_one_is_accepted_the_other_told_where_the_game_is(house: House) -> None:
    one, query = await house.command(), await house.query()
    game = await start_game(one)
    other = Game(await house.command(), game.id, game.credentials)
    accepted = 0
    for _ in range(5):
        decision = (await game.owed(query))[0]
        before = await house.revisions(game.id)
        attempts = await asyncio.gather(
            game.submit(game.submission(decision, 0)),
            other.submit(other.submission(decision, 1)),
            return_exceptions=True,
        )
        after = await house.revisions(game.id)
        assert after == before + 1
        accepted += sum(isinstance(each, commands.SubmitCommandResponse) for each in attempts)
        (loser,) = [each for each in attempts if isinstance(each, grpc.aio.AioRpcError)]
        refusal = read_refusal(loser)
        assert refusal.reason == "STALE_DECISION"
        assert refusal.metadata["revision"] == str(after)
        assert refusal.metadata["decision_ids"]
    assert accepted == 5


@pytest.mark.req("R-LOG-3", "R-LOG-9")
async def test_a_command_whose_caller_goes_away_stands_and_can_be_asked_for(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    for delay in (0, 0.0005, 0.001, 0.002):
        request = game.submission((await game.owed(query))[0])
        before = await house.revisions(game.id)
        call = command.SubmitCommand(request, metadata=game.proof(request.seat))
        await asyncio.sleep(delay)
        call.cancel()
        await game.submit(request)
        assert await house.revisions(game.id) == before + 1


@pytest.mark.req("R-LOG-3")
async def test_the_play_stream_answers_in_order_and_survives_refusals(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    decision = (await game.owed(query))[0]
    stream = command.Play(metadata=game.proof(decision.seat), timeout=SECONDS)
    good = game.submission(decision)
    sent = [
        game.submission(decision, decision_id=decision.decision_id + 99),
        game.submission(decision, request_id="short"),
        good,
        good,
        game.submission(decision, game_id="nosuchgame"),
        game.submission(decision, seat=1 - decision.seat),
    ]
    for each in sent:
        await stream.write(commands.PlayRequest(command=each))
    answers = [await stream.read() for _ in sent]
    await stream.done_writing()
    assert await stream.read() is grpc.aio.EOF
    assert [each.request_id for each in answers] == [each.request_id for each in sent]
    reasons = [each.refused.reason for each in answers]
    assert reasons == ["STALE_DECISION", "MALFORMED_REQUEST", "", "", "UNKNOWN_GAME", "NOT_SEAT_HOLDER"]
    assert answers[0].refused.revision == answers[2].accepted.receipt.revision - 1
    assert answers[1].refused.metadata["field:request_id"]
    assert answers[2].accepted == answers[3].accepted


@pytest.mark.req("R-API-4")
@pytest.mark.reason("SERVER_STOPPING")
async def test_a_stopping_service_ends_idle_play_streams_at_once(memory_house: House) -> None:
    command = await memory_house.command()
    game = await open_game(command)
    stream = command.Play(metadata=game.proof(0))
    await stream.write(commands.PlayRequest())
    await stream.read()
    async with asyncio.timeout(2):
        await memory_house.stop("command")
    assert (await refused(stream.read())).reason == "SERVER_STOPPING"
