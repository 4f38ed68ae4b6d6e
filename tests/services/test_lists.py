"""Which games a list holds: filters, pages, changes in between, and a read model that is derived again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import grpc
import pytest

from tests.services.house import SECONDS, House, QueryStub, creation, new_id, refused
from tests.services.test_lobby import Lobby, who
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_client import Refused, WellheadClient
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import EventLog, StreamId
from wellhead_projection import summaries
from wellhead_rules.registry import RULESETS
from wellhead_runtime import limits, viewing
from wellhead_runtime.live import LiveGames

NAMES = ["ada", "bob", "eve", "max", "Zoë \U0001f600 / who"]
PEOPLE = {name: who(name) for name in NAMES}

Summaries = list[game_pb2.GameSummary]


async def pages(query: QueryStub, size: int = 0, **filters: Any) -> Summaries:
    """All pages of a list, one after the other."""
    found: Summaries = []
    request = queries.ListGamesRequest(page_size=size, **filters)
    while True:
        page = await query.ListGames(request, timeout=SECONDS)
        assert len(page.games) <= (size or limits.GAMES_PAGE_DEFAULT)
        found += page.games
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def change(place: Lobby, random: Random, games: list[str]) -> None:
    """Something happens at some table, if the rules allow it."""
    name = random.choice(NAMES)
    by, game_id = PEOPLE[name], random.choice(games)
    match random.choice(["create", "take", "take", "take", "leave", "invite", "close", "start", "play"]):
        case "create":
            games.append(await _create(place, random, by))
        case "take":
            await place.take(by, game_id)
        case "leave":
            request = commands.LeaveSeatRequest(game_id=game_id, request_id=new_id(), seat=random.randrange(3))
            await place.command.LeaveSeat(request, metadata=by, timeout=SECONDS)
        case "invite":
            await place.invite(by, game_id, random.randrange(3), random.choice(NAMES))
        case "close":
            await place.close(by, random.choice(games[-3:]))
        case "start":
            await place.start(by, game_id)
        case "play":
            seats = (await place.summary(game_id)).seats
            for seat in [seat.seat for seat in seats if seat.player == name]:
                legal = queries.ListLegalCommandsRequest(game_id=game_id, seat=seat)
                for owed in (await place.query.ListLegalCommands(legal, metadata=by, timeout=SECONDS)).decisions:
                    move = commands.SubmitCommandRequest(
                        game_id=game_id, request_id=new_id(), seat=seat, decision_id=owed.decision_id,
                        option_id=random.choice(owed.options).id,
                    )  # fmt: skip
                    await place.command.SubmitCommand(move, metadata=by, timeout=SECONDS)


async def _create(place: Lobby, random: Random, by: Any) -> str:
    game = random.choice(list(RULESETS))
    seats = [commands.SeatRequest()] if random.random() < 0.8 else []
    request = creation(
        random.choice([2, 2, 3]), game=game, creator="", seats=seats, start_when_full=random.random() < 0.5
    )
    return (await place.command.CreateGame(request, metadata=by, timeout=SECONDS)).game_id


async def busy_place(house: House, seed: int, changes: int) -> tuple[Lobby, list[str]]:
    """Services with games in every condition."""
    place = Lobby(house, await house.command(), await house.query())
    random = Random(seed)
    games = [await _create(place, random, PEOPLE["ada"])]
    for _ in range(changes):
        await _tried(change(place, random, games))
    return place, games


async def _tried(change: Awaitable[None]) -> None:
    """Much of what comes to mind the rules do not allow."""
    with contextlib.suppress(grpc.aio.AioRpcError):
        await change


async def truth(log: EventLog, games: list[str]) -> Summaries:
    """The summaries as the log itself has them, the newest first."""
    live_games = LiveGames(log, RULESETS, 1_000)
    found = []
    for game_id in games:
        live = live_games.fresh(game_id)
        await live.catch_up(log)
        found.append((live.table.created_us, game_id, viewing.summary(live.table)))
    return [summary for *_, summary in sorted(found, key=lambda each: each[:2], reverse=True)]


Predicate = Callable[[game_pb2.GameSummary], bool]


def _free(game: game_pb2.GameSummary) -> bool:
    return game.status == 1 and any(not seat.player and not seat.reserved_for for seat in game.seats)


def _plays(name: str) -> Predicate:
    return lambda game: any(seat.player == name for seat in game.seats)


def _owes(name: str) -> Predicate:
    return lambda game: any(game.seats[seat].player == name for seat in game.awaiting)


def _invited(name: str) -> Predicate:
    return lambda game: any(seat.reserved_for == name for seat in game.seats)


def filters(random: Random) -> list[tuple[dict[str, Any], Predicate]]:
    """Each filter, alone and with others, and what it means."""
    name, other = random.sample(NAMES, 2)
    return [
        ({}, lambda game: True),
        *(({"status": status}, lambda game, status=status: game.status == status) for status in (1, 2, 6)),
        ({"game": "oilfield"}, lambda game: game.game == "oilfield"),
        ({"seat_count": 3}, lambda game: len(game.seats) == 3),
        ({"options": {"advanced_towers": "false"}}, lambda game: game.options.get("advanced_towers") == "false"),
        ({"options": {"no_such_option": "1"}}, lambda game: False),
        ({"content_pack": {"id": "no-such-pack"}}, lambda game: False),
        ({"has_free_seat": True}, _free),
        ({"has_free_seat": True, "status": 2}, lambda game: False),
        ({"player": name}, _plays(name)),
        ({"player": name, "status": 2}, lambda game: game.status == 2 and _plays(name)(game)),
        ({"awaiting": name}, _owes(name)),
        ({"awaiting": name, "player": other}, lambda game: _owes(name)(game) and _plays(other)(game)),
        ({"creator": name}, lambda game: game.creator == name),
        ({"invited": name}, _invited(name)),
        ({"player": name, "game": "oil_rock", "seat_count": 2},
         lambda game: game.game == "oil_rock" and len(game.seats) == 2 and _plays(name)(game)),
    ]  # fmt: skip


@pytest.mark.req("R-LOG-5")
async def test_every_list_holds_what_its_filter_says_in_pages_of_any_size(house: House) -> None:
    place, games = await busy_place(house, 1, 120)
    expected = await truth(house.log, games)
    assert {game.status for game in expected} >= {1, 2, 6}
    await until(lambda: pages(place.query), lambda found: found == expected)
    for size in (0, 5):
        for asked, holds in filters(Random(size)):
            found = await pages(place.query, size, **asked)
            assert found == [game for game in expected if holds(game)], asked


@pytest.mark.req("R-LOG-5")
async def test_the_lists_are_the_same_after_a_restart_and_when_they_are_derived_again(house: House) -> None:
    place, games = await busy_place(house, 2, 60)
    expected = await truth(house.log, games)
    await until(lambda: pages(place.query), lambda found: found == expected)
    asked: list[dict[str, Any]] = [
        each for name in NAMES for each in ({"player": name}, {"awaiting": name}, {"invited": name})
    ]
    before = [await pages(place.query, **each) for each in asked]
    await house.stop("projection")
    query = await house.query()
    assert [await pages(query, **each) for each in asked] == before
    await house.stop("projection")
    await _throw_away(house.log)
    query = await house.query()
    await until(lambda: pages(query), lambda found: found == expected)
    assert [await pages(query, **each) for each in asked] == before


async def _throw_away(log: EventLog) -> None:
    """The read model, and what its consumer remembers."""
    lists: set[str] = set()
    for partition in range(PARTITIONS):
        for document in await log.scan(summaries.LISTS, partition, limit=1_000):
            lists.update(document.value.decode().split())
    for collection in (*lists, summaries.GAMES, summaries.LISTS, f"{summaries.CONSUMER}/heads"):
        await log.drop(collection)
    await log.retire_consumer(summaries.CONSUMER)


async def test_a_list_holds_what_stays_whatever_happens_between_its_pages(memory_house: House) -> None:
    place, games = await busy_place(memory_house, 3, 60)
    await until(lambda: pages(place.query), lambda found: len(found) == len(games))
    async with unrest(place, games) as random:
        for asked, stays in filters(random):
            if asked not in LASTING and "creator" not in asked:
                continue
            before = {game.game_id for game in await pages(place.query, **asked)}
            found = await pages(place.query, 3, **asked)
            assert all(map(stays, found))
            assert len({game.game_id for game in found}) == len(found), "a game stands on two pages"
            assert before <= {game.game_id for game in found}
    expected = await truth(memory_house.log, games)
    await until(lambda: pages(place.query), lambda found: found == expected)
    for asked, holds in filters(Random(9)):
        assert await pages(place.query, 5, **asked) == [game for game in expected if holds(game)]


LASTING: list[dict[str, Any]] = [{}, {"game": "oilfield"}, {"seat_count": 3}]
"""What holds of a game for ever, as does who has opened it."""


@asynccontextmanager
async def unrest(place: Lobby, games: list[str]) -> AsyncIterator[Random]:
    """Somebody does something all the time."""
    random = Random(7)

    async def go_on() -> None:
        while True:
            await _tried(change(place, random, games))

    tasks = [asyncio.create_task(go_on()) for _ in range(3)]
    try:
        yield Random(8)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_page_token_belongs_to_its_filter(memory_house: House) -> None:
    place, games = await busy_place(memory_house, 4, 40)
    await until(lambda: pages(place.query), lambda found: len(found) == len(games))
    token = (await place.query.ListGames(queries.ListGamesRequest(page_size=1, game="oil_rock"))).next_page_token
    assert token
    for asked in ({}, {"game": "oilfield"}, {"game": "oil_rock", "player": "ada"}, {"creator": "oil_rock"}):
        request = queries.ListGamesRequest(page_token=token, **asked)  # type: ignore[arg-type]
        assert (await refused(place.query.ListGames(request))).fields == ["page_token"]
    await place.query.ListGames(queries.ListGamesRequest(page_size=2, page_token=token, game="oil_rock"))


@pytest.mark.req("R-LOG-11")
async def test_a_page_looks_at_so_many_games_and_no_more(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    place, games = await busy_place(memory_house, 5, 50)
    expected = await truth(memory_house.log, games)
    await until(lambda: pages(place.query), lambda found: found == expected)
    monkeypatch.setattr(limits, "GAMES_LOOKED_AT", 3)
    rare = expected[-1]
    page = await place.query.ListGames(queries.ListGamesRequest(game=rare.game, seat_count=len(rare.seats)))
    assert page.next_page_token and len(page.games) <= 3
    for asked, holds in filters(Random(3)):
        assert await pages(place.query, **asked) == [game for game in expected if holds(game)]


async def test_a_filter_that_cannot_mean_anything_is_refused(memory_house: House) -> None:
    query = await memory_house.query()
    long = "x" * 65
    for field in ("game", "player", "awaiting", "creator", "invited"):
        request = queries.ListGamesRequest(**{field: long})  # type: ignore[arg-type]
        assert (await refused(query.ListGames(request))).fields == [field]
    assert (await refused(query.ListGames(queries.ListGamesRequest(seat_count=99)))).fields == ["seat_count"]
    request = queries.ListGamesRequest(options={long: ""}, content_pack=game_pb2.ContentPack(id=long))
    assert (await refused(query.ListGames(request))).fields == ["content_pack.id", "options"]


@pytest.mark.parametrize("transport", ["grpc", "http"])
async def test_the_client_has_a_call_for_all_of_this(memory_house: House, transport: str) -> None:
    await memory_house.command()
    await memory_house.query()
    at = {each.name: each for each in memory_house.running}
    targets = [
        f"127.0.0.1:{at[name].port}" if transport == "grpc" else f"http://127.0.0.1:{at[name].http_port}"
        for name in ("command", "projection")
    ]
    async with WellheadClient(*targets) as client:
        table = await client.create_game("oil_rock", ["ada"], seat_count=3, invited={1: "bob"}, private=True)
        ada = table.credentials[0]
        await client.invite(table.game_id, 2, "max", host=ada)
        await client.withdraw_invitation(table.game_id, 2, host=ada)
        with pytest.raises(Refused, match="INVITATION_NEEDED"):
            await client.take_seat(table.game_id, "eve")
        await client.take_seat(table.game_id, "eve", invitation_code=table.invitation_code)

        async def invited() -> list[str]:
            return [game.game_id async for game in client.games(invited="bob", has_free_seat=False)]

        await until(invited, lambda found: found == [table.game_id])
        await client.close_table(table.game_id, host=ada)
        with pytest.raises(Refused, match="GAME_NOT_OVER"):
            await client.rematch(table.game_id, ada)
        full = await client.create_game("oil_rock", ["ada", "bob"], start_when_full=True)
        assert full.status == game_pb2.GAME_STATUS_RUNNING
        assert await memory_house.log.head(StreamId("game", full.game_id)) is not None
