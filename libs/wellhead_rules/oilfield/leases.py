"""Lease (OF-7)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.commands import Command, TakeLease
from wellhead_rules.oilfield.decision import Options
from wellhead_rules.oilfield.events import Frame, LeaseTaken
from wellhead_rules.oilfield.game import NOBODY, Game
from wellhead_rules.oilfield.vocabulary import LostReason

ANSWERS: tuple[type[Command], ...] = (TakeLease,)


def price(game: Game) -> int:
    """What the running action asks for a lease: the bid, or the fixed price (OF-7.1, OF-7.2)."""
    return game.current.lease_price if game.current is not None else 0


def options(game: Game, seat: int) -> Options:
    """Every field with a card in the market, if the player can pay (OF-7.1, OF-7.4, OF-7.5)."""
    player = game.players[seat]
    if not player.lease_markers or player.coins < price(game):
        return []
    fields = {game.content.field_of_lease[card] for card in game.lease_market}
    return [TakeLease(field) for index, field in enumerate(game.content.fields) if index in fields]


def hopeless(game: Game, seat: int) -> LostReason | None:
    """No card, or no marker (OF-7.3, OF-7.5)."""
    if not game.lease_market:
        return LostReason.NO_LEASE_CARDS
    return None if game.players[seat].lease_markers else LostReason.NO_LEASE_MARKER


def take(game: Game, frame: Frame, command: TakeLease) -> None:
    """The lowest card and slot of the field (OF-7.4); a field has as many slots as cards."""
    content = game.content
    field = content.field_index[command.field]
    cards = [card for card in game.lease_market if content.field_of_lease[card] == field]
    slot = next(slot for slot in content.slots_of_field[field] if game.slots[slot].owner == NOBODY)
    lowest = min(cards, key=content.lease_place.__getitem__)
    game.record(LeaseTaken(frame.seat, lowest, content.slots[slot], price(game)))


def refuse(game: Game, seat: int, command: TakeLease) -> RuleViolation:
    """Why a lease cannot be taken."""
    content = game.content
    if command.field not in content.field_index:
        return RuleViolation("UNKNOWN_FIELD", "OF-7.1", f"there is no field {command.field!r}")
    if content.field_index[command.field] not in {content.field_of_lease[card] for card in game.lease_market}:
        return RuleViolation("LEASE_NOT_IN_MARKET", "OF-7.1", f"no lease card of {command.field} is in the market")
    detail = f"the lease costs ${price(game)}, you have ${game.players[seat].coins}"
    return RuleViolation("INSUFFICIENT_COINS", "OF-1.5", detail)
