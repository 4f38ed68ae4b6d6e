"""Asking what has been recorded, in the rulebook's words: `fact(OfficeBuilt, region="R07", slot_vp=4) in facts`.

Words have the meaning that the type of a field gives them: where a seat's number stands, its name may be said; where a
member of an enum stands, its name in any case; a record by its fields, or those that matter as a mapping.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import Any, Self, TypeVar, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct

Kind = TypeVar("Kind", bound=Struct)
Record = TypeVar("Record", bound=Struct)


class Fact:
    """A kind of fact, or of command, with some of its fields."""

    def __init__(self, kind: type[Struct], /, **fields: Any) -> None:
        unknown = set(fields) - set(kind.__struct_fields__)
        if unknown:
            raise TypeError(f"{kind.__name__} has no field {', '.join(sorted(unknown))}")
        self.kind = kind
        self.fields = fields

    def fits(self, event: Struct, names: Sequence[str]) -> bool:
        """The event is of the kind and says so in every field named; `names` are those of the seats."""
        return isinstance(event, self.kind) and _fields_fit(self.fields, event, names)

    def __repr__(self) -> str:
        return f"{self.kind.__name__}({', '.join(f'{name}={value!r}' for name, value in self.fields.items())})"


fact = Fact


class Facts(list[Any]):
    """Facts in the order in which they were recorded; `names` are those of the seats."""

    def __init__(self, facts: Iterable[Any], names: Sequence[str]) -> None:
        super().__init__(facts)
        self.names = tuple(names)

    def __contains__(self, wanted: object) -> bool:
        if isinstance(wanted, Fact | type):
            return self.has(wanted)
        return super().__contains__(wanted)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The facts of one kind."""
        return [event for event in self if isinstance(event, kind)]

    def has(self, wanted: Fact | type[Struct]) -> bool:
        """There is a fact as wanted: a kind, or a kind with fields."""
        return self.count(wanted) > 0

    def count(self, wanted: Any) -> int:
        """How many facts are as wanted: a kind, or a kind with fields."""
        wanted = wanted if isinstance(wanted, Fact) else Fact(wanted)
        return sum(wanted.fits(event, self.names) for event in self)

    def in_order(self, *wanted: Fact | type[Struct]) -> bool:
        """As wanted, one after another, whatever else lies between."""
        return self.first_missing(*wanted) is None

    def first_missing(self, *wanted: Fact | type[Struct]) -> int | None:
        """The place of the first that does not follow the ones before it, None if all do."""
        left = iter(self)
        for place, one in enumerate(wanted):
            sought = one if isinstance(one, Fact) else Fact(one)
            if not any(sought.fits(event, self.names) for event in left):
                return place
        return None

    def __add__(self, other: list[Any]) -> Self:
        return type(self)([*self, *other], self.names)


# -- what words mean -------------------------------------------------------------------------------------------


def normal(record: Record, names: Sequence[str]) -> Record:
    """The record with words turned into what they stand for."""
    types = field_types(type(record))
    changed = {name: _meant(types[name], getattr(record, name), names) for name in record.__struct_fields__}
    return msgspec.structs.replace(record, **changed)


@cache
def field_types(kind: type[Struct]) -> Mapping[str, Any]:
    """The types of the fields of a record."""
    return {field.name: field.type for field in msgspec.structs.fields(kind)}


def _fields_fit(said: Mapping[str, Any], record: Struct, names: Sequence[str]) -> bool:
    types = field_types(type(record))
    return all(name in types and _fits(types[name], one, getattr(record, name), names) for name, one in said.items())


def _fits(kind: Any, said: Any, value: Any, names: Sequence[str]) -> bool:
    """What is said of a field of a type is true of its value."""
    if isinstance(value, Struct) and not isinstance(said, type(value)):
        fields = _spoken(said, type(value))
        return fields is not None and _fields_fit(fields, value, names)
    if isinstance(said, list | tuple) and isinstance(value, list | tuple):
        element = _element(kind)
        return len(said) == len(value) and all(
            _fits(element, one, found, names) for one, found in zip(said, value, strict=True)
        )
    meant: Any = _meant(kind, said, names)
    return bool(meant == value)


def _meant(kind: Any, said: Any, names: Sequence[str]) -> Any:
    """What a word stands for in a field of a type: a seat, a member of an enum, a tuple, a record; or itself."""
    alternatives = _alternatives(kind)
    if isinstance(said, str):
        for one in alternatives:
            if isinstance(one, type) and issubclass(one, IntEnum) and said.upper() in one.__members__:
                return one[said.upper()]
        return names.index(said) if int in alternatives and said in names else said
    if isinstance(said, list | tuple):
        return tuple(_meant(_element(kind), one, names) for one in said)
    for one in alternatives:
        if isinstance(one, type) and issubclass(one, Struct) and not isinstance(said, one):
            fields = _spoken(said, one)
            if fields is not None:
                types = field_types(one)
                return one(**{name: _meant(types[name], value, names) for name, value in fields.items()})
    return said


def _spoken(said: Any, kind: type[Struct]) -> Mapping[str, Any] | None:
    """What is said of a record: as a mapping, in another record, or field after field; None if it is no such thing."""
    if isinstance(said, Mapping):
        return said
    if isinstance(said, Struct):
        return {name: one for name in said.__struct_fields__ if (one := getattr(said, name)) is not UNSET}
    if isinstance(said, list | tuple) and len(said) == len(kind.__struct_fields__):
        return dict(zip(kind.__struct_fields__, said, strict=True))
    return None


def _alternatives(kind: Any) -> tuple[Any, ...]:
    """A type, or the members of a union."""
    return (kind,) if isinstance(kind, type) or get_origin(kind) in (tuple, list, dict) else get_args(kind) or (kind,)


def _element(kind: Any) -> Any:
    """The type of what a sequence holds."""
    return next((get_args(one)[0] for one in _alternatives(kind) if get_origin(one) in (tuple, list)), Any)
