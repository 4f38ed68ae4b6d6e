"""The records of a scenario file, made from a game's words: what is given, the steps, and what must follow."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from wellhead_rules.kernel.scenarios.described import Said
from wellhead_rules.kernel.scenarios.positions import SPECTATOR, Posing
from wellhead_rules.kernel.scenarios.wording import Wording

# Types made at run time are beyond what the type checker follows.
_LITERAL: Any = Literal
_TUPLE: Any = tuple
_DICT: Any = dict


class Records(Struct, frozen=True):
    """The records of a game's files."""

    scenario: type[Any]
    """A whole file."""
    table: frozenset[str]
    """What an expectation says of the table; the rest it says of decisions, facts and scores."""


def records(
    posing: Posing, wording: Wording, table: type[Said], decisions: Sequence[str], categories: Sequence[str]
) -> Records:
    """The records of a game with this table, these kinds of decision and these categories of the score."""
    expectation = _expectation(wording, table, decisions, categories)
    step = wording.command_union(_step_base(wording, expectation), whole=True)
    case = _record(
        "Case",
        "A position, what must hold `first`, commands, and what must hold after them.",
        [("case", str)],
        given=posing.description,
        first=expectation,
        when=(_TUPLE[step, ...], ()),
        then=expectation,
    )
    scenario = _record(
        "Scenario",
        "A file: what is given for every case, and the cases.",
        [("game", _LITERAL[posing.ruleset.name]), ("title", str), ("cases", _TUPLE[case, ...])],
        example=str,
        clauses=(_TUPLE[str, ...], ()),
        given=posing.description,
    )
    return Records(scenario, frozenset(table.__struct_fields__))


def _expectation(
    wording: Wording, table: type[Said], decisions: Sequence[str], categories: Sequence[str]
) -> type[Struct]:
    whose = _record("PatternBase", "Whose option it is; without a player, of anybody who owes a decision.",
                    player=wording.seat)  # fmt: skip
    options = _TUPLE[wording.command_union(whose, whole=False), ...]
    facts = _TUPLE[wording.fact_union(Said), ...]
    decision = _record("DecisionSaid", "An open decision.", player=wording.seat, kind=_LITERAL[tuple(decisions)])
    points: dict[str, Any] = dict.fromkeys((*categories, "total"), int)
    score = _record("ScoreSaid", "A player's breakdown of the score.", **points)
    shown = _record("ShownSaid", _SHOWN, facts=facts, facts_in_order=facts, no_facts=facts)
    return _record(
        "Expectation",
        _EXPECTATION,
        base=table,
        decision=decision | None,
        owed=_TUPLE[wording.seat, ...],
        offers=options,
        offers_only=options,
        offers_not=options,
        facts=facts,
        facts_in_order=facts,
        no_facts=facts,
        seen_by=_DICT[_LITERAL[(*wording.seats, SPECTATOR)], shown],
        score=_DICT[wording.seat, score],
        ranking=_TUPLE[wording.seat, ...],
        unchanged=_TUPLE[str, ...],
    )


def _step_base(wording: Wording, expectation: type[Struct]) -> type[Struct]:
    return _record(
        "StepBase",
        "A command of a player: accepted, or refused with a code and, if it is said, a clause; then what must hold.",
        [("player", wording.seat)],
        decision_id=int,
        draws=_TUPLE[str | int, ...],
        refused=str,
        clause=str,
        then=expectation,
    )


def _record(
    name: str, doc: str, required: Sequence[tuple[str, Any]] = (), base: type[Struct] = Said, **optional: Any
) -> type[Struct]:
    """A record with fields that must be said, and others that may be; those with a default as (type, default)."""
    fields: list[Any] = list(required)
    for field, kind in optional.items():
        has_default = isinstance(kind, tuple)
        fields.append((field, *kind) if has_default else (field, kind | UnsetType, UNSET))
    return msgspec.defstruct(
        name,
        fields,
        bases=(base,),
        namespace={"__doc__": doc},
        module=base.__module__,
        frozen=True,
        kw_only=True,
    )


_EXPECTATION = """What must hold: the table, the open decisions and their options, the facts recorded, the score.

`facts` may be recorded in any order, `facts_in_order` one after another with others between, `no_facts` not at all;
`seen_by` says the same of what a player or the spectator is shown of them. `decision` is one of those open, null if
there is none; `owed` names everybody who owes one. `offers` and `offers_not` name options, `offers_only` all of them; a
field left out stands for any value. `unchanged` names parts of the table in which only what this expectation names may
differ from the position as given."""

_SHOWN = """What is shown of the facts recorded; what is hidden is null."""
