"""Programmes as clients meet them: a scenario for each way in which one stops, and none acts when it should have."""

import asyncio
import io
from collections.abc import Iterable
from typing import Any

import pytest

from tests.conformance.sealed_bids import Bid, Concede, SealedBids
from tests.services.house import SECONDS, Game, House, new_id, refused
from tests.services.test_clocks import DAY, Hands, bot, per_turn
from tests.services.test_undo import answer_undo, ask, reply, request_undo, start, toy_command
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2, log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_client import WellheadClient
from wellhead_command.sweeper import Sweeper
from wellhead_rules.kernel.programmes import Stop
from wellhead_rules.registry import RULESETS
from wellhead_runtime import limits
from wellhead_runtime.proof import verify

GAMES = sorted(RULESETS)
TOY: Any = SealedBids()
QUIET = 0.15


@pytest.fixture
def bidders(memory_house: House) -> House:
    memory_house.registry = {TOY.name: TOY}
    return memory_house


def until_round(round: int) -> game_pb2.PassUntilRound:
    return game_pb2.PassUntilRound(round=round)


def when(kind: str, option: str) -> game_pb2.WhenAsked:
    return game_pb2.WhenAsked(decision_kind=kind, option_id=option)


def bidding(amount: int) -> game_pb2.WhenAsked:
    return when("bid", TOY.option_id(Bid(amount)))


def filing(
    game: Game, seat: int, plan: game_pb2.PassUntilRound | game_pb2.WhenAsked, revision: int, **changes: Any
) -> commands.SetProgrammeRequest:
    kind = "when" if isinstance(plan, game_pb2.WhenAsked) else "pass_until_round"
    fields = {"game_id": game.id, "request_id": new_id(), "seat": seat, "revision": revision, kind: plan}
    return commands.SetProgrammeRequest(**(fields | changes))


async def send(game: Game, request: commands.SetProgrammeRequest) -> commands.SetProgrammeResponse:
    return await game.stub.SetProgramme(request, metadata=game.proof(request.seat), timeout=SECONDS)


async def file(house: House, game: Game, seat: int, plan: Any) -> commands.SetProgrammeResponse:
    return await send(game, filing(game, seat, plan, await house.revisions(game.id)))


async def stop(game: Game, seat: int, request_id: str = "") -> commands.StopProgrammeResponse:
    request = commands.StopProgrammeRequest(game_id=game.id, request_id=request_id or new_id(), seat=seat)
    return await game.stub.StopProgramme(request, metadata=game.proof(seat), timeout=SECONDS)


async def bid(game: Game, seat: int, round: int, amount: int) -> None:
    await game.submit(toy_command(game, seat, round, Bid(amount)))


async def records(house: House, game: Game) -> list[log_pb2.CommitRecord]:
    return [log_pb2.CommitRecord.FromString(each.public) for each in await house.entries(game.id)]


def acted(stored: Iterable[log_pb2.CommitRecord]) -> list[log_pb2.CommitRecord]:
    return [each for each in stored if each.HasField("programmed")]


def stops(stored: Iterable[log_pb2.CommitRecord]) -> list[tuple[int, Stop]]:
    facts = [fact for each in stored for fact in each.table_events if fact.HasField("programme_stopped")]
    return [(fact.programme_stopped.seat, Stop(fact.programme_stopped.cause)) for fact in facts]


async def settled(house: House, game: Game, stopped: int) -> list[log_pb2.CommitRecord]:
    """The commits, once so many programmes have stopped, and a moment later for what should not come."""
    await until(lambda: records(house, game), lambda stored: len(stops(stored)) >= stopped)
    await asyncio.sleep(QUIET)
    stored = await records(house, game)
    assert len(stops(stored)) == stopped
    return stored


async def standing(query: Any, game: Game) -> list[game_pb2.Programme]:
    """The programmes that anybody sees."""
    view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), timeout=SECONDS)
    return list(view.view.programmes)


# -- reached -----------------------------------------------------------------------------------------------------------


async def test_it_passes_until_the_round_begins_and_no_further(bidders: House) -> None:
    command, query = await bidders.command(), await bidders.query()
    game = await start(command, 2, TOY.name)
    filed = await file(bidders, game, 0, until_round(2))
    (shown,) = filed.view.programmes
    assert (shown.seat, shown.revision, shown.pass_until_round.round) == (0, game.revision, 2)
    await until(lambda: records(bidders, game), lambda stored: len(acted(stored)) == 1)
    assert await standing(query, game) == [shown]
    await bid(game, 1, 1, 3)
    stored = await settled(bidders, game, 1)
    passed, stopped = acted(stored)
    assert passed.actor.service == "programmes" and passed.programmed.seat == 0
    assert passed.programmed.HasField("command") and not stopped.programmed.HasField("command")
    assert stops(stored) == [(0, Stop.REACHED)] and await standing(query, game) == []
    assert {each.seat for each in await game.owed(query)} == {0, 1}, "round 2 is its player's"


@pytest.mark.parametrize("name", GAMES)
async def test_an_option_is_chosen_once_and_that_is_all(memory_house: House, name: str) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start(command, 2, name)
    decision = (await game.owed(query))[0]
    option = decision.options[-1]
    await file(memory_house, game, decision.seat, when(decision.kind, option.id))
    stored = await settled(memory_house, game, 1)
    (moved,) = acted(stored)
    assert moved.programmed.command == option.command and moved.programmed.decision_id == decision.decision_id
    assert stops([moved]) == [(decision.seat, Stop.REACHED)]
    history = await query.ListHistory(queries.ListHistoryRequest(game_id=game.id), timeout=SECONDS)
    assert len(history.entries) == len(stored)


# -- unforeseen --------------------------------------------------------------------------------------------------------


async def test_it_stops_when_its_option_is_not_offered(bidders: House) -> None:
    command, query = await bidders.command(), await bidders.query()
    game = await start(command, 2, TOY.name)
    await bid(game, 0, 1, 4)
    await file(bidders, game, 0, bidding(4))  # a bid is spent once: it will not be there
    await bid(game, 1, 1, 3)
    stored = await settled(bidders, game, 1)
    assert stops(stored) == [(0, Stop.NOT_OFFERED)]
    assert not any(each.programmed.HasField("command") for each in acted(stored))
    assert {each.seat for each in await game.owed(query)} == {0, 1}


async def test_it_stops_at_a_decision_that_cannot_be_passed(bidders: House) -> None:
    command, query = await bidders.command(), await bidders.query()
    game = await start(command, 2, TOY.name)
    await file(bidders, game, 0, until_round(3))
    await bid(game, 1, 1, 3)
    stored = await settled(bidders, game, 1)
    assert stops(stored) == [(0, Stop.UNFORESEEN)]
    assert [each.programmed.HasField("command") for each in acted(stored)] == [True, False]
    assert {each.seat for each in await game.owed(query)} == {0, 1}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("plan", [until_round(9), when("of_no_game", "pass")], ids=["pass", "when"])
async def test_it_stops_at_a_decision_of_another_kind(memory_house: House, name: str, plan: Any) -> None:
    """The first decision of both games can neither be declined, nor is it of that kind."""
    command, query = await memory_house.command(), await memory_house.query()
    game = await start(command, 2, name)
    before = await game.owed(query)
    await file(memory_house, game, before[0].seat, plan)
    stored = await settled(memory_house, game, 1)
    assert stops(stored) == [(before[0].seat, Stop.UNFORESEEN)]
    assert not any(each.programmed.HasField("command") for each in acted(stored))
    assert await game.owed(query) == before


# -- the player --------------------------------------------------------------------------------------------------------


async def test_it_stops_with_any_command_of_the_player(bidders: House) -> None:
    command = await bidders.command()
    game = await start(command, 2, TOY.name)
    await bid(game, 0, 1, 4)
    await bid(game, 1, 1, 2)  # seat 0 has points, and may concede one at any time
    await bid(game, 0, 2, 3)
    await file(bidders, game, 0, bidding(2))
    await game.submit(toy_command(game, 0, 0, Concede()))
    last = (await records(bidders, game))[-1]
    assert stops([last]) == [(0, Stop.OWN_COMMAND)] and last.HasField("game_command")
    await bid(game, 1, 2, 4)
    assert not acted(await settled(bidders, game, 1))


@pytest.mark.reason("NO_PROGRAMME")
async def test_it_stops_when_the_player_says_so(bidders: House) -> None:
    command, query = await bidders.command(), await bidders.query()
    game = await start(command, 2, TOY.name)
    await bid(game, 0, 1, 4)
    await file(bidders, game, 0, bidding(3))
    await file(bidders, game, 0, bidding(2))  # in place of the first
    (shown,) = await standing(query, game)
    assert shown.when == bidding(2)
    request_id = new_id()
    first, again = await stop(game, 0, request_id), await stop(game, 0, request_id)
    assert first.receipt == again.receipt and not first.view.programmes
    await bid(game, 1, 1, 3)
    stored = await settled(bidders, game, 2)
    assert stops(stored) == [(0, Stop.STOPPED)] * 2 and not acted(stored)
    assert (await refused(stop(game, 0))).reason == "NO_PROGRAMME"


async def test_it_stops_when_commands_are_taken_back(bidders: House) -> None:
    command, query = await bidders.command(), await bidders.query()
    game = await start(command, 2, TOY.name)
    before = game.revision
    await bid(game, 0, 1, 4)
    await file(bidders, game, 0, bidding(3))
    await ask(game, request_undo(game, 0, before))
    await reply(game, answer_undo(game, 1, before))
    last = (await records(bidders, game))[-1]
    assert stops([last]) == [(0, Stop.UNDONE)] and last.table_events[-1].HasField("undone")
    assert not acted(await settled(bidders, game, 1))
    assert {each.seat for each in await game.owed(query)} == {0, 1}


async def test_it_holds_while_the_seats_talk_about_taking_back(bidders: House) -> None:
    command = await bidders.command()
    game = await start(command, 2, TOY.name)
    before = game.revision
    await bid(game, 0, 1, 4)
    await ask(game, request_undo(game, 0, before))
    await file(bidders, game, 1, bidding(3))
    await asyncio.sleep(QUIET)
    assert not acted(await records(bidders, game))
    await reply(game, answer_undo(game, 1, before, agree=False))
    stored = await settled(bidders, game, 1)
    assert len(acted(stored)) == 1 and stops(stored) == [(1, Stop.REACHED)]


async def test_it_stops_when_the_seat_resigns(bidders: House) -> None:
    command = await bidders.command()
    game = await start(command, 2, TOY.name)
    await bid(game, 0, 1, 4)
    await file(bidders, game, 0, bidding(3))
    request = commands.ResignRequest(game_id=game.id, request_id=new_id(), seat=0)
    await command.Resign(request, metadata=game.proof(0), timeout=SECONDS)
    last = next(each for each in await records(bidders, game) if each.table_command.HasField("resign"))
    assert stops([last]) == [(0, Stop.RESIGNED)]
    assert (await refused(file(bidders, game, 0, bidding(3)))).reason == "SEAT_RESIGNED"
    await bid(game, 1, 1, 3)
    assert not acted(await settled(bidders, game, 1))


@pytest.mark.parametrize("policy", [bot("random"), game_pb2.AbsencePolicy()], ids=["bot", "pass"])
async def test_it_stops_when_the_clock_acts_for_the_seat(bidders: House, policy: game_pb2.AbsencePolicy) -> None:
    """A programme that waits for the seats to agree does not survive the end of its seat's time."""
    hands = Hands()
    bidders.clock = hands.clock()
    command = await bidders.command()
    game = await start(command, 2, TOY.name, time_control=per_turn(60), absence_policy=policy)
    before = game.revision
    await bid(game, 0, 1, 4)
    await ask(game, request_undo(game, 0, before))
    await file(bidders, game, 1, bidding(3))
    hands.turn(DAY)
    await until(lambda: records(bidders, game), lambda stored: len(stops(stored)) == 1)
    last = next(each for each in await records(bidders, game) if each.HasField("expiry"))
    assert stops([last]) == [(1, Stop.AWAY)]
    assert not acted(await records(bidders, game))


async def test_the_end_of_the_game_ends_it_and_all_of_it_is_decided_again(bidders: House) -> None:
    command, query = await bidders.command(), await bidders.query()
    await bidders.scoring()
    game = await start(command, 2, TOY.name)
    await file(bidders, game, 0, until_round(2))
    await bid(game, 1, 1, 3)
    await settled(bidders, game, 1)
    await file(bidders, game, 1, bidding(1))
    await settled(bidders, game, 2)
    await bid(game, 0, 2, 4)
    await bid(game, 0, 3, 3)
    await file(bidders, game, 0, bidding(2))
    await bid(game, 1, 3, 4)
    over = game_pb2.GAME_STATUS_ENDED

    async def status() -> Any:
        view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), timeout=SECONDS)
        return view.view.summary.status

    await until(status, lambda now: now == over)
    assert await standing(query, game) == []
    stored = await settled(bidders, game, 2)
    assert stops(stored) == [(0, Stop.REACHED), (1, Stop.REACHED)] and len(acted(stored)) == 3
    request = queries.ExportGameRequest(game_id=game.id)
    chunks = [each.chunk async for each in query.ExportGame(request)]
    report = verify(io.BytesIO(b"".join(chunks)), {TOY.name: TOY})
    assert report.ended and report.commands == len(stored) and not report.unproved


# -- by whom, and where ------------------------------------------------------------------------------------------------


@pytest.mark.reason("STALE_PROGRAMME")
async def test_it_is_bound_to_the_revision_that_the_player_has_seen(bidders: House) -> None:
    command = await bidders.command()
    game = await start(command, 2, TOY.name)
    seen = game.revision
    await bid(game, 0, 1, 4)
    for revision in (seen, game.revision + 1):
        no = await refused(send(game, filing(game, 1, bidding(3), revision)))
        assert (no.reason, no.metadata["revision"]) == ("STALE_PROGRAMME", str(game.revision))
    assert await bidders.revisions(game.id) == game.revision


async def test_a_repeat_gets_the_first_answer_and_nobody_else_may(bidders: House) -> None:
    command = await bidders.command()
    game = await start(command, 2, TOY.name)
    await bid(game, 0, 1, 4)
    request = filing(game, 0, bidding(3), game.revision)
    first, again = await send(game, request), await send(game, request)
    assert first == again
    other = filing(game, 0, bidding(2), game.revision, request_id=request.request_id)
    assert (await refused(send(game, other))).reason == "REQUEST_ID_REUSED"
    foreign = filing(game, 0, bidding(2), game.revision + 1)
    assert (await refused(command.SetProgramme(foreign, metadata=game.proof(1)))).reason == "NOT_SEAT_HOLDER"
    assert await bidders.revisions(game.id) == game.revision + 1


async def test_two_processes_make_one_move(house: House) -> None:
    """Both sweep all the time, and find the same programmes due at the same moment."""
    house.registry = {TOY.name: TOY}
    house.clock = Hands().clock()
    game = await start(await house.command(), 4, TOY.name)
    await house.command()
    for seat in range(3):
        await bid(game, seat, 1, 4)
    for seat in range(3):
        await file(house, game, seat, bidding(3))
    await bid(game, 3, 1, 4)
    stored = await settled(house, game, 3)
    moves = [each.programmed.seat for each in acted(stored) if each.programmed.HasField("command")]
    assert moves == [0, 1, 2] and len(acted(stored)) == 3
    assert stops(stored) == [(seat, Stop.REACHED) for seat in range(3)]


async def test_another_process_does_what_the_first_has_left(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.registry = {TOY.name: TOY}
    with monkeypatch.context() as first:
        first.setattr(Sweeper, "tell", lambda self, game_id: None)
        first.setattr(Sweeper, "sweep", lambda self: asyncio.sleep(0))
        game = await start(await house.command(), 2, TOY.name)
        await file(house, game, 0, bidding(3))
        await asyncio.sleep(QUIET)
        assert not acted(await records(house, game))
        await house.stop("command")
    await house.command()
    assert stops(await settled(house, game, 1)) == [(0, Stop.REACHED)]


@pytest.mark.req("R-LOG-11")
@pytest.mark.reason("TOO_MANY_COMMANDS")
async def test_programmes_cost_no_moves_and_come_to_an_end(bidders: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PROGRAMME_FACTS", 4)
    monkeypatch.setattr(limits, "commits_of", lambda ruleset: 4)
    command = await bidders.command()
    game = await start(command, 2, TOY.name)
    await bid(game, 0, 1, 4)
    for _ in range(2):
        await file(bidders, game, 0, bidding(3))
        await stop(game, 0)
    no = await refused(file(bidders, game, 0, bidding(3)))
    assert (no.reason, no.metadata["limit"]) == ("TOO_MANY_COMMANDS", "PROGRAMME_FACTS")
    await bid(game, 1, 1, 3)


@pytest.mark.reason("MALFORMED_REQUEST")
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"revision": 0}, "revision"),
        ({"pass_until_round": until_round(0)}, "pass_until_round.round"),
        ({"when": when("", "x")}, "when.decision_kind"),
        ({"when": when("bid", "")}, "when.option_id"),
        ({"when": None}, "kind"),
    ],
)
async def test_its_form_is_checked(bidders: House, changes: dict[str, Any], field: str) -> None:
    game = await start(await bidders.command(), 2, TOY.name)
    fields: dict[str, Any] = {"game_id": game.id, "request_id": new_id(), "seat": 0, "revision": game.revision}
    if not changes.keys() & {"when", "pass_until_round"}:
        fields["when"] = bidding(1)
    request = commands.SetProgrammeRequest(**(fields | changes))
    no = await refused(send(game, request))
    assert (no.reason, no.fields) == ("MALFORMED_REQUEST", [field])


async def test_the_sdk_files_and_stops_and_watchers_see_it(memory_house: House) -> None:
    await memory_house.command()
    await memory_house.query()
    querying = next(each for each in memory_house.running if each.name == "projection")
    async with WellheadClient(memory_house.settings.command_target, f"127.0.0.1:{querying.port}") as client:
        created = await client.create_game("oil_rock", ["Ada", "Basil"])
        started = await client.start_game(created.game_id, created.credentials[0])
        waiting = next(each for each in created.credentials if each.seat != started.decisions[0].seat)
        filed = await client.set_programme(
            created.game_id, waiting, when("of_no_game", "pass"), started.receipt.revision
        )
        assert [each.seat for each in filed.view.programmes] == [waiting.seat]
        assert (await client.view(created.game_id)).programmes == filed.view.programmes
        stopped = await client.stop_programme(created.game_id, waiting)
        assert not stopped.view.programmes and not (await client.view(created.game_id)).programmes
