"""B.5 Phase 1: Income."""

import pytest

from wellhead_rules.oil_rock.commands import ChooseResources
from wellhead_rules.oil_rock.events import (
    DecisionOpened,
    GoodsChanged,
    LevelReached,
    ProgressMarkerMoved,
    VictoryPointsGained,
    WorkersReceived,
    WorkerTurnStarted,
)
from wellhead_rules.oil_rock.facts import fact

# Tools, Coins, Coal and Patents of the six levels (H.10).
BANDS = {
    "lukasiewicz": [(0, 2, 2, 0), (1, 2, 1, 0), (1, 2, 1, 1), (1, 2, 2, 1), (1, 3, 2, 1), (2, 3, 2, 1)],
    "bissel": [(1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 2, 1, 0), (1, 2, 1, 1)],
    "carnegie": [(1, 1, 1, 0), (1, 1, 1, 0), (1, 1, 1, 0), (1, 2, 1, 0), (1, 2, 2, 0), (1, 2, 2, 1)],
    "drake": [(0, 2, 1, 0), (2, 2, 1, 0), (2, 2, 1, 0), (2, 2, 1, 0), (2, 2, 1, 1), (2, 3, 1, 1)],
    "rockefeller": [(1, 2, 1, 0), (1, 3, 1, 0), (2, 3, 1, 0), (2, 3, 1, 1), (2, 3, 1, 1), (2, 3, 2, 1)],
    "vanderbilt": [(1, 1, 1, 0), (1, 1, 1, 0), (1, 1, 2, 0), (1, 1, 2, 0), (1, 2, 2, 0), (1, 2, 2, 1)],
}  # fmt: skip
WORKERS = [(2, 1), (2, 1), (1, 2), (1, 2), (1, 2), (0, 3)]
FIRST_SPACE = [0, 6, 13, 20, 27, 34]
EVERY_BAND = pytest.mark.parametrize(
    ("character", "level"), [(character, level) for character in BANDS for level in range(1, 7)]
)


def income(position, character, level, **said):
    """White's income is about to start; the token at its Train gives 4 VP, which no band gives by itself."""
    game = position(phase="income", at="start_of_turn", turn="white", turn_order=["red", "white"])
    game.player("white", character=character, progress=FIRST_SPACE[level - 1], train="R07", **said)
    return game.region("R07", railway_token="RW_M1")


@pytest.mark.rule("OR-INC.1", "OR-INC.2")
@EVERY_BAND
def test_the_band_of_the_level_of_the_own_character(position, character, level):
    game = income(position, character, level)
    white = game["white"]
    assert (white.tools, white.coins, white.coal, white.patents) == BANDS[character][level - 1]
    assert (white.assistants, white.managers) == WORKERS[level - 1]
    assert white.assistants + white.managers == 3


@pytest.mark.rule("OR-INC.1")
def test_the_players_receive_their_income_one_after_another_in_turn_order(position):
    order = ["blue", "white", "red"]
    game = position(players=3, phase="income", at="start_of_turn", turn="blue", turn_order=order)
    game.player("white", progress=34)  # asked for resources of choice: red's income has to wait
    received = [game.seen.players[one.player] for one in game.opening.of(WorkersReceived)]
    assert received == ["blue", "white"]
    assert game.decision == ("white", "resource_portion")
    facts = game.play("white", ChooseResources(4, 0, 0))
    assert facts.in_order(fact(WorkersReceived, player="red"), fact(WorkerTurnStarted, player="blue"))


@pytest.mark.rule("OR-INC.3")
@pytest.mark.parametrize("level", range(1, 7))
def test_from_level_four_the_railway_bonus_at_the_own_train_is_part_of_it(position, level):
    game = income(position, "drake", level).player("red", train="R07")
    bonus = fact(VictoryPointsGained, player="white", amount=4, category="railway_bonus", source_id="RW_M1")
    assert game.opening.count(bonus) == (1 if level >= 4 else 0)
    assert game["red"].vp == 0
    assert game.seen.map["R07"].railway_token == "RW_M1"


@pytest.mark.rule("OR-INC.3")
def test_the_engineer_does_not_bring_the_bonus(position):
    game = (
        income(position, "drake", 4).player("white", train="R01", engineer="R07").region("R01", railway_token="RW_P1")
    )
    assert game["white"].vp == 0
    assert game["white"].coins == 2 + 2


@pytest.mark.rule("OR-INC.4")
@pytest.mark.parametrize("character", BANDS)
def test_at_level_six_four_resources_of_choice_in_any_mix(position, character):
    game = income(position, character, 6)
    assert game.decision == ("white", "resource_portion")
    mixes = {(one.tools, one.coins, one.coal) for one in game.legal("white")}
    assert mixes == {(t, c, 4 - t - c) for t in range(5) for c in range(5 - t)}
    tools, _, coal, _ = BANDS[character][5]
    game.play("white", ChooseResources(1, 0, 3))
    assert (game["white"].tools, game["white"].coal) == (tools + 1, coal + 3)
    assert game.decision[1] == "turn_menu"


@pytest.mark.rule("OR-INC.4")
@pytest.mark.parametrize("character", BANDS)
def test_below_level_six_nothing_is_of_choice(position, character):
    assert income(position, character, 5).decision[1] == "turn_menu"


@pytest.mark.rule("OR-INC.5")
def test_a_level_reached_through_the_income_pays_from_the_next_round_on(position):
    """Space 25, Level IV; 3 Progress from the token lift bissel to Level V, whose band has one more Coin."""
    game = income(position, "bissel", 4).player("white", progress=25, train="R09").region("R09", railway_token="RW_M3")
    assert game.opening.in_order(
        fact(GoodsChanged, player="white", tools=1, coins=1, coal=1, reason="INCOME"),
        fact(ProgressMarkerMoved, player="white", space=28, reason="RAILWAY_BONUS"),
        fact(LevelReached, player="white", level=5),
        fact(DecisionOpened, kind="turn_menu"),
    )
    assert game.opening.count(fact(WorkersReceived, player="white")) == 1
    assert game["white"].coins == 1


@pytest.mark.rule("OR-INC.6")
def test_workers_then_fixed_goods_then_railway_bonus_then_resources_of_choice(position):
    game = income(position, "drake", 6)
    assert game.opening.in_order(
        fact(WorkersReceived, player="white", assistants=0, managers=3),
        fact(GoodsChanged, player="white", tools=2, coins=3, coal=1, patents=1, reason="INCOME"),
        fact(VictoryPointsGained, player="white", category="railway_bonus"),
        fact(DecisionOpened, owner="white", kind="resource_portion"),
    )
    facts = game.play("white", ChooseResources(4, 0, 0))
    assert fact(GoodsChanged, player="white", tools=4, reason="INCOME") in facts
