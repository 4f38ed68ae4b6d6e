"""What the running turn has still to hand out: Actions that are pending, and effects on the agenda."""

from collections.abc import Callable, Iterable
from typing import Any

from wellhead_rules.oil_rock import goods, improvements, pack, refining, trains, turbines, wells
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.vocabulary import FrameKind, TileMode
from wellhead_rules.oil_rock.worth.appraisal import Appraisal


def pending(game: Game, player: Player, weights: Appraisal, turns: int, after: int) -> float:
    """All that is left of the running sequence, and of the sources of Actions."""
    content = game.content
    outlook = Outlook(game, player, weights, turns, after)
    total = 0.0
    for source in game.sources:
        gains = [outlook.effects(content.actions[action].effects) for action in source.pending]
        total += max(gains) if source.mode == TileMode.EITHER else sum(gains)
    for frame in game.agenda:
        if frame.player != player.seat:
            continue
        if frame.kind == FrameKind.RESOURCE_PORTION:
            total += frame.count * outlook.resource
        elif frame.kind == FrameKind.LAYING:
            total += wells.depth(game, player, content.card_colour[frame.item])
        elif frame.kind == FrameKind.ARRIVAL:
            total += weights.lists[f"railway_token:{game.railway_token[frame.region]}", 0]
        elif frame.kind == FrameKind.EFFECTS:
            total += outlook.effects(content.effects[frame.effects].effects[frame.index :])
        elif frame.effects:
            total += outlook.effect(content.effects[frame.effects].effects[frame.index], frame.count)
    return total


def best_office(game: Game, player: Player, weights: Appraisal, effect: pack.BuildOffice | None) -> float:
    """The best Office that could be built; without an effect, one that could be if there were Tools and an Action."""
    content = game.content
    best = 0.0
    if len(player.offices) == content.constants.max_offices:
        return best
    most = content.constants.max_offices_per_region
    resource = weights.judgement.resource
    discount = player.office_discount + (effect.discount if effect is not None else 0)
    anywhere = effect is not None and effect.anywhere
    for region in content.regions if anywhere else (player.train, player.engineer):
        built = game.offices[region]
        if len(built) == most or player.seat in built:
            continue
        tools = max(0, content.office_cost[region] - discount)
        if effect is not None:
            tools = 0 if effect.free else tools
            if tools > player.goods[goods.TOOLS]:
                continue
        gain = content.office_slots[region][len(built)] + weights.branch[game.region_tile[region]] - tools * resource
        if gain > best:
            best = gain
    return best


class Outlook:
    """Effects as the player could carry them out now; nothing for those that are impossible."""

    def __init__(self, game: Game, player: Player, weights: Appraisal, turns: int, after: int) -> None:
        self.game, self.player, self.weights, self.turns, self.after = game, player, weights, turns, after
        self.resource = weights.resource[turns]

    def effects(self, effects: Iterable[pack.AnyEffect]) -> float:
        """A list of effects."""
        return sum(self.effect(effect) for effect in effects)

    def effect(self, effect: pack.AnyEffect, times: int = 0) -> float:
        """One effect; `times` is how often a paid repetition is still to be had."""
        if isinstance(effect, pack.MayPay):
            return self._paid(effect, times or effect.times)
        judge = _JUDGES.get(effect.__class__)
        return judge(self, effect) if judge is not None else self.weights.effect(effect, late=not self.after)

    def _paid(self, effect: pack.MayPay, times: int) -> float:
        held = self.player.goods
        affordable = min(held[goods.PLACE[kind]] // amount for kind, amount in effect.cost.items())
        gain = self.effects(effect.effects) - sum(effect.cost.values()) * self.resource
        return max(0.0, gain) * min(times, affordable)

    def _gain(self, effect: pack.Gain) -> float:
        judgement = self.weights.judgement
        return (
            (effect.tools + effect.coins + effect.coal) * self.resource
            + effect.patents * self.weights.patent[self.turns]
            + effect.progress * (judgement.progress if self.after else judgement.progress_late)
            + effect.vp
            + (effect.yellow + 2 * effect.green + 3 * effect.blue) * judgement.barrel
        )

    def _office(self, effect: pack.BuildOffice) -> float:
        return best_office(self.game, self.player, self.weights, effect)

    def _drill(self, effect: pack.BuildDrill) -> float:
        game, player, depth_vp = self.game, self.player, self.game.content.constants.depth_vp
        best = 0.0
        for well in wells.sites(game, player, effect):
            depth = wells.depth(game, player, well)
            points = depth_vp[depth + 1] - depth_vp[depth]
            barrels = well * self.weights.judgement.barrel * (self.after + 1)
            best = max(best, points + barrels - wells.cost(game, player, effect, well) * self.resource)
        return best

    def _improvement(self, effect: pack.BuyImprovement) -> float:
        best = 0.0
        for card in self.game.display:
            place, amount = improvements.cost(self.game, self.player, effect, card)
            if amount <= self.player.goods[place]:
                best = max(best, self.weights.cards[card][self.turns] - amount * self.resource)
        return best

    def _refinery(self, effect: pack.BuildRefinery) -> float:
        if not refining.possible(self.game, self.player, effect):
            return 0.0
        price = sum(effect.cost.values()) * self.resource
        return max(0.0, self.weights.judgement.refinery * self._while_it_runs() - price)

    def _turbine(self, effect: pack.BuildTurbine) -> float:
        possible = turbines.possible(self.game, self.player, effect)
        return self.weights.judgement.turbine * self._while_it_runs() if possible else 0.0

    def _while_it_runs(self) -> float:
        """What is built late gives less; 1 for the middle of the game."""
        return (self.after + 0.5) / 2.5

    def _train(self, effect: pack.MoveTrain) -> float:
        if not trains.possible(self.game, self.player, effect):
            return 0.0
        coal = 4 if effect.free else min(4, self.player.goods[goods.COAL] + effect.discount)
        return self.weights.judgement.train + self.weights.judgement.railway * coal / 5

    def _turbine_bonus(self, effect: pack.TurbineBonus) -> float:
        return self.weights.judgement.turbine_bonus if any(self.player.turbine_at) else 0.0


_JUDGES: dict[type[pack.Effect], Callable[[Outlook, Any], float]] = {
    pack.Gain: Outlook._gain,
    pack.BuildOffice: Outlook._office,
    pack.BuildDrill: Outlook._drill,
    pack.BuyImprovement: Outlook._improvement,
    pack.BuildRefinery: Outlook._refinery,
    pack.BuildTurbine: Outlook._turbine,
    pack.MoveTrain: Outlook._train,
    pack.TurbineBonus: Outlook._turbine_bonus,
}
