"""When it is: round and phase, workers and cards, and what remains to be done."""

from msgspec import UNSET

from wellhead_rules.kernel.scenarios.described import PositionError
from wellhead_rules.oilfield import events as e
from wellhead_rules.oilfield import rounds, selection
from wellhead_rules.oilfield.commands import CommitPrivateAction
from wellhead_rules.oilfield.content import CARDS
from wellhead_rules.oilfield.described import SEATS, ActingSaid, Description
from wellhead_rules.oilfield.game import NOBODY, Game
from wellhead_rules.oilfield.vocabulary import ActionCard, Phase, Step

_USUAL_CARD = "lease"


def set_moment(game: Game, said: Description) -> None:
    """Round and phase, and what remains to be done."""
    at = _moment(said)
    number = 1 if said.round is UNSET else said.round
    last = number in (said.final_round, game.content.max_rounds) or at == "final_scoring"
    game.record(e.RoundStarted(number, last if said.is_final is UNSET else said.is_final))
    if said.final_round:
        game.record(e.EndTriggered(said.final_round))
    _place_workers(game, said)
    {
        "public_selection": _public_selection,
        "private_selection": _private_selection,
        "public_actions": _public_actions,
        "private_actions": _private_actions,
        "check": _check,
        "acting": _acting,
        "end_of_round": _end_of_round,
        "final_scoring": _end_of_round,
    }[at](game, said)


def _moment(said: Description) -> str:
    """What comes next: an action, or what `at` says, or the beginning of the phase."""
    if said.acting:
        at, phase = "acting", "private_actions" if _is_private(said.acting) else "public_actions"
        if said.at:
            raise PositionError(("at",), "an action comes next")
    else:
        at = phase = said.at or said.phase or "public_selection"
    if said.phase not in (UNSET, phase) and at != "check":
        raise PositionError(("phase",), f"what comes next belongs to {phase}")
    if at == "game_over":
        raise PositionError(("phase",), "nothing comes after the game")
    if said.turn and at != "public_selection":
        raise PositionError(("turn",), "nobody places a worker")
    return at


def seat_of(game: Game, name: str, *path: str | int) -> int:
    """The seat of a name."""
    if name not in SEATS[: len(game.players)]:
        raise PositionError(path, f"{name} does not play")
    return SEATS.index(name)


def space_of(game: Game, space: str, *path: str | int) -> str:
    """The space, if it is used with so many players."""
    index = game.content.space_index.get(space)
    if index not in game.content.spaces_in_play[len(game.players)]:
        raise PositionError(path, f"there is no space {space} in this game")
    return space


def _remaining(game: Game, step: Step) -> list[e.Frame]:
    """What remains of the round from a step on; CHECK is the first of its two."""
    course = rounds.course(game)
    return course[[frame.step for frame in course].index(step) :]


def _place_workers(game: Game, said: Description) -> None:
    for seat, name in enumerate(SEATS[: len(game.players)]):
        space = said.of(seat).worker
        if space:
            if game.workers[game.content.space_index[space_of(game, space, name, "worker")]] != NOBODY:
                raise PositionError((name, "worker"), f"a worker stands on {space} already")
            game.record(e.WorkerPlaced(seat, space))


def _cards(game: Game, said: Description) -> list[ActionCard]:
    """By seat, the card of the round."""
    cards = [said.of(seat).card or _USUAL_CARD for seat in range(len(game.players))]
    if said.acting and _is_private(said.acting):
        cards[SEATS.index(said.acting.seat)] = said.acting.action
    return [CARDS[card] for card in cards]


def _commit_cards(game: Game, said: Description) -> None:
    """Every card lies face down."""
    for seat, card in enumerate(_cards(game, said)):
        game.record(e.PrivateActionCommitted(seat, card))


def _reveal_cards(game: Game, said: Description) -> None:
    """Every card has been revealed, the dummy's as well, and the price is fixed."""
    _commit_cards(game, said)
    game.record(e.PhaseStarted(Phase.PRIVATE_ACTIONS))
    if game.has_dummy:
        game.record(e.DummyCardDrawn(CARDS[(said.dummy.card if said.dummy else None) or _USUAL_CARD]))
    cards = _cards(game, said)
    game.record(e.PrivateActionsRevealed(tuple(map(e.RevealedCard, range(len(cards)), cards))))
    sellers = said.sellers or [*cards, game.dummy_card].count(ActionCard.NATIONAL)
    if sellers:
        game.record(e.NationalPriceFixed(sellers, said.national_price or game.content.national_price[sellers]))


# -- the moments -----------------------------------------------------------------------------------------------


def _public_selection(game: Game, said: Description) -> None:
    game.record(e.PhaseStarted(Phase.PUBLIC_SELECTION))
    frames = _remaining(game, Step.PLACE_WORKER)
    placing = [frame for frame in frames if frame.step == Step.PLACE_WORKER and frame.seat not in game.workers]
    if said.turn:
        seat = seat_of(game, said.turn, "turn")
        if seat in game.workers:
            raise PositionError(("turn",), f"the worker of {said.turn} is placed")
        placing = placing[[frame.seat for frame in placing].index(seat) :]
    if not placing:
        raise PositionError(("at",), "every worker is placed")
    game.push(*placing, *_remaining(game, Step.COMMIT_PRIVATE))


def _private_selection(game: Game, said: Description) -> None:
    """Cards that are said have been committed already."""
    game.record(e.PhaseStarted(Phase.PUBLIC_SELECTION))
    frames = _remaining(game, Step.COMMIT_PRIVATE)
    committed = {seat: card for seat in range(len(game.players)) if (card := said.of(seat).card)}
    if not committed:
        return game.push(*frames)
    game.push(*frames[1:])
    selection.ask_for_cards(game, frames[0])
    for seat, card in committed.items():
        game.record(e.DecisionClosed(game.last_decision_id, seat))
        selection.commit(game, seat, CommitPrivateAction(CARDS[card]))


def _public_actions(game: Game, said: Description) -> None:
    _commit_cards(game, said)
    game.record(e.PhaseStarted(Phase.PUBLIC_ACTIONS))
    game.push(*_remaining(game, Step.PUBLIC_ACTIONS))


def _private_actions(game: Game, said: Description) -> None:
    _commit_cards(game, said)
    game.record(e.PhaseStarted(Phase.PUBLIC_ACTIONS))
    game.push(*_remaining(game, Step.REVEAL))


def _check(game: Game, said: Description) -> None:
    if said.phase in (UNSET, "public_actions"):
        _commit_cards(game, said)
        game.record(e.PhaseStarted(Phase.PUBLIC_ACTIONS))
        game.push(*_remaining(game, Step.CHECK))
    elif said.phase == "private_actions" and not game.is_final:
        _all_done(game, said)
        game.push(*_remaining(game, Step.REVEAL)[1:])
    else:
        raise PositionError(("phase",), "no check follows it")


def _end_of_round(game: Game, said: Description) -> None:
    _all_done(game, said)
    game.push(e.Frame(Step.NEXT_ROUND))


def _all_done(game: Game, said: Description) -> None:
    """Every private action is over."""
    _reveal_cards(game, said)
    for seat in game.turn_order:
        game.record(e.PrivateCardReturned(seat))


# -- an action that comes up -----------------------------------------------------------------------------------


def _acting(game: Game, said: Description) -> None:
    acting = said.acting
    assert acting
    seat = seat_of(game, acting.seat, "acting", "seat")
    if _is_private(acting):
        _act_privately(game, said, acting, seat)
    else:
        _act_publicly(game, said, acting, seat)


def _is_private(acting: ActingSaid) -> bool:
    return acting.origin == "private" or (acting.origin is UNSET and acting.action == "national")


def _act_publicly(game: Game, said: Description, acting: ActingSaid, seat: int) -> None:
    """The worker stands on a space of the action, before any other."""
    spaces = game.content.spaces
    fitting = [
        index
        for index in game.content.spaces_in_play[len(game.players)]
        if spaces[index].action.name.lower() == acting.action
        and game.workers[index] in (NOBODY, seat)
        and acting.price in (UNSET, spaces[index].bid)
    ]
    own = game.workers.index(seat) if seat in game.workers else None
    if not fitting or (own is not None and own not in fitting):
        raise PositionError(("acting", "action"), f"no space for {acting.action} is left for {acting.seat}")
    if own is None:
        game.record(e.WorkerPlaced(seat, spaces[fitting[0]].id))
    first = next(who for who in game.workers if who >= 0)
    if first != seat:
        raise PositionError(("acting", "seat"), f"the action of {SEATS[first]} comes first")
    _public_actions(game, said)


def _act_privately(game: Game, said: Description, acting: ActingSaid, seat: int) -> None:
    """The card of the action has been revealed, and those before in the turn order have acted."""
    if acting.action not in CARDS or said.of(seat).card not in (UNSET, acting.action):
        raise PositionError(("acting", "action"), f"{acting.seat} has no card for it")
    price = game.content.data.private_lease_price.coins if acting.action == "lease" else 0
    if acting.price not in (UNSET, price):
        raise PositionError(("acting", "price"), f"it is ${price}")
    _reveal_cards(game, said)
    order = game.turn_order
    place = order.index(seat)
    for other in order[:place]:
        game.record(e.PrivateCardReturned(other))
    frames = [e.Frame(Step.PRIVATE_ACTION, other) for other in order[place:]]
    if game.has_dummy and game.options.get("dummy_timing") == "between_players" and not place:
        frames.insert(1, e.Frame(Step.DUMMY_CARD))
    game.push(*frames, *_remaining(game, Step.REVEAL)[1:])
