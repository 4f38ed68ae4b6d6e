"""Clause ids of the games' rules documents, and which tests name them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LISTS = ROOT / "tests" / "rules" / "clauses"
WHERE = ("tests/rules", "tests/scenarios")
"""Where tests of clauses are looked for, as far as it exists."""

_ID = r"[A-Z]{2,}-(?:[A-Z]+(?:\.[A-Z]+)*[.-]|\d+\.)\d+"
_EXAMPLE = r"[A-Z]{2,}-EX-\d+"
_DEFINED = re.compile(rf"^(?:(?:- )?\*\*({_ID})(?:\*\*| \w)|\| ({_EXAMPLE}) \|)", re.MULTILINE)
"""A clause or an example in bold at the beginning of a line, or an example in the first column of a table."""
_NAMED = re.compile(rf"(?<![\w-]){_ID}(?![\w-])")


def games() -> list[str]:
    """The games whose clauses are kept here, by the name of their rules package."""
    return sorted(file.stem for file in LISTS.glob("*.txt"))


def kept(game: str) -> list[str]:
    """The ids of a game as they are kept beside the tests."""
    return (LISTS / f"{game}.txt").read_text("utf-8").split()


def defined(game: str) -> list[str]:
    """The ids that a game's shipped rules document defines, clauses and worked examples, in its order."""
    text = files(f"wellhead_rules.{game}").joinpath("rules.md").read_text("utf-8")
    return list(dict.fromkeys(bold or listed for bold, listed in _DEFINED.findall(text)))


def chapter(clause: str) -> str:
    """What a clause belongs to: its id without the number."""
    return re.sub(r"[.-]\d+$", "", clause)


class _Collected:
    """A plugin of pytest that remembers the tests it is shown."""

    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = defaultdict(list)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for clause in sorted(_named(item)):
                self.tests[clause].append(item.nodeid)


def _named(item: pytest.Item) -> set[str]:
    """Clauses in the markers of a test, those of its parameters included, and clauses that are its parameters."""
    marked = {str(clause) for mark in item.iter_markers("rule") for clause in mark.args}
    parameters = getattr(item, "callspec", None)
    return marked | (set(_NAMED.findall(parameters.id)) if parameters is not None else set())


def tests_by_clause(where: Iterable[str] = WHERE) -> Mapping[str, list[str]]:
    """The node ids of the tests that name each clause; collected, not run. SystemExit if something cannot be."""
    collected = _Collected()
    places = [str(ROOT / place) for place in where if (ROOT / place).exists()]
    options = ["--collect-only", "--quiet", "--quiet", "--no-header", "--no-summary", "-p", "no:randomly"]
    outcome = pytest.main([*options, f"--rootdir={ROOT}", f"--confcutdir={ROOT}", *places], plugins=[collected])
    if outcome not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"the tests cannot be collected ({outcome!r})")
    return collected.tests
