"""Section F.1: every rejection code, the order in which they are checked, and that a refusal changes nothing.

`Position.refused` itself fails when a refused command has changed the state or drawn anything.
"""

import re
from pathlib import Path

import pytest

from wellhead.v1 import game_pb2, log_pb2
from wellhead_rules import oil_rock
from wellhead_rules.kernel import table
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import commands as c
from wellhead_rules.registry import RULESETS

DOCUMENT = (Path(oil_rock.__file__).parent / "rules.md").read_text(encoding="utf-8")
CLAUSES = frozenset(re.findall(r"^- \*\*(OR-[A-Z.]+\d+)\*\*", DOCUMENT, re.MULTILINE))


# -- positions in which a command is refused -------------------------------------------------------------------


def turn(p, **said):
    """White's worker turn; no worker has been placed."""
    return p(turn="white").player("white", **said)


def placed(p, **said):
    """White's worker turn; the worker stands, `coal_two` and `train_two` are pending."""
    return turn(p, **said).pending("AT04")


def extra(p, phase="actions", **said):
    """White has used an Extra Action and carried out neither of its Actions."""
    return p(phase=phase, turn="white").player("white", **said).pending("XA4")


def two_tiles(p, **said):
    """White's manager links two tiles, of which one has been started."""
    game = turn(p, assistants=0, managers=0, workers=["C1"], **said)
    return game.pending("AT05", "patent", started=True).pending("AT06")


def phase(p, name, **said):
    """White's phase turn; a Patent keeps it from ending by itself."""
    return p(phase=name, turn="white").player("white", **{"patents": 1, **said})


def refining(p, **said):
    return phase(p, "oil_refining", **{"refineries": 2, "barrels": {"yellow": 2, "green": 2, "blue": 1}, **said})


def energy(p, **said):
    return refining(p, character="lukasiewicz", progress=13, refineries=6, energy=3, **said)


def ability(p, **said):
    """Rockefeller at Level III."""
    return refining(p, character="rockefeller", progress=13, **{"coins": 2, **said})


def train(p, action="train_two", coal=2, source=""):
    return turn(p, train="R01", coal=coal).acting(action, source)


def engineer(p):
    """The Train has gone from R01 to R05; the Engineer stands in R05."""
    return turn(p, train="R05", engineer="R05").asking("engineer_move", route=["R01", "R05"])


def office(p, **said):
    """Train in R05, Engineer in R07, Tools for hills."""
    game = p(turn="white", players=4).player("white", **{"train": "R05", "engineer": "R07", "tools": 3, **said})
    return game.acting("office")


def drill(p, **said):
    """The yellow well is blocked, the green one exhausted, the blue one too dear below its first drill."""
    offices = ["R01 from green", "R02 from green", "R03 from blue"]
    depth = {"yellow": 2, "green": 4, "blue": 2}
    game = turn(p, depth=depth, offices=offices, tools=4)
    return game.resolving("region_tile:RT_M3") if not said else game


def drill_action(p, tools):
    return turn(p, tools=tools).acting("drill")


def turbine(p, placement="ANY_SPACE", coal=1):
    """TU1 stands at slot 1; refineries 1 to 3 are built."""
    game = p(turn="white", options={"turbine_placement": placement})
    return game.player("white", turbines={"TU1": 1}, refineries=3, coal=coal).acting("turbine")


def purchase(p, **said):
    """A card of each colour, at 3 Coins, 4 Tools and 3 Coal."""
    game = p(turn="white", display=["IM01", "IM02", "IM16", "IM33"]).player("white", **{"coins": 2, **said})
    return game.acting("improvement")


def conversion(p):
    game = p(phase="oil_refining", at="start_of_turn", turn="white")
    return game.player("white", character="lukasiewicz", progress=13, barrels={"yellow": 2, "green": 1})


def loading(p, **barrels):
    game = p(phase="oil_refining", turn="white").player("white", barrels=barrels or {"yellow": 2, "blue": 2})
    game.play("white", c.UseBasicRefinery())
    return game


def last_loading(p):
    game = loading(p)
    game.play("white", c.LoadBasicRefinery("yellow", 0))
    return game


CHARACTERS = {"at": "characters", "red": {"character": "drake"}}
DEPLOYMENT = {"at": "deployment", "players": 3, "blue": {"train": "R01"}}
STRICT = {"turn": "white", "options": {"forgo_policy": "STRICT"}}

# Code, position, command: in the order of the table of section F.1.
ROWS = [
    ("CHARACTER_TAKEN", lambda p: p(**CHARACTERS), c.ChooseCharacter("drake")),
    ("REGION_NOT_PLAINS", lambda p: p(**DEPLOYMENT), c.DeployTrain("R05")),
    ("REGION_TAKEN", lambda p: p(**DEPLOYMENT), c.DeployTrain("R01")),
    ("WORKER_ALREADY_PLACED", placed, c.PlaceOnTile("AT01")),
    ("ACTIONS_PENDING", extra, c.PlaceOnTile("AT01")),
    ("TILE_NOT_ON_WHEEL", turn, c.PlaceOnTile("AT11")),
    ("TILE_OCCUPIED", lambda p: turn(p).player("red", workers=["AT01"]), c.PlaceOnTile("AT01")),
    ("WORKER_ALREADY_PLACED", placed, c.PlaceOnCircle("C1")),
    ("ACTIONS_PENDING", extra, c.PlaceOnCircle("C1")),
    ("CIRCLE_NOT_ON_WHEEL", lambda p: turn(p, assistants=0, managers=1), c.PlaceOnCircle("C10")),
    ("ASSISTANTS_FIRST", turn, c.PlaceOnCircle("C1")),
    (
        "CIRCLE_OCCUPIED",
        lambda p: turn(p, assistants=0, managers=1).player("red", workers=["C1"]),
        c.PlaceOnCircle("C1"),
    ),
    ("WORKER_ALREADY_PLACED", placed, c.PlaceOnCopy("AT01")),
    ("ACTIONS_PENDING", extra, c.PlaceOnCopy("AT01")),
    ("COPY_NO_PROGRESS", lambda p: turn(p, progress=0), c.PlaceOnCopy("AT01")),
    ("TILE_NOT_ON_WHEEL", turn, c.PlaceOnCopy("AT11")),
    ("COPY_BLANK_TILE", turn, c.PlaceOnCopy("AT15")),
    ("COPY_OWN_TILE", lambda p: turn(p, workers=["AT01"]), c.PlaceOnCopy("AT01")),
    ("ACTION_NOT_PENDING", placed, c.ResolveAction("AT04", "drill")),
    ("OTHER_SOURCE_STARTED", two_tiles, c.ResolveAction("AT06", "progress_plus")),
    ("ACTION_IMPOSSIBLE", placed, c.ResolveAction("AT04", "train_two")),
    ("ACTION_NOT_PENDING", placed, c.ForgoSource("AT05")),
    ("OTHER_SOURCE_STARTED", two_tiles, c.ForgoSource("AT06")),
    ("FORGO_NOT_ALLOWED", lambda p: p(**STRICT).player("white", coal=3).pending("AT04"), c.ForgoSource("AT04")),
    ("WORKER_NOT_PLACED", turn, c.EndTurn()),
    ("ACTIONS_PENDING", placed, c.EndTurn()),
    ("BRIEFCASE_ALREADY_OPENED", lambda p: turn(p, patents=9, briefcases=["BC2"]), c.OpenBriefcase("BC2")),
    ("NOT_ENOUGH_PATENTS", lambda p: turn(p, patents=2), c.OpenBriefcase("BC5")),
    ("EXTRA_ACTION_THIS_ROUND", lambda p: turn(p, patents=9, extra_actions={"XA1": 1}), c.UseExtraAction("XA6")),
    (
        "EXTRA_ACTION_ALREADY_USED",
        lambda p: turn(p, patents=9, extra_actions={"XA6": 1}).say(round=2),
        c.UseExtraAction("XA6"),
    ),
    ("NOT_ENOUGH_PATENTS", lambda p: turn(p, patents=2), c.UseExtraAction("XA6")),
    ("ACTION_IMPOSSIBLE", lambda p: turn(p, patents=3), c.UseExtraAction("XA3")),
    ("ABILITY_NOT_AVAILABLE", lambda p: phase(p, "goals", character="drake", progress=13), c.UseAbility()),
    ("ABILITY_ALREADY_USED", lambda p: ability(p).say(phase_turn={"ability_used": True}), c.UseAbility()),
    ("ABILITY_TOO_LATE", lambda p: ability(p).say(phase_turn={"slots_activated": [1]}), c.UseAbility()),
    ("ACTIONS_PENDING", lambda p: ability(p).pending("XA4"), c.UseAbility()),
    ("ACTION_IMPOSSIBLE", lambda p: ability(p, coins=1), c.UseAbility()),
    ("REFINERY_NOT_BUILT", refining, c.ActivateRefinery(3, 0, 2, 0)),
    (
        "REFINERY_ALREADY_ACTIVATED",
        lambda p: refining(p).say(phase_turn={"slots_activated": [1]}),
        c.ActivateRefinery(1, 1, 1, 0),
    ),
    ("PAYMENT_NOT_EXACT", refining, c.ActivateRefinery(1, 2, 0, 0)),
    ("NOT_ENOUGH_BARRELS", refining, c.ActivateRefinery(1, 0, 0, 2)),
    ("NOT_ENOUGH_ENERGY", energy, c.ActivateRefinery(6, 0, 0, 0)),
    ("ACTIONS_PENDING", lambda p: refining(p).pending("XA4"), c.ActivateRefinery(1, 1, 1, 0)),
    ("BASIC_ALREADY_USED", lambda p: refining(p).say(phase_turn={"basic_refinery_used": True}), c.UseBasicRefinery()),
    ("NOT_ENOUGH_BARRELS", lambda p: phase(p, "oil_refining"), c.UseBasicRefinery()),
    ("ACTIONS_PENDING", lambda p: refining(p).pending("XA4"), c.UseBasicRefinery()),
    ("ACTIONS_PENDING", lambda p: extra(p, "goals"), c.EndPhaseTurn()),
    ("PATH_LENGTH", lambda p: train(p, coal=9), c.MoveTrain(("R05", "R06", "R07"))),
    ("REGION_NOT_ADJACENT", lambda p: train(p, coal=9), c.MoveTrain(("R05", "R12"))),
    ("TRAIN_RETURNS_TO_START", lambda p: train(p, coal=9), c.MoveTrain(("R05", "R01"))),
    ("SAME_REGION", lambda p: train(p, "train_anywhere").say(players=3), c.MoveTrain(("R01",))),
    ("NOT_ENOUGH_COAL", lambda p: train(p, coal=3), c.MoveTrain(("R05", "R10"))),
    ("REGION_NOT_ON_ROUTE", engineer, c.MoveEngineer("R06")),
    ("SAME_REGION", engineer, c.MoveEngineer("R05")),
    ("NOT_PRESENT_IN_REGION", office, c.BuildOffice("R01", "yellow")),
    (
        "OFFICE_ALREADY_IN_REGION",
        lambda p: office(p, tools=9, offices=["R07 from yellow"]),
        c.BuildOffice("R07", "green"),
    ),
    (
        "REGION_FULL",
        lambda p: office(p, tools=9).region("R07", offices=["red", "blue", "yellow"]),
        c.BuildOffice("R07", "green"),
    ),
    (
        "WELL_HAS_NO_OFFICE",
        lambda p: office(p, offices=["R01 from blue", "R02 from blue"]),
        c.BuildOffice("R05", "blue"),
    ),
    ("NOT_ENOUGH_TOOLS", office, c.BuildOffice("R07", "yellow")),
    ("WELL_EXHAUSTED", drill, c.BuildDrill("green")),
    ("DRILL_BLOCKED_BY_OFFICE", drill, c.BuildDrill("yellow")),
    ("NOT_ENOUGH_TOOLS", lambda p: drill_action(p, 3), c.BuildDrill("blue")),
    ("TURBINE_ALREADY_BUILT", turbine, c.BuildTurbine("TU1", 2)),
    ("SLOT_OCCUPIED", turbine, c.BuildTurbine("TU2", 1)),
    ("SLOT_NOT_BUILT", lambda p: turbine(p, "BUILT_REFINERY_ONLY"), c.BuildTurbine("TU2", 4)),
    ("NOT_ENOUGH_COAL", turbine, c.BuildTurbine("TU5", 2)),
    ("CARD_NOT_AVAILABLE", lambda p: purchase(p, coal=9), c.BuyImprovement("IM40")),
    ("NOT_ENOUGH_COINS", lambda p: purchase(p, tools=9), c.BuyImprovement("IM01")),
    ("NOT_ENOUGH_TOOLS", lambda p: purchase(p, coins=9), c.BuyImprovement("IM16")),
    ("NOT_ENOUGH_COAL", lambda p: purchase(p, coins=9), c.BuyImprovement("IM33")),
    ("WRONG_SUM", lambda p: turn(p).acting("resources_three"), c.ChooseResources(1, 1, 0)),
    ("UNKNOWN_CHOICE", lambda p: turn(p).resolving("trigger:IM01:0"), c.ChooseOption(3)),
    (
        "TURBINE_NOT_BUILT",
        lambda p: turn(p, turbines={"TU1": 1, "TU2": 2}).resolving("trigger:IM12:0"),
        c.ChooseTurbineBonus("TU3"),
    ),
    ("WRONG_TERRAIN", lambda p: turn(p).resolving("trigger:IM13:0"), c.ChooseBonusRegion("R01")),
    ("WRONG_COLOUR", conversion, c.ConvertBarrels("green", 1)),
    ("NOT_ENOUGH_BARRELS", conversion, c.ConvertBarrels("yellow", 3)),
    ("WRONG_COLOUR", loading, c.LoadBasicRefinery("blue", 1)),
    ("NOT_ENOUGH_BARRELS", loading, c.LoadBasicRefinery("yellow", 3)),
    ("NOTHING_LOADED", last_loading, c.LoadBasicRefinery("blue", 0)),
    ("CANNOT_DECLINE", lambda p: drill_action(p, 9), c.DeclineEffect()),
]


@pytest.mark.rule("OR-GEN.6")
@pytest.mark.parametrize(
    ("code", "pose", "command"), ROWS, ids=[f"{type(command).__name__}-{code}" for code, _, command in ROWS]
)
def test_a_command_is_refused_with_its_code_and_changes_nothing(position, code, pose, command):
    game = pose(position)
    owner, _ = game.decision
    before = len(game.log), game.legal(owner), game.decision
    refusal = game.refused(owner, command)
    assert refusal.code == code
    assert refusal.clause in CLAUSES
    assert refusal.detail
    assert (len(game.log), game.legal(owner), game.decision) == before
    game.play(owner, game.legal(owner)[0])


def document_codes():
    """Commands with their specific codes, as the table of section F.1 lists them."""
    section = DOCUMENT.split("### F.1 Commands")[1].split("General rejections")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    return {
        name: re.findall(r"`([A-Z_]+)`", row[5])
        for row in rows
        for name in re.findall(r"`(\w+)`", row[1])
        if name != "CreateGame"
    }


@pytest.mark.parametrize(("name", "codes"), document_codes().items())
def test_every_code_of_the_document_is_produced_here_and_no_other(name, codes):
    produced = [code for code, _, command in ROWS if type(command).__name__ == name]
    assert produced == codes


@pytest.mark.rule("OR-ACTION.11")
@pytest.mark.parametrize(
    "pose",
    [
        lambda p: train(p, coal=9),
        lambda p: train(p, "train_anywhere", coal=9).say(players=3),
        lambda p: office(p, tools=9),
        lambda p: drill_action(p, 9),
        turbine,
        lambda p: purchase(p, coins=9),
    ],
    ids=["DM-5", "DM-6", "DM-8", "DM-9", "DM-10", "DM-11"],
)
def test_the_first_choice_of_an_action_cannot_be_declined(position, pose):
    game = pose(position)
    assert c.DeclineEffect() not in game.legal("white")
    assert game.refused("white", c.DeclineEffect()).code == "CANNOT_DECLINE"


# Position and command to which more than one code of a row applies: the first of the row is given.
SEVERAL = [
    ("WORKER_ALREADY_PLACED", placed, c.PlaceOnTile("AT11")),
    ("ACTIONS_PENDING", extra, c.PlaceOnTile("AT11")),
    ("WORKER_ALREADY_PLACED", placed, c.PlaceOnCircle("C11")),
    ("ACTIONS_PENDING", extra, c.PlaceOnCircle("C11")),
    ("CIRCLE_NOT_ON_WHEEL", turn, c.PlaceOnCircle("C11")),
    ("ASSISTANTS_FIRST", lambda p: turn(p).player("red", workers=["C1"]), c.PlaceOnCircle("C1")),
    ("ACTIONS_PENDING", lambda p: extra(p, progress=0), c.PlaceOnCopy("AT01")),
    ("COPY_NO_PROGRESS", lambda p: turn(p, progress=0), c.PlaceOnCopy("AT11")),
    ("COPY_BLANK_TILE", lambda p: turn(p, workers=["AT15"]), c.PlaceOnCopy("AT15")),
    ("ACTION_NOT_PENDING", two_tiles, c.ResolveAction("AT06", "drill")),
    ("BRIEFCASE_ALREADY_OPENED", lambda p: turn(p, briefcases=["BC5"]), c.OpenBriefcase("BC5")),
    ("EXTRA_ACTION_THIS_ROUND", lambda p: turn(p, extra_actions={"XA3": 1}), c.UseExtraAction("XA3")),
    (
        "EXTRA_ACTION_ALREADY_USED",
        lambda p: turn(p, extra_actions={"XA3": 1}).say(round=2),
        c.UseExtraAction("XA3"),
    ),
    ("NOT_ENOUGH_PATENTS", turn, c.UseExtraAction("XA3")),
    ("ABILITY_NOT_AVAILABLE", lambda p: extra(p, "goals", character="drake", progress=13), c.UseAbility()),
    (
        "ABILITY_ALREADY_USED",
        lambda p: ability(p).say(phase_turn={"ability_used": True, "slots_activated": [1]}),
        c.UseAbility(),
    ),
    (
        "ABILITY_TOO_LATE",
        lambda p: ability(p, coins=0).say(phase_turn={"basic_refinery_used": True}).pending("XA4"),
        c.UseAbility(),
    ),
    ("ACTIONS_PENDING", lambda p: ability(p, coins=0).pending("XA4"), c.UseAbility()),
    ("REFINERY_NOT_BUILT", lambda p: refining(p).pending("XA4"), c.ActivateRefinery(5, 9, 9, 9)),
    (
        "REFINERY_ALREADY_ACTIVATED",
        lambda p: refining(p).say(phase_turn={"slots_activated": [2]}),
        c.ActivateRefinery(2, 9, 9, 9),
    ),
    ("PAYMENT_NOT_EXACT", lambda p: refining(p).pending("XA4"), c.ActivateRefinery(1, 9, 9, 9)),
    ("NOT_ENOUGH_BARRELS", lambda p: refining(p).pending("XA4"), c.ActivateRefinery(1, 0, 0, 2)),
    ("NOT_ENOUGH_ENERGY", lambda p: energy(p).pending("XA4"), c.ActivateRefinery(6, 0, 0, 0)),
    ("NOT_ENOUGH_BARRELS", lambda p: extra(p, "oil_refining"), c.UseBasicRefinery()),
    ("PATH_LENGTH", lambda p: train(p, coal=3), c.MoveTrain(("R12", "R09", "R01"))),
    ("PATH_LENGTH", lambda p: train(p, coal=3), c.MoveTrain(())),
    ("REGION_NOT_ADJACENT", lambda p: train(p, coal=3), c.MoveTrain(("R12", "R01"))),
    ("TRAIN_RETURNS_TO_START", lambda p: train(p, coal=3), c.MoveTrain(("R02", "R01"))),
    ("PATH_LENGTH", lambda p: train(p, "train_anywhere").say(players=3), c.MoveTrain(("R05", "R01"))),
    (
        "NOT_PRESENT_IN_REGION",
        lambda p: office(p, offices=["R01 from yellow", "R02 from yellow"]),
        c.BuildOffice("R01", "yellow"),
    ),
    (
        "OFFICE_ALREADY_IN_REGION",
        lambda p: office(p).region("R07", offices=["red", "white from blue", "yellow"]),
        c.BuildOffice("R07", "blue"),
    ),
    (
        "REGION_FULL",
        lambda p: office(p, offices=["R01 from blue", "R02 from blue"]).region(
            "R07", offices=["red", "blue", "yellow"]
        ),
        c.BuildOffice("R07", "blue"),
    ),
    (
        "WELL_HAS_NO_OFFICE",
        lambda p: office(p, offices=["R01 from blue", "R02 from blue"]),
        c.BuildOffice("R07", "blue"),
    ),
    ("TURBINE_ALREADY_BUILT", turbine, c.BuildTurbine("TU1", 1)),
    ("SLOT_OCCUPIED", lambda p: turbine(p, "BUILT_REFINERY_ONLY", 0), c.BuildTurbine("TU6", 1)),
    ("SLOT_NOT_BUILT", lambda p: turbine(p, "BUILT_REFINERY_ONLY", 0), c.BuildTurbine("TU6", 6)),
    ("CARD_NOT_AVAILABLE", lambda p: purchase(p, coins=3), c.BuyImprovement("IM40")),
    ("REGION_NOT_ON_ROUTE", lambda p: engineer(p).player("white", engineer="R12"), c.MoveEngineer("R12")),
    ("WRONG_COLOUR", conversion, c.ConvertBarrels("blue", 9)),
    ("WRONG_COLOUR", loading, c.LoadBasicRefinery("green", 9)),
]


@pytest.mark.parametrize(
    ("code", "pose", "command"), SEVERAL, ids=[f"{type(command).__name__}-{code}" for code, _, command in SEVERAL]
)
def test_the_first_code_of_the_row_that_applies_is_given(position, code, pose, command):
    game = pose(position)
    assert game.refused("white", command).code == code


# -- general rejections ----------------------------------------------------------------------------------------


@pytest.mark.rule("OR-FLOW.7")
@pytest.mark.parametrize("command", [c.EndTurn(), c.BuildOffice("R99", "yellow"), c.OpenBriefcase("BC1")])
def test_after_the_last_round_every_command_is_refused_as_game_over(position, command):
    game = position(at="final_scoring").player("white", patents=9)
    assert game.refused("white", command).code == "GAME_OVER"
    assert game.refused("white", command, decision_id=7).code == "GAME_OVER"
    game.record_scores()
    assert game.refused("red", command).code == "GAME_OVER"


def test_another_decision_than_the_open_one_is_stale_whatever_else_is_wrong(position):
    game = turn(position)
    for colour in ("white", "red"):
        for command in (c.PlaceOnTile("AT01"), c.BuildDrill("yellow"), c.PlaceOnTile("no such tile")):
            assert game.refused(colour, command, decision_id=game.state.open.decision_id + 1).code == "STALE_DECISION"
            assert game.refused(colour, command, decision_id=0).code == "STALE_DECISION"


@pytest.mark.rule("OR-FLOW.1")
def test_an_answer_to_a_decision_that_has_been_answered_is_stale(position):
    game = turn(position)
    answered = game.state.open.decision_id
    game.play("white", c.PlaceOnTile("AT04"))
    assert game.state.open.decision_id == answered + 1
    assert game.refused("white", c.PlaceOnTile("AT04"), decision_id=answered).code == "STALE_DECISION"


@pytest.mark.rule("OR-FLOW.1")
def test_only_the_owner_of_a_decision_answers_it_whatever_else_is_wrong(position):
    game = turn(position)
    for command in (c.PlaceOnTile("AT01"), c.BuildDrill("yellow"), c.PlaceOnTile("no such tile"), c.EndTurn()):
        assert game.refused("red", command).code == "NOT_DECISION_OWNER"


def test_a_command_of_another_kind_is_not_expected_whatever_else_is_wrong(position):
    game = turn(position)
    for command in (c.BuildDrill("yellow"), c.BuildOffice("R99", "yellow"), c.EndPhaseTurn(), c.DeclineEffect()):
        assert game.refused("white", command).code == "COMMAND_NOT_EXPECTED"


@pytest.mark.rule("OR-REFINE.1", "OR-REFINE.9")
@pytest.mark.parametrize("name", ["oil_extraction", "goals"])
def test_refineries_are_not_expected_to_run_in_another_phase(position, name):
    game = phase(position, name, refineries=6, barrels={"yellow": 3, "green": 3})
    assert game.refused("white", c.ActivateRefinery(1, 1, 1, 0)).code == "COMMAND_NOT_EXPECTED"
    assert game.refused("white", c.ActivateRefinery(9, 1, 1, 0)).code == "COMMAND_NOT_EXPECTED"
    assert game.refused("white", c.UseBasicRefinery()).code == "COMMAND_NOT_EXPECTED"


UNKNOWN = [
    (lambda p: p(**CHARACTERS), c.ChooseCharacter("watt")),
    (lambda p: p(**DEPLOYMENT), c.DeployTrain("R13")),
    (placed, c.PlaceOnTile("AT18")),
    (placed, c.PlaceOnCircle("C12")),
    (placed, c.PlaceOnCopy("")),
    (placed, c.ResolveAction("AT99", "drill")),
    (placed, c.ResolveAction("AT04", "dance")),
    (placed, c.ForgoSource("XA7")),
    (turn, c.OpenBriefcase("BC7")),
    (turn, c.UseExtraAction("XA0")),
    (refining, c.ActivateRefinery(0, 1, 1, 0)),
    (refining, c.ActivateRefinery(7, 1, 1, 0)),
    (refining, c.ActivateRefinery(-1, 1, 1, 0)),
    (lambda p: train(p, coal=9), c.MoveTrain(("R05", "R00", "R01"))),
    (engineer, c.MoveEngineer("R1")),
    (office, c.BuildOffice("r05", "yellow")),
    (office, c.BuildOffice("R01", 0)),
    (drill, c.BuildDrill(4)),
    (turbine, c.BuildTurbine("TU7", 1)),
    (turbine, c.BuildTurbine("TU1", 7)),
    (lambda p: purchase(p, coins=3), c.BuyImprovement("IM46")),
    (lambda p: turn(p, turbines={"TU1": 1, "TU2": 2}).resolving("trigger:IM12:0"), c.ChooseTurbineBonus("TU9")),
    (lambda p: turn(p).resolving("trigger:IM13:0"), c.ChooseBonusRegion("R20")),
    (conversion, c.ConvertBarrels(0, 1)),
    (loading, c.LoadBasicRefinery(5, 1)),
]


@pytest.mark.parametrize(("pose", "command"), UNKNOWN, ids=[type(command).__name__ for _, command in UNKNOWN])
def test_an_id_that_is_not_in_the_content_is_unknown_before_anything_specific(position, pose, command):
    game = pose(position)
    assert game.refused(game.decision[0], command).code == "UNKNOWN_ID"


NEGATIVE = [
    ("PAYMENT_NOT_EXACT", refining, c.ActivateRefinery(1, -1, 3, 0)),
    ("PAYMENT_NOT_EXACT", refining, c.ActivateRefinery(2, 3, -1, 0)),
    ("PAYMENT_NOT_EXACT", energy, c.ActivateRefinery(1, 1, 1, 0)),
    ("PAYMENT_NOT_EXACT", energy, c.ActivateRefinery(1, -1, 0, 0)),
    ("WRONG_SUM", lambda p: turn(p).acting("resources_three"), c.ChooseResources(-1, 2, 2)),
    ("WRONG_SUM", lambda p: turn(p).acting("resources_three"), c.ChooseResources(4, -1, 0)),
    ("NOT_ENOUGH_BARRELS", conversion, c.ConvertBarrels("yellow", -1)),
    ("NOT_ENOUGH_BARRELS", loading, c.LoadBasicRefinery("yellow", -1)),
    ("UNKNOWN_CHOICE", lambda p: turn(p).resolving("trigger:IM01:0"), c.ChooseOption(-1)),
]


@pytest.mark.parametrize(("code", "pose", "command"), NEGATIVE)
def test_negative_counts_and_barrels_beside_energy_are_refused(position, code, pose, command):
    assert pose(position).refused("white", command).code == code


# -- creating a game -------------------------------------------------------------------------------------------


def seats(*players):
    """Seats taken at the opening of the table: player and colour."""
    return [log_pb2.TakeSeat(seat=seat, player=player, colour=colour) for seat, (player, colour) in enumerate(players)]


def open_table(seat_count=2, **said):
    opened = log_pb2.OpenTable(game="oil_rock", seat_count=seat_count, **said)
    return table.open_table("game", opened, "host", RULESETS, b"seed", "key")


ANN, BEN = ("ann", "white"), ("ben", "red")


@pytest.mark.rule("OR-GEN.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_players_can_open_a_game(players):
    assert len(open_table(players).table.seats) == players


NO_GAMES = [
    ("BAD_PLAYER_COUNT", {"seat_count": 1}),
    ("BAD_PLAYER_COUNT", {"seat_count": 5}),
    ("DUPLICATE_PLAYER", {"seats": seats(ANN, ("ann", "red"))}),
    ("DUPLICATE_COLOUR", {"seats": seats(ANN, ("ben", "white"))}),
    ("UNKNOWN_OPTION", {"options": {"weather": "RAIN"}}),
    ("UNKNOWN_OPTION", {"options": {"stack_tie": "HIGHER_AHEAD"}}),
    ("UNKNOWN_CONTENT", {"content_pack": game_pb2.ContentPack(id="no_such_pack")}),
    ("UNKNOWN_CONTENT", {"content_pack": game_pb2.ContentPack(id="oil_rock_house", version="0.0.0")}),
]


@pytest.mark.rule("OR-GEN.1", "OR-SETUP.9")
@pytest.mark.parametrize(("code", "said"), NO_GAMES)
def test_a_game_that_cannot_be_is_not_created(code, said):
    assert open_table(seats=seats(ANN, BEN)).table.seats[1].player == "ben"
    with pytest.raises(RuleViolation) as refused:
        open_table(**said)
    assert refused.value.code == code


def test_the_codes_of_creating_a_game_are_those_of_the_document():
    """Games are named by the host: which ids are known and which are taken is tested with the services."""
    row = next(line for line in DOCUMENT.splitlines() if line.startswith("| `CreateGame`")).split("|")[5]
    assert set(re.findall(r"`([A-Z_]+)`", row)) == {code for code, _ in NO_GAMES} | {"GAME_EXISTS"}


def test_the_general_codes_are_those_of_the_document():
    listed = DOCUMENT.split("General rejections")[1].split(", then the specific")[0]
    tested = ["GAME_OVER", "STALE_DECISION", "NOT_DECISION_OWNER", "COMMAND_NOT_EXPECTED", "UNKNOWN_ID"]
    assert re.findall(r"`([A-Z]+_[A-Z_]+)`", listed) == ["UNKNOWN_GAME", *tested]
