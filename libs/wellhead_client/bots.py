"""Bots: players that choose one of the commands they are offered."""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import Command, GameState, Owed, Ruleset

KEY_BYTES = 32
"""Length of the key for draws in a sampled world."""


class Bot(Protocol):
    """A player of one game. `choose` is asked for every decision of its seat, also one with a single command.

    A command that is open at any time may be chosen instead of an answer; the seat is asked again then.
    """

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        """One of the commands. `state` is what the seat may know; it is not to be changed."""


def choices(ruleset: Ruleset, state: GameState, seat: int) -> Sequence[Command]:
    """What a seat can do now: answer the decision it owes, or something that is open to it at any time."""
    answers, anytime = ruleset.legal(state, seat), ruleset.anytime(state, seat)
    return [*answers, *anytime] if anytime else answers


class RandomBot:
    """Chooses uniformly."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        return self._random.choice(commands)


class Judge:
    """Says how well a seat does in positions of one game."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._seats: tuple[int, ...] = ()

    def lead(self, state: GameState, seat: int) -> float:
        """What the position is worth to the seat, less what it is worth to the best other one."""
        if not self._seats:
            self._seats = tuple(rank.seat for rank in self._ruleset.score(state).ranking)
        worth = self._ruleset.worth
        others = [worth(state, other) for other in self._seats if other != seat]
        return worth(state, seat) - max(others, default=0.0)


class GreedyBot:
    """Tries every command in one sampled world and takes the best for its lead; ties by chance. Looks no further."""

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self._ruleset = ruleset
        self._random = Random(seed)
        self._judge = Judge(ruleset)

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        if len(commands) == 1:
            return commands[0]
        # One world and one row of draws for all commands, so that they are compared on equal luck.
        world = self._ruleset.determinise(state, owed.seat, self._random)
        key = self._random.randbytes(KEY_BYTES)
        leads = [self._lead_after(world, owed, command, key) for command in commands]
        best = max(leads)
        return self._random.choice([command for command, lead in zip(commands, leads, strict=True) if lead == best])

    def _lead_after(self, world: GameState, owed: Owed, command: Command, key: bytes) -> float:
        state = self._ruleset.clone(world)
        self._ruleset.play(state, owed.seat, owed.decision_id, command, Chance(key))
        return self._judge.lead(state, owed.seat)
