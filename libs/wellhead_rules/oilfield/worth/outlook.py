"""What is ahead for a seat: the time left, and what coins, cubes and drills are worth in it."""

from functools import cache

from msgspec import Struct

from wellhead_rules.oilfield import scoring
from wellhead_rules.oilfield.content import Content, Kind
from wellhead_rules.oilfield.game import NOBODY, Game
from wellhead_rules.oilfield.pack import Drill
from wellhead_rules.oilfield.vocabulary import Phase

OIL_SHARE = 0.7
"""Part of a refill that is oil."""
DRILLED_BY_ANYONE = 0.7
"""Oil that a seat takes in a round without a thought for its towers: it will build some."""
DRILLED_BY_TOWERS = 0.3
"""Part of all that its towers could take that a field loses in a round."""
DRILLS_PER_ROUND = 0.45
"""How often a seat drills in a round."""
COIN_LATE = 0.02
"""Points for a coin that buys nothing any more: it may break a tie for most money."""
NO_MARKER = 0.25
"""What is left of a coin's worth if every marker stands on the best track."""
PRICE_RISE = {"vp5": 4.0, "vp3": 2.0, "vp2": 2.0}
"""Coins by which a price may have risen when one's turn comes."""
SALE_PART = 0.7
"""Part of what a cube sells for that it is worth while it is stored: the sale costs an action."""
LOCAL_OIL_VP = 0.5
"""Points for an oil at the local market."""
SELLER = 0.4
"""How likely it is that another seat with oil for sale sells it nationally this round."""
FIRST = 0.25
"""Points for holding the first player card, while rounds follow."""
SUPERVISOR = 0.12
"""Points for being the supervisor, while rounds follow."""


class Yield(Struct, frozen=True, gc=False):
    """What a tower takes: oil and gas to the warehouse, at most so many cubes, and how much straight to a market."""

    oil: int
    gas: int
    most: int
    local_oil: int
    local_gas: int
    ships: bool


class Tables:
    """A content pack as the judgement looks it up."""

    def __init__(self, content: Content) -> None:
        self.yields = {tile: _yield(kind, kind.drill) for tile, kind in content.kind_of_tile.items()}
        self.restricted = {tile: _yield(kind, kind.restricted) for tile, kind in content.kind_of_tile.items()}
        self.takes = {tile: y.most + y.local_oil + y.ships for tile, y in self.yields.items()}
        self.tracks = tuple((track.id, track.vp, track.prices) for track in content.tracks.values())
        self.vp = {track.id: track.vp for track in content.tracks.values()}
        self.best_vp = max(self.vp.values())
        self.capacity = content.data.field_capacity.by_players
        self.end_step = content.data.depletion_track.end_step
        self.base_storage = content.data.refinery.base_storage
        chart = content.national_price
        self.price = tuple(float(chart[min(max(sellers, 1), max(chart))]) for sellers in range(len(chart) + 2))


@cache
def tables(content: Content) -> Tables:
    """The tables of a pack."""
    return Tables(content)


def _yield(kind: Kind, drill: Drill | None) -> Yield:
    if drill is None:
        return Yield(0, 0, 0, 0, 0, kind.ships)
    most = drill.oil_to_warehouse_max + drill.gas_to_warehouse_max
    if most and drill.total_max:
        most = min(most, drill.total_max)
    return Yield(
        drill.oil_to_warehouse_max, drill.gas_to_warehouse_max, most, drill.oil_to_local_max, drill.gas_to_local_max,
        kind.ships,
    )  # fmt: skip


class Outlook(Struct, gc=False):
    """The judgement of what is ahead. `left` are the rounds after this one; `drills` are by field what is still in it
    for a tower, as a part of `drilling`, all the drills to come."""

    tables: Tables
    left: float
    drilling: float
    drills: tuple[float, ...]
    coin: float
    oil: float
    gas: float
    price: float
    prices: tuple[int, ...]
    """Current price of every track, 0 if it is full."""
    resale: tuple[int, ...]
    """What a sale on every track pays."""
    sells_later: bool
    """Some action to sell cubes with can still be chosen."""

    def standing(self, game: Game, seat: int) -> float:
        """The place in the turn order."""
        part = min(self.left, 1.0)
        if seat == game.first_player:
            return FIRST * part
        return SUPERVISOR * part if seat == game.supervisor else 0.0


def outlook(game: Game, seat: int) -> Outlook:
    """What is ahead for a seat."""
    table = tables(game.content)
    outs = [0.0, 0.0, 0.0]
    takes = table.takes
    for field, slot in zip(game.content.field_of_slot, game.slots, strict=True):
        if slot.tile:
            outs[field] += takes[slot.tile] if slot.owner >= 0 else 0.5
    seats = len(game.players)
    refill, end = table.capacity[seats] * OIL_SHARE, table.end_step - 1
    still = [
        0.0 if gone else oil + (end - step) * refill
        for gone, oil, step in zip(game.exhausted, game.oil, game.steps, strict=True)
    ]
    left = _left(game, still, outs)
    drilling = DRILLS_PER_ROUND * left
    drills = tuple(
        min(1.0, oil / (out + 2.0) / drilling) if drilling else 0.0 for oil, out in zip(still, outs, strict=True)
    )
    chooses_worker = game.phase == Phase.PUBLIC_SELECTION and seat not in game.workers
    chooses_card = game.phase <= Phase.PRIVATE_SELECTION and not game.committed[seat]
    prices, resale = _prices(game, table)
    coin = _coin(game, seat, table, prices, left + chooses_worker)
    price = expected_price(game, seat, table)
    sells_later = left > 0.0 or chooses_worker or chooses_card
    oil = max(LOCAL_OIL_VP, price * coin) * SALE_PART if sells_later else 0.0
    return Outlook(
        table, left, drilling, drills, coin, oil, SALE_PART if sells_later else 0.0, price, prices, resale, sells_later
    )


def _left(game: Game, still: list[float], outs: list[float]) -> float:
    """Rounds after the running one: known once the end is near, a guess from the oil that is left before."""
    if game.is_final:
        return 0.0
    if game.final_round:
        return float(game.final_round - game.round)
    to_go = sum(still) - 0.6 * max(still)
    rate = DRILLED_BY_ANYONE * len(game.players) + DRILLED_BY_TOWERS * sum(outs)
    return min(float(game.content.max_rounds - game.round), 1.0 + to_go / rate)


def _prices(game: Game, table: Tables) -> tuple[tuple[int, ...], tuple[int, ...]]:
    prices, resale = [], []
    for track, _, listed in table.tracks:
        squares = game.tracks[track]
        if NOBODY in squares:
            price = listed[squares.index(NOBODY)]
            prices.append(price)
            resale.append(price)
        else:
            prices.append(0)
            resale.append(listed[-1])
    return tuple(prices), tuple(resale)


def _coin(game: Game, seat: int, table: Tables, prices: tuple[int, ...], chances: float) -> float:
    """Points for a coin: what investments will cost, as far as there are chances and markers for them."""
    deals, found = 0.0, 0
    room = float(game.players[seat].investment_markers)
    for (track, vp, _), price in zip(table.tracks, prices, strict=True):
        if price:
            deals += vp / (price + PRICE_RISE.get(track, 2.0))
            found += 1
        if vp < table.best_vp:
            room += game.tracks[track].count(seat)
    if not found:
        return COIN_LATE
    full = deals / found * (1.0 if room >= 2.0 else (NO_MARKER if room < 1.0 else 0.8))
    return COIN_LATE + max(full - COIN_LATE, 0.0) * chances / (chances + 1.0)


def expected_price(game: Game, seat: int, table: Tables) -> float:
    """Coins for a barrel at the national market: known after the reveal, before it a guess from who has oil."""
    if game.revealed:
        if game.national_price:
            return float(game.national_price)
        return table.price[1]
    others = 0.2 if game.has_dummy else 0.0
    for player in game.players:
        if player.seat != seat and player.oil >= 2:
            others += SELLER
    whole = int(others)
    low, high = table.price[whole + 1], table.price[whole + 2]
    return low + (others - whole) * (high - low)


def most_money(game: Game, seat: int, coins: int) -> int:
    """Points for the most coins, if the others keep theirs."""
    most = max(player.coins for player in game.players if player.seat != seat)
    rules = game.content.data.scoring
    return rules.most_money_vp if coins > most else rules.most_money_tie_vp if coins == most else 0


__all__ = ["Outlook", "Tables", "Yield", "most_money", "outlook", "scoring", "tables"]
