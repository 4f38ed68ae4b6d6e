"""Playing on without caring how: on to a point with everybody passing."""

from collections.abc import Callable

from wellhead_rules.oilfield.commands import (
    Command,
    FinishDrilling,
    FinishNational,
    ForfeitGovernmentTower,
    PassAction,
)
from wellhead_rules.oilfield.facts import Facts
from wellhead_rules.oilfield.positions import Position

_IDLE: tuple[type[Command], ...] = (PassAction, FinishDrilling, FinishNational, ForfeitGovernmentTower)


def idle(game: Position) -> Facts:
    """The owner of the open decision does as little as possible: passes, else takes the first option."""
    assert game.decision is not None
    owner = game.decision[0]
    options = game.legal(owner)
    return game.play(owner, next((one for one in options if isinstance(one, _IDLE)), options[0]))


def idle_until(game: Position, stop: Callable[[Position], bool]) -> Facts:
    """Everybody does as little as possible until `stop` says so; the facts on the way."""
    facts = Facts((), game.names)
    while not stop(game):
        facts += idle(game)
    return facts
