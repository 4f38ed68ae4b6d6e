"""What the states of games have in common: facts are recorded by folding them, and chance comes with a command."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from msgspec import Struct

from wellhead_rules.kernel.chance import Chance

T = TypeVar("T")
Fold = TypeVar("Fold", bound=Callable[[Any, Any], None])


class Folds(dict[type[Any], Callable[[Any, Any], None]]):
    """How each kind of fact is folded: a function of a few lines per kind."""

    def of(self, kind: type[Any]) -> Callable[[Fold], Fold]:
        """Registers the function that folds a kind of fact."""

        def register(fold: Fold) -> Fold:
            self[kind] = fold
            return fold

        return register


class Playing(Struct, kw_only=True, eq=False):
    """A position with the facts of the running command; `facts` and `chance` are never part of the state as such."""

    folds: ClassVar[Folds]

    facts: list[Any] = []
    chance: Chance | None = None

    def record(self, event: Any) -> None:
        """Folds a fact and adds it to the commit being built; there is no other way to change a game."""
        self.folds[event.__class__](self, event)
        self.facts.append(event)

    def draw(self, candidates: Sequence[T]) -> T:
        """One candidate, uniformly; a single one is taken without a draw."""
        if self.chance is None:
            raise RuntimeError("a rule drew outside a command")
        return self.chance.pick(candidates)

    def run(self, chance: Chance | None, act: Callable[[], None]) -> list[Any]:
        """Lets rules act on the position; the facts that they record."""
        self.chance = chance
        try:
            act()
            return self.facts
        finally:
            self.facts = []
            self.chance = None
