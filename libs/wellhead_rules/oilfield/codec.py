"""Between the records of Oilfield and protobuf."""

from wellhead.oilfield.v1 import commands_pb2, events_pb2
from wellhead_rules.kernel.codec import Codec
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import commands, events


def _not_expected() -> RuleViolation:
    return RuleViolation("COMMAND_NOT_EXPECTED", "OF-5.4", "it is empty, or not a command of Oilfield")


CODEC = Codec(
    "oilfield",
    commands,
    commands_pb2,
    events,
    events_pb2,
    (events.Frame, events.ConfiguredSeat, events.RevealedCard, events.Standing, events.DummyTower),
    _not_expected,
)
