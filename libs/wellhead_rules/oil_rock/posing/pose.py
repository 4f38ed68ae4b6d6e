"""A description on its way to the table: what the modules of this package share."""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, UnsetType

from wellhead_rules.oil_rock.described import Description, PlayerSaid, PositionError, colours
from wellhead_rules.oil_rock.game import Game, Player

_NOBODY = PlayerSaid()


class Pose:
    """A game and what is said of it, with words turned into numbers."""

    def __init__(self, game: Game, said: Description) -> None:
        self.game = game
        self.said = said
        self.names = colours(game)
        self.content = game.content
        self.at = said.at or "turn"
        self.setting_up = self.at in ("characters", "deployment")
        self.order = tuple(self.seat(name, "turn_order") for name in said.turn_order or self.names)
        if sorted(self.order) != list(range(len(self.names))):
            raise PositionError(("turn_order",), "every player stands in it once")

    @property
    def round(self) -> int:
        """The round that is running; before the first one it is 0."""
        if self.setting_up:
            return 0
        return 1 if self.said.round is UNSET else self.said.round

    @property
    def turn_seat(self) -> int:
        """The seat of the player whose turn it is."""
        return self.seat(self.said.turn, "turn") if self.said.turn else self.order[0]

    def of(self, player: Player) -> PlayerSaid:
        """What is said of a player."""
        said: PlayerSaid | UnsetType = getattr(self.said, self.names[player.seat])
        return said or _NOBODY

    def seat(self, name: str, *path: str | int) -> int:
        """The seat of a colour."""
        if name not in self.names:
            raise PositionError(path, f"{name} does not play")
        return list(self.names).index(name)

    def known(self, kind: str, found: Iterable[Any], among: Iterable[Any], *path: str | int) -> None:
        """Refuses what the content does not have, and what stands twice."""
        listed, known = list(found), list(among)
        for one in listed:
            if one not in known:
                raise PositionError(path, f"there is no {kind} {one}")
            if listed.count(one) > 1:
                raise PositionError(path, f"{one} stands twice")
