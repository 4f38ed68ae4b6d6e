"""Commands that nobody offered: listed ones with a field bent, and ones that were listed at other times.

The bending works on the messages that clients send, so it knows no game; whatever a client can write comes up.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from wellhead_rules.kernel.ruleset import Command, Ruleset
from wellhead_rules.kernel.violations import RuleViolation

_NONSENSE = ("", "?", "R01", "0", "x" * 300, "é\u202e")
_NUMBERS = (0, 1, 2, 7, 13, 99, 2**31 - 1)
_NEGATIVE = (-1, -7, -(2**31))
_UNSIGNED = {FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_UINT64}


def not_offered(ruleset: Ruleset, listed: Sequence[Command], met: Sequence[Command], random: Random) -> Command | None:
    """A command that is not listed now; None if this attempt found none."""
    if met and random.random() < 0.4:
        candidate = random.choice(met)
    else:
        source = random.choice(met) if met and random.random() < 0.3 else random.choice(listed)
        message = ruleset.command_to_proto(source)
        others = [ruleset.command_to_proto(other) for other in random.sample(met, min(len(met), 3))]
        if not _bend(message, others, random):
            return None
        try:
            candidate = ruleset.command_from_proto(message)
        except RuleViolation:
            return None  # refused at the edge, before there is a command
    return None if candidate in listed else candidate


def _bend(message: Message, others: Sequence[Message], random: Random) -> bool:
    """Changes one field somewhere in the message; False if there is none."""
    holder = _innermost(message)
    fields: list[Any] = [*holder.DESCRIPTOR.fields]
    if not fields:
        return False
    field = random.choice(fields)
    values: list[Any] = []
    for other in map(_innermost, others):
        values += [
            getattr(other, like.name)
            for like in other.DESCRIPTOR.fields
            if like.type == field.type and like.is_repeated == field.is_repeated
        ]
    if field.is_repeated:
        _bend_list(getattr(holder, field.name), values, random)
    elif field.message_type is not None:
        holder.ClearField(field.name)
    else:
        setattr(holder, field.name, random.choice([*values, *_made_up(field, getattr(holder, field.name))]))
    return True


def _innermost(message: Message) -> Message:
    """The game's own message inside the envelopes: down through every field of a oneof."""
    while message.DESCRIPTOR.oneofs:
        name = message.WhichOneof(message.DESCRIPTOR.oneofs[0].name)
        if name is None or message.DESCRIPTOR.fields_by_name[name].message_type is None:
            break
        message = getattr(message, name)
    return message


def _made_up(field: FieldDescriptor, value: Any) -> Sequence[Any]:
    if field.enum_type is not None:
        return [*(each.number for each in field.enum_type.values), 99]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        near = [value + 1, value + 2, *_NUMBERS]
        return near if field.type in _UNSIGNED else [*near, value - 1, *_NEGATIVE]
    return _NONSENSE if isinstance(value, str) else [b"", b"?"]


def _bend_list(values: Any, others: Sequence[Any], random: Random) -> None:
    kept = list(values)
    more = [one for other in others for one in other]
    match random.randrange(5):
        case 0:
            kept = kept[:-1]
        case 1:
            kept = kept + kept
        case 2:
            kept.reverse()
        case 3 if more:
            kept.append(random.choice(more))
        case _:
            kept = [random.choice([*more, *kept])] if more or kept else []
    del values[:]
    values.extend(kept)
