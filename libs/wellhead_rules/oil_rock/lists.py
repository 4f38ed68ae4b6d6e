"""Effect lists as frames refer to them."""

from typing import Any

from wellhead_rules.oil_rock.events import EffectDeclined, EffectSkipped, Frame
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.vocabulary import FrameKind

_EFFECTS = FrameKind.EFFECTS


def effect_at(game: Game, frame: Frame) -> Any:
    """The effect that a frame is about."""
    return game.content.effects[frame.effects].effects[frame.index]


def push_list(game: Game, seat: int, ref: str, region: str = "") -> None:
    """Leaves a whole effect list on the agenda; "" is the empty list."""
    if ref:
        game.push(Frame(_EFFECTS, seat, ref, 0, region))


def push_then(game: Game, frame: Frame, region: str = "") -> None:
    """Leaves the `then` list of a frame's effect on the agenda, if it has one."""
    push_list(game, frame.player, game.content.effects[frame.effects].then[frame.index], region)


def declinable(game: Game, frame: Frame) -> bool:
    """The effect is part of a bonus and may be declined (OR-GEN.9, OR-ACTION.11)."""
    return frame.index > 0 or not game.content.effects[frame.effects].binding


def decline(game: Game, frame: Frame) -> None:
    """Records that an effect is declined."""
    game.record(EffectDeclined(frame.player, frame.effects, frame.index))


def skip(game: Game, frame: Frame) -> None:
    """Records that an effect has no legal execution (OR-GEN.9)."""
    game.record(EffectSkipped(frame.player, frame.effects, frame.index))
