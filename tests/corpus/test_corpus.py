"""Recorded games replay for ever: folded, and decided again, under the rules version that they name."""

from functools import cache
from pathlib import Path

import pytest

from tests.tools import record_corpus
from tests.tools.corpus_cover import wanted
from wellhead.v1 import log_pb2
from wellhead_rules.kernel.scores import totals
from wellhead_rules.kernel.table import Status, Table
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import read_export, verify

GAMES = record_corpus.listed()


@cache
def replayed(file: Path) -> tuple[Table, set[str]]:
    return record_corpus.cover_of_export(file)


def version_of(file: Path) -> str:
    with file.open("rb") as stream:
        _, entries = read_export(stream)
        return log_pb2.CommitRecord.FromString(next(entries).record).rules_version


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
@pytest.mark.req("R-RULES-12", "R-RULES-1", "R-PROOF-2")
def test_a_game_is_decided_again_and_folds_to_its_score(file: Path) -> None:
    report = verify(file, RULESETS)
    assert report.unproved == [], "its rules version, or its seed, is not at hand"
    assert report.rules_version == version_of(file)
    assert (report.ended, report.scores) == (True, 5)
    table, _ = replayed(file)
    assert table.status is Status.ENDED and table.ranking == report.ranking
    card = table.ruleset.score(table.game)
    assert [(rank.seat, rank.total) for rank in card.ranking] == [(rank.seat, rank.total) for rank in report.ranking]
    assert totals(card.lines) == {rank.seat: rank.total for rank in card.ranking}


@pytest.mark.req("R-RULES-11")
def test_together_they_cover_every_branch_of_the_rules() -> None:
    covered = set().union(*(replayed(file)[1] for file in GAMES))
    assert [claim for claim in wanted() if claim not in covered] == []


@pytest.mark.req("R-RULES-11")
def test_the_index_says_what_the_games_cover() -> None:
    assert sorted(record_corpus.FOLDER.glob("*.export")) == sorted(GAMES)
    assert record_corpus.INDEX.read_text("utf-8") == record_corpus.index(GAMES)


@pytest.mark.req("R-RULES-8")
def test_a_game_of_the_corpus_is_made_from_its_number_alone() -> None:
    file = min(GAMES, key=lambda file: file.stat().st_size)
    plan = record_corpus.Plan(int(file.stem.rpartition("-")[2]))
    assert record_corpus.export(record_corpus.record(plan)) == file.read_bytes()
