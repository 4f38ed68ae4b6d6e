"""Commands taken back by agreement, as clients see it: what was shown is shown again, and nothing is rewritten."""

import asyncio
from random import Random
from typing import Any

import grpc
import pytest

from tests.conformance.sealed_bids import Bid, Concede, SealedBids
from tests.services.house import SECONDS, Game, House, Refusal, creation, new_id, play, refused
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_client import WellheadClient
from wellhead_client.policies import make_bot
from wellhead_client.runner import play_seat
from wellhead_rules.registry import RULESETS
from wellhead_runtime import limits

GAMES = sorted(RULESETS)
TOY: Any = SealedBids()


async def start(stub: Any, seats: int, game: str, **changes: Any) -> Game:
    created = await stub.CreateGame(creation(seats, game=game, **changes), timeout=SECONDS)
    started = Game(stub, created.game_id, {each.seat: each.credential for each in created.credentials})
    request = commands.StartGameRequest(game_id=started.id, request_id=new_id())
    answer = await stub.StartGame(request, metadata=started.proof(0), timeout=SECONDS)
    started.revision = answer.receipt.revision
    return started


def request_undo(game: Game, seat: int, target: int, **changes: Any) -> commands.RequestUndoRequest:
    fields: dict[str, Any] = {"game_id": game.id, "request_id": new_id(), "seat": seat, "target_revision": target}
    return commands.RequestUndoRequest(**(fields | changes))


def answer_undo(game: Game, seat: int, target: int, agree: bool = True, **changes: Any) -> commands.AnswerUndoRequest:
    fields: dict[str, Any] = {
        "game_id": game.id, "request_id": new_id(), "seat": seat, "target_revision": target, "agree": agree,
    }  # fmt: skip
    return commands.AnswerUndoRequest(**(fields | changes))


async def ask(game: Game, request: commands.RequestUndoRequest) -> commands.RequestUndoResponse:
    return await game.stub.RequestUndo(request, metadata=game.proof(request.seat), timeout=SECONDS)


async def reply(game: Game, request: commands.AnswerUndoRequest) -> commands.AnswerUndoResponse:
    return await game.stub.AnswerUndo(request, metadata=game.proof(request.seat), timeout=SECONDS)


async def views(game: Game, query: Any) -> list[bytes]:
    """What every seat and a spectator see now, but for the place in the history."""
    seen = []
    for seat in (None, *game.credentials):
        request = queries.GetGameViewRequest(game_id=game.id)
        proof = {} if seat is None else {"metadata": game.proof(seat)}
        view = (await query.GetGameView(request, timeout=SECONDS, **proof)).view
        seen.append(board(view))
    return seen


def board(view: game_pb2.GameView) -> bytes:
    shown = game_pb2.GameView()
    shown.CopyFrom(view)
    shown.ClearField("revision")
    shown.ClearField("presence")
    shown.summary.ClearField("revision")
    shown.summary.ClearField("updated")
    return shown.SerializeToString(deterministic=True)


async def reach(game: Game, seat: int) -> int:
    """How far a seat can go back: a client that asks for too much is told."""
    no = await refused(ask(game, request_undo(game, seat, 1)))
    assert no.reason == "UNDO_BARRIER"
    return int(no.metadata["barrier_revision"])


def toy_command(game: Game, seat: int, number: int, command: Any) -> commands.SubmitCommandRequest:
    return commands.SubmitCommandRequest(
        game_id=game.id, request_id=new_id(), seat=seat, decision_id=number, command=TOY.command_to_proto(command)
    )


@pytest.fixture
def bidders(memory_house: House) -> House:
    memory_house.registry = {TOY.name: TOY}
    return memory_house


# -- as it was ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.reason("UNDO_BARRIER")
async def test_back_to_the_barrier_every_viewer_sees_the_same_board(house: House, name: str) -> None:
    """At random points: an undo across the barrier is refused, one up to it restores what was shown, byte for byte."""
    command, query = await house.command(), await house.query()
    await house.scoring()
    game, random, undone = await start(command, 3, name), Random(4), 0
    seen = {game.revision: await views(game, query)}
    for _ in range(50):
        decision = random.choice(await game.owed(query))
        await game.submit(game.submission(decision, random.randrange(len(decision.options))))
        seen[game.revision] = await views(game, query)
        if random.random() < 0.5:
            continue
        seat = decision.seat
        barrier = await reach(game, seat)
        if barrier == game.revision:
            no = await refused(ask(game, request_undo(game, seat, barrier)))
            assert no.reason == "NOTHING_TO_UNDO"
            continue
        asked = await ask(game, request_undo(game, seat, barrier))
        assert asked.view.undo.target_revision == barrier and asked.view.undo.commands > 0
        await reply(game, answer_undo(game, (seat + 1) % 3, barrier))
        answer = await reply(game, answer_undo(game, (seat + 2) % 3, barrier))
        game.revision = answer.receipt.revision
        seen[game.revision] = await views(game, query)
        assert seen[game.revision] == seen[barrier]
        assert board(answer.view) in seen[barrier]
        undone += 1
    assert undone > 3


async def test_a_watcher_follows_and_the_history_tells(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start(command, 2, "oil_rock")
    (decision,) = await game.owed(query)
    before = game.revision
    await game.submit(game.submission(decision))
    await ask(game, request_undo(game, decision.seat, before))
    await reply(game, answer_undo(game, 1 - decision.seat, before))
    request = queries.WatchGameRequest(game_id=game.id, after_revision=before)
    stream: Any = query.WatchGame(request, timeout=SECONDS)
    changes = [(await stream.read()).change for _ in range(3)]
    stream.cancel()
    asked = game_pb2.PendingUndo(seat=decision.seat, target_revision=before, commands=1)
    assert [(each.undone_to, each.HasField("undo")) for each in changes] == [(0, False), (0, True), (before, False)]
    assert changes[1].undo == asked
    assert [each.decision_id for each in changes[2].decisions] == [decision.decision_id]
    told = (await query.ListHistory(queries.ListHistoryRequest(game_id=game.id), timeout=SECONDS)).entries
    assert [each.revision for each in told] == list(range(1, before + 4))
    assert told[-2].command == f"ask to go back to revision {before}"
    assert told[-1].facts[-1] == f"taken back to revision {before}"


async def test_it_survives_restarts_and_any_process_answers(house: House) -> None:
    first, query = await house.command(), await house.query()
    game = await start(first, 3, "oil_rock")
    before = game.revision
    seen = await views(game, query)
    (decision,) = await game.owed(query)
    await game.submit(game.submission(decision))
    seat, others = decision.seat, [seat for seat in range(3) if seat != decision.seat]
    await ask(game, request_undo(game, seat, before))
    await house.stop("command")
    game.stub = await house.command()
    waiting = await reply(game, answer_undo(game, others[0], before))
    assert list(waiting.view.undo.agreed) == [others[0]]
    await house.stop("command")
    await house.stop("projection")
    game.stub, query = await house.command(), await house.query()
    await reply(game, answer_undo(game, others[1], before))
    assert await views(game, query) == seen
    await house.stop("command")
    game.stub = await house.command()
    again = await game.submit(game.submission((await game.owed(query))[0]))
    assert again.receipt.revision == before + 5


@pytest.mark.parametrize("name", GAMES)
async def test_a_game_in_which_something_was_taken_back_is_played_to_its_end(memory_house: House, name: str) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    await memory_house.scoring()
    game = await start(command, 2, name)
    for seed in range(12):
        await play(game, query, 5, seed)
        for seat in (0, 1):
            if (barrier := await reach(game, seat)) < game.revision:
                try:
                    await ask(game, request_undo(game, seat, barrier))
                except grpc.aio.AioRpcError:
                    continue  # it stands there already
                answer = await reply(game, answer_undo(game, 1 - seat, barrier))
                game.revision = answer.receipt.revision
    await play(game, query)
    async with asyncio.timeout(SECONDS):
        while True:
            view = (await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), timeout=SECONDS)).view
            if view.summary.status == game_pb2.GAME_STATUS_ENDED:
                break
            await asyncio.sleep(0.05)
    no = await refused(ask(game, request_undo(game, 0, 5)))
    assert no.reason == "GAME_OVER"


# -- barriers ----------------------------------------------------------------------------------------------------------


@pytest.mark.reason("UNDO_BARRIER")
async def test_no_kind_of_barrier_is_crossed(bidders: House) -> None:
    command = await bidders.command()
    await bidders.scoring()
    game = await start(command, 2, TOY.name)
    begun = game.revision
    await game.submit(toy_command(game, 0, 1, Bid(4)))
    assert await reach(game, 0) == begun, "the set-up drew a prize"
    assert await reach(game, 1) == game.revision, "another seat has acted"
    await game.submit(toy_command(game, 1, 1, Bid(3)))
    assert {await reach(game, seat) for seat in (0, 1)} == {game.revision}, "bids were turned up, and a prize drawn"
    await game.submit(toy_command(game, 0, 2, Bid(1)))
    await game.submit(toy_command(game, 0, 0, Concede()))
    assert await reach(game, 0) == game.revision - 2
    await game.submit(toy_command(game, 1, 2, Bid(4)))
    assert {await reach(game, seat) for seat in (0, 1)} == {game.revision}
    no = await refused(ask(game, request_undo(game, 0, game.revision - 1)))
    assert no.reason == "UNDO_BARRIER" and no.standing is not None
    assert no.metadata["barrier_revision"] == no.metadata["revision"] == str(game.revision)


# -- agreement ---------------------------------------------------------------------------------------------------------


@pytest.mark.reason("NOTHING_TO_UNDO", "UNDO_PENDING", "UNDO_DECLINED", "UNDO_NOT_ASKED", "NOT_SEAT_HOLDER")
async def test_who_may_say_what(bidders: House) -> None:
    command = await bidders.command()
    game = await start(command, 3, TOY.name)
    before = game.revision
    await game.submit(toy_command(game, 1, 1, Bid(4)))

    async def no(call: Any) -> Refusal:
        revisions = await bidders.revisions(game.id)
        refusal = await refused(call)
        assert await bidders.revisions(game.id) == revisions
        return refusal

    assert (await no(reply(game, answer_undo(game, 0, before)))).reason == "UNDO_NOT_ASKED"
    for revision in (game.revision, game.revision + 5):
        assert (await no(ask(game, request_undo(game, 1, revision)))).reason == "NOTHING_TO_UNDO"
    assert (await no(ask(game, request_undo(game, 1, 0)))).fields == ["target_revision"]
    assert (await no(reply(game, answer_undo(game, 1, 0)))).fields == ["target_revision"]
    for stub, request in (
        (command.RequestUndo, request_undo(game, 1, before)),
        (command.AnswerUndo, answer_undo(game, 1, before)),
    ):
        call: Any = stub
        for proof in (game.proof(0), None):
            refusal = await no(call(request, metadata=proof, timeout=SECONDS))
            assert refusal.reason in ("NOT_SEAT_HOLDER", "TOKEN_MISSING")
    await ask(game, request_undo(game, 1, before))
    assert (await no(ask(game, request_undo(game, 1, before)))).reason == "UNDO_PENDING"
    assert (await no(reply(game, answer_undo(game, 1, before)))).reason == "UNDO_NOT_ASKED"
    assert (await no(reply(game, answer_undo(game, 0, before - 1)))).reason == "UNDO_NOT_ASKED"
    await reply(game, answer_undo(game, 0, before))
    answer = await reply(game, answer_undo(game, 2, before, agree=False))
    assert not answer.view.HasField("undo")
    assert (await no(ask(game, request_undo(game, 1, before)))).reason == "UNDO_DECLINED"
    await game.submit(toy_command(game, 0, 1, Bid(2)))
    asked = await ask(game, request_undo(game, 0, game.revision - 1))
    await game.submit(toy_command(game, 2, 1, Bid(1)))  # play goes on, and nobody is asked any more
    late = answer_undo(game, 1, asked.view.undo.target_revision)
    assert (await no(reply(game, late))).reason == "UNDO_NOT_ASKED"


@pytest.mark.req("R-LOG-3")
@pytest.mark.reason("REQUEST_ID_REUSED")
async def test_every_repeat_gets_the_first_answer_also_of_what_has_been_taken_back(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start(command, 2, "oil_rock")
    before = game.revision
    (decision,) = await game.owed(query)
    submission = game.submission(decision)
    submitted = await game.submit(submission)
    asking, agreeing = request_undo(game, decision.seat, before), answer_undo(game, 1 - decision.seat, before)
    asked = await asyncio.gather(*(ask(game, asking) for _ in range(3)))
    agreed = await asyncio.gather(*(reply(game, agreeing) for _ in range(3)))
    revisions = await house.revisions(game.id)
    assert revisions == before + 3
    for restarted in (False, True):
        if restarted:
            await house.stop("command")
            game.stub = await house.command()
        assert [await game.submit(submission), await ask(game, asking), await reply(game, agreeing)] == [
            submitted, asked[0], agreed[0],
        ]  # fmt: skip
        assert asked == [asked[0]] * 3 and agreed == [agreed[0]] * 3
    other = answer_undo(game, 1 - decision.seat, before, agree=False, request_id=agreeing.request_id)
    assert (await refused(reply(game, other))).reason == "REQUEST_ID_REUSED"
    assert await house.revisions(game.id) == revisions
    again = game.submission(decision, 1)
    assert (await game.submit(again)).receipt.revision == revisions + 1


@pytest.mark.req("R-LOG-11")
@pytest.mark.reason("TOO_MANY_COMMANDS")
async def test_undoing_costs_no_moves_and_comes_to_an_end(bidders: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNDO_COMMITS", 7)
    monkeypatch.setattr(limits, "commits_of", lambda ruleset: 4)
    command = await bidders.command()
    game = await start(command, 2, TOY.name)
    before = game.revision
    for _ in range(3):  # asked, agreed, and a command that counts no more
        await game.submit(toy_command(game, 0, 1, Bid(4)))
        await ask(game, request_undo(game, 0, before))
        await reply(game, answer_undo(game, 1, before))
    await game.submit(toy_command(game, 0, 1, Bid(4)))
    no = await refused(ask(game, request_undo(game, 0, before)))
    assert (no.reason, no.metadata["limit"]) == ("TOO_MANY_COMMANDS", "UNDO_COMMITS")
    await game.submit(toy_command(game, 1, 1, Bid(2)))
    no = await refused(game.submit(toy_command(game, 1, 2, Bid(4))))
    assert (no.reason, no.metadata["limit"]) == ("TOO_MANY_COMMANDS", "GAME_COMMITS")


async def test_a_bot_of_the_sdk_lets_others_take_back(memory_house: House) -> None:
    await memory_house.command()
    await memory_house.query()
    await memory_house.scoring()
    target = memory_house.settings.command_target
    querying = next(each for each in memory_house.running if each.name == "projection")
    async with WellheadClient(target, f"127.0.0.1:{querying.port}") as client:
        created = await client.create_game("oil_rock", ["Ada", "Basil"])
        seats = created.credentials
        started = await client.start_game(created.game_id, seats[0])
        mine = started.decisions[0].seat
        bot = make_bot("random", RULESETS["oil_rock"], 1)
        playing = asyncio.create_task(play_seat(client, created.game_id, seats[1 - mine], bot, RULESETS))
        view, taken_back = await client.view(created.game_id, seats[mine]), 0
        while not taken_back:
            own = next((each for each in view.decisions if each.options), None)
            if own is None:
                view = await client.view(created.game_id, seats[mine], min_revision=view.revision + 1)
                continue
            answer = await client.submit(created.game_id, seats[mine], own.decision_id, own.options[0].id)
            if not any(each.options for each in answer.decisions):
                view = await client.view(created.game_id, seats[mine], min_revision=answer.receipt.revision)
                continue
            asked = await client.request_undo(created.game_id, seats[mine], answer.receipt.revision - 1)
            reached = asked.receipt.revision + 1
            view = await client.view(created.game_id, seats[mine], min_revision=reached)
            taken_back = view.revision
            assert [each.decision_id for each in view.decisions] == [own.decision_id]
        playing.cancel()
