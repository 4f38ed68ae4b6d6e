"""Positions of Oil Rock: any table that a rules lawyer can describe, built as a log and then played.

    game = (
        position(players=2, turn="white")
        .player("white", train="R07", tools=4)
        .acting("office")
    )
    facts = game.play("white", BuildOffice("R07", "yellow"))

What is not said has the defaults of `posing`; the words are those of `described`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from wellhead_rules.kernel import scenarios as kernel
from wellhead_rules.kernel.scenarios import Posing, ScriptedChance, Unexpected
from wellhead_rules.oil_rock import RULESET, agenda
from wellhead_rules.oil_rock.described import PLAYERS, Description, seen
from wellhead_rules.oil_rock.facts import Facts
from wellhead_rules.oil_rock.posing import pose


def _draws(said: Description) -> Sequence[str]:
    """The cards drawn next."""
    return (said.deck.next or ()) if said.deck else ()


class Position(kernel.Position):
    """A description that grows by saying more, until it is opened; then a game that is played."""

    facts: ClassVar[type[kernel.Facts]] = Facts
    posing: ClassVar[Posing] = Posing(
        RULESET,
        Description,
        PLAYERS,
        pose=pose,
        advance=agenda.advance,
        seen=seen,
        named_by_colour=True,
        draws=_draws,
        draws_at=("deck", "next"),
    )

    def region(self, region: str, **said: Any) -> Self:
        """Says something of a region (`RegionSaid`)."""
        return self.say(map={region: said})

    def wheel(self, **said: Any) -> Self:
        """Says something of the Wheel (`WheelSaid`)."""
        return self.say(wheel=said)

    def deck(self, **said: Any) -> Self:
        """Says something of the deck (`DeckSaid`)."""
        return self.say(deck=said)

    def pending(self, source: str, *actions: str, started: bool | None = None) -> Self:
        """A source has something pending: all its Actions, or those named."""
        row: dict[str, Any] = {"source": source}
        if actions:
            row["actions"] = actions
        if started is not None:
            row["started"] = started
        return self.say(pending=(*self._said.get("pending", ()), row))

    def acting(self, action: str, source: str = "") -> Self:
        """The Action has just been started; its effects come next."""
        return self.say(acting={"action": action, **({"source": source} if source else {})})

    def resolving(self, *effects: str, player: str = "", region: str = "") -> Self:
        """Effect lists come next, one after another, and then a settle: `resolving("briefcase:BC5")`."""
        whose = {"player": player} if player else {}
        frames = [{"frame": "effects", "effects": ref, "region": region, **whose} for ref in reversed(effects)]
        return self.say(agenda=(*self._said.get("agenda", ()), {"frame": "settle", **whose}, *frames))

    def asking(self, frame: str, **fields: Any) -> Self:
        """A frame comes next (`FrameSaid`): `asking("office_site", effects="action:office")`."""
        return self.say(agenda=(*self._said.get("agenda", ()), {"frame": frame, **fields}))


position = Position
"""Reads better where a test begins."""

__all__ = ["Position", "ScriptedChance", "Unexpected", "position"]
