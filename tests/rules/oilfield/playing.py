"""Playing on without caring how: a whole game at random, or on to a point with everybody passing."""

from collections.abc import Callable
from random import Random

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


def play_to_the_end(game: Position, seed: int = 1) -> Facts:
    """A random game, sales of investments included; everything that has been recorded, the final score as well."""
    random = Random(seed)
    facts = game.opening + game.record_scores()
    while game.decision is not None:
        owner = game.decision[0]
        facts += game.play(owner, random.choice(game.legal(owner)))
        facts += game.record_scores()
    return facts


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
