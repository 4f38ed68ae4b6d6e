"""OR-IMP: what each Improvement does."""

import pytest

from wellhead_rules.oil_rock.commands import (
    BuildDrill,
    BuildOffice,
    BuildTurbine,
    BuyImprovement,
    ChooseBonusRegion,
    ChooseOption,
    ChooseResources,
    ChooseTurbineBonus,
    DeclineEffect,
    MoveTrain,
    OpenBriefcase,
    PayForMore,
    ResolveAction,
    StopPaying,
    UseBasicRefinery,
    UseExtraAction,
)
from wellhead_rules.oil_rock.events import (
    BasicRefineryUsed,
    BriefcaseOpened,
    DecisionOpened,
    DrillBuilt,
    EffectDeclined,
    GoodsChanged,
    ImprovementLaid,
    LevelReached,
    OfficeBuilt,
    ProgressMarkerMoved,
    RefineryBuilt,
    TrainMoved,
    TurbineBuilt,
)
from wellhead_rules.oil_rock.events import VictoryPointsGained as PointsGained
from wellhead_rules.oil_rock.facts import fact

FOUR_PROGRESS = "improvement:IM26"
HILLS = ("R03", "R05", "R08", "R10")
MOUNTAINS = ("R02", "R07", "R09", "R12")
TWO_OF_EACH_OIL = ["R01 from yellow", "R02 from green", "R03 from blue"]
SIX_OFFICES = ["R01", "R02", "R03", "R04", "R05", "R06"]


def goods(game, colour="white"):
    held = game[colour]
    return {"tools": held.tools, "coins": held.coins, "coal": held.coal, "patents": held.patents}


def points(facts, category="EQUIPMENT", player="white"):
    wanted = fact(PointsGained, player=player, category=category)
    return sum(event.amount for event in facts.of(PointsGained) if wanted.fits(event, facts.colours))


def paid(facts):
    """What has been paid, in goods of any kind."""
    payments = [event for event in facts.of(GoodsChanged) if fact(GoodsChanged, reason="PAYMENT").fits(event, ())]
    return [-(event.tools + event.coins + event.coal + event.patents) for event in payments]


def bonus_regions(game):
    return {command.region for command in game.legal("white", ChooseBonusRegion)}


# -- Equipment ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OR-IMP.1")
@pytest.mark.parametrize(("choice", "coins", "coal"), [(0, 2, 0), (1, 0, 2), (2, 1, 1)])
def test_card_1_gives_2_coins_or_2_coal_or_one_of_each_for_every_drill(position, choice, coins, coal):
    game = position(players=2).player("white", tools=3, patents=3, improvements=["IM01"]).acting("drill")
    game.play("white", BuildDrill("green"))
    assert set(game.legal("white")) == {ChooseOption(0), ChooseOption(1), ChooseOption(2)}
    game.play("white", ChooseOption(choice))
    assert goods(game) == {"tools": 0, "coins": coins, "coal": coal, "patents": 3}
    game.play("white", OpenBriefcase("BC5"))
    game.play("white", BuildDrill("blue"))
    game.play("white", ChooseOption(choice))
    assert goods(game) == {"tools": 0, "coins": 2 * coins, "coal": 2 * coal, "patents": 0}


@pytest.mark.rule("OR-IMP.2")
def test_card_2_lets_the_owner_build_a_turbine_at_its_cost_for_a_point_with_every_drill(position):
    game = position(players=2).player("white", tools=3, coal=1, improvements=["IM02"]).acting("drill")
    facts = game.play("white", BuildDrill("green"))
    assert facts.in_order(DrillBuilt, fact(DecisionOpened, owner="white", kind="turbine_site"))
    assert game.offers("white", DeclineEffect())
    facts = game.play("white", BuildTurbine("TU3", 2))
    assert facts.in_order(fact(GoodsChanged, coal=-1, reason="PAYMENT"), TurbineBuilt, PointsGained)
    assert points(facts) == 1


@pytest.mark.rule("OR-IMP.2")
def test_card_2_gives_no_point_without_a_turbine(position):
    game = position(players=2).player("white", tools=3, improvements=["IM02"]).acting("drill")
    game.play("white", BuildDrill("green"))
    facts = game.play("white", DeclineEffect())
    assert fact(EffectDeclined, player="white") in facts
    assert PointsGained not in facts
    assert game["white"].turbines == {}


@pytest.mark.rule("OR-IMP.3")
@pytest.mark.parametrize(("choice", "tools", "coal"), [(0, 1, 0), (1, 0, 1)])
def test_card_3_gives_a_tool_or_a_coal_for_every_refinery(position, choice, tools, coal):
    game = position(players=2).player("white", coins=3, patents=1, improvements=["IM03"]).pending("AT03")
    for built in (1, 2):
        facts = game.play("white", ResolveAction("AT03", "refinery_plus") if built == 1 else PayForMore())
        assert facts.in_order(RefineryBuilt, fact(DecisionOpened, owner="white", kind="alternative"))
        assert set(game.legal("white")) == {ChooseOption(0), ChooseOption(1)}
        game.play("white", ChooseOption(choice))
        assert (game["white"].tools, game["white"].coal) == (built * tools, built * coal)


@pytest.mark.rule("OR-IMP.4")
@pytest.mark.parametrize(("choice", "coins", "vp"), [(0, 1, 0), (1, 0, 1)])
def test_card_4_gives_a_coin_or_a_point_for_every_refinery(position, choice, coins, vp):
    game = position(players=2).player("white", coins=3, patents=1, improvements=["IM04"]).pending("AT03")
    for built in (1, 2):
        game.play("white", ResolveAction("AT03", "refinery_plus") if built == 1 else PayForMore())
        assert set(game.legal("white")) == {ChooseOption(0), ChooseOption(1)}
        facts = game.play("white", ChooseOption(choice))
        assert points(facts) == vp
    assert game["white"].coins == 2 * coins
    assert game["white"].vp == 2 * vp


@pytest.mark.rule("OR-IMP.5")
@pytest.mark.parametrize(
    ("action", "start", "path", "price"),
    [
        ("train_two", "R01", ["R05", "R09"], 3),
        ("train_two", "R06", ["R07", "R12"], 4),
        ("train_two", "R01", ["R05"], 0),
        ("train_two", "R05", ["R06"], 0),
        ("train_anywhere", "R01", ["R12"], 1),
        ("train_anywhere", "R12", ["R01"], 0),
    ],
)
def test_card_5_takes_2_coal_off_the_total_of_every_train_move(position, action, start, path, price):
    game = position(players=3).player("white", train=start, coal=9, improvements=["IM05"]).acting(action)
    facts = game.play("white", MoveTrain(path))
    assert paid(facts) == ([price] if price else [])
    assert TrainMoved in facts


@pytest.mark.rule("OR-IMP.6")
@pytest.mark.parametrize(("region", "price"), [("R06", 1), ("R05", 2), ("R07", 3)])
def test_card_6_takes_a_tool_off_every_office_and_gives_a_point(position, region, price):
    game = position(players=2).player("white", train=region, tools=price, improvements=["IM06"]).acting("office")
    facts = game.play("white", BuildOffice(region, "yellow"))
    assert paid(facts) == [price]
    assert points(facts) == 1


@pytest.mark.rule("OR-IMP.6")
def test_card_6_never_makes_an_office_cheaper_than_nothing(position):
    """Bissel at Level III builds for 2 Tools less."""
    game = position(players=2, phase="goals").region("R01", region_tile="RT_P1")
    game.player("white", character="bissel", progress=15, improvements=["IM06"])
    game.asking("effects", effects="optional:bissel:3")
    facts = game.play("white", BuildOffice("R01", "yellow"))
    assert paid(facts) == []
    assert points(facts) == 1


@pytest.mark.rule("OR-IMP.7")
def test_card_7_sells_the_railway_bonus_of_the_region_of_every_office_for_a_coin(position):
    game = position(players=2).region("R07", region_tile="RT_M1", railway_token="RW_M1")
    game.player("white", train="R07", engineer="R01", tools=4, coins=9, improvements=["IM07"]).acting("office")
    facts = game.play("white", BuildOffice("R07", "yellow"))
    assert facts.in_order(
        fact(PointsGained, amount=4, category="BRANCH_BONUS"), fact(DecisionOpened, owner="white", kind="paid_repeat")
    )
    assert set(game.legal("white")) == {PayForMore(), StopPaying()}
    facts = game.play("white", PayForMore())
    assert paid(facts) == [1]
    assert points(facts, "RAILWAY_BONUS") == 4
    assert not game.legal("white", PayForMore)


@pytest.mark.rule("OR-IMP.7")
def test_card_7_can_be_left_unused(position):
    game = position(players=2).region("R07", region_tile="RT_M1", railway_token="RW_M1")
    game.player("white", train="R07", tools=4, coins=1, improvements=["IM07"]).acting("office")
    game.play("white", BuildOffice("R07", "yellow"))
    facts = game.play("white", StopPaying())
    assert points(facts, "RAILWAY_BONUS") == 0
    assert game["white"].coins == 1


@pytest.mark.rule("OR-IMP.7")
@pytest.mark.parametrize(("region_tile", "asked"), [("RT_M2", True), ("RT_M1", False)])
def test_a_coin_from_the_branch_bonus_pays_for_card_7(position, region_tile, asked):
    game = position(players=2).region("R07", region_tile=region_tile)
    game.player("white", train="R07", tools=4, improvements=["IM07"]).acting("office")
    facts = game.play("white", BuildOffice("R07", "yellow"))
    assert (fact(DecisionOpened, kind="paid_repeat") in facts) is asked


@pytest.mark.rule("OR-IMP.8")
@pytest.mark.parametrize(("space", "level", "patents"), [(5, 2, 0), (12, 3, 1), (19, 4, 1), (26, 5, 1), (33, 6, 1)])
def test_card_8_gives_a_patent_for_every_level_from_iii_up(position, space, level, patents):
    game = position(players=2).player("white", progress=space, improvements=["IM08"]).pending("AT07", "progress")
    facts = game.play("white", ResolveAction("AT07", "progress"))
    assert fact(LevelReached, player="white", level=level) in facts
    assert facts.count(fact(GoodsChanged, player="white", patents=1, reason="EQUIPMENT")) == patents
    assert facts.count(GoodsChanged) == patents


@pytest.mark.rule("OR-IMP.9")
@pytest.mark.parametrize("space", [12, 19, 26, 33])
@pytest.mark.parametrize(("choice", "tools", "coal"), [(0, 2, 0), (1, 0, 2), (2, 1, 1)])
def test_card_9_gives_2_tools_or_2_coal_or_one_of_each_for_every_level_from_iii_up(
    position, space, choice, tools, coal
):
    game = position(players=2).player("white", progress=space, improvements=["IM09"]).pending("AT07", "progress")
    game.play("white", ResolveAction("AT07", "progress"))
    assert set(game.legal("white")) == {ChooseOption(0), ChooseOption(1), ChooseOption(2)}
    game.play("white", ChooseOption(choice))
    assert goods(game) == {"tools": tools, "coins": 0, "coal": coal, "patents": 0}


@pytest.mark.rule("OR-IMP.9")
def test_card_9_gives_nothing_for_level_ii(position):
    game = position(players=2).player("white", progress=5, improvements=["IM09"]).pending("AT07", "progress")
    facts = game.play("white", ResolveAction("AT07", "progress"))
    assert fact(LevelReached, player="white", level=2) in facts
    assert fact(DecisionOpened, kind="alternative") not in facts


@pytest.mark.rule("OR-IMP.10")
def test_card_10_gives_1_progress_for_every_briefcase(position):
    game = position(players=2).player("white", progress=7, patents=3, improvements=["IM10"])
    for number, briefcase in enumerate(("BC1", "BC2"), 1):
        facts = game.play("white", OpenBriefcase(briefcase))
        assert facts.in_order(
            fact(BriefcaseOpened, player="white", briefcase=briefcase),
            fact(GoodsChanged, player="white", reason="BRIEFCASE"),
            fact(ProgressMarkerMoved, player="white", origin=6 + number, space=7 + number, reason="EQUIPMENT"),
        )


@pytest.mark.rule("OR-IMP.11")
@pytest.mark.parametrize(("barrels", "resources"), [({"yellow": 1}, 0), ({"blue": 1}, 1)])
def test_card_11_gives_a_patent_and_a_point_for_the_use_of_the_basic_refinery(position, barrels, resources):
    game = position(players=2, phase="oil_refining").player("white", barrels=barrels, improvements=["IM11"])
    facts = game.play("white", UseBasicRefinery())
    if resources:
        facts += game.play("white", ChooseResources(1, 0, 0))
    assert facts.count(BasicRefineryUsed) == 1
    assert facts.count(fact(GoodsChanged, player="white", patents=1, reason="EQUIPMENT")) == 1
    assert points(facts) == 1


@pytest.mark.rule("OR-IMP.12")
@pytest.mark.parametrize(("chosen", "gain"), [("TU3", "tools"), ("TU1", "coins"), ("TU5", "patents")])
def test_card_12_gives_the_bonus_of_the_new_turbine_or_of_another_built_one(position, chosen, gain):
    game = position(players=2).player("white", coal=1, turbines={"TU1": 1, "TU5": 4}, improvements=["IM12"])
    game.acting("turbine")
    game.play("white", BuildTurbine("TU3", 2))
    assert {command.turbine for command in game.legal("white", ChooseTurbineBonus)} == {"TU1", "TU3", "TU5"}
    assert game.refused("white", ChooseTurbineBonus("TU2")).code == "TURBINE_NOT_BUILT"
    game.play("white", ChooseTurbineBonus(chosen))
    assert goods(game) == {"tools": 0, "coins": 0, "coal": 0, "patents": 0} | {gain: 1}


@pytest.mark.rule("OR-IMP.12")
def test_card_12_gives_the_bonus_of_the_first_turbine_itself(position):
    game = position(players=2).player("white", improvements=["IM12"]).acting("turbine")
    facts = game.play("white", BuildTurbine("TU1", 1))
    assert fact(GoodsChanged, player="white", coins=1, reason="TURBINE") in facts


@pytest.mark.rule("OR-IMP.13")
def test_card_13_gives_the_railway_bonus_of_any_hills_region_for_a_technology(position):
    game = position(players=2, display=["IM20", "IM19"]).region("R08", railway_token="RW_H4")
    game.player("white", train="R01", engineer="R06", tools=5, improvements=["IM13"]).acting("improvement")
    game.play("white", BuyImprovement("IM20"))
    assert bonus_regions(game) == set(HILLS)
    assert game.refused("white", ChooseBonusRegion("R06")).code == "WRONG_TERRAIN"
    facts = game.play("white", ChooseBonusRegion("R08"))
    assert points(facts, "RAILWAY_BONUS") == 2
    assert (game["white"].train, game["white"].engineer, game["white"].tools) == ("R01", "R06", 1)


@pytest.mark.rule("OR-IMP.14")
def test_card_14_gives_the_railway_bonus_of_any_mountains_region_for_a_structure(position):
    game = position(players=2, display=["IM31", "IM32"]).region("R12", railway_token="RW_M1")
    game.player("white", train="R01", engineer="R06", coal=4, improvements=["IM14"]).acting("improvement")
    game.play("white", BuyImprovement("IM31"))
    assert bonus_regions(game) == set(MOUNTAINS)
    assert game.refused("white", ChooseBonusRegion("R08")).code == "WRONG_TERRAIN"
    facts = game.play("white", ChooseBonusRegion("R12"))
    assert points(facts, "RAILWAY_BONUS") == 4
    assert (game["white"].train, game["white"].engineer) == ("R01", "R06")


@pytest.mark.rule("OR-IMP.13", "OR-IMP.14")
@pytest.mark.parametrize(
    ("card", "owned", "asked"),
    [
        ("IM01", "IM13", False), ("IM20", "IM13", True), ("IM31", "IM13", False),
        ("IM01", "IM14", False), ("IM20", "IM14", False), ("IM31", "IM14", True),
    ],
)  # fmt: skip
def test_cards_13_and_14_react_to_their_own_colour_only(position, card, owned, asked):
    game = position(players=2, display=[card, "IM02"]).player("white", tools=9, coins=9, coal=9, improvements=[owned])
    facts = game.acting("improvement").play("white", BuyImprovement(card))
    assert (fact(DecisionOpened, kind="bonus_region") in facts) is asked


@pytest.mark.rule("OR-IMP.15")
@pytest.mark.parametrize(("card", "price"), [("IM01", 2), ("IM20", 4), ("IM31", 3), ("IM36", 1)])
def test_card_15_makes_later_improvements_a_resource_cheaper_and_gives_a_point_for_each(position, card, price):
    game = position(players=2, display=[card, "IM02"]).player("white", tools=9, coins=9, coal=9, improvements=["IM15"])
    facts = game.acting("improvement").play("white", BuyImprovement(card))
    assert paid(facts) == [price]
    assert points(facts) == 1


@pytest.mark.rule("OR-IMP.15")
def test_card_15_itself_gets_neither(position):
    game = position(players=2, display=["IM15", "IM01"]).player("white", coins=9).acting("improvement")
    facts = game.play("white", BuyImprovement("IM15"))
    assert paid(facts) == [3]
    assert points(facts) == 0


@pytest.mark.rule("OR-IMP.15")
def test_card_15_gives_its_point_for_a_free_improvement_too(position):
    game = position(players=2, display=["IM01", "IM31"]).player("white", patents=3, improvements=["IM15"])
    game.play("white", OpenBriefcase("BC6"))
    facts = game.play("white", BuyImprovement("IM01"))
    assert paid(facts) == []
    assert points(facts) == 1


# -- Technology --------------------------------------------------------------------------------------------------------


def bought(position, card, **white):
    """White has just bought the card as an Action."""
    other = "IM02" if card != "IM02" else "IM01"
    game = position(players=2, display=[card, other]).player(
        "white", **{"tools": 5, "coins": 2, "progress": 7, **white}
    )
    game.region("R01", railway_token="RW_P1", region_tile="RT_P1")
    game.acting("improvement")
    return game, game.play("white", BuyImprovement(card))


@pytest.mark.rule("OR-IMP.16")
def test_card_16_gives_6_resources_of_choice(position):
    game, _ = bought(position, "IM16", tools=4)
    assert all(one.tools + one.coins + one.coal == 6 for one in game.legal("white", ChooseResources))
    assert len(game.legal("white")) == 28
    game.play("white", ChooseResources(1, 2, 3))
    assert goods(game) == {"tools": 1, "coins": 4, "coal": 3, "patents": 0}
    assert not game.legal("white", ChooseResources)


@pytest.mark.parametrize(
    ("card", "coal", "patents", "progress", "vp"),
    [
        pytest.param("IM17", 3, 0, 3, 0, marks=pytest.mark.rule("OR-IMP.17")),
        pytest.param("IM18", 0, 2, 2, 0, marks=pytest.mark.rule("OR-IMP.18")),
        pytest.param("IM19", 0, 3, 1, 0, marks=pytest.mark.rule("OR-IMP.19")),
        pytest.param("IM20", 0, 0, 0, 6, marks=pytest.mark.rule("OR-IMP.20")),
        pytest.param("IM26", 0, 0, 4, 0, marks=pytest.mark.rule("OR-IMP.26")),
    ],
)
def test_a_technology_gives_what_it_shows_at_once(position, card, coal, patents, progress, vp):
    game, facts = bought(position, card)
    held = game["white"]
    assert (held.coal, held.patents, held.progress - 7, held.coins) == (coal, patents, progress, 2)
    assert points(facts, "TECHNOLOGY") == vp
    assert points(facts, "IMPROVEMENT_DEPTH") == held.vp - vp == 1


@pytest.mark.rule("OR-IMP.21")
def test_card_21_moves_the_train_anywhere_free(position):
    game, _ = bought(position, "IM21", train="R01", engineer="R01", coal=0)
    assert {command.path for command in game.legal("white", MoveTrain)} == {
        (f"R{number:02}",) for number in range(2, 13)
    }
    facts = game.play("white", MoveTrain(["R12"]))
    assert fact(TrainMoved, player="white", origin="R01", region="R12") in facts
    assert paid(facts) == []


@pytest.mark.rule("OR-IMP.21")
def test_the_move_of_card_21_may_be_declined(position):
    game, _ = bought(position, "IM21", train="R01")
    facts = game.play("white", DeclineEffect())
    assert TrainMoved not in facts
    assert fact(ImprovementLaid, improvement="IM21") in facts


@pytest.mark.rule("OR-IMP.22")
def test_card_22_builds_an_office_free_where_the_train_or_the_engineer_is(position):
    game, _ = bought(position, "IM22", tools=4, train="R01", engineer="R12")
    assert {command.region for command in game.legal("white", BuildOffice)} == {"R01", "R12"}
    assert game.refused("white", BuildOffice("R07", "yellow")).code == "NOT_PRESENT_IN_REGION"
    facts = game.play("white", BuildOffice("R01", "yellow"))
    assert fact(OfficeBuilt, player="white", region="R01") in facts
    assert paid(facts) == []
    assert fact(GoodsChanged, coins=3, reason="BRANCH_BONUS") in facts


@pytest.mark.rule("OR-IMP.23")
@pytest.mark.parametrize("well", ["yellow", "green", "blue"])
def test_card_23_builds_a_drill_free(position, well):
    game, _ = bought(position, "IM23", tools=4)
    facts = game.play("white", BuildDrill(well))
    assert fact(DrillBuilt, player="white", well=well, depth=2) in facts
    assert paid(facts) == []


@pytest.mark.rule("OR-IMP.24")
@pytest.mark.parametrize(("before", "built"), [(0, [1, 2]), (5, [6, 7]), (11, [12]), (12, [])])
def test_card_24_builds_two_refineries_free(position, before, built):
    _, facts = bought(position, "IM24", tools=4, refineries=before)
    assert [event.number for event in facts.of(RefineryBuilt)] == built
    assert paid(facts) == [4], "the price of the card"


@pytest.mark.rule("OR-IMP.25")
def test_card_25_builds_a_turbine_free_then_gives_a_turbine_bonus_and_1_progress(position):
    game, _ = bought(position, "IM25", tools=3, turbines={"TU1": 1})
    facts = game.play("white", BuildTurbine("TU6", 2))
    assert fact(TurbineBuilt, player="white", turbine="TU6", slot=2) in facts
    assert paid(facts) == []
    assert set(game.legal("white")) == {ChooseTurbineBonus("TU1"), ChooseTurbineBonus("TU6")}
    facts = game.play("white", ChooseTurbineBonus("TU6"))
    assert facts.in_order(
        fact(PointsGained, amount=2, category="TURBINE"),
        fact(ProgressMarkerMoved, player="white", origin=7, space=8, reason="TECHNOLOGY"),
    )


@pytest.mark.rule("OR-IMP.27")
def test_card_27_gives_barrels_and_a_point(position):
    game, facts = bought(position, "IM27")
    assert game["white"].barrels == {"yellow": 1, "green": 2, "blue": 1}
    assert points(facts, "TECHNOLOGY") == 1


@pytest.mark.rule("OR-IMP.28")
def test_card_28_gives_the_railway_bonus_of_a_hills_and_of_a_mountains_region(position):
    game = position(players=2, display=["IM28", "IM02"]).player("white", tools=5, coins=2, train="R01")
    game.region("R03", railway_token="RW_H4").region("R09", railway_token="RW_M1").acting("improvement")
    game.play("white", BuyImprovement("IM28"))
    assert bonus_regions(game) == set(HILLS)
    facts = game.play("white", ChooseBonusRegion("R03"))
    assert points(facts, "RAILWAY_BONUS") == 2
    assert bonus_regions(game) == set(MOUNTAINS)
    facts = game.play("white", ChooseBonusRegion("R09"))
    assert points(facts, "RAILWAY_BONUS") == 4
    assert not bonus_regions(game)
    assert (game["white"].train, game["white"].tools) == ("R01", 1)


@pytest.mark.rule("OR-IMP.29")
def test_card_29_gives_3_resources_of_choice_and_3_points(position):
    game, _ = bought(position, "IM29")
    assert all(one.tools + one.coins + one.coal == 3 for one in game.legal("white", ChooseResources))
    facts = game.play("white", ChooseResources(0, 1, 2))
    assert points(facts, "TECHNOLOGY") == 3
    assert goods(game) == {"tools": 0, "coins": 3, "coal": 2, "patents": 0}


@pytest.mark.rule("OR-IMP.30")
@pytest.mark.parametrize("region", ["R06", "R05", "R07"])
def test_card_30_gives_the_branch_bonus_of_any_region_and_a_point(position, region):
    tiles = {"R06": "RT_P4", "R05": "RT_H2", "R07": "RT_M4"}
    game = position(players=2, display=["IM30", "IM02"]).player("white", tools=4, coins=2, train="R01")
    for there, tile in tiles.items():
        game.region(there, region_tile=tile)
    game.acting("improvement").play("white", BuyImprovement("IM30"))
    assert bonus_regions(game) == {f"R{number:02}" for number in range(1, 13)}
    facts = game.play("white", ChooseBonusRegion(region))
    assert points(facts, "TECHNOLOGY") == 1
    assert OfficeBuilt not in facts
    gains = {"R06": (2, 0, 1), "R05": (0, 2, 0), "R07": (0, 2, 1)}
    assert (game["white"].coal, game["white"].patents, points(facts, "BRANCH_BONUS")) == gains[region]


# -- Structures --------------------------------------------------------------------------------------------------------


def worth(position, card, white, red=None, **said):
    """What the card scores for white at the end of the game."""
    game = position(players=2, at="final_scoring", **said)
    game.player("white", **{**white, "improvements": [*white.get("improvements", ()), card]}).player(
        "red", **(red or {})
    )
    [line] = [line for line in game.score.lines if line.source_id == card]
    assert (line.seat, line.category) == (game.seat("white"), "structures")
    return line.points


@pytest.mark.rule("OR-IMP.31")
@pytest.mark.parametrize("offices", [0, 1, 4, 6])
def test_card_31_scores_2_per_office(position, offices):
    assert worth(position, "IM31", {"offices": SIX_OFFICES[:offices]}, {"offices": ["R12"]}) == 2 * offices


@pytest.mark.rule("OR-IMP.32")
@pytest.mark.parametrize("refineries", [0, 1, 6, 7, 12])
def test_card_32_scores_1_per_refinery_built(position, refineries):
    assert worth(position, "IM32", {"refineries": refineries}) == refineries


@pytest.mark.rule("OR-IMP.33", "OR-IMP.47")
@pytest.mark.parametrize(
    ("yellow", "green", "blue", "points"),
    [(1, 1, 1, 0), (2, 2, 1, 0), (4, 4, 1, 0), (2, 2, 2, 4), (4, 2, 3, 4), (3, 4, 3, 8), (4, 4, 4, 12)],
)
def test_card_33_scores_4_per_set_of_a_drill_of_each_colour(position, yellow, green, blue, points):
    white = {"depth": {"yellow": yellow, "green": green, "blue": blue}, "offices": SIX_OFFICES}
    assert worth(position, "IM33", white) == points


@pytest.mark.rule("OR-IMP.34", "OR-IMP.47")
@pytest.mark.parametrize(
    ("briefcases", "points"),
    [
        ([], 0),
        (["BC1", "BC2", "BC3", "BC4"], 0),
        (["BC1", "BC3", "BC5"], 5),
        (["BC1", "BC2", "BC3", "BC5", "BC6"], 5),
        (["BC1", "BC2", "BC3", "BC4", "BC5", "BC6"], 10),
    ],
)
def test_card_34_scores_5_per_set_of_an_opened_briefcase_of_each_colour(position, briefcases, points):
    assert worth(position, "IM34", {"briefcases": briefcases}) == points


@pytest.mark.rule("OR-IMP.35", "OR-IMP.47")
@pytest.mark.parametrize(("turbines", "points"), [(0, 0), (1, 0), (2, 4), (3, 4), (5, 8), (6, 12)])
def test_card_35_scores_4_per_two_turbines(position, turbines, points):
    assert worth(position, "IM35", {"turbines": {f"TU{number}": number for number in range(1, turbines + 1)}}) == points


@pytest.mark.rule("OR-IMP.36", "OR-IMP.47")
@pytest.mark.parametrize(
    ("others", "points"),
    [
        ([], 0),
        (["IM01"], 0),
        (["IM01", "IM16"], 6),
        (["IM01", "IM02", "IM16", "IM17"], 6),
        (["IM01", "IM02", "IM16", "IM17", "IM31"], 12),
        (["IM01", "IM02", "IM03", "IM16", "IM17", "IM18", "IM31", "IM32"], 12),
    ],
)
def test_card_36_counts_itself_and_scores_6_per_set_of_the_three_colours_of_improvements_up_to_12(
    position, others, points
):
    assert worth(position, "IM36", {"improvements": others}) == points


@pytest.mark.rule("OR-IMP.37")
@pytest.mark.parametrize(
    ("offices", "points"), [([], 0), (["R01", "R03", "R04"], 0), (["R01", "R02", "R07"], 6), ([*MOUNTAINS, "R05"], 12)]
)
def test_card_37_scores_3_per_office_in_mountains(position, offices, points):
    assert worth(position, "IM37", {"offices": offices}) == points


@pytest.mark.rule("OR-IMP.38")
@pytest.mark.parametrize("used", [{}, {"XA1": 1}, {"XA1": 1, "XA2": 3}, {"XA1": 1, "XA2": 2, "XA3": 3, "XA6": 4}])
def test_card_38_scores_3_per_extra_action_used(position, used):
    assert worth(position, "IM38", {"extra_actions": used}, round=4) == 3 * len(used)


@pytest.mark.rule("OR-IMP.39")
@pytest.mark.parametrize(
    ("space", "best", "points"), [(3, 3, 2), (6, 6, 4), (12, 13, 6), (20, 20, 8), (27, 27, 10), (42, 42, 12)]
)
def test_card_39_scores_2_per_progress_level(position, space, best, points):
    assert worth(position, "IM39", {"progress": space, "best_space": best}) == points


@pytest.mark.rule("OR-IMP.40", "OR-IMP.47")
@pytest.mark.parametrize(
    ("offices", "points"),
    [
        (["R01", "R04", "R06", "R03", "R05"], 0),
        (["R01", "R03", "R02"], 5),
        (["R01", "R03", "R05", "R02", "R07"], 5),
        (["R01", "R04", "R03", "R05", "R02", "R07"], 10),
    ],
)
def test_card_40_scores_5_per_set_of_an_office_in_each_terrain(position, offices, points):
    assert worth(position, "IM40", {"offices": offices}) == points


def majority(alone, tied):
    """White has most, as many as red, fewer than red, and both have none."""
    return pytest.mark.parametrize(
        ("white", "red", "points"), [(2, 1, alone), (1, 0, alone), (2, 2, tied), (1, 2, 0), (0, 0, 0)]
    )


@pytest.mark.rule("OR-IMP.41")
@majority(8, 4)
def test_card_41_scores_8_for_most_offices_or_4_if_tied(position, white, red, points):
    assert worth(position, "IM41", {"offices": SIX_OFFICES[:white]}, {"offices": SIX_OFFICES[:red]}) == points


@pytest.mark.rule("OR-IMP.42", "OR-IMP.47")
@pytest.mark.parametrize(
    ("drills", "briefcases", "turbines", "others", "points"),
    [
        (0, 1, 1, 0, 0),
        (1, 0, 1, 0, 0),
        (1, 1, 0, 0, 0),
        (1, 1, 1, 0, 4),
        (2, 3, 2, 0, 4),
        (2, 3, 2, 1, 8),
        (3, 3, 3, 2, 12),
        (4, 4, 4, 3, 12),
    ],
)
def test_card_42_scores_4_per_set_of_a_drill_a_briefcase_a_turbine_and_an_improvement_up_to_12(
    position, drills, briefcases, turbines, others, points
):
    """The card itself is an Improvement."""
    white = {
        "depth": {"yellow": 1 + min(drills, 3), "green": 1 + max(0, drills - 3)},
        "offices": SIX_OFFICES,
        "briefcases": [f"BC{number}" for number in range(1, briefcases + 1)],
        "turbines": {f"TU{number}": number for number in range(1, turbines + 1)},
        "improvements": ["IM01", "IM16", "IM02"][:others],
    }
    assert worth(position, "IM42", white) == points


@pytest.mark.rule("OR-IMP.43")
@majority(10, 5)
def test_card_43_scores_10_for_most_opened_briefcases_or_5_if_tied(position, white, red, points):
    opened = ["BC1", "BC2", "BC3"]
    assert worth(position, "IM43", {"briefcases": opened[:white]}, {"briefcases": opened[:red]}) == points


@pytest.mark.rule("OR-IMP.44")
@majority(8, 4)
def test_card_44_scores_8_for_most_drills_or_4_if_tied(position, white, red, points):
    board = [{"depth": {"yellow": 1 + min(1, drills), "blue": 1 + max(0, drills - 1)}} for drills in (white, red)]
    assert worth(position, "IM44", *board) == points


@pytest.mark.rule("OR-IMP.45")
@pytest.mark.parametrize(
    ("stacks", "points"),
    [
        ({20: ["white"], 19: ["red"]}, 8),
        ({20: ["white", "red"]}, 4),
        ({20: ["red", "white"]}, 4),
        ({20: ["red"], 19: ["white"]}, 0),
        ({1: ["white"], 0: ["red"]}, 8),
        ({0: ["white", "red"]}, 0),
    ],
)
def test_card_45_scores_8_for_the_highest_progress_space_or_4_in_a_stack(position, stacks, points):
    assert worth(position, "IM45", {}, stacks=stacks) == points


# -- Common ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("OR-IMP.46")
def test_triggers_work_for_their_owner_only(position):
    cards = [f"IM{number:02}" for number in range(1, 16)]
    game = position(players=2).player("red", improvements=cards).player("white", tools=3).acting("drill")
    facts = game.play("white", BuildDrill("green"))
    assert fact(DecisionOpened, kind="alternative") not in facts
    assert fact(DecisionOpened, kind="turbine_site") not in facts
    assert facts.count(GoodsChanged) == 1


@pytest.mark.rule("OR-IMP.46")
@pytest.mark.parametrize(("owner", "price"), [("white", 3), ("red", 4)])
def test_modifiers_work_for_their_owner_only(position, owner, price):
    game = position(players=2).player(owner, improvements=["IM06"]).player("white", train="R07", tools=4)
    facts = game.acting("office").play("white", BuildOffice("R07", "yellow"))
    assert paid(facts) == [price]


@pytest.mark.rule("OR-IMP.46")
def test_an_equipment_does_not_work_for_what_happened_before_it_was_laid(position):
    """The drill and the card come from one turn, the drill first; the second drill is the first to count."""
    game = position(players=2, display=["IM01", "IM03"]).player("white", tools=3, coins=3, patents=6)
    game.acting("drill")
    facts = game.play("white", BuildDrill("green"))
    facts += game.play("white", UseExtraAction("XA5"))
    facts += game.play("white", ResolveAction("XA5", "improvement"))
    facts += game.play("white", BuyImprovement("IM01"))
    assert fact(DecisionOpened, kind="alternative") not in facts
    game.play("white", OpenBriefcase("BC5"))
    facts = game.play("white", BuildDrill("yellow"))
    assert fact(DecisionOpened, owner="white", kind="alternative") in facts


@pytest.mark.rule("OR-IMP.46")
def test_a_technology_that_builds_starts_the_triggers_of_equipment_already_laid(position):
    game = position(players=2, display=["IM23", "IM02"]).player("white", tools=4, coins=2, improvements=["IM01"])
    game.acting("improvement").play("white", BuyImprovement("IM23"))
    facts = game.play("white", BuildDrill("green"))
    assert fact(DecisionOpened, owner="white", kind="alternative") in facts
    facts = game.play("white", ChooseOption(0))
    assert facts.in_order(fact(GoodsChanged, coins=2, reason="EQUIPMENT"), fact(ImprovementLaid, improvement="IM23"))


@pytest.mark.rule("OR-IMP.47")
def test_for_another_structure_a_thing_counts_again(position):
    """Two Turbines and two Drills serve both cards; the two cards are Improvements of both sets."""
    game = position(players=2, at="final_scoring").player(
        "white", turbines={"TU1": 1, "TU2": 2}, depth={"yellow": 2, "green": 2}, briefcases=["BC1", "BC3"],
        improvements=["IM35", "IM42"],
    )  # fmt: skip
    scored = {line.source_id: line.points for line in game.score.lines if line.category == "structures"}
    assert scored == {"IM35": 4, "IM42": 8}


@pytest.mark.rule("OR-IMP.48")
def test_a_card_taken_with_a_briefcase_does_not_react_to_the_opening_of_that_briefcase(position):
    game = position(players=2, display=["IM10", "IM02"])
    game.player("white", patents=4, depth={"yellow": 2}, progress=7)
    game.play("white", OpenBriefcase("BC6"))
    facts = game.play("white", BuyImprovement("IM10"))
    assert ProgressMarkerMoved not in facts
    assert points(facts, "IMPROVEMENT_DEPTH") == 2
    assert points(facts, "BRIEFCASE") == 1
    facts = game.play("white", OpenBriefcase("BC1"))
    assert fact(ProgressMarkerMoved, player="white", origin=7, space=8, reason="EQUIPMENT") in facts
