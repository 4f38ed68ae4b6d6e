"""Actions chosen but not yet carried out: what each will gain when its turn comes, and nothing if it cannot be done."""

from collections.abc import Callable

from wellhead_rules.oilfield.game import NO_CARD, UNSEEN, Game
from wellhead_rules.oilfield.vocabulary import Action, ActionOrigin, DecisionKind, Phase
from wellhead_rules.oilfield.worth.holding import Holding
from wellhead_rules.oilfield.worth.outlook import Yield

PROMISE = 0.9
"""Part of a gain that it is worth before it is made."""
OPEN_CHOICE = 0.8
"""The same while the card is not chosen."""
CARDS = (Action.LEASE, Action.BUILD, Action.DRILL, Action.LOCAL, Action.NATIONAL)


def pending(game: Game, seat: int, held: Holding) -> float:
    """What the worker and the card of a seat will still gain."""
    total = 0.0
    running = game.current if game.current is not None and game.current.seat == seat else None
    if game.phase <= Phase.PUBLIC_ACTIONS and seat in game.workers:
        space = game.content.spaces[game.workers.index(seat)]
        if running is not None and running.begun:
            total = PROMISE * rest(game, held, running.action, running.used)
        else:
            total = PROMISE * GAINS[space.action](held, space.bid)
    card = game.committed[seat]
    private = game.content.data.private_lease_price.coins
    if card == UNSEEN or (card == NO_CARD and game.phase <= Phase.PRIVATE_SELECTION):
        # The last action of the round: what it changes matters no more.
        best = max([GAINS[action](held.trial(), private) for action in CARDS])
        return total + OPEN_CHOICE * max(best, 0.0)
    if card == NO_CARD:
        return total
    if running is not None and running.begun and running.origin == ActionOrigin.PRIVATE:
        return total + PROMISE * rest(game, held, running.action, running.used)
    return total + PROMISE * GAINS[Action(card)](held, private)


def rest(game: Game, held: Holding, action: Action, used: tuple[str, ...]) -> float:
    """What is left of an action that has begun."""
    opened = game.open
    if action == Action.DRILL:
        return drill(held, 0, used)
    if action == Action.BUILD and opened is not None and opened.kind == DecisionKind.DRILL_NEW_TOWER:
        tile = opened.parameters.tile_id
        return sum([extract(held, tower, field) for tower, field, name in held.towers if name == tile])
    return ship(held, used) if action == Action.NATIONAL else 0.0


# -- what actions gain; the holding is left as it is afterwards ------------------------------------------------


def lease(held: Holding, price: int) -> float:
    """A lease: its point, and the tower that it may carry."""
    game, ahead = held.game, held.ahead
    if not held.lease_markers or held.coins < price or not game.lease_market:
        return 0.0
    fields = game.content.field_of_lease
    field = max({fields[card] for card in game.lease_market}, key=lambda one: (ahead.drills[one], one))
    before = held.site()
    held.sites.append(field)
    gain = 1.0 + held.site() - before - price * ahead.coin
    if gain <= 0.0:
        held.sites.pop()
        return 0.0
    held.coins -= price
    held.lease_markers -= 1
    return gain


def build(held: Holding, price: int) -> float:
    """The best tile that can be paid for, with the free drill of a tower."""
    game, ahead = held.game, held.ahead
    field = max(held.sites, key=ahead.drills.__getitem__) if held.sites else -1
    before, site = held.engine(held.out), held.site()
    best, choice = 0.0, None
    for tile in game.tile_market:
        kind = game.kind(tile)
        if kind.price > held.coins:
            continue
        if not kind.is_tower:
            gain = held.engine(held.out, held.storage + kind.storage) - before + (0.25 if ahead.left else 0.0)
        elif field >= 0:
            tower = ahead.tables.yields[tile]
            part = 0.6 if kind.restricted is not None else 1.0
            gain = held.engine(held.out + part * tower.most * ahead.drills[field]) - before - site
            gain += part * held.aside(tower, field)
            now = ahead.tables.restricted[tile] if kind.restricted is not None else tower
            gain += extract(held, now, field, False)
        else:
            continue
        gain -= kind.price * ahead.coin
        if gain > best:
            best, choice = gain, tile
    if choice is None:
        return 0.0
    kind = game.kind(choice)
    held.coins -= kind.price
    if not kind.is_tower:
        held.storage += kind.storage
        held.expansions += 1
        return best
    tower = ahead.tables.yields[choice]
    held.sites.remove(field)
    extract(held, tower, field)
    held.out += tower.most * ahead.drills[field]
    held.towers.append((tower, field, choice))
    return best + held.site()


def drill(held: Holding, price: int, used: tuple[str, ...] = ()) -> float:
    """Every tower not yet used."""
    return sum([extract(held, tower, field) for tower, field, tile in held.towers if tile not in used])


def extract(held: Holding, tower: Yield, field: int, takes: bool = True) -> float:
    """One tower; with `takes` its cubes are then in the warehouse."""
    game, ahead = held.game, held.ahead
    if field == game.strike_field:
        return 0.0
    room, oil, gas = held.storage - held.oil - held.gas, held.field_oil[field], held.field_gas[field]
    total = 0.0
    if tower.local_gas and gas:
        gas -= 1
        total = 1.0
    elif tower.local_oil and oil:
        oil -= 1
        total = 2.0 * ahead.coin
    stored_gas = min(tower.gas, gas, room)
    stored_oil = min(tower.oil, oil, room - stored_gas, tower.most - stored_gas)
    if takes:
        held.field_oil[field], held.field_gas[field] = oil - stored_oil, gas - stored_gas
        held.oil += stored_oil
        held.gas += stored_gas
    return total + stored_gas * ahead.gas + stored_oil * ahead.oil


def local(held: Holding, price: int) -> float:
    """Gas for points, oil for coins or points."""
    ahead, oil, gas = held.ahead, held.oil, held.gas
    if not oil and not gas:
        return 0.0
    before = held.stock()
    held.oil = held.gas = 0
    each = 2.0 * ahead.coin
    gain = gas + (oil * each if each > 0.5 else oil // 2 + (oil & 1) * each) + held.stock() - before
    if gain <= 0.0:
        held.oil, held.gas = oil, gas
        return 0.0
    if each > 0.5:
        held.coins += 2 * oil
    return gain


def national(held: Holding, price: int) -> float:
    """Oil for coins, and what national towers ship."""
    ahead, oil = held.ahead, held.oil
    if not oil:
        return 0.0
    before = held.stock()
    held.oil = 0
    gain = oil * ahead.price * ahead.coin + held.stock() - before + ship(held, ())
    if gain <= 0.0:
        held.oil = oil
        return 0.0
    held.coins += int(oil * ahead.price)
    return gain


def ship(held: Holding, used: tuple[str, ...]) -> float:
    """Oil that national towers take out of their fields."""
    coin, total = held.ahead.coin, 0.0
    for tower, field, tile in held.towers:
        if tower.ships and tile not in used and held.field_oil[field] and field != held.game.strike_field:
            total += (held.ahead.price + 1.0) * coin
    return total


def first_player(held: Holding, price: int) -> float:
    """The first player card."""
    return 0.0 if held.seat == held.game.first_player else 0.2 * min(held.ahead.left, 1.0)


def subsidy(held: Holding, price: int) -> float:
    """The pot."""
    pot = held.game.subsidy_pot
    held.coins += pot
    return pot * held.ahead.coin


def invest(held: Holding, price: int) -> float:
    """The best investment that can be paid for, if need be after the sale of another."""
    ahead, game = held.ahead, held.game
    tracks = ahead.tables.tracks
    best, spent = 0.0, 0
    sales = [(0, 0)] if held.markers else []
    for (track, vp, _), pays in zip(tracks, ahead.resale, strict=True):
        if held.seat in game.tracks[track]:
            sales.append((pays, vp))
    for pays, lost in sales:
        for (_, vp, _), cost in zip(tracks, ahead.prices, strict=True):
            if cost and cost <= held.coins + pays:
                gain = vp - lost - (cost - pays) * ahead.coin
                if gain > best:
                    best, spent = gain, cost - pays
    held.coins -= spent
    return best


GAINS: dict[int, Callable[[Holding, int], float]] = {
    Action.LEASE: lease,
    Action.BUILD: build,
    Action.DRILL: drill,
    Action.LOCAL: local,
    Action.NATIONAL: national,
    Action.FIRST_PLAYER: first_player,
    Action.SUBSIDY: subsidy,
    Action.INVEST: invest,
}
