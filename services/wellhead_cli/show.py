"""`wellhead audit show`: an export as people read it, one line a command, and the score with its clauses."""

from collections.abc import Iterator
from pathlib import Path

from rich.table import Table as Sheet

from wellhead.v1 import log_pb2
from wellhead_cli.console import Failure, out, total, words
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.scores import ScoreCard
from wellhead_rules.kernel.table import Table
from wellhead_rules.kernel.violations import CorruptRecord
from wellhead_rules.registry import RULESETS
from wellhead_runtime import notation, viewing
from wellhead_runtime.proof import Fault, read_export


def run(file: Path, facts: bool) -> None:
    """Prints a game; Failure if the file is not an export. It shows and does not prove: `audit verify` does."""
    try:
        with file.open("rb") as content:
            manifest, entries = read_export(content)
            table = Table(manifest.game_id)
            for line in _lines(table, entries, facts):
                out.print(line, markup=False, soft_wrap=True)
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}") from error
    except (Fault, CorruptRecord) as error:
        raise Failure(f"{file}: {error}") from error
    if table.started:
        out.print()
        out.print(breakdown(table))


def _lines(table: Table, entries: Iterator[log_pb2.ExportEntry], facts: bool) -> Iterator[str]:
    for stored in entries:
        record, private = commits.decode(stored.record, stored.private_record)
        # The file holds what its reader may see: the sender's own words, unless they have been left out of it.
        command = notation.command(table, record, private, commits.asked_of(record)[0])
        events = commits.fold(table, record, private, RULESETS)
        yield f"{record.revision:>5}  {notation.actor(table, record.actor):<8} {command}"
        if facts:
            for fact in notation.facts(table, record, events, None):
                yield f"{'':>15}- {fact}"


def breakdown(table: Table) -> Sheet:
    """The score, a row a line: who, what for, which clause, how many; totals below."""
    card: ScoreCard = table.ruleset.score(table.game)
    colours = viewing.colours(table)
    sheet = Sheet(title="Final score" if table.ranking else "Score if the game ended now", title_justify="left")
    for column in ("player", "points for", "clause"):
        sheet.add_column(column)
    sheet.add_column("points", justify="right")
    for rank in table.ranking or card.ranking:
        for line in card.lines:
            if line.seat == rank.seat and line.points:
                what = words(line.category) + (f" ({line.source_id})" if line.source_id else "")
                sheet.add_row(colours[line.seat], what, line.clause, str(line.points))
        sheet.add_row(colours[rank.seat], "total", "", total(rank), style="bold", end_section=True)
    return sheet
