"""Programmes: what a seat has filed to be decided for it, and what follows from one where the game stands.

A programme answers only what it was filed for. Whatever else comes stops it, with a cause, and the player decides.
"""

from collections.abc import Sequence
from enum import IntEnum

from msgspec import Struct

from wellhead.v1 import game_pb2, log_pb2
from wellhead_rules.kernel.ruleset import Command, GameState, Owed, Ruleset
from wellhead_rules.kernel.violations import CorruptRecord


class Stop(IntEnum):
    """Why a programme has stopped; number for number `wellhead.v1.ProgrammeStop`."""

    REACHED = 1
    NOT_OFFERED = 2
    UNFORESEEN = 3
    OWN_COMMAND = 4
    UNDONE = 5
    RESIGNED = 6
    AWAY = 7
    STOPPED = 8


class Programme(Struct, frozen=True):
    """A programme, bound to the revision at which it was filed: it passes until `round` begins, or, with round 0,
    answers the seat's next decision, of `decision_kind`, by the option of that id."""

    seat: int
    revision: int
    round: int = 0
    decision_kind: str = ""
    option_id: str = ""

    @classmethod
    def of(cls, message: game_pb2.Programme) -> "Programme":
        """What a message says; CorruptRecord if this version does not know its kind."""
        match message.WhichOneof("kind"):
            case "pass_until_round":
                return cls(message.seat, message.revision, round=message.pass_until_round.round)
            case "when":
                when = message.when
                return cls(message.seat, message.revision, decision_kind=when.decision_kind, option_id=when.option_id)
        raise CorruptRecord(message.revision, "a programme of a kind that this version does not know")

    def to_proto(self) -> game_pb2.Programme:
        """The message that says it."""
        message = game_pb2.Programme(seat=self.seat, revision=self.revision)
        if self.round:
            message.pass_until_round.round = self.round
        else:
            message.when.CopyFrom(game_pb2.WhenAsked(decision_kind=self.decision_kind, option_id=self.option_id))
        return message


class Verdict(Struct, frozen=True):
    """What a programme does now: it answers by a command, or stops, or both; decision 0 if it stops without one."""

    decision_id: int = 0
    command: Command | None = None
    stop: Stop | None = None


def verdict(
    programme: Programme, ruleset: Ruleset, game: GameState, owed: Sequence[Owed], round: int
) -> Verdict | None:
    """What the programme does where the game stands, in that round; None while it has nothing to do."""
    if programme.round and round >= programme.round:
        return Verdict(stop=Stop.REACHED)
    seat = programme.seat
    due = next((each for each in owed if each.seat == seat), None)
    if due is None:
        return None
    if programme.round:
        command = ruleset.passing(game, seat)
        return Verdict(due.decision_id, command, None if command is not None else Stop.UNFORESEEN)
    if due.kind != programme.decision_kind:
        return Verdict(due.decision_id, stop=Stop.UNFORESEEN)
    offered = (each for each in ruleset.legal(game, seat) if ruleset.option_id(each) == programme.option_id)
    command = next(offered, None)
    return Verdict(due.decision_id, command, Stop.REACHED if command is not None else Stop.NOT_OFFERED)


def filed(seat: int, command: log_pb2.SetProgramme) -> Programme:
    """The programme that a command files."""
    message = game_pb2.Programme(seat=seat, revision=command.revision)
    if command.HasField("pass_until_round"):
        message.pass_until_round.CopyFrom(command.pass_until_round)
    elif command.HasField("when"):
        message.when.CopyFrom(command.when)
    return Programme.of(message)
