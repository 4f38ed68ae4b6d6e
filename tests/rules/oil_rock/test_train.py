"""OR-TRAIN: the two Train Actions and the Engineer that follows."""

import pytest

from wellhead_rules.oil_rock.commands import (
    ChooseResources,
    DeclineEffect,
    ForgoSource,
    KeepEngineer,
    MoveEngineer,
    MoveTrain,
    UseExtraAction,
)
from wellhead_rules.oil_rock.events import DecisionOpened, EngineerMoved, GoodsChanged, ProgressMarkerMoved, TrainMoved
from wellhead_rules.oil_rock.events import VictoryPointsGained as PointsGained
from wellhead_rules.oil_rock.facts import fact

ELSEWHERE = ["R01", "R02", "R03", "R04", "R05", "R07", "R08", "R09", "R10", "R11", "R12"]


def routes(game):
    return {command.path for command in game.legal("white", MoveTrain)}


@pytest.mark.rule("OR-TRAIN.1", "OR-TRAIN.4", "OR-TRAIN.12")
def test_the_train_goes_one_or_two_regions_each_adjacent_to_the_one_before_and_never_back_to_its_start(position):
    game = position(players=2).player("white", train="R01", coal=9).acting("train_two")
    assert routes(game) == {
        ("R02",), ("R05",),
        ("R02", "R03"), ("R02", "R05"), ("R02", "R06"),
        ("R05", "R02"), ("R05", "R06"), ("R05", "R09"), ("R05", "R10"),
    }  # fmt: skip


@pytest.mark.rule("OR-TRAIN.1")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ([], "PATH_LENGTH"),
        (["R05", "R10", "R11"], "PATH_LENGTH"),
        (["R03"], "REGION_NOT_ADJACENT"),
        (["R05", "R12"], "REGION_NOT_ADJACENT"),
        (["R05", "R05"], "REGION_NOT_ADJACENT"),
    ],
)
def test_a_route_of_another_length_or_with_a_gap_is_refused(position, path, code):
    game = position(players=2).player("white", train="R01", coal=9).acting("train_two")
    assert game.refused("white", MoveTrain(path)).code == code


@pytest.mark.rule("OR-TRAIN.2")
@pytest.mark.parametrize(
    ("start", "path", "price"),
    [
        ("R05", ["R06"], 1),
        ("R06", ["R05"], 2),
        ("R06", ["R07"], 3),
        ("R07", ["R06"], 1),
        ("R06", ["R07", "R12"], 6),
        ("R09", ["R05", "R01"], 3),
        ("R06", ["R03", "R02"], 5),
    ],
)
def test_every_region_entered_costs_coal_by_its_terrain_and_the_region_left_nothing(position, start, path, price):
    game = position(players=2).player("white", train=start, coal=9).acting("train_two")
    facts = game.play("white", MoveTrain(path))
    assert [paid.coal for paid in facts.of(GoodsChanged) if paid.coal < 0] == [-price]


@pytest.mark.rule("OR-TRAIN.3")
def test_the_whole_route_is_paid_before_the_train_moves(position):
    game = position(players=2).player("white", train="R01", coal=5).acting("train_two")
    facts = game.play("white", MoveTrain(["R05", "R09"]))
    assert facts.in_order(
        fact(GoodsChanged, player="white", coal=-5, reason="PAYMENT"),
        fact(TrainMoved, player="white", origin="R01", region="R05"),
        fact(TrainMoved, player="white", origin="R05", region="R09"),
    )
    assert game["white"].coal == 0


@pytest.mark.rule("OR-TRAIN.3")
def test_coal_from_a_region_on_the_way_does_not_help_to_pay(position):
    game = position(players=2).region("R01", railway_token="RW_P4").player("white", train="R02", coal=2)
    game.acting("train_two")
    assert game.refused("white", MoveTrain(["R01", "R05"])).code == "NOT_ENOUGH_COAL"
    game.play("white", MoveTrain(["R01"]))
    assert game["white"].coal == 2


@pytest.mark.rule("OR-TRAIN.4")
def test_a_route_back_to_its_start_is_refused(position):
    game = position(players=2).player("white", train="R01", coal=9).acting("train_two")
    assert game.refused("white", MoveTrain(["R05", "R01"])).code == "TRAIN_RETURNS_TO_START"


@pytest.mark.rule("OR-TRAIN.5")
def test_a_region_visited_in_an_earlier_action_may_be_visited_again(position):
    game = position(players=2).region("R05", railway_token="RW_H1").region("R06", railway_token="RW_P1")
    game.player("white", train="R01", coal=9, patents=3).acting("train_two")
    game.play("white", MoveTrain(["R05", "R06"]))
    game.play("white", KeepEngineer())
    game.play("white", UseExtraAction("XA1"))
    game.play("white", MoveTrain(["R05", "R01"]))
    assert game["white"].train == "R01"


@pytest.mark.rule("OR-TRAIN.6")
def test_every_region_reached_gives_its_railway_bonus_in_the_order_of_the_route(position):
    game = position(players=2).player("white", train="R01", engineer="R12", coal=5, progress=7)
    game.region("R01", railway_token="RW_P1").region("R05", railway_token="RW_H1")
    game.region("R09", railway_token="RW_M1").acting("train_two")
    facts = game.play("white", MoveTrain(["R05", "R09"]))
    assert facts.in_order(
        fact(TrainMoved, region="R05"),
        fact(ProgressMarkerMoved, player="white", origin=7, space=9, reason="RAILWAY_BONUS"),
        fact(TrainMoved, region="R09"),
        fact(PointsGained, player="white", amount=4, category="RAILWAY_BONUS"),
    )
    assert game["white"].coins == 0, "the token of the starting region gives nothing"
    assert game.seen.map["R05"].railway_token == "RW_H1"
    assert game.seen.map["R09"].railway_token == "RW_M1"


@pytest.mark.rule("OR-TRAIN.6")
def test_a_railway_bonus_is_there_again_for_the_next_train(position):
    game = position(players=2).region("R05", railway_token="RW_H1").player("white", train="R01", coal=3)
    game.player("red", train="R01", coal=3, patents=3).acting("train_two", source="AT04")
    game.play("white", MoveTrain(["R05"]))
    game.play("white", KeepEngineer())
    game.play("white", ForgoSource("AT04"))
    game.play("red", UseExtraAction("XA1"))
    facts = game.play("red", MoveTrain(["R05"]))
    assert fact(ProgressMarkerMoved, player="red", origin=3, space=5, reason="RAILWAY_BONUS") in facts


@pytest.mark.rule("OR-TRAIN.7")
def test_after_all_bonuses_the_engineer_may_go_to_any_region_of_the_route(position):
    game = position(players=2).player("white", train="R01", engineer="R12", coal=5)
    game.region("R05", railway_token="RW_H2").region("R09", railway_token="RW_M4").acting("train_two")
    game.play("white", MoveTrain(["R05", "R09"]))
    assert game.decision == ("white", "resource_portion")
    game.play("white", ChooseResources(4, 0, 0))
    assert game.decision == ("white", "engineer_move")
    assert set(game.legal("white")) == {KeepEngineer(), *map(MoveEngineer, ("R01", "R05", "R09"))}
    facts = game.play("white", MoveEngineer("R05"))
    assert fact(EngineerMoved, player="white", origin="R12", region="R05") in facts


@pytest.mark.rule("OR-TRAIN.7")
def test_the_engineer_may_be_left_where_it_is(position):
    game = position(players=2).player("white", train="R01", engineer="R12", coal=3).acting("train_two")
    game.play("white", MoveTrain(["R05"]))
    facts = game.play("white", KeepEngineer())
    assert EngineerMoved not in facts
    assert (game["white"].train, game["white"].engineer) == ("R05", "R12")


@pytest.mark.rule("OR-TRAIN.7")
@pytest.mark.parametrize(("region", "code"), [("R02", "REGION_NOT_ON_ROUTE"), ("R05", "SAME_REGION")])
def test_the_engineer_goes_nowhere_else(position, region, code):
    game = position(players=2).player("white", train="R01", engineer="R05", coal=3).acting("train_two")
    game.play("white", MoveTrain(["R05"]))
    assert game.refused("white", MoveEngineer(region)).code == code


@pytest.mark.rule("OR-TRAIN.8")
@pytest.mark.parametrize("path", [["R05"], ["R05", "R09"]])
def test_trains_engineers_and_offices_in_a_region_block_no_train(position, path):
    game = position(players=4).region("R05", offices=["red", "blue", "yellow"])
    for colour in ("red", "blue", "yellow"):
        game.player(colour, train="R05", engineer="R05")
    game.player("white", train="R01", coal=5).acting("train_two")
    facts = game.play("white", MoveTrain(path))
    assert [move.region for move in facts.of(TrainMoved)] == path
    assert game["red"].train == game["blue"].train == game["yellow"].train == "R05"


@pytest.mark.rule("OR-TRAIN.9", "OR-TRAIN.12")
def test_a_direct_move_goes_to_every_other_region(position):
    game = position(players=3).player("white", train="R06", coal=3).acting("train_anywhere")
    assert routes(game) == {(region,) for region in ELSEWHERE}
    assert game.refused("white", MoveTrain(["R06"])).code == "SAME_REGION"
    assert game.refused("white", MoveTrain(["R05", "R01"])).code == "PATH_LENGTH"


@pytest.mark.rule("OR-TRAIN.9")
@pytest.mark.parametrize(
    ("start", "target", "price"), [("R12", "R01", 1), ("R12", "R03", 2), ("R01", "R12", 3), ("R01", "R05", 2)]
)
def test_a_direct_move_costs_the_arrival_region_only(position, start, target, price):
    game = position(players=3).player("white", train=start, engineer="R04", coal=3).acting("train_anywhere")
    facts = game.play("white", MoveTrain([target]))
    assert fact(GoodsChanged, player="white", coal=-price, reason="PAYMENT") in facts
    assert fact(TrainMoved, player="white", origin=start, region=target) in facts


@pytest.mark.rule("OR-TRAIN.9")
def test_a_direct_move_that_cannot_be_paid_is_refused(position):
    game = position(players=3).player("white", train="R01", coal=2).acting("train_anywhere")
    assert game.refused("white", MoveTrain(["R12"])).code == "NOT_ENOUGH_COAL"


@pytest.mark.rule("OR-TRAIN.10")
def test_a_direct_move_gives_the_railway_bonus_of_the_arrival_region_only(position):
    game = position(players=3).region("R01", railway_token="RW_P1").region("R12", railway_token="RW_M2")
    game.player("white", train="R01", coal=3).acting("train_anywhere")
    facts = game.play("white", MoveTrain(["R12"]))
    assert facts.count(fact(GoodsChanged, reason="RAILWAY_BONUS")) == 1
    white = game["white"]
    assert (white.patents, white.coins, white.tools, white.progress, white.vp) == (2, 1, 0, 3, 0)


@pytest.mark.rule("OR-TRAIN.11")
def test_after_a_direct_move_the_engineer_may_go_to_the_start_or_the_arrival_or_stay(position):
    game = position(players=3).player("white", train="R01", engineer="R06", coal=3)
    game.region("R12", railway_token="RW_M2").acting("train_anywhere")
    facts = game.play("white", MoveTrain(["R12"]))
    assert fact(DecisionOpened, owner="white", kind="engineer_move") in facts
    assert set(game.legal("white")) == {KeepEngineer(), MoveEngineer("R01"), MoveEngineer("R12")}
    assert game.refused("white", MoveEngineer("R05")).code == "REGION_NOT_ON_ROUTE"


@pytest.mark.rule("OR-TRAIN.12")
@pytest.mark.parametrize("action", ["train_two", "train_anywhere"])
def test_a_train_action_that_has_been_started_moves_the_train(position, action):
    game = position(players=3).player("white", train="R06", coal=9).acting(action)
    assert all(command.path[-1] != "R06" for command in game.legal("white", MoveTrain))
    assert game.legal("white") == game.legal("white", MoveTrain)
    assert game.refused("white", DeclineEffect()).code == "CANNOT_DECLINE"
