"""Every call of the SDK against real services."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.waiting import until
from wellhead.v1 import game_pb2
from wellhead_cli.stack import Stack
from wellhead_client import Refused, WellheadClient


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WellheadClient]:
    where: Path = tmp_path_factory.mktemp("sdk")
    async with Stack(where) as stack:
        endpoints = stack.endpoints
        async with WellheadClient(endpoints.command, endpoints.query, endpoints.scoring) as connected:
            yield connected


async def test_seats_are_taken_left_and_taken_again(client: WellheadClient) -> None:
    game_id = (await client.create_game("oil_rock", seat_count=2, creator="organiser")).game_id
    ada = (await client.take_seat(game_id, "ada", seat=1, colour="red", nonce=b"luck")).credential
    assert ada.seat == 1
    await client.leave_seat(game_id, ada)
    seats = [(await client.take_seat(game_id, name)).credential for name in ("ada", "bob")]
    assert [seat.seat for seat in seats] == [0, 1]
    started = await client.start_game(game_id, seats[0])
    view = await client.view(game_id, seats[0], min_revision=started.receipt.revision)
    assert [seat.player for seat in view.summary.seats] == ["ada", "bob"]
    assert view.summary.status == game_pb2.GAME_STATUS_RUNNING


@pytest.mark.req("R-RULES-10", "R-API-9")
async def test_what_a_seat_owes_is_answered_by_option_or_by_command(client: WellheadClient) -> None:
    table = await client.create_game("oil_rock", ["ada", "bob"])
    game_id, seats = table.game_id, list(table.credentials)
    decisions = (await client.start_game(game_id, seats[0])).decisions
    for by_option in (True, False):
        seat = seats[decisions[0].seat]
        legal = await client.legal(game_id, seat)
        (owed,) = legal.decisions
        option = owed.options[0]
        answer = option.id if by_option else option.command
        accepted = await client.submit(game_id, seat, owed.decision_id, answer)
        assert accepted.receipt.revision == legal.revision + 1
        decisions = accepted.decisions
    with pytest.raises(Refused) as stale:
        await client.submit(game_id, seat, owed.decision_id, option.id)
    assert stale.value.revision == accepted.receipt.revision
    with pytest.raises(Refused, match="NOT_SEAT_HOLDER"):
        await client.legal(game_id, type(seat)(seat=1 - seat.seat, credential=seat.credential))


@pytest.mark.req("R-API-8")
async def test_history_is_in_plain_language_and_comes_page_by_page(client: WellheadClient) -> None:
    table = await client.create_game("oil_rock", ["ada", "bob"])
    await client.start_game(table.game_id, table.credentials[0])
    entries = [entry async for entry in client.history(table.game_id, page_size=1)]
    assert [entry.revision for entry in entries] == [1, 2]
    assert all(entry.command and entry.facts for entry in entries)


async def test_games_are_listed_page_by_page(client: WellheadClient) -> None:
    made = {(await client.create_game("oil_rock", ["ada", "bob"])).game_id for _ in range(3)}

    async def listed() -> list[str]:
        return [game.game_id async for game in client.games(game_pb2.GAME_STATUS_OPEN, page_size=2)]

    found = await until(listed, made.issubset)
    assert len(found) == len(set(found))


@pytest.mark.req("R-SCORE-3")
async def test_a_running_game_has_a_score(client: WellheadClient) -> None:
    table = await client.create_game("oil_rock", ["ada", "bob"])
    started = await client.start_game(table.game_id, table.credentials[0])
    card = await client.score_card(table.game_id, revision=started.receipt.revision)
    now = await client.score_if_ended_now(table.game_id)
    for score in (card, now):
        for rank in score.ranking:
            assert sum(line.points for line in score.lines if line.seat == rank.seat) == rank.total


@pytest.mark.req("R-API-1")
async def test_an_unknown_game_is_refused_everywhere(client: WellheadClient) -> None:
    for call in (client.view("nowhere"), client.export("nowhere"), client.score_card("nowhere")):
        with pytest.raises(Refused) as refused:
            await call
        assert refused.value.reason == "UNKNOWN_GAME"
