"""Who may do what, in an open house and where identities are required (R-API-9)."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from joserfc import jwt
from joserfc.jwk import OKPKey

from tests.services.house import (
    KEYRING,
    SECONDS,
    CommandStub,
    House,
    QueryStub,
    ScoringStub,
    creation,
    new_id,
    refused,
    saw,
)
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import game_pb2, log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead.v1 import scoring_service_pb2 as scores
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.roles import IdentityMode, Role
from wellhead_runtime.settings import BadSetting, Settings
from wellhead_runtime.tokens import SCORING, Tokens, load_trusted

pytestmark = pytest.mark.req("R-API-9")

TOKENS = Tokens(KEYRING)
NOBODY: tuple[tuple[str, str], ...] = ()


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def who(name: str, role: Role = Role.PLAYER) -> tuple[tuple[str, str], ...]:
    return bearer(TOKENS.identity(name, role, 3600))


ADA, BOB, EVE = who("ada"), who("bob"), who("eve")
REFEREE = who("referee", Role.OPERATOR)
SERVICE = who("ada", Role.SERVICE)


@dataclass
class Place:
    """The services, and calls that say who makes them."""

    house: House
    command: CommandStub
    query: QueryStub

    async def create(self, by: Any, players: tuple[str, ...] = (), **changes: Any) -> commands.CreateGameResponse:
        seats = [commands.SeatRequest(player=player) for player in players]
        request = creation(2, **({"creator": "", "seats": seats} | changes))
        return await self.command.CreateGame(request, metadata=by, timeout=SECONDS)

    async def take(self, by: Any, game_id: str, name: str = "", **changes: Any) -> commands.TakeSeatResponse:
        fields = {"game_id": game_id, "request_id": new_id(), "player": commands.SeatRequest(player=name)} | changes
        return await self.command.TakeSeat(commands.TakeSeatRequest(**fields), metadata=by, timeout=SECONDS)

    async def leave(self, by: Any, game_id: str, seat: int, **changes: Any) -> commands.LeaveSeatResponse:
        fields = {"game_id": game_id, "request_id": new_id(), "seat": seat} | changes
        return await self.command.LeaveSeat(commands.LeaveSeatRequest(**fields), metadata=by, timeout=SECONDS)

    async def start(self, by: Any, game_id: str, **changes: Any) -> commands.StartGameResponse:
        fields = {"game_id": game_id, "request_id": new_id()} | changes
        return await self.command.StartGame(commands.StartGameRequest(**fields), metadata=by, timeout=SECONDS)

    async def view(self, by: Any, game_id: str) -> game_pb2.GameView:
        request = queries.GetGameViewRequest(game_id=game_id)
        return (await self.query.GetGameView(request, metadata=by, timeout=SECONDS)).view

    async def legal(self, by: Any, game_id: str, seat: int) -> queries.ListLegalCommandsResponse:
        request = queries.ListLegalCommandsRequest(game_id=game_id, seat=seat)
        return await self.query.ListLegalCommands(request, metadata=by, timeout=SECONDS)

    async def submit(self, by: Any, game_id: str, decision: game_pb2.Decision, **changes: Any) -> Any:
        return await self.command.SubmitCommand(submission(game_id, decision, **changes), metadata=by, timeout=SECONDS)

    async def seated(self, **changes: Any) -> str:
        """A table of Ada's, with Bob."""
        game_id = (await self.create(ADA, ("ada",), **changes)).game_id
        await self.take(BOB, game_id)
        return game_id

    async def started(self, **changes: Any) -> str:
        game_id = await self.seated(**changes)
        await self.start(ADA, game_id)
        return game_id


def submission(game_id: str, decision: game_pb2.Decision, **changes: Any) -> commands.SubmitCommandRequest:
    fields = {
        "game_id": game_id, "request_id": new_id(), "seat": decision.seat, "decision_id": decision.decision_id,
        "option_id": decision.options[0].id if decision.options else "end_turn",
    }  # fmt: skip
    return commands.SubmitCommandRequest(**(fields | changes))


@pytest.fixture
async def place(memory_house: House) -> Place:
    """Where identities are required."""
    memory_house.settings = replace(memory_house.settings, identity=IdentityMode.TOKENS)
    return Place(memory_house, await memory_house.command(), await memory_house.query())


@pytest.fixture
async def open_place(memory_house: House) -> Place:
    return Place(memory_house, await memory_house.command(), await memory_house.query())


async def reason(call: Awaitable[Any]) -> str:
    return (await refused(call)).reason


# -- tables ------------------------------------------------------------------------------------------------------------


@pytest.mark.reason("TOKEN_MISSING", "NOT_YOURS")
async def test_a_table_is_opened_by_somebody_under_their_own_name(place: Place) -> None:
    assert await reason(place.create(NOBODY, creator="ada")) == "TOKEN_MISSING"
    assert await reason(place.create(ADA, creator="bob")) == "NOT_YOURS"
    assert await reason(place.create(REFEREE, creator="bob")) == "NOT_YOURS"
    assert await reason(place.create(SERVICE)) == "NOT_YOURS"
    for creator in ("", "ada"):
        created = await place.create(ADA, creator=creator)
        (entry,) = await place.house.entries(created.game_id)
        record = log_pb2.CommitRecord.FromString(entry.public)
        assert record.actor.user == record.table_events[0].table_opened.creator == "ada"


async def test_a_repeat_is_answered_to_the_same_person_alone(place: Place) -> None:
    request = creation(2, creator="", seats=[commands.SeatRequest(player="ada")])
    first = await place.command.CreateGame(request, metadata=ADA)
    assert await place.command.CreateGame(request, metadata=ADA) == first
    assert await reason(place.command.CreateGame(request, metadata=BOB)) == "NOT_YOURS"
    taken = await place.take(BOB, first.game_id, request_id="bob takes a seat, once")
    assert await place.take(BOB, first.game_id, request_id="bob takes a seat, once") == taken
    again = place.take(EVE, first.game_id, request_id="bob takes a seat, once")
    assert await reason(again) == "REQUEST_ID_REUSED"


async def test_players_name_themselves_and_operators_name_everybody(place: Place) -> None:
    assert await reason(place.create(ADA, ("ada", "bob"))) == "NOT_YOURS"
    own = await place.create(ADA, ("",))
    assert [each.seat for each in own.credentials] == [0]
    prepared = await place.create(REFEREE, ("ada", "bob"))
    assert [each.seat for each in prepared.credentials] == [0, 1]
    await place.start(bearer(prepared.credentials[1].credential), prepared.game_id)
    view = await place.view(ADA, prepared.game_id)
    assert [seat.player for seat in view.summary.seats] == ["ada", "bob"]
    assert view.summary.creator == "referee"


async def test_a_seat_is_taken_under_ones_own_name(place: Place) -> None:
    game_id = (await place.create(ADA)).game_id
    assert await reason(place.take(NOBODY, game_id, "ada")) == "TOKEN_MISSING"
    assert await reason(place.take(ADA, game_id, "bob")) == "NOT_YOURS"
    taken = await place.take(ADA, game_id)
    assert await reason(place.take(bearer(taken.credential.credential), game_id, "eve")) == "TOKEN_MISSING"
    await place.take(REFEREE, game_id, "bob")
    assert [seat.player for seat in (await place.view(NOBODY, game_id)).summary.seats] == ["ada", "bob"]
    last = log_pb2.CommitRecord.FromString((await place.house.entries(game_id))[-1].public)
    assert last.actor.user == "referee"


async def test_a_seat_is_left_by_its_holder_or_by_an_operator(place: Place) -> None:
    game_id = await place.seated()
    assert await reason(place.leave(NOBODY, game_id, 1)) == "TOKEN_MISSING"
    assert await reason(place.leave(ADA, game_id, 1)) == "NOT_SEAT_HOLDER"
    left = await place.leave(BOB, game_id, 1, request_id="bob leaves his seat")
    assert await place.leave(BOB, game_id, 1, request_id="bob leaves his seat") == left
    assert await reason(place.leave(EVE, game_id, 1, request_id="bob leaves his seat")) == "NOT_SEAT_HOLDER"
    assert await reason(place.leave(BOB, game_id, 1)) == "NOT_SEAT_HOLDER"
    gone = await place.leave(REFEREE, game_id, 0, request_id="the referee clears it")
    assert await place.leave(REFEREE, game_id, 0, request_id="the referee clears it") == gone
    assert await reason(place.leave(REFEREE, game_id, 1, request_id="the referee clears it")) == "REQUEST_ID_REUSED"
    assert await reason(place.leave(REFEREE, game_id, 9)) == "UNKNOWN_SEAT"


@pytest.mark.parametrize("by", [ADA, BOB, REFEREE], ids=["its creator", "a player", "an operator"])
async def test_a_game_is_started_by_whoever_has_to_do_with_it(place: Place, by: Any) -> None:
    game_id = await place.seated()
    assert await reason(place.start(NOBODY, game_id)) == "TOKEN_MISSING"
    assert await reason(place.start(EVE, game_id)) == "NOT_SEAT_HOLDER"
    assert await reason(place.start(SERVICE, game_id)) == "NOT_SEAT_HOLDER"
    started = await place.start(by, game_id, request_id="the start of this game")
    assert await place.start(by, game_id, request_id="the start of this game") == started
    own = {decision.seat for decision in started.decisions if decision.options}
    seat = {ADA: 0, BOB: 1}.get(by)
    assert own == {decision.seat for decision in started.decisions} & {seat}


# -- playing -----------------------------------------------------------------------------------------------------------


async def test_a_seat_is_played_by_its_holder_alone(place: Place) -> None:
    game_id = await place.started()
    for _ in range(4):
        seat = (await place.view(NOBODY, game_id)).summary.awaiting[0]
        holder, other = (ADA, BOB) if seat == 0 else (BOB, ADA)
        (decision,) = (await place.legal(holder, game_id, seat)).decisions
        for stranger in (other, EVE, REFEREE, SERVICE):
            assert await reason(place.legal(stranger, game_id, seat)) == "NOT_SEAT_HOLDER"
            assert await reason(place.submit(stranger, game_id, decision)) == "NOT_SEAT_HOLDER"
        assert await reason(place.submit(NOBODY, game_id, decision)) == "TOKEN_MISSING"
        await place.submit(holder, game_id, decision)


async def test_a_stream_plays_for_whoever_opened_it(place: Place) -> None:
    game_id = await place.started()
    seat = (await place.view(NOBODY, game_id)).summary.awaiting[0]
    holder, other = (ADA, BOB) if seat == 0 else (BOB, ADA)
    (decision,) = (await place.legal(holder, game_id, seat)).decisions
    outcomes = []
    for by in (other, holder):
        stream = place.command.Play(metadata=by, timeout=SECONDS)
        await stream.write(commands.PlayRequest(command=submission(game_id, decision)))
        outcomes.append((await stream.read()).refused.reason)
        await stream.done_writing()
    assert outcomes == ["NOT_SEAT_HOLDER", ""]


async def test_a_stream_that_outlives_its_token_plays_no_more(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    game_id = await place.started()
    seat = (await place.view(NOBODY, game_id)).summary.awaiting[0]
    holder = ADA if seat == 0 else BOB
    (decision,) = (await place.legal(holder, game_id, seat)).decisions
    stream = place.command.Play(metadata=holder, timeout=SECONDS)
    await stream.write(commands.PlayRequest(command=submission(game_id, decision, request_id="short")))
    assert (await stream.read()).refused.reason == "MALFORMED_REQUEST"
    later = TOKENS._clock() + 4000
    monkeypatch.setattr("wellhead_runtime.tokens.Tokens.require_current", _at(later))
    await stream.write(commands.PlayRequest(command=submission(game_id, decision)))
    assert (await stream.read()).refused.reason == "TOKEN_EXPIRED"


def _at(now: float) -> Callable[[Tokens, Any], None]:
    check = Tokens.require_current

    def require_current(tokens: Tokens, caller: Any) -> None:
        before, tokens._clock = tokens._clock, lambda: now
        try:
            check(tokens, caller)
        finally:
            tokens._clock = before

    return require_current


async def test_scores_are_recorded_by_the_scoring_service_alone(place: Place) -> None:
    game_id = await place.started()
    request = commands.RecordScoreRequest(
        game_id=game_id, request_id=new_id(), round_award=game_pb2.RoundAward(round=1)
    )
    for by in (ADA, REFEREE, SERVICE, who(SCORING), who(SCORING, Role.OPERATOR)):
        assert await reason(place.command.RecordScore(request, metadata=by)) == "NOT_SCORING_SERVICE"
    assert await reason(place.command.RecordScore(request)) == "TOKEN_MISSING"
    by = who(SCORING, Role.SERVICE)
    assert await reason(place.command.RecordScore(request, metadata=by)) == "SCORE_NOT_DUE"


async def test_a_whole_game_is_played_with_identities_and_scored(place: Place) -> None:
    await place.house.scoring()
    game_id = await place.started()
    people = {0: ADA, 1: BOB}
    for _ in range(1_000):
        awaiting = (await place.view(REFEREE, game_id)).summary.awaiting
        if not awaiting:
            break
        for decision in (await place.legal(people[awaiting[0]], game_id, awaiting[0])).decisions:
            await place.submit(people[decision.seat], game_id, decision)

    async def ended() -> bool:
        return (await place.view(NOBODY, game_id)).summary.status == game_pb2.GAME_STATUS_ENDED

    await until(ended)


# -- tokens ------------------------------------------------------------------------------------------------------------


@pytest.mark.reason("TOKEN_INVALID", "TOKEN_EXPIRED")
@pytest.mark.parametrize("mode", IdentityMode)
async def test_a_token_that_proves_nothing_is_refused_whatever_is_asked(
    memory_house: House, mode: IdentityMode
) -> None:
    memory_house.settings = replace(memory_house.settings, identity=mode)
    command, query, scoring = await memory_house.command(), await memory_house.query(), await memory_house.scoring()
    late = Tokens(KEYRING, clock=lambda: 1_000_000_000.0).identity("ada", Role.PLAYER, 60)
    strange = Tokens(Keyring({"new": b"x" * 32}, "new")).identity("ada", Role.PLAYER, 60)
    for token, why in (("what", "TOKEN_INVALID"), (strange, "TOKEN_INVALID"), (late, "TOKEN_EXPIRED")):
        proof = bearer(token)
        calls = [
            command.CreateGame(creation(), metadata=proof),
            query.ListGames(queries.ListGamesRequest(), metadata=proof),
            query.WatchGame(queries.WatchGameRequest(game_id="a"), metadata=proof).read(),
            scoring.GetScoreCard(scores.GetScoreCardRequest(game_id="a"), metadata=proof),
            scoring.WatchScores(scores.WatchScoresRequest(game_id="a"), metadata=proof).read(),
        ]
        for call in calls:
            refusal = await refused(call)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, why)
            assert token not in refusal.message
        stream = command.Play(metadata=proof)
        assert await reason(stream.read()) == why


async def test_a_key_that_is_rotated_out_takes_its_tokens_along(memory_house: House) -> None:
    memory_house.settings = replace(memory_house.settings, identity=IdentityMode.TOKENS)
    old = Keyring({"old": KEYRING.key("old")}, "old")
    token = bearer(Tokens(old).identity("ada", Role.PLAYER, 3600))
    for keyring, served in ((old, True), (KEYRING, True), (Keyring({"new": KEYRING.key("new")}, "new"), False)):
        command = await memory_house.command(keyring=keyring)
        call = command.CreateGame(creation(2, creator="", seats=[]), metadata=token)
        if served:
            await call
        else:
            assert await reason(call) == "TOKEN_INVALID"
        await memory_house.stop("command")


async def test_people_sign_in_elsewhere(memory_house: House, tmp_path: Path) -> None:
    theirs = OKPKey.generate_key("Ed25519", {"kid": "club"})
    jwks = tmp_path / "jwks.json"
    jwks.write_text(json.dumps({"keys": [{**theirs.as_dict(private=False), "iss": "club"}]}))
    memory_house.settings = replace(
        memory_house.settings, identity=IdentityMode.TOKENS, trusted_keys=load_trusted(jwks)
    )
    command = await memory_house.command()
    now = int(TOKENS._clock())
    claims = {"iss": "club", "aud": "wellhead", "sub": "ada", "role": "player", "iat": now, "exp": now + 60}
    token = jwt.encode({"alg": "Ed25519", "kid": "club"}, claims, theirs, ["Ed25519"])
    seats = [commands.SeatRequest()]
    created = await command.CreateGame(creation(2, creator="", seats=seats), metadata=bearer(token))
    assert [each.seat for each in created.credentials] == [0]


# -- the open house ----------------------------------------------------------------------------------------------------


async def test_in_an_open_house_anybody_acts_under_any_name(open_place: Place) -> None:
    place = open_place
    created = await place.create(NOBODY, ("ada", "bob"), creator="anybody")
    seats = [bearer(each.credential) for each in created.credentials]
    assert await reason(place.start(NOBODY, created.game_id)) == "TOKEN_MISSING"
    await place.start(seats[1], created.game_id)
    seat = (await place.view(NOBODY, created.game_id)).summary.awaiting[0]
    (decision,) = (await place.legal(seats[seat], created.game_id, seat)).decisions
    assert await reason(place.submit(seats[1 - seat], created.game_id, decision)) == "NOT_SEAT_HOLDER"
    assert await reason(place.submit(NOBODY, created.game_id, decision)) == "TOKEN_MISSING"
    # An identity is honoured where it is given.
    await place.submit((ADA, BOB)[seat], created.game_id, decision)


async def test_in_an_open_house_a_name_may_be_left_to_the_token(open_place: Place) -> None:
    place = open_place
    assert (await refused(place.create(NOBODY))).fields == ["creator"]
    assert (await refused(place.create(NOBODY, ("ada", ""), creator="ada"))).fields == ["seats[1].player"]
    created = await place.create(ADA, ("",))
    assert (await refused(place.take(NOBODY, created.game_id))).fields == ["player.player"]
    view = await place.view(NOBODY, created.game_id)
    assert (view.summary.creator, view.summary.seats[0].player) == ("ada", "ada")


# -- looking on --------------------------------------------------------------------------------------------------------

LOOKERS = {"nobody": NOBODY, "eve": EVE, "ada": ADA, "referee": REFEREE}
ALLOWED = {
    game_pb2.SPECTATING_UNSPECIFIED: {"nobody", "eve", "ada", "referee"},
    game_pb2.SPECTATING_EVERYBODY: {"nobody", "eve", "ada", "referee"},
    game_pb2.SPECTATING_SIGNED_IN: {"eve", "ada", "referee"},
    game_pb2.SPECTATING_SEATS: {"ada", "referee"},
}


def looks(place: Place, scoring: ScoringStub, game_id: str, by: Any) -> dict[str, Awaitable[Any]]:
    """Every way of looking at a game."""
    query, more = place.query, {"metadata": by, "timeout": SECONDS}
    return {
        "view": query.GetGameView(queries.GetGameViewRequest(game_id=game_id), **more),
        "watch": query.WatchGame(queries.WatchGameRequest(game_id=game_id), **more).read(),
        "resume": query.WatchGame(queries.WatchGameRequest(game_id=game_id, after_revision=1), **more).read(),
        "history": query.ListHistory(queries.ListHistoryRequest(game_id=game_id), **more),
        "export": query.ExportGame(queries.ExportGameRequest(game_id=game_id), **more).read(),
        "score": scoring.GetScoreCard(scores.GetScoreCardRequest(game_id=game_id), **more),
        "an old score": scoring.GetScoreCard(scores.GetScoreCardRequest(game_id=game_id, revision=3), **more),
        "score now": scoring.GetScoreIfEndedNow(scores.GetScoreIfEndedNowRequest(game_id=game_id), **more),
    }


@pytest.mark.parametrize("spectating", ALLOWED)
async def test_who_looks_on_is_an_option_of_the_table(place: Place, spectating: game_pb2.Spectating.ValueType) -> None:
    scoring = await place.house.scoring()
    game_id = await place.started(spectating=spectating)
    assert (await place.view(REFEREE, game_id)).summary.spectating == (spectating or game_pb2.SPECTATING_EVERYBODY)

    async def listed(by: Any) -> list[str]:
        page = await place.query.ListGames(queries.ListGamesRequest(), metadata=by)
        return [game.game_id for game in page.games]

    await until(lambda: listed(REFEREE))
    for name, by in LOOKERS.items():
        allowed = name in ALLOWED[spectating]
        assert (await listed(by) == [game_id]) is allowed
        for what, look in looks(place, scoring, game_id, by).items():
            if allowed:
                await look
            else:
                assert await reason(look) == "SPECTATING_CLOSED", (name, what)
        watch = scoring.WatchScores(scores.WatchScoresRequest(game_id=game_id), metadata=by, timeout=0.2)
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await watch.read()
        assert (ended.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED) is allowed


async def test_a_seat_token_looks_at_its_own_table(place: Place) -> None:
    created = await place.create(REFEREE, ("ada", "bob"), spectating=game_pb2.SPECTATING_SEATS)
    other = await place.create(REFEREE, ("ada", "bob"))
    seat = bearer(created.credentials[1].credential)
    assert (await place.view(seat, created.game_id)).summary.game_id == created.game_id
    assert await reason(place.view(seat, other.game_id)) == "NOT_SEAT_HOLDER"

    async def listed() -> list[str]:
        page = await place.query.ListGames(queries.ListGamesRequest(), metadata=seat)
        return sorted(game.game_id for game in page.games)

    await until(listed, lambda found: found == sorted([created.game_id, other.game_id]))


async def test_a_closed_table_is_opened_to_everybody_when_the_game_has_ended(place: Place) -> None:
    scoring = await place.house.scoring()
    game_id = await place.started(spectating=game_pb2.SPECTATING_SEATS)
    people = {0: ADA, 1: BOB}
    while awaiting := (await place.view(ADA, game_id)).summary.awaiting:
        for decision in (await place.legal(people[awaiting[0]], game_id, awaiting[0])).decisions:
            await place.submit(people[decision.seat], game_id, decision)

    async def ended() -> bool:
        return (await place.view(ADA, game_id)).summary.status == game_pb2.GAME_STATUS_ENDED

    await until(ended)
    for look in looks(place, scoring, game_id, NOBODY).values():
        await look


@pytest.mark.reason("SPECTATING_CLOSED")
async def test_a_closed_table_can_still_be_joined(place: Place) -> None:
    game_id = (await place.create(ADA, ("ada",), spectating=game_pb2.SPECTATING_SEATS)).game_id
    assert await reason(place.view(BOB, game_id)) == "SPECTATING_CLOSED"
    await place.take(BOB, game_id)
    await place.view(BOB, game_id)


async def test_no_spectating_is_unknown(place: Place) -> None:
    assert (await refused(place.create(ADA, spectating=77))).fields == ["spectating"]


@pytest.mark.reason("SEAT_CHANGED")
async def test_whoever_leaves_a_seat_sees_no_more_with_its_eyes(place: Place) -> None:
    game_id = (await place.create(ADA, ("ada",))).game_id
    taken = await place.take(BOB, game_id)
    seat = bearer(taken.credential.credential)
    watches = [
        place.query.WatchGame(queries.WatchGameRequest(game_id=game_id), metadata=by, timeout=SECONDS)
        for by in (BOB, seat, EVE)
    ]
    assert [(await watch.read()).snapshot.revision for watch in watches] == [2, 2, 2]
    named, credited, spectator = watches
    await place.leave(BOB, game_id, 1)
    end = await named.read()
    assert (saw(end.stream_end.reason), end.stream_end.resume_after) == ("SEAT_CHANGED", 2)
    assert await reason(credited.read()) == "NOT_SEAT_HOLDER"
    assert (await spectator.read()).change.revision == 3
    await place.take(EVE, game_id)
    assert (await spectator.read()).stream_end.resume_after == 3


# -- settings ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    Keyring.load_or_create(tmp_path / "key.json")
    return {"WELLHEAD_KEY_FILE": str(tmp_path / "key.json"), "WELLHEAD_STORE_URL": "unix:///s"}


@pytest.mark.parametrize("name", ["WELLHEAD_LISTEN", "WELLHEAD_HTTP_LISTEN"])
@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:80", "games.example:80"])
def test_a_house_is_open_to_others_only_if_that_is_said(environment: dict[str, str], name: str, address: str) -> None:
    environment |= {name: address}
    with pytest.raises(BadSetting, match="WELLHEAD_IDENTITY: must be set to listen on"):
        Settings.from_environment(environment)
    for mode in IdentityMode:
        assert Settings.from_environment(environment | {"WELLHEAD_IDENTITY": mode.value}).identity is mode


@pytest.mark.parametrize("address", ["127.0.0.1:0", "127.8.8.8:1", "[::1]:0", "localhost:0"])
def test_on_the_machine_alone_a_house_is_open(environment: dict[str, str], address: str) -> None:
    assert Settings.from_environment(environment | {"WELLHEAD_LISTEN": address}).identity is IdentityMode.OPEN


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WELLHEAD_IDENTITY", "perhaps"),
        ("WELLHEAD_TLS_CERTIFICATE", "/nowhere.pem"),
        ("WELLHEAD_TLS_CLIENT_CA", "/nowhere.pem"),
        ("WELLHEAD_COMMAND_CA", "/nowhere.pem"),
        ("WELLHEAD_TRUSTED_KEYS", "/nowhere.json"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(environment: dict[str, str], name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=name):
        Settings.from_environment(environment | {name: value})
