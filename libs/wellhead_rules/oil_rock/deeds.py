"""A game told round by round: the facts that begin and end a round, and what a player did in it."""

from collections.abc import Callable
from typing import Any

from wellhead_rules.kernel.ruleset import Deed
from wellhead_rules.oil_rock import events as e
from wellhead_rules.oil_rock.events import Event
from wellhead_rules.oil_rock.vocabulary import VpCategory


def round_begun(event: Event) -> int | None:
    """The round that begins with this fact (OR-GEN.2)."""
    return event.round if isinstance(event, e.RoundStarted) else None


def round_over(event: Event) -> int | None:
    """The round whose award this fact records; the next may have begun (OR-GOAL.2, 3)."""
    return event.round if isinstance(event, e.GoalScored) else None


def deed(event: Event) -> Deed | None:
    """What a player has done by this fact, if it is worth telling."""
    told = _DEEDS.get(event.__class__)
    return told(event) if told is not None else None


def _did(verb: str, one: str, many: str) -> Callable[[Any], Deed]:
    return lambda event: Deed(event.player, verb, one, many)


def _goal(event: e.VictoryPointsGained) -> Deed | None:
    if event.category != VpCategory.GOALS:
        return None
    return Deed(event.player, "scored", "goal point", "goal points", event.amount)


_DEEDS: dict[type[Event], Callable[[Any], Deed | None]] = {
    e.WorkerPlaced: _did("placed", "worker", "workers"),
    e.TrainMoved: _did("moved the Train", "region", "regions"),
    e.OfficeBuilt: _did("built", "Office", "Offices"),
    e.DrillBuilt: _did("built", "drill", "drills"),
    e.RefineryBuilt: _did("built", "refinery", "refineries"),
    e.TurbineBuilt: _did("built", "Turbine", "Turbines"),
    e.ImprovementTaken: _did("bought", "Improvement", "Improvements"),
    e.BriefcaseOpened: _did("opened", "Briefcase", "Briefcases"),
    e.ExtraActionUsed: _did("used", "extra Action", "extra Actions"),
    e.RefineryActivated: _did("ran", "refinery", "refineries"),
    e.BasicRefineryUsed: _did("ran", "Basic Refinery", "Basic Refineries"),
    e.VictoryPointsGained: _goal,
}
