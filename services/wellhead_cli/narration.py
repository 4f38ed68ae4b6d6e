"""A game of Oil Rock told round by round, from what a spectator is sent."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from wellhead.v1 import query_service_pb2
from wellhead_cli.console import listed
from wellhead_rules.oil_rock import events as facts
from wellhead_rules.oil_rock.vocabulary import VpCategory
from wellhead_rules.registry import RULESETS

# What is worth telling, in the order in which it is told: what the player did, to one of what, to several of what.
_DEEDS: Mapping[type[facts.Event], tuple[str, str, str]] = {
    facts.WorkerPlaced: ("placed", "worker", "workers"),
    facts.TrainMoved: ("moved the Train", "region", "regions"),
    facts.OfficeBuilt: ("built", "Office", "Offices"),
    facts.DrillBuilt: ("built", "drill", "drills"),
    facts.RefineryBuilt: ("built", "refinery", "refineries"),
    facts.TurbineBuilt: ("built", "Turbine", "Turbines"),
    facts.ImprovementTaken: ("bought", "Improvement", "Improvements"),
    facts.BriefcaseOpened: ("opened", "Briefcase", "Briefcases"),
    facts.ExtraActionUsed: ("used", "extra Action", "extra Actions"),
    facts.RefineryActivated: ("ran", "refinery", "refineries"),
    facts.BasicRefineryUsed: ("ran", "Basic Refinery", "Basic Refineries"),
}

Deeds = Counter[type[facts.Event]]


@dataclass(slots=True)
class Round:
    """What every seat did in a round, and what its goal gave them; `revision` is that of the award."""

    number: int
    deeds: list[Deeds]
    award: list[int] = field(default_factory=list)
    revision: int = 0


class Narrator:
    """Takes what a spectator is sent, and gives each round once its award is recorded: play may be further by then."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._rounds: dict[int, Round] = {}
        self._now = 0

    def tell(self, change: query_service_pb2.GameChange) -> Iterator[Round]:
        """The rounds that are complete with this change."""
        if change.events.WhichOneof("game") is None:
            return  # about the table: a seat was taken
        points = [0] * self._seats
        for fact in RULESETS[change.summary.game].events_from_proto(change.events):
            match fact:
                case facts.RoundStarted(round=number):
                    self._now = number
                    self._rounds[number] = Round(number, [Counter() for _ in range(self._seats)])
                case facts.VictoryPointsGained(player=seat, amount=amount, category=VpCategory.GOALS):
                    points[seat] += amount
                case facts.GoalScored(round=number):
                    told = self._rounds.pop(number)
                    told.award, told.revision = points, change.revision
                    yield told
                case _ if type(fact) in _DEEDS:
                    self._rounds[self._now].deeds[fact.player][type(fact)] += 1


def in_words(deeds: Deeds) -> str:
    """`placed 3 workers; built 1 Office and 2 drills`."""
    done: dict[str, list[str]] = {}
    for kind, (verb, one, many) in _DEEDS.items():
        if count := deeds[kind]:
            done.setdefault(verb, []).append(f"{count} {one if count == 1 else many}")
    return "; ".join(f"{verb} {listed(objects)}" for verb, objects in done.items())
