"""The lease market and the building market (OF-16.8 to OF-16.10): drawn from decks that have no order."""

from wellhead_rules.oilfield.events import LeaseRevealed, TileRevealed
from wellhead_rules.oilfield.game import Game


def reveal_tile(game: Game) -> None:
    """One tile out of the deck."""
    game.record(TileRevealed(game.draw(game.tile_deck)))


def refill_tiles(game: Game) -> None:
    """Tiles up to the size of the market, as far as the deck goes (OF-16.8, OF-16.10)."""
    wanted = game.content.data.building_market_size.by_players[len(game.players)]
    while len(game.tile_market) < wanted and game.tile_deck:
        reveal_tile(game)


def refill_leases(game: Game) -> None:
    """Lease cards up to the size of the market, as far as the deck goes (OF-16.9, OF-16.10)."""
    deal_leases(game, game.content.data.lease_market_size.by_players[len(game.players)])


def deal_leases(game: Game, wanted: int) -> None:
    """Lease cards until so many lie open."""
    while len(game.lease_market) < wanted and game.lease_deck:
        game.record(LeaseRevealed(game.draw(game.lease_deck)))
