"""Bad input gets a typed error that names what is wrong, and leaves no trace in the log (R-API-1)."""

from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest

from tests.services.house import Game, House, QueryStub, creation, new_id, refused, start_game
from tests.services.over_http import TRANSPORTS
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2, log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_eventlog.port import StreamId
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_runtime import limits
from wellhead_runtime.errors import refusal

Code = grpc.StatusCode
Send = Callable[[Game, game_pb2.Decision], Awaitable[Any]]


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def submit(**changes: Any) -> Send:
    def send(game: Game, decision: game_pb2.Decision) -> Awaitable[Any]:
        request = game.submission(decision, **changes)
        return game.stub.SubmitCommand(request, metadata=game.proof(decision.seat))

    return send


def submit_as_other_seat(game: Game, decision: game_pb2.Decision) -> Awaitable[Any]:
    return game.stub.SubmitCommand(game.submission(decision), metadata=game.proof(1 - decision.seat))


def submit_as_nobody(game: Game, decision: game_pb2.Decision) -> Awaitable[Any]:
    return game.stub.SubmitCommand(game.submission(decision))


def submit_with_forged_credential(game: Game, decision: game_pb2.Decision) -> Awaitable[Any]:
    genuine = game.credentials[decision.seat]
    forged = genuine[:-4] + ("AAAA" if genuine[-4:] != "AAAA" else "BBBB")
    return game.stub.SubmitCommand(game.submission(decision), metadata=(("authorization", f"Bearer {forged}"),))


def submit_out_of_turn(game: Game, decision: game_pb2.Decision) -> Awaitable[Any]:
    request = game.submission(decision, seat=1 - decision.seat)
    return game.stub.SubmitCommand(request, metadata=game.proof(1 - decision.seat))


def record_score_as_player(game: Game, decision: game_pb2.Decision) -> Awaitable[Any]:
    award = game_pb2.RoundAward(round=1)
    request = commands.RecordScoreRequest(game_id=game.id, request_id=new_id(), round_award=award)
    return game.stub.RecordScore(request, metadata=game.proof(decision.seat))


def start_again(game: Game, decision: game_pb2.Decision) -> Awaitable[Any]:
    request = commands.StartGameRequest(game_id=game.id, request_id=new_id())
    return game.stub.StartGame(request, metadata=game.proof(0))


def leave_late(game: Game, decision: game_pb2.Decision) -> Awaitable[Any]:
    request = commands.LeaveSeatRequest(game_id=game.id, request_id=new_id(), seat=0)
    return game.stub.LeaveSeat(request, metadata=game.proof(0))


ILLEGAL = game_pb2.Command()
ILLEGAL.oil_rock.end_turn.SetInParent()

COMMANDS: list[tuple[str, Send, Code, str]] = [
    ("unknown game", submit(game_id="a" * 24), Code.NOT_FOUND, "UNKNOWN_GAME"),
    ("a game id that cannot be", submit(game_id="no such game/"), Code.NOT_FOUND, "UNKNOWN_GAME"),
    ("no game id", submit(game_id=""), Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("a short request id", submit(request_id="short"), Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("a long request id", submit(request_id="x" * 129), Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("no answer", submit(command=None), Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("a wrong seat", submit_as_other_seat, Code.PERMISSION_DENIED, "NOT_SEAT_HOLDER"),
    ("no credential", submit_as_nobody, Code.UNAUTHENTICATED, "TOKEN_MISSING"),
    ("a forged credential", submit_with_forged_credential, Code.UNAUTHENTICATED, "TOKEN_INVALID"),
    ("a seat that is not there", submit(seat=7), Code.PERMISSION_DENIED, "NOT_SEAT_HOLDER"),
    ("another's decision", submit_out_of_turn, Code.FAILED_PRECONDITION, "NOT_DECISION_OWNER"),
    ("an old decision", submit(decision_id=999), Code.FAILED_PRECONDITION, "STALE_DECISION"),
    ("another game's command", submit(command=game_pb2.Command()), Code.FAILED_PRECONDITION, "COMMAND_NOT_EXPECTED"),
    ("an illegal command", submit(command=ILLEGAL), Code.FAILED_PRECONDITION, "COMMAND_NOT_EXPECTED"),
    ("an unknown option", submit(command=None, option_id="nothing"), Code.FAILED_PRECONDITION, "OPTION_NOT_OFFERED"),
    ("an old decision by option", submit(command=None, option_id="x", decision_id=999), Code.FAILED_PRECONDITION,
     "STALE_DECISION"),
    ("too large", submit(command=None, option_id="x" * limits.REQUEST_BYTES), Code.RESOURCE_EXHAUSTED,
     "MESSAGE_TOO_LARGE"),
    ("a player who scores", record_score_as_player, Code.PERMISSION_DENIED, "NOT_SCORING_SERVICE"),
    ("a second start", start_again, Code.FAILED_PRECONDITION, "GAME_STARTED"),
    ("a seat left in play", leave_late, Code.FAILED_PRECONDITION, "GAME_STARTED"),
]  # fmt: skip


@pytest.mark.req("R-API-1", "R-API-9", "R-RULES-4")
@pytest.mark.reason(
    "UNKNOWN_GAME",
    "MALFORMED_REQUEST",
    "NOT_SEAT_HOLDER",
    "NOT_DECISION_OWNER",
    "COMMAND_NOT_EXPECTED",
    "OPTION_NOT_OFFERED",
    "MESSAGE_TOO_LARGE",
    "NOT_SCORING_SERVICE",
    "GAME_STARTED",
)
async def test_a_bad_command_is_refused_with_a_reason_and_leaves_no_trace(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    decision = (await game.owed(query))[0]
    before = await house.entries(game.id)
    for name, send, code, reason in COMMANDS:
        refusal = await refused(send(game, decision))
        assert (refusal.code, refusal.reason) == (code, reason), name
        assert "Traceback" not in refusal.message
        assert bool(refusal.fields) == (reason == "MALFORMED_REQUEST"), name
    assert await house.entries(game.id) == before
    await game.submit(game.submission(decision))


@pytest.mark.req("R-API-1")
async def test_a_rule_that_refuses_is_named_by_its_clause_and_the_revision_is_told(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    decision = (await game.owed(query))[0]
    bad = await refused(submit(command=ILLEGAL)(game, decision))
    assert bad.metadata["revision"] == str(game.revision)
    assert bad.metadata["decision_ids"] == str(decision.decision_id)
    refused_by = refusal(RuleViolation("TILE_OCCUPIED", "OR-PLACE.4", "somebody is there"))
    assert refused_by is not None
    assert refused_by.clause == "OR-PLACE.4"


CREATIONS = [
    ({"content_pack": {"id": "no-such-pack"}}, Code.INVALID_ARGUMENT, "UNKNOWN_CONTENT"),
    ({"content_pack": {"digest": "0" * 64}}, Code.INVALID_ARGUMENT, "UNKNOWN_CONTENT"),
    ({"game": "chess"}, Code.INVALID_ARGUMENT, "UNKNOWN_GAME_KIND"),
    ({"game": ""}, Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ({"seat_count": 9, "seats": []}, Code.INVALID_ARGUMENT, "BAD_PLAYER_COUNT"),
    ({"options": {"no-such-option": "1"}}, Code.INVALID_ARGUMENT, "UNKNOWN_OPTION"),
    ({"seats": [{"player": "Ann"}, {"player": "Ann"}]}, Code.ALREADY_EXISTS, "DUPLICATE_PLAYER"),
    ({"seats": [{"player": ""}]}, Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ({"seats": [{"player": "Ann\x1b[2J"}]}, Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ({"seats": [{"player": "Ann", "nonce": b"n" * 65}]}, Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ({"seats": [{"player": f"p{n}"} for n in range(40)]}, Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
]


@pytest.mark.req("R-API-1", "R-LOG-11")
@pytest.mark.parametrize(("changes", "code", "reason"), CREATIONS)
async def test_a_table_that_cannot_be_is_not_opened(
    memory_house: House, changes: dict[str, Any], code: Code, reason: str
) -> None:
    command = await memory_house.command()
    refusal = await refused(command.CreateGame(creation(**changes)))
    assert (refusal.code, refusal.reason) == (code, reason)
    assert not [stream for partition in range(64) for stream in await memory_house.log.streams(partition)]


QUERIES: list[tuple[str, Callable[[QueryStub, Game], Awaitable[Any]], Code, str]] = [
    ("unknown game", lambda stub, game: stub.GetGameView(queries.GetGameViewRequest(game_id="a" * 24)),
     Code.NOT_FOUND, "UNKNOWN_GAME"),
    ("a bad token", lambda stub, game: stub.ListGames(queries.ListGamesRequest(page_token="AAAA")),
     Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("no token at all", lambda stub, game: stub.ListGames(queries.ListGamesRequest(page_token="%%%")),
     Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("too large a page", lambda stub, game: stub.ListGames(queries.ListGamesRequest(page_size=100_000)),
     Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("an unknown status", lambda stub, game: stub.ListGames(queries.ListGamesRequest(status=77)),  # type: ignore[arg-type]
     Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("a negative page", lambda stub, game: stub.ListHistory(queries.ListHistoryRequest(game_id=game.id, page_size=-1)),
     Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    ("another's commands", lambda stub, game: stub.ListLegalCommands(
        queries.ListLegalCommandsRequest(game_id=game.id, seat=1), metadata=game.proof(0)),
     Code.PERMISSION_DENIED, "NOT_SEAT_HOLDER"),
    ("a bad credential", lambda stub, game: stub.GetGameView(
        queries.GetGameViewRequest(game_id=game.id), metadata=(("authorization", "Bearer what"),)),
     Code.UNAUTHENTICATED, "TOKEN_INVALID"),
    ("a bad credential where none is asked for", lambda stub, game: stub.ListGames(
        queries.ListGamesRequest(), metadata=(("authorization", "Bearer " + "A" * 56),)),
     Code.UNAUTHENTICATED, "TOKEN_INVALID"),
    ("too late a wait", lambda stub, game: stub.GetGameView(
        queries.GetGameViewRequest(game_id=game.id, min_revision=10_000), timeout=1.5),
     Code.DEADLINE_EXCEEDED, "REVISION_NOT_REACHED"),
    ("a watch from the future", lambda stub, game: stub.WatchGame(
        queries.WatchGameRequest(game_id=game.id, after_revision=10_000)).read(),
     Code.OUT_OF_RANGE, "REVISION_NOT_REACHED"),
    ("a watch of nothing", lambda stub, game: stub.WatchGame(queries.WatchGameRequest(game_id="a" * 24)).read(),
     Code.NOT_FOUND, "UNKNOWN_GAME"),
]  # fmt: skip


@pytest.mark.req("R-API-1", "R-API-9")
async def test_a_bad_query_is_refused_with_a_reason(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    for name, send, code, reason in QUERIES:
        refusal = await refused(send(query, game))
        assert (refusal.code, refusal.reason) == (code, reason), name


@pytest.mark.req("R-API-1")
async def test_bytes_that_are_no_message_are_refused_as_malformed(memory_house: House) -> None:
    await memory_house.command()
    channel = memory_house.stubs.connect(memory_house.running[0].port)
    raw = channel.unary_unary("/wellhead.v1.GameCommandService/SubmitCommand")
    refusal = await refused(raw(b"\xff\xff\xff\xff"))
    assert (refusal.code, refusal.reason) == (Code.INVALID_ARGUMENT, "MALFORMED_REQUEST")
    stream = channel.stream_stream("/wellhead.v1.GameCommandService/Play")()
    await stream.write(b"\xff\xff\xff\xff")
    assert (await refused(stream.read())).reason == "MALFORMED_REQUEST"


@pytest.mark.req("R-API-1")
async def test_what_breaks_inside_is_not_told_outside(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    command = await memory_house.command()

    def break_down(*_: object) -> None:
        raise ValueError("secret internals")

    monkeypatch.setattr("wellhead_command.intents.table.open_table", break_down)
    refusal = await refused(command.CreateGame(creation()))
    assert (refusal.code, refusal.reason) == (Code.INTERNAL, "INTERNAL")
    assert "secret" not in refusal.message


@pytest.mark.req("R-LOG-4")
@pytest.mark.reason("LOST_TAIL", "FROZEN")
async def test_a_game_that_lost_its_tail_is_frozen_and_says_so_and_others_go_on(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game, other = await start_game(command), await start_game(command)
    decision = (await game.owed(query))[0]
    stream = StreamId("game", game.id)
    memory_house.log._log._partitions[stream.partition].streams[stream].pop()  # type: ignore[attr-defined]
    refusal = await refused(submit()(game, decision))
    assert (refusal.code, refusal.reason) == (Code.DATA_LOSS, "LOST_TAIL")
    again = await refused(submit()(game, decision))
    assert (again.code, again.reason) == (Code.DATA_LOSS, "FROZEN")
    await other.submit(other.submission((await other.owed(query))[0]))


@pytest.mark.req("R-LOG-11")
@pytest.mark.reason("TOO_MANY_COMMANDS")
async def test_seats_are_not_taken_and_left_for_ever(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TABLE_COMMITS", 5)
    command = await memory_house.command()
    table = await command.CreateGame(creation(2, seats=[]))
    for name in ("a", "b"):
        player = commands.SeatRequest(player=name)
        taken = await command.TakeSeat(
            commands.TakeSeatRequest(game_id=table.game_id, request_id=new_id(), player=player, seat=0)
        )
        proof = (("authorization", f"Bearer {taken.credential.credential}"),)
        leave = commands.LeaveSeatRequest(game_id=table.game_id, request_id=new_id(), seat=0)
        await command.LeaveSeat(leave, metadata=proof)
    request = commands.TakeSeatRequest(
        game_id=table.game_id, request_id=new_id(), player=commands.SeatRequest(player="c")
    )
    assert (await refused(command.TakeSeat(request))).reason == "TOO_MANY_COMMANDS"


@pytest.mark.req("R-API-9")
async def test_no_request_id_reaches_the_log(memory_house: House) -> None:
    command = await memory_house.command()
    request = creation()
    game = await command.CreateGame(request)
    (entry,) = await memory_house.entries(game.game_id)
    assert request.request_id.encode() not in entry.public
    assert log_pb2.CommitRecord.FromString(entry.public).command_key == entry.command_id
