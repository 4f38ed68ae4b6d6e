"""Where words go: results to standard output, everything else to standard error; and what rows of a score look like."""

from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter
from itertools import pairwise

from rich.console import Console
from rich.table import Column, Table

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.scores import Rank

out = Console(highlight=False, soft_wrap=False)
err = Console(stderr=True, highlight=False)


class Failure(Exception):
    """The command could not do what it should: one line for the user, exit code 1."""


def whole(header: str) -> Column:
    """A column of what people copy: never cut, whatever room is left for the others."""
    return Column(header, no_wrap=True, overflow="ignore")


def foldable(header: str) -> Column:
    """A column of words without spaces, as paths are: folded, not cut."""
    return Column(header, overflow="fold")


def score_table(card: game_pb2.ScoreCard, names: Sequence[str], title: str) -> Table:
    """The itemised score: a row a category, a column a seat in the order of the ranking, totals at the foot."""
    ranking = list(card.ranking)
    table = Table(title=title, show_footer=True)
    table.add_column("", footer="total")
    for rank in ranking:
        table.add_column(names[rank.seat], footer=total(rank), justify="right")
    for category in _in_order(card):
        own = [line for line in card.lines if line.category == category]
        cells = (sum(line.points for line in own if line.seat == rank.seat) for rank in ranking)
        table.add_row(words(category), *(str(points) if points else "·" for points in cells))
    return table


def _in_order(card: game_pb2.ScoreCard) -> Iterable[str]:
    """The categories of all seats, in the order that every seat's lines have: a seat may lack some."""
    order: TopologicalSorter[str] = TopologicalSorter()
    for rank in card.ranking:
        own = dict.fromkeys(line.category for line in card.lines if line.seat == rank.seat)
        for earlier, later in pairwise(own):
            order.add(later, earlier)
    return order.static_order()


def total(rank: game_pb2.RankedSeat | Rank) -> str:
    """A total, with a word where the place is shared with the seat before."""
    return f"{rank.total} (shared)" if rank.shared else str(rank.total)


def words(identifier: str) -> str:
    """An identifier of the rules as people write it."""
    return identifier.replace("_", " ")


def listed(names: Iterable[str]) -> str:
    """`a, b and c`."""
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last
