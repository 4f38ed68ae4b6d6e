"""Selling at the local market (OF-10) and at the national market (OF-11, OF-20.2, OF-20.6)."""

from functools import cache

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.commands import Command, FinishNational, SellLocal, SellNational, ShipNationalTower
from wellhead_rules.oilfield.decision import DecisionPoint, Options, ask
from wellhead_rules.oilfield.drilling import towers
from wellhead_rules.oilfield.events import Frame, LocalSold, NationalSold, NationalTowerShipped, SupervisorPaid
from wellhead_rules.oilfield.game import Game, Player
from wellhead_rules.oilfield.vocabulary import DecisionKind, LostReason, Step

LOCAL_ANSWERS: tuple[type[Command], ...] = (SellLocal,)
NATIONAL_ANSWERS: tuple[type[Command], ...] = (SellNational,)


# -- the local market (OF-D-7) ---------------------------------------------------------------------------------


@cache
def _local(oil: int, gas: int, oil_per_vp: int) -> tuple[SellLocal, ...]:
    """Every sale out of so many cubes, not all zero (OF-10.1)."""
    return tuple(
        SellLocal(coins, pairs, points)
        for points in range(gas, -1, -1)
        for pairs in range(oil // oil_per_vp, -1, -1)
        for coins in range(oil - oil_per_vp * pairs, -1, -1)
        if coins or pairs or points
    )


def local_options(game: Game, seat: int) -> Options:
    """OF-D-7."""
    player = game.players[seat]
    return list(_local(player.oil, player.gas, game.content.data.local_market.oil_per_vp))


def local_hopeless(game: Game, seat: int) -> LostReason | None:
    """The warehouse is empty."""
    player = game.players[seat]
    return None if player.oil or player.gas else LostReason.NOTHING_TO_SELL


def sell_local(game: Game, frame: Frame, command: SellLocal) -> None:
    """The cubes go to the bag; the supervisor is paid unless it is the seller (OF-10.3, OF-10.4)."""
    market = game.content.data.local_market
    oil = command.oil_for_coins + market.oil_per_vp * command.oil_pairs_for_vp
    points = command.oil_pairs_for_vp + market.gas_per_vp * command.gas_for_vp
    coins = market.coins_per_oil * command.oil_for_coins
    game.record(LocalSold(frame.seat, oil, command.gas_for_vp, coins, points))
    if game.supervisor != frame.seat:
        game.record(SupervisorPaid(game.supervisor, market.supervisor_fee))


def refuse_local(game: Game, seat: int, command: SellLocal) -> RuleViolation:
    """Why a sale is not possible."""
    wanted = (command.oil_for_coins, command.oil_pairs_for_vp, command.gas_for_vp)
    per_vp = game.content.data.local_market.oil_per_vp
    oil = command.oil_for_coins + per_vp * command.oil_pairs_for_vp
    return _refuse_amounts(game.players[seat], wanted, oil, "OF-10.1")


def _refuse_amounts(player: Player, wanted: tuple[int, ...], oil: int, clause: str) -> RuleViolation:
    if not any(wanted):
        return RuleViolation("EMPTY_AMOUNT", clause, "at least one cube is sold; to sell nothing, pass")
    if min(wanted) < 0:
        return RuleViolation("INVALID_AMOUNT", clause, "amounts are not negative")
    if oil > player.oil:
        return RuleViolation("NOT_ENOUGH_OIL", clause, f"your warehouse holds {player.oil} oil")
    return RuleViolation("NOT_ENOUGH_GAS", clause, f"your warehouse holds {player.gas} gas")


# -- the national market (OF-D-8) ------------------------------------------------------------------------------


def exports_gas(game: Game, player: Player) -> bool:
    """The player has `gas_export` (OF-20.2, OF-20.4)."""
    return any(game.kind(tile).gas_export for tile in player.expansions)


@cache
def _national(oil: int, gas: int) -> tuple[SellNational, ...]:
    return tuple(
        SellNational(barrels, exported)
        for exported in range(gas, -1, -1)
        for barrels in range(oil, -1, -1)
        if barrels or exported
    )


def national_options(game: Game, seat: int) -> Options:
    """OF-D-8: gas with `gas_export` only (OF-11.2, OF-11.4)."""
    player = game.players[seat]
    return list(_national(player.oil, player.gas if exports_gas(game, player) else 0))


def national_hopeless(game: Game, seat: int) -> LostReason | None:
    """The warehouse holds nothing that could be sold there."""
    return None if national_options(game, seat) else LostReason.NOTHING_TO_SELL


def sell_national(game: Game, frame: Frame, command: SellNational) -> None:
    """Every cube pays the price of the round; then the national towers may ship (OF-11.2, OF-11.5, OF-20.6)."""
    coins = game.national_price * (command.oil + command.gas)
    game.record(NationalSold(frame.seat, command.oil, command.gas, coins))
    game.push(Frame(Step.SHIP, frame.seat))


def refuse_national(game: Game, seat: int, command: SellNational) -> RuleViolation:
    """Why a sale is not possible."""
    player = game.players[seat]
    gas_stays = command.gas > 0 and command.gas <= player.gas and not exports_gas(game, player)
    if command.oil >= 0 and command.oil <= player.oil and gas_stays:
        return RuleViolation("GAS_EXPORT_NOT_ALLOWED", "OF-11.4", "you have no gas refinery expansion")
    return _refuse_amounts(player, (command.oil, command.gas), command.oil, "OF-11.2")


# -- national towers (OF-D-9) ----------------------------------------------------------------------------------


def ship(game: Game, frame: Frame) -> None:
    """Asks, as long as an own national tower can ship."""
    if _shippable(game, frame.seat):
        ask(game, DecisionKind.SHIP_NATIONAL_TOWER, frame)


def _shippable(game: Game, seat: int) -> list[ShipNationalTower]:
    """Own unused national towers in fields with oil and without strike."""
    listed = []
    for index in towers(game, seat):
        tile, field = game.slots[index].tile, game.content.field_of_slot[index]
        if game.kind(tile).ships and game.oil[field] and field != game.strike_field:
            listed.append(ShipNationalTower(tile))
    return listed


def _ship_options(game: Game, frame: Frame) -> Options:
    return [*_shippable(game, frame.seat), FinishNational()]


def _ship(game: Game, frame: Frame, command: ShipNationalTower | FinishNational) -> None:
    if isinstance(command, FinishNational):
        return
    tile = command.tile_id
    index = next(index for index in towers(game, frame.seat) if game.slots[index].tile == tile)
    field = game.content.fields[game.content.field_of_slot[index]]
    game.record(NationalTowerShipped(frame.seat, tile, field, game.national_price + game.kind(tile).bonus_coins))
    game.push(frame)


def _refuse_ship(game: Game, frame: Frame, command: ShipNationalTower) -> RuleViolation:
    tile = command.tile_id
    if tile not in game.content.tile_place:
        return RuleViolation("UNKNOWN_TILE", "OF-20.6", f"there is no tile {tile!r}")
    index = next((i for i, slot in enumerate(game.slots) if slot.tile == tile and slot.owner == frame.seat), None)
    if index is None:
        return RuleViolation("TOWER_NOT_OWNED", "OF-20.6", f"{tile} is not a tower of yours")
    if not game.kind(tile).ships:
        return RuleViolation("NOT_A_NATIONAL_TOWER", "OF-20.6", f"{tile} is not a national tower")
    if game.current is not None and tile in game.current.used:
        return RuleViolation("TOWER_ALREADY_USED", "OF-20.6", f"{tile} has shipped in this action")
    field = game.content.field_of_slot[index]
    if field == game.strike_field:
        return RuleViolation("FIELD_ON_STRIKE", "OF-17.3", f"{game.content.fields[field]} is on strike")
    return RuleViolation("FIELD_LACKS_CUBES", "OF-20.6", f"{game.content.fields[field]} holds no oil")


SHIP = DecisionPoint(_ship_options, _ship, _refuse_ship, (ShipNationalTower, FinishNational))
"""OF-D-9."""
