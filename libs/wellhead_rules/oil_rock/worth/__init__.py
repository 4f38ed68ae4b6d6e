"""What a position is worth to a player: a guess at the final points, for bots.

Nothing in here is a rule. It is the score if the game ended now (section G) plus what the position still promises: the
wells through the refineries that stand, the levels, goods while there is time to spend them, cards, and what the
running turn has still to hand out. It reads only what every player sees.
"""

from wellhead_rules.oil_rock import goods, scoring
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.vocabulary import FlowStep, FrameKind, Phase
from wellhead_rules.oil_rock.worth.appraisal import Appraisal, appraisal
from wellhead_rules.oil_rock.worth.pending import best_office, pending
from wellhead_rules.oil_rock.worth.refining import board


def worth(game: Game, seat: int) -> float:
    """A guess at the final points of a seat, rounded so that what is equal is equal wherever it is worked out."""
    return round(estimate(game, game.players[seat], appraisal(game.content)), 6)


def estimate(game: Game, player: Player, weights: Appraisal) -> float:
    """A guess at the final points of a player, by a judgement of one's own."""
    after = weights.rounds - game.round
    turns = turns_left(game, player, weights)
    refines = before(game, player, Phase.OIL_REFINING) or refining_now(game, player)
    total = player.vp + player.office_vp + weights.end_vp[player.space][turns]
    total += _goods(player, weights, turns) + board(game, player, weights, after, refines)
    total += _cards(game, player, weights, turns)
    # No character is better than another until its player has deployed: the pack is balanced, and bots take any.
    if player.train:
        total += _levels(game, player, weights, after)
        if turns:
            total += weights.judgement.site * best_office(game, player, weights, None)
    if game.open is not None and game.open.owner == player.seat:
        total += weights.judgement.promise * pending(game, player, weights, turns, after)
    return total


def turns_left(game: Game, player: Player, weights: Appraisal) -> int:
    """Worker turns to come, the running one included until its worker is placed."""
    turns = weights.turns_per_round * (weights.rounds - game.round)
    if game.phase == Phase.ACTIONS:
        return turns + player.assistants + player.managers
    return turns + (weights.turns_per_round if game.phase == Phase.INCOME else 0)


def before(game: Game, player: Player, phase: Phase) -> bool:
    """The player's phase turn of this round in that phase is still to come."""
    if game.phase != phase:
        return game.phase is not None and game.phase < phase
    flow = game.agenda[0] if game.agenda else None
    if flow is None or flow.kind != FrameKind.FLOW or flow.step != FlowStep.PHASE_TURN:
        return False
    return game.turn_order.index(player.seat) >= flow.count


def refining_now(game: Game, player: Player) -> bool:
    """The player's refining turn is running."""
    return game.phase == Phase.OIL_REFINING and game.active == player.seat


def _goods(player: Player, weights: Appraisal, turns: int) -> float:
    """Resources, as far as there is time to spend them, and Patents."""
    held = player.goods
    tools, coins, coal = held[goods.TOOLS], held[goods.COINS], held[goods.COAL]
    cap = weights.cap[turns]
    total = (tools + coins + coal) * weights.resource[turns] + held[goods.PATENTS] * weights.patent[turns]
    if tools > cap or coins > cap or coal > cap:
        spare = max(tools - cap, 0.0) + max(coins - cap, 0.0) + max(coal - cap, 0.0)
        total -= spare * (weights.resource[turns] - weights.resource[0])
    return total


def _levels(game: Game, player: Player, weights: Appraisal, incomes: int) -> float:
    """Incomes and abilities to come, with part of the way to the next level."""
    band = weights.bands[player.character]
    abilities = incomes + before(game, player, band.phase)
    total = 0.0
    if game.ability_tier and game.active == player.seat and not game.ability_used:
        optional = game.content.abilities[player.character].optional[game.ability_tier]
        total = weights.lists[optional, 0] if optional else 0.0
    level, thresholds = player.level, weights.thresholds
    while player.best_space >= thresholds[level + 1]:
        level += 1
    here = incomes * band.income[level] + abilities * band.ability[level]
    if level + 1 == len(band.income):
        return total + here
    next_level = incomes * band.income[level + 1] + abilities * band.ability[level + 1]
    way = (player.space - thresholds[level]) / (thresholds[level + 1] - thresholds[level])
    return total + here + weights.judgement.level_part * way * (next_level - here)


def _cards(game: Game, player: Player, weights: Appraisal, turns: int) -> float:
    """Goals still to be scored, Equipment and Structures."""
    content = game.content
    total = float(sum(due.measures[player.seat] for due in game.goals_due))
    for goal in game.goals[len(game.goals_scored) + len(game.goals_due) :]:
        total += scoring.value(game, player, content.goals[goal].scoring)
    for card in player.improvements:
        if card in weights.equipment:
            total += weights.equipment[card] * turns
        elif (rule := content.improvements[card].scoring) is not None:
            total += scoring.value(game, player, rule) + weights.structures[card] * turns
    return total
