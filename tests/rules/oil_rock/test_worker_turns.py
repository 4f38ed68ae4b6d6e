"""B.6 Phase 2: worker turns."""

import pytest

from tests.rules.oil_rock.playing import idle, idle_round
from wellhead_rules.oil_rock.commands import (
    BuildDrill,
    EndTurn,
    ForgoSource,
    OpenBriefcase,
    PlaceOnCircle,
    PlaceOnCopy,
    PlaceOnTile,
    ResolveAction,
)
from wellhead_rules.oil_rock.events import (
    ActionFinished,
    ActionsUnlocked,
    DecisionOpened,
    LevelReached,
    PhaseEnded,
    WorkerPlaced,
    WorkerTurnEnded,
    WorkerTurnStarted,
)
from wellhead_rules.oil_rock.facts import fact
from wellhead_rules.oil_rock.vocabulary import Phase


@pytest.mark.rule("OR-ACT.1")
def test_one_worker_is_deployed_and_what_it_unlocks_is_carried_out(position):
    game = position().player("white", patents=1)
    facts = game.play("white", PlaceOnTile("AT05"))
    assert facts.in_order(
        fact(WorkerPlaced, player="white", place="AT05"), fact(ActionsUnlocked, player="white", source="AT05")
    )
    assert (game["white"].assistants, game["white"].managers) == (1, 1)
    for command in (PlaceOnTile("AT01"), PlaceOnCopy("AT01"), PlaceOnCircle("C0")):
        refusal = game.refused("white", command)
        assert (refusal.code, refusal.clause) == ("WORKER_ALREADY_PLACED", "OR-ACT.1")
    game.play("white", ForgoSource("AT05"))
    assert game.refused("white", PlaceOnTile("AT01")).code == "WORKER_ALREADY_PLACED"
    assert game.offers("white", EndTurn())


@pytest.mark.rule("OR-ACT.1")
def test_the_worker_comes_from_the_own_pool(position):
    game = position().player("white", assistants=1, managers=0).player("red", assistants=2, managers=1)
    game.play("white", PlaceOnTile("AT05"))
    assert (game["white"].assistants, game["red"].assistants, game["red"].managers) == (0, 2, 1)


@pytest.mark.rule("OR-ACT.2", "OR-ACT.4")
def test_there_is_no_passing(position):
    game = position().player("white", patents=3, tools=9)
    assert not game.offers("white", EndTurn())
    refusal = game.refused("white", EndTurn())
    assert (refusal.code, refusal.clause) == ("WORKER_NOT_PLACED", "OR-ACT.2")
    game.play("white", OpenBriefcase("BC1"))
    assert game.refused("white", EndTurn()).code == "WORKER_NOT_PLACED"


@pytest.mark.rule("OR-ACT.3")
@pytest.mark.parametrize(("players", "tiles"), [(2, 10), (3, 10), (4, 12)])
def test_before_the_last_placement_of_a_round_a_tile_is_still_free(position, players, tiles):
    """All workers of the others and two own ones stand on tiles, and Copy is out of reach on space 0."""
    order = ["white", "red", "blue", "yellow"][:players]
    wheel = position(players=players).seen.wheel
    spaces = [*wheel.outer.values(), *wheel.inner.values()]
    assert len(spaces) == tiles
    workers = iter(spaces)
    game = position(players=players, turn=order[-1], worker_turn=3).player(order[-1], progress=0, patents=1)
    for colour in order[:-1]:
        game.player(colour, workers=[next(workers) for _ in range(3)], assistants=0, managers=0)
    game.player(order[-1], workers=[next(workers) for _ in range(2)], assistants=1, managers=0)
    free = {one.tile for one in game.legal(order[-1], PlaceOnTile)}
    assert free == set(workers)
    assert len(free) == tiles - (3 * players - 1) > 0
    assert not game.legal(order[-1], PlaceOnCopy)


@pytest.mark.rule("OR-ACT.4")
def test_a_turn_ends_only_when_nothing_is_pending(position):
    game = position().player("white", patents=1, coal=0).pending("AT04")
    refusal = game.refused("white", EndTurn())
    assert (refusal.code, refusal.clause) == ("ACTIONS_PENDING", "OR-ACT.4")
    game.play("white", ResolveAction("AT04", "coal_two"))
    assert game.refused("white", EndTurn()).code == "ACTIONS_PENDING"
    game.play("white", ForgoSource("AT04"))
    assert fact(WorkerTurnEnded, player="white", number=1) in game.play("white", EndTurn())
    assert game.decision == ("red", "turn_menu")


@pytest.mark.rule("OR-ACT.4")
def test_it_ends_by_itself_when_nothing_else_is_possible(position):
    game = position().pending("AT01")
    facts = game.play("white", ForgoSource("AT01"))
    assert facts.in_order(fact(WorkerTurnEnded, player="white"), fact(WorkerTurnStarted, player="red", number=1))


@pytest.mark.rule("OR-ACT.5")
def test_a_settle_follows_the_placement(position):
    game = position().player("red", progress=12, workers=["AT07"])
    placement = game.play("white", PlaceOnCopy("AT07"))
    assert placement.in_order(
        fact(ActionsUnlocked, player="white", source="AT07"),
        fact(LevelReached, player="red", level=3),
        fact(DecisionOpened, owner="white", kind="turn_menu"),
    )


@pytest.mark.rule("OR-ACT.5")
def test_the_level_of_an_action_is_updated_before_the_menu_opens_again(position):
    game = position().player("white", progress=5, patents=1).pending("AT07")
    facts = game.play("white", ResolveAction("AT07", "progress"))
    assert facts.in_order(
        fact(ActionFinished, action="progress"),
        fact(LevelReached, player="white", level=2),
        fact(DecisionOpened, owner="white", kind="turn_menu"),
    )


@pytest.mark.rule("OR-ACT.5")
def test_the_free_window_is_open_before_and_after_the_placement_and_after_each_action(position):
    game = position().player("white", patents=1, tools=9)
    briefcase = OpenBriefcase("BC1")
    assert game.offers("white", briefcase)
    game.play("white", PlaceOnTile("AT02"))
    assert game.offers("white", briefcase)
    game.play("white", ResolveAction("AT02", "drill"))
    assert game.refused("white", briefcase).code == "COMMAND_NOT_EXPECTED"
    game.play("white", BuildDrill("yellow"))
    assert game.offers("white", briefcase)
    assert game.offers("white", EndTurn())


@pytest.mark.rule("OR-ACT.6")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_three_worker_turns_each_and_then_the_pools_are_empty(position, players):
    game = position(players=players, at="start_of_round")
    facts = idle_round(game)
    actions_over = next(place for place, one in enumerate(facts) if _ends_actions(one))
    for seat in range(players):
        assert [one.number for one in facts.of(WorkerTurnStarted) if one.player == seat] == [1, 2, 3]
        assert sum(isinstance(one, WorkerPlaced) and one.player == seat for one in facts[:actions_over]) == 3


@pytest.mark.rule("OR-ACT.6")
def test_after_the_third_worker_turn_the_pool_is_empty(position):
    game = position(turn="red", worker_turn=3).player("white", assistants=0, managers=0)
    game.player("red", assistants=0, managers=1, patents=1)
    game.play("red", PlaceOnTile("AT15"))
    while game.seen.phase == "actions":
        idle(game)
    assert game.seen.phase == "oil_extraction"
    for colour in ("white", "red"):
        assert (game[colour].assistants, game[colour].managers) == (0, 0)


def _ends_actions(event):
    return isinstance(event, PhaseEnded) and event.phase == Phase.ACTIONS
