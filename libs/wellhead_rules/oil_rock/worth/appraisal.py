"""The weights applied to a content pack: everything that `worth` looks up, worked out once."""

from functools import cache

from msgspec import Struct

from wellhead_rules.oil_rock import pack
from wellhead_rules.oil_rock.content import ABILITY_PHASES, Content
from wellhead_rules.oil_rock.vocabulary import Phase
from wellhead_rules.oil_rock.worth.judgement import GROWTH, RATES, Judgement


class Slot(Struct, frozen=True):
    """A refinery slot: its recipe, its price in Energy, and the points of a modern refinery beside a Turbine."""

    slot: int
    modern: int
    yellow: int
    green: int
    blue: int
    energy: int
    flanked_vp: int


class Band(Struct, frozen=True):
    """By level: an income, and the ability in its phase; `energy` is what it gives for refineries, if it does."""

    phase: Phase
    income: tuple[float, ...]
    ability: tuple[float, ...]
    energy: tuple[int, ...]


class Outputs(Struct, frozen=True):
    """What one activation gives, by number of the refinery, and what the Turbine beside it adds."""

    refinery: tuple[float, ...]
    turbine: dict[str, float]
    resource: float


class Appraisal:
    """A content pack as a bot of this judgement sees it. Tables by `turns` go from none to a whole game."""

    def __init__(self, content: Content, judgement: Judgement) -> None:
        data, constants = content.data, content.constants
        self.judgement = judgement
        self.rounds = constants.rounds
        self.turns_per_round = constants.worker_turns_per_round
        all_turns = range(self.rounds * self.turns_per_round + 1)
        self.resource = tuple(judgement.resource_late + judgement.resource_per_turn * turns for turns in all_turns)
        self.patent = tuple(judgement.patent_late + judgement.patent_per_turn * turns for turns in all_turns)
        self.cap = tuple(judgement.resource_cap + judgement.resource_cap_per_turn * turns for turns in all_turns)
        self.end_vp = tuple(
            tuple(self._end_vp(content, space, turns) for turns in all_turns) for space in range(content.last_space + 1)
        )
        self.lists = {
            (ref, index): self.effects(listed.effects[index:])
            for ref, listed in content.effects.items()
            for index in range(len(listed.effects))
        }
        self.branch = {tile.id: self.lists[f"region_tile:{tile.id}", 0] for tile in data.region_tiles}
        self.thresholds = (0, *(entry.space for entry in data.progress_track.level_thresholds), content.last_space + 1)
        self.bands = {character.id: self._band(character) for character in data.characters}
        self.slots = self._slots(content)
        self.now = tuple(self._outputs(content, after) for after in range(self.rounds))
        self.later = tuple(_added(self.now[:rounds], content) for rounds in range(self.rounds + 1))
        self.equipment = {card.id: self._equipment(card) for card in data.improvements if card.kind == "equipment"}
        self.structures = {card.id: self._growth(card.scoring) for card in data.improvements if card.scoring}
        self.cards = {card.id: tuple(self._card(card, turns) for turns in all_turns) for card in data.improvements}

    # -- effects -----------------------------------------------------------------------------------------------

    def effects(self, effects: pack.Effects, late: bool = False) -> float:
        """A list of effects, for a player whom it costs nothing else; `late` if no round follows."""
        return sum(self.effect(effect, late) for effect in effects)

    def effect(self, effect: pack.AnyEffect, late: bool = False) -> float:
        """One effect."""
        j = self.judgement
        resource = j.resource_late if late else j.resource
        match effect:
            case pack.Gain():
                barrels = effect.yellow + 2 * effect.green + 3 * effect.blue
                return (
                    (effect.tools + effect.coins + effect.coal) * resource
                    + effect.patents * (j.patent_late if late else j.patent)
                    + effect.progress * (j.progress_late if late else j.progress)
                    + effect.vp
                    + barrels * j.barrel
                )
            case pack.GainResources():
                return effect.n * resource
            case pack.GainEnergy():
                return effect.n * j.energy
            case pack.GainWorkers():
                return effect.managers * j.manager
            case pack.Choose():
                return max(self.effects(option, late) for option in effect.options)
            case pack.MayPay():
                gain = self.effects(effect.effects, late) - sum(effect.cost.values()) * resource
                return max(0.0, gain) * effect.times / 2
            case pack.MoveTrain():
                bonuses = {"railway": j.railway, "branch": j.branch}
                saved = 2.0 if effect.free else effect.discount
                return j.train + sum(bonuses[bonus] for bonus in effect.bonus) / 2 + saved * resource
            case pack.BuildOffice():
                return j.office + (3.0 if effect.free else effect.discount) * resource + effect.anywhere
            case pack.BuildDrill():
                return j.drill + (4.0 if effect.free else effect.discount) * resource
            case pack.BuildRefinery():
                return j.refinery - sum(effect.cost.values()) * resource
            case pack.BuildTurbine():
                return j.turbine + effect.free * resource
            case pack.BuyImprovement():
                return j.improvement + (3.5 if effect.free else effect.discount) * resource
            case pack.TurbineBonus():
                return j.turbine_bonus
            case pack.RailwayBonus():
                return j.railway + (effect.region == "choose")
            case pack.BranchBonus():
                return j.branch

    # -- levels ------------------------------------------------------------------------------------------------

    def _band(self, character: pack.Character) -> Band:
        tiers = {tier.level: tier for tier in character.ability.tiers}
        levels = range(len(character.levels) + 1)
        return Band(
            ABILITY_PHASES[character.ability.phase],
            (0.0, *(self.effects(level.income) for level in character.levels)),
            tuple(
                self.effects((*tiers[level].automatic, *(tiers[level].optional or ()))) if level in tiers else 0.0
                for level in levels
            ),
            tuple(
                sum(effect.n for effect in tiers[level].automatic if isinstance(effect, pack.GainEnergy))
                if level in tiers and character.ability.energy_mode
                else 0
                for level in levels
            ),
        )

    def _end_vp(self, content: Content, space: int, turns: int) -> float:
        """Points of the track at the end, from a space with turns to go."""
        reached = min(content.last_space, space + round(self.judgement.end_spaces_per_turn * turns))
        doubt = turns / (self.rounds * self.turns_per_round + 4)
        return content.end_vp.get(reached, 0) * (1 - doubt)

    # -- the company board -------------------------------------------------------------------------------------

    def _slots(self, content: Content) -> tuple[Slot, ...]:
        """The slots, the best use of barrels first."""
        slots = [
            Slot(
                slot.slot, slot.holds[1], slot.recipe["yellow"], slot.recipe["green"], slot.recipe["blue"],
                slot.energy_cost, slot.modern_vp_if_flanked,
            )
            for slot in content.slots.values()
        ]  # fmt: skip
        return tuple(sorted(slots, key=lambda slot: -self._yield(content, slot)))

    def _yield(self, content: Content, slot: Slot) -> float:
        output = self.effects(content.refineries[slot.modern].output)
        return output / (slot.yellow + 2 * slot.green + 3 * slot.blue)

    def _outputs(self, content: Content, after: int) -> Outputs:
        late = not after
        return Outputs(
            (0.0, *(self.effects(refinery.output, late) for refinery in content.refineries.values())),
            {"": 0.0} | {turbine.id: self.effects(turbine.bonus, late) for turbine in content.turbines.values()},
            self.judgement.resource_late if late else self.judgement.resource,
        )

    # -- Improvements ------------------------------------------------------------------------------------------

    def _card(self, card: pack.Improvement, turns: int) -> float:
        """A card in the display."""
        depth = 1.5
        if card.scoring:
            return depth + 2.5 + self.structures[card.id] * turns
        if card.effects:
            return depth + self.effects(card.effects)
        return depth + self.equipment[card.id] * turns

    def _equipment(self, card: pack.Improvement) -> float:
        """An Equipment, by turns left."""
        j = self.judgement
        often = sum(modifier.discount * j.resource * RATES[modifier.applies_to] for modifier in card.modifiers)
        for trigger in card.triggers:
            often += RATES[trigger.on] * self.effects(trigger.effects) / (2 if trigger.colour else 1)
        return often * j.rates

    def _growth(self, rule: pack.AnyScoringRule) -> float:
        """What a Structure gains in a turn."""
        grown = 0.0
        match rule:
            case pack.Per():
                grown = GROWTH[rule.metric] * rule.vp
            case pack.PerSet():
                grown = min(GROWTH[metric] for metric in rule.metrics) * rule.vp
            case pack.PerGroup():
                grown = GROWTH[rule.metric] / rule.size * rule.vp
        return grown * self.judgement.growth


def _added(outputs: tuple[Outputs, ...], content: Content) -> Outputs:
    """The outputs of several rounds together."""
    return Outputs(
        tuple(sum(output.refinery[number] for output in outputs) for number in range(len(content.refineries) + 1)),
        {turbine: sum(output.turbine[turbine] for output in outputs) for turbine in ("", *content.turbines)},
        sum(output.resource for output in outputs),
    )


@cache
def appraisal(content: Content) -> Appraisal:
    """The pack as the bots see it."""
    return Appraisal(content, Judgement())
