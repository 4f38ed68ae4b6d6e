"""Asking what has been recorded, in the rulebook's words: `fact(OfficeBuilt, region="R07", slot_vp=4) in facts`."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any, TypeVar, get_args

import msgspec

from wellhead_rules.oil_rock.events import Event, Standing

Kind = TypeVar("Kind", bound=Event)


class Fact:
    """A kind of fact with some of its fields; players by colour, enums by name."""

    def __init__(self, kind: type[Event], /, **fields: Any) -> None:
        unknown = set(fields) - set(kind.__struct_fields__)
        if unknown:
            raise TypeError(f"{kind.__name__} has no field {', '.join(sorted(unknown))}")
        self.kind = kind
        self.fields = fields

    def fits(self, event: Event, colours: Sequence[str]) -> bool:
        """The event is of the kind and says so in every field named."""
        return isinstance(event, self.kind) and all(
            getattr(event, name) == _meant(self.kind, name, wanted, colours) for name, wanted in self.fields.items()
        )

    def __repr__(self) -> str:
        return f"{self.kind.__name__}({', '.join(f'{name}={value!r}' for name, value in self.fields.items())})"


fact = Fact


class Facts(list[Event]):
    """Facts in the order in which they were recorded; `colours` are those of the players by seat."""

    def __init__(self, facts: Iterable[Event], colours: Sequence[str]) -> None:
        super().__init__(facts)
        self.colours = tuple(colours)

    def __contains__(self, wanted: object) -> bool:
        if isinstance(wanted, Fact | type):
            return self.has(wanted)
        return super().__contains__(wanted)

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The facts of one kind."""
        return [event for event in self if isinstance(event, kind)]

    def has(self, wanted: Fact | type[Event]) -> bool:
        """There is a fact as wanted: a kind, or a kind with fields."""
        return self.count(wanted) > 0

    def count(self, wanted: Any) -> int:
        """How many facts are as wanted: a kind, or a kind with fields."""
        wanted = wanted if isinstance(wanted, Fact) else Fact(wanted)
        return sum(wanted.fits(event, self.colours) for event in self)

    def in_order(self, *wanted: Fact | type[Event]) -> bool:
        """As wanted, one after another, whatever else lies between."""
        return self.first_missing(*wanted) is None

    def first_missing(self, *wanted: Fact | type[Event]) -> int | None:
        """The place of the first that does not follow the ones before it, None if all do."""
        left = iter(self)
        for place, one in enumerate(wanted):
            sought = one if isinstance(one, Fact) else Fact(one)
            if not any(sought.fits(event, self.colours) for event in left):
                return place
        return None

    def __add__(self, other: list[Event]) -> "Facts":  # type: ignore[override]
        return Facts([*self, *other], self.colours)


def _meant(kind: type[Event], name: str, wanted: Any, colours: Sequence[str]) -> Any:
    """What a wanted value stands for in a field: seats for colours, members for names of an enum."""
    if name == "ranking":
        return tuple(Standing(colours.index(player), total) for player, total in wanted)
    if isinstance(wanted, list):
        wanted = tuple(wanted)
    if isinstance(wanted, tuple):
        return tuple(_meant(kind, name, one, colours) for one in wanted)
    if not isinstance(wanted, str):
        return wanted
    if name in ("player", "owner", "order"):
        return colours.index(wanted) if wanted in colours else wanted
    enum = _enum(kind, name)
    return enum[wanted.upper()] if enum and wanted.upper() in enum.__members__ else wanted


def _enum(kind: type[Event], name: str) -> type[IntEnum] | None:
    field = next(field for field in msgspec.structs.fields(kind) if field.name == name)
    candidates = (field.type, *get_args(field.type))
    return next((one for one in candidates if isinstance(one, type) and issubclass(one, IntEnum)), None)
