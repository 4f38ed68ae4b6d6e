"""Before and after a game: invitations, private tables, start when full, closed tables, rematches."""

import asyncio
import io
import time
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import Any

import pytest

import wellhead_command.main
from tests.services.house import KEYRING, SECONDS, CommandStub, House, QueryStub, creation, new_id, refused
from tests.support.recording import Recording, open_game, play, record_due, sent
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import command_service_pb2_grpc, game_pb2, log_pb2
from wellhead.v1 import query_service_pb2 as queries
from wellhead_client.policies import make_bot
from wellhead_command import intents, lobby
from wellhead_command.committer import Committer
from wellhead_command.timekeeping import Downtimes
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.port import Appended, NewEntry, StreamId
from wellhead_rules.kernel import table
from wellhead_rules.kernel.chance import game_seed
from wellhead_rules.registry import RULESETS
from wellhead_runtime import limits
from wellhead_runtime.authority import Authority
from wellhead_runtime.errors import Refused
from wellhead_runtime.live import LiveGames
from wellhead_runtime.proof import export_chunks, verify
from wellhead_runtime.roles import IdentityMode, Role
from wellhead_runtime.timekeeping import Clock
from wellhead_runtime.tokens import Tokens

TOKENS = Tokens(KEYRING)
OPEN, RUNNING, ABANDONED = game_pb2.GAME_STATUS_OPEN, game_pb2.GAME_STATUS_RUNNING, game_pb2.GAME_STATUS_ABANDONED


def bearer(token: str) -> Any:
    return (("authorization", f"Bearer {token}"),)


def who(name: str, role: Role = Role.PLAYER) -> Any:
    return bearer(TOKENS.identity(name, role, 3600))


ADA, BOB, EVE, NOBODY = who("ada"), who("bob"), who("eve"), ()
REFEREE = who("referee", Role.OPERATOR)


@dataclass
class Lobby:
    """The services, and calls that say who makes them."""

    house: House
    command: CommandStub
    query: QueryStub

    async def create(self, by: Any = ADA, seat_count: int = 3, **changes: Any) -> commands.CreateGameResponse:
        request = creation(seat_count, **({"creator": "", "seats": [commands.SeatRequest()]} | changes))
        return await self.command.CreateGame(request, metadata=by, timeout=SECONDS)

    async def take(self, by: Any, game_id: str, name: str = "", **changes: Any) -> commands.TakeSeatResponse:
        fields: dict[str, Any] = {"game_id": game_id, "request_id": new_id()}
        fields |= {"player": commands.SeatRequest(player=name)} | changes
        return await self.command.TakeSeat(commands.TakeSeatRequest(**fields), metadata=by, timeout=SECONDS)

    async def invite(self, by: Any, game_id: str, seat: int, player: str, request_id: str = "") -> Any:
        request = commands.InvitePlayerRequest(
            game_id=game_id, request_id=request_id or new_id(), seat=seat, player=player
        )
        return await self.command.InvitePlayer(request, metadata=by, timeout=SECONDS)

    async def withdraw(self, by: Any, game_id: str, seat: int, request_id: str = "") -> Any:
        request = commands.WithdrawInvitationRequest(game_id=game_id, request_id=request_id or new_id(), seat=seat)
        return await self.command.WithdrawInvitation(request, metadata=by, timeout=SECONDS)

    async def close(self, by: Any, game_id: str, request_id: str = "") -> Any:
        request = commands.CloseTableRequest(game_id=game_id, request_id=request_id or new_id())
        return await self.command.CloseTable(request, metadata=by, timeout=SECONDS)

    async def start(self, by: Any, game_id: str) -> Any:
        request = commands.StartGameRequest(game_id=game_id, request_id=new_id())
        return await self.command.StartGame(request, metadata=by, timeout=SECONDS)

    async def rematch(self, by: Any, game_id: str, request_id: str = "") -> commands.RequestRematchResponse:
        request = commands.RequestRematchRequest(game_id=game_id, request_id=request_id or new_id())
        return await self.command.RequestRematch(request, metadata=by, timeout=SECONDS)

    async def summary(self, game_id: str, by: Any = REFEREE) -> game_pb2.GameSummary:
        request = queries.GetGameViewRequest(game_id=game_id)
        return (await self.query.GetGameView(request, metadata=by, timeout=SECONDS)).view.summary

    async def listed(self, by: Any, **filters: Any) -> list[str]:
        page = await self.query.ListGames(queries.ListGamesRequest(**filters), metadata=by, timeout=SECONDS)
        return [game.game_id for game in page.games]

    async def lists(self, by: Any, wanted: list[str], **filters: Any) -> None:
        """The list comes to hold exactly these games."""
        await until(lambda: self.listed(by, **filters), lambda found: found == wanted)

    async def told(self, game_id: str) -> list[str]:
        request = queries.ListHistoryRequest(game_id=game_id)
        page = await self.query.ListHistory(request, metadata=REFEREE, timeout=SECONDS)
        return [f"{entry.actor}: {entry.command}; {', '.join(entry.facts)}" for entry in page.entries]


@pytest.fixture(params=list(IdentityMode))
async def place(memory_house: House, request: pytest.FixtureRequest) -> Lobby:
    """Callers bring tokens here, whether they have to or not."""
    memory_house.settings = replace(memory_house.settings, identity=request.param)
    return Lobby(memory_house, await memory_house.command(), await memory_house.query())


@pytest.fixture
async def open_place(memory_house: House) -> Lobby:
    return Lobby(memory_house, await memory_house.command(), await memory_house.query())


async def reason(call: Awaitable[Any]) -> str:
    return (await refused(call)).reason


# -- invitations -------------------------------------------------------------------------------------------------------


@pytest.mark.reason("SEAT_RESERVED", "NO_INVITATION")
async def test_a_seat_is_kept_for_whoever_is_invited(place: Lobby) -> None:
    game_id = (await place.create(invitations=[game_pb2.Invitation(seat=1, player="bob")])).game_id
    assert await reason(place.take(EVE, game_id, seat=1)) == "SEAT_RESERVED"
    assert await reason(place.invite(ADA, game_id, 1, "eve")) == "SEAT_RESERVED"
    assert await reason(place.withdraw(ADA, game_id, 2)) == "NO_INVITATION"
    await place.lists(BOB, [game_id], invited="bob")
    assert (await place.take(EVE, game_id)).credential.seat == 2
    assert await reason(place.take(who("max"), game_id)) == "NO_FREE_SEAT"
    assert (await place.take(BOB, game_id)).credential.seat == 1
    await place.lists(BOB, [], invited="bob")
    summary = await place.summary(game_id)
    assert [(seat.player, seat.reserved_for) for seat in summary.seats] == [("ada", ""), ("bob", ""), ("eve", "")]


async def test_the_creator_invites_and_thinks_better_of_it(place: Lobby) -> None:
    game_id = (await place.create()).game_id
    first = await place.invite(ADA, game_id, 1, "bob", "ada invites bob to seat 1")
    assert await place.invite(ADA, game_id, 1, "bob", "ada invites bob to seat 1") == first
    assert await reason(place.invite(ADA, game_id, 2, "bob", "ada invites bob to seat 1")) == "REQUEST_ID_REUSED"
    assert [seat.reserved_for for seat in (await place.summary(game_id)).seats] == ["", "bob", ""]
    assert await reason(place.invite(ADA, game_id, 2, "bob")) == "DUPLICATE_PLAYER"
    assert await reason(place.invite(ADA, game_id, 2, "ada")) == "DUPLICATE_PLAYER"
    assert await reason(place.invite(ADA, game_id, 0, "eve")) == "SEAT_TAKEN"
    assert await reason(place.invite(ADA, game_id, 9, "eve")) == "UNKNOWN_SEAT"
    assert await reason(place.invite(NOBODY, game_id, 2, "eve")) == "TOKEN_MISSING"
    for stranger in (BOB, EVE, who("ada", Role.SERVICE)):
        assert await reason(place.invite(stranger, game_id, 2, "eve")) == "NOT_YOURS"
        assert await reason(place.withdraw(stranger, game_id, 1)) == "NOT_YOURS"
    gone = await place.withdraw(ADA, game_id, 1, "ada withdraws what she said")
    assert await place.withdraw(ADA, game_id, 1, "ada withdraws what she said") == gone
    await place.invite(REFEREE, game_id, 1, "eve")
    assert await reason(place.take(BOB, game_id, seat=1)) == "SEAT_RESERVED"
    assert (await place.told(game_id))[1:] == [
        "ada: invite bob to seat 1; seat 1 is kept for bob",
        "ada: withdraw the invitation to seat 1; seat 1 is kept for bob no longer",
        "referee: invite eve to seat 1; seat 1 is kept for eve",
    ]


async def test_whoever_sits_elsewhere_leaves_the_seat_that_was_kept_to_others(place: Lobby) -> None:
    game_id = (await place.create(invitations=[game_pb2.Invitation(seat=1, player="bob")])).game_id
    assert (await place.take(BOB, game_id, seat=2)).credential.seat == 2
    assert (await place.take(EVE, game_id)).credential.seat == 1


async def test_an_invitation_of_a_creation_has_to_make_sense(place: Lobby) -> None:
    for invitation, why in (
        (game_pb2.Invitation(seat=0, player="bob"), "SEAT_TAKEN"),
        (game_pb2.Invitation(seat=1, player="ada"), "DUPLICATE_PLAYER"),
        (game_pb2.Invitation(seat=7, player="bob"), "UNKNOWN_SEAT"),
        (game_pb2.Invitation(seat=1), "MALFORMED_REQUEST"),
    ):
        assert await reason(place.create(invitations=[invitation])) == why
    crowd = [game_pb2.Invitation(seat=seat, player=f"p{seat}") for seat in range(limits.SEATS + 1)]
    assert (await refused(place.create(invitations=crowd))).metadata["limit"] == "SEATS"


async def test_without_a_token_the_creators_seat_is_their_proof(open_place: Lobby) -> None:
    created = await open_place.create(NOBODY, creator="ada", seats=[commands.SeatRequest(player="ada")])
    ada = bearer(created.credentials[0].credential)
    bob = bearer((await open_place.take(NOBODY, created.game_id, "bob")).credential.credential)
    await open_place.invite(ada, created.game_id, 2, "eve")
    assert await reason(open_place.invite(bob, created.game_id, 2, "max")) == "NOT_YOURS"
    assert await reason(open_place.close(bob, created.game_id)) == "NOT_YOURS"
    await open_place.close(ada, created.game_id)


# -- private tables ----------------------------------------------------------------------------------------------------


@pytest.mark.reason("INVITATION_NEEDED")
async def test_a_private_table_is_for_those_who_are_invited_or_have_its_code(place: Lobby) -> None:
    public = await place.create(EVE)
    request = creation(4, creator="", private=True, seats=[], invitations=[game_pb2.Invitation(seat=1, player="bob")])
    created = await place.command.CreateGame(request, metadata=ADA)
    game_id, code = created.game_id, created.invitation_code
    assert public.invitation_code == "" and len(code) == 24
    assert await place.command.CreateGame(request, metadata=ADA) == created
    for wrong in ("", code[:-1], code.upper(), TOKENS.invitation("new", public.game_id)):
        assert await reason(place.take(EVE, game_id, invitation_code=wrong)) == "INVITATION_NEEDED"
    await place.take(ADA, game_id)
    assert (await place.take(BOB, game_id)).credential.seat == 1
    taken = await place.take(EVE, game_id, invitation_code=code, request_id="eve sits down at last")
    assert await place.take(EVE, game_id, invitation_code=code, request_id="eve sits down at last") == taken
    if place.house.settings.identity is IdentityMode.TOKENS:
        await place.take(REFEREE, game_id, "max")
    for entry in await place.house.entries(game_id):
        assert code.encode() not in entry.public + entry.private
    assert code not in str(await place.summary(game_id))


async def test_a_private_table_is_found_by_those_who_belong_there(place: Lobby) -> None:
    public = (await place.create(EVE)).game_id
    game_id = (await place.create(private=True, invitations=[game_pb2.Invitation(seat=1, player="bob")])).game_id
    for by in (ADA, BOB, REFEREE):
        await place.lists(by, [game_id, public])
    for by in (EVE, NOBODY):
        await place.lists(by, [public])
        assert await place.listed(by, status=OPEN) == [public]
    assert await place.listed(EVE, invited="bob") == await place.listed(EVE, player="ada") == []
    open_house = place.house.settings.identity is IdentityMode.OPEN
    assert await place.listed(NOBODY, invited="bob") == ([game_id] if open_house else [])
    assert await place.listed(NOBODY, creator="ada") == ([game_id] if open_house else [])
    await place.withdraw(ADA, game_id, 1)
    await place.lists(BOB, [public])


async def test_whoever_is_invited_may_look_at_a_closed_table(place: Lobby) -> None:
    invitations = [game_pb2.Invitation(seat=1, player="bob")]
    game_id = (await place.create(spectating=game_pb2.SPECTATING_SEATS, invitations=invitations)).game_id
    assert (await place.summary(game_id, BOB)).seats[1].reserved_for == "bob"
    assert await reason(place.summary(game_id, EVE)) == "SPECTATING_CLOSED"


# -- start when full ---------------------------------------------------------------------------------------------------


async def test_the_last_seat_starts_the_game_in_the_same_commit(place: Lobby) -> None:
    game_id = (await place.create(seats=[commands.SeatRequest()], seat_count=2, start_when_full=True)).game_id
    taken = await place.take(BOB, game_id, request_id="bob completes the table")
    assert (taken.receipt.revision, taken.status) == (2, RUNNING)
    assert await place.take(BOB, game_id, request_id="bob completes the table") == taken
    (_, entry) = await place.house.entries(game_id)
    record = log_pb2.CommitRecord.FromString(entry.public)
    assert [event.WhichOneof("kind") for event in record.table_events] == ["seat_taken", "game_started"]
    assert record.HasField("events") and len(record.draw_bounds) > 0
    assert await reason(place.take(EVE, game_id)) == "GAME_STARTED"
    await place.lists(NOBODY, [game_id], status=RUNNING)


async def test_a_table_that_is_opened_full_starts_at_once(place: Lobby) -> None:
    seats = [commands.SeatRequest(player=name) for name in ("ada", "bob")]
    created = await place.create(REFEREE, seats=seats, seat_count=2, start_when_full=True)
    assert (created.receipt.revision, created.status) == (1, RUNNING)
    assert (await place.summary(created.game_id)).awaiting


@pytest.mark.req("R-LOG-2", "R-LOG-3")
async def test_many_want_the_last_seat_and_the_game_starts_once(house: House) -> None:
    stubs, query = [await house.command() for _ in range(2)], await house.query()
    one = Lobby(house, stubs[0], query)
    game_id = (await one.create(seats=[commands.SeatRequest()], seat_count=2, start_when_full=True)).game_id
    takes = [Lobby(house, stubs[number % 2], query).take(who(f"p{number}"), game_id, seat=1) for number in range(6)]
    answers = await asyncio.gather(*takes, return_exceptions=True)
    assert sum(isinstance(answer, commands.TakeSeatResponse) for answer in answers) == 1
    assert await house.revisions(game_id) == 2
    assert (await one.summary(game_id)).status == RUNNING


@pytest.mark.req("R-PROOF-1", "R-RULES-1")
@pytest.mark.parametrize("game", list(RULESETS))
def test_a_game_with_all_of_this_is_decided_again_by_the_verifier(game: str) -> None:
    recording = _with_invitations(game)
    bots = [make_bot("random", recording.table.ruleset, seat) for seat in range(3)]
    while not recording.table.status.over:
        if not record_due(recording):
            seat, number, chosen = sent(recording.table.ruleset, recording.table.game, bots)
            step = table.answer(recording.table, seat, number, chosen, recording.seed)
            stored = log_pb2.GameCommand(decision_id=number)
            recording.commit(step, log_pb2.Actor(seat=seat), game_command=stored)
    exported = b"".join(export_chunks(recording.game_id, recording.entries, redacted=False))
    report = verify(io.BytesIO(exported), RULESETS)
    assert report.ended and report.commands == len(recording.entries)


def _with_invitations(game: str) -> Recording:
    """A private table that has started by itself: Ada has opened it, Bob is invited, Eve has the code."""
    game_id = f"lobby-{game}"
    seed = game_seed(b"a server key for recorded games.", game_id)
    invitation = game_pb2.Invitation(seat=1, player="bob")
    opening = log_pb2.OpenTable(
        game=game, seat_count=3, private=True, start_when_full=True, invitations=[invitation], rematch_of="another",
        seats=[log_pb2.TakeSeat(seat=0, player="ada")],
    )  # fmt: skip
    step = table.open_table(game_id, opening, "ada", RULESETS, seed, "key-1")
    recording = Recording(game_id, seed, RULESETS, step.table)
    ada = log_pb2.Actor(user="ada")
    recording.commit(step, ada, table_command=log_pb2.TableCommand(open=opening))
    other = game_pb2.Invitation(seat=2, player="max")
    step = table.invite_player(recording.table, other, RULESETS)
    recording.commit(step, ada, table_command=log_pb2.TableCommand(invite=other))
    withdrawal = log_pb2.WithdrawInvitation(seat=2)
    step = table.withdraw_invitation(recording.table, withdrawal, RULESETS)
    recording.commit(step, ada, table_command=log_pb2.TableCommand(withdraw=withdrawal))
    for take in (
        log_pb2.TakeSeat(seat=1, player="bob", nonce=b"bob's"),
        log_pb2.TakeSeat(seat=2, player="eve", admitted=True),
    ):
        step = table.take_seat(recording.table, take, RULESETS, seed)
        recording.commit(step, log_pb2.Actor(user=take.player), table_command=log_pb2.TableCommand(take_seat=take))
    assert recording.table.started
    return recording


# -- abandonment -------------------------------------------------------------------------------------------------------


@pytest.mark.reason("TABLE_ABANDONED")
async def test_the_creator_closes_a_table_for_good(place: Lobby) -> None:
    game_id = (await place.create(invitations=[game_pb2.Invitation(seat=1, player="bob")])).game_id
    watch: Any = place.query.WatchGame(queries.WatchGameRequest(game_id=game_id), timeout=SECONDS)
    assert (await watch.read()).snapshot.summary.status == OPEN
    assert await reason(place.close(BOB, game_id)) == "NOT_YOURS"
    assert await reason(place.close(NOBODY, game_id)) == "TOKEN_MISSING"
    closed = await place.close(ADA, game_id, "ada closes her table")
    assert await place.close(ADA, game_id, "ada closes her table") == closed
    assert (await watch.read()).change.summary.status == ABANDONED
    assert (await watch.read()).HasField("game_over")
    late: Any = place.query.WatchGame(queries.WatchGameRequest(game_id=game_id, after_revision=2), timeout=SECONDS)
    assert (await late.read()).HasField("game_over")
    for call in (
        place.close(ADA, game_id), place.take(BOB, game_id), place.invite(ADA, game_id, 2, "eve"),
        place.withdraw(ADA, game_id, 1), place.start(ADA, game_id),
    ):  # fmt: skip
        assert await reason(call) == "TABLE_ABANDONED"
    await place.lists(NOBODY, [game_id], status=ABANDONED)
    assert await place.listed(NOBODY, status=OPEN) == await place.listed(BOB, invited="bob") == []
    assert (await place.told(game_id))[-1] == "ada: close the table; the table is closed, its game never started"


async def test_a_game_that_has_started_is_not_closed(place: Lobby) -> None:
    game_id = (await place.create(seat_count=2)).game_id
    await place.take(BOB, game_id)
    await place.start(ADA, game_id)
    assert await reason(place.close(ADA, game_id)) == "GAME_STARTED"
    assert await reason(place.invite(ADA, game_id, 1, "eve")) == "GAME_STARTED"


@pytest.mark.req("R-LOG-1", "R-API-5")
async def test_a_table_that_nobody_touches_is_closed_once_however_many_look(house: House) -> None:
    house.settings = replace(house.settings, idle_table_seconds=100)
    now_us = [time.time_ns() // 1_000]
    clock = Clock(now_us=lambda: now_us[0], sweep_seconds=0.05)
    for _ in range(2):
        house.running.append(await wellhead_command.main.serve(house.settings, house.open_log(), RULESETS, clock))
    stub = house._stub(command_service_pb2_grpc.GameCommandServiceStub, house.running[0], wellhead_command.main.SERVICE)
    place = Lobby(house, stub, await house.query())
    idle, visited, started = [(await place.create(seat_count=2)).game_id for _ in range(3)]
    await place.take(BOB, started)
    await place.start(ADA, started)
    now_us[0] += 99_000_000
    await place.invite(ADA, visited, 1, "bob")
    assert (await place.summary(idle)).status == OPEN
    now_us[0] += 2_000_000
    await until(lambda: place.summary(idle), lambda found: found.status == ABANDONED)
    assert (await place.told(idle))[-1].startswith("clock: close the table")
    assert [(await place.summary(each)).status for each in (visited, started)] == [OPEN, RUNNING]
    assert [await house.revisions(each) for each in (idle, visited, started)] == [2, 2, 3]
    now_us[0] += 99_000_000
    await until(lambda: place.summary(visited), lambda found: found.status == ABANDONED)


async def test_a_table_that_somebody_has_come_to_is_not_closed_for_being_idle(memory_house: House) -> None:
    place = Lobby(memory_house, await memory_house.command(), await memory_house.query())
    visited, started = [(await place.create(seat_count=2)).game_id for _ in range(2)]
    await place.take(BOB, started)
    await place.start(ADA, started)
    clock = Clock()
    downtimes = Downtimes(memory_house.log, clock)
    await downtimes.begin()
    committer = Committer(LiveGames(memory_house.log, RULESETS, 10), Durability.MEMORY, clock, downtimes)
    keeper = intents.House(KEYRING, Authority(TOKENS), RULESETS, 100)
    for game_id, seconds in ((visited, 99), (started, 1_000)):
        early = lobby.CloseIdleTable(keeper, game_id, clock.now_us() + seconds * 1_000_000)
        with pytest.raises(Refused, match="CONTENDED"):
            await committer.commit(early)
    for _ in range(2):  # two sweepers, or one that was not sure
        await committer.commit(lobby.CloseIdleTable(keeper, visited, clock.now_us() + 101_000_000))
    assert await memory_house.revisions(visited) == 2


# -- rematches ---------------------------------------------------------------------------------------------------------


async def ended_game(house: House, players: int = 3, **opening: Any) -> str:
    """A game that has been played to its end, by player-0 and so on."""
    recording = open_game(players, game_id=f"ended-{new_id()}")
    play(recording)
    stream, head = StreamId("game", recording.game_id), recording.entries[0].head
    head = replace(head, revision=0, digest=bytes(32))
    for entry in recording.entries:
        new = NewEntry(entry.digest, entry.command_id, entry.public, entry.private, entry.mark)
        assert isinstance(await house.log.append(stream, head, new), Appended)
        head = entry.head
    return recording.game_id


PLAYERS = [who(f"player-{seat}") for seat in range(3)]


async def test_a_rematch_seats_everybody_one_further(place: Lobby) -> None:
    game_id = await ended_game(place.house)
    first = await place.rematch(PLAYERS[0], game_id, "player 0 wants a rematch")
    assert await place.rematch(PLAYERS[0], game_id, "player 0 wants a rematch") == first
    assert (first.receipt.revision, first.credential.seat, first.status) == (1, 1, OPEN)
    summary = await place.summary(first.game_id)
    kept = [(seat.player, seat.reserved_for) for seat in summary.seats]
    assert kept == [("", "player-2"), ("player-0", ""), ("", "player-1")]
    ended = await place.summary(game_id)
    assert (summary.creator, summary.rematch_of, summary.game) == ("player-0", game_id, ended.game)
    assert (summary.options, summary.content_pack) == (ended.options, ended.content_pack)

    async def named() -> str:
        return (await place.summary(game_id, NOBODY)).rematch_game_id

    await until(named, lambda found: found == first.game_id)
    page = await place.query.ListGames(queries.ListGamesRequest(status=game_pb2.GAME_STATUS_ENDED))
    assert [game.rematch_game_id for game in page.games if game.game_id == game_id] == [first.game_id]
    second = await place.rematch(PLAYERS[2], game_id, "player 2 is for it, too")
    assert (second.game_id, second.receipt.revision, second.credential.seat) == (first.game_id, 2, 0)
    assert await place.rematch(PLAYERS[2], game_id, "player 2 is for it, too") == second
    assert await reason(place.rematch(PLAYERS[2], game_id)) == "SEAT_TAKEN"
    await place.rematch(PLAYERS[1], game_id)
    await place.start(PLAYERS[1], first.game_id)


@pytest.mark.reason("GAME_NOT_OVER")
async def test_a_rematch_is_for_those_who_played_a_game_that_is_over(place: Lobby) -> None:
    game_id = await ended_game(place.house)
    assert await reason(place.rematch(EVE, game_id)) == "NOT_SEAT_HOLDER"
    assert await reason(place.rematch(NOBODY, game_id)) == "TOKEN_MISSING"
    assert await reason(place.rematch(ADA, "no-such-game")) == "UNKNOWN_GAME"
    running = (await place.create(seat_count=2, start_when_full=True)).game_id
    assert await reason(place.rematch(ADA, running)) == "GAME_NOT_OVER"
    await place.take(BOB, running)
    assert await reason(place.rematch(ADA, running)) == "GAME_NOT_OVER"


@pytest.mark.reason("TOO_MANY_REMATCHES")
async def test_another_rematch_follows_one_that_was_abandoned(place: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMATCHES", 2)
    game_id = await ended_game(place.house)
    first = await place.rematch(PLAYERS[0], game_id, "player 0 wants a rematch")
    await place.close(PLAYERS[0], first.game_id)
    second = await place.rematch(PLAYERS[1], game_id)
    assert second.game_id != first.game_id
    assert await place.rematch(PLAYERS[0], game_id, "player 0 wants a rematch") == first

    async def named() -> str:
        return (await place.summary(game_id)).rematch_game_id

    await until(named, lambda found: found == second.game_id)
    await place.close(PLAYERS[1], second.game_id)
    await until(named, lambda found: found == "")
    assert await reason(place.rematch(PLAYERS[0], game_id)) == "TOO_MANY_REMATCHES"


@pytest.mark.req("R-LOG-2", "R-LOG-3")
async def test_all_ask_for_the_rematch_at_once_and_it_is_one(house: House) -> None:
    stubs, query = [await house.command() for _ in range(2)], await house.query()
    game_id = await ended_game(house)
    asks = [Lobby(house, stubs[seat % 2], query).rematch(by, game_id) for seat, by in enumerate(PLAYERS)]
    answers = await asyncio.gather(*asks)
    assert len({answer.game_id for answer in answers}) == 1
    assert sorted(answer.receipt.revision for answer in answers) == [1, 2, 3]
    assert [answer.credential.seat for answer in answers] == [1, 2, 0]
