"""Playing on from a position, whatever the game."""

from random import Random
from typing import Any


def play_to_the_end(game: Any, seed: int = 1) -> Any:
    """A random game from a position on, scores recorded as they become due; everything that has been recorded."""
    random = Random(seed)
    facts = game.opening + game.record_scores()
    while game.decision is not None:
        owner = game.decision[0]
        facts += game.play(owner, random.choice(game.legal(owner)))
        facts += game.record_scores()
    return facts
