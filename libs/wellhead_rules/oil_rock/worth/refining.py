"""What the company board will still give: wells, refineries and Turbines through the rounds left."""

from wellhead_rules.oil_rock import goods
from wellhead_rules.oil_rock.events import Frame
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.vocabulary import FrameKind, Phase
from wellhead_rules.oil_rock.worth.appraisal import Appraisal, Outputs

Barrels = tuple[int, int, int]


def board(game: Game, player: Player, weights: Appraisal, after: int, refines: bool) -> float:
    """Points of the board at the end, and what it gives until then. `after`: rounds after this one."""
    constants = game.content.constants
    least, depth_vp = constants.min_depth, constants.depth_vp
    _, yellow, green, blue = player.drills
    depths = yellow + least, green + least, blue + least
    total = float(depth_vp[depths[0]] + depth_vp[depths[1]] + depth_vp[depths[2]])
    judgement = weights.judgement
    built = player.refineries
    turbine_at = player.turbine_at
    for slot in weights.slots:
        if turbine_at[slot.slot]:
            total += slot.flanked_vp if built >= slot.modern else slot.flanked_vp * judgement.turbine_option * after
    total += judgement.refinery_option * built * after
    if after:
        total += _later(player, weights, depths, after)
    if refines:
        total += judgement.promise * _this_round(game, player, weights, depths, after)
    return total


def _later(player: Player, weights: Appraisal, depths: Barrels, after: int) -> float:
    """Every later round, as if nothing more were built."""
    outputs = weights.later[after]
    judgement = weights.judgement
    if player.train and (extra := weights.bands[player.character].energy[player.level]):
        total, energy = _by_energy(player, weights, outputs, (), extra + _barrel_value(depths))
        return total + energy * judgement.energy * 0.3 * after
    total, barrels = _by_barrels(player, weights, outputs, (), depths)
    return total + _barrel_value(barrels) // 2 * judgement.resource * judgement.basic * after


def _this_round(game: Game, player: Player, weights: Appraisal, depths: Barrels, after: int) -> float:
    """The refining turn of this round, which has not ended."""
    running = game.phase == Phase.OIL_REFINING and game.active == player.seat
    outputs = weights.now[after]
    held = player.goods
    barrels = held[goods.YELLOW], held[goods.GREEN], held[goods.BLUE]
    if not running:
        if game.phase != Phase.OIL_REFINING:
            barrels = barrels[0] + depths[0], barrels[1] + depths[1], barrels[2] + depths[2]
        if player.train and (extra := weights.bands[player.character].energy[player.level]):
            total, _ = _by_energy(player, weights, outputs, (), extra + _barrel_value(barrels))
            return total
        total, barrels = _by_barrels(player, weights, outputs, (), barrels)
        return total + _barrel_value(barrels) // 2 * outputs.resource
    frame = game.agenda[-1] if game.agenda else None
    if frame is not None and frame.kind == FrameKind.BASIC_LOADING:
        loading, barrels = _loading(frame, barrels)
        total, barrels = _by_barrels(player, weights, outputs, game.slots_activated, barrels)
        return total + loading // 2 * outputs.resource + _kept(weights, barrels, after)
    if game.energy_mode:
        energy = held[goods.ENERGY]
        if frame is not None and frame.kind == FrameKind.ENERGY_CONVERSION:
            converted, barrels = _loading(frame, barrels)
            energy += converted
        total, _ = _by_energy(player, weights, outputs, game.slots_activated, energy)
    else:
        total, barrels = _by_barrels(player, weights, outputs, game.slots_activated, barrels)
    if game.basic_used:
        return total + _kept(weights, barrels, after)
    return total + _barrel_value(barrels) // 2 * outputs.resource


def _barrel_value(barrels: Barrels) -> int:
    return barrels[0] + 2 * barrels[1] + 3 * barrels[2]


def _kept(weights: Appraisal, barrels: Barrels, after: int) -> float:
    """Barrels for the next round; one of a colour can be kept (OR-REFINE.13)."""
    yellow, green, blue = barrels
    return weights.judgement.kept * _barrel_value((min(yellow, 1), min(green, 1), min(blue, 1))) if after else 0.0


def _loading(frame: Frame, barrels: Barrels) -> tuple[int, Barrels]:
    """Value of the barrels loaded and of those about which it is still to be asked; the barrels held back."""
    value = 0
    held_back = []
    loaded = frame.loaded or (0, 0, 0)
    for place, count in enumerate(barrels):
        if place + 1 >= (frame.colour or 0):
            value += (place + 1) * count
            held_back.append(0)
        else:
            value += (place + 1) * loaded[place]
            held_back.append(count - loaded[place])
    return value, (held_back[0], held_back[1], held_back[2])


def _by_energy(
    player: Player, weights: Appraisal, outputs: Outputs, done: tuple[int, ...], energy: int
) -> tuple[float, int]:
    """Runs refineries with Energy; what they give, and Energy left."""
    total = 0.0
    built = player.refineries
    for slot in weights.slots:
        number = slot.slot
        if built >= number and slot.energy <= energy and number not in done:
            energy -= slot.energy
            total += outputs.refinery[slot.modern if built >= slot.modern else number]
            total += outputs.turbine[player.turbine_at[number]]
    return total, energy


def _by_barrels(
    player: Player, weights: Appraisal, outputs: Outputs, done: tuple[int, ...], barrels: Barrels
) -> tuple[float, Barrels]:
    """Runs refineries with barrels, better ones standing in where needed; what they give, and barrels left."""
    total = 0.0
    yellow, green, blue = barrels
    built = player.refineries
    for slot in weights.slots:
        number = slot.slot
        if built < number or number in done:
            continue
        spare_blue = blue - slot.blue
        spare_green = green + spare_blue - slot.green
        if spare_blue < 0 or spare_green < 0 or yellow + spare_green < slot.yellow:
            continue
        blue, green, yellow = spare_blue, green - slot.green, yellow - slot.yellow
        if yellow < 0:
            green, yellow = green + yellow, 0
        if green < 0:
            blue, green = blue + green, 0
        total += outputs.refinery[slot.modern if built >= slot.modern else number]
        total += outputs.turbine[player.turbine_at[number]]
    return total, (yellow, green, blue)
