"""Gains that ask: resources of choice, alternatives, bonuses of a chosen region (H.2)."""

from functools import cache

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods
from wellhead_rules.oil_rock.commands import ChooseBonusRegion, ChooseOption, ChooseResources
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import Frame
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.holdings import change
from wellhead_rules.oil_rock.lists import effect_at, push_list
from wellhead_rules.oil_rock.pack import BranchBonus, RailwayBonus
from wellhead_rules.oil_rock.vocabulary import FrameKind, Reason

PORTION = 6
"""Resources of choice are asked for in portions of at most so many (D-83)."""


# -- resources of choice (DM-12) -------------------------------------------------------------------------------


@cache
def mixes(portion: int) -> tuple[ChooseResources, ...]:
    """Every mix of so many Tools, Coins and Coal."""
    return tuple(
        ChooseResources(tools, coins, portion - tools - coins)
        for tools in range(portion, -1, -1)
        for coins in range(portion - tools, -1, -1)
    )


def portion_options(game: Game, frame: Frame) -> Options:
    """DM-12: every mix of the portion."""
    return list(mixes(min(PORTION, frame.count)))


def take_portion(game: Game, frame: Frame, command: ChooseResources) -> None:
    """Takes the mix and asks for the rest."""
    listed = game.content.effects.get(frame.effects)
    reason, source_id = (listed.reason, listed.source_id) if listed else (Reason.BASIC_REFINERY, "")
    taken = ((goods.TOOLS, command.tools), (goods.COINS, command.coins), (goods.COAL, command.coal))
    change(game, frame.player, taken, reason, source_id)
    if frame.count > PORTION:
        game.push(Frame(frame.kind, frame.player, frame.effects, count=frame.count - PORTION))


def refuse_portion(game: Game, frame: Frame, command: ChooseResources) -> RuleViolation:
    """Why a mix is not offered."""
    portion = min(PORTION, frame.count)
    return RuleViolation("WRONG_SUM", "OR-GAIN.3", f"Tools, Coins and Coal must add up to {portion}, none negative")


# -- alternatives (DM-13) --------------------------------------------------------------------------------------


def alternatives(game: Game, frame: Frame) -> Options:
    """DM-13: every alternative."""
    return [ChooseOption(index) for index in range(len(game.content.effects[frame.effects].choices[frame.index]))]


def take_alternative(game: Game, frame: Frame, command: ChooseOption) -> None:
    """Resolves the alternative."""
    chosen = game.content.effects[frame.effects].choices[frame.index][command.index]
    push_list(game, frame.player, chosen, frame.region)


def refuse_alternative(game: Game, frame: Frame, command: ChooseOption) -> RuleViolation:
    """Why an alternative is not offered."""
    return RuleViolation("UNKNOWN_CHOICE", "OR-GEN.8", f"there is no alternative {command.index}")


# -- bonuses of a chosen region (DM-16) ------------------------------------------------------------------------


def region_options(game: Game, frame: Frame) -> Options:
    """DM-16: every region of the terrain (D-88)."""
    effect: RailwayBonus | BranchBonus = effect_at(game, frame)
    regions = game.content.regions_of[effect.terrain] if effect.terrain else tuple(game.content.regions)
    return [ChooseBonusRegion(region) for region in regions]


def take_region(game: Game, frame: Frame, command: ChooseBonusRegion) -> None:
    """Receives the bonus of the chosen region."""
    push_region_bonus(game, frame.player, effect_at(game, frame), command.region)


def push_region_bonus(game: Game, seat: int, effect: RailwayBonus | BranchBonus, region: str) -> None:
    """Leaves the bonus of a region on the agenda."""
    if isinstance(effect, RailwayBonus):
        push_list(game, seat, f"railway_token:{game.railway_token[region]}", region)
    else:
        push_list(game, seat, f"region_tile:{game.region_tile[region]}", region)


def refuse_region(game: Game, frame: Frame, command: ChooseBonusRegion) -> RuleViolation:
    """Why a region is not offered."""
    effect: RailwayBonus | BranchBonus = effect_at(game, frame)
    return RuleViolation("WRONG_TERRAIN", "OR-IMP.13", f"{command.region} is not of the terrain {effect.terrain}")


def ask(game: Game, frame: Frame, kind: FrameKind, count: int = 0) -> None:
    """Asks about the effect that a frame is about."""
    game.push(Frame(kind, frame.player, frame.effects, frame.index, frame.region, count=count))
