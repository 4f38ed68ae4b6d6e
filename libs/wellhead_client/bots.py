"""Bots: players that choose one of the commands they are offered."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Protocol

from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import Command, GameState, Owed, Ruleset
from wellhead_rules.kernel.scores import totals


class Bot(Protocol):
    """A player. `choose` is asked for every decision of its seat, also one with a single command."""

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        """One of the commands. `state` is what the seat may know; it is not to be changed."""


class RandomBot:
    """Chooses uniformly."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        return self._random.choice(commands)


class GreedyBot:
    """Tries every command in one sampled world and takes the best for its lead on the score; ties by chance.

    It knows nothing of the game but its rules and its score: what pays off later is worth nothing to it.
    """

    def __init__(self, ruleset: Ruleset, seed: int) -> None:
        self._ruleset = ruleset
        self._random = Random(seed)

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        if len(commands) == 1:
            return commands[0]
        # One world and one row of draws for all commands, so that they are compared on equal luck.
        world = self._ruleset.determinise(state, owed.seat, self._random)
        key = self._random.randbytes(32)
        leads = [self._lead_after(world, owed, command, key) for command in commands]
        best = max(leads)
        return self._random.choice([command for command, lead in zip(commands, leads, strict=True) if lead == best])

    def _lead_after(self, world: GameState, owed: Owed, command: Command, key: bytes) -> int:
        """Own total less the best other one, if the game ended after the command."""
        state = self._ruleset.clone(world)
        self._ruleset.play(state, owed.seat, owed.decision_id, command, Chance(key))
        points = totals(self._ruleset.score(state).lines)
        own = points.pop(owed.seat, 0)
        return own - max(points.values(), default=0)


POLICIES: Mapping[str, Callable[[Ruleset, int], Bot]] = MappingProxyType(
    {"random": lambda ruleset, seed: RandomBot(seed), "greedy": GreedyBot}
)
"""Every bot by name, made for a game with a seed."""
