"""OR-END: final scoring, and the breakdown of section G.3."""

import pytest

from wellhead_rules.oil_rock.events import CategoryScored, GameEnded
from wellhead_rules.oil_rock.facts import fact

CATEGORIES = ["depth", "modern_refineries", "offices", "progress", "structures", "patents", "resources"]


def final(position, **white):
    """The facts of the final scoring of two players, of whom red has nothing."""
    return position(at="final_scoring").player("white", **white).record_scores()


def scored(facts, colour="white"):
    """Points by category."""
    seat = facts.colours.index(colour)
    return {event.category.name.lower(): event.vp for event in facts.of(CategoryScored) if event.player == seat}


@pytest.mark.rule("OR-END.1")
@pytest.mark.parametrize(("depth", "vp"), [(1, 0), (2, 2), (3, 5), (4, 10)])
@pytest.mark.parametrize("well", ["yellow", "green", "blue"])
def test_a_well_scores_by_its_depth(position, well, depth, vp):
    offices = [f"{region} from {well}" for region in ("R01", "R04")]
    facts = final(position, depth={well: depth}, offices=offices)
    assert fact(CategoryScored, player="white", category="depth", vp=vp) in facts


@pytest.mark.rule("OR-END.1")
def test_the_depths_of_the_three_wells_are_added(position):
    depth, offices = {"yellow": 3, "green": 4, "blue": 2}, ["R01 from yellow", "R02 from green", "R03 from green"]
    assert scored(final(position, depth=depth, offices=offices))["depth"] == 17


@pytest.mark.rule("OR-END.2")
@pytest.mark.parametrize(("slot", "vp"), [(1, 2), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4)])
def test_a_modern_refinery_flanked_by_a_turbine_scores(position, slot, vp):
    assert scored(final(position, refineries=12, turbines={"TU6": slot}))["modern_refineries"] == vp


@pytest.mark.rule("OR-END.2")
def test_all_flanked_modern_refineries_are_added(position):
    turbines = {f"TU{slot}": slot for slot in range(1, 7)}
    assert scored(final(position, refineries=12, turbines=turbines))["modern_refineries"] == 18


@pytest.mark.rule("OR-END.2")
@pytest.mark.parametrize(
    ("refineries", "turbines"),
    [(12, {}), (6, {"TU1": 1, "TU2": 6}), (8, {"TU1": 3, "TU2": 6}), (0, {"TU1": 1})],
    ids=["no turbine", "early refineries", "turbines elsewhere", "empty slot"],
)
def test_without_a_turbine_and_before_number_seven_refineries_score_nothing(position, refineries, turbines):
    assert scored(final(position, refineries=refineries, turbines=turbines))["modern_refineries"] == 0


@pytest.mark.rule("OR-END.3")
def test_an_office_scores_its_slot(position):
    game = position(at="final_scoring", players=3)
    game.region("R07", offices=["red", "white", "blue"]).region("R01", offices=["blue", "white"])
    facts = game.record_scores()
    assert scored(facts, "white")["offices"] == 4 + 2
    assert scored(facts, "red")["offices"] == 5
    assert scored(facts, "blue")["offices"] == 3 + 3


TRACK = {0: 0, 3: 0, 32: 0, 33: 1, 34: 1, 35: 2, 36: 2, 37: 3, 38: 4, 39: 5, 40: 6, 41: 7, 42: 8}


@pytest.mark.rule("OR-END.4")
@pytest.mark.parametrize(("space", "vp"), TRACK.items())
def test_the_space_of_the_marker_scores_what_is_printed_there(position, space, vp):
    assert scored(final(position, progress=space))["progress"] == vp


@pytest.mark.rule("OR-END.4")
def test_the_marker_counts_and_not_the_best_space(position):
    assert scored(final(position, progress=38, best_space=39))["progress"] == 4


@pytest.mark.rule("OR-END.5")
def test_each_structure_scores_by_its_own_condition(position):
    assert scored(final(position, improvements=["IM32"], refineries=7))["structures"] == 7
    assert scored(final(position, improvements=["IM31"], refineries=7, offices=["R01", "R02"]))["structures"] == 4
    both = final(position, improvements=["IM31", "IM32"], refineries=7, offices=["R01", "R02"])
    assert scored(both)["structures"] == 11


@pytest.mark.rule("OR-END.5")
@pytest.mark.parametrize(("own", "vp"), [(["BC1"], 0), (["BC1", "BC3"], 5), (["BC1", "BC3", "BC5"], 10)])
def test_a_structure_for_the_most_compares_the_players(position, own, vp):
    game = position(at="final_scoring").player("white", improvements=["IM43"], briefcases=own)
    facts = game.player("red", briefcases=["BC2", "BC4"]).record_scores()
    assert (scored(facts)["structures"], scored(facts, "red")["structures"]) == (vp, 0)


@pytest.mark.rule("OR-END.6")
@pytest.mark.parametrize("patents", [0, 1, 7])
def test_a_patent_left_scores_one(position, patents):
    assert scored(final(position, patents=patents))["patents"] == patents


@pytest.mark.rule("OR-END.7")
@pytest.mark.parametrize(
    ("tools", "coins", "coal", "vp"),
    [(0, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (5, 0, 0, 1), (5, 5, 3, 4)],
)
def test_resources_of_all_kinds_are_added_and_divided_once(position, tools, coins, coal, vp):
    assert scored(final(position, tools=tools, coins=coins, coal=coal))["resources"] == vp


@pytest.mark.rule("OR-END.8")
@pytest.mark.parametrize(
    "said",
    [
        {"barrels": {"yellow": 1, "green": 1, "blue": 1}},
        {"energy": 9},
        {"improvements": ["IM01", "IM06"]},
        {"improvements": ["IM16", "IM27"]},
        {"briefcases": ["BC1", "BC2"]},
        {"extra_actions": {"XA1": 1}},
        {"turbines": {"TU1": 1}},
        {},
    ],
)
def test_nothing_else_scores_by_itself(position, said):
    facts = final(position, **said)
    assert scored(facts) == dict.fromkeys(CATEGORIES, 0)
    assert {place.total for place in facts.of(GameEnded)[0].ranking} == {0}


EXAMPLE = {
    "vp": 31,
    "depth": {"yellow": 3, "green": 4, "blue": 2},
    "refineries": 8,
    "turbines": {"TU1": 1, "TU2": 2},
    "progress": 39,
    "improvements": ["IM01", "IM02", "IM16", "IM17", "IM36", "IM43"],
    "briefcases": ["BC1"],
    "patents": 1,
    "tools": 5,
    "coins": 5,
    "coal": 3,
}


@pytest.mark.rule("OR-END.9")
def test_the_example_of_the_rulebook(position):
    game = position(at="final_scoring", players=["blue", "red", "white"]).player("blue", **EXAMPLE)
    wells = ["yellow", "yellow", "green", "green", "blue"]
    for region, well in zip(["R02", "R03", "R05", "R01", "R04"], wells, strict=True):
        game.region(region, offices=[f"blue from {well}"])
    game.region("R06", offices=["red", "white", "blue from blue"])
    facts = game.record_scores()
    assert scored(facts, "blue") == dict(zip(CATEGORIES, [17, 4, 20, 5, 22, 1, 4], strict=True))
    winner = facts.of(GameEnded)[0].ranking[0]
    assert (winner.player, winner.total) == (game.seat("blue"), 104)


@pytest.mark.rule("OR-END.9")
def test_points_in_play_and_final_points_are_added_and_the_highest_total_wins(position):
    game = position(at="final_scoring", players=3)
    game.player("white", vp=10).player("red", vp=8, patents=1, tools=3).player("blue", vp=5, progress=40)
    ranking = game.record_scores().of(GameEnded)[0].ranking
    assert [(place.player, place.total) for place in ranking] == [
        (game.seat("blue"), 11), (game.seat("red"), 10), (game.seat("white"), 10),
    ]  # fmt: skip


@pytest.mark.rule("OR-END.9", "OR-GEN.3")
def test_every_category_is_recorded_for_every_player_also_when_it_is_nothing(position):
    facts = position(at="final_scoring", players=4).record_scores()
    for colour in ("white", "red", "blue", "yellow"):
        assert list(scored(facts, colour)) == CATEGORIES
    assert facts.count(GameEnded) == 1


@pytest.mark.rule("OR-END.10")
def test_a_tie_goes_to_the_player_ahead_on_the_track(position):
    game = position(at="final_scoring").player("white", vp=5, progress=9).player("red", vp=5, progress=10)
    ranking = game.record_scores().of(GameEnded)[0].ranking
    assert [place.player for place in ranking] == [game.seat("red"), game.seat("white")]
    assert [place.total for place in ranking] == [5, 5]


@pytest.mark.rule("OR-END.10")
@pytest.mark.parametrize(
    ("stack_tie", "ranking"),
    [
        ("LOWER_AHEAD", ["blue", "white", "yellow", "red"]),
        ("LOWER_BEHIND", ["red", "yellow", "white", "blue"]),
    ],
)
def test_ties_inside_a_stack_give_a_strict_ranking(position, stack_tie, ranking):
    game = position(at="final_scoring", players=4, options={"stack_tie": stack_tie})
    game.say(stacks={12: ["blue", "white", "yellow", "red"]})
    ended = game.record_scores().of(GameEnded)[0]
    assert [place.player for place in ended.ranking] == [game.seat(colour) for colour in ranking]


@pytest.mark.rule("OR-END.11")
@pytest.mark.parametrize("players", [["white", "red", "blue"], ["blue", "red", "white"], ["red", "blue", "white"]])
def test_all_structures_look_at_the_same_final_state(position, players):
    game = position(at="final_scoring", players=players)
    game.player("white", improvements=["IM43", "IM44"], briefcases=["BC1", "BC2"], depth={"green": 2})
    game.player("red", improvements=["IM41"], briefcases=["BC1"], depth={"green": 2}, offices=["R02"])
    game.player("blue", improvements=["IM45"], offices=["R03"], briefcases=["BC4"])
    facts = game.record_scores()
    assert scored(facts, "white")["structures"] == 10 + 4
    assert scored(facts, "red")["structures"] == 4
    assert scored(facts, "blue")["structures"] == 4


@pytest.mark.rule("OR-END.11")
def test_a_structure_counts_the_structures_beside_it(position):
    improvements = ["IM01", "IM02", "IM16", "IM17", "IM36", "IM31"]
    assert scored(final(position, improvements=improvements))["structures"] == 12
