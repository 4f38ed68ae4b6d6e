"""OF-11: the national market, without advanced tiles."""

import pytest

from wellhead_rules.oilfield.commands import CommitPrivateAction, PassAction, PlaceWorker, SellNational
from wellhead_rules.oilfield.events import ActionLost, ActionPassed, NationalPriceFixed, NationalSold
from wellhead_rules.oilfield.facts import fact

PRICES = {1: 4, 2: 3, 3: 2, 4: 1, 5: 1}


def revealed(position, sellers, players=5, **said):
    """The cards are about to be turned up; the first seats have chosen national, the others drill."""
    game = position(players=players, at="private_actions", **said)
    for seat in range(players):
        game.player(f"P{seat}", card="national" if seat < sellers else "drill")
    return game


@pytest.mark.rule("OF-11.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_national_is_chosen_by_card_only(position, players):
    game = position(players=players)
    assert not any("national" in one.space_id for one in game.legal("P0", PlaceWorker))
    game = position(players=players, at="private_selection")
    assert game.offers("P0", CommitPrivateAction("national"))


@pytest.mark.rule("OF-11.2")
@pytest.mark.parametrize("oil", [1, 2, 3])
def test_at_least_one_oil_is_sold_and_each_pays_the_national_price(position, oil):
    game = revealed(position, 2).player("P0", oil=3, coins=0)
    assert game.legal("P0", SellNational) == [SellNational(3), SellNational(2), SellNational(1)]
    assert game.refused("P0", SellNational()).code == "EMPTY_AMOUNT"
    facts = game.play("P0", SellNational(oil))
    assert fact(NationalSold, seat="P0", oil_removed=oil, gas_removed=0, coins_gained=3 * oil) in facts
    assert (game["P0"].coins, game["P0"].oil) == (3 * oil, 3 - oil)


@pytest.mark.rule("OF-11.2")
def test_with_nothing_to_sell_the_action_is_lost(position):
    facts = revealed(position, 1).player("P0", gas=3).opening
    assert fact(ActionLost, seat="P0", action="national", reason="NOTHING_TO_SELL") in facts


@pytest.mark.rule("OF-11.3")
@pytest.mark.parametrize(("sellers", "price"), PRICES.items())
def test_the_price_is_that_of_the_chart_for_the_cards_revealed(position, sellers, price):
    game = revealed(position, sellers).player("P0", oil=1)
    assert game.opening.of(NationalPriceFixed) == [NationalPriceFixed(sellers, price)]
    assert fact(NationalSold, coins_gained=price) in game.play("P0", SellNational(1))


@pytest.mark.rule("OF-11.3")
def test_without_a_national_card_there_is_no_price(position):
    assert NationalPriceFixed not in revealed(position, 0).opening


@pytest.mark.rule("OF-11.3")
def test_who_passes_or_has_nothing_to_sell_counts_as_a_seller(position):
    game = revealed(position, 3).player("P0", oil=1).player("P2", oil=1)
    facts = game.opening + game.play("P0", PassAction())
    assert fact(ActionPassed, seat="P0") in facts
    assert fact(ActionLost, seat="P1") in facts
    assert fact(NationalSold, seat="P2", coins_gained=2) in game.play("P2", SellNational(1))


@pytest.mark.rule("OF-11.3")
@pytest.mark.parametrize(("dummy", "price"), [("national", 3), ("local", 4)])
def test_the_card_of_the_dummy_counts(position, dummy, price):
    game = revealed(position, 1, players=2, draws=[dummy]).player("P0", oil=1)
    assert fact(NationalSold, coins_gained=price) in game.play("P0", SellNational(1))


@pytest.mark.rule("OF-11.4")
def test_gas_cannot_be_sold(position):
    game = revealed(position, 1).player("P0", oil=1, gas=2)
    assert game.legal("P0", SellNational) == [SellNational(1)]
    assert game.refused("P0", SellNational(0, 1)).code == "GAS_EXPORT_NOT_ALLOWED"
    assert game.refused("P0", SellNational(1, 2)).code == "GAS_EXPORT_NOT_ALLOWED"


@pytest.mark.rule("OF-11.5")
def test_sold_cubes_go_back_to_the_bag(position):
    game = revealed(position, 1).player("P0", oil=3)
    before = game.seen.bag
    game.play("P0", SellNational(2))
    assert (game.seen.bag.oil, game.seen.bag.gas) == (before.oil + 2, before.gas)
