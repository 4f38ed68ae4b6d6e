"""What can be taken back: the latest commands of one seat, by which nobody has learnt anything that cannot be unlearnt.

A stretch ends at a barrier: a draw, a fact that the game says tells something new, a score, the act of another seat. It
is folded with the game and never stored, so that any process has it, and costs one copy of the game however long it is.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from wellhead_rules.kernel.ruleset import Event, GameState, Ruleset


class Stretch(Struct, frozen=True):
    """Commands of one seat, the earliest first.

    `base` is the game before the first of them; nobody ever changes it. `stood` are for each command the revisions at
    which the game stood as it was before it: more than one if somebody asked to take something back, or did. `facts`
    are what each command recorded.
    """

    seat: int
    base: GameState
    stood: tuple[tuple[int, ...], ...] = ()
    facts: tuple[tuple[Event, ...], ...] = ()

    def place(self, revision: int) -> int | None:
        """How many of the commands had been carried out at a revision; None if the game cannot go back to it."""
        return next((place for place, revisions in enumerate(self.stood) if revision in revisions), None)

    def game_at(self, place: int, ruleset: Ruleset) -> GameState:
        """The game as it stood after so many of the commands."""
        game = ruleset.clone(self.base)
        for facts in self.facts[:place]:
            for fact in facts:
                ruleset.evolve(game, fact)
        return game


class Asked(Struct, frozen=True):
    """A seat asks to go back to where the game stood at a revision; `agreed` are the seats that have said yes."""

    seat: int
    target: int
    agreed: tuple[int, ...] = ()


class Undoing(Struct, frozen=True):
    """What a table remembers in order to take commands back."""

    stood: tuple[int, ...] = ()
    """The revisions at which the game stood as it stands now."""
    stretch: Stretch | None = None
    """What can be taken back, if anything."""
    asked: Asked | None = None
    """What somebody asks to be taken back."""
    refused: bool = False
    """Somebody has asked where the game stands now, and it came to nothing."""
    aside: int = 0
    """Commits that were about taking something back, or have been taken back."""

    def of(self, seat: int) -> Stretch | None:
        """What the seat can take back."""
        return self.stretch if self.stretch is not None and self.stretch.seat == seat else None

    def reach(self, seat: int) -> int:
        """The earliest revision that the seat can go back to; where the game stands, if there is nothing."""
        stretch = self.of(seat)
        return (stretch.stood[0] if stretch is not None else self.stood)[0]

    def moved(self, seat: int | None, before: GameState, facts: Sequence[Event]) -> "Undoing":
        """After a command of a seat, None if it is a barrier; what was asked for is over.

        `before` is the game as it was, which nobody changes any more; of no use if the seat can take more back already.
        """
        stretch = None
        if seat is not None:
            last = self.of(seat) or Stretch(seat, before)
            stretch = replace(last, stood=(*last.stood, self.stood), facts=(*last.facts, tuple(facts)))
        return Undoing(stood=(), stretch=stretch, aside=self.aside)

    def stamped(self, revision: int) -> "Undoing":
        """After a commit, whatever it was."""
        return replace(self, stood=(*self.stood, revision))

    def requested(self, seat: int, target: int) -> "Undoing":
        """After somebody has asked."""
        return replace(self, asked=Asked(seat, target), aside=self.aside + 1)

    def answered(self, seat: int, agree: bool) -> "Undoing":
        """After somebody has answered."""
        asked = self.asked
        if asked is not None:
            asked = Asked(asked.seat, asked.target, tuple(sorted({*asked.agreed, seat}))) if agree else None
        return replace(self, asked=asked, refused=self.refused or not agree, aside=self.aside + 1)

    def undone(self, place: int) -> "Undoing":
        """After the game has gone back to where it stood after so many commands of the stretch."""
        assert self.stretch is not None
        last, aside = self.stretch, self.aside + len(self.stretch.facts) - place
        left = replace(last, stood=last.stood[:place], facts=last.facts[:place]) if place else None
        return Undoing(stood=last.stood[place], stretch=left, aside=aside)


def is_barrier(ruleset: Ruleset, facts: Sequence[Event], draws: int) -> bool:
    """Whether a command with these facts, and so many draws, has told somebody something new."""
    return draws > 0 or any(map(ruleset.barrier, facts))
