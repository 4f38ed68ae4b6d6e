"""Between the game's own records and protobuf, field for field.

Names agree on both sides, so a kind of record needs no code of its own: its fields are read once, here. What a stored
message says stays what it is: enums are ints that equal their members.
"""

from collections.abc import Callable, Iterable, Mapping
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

Decode = Callable[[Any], Any]


class _Kind:
    """One kind of record: how its fields travel."""

    __slots__ = ("_fields", "_read", "_special", "oneof_name", "record")

    def __init__(self, record: type[Struct], oneof_name: str, message: Descriptor) -> None:
        self.record = record
        self.oneof_name = oneof_name
        self._fields = record.__struct_fields__
        if set(self._fields) != {field.name for field in message.fields}:
            raise TypeError(f"{record.__name__} and {message.full_name} have different fields")
        self._read = attrgetter(*self._fields) if len(self._fields) > 1 else None
        self._special: dict[str, Decode] = {}
        for field in message.fields:
            decode = _decoder(field)
            if decode is not None:
                self._special[field.name] = decode

    def encode(self, record: Any) -> dict[str, Any]:
        """The fields as protobuf takes them."""
        if self._read is None:
            return {name: _encoded(getattr(record, name)) for name in self._fields}
        fields = dict(zip(self._fields, self._read(record), strict=True))
        for name in self._special:
            fields[name] = _encoded(fields[name])
        return fields

    def decode(self, message: Any) -> Any:
        """The record that a message stands for."""
        if not self._special:
            return self.record(*[getattr(message, name) for name in self._fields])
        return self.record(
            *[
                self._special[name](message) if name in self._special else getattr(message, name)
                for name in self._fields
            ]
        )


def _encoded(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_encoded(one) for one in value]
    if isinstance(value, Struct):
        kind = _NESTED[value.__class__]
        return {name: one for name, one in kind.encode(value).items() if one is not None}
    return value


def _decoder(field: FieldDescriptor) -> Decode | None:
    """How a field that is not a plain value is read; None for a plain one."""
    name = field.name
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return lambda message: dict(getattr(message, name))
    if field.message_type is None:
        return (lambda message: tuple(getattr(message, name))) if field.is_repeated else None
    nested = _NESTED_BY_NAME[field.message_type.name]
    if field.is_repeated:
        return lambda message: tuple(map(nested.decode, getattr(message, name)))
    return lambda message: nested.decode(getattr(message, name)) if message.HasField(name) else None


class _FrameKind(_Kind):
    """Frames leave out what is not set; a colour or step that is not set is None."""

    def decode(self, message: Any) -> Any:
        """The frame that a message stands for."""
        return events.Frame(
            message.kind, message.player, message.effects, message.index, message.region, tuple(message.route),
            message.item, message.action, message.step or None, message.count, message.colour or None,
            tuple(message.loaded),
        )  # fmt: skip


_NESTED_BY_NAME: dict[str, _Kind] = {}
_NESTED: dict[type[Struct], _Kind] = {}
for _record, _make in ((events.HiddenCards, _Kind), (events.Standing, _Kind), (events.Frame, _FrameKind)):
    _kind = _make(_record, "", events_pb2.DESCRIPTOR.message_types_by_name[_record.__name__])
    _NESTED_BY_NAME[_record.__name__] = _NESTED[_record] = _kind


def _kinds(oneof: Mapping[str, FieldDescriptor], module: Any) -> dict[type[Any], _Kind]:
    kinds = {}
    for name, field in oneof.items():
        if field.message_type is not None:
            record = getattr(module, field.message_type.name)
            kinds[record] = _Kind(record, name, field.message_type)
    return kinds


_EVENTS = _kinds(events_pb2.Event.DESCRIPTOR.fields_by_name, events)
_EVENTS_BY_NAME = {kind.oneof_name: kind for kind in _EVENTS.values()}
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
        facts.append(_EVENTS_BY_NAME[name].decode(getattr(event, name)))
    return facts
