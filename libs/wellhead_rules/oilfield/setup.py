"""Setup (OF-2), in its order."""

from wellhead_rules.oilfield import dummy, markets
from wellhead_rules.oilfield.content import NO_DUMMY
from wellhead_rules.oilfield.events import (
    ConfiguredSeat,
    FieldFilled,
    FirstPlayerChosen,
    Frame,
    GameConfigured,
    StartingCubesDrawn,
    StrikeCubeReturnedToBag,
    SubsidyIncreased,
    TileReturnedToDeck,
    TilesRemoved,
)
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.vocabulary import Step


def set_up(game: Game) -> None:
    """Everything up to the first round."""
    content, seats = game.content, len(game.players)
    game.record(configuration(game))
    if removed := removed_tiles(game, game.tile_deck):
        game.record(TilesRemoved(removed))
    if game.has_dummy:
        dummy.prepare(game)
    for seat in range(seats):
        oil, gas = draw_cubes(game, content.kit.starting_random_cubes)
        game.record(StartingCubesDrawn(seat, oil, gas))
    for field in content.fields:
        oil, gas = draw_cubes(game, content.data.field_capacity.by_players[seats])
        game.record(FieldFilled(field, oil, gas))
    game.record(StrikeCubeReturnedToBag())
    _deal_first_tiles(game)
    markets.refill_leases(game)
    game.record(SubsidyIncreased(content.data.subsidy.initial_pot))
    if game.has_dummy:
        dummy.place_worker(game)
    game.record(FirstPlayerChosen(game.draw(range(seats))))
    game.push(Frame(Step.NEXT_ROUND))


def draw_cubes(game: Game, count: int) -> tuple[int, int]:
    """So many cubes out of the bag, one at a time, before the strike cube is in it: oil and gas (section F.4)."""
    oil = gas = 0
    for _ in range(count):
        if game.draw(("oil",) * (game.bag_oil - oil) + ("gas",) * (game.bag_gas - gas)) == "oil":
            oil += 1
        else:
            gas += 1
    return oil, gas


def configuration(game: Game) -> GameConfigured:
    """The material of the game (OF-2.1 to OF-2.5)."""
    content, kit = game.content, game.content.kit
    advanced = game.options["advanced_towers"] == "true"
    seats = tuple(
        ConfiguredSeat(
            player.seat,
            player.colour,
            kit.coins,
            kit.lease_markers,
            kit.investment_markers - kit.investment_markers_used_for_vp_track,
            content.data.refinery.base_storage,
        )
        for player in game.players
    )
    tiles = tuple(tile for tile in content.tiles if advanced or game.kind(tile).id not in content.advanced)
    timing = game.options.get("dummy_timing", NO_DUMMY)
    return GameConfigured(seats, advanced, timing, tiles, content.leases, content.cubes["oil"], content.cubes["gas"])


def removed_tiles(game: Game, tiles: tuple[str, ...]) -> tuple[str, ...]:
    """The lowest copies of every type in use leave a game of few players (OF-2.8)."""
    copies = game.content.data.removed_tiles.by_players[len(game.players)]
    return tuple(tile for tile in tiles if int(tile.rpartition("_")[2]) <= copies)


def _deal_first_tiles(game: Game) -> None:
    """The first building market; a third tower of one type goes back into the deck at once (OF-2.9, OF-2.10)."""
    wanted = game.content.data.building_market_size.by_players[len(game.players)]
    while len(game.tile_market) < wanted:
        markets.reveal_tile(game)
        kind = game.kind(game.tile_market[-1])
        if kind.is_tower and sum(game.kind(tile) is kind for tile in game.tile_market) > 2:
            game.record(TileReturnedToDeck(game.tile_market[-1]))
