"""Positions: any table that a rules lawyer can describe, built as a log and then played.

    game = Position(players=2, turn="white").player("white", train="R07", tools=4)
    facts = game.play("white", BuildOffice("R07", "yellow"))

The first question asked of a position opens it: the facts are recorded, and the engine works until somebody has to
choose. A game derives its `Position`, gives it a `Posing`, and adds the phrases that its tests need.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self, TypeVar

import msgspec
from msgspec import Struct

from wellhead_rules.kernel.chance import Chance, Draw
from wellhead_rules.kernel.ruleset import Command, Event, GameState, Ruleset
from wellhead_rules.kernel.scenarios.described import PositionError, Said, merge, named
from wellhead_rules.kernel.scenarios.facts import Facts, normal
from wellhead_rules.kernel.scores import ScoreCard
from wellhead_rules.kernel.violations import RuleViolation

T = TypeVar("T")
Path = tuple[str | int, ...]

SPECTATOR = "spectator"
"""The viewer who holds no seat."""


class Posing(Struct, frozen=True):
    """What a game adds: its words, and how they become a table and back. Its state is a `Playing`.

    `description` is the record of a whole position. The kernel knows four of its fields, each of which may be missing
    from it: `players` (how many, or the seats' names in seat order), `options`, `at`, whose value `setup` leaves the
    table to the engine, and `draws`, what is drawn first.
    """

    ruleset: Ruleset
    description: type[Said]
    seats: tuple[str, ...]
    """Names of the seats, for as many as may play."""
    pose: Callable[[Any, Any], None]
    """Records everything that a description says, and leaves in the state what comes next; PositionError if it cannot
    be. Nothing else is poked into the state, so that every position is a log that folds."""
    advance: Callable[[Any], None]
    """Works until somebody has to choose."""
    seen: Callable[[GameState], Any]
    """The whole table in the words of the description."""
    named_by_colour: bool = False
    """The seats' names are the players' colours."""
    anytime: tuple[type[Any], ...] = ()
    """Commands that answer no decision."""
    draws: Callable[[Any], Sequence[Any]] = lambda said: getattr(said, "draws", ()) or ()
    """What is drawn first, in order."""
    draws_at: Path = ("draws",)
    """Where the description says so."""


class ScriptedChance(Chance):
    """Gives the wanted results in their order, then those of a fixed seed.

    A result is wanted by what is picked, or by its number where the game draws a number.
    """

    __slots__ = ("said_at", "wanted")

    def __init__(self, wanted: Sequence[Any] = (), said_at: Path = ("draws",), seed: int = 1) -> None:
        super().__init__(hashlib.sha256(f"position {seed}".encode()).digest())
        self.wanted = list(wanted)
        self.said_at = said_at

    def draw(self, bound: int) -> int:
        """The next wanted number; it must be below the bound."""
        if not self.wanted:
            return super().draw(bound)
        wanted = self._next(range(bound))
        self.counter += 1
        self.draws.append(Draw(bound, wanted))
        return wanted

    def pick(self, candidates: Sequence[T]) -> T:
        """The next wanted result; it must be a candidate."""
        if not self.wanted:
            return super().pick(candidates)
        index = candidates.index(self._next(candidates))
        if len(candidates) > 1:
            self.counter += 1
            self.draws.append(Draw(len(candidates), index))
        return candidates[index]

    def _next(self, candidates: Sequence[T]) -> T:
        wanted: T = self.wanted.pop(0)
        if wanted not in candidates:
            raise PositionError(self.said_at, f"{wanted} cannot be drawn now")
        return wanted


class Unexpected(AssertionError):
    """A position behaves otherwise than the test that asks it says."""


class Position:
    """A description that grows by saying more, until it is opened; then a game that is played."""

    posing: ClassVar[Posing]
    facts: ClassVar[type[Facts]] = Facts
    """The kind of list in which facts are handed out."""

    def __init__(self, **said: Any) -> None:
        self._said: dict[str, Any] = {}
        self._log: list[Event] = []
        self._game: GameState = None
        self._names: tuple[str, ...] = ()
        self._chance = ScriptedChance()
        self._opening = self.facts((), ())
        self._posed: Any = None
        self._new: Callable[[], GameState]
        self.say(**said)

    # -- saying more -------------------------------------------------------------------------------------------

    def say(self, **said: Any) -> Self:
        """Adds to the description, field by field; mappings are added to, other values replaced."""
        if self._game is not None:
            raise Unexpected("the position has been opened")
        self._said = merge(self._said, said)
        try:
            msgspec.convert(self._said, self.posing.description)
        except msgspec.ValidationError as error:
            raise TypeError(str(error)) from None
        return self

    def player(self, name: str, **said: Any) -> Self:
        """Says something of a player."""
        return self.say(**{name: said})

    # -- looking -----------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The state; opens the position."""
        return self._game if self._game is not None else self.open()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats that are played, in seat order."""
        self.open()
        return self._names

    @property
    def opening(self) -> Facts:
        """What the engine did of its own accord when the position was opened."""
        self.open()
        return self._opening

    @property
    def log(self) -> Facts:
        """Every fact since the game was created."""
        self.open()
        return self._facts(self._log)

    @property
    def seen(self) -> Any:
        """The whole table as it is now."""
        return self.posing.seen(self.state)

    @property
    def posed(self) -> Any:
        """The whole table as it was described, before the engine did anything."""
        self.open()
        return self._posed

    @property
    def decision(self) -> tuple[str, str] | None:
        """Whose the open decision is, and its kind: `("white", "turn_menu")`; the first if several are owed."""
        return next(iter(self.decisions), None)

    @property
    def decisions(self) -> tuple[tuple[str, str], ...]:
        """Every decision owed: by whom, and its kind."""
        owed = self.posing.ruleset.decisions(self.state)
        return tuple((self._names[one.seat], one.kind) for one in owed)

    @property
    def score(self) -> ScoreCard:
        """The itemised score if the game ended now."""
        return self.posing.ruleset.score(self.state)

    def __getitem__(self, name: str) -> Any:
        """A player as seen now: `game["white"].tools`."""
        return getattr(self.seen, name)

    def legal(self, name: str, *kinds: type[Any]) -> list[Command]:
        """Everything the player may do now, what is open at any time included; of these kinds if any are named."""
        state, seat, ruleset = self.state, self.seat(name), self.posing.ruleset
        listed = (*ruleset.legal(state, seat), *ruleset.anytime(state, seat))
        return [command for command in listed if not kinds or isinstance(command, kinds)]

    def offers(self, name: str, command: Command) -> bool:
        """The player may do this now."""
        return normal(command, self.names) in self.legal(name)

    def shown(self, viewer: str, facts: Sequence[Event]) -> Facts:
        """The facts as a player sees them, or the `spectator`."""
        seat = None if viewer == SPECTATOR else self.seat(viewer)
        return self._facts([self.posing.ruleset.redact(event, seat) for event in facts])

    def seat(self, name: str) -> int:
        """The player's seat."""
        if name not in self.names:
            raise Unexpected(f"{name} does not play")
        return self._names.index(name)

    # -- playing -----------------------------------------------------------------------------------------------

    def drawing(self, *wanted: Any) -> Self:
        """The next draws give these, after those that are wanted already."""
        self.open()
        self._chance.wanted += wanted
        return self

    @property
    def undrawn(self) -> tuple[Any, ...]:
        """What is wanted of draws still to come."""
        return tuple(self._chance.wanted)

    def play(self, name: str, command: Command) -> Facts:
        """Sends a command that must be accepted, and be listed (R-RULES-2); the facts it has caused."""
        state, seat = self.state, self.seat(name)
        command = normal(command, self._names)
        listed = command in self.legal(name)
        try:
            facts = self.posing.ruleset.play(state, seat, self._decision_id(seat, command), command, self._chance)
        except RuleViolation as violation:
            raise Unexpected(f"{name}: {command} is refused: {violation}") from violation
        if not listed:
            raise Unexpected(f"{name}: {command} is accepted without being listed")
        self._log += facts
        return self._facts(facts)

    def refused(self, name: str, command: Command, decision_id: int | None = None) -> RuleViolation:
        """Sends a command that must be refused, and change nothing (R-RULES-4); the refusal."""
        state, seat, ruleset = self.state, self.seat(name), self.posing.ruleset
        command = normal(command, self._names)
        before = ruleset.snapshot(state), self._chance.counter, list(self._chance.wanted)
        listed = decision_id is None and command in self.legal(name)
        number = self._decision_id(seat, command) if decision_id is None else decision_id
        try:
            ruleset.play(state, seat, number, command, self._chance)
        except RuleViolation as violation:
            if (ruleset.snapshot(state), self._chance.counter, self._chance.wanted) != before:
                raise Unexpected(f"{name}: {command} is refused and has changed something") from violation
            if listed:
                raise Unexpected(f"{name}: {command} is listed and refused: {violation}") from violation
            return violation
        raise Unexpected(f"{name}: {command} is accepted")

    def record_scores(self) -> Facts:
        """Records every award that is due, and the final score if it is, as the scoring service does."""
        state, ruleset = self.state, self.posing.ruleset
        facts: list[Event] = []
        while due := ruleset.scoring_due(state):
            if due[0]:
                facts += ruleset.record_award(state, due[0], ruleset.award(state, due[0]))
            else:
                facts += ruleset.record_final(state, ruleset.score(state))
        self._log += facts
        return self._facts(facts)

    def refolded(self) -> Any:
        """The same log folded into a new state (R-RULES-1)."""
        self.open()
        again = self._new()
        for event in self._log:
            self.posing.ruleset.evolve(again, event)
        return again

    def _decision_id(self, seat: int, command: Command) -> int:
        """The decision that the seat owes, else the one that others owe; 0 for what is open at any time."""
        if isinstance(command, self.posing.anytime):
            return 0
        owed = sorted(self.posing.ruleset.decisions(self.state), key=lambda one: one.seat != seat)
        return owed[0].decision_id if owed else 0

    def _facts(self, facts: Sequence[Event]) -> Facts:
        return self.facts(facts, self._names)

    # -- opening -----------------------------------------------------------------------------------------------

    def open(self) -> Any:
        """Records the facts and works until somebody has to choose; a second time it only hands over the state."""
        if self._game is not None:
            return self._game
        posing = self.posing
        said: Any = msgspec.convert(self._said, posing.description)
        self._names = self._players(said)
        self._new = self._maker(said)
        self._chance = ScriptedChance(posing.draws(said), posing.draws_at)
        game = self._new()
        if getattr(said, "at", None) == "setup":
            self._check_setup(said)
            self._log = list(posing.ruleset.begin(game, self._chance))
            self._opening = self._facts(self._log)
            self._posed = posing.seen(game)
        else:
            facts = game.run(None, lambda: posing.pose(game, said))
            self._posed = posing.seen(game)
            self._opening = self._facts(game.run(self._chance, lambda: posing.advance(game)))
            self._log = [*facts, *self._opening]
        self._game = game
        return game

    def _players(self, said: Any) -> tuple[str, ...]:
        """The names of those who play, by seat."""
        seats = self.posing.seats
        players = getattr(said, "players", None) or self.posing.ruleset.seat_counts[0]
        names = tuple(players) if isinstance(players, tuple) else seats[:players]
        silent = {name for name in seats if name in named(said)} - set(names)
        if silent:
            what = "colour" if self.posing.named_by_colour else "seat"
            raise PositionError((min(silent),), f"this {what} does not play")
        return names

    def _maker(self, said: Any) -> Callable[[], GameState]:
        """Makes states before the first fact."""
        ruleset = self.posing.ruleset
        wanted = self._names if self.posing.named_by_colour else [""] * len(self._names)
        try:
            options = ruleset.options(getattr(said, "options", None) or {}, len(self._names))
            colours = ruleset.colours(wanted)
        except RuleViolation as violation:
            raise PositionError(("options",), violation.detail) from None
        pack = next(iter(ruleset.packs()))
        return lambda: ruleset.new(pack, options, colours)

    def _check_setup(self, said: Any) -> None:
        """Nothing but players, options and draws can be said of a table that the engine sets up."""
        more = set(named(said)) - {"players", "options", "at", "draws"}
        if more:
            raise PositionError((min(more),), "the engine decides this when it sets the game up")
