"""A game told round by round, from what a spectator is sent."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wellhead.v1 import query_service_pb2
from wellhead_cli.console import listed
from wellhead_rules.kernel.ruleset import Deed, Ruleset

Deeds = Counter[tuple[str, str, str]]
"""How often, by verb, one and many; the first done comes first."""


@dataclass(slots=True)
class Round:
    """What every seat did in a round; `revision` is the one with which all of it is known."""

    number: int
    deeds: list[Deeds]
    revision: int = 0

    def add(self, deeds: Iterable[Deed]) -> None:
        """More that was done."""
        for deed in deeds:
            self.deeds[deed.seat][deed.verb, deed.one, deed.many] += deed.count


class Narrator:
    """Takes what a spectator is sent, and gives each round once all of it is known: play may be further by then."""

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self._ruleset = ruleset
        self._seats = seats
        self._rounds: dict[int, Round] = {}
        self._now = 0

    def tell(self, change: query_service_pb2.GameChange) -> Iterator[Round]:
        """The rounds of which all is known with this change."""
        if change.events.WhichOneof("game") is None:
            return  # about the table: a seat was taken
        done: list[Deed] = []
        for fact in self._ruleset.events_from_proto(change.events):
            if (deed := self._ruleset.deed(fact)) is not None:
                done.append(deed)
            over, begun = self._ruleset.round_over(fact), self._ruleset.round_begun(fact)
            if over in self._rounds:
                # What a commit did before it ends a round belongs to that round: an award comes when play is further.
                yield self._finished(over, done, change.revision)
                done = []
            if begun is not None:
                self._add(done)
                done = []
                self._rounds[begun] = Round(begun, [Counter() for _ in range(self._seats)])
                self._now = begun
        self._add(done)

    def rest(self, revision: int) -> Iterator[Round]:
        """The rounds that are left when the game is over at a revision: their end had no fact of its own."""
        for number in sorted(self._rounds):
            yield self._finished(number, (), revision)

    def _add(self, done: Iterable[Deed]) -> None:
        if self._now in self._rounds:  # not what belongs to the set-up
            self._rounds[self._now].add(done)

    def _finished(self, number: int, done: Iterable[Deed], revision: int) -> Round:
        told = self._rounds.pop(number)
        told.add(done)
        told.revision = revision
        return told


def in_words(deeds: Deeds) -> str:
    """`placed 3 workers; built 1 Office and 2 drills`."""
    done: dict[str, list[str]] = {}
    for (verb, one, many), count in deeds.items():
        done.setdefault(verb, []).append(f"{count} {one if count == 1 else many}")
    return "; ".join(f"{verb} {listed(objects)}" for verb, objects in done.items())
