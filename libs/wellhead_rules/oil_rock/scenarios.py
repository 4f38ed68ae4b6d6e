"""Scenarios of Oil Rock: a position, commands, and what must follow, in the identifiers of the rules document.

    game: oil_rock
    title: An Office goes to the most valuable slot
    clauses: [OR-OFFICE.8]
    given:
      players: 2
      white: {train: R05, tools: 3}
      acting: {action: office}
    cases:
      - case: the free slot is worth 4
        when:
          - {player: white, do: BuildOffice, region: R05, well: yellow}
        then:
          white: {tools: 0}
          facts:
            - {fact: OfficeBuilt, player: white, region: R05, slot_vp: 4}

What is given for a case is added to what is given for all. Scores that become due are recorded, as the scoring service
would, as soon as a step is done.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from wellhead_rules.kernel.scenarios import BadScenario, Difference, Document, Path
from wellhead_rules.kernel.scores import ScoreCard, totals
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import rendering, wording
from wellhead_rules.oil_rock.described import Description, PlayerName, PositionError, Said, Table, colours, named
from wellhead_rules.oil_rock.facts import Facts
from wellhead_rules.oil_rock.positions import Position, Unexpected, merge
from wellhead_rules.oil_rock.vocabulary import ScoreCategory

Everything = Literal["everything"]
DecisionName = Literal[wording.DECISION_KINDS]  # type: ignore[valid-type]
CommandPattern: Any = wording.command_union(Said, whole=False)
FactPattern: Any = wording.fact_union(Said)


class DecisionSaid(Said, frozen=True, kw_only=True):
    """The open decision."""

    player: PlayerName | UnsetType = UNSET
    kind: DecisionName | UnsetType = UNSET


class ScoreSaid(Said, frozen=True, kw_only=True):
    """A player's final breakdown (section G.3)."""

    in_play: int | UnsetType = UNSET
    depth: int | UnsetType = UNSET
    modern_refineries: int | UnsetType = UNSET
    offices: int | UnsetType = UNSET
    progress: int | UnsetType = UNSET
    structures: int | UnsetType = UNSET
    patents: int | UnsetType = UNSET
    resources: int | UnsetType = UNSET
    total: int | UnsetType = UNSET


class Expectation(Table, frozen=True, kw_only=True):
    """What must hold: the table, the open decision and its options, the facts recorded, the score.

    `facts` may be recorded in any order, `facts_in_order` one after another with others between, `no_facts` not at
    all. `offers` and `offers_not` name options of the open decision, `offers_only` all of them; a field left out
    stands for any value. `unchanged` names parts of the table in which only what this expectation names may differ
    from the position as given.
    """

    decision: DecisionSaid | UnsetType | None = UNSET
    offers: tuple[CommandPattern, ...] | UnsetType = UNSET
    offers_only: tuple[CommandPattern, ...] | UnsetType = UNSET
    offers_not: tuple[CommandPattern, ...] | UnsetType = UNSET
    facts: tuple[FactPattern, ...] | UnsetType = UNSET
    facts_in_order: tuple[FactPattern, ...] | UnsetType = UNSET
    no_facts: tuple[FactPattern, ...] | UnsetType = UNSET
    score: dict[PlayerName, ScoreSaid] | UnsetType = UNSET
    ranking: tuple[PlayerName, ...] | UnsetType = UNSET
    unchanged: tuple[str, ...] | UnsetType = UNSET


class StepBase(Said, frozen=True, kw_only=True):
    """A command of a player: accepted, or refused with a code and, if it is said, a clause; then what must hold."""

    player: PlayerName
    decision_id: int | UnsetType = UNSET
    refused: str | UnsetType = UNSET
    clause: str | UnsetType = UNSET
    then: Expectation | UnsetType = UNSET


Step: Any = wording.command_union(StepBase, whole=True)


class Case(Said, frozen=True, kw_only=True):
    """A position, what must hold `first`, commands, and what must hold after them."""

    case: str
    given: Description | UnsetType = UNSET
    first: Expectation | UnsetType = UNSET
    when: tuple[Step, ...] = ()
    then: Expectation | UnsetType = UNSET


class Scenario(Said, frozen=True, kw_only=True):
    """A file: what is given for every case, and the cases."""

    game: Literal["oil_rock"]
    title: str
    cases: tuple[Case, ...]
    example: str | UnsetType = UNSET
    clauses: tuple[str, ...] = ()
    given: Description | UnsetType = UNSET


def schema() -> dict[str, Any]:
    """The JSON schema of a scenario file."""
    return msgspec.json.schema(Scenario)


def load(text: str) -> tuple[Scenario, Document]:
    """A scenario and the document it stands in; BadScenario with line and reason."""
    document = Document(text)
    return document.convert(Scenario), document


def run(text: str) -> list[Difference]:
    """Plays every case of a file; everything that differs from what it expects."""
    scenario, document = load(text)
    return [
        difference
        for index, case in enumerate(scenario.cases)
        for difference in _Run(document, index, case).differences()
    ]


class _Run:
    """One case being played."""

    def __init__(self, document: Document, index: int, case: Case) -> None:
        self._document = document
        self._case = case
        self._path: Path = ("cases", index)
        data = document.data
        given = merge(data.get("given") or {}, data["cases"][index].get("given") or {})
        try:
            self._game = Position(**given)
            self._game.open()
        except PositionError as error:
            raise BadScenario(self._given_line(error.path), f"{case.case}: {error}") from None
        self._facts = self._game.opening + self._game.record_scores()

    def differences(self) -> Iterator[Difference]:
        """Plays and compares."""
        if self._case.first:
            yield from self._check(self._case.first, (*self._path, "first"), self._facts)
        for number, step in enumerate(self._case.when):
            yield from self._take(step, (*self._path, "when", number))
        if self._case.then:
            yield from self._check(self._case.then, (*self._path, "then"), self._facts)

    def _given_line(self, path: Path) -> int:
        for place in ((*self._path, "given"), ("given",)):
            if self._document.has((*place, *path)) or (path and self._document.has((*place, path[0]))):
                return self._document.line((*place, *path))
        return self._document.line((*self._path, "given"))

    def _differs(self, path: Path, what: str, expected: object, found: object) -> Difference:
        return Difference(self._document.line(path), self._case.case, what, str(expected), str(found))

    # -- commands ----------------------------------------------------------------------------------------------

    def _take(self, step: Any, path: Path) -> Iterator[Difference]:
        command = wording.command(step)
        what = f"{step.player} {wording.kind_name(step)}"
        facts = Facts((), self._facts.colours)
        wanted = f"refused with {step.refused}" if step.refused else "accepted"
        try:
            if step.refused:
                refusal = self._game.refused(step.player, command, step.decision_id or None)
                yield from self._refusal(step, refusal, path, what)
            else:
                facts = self._game.play(step.player, command)
                facts = facts + self._game.record_scores()
        except Unexpected as unexpected:
            yield self._differs(path, what, wanted, unexpected)
        self._facts = self._facts + facts
        if step.then:
            yield from self._check(step.then, (*path, "then"), facts)

    def _refusal(self, step: Any, refusal: RuleViolation, path: Path, what: str) -> Iterator[Difference]:
        if refusal.code != step.refused:
            yield self._differs((*path, "refused"), what, f"refused with {step.refused}", refusal)
        elif step.clause and refusal.clause != step.clause:
            yield self._differs((*path, "clause"), what, step.clause, refusal.clause)

    # -- expectations ------------------------------------------------------------------------------------------

    def _check(self, expected: Expectation, path: Path, facts: Facts) -> Iterator[Difference]:
        yield from self._check_decision(expected, path)
        yield from self._check_options(expected, path)
        yield from self._check_facts(expected, path, facts)
        yield from self._check_score(expected, path)
        table = {name: value for name, value in named(expected).items() if name in Table.__struct_fields__}
        seen = named(self._game.seen)
        for leaf, wanted, found in _unequal(table, seen, ()):
            yield self._differs((*path, *leaf), " ".join(map(str, leaf)), wanted, found)
        yield from self._check_unchanged(expected, path, table, seen)

    def _check_decision(self, expected: Expectation, path: Path) -> Iterator[Difference]:
        if expected.decision is UNSET:
            return
        found = self._game.decision
        wanted = expected.decision
        owner, kind = found or (None, None)
        fits = found is None if wanted is None else found is not None and (
            wanted.player in (UNSET, owner) and wanted.kind in (UNSET, kind)
        )  # fmt: skip
        if not fits:
            yield self._differs((*path, "decision"), "decision", named(wanted), found)

    def _check_options(self, expected: Expectation, path: Path) -> Iterator[Difference]:
        found = self._game.decision
        options = self._game.legal(found[0]) if found else []
        ids = [rendering.option_id(option) for option in options]
        for name in ("offers", "offers_only"):
            for index, said in enumerate(getattr(expected, name) or ()):
                if not any(map(wording.command_pattern(said), options)):
                    yield self._differs((*path, name, index), "options", _words(said), ", ".join(ids))
        for index, said in enumerate(expected.offers_not or ()):
            if any(map(wording.command_pattern(said), options)):
                yield self._differs((*path, "offers_not", index), "options", f"no {_words(said)}", ", ".join(ids))
        if expected.offers_only is not UNSET:
            patterns = [wording.command_pattern(said) for said in expected.offers_only]
            more = [id for id, option in zip(ids, options, strict=True) if not any(fits(option) for fits in patterns)]
            if more:
                yield self._differs((*path, "offers_only"), "options", "no other options", ", ".join(more))

    def _check_facts(self, expected: Expectation, path: Path, facts: Facts) -> Iterator[Difference]:
        for index, said in enumerate(expected.facts or ()):
            if not facts.has(wording.fact_pattern(said)):
                yield self._differs((*path, "facts", index), "facts", _words(said), _kinds(facts, said))
        for index, said in enumerate(expected.no_facts or ()):
            if facts.has(wording.fact_pattern(said)):
                yield self._differs((*path, "no_facts", index), "facts", f"no {_words(said)}", _kinds(facts, said))
        wanted = expected.facts_in_order or ()
        missing = facts.first_missing(*map(wording.fact_pattern, wanted))
        if missing is not None:
            what = f"{_words(wanted[missing])} after those before it"
            yield self._differs((*path, "facts_in_order", missing), "facts", what, _kinds(facts, *wanted))

    def _check_score(self, expected: Expectation, path: Path) -> Iterator[Difference]:
        if expected.score is UNSET and expected.ranking is UNSET:
            return
        card = self._game.score
        names = colours(self._game.state)
        for name, said in (expected.score or {}).items():
            found = breakdown(card, names.index(name)) if name in names else {}
            for leaf, wanted, points in _unequal(named(said), found, (name,)):
                yield self._differs((*path, "score", *leaf), f"score {' '.join(map(str, leaf))}", wanted, points)
        ranking = tuple(names[rank.seat] for rank in card.ranking)
        if expected.ranking and ranking != expected.ranking:
            yield self._differs((*path, "ranking"), "ranking", expected.ranking, ranking)

    def _check_unchanged(
        self, expected: Expectation, path: Path, table: Mapping[str, Any], seen: Mapping[str, Any]
    ) -> Iterator[Difference]:
        before = named(self._game.posed)
        for index, name in enumerate(expected.unchanged or ()):
            place = (*path, "unchanged", index)
            if name not in seen:
                raise BadScenario(self._document.line(place), f"there is no {name} on this table")
            for leaf, was, found in _unequal(before[name], seen[name], (name,)):
                if not _covers(table, leaf):
                    yield self._differs(place, " ".join(map(str, leaf)), f"{was} as given", found)


_FOLLOWS = {"vp_by_category": "vp", "best_space": "progress", "offices_on_wells": "offices"}
"""What changes with something else; who names that has named this."""


def _covers(table: Mapping[str, Any], leaf: Path) -> bool:
    """The expectation names the leaf, or what it follows from."""
    said: Any = table
    for step in leaf:
        if not isinstance(said, Mapping):
            return True
        if step not in said:
            return _FOLLOWS.get(str(step)) in said
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


def breakdown(card: ScoreCard, seat: int) -> dict[str, int]:
    """A player's score by the categories of section G.3."""
    final = {category.name.lower() for category in ScoreCategory}
    points = dict.fromkeys(sorted(final), 0)
    for line in card.lines:
        if line.seat == seat:
            points[line.category if line.category in final and line.clause != "OR-END.9" else "in_play"] += line.points
    return {**points, "total": totals(card.lines).get(seat, 0)}


def _words(said: Any) -> str:
    fields = ", ".join(f"{name}: {value}" for name, value in named(said).items() if name not in ("do", "fact"))
    return f"{wording.kind_name(said)}{{{fields}}}"


def _kinds(facts: Facts, *said: Any) -> str:
    kinds = {wording.EVENTS[wording.kind_name(one)] for one in said}
    return "; ".join(str(event) for event in facts if type(event) in kinds) or "none of the kind"


__all__ = ["Scenario", "breakdown", "load", "run", "schema"]
