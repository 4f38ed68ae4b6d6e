"""The tools that watch over the tests of the rules do what they say."""

from pathlib import Path

import msgspec
import pytest

from tests.tools import clauses, rules_coverage, rules_mutation
from tests.tools.rules_mutation import Mutant
from wellhead_rules.registry import RULESETS

AT_LEAST = 20
"""Mutants, over all chapters of a game."""


@pytest.mark.parametrize("game", clauses.games())
def test_the_kept_list_of_clauses_is_that_of_the_shipped_rules(game: str) -> None:
    assert clauses.kept(game) == clauses.defined(game), "run `python -m tests.tools.rules_coverage --update`"


@pytest.mark.parametrize("game", clauses.games())
def test_every_chapter_is_read_without_a_gap(game: str) -> None:
    numbers: dict[str, list[int]] = {}
    for clause in clauses.defined(game):
        numbers.setdefault(clauses.chapter(clause), []).append(int(clause[len(clauses.chapter(clause)) + 1 :]))
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values()), numbers


@pytest.mark.parametrize("game", clauses.games())
def test_a_missing_clause_is_reported_and_fails(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, *others = clauses.kept(game)
    assert not rules_coverage.report(game, {clause: ["a test"] for clause in others})
    told = capsys.readouterr().out
    assert first in told and f"{game}: {len(others)}/{len(others) + 1}" in told
    assert rules_coverage.report(game, {clause: ["a test"] for clause in (first, *others)})


@pytest.mark.parametrize("game", clauses.games())
def test_a_misspelt_clause_is_reported(game: str) -> None:
    first, *_, last = clauses.kept(game)
    wrong = [first + "9999", last + "9999"]
    assert rules_coverage.strangers({clause: ["a test"] for clause in (first, last, *wrong)}) == sorted(wrong)


def test_clauses_and_examples_of_every_form_are_read() -> None:
    assert {"OR-GEN.1", "OR-CHAR.DRAKE.1", "OR-EX-1"} <= set(clauses.defined("oil_rock"))
    found = clauses.defined("oilfield")
    assert (found[0], found[-1]) == ("OF-1.1", "OF-EX-44")
    assert not [each for each in found if each.startswith(("OF-R-", "OF-D-"))], "rulings and decisions are no clauses"


def test_every_game_has_its_clauses_and_its_mutants() -> None:
    assert clauses.games() == sorted(RULESETS) == list(rules_mutation.declared())


def test_every_mutant_fits_the_rules_and_names_a_clause() -> None:
    for game, mutants in rules_mutation.declared().items():
        assert len(mutants) >= AT_LEAST
        assert [mutant for mutant in mutants if not rules_mutation.fits(mutant, game)] == []
        assert {mutant.clause for mutant in mutants} <= set(clauses.kept(game))


def test_tests_run_against_the_copy_and_a_mutant_that_changes_nothing_survives(tmp_path: Path) -> None:
    test = tmp_path / "test_probe.py"
    test.write_text("from wellhead_rules.oil_rock import goods\ndef test_it(): assert goods.barrel(1) == 4\n")
    mutant = Mutant("OR-GEN.4", "goods.py", "return PATENTS + colour", "return PATENTS - colour")
    harmless = msgspec.structs.replace(mutant, after="return colour + PATENTS")
    assert rules_mutation.examine(mutant, "oil_rock", [str(test)])[0] is False
    assert rules_mutation.examine(harmless, "oil_rock", [str(test)])[0] is True
    assert rules_mutation.examine(mutant, "oil_rock", [])[0] is True
