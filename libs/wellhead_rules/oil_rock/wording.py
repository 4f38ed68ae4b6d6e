"""Commands and facts as scenario files say them: `{do: BuildOffice, region: R05, well: yellow}`.

A record per kind is made from the game's own, field for field; names and values are those of sections F.1 and F.2.
"""

import types
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cache, reduce
from operator import or_
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct, UnsetType

from wellhead_rules.oil_rock import commands, events
from wellhead_rules.oil_rock.commands import Command
from wellhead_rules.oil_rock.described import PlayerName, Said
from wellhead_rules.oil_rock.events import Event
from wellhead_rules.oil_rock.facts import Fact
from wellhead_rules.oil_rock.positions import normal
from wellhead_rules.oil_rock.vocabulary import CardOrigin, DecisionKind, Reason, Worker, WorkerSpace

COMMANDS: Mapping[str, type[Command]] = {
    kind.__name__: kind for kind in vars(commands).values()
    if isinstance(kind, type) and issubclass(kind, Command) and kind is not Command
}  # fmt: skip
EVENTS: Mapping[str, type[Event]] = {
    kind.__name__: kind for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}  # fmt: skip

# Types made at run time are beyond what the type checker follows.
_LITERAL: Any = Literal
_TUPLE: Any = tuple

_UPPER_CASE = (Reason, WorkerSpace, Worker, CardOrigin)
_FROM_TO = {"from": "origin", "to": "space"}
_RENAMED: Mapping[str, Mapping[str, str]] = {
    "ProgressMarkerMoved": _FROM_TO,
    "TrainMoved": {"from": "origin", "to": "region"},
    "EngineerMoved": {"from": "origin", "to": "region"},
    "ImprovementRevealed": {"from": "origin"},
    "ImprovementTaken": {"from": "origin"},
    "WorkerPlaced": {"tile": "place", "circle": "place", "named_tile": "place"},
}
"""Fields that the rules document calls otherwise than the code, whose words Python reserves or protobuf shares."""


class StandingSaid(Said, frozen=True, kw_only=True):
    """A place in the final ranking."""

    player: PlayerName
    total: int


def _said_type(kind: Any, name: str) -> Any:
    """The type of a field as a file says it: colours for seats, names for members of an enum."""
    if name in ("player", "owner"):
        return PlayerName
    if name == "order":
        return tuple[PlayerName, ...]
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        names = [member.name if kind in _UPPER_CASE else member.name.lower() for member in kind]
        return _LITERAL[tuple(names)]
    if kind is events.Standing:
        return StandingSaid
    if get_origin(kind) is tuple:
        return _TUPLE[_said_type(get_args(kind)[0], name), ...]
    if isinstance(kind, types.UnionType):
        return _said_type(get_args(kind)[0], name)
    return kind


@cache
def _fields(kind: type[Struct]) -> dict[str, Any]:
    """The fields of a kind by the names that files use."""
    renamed = _RENAMED.get(kind.__name__, {})
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.type == events.HiddenCards | None:
            found["improvements"] = tuple[str, ...]
        elif field.name != "agenda":
            names = [name for name, meant in renamed.items() if meant == field.name] or [field.name]
            found.update((name, _said_type(field.type, field.name)) for name in names)
    return found


def _record(kind: type[Struct], tag_field: str, base: type[Struct], whole: bool) -> type[Struct]:
    fields = [
        (name, said) if whole else (name, said | UnsetType, UNSET)
        for name, said in _fields(kind).items()
    ]  # fmt: skip
    return msgspec.defstruct(
        kind.__name__,
        fields,
        bases=(base,),
        namespace={"__doc__": kind.__doc__},
        tag_field=tag_field,
        tag=kind.__name__,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


def command_union(base: type[Struct], whole: bool) -> Any:
    """A record per command on top of a base: with all fields required, or as a pattern with none."""
    return reduce(or_, (_record(kind, "do", base, whole) for kind in COMMANDS.values()))


def fact_union(base: type[Struct]) -> Any:
    """A record per kind of fact, as a pattern."""
    return reduce(or_, (_record(kind, "fact", base, whole=False) for kind in EVENTS.values()))


# -- from words to records -------------------------------------------------------------------------------------


def _said_fields(said: Any, kind: type[Struct]) -> dict[str, Any]:
    """What is said, without tags and without what the base adds."""
    fields = {name: getattr(said, name) for name in _fields(kind)}
    return {name: value for name, value in fields.items() if value is not UNSET}


def kind_name(said: Any) -> str:
    """The kind that a record stands for."""
    tag = said.__struct_config__.tag
    return str(tag)


def command(said: Any) -> Command:
    """The command that a complete record stands for."""
    kind = COMMANDS[kind_name(said)]
    return normal(kind(**_said_fields(said, kind)))


def command_pattern(said: Any) -> Callable[[Command], bool]:
    """Whether a command is of the kind and says the same in every field named."""
    kind = COMMANDS[kind_name(said)]
    fields = _said_fields(said, kind)

    def fits(one: Command) -> bool:
        if not isinstance(one, kind):
            return False
        wanted = normal(msgspec.structs.replace(one, **fields))
        return wanted == one

    return fits


def fact_pattern(said: Any) -> Fact:
    """The fact that a record asks for."""
    kind = EVENTS[kind_name(said)]
    renamed = _RENAMED.get(kind.__name__, {})
    fields = {renamed.get(name, name): value for name, value in _said_fields(said, kind).items()}
    if kind is events.GameEnded and "ranking" in fields:
        fields["ranking"] = tuple((one.player, one.total) for one in fields["ranking"])
    return _CardsFact(kind, **fields) if "improvements" in fields else Fact(kind, **fields)


class _CardsFact(Fact):
    """A fact about hidden cards, asked for by the cards."""

    def __init__(self, kind: type[Event], /, improvements: tuple[str, ...], **fields: Any) -> None:
        super().__init__(kind, **fields)
        self._improvements = improvements

    def fits(self, event: Event, colours: Any) -> bool:
        """The event is about these cards in this order."""
        hidden = getattr(event, "hidden", None)
        return super().fits(event, colours) and hidden is not None and hidden.improvements == self._improvements

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, improvements={self._improvements})"


DECISION_KINDS = tuple(kind.name.lower() for kind in DecisionKind)
