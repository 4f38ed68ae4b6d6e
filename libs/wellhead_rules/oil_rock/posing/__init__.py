"""From a description to a table: a set-up game, bent by recording facts.

Nothing is poked into the state, so every position is a log that folds. What the description leaves out:

    players          the colours white, red, blue, yellow; turn order as seated
    moment           round 1, `actions`, the turn of the first player; `actions` turns come after the workers placed
    pieces           ids in ascending order: Action tiles outer ring first, Region tiles, tokens, goals, display
    goods            none; the initial supply while characters are taken and Trains deployed
    Progress         space 3, stacked as at the start; level and best space as the marker stands
    Train, Engineer  plains regions R01, R04, R06, R11 by seat; the Engineer with the Train
    workers          in `actions` two assistants and a manager less those placed, otherwise none
    characters       drake, bissel, carnegie, vanderbilt, rockefeller, lukasiewicz by seat, as far as not taken
    Offices          come from a well that has to give one for its depth, else from the first that holds one
"""

from wellhead_rules.oil_rock.described import Description
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.posing import board, cards, moment, table
from wellhead_rules.oil_rock.posing.pose import Pose


def pose(game: Game, said: Description) -> None:
    """Records everything that the description says, and leaves on the agenda what remains to be done."""
    on_the_way = Pose(game, said)
    table.lay(on_the_way)
    board.lay(on_the_way)
    cards.deal(on_the_way)
    moment.set_moment(on_the_way)
