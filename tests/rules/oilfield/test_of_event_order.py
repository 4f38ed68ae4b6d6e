"""F.5: the canonical order of what happens. Decisions are left out, as the table leaves them out."""

from random import Random

import pytest

from tests.rules.oilfield.silence import silent
from wellhead_rules.oilfield import commands as c
from wellhead_rules.oilfield import events as e
from wellhead_rules.oilfield.facts import fact

ADVANCED = {"advanced_towers": "true"}
BETWEEN = {"dummy_timing": "between_players"}
ASKED = (e.DecisionOpened, e.DecisionClosed)


def kinds(facts):
    """The kinds of fact, in order, without what is asked."""
    return [type(one) for one in facts if not isinstance(one, ASKED)]


def until(facts, kind):
    """The kinds of fact before the first of a kind."""
    listed = kinds(facts)
    return listed[: listed.index(kind)]


# -- every batch -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (5, 3)])
def test_an_answer_begins_with_closing_and_what_is_owed_next_comes_last(position, players, seed):
    game, random = position(players=players, options=ADVANCED, at="setup"), Random(seed)
    batches = [game.opening]
    while game.decision is not None and game.seen.round < 6:
        owner, _ = random.choice(game.decisions)
        command = random.choice(game.legal(owner))
        facts = game.play(owner, command)
        first = e.InvestmentSold if isinstance(command, c.SellInvestment) else e.DecisionClosed
        assert isinstance(facts[0], first)
        assert facts.count(e.DecisionClosed) <= 1
        batches.append(facts)
    for facts in batches:
        assert not any(isinstance(one, e.DecisionOpened) for one in facts[:-1])


# -- sale of an investment -------------------------------------------------------------------------------------


@pytest.mark.rule("OF-14.11")
@pytest.mark.parametrize("seller", ["P0", "P1"])
def test_sale_of_an_investment(position, seller):
    game = position().track("vp2", {3: seller})
    assert [type(one) for one in game.play(seller, c.SellInvestment("vp2"))] == [e.InvestmentSold]


@pytest.mark.rule("OF-5.7")
def test_sale_of_the_last_investment_that_loses_the_action(position):
    game = position().player("P0", coins=1).track("vp2", {3: "P0"}).player("P1", worker="subsidy_1")
    facts = game.acting("P0", "lease", price=11).play("P0", c.SellInvestment("vp2"))
    assert [type(one) for one in facts] == [
        e.InvestmentSold, e.DecisionClosed, e.ActionLost, e.WorkerReturned, e.ActionStarted, e.DecisionOpened,
    ]  # fmt: skip


@pytest.mark.rule("OF-20.13")
def test_sale_of_the_last_investment_that_loses_the_government_tower(position):
    game = position(options=ADVANCED, at="check", **silent()).player("P1", coins=1).track("vp2", {3: "P1"})
    game.field("austin", oil=0, gas=10).slot("austin_slot_1", "P1", "government_tower_2")
    facts = game.play("P1", c.SellInvestment("vp2"))
    assert [type(one) for one in facts[:4]] == [
        e.InvestmentSold, e.DecisionClosed, e.GovernmentTowerForfeited, e.FieldReplenished,
    ]  # fmt: skip


# -- actions ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-10.4")
@pytest.mark.parametrize(("seat", "fee"), [("P0", [e.SupervisorPaid]), ("P2", [])])
def test_local_sale(position, seat, fee):
    game = position().player(seat, oil=1).acting(seat, "local")
    facts = game.play(seat, c.SellLocal(1))
    assert isinstance(facts[0], e.DecisionClosed)
    assert until(facts, e.WorkerReturned) == [e.LocalSold, *fee, e.ActionCompleted]


@pytest.mark.rule("OF-11.2", "OF-20.6")
def test_national_sale_with_shipping(position):
    game = position(options=ADVANCED).player("P2", oil=1).slot("pecos_slot_1", "P2", "small_national_tower_2")
    game.acting("P2", "national", origin="private")
    assert kinds(game.play("P2", c.SellNational(1))) == [e.NationalSold]
    facts = game.play("P2", c.FinishNational())
    assert until(facts, e.RoundStarted) == [e.ActionCompleted, e.PrivateCardReturned]


@pytest.mark.rule("OF-12.1", "OF-13.1", "OF-14.2")
@pytest.mark.parametrize(
    ("action", "command", "kind"),
    [
        ("first_player", c.TakeFirstPlayer(), e.FirstPlayerTaken),
        ("subsidy", c.TakeSubsidy(), e.SubsidyTaken),
        ("invest", c.BuyInvestment("vp2"), e.InvestmentBought),
    ],
)
def test_an_action_is_done_then_completed_then_the_worker_returns(position, action, command, kind):
    facts = position().acting("P0", action).play("P0", command)
    assert kinds(facts)[:3] == [kind, e.ActionCompleted, e.WorkerReturned]


# -- field_check -----------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-16.1", "OF-16.2", "OF-16.5", "OF-17.1", "OF-18.1")
def test_field_check(position):
    game = position(at="check", strike="pecos", round=7, draws=["oil", "strike"], **silent())
    game.say(fields={"dallas": {"oil": 0, "step": 2}, "austin": {"oil": 0, "step": 1}, "pecos": {"step": 3}})
    assert until(game.opening, e.PhaseStarted) == [
        e.StrikeEnded, e.StrikeCubeReturnedToBag,
        e.OilfieldMarkerAdvanced, e.FieldExhausted,
        e.OilfieldMarkerAdvanced, e.StrikeStarted, e.FieldReplenished,
        e.EndTriggered,
    ]  # fmt: skip


@pytest.mark.rule("OF-16.2")
def test_field_check_with_nothing_to_do(position):
    assert until(position(at="check", **silent()).opening, e.PhaseStarted) == []


@pytest.mark.rule("OF-16.5")
def test_field_check_that_draws_nothing(position):
    game = position(at="check", **silent()).field("austin", oil=0, gas=10)
    assert until(game.opening, e.PhaseStarted) == [e.OilfieldMarkerAdvanced, e.FieldReplenished]


@pytest.mark.rule("OF-16.5", "OF-20.8", "OF-20.9", "OF-20.13")
def test_field_check_with_government_towers(position):
    game = position(players=4, options=ADVANCED, at="check", draws=["strike"], **silent(4)).field("austin", oil=0)
    game.slot("austin_slot_1", "P1", "government_tower_1").slot("austin_slot_2", "P0", "government_tower_2")
    assert kinds(game.opening) == [e.OilfieldMarkerAdvanced, e.GovernmentPaymentDemanded]
    assert isinstance(game.opening[-1], e.DecisionOpened)
    facts = game.play("P0", c.PayGovernmentTower("government_tower_2"))
    assert isinstance(facts[0], e.DecisionClosed)
    assert kinds(facts) == [e.GovernmentTowerLiberated, e.GovernmentPaymentDemanded]
    facts = game.play("P1", c.ForfeitGovernmentTower("government_tower_1"))
    assert until(facts, e.PhaseStarted) == [e.GovernmentTowerForfeited, e.StrikeStarted, e.FieldReplenished]


@pytest.mark.rule("OF-20.13")
def test_field_check_with_a_government_tower_that_cannot_be_paid(position):
    game = position(options=ADVANCED, at="check", draws=["oil"] * 10, **silent()).field("austin", oil=0, gas=0)
    game.slot("austin_slot_1", "P1", "government_tower_2").player("P1", coins=9)
    assert until(game.opening, e.PhaseStarted) == [
        e.OilfieldMarkerAdvanced, e.GovernmentTowerForfeited, e.FieldReplenished,
    ]  # fmt: skip


# -- private phase ---------------------------------------------------------------------------------------------

LOST = [e.ActionStarted, e.ActionLost, e.PrivateCardReturned]


@pytest.mark.rule("OF-6.1", "OF-6.3")
def test_private_phase(position):
    facts = position(at="private_actions", first_player="P1", **silent()).opening
    assert until(facts, e.RoundStarted) == [e.PhaseStarted, e.PrivateActionsRevealed, *LOST, *LOST, *LOST]
    assert [one.seat for one in facts.of(e.ActionStarted)] == [1, 2, 0]


@pytest.mark.rule("OF-6.2", "OF-11.3")
def test_private_phase_with_a_seller(position):
    facts = position(at="private_actions", **silent()).player("P2", card="national").opening
    listed = [e.PhaseStarted, e.PrivateActionsRevealed, e.NationalPriceFixed, *LOST, *LOST, *LOST]
    assert until(facts, e.RoundStarted) == listed


@pytest.mark.rule("OF-21.10", "OF-21.13", "OF-21.14", "OF-21.15")
@pytest.mark.parametrize(
    ("draws", "before", "after"),
    [
        (["local"], [e.DummySupervisorPaid], []),
        (["drill", "dallas"], [e.DummyDrilled], []),
        (["national"], [], [e.NationalPriceFixed]),
    ],
)
def test_private_phase_of_two_players(position, draws, before, after):
    facts = position(players=2, at="private_actions", draws=draws, **silent(2)).opening
    assert until(facts, e.RoundStarted) == [
        e.PhaseStarted, e.DummyCardDrawn, *before, e.PrivateActionsRevealed, *after, *LOST, *LOST,
    ]  # fmt: skip


@pytest.mark.rule("OF-21.16")
@pytest.mark.parametrize(
    ("draws", "fixed", "between"),
    [
        (["local"], [], [e.DummySupervisorPaid]),
        (["drill", "dallas"], [], [e.DummyDrilled]),
        (["national"], [e.NationalPriceFixed], []),
    ],
)
def test_private_phase_between_the_players(position, draws, fixed, between):
    game = position(players=2, at="private_actions", options=BETWEEN, first_player="P1", draws=draws, **silent(2))
    facts = game.opening
    assert until(facts, e.RoundStarted) == [
        e.PhaseStarted, e.DummyCardDrawn, e.PrivateActionsRevealed, *fixed, *LOST, *between, *LOST,
    ]  # fmt: skip
    assert [one.seat for one in facts.of(e.ActionStarted)] == [1, 0]


@pytest.mark.rule("OF-21.11")
def test_dummy_redeal_of_leases(position):
    market = ["pecos_lease_3", "austin_lease_2", "dallas_lease_3"]
    game = position(players=2, at="private_actions", draws=["lease"], lease_market=market, **silent(2))
    returned, revealed = e.LeaseReturnedToDeck, e.LeaseRevealed
    assert until(game.opening, e.PrivateActionsRevealed) == [
        e.PhaseStarted, e.DummyCardDrawn, *[returned] * 3, *[revealed] * 3,
    ]  # fmt: skip
    in_order_of_content = ["dallas_lease_3", "austin_lease_2", "pecos_lease_3"]
    assert [one.lease_id for one in game.opening.of(returned)] == in_order_of_content


@pytest.mark.rule("OF-21.12")
def test_dummy_redeal_of_tiles(position):
    market = ["refinery_expansion_2", "small_local_tower_3", "small_tower_3", "small_tower_2"]
    game = position(players=2, at="private_actions", draws=["build"], building_market=market, **silent(2))
    returned, revealed = e.TileReturnedToDeck, e.TileRevealed
    assert until(game.opening, e.PrivateActionsRevealed) == [
        e.PhaseStarted, e.DummyCardDrawn, *[returned] * 4, *[revealed] * 5,
    ]  # fmt: skip
    in_order_of_content = ["small_tower_2", "small_tower_3", "small_local_tower_3", "refinery_expansion_2"]
    assert [one.tile_id for one in game.opening.of(returned)] == in_order_of_content


# -- rounds and the end ----------------------------------------------------------------------------------------


@pytest.mark.rule("OF-16.8", "OF-16.9", "OF-13.2", "OF-21.9")
@pytest.mark.parametrize(("players", "tiles", "dummy"), [(2, 4, [e.DummyWorkerMoved]), (3, 4, []), (4, 5, [])])
def test_new_round(position, players, tiles, dummy):
    game = position(players=players, at="end_of_round", building_market=["mixed_tower_2"], **silent(players))
    game.say(lease_market=["pecos_lease_2", "pecos_lease_3"])
    assert [type(one) for one in game.opening] == [
        e.RoundStarted, *[e.TileRevealed] * tiles, *[e.LeaseRevealed] * (1 if players == 2 else 2),
        e.SubsidyIncreased, *dummy, e.PhaseStarted, e.DecisionOpened,
    ]  # fmt: skip
    assert fact(e.PhaseStarted, phase="public_selection") in game.opening


@pytest.mark.rule("OF-3.7", "OF-16.1")
def test_after_the_private_phase_the_check_then_the_round(position):
    game = position(at="check", phase="private_actions", **silent()).field("pecos", oil=0, gas=10)
    assert until(game.opening, e.SubsidyIncreased) == [e.OilfieldMarkerAdvanced, e.FieldReplenished, e.RoundStarted]


@pytest.mark.rule("OF-18.3", "OF-18.5", "OF-19.4", "OF-19.5")
def test_end(position):
    game = position(is_final=True, round=9).player("P2", oil=1, coins=20).acting("P2", "national")
    game.slot("pecos_slot_1", "P1").slot("austin_slot_1", "P0").player("P1", oil=3).player("P0", gas=3)
    assert kinds(game.play("P2", c.PassAction())) == [e.ActionPassed, e.PrivateCardReturned, e.PhaseStarted]
    assert game.log[-1] == e.PhaseStarted(5)
    facts = game.record_scores()
    assert [type(one) for one in facts] == [*[e.FinalScoreAdded] * 7, e.GameEnded]
    added = [(one.category, one.seat, one.vp) for one in facts.of(e.FinalScoreAdded)]
    assert added == [(3, 0, 1), (3, 1, 1), (4, 0, 1), (4, 1, 1), (5, 0, 1), (5, 1, 1), (5, 2, 1)]


@pytest.mark.rule("OF-19.2", "OF-19.3", "OF-19.4")
def test_end_without_zero_entries(position):
    game = position(at="final_scoring").player("P0", coins=1).player("P1", coins=2).player("P2", coins=0)
    assert game.record_scores()[:-1] == [e.FinalScoreAdded(1, 5, 2)]
