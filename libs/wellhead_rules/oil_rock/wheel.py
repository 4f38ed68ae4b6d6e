"""The Wheel: geometry (OR-WHEEL), placement (OR-PLACE) and the Copy space (OR-COPY)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import progress
from wellhead_rules.oil_rock.commands import PlaceOnCircle, PlaceOnCopy, PlaceOnTile
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import ActionsUnlocked, OuterRingTurned, WorkerPlaced
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.progress import SETTLE
from wellhead_rules.oil_rock.vocabulary import Reason, TileMode, Worker, WorkerSpace

Placement = PlaceOnTile | PlaceOnCircle | PlaceOnCopy


# -- geometry --------------------------------------------------------------------------------------------------


def circles(game: Game) -> tuple[str, ...]:
    """The circles of this game (OR-WHEEL.5, 10)."""
    return game.content.circles[len(game.players), game.options["manager_links"]]


def linked_tiles(game: Game, circle: str) -> tuple[str, str]:
    """The two tiles a circle links now, the outer one first (OR-WHEEL.6, 10)."""
    layout = game.content.data.wheel.by_player_count[len(game.players)]
    index = int(circle[1:])
    if game.options["manager_links"] == "INNER_NEIGHBOURS":
        return game.inner[index], game.inner[(index + 1) % layout.n]
    datum = layout.circles[index]
    return game.outer[datum.outer], game.inner[(datum.outer + game.rotation + datum.inner_offset) % layout.n]


def turn(game: Game) -> None:
    """The outer ring makes one click (OR-WHEEL.8, OR-EOR.6)."""
    wheel = game.content.data.wheel
    spaces = wheel.by_player_count[len(game.players)].n
    game.record(OuterRingTurned((game.rotation + wheel.clicks_per_round) % spaces))


# -- options ---------------------------------------------------------------------------------------------------


def placements(game: Game, player: Player) -> Options:
    """Every space on which the player may put the next worker (OR-PLACE.1 to 7; OR-COPY.1 to 8)."""
    content, taken, seat = game.content, game.tile_owner, player.seat
    tiles = game.outer + game.inner
    on_tile = content.place_on_tile
    listed: Options = [on_tile[tile] for tile in tiles if tile not in taken]
    if not player.assistants:
        occupied, on_circle = game.circle_owner, content.place_on_circle
        listed += [on_circle[circle] for circle in circles(game) if circle not in occupied]
    if player.space >= content.constants.copy_cost_progress:
        on_copy = content.place_on_copy
        listed += [on_copy[tile] for tile in tiles if tile in on_copy and taken.get(tile) != seat]
    return listed


# -- placing ---------------------------------------------------------------------------------------------------


def place(game: Game, player: Player, command: Placement) -> None:
    """Places the worker; payment, compensation, then the Actions are unlocked (OR-PLACE.11, OR-COPY.9)."""
    game.push(SETTLE)
    seat = player.seat
    worker = Worker.ASSISTANT if player.assistants else Worker.MANAGER
    match command:
        case PlaceOnTile(tile=tile):
            game.record(WorkerPlaced(seat, worker, WorkerSpace.TILE, tile))
            unlock(game, seat, tile)
        case PlaceOnCircle(circle=circle):
            linked = linked_tiles(game, circle)
            game.record(WorkerPlaced(seat, worker, WorkerSpace.CIRCLE, circle))
            for tile in linked:
                compensate(game, seat, tile)
            for tile in linked:
                unlock(game, seat, tile)
        case PlaceOnCopy(tile=tile):
            game.record(WorkerPlaced(seat, worker, WorkerSpace.COPY, tile))
            progress.step_back(game, seat, game.content.constants.copy_cost_progress, Reason.COPY_COST)
            compensate(game, seat, tile)
            unlock(game, seat, tile)


def compensate(game: Game, seat: int, tile: str) -> None:
    """The opponent whose worker stands on a tile that is used receives Progress (OR-PLACE.9, 10; OR-COPY.5, 6)."""
    owner = game.tile_owner.get(tile, seat)
    if owner != seat:
        progress.gain(game, owner, game.content.constants.compensation_progress, Reason.COMPENSATION)


def unlock(game: Game, seat: int, tile: str) -> None:
    """The Actions of a tile become pending; a blank tile has none (OR-PLACE.13, OR-ACTION.10)."""
    source = game.content.tiles[tile]
    if source.mode is not TileMode.BLANK:
        game.record(ActionsUnlocked(seat, tile, source.mode, source.actions, False))


# -- refusals --------------------------------------------------------------------------------------------------


def refuse_placement(game: Game, player: Player, command: Placement) -> RuleViolation:
    """Why the worker cannot be put there."""
    if game.worker_placed:
        return RuleViolation("WORKER_ALREADY_PLACED", "OR-ACT.1", "the worker of this turn has been deployed")
    if game.sources:
        return RuleViolation("ACTIONS_PENDING", "OR-ACTION.8", "an Extra Action is to be finished first")
    match command:
        case PlaceOnTile(tile=tile):
            if tile not in game.outer + game.inner:
                return RuleViolation("TILE_NOT_ON_WHEEL", "OR-SETUP.3", f"{tile} is not on the Wheel")
            return RuleViolation("TILE_OCCUPIED", "OR-PLACE.1", f"a worker stands on {tile}")
        case PlaceOnCircle(circle=circle):
            if circle not in circles(game):
                return RuleViolation("CIRCLE_NOT_ON_WHEEL", "OR-WHEEL.5", f"{circle} is not on the Wheel")
            if player.assistants:
                return RuleViolation("ASSISTANTS_FIRST", "OR-PLACE.3", f"{player.assistants} assistants are left")
            return RuleViolation("CIRCLE_OCCUPIED", "OR-PLACE.6", f"a worker stands on {circle}")
        case PlaceOnCopy(tile=tile):
            if player.space < game.content.constants.copy_cost_progress:
                return RuleViolation("COPY_NO_PROGRESS", "OR-COPY.3", "the marker is on space 0")
            if tile not in game.outer + game.inner:
                return RuleViolation("TILE_NOT_ON_WHEEL", "OR-COPY.4", f"{tile} is not on the Wheel")
            if game.content.tiles[tile].mode is TileMode.BLANK:
                return RuleViolation("COPY_BLANK_TILE", "OR-COPY.7", f"{tile} is blank")
            return RuleViolation("COPY_OWN_TILE", "OR-COPY.4", f"an own worker stands on {tile}")
