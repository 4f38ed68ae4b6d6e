"""Offices (OR-OFFICE)."""

from collections.abc import Iterator

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods, improvements
from wellhead_rules.oil_rock.commands import BuildOffice, DeclineEffect
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import Frame, OfficeBuilt
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import discounted, pay, too_little
from wellhead_rules.oil_rock.lists import declinable, decline, effect_at, push_list, push_then
from wellhead_rules.oil_rock.pack import BuildOffice as OfficeEffect
from wellhead_rules.oil_rock.vocabulary import OilColour


def cost(game: Game, player: Player, effect: OfficeEffect, region: str) -> int:
    """The price in Tools (OR-OFFICE.2, OR-GEN.7)."""
    return discounted(game.content.office_cost[region], effect.discount + player.office_discount, effect.free)


def sites(game: Game, player: Player, effect: OfficeEffect) -> Iterator[str]:
    """Regions where the player may build and can pay (OR-OFFICE.1, 3, 5)."""
    regions = game.content.regions if effect.anywhere else sorted({player.train, player.engineer})
    limit = game.content.constants.max_offices_per_region
    tools = player.goods[goods.TOOLS]
    for region in regions:
        built = game.offices[region]
        if len(built) < limit and player.seat not in built and cost(game, player, effect, region) <= tools:
            yield region


def wells(game: Game, player: Player) -> list[OilColour]:
    """Wells on which an Office still lies (OR-OFFICE.4, 6)."""
    return [
        colour
        for colour, well in game.content.wells.items()
        if player.offices_taken[colour] < len(well.offices_on_drills)
    ]


def possible(game: Game, player: Player, effect: OfficeEffect) -> bool:
    """Some Office can be built."""
    return bool(wells(game, player)) and any(True for _ in sites(game, player, effect))


def options(game: Game, frame: Frame) -> Options:
    """DM-8: every region with every well."""
    player = game.players[frame.player]
    effect: OfficeEffect = effect_at(game, frame)
    choice = wells(game, player)
    listed: Options = [BuildOffice(region, well) for region in sites(game, player, effect) for well in choice]
    if listed and declinable(game, frame):
        listed.append(DeclineEffect())
    return listed


def build(game: Game, frame: Frame, command: BuildOffice | DeclineEffect) -> None:
    """Pays, moves the topmost Office of the well, then branch bonus and triggers (OR-OFFICE.6 to 10)."""
    if isinstance(command, DeclineEffect):
        return decline(game, frame)
    player = game.players[frame.player]
    region = command.region
    pay(game, frame.player, goods.TOOLS, cost(game, player, effect_at(game, frame), region))
    slot_vp = game.content.office_slots[region][len(game.offices[region])]
    position = game.content.wells[command.well].offices_on_drills[player.offices_taken[command.well]]
    game.record(OfficeBuilt(frame.player, region, slot_vp, command.well, position))
    improvements.trigger(game, player, "office_built", region=region)
    push_then(game, frame, region)
    push_list(game, frame.player, f"region_tile:{game.region_tile[region]}", region)


def refuse(game: Game, frame: Frame, command: BuildOffice | DeclineEffect) -> RuleViolation:
    """Why an Office cannot be built there."""
    if isinstance(command, DeclineEffect):
        return RuleViolation("CANNOT_DECLINE", "OR-ACTION.11", "an Action that has been started cannot be declined")
    player = game.players[frame.player]
    effect: OfficeEffect = effect_at(game, frame)
    region = command.region
    built = game.offices[region]
    if not effect.anywhere and region not in (player.train, player.engineer):
        return RuleViolation("NOT_PRESENT_IN_REGION", "OR-OFFICE.1", f"neither Train nor Engineer stands in {region}")
    if player.seat in built:
        return RuleViolation("OFFICE_ALREADY_IN_REGION", "OR-OFFICE.3", f"an own Office stands in {region}")
    if len(built) >= game.content.constants.max_offices_per_region:
        return RuleViolation("REGION_FULL", "OR-OFFICE.5", f"{region} holds {len(built)} Offices")
    if command.well not in wells(game, player):
        return RuleViolation("WELL_HAS_NO_OFFICE", "OR-OFFICE.6", "no Office lies on that well")
    return too_little(goods.TOOLS, cost(game, player, effect, region), player.goods[goods.TOOLS])
