"""The dummy of the two-player variant (OF-21)."""

from wellhead_rules.oilfield import markets
from wellhead_rules.oilfield.content import CARDS
from wellhead_rules.oilfield.events import (
    DummyCardDrawn,
    DummyDrilled,
    DummyPrepared,
    DummySupervisorPaid,
    DummyTower,
    DummyWorkerMoved,
    Frame,
    LeaseReturnedToDeck,
    TileReturnedToDeck,
)
from wellhead_rules.oilfield.game import DUMMY, Game
from wellhead_rules.oilfield.vocabulary import ActionCard


def prepare(game: Game) -> None:
    """A lease and a tower in every field (OF-21.2, OF-21.3)."""
    content = game.content
    left = list(content.data.dummy_player.towers)
    towers = []
    for slots in content.slots_of_field:
        kind = game.draw(left)
        left.remove(kind)
        tile = next(tile for tile in game.removed_tiles if game.kind(tile).id == kind)
        towers.append(DummyTower(tile, content.slots[slots[0]]))
    game.record(DummyPrepared(content.data.dummy_player.lease_cards_reserved, tuple(towers)))


def place_worker(game: Game) -> None:
    """Where the dummy worker starts (OF-21.5)."""
    datum = game.content.data.dummy_player
    names = list(datum.start_space_by_card)
    game.record(DummyWorkerMoved(datum.start_space_by_card[game.draw(names)]))


def move_worker(game: Game) -> None:
    """One column to the right, and from the last one to the first (OF-21.9)."""
    cycle = game.content.data.dummy_player.worker_cycle
    game.record(DummyWorkerMoved(cycle[(cycle.index(game.dummy_space) + 1) % len(cycle)]))


def draw_card(game: Game) -> None:
    """One of all five cards, every round (OF-21.10)."""
    drawn = game.draw(game.content.data.private_action_cards.per_player)
    game.record(DummyCardDrawn(CARDS[drawn]))


def carry_out(game: Game) -> None:
    """The dummy's card; a national card only counts as a seller (OF-21.11 to OF-21.15)."""
    datum = game.content.data.dummy_player
    if game.dummy_card == ActionCard.LEASE:
        for card in sorted(game.lease_market, key=game.content.lease_place.__getitem__):
            game.record(LeaseReturnedToDeck(card))
        markets.deal_leases(game, datum.lease_redeal)
    elif game.dummy_card == ActionCard.BUILD:
        for tile in sorted(game.tile_market, key=game.content.tile_place.__getitem__):
            game.record(TileReturnedToDeck(tile))
        while len(game.tile_market) < datum.build_redeal and game.tile_deck:
            markets.reveal_tile(game)
    elif game.dummy_card == ActionCard.DRILL:
        _drill(game)
    elif game.dummy_card == ActionCard.LOCAL:
        game.record(DummySupervisorPaid(game.supervisor, datum.local_supervisor_fee))


def between_players(game: Game, frame: Frame) -> None:
    """Carries the card out after the first player's action (OF-21.16)."""
    carry_out(game)


def _drill(game: Game) -> None:
    """The dummy's tower in a field drawn at random; gas first where the tower takes one cube only (OF-21.15)."""
    field = game.content.field_index[game.draw(game.content.fields)]
    slots = game.content.slots_of_field[field]
    tile = next(game.slots[slot].tile for slot in slots if game.slots[slot].owner == DUMMY)
    drill = game.kind(tile).drill
    oil = gas = 0
    if field != game.strike_field and drill is not None:
        gas = min(game.gas[field], drill.gas_to_warehouse_max + drill.gas_to_local_max)
        oil = min(game.oil[field], drill.oil_to_warehouse_max + drill.oil_to_local_max)
        if drill.total_max:
            oil = min(oil, drill.total_max - gas)
    game.record(DummyDrilled(game.content.fields[field], tile, oil, gas))
