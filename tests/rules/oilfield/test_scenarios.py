"""The worked examples of the rules document, each a scenario; and what a bad file is told."""

import re
from importlib import resources
from pathlib import Path

import pytest

from tests.support import examples
from wellhead_rules.kernel.scenarios import BadScenario
from wellhead_rules.oilfield import scenarios


@pytest.mark.parametrize("file", examples.parameters("oilfield"))
def test_what_a_scenario_expects_is_what_happens(file: Path) -> None:
    assert scenarios.run(file.read_text()) == []


def test_every_worked_example_is_a_scenario() -> None:
    rules = (resources.files("wellhead_rules.oilfield") / "rules.md").read_text()
    numbered = re.findall(r"^\| (OF-EX-\d+) \|", rules, re.MULTILINE)
    assert len(numbered) == 44
    assert examples.named("oilfield") >= set(numbered)


@pytest.mark.parametrize("file", examples.files("oilfield"), ids=lambda file: file.stem)
def test_no_expected_number_could_be_another(file: Path) -> None:
    assert examples.idle_numbers(scenarios.FILES, file) == []


GIVEN = """game: oilfield
title: a lease
given:
  players: 4
  P0: {coins: 20}
  lease_market: [dallas_lease_1]
  acting: {seat: P0, action: lease, price: 7}
cases:
  - case: taken
    when:
      - {player: P0, do: TakeLease, field: dallas}
"""


def then(expected: str) -> str:
    return f"{GIVEN}    then:\n      {expected}\n"


@pytest.mark.parametrize(
    ("expected", "what", "found"),
    [
        ("P0: {coins: 14}", "P0 coins", "13"),
        ("fields: {dallas: {oil: 1}}", "fields dallas oil", "9"),
        ("slots: {dallas_slot_1: {owner: P1}}", "slots dallas_slot_1 owner", "P0"),
        ("tracks: {vp3: {6: P0}}", "tracks vp3 6", "None"),
        ("decision: null", "decision", None),
        ("facts: [{fact: LeaseTaken, seat: P1}]", "facts", None),
        ("no_facts: [{fact: ActionCompleted, action: lease}]", "facts", None),
        ("seen_by: {P1: {facts: [{fact: SubsidyTaken}]}}", "facts seen by P1", "none of the kind"),
        ("score: {P0: {vp_leases: 2}}", "score P0 vp_leases", "1"),
        ("unchanged: [P0]", "P0 coins", "13"),
        ("supervisor: P0", "supervisor", "P3"),
    ],
)
def test_what_differs_is_named_with_its_line(expected: str, what: str, found: str | None) -> None:
    difference = scenarios.run(then(expected))[0]
    assert (difference.line, difference.case, difference.what) == (13, "taken", what)
    assert found is None or difference.found == found


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (("coins: 20", "coins: many"), 5, "Expected `int`, got `str`"),
        (("coins: 20", "wood: 3"), 5, "unknown field `wood`"),
        (("coins: 20", "oil: 4"), 5, "the warehouse holds 3 cubes"),
        (("do: TakeLease", "do: TakeCastle"), 11, "Invalid value 'TakeCastle'"),
        ((", field: dallas", ""), 11, "missing required field `field`"),
        (("dallas_lease_1", "dallas_lease_9"), 6, "there is no dallas_lease_9"),
        (("price: 7", "price: 6"), 7, "no space for lease is left for P0"),
        (("seat: P0", "seat: P4"), 7, "P4 does not play"),
        (("P0: {coins", "P4: {coins"), 5, "this seat does not play"),
        (("players: 4", "players: 6"), 4, "<= 5"),
    ],
)
def test_a_bad_file_is_refused_with_line_and_reason(change: tuple[str, str], line: int, reason: str) -> None:
    with pytest.raises(BadScenario, match=re.escape(reason)) as caught:
        scenarios.run(GIVEN.replace(*change))
    assert caught.value.line == line


def test_the_schema_knows_every_command_and_every_fact() -> None:
    definitions = {name.rsplit(".", 1)[-1] for name in scenarios.schema()["$defs"]}
    assert {"TakeLease", "PayGovernmentTower", "DummyDrilled", "Expectation", "PlayerSaid"} <= definitions
    assert scenarios.schema()["$ref"].endswith("Scenario")
