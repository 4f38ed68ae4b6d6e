"""From a description to a table: a set-up game, bent by recording facts.

Nothing is poked into the state, so every position is a log that folds. What the description leaves out:

    players          3; P0 is the first player; $20 and an empty warehouse each
    moment           round 1, the beginning of the public selection; the first without a worker places next
    fields           full, three cubes in ten of them gas, step 0; an exhausted field is empty
    bag              the cubes that are nowhere else, and the strike cube unless there is a strike; a bag that is said
                     makes the number of cubes what it then comes to
    markets          full, the lowest copies first: a tile of every type, a lease card of every field, and so on
    decks            what is nowhere else; a deck that is said is all that is left
    leases           cards and slots follow from each other, lowest first; government towers bear their disc
    VP               those of the investments; what `vp` says beyond is from the local market
    dummy            small_local_tower, small_tower, medium_tower by field; the worker on lease_5
    workers, cards   nobody's; where everybody has committed a card it is `lease`, the dummy's as well
    subsidy pot      $1
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from wellhead_rules.kernel.scenarios.described import PositionError, named
from wellhead_rules.oilfield import events as e
from wellhead_rules.oilfield import setup
from wellhead_rules.oilfield.described import SEATS, Description, FieldSaid, SlotSaid, Table, seen
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.moments import seat_of, set_moment, space_of
from wellhead_rules.oilfield.vocabulary import VpCategory

Path = tuple[str | int, ...]

_STARTING_POT = 1


def pose(game: Game, said: Description) -> None:
    """Records everything that the description says, and leaves on the agenda what remains to be done."""
    leases = _leases(game, said)
    cards = _lease_cards(game, said, leases)
    tiles = _tiles(game, said)
    _configure(game, said, leases, cards, tiles)
    _fill(game, said)
    game.record(e.SubsidyIncreased(_STARTING_POT if said.subsidy_pot is UNSET else said.subsidy_pot))
    for seat, own in enumerate(leases):
        _give(game, said, seat, own)
    for card in cards.market:
        game.record(e.LeaseRevealed(card))
    for tile in tiles.market:
        game.record(e.TileRevealed(tile))
    _invest(game, said)
    for seat in range(len(game.players)):
        _add_points(game, said, seat)
    set_moment(game, said)
    _check(named(said), named(seen(game)), ())


def _slots_said(said: Description) -> Mapping[str, SlotSaid]:
    return said.slots or {}


def _field_said(said: Description, field: str) -> FieldSaid:
    fields: Mapping[Any, FieldSaid] = said.fields or {}
    return fields.get(field, FieldSaid())


# -- cards, tiles and their piles ------------------------------------------------------------------------------


class _Pile(Struct, frozen=True):
    """The lease cards or building tiles of the game: all of them, and those that lie open."""

    ids: tuple[str, ...]
    market: tuple[str, ...]


def _pile(name: str, known: Sequence[str], placed: Mapping[Path, Iterable[str]], said: Description, size: int) -> _Pile:
    """Everything in its place: what is said, and the lowest of the rest in a market that is not said."""
    market: tuple[str, ...] | UnsetType = getattr(said, f"{name}_market")
    deck: tuple[str, ...] | UnsetType = getattr(said, f"{name}_deck")
    listed: list[str] = []
    for path, ids in {**placed, (f"{name}_market",): market or (), (f"{name}_deck",): deck or ()}.items():
        for one in ids:
            if one not in known:
                raise PositionError(path, f"there is no {one} in this game")
            if one in listed:
                raise PositionError(path, f"{one} stands twice")
            listed.append(one)
    rest = sorted((one for one in known if one not in listed), key=_number)
    lying = tuple(rest[:size]) if market is UNSET else market
    everything = {*listed, *lying, *(rest if deck is UNSET else ())}
    return _Pile(tuple(one for one in known if one in everything), lying)


def _number(name: str) -> int:
    """The number at the end of an id."""
    return int(name.rpartition("_")[2])


def _lease_cards(game: Game, said: Description, leases: Sequence[Mapping[str, str]]) -> _Pile:
    placed: dict[Path, Iterable[str]] = {(SEATS[seat], "leases"): own.values() for seat, own in enumerate(leases)}
    placed["dummy",] = _dummy_cards(game)
    size = game.content.data.lease_market_size.by_players[len(game.players)]
    return _pile("lease", game.content.leases, placed, said, size)


def _tiles(game: Game, said: Description) -> _Pile:
    used = setup.configuration(game).tile_ids
    removed = setup.removed_tiles(game, used)
    placed: dict[Path, Iterable[str]] = {
        (SEATS[player.seat], "expansions"): said.of(player.seat).expansions or () for player in game.players
    }
    for slot, one in _slots_said(said).items():
        placed["slots", slot] = [one.tower] if one.tower and one.owner != "dummy" else []
    known = [tile for tile in used if tile not in removed]
    size = game.content.data.building_market_size.by_players[len(game.players)]
    tiles = _pile("building", known, placed, said, size)
    return structs.replace(tiles, ids=(*removed, *tiles.ids))


# -- leases ----------------------------------------------------------------------------------------------------


def _leases(game: Game, said: Description) -> list[dict[str, str]]:
    """By seat, the card for every slot: those said belong together, and what lacks is the lowest that is free."""
    content, listed = game.content, _slots_said(said)
    for slot, one in listed.items():
        if slot not in content.slot_index:
            raise PositionError(("slots", slot), f"there is no lease slot {slot}")
        if one.tower and not one.owner:
            raise PositionError(("slots", slot), "a tower stands on somebody's lease")
    cards = [list(said.of(player.seat).leases or ()) for player in game.players]
    said_of = [*(card for own in cards for card in own), *(said.lease_market or ()), *(said.lease_deck or ())]
    free_cards = [card for card in content.leases if card not in (*said_of, *_dummy_cards(game))]
    free_slots = [slot for slot in content.slots if slot not in (*listed, *_dummy_slots(game))]
    leases = []
    for seat, held in enumerate(cards):
        slots = [slot for slot, one in listed.items() if one.owner == SEATS[seat]]
        own: dict[str, str] = {}
        for card in held:
            if card not in content.lease_place:
                raise PositionError((SEATS[seat], "leases"), f"there is no {card} in this game")
            fits = [slot for slot in (*slots, *free_slots) if _field(slot) == _field(card)]
            if not fits:
                raise PositionError((SEATS[seat], "leases"), f"there is no slot left for {card}")
            (slots if fits[0] in slots else free_slots).remove(fits[0])
            own[fits[0]] = card
        for slot in slots:
            card = next((card for card in free_cards if _field(card) == _field(slot)), "")
            if not card:
                raise PositionError(("slots", slot), "there is no lease card left for it")
            free_cards.remove(card)
            own[slot] = card
        leases.append(own)
    return leases


def _field(name: str) -> str:
    """The field of a lease card or slot."""
    return name.partition("_")[0]


def _dummy_cards(game: Game) -> tuple[str, ...]:
    return game.content.data.dummy_player.lease_cards_reserved if game.has_dummy else ()


def _dummy_slots(game: Game) -> list[str]:
    return [game.content.slots[slots[0]] for slots in game.content.slots_of_field] if game.has_dummy else []


# -- the table -------------------------------------------------------------------------------------------------


def _configure(game: Game, said: Description, leases: Sequence[Mapping[str, str]], cards: _Pile, tiles: _Pile) -> None:
    """Material, players, the dummy's towers and the first player."""
    base = setup.configuration(game)
    seats = []
    for one, own in zip(base.seats, leases, strict=True):
        player = said.of(one.seat)
        invested = sum(
            owner == SEATS[one.seat] for squares in (said.tracks or {}).values() for owner in squares.values()
        )
        seats.append(
            structs.replace(
                one,
                coins=one.coins if player.coins is UNSET else player.coins,
                lease_markers=_markers(one.lease_markers, player.lease_markers, len(own)),
                free_investment_markers=_markers(one.free_investment_markers, player.investment_markers, invested),
            )
        )
    oil, gas = (_material(game, said, kind) for kind in ("oil", "gas"))
    game.record(
        structs.replace(
            base, seats=tuple(seats), tile_ids=tiles.ids, lease_ids=cards.ids, bag_oil=oil, bag_gas=gas
        )
    )  # fmt: skip
    if removed := setup.removed_tiles(game, base.tile_ids):
        game.record(e.TilesRemoved(removed))
    if game.has_dummy:
        _prepare_dummy(game, said)
    game.record(e.FirstPlayerChosen(seat_of(game, said.first_player or "P0", "first_player")))


def _markers(usual: int, free: int | UnsetType, placed: int) -> int:
    """How many markers a player has in all."""
    return max(usual, placed) if free is UNSET else free + placed


def _material(game: Game, said: Description, kind: str) -> int:
    """The cubes of a kind in the game."""
    held = sum(getattr(said.of(player.seat), kind) or 0 for player in game.players)
    lying = held + sum(_cubes(game, said, field)[kind] for field in game.content.fields)
    in_bag: int | UnsetType = getattr(said.bag, kind) if said.bag else UNSET
    if in_bag is not UNSET:
        return lying + in_bag
    if lying > game.content.cubes[kind]:
        raise PositionError(("fields",), f"there are {game.content.cubes[kind]} {kind} cubes in the game, not {lying}")
    return game.content.cubes[kind]


def _cubes(game: Game, said: Description, field: str) -> dict[str, int]:
    """What a field holds: three cubes in ten are gas unless it is said; an exhausted field is empty."""
    one = _field_said(said, field)
    full = 0 if _is_exhausted(game, one) else game.content.data.field_capacity.by_players[len(game.players)]
    gas = 3 * full // 10
    return {"oil": full - gas if one.oil is UNSET else one.oil, "gas": gas if one.gas is UNSET else one.gas}


def _is_exhausted(game: Game, one: FieldSaid) -> bool:
    return one.step == game.content.data.depletion_track.end_step if one.exhausted is UNSET else one.exhausted


def _prepare_dummy(game: Game, said: Description) -> None:
    towers = {}
    left = list(game.content.data.dummy_player.towers)
    kinds = {tile: game.kind(tile).id for tile in game.removed_tiles}
    for slot in _dummy_slots(game):
        one = _slots_said(said).get(slot)
        if one and one.tower:
            if kinds.get(one.tower) not in left:
                raise PositionError(("slots", slot), f"{one.tower} is not left for the dummy")
            left.remove(kinds[one.tower])
            towers[slot] = one.tower
    for slot in _dummy_slots(game):
        if slot not in towers:
            kind = left.pop(0)
            towers[slot] = next(tile for tile in kinds if kinds[tile] == kind)
    listed = tuple(e.DummyTower(towers[slot], slot) for slot in _dummy_slots(game))
    game.record(e.DummyPrepared(_dummy_cards(game), listed))
    worker = said.dummy.worker if said.dummy else UNSET
    game.record(e.DummyWorkerMoved(space_of(game, worker or "lease_5", "dummy", "worker")))


def _fill(game: Game, said: Description) -> None:
    """Warehouses, fields and their markers, and the strike."""
    end = game.content.data.depletion_track.end_step
    for player in game.players:
        one = said.of(player.seat)
        game.record(e.StartingCubesDrawn(player.seat, one.oil or 0, one.gas or 0))
    for field in game.content.fields:
        game.record(e.FieldFilled(field, **_cubes(game, said, field)))
    game.record(e.StrikeCubeReturnedToBag())
    for field in game.content.fields:
        place = _field_said(said, field)
        exhausted = _is_exhausted(game, place)
        step = place.step or (end if exhausted else 0)
        if step:
            game.record(e.OilfieldMarkerAdvanced(field, step))
        if exhausted:
            game.record(e.FieldExhausted(field))
    if said.strike:
        game.record(e.StrikeStarted(said.strike))


# -- what the players own --------------------------------------------------------------------------------------


def _give(game: Game, said: Description, seat: int, leases: Mapping[str, str]) -> None:
    """Leases, towers and expansions, all of them for nothing."""
    for slot, card in leases.items():
        game.record(e.LeaseRevealed(card))
        game.record(e.LeaseTaken(seat, card, slot, 0))
        one = _slots_said(said).get(slot, SlotSaid())
        if one.tower:
            kind = game.kind(one.tower)
            if not kind.is_tower:
                raise PositionError(("slots", slot), f"{one.tower} is not a tower")
            disc = kind.restricted is not None and one.disc is not False
            game.record(e.TileRevealed(one.tower))
            game.record(e.TowerBuilt(seat, one.tower, slot, 0, disc))
    for tile in said.of(seat).expansions or ():
        if game.kind(tile).is_tower:
            raise PositionError((SEATS[seat], "expansions"), f"{tile} is not an expansion")
        game.record(e.TileRevealed(tile))
        game.record(e.ExpansionBuilt(seat, tile, 0, game.kind(tile).storage))
    if game.players[seat].free_space < 0:
        raise PositionError((SEATS[seat],), f"the warehouse holds {game.players[seat].storage} cubes")


def _invest(game: Game, said: Description) -> None:
    """Investments bought for nothing; a square of the government was sold back."""
    for name, squares in (said.tracks or {}).items():
        track = game.content.tracks[name]
        for price, owner in squares.items():
            if price not in track.prices:
                raise PositionError(("tracks", name, price), f"{name} has no square of ${price}")
            if owner is None:
                continue
            square = track.prices.index(price)
            sold = owner == "government"
            seat = 0 if sold else seat_of(game, owner, "tracks", name, price)
            game.record(e.InvestmentBought(seat, name, square, 0, track.vp))
            if sold:
                game.record(e.InvestmentSold(seat, name, square, 0, track.vp))


def _add_points(game: Game, said: Description, seat: int) -> None:
    """The points that are said, beyond those of the investments."""
    one, player = said.of(seat), game.players[seat]
    for name, points in (one.vp_by_category or {}).items():
        category = VpCategory[name.upper()]
        game.record(e.FinalScoreAdded(seat, category, points - player.vp[category]))
    if one.vp is not UNSET and one.vp_by_category is UNSET:
        if one.vp < player.total:
            raise PositionError((SEATS[seat], "vp"), f"the investments are worth {player.total}")
        game.record(e.LocalSold(seat, 0, 0, 0, one.vp - player.total))


# -- what cannot be --------------------------------------------------------------------------------------------


def _check(said: Any, found: Any, path: Path) -> None:
    """Refuses what the table, laid out, contradicts: what follows from other words, and says otherwise."""
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        for key, one in said.items():
            if path or (key in Table.__struct_fields__ and key != "phase"):
                _check(one, found.get(key), (*path, key))
    elif isinstance(said, list | tuple) and isinstance(found, list | tuple):
        more_may_follow = path[-1] == "leases"  # from slots
        if sorted(said) != sorted(found) and not more_may_follow:
            raise PositionError(path, f"it comes to {', '.join(map(str, found)) or 'nothing'}")
    elif said != found:
        raise PositionError(path, f"it comes to {found}")
