"""Where two messages of one type differ, as a path that names the field."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from google.protobuf.message import Message


def first_difference(stored: Message, redone: Message) -> str:
    """The path of the first field that differs, like `events.NAME.events[3].kind`; "" if the messages are equal."""
    if stored == redone:
        return ""
    for field in stored.DESCRIPTOR.fields:
        for suffix, left, right in _values(field, stored, redone):
            if left == right:
                continue
            path = field.name + suffix
            if isinstance(left, Message) and isinstance(right, Message):
                return f"{path}.{first_difference(left, right)}"
            return path
    return "a field that this version does not know"


def _values(field: Any, stored: Message, redone: Message) -> Iterator[tuple[str, Any, Any]]:
    left, right = getattr(stored, field.name), getattr(redone, field.name)
    if not field.is_repeated:
        if field.has_presence:
            left = left if stored.HasField(field.name) else None
            right = right if redone.HasField(field.name) else None
        yield "", left, right
    elif field.message_type is not None and field.message_type.GetOptions().map_entry:
        yield "", left, right
    else:
        for index, pair in enumerate(zip_longest(left, right)):
            yield f"[{index}]", *pair
