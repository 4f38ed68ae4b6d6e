"""The worked examples of the rules document, each a scenario; and scenario files themselves."""

import re
from importlib import resources
from pathlib import Path

import pytest

from tests.support import examples
from wellhead_rules.kernel.scenarios import BadScenario
from wellhead_rules.oil_rock import scenarios


@pytest.mark.parametrize("file", examples.parameters("oil_rock"))
def test_what_a_scenario_expects_is_what_happens(file: Path) -> None:
    assert scenarios.run(file.read_text()) == []


def test_the_example_of_the_readme_is_one() -> None:
    readme = (examples.SCENARIOS / "README.md").read_text()
    (text,) = re.findall(r"```yaml\n(.*?)```", readme, re.DOTALL)
    assert scenarios.run(text) == []


def test_every_worked_example_is_a_scenario() -> None:
    rules = (resources.files("wellhead_rules.oil_rock") / "rules.md").read_text()
    numbered = re.findall(r"\*\*(OR-EX-\d+)\b", rules)
    assert len(numbered) == 37
    assert examples.named("oil_rock") >= set(numbered)


@pytest.mark.parametrize("file", examples.files("oil_rock"), ids=lambda file: file.stem)
def test_no_expected_number_could_be_another(file: Path) -> None:
    assert examples.idle_numbers(scenarios.FILES, file) == []


GIVEN = """game: oil_rock
title: an Office
given:
  players: 2
  turn: white
  white: {train: R05, tools: 3}
  map: {R05: {region_tile: RT_H1}}
  acting: {action: office}
cases:
  - case: built
    when:
      - {player: white, do: BuildOffice, region: R05, well: yellow}
"""


def then(expected: str) -> str:
    return f"{GIVEN}    then:\n      {expected}\n"


def refused(refusal: str, region: str = "R09") -> str:
    return GIVEN.replace("region: R05, well: yellow", f"region: {region}, well: yellow, {refusal}")


@pytest.mark.parametrize(
    ("expected", "what", "found"),
    [
        ("white: {tools: 1}", "white tools", "0"),
        ("white: {depth: {yellow: 2}}", "white depth yellow", "1"),
        ("stacks: {3: [white]}", "stacks 3", "('red',)"),
        ("map: {R05: {offices: []}}", "map R05 offices", "('white',)"),
        ("decision: {player: red}", "decision", "('white', 'turn_menu')"),
        ("decision: null", "decision", "('white', 'turn_menu')"),
        ("offers: [{do: EndTurn}]", "options", "resolve_action:AT05:patent, forgo_source:AT05"),
        ("offers_not: [{do: ForgoSource}]", "options", "resolve_action:AT05:patent, forgo_source:AT05"),
        ("offers_only: [{do: ForgoSource}]", "options", "resolve_action:AT05:patent"),
        ("facts: [{fact: DrillBuilt}]", "facts", "none of the kind"),
        ("no_facts: [{fact: ActionFinished, action: office}]", "facts", None),
        ("facts_in_order: [{fact: LevelReached}, {fact: OfficeBuilt}]", "facts", None),
        ("score: {white: {offices: 3}}", "score white offices", "4"),
        ("ranking: [red, white]", "ranking", None),
        ("unchanged: [white]", "white tools", "0"),
        ("round: 2", "round", "1"),
    ],
)
def test_what_differs_is_named_with_its_line(expected: str, what: str, found: str | None) -> None:
    difference = scenarios.run(then(expected))[0]
    assert (difference.line, difference.case, difference.what) == (14, "built", what)
    assert found is None or difference.found == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (refused(""), "NOT_PRESENT_IN_REGION (OR-OFFICE.1)"),
        (refused("refused: REGION_FULL"), "NOT_PRESENT_IN_REGION (OR-OFFICE.1)"),
        (refused("refused: NOT_PRESENT_IN_REGION, clause: OR-OFFICE.3"), "OR-OFFICE.1"),
        (refused("refused: REGION_FULL", region="R05"), "is accepted"),
    ],
)
def test_a_refusal_must_have_the_code_and_the_clause(text: str, found: str) -> None:
    (difference,) = scenarios.run(text)
    assert difference.line == 12
    assert found in difference.found


def test_a_refusal_that_is_as_expected_is_no_difference() -> None:
    assert scenarios.run(refused("refused: NOT_PRESENT_IN_REGION, clause: OR-OFFICE.1")) == []


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (("tools: 3", "tools: many"), 6, "Expected `int`, got `str`"),
        (("tools: 3", "wood: 3"), 6, "unknown field `wood`"),
        (("do: BuildOffice", "do: BuildCastle"), 12, "Invalid value 'BuildCastle'"),
        (("region: R05, well: yellow", "region: R05"), 12, "missing required field `well`"),
        (("well: yellow", "well: purple"), 12, "Invalid enum value 'purple'"),
        (("    when:", "    wen:"), 11, "unknown field `wen`"),
        (("train: R05", "train: R99"), 6, "there is no region R99"),
        (("action: office", "action: dance"), 8, "there is no Action dance"),
        (("cases:", "cases: ["), 10, "expected"),
        (("players: 2", "players: 2\n  players: 3"), 5, "stands twice"),
        (("title: an Office\n", ""), 1, "missing required field `title`"),
        (("turn: white", "turn: blue"), 5, "blue does not play"),
    ],
)
def test_a_bad_file_is_refused_with_line_and_reason(change: tuple[str, str], line: int, reason: str) -> None:
    with pytest.raises(BadScenario, match=re.escape(reason)) as caught:
        scenarios.run(GIVEN.replace(*change))
    assert caught.value.line == line


def test_the_schema_knows_every_command_and_every_fact() -> None:
    definitions = scenarios.schema()["$defs"]
    assert {"BuildOffice", "Expectation", "PlayerSaid"} <= {name.rsplit(".", 1)[-1] for name in definitions}
    assert scenarios.schema()["$ref"].endswith("Scenario")
