"""Options, questions and facts in plain words (R-API-8): enough to play by text or by ear."""

from collections.abc import Callable
from typing import Any

from wellhead_rules.oilfield import commands as c
from wellhead_rules.oilfield import events as e
from wellhead_rules.oilfield import investments, leases
from wellhead_rules.oilfield.codec import CODEC
from wellhead_rules.oilfield.commands import Command
from wellhead_rules.oilfield.events import Event
from wellhead_rules.oilfield.game import Game
from wellhead_rules.oilfield.vocabulary import Action, ActionCard, ActionOrigin, DecisionKind, LostReason, VpCategory


def option_id(command: Command) -> str:
    """The kind of the command and its fields, joined by colons."""
    if isinstance(command, c.CommitPrivateAction):
        return f"{CODEC.command_name(command)}:{_card(command.card)}"
    values = (str(getattr(command, field)) for field in command.__struct_fields__)
    return ":".join((CODEC.command_name(command), *values))


# -- words -----------------------------------------------------------------------------------------------------


def _words(name: str) -> str:
    return name.replace("_", " ")


def _place(field: str) -> str:
    return field.capitalize()


def _tile(tile: str) -> str:
    kind, _, copy = tile.rpartition("_")
    return f"{_words(kind)} {copy}"


def _cubes(oil: int, gas: int) -> str:
    parts = [f"{count} {kind}" for count, kind in ((oil, "oil"), (gas, "gas")) if count]
    return " and ".join(parts) or "nothing"


_CARDS = {int(card): card.name.lower() for card in ActionCard}


def _card(card: int) -> str:
    return _CARDS.get(card, "hidden")


def _action(fact: Any) -> str:
    return f"{ActionOrigin(fact.origin).name.lower()} {_words(Action(fact.action).name.lower())}"


def _drilled(what: Any) -> str:
    stored = _cubes(what.oil_to_warehouse, what.gas_to_warehouse)
    sold = _cubes(what.oil_to_local, what.gas_to_local)
    if sold == "nothing":
        return stored
    return f"{sold} for the local market" if stored == "nothing" else f"{stored}, and {sold} for the local market"


# -- options ---------------------------------------------------------------------------------------------------


def label(game: Game, command: Command) -> str:
    """The command in plain words."""
    return _LABELS[command.__class__](game, command)


def _place_worker(game: Game, command: c.PlaceWorker) -> str:
    index = game.content.space_index.get(command.space_id)
    bid = game.content.spaces[index].bid if index is not None else 0
    return f"Worker on {_words(command.space_id)}" + (f", a bid of ${bid}" if bid else "")


def _sell_local(game: Game, command: c.SellLocal) -> str:
    market = game.content.data.local_market
    parts = []
    if command.oil_for_coins:
        parts.append(f"{command.oil_for_coins} oil for ${command.oil_for_coins * market.coins_per_oil}")
    if command.oil_pairs_for_vp:
        parts.append(f"{command.oil_pairs_for_vp * market.oil_per_vp} oil for {command.oil_pairs_for_vp} VP")
    if command.gas_for_vp:
        parts.append(f"{command.gas_for_vp} gas for {command.gas_for_vp * market.gas_per_vp} VP")
    return "Sell " + (", ".join(parts) or "nothing")


def _sell_national(game: Game, command: c.SellNational) -> str:
    coins = game.national_price * (command.oil + command.gas)
    return f"Sell {_cubes(command.oil, command.gas)} for ${coins}"


def _investment(game: Game, track: str) -> str:
    if track not in game.tracks:
        return f"an investment on {track}"
    price, points = investments.current_price(game, track), game.content.tracks[track].vp
    return f"an investment of {points} VP for ${price}"


def _price(game: Game, kind: str) -> str:
    return f" for ${game.content.kinds[kind].price}" if kind in game.content.kinds else ""


_LABELS: dict[type[Command], Callable[[Game, Any], str]] = {
    c.PlaceWorker: _place_worker,
    c.CommitPrivateAction: lambda game, command: f"Action card: {_card(command.card)}",
    c.PassAction: lambda game, command: "Pass",
    c.TakeLease: lambda game, command: f"Lease in {_place(command.field)} for ${leases.price(game)}",
    c.BuildTower: lambda game, command: (
        f"{_words(command.tile_type).capitalize()} in {_place(command.field)}{_price(game, command.tile_type)}"
    ),
    c.BuildExpansion: lambda game, command: (
        f"{_words(command.tile_type).capitalize()}{_price(game, command.tile_type)}"
    ),
    c.DrillTower: lambda game, command: f"Drill {_drilled(command)} with {_tile(command.tile_id)}",
    c.FinishDrilling: lambda game, command: "Finish drilling",
    c.SellLocal: _sell_local,
    c.SellNational: _sell_national,
    c.ShipNationalTower: lambda game, command: f"Ship one oil with {_tile(command.tile_id)}",
    c.FinishNational: lambda game, command: "Finish selling",
    c.TakeFirstPlayer: lambda game, command: "Take the first player card",
    c.TakeSubsidy: lambda game, command: f"Take the subsidy of ${game.subsidy_pot}",
    c.BuyInvestment: lambda game, command: f"Buy {_investment(game, command.track)}",
    c.SellInvestment: lambda game, command: f"Sell {_investment(game, command.track)}",
    c.PayGovernmentTower: lambda game, command: f"Pay for {_tile(command.tile_id)}",
    c.ForfeitGovernmentTower: lambda game, command: f"Give up {_tile(command.tile_id)} and its lease",
}


# -- questions -------------------------------------------------------------------------------------------------


_PROMPTS = {
    DecisionKind.PLACE_WORKER: "Where does your worker go?",
    DecisionKind.COMMIT_PRIVATE: "Which action card do you put face down?",
    DecisionKind.RESOLVE_LEASE: "Which lease do you take for ${price}?",
    DecisionKind.RESOLVE_BUILD: "What do you build?",
    DecisionKind.DRILL_NEW_TOWER: "Your new tower may drill at once: how much?",
    DecisionKind.RESOLVE_DRILL: "Which tower drills how much?",
    DecisionKind.RESOLVE_LOCAL: "What do you sell at the local market?",
    DecisionKind.RESOLVE_NATIONAL: "What do you sell at the national market for ${national} a barrel?",
    DecisionKind.SHIP_NATIONAL_TOWER: "Which national tower ships?",
    DecisionKind.RESOLVE_FIRST_PLAYER: "Do you take the first player card?",
    DecisionKind.RESOLVE_SUBSIDY: "Do you take the subsidy?",
    DecisionKind.RESOLVE_INVEST: "Where do you invest?",
    DecisionKind.GOVERNMENT_PAYMENT: "Do you pay for your government tower?",
}


def prompt(game: Game, kind: DecisionKind) -> str:
    """The question in plain words; the same for everybody who is asked."""
    return _PROMPTS[kind].format(price=leases.price(game), national=game.national_price)


# -- facts -----------------------------------------------------------------------------------------------------


def describe(game: Game, event: Event) -> str:
    """The fact in plain words; empty for a fact that only the machinery needs."""
    told = _FACTS.get(event.__class__)
    return told(game, event) if told is not None else ""


def _who(game: Game, seat: int) -> str:
    return game.players[seat].colour


def _standings(game: Game, fact: e.GameEnded) -> str:
    ranking = ", ".join(f"{_who(game, each.seat)} {each.total} VP" for each in fact.ranking)
    winners = " and ".join(_who(game, seat) for seat in fact.winners)
    return f"{winners} won: {ranking}"


def _towers(fact: e.DummyPrepared) -> str:
    return ", ".join(f"{_tile(tower.tile_id)} on {_words(tower.slot_id)}" for tower in fact.towers)


def _dummy_drilled(game: Game, fact: e.DummyDrilled) -> str:
    return f"The dummy drilled {_cubes(fact.oil, fact.gas)} in {_place(fact.field)}"


_FACTS: dict[type[Event], Callable[[Game, Any], str]] = {
    e.FirstPlayerChosen: lambda g, f: f"{_who(g, f.seat)} is the first player",
    e.TilesRemoved: lambda g, f: f"{len(f.tile_ids)} building tiles left the game",
    e.StartingCubesDrawn: lambda g, f: f"{_who(g, f.seat)} drew {_cubes(f.oil, f.gas)}",
    e.FieldFilled: lambda g, f: f"{_place(f.field)} was filled with {_cubes(f.oil, f.gas)}",
    e.StrikeCubeReturnedToBag: lambda g, f: "The strike cube went into the bag",
    e.TileRevealed: lambda g, f: f"{_tile(f.tile_id)} came into the building market",
    e.TileReturnedToDeck: lambda g, f: f"{_tile(f.tile_id)} went back into the deck",
    e.LeaseRevealed: lambda g, f: f"{_words(f.lease_id)} came into the lease market",
    e.LeaseReturnedToDeck: lambda g, f: f"{_words(f.lease_id)} went back into the deck",
    e.SubsidyIncreased: lambda g, f: f"The subsidy pot grew by ${f.amount}",
    e.RoundStarted: lambda g, f: f"Round {f.round} started" + (", the last one" if f.is_final else ""),
    e.PhaseStarted: lambda g, f: "",
    e.WorkerPlaced: lambda g, f: f"{_who(g, f.seat)} placed the worker on {_words(f.space_id)}",
    e.PrivateActionCommitted: lambda g, f: (
        f"{_who(g, f.seat)} put an action card face down" + (f": {_card(f.card)}" if f.card else "")
    ),
    e.PrivateActionsRevealed: lambda g, f: (
        "The action cards: " + ", ".join(f"{_who(g, one.seat)} {_card(one.card)}" for one in f.entries)
    ),
    e.NationalPriceFixed: lambda g, f: f"The national market pays ${f.price} a barrel",
    e.ActionPassed: lambda g, f: f"{_who(g, f.seat)} passed: {_action(f)}",
    e.ActionLost: lambda g, f: (
        f"{_who(g, f.seat)} lost the action: {_action(f)}, {_words(LostReason(f.reason).name.lower())}"
    ),
    e.LeaseTaken: lambda g, f: f"{_who(g, f.seat)} took {_words(f.lease_id)} for ${f.coins_paid}",
    e.TowerBuilt: lambda g, f: f"{_who(g, f.seat)} built {_tile(f.tile_id)} on {_words(f.slot_id)} for ${f.coins_paid}",
    e.ExpansionBuilt: lambda g, f: f"{_who(g, f.seat)} built {_tile(f.tile_id)} for ${f.coins_paid}",
    e.TowerDrilled: lambda g, f: (
        f"{_who(g, f.seat)} drilled {_drilled(f)} with {_tile(f.tile_id)}"
        + (f" (${f.coins_gained})" if f.coins_gained else "")
        + (f" ({f.vp_gained} VP)" if f.vp_gained else "")
    ),
    e.LocalSold: lambda g, f: (
        f"{_who(g, f.seat)} sold {_cubes(f.oil_removed, f.gas_removed)} locally for ${f.coins_gained} "
        f"and {f.vp_gained} VP"
    ),
    e.SupervisorPaid: lambda g, f: f"{_who(g, f.seat)} got ${f.coins} as the supervisor",
    e.NationalSold: lambda g, f: (
        f"{_who(g, f.seat)} sold {_cubes(f.oil_removed, f.gas_removed)} nationally for ${f.coins_gained}"
    ),
    e.NationalTowerShipped: lambda g, f: (
        f"{_who(g, f.seat)} shipped one oil with {_tile(f.tile_id)} for ${f.coins_gained}"
    ),
    e.FirstPlayerTaken: lambda g, f: f"{_who(g, f.seat)} took the first player card",
    e.SubsidyTaken: lambda g, f: f"{_who(g, f.seat)} took the subsidy of ${f.coins}",
    e.InvestmentBought: lambda g, f: f"{_who(g, f.seat)} bought an investment of {f.vp_gained} VP for ${f.coins_paid}",
    e.InvestmentSold: lambda g, f: f"{_who(g, f.seat)} sold an investment of {f.vp_lost} VP for ${f.coins_gained}",
    e.OilfieldMarkerAdvanced: lambda g, f: f"The marker of {_place(f.field)} moved to {f.step}",
    e.FieldExhausted: lambda g, f: f"{_place(f.field)} is exhausted",
    e.FieldReplenished: lambda g, f: f"{_place(f.field)} was refilled with {_cubes(f.oil, f.gas)}",
    e.StrikeStarted: lambda g, f: f"Strike in {_place(f.field)}",
    e.StrikeEnded: lambda g, f: f"The strike in {_place(f.field)} is over",
    e.GovernmentPaymentDemanded: lambda g, f: f"{_who(g, f.seat)} is asked to pay ${f.amount} for {_tile(f.tile_id)}",
    e.GovernmentTowerLiberated: lambda g, f: f"{_who(g, f.seat)} paid ${f.coins_paid} for {_tile(f.tile_id)}",
    e.GovernmentTowerForfeited: lambda g, f: f"{_who(g, f.seat)} lost {_tile(f.tile_id)} and {_words(f.lease_id)}",
    e.EndTriggered: lambda g, f: f"Round {f.final_round} will be the last one",
    e.FinalScoreAdded: lambda g, f: (
        f"{_who(g, f.seat)} got {f.vp} VP for {_words(VpCategory(f.category).name.lower().removeprefix('vp_'))}"
    ),
    e.GameEnded: _standings,
    e.DummyPrepared: lambda g, f: f"The dummy has {_towers(f)}",
    e.DummyWorkerMoved: lambda g, f: f"The dummy's worker blocks {_words(f.space_id)}",
    e.DummyCardDrawn: lambda g, f: f"The dummy's card is {_card(f.card)}",
    e.DummySupervisorPaid: lambda g, f: f"{_who(g, f.seat)} got ${f.coins} as the supervisor",
    e.DummyDrilled: _dummy_drilled,
}
