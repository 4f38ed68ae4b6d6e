"""Sources of Actions: what is pending, and the Action that has just been started."""

from msgspec import UNSET

from wellhead_rules.oil_rock import events as e
from wellhead_rules.oil_rock.described import PositionError, SourceSaid
from wellhead_rules.oil_rock.game import Player
from wellhead_rules.oil_rock.posing.pose import Pose
from wellhead_rules.oil_rock.progress import SETTLE
from wellhead_rules.oil_rock.vocabulary import FrameKind, TileMode


def acting_source(pose: Pose) -> str:
    """The source of the Action that has just been started."""
    assert pose.said.acting is not UNSET
    action, source = pose.said.acting.action, pose.said.acting.source
    pose.known("Action", (action,), pose.content.actions, "acting", "action")
    if source is not UNSET:
        pose.known("source", (source,), pose.content.sources, "acting", "source")
        if action not in pose.content.sources[source].actions:
            raise PositionError(("acting", "source"), f"{source} does not offer {action}")
        return source
    phase_turn = pose.said.phase not in (UNSET, "actions")
    tiles = () if phase_turn else pose.game.outer + pose.game.inner
    offering = (one for one in (*tiles, *pose.content.extra_actions) if action in pose.content.sources[one].actions)
    found = next(offering, None)
    if found is None:
        raise PositionError(("acting", "source"), f"nothing offers {action} here: say the source")
    return found


def unlock_pending(pose: Pose, player: Player) -> None:
    """Unlocks what is pending, and starts the Action that is said to have just been started."""
    seat = player.seat
    for index, source in enumerate(pose.said.pending or ()):
        _pending(pose, seat, source, index)
    if pose.said.acting is UNSET:
        return
    action, source_id = pose.said.acting.action, acting_source(pose)
    if all(source.source != source_id for source in pose.game.sources):
        _unlock(pose, seat, source_id, source_id in pose.content.extra_actions)
    pending = next(source for source in pose.game.sources if source.source == source_id)
    removed = pending.pending if pending.mode == TileMode.EITHER else (action,)
    pose.game.record(e.ActionStarted(seat, source_id, action, removed))
    pose.game.push(SETTLE)
    pose.game.push(e.Frame(FrameKind.FINISH, seat, item=source_id, action=action))
    pose.game.push(e.Frame(FrameKind.EFFECTS, seat, f"action:{action}"))


def _pending(pose: Pose, seat: int, said: SourceSaid, index: int) -> None:
    pose.known("source", (said.source,), pose.content.sources, "pending", index, "source")
    offered = pose.content.sources[said.source].actions
    left = offered if said.actions is UNSET else said.actions
    pose.known("Action of this source", left, offered, "pending", index, "actions")
    extra = said.source in pose.content.extra_actions
    _unlock(pose, seat, said.source, bool(said.started) if said.started is not UNSET else extra)
    for action in (action for action in offered if action not in left):
        pose.game.record(e.ActionStarted(seat, said.source, action, (action,)))
        pose.game.record(e.ActionFinished(seat, said.source, action))


def _unlock(pose: Pose, seat: int, source_id: str, started: bool) -> None:
    source = pose.content.sources[source_id]
    used = [extra for extra, _ in pose.game.players[seat].extra_actions]
    if source_id in pose.content.extra_actions and source_id not in used:
        pose.game.record(e.ExtraActionUsed(seat, source_id, pose.game.round))
    pose.game.record(e.ActionsUnlocked(seat, source_id, source.mode, source.actions, started))
