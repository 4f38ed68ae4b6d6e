"""Round, phase, turn and workers; what remains to be done."""

from msgspec import UNSET

from wellhead_rules.oil_rock import characters, refining
from wellhead_rules.oil_rock import events as e
from wellhead_rules.oil_rock.described import (
    FRAMES,
    OILS,
    STEPS,
    FrameSaid,
    PhaseTurnSaid,
    PositionError,
    read_worker_place,
)
from wellhead_rules.oil_rock.game import Player
from wellhead_rules.oil_rock.posing import sources
from wellhead_rules.oil_rock.posing.pose import Pose
from wellhead_rules.oil_rock.progress import SETTLE
from wellhead_rules.oil_rock.vocabulary import FlowStep, FrameKind, Phase, Worker, WorkerSpace


def set_moment(pose: Pose) -> None:
    """Round, phase and turn, and what remains to be done."""
    moments = {
        "characters": _characters_left,
        "deployment": _deployments_left,
        "start_of_round": _start_of_round,
        "final_scoring": _final_scoring,
    }
    if pose.at in moments:
        moments[pose.at](pose)
    else:
        _in_phase(pose)
    for frame in pose.said.agenda or ():
        pose.game.push(_frame(pose, frame))


def _characters_left(pose: Pose) -> None:
    done = sum(bool(pose.game.players[seat].character) for seat in pose.order)
    if any(pose.game.players[seat].character for seat in pose.order[: len(pose.order) - done]):
        raise PositionError(("at",), "characters are taken in reverse turn order")
    _flow(pose, FlowStep.CHARACTER, done)


def _deployments_left(pose: Pose) -> None:
    done = sum(bool(pose.game.players[seat].train) for seat in pose.order)
    if any(pose.game.players[seat].train for seat in pose.order[: len(pose.order) - done]):
        raise PositionError(("at",), "Trains are deployed in reverse turn order")
    _flow(pose, FlowStep.DEPLOYMENT, done)


def _start_of_round(pose: Pose) -> None:
    if pose.round > 1:
        _begin_round(pose, pose.round - 1, Phase.END_OF_ROUND)
        pose.game.record(e.PhaseEnded(pose.round - 1, Phase.END_OF_ROUND))
    _flow(pose, FlowStep.ROUND)


def _final_scoring(pose: Pose) -> None:
    last = pose.content.constants.rounds
    _begin_round(pose, last, Phase.END_OF_ROUND, scored=last)
    pose.game.record(e.PhaseEnded(last, Phase.END_OF_ROUND))
    pose.game.record(e.FinalScoringDue())


def _begin_round(pose: Pose, round: int, phase: Phase, scored: int | None = None) -> None:
    for past in range(1, (round - 1 if scored is None else scored) + 1):
        goal = pose.game.goals[past - 1]
        pose.game.record(e.GoalScoringDue(past, goal, (0,) * len(pose.names)))
        pose.game.record(e.GoalScored(past, goal))
    if round:
        pose.game.record(e.RoundStarted(round))
        pose.game.record(e.PhaseStarted(round, phase))


def _in_phase(pose: Pose) -> None:
    said = pose.said
    phase = Phase[(said.phase or "actions").upper()]
    _begin_round(pose, pose.round, phase)
    players = len(pose.order)
    seat = pose.seat(said.turn, "turn") if said.turn else pose.order[0]
    place = pose.order.index(seat)
    player = pose.game.players[seat]
    if phase == Phase.ACTIONS:
        _actions(pose, player, place)
    elif phase == Phase.END_OF_ROUND:
        raise PositionError(("phase",), "nobody decides anything in it: say goals, at end_of_phase")
    else:
        step = FlowStep.INCOME if phase == Phase.INCOME else FlowStep.PHASE_TURN
        _flow(pose, step, {"start_of_turn": place, "turn": place + 1}.get(pose.at, players))
        _pools(pose, None)
        _put_workers(pose, None)
        if pose.at == "turn" and phase == Phase.INCOME:
            pose.game.push(SETTLE)
        elif pose.at == "turn":
            _phase_turn(pose, player, phase)
    if pose.at == "turn":
        sources.unlock_pending(pose, player)


def _actions(pose: Pose, player: Player, place: int) -> None:
    said, players, turns = pose.said, len(pose.order), pose.content.constants.worker_turns_per_round
    running = pose.at == "turn"
    now = _worker_of_this_turn(pose, player) if running else None
    placed = list(pose.of(player).workers or ())
    before = len(placed) - (now in placed)
    number = said.worker_turn or min(before + 1, turns)
    done = (number - 1) * players + place
    _flow(pose, FlowStep.WORKER_TURN, turns * players if pose.at == "end_of_phase" else done + running)
    pools = _pools(pose, now if now not in placed else None, pose.at != "end_of_phase")
    _put_workers(pose, now)
    if not running:
        return
    pose.game.record(e.WorkerTurnStarted(player.seat, number))
    if now is not None:
        _put(pose, player.seat, now, (pose.names[player.seat], "workers"))
    elif not any(pools[player.seat]):
        raise PositionError((pose.names[player.seat], "assistants"), "no worker is left for this turn")
    pose.game.push(e.Frame(FrameKind.TURN_MENU, player.seat))


def _worker_of_this_turn(pose: Pose, player: Player) -> str | None:
    """The worker already placed in this turn: the one named last, or one that unlocks what is pending."""
    said, listed = pose.said, list(pose.of(player).workers or ())
    wanted = sources.acting_source(pose) if said.acting else ""
    wanted = wanted or next((source.source for source in said.pending or ()), "")
    if said.worker_placed is False or wanted in pose.content.extra_actions:
        return listed[-1] if listed and said.worker_placed else None
    if wanted:
        circle = next((worker for worker in listed if read_worker_place(worker)[1] is WorkerSpace.CIRCLE), None)
        own = next((worker for worker in listed if worker.split()[-1] == wanted), circle)
        everybody = [
            read_worker_place(worker) for other in pose.game.players for worker in pose.of(other).workers or ()
        ]
        occupied = any((space, place) == (WorkerSpace.TILE, wanted) for _, space, place in everybody)
        return own or (f"copy {wanted}" if occupied else wanted)
    if said.worker_placed and not listed:
        raise PositionError(("worker_placed",), f"say where: {pose.names[player.seat]}.workers")
    return listed[-1] if said.worker_placed else None


def _pools(pose: Pose, extra: str | None, default: bool = False) -> dict[int, tuple[int, int]]:
    """Receives the workers in pools and those about to be placed; the pools, by seat."""
    pools: dict[int, tuple[int, int]] = {}
    for seat in pose.order:
        said = pose.of(pose.game.players[seat])
        kinds = [read_worker_place(worker)[0] for worker in said.workers or ()]
        if extra is not None and seat == pose.turn_seat:
            kinds.append(read_worker_place(extra)[0])
        placed = kinds.count(Worker.ASSISTANT), kinds.count(Worker.MANAGER)
        pool = (said.assistants or 0, said.managers or 0)
        if default and said.assistants is UNSET and said.managers is UNSET:
            managers = max(0, 1 - placed[1])
            left = pose.content.constants.workers_per_income - len(kinds)
            pool = (max(0, min(2 - placed[0], left - managers)), max(0, min(managers, left)))
        pools[seat] = pool
        if any((*pool, *placed)):
            pose.game.record(e.WorkersReceived(seat, pool[0] + placed[0], pool[1] + placed[1]))
    return pools


def _put_workers(pose: Pose, now: str | None) -> None:
    """Places the workers of everybody, but for the worker of this turn."""
    for seat in pose.order:
        for index, worker in enumerate(pose.of(pose.game.players[seat]).workers or ()):
            if seat != pose.turn_seat or worker != now:
                _put(pose, seat, worker, (pose.names[seat], "workers", index))


def _put(pose: Pose, seat: int, said: str, path: tuple[str | int, ...]) -> None:
    worker, space, place = read_worker_place(said)
    if space is WorkerSpace.CIRCLE:
        pose.known("circle", (place,), pose.content.circle_ids, *path)
    elif place not in pose.game.outer + pose.game.inner:
        raise PositionError(path, f"{place} is not on the Wheel")
    taken = {WorkerSpace.TILE: pose.game.tile_owner, WorkerSpace.CIRCLE: pose.game.circle_owner}.get(space, {})
    if place in taken:
        raise PositionError(path, f"a worker stands on {place} already")
    pose.game.record(e.WorkerPlaced(seat, worker, space, place))


def _phase_turn(pose: Pose, player: Player, phase: Phase) -> None:
    said = pose.said.phase_turn or PhaseTurnSaid()
    ability = pose.content.abilities[player.character]
    own = player.level >= characters.FIRST_TIER and ability.phase == phase
    tier = (player.level if own else 0) if said.ability_tier is UNSET else said.ability_tier
    energy_mode = (bool(tier) and ability.energy_mode) if said.energy_mode is UNSET else said.energy_mode
    pose.game.record(e.PhaseTurnStarted(player.seat, phase, tier, energy_mode))
    if said.ability_used:
        pose.game.record(e.AbilityUsed(player.seat, player.character, tier))
    for slot in said.slots_activated or ():
        number = refining.standing(pose.game, player, slot) if slot in pose.content.slots else 0
        if not number:
            raise PositionError(("phase_turn", "slots_activated"), f"no refinery stands in slot {slot}")
        pose.game.record(e.RefineryActivated(player.seat, slot, number))
    if said.basic_refinery_used:
        pose.game.record(e.BasicRefineryUsed(player.seat, 0, 0, 0, 0))
    pose.game.push(e.Frame(FrameKind.PHASE_MENU, player.seat))


def _flow(pose: Pose, step: FlowStep, count: int = 0) -> None:
    pose.game.push(e.Frame(FrameKind.FLOW, step=step, count=count))


def _frame(pose: Pose, said: FrameSaid) -> e.Frame:
    """A frame out of the words for it; without a player it belongs to the one whose turn it is."""
    if said.effects:
        pose.known("effect list", (said.effects,), pose.content.effects, "agenda")
    return e.Frame(
        FRAMES[said.frame],
        pose.seat(said.player, "agenda") if said.player else pose.turn_seat,
        said.effects,
        said.index,
        said.region,
        said.route,
        said.item,
        said.action,
        STEPS[said.step] if said.step else None,
        said.count,
        OILS[said.colour] if said.colour else None,
        said.loaded,
    )
