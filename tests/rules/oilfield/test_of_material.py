"""OF-1: configuration, material, and what is open information."""

import pytest

from wellhead.oilfield.v1 import view_pb2
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import RULESET
from wellhead_rules.oilfield.commands import CommitPrivateAction, PlaceWorker, TakeLease, TakeSubsidy
from wellhead_rules.oilfield.content import packs
from wellhead_rules.oilfield.events import DummyPrepared, GameConfigured, GameEnded, SubsidyTaken
from wellhead_rules.oilfield.facts import Facts, fact

CONTENT = packs()["oilfield_house"]
BASIC = {"small_tower", "medium_tower", "mixed_tower", "small_local_tower", "medium_local_tower", "refinery_expansion"}
ADVANCED = {"small_national_tower", "government_tower", "gas_refinery_expansion"}
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4, 5])


def set_up(players, number=1, **options):
    """The engine's own setup with one of many seeds: the state and the facts."""
    state = RULESET.new("oilfield_house", RULESET.options(options, players), RULESET.colours([""] * players))
    facts = RULESET.begin(state, Chance(number.to_bytes(32, "big")))
    return state, Facts(facts, [f"P{seat}" for seat in range(players)])


def configured(players, **options):
    return set_up(players, **options)[1].of(GameConfigured)[0]


def types(tiles):
    return {tile.rpartition("_")[0] for tile in tiles}


@pytest.mark.rule("OF-1.1")
def test_two_to_five_play_and_two_with_a_dummy():
    assert list(RULESET.seat_counts) == [2, 3, 4, 5]
    for players in RULESET.seat_counts:
        state, facts = set_up(players)
        assert len(state.players) == len(facts.of(GameConfigured)[0].seats) == players
        assert (DummyPrepared in facts) == (players == 2)


@pytest.mark.rule("OF-1.2")
@PLAYERS
def test_without_advanced_towers_their_tiles_are_not_part_of_the_game(players):
    assert RULESET.options({}, players)["advanced_towers"] == "false"
    assert types(configured(players).tile_ids) == BASIC
    state, _ = set_up(players)
    assert types(state.tile_deck + state.tile_market + state.removed_tiles) <= BASIC
    assert types(configured(players, advanced_towers="true").tile_ids) == BASIC | ADVANCED


@pytest.mark.rule("OF-1.2")
def test_an_option_has_only_the_values_listed():
    for chosen in ({"advanced_towers": "maybe"}, {"dummy_timing": "never"}, {"fast": "true"}):
        with pytest.raises(RuleViolation, match="UNKNOWN_OPTION"):
            RULESET.options(chosen, 2)


@pytest.mark.rule("OF-1.3")
@PLAYERS
def test_the_material(players):
    material = configured(players, advanced_towers="true")
    assert len(material.tile_ids) == len(set(material.tile_ids)) == 24
    cards = [card.partition("_")[0] for card in material.lease_ids]
    assert (len(cards), len(set(material.lease_ids))) == (12, 12)
    assert [cards.count(field) for field in ("dallas", "austin", "pecos")] == [3, 4, 5]
    assert (material.bag_oil, material.bag_gas) == (49, 21)
    for seat in material.seats:
        assert seat.lease_markers == 4
        assert seat.storage == 3
    assert CONTENT.kit.investment_markers == 6
    assert CONTENT.data.resources.strike_cube.count == 1


@pytest.mark.rule("OF-1.3")
def test_a_player_has_one_worker_and_five_action_cards(position):
    game = position(players=3, turn="P2").player("P0", worker="build_1").player("P1", worker="build_2")
    game.play("P2", PlaceWorker("drill_1"))
    assert {kind for _, kind in game.decisions} == {"commit_private"}, "nobody has another worker to place"
    for seat in ("P0", "P1", "P2"):
        assert len(game.legal(seat, CommitPrivateAction)) == 5


@pytest.mark.rule("OF-1.4")
def test_seven_types_of_tower_and_two_of_expansion_in_three_copies_and_two_of_the_advanced():
    tiles = configured(4, advanced_towers="true").tile_ids
    assert sorted(tiles) == sorted(
        [f"{kind}_{copy}" for kind in BASIC for copy in (1, 2, 3)]
        + [f"{kind}_{copy}" for kind in ADVANCED for copy in (1, 2)]
    )
    assert {kind.id for kind in CONTENT.kinds.values() if kind.is_tower} == {
        "small_tower", "medium_tower", "mixed_tower", "small_local_tower", "medium_local_tower",
        "small_national_tower", "government_tower",
    }  # fmt: skip
    assert len(CONTENT.kinds) == 9


@pytest.mark.rule("OF-1.5")
def test_the_bank_never_runs_out(position):
    game = position(subsidy_pot=1000).player("P0", coins=999).acting("P0", "subsidy")
    assert fact(SubsidyTaken, seat="P0", coins=1000) in game.play("P0", TakeSubsidy())
    assert game["P0"].coins == 1999


@pytest.mark.rule("OF-1.5")
def test_a_player_pays_only_with_coins_held(position):
    game = position(players=4, lease_market=["dallas_lease_1", "pecos_lease_1"])
    game.player("P0", coins=6).track("vp3", {6: "P0"}).acting("P0", "lease", price=7)
    assert game.legal("P0", TakeLease) == []
    refusal = game.refused("P0", TakeLease("dallas"))
    assert (refusal.code, refusal.clause) == ("INSUFFICIENT_COINS", "OF-1.5")
    exact = position(players=4).player("P0", coins=7).acting("P0", "lease", price=7)
    exact.play("P0", TakeLease("dallas"))
    assert exact["P0"].coins == 0


def public_view(state, viewer):
    """The table as the viewer sees it, action cards left out, and the cards."""
    table = view_pb2.View()
    table.CopyFrom(RULESET.view(state, viewer).oilfield)
    cards = [player.card for player in table.players]
    for player in table.players:
        player.ClearField("card")
    return table, cards


@pytest.mark.rule("OF-1.6")
def test_everything_but_committed_cards_is_open(position):
    game = position(players=3, at="private_selection", options={"advanced_towers": "true"}, strike="austin")
    game.player("P0", coins=3, oil=1, gas=2, vp=9, card="local").player("P2", expansions=["refinery_expansion_2"])
    game.slot("pecos_slot_2", "P1", "government_tower_2").track("vp3", {6: "P1", 7: "government"})
    tables = {viewer: public_view(game.state, viewer) for viewer in (0, 1, 2, None)}
    assert all(table == tables[None][0] for table, _ in tables.values())
    shown = tables[None][0]
    for player, seen in zip(shown.players, game.state.players, strict=True):
        assert (player.coins, player.oil, player.gas, player.storage) == (seen.coins, seen.oil, seen.gas, seen.storage)
        assert tuple(player.leases) == seen.leases
        assert player.victory_points == seen.total
    assert (shown.bag.oil, shown.bag.gas) == (game.state.bag_oil, game.state.bag_gas)
    assert len(shown.lease_deck) == len(game.state.lease_deck)
    assert len(shown.building_deck) == len(game.state.tile_deck)
    assert tuple(shown.building_market) == game.state.tile_market
    assert {tuple(track.squares) for track in shown.investment_tracks} == set(game.state.tracks.values())


@pytest.mark.rule("OF-1.6", "OF-4.12")
def test_a_committed_card_is_shown_to_its_player_alone(position):
    game = position(players=3, at="private_selection")
    facts = game.play("P1", CommitPrivateAction("national"))
    for viewer, seat in (("P0", 0), ("P2", 2), ("spectator", None)):
        assert [one.card for one in game.shown(viewer, facts) if hasattr(one, "card")] == [0]
        assert public_view(game.state, seat)[1] == [0, 0, 0]
    assert public_view(game.state, 1)[1] == [0, 5, 0]


@pytest.mark.rule("OF-1.6")
def test_decks_have_no_order_that_could_be_seen():
    for number in range(10):
        state, _ = set_up(4, number, advanced_towers="true")
        assert list(state.tile_deck) == sorted(state.tile_deck, key=CONTENT.tiles.index)
        assert list(state.lease_deck) == sorted(state.lease_deck, key=CONTENT.leases.index)


@pytest.mark.rule("OF-1.7")
@pytest.mark.parametrize("winner", ["P0", "P1", "P2"])
def test_the_highest_total_wins(position, winner):
    game = position(at="final_scoring")
    for seat in ("P0", "P1", "P2"):
        game.player(seat, vp=9 if seat == winner else 7)
    assert fact(GameEnded, winners=[winner]) in game.record_scores()


@pytest.mark.rule("OF-1.8")
def test_when_the_dummy_acts_can_be_chosen_with_two_players_only():
    assert RULESET.options({}, 2)["dummy_timing"] == "before_reveal"
    assert configured(2).dummy_timing == "before_reveal"
    assert configured(2, dummy_timing="between_players").dummy_timing == "between_players"
    for players in (3, 4, 5):
        assert configured(players).dummy_timing == ""
        with pytest.raises(RuleViolation, match="UNKNOWN_OPTION"):
            RULESET.options({"dummy_timing": "between_players"}, players)
