"""A game told round by round: what is told when, for games with awards and for those without."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct
from rich.console import Console

from tests.support.recording import open_game, play
from wellhead.v1 import query_service_pb2
from wellhead_cli.demo import round_table
from wellhead_cli.narration import Narrator, Round, in_words
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.ruleset import Deed
from wellhead_rules.registry import RULESETS


class Fact(Struct, frozen=True):
    """A fact of a game that is nothing but what is told of it."""

    begun: int | None = None
    over: int | None = None
    deed: Deed | None = None


class Told:
    """A ruleset of such facts; `changes` holds those of every commit by its revision."""

    def __init__(self, *commits: list[Fact]) -> None:
        self.commits = commits

    def events_from_proto(self, revision: Any) -> list[Fact]:
        commit: list[Fact] = self.commits[revision.number - 1]
        return commit

    def round_begun(self, fact: Fact) -> int | None:
        return fact.begun

    def round_over(self, fact: Fact) -> int | None:
        return fact.over

    def deed(self, fact: Fact) -> Deed | None:
        return fact.deed


class Commit(Struct):
    """The events of a commit, in place of their message."""

    number: int

    def WhichOneof(self, name: str) -> str:
        return name


class Change(Struct):
    """A change, as far as a narrator looks."""

    events: Commit
    revision: int


def tell(*commits: list[Fact]) -> list[tuple[int, int, list[str]]]:
    """Number, revision and words of every round, as it is told."""
    ruleset: Any = Told(*commits)
    narrator = Narrator(ruleset, 2)

    def told() -> Iterator[Round]:
        for number in range(1, len(commits) + 1):
            change: Any = Change(Commit(number), number)
            yield from narrator.tell(change)
        yield from narrator.rest(len(commits))

    return [(each.number, each.revision, [in_words(deeds) for deeds in each.deeds]) for each in told()]


def sold(seat: int, count: int = 1) -> Fact:
    return Fact(deed=Deed(seat, "sold", "barrel", "barrels", count))


def test_a_round_is_over_when_the_next_begins() -> None:
    assert tell([Fact(begun=1)], [sold(0, 3), sold(0), Fact(begun=2, over=1), sold(1)], [Fact(over=2)]) == [
        (1, 2, ["sold 4 barrels", ""]),
        (2, 3, ["", "sold 1 barrel"]),
    ]


def test_an_award_belongs_to_its_round_though_play_is_further() -> None:
    scored = Fact(deed=Deed(1, "scored", "point", "points", 5))
    assert tell([Fact(begun=1), sold(0)], [Fact(begun=2), sold(0, 2)], [scored, Fact(over=1)], [sold(1)]) == [
        (1, 3, ["sold 1 barrel", "scored 5 points"]),
        (2, 4, ["sold 2 barrels", "sold 1 barrel"]),
    ]


def test_the_last_round_may_end_with_the_game() -> None:
    assert tell([sold(0), Fact(begun=1)], [sold(1)]) == [(1, 2, ["", "sold 1 barrel"])]
    assert tell([sold(0), Fact(over=0)]) == []


def test_things_done_are_listed_by_what_was_done() -> None:
    drill, office = Deed(0, "built", "drill", "drills", 2), Deed(0, "built", "Office", "Offices")
    (told,) = tell([Fact(begun=1), Fact(deed=drill), sold(0, 2), Fact(deed=office)])
    assert told[2][0] == "built 2 drills and 1 Office; sold 2 barrels"


@pytest.mark.parametrize("game", RULESETS)
def test_every_round_of_a_recorded_game_is_told_once(game: str) -> None:
    recording = open_game(2, game)
    play(recording)
    narrator = Narrator(RULESETS[game], 2)
    told: list[Round] = []
    for entry in recording.entries:
        record, _ = commits.decode(entry.public, b"")
        told += narrator.tell(query_service_pb2.GameChange(revision=entry.revision, events=record.events))
    told += narrator.rest(len(recording.entries))
    assert len(told) >= 2
    assert [each.number for each in told] == list(range(1, len(told) + 1))
    assert [each.revision for each in told] == sorted(each.revision for each in told)
    assert all(any(in_words(each.deeds[seat]) for each in told) for seat in range(2))


def test_rounds_stand_under_each_other_as_one_table() -> None:
    console = Console(width=80)
    before, points, names = {0: 0, 1: 0}, {0: -12, 1: 1234}, ("Ada", "Basil (greedy)")
    starts = set()
    for number in (1, 38):
        told = Round(number, [Counter({("sold", "barrel", "barrels"): 2}), Counter({("sold", "barrel", "barrels"): 1})])
        with console.capture() as printed:
            console.print(round_table(told, names, before, points))
        first, second = printed.get().splitlines()
        assert first.split() == ["Round", str(number), "Ada", "-12", "-12", "sold", "2", "barrels"]
        assert second.split() == ["Basil", "(greedy)", "1,234", "+1,234", "sold", "1", "barrel"]
        starts |= {first.index("sold"), second.index("sold")}
    assert len(starts) == 1


def test_who_did_and_gained_nothing_has_no_line() -> None:
    done = Counter({("sold", "barrel", "barrels"): 2})
    assert lines(Round(3, [Counter(), done]), {0: 5, 1: 5}, {0: 5, 1: 5}) == ["Round 3 Basil 5 · sold 2 barrels"]
    assert lines(Round(3, [Counter(), Counter()]), {0: 5, 1: 5}, {0: 4, 1: 5}) == ["Round 3 Ada 4 -1"]
    assert lines(Round(3, [Counter(), Counter()]), {0: 5, 1: 5}, {0: 5, 1: 5}) == ["Round 3 ·"]


def lines(told: Round, before: dict[int, int], points: dict[int, int]) -> list[str]:
    console = Console(width=80)
    with console.capture() as printed:
        console.print(round_table(told, ("Ada", "Basil"), before, points))
    return [" ".join(line.split()) for line in printed.get().splitlines()]
