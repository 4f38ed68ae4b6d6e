"""Setup (OR-SETUP) and deployment (OR-DEPLOY)."""

from collections.abc import Iterable

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods
from wellhead_rules.oil_rock.commands import DeployTrain
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import (
    ActionTilePlaced,
    CharacterTaken,
    EngineerPlaced,
    Frame,
    GameCreated,
    GoalPlaced,
    PlayerSeated,
    ProgressMarkerPlaced,
    RailwayTokenPlaced,
    RegionTilePlaced,
    TrainPlaced,
    TurnOrderSet,
)
from wellhead_rules.oil_rock.game import Game
from wellhead_rules.oil_rock.holdings import change
from wellhead_rules.oil_rock.improvements import reveal
from wellhead_rules.oil_rock.lists import push_list
from wellhead_rules.oil_rock.vocabulary import FlowStep, FrameKind, Reason, Ring


def set_up(game: Game) -> None:
    """Lays out everything in the order of OR-SETUP.19 and leaves the first step of the flow on the agenda."""
    content = game.content
    players = len(game.players)
    game.record(GameCreated(players, game.options, content.info.id, content.info.version))
    for player in game.players:
        game.record(PlayerSeated(player.seat, player.colour))
    _lay_action_tiles(game, players)
    for region, terrain in content.terrain.items():
        tiles = (t.id for t in content.data.region_tiles if t.terrain == terrain)
        game.record(RegionTilePlaced(region, _draw_unplaced(game, tiles, game.region_tile.values())))
    for region, terrain in content.terrain.items():
        tokens = (t.id for t in content.data.railway_tokens if t.terrain == terrain)
        game.record(RailwayTokenPlaced(region, _draw_unplaced(game, tokens, game.railway_token.values())))
    for position in range(1, content.constants.goals_in_play + 1):
        game.record(GoalPlaced(position, _draw_unplaced(game, content.goals, game.goals)))
    for _ in range(content.constants.improvement_display_size[players]):
        reveal(game)
    _set_turn_order(game)
    _hand_out_supplies(game)
    if game.options["character_selection"] == "RANDOM":
        for seat in game.turn_order:
            taken = [player.character for player in game.players]
            game.record(CharacterTaken(seat, _draw_unplaced(game, content.characters, taken)))
        game.push(Frame(FrameKind.FLOW, step=FlowStep.DEPLOYMENT))
    else:
        game.push(Frame(FrameKind.FLOW, step=FlowStep.CHARACTER))


def _draw_unplaced(game: Game, candidates: Iterable[str], placed: Iterable[str]) -> str:
    return game.draw(tuple(sorted(set(candidates) - set(placed))))


def _lay_action_tiles(game: Game, players: int) -> None:
    """The tiles of this player count, outer ring first (OR-SETUP.2, 3)."""
    used = [tile.id for tile in game.content.data.action_tiles if players in tile.players]
    for ring in (Ring.OUTER, Ring.INNER):
        for index in range(game.content.constants.wheel_spaces_per_ring[players]):
            tile = _draw_unplaced(game, used, game.outer + game.inner)
            game.record(ActionTilePlaced(ring, index, tile))


def _set_turn_order(game: Game) -> None:
    """The first turn order, and the stack of markers that gives it (OR-SETUP.10, 11)."""
    left = tuple(player.seat for player in game.players)
    order: list[int] = []
    while left:
        order.append(game.draw(left) if game.options["initial_turn_order"] == "RANDOM" else left[0])
        left = tuple(seat for seat in left if seat not in order)
    game.record(TurnOrderSet(1, tuple(order)))
    lower_is_ahead = game.options["stack_tie"] == "LOWER_AHEAD"
    for seat in reversed(order) if lower_is_ahead else order:
        game.record(ProgressMarkerPlaced(seat, game.content.data.progress_track.start_space))


def _hand_out_supplies(game: Game) -> None:
    """The initial supply of each place in the turn order (OR-SETUP.18)."""
    supplies = {supply.position: supply for supply in game.content.data.initial_supply.by_turn_order_position}
    for position, seat in enumerate(game.turn_order, 1):
        supply = supplies[position]
        given = (
            (goods.TOOLS, supply.tools),
            (goods.COINS, supply.coins),
            (goods.COAL, supply.coal),
            (goods.PATENTS, supply.patents),
        )
        change(game, seat, given, Reason.SETUP)


# -- deployment (DM-2) -----------------------------------------------------------------------------------------


def options(game: Game, frame: Frame) -> Options:
    """DM-2: every plains region in which nobody has deployed (OR-DEPLOY.2)."""
    taken = {player.train for player in game.players}
    return [DeployTrain(region) for region in game.content.regions_of["plains"] if region not in taken]


def deploy(game: Game, frame: Frame, command: DeployTrain) -> None:
    """Train and Engineer go there; the Railway bonus is received at once (OR-DEPLOY.2, 3)."""
    region = command.region
    game.record(TrainPlaced(frame.player, region))
    game.record(EngineerPlaced(frame.player, region))
    push_list(game, frame.player, f"railway_token:{game.railway_token[region]}", region)


def refuse(game: Game, frame: Frame, command: DeployTrain) -> RuleViolation:
    """Why nobody can deploy there."""
    if game.content.terrain[command.region] != "plains":
        return RuleViolation("REGION_NOT_PLAINS", "OR-DEPLOY.2", f"{command.region} is not a plains region")
    return RuleViolation("REGION_TAKEN", "OR-DEPLOY.2", f"another player has deployed in {command.region}")
