"""What a recorded game of Oil Rock covers, told from its commits, and what the corpus as a whole has to cover."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from tests.support.curious import CuriousOilRock
from tests.tools.corpus import Corpus
from wellhead_rules.kernel.ruleset import Command, Event
from wellhead_rules.kernel.scores import ScoreCard
from wellhead_rules.oil_rock import RULESET, content, events, pack
from wellhead_rules.oil_rock import commands as c
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.vocabulary import CardOrigin, DecisionKind, Reason, ScoreCategory, VpCategory

CONTENT = next(iter(content.packs().values()))
TIERS = (3, 4, 5, 6)
ENERGY_CHARACTER = next(id for id, ability in CONTENT.abilities.items() if ability.energy_mode)
MAJORITIES = {
    card.id: card.scoring for card in CONTENT.improvements.values() if isinstance(card.scoring, pack.Majority)
}


def wanted() -> Iterator[str]:
    """Everything that some game of the corpus has to cover (R-RULES-11)."""
    yield from (f"players {players}" for players in (2, 3, 4))
    yield from (f"option {option}={value}" for option, values in content.OPTIONS.items() for value in values)
    for character in CONTENT.characters:
        yield from (f"ability {character} {tier}" for tier in TIERS)
    for card in CONTENT.improvements:
        yield from (f"{card} laid", f"{card} used")
    for card in MAJORITIES:
        yield from (f"{card} alone", f"{card} tied")
    yield from (f"goal {goal}" for goal in CONTENT.goals)
    yield from (f"action {action}" for action in CONTENT.actions)
    yield from (f"extra action {extra_action}" for extra_action in CONTENT.extra_actions)
    yield from (f"briefcase {briefcase}" for briefcase in CONTENT.briefcases)
    yield from (f"turbine {turbine}" for turbine in CONTENT.turbines)
    yield from (f"refinery {number} {what}" for number in CONTENT.refineries for what in ("built", "activated"))
    yield from (f"decision {kind.name.lower()}" for kind in DecisionKind)
    yield from (f"points {category.name.lower()}" for category in VpCategory)
    yield from (f"score {kind.name.lower()}" for kind in ScoreCategory if kind is not ScoreCategory.IN_PLAY)
    yield from ("effect declined", "effect skipped", "barrels over the cap", "Energy lost", "barrels to Energy")
    yield from ("looked at and bought", "looked at and declined", "level out of turn", "decision out of turn")
    yield from ("ends by points", "tie below the winner", "tie for the win, by space")
    yield from (f"tie for the win, in a stack, {value}" for value in content.OPTIONS["stack_tie"])


class Cover:
    """Watches one game; `claims` is what it has covered so far."""

    def __init__(self, options: dict[str, str], players: int) -> None:
        self.claims = {f"players {players}", *(f"option {option}={value}" for option, value in options.items())}

    def step(self, before: Game | None, command: Command, facts: Iterable[Event], after: Game) -> None:
        """One commit; `before` is None for the setup."""
        for fact in facts:
            self.claims.update(_of_fact(fact, after))
        if before is not None and before.open is not None and command is not None:
            self.claims.update(_of_answer(before, command))

    def end(self, game: Game, card: ScoreCard) -> None:
        """The final score."""
        for line in card.lines:
            if line.points:
                self.claims.add(f"score {line.category}")
            if line.category == "structures" and line.points:
                self.claims.add(f"{line.source_id} used")
                if line.source_id in MAJORITIES:
                    alone = line.points == MAJORITIES[line.source_id].vp_sole
                    self.claims.add(f"{line.source_id} {'alone' if alone else 'tied'}")
        self.claims.update(_of_ranking(game, card))


def _of_fact(fact: Event, after: Game) -> Iterator[str]:
    match fact:
        case events.PhaseTurnStarted(player=seat, ability_tier=tier) if tier:
            if after.content.abilities[after.players[seat].character].energy_mode:
                yield f"ability {ENERGY_CHARACTER} {tier}"
        case events.AbilityUsed(character=character, tier=tier):
            yield f"ability {character} {tier}"
        case events.GoodsChanged(reason=reason, source_id=source):
            yield from _of_source(reason, source)
            yield from {
                Reason.BARREL_CAP: ["barrels over the cap"],
                Reason.ENERGY_LOST: ["Energy lost"],
                Reason.CONVERSION: ["barrels to Energy"],
            }.get(Reason(reason), [])
        case events.VictoryPointsGained(category=category, source_id=source):
            yield f"points {VpCategory(category).name.lower()}"
            if category == VpCategory.GOALS:
                yield f"goal {source}"
            if category in (VpCategory.EQUIPMENT, VpCategory.TECHNOLOGY):
                yield f"{source} used"
        case events.ActionStarted(action=action):
            yield f"action {action}"
        case events.ExtraActionUsed(extra_action=extra_action):
            yield f"extra action {extra_action}"
        case events.BriefcaseOpened(briefcase=briefcase):
            yield f"briefcase {briefcase}"
        case events.TurbineBuilt(turbine=turbine):
            yield f"turbine {turbine}"
        case events.RefineryBuilt(player=seat, number=number):
            yield f"refinery {number} built"
        case events.RefineryActivated(number=number):
            yield f"refinery {number} activated"
        case events.DecisionOpened(kind=kind, owner=owner):
            yield f"decision {DecisionKind(kind).name.lower()}"
            if after.active >= 0 and owner != after.active:
                yield "decision out of turn"
        case events.LevelReached(player=seat):
            if after.active >= 0 and seat != after.active:
                yield "level out of turn"
        case events.ImprovementTaken(origin=CardOrigin.LOOKED_AT):
            yield "looked at and bought"
        case events.ImprovementLaid(improvement=card):
            yield f"{card} laid"
            if _only_moves(card):
                yield f"{card} used"
        case events.EffectDeclined(effects=ref):
            yield "effect declined"
            if ref.startswith("optional:carnegie"):
                yield "looked at and declined"
        case events.EffectSkipped():
            yield "effect skipped"


def _of_source(reason: int, source: str) -> Iterator[str]:
    if reason in (Reason.EQUIPMENT, Reason.TECHNOLOGY):
        yield f"{source} used"


def _only_moves(card: str) -> bool:
    """A Technology whose effects need no answer and give no goods or points: laid means used."""
    effects = CONTENT.improvements[card].effects
    moves = all(isinstance(effect, pack.BuildRefinery) or _is_progress(effect) for effect in effects)
    return bool(effects) and moves


def _is_progress(effect: pack.AnyEffect) -> bool:
    return isinstance(effect, pack.Gain) and bool(effect.progress)


def _of_answer(before: Game, command: Command) -> Iterator[str]:
    """A card that asked for the answer has been used, unless the answer was no."""
    frame = before.agenda[-1]
    kind, _, rest = frame.effects.partition(":")
    if kind in ("trigger", "improvement") and not isinstance(command, c.DeclineEffect | c.StopPaying):
        yield f"{rest.split(':')[0].split('/')[0]} used"
    if isinstance(command, c.OpenBriefcase):
        equipment = before.players[frame.player].equipment
        yield from (f"{card} used" for card in equipment if CONTENT.trigger_refs(card, "briefcase_opened"))
    if isinstance(command, c.MoveTrain):
        effect: Any = before.content.effects[frame.effects].effects[frame.index]
        player = before.players[frame.player]
        if player.train_discount and not effect.free:
            yield from (f"{card} used" for card in player.equipment if "move_train" in CONTENT.discounts.get(card, {}))


def _of_ranking(game: Game, card: ScoreCard) -> Iterator[str]:
    first, *others = card.ranking
    totals: Sequence[int] = [rank.total for rank in others]
    if first.total > totals[0]:
        yield "ends by points"
    elif game.players[first.seat].space > game.players[others[0].seat].space:
        yield "tie for the win, by space"
    else:
        yield f"tie for the win, in a stack, {game.options['stack_tie']}"
    if len(set(totals)) < len(totals):
        yield "tie below the winner"


# -- the games ---------------------------------------------------------------------------------------------------------


def _options(number: int, random: Random) -> Mapping[str, str]:
    """Defaults in every second game, drawn otherwise."""
    return {} if number % 2 else {option: random.choice(values) for option, values in content.OPTIONS.items()}


def _bots(players: int, random: Random) -> list[CuriousOilRock]:
    """The players, each with a character in mind and its own drive."""
    characters = random.sample(list(CONTENT.characters), players)
    drives = (2.0, 5.0, 20.0)
    return [CuriousOilRock(random.getrandbits(32), character, random.choice(drives)) for character in characters]


OIL_ROCK = Corpus(
    RULESET,
    "Oil Rock",
    "every ability tier, every Improvement, every scoring branch and every way to end a game",
    wanted,
    Cover,
    _options,
    _bots,
    lambda game, seat: str(game.players[seat].character),
)
