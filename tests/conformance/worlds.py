"""R-RULES-7: nothing that a seat is shown changes when only what the seat may not know is changed.

Three questions are put to a game, none of which knows what it hides:

1. Two worlds. `determinise` makes another world that the seat must hold possible. Both are played on with the same
   commands and the same draws; whatever the seat or a spectator may see has to stay the same.
2. What was told. Had the last draw come out otherwise, or had another seat chosen another command, and had that led to
   a world that the seat still holds possible, then the seat must have been told the same.
3. The seat's own knowledge. Folding only what the seat was told gives the view, the decisions and the options that it
   is shown; so a view knows no more than the events, and the first two questions cover both.

What is told is all that leaves the house: the facts, the history in words, and the commit as everybody may export it.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from tests.conformance.inspectors import as_stored
from tests.conformance.mutation import not_offered
from tests.conformance.subject import Broken, Happening, Inspector, Match, new_game
from wellhead.v1 import log_pb2
from wellhead_client.bots import choices
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.chance import SEED_BYTES, Chance, Draw
from wellhead_rules.kernel.ruleset import Command, GameState, Owed, Ruleset, Viewer
from wellhead_rules.kernel.table import SeatHolder, Step, Table
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_runtime import notation


class Repeated(Chance):
    """Hands out draws that are given; `asked` are the bounds it was asked for."""

    __slots__ = ("_given", "asked")

    def __init__(self, given: Sequence[int]) -> None:
        super().__init__(b"")
        self._given = list(given)
        self.asked: list[int] = []

    def draw(self, bound: int) -> int:
        """The next of the given values; another world may know fewer possibilities."""
        given = self._given[len(self.asked)] if len(self.asked) < len(self._given) else 0
        self.asked.append(bound)
        self.counter += 1
        self.draws.append(Draw(bound, given % bound))
        return given % bound


def shown(ruleset: Ruleset, state: GameState, seat: int) -> dict[str, Any]:
    """Everything that a seat is shown of a state, and what a spectator is shown of it."""
    owed = ruleset.decisions(state)
    own, anytime = ruleset.legal(state, seat), ruleset.anytime(state, seat)
    due = tuple(ruleset.scoring_due(state))
    return {
        "view": ruleset.view(state, seat).SerializeToString(deterministic=True),
        "spectator's view": ruleset.view(state, None).SerializeToString(deterministic=True),
        "decisions": list(owed),
        "questions": [ruleset.prompt(state, each) for each in owed],
        "options": [(ruleset.option_id(command), ruleset.option_label(state, command)) for command in own],
        "commands at any time": [(ruleset.option_id(each), ruleset.option_label(state, each)) for each in anytime],
        "score": ruleset.score(state),
        "worth": ruleset.worth(state, seat),
        "scoring due": due,
        "awards": [ruleset.award(state, round) for round in due if round],
        "ended": ruleset.ended(state),
    }


class Told:
    """What a command comes to for those who are told of it: as it is sent, stored and put into words."""

    def __init__(self, match: Match, happening: Happening, after: GameState) -> None:
        self._happening = happening
        self._before, self._after = self._table(match, happening.before), self._table(match, after)
        bounds = [draw.bound for draw in happening.draws]
        self._step = Step(self._after, [], happening.events, bounds, happening.command)

    def to(self, viewer: Viewer) -> dict[str, Any]:
        """What the viewer is told."""
        ruleset, events = self._after.ruleset, self._happening.events
        record, private = self._stored
        seen = [ruleset.redact(event, viewer) for event in events]
        for event, mine in zip(events, seen, strict=True):
            if ruleset.hidden_from(event) is None and mine != event:
                raise Broken("R-RULES-7", f"{event} is open to everybody and yet redacted")
        return {
            "facts": ruleset.events_to_proto(seen).SerializeToString(deterministic=True),
            "commit": self._public,
            "asked": notation.command(self._before, record, private, viewer),
            "happened": notation.facts(self._after, record, events, viewer),
        }

    @staticmethod
    def _table(match: Match, state: GameState) -> Table:
        table = Table("two worlds")
        table.ruleset, table.rules_version = match.ruleset, match.ruleset.version
        table.seats = tuple(SeatHolder(f"player {seat}") for seat in match.seats)
        table.started, table.game = True, state
        return table

    @cached_property
    def _stored(self) -> tuple[log_pb2.CommitRecord, log_pb2.PrivateRecord]:
        happening = self._happening
        record = log_pb2.CommitRecord(game_command=log_pb2.GameCommand(decision_id=happening.decision_id))
        origin = commits.Origin(log_pb2.Actor(seat=happening.seat), b"", 0)
        stored = commits.encode(self._step, record, origin, b"", bytes(SEED_BYTES))
        return commits.decode(stored.public, stored.private)

    @cached_property
    def _public(self) -> list[Any]:
        """What everybody may read of the commit; of its secrets their number, and the sizes if its command is one."""
        record, private = self._stored
        public = log_pb2.CommitRecord()
        public.CopyFrom(record)
        del public.private_commitments[:]
        sizes = [len(part.body) for part in private.parts] if record.game_command.redacted else []
        return [public.SerializeToString(deterministic=True), self._step.mark, len(private.parts), sizes]


class Secrets(Inspector):
    """The three questions, for every seat of a game."""

    def __init__(self, refusals: float = 0.1, samples: int = 4) -> None:
        self._refusals = refusals
        self._samples = samples
        self._worlds: dict[int, GameState] = {}
        """Another world for each seat that cannot know everything."""
        self._knowledge: dict[Viewer, GameState] = {}
        self.secrets = 0
        """Other worlds that were looked into."""

    def begun(self, match: Match, setup: Happening) -> None:
        self._knowledge = {viewer: new_game(match.subject, match.start) for viewer in (*match.seats, None)}
        self._worlds = {}
        self._learn(match, setup)
        self._imagine(match, match.seats)

    def asked(self, match: Match, owed: Owed, listed: Sequence[Command]) -> None:
        for seat in self._worlds:
            if match.random.random() < self._refusals:
                self._compare_refusal(match, seat, owed, listed)

    def happened(self, match: Match, happening: Happening) -> None:
        self._learn(match, happening)
        if happening.command is not None:
            self._compare_alternatives(match, happening)
        stale = [seat for seat in match.seats if not self._follow(match, happening, seat)]
        for seat in self._worlds:
            self._compare(match, seat)
        self._imagine(match, stale)

    def _imagine(self, match: Match, seats: Iterable[int]) -> None:
        """Another world for each of the seats, as it may be now; none for a seat that knows everything."""
        ruleset = match.ruleset
        for seat in seats:
            self._worlds.pop(seat, None)
            world = ruleset.determinise(match.state, seat, match.random)
            if ruleset.snapshot(world) != ruleset.snapshot(match.state):
                self._worlds[seat] = world
                self.secrets += 1
                self._compare(match, seat)

    def _compare(self, match: Match, seat: int) -> None:
        here = shown(match.ruleset, match.state, seat)
        there = shown(match.ruleset, self._worlds[seat], seat)
        for what, value in here.items():
            if value != there[what]:
                raise Broken("R-RULES-7", f"seat {seat}: its {what} depends on what it may not know")

    def _compare_refusal(self, match: Match, seat: int, owed: Owed, listed: Sequence[Command]) -> None:
        own = choices(match.ruleset, match.state, seat)
        command = not_offered(match.ruleset, own or listed, match.met, match.random)
        if command is None or command in own:
            return
        for number in (owed.decision_id, 0):
            answers = []
            for world in (match.state, self._worlds[seat]):
                try:
                    match.ruleset.play(match.ruleset.clone(world), seat, number, command, Chance(b""))
                except RuleViolation as refusal:
                    answers.append((refusal.code, refusal.clause, refusal.detail))
            if answers[0] != answers[-1]:
                raise Broken("R-RULES-7", f"seat {seat}: the refusal of {command} depends on what it may not know")

    def _follow(self, match: Match, happening: Happening, seat: int) -> bool:
        """Plays the same in the other world; False if there is none that this can have happened in."""
        ruleset, world = match.ruleset, self._worlds.get(seat)
        if world is None:
            return False
        if happening.command is None or happening.command not in choices(ruleset, world, happening.seat):
            # A score, or a command of a seat that knew more: the other world ends here.
            del self._worlds[seat]
            return False
        chance, before = Repeated([draw.value for draw in happening.draws]), ruleset.clone(world)
        events = ruleset.play(world, happening.seat, happening.decision_id, happening.command, chance)
        revealed = any(isinstance(event, match.subject.reveals) for event in (*happening.events, *events))
        if chance.asked != [draw.bound for draw in happening.draws]:
            if revealed:  # what is drawn afterwards rests on what everybody knows by then
                del self._worlds[seat]
                return False
            raise Broken("R-RULES-7", f"seat {seat}: the draws of {happening.command} depend on what it may not know")
        there = Happening(before, events, chance.draws, happening.seat, happening.decision_id, happening.command)
        told, told_there = Told(match, happening, match.state), Told(match, there, world)
        for viewer in (seat, None):
            if told.to(viewer) == told_there.to(viewer):
                continue
            if happening.draws or revealed:
                # Chance or the rules may have shown different things here and there.
                del self._worlds[seat]
                return False
            whom = "a spectator" if viewer is None else f"seat {seat}"
            raise Broken("R-RULES-7", f"what {happening.command} tells {whom} depends on what it may not know")
        # Where something happened in secret, new worlds are more telling than those that have come so far.
        return all(ruleset.hidden_from(event) is None for event in happening.events) and match.random.random() < 0.9

    def _compare_alternatives(self, match: Match, happening: Happening) -> None:
        """The second question, put to the other outcomes of the last draw and to the other commands of the seat."""
        ruleset, real = match.ruleset, match.ruleset.snapshot(match.state)
        worlds = {seat: self._possible(match, seat, real) for seat in match.seats}
        if not any(worlds.values()):
            return
        *first, last = [draw.value for draw in happening.draws] or [0]
        ways = [(happening.command, [*first, value]) for draw in happening.draws[-1:] for value in range(draw.bound)]
        listed = choices(ruleset, happening.before, happening.seat)
        ways += [(command, [*first, last]) for command in listed if command != happening.command]
        told = Told(match, happening, match.state)
        for command, draws in ways:
            other, chance = ruleset.clone(happening.before), Repeated(draws)
            number = self._number(ruleset, happening, command)
            events = ruleset.play(other, happening.seat, number, command, chance)
            reached = ruleset.snapshot(other)
            there = Happening(happening.before, events, chance.draws, happening.seat, number, command)
            told_there = Told(match, there, other)
            for seat in match.seats:
                if reached not in worlds[seat]:
                    continue
                for who in (seat, None):
                    if told_there.to(who) != told.to(who):
                        whom = "a spectator" if who is None else f"seat {seat}"
                        raise Broken(
                            "R-RULES-7",
                            f"{whom} could tell {happening.command} from {command} with draws {draws}",
                        )

    @staticmethod
    def _number(ruleset: Ruleset, happening: Happening, command: Command) -> int:
        """The decision under which another command of the same seat would have been sent."""
        if command in ruleset.anytime(happening.before, happening.seat):
            return happening.decision_id
        owed = (each for each in ruleset.decisions(happening.before) if each.seat == happening.seat)
        return next(owed).decision_id

    def _possible(self, match: Match, seat: int, real: bytes) -> set[bytes]:
        """Some other worlds that the seat holds possible, in canonical bytes; none if it seems to know everything."""
        ruleset = match.ruleset
        one = ruleset.snapshot(ruleset.determinise(match.state, seat, match.random))
        if one == real:
            return set()
        more = (ruleset.determinise(match.state, seat, match.random) for _ in range(self._samples - 1))
        return {one, *map(ruleset.snapshot, more)} - {real}

    def _learn(self, match: Match, happening: Happening) -> None:
        """Folds what each viewer is told, and compares what it adds up to with what the viewer is shown."""
        ruleset = match.ruleset
        private = any(ruleset.hidden_from(event) is not None for event in happening.events)
        everybody = as_stored(ruleset, happening.events)
        closely = match.random.choice((*match.seats, None))
        for viewer, own in self._knowledge.items():
            seen = [ruleset.redact(event, viewer) for event in happening.events]
            for event in as_stored(ruleset, seen) if private else everybody:
                ruleset.evolve(own, event)
            if not (private or happening.draws or viewer == closely):
                continue
            if ruleset.view(own, viewer) != ruleset.view(match.state, viewer):
                raise Broken("R-RULES-7", f"the view of {viewer} is not what it was told, after {happening.command}")
            if list(ruleset.decisions(own)) != list(ruleset.decisions(match.state)):
                raise Broken("R-RULES-7", f"the decisions shown to {viewer} are not what it was told")
            if viewer is not None and list(choices(ruleset, own, viewer)) != list(
                choices(ruleset, match.state, viewer)
            ):
                raise Broken("R-RULES-7", f"the options of seat {viewer} are not what it was told")
