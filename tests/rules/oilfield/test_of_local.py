"""OF-10: the local market and its supervisor."""

import pytest

from tests.rules.oilfield.silence import silent
from wellhead_rules.oilfield.commands import DrillTower, PassAction, SellLocal, TakeFirstPlayer
from wellhead_rules.oilfield.events import ActionCompleted, ActionLost, LocalSold, SupervisorPaid, TowerDrilled
from wellhead_rules.oilfield.facts import fact

EXPANSIONS = ["refinery_expansion_1", "refinery_expansion_2", "refinery_expansion_3"]


def selling(position, oil, gas=0, seat="P0", **said):
    """Four players; a seat is about to sell at the local market."""
    game = position(players=4, **said).player(seat, oil=oil, gas=gas, expansions=EXPANSIONS)
    return game.acting(seat, "local")


@pytest.mark.rule("OF-10.1")
@pytest.mark.parametrize(("oil", "gas"), [(3, 0), (1, 2), (2, 1), (0, 3), (5, 4)])
def test_any_number_of_cubes_is_sold_each_oil_or_two_together_and_each_gas(position, oil, gas):
    every = {
        (coins, pairs, points)
        for coins in range(oil + 1)
        for pairs in range(oil + 1)
        for points in range(gas + 1)
        if coins + pairs + points > 0 and coins + 2 * pairs <= oil
    }
    listed = selling(position, oil, gas).legal("P0", SellLocal)
    assert len(listed) == len(every)
    assert {(one.oil_for_coins, one.oil_pairs_for_vp, one.gas_for_vp) for one in listed} == every


@pytest.mark.rule("OF-10.1")
@pytest.mark.parametrize(
    ("sale", "coins", "vp"),
    [
        (SellLocal(oil_for_coins=1), 2, 0),
        (SellLocal(oil_for_coins=3), 6, 0),
        (SellLocal(oil_pairs_for_vp=1), 0, 1),
        (SellLocal(oil_pairs_for_vp=2), 0, 2),
        (SellLocal(gas_for_vp=2), 0, 2),
        (SellLocal(oil_for_coins=1, oil_pairs_for_vp=2, gas_for_vp=3), 2, 5),
    ],
)
def test_an_oil_brings_two_coins_two_oil_a_point_and_a_gas_a_point(position, sale, coins, vp):
    game = selling(position, 5, 4).player("P0", coins=7)
    facts = game.play("P0", sale)
    oil = sale.oil_for_coins + 2 * sale.oil_pairs_for_vp
    sold = fact(LocalSold, seat="P0", oil_removed=oil, gas_removed=sale.gas_for_vp, coins_gained=coins, vp_gained=vp)
    assert sold in facts
    assert (game["P0"].coins, game["P0"].vp) == (7 + coins, vp)
    assert game["P0"].vp_by_category["vp_local_market"] == vp


@pytest.mark.rule("OF-10.1")
def test_all_is_sold_in_one_go(position):
    facts = selling(position, 3).play("P0", SellLocal(oil_for_coins=1))
    assert facts.in_order(LocalSold, fact(ActionCompleted, seat="P0", action="local"))


@pytest.mark.rule("OF-10.1")
def test_more_than_the_warehouse_holds_is_not_sold(position):
    game = selling(position, 3, 1)
    assert game.refused("P0", SellLocal(oil_for_coins=2, oil_pairs_for_vp=1)).code == "NOT_ENOUGH_OIL"
    assert game.refused("P0", SellLocal(gas_for_vp=2)).code == "NOT_ENOUGH_GAS"
    assert game.refused("P0", SellLocal()).code == "EMPTY_AMOUNT"


@pytest.mark.rule("OF-10.2")
@pytest.mark.parametrize("gas", [1, 2, 3])
def test_gas_is_never_sold_for_coins(position, gas):
    game = selling(position, 0, 3).player("P0", coins=0)
    assert all(one.oil_for_coins == 0 for one in game.legal("P0", SellLocal))
    facts = game.play("P0", SellLocal(gas_for_vp=gas))
    assert fact(LocalSold, gas_removed=gas, coins_gained=0) in facts
    assert game["P0"].coins == 0


@pytest.mark.rule("OF-10.3")
def test_sold_cubes_go_back_to_the_bag(position):
    game = selling(position, 5, 3)
    before = game.seen.bag
    game.play("P0", SellLocal(oil_for_coins=1, oil_pairs_for_vp=1, gas_for_vp=2))
    assert (game.seen.bag.oil, game.seen.bag.gas) == (before.oil + 3, before.gas + 2)
    assert (game["P0"].oil, game["P0"].gas) == (2, 1)


@pytest.mark.rule("OF-10.4")
@pytest.mark.parametrize("origin", ["public", "private"])
def test_the_supervisor_gets_a_coin_from_the_bank_once_per_action(position, origin):
    game = position(players=4).player("P1", oil=3, coins=5).player("P3", coins=5).acting("P1", "local", origin=origin)
    facts = game.play("P1", SellLocal(oil_for_coins=3))
    assert facts.of(SupervisorPaid) == [SupervisorPaid(3, 1)]
    assert (game["P1"].coins, game["P3"].coins) == (11, 6)


@pytest.mark.rule("OF-10.4")
def test_the_supervisor_pays_itself_nothing(position):
    game = selling(position, 2, seat="P3")
    assert SupervisorPaid not in game.play("P3", SellLocal(oil_for_coins=2))


@pytest.mark.rule("OF-10.4")
def test_without_a_sale_the_supervisor_gets_nothing(position):
    assert SupervisorPaid not in selling(position, 2).play("P0", PassAction())
    lost = position(players=4).acting("P0", "local").opening
    assert fact(ActionLost, seat="P0", reason="NOTHING_TO_SELL") in lost
    assert SupervisorPaid not in lost


@pytest.mark.rule("OF-10.5")
@pytest.mark.parametrize("drill", [{"oil_to_local": 1}, {"gas_to_local": 1}])
def test_what_a_tower_delivers_to_the_local_market_brings_no_fee(position, drill):
    game = position(players=4).slot("dallas_slot_1", "P0", "small_local_tower_1").acting("P0", "drill")
    facts = game.play("P0", DrillTower("small_local_tower_1", **drill))
    assert fact(TowerDrilled, seat="P0") in facts
    assert SupervisorPaid not in facts


@pytest.mark.rule("OF-10.6")
def test_the_supervisor_follows_the_first_player_card_at_once(position):
    game = position(players=4, first_player="P2", **silent(4)).player("P1", oil=2, card="local")
    game.acting("P0", "first_player")
    assert game.seen.supervisor == "P1"
    game.play("P0", TakeFirstPlayer())
    assert game.seen.supervisor == "P3"
    assert game.decision == ("P1", "resolve_local")
    assert game.play("P1", SellLocal(oil_for_coins=1)).of(SupervisorPaid) == [SupervisorPaid(3, 1)]


@pytest.mark.rule("OF-10.6")
@pytest.mark.parametrize(("first", "supervisor"), [("P0", "P2"), ("P1", "P0"), ("P2", "P1")])
def test_the_supervisor_is_the_seat_before_the_first_player(position, first, supervisor):
    seller = next(seat for seat in ("P0", "P1", "P2") if seat != supervisor)
    game = position(first_player=first).player(seller, oil=1).acting(seller, "local")
    assert fact(SupervisorPaid, seat=supervisor, coins=1) in game.play(seller, SellLocal(oil_for_coins=1))
