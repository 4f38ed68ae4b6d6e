"""The form of a content pack (section H): every datum typed, nothing unknown allowed."""

from typing import Any, Literal

from msgspec import Struct

Provenance = Literal["rulebook", "public", "house"]
FieldId = str
ActionName = Literal["lease", "build", "drill", "local", "national", "first_player", "subsidy", "invest"]
CardName = Literal["lease", "build", "drill", "local", "national"]
ByPlayers = dict[int, int]


class Strict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record with no field beyond those named."""


class Datum(Strict, frozen=True, kw_only=True):
    """A record that says where it comes from."""

    provenance: Provenance
    note: str = ""


class PackHeader(Strict, frozen=True, kw_only=True):
    """Identity and sources of the pack."""

    id: str
    version: str
    game: Literal["oilfield"]
    sources: tuple[str, ...]
    provenance_values: dict[Provenance, str]


class Players(Datum, frozen=True, kw_only=True):
    """How many can play (OF-1.1)."""

    min: int
    max: int
    normal_min: int
    two_player_variant: bool


class Option(Strict, frozen=True, kw_only=True):
    """A game option (OF-1.2, OF-1.8)."""

    id: str
    type: Literal["bool", "enum"]
    default: bool | str
    source: str
    values: tuple[str, ...] = ()
    only_players: tuple[int, ...] = ()


class Options(Datum, frozen=True, kw_only=True):
    """The game options."""

    items: tuple[Option, ...]


class SafetyLimits(Datum, frozen=True, kw_only=True):
    """The last round that a game can have (OF-18.4)."""

    max_rounds: int


class PlayerColors(Datum, frozen=True, kw_only=True):
    """The colours of the pieces."""

    items: tuple[str, ...]


class PlayerKit(Datum, frozen=True, kw_only=True):
    """What every player gets (OF-2.2 to OF-2.5)."""

    coins: int
    action_cards: int
    workers: int
    lease_markers: int
    investment_markers: int
    investment_markers_used_for_vp_track: int
    refinery_tiles: int
    starting_random_cubes: int


class Resource(Strict, frozen=True, kw_only=True):
    """A kind of cube and how many there are."""

    id: str
    cube: str
    count: int


class Resources(Datum, frozen=True, kw_only=True):
    """All cubes (OF-1.3)."""

    items: tuple[Resource, ...]
    strike_cube: Resource


class OilfieldOfMap(Strict, frozen=True, kw_only=True):
    """A field with its lease slots."""

    id: FieldId
    lease_slots: tuple[str, ...]


class Fields(Datum, frozen=True, kw_only=True):
    """The fields in their order."""

    order: tuple[FieldId, ...]
    items: tuple[OilfieldOfMap, ...]


class PerPlayers(Datum, frozen=True, kw_only=True):
    """A number that depends on the number of players."""

    by_players: ByPlayers


class DepletionTrack(Datum, frozen=True, kw_only=True):
    """The oilfield track (OF-16.3, OF-16.4)."""

    start_step: int
    end_step: int
    refills: int
    same_for_all_fields: bool


class LeaseCard(Strict, frozen=True, kw_only=True):
    """A lease card."""

    id: str
    field: FieldId
    end_vp: int


class LeaseCards(Datum, frozen=True, kw_only=True):
    """All lease cards."""

    items: tuple[LeaseCard, ...]


class Price(Datum, frozen=True, kw_only=True):
    """A price in coins."""

    coins: int


class Drill(Strict, frozen=True, kw_only=True):
    """What a tower extracts at most, and where it goes; `total_max` bounds the sum, 0 if nothing else does."""

    oil_to_warehouse_max: int = 0
    gas_to_warehouse_max: int = 0
    oil_to_local_max: int = 0
    gas_to_local_max: int = 0
    total_max: int = 0


class National(Strict, frozen=True, kw_only=True):
    """What a national tower ships, and what it pays above the price (OF-20.6)."""

    oil_from_field: int
    bonus_coins: int


class TileType(Strict, frozen=True, kw_only=True):
    """A type of building tile (OF-15, OF-20)."""

    id: str
    category: Literal["tower", "expansion"]
    advanced: bool
    price: int
    price_provenance: Provenance
    drill: Drill | None = None
    national: National | None = None
    restricted_drill: Drill | None = None
    liberated_drill: Drill | None = None
    liberation_price: int = 0
    storage: int = 0
    end_vp_if_full: int = 0
    gas_export: bool = False
    gas_diversion: bool = False


class TileTypes(Datum, frozen=True, kw_only=True):
    """All types of building tile."""

    items: tuple[TileType, ...]


class TileCopies(Datum, frozen=True, kw_only=True):
    """How often each type is there, and every tile."""

    by_type: dict[str, int]
    tile_ids: tuple[str, ...]


class Refinery(Datum, frozen=True, kw_only=True):
    """The storage of a player (OF-15.1)."""

    base_storage: int
    expansion_storage: int
    end_vp_per_full_unit: int


class ActionColumns(Datum, frozen=True, kw_only=True):
    """The columns of the board from left to right."""

    order: tuple[ActionName, ...]


class ActionSpace(Strict, frozen=True, kw_only=True):
    """A space for a worker; `bid` in coins on lease spaces."""

    id: str
    order: int
    action: ActionName
    players: tuple[int, ...]
    provenance: Provenance
    bid: int = 0


class ActionSpaces(Datum, frozen=True, kw_only=True):
    """All spaces (OF-5.1)."""

    items: tuple[ActionSpace, ...]


class ActionCards(Datum, frozen=True, kw_only=True):
    """The action cards of every player (OF-4.9)."""

    per_player: tuple[CardName, ...]


class LocalMarket(Datum, frozen=True, kw_only=True):
    """Prices of the local market (OF-10)."""

    coins_per_oil: int
    oil_per_vp: int
    gas_per_vp: int
    supervisor_fee: int


class NationalPriceChart(Datum, frozen=True, kw_only=True):
    """Coins per barrel by the number of sellers (OF-11.3)."""

    coins_per_barrel_by_sellers: dict[int, int]
    printed_entries: tuple[str, ...]


class Subsidy(Datum, frozen=True, kw_only=True):
    """The subsidy pot (OF-13.2)."""

    initial_pot: int
    added_each_new_round: int


class InvestmentTrack(Strict, frozen=True, kw_only=True):
    """A track: victory points of an investment, and the price of every square."""

    id: str
    vp: int
    prices: tuple[int, ...]
    printed_prices: tuple[int, ...] = ()


class InvestmentTracks(Datum, frozen=True, kw_only=True):
    """All tracks (OF-14)."""

    items: tuple[InvestmentTrack, ...]


class Scoring(Datum, frozen=True, kw_only=True):
    """Points at the end (OF-19)."""

    vp_per_lease_card: int
    vp_per_full_storage_unit: int
    most_money_vp: int
    most_money_tie_vp: int
    categories: tuple[str, ...]
    tie_break: tuple[str, ...]


class DummyPlayer(Datum, frozen=True, kw_only=True):
    """The third participant of the two-player variant (OF-21)."""

    lease_cards_reserved: tuple[str, ...]
    towers: tuple[str, ...]
    worker_cycle: tuple[str, ...]
    start_space_by_card: dict[CardName, str]
    redraw_card_for_worker: CardName
    lease_redeal: int
    build_redeal: int
    local_supervisor_fee: int


class ContentPack(Strict, frozen=True, kw_only=True):
    """The whole file."""

    pack: PackHeader
    players: Players
    options: Options
    safety_limits: SafetyLimits
    player_colors: PlayerColors
    player_kit: PlayerKit
    component_totals: dict[str, Any]
    resources: Resources
    fields: Fields
    field_capacity: PerPlayers
    depletion_track: DepletionTrack
    lease_cards: LeaseCards
    lease_market_size: PerPlayers
    private_lease_price: Price
    building_tile_types: TileTypes
    building_tile_copies: TileCopies
    building_market_size: PerPlayers
    removed_tiles: PerPlayers
    refinery: Refinery
    action_columns: ActionColumns
    action_spaces: ActionSpaces
    private_action_cards: ActionCards
    local_market: LocalMarket
    national_price_chart: NationalPriceChart
    subsidy: Subsidy
    investment_tracks: InvestmentTracks
    scoring: Scoring
    dummy_player: DummyPlayer
