"""Scores in words that fit any game."""

from collections.abc import Iterable

from msgspec import Struct


class ScoreLine(Struct, frozen=True):
    """Points of one seat: category in the rulebook's words, clause that grants them, what scores if anything."""

    seat: int
    category: str
    points: int
    clause: str
    source_id: str = ""


class Rank(Struct, frozen=True):
    """A seat with its total; `shared` if it shares the place of the seat before it."""

    seat: int
    total: int
    shared: bool = False


class ScoreCard(Struct, frozen=True):
    """An itemised score. For every seat the points of its lines add up to its total (R-SCORE-3)."""

    lines: tuple[ScoreLine, ...]
    ranking: tuple[Rank, ...]
    """The leader first; ties are broken by the game's own rules."""


def totals(lines: Iterable[ScoreLine]) -> dict[int, int]:
    """The total of every seat that has a line."""
    result: dict[int, int] = {}
    for line in lines:
        result[line.seat] = result.get(line.seat, 0) + line.points
    return result
