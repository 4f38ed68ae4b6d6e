"""The words in which a position is described: what may be said of a table, and what can be seen of it.

Everything is optional. What a description of a starting position leaves out has a fixed default (see `posing`); what an
expectation leaves out is not looked at. Ids and names are those of the rules document; seats are called P0 to P4.
"""

from typing import Annotated, Any, Literal, get_args

from msgspec import UNSET, Meta, UnsetType

from wellhead_rules.kernel.scenarios.described import Said
from wellhead_rules.oilfield import investments
from wellhead_rules.oilfield.game import DUMMY, GOVERNMENT, NO_CARD, NOBODY, Game, Player
from wellhead_rules.oilfield.vocabulary import Action, ActionCard, ActionOrigin, Phase, VpCategory

SeatName = Literal["P0", "P1", "P2", "P3", "P4"]
SEATS: tuple[str, ...] = get_args(SeatName)
FieldName = Literal["dallas", "austin", "pecos"]
TrackName = Literal["vp5", "vp3", "vp2"]
CardName = Literal["lease", "build", "drill", "local", "national"]
ActionName = Literal["lease", "build", "drill", "local", "national", "first_player", "subsidy", "invest"]
OriginName = Literal["public", "private"]
PhaseName = Literal[
    "public_selection", "private_selection", "public_actions", "private_actions", "final_scoring", "game_over"
]  # fmt: skip
CategoryName = Literal["vp_investments", "vp_local_market", "vp_leases", "vp_full_storage", "vp_most_money"]
Moment = Literal[
    "setup", "public_selection", "private_selection", "public_actions", "check", "private_actions", "end_of_round",
    "final_scoring",
]  # fmt: skip
"""What comes next: setup by the engine itself, the beginning of a phase, the check at the end of the action phase that
`phase` names, the next round, or the final scoring."""

Amount = Annotated[int, Meta(ge=0)]


class PlayerSaid(Said, frozen=True, kw_only=True):
    """One player: holdings, markers, worker and action card."""

    coins: Amount | UnsetType = UNSET
    oil: Amount | UnsetType = UNSET
    gas: Amount | UnsetType = UNSET
    storage: Amount | UnsetType = UNSET
    """Spaces in the warehouse, taken or not."""
    expansions: tuple[str, ...] | UnsetType = UNSET
    leases: tuple[str, ...] | UnsetType = UNSET
    lease_markers: Amount | UnsetType = UNSET
    """Markers that are not on the board."""
    investment_markers: Amount | UnsetType = UNSET
    """Markers that are neither on an investment square nor on the VP track."""
    vp: Amount | UnsetType = UNSET
    vp_by_category: dict[CategoryName, Amount] | UnsetType = UNSET
    worker: str | UnsetType | None = UNSET
    """The space on which the worker stands."""
    card: CardName | UnsetType | None = UNSET
    """The action card of this round, face down or revealed."""


class FieldSaid(Said, frozen=True, kw_only=True):
    """A field: its cubes and its marker on the oilfield track."""

    oil: Amount | UnsetType = UNSET
    gas: Amount | UnsetType = UNSET
    step: Annotated[int, Meta(ge=0, le=3)] | UnsetType = UNSET
    exhausted: bool | UnsetType = UNSET


class SlotSaid(Said, frozen=True, kw_only=True):
    """A lease slot: whose marker lies there, and the tower on it."""

    owner: SeatName | Literal["dummy"] | UnsetType | None = UNSET
    tower: str | UnsetType | None = UNSET
    disc: bool | UnsetType = UNSET


class BagSaid(Said, frozen=True, kw_only=True):
    """The bag; `cubes` are oil and gas together."""

    oil: Amount | UnsetType = UNSET
    gas: Amount | UnsetType = UNSET
    cubes: Amount | UnsetType = UNSET
    strike_cube: bool | UnsetType = UNSET


class DummySaid(Said, frozen=True, kw_only=True):
    """The dummy of the two-player variant."""

    worker: str | UnsetType = UNSET
    card: CardName | UnsetType | None = UNSET


class RunningSaid(Said, frozen=True, kw_only=True):
    """The action that is being carried out."""

    seat: SeatName | UnsetType = UNSET
    action: ActionName | UnsetType = UNSET
    origin: OriginName | UnsetType = UNSET
    lease_price: Amount | UnsetType = UNSET
    begun: bool | UnsetType = UNSET
    used: tuple[str, ...] | UnsetType = UNSET


class ActingSaid(Said, frozen=True, kw_only=True):
    """An action that comes up next; public unless it is national, a lease at the price of its space."""

    seat: SeatName
    action: ActionName
    origin: OriginName | UnsetType = UNSET
    price: Amount | UnsetType = UNSET


class Table(Said, frozen=True, kw_only=True):
    """What lies on the table."""

    players: Annotated[int, Meta(ge=2, le=5)] | UnsetType = UNSET
    options: dict[str, str] | UnsetType = UNSET
    round: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    phase: PhaseName | UnsetType = UNSET
    is_final: bool | UnsetType = UNSET
    final_round: Amount | UnsetType = UNSET
    """The round named when the end was triggered, 0 before."""
    first_player: SeatName | UnsetType = UNSET
    turn_order: tuple[SeatName, ...] | UnsetType = UNSET
    supervisor: SeatName | UnsetType = UNSET
    P0: PlayerSaid | UnsetType = UNSET
    P1: PlayerSaid | UnsetType = UNSET
    P2: PlayerSaid | UnsetType = UNSET
    P3: PlayerSaid | UnsetType = UNSET
    P4: PlayerSaid | UnsetType = UNSET
    dummy: DummySaid | UnsetType = UNSET
    fields: dict[FieldName, FieldSaid] | UnsetType = UNSET
    strike: FieldName | UnsetType | None = UNSET
    """The field on strike; without one the strike cube is in the bag."""
    bag: BagSaid | UnsetType = UNSET
    slots: dict[str, SlotSaid] | UnsetType = UNSET
    lease_market: tuple[str, ...] | UnsetType = UNSET
    lease_deck: tuple[str, ...] | UnsetType = UNSET
    building_market: tuple[str, ...] | UnsetType = UNSET
    building_deck: tuple[str, ...] | UnsetType = UNSET
    tiles_in_market: Amount | UnsetType = UNSET
    tiles_in_deck: Amount | UnsetType = UNSET
    tracks: dict[TrackName, dict[int, SeatName | Literal["government"] | None]] | UnsetType = UNSET
    """By track and price of the square, whose marker lies there."""
    prices: dict[TrackName, int] | UnsetType = UNSET
    """The current price of each track."""
    subsidy_pot: Amount | UnsetType = UNSET
    sellers: Amount | UnsetType = UNSET
    national_price: Amount | UnsetType = UNSET
    running: RunningSaid | UnsetType | None = UNSET
    demanded: str | UnsetType | None = UNSET
    """The government tower for which its owner is asked to pay."""


class Description(Table, frozen=True, kw_only=True):
    """A whole position: the table, and what happens next."""

    at: Moment | UnsetType = UNSET
    turn: SeatName | UnsetType = UNSET
    """Who places the next worker."""
    acting: ActingSaid | UnsetType = UNSET
    draws: tuple[str | int, ...] | UnsetType = UNSET
    """What is drawn first, in order: cubes `oil`, `gas` and `strike`, cards, tiles, fields by id."""

    def of(self, seat: int) -> PlayerSaid:
        """What is said of a player."""
        said: PlayerSaid | UnsetType = getattr(self, SEATS[seat])
        return said or PlayerSaid()


# -- what can be seen ------------------------------------------------------------------------------------------


def seen(game: Game) -> Table:
    """The whole table in the same words."""
    content = game.content
    players: Any = {SEATS[player.seat]: seen_player(game, player) for player in game.players}
    fields: Any = {
        field: FieldSaid(
            oil=game.oil[index], gas=game.gas[index], step=game.steps[index], exhausted=game.exhausted[index]
        )
        for index, field in enumerate(content.fields)
    }
    tracks: Any = {
        track: dict(zip(content.tracks[track].prices, map(_owner, squares), strict=True))
        for track, squares in game.tracks.items()
    }
    prices: Any = {track: investments.current_price(game, track) for track in game.tracks}
    return Table(
        players=len(game.players),
        options=game.options,
        round=game.round or UNSET,
        phase=name_of(Phase, game.phase) or UNSET,
        is_final=game.is_final,
        final_round=game.final_round,
        first_player=_owner(game.first_player) or UNSET,
        turn_order=tuple(_owner(seat) for seat in game.turn_order),
        supervisor=_owner(game.supervisor),
        dummy=DummySaid(worker=game.dummy_space, card=name_of(ActionCard, game.dummy_card))
        if game.has_dummy
        else UNSET,
        fields=fields,
        strike=content.fields[game.strike_field] if game.strike_field != NOBODY else None,  # type: ignore[arg-type]
        bag=BagSaid(
            oil=game.bag_oil, gas=game.bag_gas, cubes=game.bag_oil + game.bag_gas, strike_cube=game.strike_in_bag
        ),
        slots={
            slot_id: SlotSaid(owner=_owner(slot.owner), tower=slot.tile or None, disc=slot.disc)
            for slot_id, slot in zip(content.slots, game.slots, strict=True)
        },
        lease_market=game.lease_market,
        lease_deck=game.lease_deck,
        building_market=game.tile_market,
        building_deck=game.tile_deck,
        tiles_in_market=len(game.tile_market),
        tiles_in_deck=len(game.tile_deck),
        tracks=tracks,
        prices=prices,
        subsidy_pot=game.subsidy_pot,
        sellers=game.sellers,
        national_price=game.national_price,
        running=_running(game),
        demanded=game.demanded or None,
        **players,
    )


def seen_player(game: Game, player: Player) -> PlayerSaid:
    """One player in the same words."""
    seat = player.seat
    space = game.workers.index(seat) if seat in game.workers else None
    return PlayerSaid(
        coins=player.coins,
        oil=player.oil,
        gas=player.gas,
        storage=player.storage,
        expansions=player.expansions,
        leases=player.leases,
        lease_markers=player.lease_markers,
        investment_markers=player.investment_markers,
        vp=player.total,
        vp_by_category={category.name.lower(): player.vp[category] for category in VpCategory},  # type: ignore[misc]
        worker=None if space is None else game.content.spaces[space].id,
        card=name_of(ActionCard, game.revealed[seat] if game.revealed else game.committed[seat]),
    )


def _running(game: Game) -> RunningSaid | None:
    current = game.current
    if current is None:
        return None
    return RunningSaid(
        seat=_owner(current.seat),
        action=name_of(Action, current.action),
        origin=name_of(ActionOrigin, current.origin),
        lease_price=current.lease_price,
        begun=current.begun,
        used=current.used,
    )


def _owner(who: int) -> Any:
    """Whose piece it is, None if there is none."""
    return {NOBODY: None, DUMMY: "dummy", GOVERNMENT: "government"}[who] if who < 0 else SEATS[who]


def name_of(kind: Any, number: int) -> Any:
    """The name of a member of an enum, None for no member."""
    return kind(number).name.lower() if number != NO_CARD else None
