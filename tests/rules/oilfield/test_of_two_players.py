"""OF-21: two players and the dummy."""

import pytest

from tests.rules.oilfield.silence import silent
from wellhead_rules.kernel.scenarios import PositionError
from wellhead_rules.oilfield.commands import BuyInvestment, PassAction, PlaceWorker, SellNational, TakeFirstPlayer
from wellhead_rules.oilfield.events import (
    ActionLost,
    ActionPassed,
    ActionStarted,
    DummyCardDrawn,
    DummyDrilled,
    DummyPrepared,
    DummySupervisorPaid,
    DummyWorkerMoved,
    FieldFilled,
    FieldReplenished,
    FinalScoreAdded,
    GameConfigured,
    GameEnded,
    GovernmentPaymentDemanded,
    GovernmentTowerForfeited,
    LeaseReturnedToDeck,
    LeaseRevealed,
    NationalPriceFixed,
    NationalSold,
    PrivateActionsRevealed,
    RoundStarted,
    TileReturnedToDeck,
    TileRevealed,
    TilesRemoved,
)
from wellhead_rules.oilfield.facts import fact

CYCLE = ["lease_5", "build_1", "drill_1", "local_1", "first_player_1", "subsidy_1", "invest_1"]
DUMMY_TOWERS = {"small_local_tower_1", "small_tower_1", "medium_tower_1"}
FIELDS = ("dallas", "austin", "pecos")
SPACES = {
    "lease_11", "lease_9", "lease_7", "lease_5", "build_1", "build_2", "drill_1", "drill_2", "local_1",
    "first_player_1", "subsidy_1", "invest_1", "invest_2",
}  # fmt: skip
BETWEEN = {"dummy_timing": "between_players"}


def drawing(position, card, *draws, **said):
    """The private actions phase of two players begins, and the dummy draws a card."""
    return position(players=2, at="private_actions", draws=[card, *draws], **silent(2)).say(**said)


# -- setup -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-21.1")
@pytest.mark.parametrize(("advanced", "removed"), [("false", 6), ("true", 9)])
def test_the_rest_follows_the_rules_for_three(position, advanced, removed):
    game = position(players=2, at="setup", options={"advanced_towers": advanced})
    assert [one.oil + one.gas for one in game.opening.of(FieldFilled)] == [10, 10, 10]
    assert len(game.seen.building_market) == 5
    assert len(game.opening.of(TilesRemoved)[0].tile_ids) == removed
    owner = game.decision[0]
    free = {one.space_id for one in game.legal(owner, PlaceWorker)}
    assert free == SPACES - {game.seen.dummy.worker}


@pytest.mark.rule("OF-21.2")
def test_a_lease_of_every_field_is_set_aside_for_the_dummy(position):
    game = position(players=2, at="setup")
    assert game.opening.of(DummyPrepared)[0].lease_ids == ("dallas_lease_1", "austin_lease_1", "pecos_lease_1")
    assert game.opening.in_order(DummyPrepared, LeaseRevealed)
    assert len(game.seen.lease_market) == 3
    cards = {*game.seen.lease_market, *game.seen.lease_deck}
    assert len(cards) == 9
    assert not any(card.endswith("_1") for card in cards)
    owners = {slot: said.owner for slot, said in game.seen.slots.items() if said.owner}
    assert owners == dict.fromkeys(("dallas_slot_1", "austin_slot_1", "pecos_slot_1"), "dummy")


@pytest.mark.rule("OF-21.3")
@pytest.mark.parametrize(
    ("draws", "towers"),
    [
        (["small_local_tower", "small_tower"], ["small_local_tower_1", "small_tower_1", "medium_tower_1"]),
        (["medium_tower", "small_tower"], ["medium_tower_1", "small_tower_1", "small_local_tower_1"]),
        (["small_tower", "medium_tower"], ["small_tower_1", "medium_tower_1", "small_local_tower_1"]),
    ],
)
def test_three_of_the_removed_towers_are_placed_at_random(position, draws, towers):
    game = position(players=2, at="setup", draws=draws)
    assert [game.seen.slots[f"{field}_slot_1"].tower for field in FIELDS] == towers
    assert set(game.opening.of(TilesRemoved)[0].tile_ids) >= set(towers)
    assert not DUMMY_TOWERS & {*game.seen.building_market, *game.seen.building_deck}
    assert not DUMMY_TOWERS & set(game.state.removed_tiles)


@pytest.mark.rule("OF-21.4", "OF-21.17")
def test_the_dummy_has_no_seat_and_so_no_coins_points_investments_or_refinery(position):
    game = position(players=2, at="setup")
    assert len(game.opening.of(GameConfigured)[0].seats) == 2
    assert game.names == ("P0", "P1")


@pytest.mark.rule("OF-21.4", "OF-21.10")
@pytest.mark.parametrize("card", ["lease", "build", "drill", "local", "national"])
def test_each_of_five_cards_can_be_drawn_every_round(position, card):
    draws = [card, "dallas"] if card == "drill" else [card]
    game = position(players=2, at="private_actions", draws=draws, round=5, **silent(2))
    assert fact(DummyCardDrawn, card=card) in game.opening


@pytest.mark.rule("OF-21.5")
@pytest.mark.parametrize(
    ("card", "space"), [("lease", "lease_5"), ("build", "build_1"), ("drill", "drill_1"), ("local", "local_1")]
)
def test_the_worker_starts_on_the_first_space_of_a_random_card(position, card, space):
    game = position(players=2, at="setup", draws=[*_draws_before_worker(position), card])
    assert game.opening.of(DummyWorkerMoved) == [DummyWorkerMoved(space)]
    assert game.seen.dummy.worker == space


def _draws_before_worker(position):
    """What the setup draws before the card of the dummy worker: towers, cubes, tiles and leases."""
    facts = position(players=2, at="setup").opening
    draws = ["small_local_tower", "small_tower", "medium_tower", *["oil"] * 34]
    return [
        *draws,
        *(one.tile_id for one in facts.of(TileRevealed)),
        *(one.lease_id for one in facts.of(LeaseRevealed)),
    ]


@pytest.mark.rule("OF-21.5")
def test_a_national_card_is_never_where_the_worker_starts(position):
    game = position(players=2, at="setup", draws=[*_draws_before_worker(position), "national"])
    with pytest.raises(PositionError, match="national cannot be drawn now"):
        game.open()


# -- the worker ------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-21.6")
@pytest.mark.parametrize("space", CYCLE)
def test_the_dummy_worker_blocks_its_space(position, space):
    game = position(players=2, dummy={"worker": space})
    assert {one.space_id for one in game.legal("P0", PlaceWorker)} == SPACES - {space}
    assert game.refused("P0", PlaceWorker(space)).code == "SPACE_OCCUPIED"


@pytest.mark.rule("OF-21.6")
def test_the_dummy_worker_triggers_nothing_and_is_never_taken_back(position):
    game = position(players=2, dummy={"worker": "local_1"}, **silent(2)).player("P0", coins=12)
    game.player("P1", worker="invest_2").acting("P0", "invest").drawing("national")
    facts = game.play("P0", BuyInvestment("vp2")) + game.play("P1", BuyInvestment("vp2"))
    assert {one.seat for one in facts.of(ActionStarted)} == {0, 1}
    assert facts.count(fact(ActionStarted, action="local")) == 0
    assert facts.of(DummyWorkerMoved) == [DummyWorkerMoved("first_player_1")], "it stood there until the next round"


@pytest.mark.rule("OF-21.7")
def test_in_the_first_round_the_worker_stands_where_setup_put_it(position):
    game = position(players=2, at="setup")
    assert game.opening.in_order(DummyWorkerMoved, fact(RoundStarted, round=1))
    assert game.opening.count(DummyWorkerMoved) == 1
    assert game.seen.dummy.worker == game.opening.of(DummyWorkerMoved)[0].space_id


@pytest.mark.rule("OF-21.8")
@pytest.mark.parametrize(("first", "supervisor"), [("P0", "P1"), ("P1", "P0")])
def test_the_supervisor_is_the_player_who_is_not_first(position, first, supervisor):
    assert position(players=2, first_player=first).seen.supervisor == supervisor


@pytest.mark.rule("OF-21.8")
def test_the_supervisor_follows_the_card(position):
    game = position(players=2, **silent(2)).acting("P1", "first_player").drawing("local")
    facts = game.play("P1", TakeFirstPlayer())
    assert facts.of(DummySupervisorPaid) == [DummySupervisorPaid(0, 1)]


@pytest.mark.rule("OF-21.9")
@pytest.mark.parametrize(("before", "after"), list(zip(CYCLE, [*CYCLE[1:], CYCLE[0]], strict=True)))
def test_at_the_start_of_a_round_the_worker_moves_one_column_to_the_right(position, before, after):
    game = position(players=2, at="end_of_round", dummy={"worker": before}, **silent(2))
    assert game.opening.of(DummyWorkerMoved) == [DummyWorkerMoved(after)]
    free = {one.space_id for one in game.legal("P0", PlaceWorker)}
    assert free == SPACES - {after}


# -- the card --------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-21.10")
def test_the_card_is_drawn_and_carried_out_before_the_reveal(position):
    game = drawing(position, "local")
    assert game.opening.in_order(DummyCardDrawn, DummySupervisorPaid, PrivateActionsRevealed, ActionStarted)
    assert game.opening.count(DummyCardDrawn) == 1


@pytest.mark.rule("OF-21.11")
def test_dummy_lease_deals_a_new_lease_market_out_of_all_cards(position):
    market = ["pecos_lease_3", "austin_lease_2", "dallas_lease_3", "pecos_lease_2"]
    new = ["austin_lease_3", "austin_lease_2", "pecos_lease_5"]
    game = drawing(position, "lease", *new, lease_market=market, is_final=True)
    assert {one.lease_id for one in game.opening.of(LeaseReturnedToDeck)} == set(market)
    assert [one.lease_id for one in game.opening.of(LeaseRevealed)] == new
    assert game.seen.lease_market == tuple(new)
    assert len(game.seen.lease_deck) == 6


@pytest.mark.rule("OF-21.11")
def test_with_too_few_lease_cards_those_are_dealt(position):
    market = ["pecos_lease_3", "austin_lease_2"]
    game = drawing(position, "lease", lease_market=market, lease_deck=[], is_final=True)
    assert set(game.seen.lease_market) == set(market)


@pytest.mark.rule("OF-21.12")
def test_dummy_build_deals_a_new_building_market_out_of_all_tiles(position):
    market = ["small_tower_2", "medium_tower_3"]
    new = ["mixed_tower_2", "mixed_tower_3", "small_tower_2", "refinery_expansion_3", "medium_tower_2"]
    game = drawing(position, "build", *new, building_market=market, is_final=True)
    assert {one.tile_id for one in game.opening.of(TileReturnedToDeck)} == set(market)
    assert [one.tile_id for one in game.opening.of(TileRevealed)] == new
    assert game.seen.building_market == tuple(new)
    assert len(game.seen.building_deck) == 7


@pytest.mark.rule("OF-21.12")
def test_with_too_few_tiles_those_are_dealt(position):
    market = ["small_tower_2", "medium_tower_3"]
    game = drawing(position, "build", building_market=market, building_deck=["mixed_tower_2"], is_final=True)
    assert set(game.seen.building_market) == {*market, "mixed_tower_2"}


@pytest.mark.rule("OF-21.13")
@pytest.mark.parametrize(("first", "supervisor"), [("P0", "P1"), ("P1", "P0")])
def test_dummy_local_brings_the_supervisor_a_coin(position, first, supervisor):
    game = drawing(position, "local", first_player=first, is_final=True)
    assert fact(DummySupervisorPaid, seat=supervisor, coins=1) in game.opening
    assert game[supervisor].coins == 21
    assert game[first].coins == 20


@pytest.mark.rule("OF-21.14")
@pytest.mark.parametrize(("players", "sellers", "price"), [(0, 1, 4), (1, 2, 3), (2, 3, 2)])
@pytest.mark.parametrize("timing", ["before_reveal", "between_players"])
def test_dummy_national_counts_as_one_more_seller(position, players, sellers, price, timing):
    game = drawing(position, "national", options={"dummy_timing": timing})
    for seat in ("P0", "P1")[:players]:
        game.player(seat, card="national")
    assert game.opening.of(NationalPriceFixed) == [NationalPriceFixed(sellers, price)]


@pytest.mark.rule("OF-21.14")
def test_another_dummy_card_does_not_count(position):
    assert NationalPriceFixed not in drawing(position, "local").opening


@pytest.mark.rule("OF-21.15")
@pytest.mark.parametrize(
    ("tower", "oil", "gas", "taken"),
    [
        ("small_tower_1", 7, 3, (2, 0)),
        ("small_tower_1", 1, 3, (1, 0)),
        ("small_tower_1", 0, 3, (0, 0)),
        ("medium_tower_1", 7, 3, (3, 0)),
        ("medium_tower_1", 2, 0, (2, 0)),
        ("small_local_tower_1", 7, 3, (0, 1)),
        ("small_local_tower_1", 7, 0, (1, 0)),
        ("small_local_tower_1", 0, 0, (0, 0)),
    ],
)
@pytest.mark.parametrize("field", FIELDS)
def test_dummy_drill_extracts_the_full_amount_of_its_tower_into_the_bag(position, field, tower, oil, gas, taken):
    game = drawing(position, "drill", field, is_final=True).slot(f"{field}_slot_1", "dummy", tower)
    game.field(field, oil=oil, gas=gas)
    assert game.opening.of(DummyDrilled) == [DummyDrilled(field, tower, *taken)]
    before, after = game.posed, game.seen
    assert (after.fields[field].oil, after.fields[field].gas) == (oil - taken[0], gas - taken[1])
    assert (after.bag.oil, after.bag.gas) == (before.bag.oil + taken[0], before.bag.gas + taken[1])
    for seat in ("P0", "P1"):
        assert (game[seat].coins, game[seat].oil, game[seat].gas, game[seat].vp) == (20, 0, 0, 0)


@pytest.mark.rule("OF-21.15")
def test_a_field_emptied_by_the_dummy_is_handled_by_the_next_check(position):
    game = drawing(position, "drill", "pecos").field("pecos", oil=2, gas=0)
    assert game.opening.in_order(
        fact(DummyDrilled, oil=2), PrivateActionsRevealed, fact(FieldReplenished, field="pecos")
    )


@pytest.mark.rule("OF-21.16")
@pytest.mark.parametrize("answer", [SellNational(1), PassAction()])
def test_between_the_players_the_card_is_carried_out_after_the_first_action(position, answer):
    game = drawing(position, "local", options=BETWEEN, first_player="P1")
    game.player("P1", card="national", oil=1)
    assert game.opening.in_order(DummyCardDrawn, PrivateActionsRevealed, NationalPriceFixed, ActionStarted)
    assert DummySupervisorPaid not in game.opening
    facts = game.play("P1", answer)
    done = NationalSold if isinstance(answer, SellNational) else ActionPassed
    assert facts.in_order(done, fact(DummySupervisorPaid, seat="P0"), fact(ActionStarted, seat="P0"))


@pytest.mark.rule("OF-21.16")
def test_between_the_players_a_lost_action_is_over_as_well(position):
    game = drawing(position, "local", options=BETWEEN)
    assert game.opening.in_order(fact(ActionLost, seat="P0"), DummySupervisorPaid, fact(ActionStarted, seat="P1"))
    assert game.opening.count(DummySupervisorPaid) == 1


@pytest.mark.rule("OF-21.16")
def test_between_the_players_national_counts_for_both(position):
    game = drawing(position, "national", options=BETWEEN)
    game.player("P0", card="national", oil=1).player("P1", card="national", oil=1)
    assert fact(NationalSold, seat="P0", coins_gained=2) in game.play("P0", SellNational(1))
    assert fact(NationalSold, seat="P1", coins_gained=2) in game.play("P1", SellNational(1))


# -- what the dummy does not have ------------------------------------------------------------------------------


@pytest.mark.rule("OF-21.17")
def test_dummy_towers_and_leases_score_nothing(position):
    game = position(players=2, at="final_scoring").player("P0", coins=1).player("P1", coins=0)
    facts = game.record_scores()
    assert [(one.seat, one.vp) for one in facts.of(FinalScoreAdded)] == [(0, 2)]
    assert [one.seat for one in facts.of(GameEnded)[0].ranking] == [0, 1]


@pytest.mark.rule("OF-21.17")
@pytest.mark.parametrize("field", FIELDS)
def test_dummy_towers_are_not_settled_when_their_field_is_refilled(position, field):
    game = position(players=2, options={"advanced_towers": "true"}, at="check", phase="private_actions", **silent(2))
    game.field(field, oil=0)
    assert FieldReplenished in game.opening
    assert GovernmentPaymentDemanded not in game.opening
    assert GovernmentTowerForfeited not in game.opening
    assert game.seen.slots[f"{field}_slot_1"].owner == "dummy"
