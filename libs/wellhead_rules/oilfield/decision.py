"""What a decision is made of (section E)."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.commands import Command
from wellhead_rules.oilfield.events import DecisionOpened, Frame
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.vocabulary import DecisionKind

Options = list[Command]


class DecisionPoint(Struct, frozen=True):
    """One kind of question, asked by the frame that stands in its `parameters`.

    `options` lists every legal answer; `choose` does what the chosen one says; `refuse` says why a well-formed answer
    is not in the list. `answers` are the kinds of command expected. `moot` is told for a seat whose own sale may have
    taken the last answer but refusing: what then happens is recorded by it (OF-5.7, OF-20.13).
    """

    options: Callable[[Game, Frame], Options]
    choose: Callable[[Game, Frame, Any], None]
    refuse: Callable[[Game, Frame, Any], RuleViolation]
    answers: tuple[type[Command], ...]
    moot: Callable[[Game, Frame], Callable[[], None] | None] | None = None


def ask(game: Game, kind: DecisionKind, frame: Frame, seats: tuple[int, ...] = ()) -> None:
    """Opens a decision, for the seat of the frame unless others are named."""
    owners = seats or (frame.seat,)
    game.record(DecisionOpened(game.last_decision_id + 1, kind, owners, tuple(game.agenda), frame))
