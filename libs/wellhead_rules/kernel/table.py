"""The table around a game: seats are taken, the game starts, is played, is scored, and closes.

A `Table` is the aggregate behind one stream. Every command has one function here; it works on a clone and returns a
`Step`, so that a service can throw the step away if the append fails, and a verifier can compare it with the log.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from msgspec import Struct

from wellhead.v1 import game_pb2, log_pb2
from wellhead_rules.kernel import clocks
from wellhead_rules.kernel.absence import RESIGNED, Policy
from wellhead_rules.kernel.chance import Chance, commitment, draw_key
from wellhead_rules.kernel.clocks import Clocks, Control
from wellhead_rules.kernel.programmes import Programme, Stop, Verdict, verdict
from wellhead_rules.kernel.ruleset import FINAL, Command, Event, GameState, Owed, PackInfo, Ruleset
from wellhead_rules.kernel.scores import Rank, ScoreCard, ScoreLine
from wellhead_rules.kernel.stretch import Undoing
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation


class Status(IntEnum):
    """How far a game is; number for number `wellhead.v1.GameStatus`."""

    OPEN = 1
    RUNNING = 2
    SCORING = 3
    ENDED = 4
    ABORTED = 5
    ABANDONED = 6

    @property
    def over(self) -> bool:
        """The game has come to its end, with a score or without: its seed is published, everybody may look."""
        return self in (Status.ENDED, Status.ABORTED)

    @property
    def final(self) -> bool:
        """Nothing will ever follow: the game is over, or will never start."""
        return self.over or self is Status.ABANDONED


class Spectating(IntEnum):
    """Who may look on; number for number `wellhead.v1.Spectating`."""

    EVERYBODY = 1
    SIGNED_IN = 2
    SEATS = 3

    @classmethod
    def of(cls, number: int) -> "Spectating":
        """What a message says; nothing said means everybody. ValueError for what is not known here."""
        return cls(number or cls.EVERYBODY)


class SeatHolder(Struct, frozen=True):
    """Who holds a seat, the colour asked for ("" for any), and the seat's own contribution to the draws."""

    player: str
    colour: str = ""
    nonce: bytes = b""


class Table:
    """State of one table. `game` is the ruleset's own state, None until the game has started."""

    __slots__ = (
        "abandoned", "aborted", "absent", "clocks", "control", "created_us", "creator", "credits", "draws",
        "first_round_over", "game", "game_id", "key_id", "options", "pack", "policy", "private", "programme_facts",
        "programmes", "ranking", "rematch_of", "reserved", "revision", "round", "rules_version", "ruleset", "seats",
        "seed_commitment", "spectating", "start_when_full", "started", "undoing", "updated_us",
    )  # fmt: skip

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.revision = 0
        self.ruleset: Ruleset
        self.rules_version = ""
        self.pack = PackInfo("", "", "")
        self.options: Mapping[str, str] = {}
        self.seats: tuple[SeatHolder | None, ...] = ()
        self.seed_commitment = b""
        self.key_id = ""
        self.creator = ""
        self.spectating = Spectating.EVERYBODY
        self.private = False
        self.start_when_full = False
        self.rematch_of = ""
        self.reserved: tuple[str, ...] = ()
        """For whom each seat is kept while it is free, "" for nobody."""
        self.abandoned = False
        self.started = False
        self.game: GameState = None
        self.draws = 0
        self.ranking: tuple[Rank, ...] = ()
        self.control: Control | None = None
        self.policy = Policy()
        self.clocks: Clocks = ()
        self.absent: Mapping[int, str] = {}
        """Seats whose players do not decide for them: the bot that plays each, or RESIGNED."""
        self.first_round_over = False
        self.aborted = False
        self.credits = 0
        """Commits that gave time back."""
        self.created_us = 0
        self.updated_us = 0
        self.undoing = Undoing()
        self.round = 0
        """The latest round that has begun."""
        self.programmes: Mapping[int, Programme] = {}
        """The programmes that stand, by seat."""
        self.programme_facts = 0
        """How often one has been set or has stopped."""

    def clone(self) -> "Table":
        """A copy that shares nothing mutable."""
        copy = Table.__new__(Table)
        for name in Table.__slots__:
            if hasattr(self, name):
                setattr(copy, name, getattr(self, name))
        if self.game is not None:
            copy.game = self.ruleset.clone(self.game)
        return copy

    @property
    def status(self) -> Status:
        """How far the game is."""
        if not self.started:
            return Status.ABANDONED if self.abandoned else Status.OPEN
        if self.aborted:
            return Status.ABORTED
        if self.ruleset.ended(self.game):
            return Status.ENDED
        return Status.RUNNING if self.ruleset.decisions(self.game) else Status.SCORING

    @property
    def full(self) -> bool:
        """Every seat is taken."""
        return None not in self.seats

    @property
    def owed(self) -> Sequence[Owed]:
        """The decisions owed now."""
        return self.ruleset.decisions(self.game) if self.started and not self.aborted else ()

    def programmed(self, seat: int) -> Verdict | None:
        """What is due by the programme of a seat; None for nothing, and while the seats talk about taking back."""
        programme = self.programmes.get(seat)
        if programme is None or self.undoing.asked is not None or self.status is not Status.RUNNING:
            return None
        return verdict(programme, self.ruleset, self.game, self.owed, self.round)

    @property
    def programmes_due(self) -> Sequence[Programme]:
        """The programmes by which something is due, by seat."""
        return [each for seat, each in sorted(self.programmes.items()) if self.programmed(seat) is not None]

    @property
    def due_us(self) -> int | None:
        """When the clock or a programme has to decide for a seat, if no commit comes before; None for never."""
        if self.programmes_due:
            return self.updated_us
        if self.absent and any(each.seat in self.absent for each in self.owed):
            return self.updated_us
        return clocks.earliest(self.clocks)

    @property
    def scoring_due(self) -> Sequence[int]:
        """Rounds whose award is due; [FINAL] when only the final score is missing."""
        return self.ruleset.scoring_due(self.game) if self.started and not self.aborted else ()

    def fold_table_event(self, event: log_pb2.TableEvent, registry: Mapping[str, Ruleset]) -> None:
        """Folds one fact about the table."""
        kind = event.WhichOneof("kind")
        if kind is None:
            raise CorruptRecord(self.revision, "a table event of a kind that this version does not know")
        _FOLD[kind](self, getattr(event, kind), registry)

    def pass_time(self, time_us: int, facts: Sequence[Event]) -> None:
        """The last of a commit: what its time means for the clocks, and whether the first round is over."""
        if facts and not self.first_round_over:
            self.first_round_over = any(self.ruleset.round_over(fact) is not None for fact in facts)
        for fact in facts:
            self.round = self.ruleset.round_begun(fact) or self.round
        if self.clocks:
            awaited = [each for each in self.owed if each.seat not in self.absent]
            self.clocks = clocks.advance(self.control, self.clocks, awaited, time_us)


class Step(Struct):
    """What a command has done: the table afterwards and the facts, not yet stored anywhere.

    `command` is the player's command, None if it was another kind of command; `before` is the game before it.
    `expiry` says how the clock has resolved a decision, if it has; `command` is then what it has answered for the seat.
    `programmed` says the same of a programme.
    """

    table: Table
    table_events: list[log_pb2.TableEvent] = []
    events: list[Event] = []
    draw_bounds: list[int] = []
    command: Command | None = None
    before: GameState = None
    expiry: log_pb2.Expiry | None = None
    programmed: log_pb2.Programmed | None = None

    @property
    def mark(self) -> str:
        """The word for the feed: what a consumer may want to pick out."""
        if self.table.status.over:
            return "ended"
        return "scoring_due" if self.table.scoring_due else ""


# -- commands --------------------------------------------------------------------------------------------------


def open_table(
    game_id: str,
    command: log_pb2.OpenTable,
    creator: str,
    registry: Mapping[str, Ruleset],
    seed: bytes,
    key_id: str,
) -> Step:
    """A new table. Codes: UNKNOWN_GAME_KIND, BAD_PLAYER_COUNT, UNKNOWN_CONTENT, NO_FREE_SEAT, those of the ruleset's
    options, and those of taking seats and inviting players."""
    ruleset = registry.get(command.game)
    if ruleset is None:
        raise RuleViolation(
            "UNKNOWN_GAME_KIND", "", f"there is no game {command.game!r}; there is {', '.join(registry)}"
        )
    if command.seat_count not in ruleset.seat_counts:
        bounds = f"{ruleset.seat_counts[0]} to {ruleset.seat_counts[-1]}"
        raise RuleViolation("BAD_PLAYER_COUNT", "", f"{ruleset.name} takes {bounds} players, not {command.seat_count}")
    pack = _wanted_pack(ruleset, command.content_pack)
    step = Step(Table(game_id), [], [], [])
    opened = log_pb2.TableOpened(
        game=ruleset.name,
        rules_version=ruleset.version,
        content_pack=game_pb2.ContentPack(id=pack.id, version=pack.version, digest=pack.digest),
        seat_count=command.seat_count,
        options=ruleset.options(command.options, command.seat_count),
        seed_commitment=commitment(seed, game_id),
        key_id=key_id,
        creator=creator,
        spectating=command.spectating,
        time_control=command.time_control if command.HasField("time_control") else None,
        absence_policy=command.absence_policy if command.HasField("absence_policy") else None,
        private=command.private,
        start_when_full=command.start_when_full,
        rematch_of=command.rematch_of,
    )
    record(step, registry, table_opened=opened)
    if len(command.seats) > command.seat_count:
        raise RuleViolation("NO_FREE_SEAT", "", f"{len(command.seats)} players for {command.seat_count} seats")
    for seat in command.seats:
        _seat_player(step, seat, registry)
    for invitation in command.invitations:
        _reserve(step, invitation, registry)
    return _started_when_full(step, registry, seed)


def take_seat(table: Table, command: log_pb2.TakeSeat, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    """A seat is taken; if it is the last one of a table that starts when full, the game starts and is set up.

    Codes: GAME_STARTED, TABLE_ABANDONED, UNKNOWN_SEAT, SEAT_TAKEN, SEAT_RESERVED, INVITATION_NEEDED, DUPLICATE_PLAYER,
    and those of the colours.
    """
    _seat_of_open_table(table, command.seat)
    _require_welcome(table, command)
    step = step_of(table)
    _seat_player(step, command, registry)
    return _started_when_full(step, registry, seed)


def invite_player(table: Table, command: game_pb2.Invitation, registry: Mapping[str, Ruleset]) -> Step:
    """A seat is kept for a player. Codes: GAME_STARTED, TABLE_ABANDONED, UNKNOWN_SEAT, SEAT_TAKEN, SEAT_RESERVED,
    DUPLICATE_PLAYER."""
    step = step_of(table)
    _reserve(step, command, registry)
    return step


def withdraw_invitation(table: Table, command: log_pb2.WithdrawInvitation, registry: Mapping[str, Ruleset]) -> Step:
    """A seat is kept for nobody any longer. Codes: GAME_STARTED, TABLE_ABANDONED, UNKNOWN_SEAT, NO_INVITATION."""
    _seat_of_open_table(table, command.seat)
    player = table.reserved[command.seat]
    if not player:
        raise RuleViolation("NO_INVITATION", "", f"seat {command.seat} is kept for nobody")
    step = step_of(table)
    record(step, registry, invitation_withdrawn=log_pb2.InvitationWithdrawn(seat=command.seat, player=player))
    return step


def close_table(table: Table, registry: Mapping[str, Ruleset]) -> Step:
    """A table whose game has not started is closed for good. Codes: GAME_STARTED, TABLE_ABANDONED."""
    _require_open(table)
    step = step_of(table)
    record(step, registry, table_abandoned=log_pb2.TableAbandoned())
    return step


def leave_seat(table: Table, command: log_pb2.LeaveSeat, registry: Mapping[str, Ruleset]) -> Step:
    """A seat is given back. Codes: GAME_STARTED, TABLE_ABANDONED, UNKNOWN_SEAT, SEAT_FREE."""
    step = step_of(table)
    _seat_of_open_table(step.table, command.seat)
    if step.table.seats[command.seat] is None:
        raise RuleViolation("SEAT_FREE", "", f"nobody holds seat {command.seat}")
    record(step, registry, seat_left=log_pb2.SeatLeft(seat=command.seat))
    return step


def start_game(table: Table, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    """The game starts and is set up. Codes: GAME_STARTED, TABLE_ABANDONED, SEATS_MISSING."""
    _require_open(table)
    missing = [str(seat) for seat, holder in enumerate(table.seats) if holder is None]
    if missing:
        raise RuleViolation("SEATS_MISSING", "", f"nobody holds seat {', '.join(missing)}")
    return _start(step_of(table), registry, seed)


def answer(table: Table, seat: int, decision_id: int, command: Command, seed: bytes) -> Step:
    """A player answers a decision, or acts at any time; it brings them back if they were away, and stops
    their programme.

    Codes: GAME_NOT_STARTED, GAME_OVER, SEAT_RESIGNED, and those of the ruleset.
    """
    require_playing(table)
    if table.absent.get(seat) == RESIGNED:
        raise RuleViolation("SEAT_RESIGNED", "", f"seat {seat} has resigned")
    step = step_of(table)
    step.command = command
    if seat in table.absent:
        record(step, {}, seat_returned=log_pb2.SeatReturned(seat=seat))
    stop_programme_of(step, seat, Stop.OWN_COMMAND)
    step.before = table.game
    return with_chance(
        step, seed, lambda chance: table.ruleset.play(step.table.game, seat, decision_id, command, chance)
    )


def record_award(table: Table, round: int, lines: Sequence[ScoreLine]) -> Step:
    """The award of a round is recorded. Codes: GAME_NOT_STARTED, SCORE_NOT_DUE, SCORE_DIFFERS."""
    _require_due(table, round)
    step = step_of(table)
    step.events = step.table.ruleset.record_award(step.table.game, round, lines)
    return step


def record_final(table: Table, card: ScoreCard, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    """The final score is recorded, the seed is published. Codes: GAME_NOT_STARTED, SCORE_NOT_DUE, SCORE_DIFFERS."""
    _require_due(table, FINAL)
    step = step_of(table)
    step.events = step.table.ruleset.record_final(step.table.game, card)
    step.table.ranking = card.ranking
    record(step, registry, game_closed=log_pb2.GameClosed(seed=seed))
    return step


def stop_programme_of(step: Step, seat: int, cause: Stop) -> None:
    """The programme of the seat stops with this step, if one stands."""
    if seat in step.table.programmes:
        stopped = log_pb2.ProgrammeStopped(seat=seat, cause=int(cause))  # type: ignore[arg-type]
        record(step, {}, programme_stopped=stopped)


# -- helpers ---------------------------------------------------------------------------------------------------


def step_of(table: Table) -> Step:
    """A step that has done nothing yet."""
    return Step(table.clone(), [], [], [])


def with_chance(step: Step, seed: bytes, act: Callable[[Chance], list[Event]]) -> Step:
    """The step after its game has acted on the draws that come next."""
    table = step.table
    nonces = [holder.nonce for holder in table.seats if holder is not None]
    chance = Chance(draw_key(seed, table.game_id, nonces), table.draws)
    step.events = act(chance)
    step.draw_bounds = [draw.bound for draw in chance.draws]
    table.draws = chance.counter
    return step


def record(step: Step, registry: Mapping[str, Ruleset], **kind: Any) -> None:
    """Folds a fact about the table and adds it to the step."""
    event = log_pb2.TableEvent(**kind)
    step.table.fold_table_event(event, registry)
    step.table_events.append(event)


def _wanted_pack(ruleset: Ruleset, wanted: Any) -> PackInfo:
    packs = ruleset.packs()
    pack = packs.get(wanted.id) if wanted.id else next(iter(packs.values()))
    if pack is None:
        raise RuleViolation(
            "UNKNOWN_CONTENT", "", f"there is no content pack {wanted.id!r}; there is {', '.join(packs)}"
        )
    if wanted.version and wanted.version != pack.version:
        raise RuleViolation("UNKNOWN_CONTENT", "", f"{pack.id} is at version {pack.version}, not {wanted.version}")
    if wanted.digest and wanted.digest != pack.digest:
        raise RuleViolation("UNKNOWN_CONTENT", "", f"{pack.id} {pack.version} has digest {pack.digest}")
    return pack


def _start(step: Step, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    record(step, registry, game_started=log_pb2.GameStarted())
    return with_chance(step, seed, lambda chance: step.table.ruleset.begin(step.table.game, chance))


def _started_when_full(step: Step, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    return _start(step, registry, seed) if step.table.start_when_full and step.table.full else step


def _require_open(table: Table) -> None:
    if table.started:
        raise RuleViolation("GAME_STARTED", "", "the game has started; the table stays as it is")
    if table.abandoned:
        raise RuleViolation("TABLE_ABANDONED", "", "the table is closed")


def _require_welcome(table: Table, command: log_pb2.TakeSeat) -> None:
    """A seat that is kept is its player's; a private table is open to whoever is invited, is let in, or opened it."""
    kept_for = table.reserved[command.seat]
    if kept_for and kept_for != command.player:
        raise RuleViolation("SEAT_RESERVED", "", f"seat {command.seat} is kept for another player")
    known = command.player in (table.creator, *table.reserved)
    if table.private and not (known or command.admitted):
        raise RuleViolation("INVITATION_NEEDED", "", "the table is private: its seats are for those who are invited")


def _seat_of_open_table(table: Table, seat: int) -> None:
    _require_open(table)
    if seat >= len(table.seats):
        raise RuleViolation("UNKNOWN_SEAT", "", f"the table has seats 0 to {len(table.seats) - 1}")


def _seat_player(step: Step, command: log_pb2.TakeSeat, registry: Mapping[str, Ruleset]) -> None:
    table = step.table
    _seat_of_open_table(table, command.seat)
    if table.seats[command.seat] is not None:
        raise RuleViolation("SEAT_TAKEN", "", f"seat {command.seat} is taken")
    holders = [holder for holder in table.seats if holder is not None]
    _require_new(table, command.player)
    table.ruleset.colours([*(holder.colour for holder in holders), command.colour])
    taken = log_pb2.SeatTaken(seat=command.seat, player=command.player, colour=command.colour, nonce=command.nonce)
    record(step, registry, seat_taken=taken)


def _reserve(step: Step, command: game_pb2.Invitation, registry: Mapping[str, Ruleset]) -> None:
    table = step.table
    _seat_of_open_table(table, command.seat)
    if table.seats[command.seat] is not None:
        raise RuleViolation("SEAT_TAKEN", "", f"seat {command.seat} is taken")
    if table.reserved[command.seat]:
        raise RuleViolation("SEAT_RESERVED", "", f"seat {command.seat} is kept for a player already")
    _require_new(table, command.player)
    if command.player in table.reserved:
        raise RuleViolation("DUPLICATE_PLAYER", "", f"{command.player!r} is invited to this table already")
    record(step, registry, seat_reserved=log_pb2.SeatReserved(seat=command.seat, player=command.player))


def _require_new(table: Table, player: str) -> None:
    if any(holder is not None and holder.player == player for holder in table.seats):
        raise RuleViolation("DUPLICATE_PLAYER", "", f"{player!r} sits at this table already")


def _require_started(table: Table) -> None:
    if not table.started:
        raise RuleViolation("GAME_NOT_STARTED", "", "the game has not started")


def require_playing(table: Table) -> None:
    """GAME_NOT_STARTED or GAME_OVER unless the game runs."""
    _require_started(table)
    if table.aborted:
        raise RuleViolation("GAME_OVER", "", "the game has been broken off")


def require_player(table: Table, seat: int) -> None:
    """GAME_NOT_STARTED, GAME_OVER once play is over, SEAT_RESIGNED: the rest is for players who are still in."""
    require_playing(table)
    if table.status is not Status.RUNNING:
        raise RuleViolation("GAME_OVER", "", "play is over")
    if table.absent.get(seat) == RESIGNED:
        raise RuleViolation("SEAT_RESIGNED", "", f"seat {seat} has resigned")


def _require_due(table: Table, round: int) -> None:
    _require_started(table)
    if round not in table.scoring_due:
        what = "the final score" if round == FINAL else f"the award of round {round}"
        raise RuleViolation("SCORE_NOT_DUE", "", f"{what} is not due")


# -- folding ---------------------------------------------------------------------------------------------------


def _opened(table: Table, event: log_pb2.TableOpened, registry: Mapping[str, Ruleset]) -> None:
    ruleset = registry.get(event.game)
    if ruleset is None:
        raise CorruptRecord(table.revision, f"the game {event.game!r} is not known here")
    pack = ruleset.packs().get(event.content_pack.id)
    if pack is None or pack.digest != event.content_pack.digest:
        raise CorruptRecord(
            table.revision,
            f"content pack {event.content_pack.id} with digest {event.content_pack.digest} is not at hand",
        )
    table.ruleset = ruleset
    table.rules_version = event.rules_version
    table.pack = pack
    table.options = dict(event.options)
    table.seats = (None,) * event.seat_count
    table.reserved = ("",) * event.seat_count
    table.private = event.private
    table.start_when_full = event.start_when_full
    table.rematch_of = event.rematch_of
    table.seed_commitment = event.seed_commitment
    table.key_id = event.key_id
    table.creator = event.creator
    table.control = Control.of(event.time_control)
    table.policy = Policy.of(event.absence_policy)
    try:
        table.spectating = Spectating.of(event.spectating)
    except ValueError:
        raise CorruptRecord(table.revision, f"this version knows no spectating {event.spectating}") from None


def _taken(table: Table, event: log_pb2.SeatTaken, registry: Mapping[str, Ruleset]) -> None:
    holder = SeatHolder(event.player, event.colour, event.nonce)
    table.seats = (*table.seats[: event.seat], holder, *table.seats[event.seat + 1 :])
    # Whoever sits down needs their invitation no more, wherever it was to.
    table.reserved = tuple(
        "" if seat == event.seat or player == event.player else player for seat, player in enumerate(table.reserved)
    )


def _left(table: Table, event: log_pb2.SeatLeft, registry: Mapping[str, Ruleset]) -> None:
    table.seats = (*table.seats[: event.seat], None, *table.seats[event.seat + 1 :])


def _reserved(table: Table, event: log_pb2.SeatReserved, registry: Mapping[str, Ruleset]) -> None:
    table.reserved = (*table.reserved[: event.seat], event.player, *table.reserved[event.seat + 1 :])


def _withdrawn(table: Table, event: log_pb2.InvitationWithdrawn, registry: Mapping[str, Ruleset]) -> None:
    table.reserved = (*table.reserved[: event.seat], "", *table.reserved[event.seat + 1 :])


def _abandoned(table: Table, event: log_pb2.TableAbandoned, registry: Mapping[str, Ruleset]) -> None:
    table.abandoned = True
    table.reserved = ("",) * len(table.reserved)


def _started(table: Table, event: log_pb2.GameStarted, registry: Mapping[str, Ruleset]) -> None:
    table.started = True
    table.clocks = clocks.new(table.control, len(table.seats))
    colours = table.ruleset.colours([holder.colour if holder else "" for holder in table.seats])
    table.game = table.ruleset.new(table.pack.id, table.options, colours)


def _resigned(table: Table, event: log_pb2.SeatResigned, registry: Mapping[str, Ruleset]) -> None:
    table.absent = {**table.absent, event.seat: RESIGNED}


def _taken_over(table: Table, event: log_pb2.SeatTakenOver, registry: Mapping[str, Ruleset]) -> None:
    table.absent = {**table.absent, event.seat: event.bot}


def _returned(table: Table, event: log_pb2.SeatReturned, registry: Mapping[str, Ruleset]) -> None:
    table.absent = {seat: bot for seat, bot in table.absent.items() if seat != event.seat}
    table.clocks = clocks.returned(table.clocks, event.seat)


def _aborted(table: Table, event: log_pb2.GameAborted, registry: Mapping[str, Ruleset]) -> None:
    table.aborted = True


def _credited(table: Table, event: log_pb2.ClockCredited, registry: Mapping[str, Ruleset]) -> None:
    for each in event.seats:
        table.clocks = clocks.credit(table.clocks, each.seat, each.us)
    table.credits += 1


def _closed(table: Table, event: log_pb2.GameClosed, registry: Mapping[str, Ruleset]) -> None:
    pass


def _undo_requested(table: Table, event: log_pb2.UndoRequested, registry: Mapping[str, Ruleset]) -> None:
    table.undoing = table.undoing.requested(event.seat, event.target_revision)


def _undo_answered(table: Table, event: log_pb2.UndoAnswered, registry: Mapping[str, Ruleset]) -> None:
    table.undoing = table.undoing.answered(event.seat, event.agree)


def _undone(table: Table, event: log_pb2.Undone, registry: Mapping[str, Ruleset]) -> None:
    stretch = table.undoing.stretch
    place = stretch.place(event.target_revision) if stretch is not None else None
    if stretch is None or place is None:
        raise CorruptRecord(table.revision, f"the game cannot go back to revision {event.target_revision}")
    if any(table.ruleset.round_over(fact) == 1 for facts in stretch.facts[place:] for fact in facts):
        table.first_round_over = False
    begun = [table.ruleset.round_begun(fact) for facts in stretch.facts[place:] for fact in facts]
    table.round = min([round - 1 for round in begun if round is not None], default=table.round)
    table.game = stretch.game_at(place, table.ruleset)
    table.undoing = table.undoing.undone(place)


def _programme_set(table: Table, event: game_pb2.Programme, registry: Mapping[str, Ruleset]) -> None:
    table.programmes = {**table.programmes, event.seat: Programme.of(event)}
    table.programme_facts += 1


def _programme_stopped(table: Table, event: log_pb2.ProgrammeStopped, registry: Mapping[str, Ruleset]) -> None:
    table.programmes = {seat: each for seat, each in table.programmes.items() if seat != event.seat}
    table.programme_facts += 1


_FOLD: dict[str, Callable[[Table, Any, Mapping[str, Ruleset]], None]] = {
    "table_opened": _opened,
    "seat_taken": _taken,
    "seat_left": _left,
    "game_started": _started,
    "game_closed": _closed,
    "seat_taken_over": _taken_over,
    "seat_returned": _returned,
    "seat_resigned": _resigned,
    "game_aborted": _aborted,
    "clock_credited": _credited,
    "undo_requested": _undo_requested,
    "undo_answered": _undo_answered,
    "undone": _undone,
    "seat_reserved": _reserved,
    "invitation_withdrawn": _withdrawn,
    "table_abandoned": _abandoned,
    "programme_set": _programme_set,
    "programme_stopped": _programme_stopped,
}
