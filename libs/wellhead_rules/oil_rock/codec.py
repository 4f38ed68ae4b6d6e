"""Between the game's own records and protobuf, field for field.

Names agree on both sides, so a kind of record needs no code of its own: its fields are read once, here. What a stored
message says stays what it is: enums are ints that equal their members.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from msgspec import Struct

from wellhead.oil_rock.v1 import commands_pb2, events_pb2
from wellhead.v1 import game_pb2
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation
from wellhead_rules.oil_rock import commands, events
from wellhead_rules.oil_rock.commands import Command
from wellhead_rules.oil_rock.events import Event


class _Kind:
    """One kind of record: how its fields travel."""

    __slots__ = ("_converted", "_fields", "_nested", "_read", "oneof_name", "record")

    def __init__(self, record: type[Struct], oneof_name: str, message: Descriptor) -> None:
        self.record = record
        self.oneof_name = oneof_name
        self._fields = record.__struct_fields__
        if set(self._fields) != {field.name for field in message.fields}:
            raise TypeError(f"{record.__name__} and {message.full_name} have different fields")
        self._read = attrgetter(*self._fields) if len(self._fields) > 1 else None
        self._nested = [
            (field.name, encode) for field in message.fields if (encode := _nested_encoder(field)) is not None
        ]
        self._converted = [
            (self._fields.index(field.name), convert)
            for field in message.fields
            if (convert := _converter(field)) is not None
        ]

    def encode(self, record: Any) -> dict[str, Any]:
        """The fields as protobuf takes them; what has its default value need not be said."""
        values = self._read(record) if self._read is not None else [getattr(record, name) for name in self._fields]
        fields = {name: value for name, value in zip(self._fields, values, strict=True) if value}
        for name, encode in self._nested:
            if name in fields:
                fields[name] = encode(fields[name])
        return fields

    def decode(self, message: Any) -> Any:
        """The record that a message stands for."""
        values = self._read(message) if self._read is not None else [getattr(message, name) for name in self._fields]
        if self._converted:
            values = list(values)
            for place, convert in self._converted:
                values[place] = convert(values[place])
        return self.record(*values)


def _nested_encoder(field: FieldDescriptor) -> Callable[[Any], Any] | None:
    """What makes a nested value one that protobuf takes; None for a plain field."""
    if field.message_type is None or field.message_type.GetOptions().map_entry:
        return None
    if field.message_type.name == "Agenda":
        return _agenda_to_proto
    nested = _NESTED[field.message_type.name]
    return (lambda records: list(map(nested.encode, records))) if field.is_repeated else nested.encode


def _converter(field: FieldDescriptor) -> Callable[[Any], Any] | None:
    """What makes a field's value one of ours; None for a plain one."""
    if field.message_type is None:
        return tuple if field.is_repeated else None
    if field.message_type.GetOptions().map_entry:
        return dict
    if field.message_type.name == "Agenda":
        return lambda message: _agenda_from_bytes(message.SerializeToString())
    nested = _NESTED[field.message_type.name]
    if field.is_repeated:
        return lambda messages: tuple(map(nested.decode, messages))
    return lambda message: nested.decode(message) if message.ByteSize() else None


# The same agendas come again and again, from one decision to the next and from game to game: translations are kept.


@lru_cache(maxsize=4096)
def _agenda_to_proto(agenda: tuple[events.Frame, ...]) -> events_pb2.Agenda:
    message = events_pb2.Agenda()
    for frame in agenda:
        fields: Any = {name: value for name in frame.__struct_fields__ if (value := getattr(frame, name))}
        message.frames.add(**fields)
    return message


@lru_cache(maxsize=4096)
def _agenda_from_bytes(stored: bytes) -> tuple[events.Frame, ...]:
    return tuple(map(_frame, events_pb2.Agenda.FromString(stored).frames))


def _frame(message: events_pb2.Frame) -> events.Frame:
    fields: dict[str, Any] = {field.name: value for field, value in message.ListFields()}
    for name in ("route", "loaded"):
        fields[name] = tuple(fields.get(name, ()))
    return events.Frame(**fields)


_NESTED = {
    record.__name__: _Kind(record, "", events_pb2.DESCRIPTOR.message_types_by_name[record.__name__])
    for record in (events.HiddenCards, events.Standing)
}


def _kinds(oneof: Mapping[str, FieldDescriptor], module: Any) -> dict[type[Any], _Kind]:
    kinds = {}
    for name, field in oneof.items():
        if field.message_type is not None:
            record = getattr(module, field.message_type.name)
            kinds[record] = _Kind(record, name, field.message_type)
    return kinds


_EVENTS = _kinds(events_pb2.Event.DESCRIPTOR.fields_by_name, events)
_DECODE = {kind.oneof_name: kind.decode for kind in _EVENTS.values()}
_COMMANDS = _kinds(commands_pb2.Command.DESCRIPTOR.fields_by_name, commands)
_COMMANDS_BY_NAME = {kind.oneof_name: kind for kind in _COMMANDS.values()}


def command_name(command: Command) -> str:
    """The name of a command's kind on the wire, for instance `place_on_tile`."""
    return _COMMANDS[command.__class__].oneof_name


def event_name(event: Event) -> str:
    """The name of a fact's kind on the wire."""
    return _EVENTS[event.__class__].oneof_name


def command_to_proto(command: Command) -> game_pb2.Command:
    """The command in its envelope."""
    kind = _COMMANDS[command.__class__]
    fields: Any = {kind.oneof_name: kind.encode(command)}
    message = commands_pb2.Command(**fields)
    return game_pb2.Command(oil_rock=message)


def command_from_proto(message: game_pb2.Command) -> Command:
    """The command out of its envelope."""
    name = message.oil_rock.WhichOneof("kind") if message.HasField("oil_rock") else None
    if name is None:
        raise RuleViolation("COMMAND_NOT_EXPECTED", "OR-FLOW.1", "it is empty, or not a command of Oil Rock")
    decoded: Command = _COMMANDS_BY_NAME[name].decode(getattr(message.oil_rock, name))
    return decoded


def events_to_proto(facts: Iterable[Event]) -> game_pb2.Events:
    """Facts in their envelope, exactly as given."""
    listed = events_pb2.EventList()
    add = listed.events.add
    for fact in facts:
        kind = _EVENTS[fact.__class__]
        fields: Any = {kind.oneof_name: kind.encode(fact)}
        add(**fields)
    return game_pb2.Events(oil_rock=listed)


def events_from_proto(message: game_pb2.Events) -> list[Event]:
    """Facts out of their envelope."""
    if not message.HasField("oil_rock"):
        raise CorruptRecord(0, "the facts are not those of Oil Rock")
    facts = []
    for event in message.oil_rock.events:
        name = event.WhichOneof("kind")
        if name is None:
            raise CorruptRecord(0, "a fact of a kind that this version does not know")
        facts.append(_DECODE[name](getattr(event, name)))
    return facts
