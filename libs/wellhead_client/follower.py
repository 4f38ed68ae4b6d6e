"""Following a game as its seat may see it: the state that the facts sent so far add up to."""

from collections.abc import Mapping, Sequence

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.ruleset import Event, GameState, Ruleset


class Follower:
    """Folds what a seat is sent from revision 0 on, with the public rules library. `state` is None before the start.

    What the seat may not know is missing in `state`; ask the ruleset to sample it before looking ahead.
    """

    def __init__(self, registry: Mapping[str, Ruleset]) -> None:
        self._registry = registry
        self._begun: GameState = None
        self._facts: list[tuple[int, list[Event]]] = []
        """What counts so far, by revision: commands may be taken back."""
        self.ruleset: Ruleset | None = None
        self.state: GameState = None
        self.revision = 0

    def fold(
        self,
        revision: int,
        events: game_pb2.Events,
        summary: game_pb2.GameSummary | None = None,
        undone_to: int = 0,
    ) -> bool:
        """Folds the facts of the next revision. False if it was folded before, or if it comes too early.

        The answer to an own command has no `summary` and needs none: the game has started by then. With `undone_to`
        the game stands again as it stood at that revision.
        """
        if revision != self.revision + 1:
            return False
        if events.WhichOneof("game") is not None:
            if self.ruleset is None:
                if summary is None:
                    return False
                self._begin(summary)
            self._evolve(revision, events)
        if undone_to:
            self._go_back(undone_to)
        self.revision = revision
        return True

    def _begin(self, summary: game_pb2.GameSummary) -> None:
        ruleset = self._registry[summary.game]
        colours: Sequence[str] = [seat.colour for seat in summary.seats]
        self.state = ruleset.new(summary.content_pack.id, dict(summary.options), colours)
        self._begun = ruleset.clone(self.state)
        self.ruleset = ruleset

    def _evolve(self, revision: int, events: game_pb2.Events) -> None:
        assert self.ruleset is not None
        facts = self.ruleset.events_from_proto(events)
        for fact in facts:
            self.ruleset.evolve(self.state, fact)
        self._facts.append((revision, facts))

    def _go_back(self, target: int) -> None:
        assert self.ruleset is not None
        self._facts = [(revision, facts) for revision, facts in self._facts if revision <= target]
        self.state = self.ruleset.clone(self._begun)
        for _, facts in self._facts:
            for fact in facts:
                self.ruleset.evolve(self.state, fact)
