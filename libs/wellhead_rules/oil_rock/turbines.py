"""Turbines (OR-TURB)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods, improvements
from wellhead_rules.oil_rock.commands import BuildTurbine, ChooseTurbineBonus, DeclineEffect
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import Frame, TurbineBuilt
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import discounted, pay, too_little
from wellhead_rules.oil_rock.lists import declinable, decline, effect_at, push_list, push_then
from wellhead_rules.oil_rock.pack import BuildTurbine as TurbineEffect


def affordable(game: Game, player: Player, effect: TurbineEffect) -> list[str]:
    """Unbuilt Turbines that the player can pay (OR-TURB.1, 2, 6)."""
    coal = player.goods[goods.COAL]
    return [
        turbine.id
        for turbine in game.content.turbines.values()
        if turbine.id not in player.turbine_at and discounted(turbine.coal_cost, effect.discount, effect.free) <= coal
    ]


def spaces(game: Game, player: Player) -> list[int]:
    """Empty Turbine spaces that may be used, by slot (OR-TURB.3, 4)."""
    built_only = game.options["turbine_placement"] == "BUILT_REFINERY_ONLY"
    return [
        slot
        for slot in game.content.slots
        if not player.turbine_at[slot] and (not built_only or slot <= player.refineries)
    ]


def possible(game: Game, player: Player, effect: TurbineEffect) -> bool:
    """Some Turbine can be built."""
    return bool(affordable(game, player, effect) and spaces(game, player))


def options(game: Game, frame: Frame) -> Options:
    """DM-10: every affordable Turbine on every empty space."""
    player = game.players[frame.player]
    slots = spaces(game, player)
    listed: Options = [
        BuildTurbine(turbine, slot) for turbine in affordable(game, player, effect_at(game, frame)) for slot in slots
    ]
    if listed and declinable(game, frame):
        listed.append(DeclineEffect())
    return listed


def build(game: Game, frame: Frame, command: BuildTurbine | DeclineEffect) -> None:
    """Pays, builds, then triggers (OR-TURB.1 to 3, 7)."""
    if isinstance(command, DeclineEffect):
        return decline(game, frame)
    effect: TurbineEffect = effect_at(game, frame)
    printed = game.content.turbines[command.turbine].coal_cost
    pay(game, frame.player, goods.COAL, discounted(printed, effect.discount, effect.free))
    game.record(TurbineBuilt(frame.player, command.turbine, command.slot))
    improvements.trigger(game, game.players[frame.player], "turbine_built")
    push_then(game, frame)


def refuse(game: Game, frame: Frame, command: BuildTurbine | DeclineEffect) -> RuleViolation:
    """Why a Turbine cannot be built there."""
    if isinstance(command, DeclineEffect):
        return RuleViolation("CANNOT_DECLINE", "OR-ACTION.11", "an Action that has been started cannot be declined")
    player = game.players[frame.player]
    effect: TurbineEffect = effect_at(game, frame)
    if command.turbine in player.turbine_at:
        return RuleViolation("TURBINE_ALREADY_BUILT", "OR-TURB.5", f"{command.turbine} is built")
    if player.turbine_at[command.slot]:
        return RuleViolation("SLOT_OCCUPIED", "OR-TURB.3", f"{player.turbine_at[command.slot]} stands at that slot")
    if command.slot not in spaces(game, player):
        return RuleViolation("SLOT_NOT_BUILT", "OR-TURB.4", f"no refinery is built in slot {command.slot}")
    needed = discounted(game.content.turbines[command.turbine].coal_cost, effect.discount, effect.free)
    return too_little(goods.COAL, needed, player.goods[goods.COAL])


def bonus_options(game: Game, frame: Frame) -> Options:
    """DM-15: every built Turbine (D-79)."""
    return [ChooseTurbineBonus(turbine) for turbine in game.players[frame.player].turbine_at if turbine]


def take_bonus(game: Game, frame: Frame, command: ChooseTurbineBonus) -> None:
    """Receives the bonus of a built Turbine."""
    push_list(game, frame.player, f"turbine:{command.turbine}")


def refuse_bonus(game: Game, frame: Frame, command: ChooseTurbineBonus) -> RuleViolation:
    """Why a Turbine's bonus is not offered."""
    return RuleViolation("TURBINE_NOT_BUILT", "OR-TURB.1", f"{command.turbine} is not built")
