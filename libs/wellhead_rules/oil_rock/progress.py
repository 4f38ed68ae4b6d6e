"""Progress and Levels (OR-PROG)."""

from wellhead_rules.oil_rock import improvements
from wellhead_rules.oil_rock.events import BestSpaceRaised, Frame, LevelReached, ProgressMarkerMoved
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import points
from wellhead_rules.oil_rock.vocabulary import FrameKind, Reason, VpCategory


def gain(game: Game, seat: int, amount: int, reason: Reason) -> None:
    """One movement forward; what cannot be moved gives points instead (OR-PROG.1 to 3)."""
    player = game.players[seat]
    track = game.content.data.progress_track
    space = min(track.last_space, player.space + amount)
    beyond = player.space + amount - space
    if space != player.space:
        game.record(ProgressMarkerMoved(seat, player.space, space, reason))
        if space > player.best_space:
            game.record(BestSpaceRaised(seat, space))
    points(game, seat, beyond * track.overflow_vp, VpCategory.PROGRESS_OVERFLOW)


def step_back(game: Game, seat: int, amount: int, reason: Reason) -> None:
    """Pays Progress; the level stays (OR-COPY.2, OR-PROG.10)."""
    space = game.players[seat].space
    game.record(ProgressMarkerMoved(seat, space, space - amount, reason))


def place(game: Game, player: Player) -> tuple[int, int]:
    """Sort key of a marker: the larger, the further ahead (OR-PROG.6)."""
    lower_is_ahead = game.options["stack_tie"] == "LOWER_AHEAD"
    return player.space, -player.arrival if lower_is_ahead else player.arrival


def furthest_back_first(game: Game) -> tuple[int, ...]:
    """The players from the one furthest back to the one furthest ahead (OR-EOR.7, 8)."""
    return tuple(player.seat for player in sorted(game.players, key=lambda player: place(game, player)))


def settle(game: Game, frame: Frame) -> None:
    """Updates one level that is due, then looks again (OR-PROG.9, 12, 13; section E.2)."""
    level_of = game.content.level_of
    for player in game.players:
        if player.level < level_of[player.best_space]:
            break
    else:
        return
    order = game.turn_order
    start = order.index(game.active) if game.active in order else 0
    in_turn = (game.players[seat] for seat in order[start:] + order[:start])
    player = next(player for player in in_turn if player.level < level_of[player.best_space])
    game.record(LevelReached(player.seat, player.level + 1))
    game.push(SETTLE)
    improvements.trigger(game, player, "level_reached", level=player.level)


SETTLE = Frame(FrameKind.SETTLE)
"""The point right after a sequence (`settle`)."""
