"""The state of a game, and the two things a rule may do to it: record a fact and leave work on the agenda.

Everything in here is either a value that is replaced when it changes, or one of the few lists that `clone` copies. So a
clone costs little and shares nothing that can change.
"""

from copy import copy
from typing import ClassVar

import msgspec
from msgspec import Struct

from wellhead_rules.kernel.playing import Folds, Playing
from wellhead_rules.oil_rock.commands import Command
from wellhead_rules.oil_rock.content import Content
from wellhead_rules.oil_rock.events import DecisionOpened, Frame
from wellhead_rules.oil_rock.vocabulary import Phase, PlayerColour, TileMode, Worker, WorkerSpace

FOLDS = Folds()
"""How each kind of fact is folded; filled by `evolve`."""

UNSEEN = ""
"""Stands for a card whose identity the holder of this state does not know."""


class PendingSource(Struct, frozen=True, gc=False):
    """A source of Actions with something pending (`action_source`)."""

    source: str
    mode: TileMode
    pending: tuple[str, ...]
    started: bool


class PlacedWorker(Struct, frozen=True, gc=False):
    """A worker on the Wheel or on the Copy space."""

    player: int
    worker: Worker
    space: WorkerSpace
    place: str


class DueGoal(Struct, frozen=True, gc=False):
    """A goal that has been turned face down and whose award is not yet recorded."""

    round: int
    goal: str
    measures: tuple[int, ...]


class Player(Struct, gc=False):
    """One player's position. Tuples indexed by oil colour have an unused first entry."""

    seat: int
    colour: PlayerColour
    character: str = ""
    goods: list[int] = msgspec.field(default_factory=lambda: [0] * 8)
    vp: int = 0
    vp_by_category: list[int] = msgspec.field(default_factory=lambda: [0] * 12)
    level: int = 1
    space: int = 0
    arrival: int = 0
    """When the marker arrived on its space; inside a stack a smaller number lies lower (OR-PROG.4)."""
    best_space: int = 0
    assistants: int = 0
    managers: int = 0
    train: str = ""
    engineer: str = ""
    drills: tuple[int, ...] = (0, 0, 0, 0)
    offices_taken: tuple[int, ...] = (0, 0, 0, 0)
    """Offices taken off each well."""
    office_vp: int = 0
    offices: tuple[str, ...] = ()
    """Regions with an own Office, in the order in which they were built."""
    refineries: int = 0
    turbine_at: tuple[str, ...] = ("",) * 7
    """Turbine flanking each slot, by slot number."""
    briefcases: tuple[str, ...] = ()
    extra_actions: tuple[tuple[str, int], ...] = ()
    """Extra Actions used, each with its round."""
    improvements: tuple[str, ...] = ()
    """Cards acquired, in order."""
    equipment: tuple[str, ...] = ()
    """Equipment laid down, by ascending number; only these trigger and discount (OR-IMP.46)."""
    train_discount: int = 0
    office_discount: int = 0
    improvement_discount: int = 0


class Game(Playing, eq=False):
    """The whole position, with the running command's agenda and facts."""

    folds: ClassVar[Folds] = FOLDS

    content: Content
    options: dict[str, str]
    players: list[Player]
    turn_order: tuple[int, ...] = ()
    round: int = 0
    phase: Phase | None = None
    active: int = -1
    worker_turn: int = 0
    worker_placed: bool = False
    sources: tuple[PendingSource, ...] = ()
    ability_tier: int = 0
    ability_used: bool = False
    energy_mode: bool = False
    slots_activated: tuple[int, ...] = ()
    basic_used: bool = False
    outer: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    rotation: int = 0
    workers: tuple[PlacedWorker, ...] = ()
    tile_owner: dict[str, int] = msgspec.field(default_factory=dict)
    circle_owner: dict[str, int] = msgspec.field(default_factory=dict)
    region_tile: dict[str, str] = msgspec.field(default_factory=dict)
    railway_token: dict[str, str] = msgspec.field(default_factory=dict)
    offices: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    goals: tuple[str, ...] = ()
    goals_due: tuple[DueGoal, ...] = ()
    goals_scored: tuple[int, ...] = ()
    """Rounds whose award has been recorded."""
    display: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    """Cards never seen by the holder of this state, by ascending number (`unknown_deck`)."""
    deck_bottom: tuple[str, ...] = ()
    looked_at: tuple[str, ...] = ()
    looked_at_from: tuple[int, ...] = ()
    looker: int = -1
    """The player whose cards under the deck are known to that player."""
    discarded: tuple[str, ...] = ()
    arrivals: int = 0
    last_decision_id: int = 0
    final_due: bool = False
    ranking: tuple[tuple[int, int], ...] = ()
    open: DecisionOpened | None = None
    agenda: list[Frame] = msgspec.field(default_factory=list)
    # Only while a command runs, or derived; never part of the state as such.
    choices: tuple[Command, ...] | None = None

    def push(self, frame: Frame) -> None:
        """Leaves work on top of the agenda."""
        self.agenda.append(frame)

    def clone(self) -> "Game":
        """A copy that shares nothing mutable."""
        game = copy(self)
        players = []
        for player in self.players:
            player = copy(player)
            player.goods = player.goods.copy()
            player.vp_by_category = player.vp_by_category.copy()
            players.append(player)
        game.players = players
        game.agenda = self.agenda.copy()
        game.facts = []
        return game

    def snapshot(self) -> bytes:
        """All that is state, in canonical bytes."""
        skipped = {"content", "choices", "facts", "chance"}
        state = {name: getattr(self, name) for name in self.__struct_fields__ if name not in skipped}
        return msgspec.msgpack.encode({"pack": self.content.info.digest, **state}, order="deterministic")
