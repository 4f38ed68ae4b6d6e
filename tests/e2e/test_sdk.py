"""Every call of the SDK against real services."""

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.waiting import until
from wellhead.v1 import game_pb2
from wellhead_cli.stack import Ports, Stack
from wellhead_client import Refused, Unreachable, WellheadClient
from wellhead_client.bots import RandomBot
from wellhead_client.runner import play_seat
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import verify


@pytest.fixture(scope="module", params=["grpc", "http"])
async def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[WellheadClient]:
    where: Path = tmp_path_factory.mktemp("sdk")
    async with Stack(where, Ports(command_http=0, query_http=0, scoring_http=0)) as stack:
        at = stack.endpoints
        targets = (at.command, at.query, at.scoring)
        if request.param == "http":
            targets = (at.command_http, at.query_http, at.scoring_http)
        async with WellheadClient(*targets) as connected:
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


@pytest.mark.req("R-API-3", "R-SCORE-1", "R-PROOF-1")
async def test_bots_play_a_whole_game_which_is_watched_scored_and_proved(client: WellheadClient) -> None:
    table = await client.create_game("oil_rock", ["ada", "bob"])
    game_id, seats = table.game_id, list(table.credentials)
    await client.start_game(game_id, seats[0])

    async def watched() -> list[int]:
        return [
            each.change.revision async for each in client.watch(game_id, after_revision=0) if each.HasField("change")
        ]

    playing = [play_seat(client, game_id, seat, RandomBot(seat.seat), RULESETS) for seat in seats]
    revisions, *ends = await asyncio.gather(watched(), *playing)
    assert revisions == list(range(1, ends[0].revision + 1))
    assert ends[0] == ends[1]
    assert list((await client.score_card(game_id)).ranking) == list(ends[0].ranking)
    assert verify(io.BytesIO(await client.export(game_id)), RULESETS).ended


@pytest.mark.req("R-API-3")
async def test_waiting_can_be_given_up(client: WellheadClient) -> None:
    table = await client.create_game("oil_rock", ["ada", "bob"])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await client.view(table.game_id, min_revision=1000)
    watching = client.watch(table.game_id)
    assert (await anext(watching)).HasField("snapshot")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await anext(watching)


@pytest.mark.req("R-API-3")
async def test_who_is_not_there_is_unreachable() -> None:
    for target in ("127.0.0.1:1", "http://127.0.0.1:1"):
        async with WellheadClient(target, target, patience=0.3) as nobody:
            with pytest.raises(Unreachable):
                await nobody.view("game")
