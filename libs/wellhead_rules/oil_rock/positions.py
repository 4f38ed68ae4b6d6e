"""Positions: any table that a rules lawyer can describe, built as a log and then played.

    game = (
        position(players=2, turn="white")
        .player("white", train="R07", tools=4)
        .acting("office")
    )
    facts = game.play("white", BuildOffice("R07", "yellow"))

The first question asked of a position opens it: the facts are recorded, and the engine works until somebody has to
choose. What is not said has the defaults of `posing`; the words are those of `described`.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from wellhead_rules.kernel.chance import Chance, Draw
from wellhead_rules.kernel.scores import ScoreCard
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import RULESET, agenda
from wellhead_rules.oil_rock.commands import Command
from wellhead_rules.oil_rock.described import OILS, Description, PlayerSaid, PositionError, Table, colours, named, seen
from wellhead_rules.oil_rock.events import Event
from wellhead_rules.oil_rock.facts import Facts
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.posing import pose

T = TypeVar("T")
DEFAULT_COLOURS = ("white", "red", "blue", "yellow")


class ScriptedChance(Chance):
    """Gives the wanted results in their order, then those of a fixed seed."""

    __slots__ = ("wanted",)

    def __init__(self, wanted: Sequence[Any] = (), seed: int = 1) -> None:
        super().__init__(hashlib.sha256(f"position {seed}".encode()).digest())
        self.wanted = list(wanted)

    def pick(self, candidates: Sequence[T]) -> T:
        """The next wanted result; it must be a candidate."""
        if not self.wanted:
            return super().pick(candidates)
        wanted = self.wanted.pop(0)
        if wanted not in candidates:
            raise PositionError(("deck", "next"), f"{wanted} cannot be drawn now")
        if len(candidates) > 1:
            self.counter += 1
            self.draws.append(Draw(len(candidates), candidates.index(wanted)))
        return candidates[candidates.index(wanted)]


class Unexpected(AssertionError):
    """A position behaves otherwise than the test that asks it says."""


class Position:
    """A description that grows by saying more, until it is opened; then a game that is played."""

    def __init__(self, **said: Any) -> None:
        self._said: dict[str, Any] = {}
        self._log: list[Event] = []
        self._game: Game | None = None
        self._chance = ScriptedChance()
        self._opening = Facts((), ())
        self._posed = Table()
        self.say(**said)

    # -- saying more -------------------------------------------------------------------------------------------

    def say(self, **said: Any) -> "Position":
        """Adds to the description, field by field of `Description`; mappings are added to, other values replaced."""
        if self._game is not None:
            raise Unexpected("the position has been opened")
        self._said = merge(self._said, said)
        try:
            msgspec.convert(self._said, Description)
        except msgspec.ValidationError as error:
            raise TypeError(str(error)) from None
        return self

    def player(self, colour: str, **said: Any) -> "Position":
        """Says something of a player (`PlayerSaid`)."""
        return self.say(**{colour: said})

    def region(self, region: str, **said: Any) -> "Position":
        """Says something of a region (`RegionSaid`)."""
        return self.say(map={region: said})

    def wheel(self, **said: Any) -> "Position":
        """Says something of the Wheel (`WheelSaid`)."""
        return self.say(wheel=said)

    def deck(self, **said: Any) -> "Position":
        """Says something of the deck (`DeckSaid`)."""
        return self.say(deck=said)

    def pending(self, source: str, *actions: str, started: bool | None = None) -> "Position":
        """A source has something pending: all its Actions, or those named."""
        row: dict[str, Any] = {"source": source}
        if actions:
            row["actions"] = actions
        if started is not None:
            row["started"] = started
        return self.say(pending=(*self._said.get("pending", ()), row))

    def acting(self, action: str, source: str = "") -> "Position":
        """The Action has just been started; its effects come next."""
        return self.say(acting={"action": action, **({"source": source} if source else {})})

    def resolving(self, *effects: str, player: str = "", region: str = "") -> "Position":
        """Effect lists come next, one after another, and then a settle: `resolving("briefcase:BC5")`."""
        whose = {"player": player} if player else {}
        frames = [{"frame": "effects", "effects": ref, "region": region, **whose} for ref in reversed(effects)]
        return self.say(agenda=(*self._said.get("agenda", ()), {"frame": "settle", **whose}, *frames))

    def asking(self, frame: str, **fields: Any) -> "Position":
        """A frame comes next (`FrameSaid`): `asking("office_site", effects="action:office")`."""
        return self.say(agenda=(*self._said.get("agenda", ()), {"frame": frame, **fields}))

    # -- looking -----------------------------------------------------------------------------------------------

    @property
    def state(self) -> Game:
        """The state; opens the position."""
        return self._game if self._game is not None else self.open()

    @property
    def opening(self) -> Facts:
        """What the engine did of its own accord when the position was opened."""
        self.open()
        return self._opening

    @property
    def log(self) -> Facts:
        """Every fact since the game was created."""
        names = colours(self.state)
        return Facts(self._log, names)

    @property
    def seen(self) -> Table:
        """The whole table as it is now."""
        return seen(self.state)

    @property
    def posed(self) -> Table:
        """The whole table as it was described, before the engine did anything."""
        self.open()
        return self._posed

    @property
    def decision(self) -> tuple[str, str] | None:
        """Whose the open decision is, and its kind: `("white", "turn_menu")`."""
        owed = RULESET.decisions(self.state)
        return (colours(self.state)[owed[0].seat], owed[0].kind) if owed else None

    @property
    def score(self) -> ScoreCard:
        """The itemised score if the game ended now."""
        return RULESET.score(self.state)

    def __getitem__(self, colour: str) -> PlayerSaid:
        """A player as seen now: `game["white"].tools`."""
        found: PlayerSaid = getattr(self.seen, colour)
        return found

    def legal(self, colour: str, *kinds: type[Command]) -> list[Command]:
        """The player's legal commands, of these kinds if any are named."""
        listed = RULESET.legal(self.state, self.seat(colour))
        return [command for command in listed if not kinds or isinstance(command, kinds)]

    def offers(self, colour: str, command: Command) -> bool:
        """The command is one of the player's options."""
        return normal(command) in self.legal(colour)

    def seat(self, colour: str) -> int:
        """The player's seat."""
        names: Sequence[str] = colours(self.state)
        return names.index(colour)

    # -- playing -----------------------------------------------------------------------------------------------

    def play(self, colour: str, command: Command) -> Facts:
        """Sends a command that must be accepted, and be listed (R-RULES-2); the facts it has caused."""
        command = normal(command)
        state, seat = self.state, self.seat(colour)
        listed = command in RULESET.legal(state, seat)
        try:
            facts = RULESET.play(state, seat, self._decision_id, command, self._chance)
        except RuleViolation as violation:
            raise Unexpected(f"{colour}: {command} is refused: {violation}") from violation
        if not listed:
            raise Unexpected(f"{colour}: {command} is accepted without being listed")
        self._log += facts
        return Facts(facts, colours(state))

    def refused(self, colour: str, command: Command, decision_id: int | None = None) -> RuleViolation:
        """Sends a command that must be refused, and change nothing (R-RULES-4); the refusal."""
        command = normal(command)
        state, seat = self.state, self.seat(colour)
        before = RULESET.snapshot(state), self._chance.counter, list(self._chance.wanted)
        listed = decision_id is None and command in RULESET.legal(state, seat)
        try:
            RULESET.play(state, seat, self._decision_id if decision_id is None else decision_id, command, self._chance)
        except RuleViolation as violation:
            if (RULESET.snapshot(state), self._chance.counter, self._chance.wanted) != before:
                raise Unexpected(f"{colour}: {command} is refused and has changed something") from violation
            if listed:
                raise Unexpected(f"{colour}: {command} is listed and refused: {violation}") from violation
            return violation
        raise Unexpected(f"{colour}: {command} is accepted")

    def record_scores(self) -> Facts:
        """Records every award that is due, and the final score if it is, as the scoring service does."""
        state = self.state
        facts: list[Event] = []
        while due := RULESET.scoring_due(state):
            if due[0]:
                facts += RULESET.record_award(state, due[0], RULESET.award(state, due[0]))
            else:
                facts += RULESET.record_final(state, RULESET.score(state))
        self._log += facts
        return Facts(facts, colours(state))

    def refolded(self) -> Game:
        """The same log folded into a new state (R-RULES-1)."""
        again = RULESET.new(self.state.content.info.id, self.state.options, colours(self.state))
        for event in self._log:
            RULESET.evolve(again, event)
        return again

    @property
    def _decision_id(self) -> int:
        opened = self.state.open
        return opened.decision_id if opened else 0

    def open(self) -> Game:
        """Records the facts and works until somebody has to choose; a second time it only hands over the state."""
        if self._game is not None:
            return self._game
        said = msgspec.convert(self._said, Description)
        names = list(said.players) if isinstance(said.players, tuple) else list(DEFAULT_COLOURS[: said.players or 2])
        silent = {name for name in DEFAULT_COLOURS if name in named(said)} - set(names)
        if silent:
            raise PositionError((min(silent),), "this colour does not play")
        try:
            options = RULESET.options(said.options or {})
            game = RULESET.new(next(iter(RULESET.packs())), options, RULESET.colours(names))
        except RuleViolation as violation:
            raise PositionError(("options",), violation.detail) from None
        deck = said.deck
        self._chance = ScriptedChance(deck.next or () if deck else ())
        if said.at == "setup":
            self._opening = self._set_up(game, said)
        else:
            self._opening = self._pose(game, said)
        self._game = game
        return game

    def _set_up(self, game: Game, said: Description) -> Facts:
        """The engine sets the game up; nothing but players and options can be said."""
        more = set(named(said)) - {"players", "options", "at"}
        if more:
            raise PositionError((min(more),), "the engine decides this when it sets the game up")
        self._log = list(RULESET.begin(game, self._chance))
        return Facts(self._log, colours(game))

    def _pose(self, game: Game, said: Description) -> Facts:
        """The description is recorded; the engine then works until somebody has to choose."""
        game.facts = []
        pose(game, said)
        self._posed = seen(game)
        before = len(game.facts)
        game.chance = self._chance
        agenda.advance(game)
        self._log, game.facts, game.chance = game.facts, [], None
        return Facts(self._log[before:], colours(game))


position = Position
"""Reads better where a test begins."""


def merge(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """The base with more said: mappings are merged key by key, everything else is replaced."""
    merged = dict(base)
    for key, value in more.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def normal(command: Command) -> Command:
    """The command with colours that are given by name made oil colours, and lists made tuples."""
    fields = {name: getattr(command, name) for name in command.__struct_fields__}
    changed = {
        name: OILS.get(value, value) if name in ("well", "colour") and isinstance(value, str)
        else tuple(value) if isinstance(value, list) else value
        for name, value in fields.items()
    }  # fmt: skip
    return msgspec.structs.replace(command, **changed)
