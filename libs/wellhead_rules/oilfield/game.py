"""The state of a game.

Everything in here is either a value that is replaced when it changes, or one of the players, which `clone` copies. So a
clone costs little and shares nothing that can change. Fields, slots, spaces and squares are counted from 0.
"""

from copy import copy
from typing import ClassVar

import msgspec
from msgspec import Struct

from wellhead_rules.kernel.playing import Folds, Playing
from wellhead_rules.oilfield.commands import Command
from wellhead_rules.oilfield.content import Content, Kind
from wellhead_rules.oilfield.events import DecisionOpened, Frame, Standing
from wellhead_rules.oilfield.vocabulary import Action, ActionOrigin, Phase, VpCategory

NOBODY = -1
DUMMY = -2
GOVERNMENT = -3
"""Who may stand where a seat stands: on a slot, a space or an investment square."""

NO_CARD = 0
UNSEEN = -1
"""A card not yet committed, and one whose identity the holder of this state does not know."""

FOLDS = Folds()
"""How each kind of fact is folded; filled by `evolve`."""


class Slot(Struct, frozen=True, gc=False):
    """A lease slot: who has the lease, which tower stands on it, and whether it is restricted by a disc."""

    owner: int = NOBODY
    tile: str = ""
    disc: bool = False


class CurrentAction(Struct, frozen=True, gc=False):
    """The action that is being carried out; `used` are the towers that have been used in it."""

    seat: int
    action: Action
    origin: ActionOrigin
    lease_price: int
    begun: bool = False
    used: tuple[str, ...] = ()


class Player(Struct, gc=False):
    """One player's position."""

    seat: int
    colour: str
    coins: int = 0
    oil: int = 0
    gas: int = 0
    storage: int = 0
    lease_markers: int = 0
    """Markers that are not on the board."""
    investment_markers: int = 0
    """Markers that are neither on an investment square nor on the VP track."""
    leases: tuple[str, ...] = ()
    """Lease cards, by their numbers."""
    expansions: tuple[str, ...] = ()
    vp: tuple[int, ...] = (0,) * (len(VpCategory) + 1)
    """Points by category; the first entry is unused."""

    @property
    def free_space(self) -> int:
        """Cubes that the warehouse can still take."""
        return self.storage - self.oil - self.gas

    @property
    def total(self) -> int:
        """All points so far."""
        return sum(self.vp)


class Game(Playing, eq=False):
    """The whole position, with the running command's agenda and facts."""

    folds: ClassVar[Folds] = FOLDS

    content: Content
    options: dict[str, str]
    players: list[Player]
    phase: int = 0
    round: int = 0
    is_final: bool = False
    final_round: int = 0
    """The round named when the end was triggered, 0 before."""
    first_player: int = NOBODY
    oil: tuple[int, ...] = (0, 0, 0)
    gas: tuple[int, ...] = (0, 0, 0)
    steps: tuple[int, ...] = (0, 0, 0)
    exhausted: tuple[bool, ...] = (False, False, False)
    strike_field: int = NOBODY
    strike_in_bag: bool = False
    bag_oil: int = 0
    bag_gas: int = 0
    slots: tuple[Slot, ...] = ()
    lease_deck: tuple[str, ...] = ()
    lease_market: tuple[str, ...] = ()
    tile_deck: tuple[str, ...] = ()
    tile_market: tuple[str, ...] = ()
    removed_tiles: tuple[str, ...] = ()
    tracks: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """By track, who stands on each square."""
    workers: tuple[int, ...] = ()
    """By space, whose worker stands there."""
    dummy_space: str = ""
    dummy_card: int = NO_CARD
    committed: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    sellers: int = 0
    national_price: int = 0
    current: CurrentAction | None = None
    demanded: str = ""
    """The government tower for which its owner is asked to pay."""
    subsidy_pot: int = 0
    last_decision_id: int = 0
    ranking: tuple[Standing, ...] = ()
    open: DecisionOpened | None = None
    # Only while a command runs, or derived; never part of the state as such.
    agenda: list[Frame] = msgspec.field(default_factory=list)
    choices: list[Command] | None = None

    @property
    def turn_order(self) -> list[int]:
        """The seats clockwise from the first player."""
        seats, first = len(self.players), self.first_player
        return [(first + step) % seats for step in range(seats)]

    @property
    def supervisor(self) -> int:
        """The Local Market Supervisor: the last in the turn order (OF-10.6, OF-21.8)."""
        return (self.first_player - 1) % len(self.players)

    @property
    def has_dummy(self) -> bool:
        """The two-player variant is played (OF-21)."""
        return len(self.players) == 2

    @property
    def over(self) -> bool:
        """No command of a player is accepted any more (OF-18.5)."""
        return self.phase >= Phase.FINAL_SCORING

    def kind(self, tile: str) -> Kind:
        """The type of a tile."""
        return self.content.kind_of_tile[tile]

    def push(self, *frames: Frame) -> None:
        """Leaves work on the agenda; the first is done first."""
        self.agenda.extend(reversed(frames))

    def clone(self) -> "Game":
        """A copy that shares nothing mutable."""
        game = copy(self)
        game.players = [copy(player) for player in self.players]
        game.agenda = []
        game.facts = []
        return game

    def snapshot(self) -> bytes:
        """All that is state, in canonical bytes."""
        skipped = {"content", "choices", "facts", "chance", "agenda"}
        state = {name: getattr(self, name) for name in self.__struct_fields__ if name not in skipped}
        return msgspec.msgpack.encode({"pack": self.content.info.digest, **state}, order="deterministic")


def placed(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """The values with one of them replaced."""
    return (*values[:index], value, *values[index + 1 :])
