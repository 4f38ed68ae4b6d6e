"""`field_check` (OF-16), strikes (OF-17), and the government towers that are settled in it (OF-20.8 to OF-20.13)."""

from collections.abc import Callable

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield import investments
from wellhead_rules.oilfield.commands import Command, ForfeitGovernmentTower, PayGovernmentTower
from wellhead_rules.oilfield.decision import DecisionPoint, Options, ask
from wellhead_rules.oilfield.events import (
    EndTriggered,
    FieldExhausted,
    FieldReplenished,
    Frame,
    GovernmentPaymentDemanded,
    GovernmentTowerForfeited,
    GovernmentTowerLiberated,
    OilfieldMarkerAdvanced,
    StrikeCubeReturnedToBag,
    StrikeEnded,
    StrikeStarted,
)
from wellhead_rules.oilfield.game import NOBODY, Game
from wellhead_rules.oilfield.vocabulary import DecisionKind, Step


def check(game: Game, frame: Frame) -> None:
    """Ends the strike of the phase just finished, then goes through the fields (OF-16.1, OF-16.2)."""
    if game.strike_field != NOBODY:
        game.record(StrikeEnded(game.content.fields[game.strike_field]))
        game.record(StrikeCubeReturnedToBag())
    fields = [Frame(Step.CHECK_FIELD, field=field) for field in game.content.fields]
    game.push(*fields, Frame(Step.CHECK_END))


def check_field(game: Game, frame: Frame) -> None:
    """A field without oil moves on: it is exhausted, or settled and refilled (OF-16.2 to OF-16.5)."""
    field = game.content.field_index[frame.field]
    if game.exhausted[field] or game.oil[field]:
        return
    step = game.steps[field] + 1
    game.record(OilfieldMarkerAdvanced(frame.field, step))
    if step >= game.content.data.depletion_track.end_step:
        game.record(FieldExhausted(frame.field))
        return
    towers = [
        Frame(Step.SETTLE_GOVERNMENT_TOWER, seat, tile_id=tile)
        for seat in game.turn_order
        for tile in _restricted(game, seat, field)
    ]
    game.push(*towers, Frame(Step.REPLENISH, field=frame.field))


def replenish(game: Game, frame: Frame) -> None:
    """Cubes from the bag until the field is full, one at a time; the strike cube does not count (OF-16.5, OF-16.6)."""
    field = game.content.field_index[frame.field]
    capacity = game.content.data.field_capacity.by_players[len(game.players)]
    oil, gas, strike = 0, 0, game.strike_in_bag
    missing = capacity - game.oil[field] - game.gas[field]
    while oil + gas < missing and game.bag_oil + game.bag_gas > oil + gas:
        bag = ("oil",) * (game.bag_oil - oil) + ("gas",) * (game.bag_gas - gas) + ("strike",) * strike
        drawn = game.draw(bag)
        if drawn == "oil":
            oil += 1
        elif drawn == "gas":
            gas += 1
        else:
            strike = False
    if strike != game.strike_in_bag:
        game.record(StrikeStarted(frame.field))
    game.record(FieldReplenished(frame.field, oil, gas))


def check_end(game: Game, frame: Frame) -> None:
    """Triggers the end once, when two fields are exhausted (OF-18.1, OF-18.2, OF-18.4)."""
    if sum(game.exhausted) >= 2 and not game.final_round and not game.is_final:
        game.record(EndTriggered(min(game.round + 1, game.content.max_rounds)))


# -- government towers (OF-D-13) -------------------------------------------------------------------------------


def _restricted(game: Game, seat: int, field: int) -> list[str]:
    """The player's restricted towers in a field, lowest number first (OF-20.9)."""
    slots = (game.slots[slot] for slot in game.content.slots_of_field[field])
    owned = [slot.tile for slot in slots if slot.owner == seat and slot.disc]
    return sorted(owned, key=game.content.tile_place.__getitem__)


def settle(game: Game, frame: Frame) -> None:
    """Asks the owner to pay, unless it cannot possibly (OF-20.8, OF-20.13)."""
    if _helpless(game, frame):
        return _forfeit(game, frame)
    game.record(GovernmentPaymentDemanded(frame.seat, frame.tile_id, _amount(game, frame)))
    ask(game, DecisionKind.GOVERNMENT_PAYMENT, frame)


def _amount(game: Game, frame: Frame) -> int:
    return game.kind(frame.tile_id).liberation_price


def _helpless(game: Game, frame: Frame) -> bool:
    """Too few coins and nothing to sell."""
    return game.players[frame.seat].coins < _amount(game, frame) and not investments.owned(game, frame.seat)


def _moot(game: Game, frame: Frame) -> Callable[[], None] | None:
    return (lambda: _forfeit(game, frame)) if _helpless(game, frame) else None


def _options(game: Game, frame: Frame) -> Options:
    affordable = game.players[frame.seat].coins >= _amount(game, frame)
    refusal = ForfeitGovernmentTower(frame.tile_id)
    return [PayGovernmentTower(frame.tile_id), refusal] if affordable else [refusal]


def _choose(game: Game, frame: Frame, command: PayGovernmentTower | ForfeitGovernmentTower) -> None:
    if isinstance(command, PayGovernmentTower):
        game.record(GovernmentTowerLiberated(frame.seat, frame.tile_id, _amount(game, frame)))
    else:
        _forfeit(game, frame)


def _forfeit(game: Game, frame: Frame) -> None:
    """Tower and lease go to the markets; of several own cards of the field the lowest (OF-20.11)."""
    content = game.content
    index = next(index for index, slot in enumerate(game.slots) if slot.tile == frame.tile_id)
    field = content.field_of_slot[index]
    card = next(card for card in game.players[frame.seat].leases if content.field_of_lease[card] == field)
    game.record(GovernmentTowerForfeited(frame.seat, frame.tile_id, content.slots[index], card))


def _refuse(game: Game, frame: Frame, command: Command) -> RuleViolation:
    assert isinstance(command, PayGovernmentTower | ForfeitGovernmentTower)
    if command.tile_id != frame.tile_id:
        return RuleViolation("NO_PAYMENT_DEMANDED", "OF-20.8", f"nothing is demanded for {command.tile_id!r}")
    detail = f"${_amount(game, frame)} are demanded, you have ${game.players[frame.seat].coins}"
    return RuleViolation("INSUFFICIENT_COINS", "OF-20.8", detail)


PAYMENT = DecisionPoint(_options, _choose, _refuse, (PayGovernmentTower, ForfeitGovernmentTower), _moot)
"""OF-D-13."""
