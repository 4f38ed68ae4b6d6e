"""Drill (OF-9) and what the towers extract (OF-15, OF-20)."""

from collections.abc import Iterator
from functools import cache
from itertools import product

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.commands import Command, DrillTower, FinishDrilling
from wellhead_rules.oilfield.decision import DecisionPoint, Options, ask
from wellhead_rules.oilfield.events import Frame, TowerDrilled
from wellhead_rules.oilfield.game import Game, Player, Slot
from wellhead_rules.oilfield.pack import Drill
from wellhead_rules.oilfield.vocabulary import DecisionKind, LostReason, Step

ANSWERS: tuple[type[Command], ...] = (DrillTower, FinishDrilling)

Amounts = tuple[int, int, int, int]
"""Oil to the warehouse, gas to the warehouse, oil to the local market, gas to the local market."""

_MANY = 99


# -- what a tower gives ----------------------------------------------------------------------------------------


def yields(game: Game, slot: Slot) -> Drill | None:
    """What the tower on a slot extracts, None if it never drills (OF-20.5, OF-20.7, OF-20.10)."""
    kind = game.kind(slot.tile)
    return kind.restricted if slot.disc else kind.drill


@cache
def amounts(drill: Drill, oil: int, gas: int, space: int, diversion: bool) -> tuple[Amounts, ...]:
    """All that a tower may extract from so many cubes into so much free space (section E, OF-9.2 to 9.6, OF-20.3).

    With `diversion` gas for the local market may go to the warehouse instead.
    """
    diverted = drill.gas_to_local_max if diversion else 0
    most = drill.total_max or _MANY
    found = []
    for a, b, c, d in product(
        range(min(drill.oil_to_warehouse_max, oil, space), -1, -1),
        range(min(drill.gas_to_warehouse_max + diverted, gas, space), -1, -1),
        range(min(drill.oil_to_local_max, oil), -1, -1),
        range(min(drill.gas_to_local_max, gas), -1, -1),
    ):
        fits = a + b <= space and a + c <= oil and b + d <= gas
        within = max(b - drill.gas_to_warehouse_max, 0) + d <= drill.gas_to_local_max
        if fits and within and 0 < a + b + c + d <= most:
            found.append((a, b, c, d))
    return tuple(found)


def diverts(game: Game, player: Player) -> bool:
    """The player has `gas_diversion` (OF-20.3, OF-20.4)."""
    return any(game.kind(tile).gas_diversion for tile in player.expansions)


def extractable(game: Game, seat: int, index: int) -> tuple[Amounts, ...]:
    """What the tower on a slot may extract now; nothing under strike (OF-17.3)."""
    slot = game.slots[index]
    drill = yields(game, slot) if slot.tile else None
    field = game.content.field_of_slot[index]
    if drill is None or field == game.strike_field:
        return ()
    player = game.players[seat]
    # More than a tower can take makes no difference: few cases, each worked out once.
    oil, gas, space = min(game.oil[field], 3), min(game.gas[field], 3), min(player.free_space, 5)
    if not oil and not gas:
        return ()
    return amounts(drill, oil, gas, space, diverts(game, player))


def towers(game: Game, seat: int) -> Iterator[int]:
    """Slots with an own tower that has not been used in this action (OF-9.1)."""
    used = game.current.used if game.current is not None else ()
    for index, slot in enumerate(game.slots):
        if slot.owner == seat and slot.tile and slot.tile not in used:
            yield index


@cache
def _commands(tile: str, listed: tuple[Amounts, ...]) -> tuple[DrillTower, ...]:
    return tuple(DrillTower(tile, *each) for each in listed)


# -- the drill action (OF-D-6) ---------------------------------------------------------------------------------


def options(game: Game, seat: int) -> Options:
    """Every amount of every own tower not yet used (OF-9.1, OF-9.5)."""
    listed: Options = []
    for index in towers(game, seat):
        if found := extractable(game, seat, index):
            listed += _commands(game.slots[index].tile, found)
    return listed


def hopeless(game: Game, seat: int) -> LostReason | None:
    """No own tower can extract anything (OF-9.7)."""
    return None if options(game, seat) else LostReason.NOTHING_TO_DRILL


def drill_and_ask(game: Game, frame: Frame, command: DrillTower) -> None:
    """Extracts, then the other towers may."""
    _drill(game, frame.seat, command)
    game.push(Frame(Step.DRILL_ON, frame.seat))


def drill_on(game: Game, frame: Frame) -> None:
    """Asks for the next tower, as long as one can extract something (section E)."""
    if options(game, frame.seat):
        ask(game, DecisionKind.RESOLVE_DRILL, frame)


def _drill(game: Game, seat: int, command: DrillTower) -> None:
    index = next(index for index in towers(game, seat) if game.slots[index].tile == command.tile_id)
    local = game.content.data.local_market
    field = game.content.fields[game.content.field_of_slot[index]]
    taken = (command.oil_to_warehouse, command.gas_to_warehouse, command.oil_to_local, command.gas_to_local)
    coins, points = command.oil_to_local * local.coins_per_oil, command.gas_to_local * local.gas_per_vp
    game.record(TowerDrilled(seat, command.tile_id, field, *taken, coins, points))


def _answer(game: Game, frame: Frame, command: DrillTower | FinishDrilling) -> None:
    if isinstance(command, DrillTower):
        drill_and_ask(game, frame, command)


def _more_options(game: Game, frame: Frame) -> Options:
    return [*options(game, frame.seat), FinishDrilling()]


def _refuse_more(game: Game, frame: Frame, command: Command) -> RuleViolation:
    return refuse(game, frame.seat, command)


DRILL_ON = DecisionPoint(_more_options, _answer, _refuse_more, ANSWERS)
"""OF-D-6 after the first tower."""


# -- the new tower (OF-D-5) ------------------------------------------------------------------------------------


def drill_new(game: Game, frame: Frame) -> None:
    """A tower just built may drill once, for free (OF-8.5)."""
    if _new_options(game, frame):
        ask(game, DecisionKind.DRILL_NEW_TOWER, frame)


def _new_options(game: Game, frame: Frame) -> Options:
    index = next(index for index, slot in enumerate(game.slots) if slot.tile == frame.tile_id)
    return list(_commands(frame.tile_id, extractable(game, frame.seat, index)))


def _new_answers(game: Game, frame: Frame) -> Options:
    return [*_new_options(game, frame), FinishDrilling()]


def _drill_new(game: Game, frame: Frame, command: DrillTower | FinishDrilling) -> None:
    if isinstance(command, DrillTower):
        _drill(game, frame.seat, command)


def _refuse_new(game: Game, frame: Frame, command: DrillTower) -> RuleViolation:
    return refuse(game, frame.seat, command, frame.tile_id)


NEW_TOWER = DecisionPoint(_new_answers, _drill_new, _refuse_new, ANSWERS)
"""OF-D-5."""


# -- refusals --------------------------------------------------------------------------------------------------


def refuse(game: Game, seat: int, command: Command, only: str = "") -> RuleViolation:
    """Why a tower cannot extract that; `only` this tower may drill, if one is named."""
    if isinstance(command, FinishDrilling):
        return RuleViolation("NOTHING_DONE_YET", "OF-9.1", "no tower has drilled yet; to do nothing, pass")
    assert isinstance(command, DrillTower)
    tile = command.tile_id
    if tile not in game.content.tile_place:
        return RuleViolation("UNKNOWN_TILE", "OF-9.1", f"there is no tile {tile!r}")
    index = next((i for i, slot in enumerate(game.slots) if slot.tile == tile and slot.owner == seat), None)
    if index is None:
        return RuleViolation("TOWER_NOT_OWNED", "OF-9.1", f"{tile} is not a tower of yours")
    if game.current is not None and tile in game.current.used:
        return RuleViolation("TOWER_ALREADY_USED", "OF-9.1", f"{tile} has been used in this action")
    drill = yields(game, game.slots[index])
    if drill is None or (only and tile != only):
        clause = "OF-20.5" if drill is None else "OF-8.5"
        return RuleViolation("TOWER_NOT_DRILLABLE", clause, f"{tile} cannot be drilled with now")
    field = game.content.field_of_slot[index]
    if field == game.strike_field:
        return RuleViolation("FIELD_ON_STRIKE", "OF-17.3", f"{game.content.fields[field]} is on strike")
    return _refuse_amounts(game, seat, command, drill, field)


def _refuse_amounts(game: Game, seat: int, command: DrillTower, drill: Drill, field: int) -> RuleViolation:
    wanted = (command.oil_to_warehouse, command.gas_to_warehouse, command.oil_to_local, command.gas_to_local)
    player = game.players[seat]
    if not any(wanted):
        return RuleViolation("EMPTY_AMOUNT", "OF-9.5", "a tower that drills extracts at least one cube")
    if wanted not in amounts(drill, _MANY, _MANY, _MANY, diverts(game, player)):
        return RuleViolation("INVALID_OUTPUT", "OF-9.2", f"{command.tile_id} does not give that")
    oil, gas = wanted[0] + wanted[2], wanted[1] + wanted[3]
    if oil > game.oil[field] or gas > game.gas[field]:
        detail = f"{game.content.fields[field]} holds {game.oil[field]} oil and {game.gas[field]} gas"
        return RuleViolation("FIELD_LACKS_CUBES", "OF-9.4", detail)
    return RuleViolation("WAREHOUSE_FULL", "OF-9.3", f"your warehouse has room for {player.free_space} cubes")
