"""Sources of Actions (OR-ACTION) and the two menus (section E.3)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import characters, effects, patents, refining, wheel
from wellhead_rules.oil_rock.commands import (
    ActivateRefinery,
    Command,
    EndPhaseTurn,
    EndTurn,
    ForgoSource,
    OpenBriefcase,
    PlaceOnCircle,
    PlaceOnCopy,
    PlaceOnTile,
    ResolveAction,
    UseAbility,
    UseBasicRefinery,
    UseExtraAction,
)
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import (
    ActionFinished,
    ActionStarted,
    Frame,
    PhaseTurnEnded,
    SourceForgone,
    WorkerTurnEnded,
)
from wellhead_rules.oil_rock.game import Game, PendingSource, Player
from wellhead_rules.oil_rock.lists import push_list
from wellhead_rules.oil_rock.progress import SETTLE
from wellhead_rules.oil_rock.vocabulary import FrameKind, Phase, TileMode

TURN_ANSWERS = (
    PlaceOnTile, PlaceOnCircle, PlaceOnCopy, ResolveAction, ForgoSource, OpenBriefcase, UseExtraAction, EndTurn,
)  # fmt: skip
_PLACEMENTS = (PlaceOnTile, PlaceOnCircle, PlaceOnCopy)
PHASE_ANSWERS = (
    UseAbility, ActivateRefinery, UseBasicRefinery, ResolveAction, ForgoSource, OpenBriefcase, UseExtraAction,
    EndPhaseTurn,
)  # fmt: skip

_EXTRA_ACTION_PENDING = RuleViolation("ACTIONS_PENDING", "OR-ACTION.8", "an Extra Action is to be finished first")


# -- sources ---------------------------------------------------------------------------------------------------


def workable(game: Game) -> tuple[PendingSource, ...]:
    """Sources that may be worked on: the one started last, or all if none is started (OR-ACTION.8)."""
    started = [source for source in game.sources if source.started]
    return tuple(started[-1:]) or game.sources


def may_start(game: Game, player: Player, action: str) -> bool:
    """The Action is possible (OR-ACTION.6)."""
    return effects.first_possible(game, player, f"action:{action}")


def may_forgo(game: Game, player: Player, source: PendingSource) -> bool:
    """What is pending may be given up (OR-ACTION.4, 7)."""
    if game.options["forgo_policy"] == "FREE" and source.source in game.content.tiles:
        return True
    one_done = source.mode == TileMode.BOTH and len(source.pending) == 1
    return one_done or not any(may_start(game, player, action) for action in source.pending)


def source_options(game: Game, player: Player) -> Options:
    """ResolveAction and ForgoSource for the sources that may be worked on."""
    listed: Options = []
    for source in workable(game):
        listed += [ResolveAction(source.source, action) for action in source.pending if may_start(game, player, action)]
        if may_forgo(game, player, source):
            listed.append(ForgoSource(source.source))
    return listed


def start(game: Game, player: Player, command: ResolveAction) -> None:
    """Starts an Action; of alternatives the other is gone (OR-ACTION.1 to 3, 5)."""
    source = _pending(game, command.source)
    removed = source.pending if source.mode == TileMode.EITHER else (command.action,)
    game.record(ActionStarted(player.seat, command.source, command.action, removed))
    game.push(SETTLE)
    game.push(Frame(FrameKind.FINISH, player.seat, item=command.source, action=command.action))
    push_list(game, player.seat, f"action:{command.action}")


def finish(game: Game, frame: Frame) -> None:
    """Everything the Action set off has been resolved."""
    game.record(ActionFinished(frame.player, frame.item, frame.action))


def _pending(game: Game, source_id: str) -> PendingSource:
    return next(source for source in game.sources if source.source == source_id)


def _refuse_source(game: Game, player: Player, command: ResolveAction | ForgoSource) -> RuleViolation:
    """Why a source cannot be worked on so."""
    source = next((source for source in game.sources if source.source == command.source), None)
    action = command.action if isinstance(command, ResolveAction) else None
    if source is None or (action is not None and action not in source.pending):
        what = f"{action} of {command.source}" if action else f"nothing of {command.source}"
        return RuleViolation("ACTION_NOT_PENDING", "OR-ACTION.1", f"{what} is pending")
    if source not in workable(game):
        return RuleViolation("OTHER_SOURCE_STARTED", "OR-ACTION.8", "another source has been started and comes first")
    if action is not None:
        return RuleViolation("ACTION_IMPOSSIBLE", "OR-ACTION.6", f"{action} has no legal and affordable execution")
    return RuleViolation("FORGO_NOT_ALLOWED", "OR-ACTION.7", f"{command.source} may not be given up now")


# -- the turn menu (DM-3) --------------------------------------------------------------------------------------


def turn_options(game: Game, frame: Frame) -> Options:
    """DM-3: everything the active player may do in a worker turn."""
    player = game.players[frame.player]
    if game.sources:
        listed = source_options(game, player)
    elif game.worker_placed:
        listed = []
    else:
        listed = wheel.placements(game, player)
    patents.add_options(game, player, listed)
    if game.worker_placed and not game.sources:
        listed.append(EndTurn())
    return listed


def choose_in_turn(game: Game, frame: Frame, command: Command) -> None:
    """Carries out what was chosen; the menu opens again afterwards (OR-ACT.5)."""
    player = game.players[frame.player]
    if isinstance(command, EndTurn):
        game.record(WorkerTurnEnded(frame.player, game.worker_turn))
        return
    game.push(frame)
    if isinstance(command, _PLACEMENTS):
        wheel.place(game, player, command)
    else:
        _choose_in_both(game, player, command)


def refuse_in_turn(game: Game, frame: Frame, command: Command) -> RuleViolation:
    """Why something cannot be done in this worker turn."""
    player = game.players[frame.player]
    if isinstance(command, _PLACEMENTS):
        return wheel.refuse_placement(game, player, command)
    if isinstance(command, EndTurn):
        if not game.worker_placed:
            return RuleViolation("WORKER_NOT_PLACED", "OR-ACT.2", "a worker has to be deployed first")
        return RuleViolation("ACTIONS_PENDING", "OR-ACT.4", "something is still pending")
    return _refuse_in_both(game, player, command)


# -- the phase menu (DM-4) -------------------------------------------------------------------------------------


def phase_options(game: Game, frame: Frame) -> Options:
    """DM-4: everything the active player may do in a phase turn."""
    player = game.players[frame.player]
    if game.sources:
        listed = source_options(game, player)
        patents.add_options(game, player, listed)
        return listed
    listed = []
    if characters.refuse_ability(game, player) is None:
        listed.append(UseAbility())
    if game.phase == Phase.OIL_REFINING:
        listed += refining.activations(game, player)
        if refining.refuse_basic(game, player) is None:
            listed.append(UseBasicRefinery())
    patents.add_options(game, player, listed)
    listed.append(EndPhaseTurn())
    return listed


def choose_in_phase(game: Game, frame: Frame, command: Command) -> None:
    """Carries out what was chosen; the menu opens again afterwards."""
    player = game.players[frame.player]
    if isinstance(command, EndPhaseTurn):
        characters.lose_energy(game, player)
        game.record(PhaseTurnEnded(frame.player, Phase(game.phase or 0)))
        return
    game.push(frame)
    match command:
        case UseAbility():
            characters.use_ability(game, player)
        case ActivateRefinery():
            refining.activate(game, frame.player, command)
        case UseBasicRefinery():
            refining.use_basic(game, frame.player)
        case _:
            _choose_in_both(game, player, command)


def refuse_in_phase(game: Game, frame: Frame, command: Command) -> RuleViolation:
    """Why something cannot be done in this phase turn."""
    player = game.players[frame.player]
    if isinstance(command, UseAbility):
        return characters.refuse_ability(game, player) or _EXTRA_ACTION_PENDING
    refusal: RuleViolation | None = None
    if isinstance(command, ActivateRefinery):
        refusal = refining.refuse_activation(game, player, command)
    elif isinstance(command, UseBasicRefinery):
        refusal = refining.refuse_basic(game, player)
    elif not isinstance(command, EndPhaseTurn):
        refusal = _refuse_in_both(game, player, command)
    return refusal or _EXTRA_ACTION_PENDING


def refines_too_early(game: Game, command: Command) -> bool:
    """Refineries are not expected to run outside their phase (section F.1)."""
    return isinstance(command, ActivateRefinery | UseBasicRefinery) and game.phase != Phase.OIL_REFINING


# -- what both menus offer -------------------------------------------------------------------------------------


def _choose_in_both(game: Game, player: Player, command: Command) -> None:
    match command:
        case ResolveAction():
            start(game, player, command)
        case ForgoSource(source=source):
            game.record(SourceForgone(player.seat, source))
        case OpenBriefcase(briefcase=briefcase):
            patents.open_briefcase(game, player, briefcase)
        case UseExtraAction(extra_action=extra_action):
            patents.use_extra_action(game, player, extra_action)


def _refuse_in_both(game: Game, player: Player, command: Command) -> RuleViolation:
    if isinstance(command, ResolveAction | ForgoSource):
        return _refuse_source(game, player, command)
    if isinstance(command, OpenBriefcase):
        return patents.refuse_briefcase(game, player, command)
    if isinstance(command, UseExtraAction):
        return patents.refuse_extra_action(game, player, command)
    raise AssertionError(command)
