"""Refineries: building (OR-REF), activating and the Basic Refinery (OR-REFINE)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods, improvements
from wellhead_rules.oil_rock.commands import ActivateRefinery, LoadBasicRefinery
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import BasicRefineryUsed, Frame, RefineryActivated, RefineryBuilt
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import can_pay, change, pay_all, too_little
from wellhead_rules.oil_rock.lists import push_list
from wellhead_rules.oil_rock.pack import BuildRefinery as RefineryEffect
from wellhead_rules.oil_rock.progress import SETTLE
from wellhead_rules.oil_rock.vocabulary import FrameKind, OilColour, Reason

COLOURS = (OilColour.YELLOW, OilColour.GREEN, OilColour.BLUE)


# -- building --------------------------------------------------------------------------------------------------


def possible(game: Game, player: Player, effect: RefineryEffect) -> bool:
    """Fewer than twelve are built, and the price can be paid (OR-REF.5, 8)."""
    return player.refineries < game.content.constants.max_refineries and can_pay(player, effect.cost)


def build(game: Game, seat: int, effect: RefineryEffect) -> None:
    """Builds the next refinery, then triggers (OR-REF.1 to 4, 9)."""
    player = game.players[seat]
    pay_all(game, seat, effect.cost)
    number = player.refineries + 1
    game.record(RefineryBuilt(seat, number, game.content.refineries[number].slot))
    improvements.trigger(game, player, "refinery_built")


def standing(game: Game, player: Player, slot: int) -> int:
    """Number of the refinery that stands in a slot, 0 for none (OR-REF.3, 4)."""
    for number in reversed(game.content.slots[slot].holds):
        if number <= player.refineries:
            return number
    return 0


# -- activating ------------------------------------------------------------------------------------------------


def activations(game: Game, player: Player) -> Options:
    """Every activation that can be paid for (OR-REFINE.1 to 3, 6; OR-CHAR.LUKASIEWICZ.1)."""
    listed: Options = []
    held = player.goods
    yellow, green, blue = held[goods.YELLOW], held[goods.GREEN], held[goods.BLUE]
    for slot in game.content.slots.values():
        number = slot.slot
        if number > player.refineries or number in game.slots_activated:
            continue
        if game.energy_mode:
            if slot.energy_cost <= held[goods.ENERGY]:
                listed.append(ActivateRefinery(number, 0, 0, 0))
            continue
        for payment in game.content.payments[number]:
            if payment.yellow <= yellow and payment.green <= green and payment.blue <= blue:
                listed.append(payment.command)
    return listed


def activate(game: Game, seat: int, command: ActivateRefinery) -> None:
    """Pays, runs: output, bonus of the Turbine, settle (OR-REFINE.4, 5, 7)."""
    player = game.players[seat]
    slot = command.slot
    if game.energy_mode:
        change(game, seat, ((goods.ENERGY, -game.content.slots[slot].energy_cost),), Reason.PAYMENT)
    else:
        paid = ((goods.YELLOW, -command.yellow), (goods.GREEN, -command.green), (goods.BLUE, -command.blue))
        change(game, seat, paid, Reason.PAYMENT)
    number = standing(game, player, slot)
    game.record(RefineryActivated(seat, slot, number))
    game.push(SETTLE)
    if player.turbine_at[slot]:
        push_list(game, seat, f"turbine:{player.turbine_at[slot]}")
    push_list(game, seat, f"refinery:{number}")


def refuse_activation(game: Game, player: Player, command: ActivateRefinery) -> RuleViolation | None:
    """Why a refinery cannot be activated so, None if it could."""
    slot = game.content.slots[command.slot]
    if slot.slot > player.refineries:
        return RuleViolation("REFINERY_NOT_BUILT", "OR-REFINE.1", f"slot {slot.slot} is empty")
    if slot.slot in game.slots_activated:
        return RuleViolation("REFINERY_ALREADY_ACTIVATED", "OR-REFINE.6", f"slot {slot.slot} has been activated")
    paid = (command.yellow, command.green, command.blue)
    if game.energy_mode:
        if any(paid):
            return RuleViolation(
                "PAYMENT_NOT_EXACT", "OR-CHAR.LUKASIEWICZ.1", "refineries are paid with Energy in this phase turn"
            )
        held = player.goods[goods.ENERGY]
        return too_little(goods.ENERGY, slot.energy_cost, held) if held < slot.energy_cost else None
    if all((payment.yellow, payment.green, payment.blue) != paid for payment in game.content.payments[slot.slot]):
        return RuleViolation(
            "PAYMENT_NOT_EXACT", "OR-REFINE.15", f"{paid} does not pay for the recipe of slot {slot.slot}"
        )
    if any(count > player.goods[goods.barrel(colour)] for colour, count in zip(COLOURS, paid, strict=True)):
        return RuleViolation("NOT_ENOUGH_BARRELS", "OR-REFINE.2", "the player does not hold these barrels")
    return None


# -- the Basic Refinery ----------------------------------------------------------------------------------------


def use_basic(game: Game, seat: int) -> None:
    """Starts asking, colour by colour, for the barrels to use."""
    game.push(SETTLE)
    ask_loading(game, seat, 0, (0, 0, 0))


def ask_loading(game: Game, seat: int, after: int, loaded: tuple[int, ...]) -> None:
    """Asks for the next colour held, or runs the Basic Refinery after the last one."""
    held = game.players[seat].goods
    for colour in COLOURS[after:]:
        if held[goods.barrel(colour)]:
            game.push(Frame(FrameKind.BASIC_LOADING, seat, colour=colour, loaded=loaded))
            return
    run_basic(game, seat, loaded)


def loading_options(game: Game, frame: Frame) -> Options:
    """DM-18: none to all barrels of the colour, at least one in all."""
    colour = OilColour(frame.colour or 0)
    held = game.players[frame.player].goods
    later = any(held[goods.barrel(other)] for other in COLOURS[colour:])
    least = 0 if later or any(frame.loaded) else 1
    return [LoadBasicRefinery(colour, count) for count in range(least, held[goods.barrel(colour)] + 1)]


def load(game: Game, frame: Frame, command: LoadBasicRefinery) -> None:
    """Loads barrels and asks for the next colour."""
    place = command.colour - 1
    loaded = (*frame.loaded[:place], command.count, *frame.loaded[place + 1 :])
    ask_loading(game, frame.player, command.colour, loaded)


def run_basic(game: Game, seat: int, loaded: tuple[int, ...]) -> None:
    """Takes the barrels; the resources come first, then the triggers (OR-REFINE.10, 11)."""
    change(game, seat, ((goods.barrel(colour), -loaded[colour - 1]) for colour in COLOURS), Reason.PAYMENT)
    value = sum(game.content.barrel_value[colour] * loaded[colour - 1] for colour in COLOURS)
    yellow, green, blue = loaded
    game.record(BasicRefineryUsed(seat, yellow, green, blue, value))
    improvements.trigger(game, game.players[seat], "basic_refinery_used")
    result = value // game.content.constants.basic_refinery_divisor
    if result:
        game.push(Frame(FrameKind.RESOURCE_PORTION, seat, count=result))


def refuse_basic(game: Game, player: Player) -> RuleViolation | None:
    """Why the Basic Refinery cannot be used, None if it could."""
    if game.basic_used:
        return RuleViolation("BASIC_ALREADY_USED", "OR-REFINE.9", "the Basic Refinery has been used in this phase")
    if not any(player.goods[goods.barrel(colour)] for colour in COLOURS):
        return RuleViolation("NOT_ENOUGH_BARRELS", "OR-REFINE.9", "the player holds no barrel")
    return None


def refuse_loading(game: Game, frame: Frame, command: LoadBasicRefinery) -> RuleViolation:
    """Why barrels cannot be loaded so."""
    if command.colour != frame.colour:
        return RuleViolation("WRONG_COLOUR", "OR-REFINE.9", "another colour is asked for")
    held = game.players[frame.player].goods[goods.barrel(command.colour)]
    if not 0 <= command.count <= held:
        return RuleViolation("NOT_ENOUGH_BARRELS", "OR-REFINE.9", f"0 to {held} barrels can be loaded")
    return RuleViolation("NOTHING_LOADED", "OR-REFINE.9", "at least one barrel is used")


def cap_barrels(game: Game) -> None:
    """Every player keeps so many barrels per colour (OR-REFINE.13)."""
    cap = game.content.constants.barrel_cap_per_colour
    for seat in game.turn_order:
        held = game.players[seat].goods
        excess = [(place, cap - held[place]) for place in map(goods.barrel, COLOURS) if held[place] > cap]
        change(game, seat, excess, Reason.BARREL_CAP)
