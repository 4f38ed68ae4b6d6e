"""What statistics count: the things that players take in a game, and the facts that say so."""

from collections.abc import Callable, Mapping
from typing import Any

from wellhead_rules.kernel.ruleset import Taken
from wellhead_rules.oil_rock import events as e
from wellhead_rules.oil_rock import rendering
from wellhead_rules.oil_rock.content import Content
from wellhead_rules.oil_rock.events import Event
from wellhead_rules.oil_rock.vocabulary import OilColour

CHARACTER, TILE, EXTRA_ACTION = "character", "Action tile", "Extra Action"
IMPROVEMENT, BRIEFCASE, TURBINE, REFINERY, OFFICE, DRILL = (
    "Improvement", "Briefcase", "Turbine", "Refinery", "Office", "drill",
)  # fmt: skip


def things(content: Content, seats: int) -> Mapping[str, Mapping[str, str]]:
    """Everything that can be taken, by kind; a tile counts as taken whenever its Actions are unlocked."""
    return {
        CHARACTER: {one.id: one.name for one in content.characters.values()},
        TILE: {
            tile.id: rendering.actions(content, tile.id)
            for tile in content.data.action_tiles
            if seats in tile.players and tile.actions
        },
        IMPROVEMENT: {one.id: one.label for one in content.improvements.values()},
        BRIEFCASE: {
            one.id: "; ".join(map(rendering.effect_words, one.effects)) for one in content.briefcases.values()
        },
        EXTRA_ACTION: {extra: rendering.actions(content, extra) for extra in content.extra_actions},
        REFINERY: {refinery.id: f"number {number}" for number, refinery in content.refineries.items()},
        TURBINE: {
            one.id: "; ".join(map(rendering.effect_words, one.bonus)) for one in content.turbines.values()
        },
        OFFICE: {one.id: one.terrain for one in content.regions.values()},
        DRILL: {_drill(well, depth): f"to depth {depth}" for well in content.wells for depth in (2, 3, 4)},
    }  # fmt: skip


def taken(event: Event) -> Taken | None:
    """The thing that a player has taken by this fact."""
    counted = _TAKEN.get(event.__class__)
    return counted(event) if counted is not None else None


def _drill(well: int, depth: int) -> str:
    return f"{OilColour(well).name.lower()} {depth}"


def _source(event: e.ActionsUnlocked) -> Taken | None:
    return Taken(event.player, TILE, event.source) if not event.started else None


_TAKEN: dict[type[Event], Callable[[Any], Taken | None]] = {
    e.CharacterTaken: lambda event: Taken(event.player, CHARACTER, event.character),
    e.ActionsUnlocked: _source,
    e.ExtraActionUsed: lambda event: Taken(event.player, EXTRA_ACTION, event.extra_action),
    e.ImprovementTaken: lambda event: Taken(event.player, IMPROVEMENT, event.improvement),
    e.BriefcaseOpened: lambda event: Taken(event.player, BRIEFCASE, event.briefcase),
    e.RefineryBuilt: lambda event: Taken(event.player, REFINERY, f"RF{event.number:02}"),
    e.TurbineBuilt: lambda event: Taken(event.player, TURBINE, event.turbine),
    e.OfficeBuilt: lambda event: Taken(event.player, OFFICE, event.region),
    e.DrillBuilt: lambda event: Taken(event.player, DRILL, _drill(event.well, event.depth)),
}
