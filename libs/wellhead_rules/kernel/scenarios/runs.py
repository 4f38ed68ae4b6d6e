"""Scenario files of a game: read, played case by case, and compared with what they expect."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import UNSET

from wellhead_rules.kernel.ruleset import Command
from wellhead_rules.kernel.scenarios.described import PositionError, Said, merge, named
from wellhead_rules.kernel.scenarios.document import BadScenario, Difference, Document, Path
from wellhead_rules.kernel.scenarios.facts import Fact, Facts
from wellhead_rules.kernel.scenarios.positions import SPECTATOR, Position, Unexpected
from wellhead_rules.kernel.scenarios.records import Records, records
from wellhead_rules.kernel.scenarios.wording import Wording, kind_name
from wellhead_rules.kernel.scores import ScoreCard, totals
from wellhead_rules.kernel.violations import RuleViolation


def by_category(card: ScoreCard, seat: int) -> dict[str, int]:
    """A player's points by the categories of the card, without the total."""
    points: dict[str, int] = {}
    for line in card.lines:
        if line.seat == seat:
            points[line.category] = points.get(line.category, 0) + line.points
    return points


class ScenarioFiles:
    """The scenario files of a game.

    position        its positions
    wording         its commands and facts
    table           the record of what can be seen of a table
    decisions       the kinds of decision
    categories      the categories in which files speak of a score
    breakdown       a seat's points by category; the total is added
    follows         by a part of the table: what it changes with, so that who names that has named this
    """

    def __init__(
        self,
        position: type[Position],
        wording: Wording,
        table: type[Said],
        *,
        decisions: Sequence[str],
        categories: Sequence[str],
        breakdown: Callable[[ScoreCard, int], Mapping[str, int]] = by_category,
        follows: Mapping[str, str] | None = None,
    ) -> None:
        self.position = position
        self.wording = wording
        self.table = table
        self.decisions = tuple(decisions)
        self.categories = tuple(categories)
        self.breakdown = breakdown
        self.follows = follows or {}

    @cached_property
    def records(self) -> Records:
        """The records of a file; made when the first is read, as there are many."""
        return records(self.position.posing, self.wording, self.table, self.decisions, self.categories)

    def schema(self) -> dict[str, Any]:
        """The JSON schema of a scenario file."""
        return msgspec.json.schema(self.records.scenario)

    def load(self, text: str) -> tuple[Any, Document]:
        """A scenario and the document it stands in; BadScenario with line and reason."""
        document = Document(text)
        return document.convert(self.records.scenario), document

    def run(self, text: str) -> list[Difference]:
        """Plays every case of a file; everything that differs from what it expects."""
        scenario, document = self.load(text)
        return [
            difference
            for index, case in enumerate(scenario.cases)
            for difference in _Run(self, document, index, case).differences()
        ]


class _Run:
    """One case being played."""

    def __init__(self, files: ScenarioFiles, document: Document, index: int, case: Any) -> None:
        self._files = files
        self._wording = files.wording
        self._document = document
        self._case = case
        self._path: Path = ("cases", index)
        data = document.data
        given = merge(data.get("given") or {}, data["cases"][index].get("given") or {})
        try:
            self._game = files.position(**given)
            self._game.open()
        except PositionError as error:
            raise self._impossible(error) from None
        self._facts = self._game.opening + self._game.record_scores()

    def differences(self) -> Iterator[Difference]:
        """Plays and compares."""
        if self._case.first:
            yield from self._check(self._case.first, (*self._path, "first"), self._facts)
        for number, step in enumerate(self._case.when):
            yield from self._take(step, (*self._path, "when", number))
        if self._case.then:
            yield from self._check(self._case.then, (*self._path, "then"), self._facts)

    def _impossible(self, error: PositionError) -> BadScenario:
        return BadScenario(self._given_line(error.path), f"{self._case.case}: {error}")

    def _given_line(self, path: Path) -> int:
        for place in ((*self._path, "given"), ("given",)):
            if self._document.has((*place, *path)) or (path and self._document.has((*place, path[0]))):
                return self._document.line((*place, *path))
        return self._document.line((*self._path, "given"))

    def _differs(self, path: Path, what: str, expected: object, found: object) -> Difference:
        return Difference(self._document.line(path), self._case.case, what, str(expected), str(found))

    def _playing(self, name: str, path: Path) -> str:
        """The name, if it is that of a player of this game."""
        if name not in self._game.names:
            raise BadScenario(self._document.line(path), f"{name} does not play")
        return name

    # -- commands ----------------------------------------------------------------------------------------------

    def _take(self, step: Any, path: Path) -> Iterator[Difference]:
        command = self._wording.command(step)
        what = f"{self._playing(step.player, (*path, 'player'))} {kind_name(step)}"
        facts = Facts((), self._game.names)
        wanted = f"refused with {step.refused}" if step.refused else "accepted"
        try:
            if step.refused:
                refusal = self._game.refused(step.player, command, step.decision_id or None)
                yield from self._refusal(step, refusal, path, what)
            else:
                facts = self._play(step, command, path)
                facts = facts + self._game.record_scores()
        except Unexpected as unexpected:
            yield self._differs(path, what, wanted, unexpected)
        self._facts = self._facts + facts
        if step.then:
            yield from self._check(step.then, (*path, "then"), facts)

    def _play(self, step: Any, command: Command, path: Path) -> Facts:
        """The command is carried out with the draws that the step wants, every one of them."""
        if step.draws:
            self._game.drawing(*step.draws)
        try:
            facts = self._game.play(step.player, command)
        except PositionError as error:
            if not step.draws:
                raise self._impossible(error) from None
            raise BadScenario(self._document.line((*path, "draws")), f"{self._case.case}: {error}") from None
        if step.draws and self._game.undrawn:
            left = ", ".join(map(str, self._game.undrawn))
            raise BadScenario(self._document.line((*path, "draws")), f"{self._case.case}: {left} is not drawn")
        return facts

    def _refusal(self, step: Any, refusal: RuleViolation, path: Path, what: str) -> Iterator[Difference]:
        if refusal.code != step.refused:
            yield self._differs((*path, "refused"), what, f"refused with {step.refused}", refusal)
        elif step.clause and refusal.clause != step.clause:
            yield self._differs((*path, "clause"), what, step.clause, refusal.clause)

    # -- expectations ------------------------------------------------------------------------------------------

    def _check(self, expected: Any, path: Path, facts: Facts) -> Iterator[Difference]:
        yield from self._check_decisions(expected, path)
        yield from self._check_options(expected, path)
        yield from self._check_facts(expected, path, facts, "facts")
        for viewer, said in (expected.seen_by or {}).items():
            place = (*path, "seen_by", viewer)
            known = viewer if viewer == SPECTATOR else self._playing(viewer, place)
            yield from self._check_facts(said, place, self._game.shown(known, facts), f"facts seen by {viewer}")
        yield from self._check_score(expected, path)
        table = {name: value for name, value in named(expected).items() if name in self._files.records.table}
        seen = named(self._game.seen)
        for leaf, wanted, found in _unequal(table, seen, ()):
            yield self._differs((*path, *leaf), " ".join(map(str, leaf)), wanted, found)
        yield from self._check_unchanged(expected, path, table, seen)

    def _check_decisions(self, expected: Any, path: Path) -> Iterator[Difference]:
        owed = self._game.decisions
        said = expected.decision
        if said is not UNSET:
            fits = not owed if said is None else any(
                said.player in (UNSET, owner) and said.kind in (UNSET, kind) for owner, kind in owed
            )  # fmt: skip
            if not fits:
                found = ", ".join(map(str, owed)) or None
                yield self._differs((*path, "decision"), "decision", named(said), found)
        owners = sorted(owner for owner, _ in owed)
        if expected.owed is not UNSET and sorted(expected.owed) != owners:
            yield self._differs((*path, "owed"), "owed", ", ".join(expected.owed) or "nobody", ", ".join(owners))

    def _check_options(self, expected: Any, path: Path) -> Iterator[Difference]:
        owners = dict.fromkeys(owner for owner, _ in self._game.decisions)
        for name in ("offers", "offers_only", "offers_not"):
            said = getattr(expected, name) or ()
            for index, one in enumerate(said):
                place = (*path, name, index)
                options = self._options([self._playing(one.player, place)] if one.player else owners)
                pattern = self._wording.command_pattern(one)
                is_offered = any(pattern.fits(option, self._game.names) for _, option in options)
                if is_offered == (name == "offers_not"):
                    wanted = f"no {_words(one)}" if is_offered else _words(one)
                    yield self._differs(place, "options", wanted, self._ids(options))
        if expected.offers_only is not UNSET:
            yield from self._check_only(expected.offers_only, (*path, "offers_only"), owners)

    def _check_only(self, said: Sequence[Any], path: Path, owners: Iterable[str]) -> Iterator[Difference]:
        """Those of whom options are named have no others."""
        whose = {name for one in said for name in ([one.player] if one.player else owners)} or owners
        patterns = [(one.player, self._wording.command_pattern(one)) for one in said]
        more = [
            (name, option)
            for name, option in self._options(whose)
            if not any(
                player in (UNSET, name) and pattern.fits(option, self._game.names) for player, pattern in patterns
            )
        ]
        if more:
            yield self._differs(path, "options", "no other options", self._ids(more))

    def _options(self, names: Iterable[str]) -> list[tuple[str, Command]]:
        """Everything that these players may do now, with the player."""
        return [(name, option) for name in names for option in self._game.legal(name)]

    def _ids(self, options: Iterable[tuple[str, Command]]) -> str:
        return ", ".join(dict.fromkeys(self._game.posing.ruleset.option_id(option) for _, option in options))

    def _check_facts(self, expected: Any, path: Path, facts: Facts, what: str) -> Iterator[Difference]:
        pattern = self._wording.fact_pattern
        for index, said in enumerate(expected.facts or ()):
            if not facts.has(pattern(said)):
                yield self._differs((*path, "facts", index), what, _words(said), _of_the_kinds(facts, pattern(said)))
        for index, said in enumerate(expected.no_facts or ()):
            if facts.has(pattern(said)):
                found = _of_the_kinds(facts, pattern(said))
                yield self._differs((*path, "no_facts", index), what, f"no {_words(said)}", found)
        wanted = expected.facts_in_order or ()
        patterns = [pattern(said) for said in wanted]
        missing = facts.first_missing(*patterns)
        if missing is not None:
            place = (*path, "facts_in_order", missing)
            expects = f"{_words(wanted[missing])} after those before it"
            yield self._differs(place, what, expects, _of_the_kinds(facts, *patterns))

    def _check_score(self, expected: Any, path: Path) -> Iterator[Difference]:
        if expected.score is UNSET and expected.ranking is UNSET:
            return
        card = self._game.score
        names = self._game.names
        for name, said in (expected.score or {}).items():
            seat = names.index(self._playing(name, (*path, "score", name)))
            points = {**dict.fromkeys(self._files.categories, 0), **self._files.breakdown(card, seat)}
            found = {**points, "total": totals(card.lines).get(seat, 0)}
            for leaf, wanted, number in _unequal(named(said), found, (name,)):
                yield self._differs((*path, "score", *leaf), f"score {' '.join(map(str, leaf))}", wanted, number)
        ranking = tuple(names[rank.seat] for rank in card.ranking)
        if expected.ranking and ranking != expected.ranking:
            yield self._differs((*path, "ranking"), "ranking", expected.ranking, ranking)

    def _check_unchanged(
        self, expected: Any, path: Path, table: Mapping[str, Any], seen: Mapping[str, Any]
    ) -> Iterator[Difference]:
        before = named(self._game.posed)
        for index, name in enumerate(expected.unchanged or ()):
            place = (*path, "unchanged", index)
            if name not in seen:
                raise BadScenario(self._document.line(place), f"there is no {name} on this table")
            for leaf, was, found in _unequal(before[name], seen[name], (name,)):
                if not self._covers(table, leaf):
                    yield self._differs(place, " ".join(map(str, leaf)), f"{was} as given", found)

    def _covers(self, table: Mapping[str, Any], leaf: Path) -> bool:
        """The expectation names the leaf, or what it follows from."""
        said: Any = table
        for step in leaf:
            if not isinstance(said, Mapping):
                return True
            if step not in said:
                return self._files.follows.get(str(step)) in said
            said = said[step]
        return True


def _unequal(wanted: Any, found: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    """The leaves in which what is found differs from what is wanted; what is not wanted is not looked at."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        for key, value in wanted.items():
            yield from _unequal(value, found.get(key), (*path, key))
    elif _plain(wanted) != _plain(found):
        yield path, wanted, found


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, Mapping) else value


def _words(said: Any) -> str:
    fields = ", ".join(f"{name}: {value}" for name, value in named(said).items() if name not in ("do", "fact"))
    return f"{kind_name(said)}{{{fields}}}"


def _of_the_kinds(facts: Facts, *wanted: Fact) -> str:
    kinds = {one.kind for one in wanted}
    return "; ".join(str(event) for event in facts if type(event) in kinds) or "none of the kind"
