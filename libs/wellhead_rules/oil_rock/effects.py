"""The interpreter of effect lists (section H.2): each primitive records facts or calls a chapter."""

from collections.abc import Callable
from typing import Any

from wellhead_rules.oil_rock import (
    choices,
    improvements,
    offices,
    pack,
    progress,
    refining,
    trains,
    turbines,
    wells,
)
from wellhead_rules.oil_rock.commands import PayForMore, StopPaying
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import Frame, GoodsChanged, WorkersReceived
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import can_pay, pay_all, points
from wellhead_rules.oil_rock.lists import effect_at, push_list, skip
from wellhead_rules.oil_rock.vocabulary import FrameKind


def resolve(game: Game, frame: Frame) -> None:
    """Works on a list: what remains goes back, then the effect at hand is executed (section E.2)."""
    effects = game.content.effects[frame.effects].effects
    if frame.index + 1 < len(effects):
        game.push(Frame(frame.kind, frame.player, frame.effects, frame.index + 1, frame.region))
    effect = effects[frame.index]
    _EXECUTE[effect.__class__](game, frame, effect)


def first_possible(game: Game, player: Player, ref: str) -> bool:
    """A list can be started: its first effect has a legal execution (OR-ACTION.6)."""
    effect = game.content.effects[ref].effects[0]
    test = _POSSIBLE.get(effect.__class__)
    return test is None or test(game, player, effect)


def _gain(game: Game, frame: Frame, effect: pack.Gain) -> None:
    listed = game.content.effects[frame.effects]
    seat = frame.player
    if (
        effect.tools or effect.coins or effect.coal or effect.patents
        or effect.yellow or effect.green or effect.blue
    ):  # fmt: skip
        game.record(
            GoodsChanged(
                seat, effect.tools, effect.coins, effect.coal, effect.patents,
                effect.yellow, effect.green, effect.blue, 0, listed.reason, listed.source_id,
            )
        )  # fmt: skip
    if effect.progress:
        progress.gain(game, seat, effect.progress, listed.reason)
    if effect.vp and listed.category is not None:
        points(game, seat, effect.vp, listed.category, listed.source_id)


def _gain_resources(game: Game, frame: Frame, effect: pack.GainResources) -> None:
    choices.ask(game, frame, FrameKind.RESOURCE_PORTION, effect.n)


def _gain_workers(game: Game, frame: Frame, effect: pack.GainWorkers) -> None:
    game.record(WorkersReceived(frame.player, effect.assistants, effect.managers))


def _gain_energy(game: Game, frame: Frame, effect: pack.GainEnergy) -> None:
    listed = game.content.effects[frame.effects]
    game.record(GoodsChanged(frame.player, 0, 0, 0, 0, 0, 0, 0, effect.n, listed.reason, listed.source_id))


def _choose(game: Game, frame: Frame, effect: pack.Choose) -> None:
    choices.ask(game, frame, FrameKind.ALTERNATIVE)


def _may_pay(game: Game, frame: Frame, effect: pack.MayPay) -> None:
    choices.ask(game, frame, FrameKind.PAID_REPEAT, effect.times)


def _build_office(game: Game, frame: Frame, effect: pack.BuildOffice) -> None:
    choices.ask(game, frame, FrameKind.OFFICE_SITE)


def _build_drill(game: Game, frame: Frame, effect: pack.BuildDrill) -> None:
    choices.ask(game, frame, FrameKind.DRILL_WELL)


def _build_refinery(game: Game, frame: Frame, effect: pack.BuildRefinery) -> None:
    if refining.possible(game, game.players[frame.player], effect):
        refining.build(game, frame.player, effect)
    else:
        skip(game, frame)


def _build_turbine(game: Game, frame: Frame, effect: pack.BuildTurbine) -> None:
    choices.ask(game, frame, FrameKind.TURBINE_SITE)


def _turbine_bonus(game: Game, frame: Frame, effect: pack.TurbineBonus) -> None:
    choices.ask(game, frame, FrameKind.TURBINE_BONUS)


def _region_bonus(game: Game, frame: Frame, effect: pack.RailwayBonus | pack.BranchBonus) -> None:
    if effect.region == "choose":
        choices.ask(game, frame, FrameKind.BONUS_REGION)
        return
    region = game.players[frame.player].train if effect.region == "train" else frame.region
    choices.push_region_bonus(game, frame.player, effect, region)


def _has_turbine(game: Game, player: Player, effect: pack.TurbineBonus) -> bool:
    return any(player.turbine_at)


_EXECUTE: dict[type[pack.Effect], Callable[[Game, Frame, Any], None]] = {
    pack.Gain: _gain,
    pack.GainResources: _gain_resources,
    pack.GainWorkers: _gain_workers,
    pack.GainEnergy: _gain_energy,
    pack.Choose: _choose,
    pack.MayPay: _may_pay,
    pack.MoveTrain: trains.ask,
    pack.BuildOffice: _build_office,
    pack.BuildDrill: _build_drill,
    pack.BuildRefinery: _build_refinery,
    pack.BuildTurbine: _build_turbine,
    pack.BuyImprovement: improvements.ask,
    pack.TurbineBonus: _turbine_bonus,
    pack.RailwayBonus: _region_bonus,
    pack.BranchBonus: _region_bonus,
}

_POSSIBLE: dict[type[pack.Effect], Callable[[Game, Player, Any], bool]] = {
    pack.MoveTrain: trains.possible,
    pack.BuildOffice: offices.possible,
    pack.BuildDrill: wells.possible,
    pack.BuildRefinery: refining.possible,
    pack.BuildTurbine: turbines.possible,
    pack.BuyImprovement: improvements.possible,
    pack.TurbineBonus: _has_turbine,
}
"""Effects that may have no legal execution; all others are always possible."""


# -- paid repetitions (DM-14) ----------------------------------------------------------------------------------


def repeat_options(game: Game, frame: Frame) -> Options:
    """DM-14: pay once more or stop; nothing is asked if it cannot be paid or would do nothing (D-53)."""
    effect: pack.MayPay = effect_at(game, frame)
    player = game.players[frame.player]
    repeated = game.content.effects[frame.effects].repeated[frame.index]
    if can_pay(player, effect.cost) and first_possible(game, player, repeated):
        return [PayForMore(), StopPaying()]
    return []


def repeat(game: Game, frame: Frame, command: PayForMore | StopPaying) -> None:
    """Pays, resolves, and asks again while repetitions are left (OR-REF.7, OR-GAIN.6)."""
    if isinstance(command, StopPaying):
        return
    effect: pack.MayPay = effect_at(game, frame)
    pay_all(game, frame.player, effect.cost)
    if frame.count > 1:
        choices.ask(game, frame, FrameKind.PAID_REPEAT, frame.count - 1)
    push_list(game, frame.player, game.content.effects[frame.effects].repeated[frame.index], frame.region)
