"""B.2 Setup."""

from itertools import permutations

import pytest

from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import RULESET
from wellhead_rules.oil_rock.commands import ChooseCharacter, OpenBriefcase, UseExtraAction
from wellhead_rules.oil_rock.content import packs
from wellhead_rules.oil_rock.described import seen
from wellhead_rules.oil_rock.events import (
    ActionTilePlaced,
    CharacterTaken,
    DecisionOpened,
    GoalPlaced,
    GoodsChanged,
    ImprovementRevealed,
    PhaseTurnStarted,
    ProgressMarkerPlaced,
    RailwayTokenPlaced,
    RegionTilePlaced,
    RoundStarted,
    TrainPlaced,
    TurnOrderSet,
)
from wellhead_rules.oil_rock.facts import Facts, fact
from wellhead_rules.oil_rock.progress import furthest_back_first

COLOURS = ("white", "red", "blue", "yellow")
CONTENT = packs()["oil_rock_house"]
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
TILES = {
    2: [1, 2, 3, 4, 5, 6, 7, 15, 16, 17],
    3: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    4: [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14],
}

MAP = """
R01 plains 1 2 3,2,1 R02,R05
R02 mountains 3 4 5,4,3 R01,R03,R05,R06
R03 hills 2 3 4,3,2 R02,R04,R06,R07
R04 plains 1 2 3,2,1 R03,R07,R08
R05 hills 2 3 4,3,2 R01,R02,R06,R09,R10
R06 plains 1 2 3,2,1 R02,R03,R05,R07,R10,R11
R07 mountains 3 4 5,4,3 R03,R04,R06,R08,R11,R12
R08 hills 2 3 4,3,2 R04,R07,R12
R09 mountains 3 4 5,4,3 R05,R10
R10 hills 2 3 4,3,2 R05,R06,R09,R11
R11 plains 1 2 3,2,1 R06,R07,R10,R12
R12 mountains 3 4 5,4,3 R07,R08,R11
""".split("\n")[1:-1]
"""Region, terrain, Coal for the Train, Tools for an Office, slots, neighbours (H.6)."""


def set_up(players, number=1, **options):
    """The engine's own setup with one of many seeds: the state and the facts."""
    colours = COLOURS[:players]
    state = RULESET.new("oil_rock_house", RULESET.options(options, len(colours)), colours)
    facts = RULESET.begin(state, Chance(number.to_bytes(32, "big")))
    return state, Facts(facts, colours)


@pytest.mark.rule("OR-SETUP.1")
def test_the_map_is_fixed():
    rows = [
        f"{region} {datum.terrain} {CONTENT.train_cost[region]} {CONTENT.office_cost[region]} "
        f"{','.join(map(str, CONTENT.office_slots[region]))} {','.join(sorted(datum.adjacent))}"
        for region, datum in CONTENT.regions.items()
    ]
    assert rows == MAP
    for number in range(5):
        assert list(set_up(2, number)[0].offices) == [row.split()[0] for row in MAP]


@pytest.mark.rule("OR-SETUP.2")
@pytest.mark.parametrize(("players", "spaces"), [(2, 5), (3, 5), (4, 6)])
def test_each_ring_has_five_spaces_or_six_with_four_players(players, spaces):
    state, facts = set_up(players)
    assert len(state.outer) == len(state.inner) == spaces
    assert len(facts.of(ActionTilePlaced)) == 2 * spaces


@pytest.mark.rule("OR-SETUP.3")
@PLAYERS
def test_the_tiles_of_the_player_count_are_shuffled_onto_the_wheel(players):
    marked = {f"AT{number:02}" for number in TILES[players]}
    layouts = set()
    for number in range(20):
        state, _ = set_up(players, number)
        assert set(state.outer + state.inner) == marked
        assert len(state.outer + state.inner) == len(marked)
        layouts.add(state.outer + state.inner)
    assert len(layouts) == 20


@pytest.mark.rule("OR-SETUP.4")
def test_region_tiles_are_shuffled_onto_regions_of_their_terrain():
    at_r07 = set()
    for number in range(40):
        state, facts = set_up(2, number)
        assert set(state.region_tile.values()) == set(CONTENT.region_tiles)
        for region, tile in state.region_tile.items():
            assert CONTENT.region_tiles[tile].terrain == CONTENT.terrain[region]
        assert len(facts.of(RegionTilePlaced)) == 12
        at_r07.add(state.region_tile["R07"])
    assert at_r07 == {"RT_M1", "RT_M2", "RT_M3", "RT_M4"}


@pytest.mark.rule("OR-SETUP.5")
def test_railway_tokens_are_shuffled_onto_regions_of_their_terrain():
    at_r01 = set()
    for number in range(40):
        state, facts = set_up(2, number)
        assert set(state.railway_token.values()) == set(CONTENT.railway_tokens)
        for region, token in state.railway_token.items():
            assert CONTENT.railway_tokens[token].terrain == CONTENT.terrain[region]
        assert len(facts.of(RailwayTokenPlaced)) == 12
        at_r01.add(state.railway_token["R01"])
    assert at_r01 == {"RW_P1", "RW_P2", "RW_P3", "RW_P4"}


@pytest.mark.rule("OR-SETUP.6")
def test_four_of_the_fourteen_goals_are_in_play():
    first = set()
    for number in range(200):
        state, facts = set_up(3, number)
        assert [one.position for one in facts.of(GoalPlaced)] == [1, 2, 3, 4]
        assert len(set(state.goals)) == 4
        first.add(state.goals[0])
    assert first == {f"GO{number:02}" for number in range(1, 15)}


@pytest.mark.rule("OR-SETUP.6")
def test_the_goal_of_round_one_is_the_one_at_position_one(position):
    game = position(phase="goals", at="end_of_phase", goals=["GO09", "GO04"]).player("white", improvements=["IM01"])
    game.record_scores()
    assert (game["white"].vp, game["red"].vp) == (4, 0)


@pytest.mark.rule("OR-SETUP.7")
@pytest.mark.parametrize(("players", "shown"), [(2, 6), (3, 7), (4, 8)])
def test_cards_are_revealed_from_a_shuffled_deck_of_45(players, shown):
    firsts = set()
    for number in range(60):
        state, facts = set_up(players, number)
        revealed = [one.improvement for one in facts.of(ImprovementRevealed)]
        assert len(revealed) == shown == len(set(revealed))
        assert len(state.deck) == 45 - shown
        assert set(state.deck) | set(revealed) == set(CONTENT.improvements)
        firsts.add(revealed[0])
    assert len(firsts) > 25


@pytest.mark.rule("OR-SETUP.8")
@PLAYERS
def test_the_display_is_listed_by_card_number(players):
    for number in range(20):
        state, facts = set_up(players, number)
        assert list(state.display) == sorted(one.improvement for one in facts.of(ImprovementRevealed))


@pytest.mark.rule("OR-SETUP.9")
def test_every_player_has_a_colour_of_the_own():
    with pytest.raises(RuleViolation) as refused:
        RULESET.colours(["red", "white", "red"])
    assert (refused.value.code, refused.value.clause) == ("DUPLICATE_COLOUR", "OR-SETUP.9")
    assert RULESET.colours(["", "white", "", "red"]) == ["blue", "white", "yellow", "red"]


@pytest.mark.rule("OR-SETUP.9", "OR-SETUP.14", "OR-SETUP.15")
@PLAYERS
def test_boards_are_empty_and_nothing_is_scored(players):
    state, _ = set_up(players)
    for colour in COLOURS[:players]:
        player = getattr(seen(state), colour)
        assert (player.refineries, player.turbines, player.briefcases, player.extra_actions) == (0, {}, (), {})
        assert (player.vp, player.assistants, player.managers) == (0, 0, 0)
        assert player.barrels == {"yellow": 0, "green": 0, "blue": 0}
        assert (player.improvements, player.offices, player.workers) == ((), (), ())


@pytest.mark.rule("OR-SETUP.14")
def test_every_briefcase_and_every_extra_action_is_available(position):
    game = position(at="start_of_round").player("white", patents=9, tools=9, coins=9, coal=9)
    assert {one.briefcase for one in game.legal("white", OpenBriefcase)} == {f"BC{n}" for n in range(1, 7)}
    assert {one.extra_action for one in game.legal("white", UseExtraAction)} == {f"XA{n}" for n in range(1, 7)}


@pytest.mark.rule("OR-SETUP.10")
def test_the_first_turn_order_is_random_or_that_of_the_seats():
    random = {set_up(3, number)[0].turn_order for number in range(80)}
    assert random == set(permutations(range(3)))
    seated = {set_up(3, number, initial_turn_order="SEAT_ORDER")[0].turn_order for number in range(10)}
    assert seated == {(0, 1, 2)}


@pytest.mark.rule("OR-SETUP.11")
@PLAYERS
@pytest.mark.parametrize("stack_tie", ["LOWER_AHEAD", "LOWER_BEHIND"])
def test_the_first_stack_gives_the_first_turn_order(players, stack_tie):
    for number in range(6):
        state, _ = set_up(players, number, stack_tie=stack_tie)
        names = [COLOURS[seat] for seat in state.turn_order]
        bottom_to_top = names[::-1] if stack_tie == "LOWER_AHEAD" else names
        assert seen(state).stacks == {3: tuple(bottom_to_top)}
        assert furthest_back_first(state) == state.turn_order


@pytest.mark.rule("OR-SETUP.12")
@PLAYERS
def test_everybody_starts_at_level_one_on_space_three(players):
    state, _ = set_up(players)
    assert [(player.level, player.space, player.best_space) for player in state.players] == [(1, 3, 3)] * players


@pytest.mark.rule("OR-SETUP.13")
def test_offices_lie_on_the_second_and_third_drill_of_every_well():
    state, _ = set_up(2)
    for player in RULESET.view(state, None).oil_rock.players:
        wells = [(well.depth, list(well.covered_positions)) for well in player.wells]
        assert wells == [(1, [2, 3])] * 3


@pytest.mark.rule("OR-SETUP.16")
def test_characters_are_taken_in_reverse_turn_order(position):
    game = position(players=4, at="characters", turn_order=["red", "yellow", "white", "blue"])
    left = ["lukasiewicz", "bissel", "carnegie", "drake", "rockefeller", "vanderbilt"]
    for colour, taken in (("blue", "drake"), ("white", "carnegie"), ("yellow", "bissel"), ("red", "vanderbilt")):
        assert game.decision == (colour, "choose_character")
        assert [one.character for one in game.legal(colour)] == left
        if len(left) < 6:
            refusal = game.refused(colour, ChooseCharacter("drake"))
            assert (refusal.code, refusal.clause) == ("CHARACTER_TAKEN", "OR-SETUP.16")
        assert fact(CharacterTaken, player=colour, character=taken) in game.play(colour, ChooseCharacter(taken))
        left.remove(taken)
    assert game.decision == ("blue", "deploy")


@pytest.mark.rule("OR-SETUP.16")
def test_characters_may_be_dealt_instead():
    seen_by_white = set()
    for number in range(60):
        state, facts = set_up(3, number, character_selection="RANDOM")
        characters = [player.character for player in state.players]
        assert len(set(characters)) == 3
        assert [one.player for one in facts.of(CharacterTaken)] == list(state.turn_order)
        assert fact(DecisionOpened, kind="choose_character") not in facts
        seen_by_white.add(characters[0])
    assert seen_by_white == set(CONTENT.characters)


@pytest.mark.rule("OR-SETUP.17")
def test_lukasiewicz_has_no_use_for_energy_below_level_three(position):
    game = position(phase="oil_refining", at="start_of_turn", turn="white")
    game.player("white", character="lukasiewicz", progress=12, barrels={"yellow": 1, "green": 1}, refineries=1)
    assert fact(PhaseTurnStarted, player="white", energy_mode=False, ability_tier=0) in game.opening
    assert game["white"].energy == 0
    assert game.decision == ("white", "phase_menu")


@pytest.mark.rule("OR-SETUP.18")
def test_supplies_are_those_of_the_place_in_the_turn_order():
    supplies = [(1, 2, 1, 0), (1, 2, 2, 0), (2, 2, 2, 0), (2, 3, 2, 0)]
    for players in (2, 3, 4):
        for number in range(4):
            state, _ = set_up(players, number)
            held = [tuple(state.players[seat].goods[:4]) for seat in state.turn_order]
            assert held == supplies[:players]


@pytest.mark.rule("OR-SETUP.19")
def test_the_steps_of_setup_run_in_their_order(position):
    game = position(at="setup", players=3)
    facts = game.opening
    while RoundStarted not in facts:
        owner = game.decision[0]
        facts += game.play(owner, game.legal(owner)[0])
    steps = [
        ActionTilePlaced, RegionTilePlaced, RailwayTokenPlaced, GoalPlaced, ImprovementRevealed, TurnOrderSet,
        ProgressMarkerPlaced, GoodsChanged, CharacterTaken, TrainPlaced, RoundStarted,
    ]  # fmt: skip
    first = [next(place for place, event in enumerate(facts) if isinstance(event, step)) for step in steps]
    assert first == sorted(first)
    # Each step is finished before the next begins; goods change again with every deployment.
    last = [max(place for place, event in enumerate(facts) if isinstance(event, step)) for step in steps[:7]]
    assert all(end < start for end, start in zip(last, first[1:], strict=False))
    assert fact(CharacterTaken) not in facts[first[9] :]
