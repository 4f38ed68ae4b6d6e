"""B.10 Action tiles and Actions in general."""

import pytest

from wellhead_rules.oil_rock.commands import (
    BuildTurbine,
    ChooseResources,
    DeclineEffect,
    EndTurn,
    ForgoSource,
    KeepEngineer,
    MoveTrain,
    OpenBriefcase,
    PlaceOnTile,
    ResolveAction,
    StopPaying,
    UseExtraAction,
)
from wellhead_rules.oil_rock.content import packs
from wellhead_rules.oil_rock.events import (
    ActionFinished,
    ActionStarted,
    ActionsUnlocked,
    EngineerMoved,
    GoodsChanged,
    SourceForgone,
    TrainMoved,
)
from wellhead_rules.oil_rock.facts import fact

POLICIES = pytest.mark.parametrize("policy", ["FREE", "STRICT"])
FULL_BOARD = {
    "offices": ["R01", "R02", "R03", "R04", "R05", "R06"],
    "depth": {"yellow": 4, "green": 4, "blue": 4},
    "refineries": 12,
    "turbines": {f"TU{slot}": slot for slot in range(1, 7)},
}


def actions(game, colour="white"):
    return {(one.source, one.action) for one in game.legal(colour, ResolveAction)}


def with_policy(position, policy, **said):
    """A Patent and an unopened Briefcase keep the menu open when nothing else is left."""
    return position(options={"forgo_policy": policy}, **said).player("white", patents=1)


@pytest.mark.rule("OR-ACTION.1")
def test_a_single_tile_unlocks_its_action(position):
    game = position()
    facts = game.play("white", PlaceOnTile("AT01"))
    assert fact(ActionsUnlocked, source="AT01", mode="single", actions=("resources_three",), started=False) in facts
    assert actions(game) == {("AT01", "resources_three")}
    game.play("white", ResolveAction("AT01", "resources_three"))
    assert game.seen.pending == ()


@pytest.mark.rule("OR-ACTION.2")
@pytest.mark.parametrize(("done", "gone"), [("drill", "turbine"), ("turbine", "drill")])
def test_carrying_out_one_alternative_removes_the_other(position, done, gone):
    game = position().player("white", tools=9, coal=9, patents=1).pending("AT02")
    assert actions(game) == {("AT02", "drill"), ("AT02", "turbine")}
    facts = game.play("white", ResolveAction("AT02", done))
    assert fact(ActionStarted, source="AT02", action=done, removed=("drill", "turbine")) in facts
    game.play("white", game.legal("white")[0])
    assert not actions(game)
    assert game.refused("white", ResolveAction("AT02", gone)).code == "ACTION_NOT_PENDING"


@pytest.mark.rule("OR-ACTION.3")
@pytest.mark.parametrize("order", [("patent", "office"), ("office", "patent")])
def test_both_actions_of_a_tile_may_be_done_in_either_order(position, order):
    game = position().player("white", tools=4, train="R01", engineer="R01").pending("AT05")
    facts = game.opening
    for action in order:
        facts += game.play("white", ResolveAction("AT05", action))
        while game.decision == ("white", "office_site"):
            facts += game.play("white", game.legal("white")[0])
    assert [one.action for one in facts.of(ActionFinished)] == list(order)
    assert game["white"].patents >= 1
    assert game["white"].offices == ("R01",)


@pytest.mark.rule("OR-ACTION.4")
@POLICIES
def test_of_both_actions_one_may_be_given_up(position, policy):
    game = with_policy(position, policy).player("white", coal=3).pending("AT04")
    game.play("white", ResolveAction("AT04", "coal_two"))
    assert actions(game) == {("AT04", "train_two")}
    assert fact(SourceForgone, player="white", source="AT04") in game.play("white", ForgoSource("AT04"))
    assert game.offers("white", EndTurn())


@pytest.mark.rule("OR-ACTION.5")
def test_an_action_is_resolved_completely_before_another_starts(position):
    """The Train's bonus asks, then the Engineer is asked for: the other Action of the tile has to wait."""
    game = position().player("white", train="R01", coal=3).pending("AT04").region("R05", railway_token="RW_H3")
    game.play("white", ResolveAction("AT04", "train_two"))
    other = ResolveAction("AT04", "coal_two")
    assert game.refused("white", other).code == "COMMAND_NOT_EXPECTED"
    game.play("white", MoveTrain(("R05",)))
    assert game.decision == ("white", "resource_portion")
    assert game.refused("white", other).code == "COMMAND_NOT_EXPECTED"
    game.play("white", ChooseResources(3, 0, 0))
    assert game.decision == ("white", "engineer_move")
    assert game.refused("white", other).code == "COMMAND_NOT_EXPECTED"
    facts = game.play("white", KeepEngineer())
    assert fact(ActionFinished, source="AT04", action="train_two") in facts
    facts = game.play("white", other)
    assert facts.in_order(ActionStarted, fact(GoodsChanged, coal=2), ActionFinished)


IMPOSSIBLE = [
    ("train_two", "AT04", {"train": "R01", "coal": 1}, {"train": "R01", "coal": 2}),
    ("train_anywhere", "AT08", {"coal": 0}, {"coal": 1}),
    ("office", "AT05", {"train": "R01", "tools": 1}, {"train": "R01", "tools": 2}),
    ("office", "AT05", {"tools": 9, **FULL_BOARD}, {"tools": 9}),
    ("office", "AT05", {"tools": 9, "train": "R01", "offices": ["R01"]}, {"tools": 9, "train": "R05"}),
    ("drill", "AT02", {"tools": 1}, {"tools": 2}),
    ("drill", "AT02", {"tools": 9, "depth": {"yellow": 2, "green": 2, "blue": 2}}, {"tools": 9}),
    ("refinery", "AT10", {"refineries": 12}, {"refineries": 11}),
    ("refinery_plus", "AT03", {"refineries": 12}, {"refineries": 11, "coins": 0}),
    ("turbine", "AT10", {"turbines": {"TU1": 1, "TU2": 2}}, {"turbines": {"TU1": 1}}),
    ("turbine", "AT10", {"coal": 9, **FULL_BOARD}, {"coal": 9}),
    ("improvement", "AT07", {"coins": 1}, {"coins": 2}),
]


@pytest.mark.rule("OR-ACTION.6")
@pytest.mark.parametrize(("action", "source", "impossible", "possible"), IMPOSSIBLE)
def test_an_action_can_be_started_only_if_it_has_an_execution(position, action, source, impossible, possible):
    game = position(players=3, display=["IM02", "IM16"]).player("white", patents=1, **impossible).pending(source)
    assert (source, action) not in actions(game)
    refusal = game.refused("white", ResolveAction(source, action))
    assert (refusal.code, refusal.clause) == ("ACTION_IMPOSSIBLE", "OR-ACTION.6")
    game = position(players=3, display=["IM02", "IM16"]).player("white", patents=1, **possible).pending(source)
    assert (source, action) in actions(game)


@pytest.mark.rule("OR-ACTION.6")
@pytest.mark.parametrize(
    ("action", "source"),
    [
        ("progress", "AT07"), ("progress_plus", "AT06"), ("coal_two", "AT04"), ("resources_three", "AT01"),
        ("patent", "AT05"), ("refinery", "AT10"), ("refinery_plus", "AT03"),
    ],
)  # fmt: skip
def test_a_gain_is_always_possible_and_of_several_effects_the_first_decides(position, action, source):
    game = position(players=3).player("white", progress=42, refineries=0).pending(source)
    assert (source, action) in actions(game)


@pytest.mark.rule("OR-ACTION.7")
def test_free_anything_pending_may_be_given_up_at_any_time(position):
    for source in ("AT01", "AT02", "AT04", "AT05"):
        game = with_policy(position, "FREE").player("white", tools=9, coal=9).pending(source)
        assert ForgoSource(source) in game.legal("white")
        facts = game.play("white", ForgoSource(source))
        assert fact(SourceForgone, player="white", source=source) in facts


@pytest.mark.rule("OR-ACTION.7")
@pytest.mark.parametrize("source", ["AT01", "AT02", "AT04", "AT05"])
def test_strict_a_possible_action_has_to_be_carried_out(position, source):
    game = with_policy(position, "STRICT").player("white", tools=9, coal=9).pending(source)
    assert not game.legal("white", ForgoSource)
    refusal = game.refused("white", ForgoSource(source))
    assert (refusal.code, refusal.clause) == ("FORGO_NOT_ALLOWED", "OR-ACTION.7")


@pytest.mark.rule("OR-ACTION.7")
def test_strict_a_source_without_a_possible_action_may_be_given_up(position):
    game = with_policy(position, "STRICT").player("white", tools=0, **FULL_BOARD).pending("AT02")
    assert not actions(game)
    game.play("white", ForgoSource("AT02"))
    assert game.offers("white", EndTurn())


@pytest.mark.rule("OR-ACTION.7")
def test_strict_an_alternative_is_no_second_action(position):
    """Only of a `both` source may the rest be given up once one Action has been carried out."""
    game = with_policy(position, "STRICT").player("white", tools=2, **{"turbines": FULL_BOARD["turbines"]})
    game.pending("AT02")
    assert actions(game) == {("AT02", "drill")}
    assert game.refused("white", ForgoSource("AT02")).code == "FORGO_NOT_ALLOWED"


@pytest.mark.rule("OR-ACTION.7")
@POLICIES
def test_an_extra_action_is_strict_under_either_policy(position, policy):
    game = position(options={"forgo_policy": policy}).player("white", patents=4, tools=4, coal=1)
    game.play("white", UseExtraAction("XA4"))
    assert game.refused("white", ForgoSource("XA4")).code == "FORGO_NOT_ALLOWED"
    game.play("white", ResolveAction("XA4", "refinery_plus"))
    assert fact(SourceForgone, source="XA4") in game.play("white", ForgoSource("XA4"))


@pytest.mark.rule("OR-ACTION.8")
def test_a_source_that_has_been_started_is_finished_first(position):
    game = position(players=3).wheel(outer={0: "AT04"}, inner={0: "AT05"}).player("white", workers=["C1"], coal=2)
    game.player("white", tools=4, train="R01").pending("AT04").pending("AT05")
    assert {source for source, _ in actions(game)} == {"AT04", "AT05"}
    game.play("white", ResolveAction("AT05", "patent"))
    assert {source for source, _ in actions(game)} == {"AT05"}
    for command in (ResolveAction("AT04", "coal_two"), ForgoSource("AT04")):
        refusal = game.refused("white", command)
        assert (refusal.code, refusal.clause) == ("OTHER_SOURCE_STARTED", "OR-ACTION.8")
    game.play("white", ForgoSource("AT05"))
    assert {source for source, _ in actions(game)} == {"AT04"}


@pytest.mark.rule("OR-ACTION.8")
def test_a_new_extra_action_comes_before_every_other_action(position):
    game = position().player("white", patents=3, coal=3).pending("AT04", "train_two", started=True)
    game.play("white", UseExtraAction("XA4"))
    assert {source for source, _ in actions(game)} == {"XA4"}
    for command in (ResolveAction("AT04", "train_two"), ForgoSource("AT04")):
        assert game.refused("white", command).code == "OTHER_SOURCE_STARTED"
    game.play("white", ResolveAction("XA4", "turbine"))
    game.play("white", BuildTurbine("TU1", 1))
    assert {source for source, _ in actions(game)} == {"XA4"}
    game.play("white", ResolveAction("XA4", "refinery_plus"))
    assert {source for source, _ in actions(game)} == {"AT04"}


@pytest.mark.rule("OR-ACTION.8")
def test_a_new_extra_action_comes_before_the_worker(position):
    game = position().player("white", patents=3, tools=2)
    game.play("white", UseExtraAction("XA4"))
    assert not game.legal("white", PlaceOnTile)
    refusal = game.refused("white", PlaceOnTile("AT01"))
    assert (refusal.code, refusal.clause) == ("ACTIONS_PENDING", "OR-ACTION.8")


@pytest.mark.rule("OR-ACTION.9")
def test_the_free_window_is_open_between_the_actions_of_a_tile_and_between_two_tiles(position):
    game = position(players=3).wheel(outer={0: "AT04"}, inner={0: "AT05"}).player("white", workers=["C1"], patents=1)
    game.pending("AT04").pending("AT05")
    briefcase = OpenBriefcase("BC1")
    game.play("white", ResolveAction("AT05", "patent"))
    assert game.offers("white", briefcase)
    game.play("white", ForgoSource("AT05"))
    game.play("white", briefcase)
    assert game["white"].coins == 2
    assert actions(game) == {("AT04", "coal_two")}


@pytest.mark.rule("OR-ACTION.10")
def test_blank_tiles_have_no_effect_and_occur_with_two_players_only(position):
    content = packs()["oil_rock_house"]
    blank = {tile.id: tile.players for tile in content.data.action_tiles if tile.mode == "blank"}
    assert blank == {"AT15": (2,), "AT16": (2,)}
    for players in (3, 4):
        wheel = position(players=players).seen.wheel
        assert not {*wheel.outer.values(), *wheel.inner.values()} & set(blank)
    game = position()
    facts = game.play("white", PlaceOnTile("AT16"))
    assert not facts.of(ActionsUnlocked)
    assert game.decision == ("red", "turn_menu")


@pytest.mark.rule("OR-ACTION.11")
@pytest.mark.parametrize("action", ["train_two", "train_anywhere", "office", "drill", "turbine", "improvement"])
def test_once_started_the_first_choice_cannot_be_declined(position, action):
    game = position(players=3).player("white", tools=9, coins=9, coal=9, train="R01", engineer="R06").acting(action)
    assert len(game.legal("white")) > 1
    assert not game.offers("white", DeclineEffect())
    refusal = game.refused("white", DeclineEffect())
    assert (refusal.code, refusal.clause) == ("CANNOT_DECLINE", "OR-ACTION.11")


@pytest.mark.rule("OR-ACTION.11")
def test_what_follows_the_first_choice_may_be_left(position):
    game = position().player("white", coins=9).pending("AT06")
    game.play("white", ResolveAction("AT06", "progress_plus"))
    game.play("white", StopPaying())
    assert game["white"].progress == 4
    game = position().player("white", train="R01", coal=3, engineer="R12").acting("train_two")
    game.region("R05", railway_token="RW_H1")
    assert fact(TrainMoved, player="white", region="R05") in game.play("white", MoveTrain(("R05",)))
    assert not game.play("white", KeepEngineer()).of(EngineerMoved)
