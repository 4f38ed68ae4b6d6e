"""OF-14: investments, bought by an action and sold at any time."""

from random import Random

import pytest

from wellhead_rules.oilfield.commands import (
    BuyInvestment,
    CommitPrivateAction,
    PassAction,
    PlaceWorker,
    SellInvestment,
)
from wellhead_rules.oilfield.events import (
    ActionCompleted,
    ActionLost,
    DecisionClosed,
    DecisionOpened,
    InvestmentBought,
    InvestmentSold,
    PhaseStarted,
    WorkerReturned,
)
from wellhead_rules.oilfield.facts import fact

PRICES = {"vp5": range(12, 28, 2), "vp3": range(6, 14), "vp2": range(3, 11)}
POINTS = {"vp5": 5, "vp3": 3, "vp2": 2}
INVESTING = (PlaceWorker("invest_1"), PlaceWorker("invest_2"))


def full(track, owner="government"):
    """Every square of a track is closed."""
    return dict.fromkeys(PRICES[track], owner)


# -- buying ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-14.1")
def test_investing_is_chosen_with_the_worker_only(position):
    assert position().offers("P0", PlaceWorker("invest_1"))
    cards = position(at="private_selection").legal("P0", CommitPrivateAction)
    assert {one.card.name for one in cards} == {"LEASE", "BUILD", "DRILL", "LOCAL", "NATIONAL"}


@pytest.mark.rule("OF-14.1")
def test_an_action_buys_one_investment(position):
    game = position().player("P0", coins=99).acting("P0", "invest")
    facts = game.play("P0", BuyInvestment("vp2"))
    assert facts.in_order(InvestmentBought, fact(ActionCompleted, seat="P0", action="invest"), WorkerReturned)
    assert game["P0"].investment_markers == 4


@pytest.mark.rule("OF-14.2")
@pytest.mark.parametrize("track", ["vp5", "vp3", "vp2"])
def test_the_current_price_is_paid_and_the_points_are_gained_at_once(position, track):
    price, vp = PRICES[track][0], POINTS[track]
    game = position().player("P0", coins=30).acting("P0", "invest")
    facts = game.play("P0", BuyInvestment(track))
    assert fact(InvestmentBought, seat="P0", track=track, square=0, coins_paid=price, vp_gained=vp) in facts
    assert (game["P0"].coins, game["P0"].vp, game["P0"].investment_markers) == (30 - price, vp, 4)
    assert game["P0"].vp_by_category["vp_investments"] == vp
    assert game.seen.tracks[track][price] == "P0"


@pytest.mark.rule("OF-14.2")
def test_only_what_can_be_paid_is_offered(position):
    game = position().player("P0", coins=6).acting("P0", "invest")
    assert game.legal("P0", BuyInvestment) == [BuyInvestment("vp3"), BuyInvestment("vp2")]
    assert game.refused("P0", BuyInvestment("vp5")).code == "INSUFFICIENT_COINS"


@pytest.mark.rule("OF-14.3")
@pytest.mark.parametrize("owner", ["P0", "P1", "government"])
@pytest.mark.parametrize("track", ["vp5", "vp3", "vp2"])
def test_a_square_with_a_marker_is_closed_and_the_next_becomes_current(position, owner, track):
    prices = PRICES[track]
    game = position().player("P0", coins=40).track(track, {prices[0]: "P1", prices[1]: owner}).acting("P0", "invest")
    assert game.seen.prices[track] == prices[2]
    facts = game.play("P0", BuyInvestment(track))
    assert fact(InvestmentBought, track=track, square=2, coins_paid=prices[2]) in facts
    assert game.seen.prices[track] == prices[3]


@pytest.mark.rule("OF-14.3")
@pytest.mark.parametrize("track", ["vp5", "vp3", "vp2"])
def test_a_track_has_eight_squares_of_rising_price(position, track):
    assert list(position().seen.tracks[track]) == list(PRICES[track])


@pytest.mark.rule("OF-14.4")
def test_nothing_is_bought_on_a_full_track(position):
    game = position().player("P0", coins=99).track("vp3", full("vp3")).acting("P0", "invest")
    assert game.legal("P0", BuyInvestment) == [BuyInvestment("vp5"), BuyInvestment("vp2")]
    assert game.refused("P0", BuyInvestment("vp3")).code == "TRACK_FULL"


@pytest.mark.rule("OF-14.4")
def test_with_every_track_full_the_action_is_lost(position):
    game = position().player("P0", coins=99).say(tracks={track: full(track) for track in PRICES})
    assert fact(ActionLost, seat="P0", reason="NOTHING_TO_INVEST") in game.acting("P0", "invest").opening


@pytest.mark.rule("OF-14.5")
def test_a_player_has_at_most_five_investments(position):
    game = position().player("P0", coins=99).track("vp2", {3: "P0", 4: "P0", 5: "P0"}).track("vp3", {6: "P0", 7: "P0"})
    game.acting("P0", "invest")
    assert game["P0"].investment_markers == 0
    assert game.legal("P0") == [PassAction(), SellInvestment("vp3"), SellInvestment("vp2")]
    assert game.refused("P0", BuyInvestment("vp2")).code == "NO_INVESTMENT_MARKER"
    game.play("P0", SellInvestment("vp2"))
    assert fact(InvestmentBought, seat="P0", track="vp2", square=3) in game.play("P0", BuyInvestment("vp2"))


@pytest.mark.rule("OF-14.5")
def test_the_fifth_investment_can_be_bought(position):
    game = position().player("P0", coins=99).track("vp2", {3: "P0", 4: "P0", 5: "P0", 6: "P0"}).acting("P0", "invest")
    game.play("P0", BuyInvestment("vp2"))
    assert game["P0"].investment_markers == 0


# -- selling ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-14.6")
@pytest.mark.parametrize("track", ["vp5", "vp3", "vp2"])
def test_a_sale_pays_the_current_price_and_costs_the_points(position, track):
    prices, vp = PRICES[track], POINTS[track]
    game = position().player("P0", coins=1, vp=vp + 4).track(track, {prices[0]: "P0", prices[1]: "P1"})
    facts = game.play("P0", SellInvestment(track))
    assert fact(InvestmentSold, seat="P0", track=track, square=0, coins_gained=prices[2], vp_lost=vp) in facts
    assert (game["P0"].coins, game["P0"].vp, game["P0"].investment_markers) == (1 + prices[2], 4, 5)
    assert game["P0"].vp_by_category["vp_investments"] == 0
    assert game["P1"].vp == vp


@pytest.mark.rule("OF-14.6")
def test_only_an_own_investment_is_sold(position):
    game = position().track("vp3", {6: "P1"})
    assert game.legal("P0", SellInvestment) == []
    assert game.refused("P0", SellInvestment("vp3")).code == "NO_SUCH_INVESTMENT"


@pytest.mark.rule("OF-14.7")
def test_the_sold_square_gets_a_government_marker_and_the_price_stays(position):
    game = position().player("P1", coins=99).track("vp3", {6: "P0", 7: "P1", 8: "P1"}).acting("P1", "invest")
    game.play("P0", SellInvestment("vp3"))
    assert game.seen.tracks["vp3"][6] == "government"
    assert game.seen.prices["vp3"] == 9
    game.play("P1", SellInvestment("vp3"))
    assert game.seen.tracks["vp3"][7] == "government"
    assert fact(InvestmentBought, square=3, coins_paid=9) in game.play("P1", BuyInvestment("vp3"))


@pytest.mark.rule("OF-14.7")
def test_the_price_of_a_track_never_falls(position):
    game, random = position(at="setup"), Random(5)
    before = game.seen.prices
    for _ in range(250):
        owner, _ = random.choice(game.decisions)
        listed = game.legal(owner)
        keen = [one for one in listed if isinstance(one, BuyInvestment | SellInvestment) or one in INVESTING]
        game.play(owner, random.choice(keen or listed))
        after = game.seen.prices
        assert all(after[track] >= price for track, price in before.items())
        before = after
    assert before["vp2"] > PRICES["vp2"][2]


@pytest.mark.rule("OF-14.8")
@pytest.mark.parametrize("track", ["vp5", "vp3", "vp2"])
def test_on_a_full_track_the_sale_pays_the_price_of_the_last_square(position, track):
    last = PRICES[track][-1]
    game = position().player("P0", coins=0).track(track, {**full(track), PRICES[track][0]: "P0"})
    assert fact(InvestmentSold, coins_gained=last) in game.play("P0", SellInvestment(track))
    assert game["P0"].coins == last
    assert game.seen.prices[track] == last


@pytest.mark.rule("OF-14.9")
def test_of_several_own_markers_the_one_on_the_lowest_square_is_sold(position):
    game = position().track("vp2", {3: "P1", 4: "P0", 5: "P1", 6: "P0"})
    assert game.legal("P0", SellInvestment) == [SellInvestment("vp2")]
    assert fact(InvestmentSold, square=1) in game.play("P0", SellInvestment("vp2"))
    assert fact(InvestmentSold, square=3) in game.play("P0", SellInvestment("vp2"))
    assert game.seen.tracks["vp2"] == {
        3: "P1", 4: "government", 5: "P1", 6: "government", 7: None, 8: None, 9: None, 10: None,
    }  # fmt: skip


# -- any time --------------------------------------------------------------------------------------------------

MOMENTS = {
    "the start of round 1": lambda p: p(at="public_selection", round=1),
    "the placing of workers": lambda p: p(round=7).player("P0", worker="drill_1").player("P1", worker="drill_2"),
    "hidden selection": lambda p: p(at="private_selection"),
    "an own action": lambda p: p().player("P0", oil=1).acting("P0", "local"),
    "the action of another": lambda p: p().player("P1", oil=1).acting("P1", "local"),
    "a private action": lambda p: p().player("P2", oil=1).acting("P2", "local", origin="private"),
    "the last decision of the final round": lambda p: (
        p(is_final=True, round=40).player("P2", oil=1).acting("P2", "national")
    ),
    "a government payment": lambda p: (
        p(options={"advanced_towers": "true"}, at="check", phase="public_actions")
        .field("pecos", oil=0)
        .slot("pecos_slot_1", "P1", "government_tower_2")
    ),
}


@pytest.mark.rule("OF-14.10")
@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
@pytest.mark.parametrize("seller", ["P0", "P1", "P2"])
def test_any_player_may_sell_while_anything_is_being_decided(position, moment, seller):
    game = moment(position).track("vp2", {3: "P0", 4: "P1", 5: "P2"})
    owed = game.decisions
    facts = game.play(seller, SellInvestment("vp2"))
    assert facts == [InvestmentSold(game.seat(seller), "vp2", game.seat(seller), 6, 2)]
    assert game.decisions == owed


@pytest.mark.rule("OF-14.10")
def test_who_has_committed_a_card_may_still_sell(position):
    game = position(at="private_selection").track("vp2", {3: "P1"})
    game.play("P1", CommitPrivateAction("build"))
    assert InvestmentSold in game.play("P1", SellInvestment("vp2"))
    assert game["P1"].card == "build"


@pytest.mark.rule("OF-14.10")
def test_after_the_last_decision_of_the_final_round_nobody_sells(position):
    game = position(is_final=True, round=9).player("P2", oil=1).track("vp2", {3: "P0"}).acting("P2", "national")
    facts = game.play("P2", PassAction())
    assert fact(PhaseStarted, phase="final_scoring") in facts
    assert game.legal("P0") == []
    assert game.refused("P0", SellInvestment("vp2")).code == "WRONG_PHASE"
    game.record_scores()
    assert game.refused("P0", SellInvestment("vp2")).code == "GAME_OVER"


@pytest.mark.rule("OF-14.11")
def test_a_sale_changes_no_price_no_turn_and_no_option_of_another(position):
    game = position().player("P1", coins=8, oil=2).track("vp3", {6: "P0", 7: "P2"}).track("vp2", {3: "P1"})
    game.acting("P1", "invest")
    before = game.decision, game.legal("P1"), game.seen.prices, game.seen.turn_order
    for seller in ("P0", "P2"):
        facts = game.play(seller, SellInvestment("vp3"))
        assert DecisionOpened not in facts
        assert DecisionClosed not in facts
    assert (game.decision, game.legal("P1"), game.seen.prices, game.seen.turn_order) == before


@pytest.mark.rule("OF-14.11")
def test_a_sale_takes_effect_at_once(position):
    game = position().player("P0", coins=0).track("vp3", {6: "P0"}).acting("P0", "invest")
    assert game.legal("P0", BuyInvestment) == []
    game.play("P0", SellInvestment("vp3"))
    assert game["P0"].coins == 7
    assert game.legal("P0", BuyInvestment) == [BuyInvestment("vp3"), BuyInvestment("vp2")]


@pytest.mark.rule("OF-14.11")
def test_the_number_of_sales_is_not_limited(position):
    game = position().player("P0", coins=0).track("vp2", dict.fromkeys((3, 4, 5, 6, 7), "P0"))
    for _ in range(5):
        game.play("P0", SellInvestment("vp2"))
    assert (game["P0"].coins, game["P0"].vp, game["P0"].investment_markers) == (40, 0, 5)
    assert game.decision == ("P0", "place_worker")
