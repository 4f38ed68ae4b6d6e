"""Recorded games replay for ever: folded, and decided again, under the rules version that they name."""

from functools import cache
from pathlib import Path

import pytest

from tests.tools import record_corpus
from tests.tools.corpus import CORPUS, Corpus
from wellhead.v1 import log_pb2
from wellhead_rules.kernel.scores import totals
from wellhead_rules.kernel.table import Status, Table
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import read_export, verify

CORPORA = list(record_corpus.CORPORA.values())
GAMES = {corpus.ruleset.name: record_corpus.listed(corpus) for corpus in CORPORA}
ALL = [file for games in GAMES.values() for file in games]

each = pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: corpus.ruleset.name)


@cache
def replayed(file: Path) -> tuple[Table, set[str]]:
    return record_corpus.cover_of_export(file)


def records_of(file: Path) -> list[log_pb2.CommitRecord]:
    with file.open("rb") as stream:
        _, entries = read_export(stream)
        return [log_pb2.CommitRecord.FromString(entry.record) for entry in entries]


@pytest.mark.parametrize("file", ALL, ids=lambda file: file.stem)
@pytest.mark.req("R-RULES-12", "R-RULES-1", "R-PROOF-2")
def test_a_game_is_decided_again_and_folds_to_its_score(file: Path) -> None:
    report = verify(file, RULESETS)
    assert report.unproved == [], "its rules version, or its seed, is not at hand"
    records = records_of(file)
    assert report.rules_version == records[0].rules_version
    recorded = [record for record in records if record.WhichOneof("command") in ("round_award", "final_score")]
    assert (report.ended, report.scores) == (True, len(recorded))
    assert recorded[-1] == records[-1]
    table, _ = replayed(file)
    assert table.status is Status.ENDED and table.ranking == report.ranking
    card = table.ruleset.score(table.game)
    assert [(rank.seat, rank.total) for rank in card.ranking] == [(rank.seat, rank.total) for rank in report.ranking]
    assert totals(card.lines) == {rank.seat: rank.total for rank in card.ranking}


@pytest.mark.req("R-RULES-11")
def test_every_game_has_a_corpus() -> None:
    assert sorted(GAMES) == sorted(RULESETS) == sorted(folder.name for folder in CORPUS.iterdir() if folder.is_dir())


@each
@pytest.mark.req("R-RULES-11")
def test_together_they_cover_every_branch_of_the_rules(corpus: Corpus) -> None:
    covered = set().union(*(replayed(file)[1] for file in GAMES[corpus.ruleset.name]))
    assert [claim for claim in corpus.wanted() if claim not in covered] == []


@each
@pytest.mark.req("R-RULES-11")
def test_the_index_says_what_the_games_cover(corpus: Corpus) -> None:
    games = GAMES[corpus.ruleset.name]
    assert sorted(corpus.folder.glob("*.export")) == sorted(games)
    assert corpus.index.read_text("utf-8") == record_corpus.index(corpus, games)


@each
@pytest.mark.req("R-RULES-8")
def test_a_game_of_the_corpus_is_made_from_its_number_alone(corpus: Corpus) -> None:
    file = min(GAMES[corpus.ruleset.name], key=lambda file: file.stat().st_size)
    plan = record_corpus.plan_of(file)
    assert record_corpus.export(record_corpus.record(plan)) == file.read_bytes()
    assert record_corpus.cover(plan)[0] == replayed(file)[1]
