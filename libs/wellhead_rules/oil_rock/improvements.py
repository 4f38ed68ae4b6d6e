"""Improvements: buying (OR-BUY), triggers and modifiers (OR-IMP), the deck (F.5)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock.commands import BuyImprovement, DeclineEffect
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import (
    Frame,
    HiddenCards,
    ImprovementLaid,
    ImprovementRevealed,
    ImprovementsLookedAt,
    ImprovementsPutUnder,
    ImprovementTaken,
)
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import discounted, pay, points, too_little
from wellhead_rules.oil_rock.lists import declinable, decline, effect_at, push_list, push_then
from wellhead_rules.oil_rock.pack import BuyImprovement as BuyEffect
from wellhead_rules.oil_rock.vocabulary import CardOrigin, FrameKind, OilColour, VpCategory


def trigger(
    game: Game,
    player: Player,
    point: str,
    region: str = "",
    level: int = 0,
    colour: OilColour | None = None,
    acquired: str = "",
) -> None:
    """Leaves the owner's triggers on the agenda, lowest card on top (D-44); a card does not react to itself."""
    for card in reversed(player.equipment):
        if card == acquired:
            continue
        for standing in reversed(game.content.trigger_refs(card, point)):
            if level >= standing.min_level and standing.colour in (None, colour):
                push_list(game, player.seat, standing.effects, region)


def cost(game: Game, player: Player, effect: BuyEffect, card: str) -> tuple[int, int]:
    """Kind and amount of the price (OR-BUY.2, 11; OR-GEN.7)."""
    place, printed = game.content.card_cost[card]
    return place, discounted(printed, effect.discount + player.improvement_discount, effect.free)


def affordable(game: Game, player: Player, effect: BuyEffect, cards: tuple[str, ...]) -> Options:
    """The cards that the player can pay, as commands."""
    listed: Options = []
    for card in cards:
        place, amount = cost(game, player, effect, card)
        if amount <= player.goods[place]:
            listed.append(BuyImprovement(card))
    return listed


def possible(game: Game, player: Player, effect: BuyEffect) -> bool:
    """Some card can be bought; with a look, there is something to look at or to buy (OR-CHAR.9)."""
    if effect.peek:
        return bool(game.display or deck_size(game))
    held = player.goods
    for card in game.display:
        place, amount = cost(game, player, effect, card)
        if amount <= held[place]:
            return True
    return False


def ask(game: Game, frame: Frame, effect: BuyEffect) -> None:
    """Looks at cards if the effect says so, then asks what to buy (DM-11)."""
    game.push(Frame(FrameKind.IMPROVEMENT_PURCHASE, frame.player, frame.effects, frame.index))
    if effect.peek and deck_size(game):
        look(game, frame.player, effect.peek)


def look(game: Game, seat: int, count: int) -> None:
    """Looks at cards from the top of the deck, fewer if it holds fewer (OR-CHAR.CARNEGIE.1, 8)."""
    unseen, bottom = game.deck, game.deck_bottom
    cards: list[str] = []
    origins: list[CardOrigin] = []
    for _ in range(min(count, deck_size(game))):
        if unseen:
            card = game.draw(unseen)
            unseen = tuple(other for other in unseen if other != card)
            origins.append(CardOrigin.UNKNOWN_DECK)
        else:
            card, bottom = bottom[0], bottom[1:]
            origins.append(CardOrigin.DECK_BOTTOM)
        cards.append(card)
    game.record(ImprovementsLookedAt(seat, len(cards), HiddenCards(tuple(cards), tuple(origins))))


def deck_size(game: Game) -> int:
    """Cards in the deck, those put under it included, as a whole state knows them."""
    return len(game.deck) + len(game.deck_bottom)


def draw_top(game: Game) -> tuple[str, CardOrigin]:
    """The top card of the deck (section F.5)."""
    if game.deck:
        return game.draw(game.deck), CardOrigin.UNKNOWN_DECK
    return game.deck_bottom[0], CardOrigin.DECK_BOTTOM


def reveal(game: Game) -> None:
    """The top card of the deck joins the display (OR-SETUP.7, OR-EOR.3)."""
    card, origin = draw_top(game)
    game.record(ImprovementRevealed(card, origin))


def asks_after_look(game: Game, frame: Frame) -> bool:
    """After a look the decision is always put to the player (OR-CHAR.CARNEGIE.7)."""
    return bool(game.looked_at)


def options(game: Game, frame: Frame) -> Options:
    """DM-11: every card that can be paid (OR-BUY.1; OR-CHAR.CARNEGIE.1, 5)."""
    player = game.players[frame.player]
    effect: BuyEffect = effect_at(game, frame)
    listed = affordable(game, player, effect, game.display + game.looked_at)
    if effect.peek or (listed and declinable(game, frame)):
        listed.append(DeclineEffect())
    return listed


def buy(game: Game, frame: Frame, command: BuyImprovement | DeclineEffect) -> None:
    """Pays and takes the card; the rest of a look goes under the deck; then its effects (OR-BUY.7, CARNEGIE.6)."""
    if isinstance(command, DeclineEffect):
        decline(game, frame)
        return put_under(game, frame.player)
    player = game.players[frame.player]
    card = command.improvement
    pay(game, frame.player, *cost(game, player, effect_at(game, frame), card))
    origin = CardOrigin.LOOKED_AT if card in game.looked_at else CardOrigin.DISPLAY
    game.record(ImprovementTaken(frame.player, card, origin))
    put_under(game, frame.player)
    game.push(Frame(FrameKind.LAYING, frame.player, frame.effects, frame.index, item=card))
    if game.content.improvements[card].effects:
        push_list(game, frame.player, f"improvement:{card}")


def put_under(game: Game, seat: int) -> None:
    """Cards looked at and not bought go under the deck, in the order of the look (D-68)."""
    if game.looked_at:
        game.record(ImprovementsPutUnder(seat, len(game.looked_at), HiddenCards(game.looked_at, ())))


def lay(game: Game, frame: Frame) -> None:
    """Lays the card above its well: points for the depth, then triggers (OR-BUY.7, 8; OR-IMP.46, 48)."""
    player = game.players[frame.player]
    colour = game.content.card_colour[frame.item]
    game.record(ImprovementLaid(frame.player, frame.item))
    depth = game.content.constants.min_depth + player.drills[colour]
    points(game, frame.player, depth, VpCategory.IMPROVEMENT_DEPTH, frame.item)
    trigger(game, player, "improvement_acquired", colour=colour, acquired=frame.item)
    push_then(game, frame)


def refuse(game: Game, frame: Frame, command: BuyImprovement | DeclineEffect) -> RuleViolation:
    """Why a card cannot be bought."""
    if isinstance(command, DeclineEffect):
        return RuleViolation("CANNOT_DECLINE", "OR-ACTION.11", "an Action that has been started cannot be declined")
    card = command.improvement
    if card not in game.display and card not in game.looked_at:
        return RuleViolation("CARD_NOT_AVAILABLE", "OR-BUY.1", f"{card} is not on offer")
    player = game.players[frame.player]
    place, needed = cost(game, player, effect_at(game, frame), card)
    return too_little(place, needed, player.goods[place])
