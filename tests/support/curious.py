"""A player of Oil Rock that wanders far: by chance, but towards Progress, abilities and purchases.

Random play seldom leaves Level II, so most of the rules would never be met. Each of these players has tastes of its
own, drawn from its seed, so that many of them together meet everything.
"""

from collections.abc import Mapping, Sequence
from random import Random

from wellhead_rules.kernel.ruleset import Command, GameState, Owed
from wellhead_rules.oil_rock import commands as c
from wellhead_rules.oil_rock import wheel

_APPETITE: Mapping[type[Command], float] = {
    c.ForgoSource: 0.02, c.EndTurn: 0.15, c.EndPhaseTurn: 0.03, c.DeclineEffect: 0.05, c.StopPaying: 0.1,
    c.PlaceOnCopy: 0.05, c.PlaceOnCircle: 4.0, c.UseAbility: 20.0, c.OpenBriefcase: 2.0, c.ActivateRefinery: 5.0,
}  # fmt: skip
_SPREAD = 1.2


class CuriousBot:
    """Chooses by weight. `character` is taken if it can be had; `drive` is the weight of Progress."""

    def __init__(self, seed: int, character: str = "", drive: float = 5.0) -> None:
        self._random = Random(seed)
        self._character = character
        self._drive = drive
        self._tastes: dict[str, float] = {}

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        """One of the commands."""
        weights = [self._weight(state, command) for command in commands]
        return self._random.choices(commands, weights)[0]

    def _weight(self, state: GameState, command: Command) -> float:
        appetite = _APPETITE.get(command.__class__, 1.0)
        match command:
            case c.ChooseCharacter(character=character):
                return 1000.0 if character == self._character else 1.0
            case c.PlaceOnCircle(circle=circle):
                return appetite * self._tiles(state, wheel.linked_tiles(state, circle))
            case c.PlaceOnTile(tile=tile) | c.PlaceOnCopy(tile=tile):
                return appetite * self._tiles(state, (tile,))
            case c.ResolveAction(action=taste) | c.BuyImprovement(improvement=taste) | c.OpenBriefcase(briefcase=taste):
                return appetite * self._taste(taste)
        return appetite

    def _tiles(self, state: GameState, tiles: Sequence[str]) -> float:
        actions = [action for tile in tiles for action in state.content.tiles[tile].actions]
        wanted = sum(self._taste(action) * (self._drive if "progress" in action else 1.0) for action in actions)
        return 0.01 + wanted

    def _taste(self, thing: str) -> float:
        if thing not in self._tastes:
            self._tastes[thing] = self._random.lognormvariate(0, _SPREAD)
        return self._tastes[thing]
