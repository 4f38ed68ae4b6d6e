"""Options, questions and facts in plain words (R-API-8): enough to play by text or by ear."""

from collections.abc import Callable, Iterable
from typing import Any

from wellhead_rules.oil_rock import commands as c
from wellhead_rules.oil_rock import events as e
from wellhead_rules.oil_rock import goods, pack
from wellhead_rules.oil_rock.codec import command_name
from wellhead_rules.oil_rock.commands import Command
from wellhead_rules.oil_rock.content import Content
from wellhead_rules.oil_rock.events import Event
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.vocabulary import DecisionKind, OilColour, Phase, VpCategory, Worker, WorkerSpace

ROMAN = ("", "I", "II", "III", "IV", "V", "VI")
_GOODS_WORDS = {
    "tools": ("Tool", "Tools"),
    "coins": ("Coin", "Coins"),
    "coal": ("Coal", "Coal"),
    "patents": ("Patent", "Patents"),
    "yellow": ("yellow barrel", "yellow barrels"),
    "green": ("green barrel", "green barrels"),
    "blue": ("blue barrel", "blue barrels"),
    "energy": ("Energy", "Energy"),
    "progress": ("Progress", "Progress"),
    "vp": ("VP", "VP"),
}
"""One of each, and several."""


def option_id(command: Command) -> str:
    """The kind of the command and its fields, joined by colons; a route joins its regions by dashes."""
    parts = [command_name(command)]
    for field in command.__struct_fields__:
        value = getattr(command, field)
        parts.append(
            "-".join(value) if isinstance(value, tuple) else str(int(value) if isinstance(value, int) else value)
        )
    return ":".join(parts)


# -- options ---------------------------------------------------------------------------------------------------


def label(game: Game, command: Command) -> str:
    """The command in plain words."""
    return _LABELS[command.__class__](game.content, command)


def _colour(colour: int) -> str:
    return OilColour(colour).name.lower()


def _mix(amounts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(_so_many(amount, *_GOODS_WORDS[kind]) for kind, amount in amounts if amount) or "nothing"


def _so_many(amount: int, one: str, several: str) -> str:
    return f"{amount} {one if amount == 1 else several}"


def actions(content: Content, source: str) -> str:
    """What an Action tile or an Extra Action offers."""
    found = content.sources[source]
    joint = {2: " and ", 3: " or "}.get(found.mode, "")
    return joint.join(content.actions[action].label for action in found.actions) or "no Action"


def _improvement(content: Content, card: str) -> str:
    datum = content.improvements[card]
    place, amount = content.card_cost[card]
    price = _mix(((goods.NAMES[place], amount),))
    return f"{datum.kind.capitalize()} {datum.number} ({datum.label}; printed cost {price})"


_LABELS: dict[type[Command], Callable[[Content, Any], str]] = {
    c.ChooseCharacter: lambda content, x: f"Play {content.characters[x.character].name}",
    c.DeployTrain: lambda content, x: f"Deploy in {x.region}",
    c.PlaceOnTile: lambda content, x: f"Put a worker on {x.tile}: {actions(content, x.tile)}",
    c.PlaceOnCircle: lambda content, x: f"Put a manager on circle {x.circle}",
    c.PlaceOnCopy: lambda content, x: f"Copy {x.tile} for 1 Progress: {actions(content, x.tile)}",
    c.ResolveAction: lambda content, x: f"{content.actions[x.action].label} ({x.source})",
    c.ForgoSource: lambda content, x: f"Give up what is left of {x.source}",
    c.EndTurn: lambda content, x: "End the turn",
    c.OpenBriefcase: lambda content, x: f"Open {_briefcase(content, x.briefcase)}",
    c.UseExtraAction: lambda content, x: (
        f"Use Extra Action {x.extra_action} for "
        f"{content.constants.extra_action_cost_patents} Patents: {actions(content, x.extra_action)}"
    ),
    c.UseAbility: lambda content, x: "Use the ability",
    c.ActivateRefinery: lambda content, x: (
        f"Activate slot {x.slot} with " + _mix((("yellow", x.yellow), ("green", x.green), ("blue", x.blue)))
    ),
    c.UseBasicRefinery: lambda content, x: "Use the Basic Refinery",
    c.EndPhaseTurn: lambda content, x: "End the phase turn",
    c.MoveTrain: lambda content, x: f"Move the Train to {', then '.join(x.path)}",
    c.MoveEngineer: lambda content, x: f"Move the Engineer to {x.region}",
    c.KeepEngineer: lambda content, x: "Leave the Engineer where it is",
    c.BuildOffice: lambda content, x: f"Build an Office in {x.region} from the {_colour(x.well)} well",
    c.BuildDrill: lambda content, x: f"Build a drill in the {_colour(x.well)} well",
    c.BuildTurbine: lambda content, x: f"Build Turbine {x.turbine} at slot {x.slot}",
    c.BuyImprovement: lambda content, x: f"Buy {_improvement(content, x.improvement)}",
    c.ChooseResources: lambda content, x: f"Take {_mix((('tools', x.tools), ('coins', x.coins), ('coal', x.coal)))}",
    c.ChooseOption: lambda content, x: f"Take alternative {x.index + 1}",
    c.PayForMore: lambda content, x: "Pay for one more",
    c.StopPaying: lambda content, x: "Stop paying",
    c.ChooseTurbineBonus: lambda content, x: f"Take the bonus of Turbine {x.turbine}",
    c.ChooseBonusRegion: lambda content, x: f"Take the bonus of {x.region}",
    c.ConvertBarrels: lambda content, x: f"Convert {_barrels(x)} into Energy",
    c.LoadBasicRefinery: lambda content, x: f"Load {_barrels(x)}",
    c.DeclineEffect: lambda content, x: "Decline",
}


def _barrels(command: c.ConvertBarrels | c.LoadBasicRefinery) -> str:
    return _so_many(command.count, *_GOODS_WORDS[_colour(command.colour)])


def _briefcase(content: Content, briefcase: str) -> str:
    datum = content.briefcases[briefcase]
    gains = "; ".join(effect_words(effect) for effect in datum.effects)
    return f"Briefcase {briefcase} for {_mix((('patents', datum.patent_cost),))}: {gains}"


def effect_words(effect: pack.AnyEffect) -> str:
    """An effect of a Briefcase."""
    if isinstance(effect, pack.Gain):
        return _mix((kind, getattr(effect, kind)) for kind in effect.__struct_fields__)
    if isinstance(effect, pack.GainResources):
        return f"{effect.n} resources of choice"
    free = "free " if getattr(effect, "free", False) else ""
    return f"{free}{type(effect).__name__}"


# -- questions -------------------------------------------------------------------------------------------------


def prompt(game: Game, seat: int, kind: DecisionKind) -> str:
    """The question in plain words."""
    frame = game.agenda[-1] if game.agenda else None
    who = _player(game, seat)
    match kind:
        case DecisionKind.TURN_MENU:
            return f"{who}: worker turn {game.worker_turn} of round {game.round}"
        case DecisionKind.PHASE_MENU:
            return f"{who}: phase turn in {Phase(game.phase or 0).name.lower()} of round {game.round}"
        case DecisionKind.RESOURCE_PORTION if frame is not None:
            return f"{who}: take {frame.count} resources of choice"
        case DecisionKind.ENERGY_CONVERSION | DecisionKind.BASIC_LOADING if frame is not None:
            return f"{who}: {_QUESTIONS[kind]} ({_colour(frame.colour or 1)})"
        case _:
            return f"{who}: {_QUESTIONS[kind]}"


_QUESTIONS = {
    DecisionKind.CHOOSE_CHARACTER: "take a character",
    DecisionKind.DEPLOY: "deploy Train and Engineer in a plains region",
    DecisionKind.TURN_MENU: "worker turn",
    DecisionKind.PHASE_MENU: "phase turn",
    DecisionKind.TRAIN_ROUTE: "choose a route for the Train",
    DecisionKind.TRAIN_TARGET: "choose a region for the Train",
    DecisionKind.ENGINEER_MOVE: "move the Engineer to a region of the route, or leave it",
    DecisionKind.OFFICE_SITE: "choose a region and a well for an Office",
    DecisionKind.DRILL_WELL: "choose a well for a drill",
    DecisionKind.TURBINE_SITE: "choose a Turbine and a slot",
    DecisionKind.IMPROVEMENT_PURCHASE: "choose an Improvement",
    DecisionKind.RESOURCE_PORTION: "take resources of choice",
    DecisionKind.ALTERNATIVE: "choose one gain",
    DecisionKind.PAID_REPEAT: "pay for one more, or stop",
    DecisionKind.TURBINE_BONUS: "choose a Turbine whose bonus you receive",
    DecisionKind.BONUS_REGION: "choose a region whose bonus you receive",
    DecisionKind.ENERGY_CONVERSION: "convert barrels into Energy",
    DecisionKind.BASIC_LOADING: "load barrels into the Basic Refinery",
}


# -- facts -----------------------------------------------------------------------------------------------------


def describe(game: Game, event: Event) -> str:
    """The fact in plain words, "" for one that only the machinery needs."""
    words = _FACTS.get(event.__class__)
    if words is None:
        return ""
    who = _player(game, event.player) if hasattr(event, "player") else ""
    return words(game, event, who).strip()


def _player(game: Game, seat: int) -> str:
    return game.players[seat].colour.name.lower()


def _goods_change(game: Game, event: e.GoodsChanged, who: str) -> str:
    gained = [(kind, getattr(event, kind)) for kind in goods.NAMES if getattr(event, kind) > 0]
    lost = [(kind, -getattr(event, kind)) for kind in goods.NAMES if getattr(event, kind) < 0]
    parts = [f"gains {_mix(gained)}"] if gained else []
    parts += [f"gives {_mix(lost)}"] if lost else []
    return f"{who} {' and '.join(parts)}"


def _worker_placed(game: Game, event: e.WorkerPlaced, who: str) -> str:
    worker = Worker(event.worker).name.lower()
    place = {
        WorkerSpace.TILE: f"on {event.place}",
        WorkerSpace.CIRCLE: f"on circle {event.place}",
        WorkerSpace.COPY: f"on the Copy space for {event.place}",
    }[WorkerSpace(event.space)]
    return f"{who} puts a worker ({worker}) {place}"


def _ranking(game: Game, event: e.GameEnded, who: str) -> str:
    return "the game ends: " + ", ".join(f"{_player(game, rank.player)} {rank.total}" for rank in event.ranking)


_FACTS: dict[type[Event], Callable[[Game, Any, str], str]] = {
    e.GameCreated: lambda g, x, who: f"a game for {x.player_count} players with {x.content_pack} {x.content_version}",
    e.GoalPlaced: lambda g, x, who: f"goal {x.position} is {x.goal}",
    e.ImprovementRevealed: lambda g, x, who: f"{x.improvement} joins the display",
    e.TurnOrderSet: lambda g, x, who: f"turn order: {', '.join(_player(g, seat) for seat in x.order)}",
    e.CharacterTaken: lambda g, x, who: f"{who} plays {g.content.characters[x.character].name}",
    e.TrainPlaced: lambda g, x, who: f"{who} deploys in {x.region}",
    e.RoundStarted: lambda g, x, who: f"round {x.round} starts",
    e.PhaseStarted: lambda g, x, who: f"phase {Phase(x.phase).name.lower()} starts",
    e.WorkersReceived: lambda g, x, who: f"{who} receives {_workers(x)}",
    e.WorkerPlaced: _worker_placed,
    e.ActionStarted: lambda g, x, who: f"{who} starts {g.content.actions[x.action].label} ({x.source})",
    e.SourceForgone: lambda g, x, who: f"{who} gives up what is left of {x.source}",
    e.GoodsChanged: _goods_change,
    e.VictoryPointsGained: lambda g, x, who: f"{who} gains {x.amount} VP ({VpCategory(x.category).name.lower()})",
    e.ProgressMarkerMoved: lambda g, x, who: f"{who} moves on the Progress track from {x.origin} to {x.space}",
    e.LevelReached: lambda g, x, who: f"{who} reaches Level {ROMAN[x.level]}",
    e.TrainMoved: lambda g, x, who: f"{who} moves the Train from {x.origin} to {x.region}",
    e.EngineerMoved: lambda g, x, who: f"{who} moves the Engineer from {x.origin} to {x.region}",
    e.OfficeBuilt: lambda g, x, who: f"{who} builds an Office in {x.region}, worth {x.slot_vp} VP at the end",
    e.DrillBuilt: lambda g, x, who: f"{who} builds a drill: the {_colour(x.well)} well has depth {x.depth}",
    e.RefineryBuilt: lambda g, x, who: f"{who} builds refinery {x.number} in slot {x.slot}",
    e.TurbineBuilt: lambda g, x, who: f"{who} builds Turbine {x.turbine} at slot {x.slot}",
    e.ImprovementTaken: lambda g, x, who: f"{who} acquires {_improvement(g.content, x.improvement)}",
    e.ImprovementsLookedAt: lambda g, x, who: (
        f"{who} looks at {_so_many(x.count, 'card', 'cards')} of the deck{_cards(x.hidden)}"
    ),
    e.ImprovementsPutUnder: lambda g, x, who: (
        f"{who} puts {_so_many(x.count, 'card', 'cards')} under the deck{_cards(x.hidden)}"
    ),
    e.AbilityUsed: lambda g, x, who: f"{who} uses the ability of {g.content.characters[x.character].name}",
    e.RefineryActivated: lambda g, x, who: f"{who} activates refinery {x.number}",
    e.BasicRefineryUsed: lambda g, x, who: f"{who} uses the Basic Refinery with barrels worth {x.value}",
    e.BriefcaseOpened: lambda g, x, who: f"{who} opens Briefcase {x.briefcase}",
    e.ExtraActionUsed: lambda g, x, who: f"{who} uses Extra Action {x.extra_action}",
    e.EffectSkipped: lambda g, x, who: f"{who}: an effect of {x.effects} has no legal execution",
    e.EffectDeclined: lambda g, x, who: f"{who} declines an effect of {x.effects}",
    e.GoalScoringDue: lambda g, x, who: f"goal {x.goal} of round {x.round} is turned face down",
    e.GoalScored: lambda g, x, who: f"goal {x.goal} of round {x.round} is scored",
    e.ImprovementDiscarded: lambda g, x, who: f"{x.improvement} is discarded",
    e.OuterRingTurned: lambda g, x, who: "the outer ring turns",
    e.FinalScoringDue: lambda g, x, who: "play is over",
    e.GameEnded: _ranking,
}


def _workers(event: e.WorkersReceived) -> str:
    kinds = ((event.assistants, "assistant", "assistants"), (event.managers, "manager", "managers"))
    return " and ".join(_so_many(*kind) for kind in kinds if kind[0])


def _cards(hidden: e.HiddenCards | None) -> str:
    return f" ({', '.join(hidden.improvements)})" if hidden else ""
