"""How scenario files say commands and facts; names and values are those of sections F.1 and F.2."""

from wellhead_rules.kernel.scenarios.wording import Wording, kinds
from wellhead_rules.oilfield import commands, events
from wellhead_rules.oilfield.described import SEATS
from wellhead_rules.oilfield.game import NO_CARD
from wellhead_rules.oilfield.vocabulary import DecisionKind, LostReason, VpCategory

WORDING = Wording(
    kinds(commands, commands.Command),
    kinds(events, events.Event),
    SEATS,
    seat_fields=("seat", "seats", "winners"),
    upper_case=(LostReason,),
    left_out=("agenda", "parameters"),
    hidden={"card": NO_CARD},
)

DECISION_KINDS = tuple(kind.name.lower() for kind in DecisionKind)
SCORE_CATEGORIES = tuple(category.name.lower() for category in VpCategory)
