"""A bot that plans: tree search over the rest of its own turn, in a sampled world, for any game of the contract.

The tree holds the decisions that the seat owes one after the other, and what is open to it at any time on the way, of
which there is only so much; where another seat is asked, or nobody, a position is only judged. Each look goes down to
the most promising position whose answers have not been tried, tries them all, and carries what they lead to back up (a
maximum, since the same seat chooses all along). "Promising" is the lead found so far plus a bonus for what looked good
at first sight and has been looked into little (PUCT). The tree is kept from one decision of a turn to the next, and a
turn that has been searched through ends the search early.
"""

import re
import time
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random

from msgspec import Struct

from wellhead_client.bots import KEY_BYTES, Judge, choices
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import Command, GameState, Owed, Ruleset

_CURIOSITY = 2.0
"""Points that a command may look worse by and still be looked into soon."""


class Budget(Struct, frozen=True):
    """What a decision may cost: a time, or a number of looks, which makes the choice the same on every machine."""

    seconds: float = 0.0
    looks: int = 0

    @classmethod
    def parse(cls, text: str) -> "Budget":
        """`50ms` or `200n`; ValueError for anything else."""
        matched = re.fullmatch(r"([1-9]\d*)(ms|n)", text)
        if matched is None:
            raise ValueError(f"a budget is a time such as 50ms or a number of looks such as 200n, not {text!r}")
        amount = int(matched[1])
        return cls(seconds=amount / 1000) if matched[2] == "ms" else cls(looks=amount)

    def spent(self) -> Callable[[int], bool]:
        """Starts the clock; tells after so many looks whether the budget is used up."""
        if self.looks:
            return lambda looks: looks >= self.looks
        end = time.perf_counter() + self.seconds
        return lambda looks: time.perf_counter() >= end


class _Node:
    """A position. `lead` is the best known to come of it; `open` while something under it has not been looked into."""

    __slots__ = ("children", "commands", "draws", "lead", "open", "owed", "prior", "state", "visits")

    def __init__(self, state: GameState, owed: Owed | None, draws: int, lead: float, open: bool) -> None:
        self.state, self.owed, self.draws, self.lead, self.open = state, owed, draws, lead, open
        self.commands: Sequence[Command] = ()
        self.children: list[_Node] = []
        self.prior = 0.0
        self.visits = 0


class SearchBot:
    """Searches within a budget per decision; ties by chance. `looks` counts the looks of all its decisions."""

    def __init__(self, ruleset: Ruleset, seed: int, budget: Budget) -> None:
        self._ruleset = ruleset
        self._random = Random(seed)
        self._judge = Judge(ruleset)
        self._budget = budget
        self._key = b""
        self._next: _Node | None = None
        self.looks = 0

    def choose(self, state: GameState, owed: Owed, commands: Sequence[Command]) -> Command:
        if len(commands) == 1:
            return commands[0]
        spent = self._budget.spent()
        root = self._root(state, owed)
        looks = 0
        while root.open and not (root.children and spent(looks)):
            self._look(root, owed.seat)
            looks += 1
        self.looks += looks
        best = max(child.lead for child in root.children)
        chosen = self._random.choice([index for index, child in enumerate(root.children) if child.lead == best])
        self._next = root.children[chosen]
        return root.commands[chosen]

    def _root(self, state: GameState, owed: Owed) -> _Node:
        """The node foreseen, if what the seat can see has come as foreseen; otherwise a newly sampled world."""
        foreseen, self._next = self._next, None
        if foreseen is not None and foreseen.owed == owed:
            view = self._ruleset.view
            if view(foreseen.state, owed.seat) == view(state, owed.seat):
                return foreseen
        self._key = self._random.randbytes(KEY_BYTES)
        world = self._ruleset.determinise(state, owed.seat, self._random)
        return _Node(world, owed, 0, 0.0, True)

    def _look(self, root: _Node, seat: int) -> None:
        """Looks into the most promising open position under the root."""
        path = [root]
        while path[-1].children:
            path.append(_most_promising(path[-1]))
        self._try_all(path[-1], seat)
        for node in reversed(path):
            node.visits += 1
            node.lead = max(child.lead for child in node.children)
            node.open = any(child.open for child in node.children)

    def _try_all(self, node: _Node, seat: int) -> None:
        """Tries everything the seat can do at a node, on equal luck."""
        ruleset, owed = self._ruleset, node.owed
        assert owed is not None
        node.commands = choices(ruleset, node.state, seat)
        for command in node.commands:
            state, chance = ruleset.clone(node.state), Chance(self._key, node.draws)
            ruleset.play(state, seat, owed.decision_id, command, chance)
            # A game may let several seats owe at once; the searcher goes on as long as it is among them.
            again = next((other for other in ruleset.decisions(state) if other.seat == seat), None)
            lead = self._judge.lead(state, seat)
            node.children.append(_Node(state, again, chance.counter, lead, again is not None))
        best = max(child.lead for child in node.children)
        # Plain arithmetic: an exponential differs in its last bit from machine to machine, and with it a choice might.
        gaps = [1 + best - child.lead for child in node.children]
        shares = [1 / (gap * gap) for gap in gaps]
        for child, share in zip(node.children, shares, strict=True):
            child.prior = share / sum(shares)


def _most_promising(node: _Node) -> _Node:
    bonus = _CURIOSITY * sqrt(node.visits)
    return max(
        (child for child in node.children if child.open),
        key=lambda child: child.lead + bonus * child.prior / (1 + child.visits),
    )
