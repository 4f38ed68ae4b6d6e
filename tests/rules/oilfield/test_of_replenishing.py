"""OF-16: `field_check`, and the markets at the start of a round."""

import pytest

from tests.rules.oilfield.silence import silent
from wellhead_rules.oilfield.commands import DrillTower
from wellhead_rules.oilfield.events import (
    FieldExhausted,
    FieldReplenished,
    GovernmentPaymentDemanded,
    LeaseRevealed,
    OilfieldMarkerAdvanced,
    PhaseStarted,
    StrikeCubeReturnedToBag,
    StrikeEnded,
    StrikeStarted,
    SubsidyIncreased,
    TileRevealed,
)
from wellhead_rules.oilfield.facts import fact

CAPACITY = {2: 10, 3: 10, 4: 12, 5: 14}
TILES = {2: 5, 3: 5, 4: 6, 5: 6}
LEASES = {2: 3, 3: 4, 4: 4, 5: 4}


def checking(position, phase="public_actions", players=3, **said):
    """The check at the end of an action phase comes next; nobody is asked anything in the private actions phase."""
    return position(players=players, at="check", phase=phase, **silent(players)).say(**said)


# -- fields ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-16.1", "OF-17.4")
@pytest.mark.parametrize("phase", ["public_actions", "private_actions"])
def test_a_strike_ends_before_anything_is_drawn_and_the_cube_can_be_drawn_again(position, phase):
    game = checking(position, phase, strike="dallas", draws=["strike"]).field("austin", oil=0)
    assert game.opening.in_order(
        fact(StrikeEnded, field="dallas"), StrikeCubeReturnedToBag, OilfieldMarkerAdvanced,
        fact(StrikeStarted, field="austin"),
    )  # fmt: skip


@pytest.mark.rule("OF-16.1")
def test_without_a_strike_no_strike_ends(position):
    facts = checking(position).opening
    assert StrikeEnded not in facts
    assert StrikeCubeReturnedToBag not in facts


@pytest.mark.rule("OF-16.2")
def test_fields_without_oil_are_taken_in_the_order_of_the_board(position):
    fields = {"pecos": {"oil": 0}, "austin": {"oil": 0, "gas": 4}, "dallas": {"oil": 0}}
    facts = checking(position, fields=fields).opening
    assert [one.field for one in facts.of(OilfieldMarkerAdvanced)] == ["dallas", "austin", "pecos"]
    assert [one.field for one in facts.of(FieldReplenished)] == ["dallas", "austin", "pecos"]


@pytest.mark.rule("OF-16.2")
@pytest.mark.parametrize(
    ("field", "processed"),
    [
        ({"oil": 0, "gas": 0}, True),
        ({"oil": 0, "gas": 5}, True),
        ({"oil": 1, "gas": 0}, False),
        ({"oil": 0, "gas": 0, "step": 3, "exhausted": True}, False),
        ({"oil": 0, "gas": 2, "step": 3, "exhausted": True}, False),
    ],
)
def test_a_field_is_processed_if_it_has_no_oil_and_is_not_exhausted(position, field, processed):
    facts = checking(position, fields={"austin": field}).opening
    assert (OilfieldMarkerAdvanced in facts) == processed
    assert (FieldReplenished in facts) == processed


@pytest.mark.rule("OF-16.3")
@pytest.mark.parametrize("step", [0, 1, 2])
def test_its_marker_advances_by_one_step(position, step):
    game = checking(position).field("pecos", oil=0, step=step)
    assert game.opening.of(OilfieldMarkerAdvanced) == [OilfieldMarkerAdvanced("pecos", step + 1)]
    assert game.seen.fields["pecos"].step == step + 1


@pytest.mark.rule("OF-16.4")
def test_at_the_end_step_a_field_is_exhausted_and_never_refilled(position):
    game = checking(position).field("dallas", oil=0, gas=2, step=2)
    assert game.opening.in_order(fact(OilfieldMarkerAdvanced, field="dallas", step=3), FieldExhausted)
    assert FieldReplenished not in game.opening
    dallas = game.seen.fields["dallas"]
    assert (dallas.oil, dallas.gas, dallas.exhausted) == (0, 2, True)
    assert game.decision == ("P0", "place_worker"), "the check after the private phase is over as well"


@pytest.mark.rule("OF-16.4")
@pytest.mark.parametrize("step", [0, 1])
def test_before_the_end_step_a_field_is_refilled_and_not_exhausted(position, step):
    facts = checking(position).field("dallas", oil=0, step=step).opening
    assert FieldReplenished in facts
    assert FieldExhausted not in facts


@pytest.mark.rule("OF-16.4")
def test_gas_left_in_an_exhausted_field_can_be_extracted(position):
    game = position().field("dallas", oil=0, gas=2, step=3, exhausted=True)
    game.slot("dallas_slot_1", "P0", "mixed_tower_2").acting("P0", "drill")
    game.play("P0", DrillTower("mixed_tower_2", gas_to_warehouse=2))
    assert (game["P0"].gas, game.seen.fields["dallas"].gas) == (2, 0)


@pytest.mark.rule("OF-16.5")
@pytest.mark.parametrize(("players", "capacity"), CAPACITY.items())
@pytest.mark.parametrize("gas", [0, 3])
def test_cubes_are_drawn_until_the_field_holds_its_capacity_gas_left_included(position, players, capacity, gas):
    game = checking(position, "private_actions", players).field("austin", oil=0, gas=gas)
    filled = game.opening.of(FieldReplenished)
    assert [one.field for one in filled] == ["austin"]
    assert filled[0].oil + filled[0].gas == capacity - gas
    assert game.seen.bag.cubes == game.posed.bag.cubes - (capacity - gas)
    austin = game.seen.fields["austin"]
    assert austin.oil + austin.gas == capacity


@pytest.mark.rule("OF-16.5")
def test_the_cubes_are_those_drawn_from_the_bag(position):
    draws = ["oil", "gas", "gas", "oil", "oil", "gas", "gas", "oil", "gas", "oil"]
    game = checking(position, draws=draws).field("pecos", oil=0, gas=0)
    assert game.opening.of(FieldReplenished) == [FieldReplenished("pecos", 5, 5)]
    assert (game.seen.fields["pecos"].oil, game.seen.fields["pecos"].gas) == (5, 5)
    assert (game.seen.bag.oil, game.seen.bag.gas) == (game.posed.bag.oil - 5, game.posed.bag.gas - 5)


@pytest.mark.rule("OF-16.5")
@pytest.mark.parametrize("strike", [[], ["strike"]])
def test_a_bag_without_oil_and_gas_ends_the_refill(position, strike):
    game = checking(position, "private_actions", draws=[*strike, "oil", "oil", "gas"])
    game.say(bag={"oil": 2, "gas": 1}).field("austin", oil=0, gas=4).field("pecos", oil=0, gas=0)
    assert game.opening.of(FieldReplenished) == [FieldReplenished("austin", 2, 1), FieldReplenished("pecos", 0, 0)]
    assert game.seen.bag.cubes == 0


@pytest.mark.rule("OF-16.5")
def test_gas_that_fills_the_field_leaves_nothing_to_draw(position):
    game = checking(position, "private_actions").field("austin", oil=0, gas=10)
    assert game.opening.of(OilfieldMarkerAdvanced) == [OilfieldMarkerAdvanced("austin", 1)]
    assert game.opening.of(FieldReplenished) == [FieldReplenished("austin", 0, 0)]
    assert game.seen.bag == game.posed.bag


@pytest.mark.rule("OF-16.5")
def test_towers_are_settled_before_the_draw_even_if_gas_fills_the_field(position):
    game = checking(position, options={"advanced_towers": "true"}).field("austin", oil=0, gas=10)
    game.slot("austin_slot_1", "P1", "government_tower_2")
    assert game.decision == ("P1", "government_payment")
    assert game.opening.in_order(OilfieldMarkerAdvanced, GovernmentPaymentDemanded)
    assert FieldReplenished not in game.opening


@pytest.mark.rule("OF-16.6")
def test_a_drawn_strike_cube_is_no_resource_cube(position):
    game = checking(position, "private_actions", draws=["oil", "strike", *["oil"] * 7, "gas", "gas"])
    game.field("dallas", oil=0, gas=0)
    assert game.opening.of(FieldReplenished) == [FieldReplenished("dallas", 8, 2)]
    assert game.seen.bag.cubes == game.posed.bag.cubes - 10
    assert not game.seen.bag.strike_cube


@pytest.mark.rule("OF-16.7")
def test_a_field_that_runs_out_of_oil_stays_so_until_the_check(position):
    game = position(**silent()).field("dallas", oil=1, gas=2).player("P0", worker="drill_1")
    game.slot("dallas_slot_1", "P0", "small_tower_2").slot("dallas_slot_2", "P1", "mixed_tower_2")
    game.player("P1", worker="drill_2").acting("P0", "drill")
    facts = game.play("P0", DrillTower("small_tower_2", oil_to_warehouse=1))
    assert OilfieldMarkerAdvanced not in facts
    assert game.legal("P1", DrillTower) == [
        DrillTower("mixed_tower_2", gas_to_warehouse=2),
        DrillTower("mixed_tower_2", gas_to_warehouse=1),
    ]
    facts = game.play("P1", DrillTower("mixed_tower_2", gas_to_warehouse=1))
    assert facts.in_order(
        fact(OilfieldMarkerAdvanced, field="dallas", step=1), FieldReplenished,
        fact(PhaseStarted, phase="private_actions"),
    )  # fmt: skip


# -- markets ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("OF-16.8", "OF-16.9")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_at_the_start_of_a_round_the_markets_are_filled_up(position, players):
    game = position(players=players, at="end_of_round", **silent(players))
    game.say(building_market=["small_tower_2", "mixed_tower_3"], lease_market=["pecos_lease_5"])
    decks = game.posed.building_deck, game.posed.lease_deck
    tiles = [one.tile_id for one in game.opening.of(TileRevealed)]
    leases = [one.lease_id for one in game.opening.of(LeaseRevealed)]
    assert (len(tiles), len(leases)) == (TILES[players] - 2, LEASES[players] - 1)
    assert set(tiles) <= set(decks[0])
    assert set(leases) <= set(decks[1])
    assert game.seen.building_market == ("small_tower_2", "mixed_tower_3", *tiles)
    assert game.seen.lease_market == ("pecos_lease_5", *leases)
    assert set(game.seen.building_deck) == set(decks[0]) - set(tiles)
    assert set(game.seen.lease_deck) == set(decks[1]) - set(leases)


@pytest.mark.rule("OF-16.8", "OF-16.9")
def test_any_tile_and_any_card_of_the_deck_can_be_drawn(position):
    draws = ["mixed_tower_2", "refinery_expansion_3", "dallas_lease_2", "dallas_lease_3"]
    game = position(at="end_of_round", draws=draws, **silent())
    game.say(
        building_market=["small_tower_2", "small_tower_3", "medium_tower_2"],
        lease_market=["pecos_lease_1", "pecos_lease_2"],
    )
    assert [one.tile_id for one in game.opening.of(TileRevealed)] == draws[:2]
    assert [one.lease_id for one in game.opening.of(LeaseRevealed)] == draws[2:]


@pytest.mark.rule("OF-16.8")
@pytest.mark.parametrize("more", [0, 1, 2])
def test_tiles_in_excess_stay(position, more):
    market = ["small_tower_2", "medium_tower_2", "mixed_tower_2", "small_local_tower_2", "medium_local_tower_2"]
    market += ["government_tower_2", "small_national_tower_2"][:more]
    game = position(at="end_of_round", options={"advanced_towers": "true"}, building_market=market, **silent())
    assert TileRevealed not in game.opening
    assert set(game.seen.building_market) == set(market)


@pytest.mark.rule("OF-16.9")
@pytest.mark.parametrize(("players", "size"), [(2, 3), (2, 4), (3, 4), (3, 5), (5, 6)])
def test_lease_cards_in_excess_stay(position, players, size):
    market = ["dallas_lease_2", "dallas_lease_3", "austin_lease_2", "austin_lease_3", "pecos_lease_2", "pecos_lease_3"]
    game = position(players=players, at="end_of_round", lease_market=market[:size], **silent(players))
    assert LeaseRevealed not in game.opening
    assert set(game.seen.lease_market) == set(market[:size])


@pytest.mark.rule("OF-16.10")
def test_when_a_deck_is_empty_the_market_stays_short(position):
    game = position(at="end_of_round", **silent())
    game.say(building_market=["small_tower_2"], building_deck=["mixed_tower_2"])
    game.say(lease_market=[], lease_deck=["austin_lease_4"])
    assert game.opening.of(TileRevealed) == [TileRevealed("mixed_tower_2")]
    assert game.opening.of(LeaseRevealed) == [LeaseRevealed("austin_lease_4")]
    assert SubsidyIncreased in game.opening
    assert game.decision == ("P0", "place_worker")


@pytest.mark.rule("OF-16.10")
def test_with_both_decks_empty_the_round_starts_all_the_same(position):
    game = position(at="end_of_round", building_market=[], building_deck=[], lease_market=[], lease_deck=[], **silent())
    assert game.seen.round == 2
    assert (game.seen.building_market, game.seen.lease_market) == ((), ())
