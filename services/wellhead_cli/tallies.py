"""What was taken in many games, and how those who took it did."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wellhead_cli.simulation import Outcome
from wellhead_rules.kernel.ruleset import Ruleset


@dataclass(slots=True)
class Tally:
    """One thing that can be taken: how often it was, by how many seats, and what they came to."""

    item: str
    label: str
    uses: int = 0
    seats: int = 0
    wins: int = 0
    points: int = 0

    @property
    def win_share(self) -> float:
        """Wins of the seats that took it."""
        return self.wins / self.seats if self.seats else 0.0

    @property
    def mean_points(self) -> float:
        """Mean total of the seats that took it."""
        return self.points / self.seats if self.seats else 0.0


@dataclass(slots=True)
class Kind:
    """Everything of one kind. `identity`: every seat takes exactly one in every game, such as a character."""

    name: str
    items: list[Tally]
    identity: bool = True
    _by_item: dict[str, Tally] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_item = {tally.item: tally for tally in self.items}

    def add(self, outcome: Outcome) -> None:
        """What was taken of this kind in one game."""
        per_seat: Counter[int] = Counter()
        for taken, times in outcome.taken.items():
            if taken.kind == self.name:
                per_seat[taken.seat] += times
                tally = self._by_item[taken.item]
                tally.uses += times
                tally.seats += 1
                tally.wins += taken.seat in outcome.winners
                tally.points += outcome.totals[taken.seat]
        if len(per_seat) < len(outcome.totals) or max(per_seat.values(), default=0) > 1:
            self.identity = False


def tallies(ruleset: Ruleset, players: int, outcomes: Sequence[Outcome]) -> list[Kind]:
    """Finished games added up, kind by kind, in the order of the ruleset."""
    pack = next(iter(ruleset.packs()))
    things: Mapping[str, Mapping[str, str]] = ruleset.things(pack, players)
    kinds = [Kind(name, [Tally(item, label) for item, label in items.items()]) for name, items in things.items()]
    for kind in kinds:
        for outcome in outcomes:
            kind.add(outcome)
    return kinds
