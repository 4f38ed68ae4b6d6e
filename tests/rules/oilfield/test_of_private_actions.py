"""OF-6: the private actions phase."""

import pytest

from tests.rules.oilfield.playing import idle_until
from wellhead_rules.oilfield import RULESET
from wellhead_rules.oilfield.commands import (
    BuildExpansion,
    CommitPrivateAction,
    PassAction,
    SellInvestment,
    SellNational,
    TakeLease,
)
from wellhead_rules.oilfield.events import (
    ActionCompleted,
    ActionLost,
    ActionPassed,
    ActionStarted,
    DecisionClosed,
    InvestmentSold,
    LeaseTaken,
    NationalPriceFixed,
    NationalSold,
    PhaseStarted,
    PrivateActionsRevealed,
    PrivateCardReturned,
)
from wellhead_rules.oilfield.facts import fact
from wellhead_rules.oilfield.vocabulary import ActionCard

CARDS = ["build", "local", "drill", "lease", "national"]


@pytest.mark.rule("OF-6.1")
@pytest.mark.parametrize("first", ["P0", "P3"])
def test_all_committed_cards_are_revealed_at_the_same_time(position, first):
    game = position(players=5, at="private_actions", first_player=first)
    for seat, card in enumerate(CARDS):
        game.player(f"P{seat}", card=card)
    assert game.opening.count(PrivateActionsRevealed) == 1
    entries = [{"seat": f"P{seat}", "card": card} for seat, card in enumerate(CARDS)]
    revealed = fact(PrivateActionsRevealed, entries=entries)
    assert game.opening.in_order(fact(PhaseStarted, phase="private_actions"), revealed, ActionStarted)
    assert revealed in game.shown("spectator", game.opening)
    assert [game[f"P{seat}"].card for seat in range(5)] == CARDS


@pytest.mark.rule("OF-6.2")
@pytest.mark.parametrize(("sellers", "price"), [(1, 4), (2, 3), (3, 2), (4, 1), (5, 1)])
def test_the_national_price_is_fixed_from_the_number_of_national_cards(position, sellers, price):
    game = position(players=5, at="private_actions")
    for seat in range(5):
        game.player(f"P{seat}", oil=1, card="national" if seat < sellers else "build")
    revealed = [type(one) for one in game.opening].index(PrivateActionsRevealed)
    assert game.opening[revealed + 1] == NationalPriceFixed(sellers, price)
    assert (game.seen.sellers, game.seen.national_price) == (sellers, price)


@pytest.mark.rule("OF-6.2")
def test_without_a_national_card_no_price_is_fixed(position):
    assert NationalPriceFixed not in position(at="private_actions").opening


@pytest.mark.rule("OF-6.2")
def test_the_price_stays_for_the_round_whoever_then_sells(position):
    game = position(at="private_actions")
    for seat in ("P0", "P1", "P2"):
        game.player(seat, oil=1, card="national")
    facts = game.play("P0", PassAction()) + game.play("P1", PassAction()) + game.play("P2", SellNational(oil=1))
    assert fact(NationalSold, seat="P2", coins_gained=2) in facts
    assert NationalPriceFixed not in facts


@pytest.mark.rule("OF-6.3")
@pytest.mark.parametrize("first", range(4))
def test_the_actions_are_carried_out_one_player_at_a_time_in_turn_order(position, first):
    game = position(players=4, at="private_actions", first_player=f"P{first}")
    order = [(first + step) % 4 for step in range(4)]
    for seat in order:
        assert game.decisions == ((f"P{seat}", "resolve_lease"),)
        game.play(f"P{seat}", PassAction())
    started = [one.seat for one in game.log.of(ActionStarted)]
    assert started == order


@pytest.mark.rule("OF-6.4")
@pytest.mark.parametrize(
    ("card", "oil", "command", "closing"),
    [
        ("lease", 0, TakeLease("pecos"), ActionCompleted),
        ("lease", 0, PassAction(), ActionPassed),
        ("local", 0, None, ActionLost),
    ],
)
def test_the_card_returns_when_its_action_is_over(position, card, oil, command, closing):
    game = position(at="private_actions").player("P0", card=card, oil=oil)
    facts = game.opening if command is None else game.play("P0", command)
    closed = [type(one) for one in facts].index(closing)
    assert facts[closed + 1] == PrivateCardReturned(0)
    held = [player.has_committed for player in RULESET.view(game.state, None).oilfield.players]
    assert held == [False, True, True]


@pytest.mark.rule("OF-6.4")
def test_in_the_next_round_every_card_is_in_hand_again(position):
    game = position(at="private_actions").player("P0", card="build")
    facts = game.opening + idle_until(game, lambda game: game.decision[1] == "commit_private")
    assert sorted(one.seat for one in facts.of(PrivateCardReturned)) == [0, 1, 2]
    for seat in ("P0", "P1", "P2"):
        assert game[seat].card is None
        assert game.legal(seat) == [CommitPrivateAction(card) for card in ActionCard]


@pytest.mark.rule("OF-6.5", "OF-7.2")
def test_legality_is_judged_when_the_action_comes_up(position):
    game = position(at="private_actions", building_market=["refinery_expansion_2"])
    game.player("P0", card="build").player("P1", card="build")
    facts = game.play("P0", BuildExpansion("refinery_expansion"))
    assert fact(ActionLost, seat="P1", action="build", origin="private", reason="NOTHING_TO_BUILD") in facts


@pytest.mark.rule("OF-6.5")
@pytest.mark.parametrize(
    ("card", "reason"), [("drill", "NOTHING_TO_DRILL"), ("local", "NOTHING_TO_SELL"), ("national", "NOTHING_TO_SELL")]
)
def test_what_cannot_be_carried_out_is_lost_without_asking(position, card, reason):
    game = position(at="private_actions", tracks={"vp2": {3: "P0"}}).player("P0", card=card)
    assert fact(ActionLost, seat="P0", action=card, origin="private", reason=reason) in game.opening
    assert game.decision == ("P1", "resolve_lease")


@pytest.mark.rule("OF-6.5")
def test_a_sale_in_vain_of_the_last_investment_loses_the_private_action(position):
    game = position(at="private_actions", tracks={"vp2": {3: "P0"}}).player("P0", coins=0)
    facts = game.play("P0", SellInvestment("vp2"))
    assert [type(one) for one in facts][:4] == [InvestmentSold, DecisionClosed, ActionLost, PrivateCardReturned]
    assert LeaseTaken not in facts
    assert game.decision == ("P1", "resolve_lease")
