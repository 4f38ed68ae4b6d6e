"""The clocks of a game: a fold of its commits and of the times that stand in them (R-API-5).

A clock runs while its seat owes a decision that its player answers. At every commit each clock that runs is charged for
the time since the last one; then it goes on, if the seat still owes the same decision, or stands still, or starts for
the next. Everything is in whole microseconds, so that the fold is the same everywhere. Nobody's clock depends on
anything but the commits, and so on nobody's connection.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct, structs

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.ruleset import Owed

SECOND_US = 1_000_000
DAY_US = 24 * 3600 * SECOND_US
RETURN_US = 60 * SECOND_US
"""Whoever returns to a seat has at least so much time, or all that the control gives for a decision."""


class Control(Struct, frozen=True):
    """How long players may think: the stock at the start, or `anew` for each decision; what an answer adds to it.

    `kind` is that of `wellhead.v1.TimeControl`.
    """

    kind: str
    initial_us: int
    increment_us: int = 0
    anew: bool = False

    @classmethod
    def of(cls, message: game_pb2.TimeControl) -> "Control | None":
        """What a message says; None for no clocks."""
        match message.WhichOneof("kind"):
            case "per_turn":
                return cls("per_turn", message.per_turn.seconds * SECOND_US, anew=True)
            case "per_game":
                stock = message.per_game
                return cls("per_game", stock.initial_seconds * SECOND_US, stock.increment_seconds * SECOND_US)
            case "correspondence":
                return cls("correspondence", message.correspondence.days * DAY_US, anew=True)
        return None

    def to_proto(self) -> game_pb2.TimeControl:
        """The message that says it."""
        seconds = self.initial_us // SECOND_US
        match self.kind:
            case "per_turn":
                return game_pb2.TimeControl(per_turn=game_pb2.PerTurn(seconds=seconds))
            case "per_game":
                increment = self.increment_us // SECOND_US
                stock = game_pb2.PerGame(initial_seconds=seconds, increment_seconds=increment)
                return game_pb2.TimeControl(per_game=stock)
        return game_pb2.TimeControl(correspondence=game_pb2.Correspondence(days=self.initial_us // DAY_US))


class Clock(Struct, frozen=True):
    """The clock of a seat: what is left, and for which decision it runs since when; 0 while it stands still.

    `charged_us` is all that it has been charged, what was given back taken off.
    """

    left_us: int
    decision_id: int = 0
    since_us: int = 0
    charged_us: int = 0

    def reading(self, now_us: int) -> int:
        """What it shows; below 0 once the time is over."""
        return self.left_us - max(now_us - self.since_us, 0) if self.decision_id else self.left_us

    @property
    def deadline_us(self) -> int | None:
        """When the time is over, if it goes on running; None while it stands still."""
        return self.since_us + self.left_us if self.decision_id else None


Clocks = tuple[Clock, ...]
"""A clock for each seat; empty without a control."""


def new(control: Control | None, seats: int) -> Clocks:
    """The clocks before the start."""
    return (Clock(control.initial_us),) * seats if control else ()


def advance(control: Control | None, clocks: Clocks, owed: Iterable[Owed], now_us: int) -> Clocks:
    """The clocks after a commit at `now_us`, when the seats of `owed` are those whose players are to answer."""
    if control is None:
        return clocks
    due = {each.seat: each.decision_id for each in owed}
    return tuple(_advanced(control, clock, due.get(seat, 0), now_us) for seat, clock in enumerate(clocks))


def _advanced(control: Control, clock: Clock, decision_id: int, now_us: int) -> Clock:
    left, charged = clock.left_us, clock.charged_us
    if clock.decision_id:
        elapsed = max(now_us - clock.since_us, 0)
        # A clock does not fall below 0: what comes late but before the turn is resolved still counts.
        left, charged = max(left - elapsed, 0), charged + elapsed
        if clock.decision_id == decision_id:
            return Clock(left, decision_id, max(now_us, clock.since_us), charged)
        left += control.increment_us
    if decision_id and control.anew:
        left = control.initial_us
    return Clock(left, decision_id, now_us if decision_id else 0, charged)


Span = tuple[int, int]
"""A time, from when until when."""


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same times, the earliest first, so that none touches another."""
    result: list[Span] = []
    for since, until in sorted(spans):
        if result and since <= result[-1][1]:
            result[-1] = (result[-1][0], max(until, result[-1][1]))
        else:
            result.append((since, until))
    return result


def credits(clocks: Clocks, spans: Iterable[Span]) -> dict[int, int]:
    """What each clock that runs is to be given back for times of no service: as much of them as fell into its time.

    Once the commit that gives it back has advanced the clocks there is nothing left to give for the same times.
    """
    spans = merged(spans)
    due = {
        seat: sum(max(until - max(since, clock.since_us), 0) for since, until in spans)
        for seat, clock in enumerate(clocks)
        if clock.decision_id
    }
    return {seat: us for seat, us in due.items() if us}


def credit(clocks: Clocks, seat: int, us: int) -> Clocks:
    """Gives time back to a clock."""
    clock = clocks[seat]
    return _replaced(clocks, seat, structs.replace(clock, left_us=clock.left_us + us, charged_us=clock.charged_us - us))


def returned(clocks: Clocks, seat: int) -> Clocks:
    """Somebody has come back to a seat, and is not to be found absent again at once."""
    if not clocks:
        return clocks
    clock = clocks[seat]
    return _replaced(clocks, seat, structs.replace(clock, left_us=max(clock.left_us, RETURN_US)))


def reading(clocks: Clocks, seat: int, now_us: int) -> int | None:
    """What the clock of a seat shows, at most 0 once its time is over; None if no clock runs for it."""
    return clocks[seat].reading(now_us) if clocks and clocks[seat].decision_id else None


def earliest(clocks: Sequence[Clock]) -> int | None:
    """When the time of the first seat is over, of those whose clocks run."""
    return min((each.deadline_us for each in clocks if each.deadline_us is not None), default=None)


def _replaced(clocks: Clocks, seat: int, clock: Clock) -> Clocks:
    return (*clocks[:seat], clock, *clocks[seat + 1 :])
