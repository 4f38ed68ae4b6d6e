"""How scenario files say commands and facts; names and values are those of sections F.1 and F.2."""

from wellhead_rules.kernel.scenarios.wording import Wording, kinds
from wellhead_rules.oil_rock import commands, events
from wellhead_rules.oil_rock.described import PLAYERS
from wellhead_rules.oil_rock.vocabulary import CardOrigin, DecisionKind, Reason, Worker, WorkerSpace

_FROM_TO = {"from": "origin", "to": "space"}

WORDING = Wording(
    kinds(commands, commands.Command),
    kinds(events, events.Event),
    PLAYERS,
    seat_fields=("player", "owner", "order"),
    upper_case=(Reason, WorkerSpace, Worker, CardOrigin),
    # What the rules document calls otherwise than the code, whose words Python reserves or protobuf shares.
    renamed={
        "ProgressMarkerMoved": _FROM_TO,
        "TrainMoved": {"from": "origin", "to": "region"},
        "EngineerMoved": {"from": "origin", "to": "region"},
        "ImprovementRevealed": {"from": "origin"},
        "ImprovementTaken": {"from": "origin"},
        "WorkerPlaced": {"tile": "place", "circle": "place", "named_tile": "place"},
    },
    left_out=("agenda",),
    lifted={"hidden": ("improvements",)},
)

DECISION_KINDS = tuple(kind.name.lower() for kind in DecisionKind)
