"""The books of Oilfield: cubes, coins, points, cards and tiles as the facts alone give them, and what never changes."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from wellhead_rules.oilfield import content, events
from wellhead_rules.oilfield.events import Event
from wellhead_rules.oilfield.game import DUMMY, GOVERNMENT, NOBODY, Game, Player
from wellhead_rules.oilfield.vocabulary import Phase, VpCategory

BAG = "bag"
CONTENT = next(iter(content.packs().values()))

Cubes = tuple[int, int]
"""Oil and gas."""


class OilfieldBooks:
    """Enters facts, and audits a state against them. Cubes lie in the bag, on a field, or with a seat."""

    def __init__(self) -> None:
        self._cubes: dict[str | int, list[int]] = {}
        self._coins: Counter[int] = Counter()
        self._points: Counter[tuple[int, int]] = Counter()
        self._storage: dict[int, int] = {}
        self._pot = 0
        self._markers: dict[tuple[str, int], int] = {}
        self._leases: dict[int, list[str]] = {}
        self._towers: dict[str, int] = {}
        self._tracks: tuple[Any, ...] = ()
        """Numbers that only grow: round, steps of the fields, prices."""

    # -- entering ------------------------------------------------------------------------------------------------------

    def enter(self, events_of_command: Iterable[Event]) -> None:
        """Books the facts of one command."""
        for event in events_of_command:
            self._enter_cubes(event)
            self._enter_money(event)
            self._enter_points(event)
            self._enter_things(event)
        for place, (oil, gas) in self._cubes.items():
            assert oil >= 0 and gas >= 0, f"{place} holds {oil} oil and {gas} gas"

    def _enter_cubes(self, event: Event) -> None:
        match event:
            case events.GameConfigured():
                self._cubes = {place: [0, 0] for place in (*CONTENT.fields, *(each.seat for each in event.seats))}
                self._cubes[BAG] = [event.bag_oil, event.bag_gas]
            case events.StartingCubesDrawn(seat=seat, oil=oil, gas=gas):
                assert oil + gas == 2, f"{event}"
                self._carry(BAG, seat, (oil, gas))
            case (
                events.FieldFilled(field=field, oil=oil, gas=gas)
                | events.FieldReplenished(field=field, oil=oil, gas=gas)
            ):
                self._carry(BAG, field, (oil, gas))
            case events.TowerDrilled(field=field):
                stored = event.oil_to_warehouse, event.gas_to_warehouse
                delivered = event.oil_to_local, event.gas_to_local
                assert sum(stored) + sum(delivered) > 0, f"a tower that extracts nothing: {event}"
                self._carry(field, event.seat, stored)
                self._carry(field, BAG, delivered)
            case (
                events.LocalSold(seat=seat, oil_removed=oil, gas_removed=gas)
                | events.NationalSold(seat=seat, oil_removed=oil, gas_removed=gas)
            ):
                assert oil + gas > 0, f"a sale of nothing: {event}"
                self._carry(seat, BAG, (oil, gas))
            case events.NationalTowerShipped(field=field):
                self._carry(field, BAG, (1, 0))
            case events.DummyDrilled(field=field, oil=oil, gas=gas):
                self._carry(field, BAG, (oil, gas))

    def _carry(self, origin: str | int, target: str | int, cubes: Cubes) -> None:
        for kind, count in enumerate(cubes):
            assert count >= 0, f"{count} cubes from {origin} to {target}"
            self._cubes[origin][kind] -= count
            self._cubes[target][kind] += count

    def _enter_money(self, event: Event) -> None:
        match event:
            case events.GameConfigured(seats=seats):
                for each in seats:
                    self._coins[each.seat] += each.coins
            case events.SubsidyIncreased(amount=amount):
                assert amount == 1, f"{event}"
                self._pot += amount
            case events.SubsidyTaken(seat=seat, coins=coins):
                assert coins == self._pot, f"the pot held {self._pot}: {event}"
                self._pot = 0
                self._earn(seat, coins)
            case (
                events.TowerDrilled(seat=seat, coins_gained=coins)
                | events.LocalSold(seat=seat, coins_gained=coins)
                | events.NationalSold(seat=seat, coins_gained=coins)
                | events.NationalTowerShipped(seat=seat, coins_gained=coins)
                | events.InvestmentSold(seat=seat, coins_gained=coins)
                | events.SupervisorPaid(seat=seat, coins=coins)
                | events.DummySupervisorPaid(seat=seat, coins=coins)
            ):
                self._earn(seat, coins)
            case (
                events.LeaseTaken(seat=seat, coins_paid=coins)
                | events.TowerBuilt(seat=seat, coins_paid=coins)
                | events.ExpansionBuilt(seat=seat, coins_paid=coins)
                | events.InvestmentBought(seat=seat, coins_paid=coins)
                | events.GovernmentTowerLiberated(seat=seat, coins_paid=coins)
            ):
                assert coins >= 0, f"{event}"
                self._coins[seat] -= coins
                assert self._coins[seat] >= 0, f"coins that nobody has: {event}"

    def _earn(self, seat: int, coins: int) -> None:
        assert coins >= 0, f"seat {seat} earns {coins}"
        self._coins[seat] += coins

    def _enter_points(self, event: Event) -> None:
        match event:
            case events.TowerDrilled(seat=seat, vp_gained=points) | events.LocalSold(seat=seat, vp_gained=points):
                assert points >= 0, f"{event}"
                self._points[seat, VpCategory.VP_LOCAL_MARKET] += points
            case events.InvestmentBought(seat=seat, vp_gained=points):
                self._points[seat, VpCategory.VP_INVESTMENTS] += points
            case events.InvestmentSold(seat=seat, vp_lost=points):
                self._points[seat, VpCategory.VP_INVESTMENTS] -= points
                assert self._points[seat, VpCategory.VP_INVESTMENTS] >= 0, f"{event}"
            case events.FinalScoreAdded(seat=seat, category=category, vp=points):
                assert points > 0, f"points of nothing: {event}"
                self._points[seat, category] += points

    def _enter_things(self, event: Event) -> None:
        match event:
            case events.GameConfigured(seats=seats):
                self._storage = {each.seat: each.storage for each in seats}
                self._leases = {each.seat: [] for each in seats}
            case events.ExpansionBuilt(seat=seat, storage_added=storage):
                assert storage == 2, f"{event}"
                self._storage[seat] += storage
            case events.LeaseTaken(seat=seat, lease_id=card, slot_id=slot):
                assert card.partition("_")[0] == slot.partition("_")[0], f"a slot of another field: {event}"
                self._leases[seat].append(card)
            case events.TowerBuilt(seat=seat, tile_id=tile):
                self._towers[tile] = seat
            case events.GovernmentTowerForfeited(seat=seat, tile_id=tile, lease_id=card):
                self._leases[seat].remove(card)
                assert self._towers.pop(tile) == seat, f"{event}"
            case events.InvestmentBought(seat=seat, track=track, square=square):
                assert (track, square) not in self._markers, f"a closed square: {event}"
                self._markers[track, square] = seat
            case events.InvestmentSold(seat=seat, track=track, square=square):
                assert self._markers[track, square] == seat, f"{event}"
                self._markers[track, square] = GOVERNMENT

    # -- auditing ------------------------------------------------------------------------------------------------------

    def audit(self, game: Game) -> None:
        """Fails unless the state is what the books say, and material, limits and tracks are kept."""
        self._audit_cubes(game)
        for player in game.players:
            self._audit_player(game, player)
        self._audit_board(game)
        self._audit_tracks(game)
        _audit_cards(game)
        _audit_moment(game)

    def _audit_cubes(self, game: Game) -> None:
        booked = {place: tuple(cubes) for place, cubes in self._cubes.items()}
        there = {BAG: (game.bag_oil, game.bag_gas)}
        there |= {field: (game.oil[index], game.gas[index]) for index, field in enumerate(CONTENT.fields)}
        there |= {player.seat: (player.oil, player.gas) for player in game.players}
        assert there == booked, f"cubes: {there}, booked {booked}"
        oil, gas = (sum(cubes[kind] for cubes in there.values()) for kind in (0, 1))
        assert (oil, gas) == (49, 21), f"OF-1.3: {oil} oil and {gas} gas"
        assert game.strike_in_bag != (game.strike_field != NOBODY), "OF-17.4: not one strike cube"

    def _audit_player(self, game: Game, player: Player) -> None:
        seat, kit = player.seat, CONTENT.kit
        assert player.coins == self._coins[seat], f"coins of {seat}: {player.coins}, booked {self._coins[seat]}"
        assert player.coins >= 0, "OF-1.5"
        points = [self._points[seat, category] for category in VpCategory]
        assert list(player.vp[1:]) == points, f"points of {seat}: {player.vp}, booked {points}"
        held = [owner for squares in game.tracks.values() for owner in squares].count(seat)
        assert player.investment_markers + held == kit.investment_markers - 1, "OF-2.4: investment markers"
        worth = sum(CONTENT.tracks[track].vp * squares.count(seat) for track, squares in game.tracks.items())
        assert player.vp[VpCategory.VP_INVESTMENTS] == worth, "section G: points of the investments held"
        assert player.storage == self._storage[seat] == 3 + 2 * len(player.expansions), "OF-15.2"
        assert player.free_space >= 0 and min(player.oil, player.gas) >= 0, "OF-9.3"
        assert sorted(player.leases) == sorted(self._leases[seat]), "leases that no fact gave"
        assert player.lease_markers + len(player.leases) == kit.lease_markers, "OF-7.5: lease markers"
        slots = [slot for slot, each in zip(CONTENT.slots, game.slots, strict=True) if each.owner == seat]
        fields = Counter(slot.partition("_")[0] for slot in slots)
        assert fields == Counter(card.partition("_")[0] for card in player.leases), "a lease without a slot"

    def _audit_board(self, game: Game) -> None:
        standing = {slot.tile: slot.owner for slot in game.slots if slot.tile and slot.owner != DUMMY}
        assert standing == self._towers, f"towers: {standing}, booked {self._towers}"
        for slot in game.slots:
            assert slot.owner != NOBODY or not (slot.tile or slot.disc), "a tower without a lease"
            assert not slot.disc or game.kind(slot.tile).restricted is not None, "a disc on an ordinary tower"
        workers = [worker for worker in game.workers if worker != NOBODY]
        assert len(set(workers)) == len(workers), "OF-1.3: a worker twice"
        assert (DUMMY in workers) == game.has_dummy, "OF-21.6"
        for track, squares in game.tracks.items():
            booked = [self._markers.get((track, square), NOBODY) for square in range(len(squares))]
            assert list(squares) == booked, f"{track}: {squares}, booked {booked}"

    def _audit_tracks(self, game: Game) -> None:
        prices = (len(squares) - squares.count(NOBODY) for squares in game.tracks.values())
        tracks = (game.round, *game.steps, *game.exhausted, *prices)
        assert all(before <= after for before, after in zip(self._tracks, tracks, strict=bool(self._tracks))), (
            f"a track runs backwards: {self._tracks}, {tracks}"
        )
        self._tracks = tracks
        end = CONTENT.data.depletion_track.end_step
        assert all(exhausted == (step == end) for exhausted, step in zip(game.exhausted, game.steps, strict=True))
        assert game.round <= CONTENT.max_rounds, "OF-18.4"
        for squares in game.tracks.values():
            assert all(lower != NOBODY or higher == NOBODY for lower, higher in pairwise(squares)), "OF-14.3"
        assert game.subsidy_pot == self._pot, "OF-13.1"


def _audit_cards(game: Game) -> None:
    """Every tile and every lease card is in one place."""
    dummy = CONTENT.data.dummy_player.lease_cards_reserved if game.has_dummy else ()
    cards = [*game.lease_deck, *game.lease_market, *dummy, *(card for each in game.players for card in each.leases)]
    assert sorted(cards) == sorted(CONTENT.leases), f"OF-1.3: lease cards {sorted(cards)}"
    assert len(cards) == 12, "OF-1.3"
    towers = [slot.tile for slot in game.slots if slot.tile]
    expansions = [tile for each in game.players for tile in each.expansions]
    tiles = [*game.tile_deck, *game.tile_market, *game.removed_tiles, *towers, *expansions]
    advanced = game.options["advanced_towers"] == "true"
    in_use = [tile for tile in CONTENT.tiles if advanced or game.kind(tile).id not in CONTENT.advanced]
    assert sorted(tiles) == sorted(in_use), f"OF-1.3: tiles {sorted(tiles)}"
    assert len(tiles) == (24 if advanced else 18), "OF-EX-16"


def _audit_moment(game: Game) -> None:
    """What lies on the table fits the phase."""
    chosen = [card for card in game.committed if card]
    if game.phase == Phase.PUBLIC_SELECTION:
        assert not chosen, "OF-6.4: cards have not gone back"
    if game.phase == Phase.PUBLIC_ACTIONS:
        assert len(chosen) == len(game.players), "OF-4.11"
    assert bool(game.revealed) == (game.phase >= Phase.PRIVATE_ACTIONS), "OF-6.1"
    assert game.sellers == [*game.revealed, game.dummy_card].count(5) or not game.revealed, "OF-6.2"
    assert game.current is None or game.phase in (Phase.PUBLIC_ACTIONS, Phase.PRIVATE_ACTIONS), "OF-5.1"
