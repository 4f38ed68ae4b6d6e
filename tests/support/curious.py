"""Players that wander far: by chance, but towards whatever leads further.

Random play seldom leaves Level II of Oil Rock, and in Oilfield it sells and passes, so most of the rules would never be
met. Each of these players has tastes of its own, drawn from its seed, so that many of them together meet everything.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from wellhead_rules.kernel.ruleset import Command, GameState, Owed
from wellhead_rules.oil_rock import commands as oil_rock
from wellhead_rules.oil_rock import wheel
from wellhead_rules.oilfield import building, drilling
from wellhead_rules.oilfield import commands as oilfield
from wellhead_rules.oilfield.vocabulary import Action

_SPREAD = 1.2


class Curious:
    """Chooses by weight: the appetite for the kind of command, 1 if there is none, as a game refines it."""

    appetite: ClassVar[Mapping[type[Command], float]] = {}

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._tastes: dict[str, float] = {}

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        """One of the commands."""
        weights = [self.weight(state, owed.seat, command) for command in commands]
        return self._random.choices(commands, weights)[0]

    def weight(self, state: GameState, seat: int, command: Command) -> float:
        """How much the seat wants to do it."""
        return self.appetite.get(command.__class__, 1.0)

    def taste(self, thing: str) -> float:
        """How much this player likes a thing."""
        if thing not in self._tastes:
            self._tastes[thing] = self._random.lognormvariate(0, _SPREAD)
        return self._tastes[thing]


class CuriousOilRock(Curious):
    """Towards Progress, abilities and purchases. `character` is taken if it can be had; `drive` is that of Progress."""

    appetite: ClassVar = {
        oil_rock.ForgoSource: 0.02, oil_rock.EndTurn: 0.15, oil_rock.EndPhaseTurn: 0.03, oil_rock.DeclineEffect: 0.05,
        oil_rock.StopPaying: 0.1, oil_rock.PlaceOnCopy: 0.05, oil_rock.PlaceOnCircle: 4.0, oil_rock.UseAbility: 20.0,
        oil_rock.OpenBriefcase: 2.0, oil_rock.ActivateRefinery: 5.0,
    }  # fmt: skip

    def __init__(self, seed: int, character: str = "", drive: float = 5.0) -> None:
        super().__init__(seed)
        self._character = character
        self._drive = drive

    def weight(self, state: GameState, seat: int, command: Command) -> float:
        """How much the seat wants to do it."""
        appetite = super().weight(state, seat, command)
        match command:
            case oil_rock.ChooseCharacter(character=character):
                return 1000.0 if character == self._character else 1.0
            case oil_rock.PlaceOnCircle(circle=circle):
                return appetite * self._tiles(state, wheel.linked_tiles(state, circle))
            case oil_rock.PlaceOnTile(tile=tile) | oil_rock.PlaceOnCopy(tile=tile):
                return appetite * self._tiles(state, (tile,))
            case (
                oil_rock.ResolveAction(action=thing)
                | oil_rock.BuyImprovement(improvement=thing)
                | oil_rock.OpenBriefcase(briefcase=thing)
            ):
                return appetite * self.taste(thing)
        return appetite

    def _tiles(self, state: GameState, tiles: Sequence[str]) -> float:
        actions = [action for tile in tiles for action in state.content.tiles[tile].actions]
        wanted = sum(self.taste(action) * (self._drive if "progress" in action else 1.0) for action in actions)
        return 0.01 + wanted


class CuriousOilfield(Curious):
    """Towards oil: leases, towers on them, cubes out of the fields and into the markets.

    `drive` is the weight of what can be done now, `thrift` that of keeping an investment, `idle` that of passing; the
    action it is `fond` of it chooses most.
    """

    appetite: ClassVar = {
        oilfield.PassAction: 0.04, oilfield.FinishDrilling: 0.05, oilfield.FinishNational: 0.3,
        oilfield.ForfeitGovernmentTower: 0.4, oilfield.BuildTower: 2.0,
    }  # fmt: skip

    def __init__(
        self, seed: int, drive: float = 8.0, thrift: float = 40.0, fond: str = "", idle: float = 1.0
    ) -> None:  # fmt: skip
        super().__init__(seed)
        self._drive = drive
        self._thrift = thrift
        self._fond = fond
        self._idle = idle

    def weight(self, state: GameState, seat: int, command: Command) -> float:
        """How much the seat wants to do it."""
        appetite = super().weight(state, seat, command)
        match command:
            case oilfield.PlaceWorker(space_id=space):
                return self._action(state, seat, state.content.spaces[state.content.space_index[space]].action)
            case oilfield.CommitPrivateAction(card=card):
                return self._action(state, seat, card)
            case oilfield.DrillTower():
                cubes = command.oil_to_warehouse + command.gas_to_warehouse
                return appetite * (1 + cubes + command.oil_to_local + command.gas_to_local) ** 2
            case oilfield.BuildTower(tile_type=thing) | oilfield.BuildExpansion(tile_type=thing):
                return appetite * self.taste(thing)
            case oilfield.TakeLease(field=thing) | oilfield.BuyInvestment(track=thing):
                return appetite * self.taste(thing)
            case oilfield.SellInvestment():
                return appetite / self._thrift
            case oilfield.PassAction():
                return appetite * self._idle
        return appetite

    def _action(self, state: GameState, seat: int, action: int) -> float:
        name = Action(action).name
        wanted = 30.0 if name == self._fond else self._drive if self._promises(state, seat, action) else 1.0
        return self.taste(name) * wanted

    def _promises(self, state: GameState, seat: int, action: int) -> bool:
        """The action leads to oil, and something could be done now."""
        player = state.players[seat]
        match action:
            case Action.LEASE:
                return bool(state.lease_market and player.lease_markers and len(player.leases) < 3)
            case Action.BUILD:
                return any(isinstance(each, oilfield.BuildTower) for each in building.options(state, seat))
            case Action.DRILL:
                return bool(drilling.options(state, seat))
            case Action.LOCAL | Action.NATIONAL:
                return player.free_space < 2
        return False
