"""Seats that owe one decision at once and answer it in secret, and commands that are open at any time."""

import asyncio
import io
from collections.abc import Sequence
from typing import Any

import pytest

from tests.conformance.sealed_bids import PRIZES, Bid, Concede, RoundOpened, SealedBids
from tests.services.house import SECONDS, Game, House, creation, new_id, refused
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_client import WellheadClient
from wellhead_client.bots import Bot
from wellhead_client.policies import make_bot
from wellhead_client.runner import play_seat
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import Owed
from wellhead_runtime.proof import verify


class HighPrizes(SealedBids):
    """Whoever wins has points enough to concede."""

    def _open(self, round: int, chance: Chance) -> RoundOpened:
        return RoundOpened(round, PRIZES)


GAME: Any = HighPrizes()
REGISTRY = {GAME.name: GAME}
SEATS = range(3)


@pytest.fixture
def bidders(house: House) -> House:
    house.registry = REGISTRY
    return house


async def start(house: House) -> Game:
    stub = await house.command()
    created = await stub.CreateGame(creation(len(SEATS), game=GAME.name), timeout=SECONDS)
    game = Game(stub, created.game_id, {each.seat: each.credential for each in created.credentials})
    request = commands.StartGameRequest(game_id=game.id, request_id=new_id())
    started = await stub.StartGame(request, metadata=game.proof(0), timeout=SECONDS)
    assert [(each.decision_id, each.seat, len(each.options)) for each in started.decisions] == [
        (1, 0, 4), (1, 1, 0), (1, 2, 0),
    ]  # fmt: skip
    return game


def request(game: Game, seat: int, number: int, command: Any, **changes: Any) -> commands.SubmitCommandRequest:
    fields: dict[str, Any] = {
        "game_id": game.id, "request_id": new_id(), "seat": seat, "decision_id": number,
        "command": GAME.command_to_proto(command),
    }  # fmt: skip
    return commands.SubmitCommandRequest(**(fields | changes))


def by_option(game: Game, seat: int, number: int, option: str, **changes: Any) -> commands.SubmitCommandRequest:
    result = request(game, seat, number, Concede(), **changes)
    result.option_id = option
    return result


async def bid(game: Game, number: int, *amounts: int) -> list[commands.SubmitCommandResponse]:
    """Everybody bids at once."""
    sent = [request(game, seat, number, Bid(amount)) for seat, amount in enumerate(amounts)]
    return await asyncio.gather(*map(game.submit, sent))


@pytest.mark.req("R-RULES-9", "R-LOG-2")
async def test_several_seats_answer_one_decision_at_once(bidders: House) -> None:
    game = await start(bidders)
    answers = await bid(game, 1, 4, 2, 1)
    assert sorted(answer.receipt.revision for answer in answers) == [3, 4, 5]
    last = max(answers, key=lambda answer: answer.receipt.revision)
    assert [(each.decision_id, each.seat) for each in last.decisions] == [(2, 0), (2, 1), (2, 2)]


@pytest.mark.req("R-LOG-3")
async def test_a_repeat_of_a_hidden_command_is_known_by_its_secret(bidders: House) -> None:
    game = await start(bidders)
    first = request(game, 0, 1, Bid(3))
    answer = await game.submit(first)
    for restarted in (False, True, False):
        if restarted:
            await bidders.stop("command")
            game.stub = await bidders.command()
        assert await game.submit(first) == answer
        assert await game.submit(by_option(game, 0, 1, "bid:3", request_id=first.request_id)) == answer
        for other in (Bid(2), Bid(None), Concede()):
            reused = request(game, 0, 1, other, request_id=first.request_id)
            assert (await refused(game.submit(reused))).reason == "REQUEST_ID_REUSED"
        reused = by_option(game, 0, 1, "bid:2", request_id=first.request_id)
        assert (await refused(game.submit(reused))).reason == "REQUEST_ID_REUSED"
    await game.submit(request(game, 2, 1, Bid(1)))
    assert await game.submit(first) == answer


@pytest.mark.req("R-RULES-7", "R-PROOF-3")
async def test_history_and_export_of_a_running_game_do_not_tell_a_hidden_command(bidders: House) -> None:
    game, query = await start(bidders), await bidders.query()
    await game.submit(request(game, 0, 1, Bid(3)))
    await game.submit(by_option(game, 1, 1, "bid:2"))

    async def asked(viewer: int | None) -> list[str]:
        proof = () if viewer is None else game.proof(viewer)
        page = await query.ListHistory(queries.ListHistoryRequest(game_id=game.id), metadata=proof)
        return [entry.command.partition(" for ")[0] for entry in page.entries[2:]]

    secret = "Bid in secret"
    assert [await asked(viewer) for viewer in (0, 1, 2, None)] == [
        ["Bid 3", secret], [secret, "Bid 2"], [secret, secret], [secret, secret],
    ]  # fmt: skip
    chunks = [each.chunk async for each in query.ExportGame(queries.ExportGameRequest(game_id=game.id))]
    assert verify(io.BytesIO(b"".join(chunks)), REGISTRY).redacted
    for entry in (await bidders.entries(game.id))[2:]:
        assert entry.public in b"".join(chunks)
        record = log_pb2.CommitRecord.FromString(entry.public)
        assert GAME.command_from_proto(record.game_command.command) == Bid(None)


@pytest.mark.req("R-RULES-2", "R-RULES-7")
async def test_what_is_open_at_any_time_is_offered_to_its_seat_alone(bidders: House) -> None:
    game, query = await start(bidders), await bidders.query()
    watched = queries.WatchGameRequest(game_id=game.id, after_revision=0)
    streams = {
        viewer: query.WatchGame(watched, metadata=game.proof(viewer) if viewer < 3 else (), timeout=SECONDS)
        for viewer in (*SEATS, 3)
    }
    await bid(game, 1, 4, 2, 1)  # seat 0 wins the prize
    answer = await game.submit(request(game, 0, 2, Bid(1)))
    offered = {0: [answer.anytime]}
    for viewer in (*SEATS, 3):
        proof: Any = game.proof(viewer) if viewer < 3 else ()
        view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), metadata=proof)
        seen = offered.setdefault(viewer, [])
        seen.append(view.view.anytime)
        changes = [(await streams[viewer].read()).change for _ in range(game.revision)]
        seen.append(changes[-1].anytime)
        streams[viewer].cancel()
    for seat in SEATS:
        legal = queries.ListLegalCommandsRequest(game_id=game.id, seat=seat)
        offered[seat].append((await query.ListLegalCommands(legal, metadata=game.proof(seat))).anytime)
    for viewer, lists in offered.items():
        for options in lists:
            assert [option.id for option in options] == (["concede"] if viewer == 0 else [])


@pytest.mark.req("R-RULES-2")
async def test_a_command_open_at_any_time_names_no_decision_or_one_that_its_seat_owes(bidders: House) -> None:
    game = await start(bidders)
    await bid(game, 1, 4, 2, 1)
    typed, named = request(game, 0, 2, Concede()), by_option(game, 0, 0, "concede")
    for sent in (typed, named):  # while it owes decision 2
        answer = await game.submit(sent)
        assert [each.seat for each in answer.decisions] == [0, 1, 2]
        assert await game.submit(sent) == answer
    await game.submit(request(game, 0, 2, Bid(1)))
    # Decision 2 is still open, but not to seat 0.
    before = await bidders.revisions(game.id)
    for number in (1, 2, 99):
        for late in (request(game, 0, number, Concede()), by_option(game, 0, number, "concede")):
            assert (await refused(game.submit(late))).reason == "STALE_DECISION"
    for seat, number, option, reason in (
        (0, 2, "bid:2", "NOT_DECISION_OWNER"),
        (1, 0, "bid:1", "STALE_DECISION"),
        (1, 0, "concede", "STALE_DECISION"),
        (1, 2, "concede", "OPTION_NOT_OFFERED"),
        (1, 2, "bid:2", "OPTION_NOT_OFFERED"),
    ):
        refusal = await refused(game.submit(by_option(game, seat, number, option)))
        assert (refusal.reason, refusal.metadata["decision_ids"]) == (reason, "2")
    assert await bidders.revisions(game.id) == before


class Humble:
    """Concedes what it can; otherwise seat 0 bids high, the others low."""

    def choose(self, state: Any, owed: Owed, commands: Sequence[Any]) -> Any:
        if Concede() in commands:
            return Concede()
        return commands[-1 if owed.seat == 0 else 0]


BOTS: dict[str, list[Bot]] = {
    "policies": [make_bot(policy, GAME, 1) for policy in ("random", "greedy", "search:20n")],
    "humble": [Humble(), Humble(), Humble()],
}


@pytest.mark.req("R-RULES-3", "R-PROOF-3")
@pytest.mark.parametrize("bots", BOTS.values(), ids=BOTS)
async def test_bots_play_a_whole_game_and_it_is_proved(bidders: House, bots: list[Bot]) -> None:
    game = await start(bidders)
    await bidders.query()
    await bidders.scoring()
    target = f"127.0.0.1:{bidders.running[1].port}"
    async with WellheadClient(bidders.settings.command_target, target) as client, asyncio.timeout(SECONDS):
        seats = [commands.SeatCredential(seat=seat, credential=game.credentials[seat]) for seat in SEATS]
        ends = await asyncio.gather(
            *(play_seat(client, game.id, seat, bot, REGISTRY) for seat, bot in zip(seats, bots, strict=True))
        )
        exported = await client.export(game.id)
    assert ends[0] == ends[1] == ends[2]
    report = verify(io.BytesIO(exported), REGISTRY)
    assert (report.ended, report.redacted, report.unproved) == (True, False, [])
    asked = [log_pb2.CommitRecord.FromString(entry.public) for entry in await bidders.entries(game.id)]
    numbers = [record.game_command.decision_id for record in asked if record.HasField("game_command")]
    assert {*numbers, 0} == {0, 1, 2, 3}
    assert len(numbers) - numbers.count(0) == 9
    assert 0 in numbers or not isinstance(bots[0], Humble)
