"""Between a game's own records and protobuf, field for field.

Names agree on both sides, so a kind of record needs no code of its own: its fields are read once, here. What a stored
message says stays what it is: enums are ints that equal their members.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from types import ModuleType
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from msgspec import Struct, structs

from wellhead.v1 import game_pb2
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation

_AGENDAS_KEPT = 4096


class Codec:
    """Translates the commands and facts of one game.

    `field` names the game in the envelopes. `commands` and `events` hold the records, under the names of their
    messages; `nested` are the records that stand inside others, innermost first. A message `Agenda` with repeated
    `frames` is a tuple of frames here: the same agendas come again and again, so their translation is kept.
    """

    def __init__(
        self,
        field: str,
        commands: ModuleType,
        commands_pb2: ModuleType,
        events: ModuleType,
        events_pb2: ModuleType,
        nested: Iterable[type[Struct]],
        not_expected: Callable[[], RuleViolation],
    ) -> None:
        self._field = field
        self._not_expected = not_expected
        self._command_message = commands_pb2.Command
        self._list_message = events_pb2.EventList
        known: dict[str, _Kind] = {}
        for record in nested:
            message = events_pb2.DESCRIPTOR.message_types_by_name[record.__name__]
            known[record.__name__] = _Kind(record, "", message, known)
        self._events = _kinds(events_pb2.Event.DESCRIPTOR, events, known)
        self._decode = {kind.oneof_name: kind.decode for kind in self._events.values()}
        self._commands = _kinds(commands_pb2.Command.DESCRIPTOR, commands, known)
        self._commands_by_name = {kind.oneof_name: kind for kind in self._commands.values()}

    def command_name(self, command: Any) -> str:
        """The name of a command's kind on the wire, for instance `take_seat`."""
        return self._commands[command.__class__].oneof_name

    def event_name(self, event: Any) -> str:
        """The name of a fact's kind on the wire."""
        return self._events[event.__class__].oneof_name

    def command_to_proto(self, command: Any) -> game_pb2.Command:
        """The command in its envelope."""
        kind = self._commands[command.__class__]
        fields: Any = {self._field: self._command_message(**{kind.oneof_name: kind.encode(command)})}
        return game_pb2.Command(**fields)

    def command_from_proto(self, message: game_pb2.Command) -> Any:
        """The command out of its envelope; RuleViolation if it is another game's or empty."""
        inner = getattr(message, self._field)
        name = inner.WhichOneof("kind")
        if name is None:
            raise self._not_expected()
        return self._commands_by_name[name].decode(getattr(inner, name))

    def events_to_proto(self, facts: Iterable[Any]) -> game_pb2.Events:
        """Facts in their envelope, exactly as given."""
        listed = self._list_message()
        add, kinds = listed.events.add, self._events
        for fact in facts:
            kind = kinds[fact.__class__]
            add(**{kind.oneof_name: kind.encode(fact)})
        fields: Any = {self._field: listed}
        return game_pb2.Events(**fields)

    def events_from_proto(self, message: game_pb2.Events) -> list[Any]:
        """Facts out of their envelope; CorruptRecord if one is not known."""
        if message.WhichOneof("game") != self._field:
            raise CorruptRecord(0, f"the facts are not those of {self._field}")
        facts, decode = [], self._decode
        for event in getattr(message, self._field).events:
            name = event.WhichOneof("kind")
            if name is None:
                raise CorruptRecord(0, "a fact of a kind that this version does not know")
            facts.append(decode[name](getattr(event, name)))
        return facts


class _Kind:
    """One kind of record: how its fields travel."""

    __slots__ = ("_converted", "_fields", "_nested", "_read", "oneof_name", "record")

    def __init__(
        self, record: type[Struct], oneof_name: str, message: Descriptor, known: Mapping[str, "_Kind"]
    ) -> None:
        self.record = record
        self.oneof_name = oneof_name
        self._fields = record.__struct_fields__
        if set(self._fields) != {field.name for field in message.fields}:
            raise TypeError(f"{record.__name__} and {message.full_name} have different fields")
        self._read = attrgetter(*self._fields) if len(self._fields) > 1 else None
        self._nested: list[tuple[str, Callable[[Any], Any]]] = []
        self._converted: list[tuple[int, Callable[[Any], Any]]] = []
        absent = {field.name for field in structs.fields(record) if field.default is None}
        for field in message.fields:
            encode, convert = _translation(field, known)
            if convert is None and field.name in absent:
                convert = _or_none
            if encode is not None:
                self._nested.append((field.name, encode))
            if convert is not None:
                self._converted.append((self._fields.index(field.name), convert))

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


_Translation = tuple[Callable[[Any], Any] | None, Callable[[Any], Any] | None]


def _translation(field: FieldDescriptor, known: Mapping[str, _Kind]) -> _Translation:
    """What makes a field's value one that protobuf takes, and one of ours; None where it is so already."""
    if field.message_type is None:
        return None, tuple if field.is_repeated else None
    if field.message_type.GetOptions().map_entry:
        return None, dict
    if field.message_type.name == "Agenda":
        return _agendas(field.message_type, known["Frame"])
    nested = known[field.message_type.name]
    if field.is_repeated:
        return (
            lambda records: list(map(nested.encode, records)),
            lambda messages: tuple(map(nested.decode, messages)),
        )
    return nested.encode, lambda message: nested.decode(message) if message.ByteSize() else None


def _or_none(value: Any) -> Any:
    """A plain field that has no value has none in the record either."""
    return value or None


def _agendas(message: Descriptor, frame: _Kind) -> _Translation:
    made: Any = GetMessageClass(message)

    @lru_cache(_AGENDAS_KEPT)
    def encode(agenda: tuple[Struct, ...]) -> Any:
        return made(frames=list(map(frame.encode, agenda)))

    @lru_cache(_AGENDAS_KEPT)
    def decode(stored: bytes) -> tuple[Struct, ...]:
        return tuple(map(frame.decode, made.FromString(stored).frames))

    return encode, lambda agenda: decode(agenda.SerializeToString())


def _kinds(union: Descriptor, module: ModuleType, known: Mapping[str, _Kind]) -> dict[type[Any], _Kind]:
    kinds = {}
    for field in union.fields:
        if field.message_type is not None:
            record = getattr(module, field.message_type.name)
            kinds[record] = _Kind(record, field.name, field.message_type, known)
    return kinds
