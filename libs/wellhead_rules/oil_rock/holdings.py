"""Goods change hands (OR-GEN.4 to 8)."""

from collections.abc import Iterable, Mapping

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods
from wellhead_rules.oil_rock.events import GoodsChanged, VictoryPointsGained
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.pack import Resource
from wellhead_rules.oil_rock.vocabulary import Reason, VpCategory


def change(game: Game, seat: int, changes: Iterable[tuple[int, int]], reason: Reason, source_id: str = "") -> None:
    """Records changes of goods, each a place and an amount; nothing if there is none."""
    deltas = [0] * 8
    for place, amount in changes:
        deltas[place] += amount
    if any(deltas):
        tools, coins, coal, patents, yellow, green, blue, energy = deltas
        game.record(GoodsChanged(seat, tools, coins, coal, patents, yellow, green, blue, energy, reason, source_id))


def pay(game: Game, seat: int, place: int, amount: int) -> None:
    """Pays so much of one kind; what is free is not recorded."""
    if amount:
        change(game, seat, ((place, -amount),), Reason.PAYMENT)


def pay_all(game: Game, seat: int, cost: Mapping[Resource, int]) -> None:
    """Pays a cost of several kinds."""
    change(game, seat, ((goods.PLACE[kind], -amount) for kind, amount in cost.items()), Reason.PAYMENT)


def can_pay(player: Player, cost: Mapping[Resource, int]) -> bool:
    """The player holds the whole cost (OR-GEN.6)."""
    return all(player.goods[goods.PLACE[kind]] >= amount for kind, amount in cost.items())


def points(game: Game, seat: int, amount: int, category: VpCategory, source_id: str = "") -> None:
    """Records points in play; nothing if there are none."""
    if amount:
        game.record(VictoryPointsGained(seat, amount, category, source_id))


def discounted(printed: int, discount: int, free: bool) -> int:
    """A cost after discounts (OR-GEN.7)."""
    return 0 if free else max(0, printed - discount)


def too_little(place: int, needed: int, held: int) -> RuleViolation:
    """The refusal for want of goods."""
    name = goods.NAMES[place]
    return RuleViolation(f"NOT_ENOUGH_{name.upper()}", "OR-GEN.6", f"it costs {needed} {name}, {held} held")
