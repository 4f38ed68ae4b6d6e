"""What each request wants done: one class a method, in the order in which the committer asks.

key         under which the command is known in its game, so that a repeat is recognised
authorise   may the caller do this?
recognise   is this the command that is stored under its key, or another one?
decide      what follows, on the table as it is now
reply       the answer, from the game as it stands after the commit; the same for the first time and for a repeat
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from wellhead.v1 import command_service_pb2 as api
from wellhead.v1 import game_pb2, log_pb2
from wellhead_command import stand_ins
from wellhead_rules.kernel import commits, table, undo
from wellhead_rules.kernel.ruleset import Command, Ruleset
from wellhead_rules.kernel.table import Status, Step
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_runtime import limits, viewing
from wellhead_runtime.authority import Authority, seat_of
from wellhead_runtime.errors import FieldFault, Refused, malformed
from wellhead_runtime.ids import command_key, game_id_of
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.live import LiveGame
from wellhead_runtime.reasons import Reason
from wellhead_runtime.roles import Role
from wellhead_runtime.tokens import SCORING, Caller, Identity, SeatProof, missing

Reply = TypeVar("Reply")
Decided = tuple[Step, log_pb2.CommitRecord]
"""A step, and the record that says what kind of command it was and nothing else yet."""


class House(Struct, frozen=True):
    """What every intent may need: the server's keys, who may act, the games that exist, how long tables stay open."""

    keyring: Keyring
    authority: Authority
    registry: Mapping[str, Ruleset]
    idle_table_seconds: int

    def seed(self, live: LiveGame) -> bytes:
        """The seed of a game that has begun."""
        return self.keyring.seed(live.table.key_id, live.game_id)

    def given_up_us(self, now: table.Table) -> int:
        """When an open table is given up unless somebody touches it, in microseconds since the Unix epoch."""
        return now.updated_us + self.idle_table_seconds * 1_000_000


class Intent(ABC, Generic[Reply]):
    """One command on its way; `opens` if it begins a game, `plays` if it is a move in one."""

    opens = False
    plays = False

    def __init__(self, house: House, caller: Caller, game_id: str, actor: log_pb2.Actor, key: bytes) -> None:
        self.house = house
        self.caller = caller
        self.game_id = game_id
        self.actor = actor
        self.key = key
        self.now_us = 0
        """The time of the commit, once it is to be decided: microseconds since the Unix epoch."""

    @abstractmethod
    def authorise(self, live: LiveGame, formerly: bool) -> None:
        """Refused if the caller may not; `formerly` when a repeat asks for its answer."""

    @abstractmethod
    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        """Whether the stored command is this one."""

    @abstractmethod
    def decide(self, live: LiveGame) -> Decided:
        """What follows from the command now; RuleViolation or Refused if it may not be."""

    @abstractmethod
    def reply(self, live: LiveGame, receipt: api.Receipt) -> Reply:
        """The answer, from the game as it stands right after the commit."""


def _user(name: str, request_id: str) -> tuple[log_pb2.Actor, bytes]:
    return log_pb2.Actor(user=name), command_key("user", 0, request_id)


def _seat(seat: int, request_id: str) -> tuple[log_pb2.Actor, bytes]:
    return log_pb2.Actor(seat=seat), command_key("seat", seat, request_id)


def require_room(live: LiveGame) -> None:
    """Seats may be taken and left many times, but not for ever (R-LOG-11)."""
    largest = limits.commits_of(live.table.ruleset) if live.table.started else limits.TABLE_COMMITS
    table_only = live.table.undoing.aside + live.table.credits + live.table.programme_facts
    if live.head.revision - table_only >= largest:
        metadata = {"limit": "GAME_COMMITS" if live.table.started else "TABLE_COMMITS", "at_most": str(largest)}
        raise Refused(Reason.TOO_MANY_COMMANDS, f"the game has {largest} commits already", metadata=metadata)


def _require_stand_in(policy: game_pb2.AbsencePolicy) -> None:
    """MALFORMED_REQUEST if a bot is to stand in that cannot."""
    if policy.HasField("take_over") and not stand_ins.is_known(policy.take_over.bot):
        detail = f"{policy.take_over.bot!r} cannot stand in; random, greedy, and search:1n to search:999n can"
        raise malformed([FieldFault("absence_policy.take_over.bot", detail)])


# -- the table ---------------------------------------------------------------------------------------------------------


class CreateGame(Intent[api.CreateGameResponse]):
    """Opens a table. Its id derives from the request, so a repeat finds the first one's game."""

    opens = True

    def __init__(self, house: House, request: api.CreateGameRequest, caller: Caller) -> None:
        creator = house.authority.creator(caller, request.creator)
        game_id = game_id_of(creator, request.request_id)
        super().__init__(house, caller, game_id, *_user(creator, request.request_id))
        _require_stand_in(request.absence_policy)
        self.take_room: Callable[[], None] = lambda: None
        """Refused if the caller may not open another table: asked only when this would be one."""
        seats = [
            log_pb2.TakeSeat(seat=seat, player=player, colour=each.colour, nonce=each.nonce)
            for seat, each in enumerate(request.seats)
            for player in [house.authority.player(caller, each.player, f"seats[{seat}].player")]
        ]
        self._command = log_pb2.OpenTable(
            game=request.game,
            seat_count=request.seat_count,
            options=request.options,
            content_pack=request.content_pack,
            seats=seats,
            spectating=request.spectating,
            time_control=request.time_control if request.HasField("time_control") else None,
            absence_policy=request.absence_policy if request.HasField("absence_policy") else None,
            invitations=request.invitations,
            private=request.private,
            start_when_full=request.start_when_full,
        )

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        pass  # whoever may open it under this name may ask again

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.open == self._command

    def decide(self, live: LiveGame) -> Decided:
        self.take_room()
        keyring = self.house.keyring
        seed = keyring.seed(keyring.current, self.game_id)
        step = table.open_table(
            self.game_id, self._command, self.actor.user, self.house.registry, seed, keyring.current
        )
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(open=self._command))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.CreateGameResponse:
        give = self.house.authority.credential
        credentials = [
            api.SeatCredential(seat=each.seat, credential=give(live, each.seat, self.key, each.player))
            for each in self._command.seats
        ]
        return api.CreateGameResponse(
            game_id=self.game_id,
            receipt=receipt,
            credentials=credentials,
            invitation_code=self.house.authority.invitation(live),
            status=int(live.table.status),  # type: ignore[arg-type]
        )


class TakeSeat(Intent[api.TakeSeatResponse]):
    """Takes a seat; without a wish the first free one."""

    def __init__(self, house: House, request: api.TakeSeatRequest, caller: Caller) -> None:
        name = house.authority.player(caller, request.player.player, "player.player")
        user = caller.subject if isinstance(caller, Identity) else name
        super().__init__(house, caller, request.game_id, *_user(user, request.request_id))
        self._wish = request.seat if request.HasField("seat") else None
        self._name = name
        self._player = request.player
        self._code = request.invitation_code

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        pass  # whoever may take it under this name may ask again

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        taken = record.table_command.take_seat
        return record.table_command.HasField("take_seat") and taken == self._command(
            live, taken.seat if self._wish is None else self._wish
        )

    def decide(self, live: LiveGame) -> Decided:
        require_room(live)
        command = self._command(live, self._first_free(live) if self._wish is None else self._wish)
        step = table.take_seat(live.table, command, self.house.registry, self.house.seed(live))
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(take_seat=command))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.TakeSeatResponse:
        assert live.last is not None
        seat = live.last.record.table_command.take_seat.seat
        credential = self.house.authority.credential(live, seat, self.key, self._name)
        return api.TakeSeatResponse(
            receipt=receipt,
            credential=api.SeatCredential(seat=seat, credential=credential),
            status=int(live.table.status),  # type: ignore[arg-type]
        )

    def _command(self, live: LiveGame, seat: int) -> log_pb2.TakeSeat:
        player = self._player
        admitted = live.table.private and self.house.authority.lets_in(live, self.caller, self._code)
        return log_pb2.TakeSeat(
            seat=seat, player=self._name, colour=player.colour, nonce=player.nonce, admitted=admitted
        )

    def _first_free(self, live: LiveGame) -> int:
        """The seat that is kept for the player, or the first that is neither taken nor kept."""
        now = live.table
        if now.started:
            raise RuleViolation("GAME_STARTED", "", "the game has started; seats stay as they are")
        if self._name in now.reserved:
            return now.reserved.index(self._name)
        free = (seat for seat, holder in enumerate(now.seats) if holder is None and not now.reserved[seat])
        seat = next(free, None)
        if seat is None:
            raise RuleViolation("NO_FREE_SEAT", "", "every seat of the table is taken or kept for somebody")
        return seat


class LeaveSeat(Intent[api.LeaveSeatResponse]):
    """Gives a seat back."""

    def __init__(self, house: House, request: api.LeaveSeatRequest, caller: Caller) -> None:
        if isinstance(caller, Identity) and caller.role is Role.OPERATOR:
            known = _user(caller.subject, request.request_id)
        else:
            known = _seat(request.seat, request.request_id)
        super().__init__(house, caller, request.game_id, *known)
        self._seat = request.seat

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        self.house.authority.require_leaver(live, self.caller, self._seat, formerly)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.HasField("leave_seat") and record.table_command.leave_seat.seat == self._seat

    def decide(self, live: LiveGame) -> Decided:
        command = log_pb2.LeaveSeat(seat=self._seat)
        step = table.leave_seat(live.table, command, self.house.registry)
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(leave_seat=command))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.LeaveSeatResponse:
        return api.LeaveSeatResponse(receipt=receipt)


class StartGame(Intent[api.StartGameResponse]):
    """Starts the game; whoever holds a seat or has opened the table may."""

    def __init__(self, house: House, request: api.StartGameRequest, caller: Caller) -> None:
        match caller:
            case SeatProof(seat=seat):
                known = _seat(seat, request.request_id)
            case Identity(subject):
                known = _user(subject, request.request_id)
            case _:
                raise missing("a game is started by its players, its creator or an operator")
        super().__init__(house, caller, request.game_id, *known)

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        self.house.authority.require_starter(live, self.caller, formerly)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.HasField("start")

    def decide(self, live: LiveGame) -> Decided:
        step = table.start_game(live.table, self.house.registry, self.house.seed(live))
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(start=log_pb2.StartGame()))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.StartGameResponse:
        seat = seat_of(live, self.caller)
        return api.StartGameResponse(
            receipt=receipt,
            events=viewing.events(live, seat),
            decisions=viewing.decisions(live.table, seat),
            anytime=viewing.anytime(live.table, seat),
        )


# -- the game ----------------------------------------------------------------------------------------------------------


class SubmitCommand(Intent[api.SubmitCommandResponse]):
    """Answers a decision, or acts at any time, by a typed command or by the id of an option."""

    plays = True

    def __init__(self, house: House, request: api.SubmitCommandRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, *_seat(request.seat, request.request_id))
        self._request = request

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        self.house.authority.require_seat(live, self.caller, self.actor.seat, formerly)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        request, ruleset = self._request, live.table.ruleset
        if not record.HasField("game_command") or record.game_command.decision_id != request.decision_id:
            return False
        assert live.last is not None
        command = live.last.command(ruleset, request.seat)
        if request.WhichOneof("answer") == "option_id":
            return ruleset.option_id(command) == request.option_id
        try:
            return bool(command == ruleset.command_from_proto(request.command))
        except RuleViolation:
            return False

    def decide(self, live: LiveGame) -> Decided:
        require_room(live)
        ruleset, request = live.table.ruleset, self._request
        if request.WhichOneof("answer") == "option_id":
            command = self._option(live)
        else:
            command = ruleset.command_from_proto(request.command)
        step = table.answer(live.table, request.seat, request.decision_id, command, self.house.seed(live))
        # The command is stored as the step understood it: nothing that came along unasked enters the log.
        return step, log_pb2.CommitRecord(game_command=log_pb2.GameCommand(decision_id=request.decision_id))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.SubmitCommandResponse:
        seat = self.actor.seat
        return api.SubmitCommandResponse(
            receipt=receipt,
            events=viewing.events(live, seat),
            decisions=viewing.decisions(live.table, seat),
            status=int(live.table.status),  # type: ignore[arg-type]
            anytime=viewing.anytime(live.table, seat),
        )

    def _option(self, live: LiveGame) -> Command:
        """The command that the option stands for; the codes are those that `play` has for a command it refuses."""
        request, now = self._request, live.table
        if not now.started:
            raise RuleViolation("GAME_NOT_STARTED", "", "the game has not started")
        if now.status is not Status.RUNNING:
            raise RuleViolation("GAME_OVER", "", "play is over")
        ruleset, seat, number = now.ruleset, request.seat, request.decision_id
        owners = [owed.seat for owed in now.owed if owed.decision_id == number]
        anytime = ruleset.anytime(now.game, seat)
        if seat in owners:
            command = self._named(ruleset, [*ruleset.legal(now.game, seat), *anytime])
            if command is None:
                detail = f"the decision has no option {request.option_id!r}"
                raise Refused(Reason.OPTION_NOT_OFFERED, detail)
            return command
        command = self._named(ruleset, anytime)
        if command is not None and number == 0:
            return command
        if command is not None or not owners:
            what = f"decision {number} is not open to the seat" if number else "that is not open at any time"
            raise RuleViolation("STALE_DECISION", "", what)
        raise RuleViolation(
            "NOT_DECISION_OWNER", "", f"decision {number} is owed by seat {' and '.join(map(str, owners))}"
        )

    def _named(self, ruleset: Ruleset, commands: Sequence[Command]) -> Command | None:
        return next((each for each in commands if ruleset.option_id(each) == self._request.option_id), None)


class RequestUndo(Intent[api.RequestUndoResponse]):
    """Asks to take the seat's latest commands back."""

    plays = True

    def __init__(self, house: House, request: api.RequestUndoRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, *_seat(request.seat, request.request_id))
        self._command = log_pb2.RequestUndo(target_revision=request.target_revision)

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        self.house.authority.require_seat(live, self.caller, self.actor.seat, formerly)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        asked = record.table_command
        return asked.HasField("request_undo") and asked.request_undo == self._command

    def decide(self, live: LiveGame) -> Decided:
        seat, undoing = self.actor.seat, live.table.undoing
        if undoing.aside >= limits.UNDO_COMMITS:
            raise Refused(Reason.TOO_MANY_COMMANDS, "too much has been taken back already", limit="UNDO_COMMITS")
        try:
            step = undo.request_undo(live.table, seat, self._command, self.house.registry)
        except RuleViolation as no:
            if no.code == Reason.UNDO_BARRIER.name:
                barrier = {"barrier_revision": str(undoing.reach(seat))}
                raise Refused(Reason.UNDO_BARRIER, no.detail, metadata=barrier) from None
            raise
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(request_undo=self._command))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.RequestUndoResponse:
        return api.RequestUndoResponse(receipt=receipt, view=viewing.game_view(live.table, self.actor.seat))


class AnswerUndo(Intent[api.AnswerUndoResponse]):
    """Agrees to what somebody asks to take back, or not."""

    plays = True

    def __init__(self, house: House, request: api.AnswerUndoRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, *_seat(request.seat, request.request_id))
        self._command = log_pb2.AnswerUndo(target_revision=request.target_revision, agree=request.agree)

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        self.house.authority.require_seat(live, self.caller, self.actor.seat, formerly)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        answered = record.table_command
        return answered.HasField("answer_undo") and answered.answer_undo == self._command

    def decide(self, live: LiveGame) -> Decided:
        step = undo.answer_undo(live.table, self.actor.seat, self._command, self.house.registry)
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(answer_undo=self._command))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.AnswerUndoResponse:
        return api.AnswerUndoResponse(receipt=receipt, view=viewing.game_view(live.table, self.actor.seat))


class RecordScore(Intent[api.RecordScoreResponse]):
    """Records an award or the final score, after checking it with the same rules (R-SCORE-2)."""

    def __init__(self, house: House, request: api.RecordScoreRequest, caller: Caller) -> None:
        actor = log_pb2.Actor(service=SCORING)
        super().__init__(house, caller, request.game_id, actor, command_key("service", 0, request.request_id))
        self._request = request

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        self.house.authority.require_scoring(self.caller)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        if self._request.HasField("round_award"):
            return record.round_award == self._request.round_award
        return record.final_score == self._request.final_score

    def decide(self, live: LiveGame) -> Decided:
        if self._request.HasField("round_award"):
            award = self._request.round_award
            lines = [commits.score_line_from_proto(line) for line in award.lines]
            return table.record_award(live.table, award.round, lines), log_pb2.CommitRecord(round_award=award)
        card = self._request.final_score
        if card.revision != live.head.revision:
            detail = f"it was computed from revision {card.revision}, the game is at {live.head.revision}"
            raise RuleViolation("SCORE_DIFFERS", "", detail)
        score = commits.score_card_from_proto(card)
        step = table.record_final(live.table, score, self.house.registry, self.house.seed(live))
        return step, log_pb2.CommitRecord(final_score=card)

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.RecordScoreResponse:
        return api.RecordScoreResponse(receipt=receipt)
