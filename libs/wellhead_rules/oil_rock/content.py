"""A content pack, checked and indexed for play.

Everything that the rules look up while a game runs is worked out here once: routes with their costs, exact payments of
recipes, levels of spaces, and every effect list under a stable reference such as `briefcase:BC5` or `trigger:IM02:0`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from msgspec import Struct

from wellhead_rules.kernel import packs as kernel_packs
from wellhead_rules.kernel.packs import expect
from wellhead_rules.kernel.ruleset import PackInfo
from wellhead_rules.oil_rock import goods, pack
from wellhead_rules.oil_rock.commands import ActivateRefinery, MoveTrain, PlaceOnCircle, PlaceOnCopy, PlaceOnTile
from wellhead_rules.oil_rock.vocabulary import OilColour, Phase, Reason, TileMode, VpCategory

PACKAGE = "wellhead_rules.oil_rock"

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "stack_tie": ("LOWER_AHEAD", "LOWER_BEHIND"),
    "manager_links": ("OUTER_INNER", "INNER_NEIGHBOURS"),
    "forgo_policy": ("FREE", "STRICT"),
    "turbine_placement": ("ANY_SPACE", "BUILT_REFINERY_ONLY"),
    "character_selection": ("DRAFT_REVERSE", "RANDOM"),
    "initial_turn_order": ("RANDOM", "SEAT_ORDER"),
}
"""The game options that the rules understand (H.14); a pack chooses the defaults."""

METRICS = (
    "drills_yellow", "drills_green", "drills_blue", "drills", "progress_level", "progress_space",
    "offices_plains", "offices_hills", "offices_mountains", "offices",
    "briefcases_opened", "briefcases_yellow", "briefcases_green", "briefcases_blue",
    "improvements_yellow", "improvements_green", "improvements_blue", "improvements",
    "turbines_built", "refineries_built", "extra_actions_used",
)  # fmt: skip
"""What goals and Structures can count (H.3)."""

COLOURS = {"yellow": OilColour.YELLOW, "green": OilColour.GREEN, "blue": OilColour.BLUE}
MODES = {"single": TileMode.SINGLE, "both": TileMode.BOTH, "either": TileMode.EITHER, "blank": TileMode.BLANK}
ABILITY_PHASES = {
    "oil_extraction": Phase.OIL_EXTRACTION,
    "oil_refining": Phase.OIL_REFINING,
    "goals": Phase.GOALS,
}


class EffectList(Struct, frozen=True, gc=False):
    """Effects resolved in order, with the cause that their facts name.

    `binding`: the first effect cannot be declined (OR-ACTION.11). `then`, `choices` and `repeated` hold, per effect,
    the references of the lists nested in it.
    """

    ref: str
    effects: tuple[pack.AnyEffect, ...]
    reason: Reason
    category: VpCategory | None
    source_id: str
    binding: bool
    then: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    repeated: tuple[str, ...]


class Route(Struct, frozen=True, gc=False):
    """A way for the Train with its price in Coal before discounts."""

    cost: int
    command: MoveTrain


class Payment(Struct, frozen=True, gc=False):
    """Barrels that pay for a recipe exactly (OR-REFINE.15)."""

    yellow: int
    green: int
    blue: int
    command: ActivateRefinery


class Source(Struct, frozen=True, gc=False):
    """What an Action tile or an Extra Action offers."""

    id: str
    mode: TileMode
    actions: tuple[str, ...]


class StandingTrigger(Struct, frozen=True, gc=False):
    """A trigger of an Equipment, by reference of its effect list."""

    effects: str
    min_level: int
    colour: OilColour | None


class Ability(Struct, frozen=True, gc=False):
    """A character's ability: its phase and per tier the references of its effect lists ("" for none)."""

    phase: Phase
    energy_mode: bool
    automatic: dict[int, str]
    optional: dict[int, str]


class Content:
    """An indexed content pack; immutable after construction."""

    def __init__(self, data: pack.ContentPack, info: PackInfo) -> None:
        self.data = data
        self.info = info
        self.constants = data.constants
        self.default_options = {option.id: option.default for option in data.game_options}
        terrains = {terrain.id: terrain for terrain in data.terrains}
        self.regions = {region.id: region for region in data.regions}
        self.terrain = {region.id: region.terrain for region in data.regions}
        self.train_cost = {region.id: terrains[region.terrain].train_coal for region in data.regions}
        self.office_cost = {region.id: terrains[region.terrain].office_tools for region in data.regions}
        self.office_slots = {region.id: tuple(sorted(region.office_slots, reverse=True)) for region in data.regions}
        self.regions_of = {
            terrain: tuple(region.id for region in data.regions if region.terrain == terrain) for terrain in terrains
        }
        self.region_tiles = {tile.id: tile for tile in data.region_tiles}
        self.railway_tokens = {token.id: token for token in data.railway_tokens}
        self.goals = {goal.id: goal for goal in data.goals}
        self.actions = {action.id: action for action in data.actions}
        self.tiles = {tile.id: Source(tile.id, MODES[tile.mode], tile.actions) for tile in data.action_tiles}
        self.extra_actions = {
            extra.id: Source(extra.id, MODES[extra.mode], extra.actions) for extra in data.extra_actions
        }
        self.sources = {**self.tiles, **self.extra_actions}
        self.wells = {COLOURS[well.id]: well for well in data.wells}
        self.slots = {slot.slot: slot for slot in data.refinery_slots}
        self.refineries = {refinery.number: refinery for refinery in data.refineries}
        self.turbines = {turbine.id: turbine for turbine in data.turbines}
        self.turbine_ids = tuple(self.turbines)
        self.briefcases = {briefcase.id: briefcase for briefcase in data.briefcases}
        self.briefcase_colour = {briefcase.id: COLOURS[briefcase.colour] for briefcase in data.briefcases}
        self.characters = {character.id: character for character in data.characters}
        self.improvements = {card.id: card for card in data.improvements}
        self.card_colour = {card.id: COLOURS[card.colour] for card in data.improvements}
        self.card_number = {card.id: card.number for card in data.improvements}.__getitem__
        self.card_cost = {card.id: _single_cost(card) for card in data.improvements}
        self.barrel_value = {COLOURS[colour]: value for colour, value in data.constants.barrel_value.items()}
        self.last_space = data.progress_track.last_space
        self.level_of = _levels(data.progress_track)
        self.end_vp = {entry.space: entry.vp for entry in data.progress_track.end_vp}
        self.payments = {slot: _payments(datum) for slot, datum in self.slots.items()}
        self.routes = {region: _routes(self, region, data.constants.train_max_regions) for region in self.regions}
        self.direct = {
            region: tuple(
                Route(self.train_cost[other], MoveTrain((other,))) for other in self.regions if other != region
            )
            for region in self.regions
        }
        self.cheapest_step = {
            region: min(self.train_cost[near] for near in datum.adjacent) for region, datum in self.regions.items()
        }
        self.cheapest_region = {region: min(route.cost for route in self.direct[region]) for region in self.regions}
        self.effects: dict[str, EffectList] = {}
        for effect_list in _effect_lists(data):
            self.effects[effect_list.ref] = effect_list
        self.triggers = _triggers(data)
        self.discounts = {
            card.id: {modifier.applies_to: modifier.discount for modifier in card.modifiers}
            for card in data.improvements
            if card.modifiers
        }
        self.abilities = {character.id: _ability(character) for character in data.characters}
        self.circle_ids = frozenset(
            circle.id for layout in data.wheel.by_player_count.values() for circle in layout.circles
        )
        self.circles = {
            (players, links): _circles(layout, links)
            for players, layout in data.wheel.by_player_count.items()
            for links in OPTIONS["manager_links"]
        }
        self.place_on_tile = {tile: PlaceOnTile(tile) for tile in self.tiles}
        self.place_on_copy = {tile.id: PlaceOnCopy(tile.id) for tile in data.action_tiles if tile.mode != "blank"}
        self.place_on_circle = {circle: PlaceOnCircle(circle) for circle in self.circle_ids}

    def trigger_refs(self, card: str, point: str) -> tuple[StandingTrigger, ...]:
        """Triggers of a card for a trigger point."""
        return self.triggers.get((card, point), ())


# -- loading ---------------------------------------------------------------------------------------------------


@cache
def packs() -> Mapping[str, Content]:
    """The content packs shipped with the rules, by id."""
    return {content.info.id: content for content in map(load, kernel_packs.files(PACKAGE))}


def load(text: bytes) -> Content:
    """Reads and checks a pack; ContentError names the first place that is wrong."""
    data = kernel_packs.decode(text, pack.ContentPack)
    _check(data)
    return Content(data, kernel_packs.info(data.pack, text))


def _check(data: pack.ContentPack) -> None:
    """Checks what types cannot say: references, counts and geometry."""
    _check_ids(data)
    regions = {region.id: region for region in data.regions}
    for region in data.regions:
        expect(
            len(region.office_slots) == data.constants.max_offices_per_region, f"regions.{region.id}", "office slots"
        )
        for near in region.adjacent:
            expect(near in regions and region.id in regions[near].adjacent, f"regions.{region.id}", f"adjacent {near}")
    for name, tiles in (("region_tiles", data.region_tiles), ("railway_tokens", data.railway_tokens)):
        for terrain in data.terrains:
            fitting = sum(tile.terrain == terrain.id for tile in tiles)
            places = sum(region.terrain == terrain.id for region in data.regions)
            expect(fitting == places, name, f"{fitting} for {places} regions of {terrain.id}")
    for players, spaces in data.constants.wheel_spaces_per_ring.items():
        used = sum(players in tile.players for tile in data.action_tiles)
        expect(used == 2 * spaces, "action_tiles", f"{used} tiles for {2 * spaces} spaces with {players} players")
        layout = data.wheel.by_player_count[players]
        expect(layout.n == spaces, f"wheel.{players}", "the size differs from wheel_spaces_per_ring")
    for option in data.game_options:
        known = OPTIONS.get(option.id)
        expect(known is not None and set(option.values) <= set(known), f"game_options.{option.id}", "not understood")
        expect(option.default in option.values, f"game_options.{option.id}", "default is not a value")
    expect({option.id for option in data.game_options} == set(OPTIONS), "game_options", "options are missing")
    actions = {action.id for action in data.actions}
    sources: tuple[pack.ActionTile | pack.ExtraAction, ...] = (*data.action_tiles, *data.extra_actions)
    for source in sources:
        expect(set(source.actions) <= actions, f"{source.id}.actions", "an Action that does not exist")
        wanted = {"blank": 0, "single": 1, "both": 2, "either": 2}[source.mode]
        expect(len(source.actions) == wanted, f"{source.id}.actions", f"{source.mode} takes {wanted}")
    for character in data.characters:
        for level in character.levels:
            workers = sum(e.assistants + e.managers for e in level.income if isinstance(e, pack.GainWorkers))
            expect(workers == data.constants.workers_per_income, f"characters.{character.id}", "workers of an income")
    for rule in (*(goal.scoring for goal in data.goals), *(card.scoring for card in data.improvements if card.scoring)):
        for metric in rule.metrics if isinstance(rule, pack.PerSet) else (rule.metric,):
            expect(metric in METRICS, "scoring", f"metric {metric} does not exist")
    expect(len(data.goals) >= data.constants.goals_in_play >= data.constants.rounds, "goals", "too few for the rounds")
    expect(data.progress_track.start_space == data.constants.start_progress, "progress_track", "start_space")


def _check_ids(data: pack.ContentPack) -> None:
    for name in (
        "regions", "region_tiles", "railway_tokens", "goals", "actions", "action_tiles", "extra_actions", "turbines",
        "briefcases", "characters", "improvements", "wells", "terrains",
    ):  # fmt: skip
        ids = [datum.id for datum in getattr(data, name)]
        expect(len(set(ids)) == len(ids), name, "an id stands twice")
    numbers = [card.number for card in data.improvements]
    expect(numbers == sorted(set(numbers)), "improvements", "numbers must rise")


# -- indexing --------------------------------------------------------------------------------------------------


def _circles(layout: pack.WheelLayout, links: str) -> tuple[str, ...]:
    """The circles of a Wheel (OR-WHEEL.5, 10)."""
    if links == "INNER_NEIGHBOURS":
        return tuple(f"C{index}" for index in range(layout.n))
    return tuple(circle.id for circle in layout.circles)


def _single_cost(card: pack.Improvement) -> tuple[int, int]:
    ((kind, amount),) = card.cost.items()
    return goods.PLACE[kind], amount


def _levels(track: pack.ProgressTrack) -> tuple[int, ...]:
    return tuple(
        max(entry.level for entry in track.level_thresholds if entry.space <= space)
        for space in range(track.last_space + 1)
    )


def _payments(slot: pack.RefinerySlot) -> tuple[Payment, ...]:
    """Every exact payment of a recipe (OR-REFINE.3, 15), cheapest barrels first."""
    blue, green = slot.recipe["blue"], slot.recipe["green"]
    size = sum(slot.recipe.values())
    return tuple(
        Payment(size - g - b, g, b, ActivateRefinery(slot.slot, size - g - b, g, b))
        for b, g in product(range(size + 1), repeat=2)
        if g + b <= size and b >= blue and b + g >= blue + green
    )


def _routes(content: Content, start: str, most: int) -> tuple[Route, ...]:
    """Routes of one to `most` steps that do not end where they began (OR-TRAIN.1, 4)."""
    routes: list[Route] = []
    paths: list[tuple[str, ...]] = [()]
    for _ in range(most):
        paths = [(*path, near) for path in paths for near in content.regions[path[-1] if path else start].adjacent]
        routes += [
            Route(sum(content.train_cost[region] for region in path), MoveTrain(path))
            for path in paths
            if path[-1] != start
        ]
    return tuple(routes)


def _triggers(data: pack.ContentPack) -> dict[tuple[str, str], tuple[StandingTrigger, ...]]:
    triggers: dict[tuple[str, str], tuple[StandingTrigger, ...]] = {}
    for card in data.improvements:
        for index, trigger in enumerate(card.triggers):
            colour = COLOURS[trigger.colour] if trigger.colour else None
            standing = StandingTrigger(f"trigger:{card.id}:{index}", trigger.min_level, colour)
            key = (card.id, trigger.on)
            triggers[key] = (*triggers.get(key, ()), standing)
    return triggers


def _ability(character: pack.Character) -> Ability:
    ability = character.ability
    return Ability(
        ABILITY_PHASES[ability.phase],
        ability.energy_mode,
        {tier.level: f"automatic:{character.id}:{tier.level}" if tier.automatic else "" for tier in ability.tiers},
        {tier.level: f"optional:{character.id}:{tier.level}" if tier.optional else "" for tier in ability.tiers},
    )


def _effect_lists(data: pack.ContentPack) -> Iterator[EffectList]:
    """Every effect list of the pack under its reference, nested ones included."""
    for action in data.actions:
        yield from _nested(f"action:{action.id}", action.effects, Reason.ACTION, None, "", binding=True)
    for tile in data.region_tiles:
        yield from _nested(
            f"region_tile:{tile.id}", tile.branch_bonus, Reason.BRANCH_BONUS, VpCategory.BRANCH_BONUS, tile.id
        )
    for token in data.railway_tokens:
        yield from _nested(
            f"railway_token:{token.id}", token.bonus, Reason.RAILWAY_BONUS, VpCategory.RAILWAY_BONUS, token.id
        )
    for refinery in data.refineries:
        yield from _nested(
            f"refinery:{refinery.number}", refinery.output, Reason.REFINERY, VpCategory.REFINERY, refinery.id
        )
    for turbine in data.turbines:
        yield from _nested(f"turbine:{turbine.id}", turbine.bonus, Reason.TURBINE, VpCategory.TURBINE, turbine.id)
    for briefcase in data.briefcases:
        yield from _nested(
            f"briefcase:{briefcase.id}", briefcase.effects, Reason.BRIEFCASE, VpCategory.BRIEFCASE, briefcase.id
        )
    for character in data.characters:
        for level in character.levels:
            yield from _nested(f"income:{character.id}:{level.level}", level.income, Reason.INCOME, None, character.id)
        for tier in character.ability.tiers:
            for name, effects in (("automatic", tier.automatic), ("optional", tier.optional or ())):
                yield from _nested(
                    f"{name}:{character.id}:{tier.level}", effects, Reason.ABILITY, VpCategory.ABILITY, character.id,
                    binding=name == "optional",
                )  # fmt: skip
    for card in data.improvements:
        if card.effects:
            yield from _nested(
                f"improvement:{card.id}", card.effects, Reason.TECHNOLOGY, VpCategory.TECHNOLOGY, card.id
            )
        for index, trigger in enumerate(card.triggers):
            yield from _nested(
                f"trigger:{card.id}:{index}", trigger.effects, Reason.EQUIPMENT, VpCategory.EQUIPMENT, card.id
            )


def _nested(
    ref: str,
    effects: pack.Effects,
    reason: Reason,
    category: VpCategory | None,
    source_id: str,
    binding: bool = False,
) -> Iterator[EffectList]:
    then, choices, repeated = [], [], []
    for index, effect in enumerate(effects):
        inner: list[tuple[str, pack.Effects]] = []
        if isinstance(effect, pack.Build) and effect.then:
            inner = [(f"{ref}/{index}.then", effect.then)]
        then.append(inner[0][0] if inner else "")
        options: list[tuple[str, pack.Effects]] = []
        if isinstance(effect, pack.Choose):
            options = [(f"{ref}/{index}.options.{place}", option) for place, option in enumerate(effect.options)]
        choices.append(tuple(name for name, _ in options))
        again: list[tuple[str, pack.Effects]] = []
        if isinstance(effect, pack.MayPay):
            again = [(f"{ref}/{index}.effects", effect.effects)]
        repeated.append(again[0][0] if again else "")
        for name, listed in (*inner, *options, *again):
            yield from _nested(name, listed, reason, category, source_id)
    yield EffectList(ref, effects, reason, category, source_id, binding, tuple(then), tuple(choices), tuple(repeated))
