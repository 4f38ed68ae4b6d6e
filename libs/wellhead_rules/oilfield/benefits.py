"""First player (OF-12) and subsidy (OF-13)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.commands import Command, TakeFirstPlayer, TakeSubsidy
from wellhead_rules.oilfield.decision import Options
from wellhead_rules.oilfield.events import FirstPlayerTaken, Frame, SubsidyTaken
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.vocabulary import LostReason

FIRST_PLAYER_ANSWERS: tuple[type[Command], ...] = (TakeFirstPlayer,)
SUBSIDY_ANSWERS: tuple[type[Command], ...] = (TakeSubsidy,)


def first_player_options(game: Game, seat: int) -> Options:
    """OF-D-10: also for whoever has the card already (OF-12.2)."""
    return [TakeFirstPlayer()]


def take_first_player(game: Game, frame: Frame, command: TakeFirstPlayer) -> None:
    """The turn order changes at once (OF-5.6, OF-12.1)."""
    game.record(FirstPlayerTaken(frame.seat))


def subsidy_options(game: Game, seat: int) -> Options:
    """OF-D-11."""
    return [TakeSubsidy()]


def take_subsidy(game: Game, frame: Frame, command: TakeSubsidy) -> None:
    """The whole pot (OF-13.1)."""
    game.record(SubsidyTaken(frame.seat, game.subsidy_pot))


def never_hopeless(game: Game, seat: int) -> LostReason | None:
    """These actions can always be carried out."""
    return None


def never_refused(game: Game, seat: int, command: Command) -> RuleViolation:
    """These commands have no field that could be wrong."""
    return RuleViolation("WRONG_PHASE", "OF-5.4", "the command does not answer the open decision")
