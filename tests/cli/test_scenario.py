"""`wellhead scenario`: files are played, differences are printed with their lines, the schema is printed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parent.parent / "scenarios" / "oil_rock"
Wellhead = Callable[..., Any]


def test_the_worked_examples_pass(wellhead: Wellhead) -> None:
    ran = wellhead("scenario", "run", *sorted(EXAMPLES.glob("OR-EX-1*.yaml")))
    assert (ran.code, ran.err) == (0, "")
    assert "11 files, everything as they say" in ran.out


def test_a_difference_is_printed_with_its_line_and_fails(wellhead: Wellhead, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    text = (EXAMPLES / "OR-EX-13.yaml").read_text()
    file.write_text(text.replace("white: {barrels: {yellow: 1, green: 2", "white: {barrels: {yellow: 1, green: 3"))
    ran = wellhead("scenario", "run", file)
    assert ran.code == 1
    assert "1 of 1 files" in ran.err
    printed = " ".join(ran.out.split())
    assert "wrong.yaml:13: as many barrels of each colour as the well is deep: white barrels green" in printed
    assert "expected 3 found 2" in printed


def test_json_tells_programs_the_same(wellhead: Wellhead, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("game: oil_rock\ntitle: no cases\nspoon: 1\n")
    ran = wellhead("scenario", "run", "--json", bad, tmp_path / "missing.yaml", EXAMPLES / "OR-EX-1.yaml")
    assert ran.code == 1
    rows = json.loads(ran.out)["scenarios"]
    assert [row["passed"] for row in rows] == [False, False, True]
    assert rows[0]["bad"].startswith(f"{bad}:")
    assert "No such file" in rows[1]["bad"]


@pytest.mark.parametrize("text", ["", "- a list", "game: chess", "game: [oil_rock]", "game: 'oil_rock"])
def test_a_file_that_is_no_scenario_is_named_with_a_line(wellhead: Wellhead, tmp_path: Path, text: str) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(text)
    ran = wellhead("scenario", "run", "--json", file)
    assert ran.code == 1
    assert json.loads(ran.out)["scenarios"][0]["bad"].startswith(f"{file}:1: ")


def test_the_schema_is_one(wellhead: Wellhead) -> None:
    ran = wellhead("scenario", "schema")
    assert ran.code == 0
    schema = json.loads(ran.out)
    assert schema["$ref"] == "#/$defs/Scenario"
    assert schema["$defs"]["Scenario"]["required"] == ["game", "title", "cases"]
    ran = wellhead("scenario", "schema", "--game", "chess")
    assert ran.code == 1
    assert "no game 'chess'" in ran.err
