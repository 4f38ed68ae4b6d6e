"""OF-3: the round."""

from collections import Counter

import pytest

from tests.rules.oilfield.playing import idle, idle_until
from tests.support.positions import play_to_the_end
from wellhead_rules.oilfield.commands import (
    BuildExpansion,
    BuildTower,
    BuyInvestment,
    DrillTower,
    PassAction,
    SellLocal,
    SellNational,
    TakeFirstPlayer,
    TakeLease,
    TakeSubsidy,
)
from wellhead_rules.oilfield.events import (
    ActionCompleted,
    ActionPassed,
    ActionStarted,
    DecisionClosed,
    DecisionOpened,
    DummyWorkerMoved,
    ExpansionBuilt,
    FieldExhausted,
    FieldReplenished,
    LeaseRevealed,
    LeaseTaken,
    LocalSold,
    OilfieldMarkerAdvanced,
    PhaseStarted,
    PrivateCardReturned,
    RoundStarted,
    SubsidyIncreased,
    SupervisorPaid,
    TileRevealed,
    TowerBuilt,
    TowerDrilled,
    WorkerReturned,
)
from wellhead_rules.oilfield.facts import fact

DRY = {"oil": 0, "gas": 4}
PUBLIC_CHECK = fact(PhaseStarted, phase="private_actions")


@pytest.mark.rule("OF-3.1")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_round_is_public_then_private_selection_then_public_then_private_actions(position, players):
    game = position(players=players, at="setup")
    facts = game.opening + idle_until(game, lambda game: game.seen.round == 3)
    phases = [one for one in facts if isinstance(one, PhaseStarted | RoundStarted)]
    names = [one.phase.name if isinstance(one, PhaseStarted) else one.round for one in phases]
    four = ["PUBLIC_SELECTION", "PRIVATE_SELECTION", "PUBLIC_ACTIONS", "PRIVATE_ACTIONS"]
    assert names[:11] == [1, *four, 2, *four, 3]


@pytest.mark.rule("OF-3.2")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_has_one_public_and_one_private_action_a_round(position, players):
    game = position(players=players, at="setup")
    facts = play_to_the_end(game, seed=players)
    number, started = 0, {}
    for one in facts:
        if isinstance(one, RoundStarted):
            number = one.round
        if isinstance(one, ActionStarted):
            started.setdefault(number, []).append((one.seat, int(one.origin)))
    assert number > 3
    for round in range(1, number + 1):
        assert Counter(started[round]) == Counter((seat, origin) for seat in range(players) for origin in (1, 2))


SAME = [
    ("lease", TakeLease("austin"), LeaseTaken),
    ("build", BuildTower("small_tower", "dallas"), TowerBuilt),
    ("build", BuildExpansion("refinery_expansion"), ExpansionBuilt),
    ("drill", DrillTower("medium_tower_2", oil_to_warehouse=1), TowerDrilled),
    ("local", SellLocal(oil_for_coins=1, gas_for_vp=1), LocalSold),
    ("local", SellLocal(oil_for_coins=1), SupervisorPaid),
]


@pytest.mark.rule("OF-3.3")
@pytest.mark.parametrize(("action", "command", "effect"), SAME)
def test_an_action_does_the_same_whether_chosen_publicly_or_privately(position, action, command, effect):
    effects = []
    for origin in ("public", "private"):
        game = position(building_market=["small_tower_2", "refinery_expansion_2"]).player("P0", oil=1, gas=1)
        game.slot("dallas_slot_1", "P0").slot("austin_slot_1", "P0", "medium_tower_2")
        price = {"price": 5} if action == "lease" else {}
        facts = game.acting("P0", action, origin=origin, **price).play("P0", command)
        effects.append(facts.of(effect))
    assert effects[0] == effects[1] != []


@pytest.mark.rule("OF-3.4")
def test_the_same_action_may_be_chosen_publicly_and_privately(position):
    market = ["refinery_expansion_2", "refinery_expansion_3"]
    game = position(at="public_actions", building_market=market).player("P0", worker="build_1", card="build")
    facts = game.play("P0", BuildExpansion("refinery_expansion"))
    assert game.decision == ("P0", "resolve_build")
    assert fact(ActionCompleted, seat="P0", action="build", origin="public") in facts
    assert fact(ActionStarted, seat="P0", action="build", origin="private") in facts


@pytest.mark.rule("OF-3.4")
def test_the_card_of_the_action_chosen_publicly_may_be_committed(position):
    game = position(players=3, at="private_selection").player("P0", worker="drill_1")
    assert {int(one.card) for one in game.legal("P0")} == {1, 2, 3, 4, 5}


ACTIONS = {
    "lease": TakeLease("austin"),
    "build": BuildTower("small_tower", "dallas"),
    "drill": DrillTower("medium_tower_2", oil_to_warehouse=1),
    "local": SellLocal(oil_for_coins=1),
    "national": SellNational(oil=1),
    "first_player": TakeFirstPlayer(),
    "subsidy": TakeSubsidy(),
    "invest": BuyInvestment("vp2"),
}


def able(position, action):
    """P1 could carry out any action; this one comes up."""
    game = position().player("P1", oil=1, gas=1).slot("dallas_slot_1", "P1")
    return game.slot("austin_slot_1", "P1", "medium_tower_2").acting("P1", action)


@pytest.mark.rule("OF-3.5")
@pytest.mark.parametrize("action", ACTIONS)
def test_when_an_action_comes_up_the_player_may_pass_and_loses_it(position, action):
    game = able(position, action)
    before = game["P1"]
    facts = game.play("P1", PassAction())
    origin = "private" if action == "national" else "public"
    assert fact(ActionPassed, seat="P1", action=action, origin=origin) in facts
    after = game["P1"]
    for held in ("coins", "oil", "gas", "vp", "leases", "expansions", "lease_markers", "investment_markers"):
        assert getattr(after, held) == getattr(before, held)
    assert facts.count(fact(ActionStarted, seat="P1", action=action, origin=origin)) == 0, "it does not come up again"


@pytest.mark.rule("OF-3.5")
@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_cannot_be_swapped_for_another(position, action):
    game = able(position, action)
    assert {type(one) for one in game.legal("P1")} >= {type(ACTIONS[action]), PassAction}
    for other, command in ACTIONS.items():
        if other != action:
            assert game.refused("P1", command).code == "WRONG_PHASE"


@pytest.mark.rule("OF-3.6")
@pytest.mark.parametrize("is_final", [False, True])
def test_the_fields_are_checked_at_the_end_of_the_public_actions(position, is_final):
    game = position(phase="public_actions", is_final=is_final, fields={"austin": DRY})
    game.player("P0", worker="subsidy_1", card="national", oil=1)
    assert OilfieldMarkerAdvanced not in game.opening
    facts = game.play("P0", PassAction())
    assert facts.in_order(
        fact(WorkerReturned, seat="P0"),
        fact(OilfieldMarkerAdvanced, field="austin", step=1),
        fact(FieldReplenished, field="austin"),
        PUBLIC_CHECK,
    )


@pytest.mark.rule("OF-3.6")
def test_the_fields_are_checked_at_the_end_of_the_private_actions(position):
    game = position(fields={"austin": DRY}).player("P2", oil=1).acting("P2", "national")
    assert OilfieldMarkerAdvanced not in game.opening
    facts = game.play("P2", PassAction())
    assert facts.in_order(
        fact(PrivateCardReturned, seat="P2"),
        fact(OilfieldMarkerAdvanced, field="austin", step=1),
        fact(FieldReplenished, field="austin"),
        fact(RoundStarted, round=2),
    )


@pytest.mark.rule("OF-3.6", "OF-3.7")
def test_no_check_and_no_round_follow_the_private_actions_of_the_final_round(position):
    game = position(round=7, is_final=True, fields={"austin": DRY}).player("P2", oil=1).acting("P2", "national")
    facts = game.play("P2", PassAction())
    assert facts.in_order(fact(PrivateCardReturned, seat="P2"), fact(PhaseStarted, phase="final_scoring"))
    for kind in (OilfieldMarkerAdvanced, FieldExhausted, FieldReplenished, RoundStarted, SubsidyIncreased):
        assert kind not in facts
    assert game.decision is None


@pytest.mark.rule("OF-3.7")
def test_after_the_private_actions_a_new_round_starts(position):
    game = position(round=7).player("P2", oil=1).acting("P2", "national")
    facts = game.play("P2", PassAction())
    assert fact(RoundStarted, round=8, is_final=False) in facts
    assert game.decision == ("P0", "place_worker")
    assert game.seen.phase == "public_selection"


@pytest.mark.rule("OF-3.8")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_happens_at_the_start_of_a_round_and_in_which_order(position, players):
    tiles, leases = (5 if players < 4 else 6), (3 if players == 2 else 4)
    game = position(
        players=players,
        at="end_of_round",
        building_market=["small_tower_2"],
        lease_market=["pecos_lease_4"],
        subsidy_pot=3,
    )
    expected = [
        RoundStarted,
        *[TileRevealed] * (tiles - 1),
        *[LeaseRevealed] * (leases - 1),
        SubsidyIncreased,
        *([DummyWorkerMoved] if players == 2 else []),
        PhaseStarted,
        DecisionOpened,
    ]
    assert [type(one) for one in game.opening] == expected
    assert game.seen.subsidy_pot == 4


@pytest.mark.rule("OF-3.8")
def test_nothing_is_refilled_during_a_round_or_in_the_first(position):
    game = position(at="setup")
    started = [type(one) for one in game.opening].index(RoundStarted)
    assert [type(one) for one in game.opening[started:]] == [RoundStarted, PhaseStarted, DecisionOpened]
    game = position(players=3, building_market=["small_tower_2"], lease_market=["pecos_lease_4"])
    while game.seen.round == 1:
        facts = idle(game)
        if RoundStarted not in facts:
            assert not {TileRevealed, LeaseRevealed, SubsidyIncreased} & {type(one) for one in facts}
            assert DecisionClosed in facts
