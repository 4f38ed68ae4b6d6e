"""Folding: one function of a few lines per kind of fact (section F.2).

Nothing here checks, draws or decides what comes next. A committed card that the holder of the state may not see is
folded as `UNSEEN`.
"""

from msgspec import structs

from wellhead_rules.oilfield import events as e
from wellhead_rules.oilfield.game import (
    DUMMY,
    FOLDS,
    GOVERNMENT,
    NO_CARD,
    NOBODY,
    UNSEEN,
    CurrentAction,
    Game,
    Slot,
    placed,
)
from wellhead_rules.oilfield.vocabulary import Phase, VpCategory

__all__ = ["FOLDS"]


# -- setup -----------------------------------------------------------------------------------------------------


@FOLDS.of(e.GameConfigured)
def _(game: Game, event: e.GameConfigured) -> None:
    content = game.content
    for seat in event.seats:
        player = game.players[seat.seat]
        player.colour = seat.color
        player.coins = seat.coins
        player.lease_markers = seat.lease_markers
        player.investment_markers = seat.free_investment_markers
        player.storage = seat.storage
    game.tile_deck = event.tile_ids
    game.lease_deck = event.lease_ids
    game.bag_oil, game.bag_gas = event.bag_oil, event.bag_gas
    game.steps = (0,) * len(content.fields)
    game.oil = game.gas = game.steps
    game.exhausted = (False,) * len(content.fields)
    game.slots = (Slot(),) * len(content.slots)
    game.workers = (NOBODY,) * len(content.spaces)
    game.tracks = {track.id: (NOBODY,) * len(track.prices) for track in content.tracks.values()}
    game.committed = (NO_CARD,) * len(game.players)


@FOLDS.of(e.TilesRemoved)
def _(game: Game, event: e.TilesRemoved) -> None:
    game.removed_tiles = event.tile_ids
    game.tile_deck = _without(game.tile_deck, *event.tile_ids)


@FOLDS.of(e.StartingCubesDrawn)
def _(game: Game, event: e.StartingCubesDrawn) -> None:
    player = game.players[event.seat]
    _fill_bag(game, -event.oil, -event.gas)
    player.oil += event.oil
    player.gas += event.gas


@FOLDS.of(e.FieldFilled)
def _(game: Game, event: e.FieldFilled) -> None:
    _fill_bag(game, -event.oil, -event.gas)
    _fill_field(game, event.field, event.oil, event.gas)


@FOLDS.of(e.StrikeCubeReturnedToBag)
def _(game: Game, event: e.StrikeCubeReturnedToBag) -> None:
    game.strike_in_bag = True


@FOLDS.of(e.FirstPlayerChosen)
def _(game: Game, event: e.FirstPlayerChosen) -> None:
    game.first_player = event.seat


# -- markets ---------------------------------------------------------------------------------------------------


@FOLDS.of(e.TileRevealed)
def _(game: Game, event: e.TileRevealed) -> None:
    game.tile_deck = _without(game.tile_deck, event.tile_id)
    game.tile_market = (*game.tile_market, event.tile_id)


@FOLDS.of(e.TileReturnedToDeck)
def _(game: Game, event: e.TileReturnedToDeck) -> None:
    game.tile_market = _without(game.tile_market, event.tile_id)
    game.tile_deck = tuple(sorted((*game.tile_deck, event.tile_id), key=game.content.tile_place.__getitem__))


@FOLDS.of(e.LeaseRevealed)
def _(game: Game, event: e.LeaseRevealed) -> None:
    game.lease_deck = _without(game.lease_deck, event.lease_id)
    game.lease_market = (*game.lease_market, event.lease_id)


@FOLDS.of(e.LeaseReturnedToDeck)
def _(game: Game, event: e.LeaseReturnedToDeck) -> None:
    game.lease_market = _without(game.lease_market, event.lease_id)
    game.lease_deck = _lease_order(game, (*game.lease_deck, event.lease_id))


@FOLDS.of(e.SubsidyIncreased)
def _(game: Game, event: e.SubsidyIncreased) -> None:
    game.subsidy_pot += event.amount


# -- flow ------------------------------------------------------------------------------------------------------


@FOLDS.of(e.DecisionOpened)
def _(game: Game, event: e.DecisionOpened) -> None:
    game.open = event
    game.last_decision_id = event.decision_id


@FOLDS.of(e.DecisionClosed)
def _(game: Game, event: e.DecisionClosed) -> None:
    if game.open is not None:
        left = tuple(seat for seat in game.open.seats if seat != event.seat)
        game.open = structs.replace(game.open, seats=left) if left else None


@FOLDS.of(e.RoundStarted)
def _(game: Game, event: e.RoundStarted) -> None:
    game.round = event.round
    game.is_final = event.is_final
    game.revealed = ()
    game.sellers = game.national_price = 0
    game.dummy_card = NO_CARD


@FOLDS.of(e.PhaseStarted)
def _(game: Game, event: e.PhaseStarted) -> None:
    game.phase = event.phase


@FOLDS.of(e.WorkerPlaced)
def _(game: Game, event: e.WorkerPlaced) -> None:
    game.workers = placed(game.workers, game.content.space_index[event.space_id], event.seat)


@FOLDS.of(e.WorkerReturned)
def _(game: Game, event: e.WorkerReturned) -> None:
    game.workers = placed(game.workers, game.content.space_index[event.space_id], NOBODY)


@FOLDS.of(e.PrivateActionCommitted)
def _(game: Game, event: e.PrivateActionCommitted) -> None:
    game.committed = placed(game.committed, event.seat, int(event.card) or UNSEEN)


@FOLDS.of(e.PrivateActionsRevealed)
def _(game: Game, event: e.PrivateActionsRevealed) -> None:
    game.revealed = tuple(int(entry.card) for entry in event.entries)
    game.committed = game.revealed


@FOLDS.of(e.PrivateCardReturned)
def _(game: Game, event: e.PrivateCardReturned) -> None:
    game.committed = placed(game.committed, event.seat, NO_CARD)


@FOLDS.of(e.NationalPriceFixed)
def _(game: Game, event: e.NationalPriceFixed) -> None:
    game.sellers, game.national_price = event.sellers, event.price


@FOLDS.of(e.ActionStarted)
def _(game: Game, event: e.ActionStarted) -> None:
    game.current = CurrentAction(event.seat, event.action, event.origin, event.lease_price)


@FOLDS.of(e.ActionPassed)
@FOLDS.of(e.ActionLost)
@FOLDS.of(e.ActionCompleted)
def _(game: Game, event: e.Event) -> None:
    game.current = None


# -- actions ---------------------------------------------------------------------------------------------------


@FOLDS.of(e.LeaseTaken)
def _(game: Game, event: e.LeaseTaken) -> None:
    player = game.players[event.seat]
    player.coins -= event.coins_paid
    player.lease_markers -= 1
    player.leases = _lease_order(game, (*player.leases, event.lease_id))
    game.lease_market = _without(game.lease_market, event.lease_id)
    _set_slot(game, event.slot_id, Slot(event.seat))
    _begun(game)


@FOLDS.of(e.TowerBuilt)
def _(game: Game, event: e.TowerBuilt) -> None:
    game.players[event.seat].coins -= event.coins_paid
    game.tile_market = _without(game.tile_market, event.tile_id)
    _set_slot(game, event.slot_id, Slot(event.seat, event.tile_id, event.has_disc))
    _begun(game)


@FOLDS.of(e.ExpansionBuilt)
def _(game: Game, event: e.ExpansionBuilt) -> None:
    player = game.players[event.seat]
    player.coins -= event.coins_paid
    player.storage += event.storage_added
    player.expansions = (*player.expansions, event.tile_id)
    game.tile_market = _without(game.tile_market, event.tile_id)
    _begun(game)


@FOLDS.of(e.TowerDrilled)
def _(game: Game, event: e.TowerDrilled) -> None:
    player = game.players[event.seat]
    oil, gas = event.oil_to_warehouse + event.oil_to_local, event.gas_to_warehouse + event.gas_to_local
    _fill_field(game, event.field, -oil, -gas)
    _fill_bag(game, event.oil_to_local, event.gas_to_local)
    player.oil += event.oil_to_warehouse
    player.gas += event.gas_to_warehouse
    player.coins += event.coins_gained
    _gain(game, event.seat, VpCategory.VP_LOCAL_MARKET, event.vp_gained)
    _begun(game, event.tile_id)


@FOLDS.of(e.LocalSold)
def _(game: Game, event: e.LocalSold) -> None:
    _sell(game, event)
    _gain(game, event.seat, VpCategory.VP_LOCAL_MARKET, event.vp_gained)


@FOLDS.of(e.SupervisorPaid)
@FOLDS.of(e.DummySupervisorPaid)
def _(game: Game, event: e.SupervisorPaid | e.DummySupervisorPaid) -> None:
    game.players[event.seat].coins += event.coins


@FOLDS.of(e.NationalSold)
def _(game: Game, event: e.NationalSold) -> None:
    _sell(game, event)


@FOLDS.of(e.NationalTowerShipped)
def _(game: Game, event: e.NationalTowerShipped) -> None:
    _fill_field(game, event.field, -1, 0)
    _fill_bag(game, 1, 0)
    game.players[event.seat].coins += event.coins_gained
    _begun(game, event.tile_id)


@FOLDS.of(e.FirstPlayerTaken)
def _(game: Game, event: e.FirstPlayerTaken) -> None:
    game.first_player = event.seat


@FOLDS.of(e.SubsidyTaken)
def _(game: Game, event: e.SubsidyTaken) -> None:
    game.subsidy_pot = 0
    game.players[event.seat].coins += event.coins


@FOLDS.of(e.InvestmentBought)
def _(game: Game, event: e.InvestmentBought) -> None:
    player = game.players[event.seat]
    player.coins -= event.coins_paid
    player.investment_markers -= 1
    game.tracks = {**game.tracks, event.track: placed(game.tracks[event.track], event.square, event.seat)}
    _gain(game, event.seat, VpCategory.VP_INVESTMENTS, event.vp_gained)


@FOLDS.of(e.InvestmentSold)
def _(game: Game, event: e.InvestmentSold) -> None:
    player = game.players[event.seat]
    player.coins += event.coins_gained
    player.investment_markers += 1
    game.tracks = {**game.tracks, event.track: placed(game.tracks[event.track], event.square, GOVERNMENT)}
    _gain(game, event.seat, VpCategory.VP_INVESTMENTS, -event.vp_lost)


# -- checks ----------------------------------------------------------------------------------------------------


@FOLDS.of(e.OilfieldMarkerAdvanced)
def _(game: Game, event: e.OilfieldMarkerAdvanced) -> None:
    game.steps = placed(game.steps, game.content.field_index[event.field], event.step)


@FOLDS.of(e.FieldExhausted)
def _(game: Game, event: e.FieldExhausted) -> None:
    index = game.content.field_index[event.field]
    game.exhausted = (*game.exhausted[:index], True, *game.exhausted[index + 1 :])


@FOLDS.of(e.FieldReplenished)
def _(game: Game, event: e.FieldReplenished) -> None:
    _fill_bag(game, -event.oil, -event.gas)
    _fill_field(game, event.field, event.oil, event.gas)


@FOLDS.of(e.StrikeStarted)
def _(game: Game, event: e.StrikeStarted) -> None:
    game.strike_in_bag = False
    game.strike_field = game.content.field_index[event.field]


@FOLDS.of(e.StrikeEnded)
def _(game: Game, event: e.StrikeEnded) -> None:
    game.strike_field = NOBODY


@FOLDS.of(e.GovernmentPaymentDemanded)
def _(game: Game, event: e.GovernmentPaymentDemanded) -> None:
    game.demanded = event.tile_id


@FOLDS.of(e.GovernmentTowerLiberated)
def _(game: Game, event: e.GovernmentTowerLiberated) -> None:
    game.players[event.seat].coins -= event.coins_paid
    game.demanded = ""
    game.slots = tuple(Slot(slot.owner, slot.tile) if slot.tile == event.tile_id else slot for slot in game.slots)


@FOLDS.of(e.GovernmentTowerForfeited)
def _(game: Game, event: e.GovernmentTowerForfeited) -> None:
    player = game.players[event.seat]
    player.lease_markers += 1
    player.leases = _without(player.leases, event.lease_id)
    game.demanded = ""
    game.tile_market = (*game.tile_market, event.tile_id)
    game.lease_market = (*game.lease_market, event.lease_id)
    _set_slot(game, event.slot_id, Slot())


@FOLDS.of(e.EndTriggered)
def _(game: Game, event: e.EndTriggered) -> None:
    game.final_round = event.final_round


@FOLDS.of(e.FinalScoreAdded)
def _(game: Game, event: e.FinalScoreAdded) -> None:
    _gain(game, event.seat, event.category, event.vp)


@FOLDS.of(e.GameEnded)
def _(game: Game, event: e.GameEnded) -> None:
    game.phase = Phase.GAME_OVER
    game.ranking = event.ranking


# -- the dummy -------------------------------------------------------------------------------------------------


@FOLDS.of(e.DummyPrepared)
def _(game: Game, event: e.DummyPrepared) -> None:
    game.lease_deck = _without(game.lease_deck, *event.lease_ids)
    for tower in event.towers:
        game.removed_tiles = _without(game.removed_tiles, tower.tile_id)
        _set_slot(game, tower.slot_id, Slot(DUMMY, tower.tile_id))


@FOLDS.of(e.DummyWorkerMoved)
def _(game: Game, event: e.DummyWorkerMoved) -> None:
    if game.dummy_space:
        game.workers = placed(game.workers, game.content.space_index[game.dummy_space], NOBODY)
    game.dummy_space = event.space_id
    game.workers = placed(game.workers, game.content.space_index[event.space_id], DUMMY)


@FOLDS.of(e.DummyCardDrawn)
def _(game: Game, event: e.DummyCardDrawn) -> None:
    game.dummy_card = int(event.card)


@FOLDS.of(e.DummyDrilled)
def _(game: Game, event: e.DummyDrilled) -> None:
    _fill_field(game, event.field, -event.oil, -event.gas)
    _fill_bag(game, event.oil, event.gas)


# -- helpers ---------------------------------------------------------------------------------------------------


def _without(pile: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    return tuple(one for one in pile if one not in gone)


def _lease_order(game: Game, cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=game.content.lease_place.__getitem__))


def _fill_bag(game: Game, oil: int, gas: int) -> None:
    game.bag_oil += oil
    game.bag_gas += gas


def _fill_field(game: Game, field: str, oil: int, gas: int) -> None:
    index = game.content.field_index[field]
    game.oil = placed(game.oil, index, game.oil[index] + oil)
    game.gas = placed(game.gas, index, game.gas[index] + gas)


def _set_slot(game: Game, slot_id: str, slot: Slot) -> None:
    index = game.content.slot_index[slot_id]
    game.slots = (*game.slots[:index], slot, *game.slots[index + 1 :])


def _gain(game: Game, seat: int, category: int, points: int) -> None:
    if points:
        player = game.players[seat]
        player.vp = placed(player.vp, category, player.vp[category] + points)


def _sell(game: Game, event: e.LocalSold | e.NationalSold) -> None:
    player = game.players[event.seat]
    player.oil -= event.oil_removed
    player.gas -= event.gas_removed
    player.coins += event.coins_gained
    _fill_bag(game, event.oil_removed, event.gas_removed)
    _begun(game)


def _begun(game: Game, tower: str = "") -> None:
    """Something of the running action has been done, with a tower if one is named."""
    if game.current is not None:
        used = (*game.current.used, tower) if tower else game.current.used
        game.current = structs.replace(game.current, begun=True, used=used)
