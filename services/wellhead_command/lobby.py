"""Before and after a game: invitations, closed tables, rematches. The order within a class is that of `intents`."""

from collections.abc import Callable

from wellhead.v1 import command_service_pb2 as api
from wellhead.v1 import game_pb2, log_pb2
from wellhead_command.intents import Decided, House, Intent, Reply, require_room
from wellhead_rules.kernel import commits, table
from wellhead_rules.kernel.table import Status
from wellhead_runtime import limits
from wellhead_runtime.errors import Refused, busy
from wellhead_runtime.ids import command_key, rematch_id_of
from wellhead_runtime.live import LiveGame, LiveGames
from wellhead_runtime.reasons import Reason
from wellhead_runtime.tokens import CLOCK, Caller, Identity, SeatProof, missing


class _Hosted(Intent[Reply]):
    """A command of whoever has opened the table, or of an operator."""

    def __init__(self, house: House, caller: Caller, game_id: str, request_id: str) -> None:
        match caller:
            case Identity(subject=name) | SeatProof(player=name):
                super().__init__(house, caller, game_id, log_pb2.Actor(user=name), command_key("user", 0, request_id))
            case _:
                raise missing("a table is kept by whoever has opened it")

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        self.house.authority.require_host(live, self.caller, formerly)


class InvitePlayer(_Hosted[api.InvitePlayerResponse]):
    """Keeps a seat for a player."""

    def __init__(self, house: House, request: api.InvitePlayerRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, request.request_id)
        self._command = game_pb2.Invitation(seat=request.seat, player=request.player)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.HasField("invite") and record.table_command.invite == self._command

    def decide(self, live: LiveGame) -> Decided:
        require_room(live)
        step = table.invite_player(live.table, self._command, self.house.registry)
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(invite=self._command))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.InvitePlayerResponse:
        return api.InvitePlayerResponse(receipt=receipt)


class WithdrawInvitation(_Hosted[api.WithdrawInvitationResponse]):
    """Keeps a seat for nobody any longer."""

    def __init__(self, house: House, request: api.WithdrawInvitationRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, request.request_id)
        self._command = log_pb2.WithdrawInvitation(seat=request.seat)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.HasField("withdraw") and record.table_command.withdraw == self._command

    def decide(self, live: LiveGame) -> Decided:
        step = table.withdraw_invitation(live.table, self._command, self.house.registry)
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(withdraw=self._command))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.WithdrawInvitationResponse:
        return api.WithdrawInvitationResponse(receipt=receipt)


# -- abandonment -------------------------------------------------------------------------------------------------------


class CloseTable(_Hosted[api.CloseTableResponse]):
    """Closes a table whose game has not started."""

    def __init__(self, house: House, request: api.CloseTableRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, request.request_id)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.HasField("close")

    def decide(self, live: LiveGame) -> Decided:
        return _closing(self.house, live)

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.CloseTableResponse:
        return api.CloseTableResponse(receipt=receipt)


class CloseIdleTable(Intent[None]):
    """Closes a table that nobody has touched for too long: what the log's deadline of an open table is for."""

    def __init__(self, house: House, game_id: str, now_us: int) -> None:
        key = command_key("service", 0, "close the idle table")
        super().__init__(house, None, game_id, log_pb2.Actor(service=CLOCK), key)
        self._now_us = now_us

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        pass  # nobody asks for it but this service

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return True  # the key is used for nothing else

    def decide(self, live: LiveGame) -> Decided:
        if live.table.status is not Status.OPEN or self._now_us < self.house.given_up_us(live.table):
            raise busy(Reason.CONTENDED, "somebody has been at the table since")
        return _closing(self.house, live)

    def reply(self, live: LiveGame, receipt: api.Receipt) -> None:
        return None


def _closing(house: House, live: LiveGame) -> Decided:
    step = table.close_table(live.table, house.registry)
    return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(close=log_pb2.CloseTable()))


# -- rematches ---------------------------------------------------------------------------------------------------------


class Rematch(Intent[api.RequestRematchResponse]):
    """Sits a player of an ended game down in its rematch. Whoever is first opens the table, with a seat kept for each
    of the others, one further than the seat they had; the rest is as it was asked for then."""

    opens = True

    def __init__(
        self, house: House, caller: Caller, ended: LiveGame, opening: log_pb2.OpenTable, seat: int, request_id: str,
        game_id: str,
    ) -> None:  # fmt: skip
        players = _moved_on([holder.player if holder else "" for holder in ended.table.seats])
        seat = (seat + 1) % len(players)
        player = players[seat]
        super().__init__(house, caller, game_id, log_pb2.Actor(user=player), command_key("user", 0, request_id))
        self.take_room: Callable[[], None] = lambda: None
        """Refused if the caller may not open another table: asked only when this would be one."""
        self._take = log_pb2.TakeSeat(seat=seat, player=player)
        self._open = log_pb2.OpenTable()
        self._open.CopyFrom(opening)
        for field in ("seats", "invitations"):
            self._open.ClearField(field)
        self._open.content_pack.id = ended.table.pack.id
        self._open.seats.add().CopyFrom(self._take)
        for other, name in enumerate(players):
            if other != seat:
                self._open.invitations.add(seat=other, player=name)
        self._open.rematch_of = ended.game_id

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        pass  # whoever held a seat in the game before may, and that has been asked

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        command = record.table_command
        if command.HasField("open"):
            return command.open == self._open
        return command.HasField("take_seat") and command.take_seat == self._take

    def decide(self, live: LiveGame) -> Decided:
        house, keyring = self.house, self.house.keyring
        if live.begun:
            require_room(live)
            step = table.take_seat(live.table, self._take, house.registry, house.seed(live))
            return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(take_seat=self._take))
        self.take_room()
        seed = keyring.seed(keyring.current, self.game_id)
        step = table.open_table(self.game_id, self._open, self.actor.user, house.registry, seed, keyring.current)
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(open=self._open))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.RequestRematchResponse:
        assert live.last is not None
        authority, seat = self.house.authority, self._take.seat
        opened = live.last.record.table_command.HasField("open")
        return api.RequestRematchResponse(
            game_id=self.game_id,
            receipt=receipt,
            credential=api.SeatCredential(
                seat=seat, credential=authority.credential(live, seat, self.key, self._take.player)
            ),
            status=int(live.table.status),  # type: ignore[arg-type]
            invitation_code=authority.invitation(live) if opened else "",
        )


class Rematches:
    """Finds out which rematch somebody means."""

    def __init__(self, house: House, games: LiveGames) -> None:
        self._house = house
        self._games = games

    async def intent(self, request: api.RequestRematchRequest, caller: Caller) -> Rematch:
        """What the caller wants done: in the rematch that knows this request already, or else in the first that is not
        abandoned, whether it is there yet or not. GAME_NOT_OVER, NOT_SEAT_HOLDER, TOO_MANY_REMATCHES."""
        ended = self._games.at_hand(request.game_id)
        async with ended.lock:
            await self._games.refresh(ended)
            seat = self._house.authority.require_seat(ended, caller)
            if not ended.table.status.over:
                raise Refused(Reason.GAME_NOT_OVER, "a rematch follows a game that has ended")
            (first,) = await self._games.log.read(ended.stream, 0, 1)
            opening = commits.decode(first.public)[0].table_command.open
        for number in range(limits.REMATCHES):
            game_id = rematch_id_of(ended.game_id, number)
            intent = Rematch(self._house, caller, ended, opening, seat, request.request_id, game_id)
            live = self._games.at_hand(game_id)
            async with live.lock:
                await live.catch_up(self._games.log)
                if intent.key in live.commands or not live.table.abandoned:
                    return intent
        detail = f"{limits.REMATCHES} rematches of this game have been abandoned"
        raise Refused(Reason.TOO_MANY_REMATCHES, detail, limit="REMATCHES")


def _moved_on(players: list[str]) -> list[str]:
    """Everybody sits a seat further."""
    return [*players[-1:], *players[:-1]]
