"""Sections E.1, E.3 and E.5: who is asked what, which answers there are, and what the engine does itself."""

from random import Random

import pytest

from wellhead_rules.kernel.chance import Chance
from wellhead_rules.oil_rock import RULESET
from wellhead_rules.oil_rock import commands as c
from wellhead_rules.oil_rock.events import (
    ActionFinished,
    ActionStarted,
    BasicRefineryUsed,
    BriefcaseOpened,
    DecisionClosed,
    DecisionOpened,
    DrillBuilt,
    EffectDeclined,
    EffectSkipped,
    EngineerMoved,
    GoodsChanged,
    ImprovementTaken,
    LevelReached,
    OfficeBuilt,
    PhaseTurnEnded,
    ProgressMarkerMoved,
    SourceForgone,
    TrainMoved,
    TrainPlaced,
    TurbineBuilt,
    WorkerTurnEnded,
)
from wellhead_rules.oil_rock.facts import fact

YELLOW, GREEN, BLUE = 1, 2, 3
CHARACTERS = ["bissel", "carnegie", "drake", "lukasiewicz", "rockefeller", "vanderbilt"]
ALL_TURBINES = {f"TU{number}": number for number in range(1, 7)}


def white(position, **said):
    return position(turn="white").player("white", **said)


def phase(position, name, **said):
    return position(phase=name, turn="white").player("white", **said)


# -- E.1 -------------------------------------------------------------------------------------------------------


def after_a_look(state):
    return state.open.kind == 11 and bool(state.looked_at)


@pytest.mark.rule("INV-12", "OR-CHAR.CARNEGIE.7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_a_whole_game_one_player_is_asked_at_a_time_and_always_has_a_choice(players):
    colours = ["white", "red", "blue", "yellow"][:players]
    random, chance = Random(players), Chance(b"a game")
    state = RULESET.new("oil_rock_house", RULESET.options({}, players), colours)
    facts = RULESET.begin(state, chance)
    asked = [event.decision_id for event in facts if isinstance(event, DecisionOpened)]
    while owed := RULESET.decisions(state):
        assert len(owed) == 1
        assert [seat for seat in range(players) if RULESET.legal(state, seat)] == [owed[0].seat]
        listed = RULESET.legal(state, owed[0].seat)
        assert len(set(listed)) == len(listed)
        assert 48 >= len(listed) >= (1 if after_a_look(state) else 2)
        facts = RULESET.play(state, owed[0].seat, owed[0].decision_id, random.choice(listed), chance)
        assert facts[0] == DecisionClosed(owed[0].decision_id)
        asked += [event.decision_id for event in facts if isinstance(event, DecisionOpened)]
    assert asked == list(range(1, len(asked) + 1))
    assert RULESET.scoring_due(state)


ALONE = [
    (
        "EndTurn",
        lambda p: white(p, tools=2).acting("drill"),
        [fact(DrillBuilt, player="white", well="yellow"), fact(WorkerTurnEnded, player="white")],
    ),
    (
        "EndPhaseTurn",
        lambda p: p(phase="goals", at="start_of_turn", turn="white").player("red", patents=1),
        [fact(PhaseTurnEnded, player="white", phase="goals")],
    ),
    (
        "the last plains region",
        lambda p: (
            p(at="deployment", players=4)
            .player("yellow", train="R01")
            .player("blue", train="R11")
            .player("red", train="R04")
        ),
        [fact(TrainPlaced, player="white", region="R06")],
    ),
    (
        "ResolveAction",
        lambda p: p(turn="white", options={"forgo_policy": "STRICT"}).pending("AT11").say(players=4),
        [fact(ActionStarted, player="white", source="AT11", action="resources_three")],
    ),
    ("MoveTrain", lambda p: white(p, train="R01", coal=2).acting("train_two"), [fact(TrainMoved, region="R05")]),
    (
        "BuildOffice",
        lambda p: white(
            p, train="R02", tools=4, offices=["R01 from yellow", "R03 from yellow", "R04 from green", "R05 from green"]
        ).acting("office"),
        [fact(OfficeBuilt, player="white", region="R02", well="blue")],
    ),
    ("BuildDrill", lambda p: white(p, tools=2).acting("drill"), [fact(DrillBuilt, player="white", well="yellow")]),
    (
        "BuildTurbine",
        lambda p: white(p, turbines={f"TU{n}": n for n in range(1, 6)}, coal=2).acting("turbine"),
        [fact(TurbineBuilt, player="white", turbine="TU6", slot=6)],
    ),
    (
        "BuyImprovement",
        lambda p: white(p, tools=4).say(display=["IM01", "IM26", "IM31"]).acting("improvement"),
        [fact(ImprovementTaken, player="white", improvement="IM26")],
    ),
    (
        "ChooseTurbineBonus",
        lambda p: white(p, turbines={"TU3": 2}).resolving("trigger:IM12:0"),
        [fact(GoodsChanged, player="white", tools=1, reason="TURBINE")],
    ),
]


@pytest.mark.rule("DM-2", "DM-3", "DM-4", "DM-5", "DM-8", "DM-9", "DM-10", "DM-11", "DM-15")
@pytest.mark.parametrize(("pose", "facts"), [row[1:] for row in ALONE], ids=[row[0] for row in ALONE])
def test_a_single_option_is_carried_out_by_the_engine(position, pose, facts):
    game = pose(position)
    assert game.opening.in_order(*facts, DecisionOpened)
    assert game.opening.count(DecisionOpened) == 1
    assert game.state.open.decision_id == 1


@pytest.mark.rule("DM-18")
def test_the_last_barrel_is_loaded_by_the_engine(position):
    game = phase(position, "oil_refining", barrels={"yellow": 1}, patents=1)
    facts = game.play("white", c.UseBasicRefinery())
    assert fact(BasicRefineryUsed, player="white", yellow=1) in facts
    assert facts.count(DecisionOpened) == 1
    assert game.decision == ("white", "phase_menu")


@pytest.mark.rule("DM-9")
def test_the_facts_are_the_same_as_if_the_owner_had_sent_the_command(position):
    asked = white(position, tools=3).acting("drill")
    sent = asked.play("white", c.BuildDrill("yellow"))
    alone = white(position, tools=2).acting("drill").opening
    wanted = (
        fact(GoodsChanged, player="white", tools=-2, reason="PAYMENT"),
        fact(DrillBuilt, player="white", well="yellow", depth=2),
    )
    assert sent.in_order(DecisionClosed, *wanted)
    assert alone.in_order(*wanted, DecisionOpened)


@pytest.mark.rule("OR-GEN.9")
@pytest.mark.parametrize(
    ("pose", "kind"),
    [
        (lambda p: white(p, depth={"yellow": 2, "green": 2}).resolving("region_tile:RT_M3"), "drill_well"),
        (lambda p: white(p, depth={"yellow": 2, "green": 2}).resolving("improvement:IM23"), "drill_well"),
        (lambda p: white(p, turbines={f"TU{n}": n for n in range(1, 6)}).resolving("improvement:IM25"), "turbine_site"),
        (lambda p: white(p).say(display=["IM40"]).resolving("briefcase:BC6"), "improvement_purchase"),
    ],
)
def test_one_execution_beside_a_decline_is_a_choice(position, pose, kind):
    game = pose(position)
    assert game.decision == ("white", kind)
    assert len(game.legal("white")) == 2
    assert game.offers("white", c.DeclineEffect())
    assert EffectDeclined in game.play("white", c.DeclineEffect())


@pytest.mark.rule("OR-GEN.9")
@pytest.mark.parametrize(
    "pose",
    [
        lambda p: white(p, depth={"yellow": 2, "green": 2, "blue": 2}).resolving("briefcase:BC5"),
        lambda p: white(p).say(display=[]).resolving("briefcase:BC6"),
        lambda p: white(p, refineries=12).resolving("region_tile:RT_H4"),
        lambda p: white(p, turbines=ALL_TURBINES).resolving("trigger:IM02:0"),
        lambda p: white(p).resolving("trigger:IM12:0"),
    ],
    ids=["drill", "card", "refinery", "turbine", "turbine bonus"],
)
def test_an_effect_without_a_legal_execution_is_skipped(position, pose):
    game = pose(position)
    assert fact(EffectSkipped, player="white") in game.opening
    assert game.decision == ("white", "turn_menu")


@pytest.mark.rule("DM-7", "DM-14", "OR-ACT.4", "OR-REFINE.12")
@pytest.mark.parametrize(
    ("pose", "way_out", "happens", "does_not"),
    [
        (
            lambda p: white(p, patents=1, workers=["AT01"]).say(worker_placed=True),
            c.EndTurn(),
            WorkerTurnEnded,
            BriefcaseOpened,
        ),
        (lambda p: phase(p, "goals", patents=1), c.EndPhaseTurn(), PhaseTurnEnded, BriefcaseOpened),
        (lambda p: white(p).pending("AT04"), c.ForgoSource("AT04"), SourceForgone, ActionStarted),
        (lambda p: white(p).resolving("region_tile:RT_M3"), c.DeclineEffect(), EffectDeclined, DrillBuilt),
        (lambda p: white(p, coins=2).acting("progress_plus"), c.StopPaying(), ActionFinished, GoodsChanged),
        (
            lambda p: white(p).asking("engineer_move", route=["R05", "R06"]),
            c.KeepEngineer(),
            DecisionClosed,
            EngineerMoved,
        ),
    ],
    ids=["EndTurn", "EndPhaseTurn", "ForgoSource", "DeclineEffect", "StopPaying", "KeepEngineer"],
)
def test_a_pass_is_an_option_of_its_own(position, pose, way_out, happens, does_not):
    game = pose(position)
    assert game.offers("white", way_out)
    assert len(game.legal("white")) > 1
    facts = game.play("white", way_out)
    assert happens in facts
    assert does_not not in facts


@pytest.mark.rule("DM-3")
def test_decisions_are_numbered_one_by_one_and_the_engines_own_have_no_number(position):
    game = white(position, tools=2)
    first = game.state.open.decision_id
    facts = game.play("white", c.PlaceOnTile("AT02"))
    assert [event.decision_id for event in facts.of(DecisionClosed)] == [first]
    assert [event.decision_id for event in facts.of(DecisionOpened)] == [first + 1]
    facts = game.play("white", c.ResolveAction("AT02", "drill"))
    assert facts.in_order(DrillBuilt, WorkerTurnEnded)
    assert [event.decision_id for event in facts.of(DecisionOpened)] == [first + 2]
    assert game.decision == ("red", "turn_menu")


# -- E.3: the menus --------------------------------------------------------------------------------------------

TILES = [f"AT{number:02}" for number in (1, 2, 3, 4, 5, 6, 7, 15, 16, 17)]
"""The Action tiles of two players; 15 and 16 are blank."""
COPYABLE = [tile for tile in TILES if tile not in ("AT15", "AT16")]


@pytest.mark.rule("DM-3")
def test_before_the_placement_every_free_space_is_offered(position):
    game = white(position, workers=["AT01"]).player("red", workers=["AT02"])
    tiles = [c.PlaceOnTile(tile) for tile in TILES if tile not in ("AT01", "AT02")]
    copies = [c.PlaceOnCopy(tile) for tile in COPYABLE if tile != "AT01"]
    assert set(game.legal("white")) == {*tiles, *copies}


@pytest.mark.rule("DM-3")
def test_a_manager_is_offered_the_free_circles_too(position):
    game = white(position, assistants=0, managers=1, progress=0).player("red", workers=["C3"])
    tiles = [c.PlaceOnTile(tile) for tile in TILES]
    circles = [c.PlaceOnCircle(f"C{number}") for number in range(10) if number != 3]
    assert set(game.legal("white")) == {*tiles, *circles}


@pytest.mark.rule("DM-3")
def test_no_menu_of_a_worker_turn_has_more_than_48_options(position):
    game = position(turn="white", players=4).player(
        "white", assistants=0, managers=1, tools=9, coins=9, coal=9, patents=9
    )
    assert len(game.legal("white")) == 12 + 12 + 12 + 6 + 6


@pytest.mark.rule("DM-3", "OR-ACTION.8")
def test_what_is_pending_is_offered_and_nothing_is_placed_meanwhile(position):
    game = white(position, tools=9, patents=1).pending("AT05")
    assert set(game.legal("white")) == {
        c.ResolveAction("AT05", "office"),
        c.ResolveAction("AT05", "patent"),
        c.ForgoSource("AT05"),
        c.OpenBriefcase("BC1"),
        c.OpenBriefcase("BC2"),
    }


@pytest.mark.rule("DM-3", "OR-ACTION.8")
def test_only_the_source_that_has_been_started_is_offered(position):
    game = white(position, tools=9, assistants=0, managers=0, workers=["C1"])
    game.pending("AT05", "office", started=True).pending("AT06")
    assert set(game.legal("white")) == {c.ResolveAction("AT05", "office"), c.ForgoSource("AT05")}
    game.play("white", c.ForgoSource("AT05"))
    assert set(game.legal("white")) == {c.ResolveAction("AT06", "progress_plus"), c.ForgoSource("AT06")}


@pytest.mark.rule("DM-3", "OR-ACTION.8")
def test_a_used_extra_action_comes_before_the_tiles_of_the_worker(position):
    game = white(position, patents=3).pending("AT04")
    game.play("white", c.UseExtraAction("XA4"))
    assert set(game.legal("white")) == {c.ResolveAction("XA4", "refinery_plus"), c.ResolveAction("XA4", "turbine")}


@pytest.mark.rule("DM-3")
def test_the_outer_tile_of_a_circle_is_unlocked_first(position):
    game = white(position, assistants=0, managers=1, coal=9).wheel(outer={0: "AT04"}, inner={0: "AT06"})
    game.play("white", c.PlaceOnCircle("C1"))
    assert [source.source for source in game.seen.pending] == ["AT04", "AT06"]


@pytest.mark.rule("DM-3", "OR-ACT.5")
def test_the_menu_opens_again_after_every_sequence_and_after_forgoing(position):
    game = white(position, coal=9, patents=4)
    for command in (
        c.OpenBriefcase("BC1"),
        c.PlaceOnTile("AT04"),
        c.ResolveAction("AT04", "coal_two"),
        c.OpenBriefcase("BC2"),
        c.ForgoSource("AT04"),
    ):
        facts = game.play("white", command)
        assert fact(DecisionOpened, owner="white", kind="turn_menu") in facts
    assert set(game.legal("white")) == {c.EndTurn(), c.OpenBriefcase("BC3"), c.OpenBriefcase("BC4")}


@pytest.mark.rule("DM-4")
def test_a_phase_menu_offers_what_the_phase_allows(position):
    said = {"character": "rockefeller", "progress": 13, "coins": 2, "patents": 1, "refineries": 1}
    game = phase(position, "oil_refining", barrels={"yellow": 1, "green": 2}, **said)
    briefcases = {c.OpenBriefcase("BC1"), c.OpenBriefcase("BC2")}
    assert set(game.legal("white")) == briefcases | {
        c.UseAbility(),
        c.ActivateRefinery(1, 1, 1, 0),
        c.ActivateRefinery(1, 0, 2, 0),
        c.UseBasicRefinery(),
        c.EndPhaseTurn(),
    }
    for other in ("oil_extraction", "goals"):
        game = phase(position, other, barrels={"yellow": 1, "green": 2}, **said)
        assert set(game.legal("white")) == briefcases | {c.EndPhaseTurn()}


@pytest.mark.rule("DM-4", "OR-ACTION.8")
def test_while_an_extra_action_is_pending_a_phase_menu_offers_only_it_and_briefcases(position):
    game = phase(
        position, "oil_refining", character="rockefeller", progress=27, barrels={"yellow": 3}, refineries=1, patents=4
    )
    game.play("white", c.UseExtraAction("XA4"))
    briefcases = {c.OpenBriefcase("BC1"), c.OpenBriefcase("BC2")}
    both = {c.ResolveAction("XA4", "refinery_plus"), c.ResolveAction("XA4", "turbine")}
    assert set(game.legal("white")) == both | briefcases
    game.play("white", c.ResolveAction("XA4", "refinery_plus"))
    assert set(game.legal("white")) == {c.ResolveAction("XA4", "turbine"), c.ForgoSource("XA4")} | briefcases


# -- E.5: the decision points ----------------------------------------------------------------------------------


def engineer_question(position):
    game = white(position, train="R01", engineer="R06", coal=9).acting("train_two")
    game.play("white", c.MoveTrain(("R05", "R06")))
    return game


def basic_loading(position):
    game = phase(position, "oil_refining", barrels={"yellow": 1, "blue": 1})
    game.play("white", c.UseBasicRefinery())
    return game


def last_loading(position):
    game = basic_loading(position)
    game.play("white", c.LoadBasicRefinery("yellow", 1))
    return game


def looked(position):
    game = phase(position, "goals", character="carnegie", progress=13, coal=3).say(display=["IM01", "IM32"])
    game.deck(next=["IM31"]).play("white", c.UseAbility())
    return game


def mixes(total):
    return {
        c.ChooseResources(tools, coins, total - tools - coins)
        for tools in range(total + 1)
        for coins in range(total - tools + 1)
    }


POINTS = [
    (
        "DM-1",
        "choose_character",
        lambda p: p(at="characters", red={"character": "drake"}),
        {c.ChooseCharacter(character) for character in CHARACTERS if character != "drake"},
    ),
    (
        "DM-2",
        "deploy",
        lambda p: p(at="deployment", red={"train": "R06"}),
        {c.DeployTrain(region) for region in ("R01", "R04", "R11")},
    ),
    (
        "DM-3",
        "turn_menu",
        lambda p: white(p).pending("AT06"),
        {c.ResolveAction("AT06", "progress_plus"), c.ForgoSource("AT06")},
    ),
    (
        "DM-4",
        "phase_menu",
        lambda p: phase(p, "goals", character="drake", patents=1),
        {c.OpenBriefcase("BC1"), c.OpenBriefcase("BC2"), c.EndPhaseTurn()},
    ),
    (
        "DM-5",
        "train_route",
        lambda p: white(p, train="R01", coal=3).acting("train_two"),
        {c.MoveTrain(("R05",)), c.MoveTrain(("R02",)), c.MoveTrain(("R05", "R06"))},
    ),
    (
        "DM-6",
        "train_target",
        lambda p: p(turn="white", players=3).player("white", train="R01", coal=1).acting("train_anywhere"),
        {c.MoveTrain((region,)) for region in ("R04", "R06", "R11")},
    ),
    (
        "DM-6",
        "train_target",
        lambda p: white(p, train="R12").resolving("improvement:IM21"),
        {c.MoveTrain((f"R{number:02}",)) for number in range(1, 12)} | {c.DeclineEffect()},
    ),
    (
        "DM-7",
        "engineer_move",
        engineer_question,
        {c.KeepEngineer(), c.MoveEngineer("R01"), c.MoveEngineer("R05")},
    ),
    (
        "DM-8",
        "office_site",
        lambda p: white(p, train="R01", engineer="R05", tools=3).acting("office"),
        {c.BuildOffice(region, well) for region in ("R01", "R05") for well in (YELLOW, GREEN, BLUE)},
    ),
    (
        "DM-8",
        "office_site",
        lambda p: white(p, train="R01", offices=["R03 from yellow", "R05 from yellow", "R02 from green"]).resolving(
            "improvement:IM22"
        ),
        {c.BuildOffice("R01", GREEN), c.BuildOffice("R01", BLUE), c.DeclineEffect()},
    ),
    (
        "DM-9",
        "drill_well",
        lambda p: white(p, tools=3).acting("drill"),
        {c.BuildDrill(YELLOW), c.BuildDrill(GREEN)},
    ),
    (
        "DM-9",
        "drill_well",
        lambda p: white(p, depth={"green": 2}).resolving("region_tile:RT_M3"),
        {c.BuildDrill(YELLOW), c.BuildDrill(BLUE), c.DeclineEffect()},
    ),
    (
        "DM-10",
        "turbine_site",
        lambda p: white(p, turbines={"TU1": 1, "TU3": 2, "TU4": 3}, coal=1).acting("turbine"),
        {c.BuildTurbine("TU2", slot) for slot in (4, 5, 6)},
    ),
    (
        "DM-10",
        "turbine_site",
        lambda p: white(p).resolving("improvement:IM25"),
        {c.BuildTurbine(f"TU{number}", slot) for number in range(1, 7) for slot in range(1, 7)} | {c.DeclineEffect()},
    ),
    (
        "DM-11",
        "improvement_purchase",
        lambda p: white(p, coins=3, coal=4).say(display=["IM01", "IM14", "IM16", "IM31"]).acting("improvement"),
        {c.BuyImprovement("IM01"), c.BuyImprovement("IM31")},
    ),
    (
        "DM-11",
        "improvement_purchase",
        lambda p: white(p).say(display=["IM01", "IM16"]).resolving("briefcase:BC6"),
        {c.BuyImprovement("IM01"), c.BuyImprovement("IM16"), c.DeclineEffect()},
    ),
    (
        "DM-11",
        "improvement_purchase",
        looked,
        {c.BuyImprovement("IM31"), c.BuyImprovement("IM32"), c.DeclineEffect()},
    ),
    ("DM-12", "resource_portion", lambda p: white(p).resolving("improvement:IM16"), mixes(6)),
    ("DM-12", "resource_portion", lambda p: white(p).acting("resources_three"), mixes(3)),
    (
        "DM-13",
        "alternative",
        lambda p: white(p).resolving("trigger:IM01:0"),
        {c.ChooseOption(0), c.ChooseOption(1), c.ChooseOption(2)},
    ),
    ("DM-14", "paid_repeat", lambda p: white(p, coins=3).acting("refinery_plus"), {c.PayForMore(), c.StopPaying()}),
    (
        "DM-15",
        "turbine_bonus",
        lambda p: white(p, turbines={"TU3": 1, "TU6": 5}).resolving("trigger:IM12:0"),
        {c.ChooseTurbineBonus("TU3"), c.ChooseTurbineBonus("TU6")},
    ),
    (
        "DM-16",
        "bonus_region",
        lambda p: white(p).resolving("trigger:IM13:0"),
        {c.ChooseBonusRegion(region) for region in ("R03", "R05", "R08", "R10")},
    ),
    (
        "DM-16",
        "bonus_region",
        lambda p: white(p).resolving("improvement:IM30"),
        {c.ChooseBonusRegion(f"R{number:02}") for number in range(1, 13)},
    ),
    (
        "DM-17",
        "energy_conversion",
        lambda p: p(phase="oil_refining", at="start_of_turn", turn="white").player(
            "white", character="lukasiewicz", progress=13, barrels={"green": 2}
        ),
        {c.ConvertBarrels(GREEN, count) for count in (0, 1, 2)},
    ),
    ("DM-18", "basic_loading", basic_loading, {c.LoadBasicRefinery(YELLOW, 0), c.LoadBasicRefinery(YELLOW, 1)}),
    ("DM-18", "basic_loading", last_loading, {c.LoadBasicRefinery(BLUE, 0), c.LoadBasicRefinery(BLUE, 1)}),
]


@pytest.mark.parametrize(
    ("kind", "pose", "options"),
    [pytest.param(*row[1:], marks=pytest.mark.rule(row[0]), id=f"{row[0]}-{row[1]}") for row in POINTS],
)
def test_a_decision_point_offers_its_options_and_no_others(position, kind, pose, options):
    game = pose(position)
    assert game.decision == ("white", kind)
    assert set(game.legal("white")) == options
    assert len(game.legal("white")) == len(options)
    assert game.legal("red") == []
    for command in options:
        assert pose(position).play("white", command).of(DecisionClosed)


@pytest.mark.rule("DM-12")
def test_large_gains_of_choice_are_asked_in_portions_of_at_most_six(position):
    game = phase(position, "oil_refining", barrels={"blue": 6}, patents=1)
    game.play("white", c.UseBasicRefinery())
    game.play("white", c.LoadBasicRefinery("blue", 6))
    assert set(game.legal("white")) == mixes(6)
    game.play("white", c.ChooseResources(6, 0, 0))
    assert set(game.legal("white")) == mixes(3)
    game.play("white", c.ChooseResources(0, 3, 0))
    assert (game["white"].tools, game["white"].coins) == (6, 3)
    assert game.decision == ("white", "phase_menu")


@pytest.mark.rule("DM-13")
def test_a_player_whose_turn_it_is_not_decides_on_the_own_triggers_before_play_goes_on(position):
    game = white(position, assistants=2, managers=1)
    game.player("red", progress=12, improvements=["IM09"], workers=["AT06"])
    facts = game.play("white", c.PlaceOnCopy("AT06"))
    assert facts.in_order(
        fact(ProgressMarkerMoved, player="red", space=13, reason="COMPENSATION"),
        fact(LevelReached, player="red", level=3),
        fact(DecisionOpened, owner="red", kind="alternative"),
    )
    assert game.decision == ("red", "alternative")
    assert game.legal("white") == []
    facts = game.play("red", c.ChooseOption(0))
    assert fact(GoodsChanged, player="red", tools=2, reason="EQUIPMENT") in facts
    assert game.decision == ("white", "turn_menu")


@pytest.mark.rule("DM-11", "OR-CHAR.CARNEGIE.7")
@pytest.mark.parametrize("level", [3, 4, 5, 6])
def test_after_a_look_the_purchase_is_always_asked(position, level):
    space = {3: 13, 4: 20, 5: 27, 6: 34}[level]
    game = phase(position, "goals", character="carnegie", progress=space).say(display=["IM01"])
    game.deck(next=["IM31", "IM32", "IM41", "IM42"])
    facts = game.play("white", c.UseAbility())
    assert fact(DecisionOpened, owner="white", kind="improvement_purchase") in facts
    assert game.legal("white")[-1] == c.DeclineEffect()
    assert len(game.legal("white")) == {3: 1, 4: 1, 5: 5, 6: 6}[level]


@pytest.mark.rule("DM-11")
def test_without_a_look_a_single_card_is_bought_by_the_engine(position):
    game = white(position, coins=2, patents=1).say(display=["IM02", "IM16"]).acting("improvement")
    assert fact(ImprovementTaken, player="white", improvement="IM02") in game.opening
    assert game.decision == ("white", "turn_menu")


@pytest.mark.rule("DM-11", "OR-CHAR.9")
def test_with_nothing_to_look_at_a_single_answer_needs_no_question(position):
    game = phase(position, "goals", character="carnegie", progress=13, patents=1).say(display=["IM01"])
    game.deck(unknown=[])
    facts = game.play("white", c.UseAbility())
    assert EffectDeclined in facts
    assert game.decision == ("white", "phase_menu")
