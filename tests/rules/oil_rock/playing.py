"""Playing on without caring how: a round in which nobody does more than needed."""

from wellhead_rules.oil_rock.commands import (
    Command,
    DeclineEffect,
    EndPhaseTurn,
    EndTurn,
    ForgoSource,
    KeepEngineer,
    PlaceOnTile,
    StopPaying,
)
from wellhead_rules.oil_rock.events import PhaseEnded
from wellhead_rules.oil_rock.facts import Facts, fact
from wellhead_rules.oil_rock.positions import Position
from wellhead_rules.oil_rock.vocabulary import Phase

_IDLE: tuple[type[Command], ...] = (
    EndTurn, EndPhaseTurn, DeclineEffect, StopPaying, KeepEngineer, ForgoSource, PlaceOnTile,
)  # fmt: skip


def idle(game: Position) -> Facts:
    """The owner of the open decision does as little as possible."""
    assert game.decision is not None
    owner = game.decision[0]
    options = game.legal(owner)
    return game.play(owner, next((one for kind in _IDLE for one in options if isinstance(one, kind)), options[0]))


def idle_round(game: Position) -> Facts:
    """Everybody does as little as possible until the first end of a round; the facts up to it."""
    facts = game.opening
    while not facts.has(fact(PhaseEnded, phase="end_of_round")):
        facts += idle(game)
    end = [isinstance(one, PhaseEnded) and one.phase == Phase.END_OF_ROUND for one in facts].index(True)
    return Facts(facts[:end], facts.colours)
