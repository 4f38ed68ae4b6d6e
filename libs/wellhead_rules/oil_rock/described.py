"""The words in which a position is described: what may be said of a table, and what can be seen of it.

Everything is optional. What a description of a starting position leaves out has a fixed default (see `posing`); what an
expectation leaves out is not looked at. Ids and names are those of the rules document.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, UnsetType

from wellhead_rules.kernel.scenarios.described import PositionError, Said, named
from wellhead_rules.oil_rock import goods, wells
from wellhead_rules.oil_rock.game import Game, PlacedWorker, Player
from wellhead_rules.oil_rock.vocabulary import FlowStep, FrameKind, OilColour, Phase, VpCategory, Worker, WorkerSpace

PlayerName = Literal["white", "red", "blue", "yellow"]
PLAYERS: tuple[str, ...] = get_args(PlayerName)
OilName = Literal["yellow", "green", "blue"]
PhaseName = Literal["income", "actions", "oil_extraction", "oil_refining", "goals", "end_of_round"]
FrameName = Literal[
    "choose_character", "deploy", "turn_menu", "phase_menu", "train_route", "train_target", "engineer_move",
    "office_site", "drill_well", "turbine_site", "improvement_purchase", "resource_portion", "alternative",
    "paid_repeat", "turbine_bonus", "bonus_region", "energy_conversion", "basic_loading", "effects", "arrival",
    "laying", "finish", "settle", "flow",
]  # fmt: skip
StepName = Literal["character", "deployment", "round", "income", "worker_turn", "phase_turn"]
Moment = Literal[
    "setup", "characters", "deployment", "start_of_round", "start_of_turn", "turn", "end_of_phase", "final_scoring"
]  # fmt: skip
"""What comes next: setup by the engine itself, the next character or deployment, the round, the turn of the player whom
`turn` names about to start or running, the part of the phase that follows the last turn, or the final score."""

Amount = Annotated[int, Meta(ge=0)]
WorkerPlace = Annotated[str, Meta(pattern=r"^((assistant|manager) )?(copy )?(AT|C)\d+$")]
"""Where a worker stands: `AT12`, `C3`, `copy AT02`; `manager AT12` for a manager on a tile or the Copy space."""
OfficePlace = Annotated[str, Meta(pattern=r"^\S+( from (yellow|green|blue))?$")]
"""Where an Office stands, and the well it came from: `R05`, `R05 from green`."""
OfficeOwner = Annotated[str, Meta(pattern=r"^(white|red|blue|yellow)( from (yellow|green|blue))?$")]
"""Whose Office stands in a region, and the well it came from: `red`, `red from green`."""


class PlayerSaid(Said, frozen=True, kw_only=True):
    """One player: holdings, markers, workers, pieces on the map, company board and cards."""

    character: str | UnsetType = UNSET
    tools: Amount | UnsetType = UNSET
    coins: Amount | UnsetType = UNSET
    coal: Amount | UnsetType = UNSET
    patents: Amount | UnsetType = UNSET
    energy: Amount | UnsetType = UNSET
    barrels: dict[OilName, Amount] | UnsetType = UNSET
    vp: Amount | UnsetType = UNSET
    vp_by_category: dict[str, Amount] | UnsetType = UNSET
    progress: Amount | UnsetType = UNSET
    best_space: Amount | UnsetType = UNSET
    level: Annotated[int, Meta(ge=1, le=6)] | UnsetType = UNSET
    assistants: Amount | UnsetType = UNSET
    managers: Amount | UnsetType = UNSET
    workers: tuple[WorkerPlace, ...] | UnsetType = UNSET
    train: str | UnsetType = UNSET
    engineer: str | UnsetType = UNSET
    depth: dict[OilName, Annotated[int, Meta(ge=1, le=4)]] | UnsetType = UNSET
    offices: tuple[OfficePlace, ...] | UnsetType = UNSET
    offices_on_wells: dict[OilName, Amount] | UnsetType = UNSET
    refineries: Annotated[int, Meta(ge=0, le=12)] | UnsetType = UNSET
    turbines: dict[str, int] | UnsetType = UNSET
    briefcases: tuple[str, ...] | UnsetType = UNSET
    extra_actions: dict[str, int] | UnsetType = UNSET
    improvements: tuple[str, ...] | UnsetType = UNSET


class WheelSaid(Said, frozen=True, kw_only=True):
    """The Wheel: tiles by the index of their space, and how often the outer ring has turned."""

    outer: dict[int, str] | UnsetType = UNSET
    inner: dict[int, str] | UnsetType = UNSET
    rotation: Amount | UnsetType = UNSET


class RegionSaid(Said, frozen=True, kw_only=True):
    """A region; Offices in the order in which they were built, the first on the most valuable slot."""

    region_tile: str | UnsetType = UNSET
    railway_token: str | UnsetType = UNSET
    offices: tuple[OfficeOwner, ...] | UnsetType = UNSET


class DeckSaid(Said, frozen=True, kw_only=True):
    """The deck: cards drawn next, cards never seen, cards put under it, and cards being looked at by `looker`.

    With `unknown` given, every card that is placed nowhere else has been discarded.
    """

    next: tuple[str, ...] | UnsetType = UNSET
    unknown: tuple[str, ...] | UnsetType = UNSET
    bottom: tuple[str, ...] | UnsetType = UNSET
    looked_at: tuple[str, ...] | UnsetType = UNSET
    looker: PlayerName | UnsetType = UNSET


class SourceSaid(Said, frozen=True, kw_only=True):
    """A source of Actions with something pending."""

    source: str
    actions: tuple[str, ...] | UnsetType = UNSET
    started: bool | UnsetType = UNSET


class PhaseTurnSaid(Said, frozen=True, kw_only=True):
    """What has been done in the running phase turn."""

    ability_tier: Amount | UnsetType = UNSET
    energy_mode: bool | UnsetType = UNSET
    ability_used: bool | UnsetType = UNSET
    slots_activated: tuple[int, ...] | UnsetType = UNSET
    basic_refinery_used: bool | UnsetType = UNSET


class ActingSaid(Said, frozen=True, kw_only=True):
    """An Action that has just been started, with its source; without one, the first source that offers it."""

    action: str
    source: str | UnsetType = UNSET


class FrameSaid(Said, frozen=True, kw_only=True):
    """A frame of the agenda (section E.2)."""

    frame: FrameName
    player: PlayerName | UnsetType = UNSET
    effects: str = ""
    index: int = 0
    region: str = ""
    route: tuple[str, ...] = ()
    item: str = ""
    action: str = ""
    step: StepName | UnsetType = UNSET
    count: int = 0
    colour: OilName | UnsetType = UNSET
    loaded: tuple[int, ...] = ()


class Table(Said, frozen=True, kw_only=True):
    """What lies open on the table."""

    players: Annotated[int, Meta(ge=2, le=4)] | tuple[PlayerName, ...] | UnsetType = UNSET
    options: dict[str, str] | UnsetType = UNSET
    turn_order: tuple[PlayerName, ...] | UnsetType = UNSET
    round: Annotated[int, Meta(ge=0, le=4)] | UnsetType = UNSET
    phase: PhaseName | UnsetType = UNSET
    turn: PlayerName | UnsetType | None = UNSET
    worker_turn: Annotated[int, Meta(ge=0, le=3)] | UnsetType = UNSET
    worker_placed: bool | UnsetType = UNSET
    white: PlayerSaid | UnsetType = UNSET
    red: PlayerSaid | UnsetType = UNSET
    blue: PlayerSaid | UnsetType = UNSET
    yellow: PlayerSaid | UnsetType = UNSET
    stacks: dict[int, tuple[PlayerName, ...]] | UnsetType = UNSET
    """Markers by space, bottom to top."""
    wheel: WheelSaid | UnsetType = UNSET
    map: dict[str, RegionSaid] | UnsetType = UNSET
    goals: tuple[str, ...] | UnsetType = UNSET
    display: tuple[str, ...] | UnsetType = UNSET
    discarded: tuple[str, ...] | UnsetType = UNSET
    deck: DeckSaid | UnsetType = UNSET
    pending: tuple[SourceSaid, ...] | UnsetType = UNSET
    phase_turn: PhaseTurnSaid | UnsetType = UNSET


class Description(Table, frozen=True, kw_only=True):
    """A whole position: the table, and what happens next."""

    at: Moment | UnsetType = UNSET
    acting: ActingSaid | UnsetType = UNSET
    agenda: tuple[FrameSaid, ...] | UnsetType = UNSET


# -- what can be seen ------------------------------------------------------------------------------------------


def seen(game: Game) -> Table:
    """The whole table in the same words, nothing left out but what has no meaning now."""
    names = colours(game)
    spaces = sorted({player.space for player in game.players})
    return Table(
        players=names,
        options=game.options,
        turn_order=tuple(names[seat] for seat in game.turn_order),
        round=game.round,
        phase=_phase_name(game.phase),
        turn=names[game.active] if game.active >= 0 else None,
        worker_turn=game.worker_turn,
        worker_placed=game.worker_placed,
        stacks={space: _stack(game, space) for space in spaces},
        wheel=WheelSaid(
            outer=dict(enumerate(game.outer)), inner=dict(enumerate(game.inner)), rotation=game.rotation
        ),
        map={
            region: RegionSaid(
                region_tile=game.region_tile.get(region, ""),
                railway_token=game.railway_token.get(region, ""),
                offices=tuple(names[seat] for seat in game.offices.get(region, ())),
            )
            for region in game.content.regions
        },
        goals=game.goals,
        display=game.display,
        discarded=game.discarded,
        deck=DeckSaid(
            unknown=game.deck,
            bottom=game.deck_bottom,
            looked_at=game.looked_at,
            looker=names[game.looker] if game.looker >= 0 else UNSET,
        ),
        pending=tuple(
            SourceSaid(source=source.source, actions=source.pending, started=source.started) for source in game.sources
        ),
        phase_turn=PhaseTurnSaid(
            ability_tier=game.ability_tier,
            energy_mode=game.energy_mode,
            ability_used=game.ability_used,
            slots_activated=game.slots_activated,
            basic_refinery_used=game.basic_used,
        ),
        **{names[player.seat]: seen_player(game, player) for player in game.players},
    )  # fmt: skip


def seen_player(game: Game, player: Player) -> PlayerSaid:
    """One player in the same words."""
    held = player.goods
    names: Mapping[OilColour, OilName] = {OilColour.YELLOW: "yellow", OilColour.GREEN: "green", OilColour.BLUE: "blue"}
    offices_per_well = {colour: len(well.offices_on_drills) for colour, well in game.content.wells.items()}
    return PlayerSaid(
        character=player.character,
        tools=held[goods.TOOLS],
        coins=held[goods.COINS],
        coal=held[goods.COAL],
        patents=held[goods.PATENTS],
        energy=held[goods.ENERGY],
        barrels={name: held[goods.barrel(colour)] for colour, name in names.items()},
        vp=player.vp,
        vp_by_category={category.name.lower(): player.vp_by_category[category] for category in VpCategory},
        progress=player.space,
        best_space=player.best_space,
        level=player.level,
        assistants=player.assistants,
        managers=player.managers,
        workers=tuple(worker_place(worker) for worker in game.workers if worker.player == player.seat),
        train=player.train,
        engineer=player.engineer,
        depth={name: wells.depth(game, player, colour) for colour, name in names.items()},
        offices=player.offices,
        offices_on_wells={name: offices_per_well[colour] - player.offices_taken[colour]
                          for colour, name in names.items()},
        refineries=player.refineries,
        turbines={turbine: slot for slot, turbine in enumerate(player.turbine_at) if turbine},
        briefcases=player.briefcases,
        extra_actions=dict(player.extra_actions),
        improvements=player.improvements,
    )  # fmt: skip


def colours(game: Game) -> tuple[PlayerName, ...]:
    """The players' colours by seat."""
    return tuple(player.colour.name.lower() for player in game.players)  # type: ignore[misc]


def worker_place(worker: PlacedWorker) -> str:
    """Where a worker stands, in the words of `WorkerPlace`."""
    usual = Worker.MANAGER if worker.space == WorkerSpace.CIRCLE else Worker.ASSISTANT
    kind = "" if worker.worker == usual else f"{Worker(worker.worker).name.lower()} "
    copy = "copy " if worker.space == WorkerSpace.COPY else ""
    return f"{kind}{copy}{worker.place}"


def read_worker_place(said: str) -> tuple[Worker, WorkerSpace, str]:
    """What the words of `WorkerPlace` say."""
    *words, place = said.split()
    space = WorkerSpace.COPY if "copy" in words else WorkerSpace.CIRCLE if place[0] == "C" else WorkerSpace.TILE
    manager = "manager" in words or (space is WorkerSpace.CIRCLE and "assistant" not in words)
    return (Worker.MANAGER if manager else Worker.ASSISTANT), space, place


def _stack(game: Game, space: int) -> tuple[PlayerName, ...]:
    """The markers on a space, bottom to top."""
    names = colours(game)
    there = sorted((player for player in game.players if player.space == space), key=lambda player: player.arrival)
    return tuple(names[player.seat] for player in there)


def _phase_name(phase: int | None) -> PhaseName | UnsetType:
    return Phase(phase).name.lower() if phase else UNSET  # type: ignore[return-value]


FRAMES: Mapping[str, FrameKind] = {kind.name.lower(): kind for kind in FrameKind}
STEPS: Mapping[str, FlowStep] = {step.name.lower(): step for step in FlowStep}
OILS: Mapping[str, OilColour] = {colour.name.lower(): colour for colour in OilColour}

__all__ = [
    "FRAMES", "OILS", "PLAYERS", "STEPS", "ActingSaid", "Amount", "DeckSaid", "Description", "FrameSaid", "Moment",
    "OfficeOwner", "OfficePlace", "OilName", "PhaseTurnSaid", "PlayerName", "PlayerSaid", "PositionError", "RegionSaid",
    "Said", "SourceSaid", "Table", "WheelSaid", "WorkerPlace", "colours", "named", "read_worker_place", "seen",
    "seen_player", "worker_place",
]  # fmt: skip
