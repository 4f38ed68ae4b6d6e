"""OR-GAIN: the Actions that give something."""

import pytest

from wellhead_rules.oil_rock.commands import ChooseOption, ChooseResources, PayForMore, ResolveAction, StopPaying
from wellhead_rules.oil_rock.events import GoodsChanged, LevelReached, ProgressMarkerMoved
from wellhead_rules.oil_rock.facts import fact

PROGRESS_PLUS = ResolveAction("AT06", "progress_plus")


@pytest.mark.rule("OR-GAIN.1")
def test_the_progress_action_gives_1_progress(position):
    game = position(players=2).player("white", progress=4).pending("AT07", "progress")
    facts = game.play("white", ResolveAction("AT07", "progress"))
    assert facts.count(ProgressMarkerMoved) == 1
    assert fact(ProgressMarkerMoved, player="white", origin=4, space=5, reason="ACTION") in facts
    assert GoodsChanged not in facts


@pytest.mark.rule("OR-GAIN.2")
def test_the_coal_action_gives_2_coal(position):
    game = position(players=2).player("white", coal=1).pending("AT04", "coal_two")
    facts = game.play("white", ResolveAction("AT04", "coal_two"))
    assert facts.count(GoodsChanged) == 1
    assert fact(GoodsChanged, player="white", tools=0, coins=0, coal=2, patents=0, reason="ACTION") in facts
    assert game["white"].coal == 3


@pytest.mark.rule("OR-GAIN.3")
def test_the_resource_action_gives_3_resources_in_any_mix(position):
    game = position(players=2).acting("resources_three")
    mixes = {(choice.tools, choice.coins, choice.coal) for choice in game.legal("white", ChooseResources)}
    assert mixes == {(3, 0, 0), (0, 3, 0), (0, 0, 3), (2, 1, 0), (2, 0, 1), (1, 2, 0), (0, 2, 1), (1, 0, 2),
                     (0, 1, 2), (1, 1, 1)}  # fmt: skip
    game.play("white", ChooseResources(2, 0, 1))
    assert (game["white"].tools, game["white"].coins, game["white"].coal) == (2, 0, 1)


@pytest.mark.rule("OR-GAIN.3")
@pytest.mark.parametrize("mix", [(1, 1, 0), (2, 2, 0), (4, -1, 0), (0, 0, 0)])
def test_another_number_of_resources_is_refused(position, mix):
    assert position(players=2).acting("resources_three").refused("white", ChooseResources(*mix)).code == "WRONG_SUM"


@pytest.mark.rule("OR-GAIN.4")
def test_the_patent_action_gives_1_patent(position):
    game = position(players=2).player("white", patents=1).pending("AT05", "patent")
    facts = game.play("white", ResolveAction("AT05", "patent"))
    assert facts.count(GoodsChanged) == 1
    assert game["white"].patents == 2


@pytest.mark.rule("OR-GAIN.5")
def test_progress_plus_gives_1_progress_free_and_up_to_four_more_for_2_coins_each(position):
    game = position(players=2).player("white", progress=7, coins=20).pending("AT06")
    facts = game.play("white", PROGRESS_PLUS)
    assert GoodsChanged not in facts
    assert game["white"].progress == 8
    for space in (9, 10, 11, 12):
        assert set(game.legal("white")) == {PayForMore(), StopPaying()}
        facts = game.play("white", PayForMore())
        assert facts.in_order(
            fact(GoodsChanged, player="white", coins=-2, reason="PAYMENT"),
            fact(ProgressMarkerMoved, player="white", origin=space - 1, space=space),
        )
    assert not game.legal("white", PayForMore)
    assert (game["white"].progress, game["white"].coins) == (12, 12)


@pytest.mark.rule("OR-GAIN.5")
@pytest.mark.parametrize(("coins", "bought"), [(0, 0), (1, 0), (2, 1), (5, 2), (8, 4)])
def test_no_more_progress_is_offered_than_can_be_paid(position, coins, bought):
    game = position(players=2).player("white", progress=3, coins=coins).pending("AT06")
    game.play("white", PROGRESS_PLUS)
    for _ in range(bought):
        game.play("white", PayForMore())
    assert not game.legal("white", PayForMore)
    assert (game["white"].progress, game["white"].coins) == (4 + bought, coins - 2 * bought)


@pytest.mark.rule("OR-GAIN.6")
@pytest.mark.parametrize("bought", [0, 1, 3])
def test_each_further_progress_is_decided_by_itself(position, bought):
    game = position(players=2).player("white", progress=7, coins=8).pending("AT06")
    game.play("white", PROGRESS_PLUS)
    for _ in range(bought):
        game.play("white", PayForMore())
    facts = game.play("white", StopPaying())
    assert ProgressMarkerMoved not in facts
    assert not game.legal("white", PayForMore)
    assert (game["white"].progress, game["white"].coins) == (8 + bought, 8 - 2 * bought)


@pytest.mark.rule("OR-GAIN.6")
def test_the_whole_action_is_one_sequence_with_one_settle(position):
    game = position(players=2).player("white", progress=11, coins=2, improvements=["IM09"]).pending("AT06")
    assert LevelReached not in game.play("white", PROGRESS_PLUS)
    facts = game.play("white", PayForMore())
    assert facts.in_order(fact(ProgressMarkerMoved, space=13), fact(LevelReached, player="white", level=3))
    game.play("white", ChooseOption(0))
