"""OF-5: the public actions phase, and when an action is lost without asking."""

from random import Random

import pytest

from tests.rules.oilfield.playing import idle_until
from wellhead_rules.oilfield.commands import (
    BuildExpansion,
    BuyInvestment,
    PassAction,
    SellInvestment,
    SellLocal,
    TakeFirstPlayer,
    TakeLease,
    TakeSubsidy,
)
from wellhead_rules.oilfield.events import (
    ActionCompleted,
    ActionLost,
    ActionPassed,
    ActionStarted,
    DecisionClosed,
    DecisionOpened,
    FirstPlayerTaken,
    InvestmentSold,
    LeaseTaken,
    PhaseStarted,
    SupervisorPaid,
    WorkerReturned,
)
from wellhead_rules.oilfield.facts import fact

BOARD = [
    "lease_11", "lease_9", "lease_7", "lease_5", "build_1", "build_2", "drill_1", "drill_2", "drill_3", "local_1",
    "local_2", "first_player_1", "subsidy_1", "invest_1", "invest_2",
]  # fmt: skip
"""Columns from left to right, inside a column from top to bottom."""

PRICES = {"vp5": range(12, 28, 2), "vp3": range(6, 14), "vp2": range(3, 11)}
FULL = {track: dict.fromkeys(prices, "government") for track, prices in PRICES.items()}


# -- the order -------------------------------------------------------------------------------------------------


def course(game):
    """The spaces on which the workers stand, in the order in which their actions come up."""
    spaces = [getattr(game.posed, name).worker for name in game.names]
    facts = game.opening + idle_until(game, lambda game: game.seen.phase != "public_actions")
    return [spaces[one.seat] for one in facts.of(ActionStarted) if one.origin == 1]


@pytest.mark.rule("OF-5.1")
@pytest.mark.parametrize("seed", range(12))
def test_spaces_are_executed_in_board_order(position, seed):
    spaces = Random(seed).sample(BOARD, 5)
    game = position(players=5, at="public_actions", first_player=f"P{seed % 5}")
    for seat, space in enumerate(spaces):
        game.player(f"P{seat}", worker=space)
    assert course(game) == sorted(spaces, key=BOARD.index)


@pytest.mark.rule("OF-5.2")
@pytest.mark.parametrize(
    "spaces", [["lease_5", "lease_7", "lease_9", "lease_11"], ["lease_7", "lease_11", "lease_5", "lease_9"]]
)
def test_the_highest_bidder_resolves_first(position, spaces):
    game = position(players=4, at="public_actions")
    for seat, space in enumerate(spaces):
        game.player(f"P{seat}", worker=space)
    assert course(game) == ["lease_11", "lease_9", "lease_7", "lease_5"]


@pytest.mark.rule("OF-5.3")
@pytest.mark.parametrize(
    ("space", "command", "closing"),
    [
        ("subsidy_1", TakeSubsidy(), ActionCompleted),
        ("subsidy_1", PassAction(), ActionPassed),
        ("drill_1", None, ActionLost),
    ],
)
def test_the_worker_returns_when_its_action_is_carried_out_passed_or_lost(position, space, command, closing):
    game = position(at="public_actions").player("P1", worker=space).player("P2", worker="invest_1")
    if command is not None:
        assert game["P1"].worker == space
    facts = game.opening if command is None else game.play("P1", command)
    closed = [type(one) for one in facts].index(closing)
    assert facts[closed + 1 : closed + 2] == [WorkerReturned(1, space)]
    assert game["P1"].worker is None
    assert game.decision == ("P2", "resolve_invest"), "the next worker's action comes up afterwards"
    assert game["P2"].worker == "invest_1"


# -- when it comes up ------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-5.4")
def test_what_was_possible_when_it_was_chosen_may_be_impossible_when_it_comes_up(position):
    game = position(at="public_actions", building_market=["refinery_expansion_2"])
    game.player("P0", worker="build_2").player("P1", worker="build_1")
    facts = game.play("P1", BuildExpansion("refinery_expansion"))
    assert fact(ActionLost, seat="P0", action="build", reason="NOTHING_TO_BUILD") in facts


@pytest.mark.rule("OF-5.4")
def test_what_was_impossible_when_it_was_chosen_may_be_possible_when_it_comes_up(position):
    game = position(at="public_actions").player("P0", worker="local_1", oil=1)
    game.player("P2", worker="invest_1", coins=2)
    facts = game.play("P0", SellLocal(oil_for_coins=1))
    assert fact(SupervisorPaid, seat="P2", coins=1) in facts
    assert game.legal("P2") == [BuyInvestment("vp2"), PassAction()]


HOPELESS = [
    ("lease", "NO_LEASE_CARDS", {"lease_market": []}, {}),
    ("lease", "NO_LEASE_MARKER", {}, {"lease_markers": 0}),
    ("lease", "NO_LEASE_CARDS", {"lease_market": []}, {"lease_markers": 0}),
    ("build", "NOTHING_TO_BUILD", {"building_market": []}, {}),
    ("build", "NOTHING_TO_BUILD", {"building_market": ["small_tower_2", "medium_tower_2"]}, {}),
    ("drill", "NOTHING_TO_DRILL", {}, {}),
    ("local", "NOTHING_TO_SELL", {}, {}),
    ("national", "NOTHING_TO_SELL", {}, {"gas": 3}),
]


@pytest.mark.rule("OF-5.5")
@pytest.mark.parametrize(("action", "reason", "table", "player"), HOPELESS)
@pytest.mark.parametrize("investments", [{}, {"vp2": {3: "P1"}}])
def test_an_action_that_no_coins_could_save_is_lost_without_asking(
    position, action, reason, table, player, investments
):
    game = position(tracks=investments, **table).player("P1", **{"coins": 90, **player}).acting("P1", action)
    assert fact(ActionLost, seat="P1", action=action, reason=reason) in game.opening
    assert DecisionOpened not in game.opening[: [type(one) for one in game.opening].index(ActionLost)]


@pytest.mark.rule("OF-5.5")
def test_an_investment_is_lost_without_asking_when_every_track_is_full(position):
    game = position(tracks=FULL).track("vp2", {3: "P1"}).acting("P1", "invest")
    assert fact(ActionLost, seat="P1", action="invest", reason="NOTHING_TO_INVEST") in game.opening


DEAR = [
    ("lease", {"price": 7}, {}, 6),
    ("lease", {"origin": "private"}, {}, 4),
    ("build", {}, {"building_market": ["refinery_expansion_2", "small_tower_2"]}, 3),
    ("invest", {}, {}, 2),
]


@pytest.mark.rule("OF-5.5", "OF-6.5")
@pytest.mark.parametrize(("action", "how", "table", "coins"), DEAR)
def test_without_coins_it_is_lost_unless_there_is_an_investment_to_sell(position, action, how, table, coins):
    def poor(coins, **more):
        return position(**table, **more).player("P1", coins=coins).acting("P1", action, **how)

    lost = fact(ActionLost, seat="P1", action=action, reason="INSUFFICIENT_COINS")
    assert lost in poor(coins).opening
    game = poor(coins, tracks={"vp3": {6: "P1"}})
    assert lost not in game.opening
    assert game.decision == ("P1", f"resolve_{action}")
    assert game.legal("P1") == [PassAction(), SellInvestment("vp3")]
    assert lost in poor(coins, tracks={"vp3": {6: "P0"}}).opening, "another player's investment does not help"
    price = 3 if action == "invest" else coins + 1
    assert poor(price).decision == ("P1", f"resolve_{action}")


@pytest.mark.rule("OF-5.5")
def test_without_a_free_marker_the_player_is_asked_as_one_could_be_sold(position):
    squares = dict.fromkeys((3, 4, 5, 6, 7), "P1")
    game = position(tracks={"vp2": squares}).player("P1", coins=90).acting("P1", "invest")
    assert game.legal("P1") == [PassAction(), SellInvestment("vp2")]


@pytest.mark.rule("OF-5.6", "OF-6.3")
def test_a_change_of_the_first_player_card_works_at_once(position):
    game = position(players=4).acting("P2", "first_player")
    assert game.seen.turn_order == ("P0", "P1", "P2", "P3")
    facts = game.play("P2", TakeFirstPlayer())
    assert facts.in_order(fact(FirstPlayerTaken, seat="P2"), fact(PhaseStarted, phase="private_actions"))
    assert game.seen.turn_order == ("P2", "P3", "P0", "P1")
    facts += idle_until(game, lambda game: game.seen.round == 2)
    assert [one.seat for one in facts.of(ActionStarted)] == [2, 3, 0, 1]


# -- after a sale ----------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-5.7")
def test_when_the_last_investment_is_sold_in_vain_the_action_is_lost_at_once(position):
    game = position(tracks={"vp2": {3: "P0"}}).player("P0", coins=2).player("P1", worker="subsidy_1")
    game.acting("P0", "lease", price=11)
    facts = game.play("P0", SellInvestment("vp2"))
    assert [type(one) for one in facts][:4] == [InvestmentSold, DecisionClosed, ActionLost, WorkerReturned]
    assert fact(ActionLost, seat="P0", action="lease", reason="INSUFFICIENT_COINS") in facts
    assert game["P0"].coins == 6
    assert game.decision == ("P1", "resolve_subsidy")


@pytest.mark.rule("OF-5.7")
def test_as_long_as_another_investment_is_left_the_player_is_asked(position):
    game = position(tracks={"vp2": {3: "P0", 4: "P0"}}).player("P0", coins=0).acting("P0", "lease", price=11)
    facts = game.play("P0", SellInvestment("vp2"))
    assert [type(one) for one in facts] == [InvestmentSold]
    assert game.decision == ("P0", "resolve_lease")
    facts = game.play("P0", SellInvestment("vp2"))
    assert fact(ActionLost, seat="P0", action="lease", reason="INSUFFICIENT_COINS") in facts


@pytest.mark.rule("OF-5.7")
def test_when_the_sale_brings_enough_the_player_is_asked(position):
    game = position(tracks={"vp3": {6: "P0", 7: "P1"}}).player("P0", coins=4).acting("P0", "lease", price=9)
    assert [type(one) for one in game.play("P0", SellInvestment("vp3"))] == [InvestmentSold]
    assert fact(LeaseTaken, seat="P0", coins_paid=9) in game.play("P0", TakeLease("dallas"))
    assert game["P0"].coins == 3


@pytest.mark.rule("OF-5.7")
def test_a_sale_by_another_player_never_changes_what_the_asked_player_can_do(position):
    game = position(tracks={"vp2": {3: "P0", 4: "P1"}}).player("P0", coins=2).acting("P0", "lease", price=11)
    before = game.legal("P0")
    assert [type(one) for one in game.play("P1", SellInvestment("vp2"))] == [InvestmentSold]
    assert game.decision == ("P0", "resolve_lease")
    assert game.legal("P0") == before
