"""Action selection (OF-4): workers one by one, action cards all at once."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.commands import CommitPrivateAction, PlaceWorker
from wellhead_rules.oilfield.decision import Options, ask
from wellhead_rules.oilfield.events import Frame, PhaseStarted, PrivateActionCommitted, WorkerPlaced
from wellhead_rules.oilfield.game import NOBODY, Game
from wellhead_rules.oilfield.vocabulary import DecisionKind, Phase

# -- public selection (OF-D-1) ---------------------------------------------------------------------------------


def ask_for_worker(game: Game, frame: Frame) -> None:
    """A free space always exists (OF-4.3)."""
    ask(game, DecisionKind.PLACE_WORKER, frame)


def spaces(game: Game, frame: Frame) -> Options:
    """Every free space in play (OF-4.2, OF-4.4)."""
    listed, workers = game.content.spaces, game.workers
    in_play = game.content.spaces_in_play[len(game.players)]
    return [PlaceWorker(listed[index].id) for index in in_play if workers[index] == NOBODY]


def place(game: Game, frame: Frame, command: PlaceWorker) -> None:
    """The worker stands there until its action is over."""
    game.record(WorkerPlaced(frame.seat, command.space_id))


def refuse_space(game: Game, frame: Frame, command: PlaceWorker) -> RuleViolation:
    """Why a worker cannot stand there."""
    index = game.content.space_index.get(command.space_id)
    if index is None:
        return RuleViolation("UNKNOWN_SPACE", "OF-4.1", f"there is no action space {command.space_id!r}")
    if index not in game.content.spaces_in_play[len(game.players)]:
        detail = f"{command.space_id} is not used with {len(game.players)} players"
        return RuleViolation("SPACE_NOT_IN_PLAY", "OF-4.4", detail)
    return RuleViolation("SPACE_OCCUPIED", "OF-4.2", f"a worker stands on {command.space_id}")


# -- private selection (OF-D-2) --------------------------------------------------------------------------------


def ask_for_cards(game: Game, frame: Frame) -> None:
    """Every seat owes a card at once (OF-4.8)."""
    game.record(PhaseStarted(Phase.PRIVATE_SELECTION))
    ask(game, DecisionKind.COMMIT_PRIVATE, frame, tuple(range(len(game.players))))


def cards(game: Game, frame: Frame) -> Options:
    """All five cards, every round (OF-4.9)."""
    return [CommitPrivateAction(card) for card in game.content.cards]


def commit(game: Game, seat: int, command: CommitPrivateAction) -> None:
    """The card lies face down (OF-4.10, OF-4.12); the last one begins the public actions phase (OF-4.11)."""
    game.record(PrivateActionCommitted(seat, command.card))
    if game.open is None:
        game.record(PhaseStarted(Phase.PUBLIC_ACTIONS))


def refuse_card(game: Game, frame: Frame, command: CommitPrivateAction) -> RuleViolation:
    """Why a card cannot be committed; the card itself is not named (OF-4.12)."""
    return RuleViolation("UNKNOWN_CARD", "OF-4.9", "there is no such action card")
