"""Between the records of Oil Rock and protobuf."""

from wellhead.oil_rock.v1 import commands_pb2, events_pb2
from wellhead_rules.kernel.codec import Codec
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import commands, events


def _not_expected() -> RuleViolation:
    return RuleViolation("COMMAND_NOT_EXPECTED", "OR-FLOW.1", "it is empty, or not a command of Oil Rock")


CODEC = Codec(
    "oil_rock",
    commands,
    commands_pb2,
    events,
    events_pb2,
    (events.Frame, events.HiddenCards, events.Standing),
    _not_expected,
)

command_name = CODEC.command_name
event_name = CODEC.event_name
command_to_proto = CODEC.command_to_proto
command_from_proto = CODEC.command_from_proto
events_to_proto = CODEC.events_to_proto
events_from_proto = CODEC.events_from_proto
