"""Clocks, absence and presence as clients meet them; days pass in no time (R-API-5)."""

import asyncio
import io
from typing import Any

import pytest

from tests.services.house import SECONDS, Game, House, QueryStub, creation, new_id, refused
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2, log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import Report, verify
from wellhead_runtime.timekeeping import Clock

pytestmark = pytest.mark.req("R-API-5")

HOUR = 3600.0
DAY = 24 * HOUR
SECOND = 1_000_000


class Hands:
    """A clock whose hands a test moves."""

    def __init__(self) -> None:
        self.us = 1_700_000_000 * SECOND

    def turn(self, seconds: float) -> None:
        self.us += int(seconds * SECOND)

    def clock(self, outage_seconds: float = 10_000 * DAY) -> Clock:
        """Unless told otherwise a clock by which the service is never away, however fast the hands turn."""
        return Clock(lambda: self.us, sweep_seconds=0.01, beat_seconds=0.01, outage_seconds=outage_seconds)


@pytest.fixture
def hands() -> Hands:
    return Hands()


def per_turn(seconds: int = 60) -> game_pb2.TimeControl:
    return game_pb2.TimeControl(per_turn=game_pb2.PerTurn(seconds=seconds))


def per_game(initial: int, increment: int) -> game_pb2.TimeControl:
    stock = game_pb2.PerGame(initial_seconds=initial, increment_seconds=increment)
    return game_pb2.TimeControl(per_game=stock)


def days(number: int) -> game_pb2.TimeControl:
    return game_pb2.TimeControl(correspondence=game_pb2.Correspondence(days=number))


def bot(name: str) -> game_pb2.AbsencePolicy:
    return game_pb2.AbsencePolicy(take_over=game_pb2.TakeOver(bot=name))


RESIGN = game_pb2.AbsencePolicy(resignation=game_pb2.Resignation())
ABORT = game_pb2.AbsencePolicy(abort_before_first_round=True)


async def started(stub: Any, control: game_pb2.TimeControl | None, **terms: Any) -> Game:
    if control is not None:
        terms["time_control"] = control
    created = await stub.CreateGame(creation(**terms), timeout=SECONDS)
    game = Game(stub, created.game_id, {each.seat: each.credential for each in created.credentials})
    request = commands.StartGameRequest(game_id=game.id, request_id=new_id())
    await stub.StartGame(request, metadata=game.proof(0), timeout=SECONDS)
    return game


async def summary(query: QueryStub, game: Game) -> game_pb2.GameSummary:
    view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), timeout=SECONDS)
    return view.view.summary


async def records(house: House, game: Game) -> list[log_pb2.CommitRecord]:
    return [log_pb2.CommitRecord.FromString(each.public) for each in await house.entries(game.id)]


async def expiries(house: House, game: Game) -> list[log_pb2.Expiry]:
    return [each.expiry for each in await records(house, game) if each.HasField("expiry")]


async def quiet(house: House, game: Game, kind: str, wanted: int) -> list[log_pb2.CommitRecord]:
    """Waits for so many commits of a kind, and a moment longer for one too many."""

    async def come() -> bool:
        return len([each for each in await records(house, game) if each.HasField(kind)]) >= wanted  # type: ignore[arg-type]

    await until(come)
    await asyncio.sleep(0.1)
    found = [each for each in await records(house, game) if each.HasField(kind)]  # type: ignore[arg-type]
    assert len(found) == wanted
    return found


async def proof(query: QueryStub, game: Game) -> Report:
    chunks = [each.chunk async for each in query.ExportGame(queries.ExportGameRequest(game_id=game.id))]
    return verify(io.BytesIO(b"".join(chunks)), RULESETS)


# -- controls ----------------------------------------------------------------------------------------------------------


async def test_everybody_sees_the_clocks_and_an_answer_stops_ones_own(memory_house: House, hands: Hands) -> None:
    house = memory_house
    house.clock = hands.clock()
    command, query = await house.command(), await house.query()
    game = await started(command, per_game(100, 5))
    first = await summary(query, game)
    (seat,) = first.awaiting
    assert first.time_control == per_game(100, 5)
    assert first.absence_policy.HasField("automatic_pass")
    own = first.clocks[seat]
    assert (own.remaining_ms, own.running) == (100_000, True)
    assert own.deadline.ToMicroseconds() == hands.us + 100 * SECOND
    assert not first.clocks[1 - seat].running and not first.clocks[1 - seat].HasField("deadline")

    hands.turn(30)
    (decision,) = await game.owed(query)
    await game.submit(game.submission(decision))
    assert (await summary(query, game)).clocks[seat].remaining_ms == 75_000


async def test_no_clock_runs_where_none_is_wanted(memory_house: House, hands: Hands) -> None:
    memory_house.clock = hands.clock()
    command, query = await memory_house.command(), await memory_house.query()
    game = await started(command, None)
    before = await summary(query, game)
    assert not before.clocks and not before.HasField("time_control")
    hands.turn(1_000 * DAY)
    await asyncio.sleep(0.1)
    assert (await summary(query, game)).revision == before.revision


@pytest.mark.parametrize("control", [per_turn(60), per_game(60, 1), days(2)], ids=["turn", "game", "days"])
async def test_time_that_is_over_is_over_once_however_many_sweep(
    house: House, hands: Hands, control: game_pb2.TimeControl
) -> None:
    house.clock = hands.clock()
    command, query = await house.command(), await house.query()
    for _ in range(3):
        await house.command()
    game = await started(command, control)
    until_us = (await summary(query, game)).clocks[(await summary(query, game)).awaiting[0]].deadline.ToMicroseconds()
    hands.us = until_us - 1_000
    await asyncio.sleep(0.1)
    assert await expiries(house, game) == []
    hands.us = until_us
    (record,) = await quiet(house, game, "expiry", 1)
    assert record.actor.service == "clock" and record.time_source
    assert record.expiry.reading_us == 0 and record.expiry.HasField("automatic_pass")
    history = await query.ListHistory(queries.ListHistoryRequest(game_id=game.id), timeout=SECONDS)
    assert history.entries[-1].command.startswith("time over: ")


async def test_simultaneous_decisions_run_each_seats_own_clock(memory_house: House, hands: Hands) -> None:
    house = memory_house
    house.clock = hands.clock()
    command, query = await house.command(), await house.query()
    game = await started(command, per_game(1_000, 0), game="oilfield")
    while len(owed := await game.owed(query)) < 2:
        await game.submit(game.submission(owed[0]))
    hands.turn(10)
    first, second = owed
    before = (await summary(query, game)).clocks
    await game.submit(game.submission(first))
    after = (await summary(query, game)).clocks
    assert [each.running for each in before] == [True, True]
    assert not after[first.seat].running and after[second.seat].running
    assert after[second.seat].deadline == before[second.seat].deadline
    assert before[first.seat].remaining_ms - after[first.seat].remaining_ms == 10_000


@pytest.mark.reason("MALFORMED_REQUEST")
async def test_terms_that_make_no_sense_are_refused(memory_house: House) -> None:
    command = await memory_house.command()
    for terms, field in (
        ({"time_control": per_turn(0)}, "time_control.per_turn.seconds"),
        ({"time_control": per_game(0, 5)}, "time_control.per_game.initial_seconds"),
        ({"time_control": days(10_000)}, "time_control.correspondence.days"),
        ({"absence_policy": bot("")}, "absence_policy.take_over.bot"),
        ({"absence_policy": bot("search:50ms")}, "absence_policy.take_over.bot"),
    ):
        assert (await refused(command.CreateGame(creation(**terms), timeout=SECONDS))).fields == [field]


# -- policies ----------------------------------------------------------------------------------------------------------


@pytest.mark.reason("SEAT_NOT_AWAY")
@pytest.mark.parametrize("name", ["greedy", "search:3n"])
async def test_a_bot_plays_until_its_player_returns(memory_house: House, hands: Hands, name: str) -> None:
    house = memory_house
    house.clock = hands.clock()
    command, query = await house.command(), await house.query()
    game = await started(command, per_game(60, 0), absence_policy=bot(name))
    (seat,) = (await summary(query, game)).awaiting
    back = commands.ReturnToSeatRequest(game_id=game.id, request_id=new_id(), seat=seat)
    assert (await refused(command.ReturnToSeat(back, metadata=game.proof(seat)))).reason == "SEAT_NOT_AWAY"
    hands.turn(60)

    async def others_turn() -> bool:
        now = await summary(query, game)
        return bool(now.absent) and list(now.awaiting) == [1 - seat]

    await until(others_turn)
    (away,) = (await summary(query, game)).absent
    assert (away.seat, away.taken_over.bot) == (seat, name)
    assert all(each.take_over.bot == name for each in await expiries(house, game))

    # The bot answers at once, without waiting for any clock.
    while list((await summary(query, game)).awaiting) == [1 - seat]:
        (decision,) = await game.owed(query)
        await game.submit(game.submission(decision))
    await until(others_turn)

    answer = await command.ReturnToSeat(back, metadata=game.proof(seat), timeout=SECONDS)
    assert answer == await command.ReturnToSeat(back, metadata=game.proof(seat), timeout=SECONDS)
    now = await summary(query, game)
    assert not now.absent and now.clocks[seat].remaining_ms == 60_000


@pytest.mark.reason("SEAT_RESIGNED")
async def test_whoever_resigns_is_passed_over_and_ranks_last(memory_house: House, hands: Hands) -> None:
    house = memory_house
    house.clock = hands.clock()
    command, query = await house.command(), await house.query()
    await house.scoring()
    game = await started(command, per_turn(60), absence_policy=RESIGN)
    (seat,) = (await summary(query, game)).awaiting
    hands.turn(61)

    async def theirs() -> bool:
        return list((await summary(query, game)).awaiting) == [1 - seat]

    await until(theirs)
    first, second, *_ = await expiries(house, game)
    assert first.HasField("resignation") and not first.HasField("command")
    assert second.HasField("automatic_pass") and second.decision_id == first.decision_id
    resign = commands.ResignRequest(game_id=game.id, request_id=new_id(), seat=seat)
    assert (await refused(command.Resign(resign, metadata=game.proof(seat)))).reason == "SEAT_RESIGNED"

    while (now := await summary(query, game)).status != game_pb2.GAME_STATUS_ENDED:
        mine = [each for each in await game.owed(query) if each.seat != seat]
        if mine:
            await game.submit(game.submission(mine[0]))
        else:
            await asyncio.sleep(0.005)
    assert [rank.seat for rank in now.ranking] == [1 - seat, seat]
    assert now.absent[0].HasField("resigned")
    report = await proof(query, game)
    assert report.unproved == []


async def test_a_player_resigns_without_any_clock_and_the_other_plays_on(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await started(command, None)
    (seat,) = (await summary(query, game)).awaiting
    resign = commands.ResignRequest(game_id=game.id, request_id=new_id(), seat=seat)
    answer = await command.Resign(resign, metadata=game.proof(seat), timeout=SECONDS)
    assert answer == await command.Resign(resign, metadata=game.proof(seat), timeout=SECONDS)

    async def passed() -> bool:
        return list((await summary(query, game)).awaiting) == [1 - seat]

    await until(passed)


@pytest.mark.reason("GAME_OVER")
async def test_a_game_that_hardly_began_is_broken_off(memory_house: House, hands: Hands) -> None:
    house = memory_house
    house.clock = hands.clock()
    command, query = await house.command(), await house.query()
    game = await started(command, per_turn(60), absence_policy=ABORT)
    (decision,) = await game.owed(query)
    hands.turn(60)

    async def over() -> bool:
        return (await summary(query, game)).status == game_pb2.GAME_STATUS_ABORTED

    await until(over)
    assert (await refused(game.submit(game.submission(decision)))).reason == "GAME_OVER"
    watched = [each async for each in query.WatchGame(queries.WatchGameRequest(game_id=game.id), timeout=SECONDS)]
    assert watched[-1].HasField("game_over") and not watched[-1].game_over.ranking
    assert (await proof(query, game)).ended
    listed = await query.ListGames(queries.ListGamesRequest(status=game_pb2.GAME_STATUS_ABORTED), timeout=SECONDS)
    assert [each.game_id for each in listed.games] in ([game.id], [])  # the list may lag behind


async def test_a_game_that_everybody_gives_up_at_once_is_broken_off(memory_house: House) -> None:
    command = await memory_house.command()
    game = await started(command, None)
    for seat in (0, 1):
        request = commands.ResignRequest(game_id=game.id, request_id=new_id(), seat=seat)
        answer = await command.Resign(request, metadata=game.proof(seat), timeout=SECONDS)
    assert answer.status == game_pb2.GAME_STATUS_ABORTED


# -- when the service is away ------------------------------------------------------------------------------------------


async def test_nobody_is_charged_for_a_time_without_the_service(house: House, hands: Hands) -> None:
    house.clock = hands.clock(outage_seconds=5.0)
    command, query = await house.command(), await house.query()
    game = await started(command, per_game(100, 0))
    (seat,) = (await summary(query, game)).awaiting
    hands.turn(4)
    await asyncio.sleep(0.1)
    await house.stop("command")
    hands.turn(DAY)
    await asyncio.gather(house.command(), house.command())
    (record,) = await quiet(house, game, "clock_credit", 1)
    assert record.actor.service == "clock"
    assert await expiries(house, game) == []
    clock = (await summary(query, game)).clocks[seat]
    assert 95_900 <= clock.remaining_ms <= 100_000
    assert clock.running


async def test_nobody_is_charged_for_a_time_in_which_nobody_could_see_the_game(
    memory_house: House, hands: Hands
) -> None:
    house = memory_house
    house.clock = hands.clock(outage_seconds=5.0)
    command, query = await house.command(), await house.query()
    game = await started(command, per_turn(60))
    (seat,) = (await summary(query, game)).awaiting
    await asyncio.sleep(0.1)
    await house.stop("projection")
    for _ in range(100):
        hands.turn(3)
        await asyncio.sleep(0.02)
    assert await expiries(house, game) == []
    query = await house.query()
    assert (await summary(query, game)).clocks[seat].running
    for _ in range(30):
        hands.turn(3)
        await asyncio.sleep(0.02)
    assert len(await expiries(house, game)) >= 1


async def test_a_command_that_comes_first_after_an_outage_is_not_charged_either(
    memory_house: House, hands: Hands
) -> None:
    house = memory_house
    slow = Clock(lambda: hands.us, sweep_seconds=1_000, beat_seconds=0.01, outage_seconds=5.0)
    house.clock = slow
    command, query = await house.command(), await house.query()
    game = await started(command, per_game(100, 0))
    (decision,) = await game.owed(query)
    await house.stop("command")
    hands.turn(99)
    house.clock = Clock(lambda: hands.us, sweep_seconds=1_000, beat_seconds=1_000, outage_seconds=5.0)
    game.stub = await house.command()
    await game.submit(game.submission(decision))
    kinds = [each.WhichOneof("command") for each in await records(house, game)]
    assert kinds[-2:] == ["clock_credit", "game_command"]
    assert (await summary(query, game)).clocks[decision.seat].remaining_ms >= 99_900


# -- correspondence ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["oil_rock", "oilfield"])
async def test_a_correspondence_game_whose_players_are_away_ends_by_policy(
    memory_house: House, hands: Hands, name: str
) -> None:
    house = memory_house
    house.clock = hands.clock()
    command, query = await house.command(), await house.query()
    await house.scoring()
    game = await started(command, days(3), game=name)
    begun = hands.us
    for _ in range(5):
        now = await summary(query, game)

        async def turns(revision: int = now.revision, player: str = "") -> list[queries.Turn]:
            listed = await query.ListTurns(queries.ListTurnsRequest(player=player), timeout=SECONDS)
            return [each for each in listed.turns if each.revision == revision]

        found = await until(turns)
        assert {each.seat for each in found} == set(now.awaiting)
        assert all(hands.us < each.until.ToMicroseconds() <= hands.us + 3 * DAY * SECOND for each in found)
        assert all(each.player == f"player {each.seat}" and each.game == name for each in found)
        assert await turns(player=found[0].player) == found[:1]
        hands.turn(3 * DAY)

        async def resolved() -> bool:
            after = await summary(query, game)
            return all(each.deadline.ToMicroseconds() > hands.us for each in after.clocks if each.running)

        await until(resolved)
    while (await summary(query, game)).status != game_pb2.GAME_STATUS_ENDED:
        for _ in range(20):
            hands.turn(3 * DAY)
            await asyncio.sleep(0.02)
    assert hands.us - begun > 30 * DAY * SECOND
    report = await proof(query, game)
    assert report.unproved == [] and report.ended
    assert len(await expiries(house, game)) > 10


# -- presence ----------------------------------------------------------------------------------------------------------


async def test_presence_is_told_and_never_recorded(memory_house: House, hands: Hands) -> None:
    house = memory_house
    command, query = await house.command(), await house.query()
    game = await started(command, per_turn(600))
    revision = (await summary(query, game)).revision
    before = await summary(query, game)

    async def presence() -> list[game_pb2.SeatPresence]:
        view = await query.GetGameView(queries.GetGameViewRequest(game_id=game.id), timeout=SECONDS)
        return list(view.view.presence)

    assert [(each.connected, each.HasField("last_seen")) for each in await presence()] == [(False, False)] * 2
    stream = query.WatchGame(queries.WatchGameRequest(game_id=game.id), metadata=game.proof(1), timeout=SECONDS)
    first = await anext(aiter(stream))
    assert [each.connected for each in first.snapshot.presence] == [False, True]
    assert [each.connected for each in await presence()] == [False, True]
    stream.cancel()

    async def gone() -> bool:
        return not (await presence())[1].connected

    await until(gone)
    assert (await presence())[1].HasField("last_seen")
    assert await house.revisions(game.id) == revision
    # One player's connection never changes another's clock, nor their own.
    assert (await summary(query, game)).clocks == before.clocks
