"""The requirements on one state at a time: R-RULES-2 to 6, 9 and 10, each an inspector."""

import hashlib
from collections.abc import Sequence

from tests.conformance.mutation import not_offered
from tests.conformance.subject import Books, Broken, Happening, Inspector, Match, anytime_commands, new_game
from wellhead.v1 import game_pb2
from wellhead_client.bots import choices
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import Command, Event, GameState, Owed, Ruleset
from wellhead_rules.kernel.scores import totals
from wellhead_rules.kernel.stretch import Stretch, Undoing, is_barrier
from wellhead_rules.kernel.violations import RuleViolation


def as_stored(ruleset: Ruleset, events: Sequence[Event]) -> list[Event]:
    """Facts as they come back from their bytes."""
    stored = ruleset.events_to_proto(events).SerializeToString()
    return ruleset.events_from_proto(game_pb2.Events.FromString(stored))


class Soundness(Inspector):
    """R-RULES-2: every listed command of every seat is accepted, and what is open at any time answers no decision.

    `share` is the part of the positions that is tried.
    """

    def __init__(self, share: float = 1.0) -> None:
        self._share = share

    def asked(self, match: Match, owed: Owed, listed: Sequence[Command]) -> None:
        if match.random.random() >= self._share:
            return
        ruleset, state = match.ruleset, match.state
        decisions = list(ruleset.decisions(state))
        for seat in match.seats:
            own = [due.decision_id for due in decisions if due.seat == seat]
            anytime = ruleset.anytime(state, seat)
            answers = [
                each for each in (listed if seat == owed.seat else ruleset.legal(state, seat)) if each not in anytime
            ]
            if answers and not own:
                raise Broken("R-RULES-2", f"seat {seat} owes nothing and has answers: {answers}")
            for number in own:
                for command in answers:
                    self._accepted(match, seat, number, command)
            if own and ruleset.absent(state, seat) not in answers:
                raise Broken("R-API-5", f"the automatic answer for seat {seat} is none of {answers}")
            if own and (passed := ruleset.passing(state, seat)) is not None and passed not in answers:
                raise Broken("R-API-5", f"the pass of seat {seat} is none of {answers}")
            for number in (0, *own):
                for command in anytime:
                    after = ruleset.decisions(self._accepted(match, seat, number, command))
                    # What the seat owes may be settled with it, where a single answer was left.
                    kept = [due for due in decisions if due.seat != seat or len(answers) > 1]
                    if list(after) != decisions and not (len(kept) < len(decisions) and set(kept) <= set(after)):
                        raise Broken("R-RULES-2", f"{command} is open at any time and yet answers a decision")

    def _accepted(self, match: Match, seat: int, number: int, command: Command) -> GameState:
        trial = match.ruleset.clone(match.state)
        try:
            match.ruleset.play(trial, seat, number, command, Chance(b"trial"))
        except RuleViolation as refusal:
            raise Broken("R-RULES-2", f"{command} is listed and refused: {refusal}") from refusal
        return trial


class Anytime(Inspector):
    """R-RULES-3: what is open at any time comes to an end by itself. `share` is the part of the positions tried."""

    def __init__(self, share: float = 1.0) -> None:
        self._share = share

    def asked(self, match: Match, owed: Owed, listed: Sequence[Command]) -> None:
        ruleset = match.ruleset
        if not anytime_commands(ruleset, match.state, match.seats) or match.random.random() >= self._share:
            return
        clone, played = ruleset.clone(match.state), 0
        while anytime := anytime_commands(ruleset, clone, match.seats):
            if played == ruleset.max_commands:
                raise Broken("R-RULES-3", f"commands open at any time go on for ever: {anytime}")
            seat, command = match.random.choice(anytime)
            ruleset.play(clone, seat, 0, command, Chance(b"at any time"))
            played += 1


class Refusals(Inspector):
    """R-RULES-2 and 4: what is not listed is refused with a code of the closed set, and changes nothing."""

    def __init__(self, attempts: int = 4) -> None:
        self._attempts = attempts
        self.codes: set[str] = set()
        """The codes that came up."""

    def asked(self, match: Match, owed: Owed, listed: Sequence[Command]) -> None:
        for _ in range(self._attempts):
            command = not_offered(match.ruleset, listed, match.met, match.random)
            if command is not None:
                self._refuse(match, owed.seat, owed.decision_id, command)
        for seat in match.seats:
            others = choices(match.ruleset, match.state, seat)
            if seat != owed.seat and listed[0] not in others:
                self._refuse(match, seat, owed.decision_id, listed[0])
        decisions = match.ruleset.decisions(match.state)
        stale = owed.decision_id + match.random.choice((-1, 1, 1000))
        if all(other.decision_id != stale for other in decisions):
            self._refuse(match, owed.seat, stale, listed[0])
        self._refuse(match, owed.seat, 0, listed[0])
        redacted = match.ruleset.redact_command(listed[0])
        if redacted is not listed[0]:
            self._refuse(match, owed.seat, owed.decision_id, redacted)
        for seat, command in anytime_commands(match.ruleset, match.state, match.seats):
            own = [other.decision_id for other in decisions if other.seat == seat]
            for number in {stale, owed.decision_id} - {0, *own}:
                self._refuse(match, seat, number, command)

    def over(self, match: Match) -> None:
        if anytime_commands(match.ruleset, match.state, match.seats):
            raise Broken("R-RULES-2", "something is open at any time, and the game has ended")
        for command in match.met[:3]:
            for number in (0, 1):
                self._refuse(match, 0, number, command)

    def _refuse(self, match: Match, seat: int, decision_id: int, command: Command) -> None:
        ruleset, state, chance = match.ruleset, match.state, match.chance
        before = (ruleset.snapshot(state), chance.counter, len(chance.draws), choices(ruleset, state, seat))
        try:
            ruleset.play(state, seat, decision_id, command, chance)
        except RuleViolation as refusal:
            self.codes.add(refusal.code)
            if refusal.code not in match.subject.codes:
                raise Broken("R-RULES-2", f"{command} is refused with the unknown code {refusal.code}") from refusal
            if not refusal.clause or not refusal.detail:
                raise Broken("R-RULES-2", f"{command} is refused without clause or detail: {refusal}") from refusal
        except Exception as error:
            raise Broken("R-RULES-2", f"{command} breaks the rules instead of being refused: {error!r}") from error
        else:
            raise Broken("R-RULES-2", f"{command} of seat {seat} is not listed and yet accepted")
        if before != (ruleset.snapshot(state), chance.counter, len(chance.draws), choices(ruleset, state, seat)):
            raise Broken("R-RULES-4", f"{command} was refused and has changed the state, the draws or the list")


class Twin(Inspector):
    """R-RULES-5: a state rebuilt from the stored bytes alone stays equal to the live one."""

    def __init__(self) -> None:
        self._twin: GameState = None

    def begun(self, match: Match, setup: Happening) -> None:
        self._twin = new_game(match.subject, match.start)
        self.happened(match, setup)

    def happened(self, match: Match, happening: Happening) -> None:
        ruleset = match.ruleset
        for event in as_stored(ruleset, happening.events):
            ruleset.evolve(self._twin, event)
        if ruleset.snapshot(self._twin) != ruleset.snapshot(match.state):
            raise Broken("R-RULES-5", f"after {happening.command} the twin differs: {_first_difference(self, match)}")
        if ruleset.decisions(self._twin) != ruleset.decisions(match.state):
            raise Broken("R-RULES-5", f"after {happening.command} the twin owes something else")
        for seat in match.seats:
            if list(choices(ruleset, self._twin, seat)) != list(choices(ruleset, match.state, seat)):
                raise Broken("R-RULES-5", f"after {happening.command} the twin of seat {seat} has other options")


def _first_difference(twin: Twin, match: Match) -> str:
    one, other = match.ruleset.snapshot(twin._twin), match.ruleset.snapshot(match.state)
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, at - 40) : at + 20]!r} is not {other[max(0, at - 40) : at + 20]!r}"


class Clones(Inspector):
    """R-RULES-5: a clone equals its original and shares nothing with it, whichever of them plays on."""

    def __init__(self, share: float = 0.2, ahead: int = 6) -> None:
        self._share = share
        self._ahead = ahead
        self._left_behind: list[tuple[GameState, bytes]] = []

    def asked(self, match: Match, owed: Owed, listed: Sequence[Command]) -> None:
        ruleset, state = match.ruleset, match.state
        self._left_behind = [kept for kept in self._left_behind if match.random.random() < 0.9]
        if match.random.random() >= self._share:
            return
        before = ruleset.snapshot(state)
        clone = ruleset.clone(state)
        if ruleset.snapshot(clone) != before:
            raise Broken("R-RULES-5", "a clone differs from its original")
        self._left_behind.append((ruleset.clone(state), before))
        chance = Chance(b"a clone's own chance")
        for _ in range(self._ahead):
            if not ruleset.decisions(clone):
                break
            due = ruleset.decisions(clone)[0]
            command = match.random.choice(choices(ruleset, clone, due.seat))
            ruleset.play(clone, due.seat, due.decision_id, command, chance)
        if ruleset.snapshot(state) != before or list(choices(ruleset, state, owed.seat)) != list(listed):
            raise Broken("R-RULES-5", "playing on a clone has changed the original")

    def happened(self, match: Match, happening: Happening) -> None:
        for clone, taken in self._left_behind:
            if match.ruleset.snapshot(clone) != taken:
                raise Broken("R-RULES-5", f"{happening.command} on the original has changed a clone of it")


class Conservation(Inspector):
    """R-RULES-6: the game's own books, kept from the facts alone, agree with the state after every command."""

    def __init__(self) -> None:
        self._books: Books

    def begun(self, match: Match, setup: Happening) -> None:
        self._books = match.subject.books()
        self.happened(match, setup)

    def happened(self, match: Match, happening: Happening) -> None:
        try:
            self._books.enter(happening.events)
            self._books.audit(match.state)
        except AssertionError as wrong:
            raise Broken("R-RULES-6", f"after {happening.command}: {wrong}") from wrong

    def over(self, match: Match) -> None:
        card = match.ruleset.score(match.state)
        ranked = {rank.seat: rank.total for rank in card.ranking}
        itemised = dict.fromkeys(match.seats, 0) | totals(card.lines)
        if ranked != itemised:
            raise Broken("R-RULES-6", f"the totals {ranked} are not those of the breakdown {itemised}")


class OptionIds(Inspector):
    """R-RULES-10: an id stands for one command whenever it is offered, and a command has one id, in all games."""

    def __init__(self) -> None:
        self._commands: dict[str, Command] = {}
        self.offered = 0

    def asked(self, match: Match, owed: Owed, listed: Sequence[Command]) -> None:
        ruleset = match.ruleset
        self.offered += len(listed)
        ids = [ruleset.option_id(command) for command in listed]
        if len(set(ids)) < len(ids):
            raise Broken("R-RULES-10", f"an id is offered twice: {ids}")
        for id, command in zip(ids, listed, strict=True):
            if self._commands.setdefault(id, command) != command:
                raise Broken("R-RULES-10", f"{id} stood for {self._commands[id]} and now stands for {command}")
            if not id or not ruleset.option_label(match.state, command):
                raise Broken("R-RULES-10", f"{command} has no id or no label")
        command = match.random.choice(listed)
        returned = self._returned(ruleset, command)
        if returned != command or ruleset.option_id(returned) != ruleset.option_id(command):
            raise Broken("R-RULES-10", f"{command} comes back from its bytes as {returned}")
        redacted = ruleset.redact_command(command)
        if self._returned(ruleset, redacted) != redacted or ruleset.redact_command(redacted) != redacted:
            raise Broken("R-RULES-10", f"{redacted}, which was {command}, comes back as something else")
        if not ruleset.option_label(match.state, redacted):
            raise Broken("R-RULES-10", f"{redacted} has no label")
        if not ruleset.prompt(match.state, owed):
            raise Broken("R-RULES-10", f"{owed.kind} has no question")

    def _returned(self, ruleset: Ruleset, command: Command) -> Command:
        """The command as it comes back from its bytes."""
        stored = ruleset.command_to_proto(command).SerializeToString()
        return ruleset.command_from_proto(game_pb2.Command.FromString(stored))


class Barriers(Inspector):
    """R-RULES-5 and 7: what can be taken back comes back as it was, and nobody has learnt anything by it.

    A command without a barrier is tried in other worlds that each seat holds possible: it is open there too, draws
    nothing, and tells the seat the same. `share` is the part of the positions that is tried.
    """

    def __init__(self, share: float = 1.0, samples: int = 2) -> None:
        self._share = share
        self._samples = samples
        self._undoing = Undoing()
        self._shown: list[tuple[int, list[bytes]]] = []
        self._commits = 0
        self.undone = 0
        """How often something was taken back."""
        self.barriers: set[str] = set()
        """The kinds of fact that were barriers."""

    def begun(self, match: Match, setup: Happening) -> None:
        self._undoing, self._commits = Undoing(), 0
        self.happened(match, setup)

    def happened(self, match: Match, happening: Happening) -> None:
        ruleset, events = match.ruleset, happening.events
        self._commits += 1
        news = [event for event in events if ruleset.barrier(event)]
        self.barriers |= {type(event).__name__ for event in news}
        missed = [event for event in events if isinstance(event, match.subject.reveals) and event not in news]
        if missed:
            raise Broken("R-RULES-7", f"{missed} reveals something and is no barrier")
        barrier = happening.command is None or is_barrier(ruleset, events, len(happening.draws))
        if not barrier and match.random.random() < self._share:
            self._compare(match, happening)
        due = [list(ruleset.scoring_due(state)) for state in (happening.before, match.state)]
        seat = None if barrier or due[0] != due[1] else happening.seat
        self._undoing = self._undoing.moved(seat, happening.before, events).stamped(self._commits)
        stretch = self._undoing.stretch
        if stretch is None:
            return
        if len(stretch.facts) == 1:
            self._shown = []
        self._shown.append((self._commits - 1, shown_bytes(match, happening.before)))
        if match.random.random() < self._share:
            self._go_back(match, stretch)

    def _go_back(self, match: Match, stretch: Stretch) -> None:
        revision, before = match.random.choice(self._shown)
        place = stretch.place(revision)
        if place is None or shown_bytes(match, stretch.game_at(place, match.ruleset)) != before:
            raise Broken("R-RULES-5", f"taken back to commit {revision} the game is not as it was")
        self.undone += 1

    def _compare(self, match: Match, happening: Happening) -> None:
        ruleset, command = match.ruleset, happening.command
        for seat in match.seats:
            told = [ruleset.redact(event, seat) for event in happening.events]
            for _ in range(self._samples):
                world = ruleset.determinise(happening.before, seat, match.random)
                if command not in choices(ruleset, world, happening.seat):
                    raise Broken("R-RULES-7", f"{command} tells seat {seat} what it could not know, without a barrier")
                chance = Chance(b"another world")
                there = ruleset.play(world, happening.seat, happening.decision_id, command, chance)
                if chance.draws or [ruleset.redact(event, seat) for event in there] != told:
                    raise Broken("R-RULES-7", f"what {command} tells seat {seat} is news, and there is no barrier")


def shown_bytes(match: Match, state: GameState) -> list[bytes]:
    """The whole state, and everything that anybody is shown of it."""
    ruleset = match.ruleset
    views = [ruleset.view(state, viewer).SerializeToString(deterministic=True) for viewer in (None, *match.seats)]
    owed = repr([(each, list(ruleset.legal(state, each.seat))) for each in ruleset.decisions(state)])
    return [ruleset.snapshot(state), *views, owed.encode()]


class Arrivals(Inspector):
    """R-RULES-9: the order in which seats answer what they owe at once changes nothing and tells nothing."""

    def __init__(self) -> None:
        self.simultaneous = 0
        """Moments at which several seats owed something."""

    def asked(self, match: Match, owed: Owed, listed: Sequence[Command]) -> None:
        ruleset, state = match.ruleset, match.state
        others = [other for other in ruleset.decisions(state) if other.seat != owed.seat]
        if not others:
            return
        self.simultaneous += 1
        other = match.random.choice(others)
        one, two = [
            (due.seat, due.decision_id, match.random.choice(ruleset.legal(state, due.seat))) for due in (owed, other)
        ]
        self._same(match, [one, two], [two, one])
        for seat, command in anytime_commands(ruleset, state, match.seats):
            between = (seat, 0, command)
            self._same(match, [one, between, two], [two, between, one])

    def _same(self, match: Match, *orders: Sequence[tuple[int, int, Command]]) -> None:
        ends = set()
        for order in orders:
            clone = match.ruleset.clone(match.state)
            for seat, number, command in order:
                if number == 0 and command not in match.ruleset.anytime(clone, seat):
                    return  # an answer may rule out what was open before
                match.ruleset.play(clone, seat, number, command, Chance(b"the same chance"))
            ends.add(match.ruleset.snapshot(clone))
        if len(ends) > 1:
            raise Broken("R-RULES-9", f"the order changes the state: {orders}")


class Fingerprint(Inspector):
    """What happened, in one digest: equal games, equal fingerprints (R-RULES-8)."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def begun(self, match: Match, setup: Happening) -> None:
        self.happened(match, setup)

    def happened(self, match: Match, happening: Happening) -> None:
        self._hash.update(match.ruleset.events_to_proto(happening.events).SerializeToString(deterministic=True))
        self._hash.update(repr(happening.draws).encode())

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()
