"""The builder itself: what it says is what stands on the table, and every position is a log that folds."""

import pytest

from wellhead_rules.oil_rock.commands import BuildDrill, EndTurn, PlaceOnTile
from wellhead_rules.oil_rock.described import PositionError, named
from wellhead_rules.oil_rock.events import DecisionOpened, ImprovementRevealed
from wellhead_rules.oil_rock.facts import fact

EVERYTHING = {
    "players": ["red", "white", "yellow"],
    "options": {"stack_tie": "LOWER_BEHIND"},
    "turn_order": ["yellow", "red", "white"],
    "round": 3,
    "phase": "actions",
    "turn": "red",
    "worker_turn": 2,
    "worker_placed": False,
    "red": {
        "character": "rockefeller", "tools": 1, "coins": 2, "coal": 3, "patents": 4, "energy": 5,
        "barrels": {"yellow": 1, "green": 2, "blue": 3}, "vp": 12, "vp_by_category": {"goals": 5, "technology": 7},
        "progress": 12, "best_space": 13, "level": 3, "assistants": 0, "managers": 2, "workers": ["manager AT03"],
        "train": "R07", "engineer": "R02", "depth": {"yellow": 3, "green": 1, "blue": 2},
        "offices": ["R02", "R05"], "offices_on_wells": {"yellow": 1, "green": 1, "blue": 2}, "refineries": 8,
        "turbines": {"TU3": 1, "TU1": 6}, "briefcases": ["BC2", "BC6"], "extra_actions": {"XA1": 1, "XA5": 2},
        "improvements": ["IM06", "IM20", "IM31"],
    },
    "white": {"workers": ["AT01", "copy AT03", "C2"], "progress": 12},
    "stacks": {12: ["white", "red"]},
    "wheel": {"outer": {0: "AT09", 4: "AT01"}, "inner": {2: "AT10"}, "rotation": 4},
    "map": {"R02": {"region_tile": "RT_M4", "railway_token": "RW_M2", "offices": ["yellow", "red from green"]}},
    "goals": ["GO14", "GO01"],
    "display": ["IM01", "IM45"],
    "discarded": ["IM02", "IM03"],
    "deck": {"bottom": ["IM12"], "looker": "white"},
    "pending": [],
}  # fmt: skip


def test_what_is_said_can_be_seen(position):
    game = position(**{**EVERYTHING, "red": {**EVERYTHING["red"], "offices": ["R05"]}})
    seen = named(game.seen)
    expected = {**EVERYTHING, "players": ("red", "white", "yellow")}

    def check(said, found, path):
        if isinstance(said, dict):
            for key in said:
                check(said[key], found[key], (*path, key))
        elif path[-1] == "offices" and path[0] == "map":
            assert list(found) == ["yellow", "red"]
        elif path[-1] == "goals" and len(path) == 1:
            assert list(found)[:2] == said
        else:
            assert (list(found) if isinstance(said, list) else found) == said, path

    check(expected, seen, ())


def test_the_discarded_are_all_the_others_when_the_unknown_cards_are_named(position):
    deck = position(deck={"unknown": ["IM44", "IM45"]}, display=["IM01"]).seen
    assert deck.deck.unknown == ("IM44", "IM45")
    assert len(deck.discarded) == 42


@pytest.mark.req("R-RULES-1")
@pytest.mark.parametrize(
    "said",
    [
        {},
        EVERYTHING | {"red": {**EVERYTHING["red"], "offices": ["R05"]}},
        {"at": "characters", "players": 4},
        {"at": "deployment", "players": 4, "yellow": {"train": "R01"}},
        {"at": "start_of_round", "round": 2},
        {"phase": "income", "at": "start_of_turn", "turn": "red"},
        {"phase": "goals", "turn": "red", "phase_turn": {"ability_used": True}},
        {"phase": "goals", "at": "end_of_phase", "round": 4},
        {"at": "final_scoring"},
        {"acting": {"action": "drill"}, "white": {"tools": 9}},
        {"phase": "oil_refining", "acting": {"action": "drill", "source": "XA3"}, "white": {"tools": 9}},
        {"agenda": [{"frame": "settle"}, {"frame": "effects", "effects": "improvement:IM16"}]},
        {"pending": [{"source": "AT05", "actions": ["patent"], "started": True}]},
    ],
)
def test_every_position_is_a_log_that_folds(position, said):
    game = position(**said)
    assert game.refolded().snapshot() == game.state.snapshot()
    game.record_scores()
    assert game.refolded().snapshot() == game.state.snapshot()


def test_a_position_is_open_after_its_first_question(position):
    game = position()
    assert game.decision == ("white", "turn_menu")
    with pytest.raises(AssertionError):
        game.player("white", tools=1)


def test_cards_are_drawn_as_wanted(position):
    game = position(phase="goals", at="end_of_phase").deck(next=["IM40", "IM20"])
    assert [revealed.improvement for revealed in game.opening.of(ImprovementRevealed)] == ["IM40", "IM20"]


def test_the_worker_of_the_turn_stands_where_the_pending_actions_come_from(position):
    assert position().pending("AT05")["white"].workers == ("AT05",)
    assert position().player("red", workers=["AT05"]).pending("AT05")["white"].workers == ("copy AT05",)
    game = position().player("white", managers=0, assistants=0, workers=["C1"]).pending("AT01").pending("AT06")
    assert game["white"].workers == ("C1",)


@pytest.mark.parametrize("phase", ["income", "oil_extraction", "oil_refining", "goals"])
def test_workers_stand_on_the_wheel_in_every_phase(position, phase):
    white = position(phase=phase, turn="white").player("white", workers=["AT01", "C1"], patents=1).posed.white
    assert (white.workers, white.assistants, white.managers) == (("AT01", "C1"), 0, 0)


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ({"turn_order": ["white"]}, "turn_order"),
        ({"yellow": {"tools": 1}}, "yellow"),
        ({"turn": "blue"}, "turn"),
        ({"white": {"depth": {"yellow": 3}}}, "white.depth"),
        ({"white": {"offices": ["R99"]}}, "white.offices.0"),
        ({"map": {"R01": {"offices": ["white", "white"]}}}, "map.R01.offices.1"),
        ({"map": {"R01": {"region_tile": "RT_M1"}}}, "map.R01.region_tile"),
        ({"wheel": {"outer": {0: "AT11"}}}, "wheel"),
        ({"display": ["IM01"], "white": {"improvements": ["IM01"]}}, "display"),
        ({"stacks": {3: ["white"]}}, "stacks.3"),
        ({"white": {"progress": 7, "best_space": 6}}, "white.best_space"),
        ({"white": {"character": "drake"}, "red": {"character": "drake"}}, "white.character"),
        ({"white": {"workers": ["AT01"]}, "red": {"workers": ["AT01"]}}, "red.workers.0"),
        ({"white": {"assistants": 0, "managers": 0}}, "white.assistants"),
        ({"options": {"stack_tie": "NO_SUCH_VALUE"}}, "options"),
        ({"agenda": [{"frame": "effects", "effects": "action:dance"}]}, "agenda"),
        ({"acting": {"action": "train_anywhere", "source": "AT01"}}, "acting.source"),
    ],
)
def test_an_impossible_table_is_refused_with_the_place_that_is_wrong(position, said, path):
    with pytest.raises(PositionError) as caught:
        position(**said).open()
    assert ".".join(map(str, caught.value.path)) == path


def test_a_word_that_does_not_exist_is_refused_at_once(position):
    with pytest.raises(TypeError):
        position().player("white", wood=3)


def test_refusals_and_facts_are_asked_for_by_name(position):
    game = position().player("white", tools=3)
    assert game.refused("white", EndTurn()).code == "WORKER_NOT_PLACED"
    facts = game.play("white", PlaceOnTile("AT02"))
    assert fact(DecisionOpened, owner="white", kind="turn_menu") in facts
    assert fact(DecisionOpened, owner="red") not in facts
    assert game.refused("white", BuildDrill("green")).code == "COMMAND_NOT_EXPECTED"
    with pytest.raises(AssertionError):
        game.play("white", EndTurn())
    with pytest.raises(AssertionError):
        game.refused("white", game.legal("white")[0])
