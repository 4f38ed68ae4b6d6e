"""OR-OFFICE: building an Office."""

import pytest

from wellhead_rules.oil_rock.commands import BuildDrill, BuildOffice, ResolveAction, UseExtraAction
from wellhead_rules.oil_rock.events import GoodsChanged, OfficeBuilt, ProgressMarkerMoved
from wellhead_rules.oil_rock.events import VictoryPointsGained as PointsGained
from wellhead_rules.oil_rock.facts import fact
from wellhead_rules.oil_rock.vocabulary import OilColour

SIX_OFFICES = ["R01", "R02", "R03", "R04", "R05", "R06"]


def sites(game):
    return {command.region for command in game.legal("white", BuildOffice)}


@pytest.mark.rule("OR-OFFICE.1")
def test_an_office_is_built_where_the_own_train_or_the_own_engineer_stands(position):
    game = position(players=2).player("white", train="R07", engineer="R01", tools=9)
    game.player("red", train="R05", engineer="R06").acting("office")
    assert sites(game) == {"R07", "R01"}
    for region in ("R05", "R06", "R12"):
        assert game.refused("white", BuildOffice(region, "yellow")).code == "NOT_PRESENT_IN_REGION"


@pytest.mark.rule("OR-OFFICE.2")
@pytest.mark.parametrize(("region", "price"), [("R06", 2), ("R05", 3), ("R07", 4)])
def test_an_office_costs_tools_by_terrain(position, region, price):
    game = position(players=2).player("white", train=region, tools=price).acting("office")
    facts = game.play("white", BuildOffice(region, "yellow"))
    assert fact(GoodsChanged, player="white", tools=-price, reason="PAYMENT") in facts


@pytest.mark.rule("OR-OFFICE.2")
@pytest.mark.parametrize(("region", "tools"), [("R06", 1), ("R05", 2), ("R07", 3)])
def test_with_a_tool_too_few_no_office_can_be_built(position, region, tools):
    game = position(players=2).player("white", train=region, tools=tools, coins=9, coal=9).pending("AT05")
    assert game.refused("white", ResolveAction("AT05", "office")).code == "ACTION_IMPOSSIBLE"


@pytest.mark.rule("OR-OFFICE.3")
def test_a_player_has_one_office_in_a_region_at_most(position):
    game = position(players=2).player("white", train="R07", engineer="R01", tools=9, offices=["R07"]).acting("office")
    assert sites(game) == {"R01"}
    assert game.refused("white", BuildOffice("R07", "green")).code == "OFFICE_ALREADY_IN_REGION"


@pytest.mark.rule("OR-OFFICE.4")
def test_a_sixth_office_can_be_built_and_a_seventh_cannot(position):
    game = position(players=2).player("white", train="R12", engineer="R11", tools=9, offices=SIX_OFFICES[:5])
    game.acting("office")
    game.play("white", game.legal("white", BuildOffice)[0])
    assert len(game["white"].offices) == 6

    game = position(players=2).player("white", train="R12", tools=9, offices=SIX_OFFICES).pending("AT05")
    assert game.refused("white", ResolveAction("AT05", "office")).code == "ACTION_IMPOSSIBLE"


@pytest.mark.rule("OR-OFFICE.5")
def test_a_region_with_three_offices_is_full(position):
    game = position(players=4).region("R07", offices=["red", "blue", "yellow"])
    game.player("white", train="R07", engineer="R01", tools=9).acting("office")
    assert sites(game) == {"R01"}
    assert game.refused("white", BuildOffice("R07", "yellow")).code == "REGION_FULL"


@pytest.mark.rule("OR-OFFICE.6")
@pytest.mark.parametrize("well", ["yellow", "green", "blue"])
@pytest.mark.parametrize("region", ["R06", "R05", "R07"])
def test_the_topmost_office_of_any_well_is_taken_whatever_the_region(position, region, well):
    game = position(players=2).player("white", train=region, tools=9).acting("office")
    facts = game.play("white", BuildOffice(region, well))
    assert fact(OfficeBuilt, player="white", region=region, well=well, drill_position=2) in facts


@pytest.mark.rule("OR-OFFICE.6")
def test_the_second_office_of_a_well_comes_from_its_lowest_drill(position):
    game = position(players=2).player("white", train="R07", tools=9, offices=["R01 from green"]).acting("office")
    facts = game.play("white", BuildOffice("R07", "green"))
    assert fact(OfficeBuilt, well="green", drill_position=3) in facts


@pytest.mark.rule("OR-OFFICE.6")
def test_a_well_without_offices_cannot_be_chosen(position):
    game = position(players=2).player("white", train="R07", tools=9, offices=["R01 from green", "R02 from green"])
    game.acting("office")
    wells = {command.well for command in game.legal("white", BuildOffice)}
    assert wells == {OilColour.YELLOW, OilColour.BLUE}
    assert game.refused("white", BuildOffice("R07", "green")).code == "WELL_HAS_NO_OFFICE"


@pytest.mark.rule("OR-OFFICE.7")
def test_taking_an_office_uncovers_the_drill_it_lay_on(position):
    game = position(players=2).player("white", train="R06", tools=20, patents=3, depth={"yellow": 3, "green": 3})
    game.player("white", offices=["R01 from yellow", "R02 from green"]).acting("office")
    game.play("white", BuildOffice("R06", "yellow"))
    game.play("white", UseExtraAction("XA3"))
    assert game.refused("white", BuildDrill("green")).code == "DRILL_BLOCKED_BY_OFFICE"
    game.play("white", BuildDrill("yellow"))
    assert game["white"].depth["yellow"] == 4


@pytest.mark.rule("OR-OFFICE.8")
@pytest.mark.parametrize(
    ("region", "before", "slot_vp"),
    [
        ("R06", [], 3), ("R06", ["red"], 2), ("R06", ["red", "blue"], 1),
        ("R05", [], 4), ("R05", ["red"], 3), ("R05", ["red", "blue"], 2),
        ("R07", [], 5), ("R07", ["red"], 4), ("R07", ["red", "blue"], 3),
    ],
)  # fmt: skip
def test_an_office_takes_the_most_valuable_free_slot(position, region, before, slot_vp):
    game = position(players=3).region(region, offices=before).player("white", train=region, tools=4).acting("office")
    facts = game.play("white", BuildOffice(region, "yellow"))
    assert fact(OfficeBuilt, player="white", region=region, slot_vp=slot_vp) in facts


@pytest.mark.rule("OR-OFFICE.8")
def test_the_points_of_the_slot_count_at_the_end_only(position):
    game = position(players=2).region("R07", region_tile="RT_M2").player("white", train="R07", tools=4).acting("office")
    assert PointsGained not in game.play("white", BuildOffice("R07", "yellow"))
    assert game["white"].vp == 0
    offices = [line for line in game.score.lines if line.seat == game.seat("white") and line.category == "offices"]
    assert sum(line.points for line in offices) == 5


@pytest.mark.rule("OR-OFFICE.9")
@pytest.mark.parametrize("before", [[], ["red"], ["red", "blue"]])
def test_every_builder_receives_the_branch_bonus_at_once(position, before):
    game = position(players=3).region("R05", region_tile="RT_H1", offices=before)
    game.player("white", train="R05", tools=3, progress=7).acting("office")
    facts = game.play("white", BuildOffice("R05", "yellow"))
    assert facts.in_order(
        fact(OfficeBuilt, player="white", region="R05"),
        fact(ProgressMarkerMoved, player="white", origin=7, space=10, reason="BRANCH_BONUS"),
    )
    assert game.seen.map["R05"].region_tile == "RT_H1"


@pytest.mark.rule("OR-OFFICE.10")
def test_first_the_cost_then_the_office_then_the_branch_bonus_then_the_triggers(position):
    game = position(players=2).region("R07", region_tile="RT_M1")
    game.player("white", train="R07", tools=4, improvements=["IM06"]).acting("office")
    facts = game.play("white", BuildOffice("R07", "yellow"))
    assert facts.in_order(
        fact(GoodsChanged, player="white", tools=-3, reason="PAYMENT"),
        fact(OfficeBuilt, player="white", region="R07"),
        fact(PointsGained, player="white", amount=4, category="BRANCH_BONUS"),
        fact(PointsGained, player="white", amount=1, category="EQUIPMENT"),
    )
