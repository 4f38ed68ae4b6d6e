"""Wheel, map, goals, turn order and the Progress track."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from wellhead_rules.oil_rock import events as e
from wellhead_rules.oil_rock.described import PlayerSaid, PositionError, RegionSaid, WheelSaid
from wellhead_rules.oil_rock.game import Player
from wellhead_rules.oil_rock.posing.pose import Pose
from wellhead_rules.oil_rock.vocabulary import Ring


def lay(pose: Pose) -> None:
    """Lays the table."""
    game, info, said = pose.game, pose.content.info, pose.said
    game.record(e.GameCreated(len(pose.names), game.options, info.id, info.version))
    for player in game.players:
        game.record(e.PlayerSeated(player.seat, player.colour))
    lay_action_tiles(pose, said.wheel or WheelSaid())
    lay_regions(pose, said.map or {})
    lay_goals(pose, said.goals or ())
    game.record(e.TurnOrderSet(1, pose.order))
    place_markers(pose)


def lay_action_tiles(pose: Pose, said: WheelSaid) -> None:
    """The Action tiles, and how the outer ring stands."""
    players = len(pose.names)
    used = [tile.id for tile in pose.content.data.action_tiles if players in tile.players]
    spaces = pose.content.constants.wheel_spaces_per_ring[players]
    rings = ((Ring.OUTER, said.outer or {}, "outer"), (Ring.INNER, said.inner or {}, "inner"))
    placed = [tile for _, ring, _ in rings for tile in ring.values()]
    pose.known("Action tile for this number of players", placed, used, "wheel")
    left = iter([tile for tile in used if tile not in placed])
    for number, ring, name in rings:
        pose.known("space", ring, range(spaces), "wheel", name)
        for index in range(spaces):
            pose.game.record(e.ActionTilePlaced(number, index, ring[index] if index in ring else next(left)))
    rotation = (max(1, pose.round) - 1) % spaces if said.rotation is UNSET else said.rotation
    if rotation >= spaces:
        raise PositionError(("wheel", "rotation"), f"it is 0 to {spaces - 1}")
    if rotation:
        pose.game.record(e.OuterRingTurned(rotation))


def lay_regions(pose: Pose, said: Mapping[str, RegionSaid]) -> None:
    """Region tiles and Railway tokens, each on its own terrain."""
    pose.known("region", said, pose.content.regions, "map")
    tiles = {region: row.region_tile for region, row in said.items() if row.region_tile}
    tokens = {region: row.railway_token for region, row in said.items() if row.railway_token}
    region_tiles = _by_terrain(pose, "region_tile", tiles, pose.content.region_tiles)
    railway_tokens = _by_terrain(pose, "railway_token", tokens, pose.content.railway_tokens)
    for region in pose.content.regions:
        pose.game.record(e.RegionTilePlaced(region, region_tiles[region]))
    for region in pose.content.regions:
        pose.game.record(e.RailwayTokenPlaced(region, railway_tokens[region]))


def _by_terrain(pose: Pose, kind: str, said: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, str]:
    placed: dict[str, str] = {}
    for region, tile in said.items():
        pose.known(kind, (tile,), known, "map", region, kind)
        if known[tile].terrain != pose.content.terrain[region]:
            raise PositionError(("map", region, kind), f"{tile} does not belong on {pose.content.terrain[region]}")
        if tile in placed.values():
            raise PositionError(("map", region, kind), f"{tile} stands twice")
        placed[region] = tile
    for region, terrain in pose.content.terrain.items():
        if region not in placed:
            placed[region] = next(
                tile for tile in known if known[tile].terrain == terrain
                and tile not in placed.values() and tile not in said.values()
            )  # fmt: skip
    return placed


def lay_goals(pose: Pose, said: Sequence[str]) -> None:
    """The goals of the four rounds; those of rounds that are over have been scored."""
    pose.known("goal", said, pose.content.goals, "goals")
    in_play = pose.content.constants.goals_in_play
    if len(said) > in_play:
        raise PositionError(("goals",), f"there are {in_play} goals in play")
    rest = [goal for goal in pose.content.goals if goal not in said]
    for position, goal in enumerate([*said, *rest][:in_play], 1):
        pose.game.record(e.GoalPlaced(position, goal))


def place_markers(pose: Pose) -> None:
    """The Progress markers, their stacks, best spaces and levels."""
    game, start = pose.game, pose.content.data.progress_track.start_space
    stacks = pose.said.stacks or {}
    stacked = {pose.seat(name, "stacks", space): space for space, stack in stacks.items() for name in stack}
    lower_is_ahead = game.options["stack_tie"] == "LOWER_AHEAD"
    spaces: dict[int, int] = {}
    for seat in pose.order[::-1] if lower_is_ahead else pose.order:
        said = pose.of(game.players[seat])
        spaces[seat] = stacked.get(seat, start) if said.progress is UNSET else said.progress
        if spaces[seat] != stacked.get(seat, spaces[seat]):
            raise PositionError((pose.names[seat], "progress"), f"it stands in the stack on {stacked[seat]}")
        if spaces[seat] > pose.content.last_space:
            raise PositionError((pose.names[seat], "progress"), f"the last space is {pose.content.last_space}")
        if seat not in stacked:
            game.record(e.ProgressMarkerPlaced(seat, spaces[seat]))
    for space, stack in stacks.items():
        if len(stack) != sum(other == space for other in spaces.values()):
            raise PositionError(("stacks", space), "it lists every marker of the space once, bottom to top")
        for name in stack:
            game.record(e.ProgressMarkerPlaced(pose.seat(name), space))
    for player in game.players:
        _level(pose, player, pose.of(player))


def _level(pose: Pose, player: Player, said: PlayerSaid) -> None:
    name = pose.names[player.seat]
    levels = pose.content.level_of
    if said.best_space is not UNSET:
        if not player.space <= said.best_space <= pose.content.last_space:
            raise PositionError((name, "best_space"), f"the marker stands on {player.space}")
        if said.best_space > player.space:
            pose.game.record(e.BestSpaceRaised(player.seat, said.best_space))
    if said.level is not UNSET and said.best_space is UNSET and said.level > levels[player.best_space]:
        pose.game.record(e.BestSpaceRaised(player.seat, levels.index(said.level)))
    reached = levels[player.best_space]
    if said.level is not UNSET and said.level > reached:
        raise PositionError((name, "level"), f"the best space gives level {reached}")
    for level in range(2, (reached if said.level is UNSET else said.level) + 1):
        pose.game.record(e.LevelReached(player.seat, level))
