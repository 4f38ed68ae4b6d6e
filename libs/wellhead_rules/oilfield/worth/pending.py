"""Actions chosen but not yet carried out, and the card to be chosen after a worker: what each will gain in its turn.

What cannot be done gains nothing. An action with `done` leaves the holding as it will be afterwards.
"""

from collections.abc import Callable
from functools import lru_cache

from wellhead_rules.oilfield.content import Content, Kind
from wellhead_rules.oilfield.game import NO_CARD, UNSEEN, Game
from wellhead_rules.oilfield.vocabulary import Action, ActionOrigin, DecisionKind, Phase
from wellhead_rules.oilfield.worth.holding import FORFEIT, RESTRICTED, UNIT_LATER, Holding
from wellhead_rules.oilfield.worth.outlook import Yield

PROMISE = 0.97
"""Part of a gain that it is worth before it is made."""
OPEN_CHOICE = 0.9
"""The same while the card is not chosen."""
USUAL = 1.2
"""What a card gains as a rule: taken off while it is not chosen, as it is counted among the actions to come."""
TAKES_FIRST = 0.2
"""Points for taking the first player card, beside what it is worth to hold it."""


def pending(game: Game, seat: int, held: Holding) -> float:
    """What worker and card will still gain; once the worker is placed, also the card that is not chosen."""
    ahead, total = held.ahead, 0.0
    private = game.content.data.private_lease_price.coins
    running = game.current if game.current is not None and game.current.seat == seat else None
    begun = running is not None and running.begun
    if game.phase <= Phase.PUBLIC_ACTIONS and seat in game.workers:
        space = game.content.spaces[game.workers.index(seat)]
        total += rest(held) if begun else GAINS[space.action](held, space.bid, True)
    card = game.committed[seat]
    if begun and running is not None and running.origin == ActionOrigin.PRIVATE:
        total += rest(held)
    elif card != NO_CARD and card != UNSEEN:
        total += GAINS[card](held, private, True)
    total *= PROMISE
    if (ahead.card and not ahead.worker) or card == UNSEEN:
        gains = [action(held, private, False) for action in (lease, build, drill, local, national)]
        total += OPEN_CHOICE * max(gains) - USUAL
    return total


def rest(held: Holding) -> float:
    """What is left of the action that the seat has begun."""
    game = held.game
    running, opened = game.current, game.open
    if running is None:
        return 0.0
    if running.action == Action.DRILL:
        unused = [(tower, field) for tower, field, tile in held.towers if tile not in running.used]
        return sum([extract(held, tower, field, True) for tower, field in unused])
    if running.action == Action.BUILD and opened is not None and opened.kind == DecisionKind.DRILL_NEW_TOWER:
        new = opened.parameters.tile_id
        return sum([extract(held, tower, field, True) for tower, field, tile in held.towers if tile == new])
    return ship(held, running.used) if running.action == Action.NATIONAL else 0.0


# -- what actions gain -----------------------------------------------------------------------------------------


def lease(held: Holding, price: int, done: bool) -> float:
    """A lease: its point, and the tower that it may carry."""
    game, ahead = held.game, held.ahead
    if not held.lease_markers or held.coins < price or not game.lease_market:
        return 0.0
    fields = game.content.field_of_lease
    field = max({fields[card] for card in game.lease_market}, key=lambda one: (ahead.drills[one], one))
    before = held.site()
    held.sites.append(field)
    held.coins -= price
    gain = 1.0 + held.site() - before - price * ahead.coin
    if done and gain > 0.0:
        held.lease_markers -= 1
        return gain
    held.sites.pop()
    held.coins += price
    return gain if gain > 0.0 else 0.0


@lru_cache(4096)
def wares(content: Content, tiles: tuple[str, ...]) -> tuple[tuple[Kind, str], ...]:
    """The types of tile in the market, each with one of its tiles."""
    return tuple({content.kind_of_tile[tile]: tile for tile in tiles}.items())


def build(held: Holding, price: int, done: bool) -> float:
    """The best tile that can be paid for, with the free drill of a tower."""
    ahead, coins = held.ahead, held.coins
    drills, sites, tables = ahead.drills, held.sites, ahead.tables
    field = max(sites, key=drills.__getitem__) if sites else -1
    before = held.engine(held.out)
    # The lease is used up; any other stays what it was.
    site = held.site() / len(sites) if sites else 0.0
    best, choice = 0.0, ""
    for kind, tile in wares(held.game.content, held.game.tile_market):
        if kind.price > coins:
            continue
        gain = -kind.price * ahead.coin - before
        if not kind.is_tower:
            gain += held.engine(held.out, held.storage + kind.storage)
            if ahead.left:
                gain += UNIT_LATER
        elif field >= 0:
            tower = tables.yields[tile]
            joined = ahead.joined(field, tables.takes[tile])
            if kind.restricted is None:
                gain += held.engine(held.out + tower.most * joined) + held.aside(tower, field)
                gain += extract(held, tower, field, False) - site
            else:
                gain += held.engine(held.out + RESTRICTED * tower.most * joined) - FORFEIT * drills[field]
                gain += RESTRICTED * held.aside(tower, field) - site
                gain += extract(held, tables.restricted[tile], field, False)
        else:
            continue
        if gain > best:
            best, choice = gain, tile
    if done and choice:
        kind = held.game.kind(choice)
        held.coins -= kind.price
        if kind.is_tower:
            tower = tables.yields[choice] if kind.restricted is None else tables.restricted[choice]
            sites.remove(field)
            extract(held, tower, field, True)
            held.out += tower.most * drills[field]
            held.towers.append((tower, field, choice))
        else:
            held.storage += kind.storage
            held.expansions += 1
    return best


def drill(held: Holding, price: int, done: bool) -> float:
    """Every tower."""
    if done or len(held.towers) < 2:
        return sum([extract(held, tower, field, done) for tower, field, _ in held.towers])
    kept = held.oil, held.gas, held.field_oil[:], held.field_gas[:]
    total = sum([extract(held, tower, field, True) for tower, field, _ in held.towers])
    held.oil, held.gas, held.field_oil, held.field_gas = kept
    return total


def extract(held: Holding, tower: Yield, field: int, done: bool) -> float:
    """One tower."""
    ahead, room = held.ahead, held.storage - held.oil - held.gas
    oil, gas = held.field_oil[field], held.field_gas[field]
    if field == held.game.strike_field:
        return 0.0
    total = 0.0
    if tower.local_gas and gas:
        gas -= 1
        total = 1.0
    elif tower.local_oil and oil:
        oil -= 1
        total = 2.0 * ahead.coin
    stored_gas = stored_oil = 0
    if room > 0 and tower.most:
        stored_gas = min(tower.gas, gas, room)
        stored_oil = min(tower.oil, oil, room - stored_gas, tower.most - stored_gas)
    if done:
        held.field_oil[field], held.field_gas[field] = oil - stored_oil, gas - stored_gas
        held.oil += stored_oil
        held.gas += stored_gas
    return total + stored_gas * ahead.gas + stored_oil * ahead.oil


def local(held: Holding, price: int, done: bool) -> float:
    """Gas for points, oil for coins or points."""
    oil, gas = held.oil, held.gas
    if not oil and not gas:
        return 0.0
    coins = 2.0 * held.ahead.coin
    for_coins = coins > 0.5
    gain = gas + (oil * coins if for_coins else oil // 2 + (oil & 1) * coins) - held.stock()
    held.oil = held.gas = 0
    gain += held.stock()
    if done and gain > 0.0:
        held.coins += 2 * oil if for_coins else 0
        return gain
    held.oil, held.gas = oil, gas
    return gain if gain > 0.0 else 0.0


def national(held: Holding, price: int, done: bool) -> float:
    """Oil for coins, and what national towers ship."""
    ahead, oil = held.ahead, held.oil
    if not oil:
        return 0.0
    gain = oil * ahead.price * ahead.coin + ship(held, ()) - held.stock()
    held.oil = 0
    gain += held.stock()
    if done and gain > 0.0:
        held.coins += int(oil * ahead.price)
        return gain
    held.oil = oil
    return gain if gain > 0.0 else 0.0


def ship(held: Holding, used: tuple[str, ...]) -> float:
    """Oil that national towers take out of their fields."""
    total = 0.0
    for tower, field, tile in held.towers:
        if tower.ships and tile not in used and held.field_oil[field] and field != held.game.strike_field:
            total += (held.ahead.price + 1.0) * held.ahead.coin
    return total


def first_player(held: Holding, price: int, done: bool) -> float:
    """The first player card."""
    return 0.0 if held.seat == held.game.first_player else TAKES_FIRST * min(held.ahead.left, 1.0)


def subsidy(held: Holding, price: int, done: bool) -> float:
    """The pot."""
    pot = held.game.subsidy_pot
    held.coins += pot
    return pot * held.ahead.coin


def invest(held: Holding, price: int, done: bool) -> float:
    """The best investment that can be paid for, if need be after the sale of another."""
    ahead, game = held.ahead, held.game
    tracks, market = ahead.tables.tracks, ahead.market
    best, spent = 0.0, 0
    sales = [(0, 0)] if held.markers else []
    for (track, vp, _), pays in zip(tracks, market.resale, strict=True):
        if held.seat in game.tracks[track]:
            sales.append((pays, vp))
    for pays, lost in sales:
        for (_, vp, _), cost in zip(tracks, market.prices, strict=True):
            if cost and cost <= held.coins + pays:
                gain = vp - lost - (cost - pays) * ahead.coin
                if gain > best:
                    best, spent = gain, cost - pays
    if done:
        held.coins -= spent
    return best


GAINS: dict[int, Callable[[Holding, int, bool], float]] = {
    Action.LEASE: lease,
    Action.BUILD: build,
    Action.DRILL: drill,
    Action.LOCAL: local,
    Action.NATIONAL: national,
    Action.FIRST_PLAYER: first_player,
    Action.SUBSIDY: subsidy,
    Action.INVEST: invest,
}
