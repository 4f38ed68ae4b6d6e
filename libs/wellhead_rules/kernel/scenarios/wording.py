"""Commands and facts as scenario files say them: `{do: BuildOffice, region: R05, well: yellow}`.

A record per kind is made from the game's own, field for field.
"""

import types
from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from functools import reduce
from operator import or_
from types import ModuleType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct, UnsetType

from wellhead_rules.kernel.scenarios.described import Said
from wellhead_rules.kernel.scenarios.facts import Fact, field_types

# Types made at run time are beyond what the type checker follows.
_LITERAL: Any = Literal
_TUPLE: Any = tuple


def kinds(module: ModuleType, base: type[Struct]) -> dict[str, type[Struct]]:
    """The records of a module that stand on a base, by name."""
    found = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, base)]
    return {kind.__name__: kind for kind in found if kind is not base}


class Wording:
    """How a game says its commands and facts.

    commands, events    the game's own records by name
    seats               names of the seats, for as many as may play
    seat_fields         fields that hold a seat's number, or several; files name the seat
    upper_case          enums whose members are said in capitals; those of the others in small letters
    renamed             by kind: what files call a field, and what the code calls it
    left_out            fields of which files do not speak
    lifted              fields that hold a record, and those of its fields that are said in its place
    hidden              fields of facts that not everybody may see, and what they hold for the others; files say null
    """

    def __init__(
        self,
        commands: Mapping[str, type[Struct]],
        events: Mapping[str, type[Struct]],
        seats: Sequence[str],
        *,
        seat_fields: Collection[str],
        upper_case: Collection[type[IntEnum]] = (),
        renamed: Mapping[str, Mapping[str, str]] | None = None,
        left_out: Collection[str] = (),
        lifted: Mapping[str, Sequence[str]] | None = None,
        hidden: Mapping[str, Any] | None = None,
    ) -> None:
        self.commands = commands
        self.events = events
        self.seats = tuple(seats)
        self.seat: Any = _LITERAL[self.seats]
        """The type of a seat's name."""
        self._seat_fields = frozenset(seat_fields)
        self._upper_case = frozenset(upper_case)
        self._renamed = renamed or {}
        self._left_out = frozenset(left_out)
        self._lifted = lifted or {}
        self._hidden = hidden or {}
        self._records: dict[type[Struct], type[Struct]] = {}
        self._known: dict[type[Struct], dict[str, tuple[Any, tuple[str, ...]]]] = {}

    # -- records -----------------------------------------------------------------------------------------------

    def command_union(self, base: type[Struct], whole: bool) -> Any:
        """A record per command on top of a base: with all fields required, or as a pattern with none."""
        return reduce(or_, (self._record(kind, "do", base, whole) for kind in self.commands.values()))

    def fact_union(self, base: type[Struct]) -> Any:
        """A record per kind of fact, as a pattern."""
        return reduce(or_, (self._record(kind, "fact", base, whole=False) for kind in self.events.values()))

    def _record(self, kind: type[Struct], tag_field: str, base: type[Struct], whole: bool) -> type[Struct]:
        required = {field.name for field in msgspec.structs.fields(kind) if field.required} if whole else set()
        return msgspec.defstruct(
            kind.__name__,
            [
                (name, said) if place[0] in required else (name, said | UnsetType, UNSET)
                for name, (said, place) in self._fields(kind).items()
            ],
            bases=(base,),
            namespace={"__doc__": kind.__doc__},
            module=kind.__module__,
            tag_field=tag_field,
            tag=kind.__name__,
            frozen=True,
            kw_only=True,
            forbid_unknown_fields=True,
        )

    def _fields(self, kind: type[Struct]) -> dict[str, tuple[Any, tuple[str, ...]]]:
        """The fields of a kind by the names that files use: the type said, and where it belongs in the kind."""
        if kind not in self._known:
            self._known[kind] = self._find_fields(kind)
        return self._known[kind]

    def _find_fields(self, kind: type[Struct]) -> dict[str, tuple[Any, tuple[str, ...]]]:
        renamed = self._renamed.get(kind.__name__, {})
        found: dict[str, tuple[Any, tuple[str, ...]]] = {}
        for field, type_ in field_types(kind).items():
            if field in self._left_out:
                continue
            if field in self._lifted:
                inner = next(
                    one for one in (type_, *get_args(type_)) if isinstance(one, type) and issubclass(one, Struct)
                )
                for name in self._lifted[field]:
                    found[name] = (self._said_type(field_types(inner)[name], name) | None, (field, name))
                continue
            said = self._said_type(type_, field)
            if self._is_hidden(kind, field):
                said |= None
            names = [name for name, meant in renamed.items() if meant == field] or [field]
            found.update((name, (said, (field,))) for name in names)
        return found

    def _is_hidden(self, kind: type[Struct], field: str) -> bool:
        return field in self._hidden and kind in self.events.values()

    def _said_type(self, kind: Any, name: str) -> Any:
        """The type of a field as a file says it: names for seats and for members of an enum."""
        if isinstance(kind, types.UnionType) or get_origin(kind) is Union:
            return reduce(or_, (one if one is types.NoneType else self._said_type(one, name) for one in get_args(kind)))
        if get_origin(kind) is tuple:
            return _TUPLE[self._said_type(get_args(kind)[0], name), ...]
        if name in self._seat_fields and kind is int:
            return self.seat
        if isinstance(kind, type) and issubclass(kind, IntEnum):
            upper = kind in self._upper_case
            return _LITERAL[tuple(member.name if upper else member.name.lower() for member in kind)]
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self._inner(kind)
        return kind

    def _inner(self, kind: type[Struct]) -> type[Struct]:
        """A record inside a fact or command, as a pattern."""
        if kind not in self._records:
            self._records[kind] = msgspec.defstruct(
                f"{kind.__name__}Said",
                [
                    (name, self._said_type(type_, name) | UnsetType, UNSET)
                    for name, type_ in field_types(kind).items()
                    if name not in self._left_out
                ],
                bases=(Said,),
                namespace={"__doc__": kind.__doc__},
                module=kind.__module__,
                frozen=True,
                kw_only=True,
            )
        return self._records[kind]

    # -- from words to records ---------------------------------------------------------------------------------

    def command(self, said: Any) -> Any:
        """The command that a complete record stands for, in the words of the file."""
        kind = self.commands[kind_name(said)]
        return kind(**self._said_fields(said, kind))

    def command_pattern(self, said: Any) -> Fact:
        """The command that a record asks for."""
        kind = self.commands[kind_name(said)]
        return Fact(kind, **self._said_fields(said, kind))

    def fact_pattern(self, said: Any) -> Fact:
        """The fact that a record asks for."""
        kind = self.events[kind_name(said)]
        return Fact(kind, **self._said_fields(said, kind))

    def _said_fields(self, said: Any, kind: type[Struct]) -> dict[str, Any]:
        """What is said, by the fields of the kind, without tags and without what a base adds."""
        fields: dict[str, Any] = {}
        for name, (_, place) in self._fields(kind).items():
            value = getattr(said, name)
            if value is UNSET:
                continue
            if value is None and self._is_hidden(kind, place[0]):
                fields[place[0]] = self._hidden[place[0]]
            elif value is None or len(place) == 1:
                fields[place[0]] = value
            else:
                fields.setdefault(place[0], {})[place[1]] = value
        return fields


def kind_name(said: Any) -> str:
    """The kind that a record stands for."""
    tag = said.__struct_config__.tag
    return str(tag)
