"""Every reason is declared once, stands in the table of `protos/errors.md`, and is met by a test (R-API-1)."""

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from google.rpc import error_details_pb2
from grpc import StatusCode

from tests.services.house import House, Refusal, creation, new_id, read_status, refused, start_game
from tests.tools import game_codes
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import log_pb2
from wellhead_eventlog import errors as log_errors
from wellhead_eventlog.memory import MemoryStore
from wellhead_eventlog.port import Fork
from wellhead_rules.kernel.table import leave_seat
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation
from wellhead_rules.registry import RULESETS
from wellhead_runtime import limits
from wellhead_runtime.errors import FieldFault, Refused, malformed, refusal, to_refusal, to_status
from wellhead_runtime.keyring import KeyMissing
from wellhead_runtime.live import LiveGames
from wellhead_runtime.reasons import Reason

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| `([A-Z_]+)` \| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
MAKERS = {"Refused", "busy", "damaged"}


def trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "wellhead" not in path.relative_to(ROOT / folder).parts[:1]:  # what is generated
                yield path, ast.parse(path.read_text("utf-8"))


def calls(tree: ast.AST, names: set[str]) -> Iterator[tuple[str, ast.expr]]:
    """Calls of these functions: the name, and what the first argument is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names and node.args:
            yield node.func.id, node.args[0]


def violations(*folders: str) -> set[str]:
    found = (first for _, tree in trees(*folders) for _, first in calls(tree, {"RuleViolation"}))
    return {str(first.value) for first in found if isinstance(first, ast.Constant)}


def test_the_table_has_every_reason_with_its_status_and_no_other() -> None:
    rows = ROW.findall(game_codes.DOCUMENT.read_text("utf-8"))
    assert {name: status for name, status, *_ in rows} == {each.name: each.status.name for each in Reason}
    assert len(rows) == len(Reason), "a reason stands twice in the table"
    assert all(meaning.strip() and advice.strip() for _, _, meaning, advice in rows)


def test_the_codes_of_every_game_stand_in_the_document_and_none_is_missing_in_its_rules() -> None:
    assert game_codes.written() == game_codes.DOCUMENT.read_text("utf-8"), "run python -m tests.tools.game_codes"
    for game in RULESETS:
        raised = violations(f"libs/wellhead_rules/{game}")
        assert raised <= game_codes.codes(game) | Reason.__members__.keys(), game
        named = files(f"wellhead_rules.{game}").joinpath("rules.md").read_text("utf-8")
        assert all(code in named for code in game_codes.codes(game))


def test_no_refusal_has_a_reason_of_its_own() -> None:
    used = set()
    for path, tree in trees("libs/wellhead_runtime", "services"):
        for name, first in calls(tree, MAKERS):
            assert not isinstance(first, ast.Constant), f"{path}:{first.lineno}: {name} with a free word"
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Reason":
                used.add(node.attr)
    about_tables = violations("libs/wellhead_rules/kernel", "services")
    assert about_tables <= Reason.__members__.keys()
    of_games = {
        node.value
        for _, tree in trees(*(f"libs/wellhead_rules/{game}" for game in RULESETS))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert used | about_tables | of_games >= Reason.__members__.keys(), "declared, and never said"


def test_every_reason_is_met_by_a_test() -> None:
    """The mark names them; a fixture fails a test that did not read what its mark says."""
    marked = {
        str(argument.value)
        for _, tree in trees("tests")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.reason")
        for argument in node.args
        if isinstance(argument, ast.Constant)
    }
    assert marked == set(Reason.__members__)


# -- what arrives ------------------------------------------------------------------------------------------------------


def arrives(error: Exception) -> Refusal:
    mapped = refusal(error)
    assert mapped is not None
    return read_status(to_status(mapped))


TABLES: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "UNKNOWN_GAME_KIND"),
    ({"content_pack": {"id": "no-such-pack"}}, "UNKNOWN_CONTENT"),
    ({"options": {"no-such-option": "1"}}, "UNKNOWN_OPTION"),
    ({"seat_count": 9}, "BAD_PLAYER_COUNT"),
    ({"seat_count": 2, "seats": [{"player": f"p{n}"} for n in range(3)]}, "NO_FREE_SEAT"),
    ({"seats": [{"player": "Ann"}, {"player": "Ann"}]}, "DUPLICATE_PLAYER"),
    ({"seats": [{"player": "Ann", "colour": "mauve"}]}, "UNKNOWN_COLOUR"),
    ({"seats": [{"player": "Ann", "colour": "white"}, {"player": "Bob", "colour": "white"}]}, "DUPLICATE_COLOUR"),
]


@pytest.mark.req("R-API-1")
@pytest.mark.reason(
    "UNKNOWN_GAME_KIND", "UNKNOWN_CONTENT", "UNKNOWN_OPTION", "BAD_PLAYER_COUNT", "NO_FREE_SEAT", "DUPLICATE_PLAYER",
    "UNKNOWN_COLOUR", "DUPLICATE_COLOUR", "UNKNOWN_SEAT", "SEAT_TAKEN", "SEATS_MISSING", "SEAT_FREE",
)  # fmt: skip
async def test_a_table_says_what_is_wrong_with_it(memory_house: House) -> None:
    command = await memory_house.command()
    for changes, reason in TABLES:
        assert (await refused(command.CreateGame(creation(**changes)))).reason == reason
    table = await command.CreateGame(creation(3, seats=[{"player": "Ann"}]))
    proof = (("authorization", f"Bearer {table.credentials[0].credential}"),)
    for seat, reason in ((9, "UNKNOWN_SEAT"), (0, "SEAT_TAKEN")):
        player = commands.SeatRequest(player="Bob")
        take = commands.TakeSeatRequest(game_id=table.game_id, request_id=new_id(), seat=seat, player=player)
        assert (await refused(command.TakeSeat(take))).reason == reason
    start = commands.StartGameRequest(game_id=table.game_id, request_id=new_id())
    assert (await refused(command.StartGame(start, metadata=proof))).reason == "SEATS_MISSING"
    # Whoever holds no seat cannot leave it: only the table itself can say so.
    live = LiveGames(memory_house.log, RULESETS, 1).fresh(table.game_id)
    await live.catch_up(memory_house.log)
    with pytest.raises(RuleViolation) as free:
        leave_seat(live.table, log_pb2.LeaveSeat(seat=2), RULESETS)
    assert arrives(free.value).reason == "SEAT_FREE"


@pytest.mark.req("R-LOG-2", "R-LOG-4")
@pytest.mark.reason("CONTENDED", "FORK")
async def test_a_service_that_does_not_get_its_turn_says_so(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    move = game.submission((await game.owed(query))[0])
    with monkeypatch.context() as patched:
        patched.setattr(limits, "APPEND_TRIES", 0)
        told = await refused(game.submit(move))
    assert (told.reason, told.code, told.retry) == ("CONTENDED", StatusCode.ABORTED, True)

    async def fork(*_: object) -> Fork:
        return Fork(game.revision)

    with monkeypatch.context() as patched:
        patched.setattr(MemoryStore, "append", fork)
        assert (await refused(game.submit(move))).reason == "FORK"


UNFORESEEN = "this text is for nobody"

MAPPED = [
    (log_errors.StoreUnavailable(UNFORESEEN), "STORE_UNAVAILABLE"),
    (log_errors.StoreBusy(UNFORESEEN), "STORE_UNAVAILABLE"),
    (log_errors.StoreRefused(UNFORESEEN), "STORE_UNAVAILABLE"),
    (log_errors.LimitExceeded("public bytes", 9, 8), "LIMIT_EXCEEDED"),
    (log_errors.BrokenChain(3, UNFORESEEN), "STREAM_DAMAGED"),
    (log_errors.FeedMissing(1, 2), "FEED_MISSING"),
    (log_errors.FeedTrimmed(1, 2, 3), "FEED_MISSING"),
    (CorruptRecord(1, UNFORESEEN), "CORRUPT_RECORD"),
    (KeyMissing(UNFORESEEN), "SERVER_KEY_MISSING"),
    (TimeoutError(UNFORESEEN), "TOO_LATE"),
]


@pytest.mark.req("R-API-1")
@pytest.mark.reason(
    "STORE_UNAVAILABLE", "LIMIT_EXCEEDED", "STREAM_DAMAGED", "FEED_MISSING", "CORRUPT_RECORD", "SERVER_KEY_MISSING",
    "TOO_LATE",
)  # fmt: skip
def test_what_goes_wrong_below_arrives_as_a_reason_without_the_exceptions_text() -> None:
    for error, reason in MAPPED:
        told = arrives(error)
        assert (told.reason, told.code) == (reason, Reason[reason].status)
        assert UNFORESEEN not in str(told)
    assert refusal(ValueError(UNFORESEEN)) is None
    exceeded = arrives(log_errors.LimitExceeded("public bytes", 9, 8))
    assert (exceeded.metadata["limit"], exceeded.metadata["at_most"]) == ("public bytes", "8")


@pytest.mark.req("R-API-1")
def test_a_code_of_a_games_rules_arrives_with_its_clause() -> None:
    told = arrives(RuleViolation("TILE_OCCUPIED", "OR-PLACE.1", "somebody is there"))
    assert (told.code, told.reason, told.metadata["clause"]) == (
        StatusCode.FAILED_PRECONDITION, "TILE_OCCUPIED", "OR-PLACE.1",
    )  # fmt: skip
    assert arrives(RuleViolation("UNKNOWN_SPACE", "OF-6.1", "no such space")).code is StatusCode.INVALID_ARGUMENT


@pytest.mark.req("R-API-1")
def test_an_error_fits_into_headers_whatever_it_quotes() -> None:
    faults = [FieldFault(f"options[{n} {chr(0x1F600) * 64}]", chr(0) * 10_000) for n in range(200)]
    status = to_status(malformed(faults))
    assert len(status.SerializeToString()) < 8_000 * 4
    told = read_status(status)
    assert len(told.fields) == 16
    assert status.message.isprintable()
    assert all(field.isprintable() for field in told.fields)
    assert len(to_refusal(malformed(faults)).SerializeToString()) < 64_000


@pytest.mark.req("R-LOG-11")
def test_a_limit_arrives_with_its_name_and_size() -> None:
    refused = Refused(Reason.TOO_MANY_WATCHERS, "no more", limit="WATCHERS_PER_GAME")
    told = read_status(to_status(refused))
    assert told.metadata == {"limit": "WATCHERS_PER_GAME", "at_most": str(limits.WATCHERS_PER_GAME)}
    named = {
        keyword.value.value
        for _, tree in trees("libs/wellhead_runtime", "services")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "limit" and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str)
    }
    assert named - {""}
    assert all(limits.at_most(name) for name in named - {""})


@pytest.mark.req("R-API-1", "R-LOG-2")
@pytest.mark.reason("STALE_DECISION")
async def test_whoever_is_late_is_told_what_is_owed_now(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    decision = (await game.owed(query))[0]
    late = game.submission(decision, decision_id=decision.decision_id + 7)
    told = await refused(game.submit(late))
    assert told.reason == "STALE_DECISION"
    assert told.standing is not None
    assert told.standing.revision == game.revision
    (owed,) = told.standing.decisions
    assert (owed.decision_id, owed.seat, owed.kind) == (decision.decision_id, decision.seat, decision.kind)
    assert not owed.options
    stream = command.Play(metadata=game.proof(decision.seat))
    await stream.write(commands.PlayRequest(command=late))
    answer: Any = await stream.read()
    assert answer.refused.standing == told.standing
    stream.cancel()
    stranger = await refused(command.SubmitCommand(late))
    assert stranger.standing is None
    assert "decision_ids" not in stranger.metadata


@pytest.mark.req("R-API-1")
@pytest.mark.reason("INTERNAL")
async def test_what_breaks_inside_is_told_to_nobody(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    decision = (await game.owed(query))[0]

    def break_down(*_: object) -> None:
        raise ValueError(UNFORESEEN)

    monkeypatch.setattr("wellhead_command.intents.table.open_table", break_down)
    monkeypatch.setattr("wellhead_command.intents.table.answer", break_down)
    assert UNFORESEEN not in str(await refused(command.CreateGame(creation())))
    stream = command.Play(metadata=game.proof(decision.seat))
    await stream.write(commands.PlayRequest(command=game.submission(decision)))
    answer: Any = await stream.read()
    assert answer.refused.reason == "INTERNAL"
    assert UNFORESEEN not in str(answer)
    stream.cancel()


def test_the_retry_is_never_sooner_than_said() -> None:
    status = to_status(Refused(Reason.RATE_LIMITED, "slowly", retry_seconds=0.0001))
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(retry) for detail in status.details)
    assert retry.retry_delay.ToMilliseconds() == 1
