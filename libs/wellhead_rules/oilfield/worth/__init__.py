"""What a position is worth to a player: a guess at the final points, for bots.

Nothing in here is a rule. It is what the player has, what that may still become in the time that is left, and what the
actions that are chosen but not yet carried out will then gain. Cards that others have committed are not looked at
before the reveal.
"""

from wellhead_rules.oilfield import scoring
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.worth.holding import holding
from wellhead_rules.oilfield.worth.outlook import outlook
from wellhead_rules.oilfield.worth.pending import pending


def worth(game: Game, seat: int) -> float:
    """A guess at the final points of a seat, rounded so that what is equal is equal wherever it is worked out."""
    if game.over:
        return float(sum(scoring.points(game)[seat]))
    ahead = outlook(game, seat)
    own = holding(game, seat, ahead)
    player = game.players[seat]
    # In this order: what is pending changes the holding as if it were done.
    total = player.total + len(player.leases) + own.position() + ahead.standing(game, seat)
    return round(total + pending(game, seat, own), 6)
