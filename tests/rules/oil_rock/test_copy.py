"""B.8 Copy space."""

import pytest

from wellhead_rules.oil_rock.commands import ForgoSource, PlaceOnCircle, PlaceOnCopy, PlaceOnTile, ResolveAction
from wellhead_rules.oil_rock.events import (
    ActionsUnlocked,
    BestSpaceRaised,
    LevelReached,
    ProgressMarkerMoved,
    WorkerPlaced,
)
from wellhead_rules.oil_rock.facts import fact

NOT_BLANK = {"AT01", "AT02", "AT03", "AT04", "AT05", "AT06", "AT07", "AT17"}


def named(game, colour="white"):
    return {one.tile for one in game.legal(colour, PlaceOnCopy)}


@pytest.mark.rule("OR-COPY.1")
@pytest.mark.parametrize(("pool", "worker"), [((1, 1), "ASSISTANT"), ((0, 1), "MANAGER")])
def test_any_worker_may_stand_there_assistants_first(position, pool, worker):
    game = position().player("white", assistants=pool[0], managers=pool[1])
    facts = game.play("white", PlaceOnCopy("AT05"))
    assert fact(WorkerPlaced, player="white", worker=worker, space="COPY", place="AT05") in facts


@pytest.mark.rule("OR-COPY.2")
@pytest.mark.parametrize("space", [1, 3, 42])
def test_the_own_marker_moves_back_one_space(position, space):
    game = position().player("white", progress=space)
    facts = game.play("white", PlaceOnCopy("AT05"))
    assert fact(ProgressMarkerMoved, player="white", origin=space, space=space - 1, reason="COPY_COST") in facts
    assert game["white"].progress == space - 1


@pytest.mark.rule("OR-COPY.3")
def test_from_space_zero_the_copy_space_is_out_of_reach(position):
    game = position().player("white", progress=0, best_space=3)
    assert not named(game)
    refusal = game.refused("white", PlaceOnCopy("AT05"))
    assert (refusal.code, refusal.clause) == ("COPY_NO_PROGRESS", "OR-COPY.3")


@pytest.mark.rule("OR-COPY.4")
@pytest.mark.parametrize(
    ("tile", "actions"),
    [
        ("AT01", ("resources_three",)),
        ("AT02", ("drill", "turbine")),
        ("AT04", ("train_two", "coal_two")),
    ],
)
def test_the_actions_of_the_tile_are_unlocked_as_if_the_worker_stood_on_it(position, tile, actions):
    standing = position().play("white", PlaceOnTile(tile)).of(ActionsUnlocked)
    copied = position().play("white", PlaceOnCopy(tile)).of(ActionsUnlocked)
    assert standing == copied
    assert [(one.source, one.actions) for one in copied] == [(tile, actions)]


@pytest.mark.rule("OR-COPY.4")
def test_of_a_copied_tile_with_alternatives_one_is_carried_out(position):
    game = position().player("white", patents=1)
    game.play("white", PlaceOnCopy("AT02"))
    game.play("white", ResolveAction("AT02", "turbine"))
    game.play("white", game.legal("white")[0])
    assert game.refused("white", ResolveAction("AT02", "drill")).code == "ACTION_NOT_PENDING"


@pytest.mark.rule("OR-COPY.4")
def test_a_tile_with_an_own_worker_cannot_be_named(position):
    game = position(worker_placed=False).player("white", workers=["AT05"])
    assert named(game) == NOT_BLANK - {"AT05"}
    refusal = game.refused("white", PlaceOnCopy("AT05"))
    assert (refusal.code, refusal.clause) == ("COPY_OWN_TILE", "OR-COPY.4")
    assert game.refused("white", PlaceOnCopy("AT08")).code == "TILE_NOT_ON_WHEEL"


@pytest.mark.rule("OR-COPY.5")
def test_another_player_on_the_tile_receives_one_progress(position):
    game = position(players=3).player("blue", workers=["AT05"]).player("red", workers=["AT04"])
    game.play("white", PlaceOnCopy("AT05"))
    assert [game[colour].progress for colour in ("white", "red", "blue")] == [2, 3, 4]


@pytest.mark.rule("OR-COPY.6")
def test_a_free_tile_may_be_named_and_nobody_is_compensated(position):
    game = position(players=3).player("red", workers=["copy AT05", "C3"])
    facts = game.play("white", PlaceOnCopy("AT05"))
    assert [(one.player, one.space) for one in facts.of(ProgressMarkerMoved)] == [(0, 2)]


@pytest.mark.rule("OR-COPY.7")
def test_a_blank_tile_cannot_be_named(position):
    game = position()
    assert named(game) == NOT_BLANK
    for tile in ("AT15", "AT16"):
        refusal = game.refused("white", PlaceOnCopy(tile))
        assert (refusal.code, refusal.clause) == ("COPY_BLANK_TILE", "OR-COPY.7")


@pytest.mark.rule("OR-COPY.8")
def test_the_copy_space_holds_any_number_of_workers(position):
    game = position(players=3, worker_placed=False).player("white", workers=["copy AT01", "copy AT02"], assistants=1)
    game.player("red", workers=["copy AT01", "copy AT03"]).player("blue", workers=["copy AT01"])
    assert "AT01" in named(game)
    game.play("white", PlaceOnCopy("AT01"))
    assert game["white"].workers == ("copy AT01", "copy AT02", "copy AT01")


@pytest.mark.rule("OR-COPY.9")
def test_placed_then_paid_then_compensated_then_unlocked(position):
    game = position().player("white", progress=7).player("red", progress=6, workers=["AT05"])
    facts = game.play("white", PlaceOnCopy("AT05"))
    assert facts.in_order(
        fact(WorkerPlaced, player="white", space="COPY"),
        fact(ProgressMarkerMoved, player="white", origin=7, space=6, reason="COPY_COST"),
        fact(ProgressMarkerMoved, player="red", origin=6, space=7, reason="COMPENSATION"),
        fact(ActionsUnlocked, player="white", source="AT05"),
    )


@pytest.mark.rule("OR-COPY.9")
def test_the_order_decides_the_stack(position):
    """White comes back to 6 before blue arrives there from 5, so blue lies on top."""
    game = position(players=3).player("white", progress=7).player("blue", progress=5, workers=["AT05"])
    game.play("white", PlaceOnCopy("AT05"))
    assert game.seen.stacks[6] == ("white", "blue")


@pytest.mark.rule("OR-COPY.10")
def test_a_manager_there_uses_one_tile_only(position):
    game = position().player("white", assistants=0, managers=2)
    facts = game.play("white", PlaceOnCopy("AT01"))
    assert [one.source for one in facts.of(ActionsUnlocked)] == ["AT01"]
    game.play("white", ForgoSource("AT01"))
    assert game.decision == ("red", "turn_menu")


@pytest.mark.rule("OR-COPY.11")
def test_own_workers_on_circles_or_the_copy_space_do_not_forbid_a_tile(position):
    """C1 links AT01 and AT06; white has used AT05 through the Copy space already."""
    game = position(worker_placed=False).player("white", workers=["C1", "copy AT05"], assistants=0, managers=1)
    assert {"AT01", "AT05", "AT06"} <= named(game)
    facts = game.play("white", PlaceOnCopy("AT01"))
    assert fact(ActionsUnlocked, source="AT01") in facts


@pytest.mark.rule("OR-COPY.12")
def test_paying_never_lowers_the_level(position):
    game = position().player("white", progress=13, level=3)
    facts = game.play("white", PlaceOnCopy("AT05"))
    assert not facts.of(LevelReached)
    assert not facts.of(BestSpaceRaised)
    white = game["white"]
    assert (white.progress, white.best_space, white.level) == (12, 13, 3)
    assert game.refused("white", PlaceOnCircle("C0")).code == "WORKER_ALREADY_PLACED"
