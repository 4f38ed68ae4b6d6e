"""OF-19 and section G: the final score."""

import pytest

from wellhead_rules.oilfield.events import FinalScoreAdded, GameEnded
from wellhead_rules.oilfield.facts import fact

EXPANSIONS = ["refinery_expansion_1", "refinery_expansion_2", "refinery_expansion_3"]
SEATS = ("P0", "P1", "P2", "P3")


def scoring(position, *coins, **said):
    """Four players; only money decides how much each has unless more is said."""
    game = position(players=4, at="final_scoring", **said)
    for seat, own in zip(SEATS, coins or (3, 2, 1, 0), strict=True):
        game.player(seat, coins=own)
    return game


def ranked(game):
    """Who comes where: names by rank."""
    ended = game.record_scores().of(GameEnded)[0]
    places = {}
    for one in ended.ranking:
        places.setdefault(one.rank, []).append(SEATS[one.seat])
    assert [SEATS[seat] for seat in ended.winners] == places[1]
    return places


@pytest.mark.rule("OF-19.1")
def test_the_score_starts_from_the_vp_track(position):
    game = scoring(position).player("P1", vp_by_category={"vp_investments": 5, "vp_local_market": 4})
    game.track("vp5", {12: "P1"})
    facts = game.record_scores()
    assert not facts.has(fact(FinalScoreAdded, seat="P1"))
    assert game["P1"].vp == 9
    assert game["P1"].vp_by_category["vp_investments"] == 5
    assert game["P1"].vp_by_category["vp_local_market"] == 4


@pytest.mark.rule("OF-19.1")
def test_investments_and_local_sales_stand_in_the_card(position):
    game = scoring(position).player("P1", vp=9).track("vp5", {12: "P1"})
    lines = {(line.category, line.points) for line in game.score.lines if line.seat == 1}
    assert lines == {("vp_investments", 5), ("vp_local_market", 4)}


@pytest.mark.rule("OF-19.2")
def test_a_point_for_every_lease_card_with_or_without_a_tower(position):
    game = scoring(position).slot("dallas_slot_1", "P1", "small_tower_1").slot("pecos_slot_1", "P1")
    game.slot("pecos_slot_2", "P1").slot("austin_slot_1", "P2", "mixed_tower_1").slot("pecos_slot_3", "P1")
    facts = game.record_scores()
    leases = [(one.seat, one.vp) for one in facts.of(FinalScoreAdded) if one.category == 3]
    assert leases == [(1, 4), (2, 1)]


@pytest.mark.rule("OF-19.3")
@pytest.mark.parametrize(
    ("expansions", "oil", "gas", "units"),
    [
        (0, 2, 0, 0), (0, 2, 1, 1), (0, 3, 0, 1),
        (1, 0, 1, 0), (1, 2, 0, 1), (1, 1, 1, 1), (1, 2, 1, 1), (1, 3, 1, 1), (1, 3, 2, 2),
        (2, 3, 0, 1), (2, 4, 0, 2), (2, 5, 1, 2), (2, 4, 3, 3),
        (3, 0, 5, 2), (3, 6, 0, 3), (3, 6, 2, 3), (3, 6, 3, 4),
    ],
)  # fmt: skip
def test_a_point_for_every_full_storage_unit_in_the_best_arrangement(position, expansions, oil, gas, units):
    game = scoring(position).player("P1", oil=oil, gas=gas, expansions=EXPANSIONS[:expansions])
    facts = game.record_scores()
    assert game["P1"].vp_by_category["vp_full_storage"] == units
    assert facts.count(fact(FinalScoreAdded, seat="P1", category="vp_full_storage")) == (units > 0)


@pytest.mark.rule("OF-19.4")
@pytest.mark.parametrize(
    ("coins", "points"),
    [
        ((4, 9, 8, 0), (0, 2, 0, 0)),
        ((14, 14, 9, 0), (1, 1, 0, 0)),
        ((5, 14, 14, 14), (0, 1, 1, 1)),
        ((0, 0, 0, 0), (1, 1, 1, 1)),
    ],
)
def test_the_most_coins_bring_two_points_or_one_each(position, coins, points):
    game = scoring(position, *coins)
    game.record_scores()
    assert tuple(game[seat].vp_by_category["vp_most_money"] for seat in SEATS) == points


@pytest.mark.rule("OF-19.4")
def test_the_points_for_money_come_last(position):
    game = scoring(position, 9, 9, 0, 0).player("P3", leases=["pecos_lease_1"]).player("P1", oil=3)
    categories = [one.category for one in game.record_scores().of(FinalScoreAdded)]
    assert categories == [3, 4, 5, 5]


@pytest.mark.rule("OF-19.5")
def test_the_highest_total_wins(position):
    game = scoring(position, 9, 1, 1, 0).player("P0", vp=4).player("P1", vp=9).player("P2", vp=7)
    assert ranked(game) == {1: ["P1"], 2: ["P2"], 3: ["P0"], 4: ["P3"]}


@pytest.mark.rule("OF-19.5")
def test_the_total_that_counts_includes_the_points_of_the_end(position):
    game = scoring(position, 9, 1, 1, 0).player("P0", vp=8).player("P1", vp=9)
    assert ranked(game) == {1: ["P0"], 2: ["P1"], 3: ["P3"], 4: ["P2"]}


@pytest.mark.rule("OF-19.5")
def test_a_tie_goes_to_fewer_coins(position):
    game = scoring(position, 6, 4, 9, 9).player("P0", vp=21).player("P1", vp=21)
    assert ranked(game) == {1: ["P1"], 2: ["P0"], 3: ["P2", "P3"]}


@pytest.mark.rule("OF-19.5")
def test_then_to_fewer_lease_cards(position):
    game = scoring(position, 4, 4, 9, 0).player("P0", vp=20, leases=["pecos_lease_1"]).player("P1", vp=21)
    assert ranked(game) == {1: ["P1"], 2: ["P0"], 3: ["P2"], 4: ["P3"]}


@pytest.mark.rule("OF-19.5")
def test_fewer_coins_come_before_fewer_lease_cards(position):
    game = scoring(position, 3, 4, 9, 0).player("P0", vp=20, leases=["pecos_lease_1"]).player("P1", vp=21)
    assert ranked(game)[1] == ["P0"]


@pytest.mark.rule("OF-19.5")
def test_then_the_win_is_shared_and_listed_by_seat(position):
    game = scoring(position, 9, 4, 9, 4).player("P3", vp=21).player("P1", vp=21)
    assert ranked(game) == {1: ["P1", "P3"], 3: ["P0", "P2"]}
