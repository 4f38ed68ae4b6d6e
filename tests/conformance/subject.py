"""What a game registers to be examined, and how one of its games is played in a test."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

from msgspec import Struct

from wellhead_client.bots import Bot, RandomBot
from wellhead_rules.kernel.chance import Chance, Draw
from wellhead_rules.kernel.ruleset import FINAL, Command, Event, GameState, Owed, Ruleset


class Broken(AssertionError):
    """A requirement that does not hold, by its number."""

    def __init__(self, requirement: str, what: str) -> None:
        super().__init__(f"{requirement}: {what}")
        self.requirement = requirement


class Books(Protocol):
    """What a game's facts add up to, kept beside its state (R-RULES-6)."""

    def enter(self, events: Iterable[Event]) -> None:
        """Books the facts of one command."""

    def audit(self, state: GameState) -> None:
        """Fails unless the state is what the books say and keeps the game's invariants."""


class NoBooks:
    """For a game that registers none."""

    def enter(self, events: Iterable[Event]) -> None:
        """Books nothing."""

    def audit(self, state: GameState) -> None:
        """Demands nothing."""


@dataclass(frozen=True)
class Subject:
    """A game under examination.

    `variants` are option settings to play under, `codes` the closed set of refusal codes, `bot` a player that meets
    much of the rules, `books` the game's own bookkeeping, `regressions` the folder of games that once failed. `reveals`
    are kinds of fact that tell everybody, by the rules, what some could not know before.
    """

    ruleset: Ruleset
    codes: frozenset[str]
    variants: Sequence[Mapping[str, str]] = ({},)
    bot: Callable[[int], Bot] = RandomBot
    books: Callable[[], Books] = NoBooks
    regressions: Path | None = None
    reveals: tuple[type, ...] = ()
    games: int = 8
    """Games that each examination plays in the default run."""
    in_between: float = 0.15
    """How often a seat acts that was not asked, where it can."""

    def starts(self, games: int, salt: int = 0) -> Iterable["Start"]:
        """So many beginnings, over all player counts and variants."""
        seats = self.ruleset.seat_counts
        for number in range(games):
            players = seats[number % len(seats)]
            variant = self.variants[(number + number // len(seats)) % len(self.variants)]
            yield Start(players, self.fitting(variant, players), salt * 1_000_003 + number)

    def fitting(self, variant: Mapping[str, str], players: int) -> dict[str, str]:
        """The settings of a variant that a game of so many players has."""
        known = self.ruleset.options({}, players)
        return {option: value for option, value in variant.items() if option in known}


class Start(Struct, frozen=True):
    """How a game begins, and how it goes on.

    The first `warm` commands are chosen by the subject's bot, then every number in `picks` chooses among the listed
    commands; with `on` the bot plays the rest. Everything derives from `seed`.
    """

    players: int
    options: dict[str, str] = {}
    seed: int = 0
    warm: int = 0
    picks: tuple[int, ...] = ()
    on: bool = True
    why: str = ""
    """In a kept game: what once failed here."""


@dataclass
class Happening:
    """One command of a game, or the setup or a score, where there is no command."""

    before: GameState
    events: list[Event]
    draws: list[Draw]
    seat: int = -1
    decision_id: int = 0
    command: Command = None


@dataclass
class Match:
    """A game that is being played."""

    subject: Subject
    start: Start
    state: GameState
    chance: Chance
    random: Random
    commands: int = 0
    met: list[Command] = field(default_factory=list)
    """Commands that were listed at some time, to be tried at others."""

    @property
    def ruleset(self) -> Ruleset:
        return self.subject.ruleset

    @property
    def seats(self) -> range:
        return range(self.start.players)


class Inspector:
    """Looks at every moment of a game and fails with `Broken`; the base looks away."""

    def begun(self, match: Match, setup: Happening) -> None:
        """The game is set up."""

    def asked(self, match: Match, owed: Owed, listed: Sequence[Command]) -> None:
        """A decision is owed, and nothing has been chosen yet of what is listed: answers, then what is open besides."""

    def happened(self, match: Match, happening: Happening) -> None:
        """A command was carried out, or a score recorded."""

    def over(self, match: Match) -> None:
        """The game has ended."""


def new_game(subject: Subject, start: Start) -> GameState:
    """The state before the first fact."""
    ruleset = subject.ruleset
    pack = next(iter(ruleset.packs()))
    return ruleset.new(pack, ruleset.options(start.options, start.players), ruleset.colours([""] * start.players))


def play(subject: Subject, start: Start, inspectors: Sequence[Inspector], keep_before: bool = True) -> Match:
    """Plays a game under inspection. `keep_before=False` saves the clone of every state before a command."""
    ruleset = subject.ruleset
    random = Random(start.seed)
    match = Match(subject, start, new_game(subject, start), Chance(random.randbytes(32)), random)
    bots = [subject.bot(random.getrandbits(32)) for _ in match.seats]
    before = ruleset.clone(match.state)
    setup = Happening(before, ruleset.begin(match.state, match.chance), list(match.chance.draws))
    for inspector in inspectors:
        inspector.begun(match, setup)
    while not ruleset.ended(match.state):
        due = tuple(ruleset.scoring_due(match.state))
        if due:
            _score(match, due[0], inspectors)
        elif not _decide(match, bots, inspectors, keep_before):
            return match
    for inspector in inspectors:
        inspector.over(match)
    return match


def _decide(match: Match, bots: Sequence[Bot], inspectors: Sequence[Inspector], keep_before: bool) -> bool:
    """One command: an answer, or something that is open at any time; False if the game is to stop here."""
    ruleset, state, start = match.ruleset, match.state, match.start
    if not ruleset.decisions(state):
        raise Broken("R-RULES-3", f"nothing is owed after {match.commands} commands, and the game has not ended")
    if match.commands == ruleset.max_commands:
        raise Broken("R-RULES-3", f"not over after {ruleset.max_commands} commands")
    owed = match.random.choice(ruleset.decisions(state))
    answers = ruleset.legal(state, owed.seat)
    if not answers:
        raise Broken("R-RULES-3", f"seat {owed.seat} owes {owed.kind} and has no legal command")
    listed = [*answers, *ruleset.anytime(state, owed.seat)]
    for inspector in inspectors:
        inspector.asked(match, owed, listed)
    place = match.commands - start.warm
    if 0 <= place < len(start.picks):
        command = listed[start.picks[place] % len(listed)]
    elif place < 0 or start.on:
        command = bots[owed.seat].choose(state, owed, listed)
    else:
        return False
    match.met.append(match.random.choice(listed))
    seat, number, command = _sent(match, owed, command)
    before = ruleset.clone(state) if keep_before else state
    drawn = len(match.chance.draws)
    events = ruleset.play(state, seat, number, command, match.chance)
    match.commands += 1
    happening = Happening(before, events, match.chance.draws[drawn:], seat, number, command)
    for inspector in inspectors:
        inspector.happened(match, happening)
    return True


def _sent(match: Match, owed: Owed, chosen: Command) -> tuple[int, int, Command]:
    """The seat, the decision and the command that come next: what was chosen, unless somebody acts in between."""
    anytime = anytime_commands(match.ruleset, match.state, match.seats)
    if anytime and match.random.random() < match.subject.in_between:
        seat, command = match.random.choice(anytime)
        return seat, 0, command
    number = match.random.choice((0, owed.decision_id)) if (owed.seat, chosen) in anytime else owed.decision_id
    return owed.seat, number, chosen


def anytime_commands(ruleset: Ruleset, state: GameState, seats: Iterable[int]) -> list[tuple[int, Command]]:
    """All that is open to the seats whoever owes what."""
    return [(seat, command) for seat in seats for command in ruleset.anytime(state, seat)]


def _score(match: Match, round: int, inspectors: Sequence[Inspector]) -> None:
    ruleset, state = match.ruleset, match.state
    before = ruleset.clone(state)
    if round == FINAL:
        events = ruleset.record_final(state, ruleset.score(state))
    else:
        events = ruleset.record_award(state, round, ruleset.award(state, round))
    for inspector in inspectors:
        inspector.happened(match, Happening(before, events, []))
