"""Characters: taking one (OR-SETUP.16), abilities (OR-CHAR), Energy (OR-CHAR.LUKASIEWICZ)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import effects, goods
from wellhead_rules.oil_rock.commands import ChooseCharacter, ConvertBarrels
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import AbilityUsed, CharacterTaken, Frame, PhaseTurnStarted
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import change
from wellhead_rules.oil_rock.lists import push_list
from wellhead_rules.oil_rock.progress import SETTLE
from wellhead_rules.oil_rock.refining import COLOURS
from wellhead_rules.oil_rock.vocabulary import FrameKind, OilColour, Phase, Reason

FIRST_TIER = 3
"""The level from which there is an ability (OR-CHAR.1)."""


# -- taking a character (DM-1) ---------------------------------------------------------------------------------


def options(game: Game, frame: Frame) -> Options:
    """DM-1: every character left."""
    taken = {player.character for player in game.players}
    return [ChooseCharacter(character) for character in game.content.characters if character not in taken]


def take(game: Game, frame: Frame, command: ChooseCharacter) -> None:
    """Takes the character."""
    game.record(CharacterTaken(frame.player, command.character))


def refuse(game: Game, frame: Frame, command: ChooseCharacter) -> RuleViolation:
    """Why a character cannot be taken."""
    return RuleViolation("CHARACTER_TAKEN", "OR-SETUP.16", f"{command.character} is taken")


# -- abilities -------------------------------------------------------------------------------------------------


def start_phase_turn(game: Game, seat: int) -> None:
    """Fixes the tier; automatic gains come first, then the conversion to Energy (OR-CHAR.3, 4)."""
    player = game.players[seat]
    phase = Phase(game.phase or 0)
    ability = game.content.abilities[player.character]
    tier = player.level if ability.phase == phase and player.level >= FIRST_TIER else 0
    energy_mode = bool(tier) and ability.energy_mode
    game.record(PhaseTurnStarted(seat, phase, tier, energy_mode))
    game.push(Frame(FrameKind.PHASE_MENU, seat))
    if energy_mode:
        game.push(Frame(FrameKind.ENERGY_CONVERSION, seat, colour=OilColour.YELLOW))
    if tier:
        game.push(SETTLE)
        push_list(game, seat, ability.automatic[tier])


def use_ability(game: Game, player: Player) -> None:
    """Uses the optional part of the ability (OR-CHAR.5, 8)."""
    game.push(SETTLE)
    game.record(AbilityUsed(player.seat, player.character, game.ability_tier))
    push_list(game, player.seat, game.content.abilities[player.character].optional[game.ability_tier])


def refuse_ability(game: Game, player: Player) -> RuleViolation | None:
    """Why the optional part cannot be used now, None if it can (E.3; OR-CHAR.2, 5, 9)."""
    ability = game.content.abilities[player.character]
    ref = ability.optional[game.ability_tier] if game.ability_tier else ""
    if not ref:
        return RuleViolation("ABILITY_NOT_AVAILABLE", "OR-CHAR.2", "there is no ability to use in this phase turn")
    if game.ability_used:
        return RuleViolation("ABILITY_ALREADY_USED", "OR-CHAR.2", "the ability has been used in this round")
    if game.slots_activated or game.basic_used:
        return RuleViolation("ABILITY_TOO_LATE", "OR-CHAR.5", "a refinery has been activated already")
    if game.sources:
        return RuleViolation("ACTIONS_PENDING", "OR-ACTION.8", "an Extra Action is to be finished first")
    if not effects.first_possible(game, player, ref):
        return RuleViolation("ACTION_IMPOSSIBLE", "OR-CHAR.9", "it has no legal and affordable execution")
    return None


# -- Energy (DM-17) --------------------------------------------------------------------------------------------


def conversion_options(game: Game, frame: Frame) -> Options:
    """DM-17: none to all barrels of the colour; a colour not held is not asked."""
    colour = OilColour(frame.colour or 0)
    held = game.players[frame.player].goods[goods.barrel(colour)]
    return [ConvertBarrels(colour, count) for count in range(held + 1)]


def convert(game: Game, frame: Frame, command: ConvertBarrels) -> None:
    """Converts barrels and goes on to the next colour (OR-CHAR.LUKASIEWICZ.2)."""
    if command.count:
        energy = command.count * game.content.barrel_value[command.colour]
        changes = ((goods.barrel(command.colour), -command.count), (goods.ENERGY, energy))
        change(game, frame.player, changes, Reason.CONVERSION)
    if command.colour < COLOURS[-1]:
        game.push(Frame(FrameKind.ENERGY_CONVERSION, frame.player, colour=OilColour(command.colour + 1)))


def refuse_conversion(game: Game, frame: Frame, command: ConvertBarrels) -> RuleViolation:
    """Why barrels cannot be converted so."""
    if command.colour != frame.colour:
        return RuleViolation("WRONG_COLOUR", "OR-CHAR.LUKASIEWICZ.2", "another colour is asked for")
    held = game.players[frame.player].goods[goods.barrel(command.colour)]
    return RuleViolation("NOT_ENOUGH_BARRELS", "OR-CHAR.LUKASIEWICZ.2", f"0 to {held} barrels can be converted")


def lose_energy(game: Game, player: Player) -> None:
    """Energy left at the end of the phase turn is lost (OR-CHAR.LUKASIEWICZ.8)."""
    change(game, player.seat, ((goods.ENERGY, -player.goods[goods.ENERGY]),), Reason.ENERGY_LOST)
