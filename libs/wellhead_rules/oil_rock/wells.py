"""Wells: drills (OR-DRILL) and extraction (OR-EXTR)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods, improvements
from wellhead_rules.oil_rock.commands import BuildDrill, DeclineEffect
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import DrillBuilt, Frame
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import change, discounted, pay, too_little
from wellhead_rules.oil_rock.lists import declinable, decline, effect_at, push_then
from wellhead_rules.oil_rock.pack import BuildDrill as DrillEffect
from wellhead_rules.oil_rock.vocabulary import OilColour, Reason


def depth(game: Game, player: Player, well: int) -> int:
    """Barrels the well gives per round (OR-EXTR.3, INV-1)."""
    return game.content.constants.min_depth + player.drills[well]


def covered(game: Game, player: Player, well: OilColour) -> bool:
    """An Office lies on the topmost remaining drill (OR-DRILL.3)."""
    return player.drills[well] + 1 in covered_positions(game, player, well)


def covered_positions(game: Game, player: Player, well: OilColour) -> tuple[int, ...]:
    """Drill positions on which an Office still lies."""
    return game.content.wells[well].offices_on_drills[player.offices_taken[well] :]


def cost(game: Game, player: Player, effect: DrillEffect, well: OilColour) -> int:
    """The price of the topmost drill in Tools (OR-DRILL.2, OR-GEN.7)."""
    printed = game.content.wells[well].drill_costs_tools[player.drills[well]]
    return discounted(printed, effect.discount, effect.free)


def sites(game: Game, player: Player, effect: DrillEffect) -> list[OilColour]:
    """Wells in which the player may build and can pay (OR-DRILL.1 to 5)."""
    most = game.content.constants.drills_per_well
    tools = player.goods[goods.TOOLS]
    return [
        well
        for well in game.content.wells
        if player.drills[well] < most and not covered(game, player, well) and cost(game, player, effect, well) <= tools
    ]


def possible(game: Game, player: Player, effect: DrillEffect) -> bool:
    """Some drill can be built."""
    return bool(sites(game, player, effect))


def options(game: Game, frame: Frame) -> Options:
    """DM-9: every well."""
    listed: Options = [BuildDrill(well) for well in sites(game, game.players[frame.player], effect_at(game, frame))]
    if listed and declinable(game, frame):
        listed.append(DeclineEffect())
    return listed


def build(game: Game, frame: Frame, command: BuildDrill | DeclineEffect) -> None:
    """Pays, removes the drill, then triggers (OR-DRILL.4, 6)."""
    if isinstance(command, DeclineEffect):
        return decline(game, frame)
    player = game.players[frame.player]
    pay(game, frame.player, goods.TOOLS, cost(game, player, effect_at(game, frame), command.well))
    game.record(DrillBuilt(frame.player, command.well, depth(game, player, command.well) + 1))
    improvements.trigger(game, player, "drill_built")
    push_then(game, frame)


def refuse(game: Game, frame: Frame, command: BuildDrill | DeclineEffect) -> RuleViolation:
    """Why a drill cannot be built there."""
    if isinstance(command, DeclineEffect):
        return RuleViolation("CANNOT_DECLINE", "OR-ACTION.11", "an Action that has been started cannot be declined")
    player = game.players[frame.player]
    if player.drills[command.well] >= game.content.constants.drills_per_well:
        return RuleViolation("WELL_EXHAUSTED", "OR-DRILL.5", "every drill of that well is built")
    if covered(game, player, command.well):
        return RuleViolation(
            "DRILL_BLOCKED_BY_OFFICE", "OR-DRILL.3", "an Office lies on the topmost drill of that well"
        )
    needed = cost(game, player, effect_at(game, frame), command.well)
    return too_little(goods.TOOLS, needed, player.goods[goods.TOOLS])


def extract(game: Game) -> None:
    """Every player receives barrels (OR-EXTR.2, 5)."""
    for seat in game.turn_order:
        player = game.players[seat]
        yields = [(goods.barrel(well), depth(game, player, well)) for well in game.content.wells]
        change(game, seat, yields, Reason.EXTRACTION)
