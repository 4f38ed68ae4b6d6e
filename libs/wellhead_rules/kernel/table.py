"""The table around a game: seats are taken, the game starts, is played, is scored, and closes.

A `Table` is the aggregate behind one stream. Every command has one function here; it works on a clone and returns a
`Step`, so that a service can throw the step away if the append fails, and a verifier can compare it with the log.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from msgspec import Struct

from wellhead.v1 import game_pb2, log_pb2
from wellhead_rules.kernel.chance import Chance, commitment, draw_key
from wellhead_rules.kernel.ruleset import FINAL, Command, Event, GameState, Owed, PackInfo, Ruleset
from wellhead_rules.kernel.scores import Rank, ScoreCard, ScoreLine
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation


class Status(IntEnum):
    """How far a game is; number for number `wellhead.v1.GameStatus`."""

    OPEN = 1
    RUNNING = 2
    SCORING = 3
    ENDED = 4


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
        "created_us", "creator", "draws", "game", "game_id", "key_id", "options", "pack", "ranking", "revision",
        "rules_version", "ruleset", "seats", "seed_commitment", "spectating", "started", "updated_us",
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
        self.started = False
        self.game: GameState = None
        self.draws = 0
        self.ranking: tuple[Rank, ...] = ()
        self.created_us = 0
        self.updated_us = 0

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
            return Status.OPEN
        if self.ruleset.ended(self.game):
            return Status.ENDED
        return Status.RUNNING if self.ruleset.decisions(self.game) else Status.SCORING

    @property
    def owed(self) -> Sequence[Owed]:
        """The decisions owed now."""
        return self.ruleset.decisions(self.game) if self.started else ()

    @property
    def scoring_due(self) -> Sequence[int]:
        """Rounds whose award is due; [FINAL] when only the final score is missing."""
        return self.ruleset.scoring_due(self.game) if self.started else ()

    def fold_table_event(self, event: log_pb2.TableEvent, registry: Mapping[str, Ruleset]) -> None:
        """Folds one fact about the table."""
        kind = event.WhichOneof("kind")
        if kind is None:
            raise CorruptRecord(self.revision, "a table event of a kind that this version does not know")
        _FOLD[kind](self, getattr(event, kind), registry)


class Step(Struct):
    """What a command has done: the table afterwards and the facts, not yet stored anywhere.

    `command` is the player's command, None if it was another kind of command.
    """

    table: Table
    table_events: list[log_pb2.TableEvent] = []
    events: list[Event] = []
    draw_bounds: list[int] = []
    command: Command | None = None

    @property
    def mark(self) -> str:
        """The word for the feed: what a consumer may want to pick out."""
        if self.table.status is Status.ENDED:
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
    """A new table. Codes: UNKNOWN_GAME_KIND, BAD_PLAYER_COUNT, UNKNOWN_CONTENT, and those of the ruleset's options."""
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
    )
    _record(step, registry, table_opened=opened)
    if len(command.seats) > command.seat_count:
        raise RuleViolation("NO_FREE_SEAT", "", f"{len(command.seats)} players for {command.seat_count} seats")
    for seat in command.seats:
        _seat_player(step, seat, registry)
    return step


def take_seat(table: Table, command: log_pb2.TakeSeat, registry: Mapping[str, Ruleset]) -> Step:
    """A seat is taken. Codes: GAME_STARTED, UNKNOWN_SEAT, SEAT_TAKEN, DUPLICATE_PLAYER, and those of the colours."""
    step = _step(table)
    _seat_player(step, command, registry)
    return step


def leave_seat(table: Table, command: log_pb2.LeaveSeat, registry: Mapping[str, Ruleset]) -> Step:
    """A seat is given back. Codes: GAME_STARTED, UNKNOWN_SEAT, SEAT_FREE."""
    step = _step(table)
    _seat_of_open_table(step.table, command.seat)
    if step.table.seats[command.seat] is None:
        raise RuleViolation("SEAT_FREE", "", f"nobody holds seat {command.seat}")
    _record(step, registry, seat_left=log_pb2.SeatLeft(seat=command.seat))
    return step


def start_game(table: Table, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    """The game starts and is set up. Codes: GAME_STARTED, SEATS_MISSING."""
    if table.started:
        raise RuleViolation("GAME_STARTED", "", "the game has started already")
    missing = [str(seat) for seat, holder in enumerate(table.seats) if holder is None]
    if missing:
        raise RuleViolation("SEATS_MISSING", "", f"nobody holds seat {', '.join(missing)}")
    step = _step(table)
    _record(step, registry, game_started=log_pb2.GameStarted())
    return _with_chance(step, seed, lambda chance: table.ruleset.begin(step.table.game, chance))


def answer(table: Table, seat: int, decision_id: int, command: Command, seed: bytes) -> Step:
    """A player answers a decision, or acts at any time. Codes: GAME_NOT_STARTED, and those of the ruleset."""
    _require_started(table)
    step = _step(table)
    step.command = command
    return _with_chance(
        step, seed, lambda chance: table.ruleset.play(step.table.game, seat, decision_id, command, chance)
    )


def record_award(table: Table, round: int, lines: Sequence[ScoreLine]) -> Step:
    """The award of a round is recorded. Codes: GAME_NOT_STARTED, SCORE_NOT_DUE, SCORE_DIFFERS."""
    _require_due(table, round)
    step = _step(table)
    step.events = step.table.ruleset.record_award(step.table.game, round, lines)
    return step


def record_final(table: Table, card: ScoreCard, registry: Mapping[str, Ruleset], seed: bytes) -> Step:
    """The final score is recorded, the seed is published. Codes: GAME_NOT_STARTED, SCORE_NOT_DUE, SCORE_DIFFERS."""
    _require_due(table, FINAL)
    step = _step(table)
    step.events = step.table.ruleset.record_final(step.table.game, card)
    step.table.ranking = card.ranking
    _record(step, registry, game_closed=log_pb2.GameClosed(seed=seed))
    return step


# -- helpers ---------------------------------------------------------------------------------------------------


def _step(table: Table) -> Step:
    return Step(table.clone(), [], [], [])


def _with_chance(step: Step, seed: bytes, act: Callable[[Chance], list[Event]]) -> Step:
    table = step.table
    nonces = [holder.nonce for holder in table.seats if holder is not None]
    chance = Chance(draw_key(seed, table.game_id, nonces), table.draws)
    step.events = act(chance)
    step.draw_bounds = [draw.bound for draw in chance.draws]
    table.draws = chance.counter
    return step


def _record(step: Step, registry: Mapping[str, Ruleset], **kind: Any) -> None:
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


def _seat_of_open_table(table: Table, seat: int) -> None:
    if table.started:
        raise RuleViolation("GAME_STARTED", "", "the game has started; seats stay as they are")
    if seat >= len(table.seats):
        raise RuleViolation("UNKNOWN_SEAT", "", f"the table has seats 0 to {len(table.seats) - 1}")


def _seat_player(step: Step, command: log_pb2.TakeSeat, registry: Mapping[str, Ruleset]) -> None:
    table = step.table
    _seat_of_open_table(table, command.seat)
    if table.seats[command.seat] is not None:
        raise RuleViolation("SEAT_TAKEN", "", f"seat {command.seat} is taken")
    holders = [holder for holder in table.seats if holder is not None]
    if any(holder.player == command.player for holder in holders):
        raise RuleViolation("DUPLICATE_PLAYER", "", f"{command.player!r} sits at this table already")
    table.ruleset.colours([*(holder.colour for holder in holders), command.colour])
    taken = log_pb2.SeatTaken(seat=command.seat, player=command.player, colour=command.colour, nonce=command.nonce)
    _record(step, registry, seat_taken=taken)


def _require_started(table: Table) -> None:
    if not table.started:
        raise RuleViolation("GAME_NOT_STARTED", "", "the game has not started")


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
    table.seed_commitment = event.seed_commitment
    table.key_id = event.key_id
    table.creator = event.creator
    try:
        table.spectating = Spectating.of(event.spectating)
    except ValueError:
        raise CorruptRecord(table.revision, f"this version knows no spectating {event.spectating}") from None


def _taken(table: Table, event: log_pb2.SeatTaken, registry: Mapping[str, Ruleset]) -> None:
    holder = SeatHolder(event.player, event.colour, event.nonce)
    table.seats = (*table.seats[: event.seat], holder, *table.seats[event.seat + 1 :])


def _left(table: Table, event: log_pb2.SeatLeft, registry: Mapping[str, Ruleset]) -> None:
    table.seats = (*table.seats[: event.seat], None, *table.seats[event.seat + 1 :])


def _started(table: Table, event: log_pb2.GameStarted, registry: Mapping[str, Ruleset]) -> None:
    table.started = True
    colours = table.ruleset.colours([holder.colour if holder else "" for holder in table.seats])
    table.game = table.ruleset.new(table.pack.id, table.options, colours)


def _closed(table: Table, event: log_pb2.GameClosed, registry: Mapping[str, Ruleset]) -> None:
    pass


_FOLD: dict[str, Callable[[Table, Any, Mapping[str, Ruleset]], None]] = {
    "table_opened": _opened,
    "seat_taken": _taken,
    "seat_left": _left,
    "game_started": _started,
    "game_closed": _closed,
}
