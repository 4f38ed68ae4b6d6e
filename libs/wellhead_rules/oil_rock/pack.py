"""The shape of a content pack (sections H.2 to H.14).

Every record forbids keys it does not know and the vocabulary of effects is closed, so a pack that says something the
rules cannot do is refused when it is loaded. `provenance`, `note` and `label` are for people.
"""

from typing import Any, Literal

from msgspec import Struct, field

Provenance = str | dict[str, str]
Colour = Literal["yellow", "green", "blue"]
Terrain = Literal["plains", "hills", "mountains"]
Resource = Literal["tools", "coins", "coal"]
Mode = Literal["single", "both", "either", "blank"]
TriggerPoint = Literal[
    "drill_built",
    "refinery_built",
    "office_built",
    "turbine_built",
    "level_reached",
    "briefcase_opened",
    "basic_refinery_used",
    "improvement_acquired",
]
ModifierTarget = Literal["move_train", "build_office", "buy_improvement"]


class Strict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record that refuses keys it does not know."""


class Datum(Strict, frozen=True, kw_only=True):
    """A record that says where it comes from."""

    provenance: Provenance
    note: str = ""


# -- effects (H.2) ---------------------------------------------------------------------------------------------


class Effect(Strict, frozen=True, tag_field="op", kw_only=True):
    """One instruction of the vocabulary."""


class Gain(Effect, frozen=True, tag="gain", kw_only=True):
    """A fixed gain, recorded in the order of these fields."""

    tools: int = 0
    coins: int = 0
    coal: int = 0
    patents: int = 0
    yellow: int = 0
    green: int = 0
    blue: int = 0
    progress: int = 0
    vp: int = 0


class GainResources(Effect, frozen=True, tag="gain_resources", kw_only=True):
    """Resources of choice."""

    n: int


class GainWorkers(Effect, frozen=True, tag="gain_workers", kw_only=True):
    """Workers into the pool."""

    assistants: int
    managers: int


class GainEnergy(Effect, frozen=True, tag="gain_energy", kw_only=True):
    """Energy for the running phase turn."""

    n: int


class Choose(Effect, frozen=True, tag="choose", kw_only=True):
    """Exactly one of the lists."""

    options: tuple[tuple["AnyEffect", ...], ...]


class MayPay(Effect, frozen=True, tag="may_pay", kw_only=True):
    """Up to `times` times: pay, then resolve."""

    cost: dict[Resource, int]
    times: int
    effects: tuple["AnyEffect", ...]


class MoveTrain(Effect, frozen=True, tag="move_train", kw_only=True):
    """A Train move."""

    mode: Literal["path", "anywhere"]
    max_regions: int = 1
    bonus: tuple[Literal["railway", "branch"], ...]
    discount: int = 0
    free: bool = False


class Build(Effect, frozen=True, kw_only=True):
    """What the building effects share."""

    discount: int = 0
    free: bool = False
    then: tuple["AnyEffect", ...] = ()


class BuildOffice(Build, frozen=True, tag="build_office", kw_only=True):
    """An Office; `anywhere` needs neither Train nor Engineer."""

    anywhere: bool = False


class BuildDrill(Build, frozen=True, tag="build_drill", kw_only=True):
    """A drill."""


class BuildRefinery(Effect, frozen=True, tag="build_refinery", kw_only=True):
    """The next refinery; nothing to choose, never declined."""

    cost: dict[Resource, int] = field(default_factory=dict)


class BuildTurbine(Build, frozen=True, tag="build_turbine", kw_only=True):
    """A Turbine."""


class BuyImprovement(Build, frozen=True, tag="buy_improvement", kw_only=True):
    """An Improvement, after a look at up to `peek` cards of the deck."""

    peek: int = 0


class TurbineBonus(Effect, frozen=True, tag="turbine_bonus", kw_only=True):
    """The bonus of any one built Turbine."""


class RailwayBonus(Effect, frozen=True, tag="railway_bonus", kw_only=True):
    """The Railway token of a region."""

    region: Literal["train", "context", "choose"]
    terrain: Terrain | None = None


class BranchBonus(Effect, frozen=True, tag="branch_bonus", kw_only=True):
    """The Region tile of a region."""

    region: Literal["context", "choose"]
    terrain: Terrain | None = None


AnyEffect = (
    Gain
    | GainResources
    | GainWorkers
    | GainEnergy
    | Choose
    | MayPay
    | MoveTrain
    | BuildOffice
    | BuildDrill
    | BuildRefinery
    | BuildTurbine
    | BuyImprovement
    | TurbineBonus
    | RailwayBonus
    | BranchBonus
)
Effects = tuple[AnyEffect, ...]


# -- scoring rules, triggers, modifiers (H.3) ------------------------------------------------------------------


class ScoringRule(Strict, frozen=True, tag_field="rule", kw_only=True):
    """How a goal or a Structure scores."""


class Per(ScoringRule, frozen=True, tag="per", kw_only=True):
    """So many points per unit."""

    metric: str
    vp: int
    max: int | None = None


class PerSet(ScoringRule, frozen=True, tag="per_set", kw_only=True):
    """So many points per complete set."""

    metrics: tuple[str, ...]
    vp: int
    max: int | None = None


class PerGroup(ScoringRule, frozen=True, tag="per_group", kw_only=True):
    """So many points per group of equal things."""

    metric: str
    size: int
    vp: int
    max: int | None = None


class Majority(ScoringRule, frozen=True, tag="majority", kw_only=True):
    """Points for having the most."""

    metric: str
    vp_sole: int
    vp_tied: int
    min: int


AnyScoringRule = Per | PerSet | PerGroup | Majority


class Trigger(Strict, frozen=True, kw_only=True):
    """A standing effect list."""

    on: TriggerPoint
    effects: Effects
    min_level: int = 0
    colour: Colour | None = None


class Modifier(Strict, frozen=True, kw_only=True):
    """A standing discount."""

    applies_to: ModifierTarget
    discount: int


# -- the sections of the file ----------------------------------------------------------------------------------


class PackHeader(Strict, frozen=True, kw_only=True):
    """Which pack this is."""

    id: str
    version: str
    game: Literal["oil_rock"]
    sources: tuple[str, ...]
    provenance_values: dict[str, str]


class Constants(Datum, frozen=True, kw_only=True):
    """The numbers printed in the rulebook (H.4)."""

    rounds: int
    phases: tuple[str, ...]
    players_min: int
    players_max: int
    worker_turns_per_round: int
    workers_per_income: int
    wheel_spaces_per_ring: dict[int, int]
    improvement_display_size: dict[int, int]
    improvements_discarded_per_round: int
    goals_in_play: int
    max_offices: int
    max_offices_per_region: int
    max_offices_per_player_per_region: int
    drills_per_well: int
    min_depth: int
    max_depth: int
    max_refineries: int
    refinery_slots: int
    max_turbines: int
    extra_action_cost_patents: int
    extra_actions_per_round: int
    barrel_cap_per_colour: int
    copy_cost_progress: int
    compensation_progress: int
    start_progress: int
    start_level: int
    max_level: int
    train_max_regions: int
    barrel_value: dict[Colour, int]
    basic_refinery_divisor: int
    leftover_resource_divisor: int
    leftover_patent_vp: int
    depth_vp: dict[int, int]
    unlimited: tuple[str, ...]


class TerrainDatum(Datum, frozen=True, kw_only=True):
    """A terrain and its costs."""

    id: Terrain
    colour: Colour
    train_coal: int
    office_tools: int


class GameOption(Datum, frozen=True, kw_only=True):
    """A setting fixed when the game is created (H.14)."""

    id: str
    default: str
    values: tuple[str, ...]


class PlayerColours(Datum, frozen=True, kw_only=True):
    """Colours of the pieces."""

    values: tuple[Literal["white", "red", "blue", "yellow"], ...]


class Supply(Strict, frozen=True, kw_only=True):
    """The initial supply of a place in the turn order."""

    position: int
    tools: int
    coins: int
    coal: int
    patents: int


class InitialSupply(Datum, frozen=True, kw_only=True):
    """The initial supplies (H.13)."""

    by_turn_order_position: tuple[Supply, ...]


class Circle(Strict, frozen=True, kw_only=True):
    """A circle of the outer ring (OR-WHEEL.5)."""

    id: str
    outer: int
    inner_offset: int
    flank: str


class WheelLayout(Strict, frozen=True, kw_only=True):
    """The Wheel for a number of players."""

    n: int
    circles: tuple[Circle, ...]


class Wheel(Datum, frozen=True, kw_only=True):
    """The Wheel (B.9)."""

    formula: str
    inner_ring_fixed: bool
    outer_ring_rotates: str
    clicks_per_round: int
    by_player_count: dict[int, WheelLayout]
    inner_neighbours_variant: dict[str, str]


class Action(Datum, frozen=True, kw_only=True):
    """One of the 13 Actions (H.5)."""

    id: str
    label: str
    effects: Effects


class ActionTile(Datum, frozen=True, kw_only=True):
    """An Action tile."""

    id: str
    players: tuple[int, ...]
    mode: Mode
    actions: tuple[str, ...]


class Region(Datum, frozen=True, kw_only=True):
    """A region of the map (H.6)."""

    id: str
    row: int
    column: int
    terrain: Terrain
    adjacent: tuple[str, ...]
    office_slots: tuple[int, ...]


class RegionTile(Datum, frozen=True, kw_only=True):
    """A Region tile (H.7)."""

    id: str
    terrain: Terrain
    branch_bonus: Effects


class RailwayToken(Datum, frozen=True, kw_only=True):
    """A Railway token (H.7)."""

    id: str
    terrain: Terrain
    bonus: Effects


class Goal(Datum, frozen=True, kw_only=True):
    """A goal (G.1)."""

    id: str
    scoring: AnyScoringRule


class Well(Datum, frozen=True, kw_only=True):
    """A well (H.8)."""

    id: Colour
    drill_costs_tools: tuple[int, ...]
    offices_on_drills: tuple[int, ...]


class RefinerySlot(Datum, frozen=True, kw_only=True):
    """A refinery slot (H.8)."""

    slot: int
    recipe: dict[Colour, int]
    energy_cost: int
    turbine_spaces: int
    modern_vp_if_flanked: int
    holds: tuple[int, int]


class Refinery(Datum, frozen=True, kw_only=True):
    """A refinery tile side (H.8)."""

    id: str
    number: int
    slot: int
    modern: bool
    output: Effects


class Turbine(Datum, frozen=True, kw_only=True):
    """A Turbine (H.8)."""

    id: str
    coal_cost: int
    bonus: Effects


class Briefcase(Datum, frozen=True, kw_only=True):
    """A Briefcase (H.11)."""

    id: str
    colour: Colour
    patent_cost: int
    effects: Effects


class ExtraAction(Datum, frozen=True, kw_only=True):
    """An Extra Action (H.11)."""

    id: str
    mode: Mode
    actions: tuple[str, ...]


class LevelThreshold(Strict, frozen=True, kw_only=True):
    """The first space of a level."""

    level: int
    space: int


class EndVp(Strict, frozen=True, kw_only=True):
    """Points of a space at the end."""

    space: int
    vp: int


class ProgressTrack(Datum, frozen=True, kw_only=True):
    """The Progress track (H.9)."""

    first_space: int
    last_space: int
    start_space: int
    overflow_vp: int
    level_thresholds: tuple[LevelThreshold, ...]
    end_vp: tuple[EndVp, ...]


class CharacterLevel(Strict, frozen=True, kw_only=True):
    """The income band of a level."""

    level: int
    income: Effects


class AbilityTier(Strict, frozen=True, kw_only=True):
    """A tier of an ability: gains at the start of the phase turn, and what may be done."""

    level: int
    automatic: Effects
    optional: Effects | None


class Ability(Strict, frozen=True, kw_only=True):
    """A character's ability (B.25)."""

    phase: Literal["oil_extraction", "oil_refining", "goals"]
    tiers: tuple[AbilityTier, ...]
    energy_mode: bool = False


class Character(Datum, frozen=True, kw_only=True):
    """A character (H.10)."""

    id: str
    name: str
    levels: tuple[CharacterLevel, ...]
    ability: Ability


class Improvement(Datum, frozen=True, kw_only=True):
    """An Improvement (H.12): Equipment has triggers and modifiers, Technology effects, Structure a scoring rule."""

    id: str
    number: int
    colour: Colour
    kind: Literal["equipment", "technology", "structure"]
    cost: dict[Resource, int]
    label: str
    triggers: tuple[Trigger, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    effects: Effects = ()
    scoring: AnyScoringRule | None = None


class EndScoring(Datum, frozen=True, kw_only=True):
    """The categories of the final breakdown (G.3)."""

    categories: tuple[str, ...]


class ContentPack(Strict, frozen=True, kw_only=True):
    """The whole file."""

    pack: PackHeader
    constants: Constants
    terrains: tuple[TerrainDatum, ...]
    game_options: tuple[GameOption, ...]
    player_colours: PlayerColours
    initial_supply: InitialSupply
    wheel: Wheel
    actions: tuple[Action, ...]
    action_tiles: tuple[ActionTile, ...]
    regions: tuple[Region, ...]
    region_tiles: tuple[RegionTile, ...]
    railway_tokens: tuple[RailwayToken, ...]
    goals: tuple[Goal, ...]
    wells: tuple[Well, ...]
    refinery_slots: tuple[RefinerySlot, ...]
    refineries: tuple[Refinery, ...]
    turbines: tuple[Turbine, ...]
    briefcases: tuple[Briefcase, ...]
    extra_actions: tuple[ExtraAction, ...]
    progress_track: ProgressTrack
    characters: tuple[Character, ...]
    improvements: tuple[Improvement, ...]
    end_scoring: EndScoring
    vocabulary: Any
