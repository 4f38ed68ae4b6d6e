"""Positions of Oilfield: any table that a rules lawyer can describe, built as a log and then played.

    game = position(players=4).player("P0", coins=20).acting("P0", "lease", price=7)
    facts = game.play("P0", TakeLease("dallas"))

What is not said has the defaults of `posing`; the words are those of `described`.
"""

from typing import Any, ClassVar, Self

from wellhead_rules.kernel import scenarios as kernel
from wellhead_rules.kernel.scenarios import Posing
from wellhead_rules.oilfield import RULESET, agenda
from wellhead_rules.oilfield.commands import SellInvestment
from wellhead_rules.oilfield.described import SEATS, Description, seen
from wellhead_rules.oilfield.posing import pose


class Position(kernel.Position):
    """A description that grows by saying more, until it is opened; then a game that is played."""

    posing: ClassVar[Posing] = Posing(
        RULESET, Description, SEATS, pose=pose, advance=agenda.advance, seen=seen, anytime=(SellInvestment,)
    )

    def __init__(self, **said: Any) -> None:
        super().__init__(**{"players": 3, **said})

    def field(self, field: str, **said: Any) -> Self:
        """Says something of a field (`FieldSaid`)."""
        return self.say(fields={field: said})

    def slot(self, slot: str, owner: str, tower: str | None = None, **said: Any) -> Self:
        """A lease of a player, and the tower on it (`SlotSaid`)."""
        return self.say(slots={slot: {"owner": owner, "tower": tower, **said}})

    def track(self, track: str, squares: dict[int, str]) -> Self:
        """Who has invested on a track, by the prices of the squares; `government` for one that was sold back."""
        return self.say(tracks={track: squares})

    def acting(self, seat: str, action: str, **said: Any) -> Self:
        """An action that comes up next (`ActingSaid`)."""
        return self.say(acting={"seat": seat, "action": action, **said})
