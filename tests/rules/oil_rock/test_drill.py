"""OR-DRILL: building drills."""

import pytest

from wellhead_rules.oil_rock.commands import BuildDrill, ResolveAction
from wellhead_rules.oil_rock.events import DecisionOpened, DrillBuilt, GoodsChanged
from wellhead_rules.oil_rock.facts import fact

# Six Offices on the map leave every drill uncovered.
ALL_UNCOVERED = ["R01", "R02", "R03", "R04", "R05", "R06"]


@pytest.mark.rule("OR-DRILL.1")
@pytest.mark.parametrize("well", ["yellow", "green", "blue"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_topmost_remaining_drill_of_any_well_is_built(position, well, depth):
    every = {"yellow": depth, "green": depth, "blue": depth}
    game = position(players=2).player("white", tools=20, offices=ALL_UNCOVERED, depth=every).acting("drill")
    assert {command.well.name.lower() for command in game.legal("white", BuildDrill)} == set(every)
    facts = game.play("white", BuildDrill(well))
    assert facts.count(DrillBuilt) == 1
    assert fact(DrillBuilt, player="white", well=well, depth=depth + 1) in facts


@pytest.mark.rule("OR-DRILL.2")
@pytest.mark.parametrize(
    ("well", "place", "price"),
    [
        ("yellow", 1, 2), ("yellow", 2, 3), ("yellow", 3, 5),
        ("green", 1, 3), ("green", 2, 4), ("green", 3, 6),
        ("blue", 1, 4), ("blue", 2, 5), ("blue", 3, 7),
    ],
)  # fmt: skip
def test_a_drill_costs_tools_by_well_and_position(position, well, place, price):
    game = position(players=2).player("white", tools=20, offices=ALL_UNCOVERED, depth={well: place}).acting("drill")
    facts = game.play("white", BuildDrill(well))
    assert fact(GoodsChanged, player="white", tools=-price, reason="PAYMENT") in facts
    assert game["white"].tools == 20 - price


@pytest.mark.rule("OR-DRILL.2")
def test_a_drill_that_cannot_be_paid_is_refused(position):
    game = position(players=2).player("white", tools=3, coins=9, coal=9).acting("drill")
    assert game.refused("white", BuildDrill("blue")).code == "NOT_ENOUGH_TOOLS"
    assert game.offers("white", BuildDrill("green"))
    assert position(players=2).player("white", tools=1).pending("AT02").refused(
        "white", ResolveAction("AT02", "drill")
    ).code == "ACTION_IMPOSSIBLE"  # fmt: skip


@pytest.mark.rule("OR-DRILL.3")
@pytest.mark.parametrize(("depth", "offices"), [(2, []), (3, ["R01 from yellow"])])
def test_a_drill_under_an_office_cannot_be_built_nor_one_below_it(position, depth, offices):
    game = position(players=2).player("white", tools=20, depth={"yellow": depth}, offices=offices).acting("drill")
    assert not game.offers("white", BuildDrill("yellow"))
    assert game.refused("white", BuildDrill("yellow")).code == "DRILL_BLOCKED_BY_OFFICE"


@pytest.mark.rule("OR-DRILL.3")
def test_a_drill_above_the_topmost_office_can_be_built(position):
    game = position(players=2).player("white", tools=4, offices=["R01 from yellow"], depth={"yellow": 2})
    game.acting("drill")
    assert game.offers("white", BuildDrill("yellow"))
    assert game.offers("white", BuildDrill("blue"))


@pytest.mark.rule("OR-DRILL.4")
def test_building_a_drill_takes_it_off_its_well_and_deepens_that_well_by_one(position):
    game = position(players=2).player("white", tools=4).acting("drill")
    game.play("white", BuildDrill("green"))
    assert game["white"].depth == {"yellow": 1, "green": 2, "blue": 1}
    assert game["red"].depth == {"yellow": 1, "green": 1, "blue": 1}


@pytest.mark.rule("OR-DRILL.5")
def test_a_well_takes_three_drills(position):
    game = position(players=2).player("white", tools=20, offices=ALL_UNCOVERED, depth={"blue": 4}).acting("drill")
    assert game.refused("white", BuildDrill("blue")).code == "WELL_EXHAUSTED"


@pytest.mark.rule("OR-DRILL.5")
def test_a_ninth_drill_can_be_built_and_a_tenth_cannot(position):
    deep = {"yellow": 4, "green": 4, "blue": 4}
    board = position(players=2).player("white", tools=20, offices=ALL_UNCOVERED, depth={**deep, "blue": 3})
    assert fact(DrillBuilt, well="blue", depth=4) in board.acting("drill").opening, "the only drill left"

    game = position(players=2).player("white", tools=20, offices=ALL_UNCOVERED, depth=deep).pending("AT02")
    assert game.refused("white", ResolveAction("AT02", "drill")).code == "ACTION_IMPOSSIBLE"


@pytest.mark.rule("OR-DRILL.6")
def test_first_the_cost_then_the_drill_then_the_triggers(position):
    game = position(players=2).player("white", tools=9, improvements=["IM01"]).acting("drill")
    facts = game.play("white", BuildDrill("green"))
    assert facts.in_order(
        fact(GoodsChanged, player="white", tools=-3, reason="PAYMENT"),
        fact(DrillBuilt, player="white", well="green"),
        fact(DecisionOpened, owner="white", kind="alternative"),
    )
