"""Following a game as its seat may see it: the state that the facts sent so far add up to."""

from collections.abc import Mapping, Sequence

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.ruleset import GameState, Ruleset


class Follower:
    """Folds what a seat is sent from revision 0 on, with the public rules library. `state` is None before the start.

    What the seat may not know is missing in `state`; ask the ruleset to sample it before looking ahead.
    """

    def __init__(self, registry: Mapping[str, Ruleset]) -> None:
        self._registry = registry
        self.ruleset: Ruleset | None = None
        self.state: GameState = None
        self.revision = 0

    def fold(self, revision: int, events: game_pb2.Events, summary: game_pb2.GameSummary | None = None) -> bool:
        """Folds the facts of the next revision. False if it was folded before, or if it comes too early.

        The answer to an own command has no `summary` and needs none: the game has started by then.
        """
        if revision != self.revision + 1:
            return False
        if events.WhichOneof("game") is not None:
            if self.ruleset is None:
                if summary is None:
                    return False
                self._begin(summary)
            self._evolve(events)
        self.revision = revision
        return True

    def _begin(self, summary: game_pb2.GameSummary) -> None:
        ruleset = self._registry[summary.game]
        colours: Sequence[str] = [seat.colour for seat in summary.seats]
        self.state = ruleset.new(summary.content_pack.id, dict(summary.options), colours)
        self.ruleset = ruleset

    def _evolve(self, events: game_pb2.Events) -> None:
        assert self.ruleset is not None
        for event in self.ruleset.events_from_proto(events):
            self.ruleset.evolve(self.state, event)
