"""The games there are, and what the command line says of one that is not there."""

from wellhead_cli.console import Failure
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.registry import RULESETS

DEFAULT = next(iter(RULESETS))
"""What is played if nothing else is asked for."""


def ruleset(game: str) -> Ruleset:
    """A game by its name; Failure with the names there are."""
    if game not in RULESETS:
        raise Failure(f"there is no game {game!r}; there is {', '.join(RULESETS)}")
    return RULESETS[game]


def ruleset_for(game: str, players: int) -> Ruleset:
    """A game that so many can play; Failure if there is none."""
    found = ruleset(game)
    if players not in found.seat_counts:
        raise Failure(f"{game} takes {found.seat_counts[0]} to {found.seat_counts[-1]} players, not {players}")
    return found
