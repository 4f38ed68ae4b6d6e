"""Section F.1: the refusals that any command can meet, and which of them comes first.

`Position.refused` itself fails when a refused command has changed something or drawn anything.
"""

import pytest

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import RULESET
from wellhead_rules.oilfield import commands as c
from wellhead_rules.oilfield.commands import (
    BuildExpansion,
    BuildTower,
    BuyInvestment,
    CommitPrivateAction,
    DrillTower,
    FinishDrilling,
    FinishNational,
    ForfeitGovernmentTower,
    PassAction,
    PayGovernmentTower,
    PlaceWorker,
    SellInvestment,
    SellLocal,
    SellNational,
    ShipNationalTower,
    TakeFirstPlayer,
    TakeLease,
    TakeSubsidy,
)

ADVANCED = {"advanced_towers": "true"}


def with_tower(p, **said):
    return p(options=ADVANCED, **said).slot("dallas_slot_1", "P0", "small_tower_2")


def placing(p):
    return p()


def committing(p):
    return p(at="private_selection")


def acting(action):
    def pose(p):
        game = with_tower(p, building_market=["small_tower_3", "refinery_expansion_2"]).player("P0", oil=1)
        return game.slot("dallas_slot_2", "P0").acting("P0", action)

    return pose


def new_tower(p):
    game = acting("build")(p)
    game.play("P0", BuildTower("small_tower", "dallas"))
    return game


def drilling_on(p):
    game = with_tower(p).slot("dallas_slot_2", "P0", "small_tower_3")
    game.acting("P0", "drill").play("P0", DrillTower("small_tower_2", oil_to_warehouse=1))
    return game


def shipping(p):
    game = p(options=ADVANCED).slot("dallas_slot_1", "P0", "small_national_tower_2").player("P0", oil=1)
    game.acting("P0", "national").play("P0", SellNational(oil=1))
    return game


def paying(p):
    game = p(options=ADVANCED, at="check").slot("dallas_slot_1", "P0", "government_tower_2")
    return game.field("dallas", oil=0, gas=1)


QUESTIONS = {
    "place_worker": (placing, {PlaceWorker}),
    "commit_private": (committing, {CommitPrivateAction}),
    "resolve_lease": (acting("lease"), {TakeLease, PassAction}),
    "resolve_build": (acting("build"), {BuildTower, BuildExpansion, PassAction}),
    "resolve_drill": (acting("drill"), {DrillTower, FinishDrilling, PassAction}),
    "drill_new_tower": (new_tower, {DrillTower, FinishDrilling, PassAction}),
    "resolve_local": (acting("local"), {SellLocal, PassAction}),
    "resolve_national": (acting("national"), {SellNational, PassAction}),
    "ship_national_tower": (shipping, {ShipNationalTower, FinishNational, PassAction}),
    "resolve_first_player": (acting("first_player"), {TakeFirstPlayer, PassAction}),
    "resolve_subsidy": (acting("subsidy"), {TakeSubsidy, PassAction}),
    "resolve_invest": (acting("invest"), {BuyInvestment, PassAction}),
    "government_payment": (paying, {PayGovernmentTower, ForfeitGovernmentTower}),
}
"""By kind of question, a position in which P0 is asked, and the commands that are no answer to another question."""

COMMANDS = [
    PlaceWorker("build_1"),
    CommitPrivateAction("build"),
    PassAction(),
    TakeLease("pecos"),
    BuildTower("small_tower", "dallas"),
    BuildExpansion("refinery_expansion"),
    DrillTower("small_tower_2", oil_to_warehouse=1),
    FinishDrilling(),
    SellLocal(oil_for_coins=1),
    SellNational(oil=1),
    ShipNationalTower("small_national_tower_2"),
    FinishNational(),
    TakeFirstPlayer(),
    TakeSubsidy(),
    BuyInvestment("vp2"),
    PayGovernmentTower("government_tower_2"),
    ForfeitGovernmentTower("government_tower_2"),
]
"""One of every kind, but for the sale of an investment."""


def direct(game, seat, command, decision_id=1):
    """The code with which a command is refused, whoever sends it."""
    with pytest.raises(RuleViolation) as caught:
        RULESET.play(game.state, seat, decision_id, command, None)
    return caught.value.code


def test_every_kind_of_command_is_tried():
    assert {type(one) for one in COMMANDS} | {SellInvestment} == set(c.Command.__subclasses__())


@pytest.mark.rule("OF-3.5", "OF-5.4")
@pytest.mark.parametrize("kind", QUESTIONS)
def test_only_what_answers_the_open_question_is_accepted(position, kind):
    pose, answers = QUESTIONS[kind]
    for command in COMMANDS:
        game = pose(position)
        assert game.decision == ("P0", kind)
        if type(command) not in answers:
            assert game.refused("P0", command).code == "WRONG_PHASE"
            assert game.refused("P1", command).code == "WRONG_PHASE", "before it is looked at who sends it"


@pytest.mark.rule("OF-5.4")
@pytest.mark.parametrize("kind", [kind for kind in QUESTIONS if kind != "commit_private"])
def test_only_who_is_asked_may_answer(position, kind):
    pose, answers = QUESTIONS[kind]
    game = pose(position)
    for command in COMMANDS:
        if type(command) in answers:
            assert game.refused("P1", command).code == "NOT_YOUR_DECISION"


@pytest.mark.rule("OF-4.10")
def test_who_has_committed_is_told_so_and_not_that_others_are_asked(position):
    game = position(at="private_selection").player("P1", card="lease")
    assert game.refused("P1", CommitPrivateAction("lease")).code == "ALREADY_COMMITTED"
    assert game.refused("P1", PlaceWorker("build_1")).code == "WRONG_PHASE"


@pytest.mark.rule("OF-3.5")
@pytest.mark.parametrize("pose", [new_tower, drilling_on, shipping])
def test_an_action_that_has_begun_is_not_passed(position, pose):
    game = pose(position)
    assert PassAction() not in game.legal("P0")
    assert game.refused("P0", PassAction()).code == "ACTION_ALREADY_STARTED"
    assert game.refused("P1", PassAction()).code == "NOT_YOUR_DECISION"


@pytest.mark.rule("OF-1.1")
@pytest.mark.parametrize("seat", [-1, 3, 4])
def test_who_does_not_play_is_refused(position, seat):
    game = position(players=3)
    for command in (*COMMANDS, SellInvestment("vp2")):
        assert direct(game, seat, command) == "UNKNOWN_PLAYER"


def test_final_scoring_accepts_no_command_and_the_end_neither(position):
    game = position(at="final_scoring", tracks={"vp2": {3: "P0"}})
    for command in (*COMMANDS, SellInvestment("vp2")):
        assert game.refused("P0", command).code == "WRONG_PHASE"
    game.record_scores()
    for command in (*COMMANDS, SellInvestment("vp2")):
        assert game.refused("P0", command).code == "GAME_OVER"
        assert direct(game, 7, command) == "GAME_OVER"


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_sale_of_an_investment_is_everybodys_at_any_time(position, kind):
    for seat in ("P0", "P1"):
        game = QUESTIONS[kind][0](lambda **said: position(**said).track("vp2", {3: "P0", 4: "P1"}))
        assert game.refused("P2", SellInvestment("vp2")).code == "NO_SUCH_INVESTMENT"
        game.play(seat, SellInvestment("vp2"))
        assert game.decision == ("P0", kind)


def test_an_answer_to_another_question_than_the_open_one_is_stale(position):
    game = position()
    assert game.refused("P0", PlaceWorker("build_1"), decision_id=2).code == "STALE_DECISION"
    game.play("P0", PlaceWorker("build_1"))
    assert game.refused("P1", PlaceWorker("build_2"), decision_id=1).code == "STALE_DECISION"
