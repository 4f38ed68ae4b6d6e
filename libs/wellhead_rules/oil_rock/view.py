"""What a viewer may see (section F.4): together with `redact` the only code that decides it."""

import msgspec

from wellhead.oil_rock.v1 import view_pb2
from wellhead.v1 import game_pb2
from wellhead_rules.oil_rock import goods, wells, wheel
from wellhead_rules.oil_rock.events import (
    Event,
    ImprovementRevealed,
    ImprovementsLookedAt,
    ImprovementsPutUnder,
    ImprovementTaken,
)
from wellhead_rules.oil_rock.game import UNSEEN, Game, Player
from wellhead_rules.oil_rock.vocabulary import CardOrigin


def hidden_from(event: Event) -> int | None:
    """The only seat that may see the whole fact, None if everybody may."""
    if isinstance(event, ImprovementsLookedAt | ImprovementsPutUnder):
        return event.player
    return None


def redact(event: Event, viewer: int | None) -> Event:
    """The fact as the viewer may see it."""
    if isinstance(event, ImprovementsLookedAt | ImprovementsPutUnder) and event.player != viewer:
        return msgspec.structs.replace(event, hidden=None)
    return event


def is_news(event: Event) -> bool:
    """Whether cards of the deck are seen by this fact: turned up for all, looked at by one, or shown by that one."""
    if isinstance(event, ImprovementTaken):
        return event.origin == CardOrigin.LOOKED_AT
    return isinstance(event, ImprovementRevealed | ImprovementsLookedAt)


def view(game: Game, viewer: int | None) -> game_pb2.View:
    """The table as the viewer may see it; built from state whose only secret is the identity of some cards."""
    table = view_pb2.View(
        round=game.round,
        phase=game.phase or 0,  # type: ignore[arg-type]
        turn_order=game.turn_order,
        worker_turn=game.worker_turn,
        wheel=_wheel(game),
        regions=[
            view_pb2.Region(
                region=region,
                region_tile=game.region_tile.get(region, ""),
                railway_token=game.railway_token.get(region, ""),
                offices=game.offices.get(region, ()),
            )
            for region in game.content.regions
        ],
        goals=_goals(game),
        display=game.display,
        deck_size=_public_deck_size(game),
        players=[_player(game, player) for player in game.players],
        options=game.options,
        discarded=game.discarded,
    )
    if game.active >= 0:
        table.active_player = game.active
        table.turn.CopyFrom(_turn(game))
    elif game.open is not None:  # a deployment or an income is running, and its player decides
        table.active_player = game.open.owner
    if viewer is not None and viewer == game.looker:
        table.hidden.looked_at.extend(game.looked_at)
        table.hidden.deck_bottom.extend(game.deck_bottom)
    return game_pb2.View(oil_rock=table)


def _public_deck_size(game: Game) -> int:
    """Cards in the deck: a card under it, or being looked at, is one of them for everybody else (F.4)."""
    unseen = game.looked_at.count(UNSEEN) + game.deck_bottom.count(UNSEEN)
    return len(game.deck) + len(game.deck_bottom) + len(game.looked_at) - unseen


def _wheel(game: Game) -> view_pb2.Wheel:
    if not game.inner:
        return view_pb2.Wheel()
    circles = []
    for circle in wheel.circles(game):
        first, second = wheel.linked_tiles(game, circle)
        circles.append(view_pb2.Circle(circle=circle, first_tile=first, second_tile=second))
    workers = [
        view_pb2.PlacedWorker(
            player=worker.player,
            worker=worker.worker,  # type: ignore[arg-type]
            space=worker.space,  # type: ignore[arg-type]
            place=worker.place,
        )
        for worker in game.workers
    ]
    return view_pb2.Wheel(outer=game.outer, inner=game.inner, rotation=game.rotation, circles=circles, workers=workers)


def _goals(game: Game) -> list[view_pb2.Goal]:
    due = {goal.round for goal in game.goals_due}
    return [
        view_pb2.Goal(
            goal=goal, face_down=round in due or round in game.goals_scored, scored=round in game.goals_scored
        )
        for round, goal in enumerate(game.goals, 1)
    ]


def _player(game: Game, player: Player) -> view_pb2.Player:
    stack = sorted(other.arrival for other in game.players if other.space == player.space)
    holdings = dict(zip(goods.NAMES, player.goods, strict=True))
    return view_pb2.Player(
        player=player.seat,
        colour=player.colour,  # type: ignore[arg-type]
        character=player.character,
        level=player.level,
        progress=player.space,
        stack_height=stack.index(player.arrival),
        best_space=player.best_space,
        assistants=player.assistants,
        managers=player.managers,
        train=player.train,
        engineer=player.engineer,
        wells=[
            view_pb2.Well(
                colour=well,  # type: ignore[arg-type]
                depth=wells.depth(game, player, well),
                covered_positions=wells.covered_positions(game, player, well),
            )
            for well in game.content.wells
        ],
        refineries_built=player.refineries,
        turbines=[
            view_pb2.Turbine(turbine=turbine, slot=slot) for slot, turbine in enumerate(player.turbine_at) if turbine
        ],
        briefcases_opened=player.briefcases,
        extra_actions_used=[
            view_pb2.UsedExtraAction(extra_action=used, round=round) for used, round in player.extra_actions
        ],
        improvements=player.improvements,
        victory_points=player.vp,
        victory_points_by_category=[
            view_pb2.CategoryPoints(category=category, points=points)  # type: ignore[arg-type]
            for category, points in enumerate(player.vp_by_category)
            if points
        ],
        **holdings,
    )


def _turn(game: Game) -> view_pb2.Turn:
    return view_pb2.Turn(
        worker_placed=game.worker_placed,
        sources=[
            view_pb2.Source(
                source=source.source,
                actions=source.pending,
                started=source.started,
                mode=source.mode,  # type: ignore[arg-type]
            )
            for source in game.sources
        ],
        ability_tier=game.ability_tier,
        ability_used=game.ability_used,
        energy_mode=game.energy_mode,
        slots_activated=game.slots_activated,
        basic_refinery_used=game.basic_used,
    )
