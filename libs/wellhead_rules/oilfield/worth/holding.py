"""What a seat holds, and what that is worth: coins, cubes, towers, leases without towers, storage, investments."""

from msgspec import Struct

from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.worth.outlook import Outlook, Yield, most_money

CUBE_TO_COME = 0.75
"""Part of a stored cube's worth that a cube is worth which is still to be drilled."""
LOCAL_GAS = 0.7
"""Points for gas to come straight to the local market: a field may have none."""
SHIPPED = 3.0
"""Coins from a national tower, for every drill that a seat makes in the time."""
SITE = 0.7
"""Part of the gain of a tower that a lease without one is worth."""
NEXT_SITE = 0.35
"""The same for every further one."""
SITE_CUBES, SITE_PRICE, SITE_DRILL = 2.7, 8.0, 2.0
"""A tower to come: its cubes, its price, and the cubes of its free drill that find room."""
UNPAID = 0.4
"""Part of a lease's worth while there are no coins for a tower."""
RESTRICTED = 0.6
"""Part of its worth that a government tower has before it is paid for."""
FORFEIT = 0.4
"""Points for the lease that goes with it if nobody pays."""
PURSE, OVER_PURSE = 40.0, 0.4
"""Coins that can be spent soon, and the part of its worth that a coin beyond them has."""
MOST_MONEY_LAST, MOST_MONEY = 0.5, 0.25
"""How likely it is that who has most coins in the last round, or in the one before, has most at the end."""
RELUCTANCE = 0.5
"""What a sale of an investment must gain."""
UNIT_LATER = 0.25
"""What an expansion may give as a full unit at the end."""


class Holding(Struct):
    """What a seat holds, in a form in which actions to come can be tried out. `out` are the cubes that a drill brings
    to the warehouse, every tower for the part of the time that its field lasts; `direct` is what else they give."""

    ahead: Outlook
    game: Game
    seat: int
    coins: int
    oil: int
    gas: int
    storage: int
    expansions: int
    markers: int
    lease_markers: int
    field_oil: list[int]
    field_gas: list[int]
    towers: list[tuple[Yield, int, str]]
    """What each takes now, its field, its tile."""
    sites: list[int]
    """Fields of leases without a tower."""
    out: float = 0.0
    direct: float = 0.0

    def position(self) -> float:
        """Points for everything that is not points yet."""
        return self.money() + self.stock() + self.engine(self.out) + self.direct + self.site() + self.resale()

    def money(self) -> float:
        """Coins."""
        ahead, coins = self.ahead, self.coins
        total = ahead.coin * (coins if coins <= PURSE else PURSE + OVER_PURSE * (coins - PURSE))
        if ahead.left <= 1.0:
            total += most_money(self.game, self.seat, coins) * (MOST_MONEY_LAST if ahead.left == 0.0 else MOST_MONEY)
        return total

    def stock(self) -> float:
        """Cubes, and the units that they may fill at the end."""
        ahead = self.ahead
        total = self.oil * ahead.oil + self.gas * ahead.gas
        if ahead.left == 0.0:
            return max(total, float(self.units()))
        return total + self.expansions * UNIT_LATER

    def units(self) -> int:
        """Full storage units."""
        cubes = self.oil + self.gas
        expansions = min(self.expansions, cubes // 2)
        return expansions + (cubes - 2 * expansions >= self.ahead.tables.base_storage)

    def engine(self, out: float, storage: int = 0) -> float:
        """The cubes still to be drilled: as many as towers and warehouse allow, the scarcer of them above all."""
        if out <= 0.0:
            return 0.0
        room = storage or self.storage
        cubes = 0.5 * (out if out < room else room) + out * room / (out + room)
        return self.ahead.drilling * cubes * self.ahead.oil * CUBE_TO_COME

    def aside(self, tower: Yield, field: int) -> float:
        """What a tower gives besides cubes for the warehouse, in all the drills to come."""
        ahead = self.ahead
        each = LOCAL_GAS * tower.local_gas
        if tower.local_oil:
            each = max(each, 0.6 * LOCAL_GAS + 0.8 * ahead.coin)
        if tower.ships:
            each = SHIPPED * ahead.coin
        if tower.gas:
            each += 0.5 * (ahead.gas - ahead.oil)
        return each * ahead.drilling * ahead.drills[field] if each else 0.0

    def site(self) -> float:
        """Leases without a tower."""
        sites, ahead = self.sites, self.ahead
        if not sites:
            return 0.0
        share = max([ahead.joined(field, SITE_CUBES) for field in sites])
        gain = self.engine(self.out + SITE_CUBES * share) - self.engine(self.out) + SITE_DRILL * ahead.oil
        gain -= SITE_PRICE * ahead.coin
        if gain <= 0.0 or not ahead.drilling:
            return 0.0
        paid = min(1.0, UNPAID + (1.0 - UNPAID) * self.coins / SITE_PRICE)
        return gain * paid * (SITE + NEXT_SITE * (len(sites) - 1)) * ahead.left / (ahead.left + 1.0)

    def resale(self) -> float:
        """What investments would fetch above their points: they can be sold when it is needed, so no sooner."""
        total, ahead, tracks = 0.0, self.ahead, self.game.tracks
        for (track, vp, _), price in zip(ahead.tables.tracks, ahead.market.resale, strict=True):
            above = price * ahead.coin - vp + RELUCTANCE
            if above > 0.0:
                total += above * tracks[track].count(self.seat)
        return total


def holding(game: Game, seat: int, ahead: Outlook) -> Holding:
    """What a seat holds now."""
    player = game.players[seat]
    held = Holding(
        ahead, game, seat, player.coins, player.oil, player.gas, player.storage, len(player.expansions),
        player.investment_markers, player.lease_markers, list(game.oil), list(game.gas), [],
        list(ahead.land.sites[seat]),
    )  # fmt: skip
    for tower, field, tile, disc in ahead.land.towers[seat]:
        part = ahead.drills[field]
        if disc:
            held.towers.append((ahead.tables.restricted[tile], field, tile))
            held.direct += RESTRICTED * held.aside(tower, field) - FORFEIT * part
            held.out += RESTRICTED * tower.most * part
        else:
            held.towers.append((tower, field, tile))
            held.direct += held.aside(tower, field)
            held.out += tower.most * part
    return held
