"""Investments (OF-14): bought by an action, sold at any time."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oilfield.commands import BuyInvestment, Command, SellInvestment
from wellhead_rules.oilfield.decision import Options
from wellhead_rules.oilfield.events import Frame, InvestmentBought, InvestmentSold
from wellhead_rules.oilfield.game import NOBODY, Game
from wellhead_rules.oilfield.vocabulary import LostReason

ANSWERS: tuple[type[Command], ...] = (BuyInvestment,)


def open_square(game: Game, track: str) -> int | None:
    """The square to buy next, None if all are closed (OF-14.3, OF-14.4)."""
    squares = game.tracks[track]
    return squares.index(NOBODY) if NOBODY in squares else None


def current_price(game: Game, track: str) -> int:
    """Coins for the next square, or for the last one if all are closed (OF-14.8)."""
    square = open_square(game, track)
    return game.content.tracks[track].prices[-1 if square is None else square]


def owned(game: Game, seat: int) -> bool:
    """The player has an investment to sell."""
    return any(seat in squares for squares in game.tracks.values())


# -- buying (OF-D-12) ------------------------------------------------------------------------------------------


def options(game: Game, seat: int) -> Options:
    """Every track with an open square that the player can pay for (OF-14.2, OF-14.5)."""
    player = game.players[seat]
    if not player.investment_markers:
        return []
    return [
        BuyInvestment(track)
        for track in game.tracks
        if open_square(game, track) is not None and current_price(game, track) <= player.coins
    ]


def hopeless(game: Game, seat: int) -> LostReason | None:
    """Every track is full."""
    tracks_open = any(open_square(game, track) is not None for track in game.tracks)
    return None if tracks_open else LostReason.NOTHING_TO_INVEST


def buy(game: Game, frame: Frame, command: BuyInvestment) -> None:
    """Pays, puts a marker on the square, gains its points at once (OF-14.2)."""
    track = command.track
    square = open_square(game, track)
    assert square is not None
    points = game.content.tracks[track].vp
    game.record(InvestmentBought(frame.seat, track, square, current_price(game, track), points))


def refuse(game: Game, seat: int, command: BuyInvestment) -> RuleViolation:
    """Why an investment cannot be bought."""
    track, player = command.track, game.players[seat]
    if track not in game.tracks:
        return RuleViolation("UNKNOWN_TRACK", "OF-14.2", f"there is no investment track {track!r}")
    if open_square(game, track) is None:
        return RuleViolation("TRACK_FULL", "OF-14.4", f"every square of {track} is closed")
    if not player.investment_markers:
        return RuleViolation("NO_INVESTMENT_MARKER", "OF-14.5", "all your investment markers are in use")
    detail = f"the investment costs ${current_price(game, track)}, you have ${player.coins}"
    return RuleViolation("INSUFFICIENT_COINS", "OF-1.5", detail)


# -- selling, at any time --------------------------------------------------------------------------------------


def sales(game: Game, seat: int) -> Options:
    """Every track on which the player has a marker, while any decision is open (OF-14.6, OF-14.10)."""
    if game.open is None:
        return []
    return [SellInvestment(track) for track, squares in game.tracks.items() if seat in squares]


def sell(game: Game, seat: int, command: SellInvestment) -> None:
    """The lowest own square of the track becomes the government's; the price stays (OF-14.6 to OF-14.9)."""
    track = command.track
    if track not in game.tracks:
        raise RuleViolation("UNKNOWN_TRACK", "OF-14.6", f"there is no investment track {track!r}")
    if seat not in game.tracks[track]:
        raise RuleViolation("NO_SUCH_INVESTMENT", "OF-14.6", f"you have no investment on {track}")
    square, points = game.tracks[track].index(seat), game.content.tracks[track].vp
    game.record(InvestmentSold(seat, track, square, current_price(game, track), points))
