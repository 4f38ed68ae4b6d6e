"""OR-PATENT: Patents, Briefcases and Extra Actions."""

import pytest

from wellhead_rules.oil_rock.commands import (
    BuildDrill,
    BuildTurbine,
    BuyImprovement,
    ChooseResources,
    EndPhaseTurn,
    EndTurn,
    ForgoSource,
    KeepEngineer,
    MoveTrain,
    OpenBriefcase,
    PlaceOnTile,
    ResolveAction,
    StopPaying,
    UseBasicRefinery,
    UseExtraAction,
)
from wellhead_rules.oil_rock.events import (
    ActionFinished,
    ActionStarted,
    ActionsUnlocked,
    BriefcaseOpened,
    CategoryScored,
    DrillBuilt,
    ExtraActionUsed,
    GoodsChanged,
    LevelReached,
    ProgressMarkerMoved,
    VictoryPointsGained,
)
from wellhead_rules.oil_rock.facts import fact

EXTRA_ACTIONS = ["XA1", "XA2", "XA3", "XA4", "XA5", "XA6"]


# -- when Patents may be spent ---------------------------------------------------------------------------------


@pytest.mark.rule("OR-PATENT.1")
@pytest.mark.parametrize("phase", ["actions", "oil_extraction", "oil_refining", "goals"])
def test_patents_may_be_spent_in_the_phases_two_to_five(position, phase):
    game = position(phase=phase, turn="white").player("white", patents=4)
    game.play("white", OpenBriefcase("BC1"))
    facts = game.play("white", UseExtraAction("XA6"))
    assert fact(ExtraActionUsed, player="white", extra_action="XA6") in facts
    assert facts.of(GoodsChanged)[0].patents == -3


@pytest.mark.rule("OR-PATENT.1")
def test_no_patents_are_spent_in_the_income_phase(position):
    game = position(phase="income", at="start_of_turn", turn="white").player("white", progress=34, patents=6)
    assert game.decision == ("white", "resource_portion")
    assert game.refused("white", OpenBriefcase("BC1")).code == "COMMAND_NOT_EXPECTED"
    game.play("white", ChooseResources(4, 0, 0))
    assert game.decision == ("white", "turn_menu")


@pytest.mark.rule("OR-PATENT.2")
@pytest.mark.parametrize(
    "pose",
    [
        lambda game: game,
        lambda game: game.pending("AT05"),
        lambda game: game.pending("AT05", "patent", started=True),
        lambda game: game.player("white", workers=["AT01"]).say(worker_placed=True),
    ],
    ids=["before the placement", "after the placement", "between two Actions", "after the last Action"],
)
def test_in_a_worker_turn_patents_are_spent_whenever_no_sequence_runs(position, pose):
    game = pose(position(turn="white").player("white", patents=1, tools=9))
    assert game.decision == ("white", "turn_menu")
    assert fact(BriefcaseOpened, player="white", briefcase="BC1") in game.play("white", OpenBriefcase("BC1"))


@pytest.mark.rule("OR-PATENT.2")
def test_no_patents_are_spent_in_a_worker_turn_while_a_sequence_runs(position):
    game = position(turn="white").player("white", patents=9, tools=9).acting("drill")
    assert game.decision == ("white", "drill_well")
    for command in (OpenBriefcase("BC1"), UseExtraAction("XA6")):
        assert game.refused("white", command).code == "COMMAND_NOT_EXPECTED"
    game.play("white", BuildDrill("green"))
    assert game.offers("white", OpenBriefcase("BC1"))


@pytest.mark.rule("OR-PATENT.2", "OR-PATENT.3")
@pytest.mark.parametrize("phase", ["actions", "oil_extraction", "oil_refining", "goals"])
def test_no_patents_are_spent_in_the_turn_of_another_player(position, phase):
    game = position(phase=phase, turn="white").player("white", patents=1).player("red", patents=9)
    assert game.legal("red") == []
    assert game.refused("red", OpenBriefcase("BC1")).code == "NOT_DECISION_OWNER"
    assert game.refused("red", UseExtraAction("XA6")).code == "NOT_DECISION_OWNER"


@pytest.mark.rule("OR-PATENT.3")
@pytest.mark.parametrize("phase", ["oil_extraction", "oil_refining", "goals"])
def test_every_player_gets_a_phase_turn_to_spend_patents(position, phase):
    game = position(phase=phase, at="start_of_turn", turn="white").player("white", patents=1).player("red", patents=1)
    assert game.decision == ("white", "phase_menu")
    game.play("white", EndPhaseTurn())
    assert game.decision == ("red", "phase_menu")
    assert game.offers("red", OpenBriefcase("BC1"))


@pytest.mark.rule("OR-PATENT.3")
def test_no_patents_are_spent_in_a_phase_turn_while_a_sequence_runs(position):
    game = position(phase="oil_refining", turn="white").player("white", patents=9, barrels={"yellow": 2, "blue": 1})
    game.play("white", UseBasicRefinery())
    assert game.decision == ("white", "basic_loading")
    assert game.refused("white", OpenBriefcase("BC1")).code == "COMMAND_NOT_EXPECTED"
    assert game.refused("white", UseExtraAction("XA6")).code == "COMMAND_NOT_EXPECTED"


# -- Briefcases ------------------------------------------------------------------------------------------------


@pytest.mark.rule("OR-PATENT.4", "OR-PATENT.11")
@pytest.mark.parametrize(
    ("briefcase", "price"), [("BC1", 1), ("BC2", 1), ("BC3", 2), ("BC4", 2), ("BC5", 3), ("BC6", 3)]
)
def test_a_briefcase_costs_the_patents_printed_beside_it(position, briefcase, price):
    short = position(turn="white").player("white", patents=price - 1)
    assert not short.offers("white", OpenBriefcase(briefcase))
    assert short.refused("white", OpenBriefcase(briefcase)).code == "NOT_ENOUGH_PATENTS"

    game = position(turn="white").player("white", patents=price)
    facts = game.play("white", OpenBriefcase(briefcase))
    assert facts.in_order(
        fact(GoodsChanged, player="white", patents=-price, reason="PAYMENT"),
        fact(BriefcaseOpened, player="white", briefcase=briefcase),
    )
    assert game["white"].briefcases == (briefcase,)
    assert game["white"].patents == 0


@pytest.mark.rule("OR-PATENT.4")
def test_the_yellow_briefcases_give_goods(position):
    game = position(turn="white").player("white", patents=2)
    facts = game.play("white", OpenBriefcase("BC1"))
    assert fact(GoodsChanged, player="white", coins=2, tools=0, coal=0, reason="BRIEFCASE") in facts
    facts = game.play("white", OpenBriefcase("BC2"))
    assert fact(GoodsChanged, player="white", tools=1, coins=0, coal=1, reason="BRIEFCASE") in facts
    assert (game["white"].tools, game["white"].coins, game["white"].coal) == (1, 2, 1)


@pytest.mark.rule("OR-PATENT.4")
def test_the_green_briefcases_give_progress_and_resources_of_choice(position):
    game = position(turn="white").player("white", patents=4)
    facts = game.play("white", OpenBriefcase("BC3"))
    assert fact(ProgressMarkerMoved, player="white", origin=3, space=6, reason="BRIEFCASE") in facts
    game.play("white", OpenBriefcase("BC4"))
    facts = game.play("white", ChooseResources(1, 0, 2))
    assert facts.in_order(
        fact(GoodsChanged, player="white", tools=1, coins=0, coal=2, reason="BRIEFCASE"),
        fact(VictoryPointsGained, player="white", amount=1, category="briefcase"),
    )


@pytest.mark.rule("OR-PATENT.4")
def test_the_blue_briefcases_build_a_drill_and_buy_a_card_for_nothing(position):
    game = position(turn="white", display=["IM26", "IM31"]).player("white", patents=6, depth={"green": 2})
    game.play("white", OpenBriefcase("BC5"))
    facts = game.play("white", BuildDrill("blue"))
    assert facts.in_order(
        fact(DrillBuilt, player="white", well="blue", depth=2),
        fact(VictoryPointsGained, player="white", amount=1, category="briefcase"),
    )
    game.play("white", OpenBriefcase("BC6"))
    facts = game.play("white", BuyImprovement("IM26"))
    assert fact(VictoryPointsGained, player="white", amount=1, category="briefcase") in facts
    assert game["white"].improvements == ("IM26",)
    assert GoodsChanged not in facts


@pytest.mark.rule("OR-PATENT.5")
def test_a_briefcase_is_opened_once_in_a_game(position):
    game = position(turn="white", round=3).player("white", patents=6, briefcases=["BC3"])
    assert not game.offers("white", OpenBriefcase("BC3"))
    assert game.refused("white", OpenBriefcase("BC3")).code == "BRIEFCASE_ALREADY_OPENED"
    game.play("white", OpenBriefcase("BC1"))
    assert game.refused("white", OpenBriefcase("BC1")).code == "BRIEFCASE_ALREADY_OPENED"


@pytest.mark.rule("OR-PATENT.5")
def test_any_number_of_briefcases_may_be_opened_in_a_turn(position):
    game = position(turn="white").player("white", patents=4)
    for briefcase in ("BC1", "BC2", "BC3"):
        game.play("white", OpenBriefcase(briefcase))
    assert game["white"].briefcases == ("BC1", "BC2", "BC3")
    assert game["white"].patents == 0


# -- Extra Actions ---------------------------------------------------------------------------------------------


@pytest.mark.rule("OR-PATENT.6", "OR-PATENT.11")
@pytest.mark.parametrize("extra_action", EXTRA_ACTIONS)
def test_an_extra_action_costs_three_patents(position, extra_action):
    rich = {"tools": 9, "coins": 9, "coal": 9}
    short = position(turn="white").player("white", patents=2, **rich)
    assert not short.offers("white", UseExtraAction(extra_action))
    assert short.refused("white", UseExtraAction(extra_action)).code == "NOT_ENOUGH_PATENTS"

    game = position(turn="white", round=2).player("white", patents=3, **rich)
    facts = game.play("white", UseExtraAction(extra_action))
    assert facts.in_order(
        fact(GoodsChanged, player="white", patents=-3, reason="PAYMENT"),
        fact(ExtraActionUsed, player="white", extra_action=extra_action, round=2),
        fact(ActionsUnlocked, player="white", source=extra_action, started=True),
    )
    assert game["white"].extra_actions == {extra_action: 2}
    assert game["white"].patents == 0


@pytest.mark.rule("OR-PATENT.6")
def test_an_extra_action_is_paid_for_like_any_action(position):
    game = position(phase="oil_extraction", turn="white", round=2).player("white", patents=4, tools=7)
    game.play("white", UseExtraAction("XA3"))
    game.play("white", ResolveAction("XA3", "drill"))
    facts = game.play("white", BuildDrill("blue"))
    assert fact(GoodsChanged, player="white", tools=-4, reason="PAYMENT") in facts
    assert fact(ActionFinished, player="white", source="XA3", action="drill") in facts
    assert game["white"].depth["blue"] == 2


@pytest.mark.rule("OR-PATENT.6", "OR-PATENT.7")
def test_the_example_of_the_rulebook(position):
    game = position(phase="oil_extraction", turn="white", round=2).player(
        "white", patents=3, tools=9, briefcases=["BC1"]
    )
    game.play("white", UseExtraAction("XA3"))
    facts = game.play("white", BuildDrill("green"))
    assert fact(GoodsChanged, player="white", green=2, reason="EXTRACTION") in facts
    assert game["white"].extra_actions == {"XA3": 2}


@pytest.mark.rule("OR-PATENT.7")
@pytest.mark.parametrize("phase", ["actions", "oil_refining", "goals"])
def test_only_one_extra_action_is_used_in_a_round(position, phase):
    game = position(phase=phase, turn="white", round=2).player("white", patents=9, extra_actions={"XA2": 2})
    assert game.legal("white", UseExtraAction) == []
    assert game.refused("white", UseExtraAction("XA6")).code == "EXTRA_ACTION_THIS_ROUND"


@pytest.mark.rule("OR-PATENT.7")
def test_the_next_round_allows_another_extra_action(position):
    game = position(turn="white", round=3).player("white", patents=3, extra_actions={"XA2": 1, "XA1": 2})
    game.play("white", UseExtraAction("XA6"))
    assert game["white"].extra_actions == {"XA2": 1, "XA1": 2, "XA6": 3}


@pytest.mark.rule("OR-PATENT.7")
def test_a_round_left_out_cannot_be_made_up_for(position):
    game = position(turn="white", round=4).player("white", patents=9, coins=0)
    game.play("white", UseExtraAction("XA6"))
    game.play("white", ResolveAction("XA6", "progress_plus"))
    assert game.decision == ("white", "turn_menu")
    assert game.refused("white", UseExtraAction("XA4")).code == "EXTRA_ACTION_THIS_ROUND"


@pytest.mark.rule("OR-PATENT.8")
def test_an_extra_action_tile_is_used_once_in_a_game(position):
    game = position(turn="white", round=2).player("white", patents=9, extra_actions={"XA6": 1})
    assert not game.offers("white", UseExtraAction("XA6"))
    assert game.refused("white", UseExtraAction("XA6")).code == "EXTRA_ACTION_ALREADY_USED"
    assert game.offers("white", UseExtraAction("XA4"))


@pytest.mark.rule("OR-PATENT.9")
@pytest.mark.parametrize(
    ("extra_action", "enough"),
    [("XA1", {"coal": 2}), ("XA2", {"tools": 2}), ("XA3", {"tools": 2}), ("XA5", {"coins": 2})],
)
def test_an_extra_action_must_be_possible(position, extra_action, enough):
    display = ["IM02", "IM16", "IM31"]
    poor = position(turn="white", display=display).player("white", patents=3)
    assert not poor.offers("white", UseExtraAction(extra_action))
    assert poor.refused("white", UseExtraAction(extra_action)).code == "ACTION_IMPOSSIBLE"
    game = position(turn="white", display=display).player("white", patents=3, **enough)
    assert game.offers("white", UseExtraAction(extra_action))


@pytest.mark.rule("OR-PATENT.9")
def test_one_possible_action_of_an_extra_action_is_enough(position):
    game = position(turn="white").player("white", patents=3, refineries=12)
    assert game.offers("white", UseExtraAction("XA4"))
    turbines = {"TU1": 1, "TU2": 2, "TU3": 3, "TU4": 4, "TU5": 5, "TU6": 6}
    game = position(turn="white").player("white", patents=3, refineries=12, turbines=turbines)
    assert game.refused("white", UseExtraAction("XA4")).code == "ACTION_IMPOSSIBLE"


# -- sequences -------------------------------------------------------------------------------------------------


@pytest.mark.rule("OR-PATENT.10")
def test_patents_received_in_a_sequence_wait_for_its_end(position):
    game = (
        position(turn="white")
        .player("white", train="R05", coal=1)
        .region("R06", railway_token="RW_P2")
        .acting("train_two")
    )
    game.play("white", MoveTrain(["R06"]))
    assert game["white"].patents == 1
    assert game.decision == ("white", "engineer_move")
    assert game.refused("white", OpenBriefcase("BC1")).code == "COMMAND_NOT_EXPECTED"
    game.play("white", KeepEngineer())
    assert game.offers("white", OpenBriefcase("BC1"))


@pytest.mark.rule("OR-PATENT.12")
def test_a_briefcase_is_paid_for_then_gives_its_reward_then_starts_triggers(position):
    game = position(turn="white").player("white", patents=1, progress=5, improvements=["IM10"])
    facts = game.play("white", OpenBriefcase("BC1"))
    assert facts.in_order(
        fact(GoodsChanged, player="white", patents=-1, reason="PAYMENT"),
        fact(BriefcaseOpened, player="white", briefcase="BC1"),
        fact(GoodsChanged, player="white", coins=2, reason="BRIEFCASE"),
        fact(ProgressMarkerMoved, player="white", origin=5, space=6, reason="EQUIPMENT"),
        fact(LevelReached, player="white", level=2),
    )


@pytest.mark.rule("OR-PATENT.12")
def test_opening_a_briefcase_is_one_sequence_with_one_settle_at_its_end(position):
    game = position(turn="white").player("white", patents=2, progress=3, improvements=["IM10"])
    facts = game.play("white", OpenBriefcase("BC3"))
    assert facts.in_order(
        fact(ProgressMarkerMoved, player="white", space=6, reason="BRIEFCASE"),
        fact(ProgressMarkerMoved, player="white", space=7, reason="EQUIPMENT"),
        fact(LevelReached, player="white", level=2),
    )


@pytest.mark.rule("OR-PATENT.13")
def test_of_an_extra_action_with_two_actions_either_comes_first_and_both_may_be_done(position):
    game = position(turn="white").player("white", patents=3)
    game.play("white", UseExtraAction("XA4"))
    assert set(game.legal("white")) == {ResolveAction("XA4", "refinery_plus"), ResolveAction("XA4", "turbine")}
    game.play("white", ResolveAction("XA4", "turbine"))
    game.play("white", BuildTurbine("TU1", 2))
    assert game.offers("white", ResolveAction("XA4", "refinery_plus"))
    game.play("white", ResolveAction("XA4", "refinery_plus"))
    assert game["white"].refineries == 1
    assert game["white"].turbines == {"TU1": 2}


@pytest.mark.rule("OR-PATENT.13")
def test_one_action_of_an_extra_action_is_finished_before_the_other_starts(position):
    game = position(turn="white").player("white", patents=3, coins=3)
    game.play("white", UseExtraAction("XA4"))
    game.play("white", ResolveAction("XA4", "refinery_plus"))
    assert game.decision == ("white", "paid_repeat")
    assert game.refused("white", ResolveAction("XA4", "turbine")).code == "COMMAND_NOT_EXPECTED"
    facts = game.play("white", StopPaying())
    assert fact(ActionFinished, player="white", source="XA4", action="refinery_plus") in facts
    assert game.offers("white", ResolveAction("XA4", "turbine"))


@pytest.mark.rule("OR-PATENT.13")
@pytest.mark.parametrize("policy", ["FREE", "STRICT"])
def test_an_extra_action_is_given_up_only_after_one_of_its_actions(position, policy):
    game = position(turn="white", options={"forgo_policy": policy}).player("white", patents=3)
    game.play("white", UseExtraAction("XA4"))
    assert game.refused("white", ForgoSource("XA4")).code == "FORGO_NOT_ALLOWED"
    game.play("white", ResolveAction("XA4", "refinery_plus"))
    game.play("white", ForgoSource("XA4"))
    assert game.seen.pending == ()


@pytest.mark.rule("OR-PATENT.13")
def test_an_extra_action_is_finished_before_a_worker_is_placed(position):
    game = position(turn="white").player("white", patents=3)
    game.play("white", UseExtraAction("XA4"))
    assert game.refused("white", PlaceOnTile("AT01")).code == "ACTIONS_PENDING"
    facts = game.play("white", ResolveAction("XA4", "refinery_plus"))
    assert fact(ActionStarted, player="white", source="XA4", action="refinery_plus") in facts
    assert game.refused("white", PlaceOnTile("AT01")).code == "ACTIONS_PENDING"
    game.play("white", ForgoSource("XA4"))
    assert game.offers("white", PlaceOnTile("AT01"))


# -- what Patents are not --------------------------------------------------------------------------------------


@pytest.mark.rule("OR-PATENT.14")
def test_patents_pay_for_nothing_else(position):
    game = position(turn="white", display=["IM01", "IM16", "IM31"]).player("white", patents=9)
    game.play("white", PlaceOnTile("AT02"))
    assert game.refused("white", ResolveAction("AT02", "drill")).code == "ACTION_IMPOSSIBLE"
    spending = [OpenBriefcase(f"BC{number}") for number in range(1, 7)] + [UseExtraAction("XA4"), UseExtraAction("XA6")]
    assert set(game.legal("white")) == {*spending, ResolveAction("AT02", "turbine"), ForgoSource("AT02")}
    game.play("white", ForgoSource("AT02"))
    assert set(game.legal("white")) == {*spending, EndTurn()}


@pytest.mark.rule("OR-PATENT.14")
def test_a_patent_left_is_worth_a_point_at_the_end(position):
    game = position(at="final_scoring").player("white", patents=5)
    facts = game.record_scores()
    assert fact(CategoryScored, player="white", category="patents", vp=5) in facts
    assert fact(CategoryScored, player="red", category="patents", vp=0) in facts
