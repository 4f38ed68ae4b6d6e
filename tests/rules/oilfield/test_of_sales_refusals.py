"""F.1: the rejection codes of selling, of the benefits, of investments and of the government tower.

`Position.refused` itself fails when a refused command has changed the state or drawn anything.
"""

import re
from pathlib import Path

import pytest

from wellhead_rules import oilfield
from wellhead_rules.oilfield import commands as c

DOCUMENT = (Path(oilfield.__file__).parent / "rules.md").read_text(encoding="utf-8")
CLAUSES = frozenset(re.findall(r"^- \*\*(OF-\d+\.\d+)\*\*", DOCUMENT, re.MULTILINE))
ADVANCED = {"advanced_towers": "true"}
TOWER, OTHER_TOWER = "small_national_tower_1", "small_national_tower_2"


# -- positions in which a command is refused -------------------------------------------------------------------


def local(p):
    return p().player("P0", oil=2, gas=1).acting("P0", "local")


def national(p, **said):
    return p(options=ADVANCED).player("P0", **{"oil": 2, "gas": 1, **said}).acting("P0", "national")


def shipping(p, **said):
    """P0 has sold; its towers stand in Dallas, from which it may ship, and in Pecos."""
    game = p(players=4, options=ADVANCED, **said).player("P0", oil=1).slot("dallas_slot_1", "P0", TOWER)
    game.slot("pecos_slot_1", "P0", OTHER_TOWER).slot("pecos_slot_2", "P0", "small_tower_1")
    game.slot("pecos_slot_3", "P1", "small_tower_2").acting("P0", "national")
    return game


def shipped(p, **said):
    game = shipping(p, **said)
    game.play("P0", c.SellNational(1))
    return game


def dry(p):
    """No oil in Pecos."""
    game = shipping(p).field("pecos", oil=0)
    game.play("P0", c.SellNational(1))
    return game


def shipped_once(p):
    game = shipped(p)
    game.play("P0", c.ShipNationalTower(OTHER_TOWER))
    return game


def invest(p, coins=20, **tracks):
    return p().player("P0", coins=coins).say(tracks=tracks).acting("P0", "invest")


def full(*owners):
    """Every square of `vp2` is closed."""
    return dict(zip(range(3, 11), [*owners, *["government"] * 8], strict=False))


FIVE = {"vp2": dict.fromkeys(range(3, 6), "P0"), "vp3": dict.fromkeys(range(6, 8), "P0")}


def demand(p, coins=20):
    """P1 owes a payment for a government tower; P2 has another in a field with oil."""
    game = p(players=4, options=ADVANCED, at="check").field("austin", oil=0).player("P1", coins=coins)
    game.slot("austin_slot_1", "P1", "government_tower_1").slot("pecos_slot_1", "P2", "government_tower_2")
    return game.track("vp5", {12: "P1"})


# Code, position, command: in the order of the table of section F.1.
ROWS = [
    ("EMPTY_AMOUNT", local, c.SellLocal()),
    ("INVALID_AMOUNT", local, c.SellLocal(-1, 1, 0)),
    ("NOT_ENOUGH_OIL", local, c.SellLocal(1, 1, 0)),
    ("NOT_ENOUGH_GAS", local, c.SellLocal(0, 0, 2)),
    ("EMPTY_AMOUNT", national, c.SellNational()),
    ("INVALID_AMOUNT", national, c.SellNational(2, -1)),
    ("NOT_ENOUGH_OIL", national, c.SellNational(3)),
    ("NOT_ENOUGH_GAS", lambda p: national(p, expansions=["gas_refinery_expansion_2"]), c.SellNational(1, 2)),
    ("GAS_EXPORT_NOT_ALLOWED", national, c.SellNational(1, 1)),
    ("UNKNOWN_TILE", shipped, c.ShipNationalTower("small_national_tower_3")),
    ("TOWER_NOT_OWNED", shipped, c.ShipNationalTower("small_tower_2")),
    ("NOT_A_NATIONAL_TOWER", shipped, c.ShipNationalTower("small_tower_1")),
    ("TOWER_ALREADY_USED", shipped_once, c.ShipNationalTower(OTHER_TOWER)),
    ("FIELD_ON_STRIKE", lambda p: shipped(p, strike="pecos"), c.ShipNationalTower(OTHER_TOWER)),
    ("FIELD_LACKS_CUBES", dry, c.ShipNationalTower(OTHER_TOWER)),
    ("UNKNOWN_TRACK", invest, c.BuyInvestment("vp4")),
    ("TRACK_FULL", lambda p: invest(p, vp2=full()), c.BuyInvestment("vp2")),
    ("NO_INVESTMENT_MARKER", lambda p: invest(p, **FIVE), c.BuyInvestment("vp2")),
    ("INSUFFICIENT_COINS", lambda p: invest(p, 11), c.BuyInvestment("vp5")),
    ("UNKNOWN_TRACK", invest, c.SellInvestment("vp1")),
    ("NO_SUCH_INVESTMENT", lambda p: invest(p, vp2={3: "P1"}), c.SellInvestment("vp2")),
    ("NO_PAYMENT_DEMANDED", demand, c.PayGovernmentTower("government_tower_2")),
    ("INSUFFICIENT_COINS", lambda p: demand(p, 9), c.PayGovernmentTower("government_tower_1")),
    ("NO_PAYMENT_DEMANDED", demand, c.ForfeitGovernmentTower("government_tower_2")),
]
CLAUSE_OF = {
    c.SellLocal: "OF-10.1",
    c.SellNational: "OF-11.2",
    c.ShipNationalTower: "OF-20.6",
    c.BuyInvestment: "OF-14.2",
    c.SellInvestment: "OF-14.6",
    c.PayGovernmentTower: "OF-20.10",
    c.ForfeitGovernmentTower: "OF-20.11",
}


@pytest.mark.parametrize(
    ("code", "pose", "command"),
    [
        pytest.param(*row, marks=pytest.mark.rule(CLAUSE_OF[type(row[2])]), id=f"{type(row[2]).__name__}-{row[0]}")
        for row in ROWS
    ],
)
def test_a_command_of_trade_is_refused_with_its_code_and_changes_nothing(position, code, pose, command):
    game = pose(position)
    owner, _ = game.decision
    before = len(game.log), game.legal(owner), game.decision
    refusal = game.refused(owner, command)
    assert refusal.code == code
    assert refusal.clause in CLAUSES
    assert refusal.detail
    assert (len(game.log), game.legal(owner), game.decision) == before
    game.play(owner, game.legal(owner)[0])


HERE = (
    "SellLocal", "SellNational", "ShipNationalTower", "FinishNational", "TakeFirstPlayer", "TakeSubsidy",
    "BuyInvestment", "SellInvestment", "PayGovernmentTower", "ForfeitGovernmentTower",
)  # fmt: skip


def document_codes():
    """Commands with their further codes, as the table of section F.1 lists them."""
    section = DOCUMENT.split("### F.1 Commands")[1].split("Check order:")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    return {name: re.findall(r"`([A-Z_]+)`", row[4]) for row in rows if (name := row[1].strip(" `")) in HERE}


@pytest.mark.parametrize("name", HERE)
def test_every_code_of_the_document_is_produced_and_no_other(name):
    assert [code for code, _, command in ROWS if type(command).__name__ == name] == document_codes()[name]


# Position and command to which more than one code of a row applies: the first of the row is given.
SEVERAL = [
    ("INVALID_AMOUNT", local, c.SellLocal(9, -1, 9)),
    ("INVALID_AMOUNT", local, c.SellLocal(-1, 0, 0)),
    ("INVALID_AMOUNT", local, c.SellLocal(0, 0, -1)),
    ("NOT_ENOUGH_OIL", local, c.SellLocal(0, 2, 9)),
    ("INVALID_AMOUNT", national, c.SellNational(-1, 1)),
    ("INVALID_AMOUNT", national, c.SellNational(9, -1)),
    ("NOT_ENOUGH_OIL", national, c.SellNational(3, 9)),
    ("NOT_ENOUGH_GAS", national, c.SellNational(1, 2)),
    ("TOWER_NOT_OWNED", lambda p: shipped(p, strike="pecos"), c.ShipNationalTower("small_tower_2")),
    ("NOT_A_NATIONAL_TOWER", lambda p: shipped(p, strike="pecos"), c.ShipNationalTower("small_tower_1")),
    ("UNKNOWN_TRACK", lambda p: invest(p, **FIVE), c.BuyInvestment("")),
    ("TRACK_FULL", lambda p: invest(p, 0, vp2=full(*["P0"] * 5)), c.BuyInvestment("vp2")),
    ("NO_INVESTMENT_MARKER", lambda p: invest(p, 0, **FIVE), c.BuyInvestment("vp5")),
    ("NO_PAYMENT_DEMANDED", lambda p: demand(p, 9), c.PayGovernmentTower("government_tower_9")),
]


@pytest.mark.parametrize(
    ("code", "pose", "command"), SEVERAL, ids=[f"{type(command).__name__}-{code}" for code, _, command in SEVERAL]
)
def test_the_first_code_that_applies_is_given(position, code, pose, command):
    game = pose(position)
    assert game.refused(game.decision[0], command).code == code


# -- general codes ---------------------------------------------------------------------------------------------

# A position in which the first owner of the decision can answer with the command, and one in which nobody can.
ANSWERED = [
    (local, c.SellLocal(1)),
    (national, c.SellNational(1)),
    (shipped, c.ShipNationalTower(TOWER)),
    (shipped, c.FinishNational()),
    (lambda p: p().acting("P0", "first_player"), c.TakeFirstPlayer()),
    (lambda p: p().acting("P0", "subsidy"), c.TakeSubsidy()),
    (invest, c.BuyInvestment("vp2")),
    (demand, c.PayGovernmentTower("government_tower_1")),
    (demand, c.ForfeitGovernmentTower("government_tower_1")),
]
NAMES = [type(command).__name__ for _, command in ANSWERED]


@pytest.mark.rule("OF-5.4")
@pytest.mark.parametrize(("pose", "command"), ANSWERED, ids=NAMES)
def test_only_the_seat_that_is_asked_answers(position, pose, command):
    game = pose(position)
    owner = game.decision[0]
    for other in set(game.names) - {owner}:
        assert game.refused(other, command).code == "NOT_YOUR_DECISION"
    game.play(owner, command)


@pytest.mark.rule("OF-5.4", "OF-18.5")
@pytest.mark.parametrize(("pose", "command"), ANSWERED, ids=NAMES)
def test_a_command_that_nothing_asks_for_meets_the_wrong_phase(position, pose, command):
    for game in (position(), position(at="private_selection"), position().acting("P0", "lease")):
        for seat in game.names:
            assert game.refused(seat, command).code == "WRONG_PHASE"
    scoring = position(at="final_scoring")
    assert scoring.refused("P0", command).code == "WRONG_PHASE"
    scoring.record_scores()
    assert scoring.refused("P0", command).code == "GAME_OVER"


@pytest.mark.rule("OF-14.10")
def test_a_sale_of_an_investment_is_never_somebody_elses_decision(position):
    for pose, _ in ANSWERED:
        game = pose(position)
        for seat in game.names:
            assert game.refused(seat, c.SellInvestment("vp3")).code == "NO_SUCH_INVESTMENT"


@pytest.mark.rule("OF-3.5")
def test_after_a_national_sale_the_action_has_started(position):
    assert shipped(position).refused("P0", c.PassAction()).code == "ACTION_ALREADY_STARTED"


@pytest.mark.rule("OF-20.11")
def test_a_government_payment_is_refused_by_forfeiting_only(position):
    assert demand(position).refused("P1", c.PassAction()).code == "WRONG_PHASE"
