"""The books of Oil Rock: holdings, points and cards as the facts alone give them, and the invariants of F.6."""

from collections import Counter
from collections.abc import Iterable, Iterator

from wellhead_rules.oil_rock import content, events, goods
from wellhead_rules.oil_rock.events import Event
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.vocabulary import DecisionKind, Phase, Reason, TileMode, VpCategory, WorkerSpace

_OPEN_WINDOWS = (DecisionKind.TURN_MENU, DecisionKind.PHASE_MENU)


class OilRockBooks:
    """Enters facts, and audits a state against them."""

    def __init__(self) -> None:
        self._goods = {seat: [0] * len(goods.NAMES) for seat in range(4)}
        self._points: Counter[tuple[int, int]] = Counter()
        self._spaces: dict[int, int] = {}
        self._levels: dict[int, int] = {}
        self._stacks: dict[int, list[int]] = {}
        self._owned: dict[int, list[str]] = {seat: [] for seat in range(4)}

    # -- entering ------------------------------------------------------------------------------------------------------

    def enter(self, events_of_command: Iterable[Event]) -> None:
        """Books the facts of one command."""
        for event in events_of_command:
            match event:
                case events.GoodsChanged():
                    self._enter_goods(event)
                case events.VictoryPointsGained(player=seat, amount=amount, category=category):
                    assert amount > 0, f"points of nothing: {event}"
                    self._points[seat, category] += amount
                case events.ProgressMarkerPlaced(player=seat, space=space):
                    self._put(seat, space)
                case events.ProgressMarkerMoved(player=seat, origin=origin, space=space):
                    assert origin == self._spaces[seat] != space, (
                        f"a marker moved from elsewhere or on the spot: {event}"
                    )
                    self._put(seat, space)
                case events.LevelReached(player=seat, level=level):
                    assert level == self._levels.get(seat, 1) + 1, f"a level was skipped or lost: {event}"
                    self._levels[seat] = level
                case events.PhaseStarted(phase=Phase.GOALS):
                    assert all(max(held[goods.YELLOW : goods.ENERGY]) <= 1 for held in self._goods.values()), "INV-4"
                case events.ImprovementTaken(player=seat, improvement=card):
                    self._owned[seat].append(card)

    def _enter_goods(self, event: events.GoodsChanged) -> None:
        changes = [getattr(event, name) for name in goods.NAMES]
        assert any(changes), f"a change of nothing: {event}"
        costs = event.reason in (Reason.PAYMENT, Reason.BARREL_CAP, Reason.ENERGY_LOST)
        if event.reason != Reason.CONVERSION:
            assert all(change <= 0 if costs else change >= 0 for change in changes), f"a gain that costs: {event}"
        held = self._goods[event.player]
        for place, change in enumerate(changes):
            held[place] += change
            assert held[place] >= 0, f"{goods.NAMES[place]} below nothing: {event}"

    def _put(self, seat: int, space: int) -> None:
        if seat in self._spaces:
            self._stacks[self._spaces[seat]].remove(seat)
        self._spaces[seat] = space
        self._stacks.setdefault(space, []).append(seat)

    # -- auditing ------------------------------------------------------------------------------------------------------

    def audit(self, game: Game) -> None:
        """Fails unless the state is what the books say and keeps INV-1 to INV-9."""
        for player in game.players:
            self._audit_books(player)
            _audit_board(game, player)
            _audit_track(game, player)
        _audit_workers(game)
        _audit_regions(game)
        _audit_cards(game)
        self._audit_stacks(game)

    def _audit_books(self, player: Player) -> None:
        seat = player.seat
        assert player.goods == self._goods[seat], f"goods of {seat}: {player.goods}, booked {self._goods[seat]}"
        points = [self._points[seat, category] for category in VpCategory]
        assert player.vp_by_category[1:] == points, f"points of {seat}: {player.vp_by_category}, booked {points}"
        assert player.vp == sum(points), "INV-9"
        assert player.space == self._spaces.get(seat, 0), "INV-7"
        assert player.level == self._levels.get(seat, 1), "INV-5: a level that no fact gave"
        assert list(player.improvements) == self._owned[seat], "INV-6: a card that no fact gave"

    def _audit_stacks(self, game: Game) -> None:
        for space, stack in self._stacks.items():
            here = sorted((each for each in game.players if each.space == space), key=lambda each: each.arrival)
            assert [each.seat for each in here] == stack, f"INV-7: space {space} holds {here}, booked {stack}"
        on_track = [seat for stack in self._stacks.values() for seat in stack]
        assert not on_track or sorted(on_track) == list(range(len(game.players))), "INV-7"


def _audit_board(game: Game, player: Player) -> None:
    constants = game.content.constants
    for well, datum in game.content.wells.items():
        assert 0 <= player.drills[well] <= constants.drills_per_well, "INV-1"
        covered = set(datum.offices_on_drills[player.offices_taken[well] :])
        assert not covered & set(range(1, player.drills[well] + 1)), "INV-1: a drill was built under an Office"
    on_wells = sum(len(game.content.wells[well].offices_on_drills) for well in game.content.wells)
    assert on_wells - sum(player.offices_taken) + len(player.offices) == on_wells, "INV-1"
    assert min(player.goods) >= 0, "INV-4"
    assert 0 <= player.refineries <= constants.max_refineries, "OR-GEN.5"
    built = [turbine for turbine in player.turbine_at if turbine]
    assert len(built) == len(set(built)), "OR-GEN.5"
    assert len(player.briefcases) == len(set(player.briefcases)), "OR-PATENT.5"
    used = [extra_action for extra_action, _ in player.extra_actions]
    rounds = [round for _, round in player.extra_actions]
    assert len(used) == len(set(used)) and len(rounds) == len(set(rounds)), "INV-8"
    assert len(used) <= game.round, "INV-8"


def _audit_track(game: Game, player: Player) -> None:
    due = game.content.level_of[player.best_space] if player.best_space else player.level
    assert player.level <= due, "INV-5"
    assert 0 <= player.space <= player.best_space <= game.content.data.progress_track.last_space, "INV-5"
    if game.open is not None and game.open.kind in _OPEN_WINDOWS:
        assert player.level == due, "INV-5: a level is due while a menu is open"


def _audit_workers(game: Game) -> None:
    tiles = [worker.place for worker in game.workers if worker.space == WorkerSpace.TILE]
    circles = [worker.place for worker in game.workers if worker.space == WorkerSpace.CIRCLE]
    assert len(tiles) == len(set(tiles)) and len(circles) == len(set(circles)), "INV-2"
    assert set(game.tile_owner) == set(tiles) and set(game.circle_owner) == set(circles), "INV-2"
    placed = Counter(worker.player for worker in game.workers)
    for player in game.players:
        workers = placed[player.seat] + player.assistants + player.managers
        assert min(player.assistants, player.managers) >= 0, "INV-2"
        if game.phase == Phase.ACTIONS:
            assert workers == game.content.constants.worker_turns_per_round, f"INV-2: {workers} workers"
    for source in game.sources:
        assert source.pending and source.mode != TileMode.BLANK, "OR-ACTION.10"


def _audit_regions(game: Game) -> None:
    for region, owners in game.offices.items():
        assert len(owners) <= game.content.constants.max_offices_per_region, "INV-3"
        assert len(owners) == len(set(owners)), "INV-3"
        for owner in owners:
            assert region in game.players[owner].offices, "INV-3"
    for player in game.players:
        taken = [
            game.content.office_slots[region][game.offices[region].index(player.seat)] for region in player.offices
        ]
        assert player.office_vp == sum(taken), "INV-3: not the highest free slots"


def _audit_cards(game: Game) -> None:
    if not game.offices:
        return
    places = (game.deck, game.deck_bottom, game.looked_at, game.display, game.discarded)
    owned = (player.improvements for player in game.players)
    cards = [card for place in (*places, *owned) for card in place]
    assert sorted(cards) == sorted(content_cards(game)), "INV-6"


def content_cards(game: Game) -> Iterator[str]:
    """Every Improvement of the pack."""
    yield from content.packs()[game.content.info.id].improvements
