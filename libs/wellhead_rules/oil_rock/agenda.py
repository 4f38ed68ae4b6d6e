"""Working on the agenda until somebody has to choose (section E.2).

The frame on top is worked on next. Either it records facts and pushes further frames, or it asks: then its options are
listed, a single one is carried out at once (E.1, point 3), none is passed over, and more than one opens a decision.
"""

from collections.abc import Callable, Container

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import (
    actions,
    characters,
    choices,
    effects,
    improvements,
    offices,
    progress,
    refining,
    rounds,
    setup,
    trains,
    turbines,
    wells,
)
from wellhead_rules.oil_rock import commands as c
from wellhead_rules.oil_rock.commands import Command
from wellhead_rules.oil_rock.decision import DecisionPoint, Options, not_listed
from wellhead_rules.oil_rock.events import DecisionClosed, DecisionOpened, Frame
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.lists import skip
from wellhead_rules.oil_rock.vocabulary import DecisionKind, FrameKind

WORK: dict[FrameKind, Callable[[Game, Frame], None]] = {
    FrameKind.EFFECTS: effects.resolve,
    FrameKind.ARRIVAL: trains.arrive,
    FrameKind.LAYING: improvements.lay,
    FrameKind.FINISH: actions.finish,
    FrameKind.SETTLE: progress.settle,
    FrameKind.FLOW: rounds.flow,
}

_DECLINE = c.DeclineEffect
DECISIONS: dict[FrameKind, DecisionPoint] = {
    FrameKind.CHOOSE_CHARACTER: DecisionPoint(
        characters.options, characters.take, characters.refuse, (c.ChooseCharacter,)
    ),
    FrameKind.DEPLOY: DecisionPoint(setup.options, setup.deploy, setup.refuse, (c.DeployTrain,)),
    FrameKind.TURN_MENU: DecisionPoint(
        actions.turn_options, actions.choose_in_turn, actions.refuse_in_turn, actions.TURN_ANSWERS
    ),
    FrameKind.PHASE_MENU: DecisionPoint(
        actions.phase_options, actions.choose_in_phase, actions.refuse_in_phase, actions.PHASE_ANSWERS,
        unexpected=actions.refines_too_early,
    ),
    FrameKind.TRAIN_ROUTE: DecisionPoint(trains.options, trains.move, trains.refuse, (c.MoveTrain, _DECLINE), skip),
    FrameKind.TRAIN_TARGET: DecisionPoint(trains.options, trains.move, trains.refuse, (c.MoveTrain, _DECLINE), skip),
    FrameKind.ENGINEER_MOVE: DecisionPoint(
        trains.engineer_options, trains.move_engineer, trains.refuse_engineer, (c.MoveEngineer, c.KeepEngineer)
    ),
    FrameKind.OFFICE_SITE: DecisionPoint(
        offices.options, offices.build, offices.refuse, (c.BuildOffice, _DECLINE), skip
    ),
    FrameKind.DRILL_WELL: DecisionPoint(wells.options, wells.build, wells.refuse, (c.BuildDrill, _DECLINE), skip),
    FrameKind.TURBINE_SITE: DecisionPoint(
        turbines.options, turbines.build, turbines.refuse, (c.BuildTurbine, _DECLINE), skip
    ),
    FrameKind.IMPROVEMENT_PURCHASE: DecisionPoint(
        improvements.options, improvements.buy, improvements.refuse, (c.BuyImprovement, _DECLINE), skip,
        always_asks=improvements.asks_after_look,
    ),
    FrameKind.RESOURCE_PORTION: DecisionPoint(
        choices.portion_options, choices.take_portion, choices.refuse_portion, (c.ChooseResources,)
    ),
    FrameKind.ALTERNATIVE: DecisionPoint(
        choices.alternatives, choices.take_alternative, choices.refuse_alternative, (c.ChooseOption,)
    ),
    FrameKind.PAID_REPEAT: DecisionPoint(
        effects.repeat_options, effects.repeat, not_listed("OR-GAIN.6"), (c.PayForMore, c.StopPaying)
    ),
    FrameKind.TURBINE_BONUS: DecisionPoint(
        turbines.bonus_options, turbines.take_bonus, turbines.refuse_bonus, (c.ChooseTurbineBonus,), skip
    ),
    FrameKind.BONUS_REGION: DecisionPoint(
        choices.region_options, choices.take_region, choices.refuse_region, (c.ChooseBonusRegion,), skip
    ),
    FrameKind.ENERGY_CONVERSION: DecisionPoint(
        characters.conversion_options, characters.convert, characters.refuse_conversion, (c.ConvertBarrels,)
    ),
    FrameKind.BASIC_LOADING: DecisionPoint(
        refining.loading_options, refining.load, refining.refuse_loading, (c.LoadBasicRefinery,)
    ),
}  # fmt: skip

_KINDS = {FrameKind(kind): kind for kind in DecisionKind}


def advance(game: Game) -> None:
    """Works until a decision is open or nothing is left to do."""
    agenda = game.agenda
    while agenda:
        frame = agenda[-1]
        point = DECISIONS.get(frame.kind)
        if point is None:
            agenda.pop()
            WORK[frame.kind](game, frame)
            agenda = game.agenda
            continue
        listed = point.options(game, frame)
        if len(listed) > 1 or (listed and point.always_asks is not None and point.always_asks(game, frame)):
            game.record(DecisionOpened(game.last_decision_id + 1, frame.player, _KINDS[frame.kind], tuple(agenda)))
            game.choices = tuple(listed)
            return
        agenda.pop()
        if listed:
            point.choose(game, frame, listed[0])
        elif point.skipped is not None:
            point.skipped(game, frame)


def listed_options(game: Game) -> tuple[Command, ...]:
    """Every legal answer to the open decision; worked out once per decision."""
    if game.choices is None:
        frame = game.agenda[-1]
        game.choices = tuple(DECISIONS[frame.kind].options(game, frame))
    return game.choices


def answer(game: Game, seat: int, decision_id: int, command: Command) -> None:
    """Carries out an answer to the open decision and works on; an illegal one records nothing."""
    opened = game.open
    if (
        opened is None
        or decision_id != opened.decision_id
        or seat != opened.owner
        or command not in listed_options(game)
    ):
        raise refusal(game, seat, decision_id, command)
    game.record(DecisionClosed(decision_id))
    frame = game.agenda.pop()
    DECISIONS[frame.kind].choose(game, frame, command)
    advance(game)


def refusal(game: Game, seat: int, decision_id: int, command: Command) -> RuleViolation:
    """Why a command is not accepted: the general reasons in the order of section F.1, then those of its row."""
    opened = game.open
    if opened is None:
        return RuleViolation("GAME_OVER", "OR-FLOW.7", "play is over")
    if decision_id != opened.decision_id:
        return RuleViolation("STALE_DECISION", "OR-GEN.2", f"decision {opened.decision_id} is open, not {decision_id}")
    if seat != opened.owner:
        return RuleViolation("NOT_DECISION_OWNER", "OR-FLOW.1", f"the open decision belongs to seat {opened.owner}")
    frame = game.agenda[-1]
    point = DECISIONS[frame.kind]
    if not isinstance(command, point.answers) or (point.unexpected is not None and point.unexpected(game, command)):
        return RuleViolation(
            "COMMAND_NOT_EXPECTED", "OR-FLOW.1", f"{type(command).__name__} does not answer {_words(opened.kind)}"
        )
    unknown = unknown_id(game, command)
    if unknown:
        return RuleViolation("UNKNOWN_ID", "OR-GEN.1", f"{unknown} is not in the content")
    return point.refuse(game, frame, command)


def unknown_id(game: Game, command: Command) -> str:
    """The first id in a command that the content does not have, "" if all are known."""
    content = game.content
    known: dict[str, Container[object]] = {
        "region": content.regions, "path": content.regions, "tile": content.tiles, "source": content.sources,
        "action": content.actions, "briefcase": content.briefcases, "extra_action": content.extra_actions,
        "character": content.characters, "turbine": content.turbines, "improvement": content.improvements,
        "circle": content.circle_ids, "slot": content.slots, "well": content.wells, "colour": content.wells,
    }  # fmt: skip
    for field in command.__struct_fields__:
        if field not in known:
            continue
        value = getattr(command, field)
        for one in value if isinstance(value, tuple) else (value,):
            if one not in known[field]:
                return f"{field} {one!r}"
    return ""


def _words(kind: int) -> str:
    return DecisionKind(kind).name.lower()


__all__ = ["DECISIONS", "Options", "advance", "answer", "listed_options", "refusal"]
