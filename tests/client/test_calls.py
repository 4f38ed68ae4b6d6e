"""Single calls: what is repeated and how, and what a refusal becomes."""

import asyncio
from typing import Any

import grpc
import pytest

from tests.client.conftest import Connect
from tests.client.fakes import Break, FakeCommands
from wellhead.v1 import command_service_pb2 as commands
from wellhead_client import Refused, Unreachable, WellheadClient, new_request_id

SEAT = commands.SeatCredential(seat=1, credential="secret-of-seat-1")
ACCEPTED = commands.SubmitCommandResponse(receipt=commands.Receipt(revision=7))


async def test_an_option_is_submitted_for_its_seat(connect: Connect) -> None:
    fake = FakeCommands(ACCEPTED)
    client = await connect(fake)
    assert (await client.submit("game", SEAT, 3, "end_turn")).receipt.revision == 7
    (request,) = fake.requests
    assert (request.game_id, request.seat, request.decision_id, request.option_id) == ("game", 1, 3, "end_turn")
    assert fake.credentials == ["Bearer secret-of-seat-1"]


@pytest.mark.req("R-LOG-3", "R-API-4")
@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.INTERNAL,  # without details it is no server's word, but a connection that broke
        grpc.StatusCode.UNKNOWN,
    ],
)
async def test_a_repeat_carries_the_same_request_id(connect: Connect, code: grpc.StatusCode) -> None:
    fake = FakeCommands(Break(code), Break(code), ACCEPTED)
    await (await connect(fake)).submit("game", SEAT, 3, "end_turn")
    assert len(fake.requests) == 3
    assert len({request.request_id for request in fake.requests}) == 1


async def test_the_server_may_say_when_to_come_back(connect: Connect) -> None:
    fake = FakeCommands(Break(grpc.StatusCode.RESOURCE_EXHAUSTED, "STORE_BUSY", retry_ms=1), ACCEPTED)
    await (await connect(fake)).submit("game", SEAT, 3, "end_turn")
    assert len(fake.requests) == 2


@pytest.mark.req("R-API-1")
async def test_a_refusal_is_typed_and_not_repeated(connect: Connect) -> None:
    refusal = Break(grpc.StatusCode.FAILED_PRECONDITION, "TILE_OCCUPIED", clause="OR-PLACE.1", revision="12", x="y")
    fake = FakeCommands(refusal)
    with pytest.raises(Refused) as caught:
        await (await connect(fake)).submit("game", SEAT, 3, "end_turn")
    refused = caught.value
    assert (refused.reason, refused.clause, refused.revision) == ("TILE_OCCUPIED", "OR-PLACE.1", 12)
    assert refused.message == "a sentence"
    assert refused.metadata["x"] == "y"
    assert len(fake.requests) == 1


async def test_an_error_without_details_is_named_by_its_code(connect: Connect) -> None:
    with pytest.raises(Refused) as caught:
        await (await connect(FakeCommands(Break(grpc.StatusCode.DATA_LOSS)))).submit("game", SEAT, 3, "end_turn")
    assert (caught.value.reason, caught.value.revision) == ("DATA_LOSS", 0)


async def test_a_servers_own_internal_error_is_not_repeated(connect: Connect) -> None:
    fake = FakeCommands(Break(grpc.StatusCode.INTERNAL, "INTERNAL"))
    with pytest.raises(Refused, match="INTERNAL"):
        await (await connect(fake)).submit("game", SEAT, 3, "end_turn")
    assert len(fake.requests) == 1


async def test_patience_ends(unused_tcp_port: int) -> None:
    target = f"127.0.0.1:{unused_tcp_port}"
    async with WellheadClient(target, target, patience=0.2) as client:
        with pytest.raises(Unreachable, match="gave up after"):
            await client.submit("game", SEAT, 3, "end_turn")


def test_request_ids_are_long_enough_and_differ() -> None:
    ids = {new_request_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(16 <= len(id) <= 128 for id in ids)


# -- over one stream ---------------------------------------------------------------------------------------------------


async def test_a_session_answers_one_after_the_other(connect: Connect) -> None:
    fake = FakeCommands(ACCEPTED, ACCEPTED)
    async with (await connect(fake)).play("game", SEAT) as session:
        for decision in (3, 4):
            assert (await session.submit(decision, "end_turn")).receipt.revision == 7
    assert [request.decision_id for request in fake.requests] == [3, 4]
    assert set(fake.credentials) == {"Bearer secret-of-seat-1"}


@pytest.mark.req("R-LOG-3", "R-API-4")
@pytest.mark.parametrize("broken", [Break(grpc.StatusCode.UNAVAILABLE), None])
async def test_a_broken_session_goes_on_with_the_same_request(connect: Connect, broken: Any) -> None:
    fake = FakeCommands(ACCEPTED, broken, broken, ACCEPTED)
    async with (await connect(fake)).play("game", SEAT) as session:
        await session.submit(3, "end_turn")
        await session.submit(4, "end_turn")
    assert [request.decision_id for request in fake.requests] == [3, 4, 4, 4]
    assert len({request.request_id for request in fake.requests}) == 2


async def test_a_refusal_does_not_end_the_session(connect: Connect) -> None:
    refusal = commands.Refusal(code=9, reason="STALE_DECISION", message="no", clause="OR-GEN.1", revision=12)
    fake = FakeCommands(refusal, ACCEPTED)
    async with (await connect(fake)).play("game", SEAT) as session:
        with pytest.raises(Refused) as caught:
            await session.submit(3, "end_turn")
        await session.submit(4, "end_turn")
    refused = caught.value
    assert (refused.reason, refused.clause, refused.revision) == ("STALE_DECISION", "OR-GEN.1", 12)


async def test_what_may_be_repeated_in_a_session_is(connect: Connect) -> None:
    busy = commands.Refusal(code=14, reason="STORE_UNAVAILABLE", metadata={"retry_seconds": "0.001"})
    fake = FakeCommands(busy, ACCEPTED)
    async with (await connect(fake)).play("game", SEAT) as session:
        await session.submit(3, "end_turn")
    assert len({request.request_id for request in fake.requests}) == 1


async def test_after_a_cancelled_submit_the_next_one_gets_its_own_answer(connect: Connect) -> None:
    later = commands.SubmitCommandResponse(receipt=commands.Receipt(revision=8))
    asked, go_on = asyncio.Event(), asyncio.Event()
    fake = FakeCommands((asked, go_on, ACCEPTED), later)
    async with (await connect(fake)).play("game", SEAT) as session:
        first = asyncio.create_task(session.submit(3, "end_turn"))
        await asked.wait()
        first.cancel()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert (await session.submit(4, "end_turn")).receipt.revision == 8


async def test_a_refused_credential_ends_the_attempt(connect: Connect) -> None:
    fake = FakeCommands(Break(grpc.StatusCode.PERMISSION_DENIED, "NOT_SEAT_HOLDER"))
    async with (await connect(fake)).play("game", SEAT) as session:
        with pytest.raises(Refused, match="NOT_SEAT_HOLDER"):
            await session.submit(3, "end_turn")
