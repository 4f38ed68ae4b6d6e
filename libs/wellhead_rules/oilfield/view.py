"""What a viewer may see (F.3): view, facts and stored commands. The only secret is a committed card."""

from msgspec import structs

from wellhead.oilfield.v1 import view_pb2
from wellhead.v1 import game_pb2
from wellhead_rules.oilfield import investments
from wellhead_rules.oilfield.commands import Command, CommitPrivateAction
from wellhead_rules.oilfield.events import (
    Event,
    LeaseRevealed,
    PrivateActionCommitted,
    PrivateActionsRevealed,
    TileRevealed,
)
from wellhead_rules.oilfield.game import NO_CARD, UNSEEN, Game, Player
from wellhead_rules.oilfield.vocabulary import VpCategory

_HIDDEN: int = NO_CARD


def hidden_from(event: Event) -> int | None:
    """The only seat that may see the whole fact, None if everybody may."""
    return event.seat if isinstance(event, PrivateActionCommitted) else None


def redact(event: Event, viewer: int | None) -> Event:
    """The fact as the viewer may see it."""
    if isinstance(event, PrivateActionCommitted) and event.seat != viewer:
        return structs.replace(event, card=_HIDDEN)
    return event


def redact_command(command: Command) -> Command:
    """The command as anybody but its sender may see it."""
    return CommitPrivateAction(_HIDDEN) if isinstance(command, CommitPrivateAction) else command  # type: ignore[arg-type]


def is_news(event: Event) -> bool:
    """Whether cards or tiles are turned up by this fact; cubes and the dummy are drawn, and need not be named."""
    return isinstance(event, PrivateActionsRevealed | LeaseRevealed | TileRevealed)


def view(game: Game, viewer: int | None) -> game_pb2.View:
    """The table as the viewer may see it."""
    content = game.content
    table = view_pb2.View(
        round=game.round,
        phase=game.phase,  # type: ignore[arg-type]
        is_final=game.is_final,
        final_round=game.final_round,
        first_player=game.first_player,
        turn_order=game.turn_order,
        supervisor=game.supervisor,
        fields=[_field(game, index) for index in range(len(content.fields))],
        bag=view_pb2.Bag(oil=game.bag_oil, gas=game.bag_gas, strike_cube=game.strike_in_bag),
        lease_market=game.lease_market,
        lease_deck=game.lease_deck,
        building_market=game.tile_market,
        building_deck=game.tile_deck,
        action_spaces=[_space(game, index) for index in content.spaces_in_play[len(game.players)]],
        investment_tracks=[
            view_pb2.InvestmentTrack(
                track=track,
                victory_points=content.tracks[track].vp,
                current_price=investments.current_price(game, track),
                squares=squares,
            )
            for track, squares in game.tracks.items()
        ],
        subsidy_pot=game.subsidy_pot,
        national_price=game.national_price,
        sellers=game.sellers,
        players=[_player(game, player, viewer) for player in game.players],
        options=game.options,
    )
    if game.current is not None:
        current = game.current
        table.running_action.CopyFrom(
            view_pb2.RunningAction(
                seat=current.seat,
                action=current.action,  # type: ignore[arg-type]
                origin=current.origin,  # type: ignore[arg-type]
                lease_price=current.lease_price,
                begun=current.begun,
                towers_used=current.used,
            )
        )
    if game.has_dummy:
        table.dummy.CopyFrom(view_pb2.Dummy(space_id=game.dummy_space, card=game.dummy_card))  # type: ignore[arg-type]
    return game_pb2.View(oilfield=table)


def _field(game: Game, index: int) -> view_pb2.Field:
    return view_pb2.Field(
        field=game.content.fields[index],
        oil=game.oil[index],
        gas=game.gas[index],
        depletion_step=game.steps[index],
        exhausted=game.exhausted[index],
        on_strike=game.strike_field == index,
        lease_slots=[
            view_pb2.LeaseSlot(
                slot_id=game.content.slots[slot],
                owner=game.slots[slot].owner,
                tile_id=game.slots[slot].tile,
                has_disc=game.slots[slot].disc,
            )
            for slot in game.content.slots_of_field[index]
        ],
    )


def _space(game: Game, index: int) -> view_pb2.ActionSpace:
    space = game.content.spaces[index]
    return view_pb2.ActionSpace(
        space_id=space.id,
        action=space.action,  # type: ignore[arg-type]
        bid=space.bid,
        worker=game.workers[index],
    )


def _player(game: Game, player: Player, viewer: int | None) -> view_pb2.Player:
    card = game.committed[player.seat]
    shown = card if card != UNSEEN and (player.seat == viewer or game.revealed) else _HIDDEN
    return view_pb2.Player(
        seat=player.seat,
        color=player.colour,
        coins=player.coins,
        oil=player.oil,
        gas=player.gas,
        storage=player.storage,
        lease_markers=player.lease_markers,
        investment_markers=player.investment_markers,
        leases=player.leases,
        expansions=player.expansions,
        victory_points=player.total,
        victory_points_by_category=[
            view_pb2.CategoryPoints(category=category, points=player.vp[category])  # type: ignore[arg-type]
            for category in VpCategory
            if player.vp[category]
        ],
        has_committed=card != NO_CARD,
        card=shown,  # type: ignore[arg-type]
    )
