"""Requests that nobody in their right mind sends, made from the protos and from a number alone."""

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

_BOUNDS: Mapping[int, tuple[int, int]] = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_SINT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.TYPE_ENUM: (-(2**31), 2**31 - 1),
}

_STRINGS = (
    "", " ", "\0", "x" * 129, "x" * 20_000, "\U0001f600" * 64, "\u202etxet", "../../etc/passwd", "%s%n{0}{}", "'; --",
    "a\nb", "game:{x}", "nosuchgame", "\x1b[2J", "\ufeff", "é" * 64, "-1", "0", "null", "{}", "*", "\ud7ff\ue000",
)  # fmt: skip
_JSON = (None, True, -1, 1e400, 1.5, "", "x" * 70_000, [], [[]], {}, {"": None}, "\ud800", "9" * 400)
_DEPTH = 4


class Hostile:
    """Makes requests; `plausible` are values of fields by name that lead deeper into the services."""

    def __init__(self, seed: int, plausible: Mapping[str, Sequence[Any]]) -> None:
        self.random = Random(seed)
        self._plausible = plausible
        self._boldness = 0.0

    # -- messages ----------------------------------------------------------------------------------------------------

    def message(self, kind: type[Message]) -> Message:
        """Well formed, with values that are not."""
        message = kind()
        self._boldness = self.random.choice((0.0, 0.05, 0.3))
        self._fill(message, kind.DESCRIPTOR, _DEPTH)
        return message

    def _fill(self, message: Any, descriptor: Descriptor, depth: int) -> None:
        for field in descriptor.fields:
            given = self.random.random()
            if given < self._boldness or (field.containing_oneof and given > 2 / len(field.containing_oneof.fields)):
                continue
            if field.message_type and field.message_type.GetOptions().map_entry:
                for _ in range(self._count()):
                    key, value = (self._scalar(each) for each in field.message_type.fields)
                    getattr(message, field.name)[key] = value
            elif field.is_repeated:
                values = getattr(message, field.name)
                for _ in range(self._count()):
                    if not field.message_type:
                        values.append(self._scalar(field))
                    elif depth:
                        self._fill(values.add(), field.message_type, depth - 1)
            elif not field.message_type:
                setattr(message, field.name, self._scalar(field))
            elif depth:
                inner = getattr(message, field.name)
                inner.SetInParent()
                self._fill(inner, field.message_type, depth - 1)

    def _count(self) -> int:
        return self.random.choice((0, 1, 1, 2, 3, 17, 70)) if self.random.random() < 0.3 else self.random.randrange(3)

    def _scalar(self, field: FieldDescriptor) -> Any:
        if field.name in self._plausible and self.random.random() >= self._boldness:
            return self.random.choice(self._plausible[field.name])
        if field.type in _BOUNDS:
            least, most = _BOUNDS[field.type]
            return self.random.choice((least, most, 0, max(least, -1), 1, 2, self.random.randint(least, most)))
        match field.type:
            case FieldDescriptor.TYPE_STRING:
                return self.random.choice(_STRINGS)
            case FieldDescriptor.TYPE_BYTES:
                return self.random.randbytes(self.random.choice((0, 1, 31, 32, 65, 5_000)))
            case FieldDescriptor.TYPE_BOOL:
                return self.random.random() < 0.5
        return self.random.choice((0.0, -0.0, float("inf"), float("nan"), 1e308))

    # -- bytes -------------------------------------------------------------------------------------------------------

    def encoded(self, kind: type[Message]) -> bytes:
        """What goes over the wire: a third of it is no message at all."""
        sound = self.message(kind).SerializeToString()
        if self.random.random() < 0.7:
            return sound
        spoil: Callable[[bytes], bytes] = self.random.choice(
            (self._noise, self._cut, self._flip, self._unknown, self._twice, self._other_type, self._deep, self._latin)
        )
        return spoil(sound)

    def _noise(self, sound: bytes) -> bytes:
        return self.random.randbytes(self.random.choice((1, 2, 10, 300, 70_000)))

    def _cut(self, sound: bytes) -> bytes:
        return sound[: self.random.randrange(len(sound) + 1)]

    def _flip(self, sound: bytes) -> bytes:
        spoilt = bytearray(sound)
        for _ in range(min(len(spoilt), 4)):
            spoilt[self.random.randrange(len(spoilt))] ^= 1 << self.random.randrange(8)
        return bytes(spoilt)

    def _unknown(self, sound: bytes) -> bytes:
        number = self.random.choice((15, 99, 18_999, 536_870_911))
        return sound + _varint(number << 3 | 2) + _varint(5) + b"hello"

    def _twice(self, sound: bytes) -> bytes:
        """Every field again, so that of a oneof there are several."""
        return sound * self.random.choice((2, 3))

    def _other_type(self, sound: bytes) -> bytes:
        number, wire = self.random.randrange(1, 8), self.random.randrange(8)
        return sound + _varint(number << 3 | wire) + self.random.randbytes(self.random.randrange(9))

    def _deep(self, sound: bytes) -> bytes:
        number, inner = self.random.randrange(1, 8), b""
        for _ in range(self.random.choice((50, 120, 5_000))):
            inner = _varint(number << 3 | 2) + _varint(len(inner)) + inner
        return inner[-60_000:] if self.random.random() < 0.2 else inner

    def _latin(self, sound: bytes) -> bytes:
        number, text = self.random.randrange(1, 8), b"\xff\xfe\x80\xc3("
        return sound + _varint(number << 3 | 2) + _varint(len(text)) + text

    # -- JSON --------------------------------------------------------------------------------------------------------

    def text(self, kind: type[Message]) -> bytes:
        """The same as JSON."""
        said = json_format.MessageToDict(self.message(kind))
        choice = self.random.random()
        if choice < 0.4:
            return json.dumps(said).encode()
        if choice < 0.7:
            for _ in range(self.random.randrange(1, 3)):
                name = self.random.choice([*said, *(each.json_name for each in kind.DESCRIPTOR.fields), "noSuchField"])
                said[name] = self.random.choice(_JSON)
            return json.dumps(said).encode()
        spoil: Callable[[bytes], bytes] = self.random.choice((self._noise, self._cut, self._flip, self._nested))
        return spoil(json.dumps(said).encode())

    def _nested(self, sound: bytes) -> bytes:
        depth = self.random.choice((10, 101, 30_000))
        opening = self.random.choice((b"[", b'{"command":', b'{"gameId":'))
        return (opening * depth)[:65_000]


def _varint(number: int) -> bytes:
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)
