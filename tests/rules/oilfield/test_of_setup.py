"""OF-2: setup, in its order."""

from collections import Counter

import pytest

from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import RULESET
from wellhead_rules.oilfield.commands import SellInvestment
from wellhead_rules.oilfield.content import packs
from wellhead_rules.oilfield.events import (
    DecisionOpened,
    DummyPrepared,
    DummyWorkerMoved,
    FieldFilled,
    FirstPlayerChosen,
    GameConfigured,
    LeaseRevealed,
    PhaseStarted,
    RoundStarted,
    StartingCubesDrawn,
    StrikeCubeReturnedToBag,
    SubsidyIncreased,
    TileReturnedToDeck,
    TileRevealed,
    TilesRemoved,
)
from wellhead_rules.oilfield.facts import Facts, fact

CONTENT = packs()["oilfield_house"]
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])
BASIC = ["small_tower", "medium_tower", "mixed_tower", "small_local_tower", "medium_local_tower", "refinery_expansion"]
ADVANCED = ["small_national_tower", "government_tower", "gas_refinery_expansion"]


def set_up(players, number=1, **options):
    """The engine's own setup with one of many seeds: the state, the facts, and the chance that was used."""
    chance = Chance(number.to_bytes(32, "big"))
    state = RULESET.new("oilfield_house", RULESET.options(options, players), RULESET.colours([""] * players))
    facts = RULESET.begin(state, chance)
    return state, Facts(facts, [f"P{seat}" for seat in range(players)]), chance


def bounds(chance):
    """Among how many was drawn, draw by draw."""
    return [draw.bound for draw in chance.draws]


@pytest.mark.rule("OF-2.1", "OF-2.7")
@PLAYERS
def test_every_cube_of_oil_and_gas_is_in_the_bag_or_has_come_out_of_it(players):
    for number in range(5):
        state, facts, _ = set_up(players, number)
        assert fact(GameConfigured, bag_oil=49, bag_gas=21) in facts
        lying = sum(state.oil) + sum(player.oil for player in state.players)
        assert state.bag_oil + lying == 49
        lying = sum(state.gas) + sum(player.gas for player in state.players)
        assert state.bag_gas + lying == 21


@pytest.mark.rule("OF-2.2")
def test_every_player_gets_a_colour_of_the_own():
    assert len(set(RULESET.colours([""] * 5))) == 5
    wanted = RULESET.colours(["", "red", "", "yellow"])
    assert (wanted[1], wanted[3]) == ("red", "yellow")
    assert len(set(wanted)) == 4
    with pytest.raises(RuleViolation, match="DUPLICATE_COLOUR"):
        RULESET.colours(["red", "red"])
    with pytest.raises(RuleViolation, match="UNKNOWN_COLOUR"):
        RULESET.colours(["beige"])


@pytest.mark.rule("OF-2.2", "OF-2.3", "OF-2.4")
@PLAYERS
def test_the_kit_of_a_player(players):
    state, facts, _ = set_up(players)
    assert CONTENT.kit.action_cards == len(CONTENT.cards) == 5
    assert CONTENT.kit.workers == 1
    assert CONTENT.kit.investment_markers == 6
    configured = facts.of(GameConfigured)[0]
    assert [one.color for one in configured.seats] == [player.colour for player in state.players]
    assert len({player.colour for player in state.players}) == players
    for player in state.players:
        assert player.coins == 20
        assert player.lease_markers == 4
        assert player.investment_markers == 5, "one of the six stands on the VP track"
        assert player.total == 0
        assert (player.leases, player.expansions) == ((), ())


@pytest.mark.rule("OF-2.5")
@PLAYERS
def test_two_random_cubes_each_in_seat_order_into_a_refinery_of_three(players):
    seen = set()
    for number in range(40):
        state, facts, _ = set_up(players, number)
        drawn = facts.of(StartingCubesDrawn)
        assert [one.seat for one in drawn] == list(range(players))
        for one, player in zip(drawn, state.players, strict=True):
            assert one.oil + one.gas == 2
            assert (player.oil, player.gas, player.storage) == (one.oil, one.gas, 3)
            seen.add((one.oil, one.gas))
    assert seen == {(2, 0), (1, 1), (0, 2)}


@pytest.mark.rule("OF-2.5", "OF-2.6")
def test_cubes_come_out_of_the_bag_as_they_lie_in_it():
    oil = sum(one.oil for number in range(200) for one in set_up(5, number)[1].of(StartingCubesDrawn))
    assert 1330 < oil < 1470, "of 2000 cubes seven in ten are oil"
    gas = Counter()
    for number in range(100):
        for one in set_up(3, number)[1].of(FieldFilled):
            gas[one.field] += one.gas
    assert all(250 < gas[field] < 350 for field in CONTENT.fields), "of 1000 cubes each three in ten are gas"


@pytest.mark.rule("OF-2.6")
@pytest.mark.parametrize(("players", "cubes", "left"), [(2, 10, 36), (3, 10, 34), (4, 12, 26), (5, 14, 18)])
def test_the_fields_are_filled_in_their_order(players, cubes, left):
    for number in range(5):
        state, facts, _ = set_up(players, number)
        filled = facts.of(FieldFilled)
        assert [one.field for one in filled] == ["dallas", "austin", "pecos"]
        assert [one.oil + one.gas for one in filled] == [cubes] * 3
        assert (state.oil, state.gas) == (tuple(one.oil for one in filled), tuple(one.gas for one in filled))
        assert state.bag_oil + state.bag_gas == left


@pytest.mark.rule("OF-2.1", "OF-2.7")
@pytest.mark.parametrize(("players", "cubes"), [(3, 36), (4, 44), (5, 52)])
def test_the_strike_cube_goes_into_the_bag_when_players_and_fields_have_their_cubes(players, cubes):
    state, facts, chance = set_up(players)
    assert bounds(chance)[:cubes] == list(range(70, 70 - cubes, -1)), "drawn among oil and gas alone"
    assert facts.in_order(*[StartingCubesDrawn] * players, *[FieldFilled] * 3, StrikeCubeReturnedToBag, TileRevealed)
    assert facts.count(StrikeCubeReturnedToBag) == 1
    assert state.strike_in_bag
    assert state.strike_field == -1


@pytest.mark.rule("OF-2.8")
@pytest.mark.parametrize("advanced", ["false", "true"])
@PLAYERS
def test_with_two_or_three_players_one_tile_of_every_type_is_removed(players, advanced):
    state, facts, _ = set_up(players, advanced_towers=advanced)
    in_use = BASIC + (ADVANCED if advanced == "true" else [])
    everything = {tile for tile in CONTENT.tiles if tile.rpartition("_")[0] in in_use}
    removed = {f"{kind}_1" for kind in in_use} if players < 4 else set()
    assert [set(one.tile_ids) for one in facts.of(TilesRemoved)] == ([removed] if removed else [])
    assert {*state.tile_deck, *state.tile_market} == everything - removed
    dummy = {tower.tile_id for one in facts.of(DummyPrepared) for tower in one.towers}
    assert set(state.removed_tiles) == removed - dummy


@pytest.mark.rule("OF-2.8", "OF-2.9")
@pytest.mark.parametrize(
    ("players", "advanced", "market", "deck"),
    [
        (2, "false", 5, 7), (3, "false", 5, 7), (4, "false", 6, 12), (5, "false", 6, 12),
        (2, "true", 5, 10), (3, "true", 5, 10), (4, "true", 6, 18), (5, "true", 6, 18),
    ],
)  # fmt: skip
def test_the_building_market_is_filled(players, advanced, market, deck):
    for number in range(5):
        state, facts, _ = set_up(players, number, advanced_towers=advanced)
        assert (len(state.tile_market), len(state.tile_deck)) == (market, deck)
        assert facts.count(TileRevealed) - facts.count(TileReturnedToDeck) == market


@pytest.mark.rule("OF-2.9")
def test_every_tile_may_come_first_and_equally_often():
    first = Counter(set_up(4, number)[1].of(TileRevealed)[0].tile_id for number in range(360))
    assert len(first) == 18
    assert all(6 <= count <= 38 for count in first.values()), "20 of 360 are expected of each"


def dealing(position, *tiles):
    """A setup of four players in which these tiles are drawn first."""
    return position(players=4, at="setup", draws=[*["oil"] * 44, *tiles])


@pytest.mark.rule("OF-2.10")
def test_a_third_tower_of_one_type_goes_back_and_another_tile_is_drawn(position):
    game = dealing(position, "small_tower_1", "small_tower_3", "medium_tower_1", "small_tower_2", "mixed_tower_1")
    assert game.opening.in_order(
        fact(TileRevealed, tile_id="small_tower_2"),
        fact(TileReturnedToDeck, tile_id="small_tower_2"),
        fact(TileRevealed, tile_id="mixed_tower_1"),
    )
    back = game.opening.index(game.opening.of(TileReturnedToDeck)[0])
    assert game.opening[back - 1] == game.opening.of(TileRevealed)[3], "it goes back at once"
    assert set(game.seen.building_market) >= {"small_tower_1", "small_tower_3", "medium_tower_1", "mixed_tower_1"}
    assert len(game.seen.building_market) == 6


@pytest.mark.rule("OF-2.10")
def test_the_tile_that_went_back_may_be_drawn_again_and_goes_back_again(position):
    again = ["small_tower_3"] * 4
    game = dealing(position, "small_tower_1", "small_tower_2", *again, "mixed_tower_1")
    assert game.opening.count(fact(TileReturnedToDeck, tile_id="small_tower_3")) == 4
    assert "small_tower_3" in game.state.tile_deck
    assert game.seen.building_market[:3] == ("small_tower_1", "small_tower_2", "mixed_tower_1")


@pytest.mark.rule("OF-2.10")
def test_a_tile_that_goes_back_is_drawn_with_the_whole_deck():
    returned = 0
    for number in range(60):
        _, facts, chance = set_up(4, number)
        in_deck = 18
        wanted = []
        for one in facts:
            if isinstance(one, TileRevealed):
                wanted.append(in_deck)
                in_deck -= 1
            elif isinstance(one, TileReturnedToDeck):
                in_deck += 1
                returned += 1
        assert bounds(chance)[44 : 44 + len(wanted)] == wanted
    assert returned > 3


@pytest.mark.rule("OF-2.10")
def test_three_expansions_may_lie_in_the_first_market(position):
    game = dealing(position, "refinery_expansion_1", "refinery_expansion_2", "refinery_expansion_3")
    assert TileReturnedToDeck not in game.opening
    assert game.seen.building_market[:3] == ("refinery_expansion_1", "refinery_expansion_2", "refinery_expansion_3")


@pytest.mark.rule("OF-2.10")
@pytest.mark.parametrize("players", [4, 5])
def test_no_first_market_has_three_towers_of_a_type(players):
    for number in range(60):
        state, _, _ = set_up(players, number)
        kinds = Counter(tile.rpartition("_")[0] for tile in state.tile_market)
        del kinds["refinery_expansion"]
        assert max(kinds.values()) <= 2


@pytest.mark.rule("OF-2.10")
def test_later_a_third_tower_of_a_type_stays(position):
    market = ["small_tower_1", "small_tower_2", "medium_tower_1", "mixed_tower_1", "mixed_tower_2"]
    game = position(players=4, at="end_of_round", building_market=market, draws=["small_tower_3"])
    assert TileReturnedToDeck not in game.opening
    assert game.seen.building_market == (*market, "small_tower_3")


@pytest.mark.rule("OF-2.11")
@pytest.mark.parametrize(("players", "cards", "among"), [(2, 3, 9), (3, 4, 12), (4, 4, 12), (5, 4, 12)])
def test_lease_cards_are_turned_up_at_random(players, cards, among):
    seen = set()
    for number in range(40):
        state, facts, chance = set_up(players, number)
        assert len(state.lease_market) == facts.count(LeaseRevealed) == cards
        assert len(state.lease_deck) == among - cards
        later = 2 if players == 2 else 1  # the dummy's space and the first player are drawn afterwards
        assert bounds(chance)[-later - cards : -later] == list(range(among, among - cards, -1))
        seen |= set(state.lease_market)
    assert len(seen) == among


@pytest.mark.rule("OF-2.12")
def test_no_square_is_closed_and_there_are_government_markers_enough(position):
    state, _, _ = set_up(3)
    assert {who for squares in state.tracks.values() for who in squares} == {-1}
    game = position().track("vp3", {6: "P0", 7: "P0"}).track("vp2", {3: "P0", 4: "P0"})
    for track in ("vp3", "vp3", "vp2", "vp2"):
        game.play("P0", SellInvestment(track))
    squares = game.seen.tracks
    assert [squares["vp3"][6], squares["vp3"][7], squares["vp2"][3], squares["vp2"][4]] == ["government"] * 4


@pytest.mark.rule("OF-2.13", "OF-2.14")
@PLAYERS
def test_markers_start_at_step_0_and_the_pot_at_1(players):
    state, facts, _ = set_up(players)
    assert state.steps == (0, 0, 0)
    assert state.exhausted == (False, False, False)
    assert state.subsidy_pot == 1
    assert [one.amount for one in facts.of(SubsidyIncreased)] == [1]


@pytest.mark.rule("OF-2.15")
@pytest.mark.parametrize("players", [3, 5])
def test_a_random_seat_becomes_the_first_player(players):
    first = Counter(set_up(players, number)[0].first_player for number in range(200))
    assert len(first) == players
    assert all(0.55 * 200 / players < count < 1.5 * 200 / players for count in first.values())
    _, facts, chance = set_up(players)
    assert bounds(chance)[-1] == players
    assert facts.count(FirstPlayerChosen) == 1


@pytest.mark.rule("OF-2.1", "OF-2.7", "OF-2.15")
@PLAYERS
def test_the_order_of_setup(players):
    state, facts, _ = set_up(players)
    order = list(dict.fromkeys(type(one) for one in facts))
    few, dummy = players < 4, players == 2
    assert order == [
        GameConfigured,
        *([TilesRemoved] if few else []),
        *([DummyPrepared] if dummy else []),
        StartingCubesDrawn,
        FieldFilled,
        StrikeCubeReturnedToBag,
        TileRevealed,
        *([TileReturnedToDeck] if TileReturnedToDeck in facts else []),
        LeaseRevealed,
        SubsidyIncreased,
        *([DummyWorkerMoved] if dummy else []),
        FirstPlayerChosen,
        RoundStarted,
        PhaseStarted,
        DecisionOpened,
    ]
    assert (state.round, state.is_final) == (1, False)
    assert fact(PhaseStarted, phase="public_selection") in facts
