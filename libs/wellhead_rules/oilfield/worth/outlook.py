"""What is ahead for a seat: the time left, and what coins, cubes and drills are worth in it."""

from functools import cache, lru_cache

from msgspec import Struct

from wellhead_rules.oilfield.content import Content, Kind
from wellhead_rules.oilfield.game import NOBODY, Game, Slot
from wellhead_rules.oilfield.pack import Drill
from wellhead_rules.oilfield.vocabulary import Phase

OIL_SHARE = 0.7
"""Part of a refill that is oil."""
OUT_TO_COME = 2.0
"""Cubes of towers that others will still build in a field."""
DRILLED_BY_ANYONE = 1.1
"""Oil that a seat takes in a round without a thought for its towers: it will build some."""
LAST_FIELD = 0.6
"""Part of the fullest field that may be left when the game ends."""
DRILLED_BY_TOWERS = 0.2
"""Part of all that its towers could take that a field loses in a round."""
DRILLS_PER_ROUND = 0.6
"""How often a seat drills in a round."""
COIN_LATE = 0.02
"""Points for a coin that buys nothing any more: it may break a tie for most money."""
LAST_MARKER, NO_MARKER = 0.8, 0.25
"""What is left of a coin's worth if only one marker can still be put on a better track, and if none can."""
PRICE_RISE = {"vp5": 4.0, "vp3": 2.0, "vp2": 2.0}
"""Coins by which a price may have risen when one's turn comes."""
SALE_PART = 0.55
"""Part of what a cube sells for that it is worth while it is stored: the sale costs an action."""
LOCAL_OIL_VP = 0.5
"""Points for an oil at the local market."""
SELLER = 0.4
"""How likely it is that another seat with oil for sale sells it nationally this round."""
SELLER_LATER = 0.25
"""How likely it is that another seat sells nationally when one does it oneself later."""
DUMMY_OUT = 0.5
"""Cubes that a dummy's tower counts for: it seldom drills."""
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
        best = max(track.vp for track in content.tracks.values())
        self.lesser = tuple(track.id for track in content.tracks.values() if track.vp < best)
        self.capacity = content.data.field_capacity.by_players
        self.end_step = content.data.depletion_track.end_step
        self.base_storage = content.data.refinery.base_storage
        chart = content.national_price
        self.usual = {seats: chart[1] + SELLER_LATER * (seats - 1) * (chart[2] - chart[1]) for seats in self.capacity}
        self.price = tuple(float(chart[min(max(sellers, 1), max(chart))]) for sellers in range(len(chart) + 2))


class Land(Struct, frozen=True, gc=False):
    """The fields: by field the oil that is still to come and all that towers could take; by seat its towers and its
    leases without one; and the rounds until the fields are exhausted."""

    still: tuple[float, ...]
    outs: tuple[float, ...]
    towers: tuple[tuple[tuple[Yield, int, str, bool], ...], ...]
    sites: tuple[tuple[int, ...], ...]
    lasts: float


class Market(Struct, frozen=True, gc=False):
    """The investment tracks: the price of each, 0 if it is full, what a sale pays, and the points for a coin."""

    prices: tuple[int, ...]
    resale: tuple[int, ...]
    deal: float


@cache
def tables(content: Content) -> Tables:
    """The tables of a pack."""
    return Tables(content)


@lru_cache(4096)
def land(
    content: Content,
    seats: int,
    slots: tuple[Slot, ...],
    oil: tuple[int, ...],
    steps: tuple[int, ...],
    exhausted: tuple[bool, ...],
) -> Land:
    """The fields, which few commands change."""
    table = tables(content)
    outs = [0.0] * len(content.fields)
    towers: list[list[tuple[Yield, int, str, bool]]] = [[] for _ in range(seats)]
    sites: list[list[int]] = [[] for _ in range(seats)]
    for field, slot in zip(content.field_of_slot, slots, strict=True):
        if slot.owner >= 0 and slot.tile:
            outs[field] += table.takes[slot.tile]
            towers[slot.owner].append((table.yields[slot.tile], field, slot.tile, slot.disc))
        elif slot.owner >= 0:
            sites[slot.owner].append(field)
        elif slot.tile:
            outs[field] += DUMMY_OUT
    refill, end = table.capacity[seats] * OIL_SHARE, table.end_step - 1
    still = tuple(
        0.0 if gone else there + (end - step) * refill for gone, there, step in zip(exhausted, oil, steps, strict=True)
    )
    to_go = sum(still) - LAST_FIELD * max(still)
    rate = DRILLED_BY_ANYONE * seats + DRILLED_BY_TOWERS * sum(outs)
    return Land(still, tuple(outs), tuple(map(tuple, towers)), tuple(map(tuple, sites)), 1.0 + to_go / rate)


@lru_cache(4096)
def market(content: Content, squares: tuple[tuple[int, ...], ...]) -> Market:
    """The investment tracks, which few commands change."""
    prices, resale, deals = [], [], []
    for (track, vp, listed), taken in zip(tables(content).tracks, squares, strict=True):
        price = listed[taken.index(NOBODY)] if NOBODY in taken else 0
        prices.append(price)
        resale.append(price or listed[-1])
        if price:
            deals.append(vp / (price + PRICE_RISE.get(track, 2.0)))
    return Market(tuple(prices), tuple(resale), sum(deals) / len(deals) if deals else 0.0)


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
    """The judgement of what is ahead. `left` are the rounds after this one, `drilling` the drills in them, `drills` by
    field the part of them for which a tower finds oil."""

    tables: Tables
    land: Land
    market: Market
    left: float
    drilling: float
    drills: tuple[float, ...]
    coin: float
    oil: float
    gas: float
    price: float
    worker: bool
    card: bool
    """A worker, or a card, is to be chosen this round."""

    def joined(self, field: int, cubes: float) -> float:
        """The same part as `drills` for a tower still to be built there, which takes so many cubes."""
        return _part(self.land.still[field], self.land.outs[field] + cubes, self.drilling)

    def standing(self, game: Game, seat: int) -> float:
        """The place in the turn order."""
        part = min(self.left, 1.0)
        if seat == game.first_player:
            return FIRST * part
        return SUPERVISOR * part if seat == game.supervisor else 0.0


def outlook(game: Game, seat: int) -> Outlook:
    """What is ahead for a seat."""
    content, phase = game.content, game.phase
    table, seats = tables(content), len(game.players)
    fields = land(content, seats, game.slots, game.oil, game.steps, game.exhausted)
    tracks = market(content, tuple(game.tracks.values()))
    # The rounds after the running one are known once the end is near.
    left = 0.0
    if not game.is_final:
        limit = (game.final_round or content.max_rounds) - game.round
        left = float(limit) if game.final_round else min(float(limit), fields.lasts)
    worker = phase == Phase.PUBLIC_SELECTION and seat not in game.workers
    card = phase <= Phase.PRIVATE_SELECTION and not game.committed[seat]
    # An action to be chosen this round is half a round to come: no jump where a round begins.
    drilling = DRILLS_PER_ROUND * (left + 0.5 * worker + 0.5 * card)
    drills = tuple([_part(oil, out, drilling) for oil, out in zip(fields.still, fields.outs, strict=True)])
    coin = _coin(game, seat, table, tracks, left + worker)
    oil = gas = 0.0
    if left or worker or card:
        oil, gas = max(LOCAL_OIL_VP, table.usual[seats] * coin) * SALE_PART, SALE_PART
    price = expected_price(game, seat, table)
    return Outlook(table, fields, tracks, left, drilling, drills, coin, oil, gas, price, worker, card)


def _part(oil: float, out: float, drilling: float) -> float:
    return min(1.0, oil / (out + OUT_TO_COME) / drilling) if drilling else 0.0


def _coin(game: Game, seat: int, table: Tables, tracks: Market, chances: float) -> float:
    """Points for a coin: what investments will cost, as far as there are chances and markers for them."""
    full = tracks.deal
    markers = game.players[seat].investment_markers
    if markers < 2:
        # Lesser investments can make room for better ones.
        for track in table.lesser:
            markers += game.tracks[track].count(seat)
        full *= 1.0 if markers >= 2 else LAST_MARKER if markers else NO_MARKER
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
