"""B.7 Placement."""

import pytest

from wellhead_rules.oil_rock.commands import (
    BuildDrill,
    ChooseResources,
    EndPhaseTurn,
    EndTurn,
    ForgoSource,
    PlaceOnCircle,
    PlaceOnCopy,
    PlaceOnTile,
    ResolveAction,
)
from wellhead_rules.oil_rock.events import (
    ActionsUnlocked,
    DecisionOpened,
    PhaseStarted,
    ProgressMarkerMoved,
    WorkerPlaced,
    WorkersReturned,
)
from wellhead_rules.oil_rock.facts import fact

ALL_TWO_PLAYER_TILES = {"AT01", "AT02", "AT03", "AT04", "AT05", "AT06", "AT07", "AT15", "AT16", "AT17"}


def tiles(game, colour):
    return {one.tile for one in game.legal(colour, PlaceOnTile)}


def circles(game, colour):
    return {one.circle for one in game.legal(colour, PlaceOnCircle)}


def manager(position, **said):
    """White is about to place a manager: C1 links AT01 (outer 0) and AT02 (inner 0), C0 AT01 and AT07 (inner 4)."""
    game = position(players=3, turn="white").player("white", assistants=0, managers=1)
    return game.wheel(outer={0: "AT01"}, inner={0: "AT02", 4: "AT07"}).say(**said)


@pytest.mark.rule("OR-PLACE.1")
def test_an_assistant_goes_to_a_free_tile_or_the_copy_space(position):
    game = position().player("white", assistants=1, managers=1, workers=["AT05"]).player("red", workers=["AT01"])
    game.say(worker_placed=False)
    assert tiles(game, "white") == ALL_TWO_PLAYER_TILES - {"AT01", "AT05"}
    assert game.legal("white", PlaceOnCopy)
    for tile in ("AT01", "AT05"):
        refusal = game.refused("white", PlaceOnTile(tile))
        assert (refusal.code, refusal.clause) == ("TILE_OCCUPIED", "OR-PLACE.1")
    assert game.refused("white", PlaceOnTile("AT08")).code == "TILE_NOT_ON_WHEEL"
    facts = game.play("white", PlaceOnTile("AT03"))
    assert fact(WorkerPlaced, player="white", worker="ASSISTANT", space="TILE", place="AT03") in facts


@pytest.mark.rule("OR-PLACE.2")
def test_workers_on_circles_and_on_the_copy_space_occupy_no_tile(position):
    game = position().player("white", assistants=1).player("red", workers=["C1", "copy AT03"])
    assert tiles(game, "white") == ALL_TWO_PLAYER_TILES
    assert not game.play("white", PlaceOnTile("AT03")).of(ProgressMarkerMoved)


@pytest.mark.rule("OR-PLACE.3")
def test_while_an_assistant_is_left_no_manager_is_deployed(position):
    game = position().player("white", assistants=1, managers=2)
    assert not circles(game, "white")
    refusal = game.refused("white", PlaceOnCircle("C1"))
    assert (refusal.code, refusal.clause) == ("ASSISTANTS_FIRST", "OR-PLACE.3")
    for command, expected in ((PlaceOnTile("AT05"), "TILE"), (PlaceOnCopy("AT05"), "COPY")):
        facts = position().player("white", assistants=1, managers=2).play("white", command)
        assert fact(WorkerPlaced, player="white", worker="ASSISTANT", space=expected) in facts


@pytest.mark.rule("OR-PLACE.3")
def test_with_no_assistant_left_managers_are(position):
    for command in (PlaceOnTile("AT05"), PlaceOnCopy("AT05"), PlaceOnCircle("C1")):
        facts = position().player("white", assistants=0, managers=2).play("white", command)
        assert fact(WorkerPlaced, player="white", worker="MANAGER") in facts


@pytest.mark.rule("OR-PLACE.4")
def test_a_manager_on_a_tile_works_like_an_assistant(position):
    game = manager(position).player("red", workers=["AT07"])
    assert tiles(game, "white") == {f"AT{n:02}" for n in range(1, 11)} - {"AT07"}
    facts = game.play("white", PlaceOnTile("AT01"))
    assert fact(WorkerPlaced, player="white", worker="MANAGER", space="TILE", place="AT01") in facts
    assert [one.source for one in facts.of(ActionsUnlocked)] == ["AT01"]
    assert not facts.of(ProgressMarkerMoved)
    assert game.refused("white", PlaceOnTile("AT02")).code == "WORKER_ALREADY_PLACED"


@pytest.mark.rule("OR-PLACE.5")
def test_a_manager_on_a_circle_unlocks_all_actions_of_both_tiles(position):
    game = manager(position)
    assert circles(game, "white") == {f"C{index}" for index in range(10)}
    facts = game.play("white", PlaceOnCircle("C0"))
    unlocked = [(one.source, one.actions) for one in facts.of(ActionsUnlocked)]
    assert unlocked == [("AT01", ("resources_three",)), ("AT07", ("improvement", "progress"))]


@pytest.mark.rule("OR-PLACE.6")
def test_a_circle_and_a_tile_hold_one_worker(position):
    game = manager(position).player("red", workers=["C1", "AT03"]).player("white", workers=["C5"])
    assert circles(game, "white") == {f"C{index}" for index in range(10)} - {"C1", "C5"}
    for circle in ("C1", "C5"):
        refusal = game.refused("white", PlaceOnCircle(circle))
        assert (refusal.code, refusal.clause) == ("CIRCLE_OCCUPIED", "OR-PLACE.6")
    assert game.refused("white", PlaceOnTile("AT03")).code == "TILE_OCCUPIED"


@pytest.mark.rule("OR-PLACE.7")
def test_an_assistant_never_goes_to_a_circle(position):
    game = position().player("white", assistants=2, managers=0)
    assert not circles(game, "white")
    assert game.refused("white", PlaceOnCircle("C0")).code == "ASSISTANTS_FIRST"


@pytest.mark.rule("OR-PLACE.8")
@pytest.mark.parametrize(
    ("white", "red"), [([], []), (["AT01", "AT02"], []), ([], ["AT01", "AT02"]), (["AT01"], ["AT02"])]
)
def test_the_linked_tiles_may_be_free_or_occupied_by_anybody(position, white, red):
    game = manager(position).player("white", workers=white).player("red", workers=red)
    facts = game.play("white", PlaceOnCircle("C1"))
    assert [one.source for one in facts.of(ActionsUnlocked)] == ["AT01", "AT02"]


@pytest.mark.rule("OR-PLACE.9")
def test_each_opponent_on_a_linked_tile_receives_one_progress(position):
    game = manager(position).player("red", workers=["AT01"]).player("blue", workers=["AT02"])
    game.play("white", PlaceOnCircle("C1"))
    assert (game["red"].progress, game["blue"].progress, game["white"].progress) == (4, 4, 3)


@pytest.mark.rule("OR-PLACE.9")
def test_an_opponent_on_both_linked_tiles_receives_it_twice(position):
    game = manager(position).player("red", workers=["AT01", "AT02"])
    facts = game.play("white", PlaceOnCircle("C1"))
    assert facts.in_order(
        fact(ProgressMarkerMoved, player="red", origin=3, space=4, reason="COMPENSATION"),
        fact(ProgressMarkerMoved, player="red", origin=4, space=5, reason="COMPENSATION"),
    )


@pytest.mark.rule("OR-PLACE.10")
def test_free_tiles_own_workers_and_workers_elsewhere_give_no_compensation(position):
    game = manager(position).player("white", workers=["AT01"])
    game.player("red", workers=["AT03", "C3", "copy AT01", "copy AT02"])
    assert not game.play("white", PlaceOnCircle("C1")).of(ProgressMarkerMoved)


@pytest.mark.rule("OR-PLACE.11")
def test_compensation_comes_before_the_actions_the_outer_tile_first(position):
    game = manager(position).player("red", workers=["AT02"]).player("blue", workers=["AT01"])
    facts = game.play("white", PlaceOnCircle("C1"))
    assert facts.in_order(
        fact(WorkerPlaced, player="white", space="CIRCLE", place="C1"),
        fact(ProgressMarkerMoved, player="blue", reason="COMPENSATION"),
        fact(ProgressMarkerMoved, player="red", reason="COMPENSATION"),
        fact(ActionsUnlocked, source="AT01"),
        fact(ActionsUnlocked, source="AT02"),
        fact(DecisionOpened, owner="white", kind="turn_menu"),
    )
    # Red arrived last and lies on top of blue.
    assert game.seen.stacks == {3: ("white",), 4: ("blue", "red")}


@pytest.mark.rule("OR-PLACE.12")
@pytest.mark.parametrize("first", ["AT01", "AT07"])
def test_the_player_chooses_which_tile_comes_first(position, first):
    game = manager(position).player("white", coins=9)
    game.play("white", PlaceOnCircle("C0"))
    assert {one.source for one in game.legal("white", ResolveAction)} == {"AT01", "AT07"}
    action = {"AT01": "resources_three", "AT07": "progress"}[first]
    game.play("white", ResolveAction(first, action))
    if first == "AT01":
        game.play("white", ChooseResources(1, 1, 1))
        assert {one.source for one in game.legal("white", ResolveAction)} == {"AT07"}
    else:
        # Buying is still pending there, so AT01 has to wait.
        assert {one.source for one in game.legal("white", ResolveAction)} == {"AT07"}
        refusal = game.refused("white", ResolveAction("AT01", "resources_three"))
        assert (refusal.code, refusal.clause) == ("OTHER_SOURCE_STARTED", "OR-ACTION.8")
        assert game.refused("white", ForgoSource("AT01")).code == "OTHER_SOURCE_STARTED"
        game.play("white", ForgoSource("AT07"))
        assert {one.source for one in game.legal("white", ResolveAction)} == {"AT01"}


@pytest.mark.rule("OR-PLACE.13")
def test_a_blank_tile_can_be_occupied_and_unlocks_nothing(position):
    game = position().player("white", patents=1)
    facts = game.play("white", PlaceOnTile("AT15"))
    assert fact(WorkerPlaced, player="white", place="AT15") in facts
    assert not facts.of(ActionsUnlocked)
    assert not game.legal("white", ResolveAction, ForgoSource)


@pytest.mark.rule("OR-PLACE.13")
@pytest.mark.parametrize(
    ("outer", "inner", "unlocked"),
    [("AT15", "AT02", ["AT02"]), ("AT02", "AT15", ["AT02"]), ("AT15", "AT16", [])],
)
def test_a_circle_at_a_blank_tile_unlocks_the_other_one_only(position, outer, inner, unlocked):
    game = position().wheel(outer={0: outer}, inner={0: inner}).player("white", assistants=0, managers=1, patents=1)
    facts = game.play("white", PlaceOnCircle("C1"))
    assert [one.source for one in facts.of(ActionsUnlocked)] == unlocked


@pytest.mark.rule("OR-PLACE.14")
def test_workers_stay_until_phase_six(position):
    game = position(turn="red", worker_turn=3).player("white", assistants=0, managers=0, workers=["AT01", "C2"])
    game.player("red", assistants=1, managers=0, patents=1, workers=["copy AT03"])  # a Patent opens every phase turn
    game.play("red", PlaceOnTile("AT15"))
    game.play("red", EndTurn())
    for phase in ("oil_extraction", "oil_refining", "goals"):
        while game.decision != ("red", "phase_menu"):
            game.play("white", EndPhaseTurn())
        assert game.seen.phase == phase
        assert game["white"].workers == ("AT01", "C2")
        assert game["red"].workers == ("copy AT03", "AT15")
        facts = game.play("red", EndPhaseTurn())
    assert facts.in_order(fact(PhaseStarted, phase="end_of_round"), WorkersReturned)
    assert (game["white"].workers, game["red"].workers) == ((), ())


@pytest.mark.rule("OR-PLACE.15")
def test_a_tile_used_through_a_circle_or_the_copy_space_stays_as_it_was(position):
    game = manager(position).player("red", workers=["AT02"])
    game.play("white", PlaceOnCircle("C1"))
    game.play("white", ForgoSource("AT01"))
    game.play("white", ForgoSource("AT02"))
    assert game.decision == ("red", "turn_menu")
    assert game.offers("red", PlaceOnTile("AT01"))
    assert game.refused("red", PlaceOnTile("AT02")).code == "TILE_OCCUPIED"
    game = position(players=3)
    game.play("white", PlaceOnCopy("AT03"))
    game.play("white", ForgoSource("AT03"))
    assert game.offers("red", PlaceOnTile("AT03"))


@pytest.mark.rule("OR-PLACE.16")
def test_the_same_action_may_be_carried_out_again_by_another_worker(position):
    game = position(players=4, turn="white").player("white", tools=9, workers=["AT12"], assistants=1, managers=1)
    game.player("red", workers=["AT02"])
    game.play("white", PlaceOnCopy("AT02"))
    game.play("white", ResolveAction("AT02", "drill"))
    game.play("white", BuildDrill("yellow"))
    while game.decision[0] != "white":
        owner = game.decision[0]
        game.play(owner, next(iter(game.legal(owner, ForgoSource) or game.legal(owner, PlaceOnTile))))
    game.play("white", PlaceOnCopy("AT02"))
    game.play("white", ResolveAction("AT02", "drill"))
    game.play("white", BuildDrill("green"))
    assert game["white"].depth == {"yellow": 2, "green": 2, "blue": 1}
