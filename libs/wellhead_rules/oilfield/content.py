"""A content pack, checked and indexed for play.

Fields, slots, spaces and squares are counted from 0 in the order of the pack; facts and commands name them by id.
"""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from wellhead_rules.kernel import packs as kernel_packs
from wellhead_rules.kernel.packs import expect
from wellhead_rules.kernel.ruleset import PackInfo
from wellhead_rules.oilfield import pack
from wellhead_rules.oilfield.vocabulary import Action, ActionCard, VpCategory

PACKAGE = "wellhead_rules.oilfield"
CARDS = {name: ActionCard[name.upper()] for name in ("lease", "build", "drill", "local", "national")}
ACTIONS = {action.name.lower(): action for action in Action}

NO_DUMMY = ""
"""The value of `dummy_timing` where there is no dummy."""


class Space(Struct, frozen=True, gc=False):
    """An action space."""

    id: str
    action: Action
    bid: int


class Kind(Struct, frozen=True, gc=False):
    """A type of building tile, ready for play. `drill` is what a liberated or ordinary tower extracts."""

    id: str
    is_tower: bool
    price: int
    storage: int
    drill: pack.Drill | None
    restricted: pack.Drill | None
    liberation_price: int
    ships: bool
    bonus_coins: int
    gas_export: bool
    gas_diversion: bool


class Content:
    """An indexed content pack; immutable after construction."""

    def __init__(self, data: pack.ContentPack, info: PackInfo) -> None:
        self.data = data
        self.info = info
        self.kit = data.player_kit
        self.fields = data.fields.order
        self.field_index = {field: index for index, field in enumerate(self.fields)}
        by_id = {field.id: field for field in data.fields.items}
        self.slots = tuple(slot for field in self.fields for slot in by_id[field].lease_slots)
        self.slot_index = {slot: index for index, slot in enumerate(self.slots)}
        self.field_of_slot = tuple(index for index, field in enumerate(self.fields) for _ in by_id[field].lease_slots)
        self.slots_of_field = tuple(
            tuple(slot for slot, field in enumerate(self.field_of_slot) if field == index)
            for index in range(len(self.fields))
        )
        self.leases = tuple(card.id for card in data.lease_cards.items)
        self.lease_place = {card: place for place, card in enumerate(self.leases)}
        self.field_of_lease = {card.id: self.field_index[card.field] for card in data.lease_cards.items}
        self.tiles = data.building_tile_copies.tile_ids
        self.tile_place = {tile: place for place, tile in enumerate(self.tiles)}
        self.kinds = {kind.id: _kind(kind) for kind in data.building_tile_types.items}
        self.kind_of_tile = {tile: self.kinds[tile.rpartition("_")[0]] for tile in self.tiles}
        self.advanced = frozenset(kind.id for kind in data.building_tile_types.items if kind.advanced)
        listed = sorted(data.action_spaces.items, key=lambda space: space.order)
        self.spaces = tuple(Space(space.id, ACTIONS[space.action], space.bid) for space in listed)
        self.space_index = {space.id: index for index, space in enumerate(self.spaces)}
        self.spaces_in_play = {
            players: tuple(index for index, space in enumerate(listed) if players in space.players)
            for players in range(data.players.min, data.players.max + 1)
        }
        self.tracks = {track.id: track for track in data.investment_tracks.items}
        self.cards = tuple(CARDS[name] for name in data.private_action_cards.per_player)
        self.cubes = {resource.id: resource.count for resource in data.resources.items}
        self.national_price = data.national_price_chart.coins_per_barrel_by_sellers
        self.max_rounds = data.safety_limits.max_rounds


def _kind(datum: pack.TileType) -> Kind:
    return Kind(
        datum.id,
        datum.category == "tower",
        datum.price,
        datum.storage,
        datum.liberated_drill or datum.drill,
        datum.restricted_drill,
        datum.liberation_price,
        datum.national is not None,
        datum.national.bonus_coins if datum.national else 0,
        datum.gas_export,
        datum.gas_diversion,
    )


@cache
def packs() -> Mapping[str, Content]:
    """The content packs shipped with the rules, by id."""
    return {content.info.id: content for content in map(load, kernel_packs.files(PACKAGE))}


def load(text: bytes) -> Content:
    """Reads and checks a pack; ContentError names the first place that is wrong."""
    data = kernel_packs.decode(text, pack.ContentPack)
    _check(data)
    return Content(data, kernel_packs.info(data.pack, text))


def _check(data: pack.ContentPack) -> None:
    """Checks what types cannot say: references and counts (OF-1.3)."""
    fields = [field.id for field in data.fields.items]
    expect(sorted(fields) == sorted(data.fields.order), "fields.order", "it does not name every field once")
    slots = {field.id: len(field.lease_slots) for field in data.fields.items}
    for card in data.lease_cards.items:
        expect(card.field in slots, f"lease_cards.{card.id}", f"there is no field {card.field!r}")
    for field, count in slots.items():
        cards = sum(card.field == field for card in data.lease_cards.items)
        expect(cards == count, f"fields.{field}", f"{count} slots for {cards} lease cards")
    _check_tiles(data)
    _check_counts(data)
    space_ids = [space.id for space in data.action_spaces.items]
    expect(len(set(space_ids)) == len(space_ids), "action_spaces", "an id stands twice")
    for space in data.action_spaces.items:
        expect((space.bid > 0) == (space.action == "lease"), f"action_spaces.{space.id}", "a bid belongs to a lease")
    drawn = set(data.private_action_cards.per_player) - {data.dummy_player.redraw_card_for_worker}
    expect(set(data.dummy_player.start_space_by_card) == drawn, "dummy_player.start_space_by_card", "wrong cards")
    for card_name, start in data.dummy_player.start_space_by_card.items():
        expect(start in space_ids, f"dummy_player.start_space_by_card.{card_name}", f"there is no space {start!r}")
    for start in data.dummy_player.worker_cycle:
        expect(start in space_ids, "dummy_player.worker_cycle", f"there is no space {start!r}")
    known = {category.name.lower() for category in VpCategory}
    expect(set(data.scoring.categories) == known, "scoring.categories", f"the rules know {', '.join(sorted(known))}")


def _check_tiles(data: pack.ContentPack) -> None:
    copies = data.building_tile_copies
    kinds = {kind.id for kind in data.building_tile_types.items}
    expect(set(copies.by_type) == kinds, "building_tile_copies.by_type", "it does not name every type once")
    listed = [f"{kind}_{copy}" for kind, count in copies.by_type.items() for copy in range(1, count + 1)]
    expect(sorted(listed) == sorted(copies.tile_ids), "building_tile_copies.tile_ids", "they differ from by_type")
    for tower in data.dummy_player.towers:
        expect(tower in kinds, "dummy_player.towers", f"there is no tile type {tower!r}")


def _check_counts(data: pack.ContentPack) -> None:
    cubes = {resource.id: resource.count for resource in data.resources.items}
    most = data.players.max
    counted = {
        "building_tiles": len(data.building_tile_copies.tile_ids),
        "lease_cards": len(data.lease_cards.items),
        "private_action_cards": most * len(data.private_action_cards.per_player),
        "lease_markers": most * data.player_kit.lease_markers,
        "investment_markers": most * data.player_kit.investment_markers,
        "workers": most * data.player_kit.workers,
        "oil_cubes": cubes.get("oil", 0),
        "gas_cubes": cubes.get("gas", 0),
        "strike_cubes": data.resources.strike_cube.count,
        "oilfield_markers": len(data.fields.items),
    }
    for name, count in counted.items():
        total = data.component_totals.get(name)
        expect(total == count, f"component_totals.{name}", f"{total} are printed, {count} are listed")
    for players in range(data.players.min, data.players.max + 1):
        for name in ("field_capacity", "lease_market_size", "building_market_size", "removed_tiles"):
            expect(players in getattr(data, name).by_players, f"{name}.by_players", f"{players} players are missing")
