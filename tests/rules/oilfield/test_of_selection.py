"""OF-4: choosing the actions of the round."""

from itertools import permutations

import pytest

from tests.rules.oilfield.playing import idle
from wellhead_rules.oilfield import RULESET
from wellhead_rules.oilfield.commands import (
    BuyInvestment,
    CommitPrivateAction,
    PassAction,
    PlaceWorker,
    SellInvestment,
    TakeLease,
    TakeSubsidy,
)
from wellhead_rules.oilfield.content import packs
from wellhead_rules.oilfield.events import (
    ActionPassed,
    ActionStarted,
    DecisionClosed,
    DecisionOpened,
    InvestmentSold,
    LeaseTaken,
    PhaseStarted,
    PrivateActionCommitted,
    PrivateActionsRevealed,
    WorkerPlaced,
)
from wellhead_rules.oilfield.facts import fact
from wellhead_rules.oilfield.vocabulary import Action, ActionCard

CONTENT = packs()["oilfield_house"]
ALWAYS = [
    "lease_11", "lease_9", "lease_7", "lease_5", "build_1", "build_2", "drill_1", "drill_2", "local_1",
    "first_player_1", "subsidy_1", "invest_1", "invest_2",
]  # fmt: skip
SPACES = {2: set(ALWAYS), 3: set(ALWAYS), 4: {*ALWAYS, "local_2"}, 5: {*ALWAYS, "local_2", "drill_3"}}
CARDS = ["lease", "build", "drill", "local", "national"]


def free(game, seat):
    return {one.space_id for one in game.legal(seat, PlaceWorker)}


# -- public selection ------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-4.1")
@pytest.mark.parametrize("first", [0, 1, 3])
def test_workers_are_placed_in_turn_order(position, first):
    game = position(players=4, first_player=f"P{first}")
    for step in range(4):
        seat = f"P{(first + step) % 4}"
        assert game.decisions == ((seat, "place_worker"),)
        for other in {"P0", "P1", "P2", "P3"} - {seat}:
            assert game.refused(other, PlaceWorker("invest_1")).code == "NOT_YOUR_DECISION"
        assert fact(WorkerPlaced, seat=seat, space_id=ALWAYS[step]) in game.play(seat, PlaceWorker(ALWAYS[step]))
        assert game[seat].worker == ALWAYS[step]


@pytest.mark.rule("OF-4.1")
def test_a_space_that_does_not_exist_cannot_be_chosen(position):
    refusal = position().refused("P0", PlaceWorker("national_1"))
    assert (refusal.code, refusal.clause) == ("UNKNOWN_SPACE", "OF-4.1")


@pytest.mark.rule("OF-4.2")
def test_an_occupied_space_cannot_be_chosen(position):
    game = position(players=3).player("P0", worker="build_2").player("P1", worker="lease_5")
    assert free(game, "P2") == SPACES[3] - {"build_2", "lease_5"}
    for space in ("build_2", "lease_5"):
        refusal = game.refused("P2", PlaceWorker(space))
        assert (refusal.code, refusal.clause) == ("SPACE_OCCUPIED", "OF-4.2")
    game.play("P2", PlaceWorker("build_1"))


@pytest.mark.rule("OF-4.3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_placing_is_mandatory_and_a_free_space_always_exists(position, players):
    game = position(players=players)
    while game.decision[1] == "place_worker":
        seat = game.decision[0]
        assert free(game, seat)
        assert {type(one) for one in game.legal(seat)} == {PlaceWorker}
        assert game.refused(seat, PassAction()).code == "WRONG_PHASE"
        idle(game)
    assert all(game[seat].worker for seat in game.names)


@pytest.mark.rule("OF-4.4")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_one_drill_space_is_for_five_players_and_one_local_space_for_four_or_five(position, players):
    game = position(players=players)
    blocked = {"lease_5"} if players == 2 else set()
    assert free(game, "P0") == SPACES[players] - blocked
    for space in SPACES[5] - SPACES[players]:
        refusal = game.refused("P0", PlaceWorker(space))
        assert (refusal.code, refusal.clause) == ("SPACE_NOT_IN_PLAY", "OF-4.4")


@pytest.mark.rule("OF-4.5")
@pytest.mark.parametrize("space", sorted(SPACES[5]))
def test_the_space_chosen_is_the_action_and_national_is_never_public(position, space):
    action = space.rpartition("_")[0]
    assert action in {"lease", "build", "drill", "local", "first_player", "subsidy", "invest"}
    game = position(players=5, at="public_actions").player("P0", worker=space)
    assert fact(ActionStarted, seat="P0", action=action, origin="public") in game.opening
    assert Action.NATIONAL not in {one.action for one in CONTENT.spaces}


BIDS = {"lease_11": 11, "lease_9": 9, "lease_7": 7, "lease_5": 5}


@pytest.mark.rule("OF-4.6", "OF-7.1")
@pytest.mark.parametrize(("space", "bid"), BIDS.items())
def test_choosing_a_lease_space_is_the_bid_and_is_paid_when_the_lease_is_taken(position, space, bid):
    game = position(players=3).player("P0", worker="invest_1").player("P1", worker="invest_2")
    game.play("P2", PlaceWorker(space))
    for seat in ("P0", "P1", "P2"):
        assert game["P2"].coins == 20
        facts = game.play(seat, CommitPrivateAction("local"))
    assert fact(ActionStarted, seat="P2", action="lease", origin="public", lease_price=bid) in facts
    assert game["P2"].coins == 20
    facts = game.play("P2", TakeLease("pecos"))
    assert fact(LeaseTaken, seat="P2", coins_paid=bid) in facts
    assert game["P2"].coins == 20 - bid


@pytest.mark.rule("OF-4.6")
def test_a_bid_is_final(position):
    game = position(players=3)
    game.play("P0", PlaceWorker("lease_11"))
    assert game.refused("P0", PlaceWorker("lease_5")).code == "NOT_YOUR_DECISION"
    assert game["P0"].worker == "lease_11"


@pytest.mark.rule("OF-4.6")
def test_who_takes_no_lease_pays_nothing(position):
    game = position(at="public_actions").player("P0", worker="lease_9")
    assert fact(ActionPassed, seat="P0", action="lease") in game.play("P0", PassAction())
    assert game["P0"].coins == 20


@pytest.mark.rule("OF-4.7")
def test_a_bid_may_exceed_the_coins_held(position):
    game = position().player("P0", coins=0)
    assert set(BIDS) <= free(game, "P0")
    game.play("P0", PlaceWorker("lease_11"))
    assert game["P0"].worker == "lease_11"


# -- private selection -----------------------------------------------------------------------------------------


@pytest.mark.rule("OF-4.8")
def test_when_every_worker_is_placed_everybody_owes_a_card_at_once(position):
    game = position(players=4).player("P0", worker="build_1").player("P1", worker="build_2")
    facts = game.play("P2", PlaceWorker("subsidy_1"))
    assert fact(PhaseStarted, phase="private_selection") not in facts
    facts = game.play("P3", PlaceWorker("drill_1"))
    assert facts.in_order(WorkerPlaced, fact(PhaseStarted, phase="private_selection"), DecisionOpened)
    assert game.decisions == tuple((f"P{seat}", "commit_private") for seat in range(4))


@pytest.mark.rule("OF-4.8", "OF-4.12")
@pytest.mark.parametrize("card", CARDS)
def test_the_card_lies_face_down(position, card):
    game = position(players=3, at="private_selection")
    facts = game.play("P1", CommitPrivateAction(card))
    assert fact(PrivateActionCommitted, seat="P1", card=card) in game.shown("P1", facts)
    for other in ("P0", "P2", "spectator"):
        assert fact(PrivateActionCommitted, seat="P1", card=0) in game.shown(other, facts)
    assert RULESET.redact_command(CommitPrivateAction(ActionCard[card.upper()])).card == 0


@pytest.mark.rule("OF-4.9")
def test_all_five_cards_are_available_every_round(position):
    game = position(players=3, at="private_selection")
    for _ in range(3):
        while game.decision[1] == "commit_private":
            seat = game.decision[0]
            assert game.legal(seat) == [CommitPrivateAction(card) for card in ActionCard]
            game.play(seat, CommitPrivateAction("national"))
        while game.decision[1] != "commit_private":
            idle(game)


@pytest.mark.rule("OF-4.9")
@pytest.mark.parametrize("card", [0, 6, Action.INVEST])
def test_there_is_no_other_card(position, card):
    refusal = position(at="private_selection").refused("P0", CommitPrivateAction(card))
    assert (refusal.code, refusal.clause) == ("UNKNOWN_CARD", "OF-4.9")


@pytest.mark.rule("OF-4.10")
@pytest.mark.parametrize("card", ["build", "local"])
def test_a_committed_card_cannot_be_changed(position, card):
    game = position(players=3, at="private_selection")
    game.play("P1", CommitPrivateAction("build"))
    refusal = game.refused("P1", CommitPrivateAction(card))
    assert (refusal.code, refusal.clause) == ("ALREADY_COMMITTED", "OF-4.10")
    assert game["P1"].card == "build"


@pytest.mark.rule("OF-4.11")
def test_when_all_have_committed_the_public_actions_begin(position):
    game = position(players=3, at="private_selection").player("P0", worker="subsidy_1")
    begun = fact(PhaseStarted, phase="public_actions")
    assert begun not in game.play("P0", CommitPrivateAction("build"))
    assert begun not in game.play("P1", CommitPrivateAction("drill"))
    facts = game.play("P2", CommitPrivateAction("local"))
    assert facts.in_order(PrivateActionCommitted, begun, fact(ActionStarted, seat="P0", action="subsidy"))
    assert game.decisions == (("P0", "resolve_subsidy"),)


@pytest.mark.rule("OF-4.12")
def test_the_order_of_commitments_changes_neither_outcome_nor_questions(position):
    cards = {"P0": "build", "P1": "lease", "P2": "local"}
    outcomes = set()
    for order in permutations(cards):
        game = position(players=3, at="private_selection").player("P1", worker="subsidy_1").player("P2", oil=1)
        asked = RULESET.decisions(game.state)
        for place, seat in enumerate(order):
            assert list(RULESET.decisions(game.state)) == [
                one for one in asked if game.names[one.seat] not in order[:place]
            ]
            facts = game.play(seat, CommitPrivateAction(cards[seat]))
        begun = [type(one) for one in facts].index(PhaseStarted)
        outcomes.add((RULESET.snapshot(game.state), tuple(facts[begun:])))
    assert len(outcomes) == 1


@pytest.mark.rule("OF-4.12")
def test_a_commitment_tells_the_others_that_it_was_made_and_nothing_else(position):
    shown = {}
    for card in CARDS:
        game = position(players=3, at="private_selection")
        facts = game.play("P1", CommitPrivateAction(card))
        for viewer, seat in (("P0", 0), ("spectator", None)):
            seen = tuple(game.shown(viewer, facts)), RULESET.view(game.state, seat).SerializeToString()
            shown.setdefault(viewer, set()).add(seen)
        table = RULESET.view(game.state, None).oilfield
        assert [player.has_committed for player in table.players] == [False, True, False]
    assert [len(seen) for seen in shown.values()] == [1, 1]


@pytest.mark.rule("OF-4.12")
def test_nothing_in_the_public_actions_phase_depends_on_the_cards(position):
    courses = set()
    for card in CARDS:
        game = position(players=3, at="private_selection").player("P0", worker="invest_1", oil=2, gas=1)
        game.player("P1", worker="lease_7").player("P2", worker="subsidy_1").track("vp2", {3: "P1"})
        facts = game.opening
        for seat in ("P0", "P1", "P2"):
            facts += game.play(seat, CommitPrivateAction(card))
        facts += game.play("P1", TakeLease("pecos")) + game.play("P2", TakeSubsidy())
        facts += game.play("P1", SellInvestment("vp2"))
        options = tuple(game.legal("P0"))
        assert RULESET.view(game.state, None).oilfield.players[0].card == 0, "hidden through the whole phase"
        last = game.play("P0", BuyInvestment("vp3"))
        revealed = [type(one) for one in last].index(PrivateActionsRevealed)
        courses.add((tuple(game.shown("spectator", facts + last[:revealed])), options))
    assert len(courses) == 1


@pytest.mark.rule("OF-4.12")
def test_who_has_committed_may_still_sell_investments(position):
    game = position(players=3, at="private_selection").track("vp3", {6: "P2"})
    game.play("P2", CommitPrivateAction("lease"))
    game.play("P0", CommitPrivateAction("build"))
    facts = game.play("P2", SellInvestment("vp3"))
    assert fact(InvestmentSold, seat="P2", track="vp3", coins_gained=7) in facts
    assert DecisionClosed not in facts
    assert game.decisions == (("P1", "commit_private"),)
    assert game["P2"].card == "lease"
