"""B.3 Deployment."""

import pytest

from wellhead_rules.oil_rock import RULESET
from wellhead_rules.oil_rock.commands import DeployTrain, MoveTrain
from wellhead_rules.oil_rock.events import (
    DecisionOpened,
    EngineerPlaced,
    GoodsChanged,
    LevelReached,
    ProgressMarkerMoved,
    RoundStarted,
    TrainPlaced,
)
from wellhead_rules.oil_rock.facts import fact

PLAINS = ("R01", "R04", "R06", "R11")


@pytest.mark.rule("OR-DEPLOY.1")
@pytest.mark.parametrize("order", [["red", "white"], ["blue", "white", "red"], ["red", "yellow", "white", "blue"]])
def test_the_last_player_deploys_first_and_round_one_comes_after_the_first(position, order):
    game = position(players=len(order), at="deployment", turn_order=order)
    deployed = []
    for colour, region in zip(reversed(order), PLAINS, strict=False):
        if region == PLAINS[3]:
            break  # the engine takes the only region left
        assert game.decision == (colour, "deploy")
        assert game.seen.round == 0
        facts = game.play(colour, DeployTrain(region))
        deployed += [game.seen.players[one.player] for one in facts.of(TrainPlaced)]
    assert deployed == order[::-1]
    assert fact(RoundStarted, round=1) in facts
    assert facts.in_order(TrainPlaced, RoundStarted)


@pytest.mark.rule("OR-DEPLOY.2")
def test_train_and_engineer_go_to_a_plains_region_of_the_own(position):
    game = position(players=3, at="deployment")
    assert [one.region for one in game.legal("blue")] == list(PLAINS)
    facts = game.play("blue", DeployTrain("R06"))
    assert fact(TrainPlaced, player="blue", region="R06") in facts
    assert fact(EngineerPlaced, player="blue", region="R06") in facts
    assert [one.region for one in game.legal("red")] == ["R01", "R04", "R11"]
    for region, code in (("R06", "REGION_TAKEN"), ("R05", "REGION_NOT_PLAINS"), ("R07", "REGION_NOT_PLAINS")):
        refusal = game.refused("red", DeployTrain(region))
        assert (refusal.code, refusal.clause) == (code, "OR-DEPLOY.2")
    assert game.refused("red", DeployTrain("R13")).code == "UNKNOWN_ID"


@pytest.mark.rule("OR-DEPLOY.3")
@pytest.mark.parametrize(
    ("token", "gain"),
    [
        ("RW_P1", {"coins": 2}),
        ("RW_P2", {"patents": 1}),
        ("RW_P3", {"tools": 2}),
        ("RW_P4", {"coal": 1, "progress": 1}),
    ],
)
def test_the_railway_bonus_is_received_at_once_and_the_token_stays(position, token, gain):
    game = position(at="deployment").region("R04", railway_token=token)
    before = game["red"]
    facts = game.play("red", DeployTrain("R04"))
    for name, amount in gain.items():
        assert getattr(game["red"], name) == getattr(before, name) + amount
    changes = [one for one in facts if isinstance(one, GoodsChanged | ProgressMarkerMoved)]
    assert {one.reason.name for one in changes} == {"RAILWAY_BONUS"}
    assert game.seen.map["R04"].railway_token == token


@pytest.mark.rule("OR-DEPLOY.4")
def test_afterwards_trains_may_share_a_region(position):
    game = position().player("white", train="R05", coal=3).player("red", train="R01", engineer="R01")
    game.acting("train_two").play("white", MoveTrain(("R01",)))
    assert game["white"].train == game["red"].train == "R01"


@pytest.mark.rule("OR-DEPLOY.5")
def test_income_comes_on_top_of_supply_and_railway_bonus(position):
    game = position(at="deployment", turn_order=["white", "red"]).player("red", character="drake")
    game.region("R01", railway_token="RW_P1").player("white", character="vanderbilt")
    game.region("R04", railway_token="RW_P3")
    game.play("red", DeployTrain("R01"))
    red = game["red"]
    assert (red.tools, red.coins, red.coal) == (1, 2 + 2, 2)
    facts = game.play("white", DeployTrain("R04"))
    white, red = game["white"], game["red"]
    assert (white.tools, white.coins, white.coal) == (1 + 2 + 1, 2 + 1, 1 + 1)
    assert (red.tools, red.coins, red.coal) == (1, 4 + 2, 2 + 1)
    assert facts.in_order(fact(GoodsChanged, tools=2, reason="RAILWAY_BONUS"), fact(GoodsChanged, reason="INCOME"))


@pytest.mark.rule("OR-DEPLOY.6")
def test_a_settle_follows_each_deployment(position):
    game = position(at="deployment").player("red", progress=5).region("R01", railway_token="RW_P4")
    facts = game.play("red", DeployTrain("R01"))
    assert facts.in_order(
        TrainPlaced,
        fact(ProgressMarkerMoved, player="red", space=6),
        fact(LevelReached, player="red", level=2),
        fact(DecisionOpened, owner="white", kind="deploy"),
    )


@pytest.mark.rule("OR-DEPLOY.1")
def test_the_view_names_the_player_whose_deployment_is_running(position):
    game = position(players=2, at="deployment", turn_order=["white", "red"])
    assert RULESET.view(game.state, None).oil_rock.active_player == game.seat("red")
