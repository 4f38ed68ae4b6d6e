"""Carrying out what was chosen (OF-5, OF-6): one action after the other, asked for, passed, lost or done."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import benefits, building, drilling, dummy, investments, leases, sales
from wellhead_rules.oilfield.commands import Command, PassAction
from wellhead_rules.oilfield.decision import DecisionPoint, Options, ask
from wellhead_rules.oilfield.events import (
    ActionCompleted,
    ActionLost,
    ActionPassed,
    ActionStarted,
    Frame,
    NationalPriceFixed,
    PhaseStarted,
    PrivateActionsRevealed,
    PrivateCardReturned,
    RevealedCard,
    WorkerReturned,
)
from wellhead_rules.oilfield.game import CurrentAction, Game
from wellhead_rules.oilfield.vocabulary import Action, ActionCard, ActionOrigin, DecisionKind, LostReason, Phase, Step


class Resolution(Struct, frozen=True):
    """How an action is carried out: what is asked, what could be done, and why nothing can.

    `hopeless` is the reason why it could not be carried out with unlimited coins and a free investment marker either,
    None if it could (OF-5.5).
    """

    kind: DecisionKind
    answers: tuple[type[Command], ...]
    options: Callable[[Game, int], Options]
    hopeless: Callable[[Game, int], LostReason | None]
    carry_out: Callable[[Game, Frame, Any], None]
    refuse: Callable[[Game, int, Any], RuleViolation]


RESOLUTIONS: Mapping[Action, Resolution] = {
    Action.LEASE: Resolution(
        DecisionKind.RESOLVE_LEASE, leases.ANSWERS, leases.options, leases.hopeless, leases.take, leases.refuse
    ),
    Action.BUILD: Resolution(
        DecisionKind.RESOLVE_BUILD, building.ANSWERS, building.options, building.hopeless, building.build,
        building.refuse,
    ),
    Action.DRILL: Resolution(
        DecisionKind.RESOLVE_DRILL, drilling.ANSWERS, drilling.options, drilling.hopeless, drilling.drill_and_ask,
        drilling.refuse,
    ),
    Action.LOCAL: Resolution(
        DecisionKind.RESOLVE_LOCAL, sales.LOCAL_ANSWERS, sales.local_options, sales.local_hopeless, sales.sell_local,
        sales.refuse_local,
    ),
    Action.NATIONAL: Resolution(
        DecisionKind.RESOLVE_NATIONAL, sales.NATIONAL_ANSWERS, sales.national_options, sales.national_hopeless,
        sales.sell_national, sales.refuse_national,
    ),
    Action.FIRST_PLAYER: Resolution(
        DecisionKind.RESOLVE_FIRST_PLAYER, benefits.FIRST_PLAYER_ANSWERS, benefits.first_player_options,
        benefits.never_hopeless, benefits.take_first_player, benefits.never_refused,
    ),
    Action.SUBSIDY: Resolution(
        DecisionKind.RESOLVE_SUBSIDY, benefits.SUBSIDY_ANSWERS, benefits.subsidy_options, benefits.never_hopeless,
        benefits.take_subsidy, benefits.never_refused,
    ),
    Action.INVEST: Resolution(
        DecisionKind.RESOLVE_INVEST, investments.ANSWERS, investments.options, investments.hopeless, investments.buy,
        investments.refuse,
    ),
}  # fmt: skip


# -- one after the other ---------------------------------------------------------------------------------------


def public_actions(game: Game, frame: Frame) -> None:
    """The next space with a player's worker, in board order (OF-5.1)."""
    for index, seat in enumerate(game.workers):
        if seat >= 0:
            space = game.content.spaces[index]
            game.push(frame)
            return _start(game, seat, space.action, ActionOrigin.PUBLIC, space.bid)


def reveal(game: Game, frame: Frame) -> None:
    """The private actions phase: the dummy's card, the reveal, the national price, then seat by seat (OF-6)."""
    game.record(PhaseStarted(Phase.PRIVATE_ACTIONS))
    between = False
    if game.has_dummy:
        dummy.draw_card(game)
        between = game.options["dummy_timing"] == "between_players"
        if not between:
            dummy.carry_out(game)
    game.record(PrivateActionsRevealed(tuple(map(RevealedCard, range(len(game.players)), game.committed))))  # type: ignore[arg-type]
    sellers = [*game.revealed, game.dummy_card].count(ActionCard.NATIONAL)
    if sellers:
        game.record(NationalPriceFixed(sellers, game.content.national_price[sellers]))
    frames = [Frame(Step.PRIVATE_ACTION, seat) for seat in game.turn_order]
    if between:
        frames.insert(1, Frame(Step.DUMMY_CARD))
    game.push(*frames)


def private_action(game: Game, frame: Frame) -> None:
    """A seat's action comes up (OF-6.3)."""
    action = Action(game.revealed[frame.seat])
    price = game.content.data.private_lease_price.coins if action is Action.LEASE else 0
    _start(game, frame.seat, action, ActionOrigin.PRIVATE, price)


def _start(game: Game, seat: int, action: Action, origin: ActionOrigin, price: int) -> None:
    game.record(ActionStarted(seat, action, origin, price))
    frame = Frame(Step.RESOLVE, seat)
    reason = lost(game, frame)
    if reason is not None:
        return _lose(game, reason)
    ask(game, RESOLUTIONS[action].kind, frame)


def lost(game: Game, frame: Frame) -> LostReason | None:
    """Why the action is lost without asking, None if the player is asked (OF-5.5)."""
    seat, action = frame.seat, running(game).action
    resolution = RESOLUTIONS[Action(action)]
    if resolution.options(game, seat):
        return None
    hopeless = resolution.hopeless(game, seat)
    if hopeless is not None:
        return hopeless
    return None if investments.owned(game, seat) else LostReason.INSUFFICIENT_COINS


def moot(game: Game, frame: Frame) -> Callable[[], None] | None:
    """After a sale by the asked player: what happens if nothing can be done any more (OF-5.7)."""
    if investments.owned(game, frame.seat):
        return None
    reason = lost(game, frame)
    return None if reason is None else lambda: _lose(game, reason)


# -- the end of an action --------------------------------------------------------------------------------------


def running(game: Game) -> CurrentAction:
    """The action that is being carried out."""
    if game.current is None:
        raise RuntimeError("no action is being carried out")
    return game.current


def complete(game: Game, frame: Frame) -> None:
    """The action is done, as far as its player wanted."""
    current = running(game)
    game.record(ActionCompleted(current.seat, current.action, current.origin))
    _return_piece(game, current)


def pass_action(game: Game) -> None:
    """The player passes (OF-3.5)."""
    current = running(game)
    game.record(ActionPassed(current.seat, current.action, current.origin))
    _return_piece(game, current)


def _lose(game: Game, reason: LostReason) -> None:
    current = running(game)
    game.record(ActionLost(current.seat, current.action, current.origin, reason))
    _return_piece(game, current)


def _return_piece(game: Game, current: CurrentAction) -> None:
    """Worker or card go back to their player (OF-5.3, OF-6.4)."""
    if current.origin == ActionOrigin.PUBLIC:
        space = game.content.spaces[game.workers.index(current.seat)]
        game.record(WorkerReturned(current.seat, space.id))
    else:
        game.record(PrivateCardReturned(current.seat))


# -- the question ----------------------------------------------------------------------------------------------


def _decision_point(resolution: Resolution) -> DecisionPoint:
    def options(game: Game, frame: Frame) -> Options:
        return [*resolution.options(game, frame.seat), PassAction()]

    def choose(game: Game, frame: Frame, command: Command) -> None:
        if isinstance(command, PassAction):
            return pass_action(game)
        game.push(Frame(Step.COMPLETE, frame.seat))
        resolution.carry_out(game, frame, command)

    def refuse(game: Game, frame: Frame, command: Command) -> RuleViolation:
        return resolution.refuse(game, frame.seat, command)

    return DecisionPoint(options, choose, refuse, (*resolution.answers, PassAction), moot)


POINTS: Mapping[DecisionKind, DecisionPoint] = {
    resolution.kind: _decision_point(resolution) for resolution in RESOLUTIONS.values()
}
"""How each action is asked for (OF-D-3, 4, 6, 7, 8, 10, 11, 12)."""
