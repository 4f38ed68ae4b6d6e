"""What a decision point is made of (section E.5)."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock.commands import Command
from wellhead_rules.oil_rock.events import Frame
from wellhead_rules.oil_rock.game import Game

Options = list[Command]


class DecisionPoint(Struct, frozen=True):
    """One kind of question, asked by the frame on top of the agenda.

    `options` lists every legal answer; `choose` does what the chosen one says, with the asking frame taken off the
    agenda; `refuse` says why a command of an expected kind is not in the list. `answers` are the kinds expected.
    `skipped` is what happens when nothing is legal; without it an empty list is passed over in silence. `always_asks`
    keeps the engine from answering a single option itself; `unexpected` narrows `answers` to the position.
    """

    options: Callable[[Game, Frame], Options]
    choose: Callable[[Game, Frame, Any], None]
    refuse: Callable[[Game, Frame, Any], RuleViolation]
    answers: tuple[type[Command], ...]
    skipped: Callable[[Game, Frame], None] | None = None
    always_asks: Callable[[Game, Frame], bool] | None = None
    unexpected: Callable[[Game, Any], bool] | None = None


def not_listed(clause: str) -> Callable[[Game, Frame, Any], RuleViolation]:
    """The refusal of a decision whose every well-formed answer is legal."""

    def refuse(game: Game, frame: Frame, command: Command) -> RuleViolation:
        return RuleViolation("COMMAND_NOT_EXPECTED", clause, f"{command} is not offered")

    return refuse
