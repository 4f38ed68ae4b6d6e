"""Build (OF-8)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.commands import BuildExpansion, BuildTower, Command
from wellhead_rules.oilfield.content import Kind
from wellhead_rules.oilfield.decision import Options
from wellhead_rules.oilfield.events import ExpansionBuilt, Frame, TowerBuilt
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.vocabulary import LostReason, Step

ANSWERS: tuple[type[Command], ...] = (BuildTower, BuildExpansion)


def empty_slot(game: Game, seat: int, field: int) -> int | None:
    """The player's lowest slot in a field without a tower (OF-8.2)."""
    slots = game.slots
    for slot in game.content.slots_of_field[field]:
        if slots[slot].owner == seat and not slots[slot].tile:
            return slot
    return None


def kinds_in_market(game: Game) -> list[Kind]:
    """The types of tile in the market, in the order of the pack."""
    there = {game.kind(tile).id for tile in game.tile_market}
    return [kind for kind in game.content.kinds.values() if kind.id in there]


def options(game: Game, seat: int) -> Options:
    """Every tile that the player can pay for and place (OF-8.1, 2, 4, 6)."""
    coins = game.players[seat].coins
    sites = [name for field, name in enumerate(game.content.fields) if empty_slot(game, seat, field) is not None]
    listed: Options = []
    for kind in kinds_in_market(game):
        if kind.price <= coins:
            if kind.is_tower:
                listed += [BuildTower(kind.id, field) for field in sites]
            else:
                listed.append(BuildExpansion(kind.id))
    return listed


def hopeless(game: Game, seat: int) -> LostReason | None:
    """Nothing in the market could be placed (OF-8.6)."""
    placeable = any(empty_slot(game, seat, field) is not None for field in range(len(game.content.fields)))
    if any(placeable or not game.kind(tile).is_tower for tile in game.tile_market):
        return None
    return LostReason.NOTHING_TO_BUILD


def build(game: Game, frame: Frame, command: BuildTower | BuildExpansion) -> None:
    """Pays and places the lowest copy in the market; a new tower may drill at once (OF-8.1 to 8.5)."""
    content, seat = game.content, frame.seat
    kind = content.kinds[command.tile_type]
    copies = [tile for tile in game.tile_market if game.kind(tile) is kind]
    tile = min(copies, key=content.tile_place.__getitem__)
    if isinstance(command, BuildExpansion):
        game.record(ExpansionBuilt(seat, tile, kind.price, kind.storage))
        return
    slot = empty_slot(game, seat, content.field_index[command.field])
    assert slot is not None
    game.record(TowerBuilt(seat, tile, content.slots[slot], kind.price, kind.restricted is not None))
    game.push(Frame(Step.DRILL_NEW_TOWER, seat, tile_id=tile))


def refuse(game: Game, seat: int, command: BuildTower | BuildExpansion) -> RuleViolation:
    """Why a tile cannot be built."""
    content = game.content
    kind = content.kinds.get(command.tile_type)
    if kind is None:
        return RuleViolation("UNKNOWN_TILE", "OF-8.1", f"there is no tile type {command.tile_type!r}")
    if kind not in kinds_in_market(game):
        return RuleViolation("TILE_NOT_IN_MARKET", "OF-8.1", f"no {kind.id} is in the building market")
    if isinstance(command, BuildTower):
        if not kind.is_tower:
            return RuleViolation("NOT_A_TOWER", "OF-8.2", f"{kind.id} is not a tower")
        if command.field not in content.field_index:
            return RuleViolation("UNKNOWN_FIELD", "OF-8.2", f"there is no field {command.field!r}")
        if empty_slot(game, seat, content.field_index[command.field]) is None:
            return RuleViolation("NO_EMPTY_LEASE", "OF-8.2", f"you have no lease without a tower in {command.field}")
    elif kind.is_tower:
        return RuleViolation("NOT_AN_EXPANSION", "OF-8.4", f"{kind.id} is not an expansion")
    detail = f"{kind.id} costs ${kind.price}, you have ${game.players[seat].coins}"
    return RuleViolation("INSUFFICIENT_COINS", "OF-1.5", detail)
