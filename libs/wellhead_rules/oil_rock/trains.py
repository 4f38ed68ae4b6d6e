"""Train and Engineer (OR-TRAIN)."""

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.oil_rock import goods
from wellhead_rules.oil_rock.commands import DeclineEffect, KeepEngineer, MoveEngineer, MoveTrain
from wellhead_rules.oil_rock.content import Route
from wellhead_rules.oil_rock.decision import Options
from wellhead_rules.oil_rock.events import EngineerMoved, Frame, TrainMoved
from wellhead_rules.oil_rock.game import Game, Player
from wellhead_rules.oil_rock.holdings import discounted, pay, too_little
from wellhead_rules.oil_rock.lists import declinable, decline, effect_at
from wellhead_rules.oil_rock.pack import MoveTrain as TrainEffect
from wellhead_rules.oil_rock.vocabulary import FrameKind


def possible(game: Game, player: Player, effect: TrainEffect) -> bool:
    """Some move is affordable."""
    content = game.content
    cheapest = content.cheapest_step if effect.mode == "path" else content.cheapest_region
    return cost(player, effect, cheapest[player.train]) <= player.goods[goods.COAL]


def cost(player: Player, effect: TrainEffect, printed: int) -> int:
    """The price of a whole route in Coal (OR-TRAIN.2, 3, 9; OR-IMP.5)."""
    return discounted(printed, effect.discount + player.train_discount, effect.free)


def ask(game: Game, frame: Frame, effect: TrainEffect) -> None:
    """Asks for the route (DM-5) or the region (DM-6)."""
    kind = FrameKind.TRAIN_ROUTE if effect.mode == "path" else FrameKind.TRAIN_TARGET
    game.push(Frame(kind, frame.player, frame.effects, frame.index, frame.region))


def _routes(game: Game, player: Player, effect: TrainEffect) -> tuple[Route, ...]:
    if effect.mode == "anywhere":
        return game.content.direct[player.train]
    return game.content.routes[player.train]


def options(game: Game, frame: Frame) -> Options:
    """DM-5, DM-6: every affordable move (OR-TRAIN.1, 4, 9, 12)."""
    player = game.players[frame.player]
    effect: TrainEffect = effect_at(game, frame)
    coal = player.goods[goods.COAL]
    discount = effect.discount + player.train_discount
    listed: Options = [
        route.command
        for route in _routes(game, player, effect)
        if (effect.free or route.cost - discount <= coal) and len(route.command.path) <= effect.max_regions
    ]
    if listed and declinable(game, frame):
        listed.append(DeclineEffect())
    return listed


def move(game: Game, frame: Frame, command: MoveTrain | DeclineEffect) -> None:
    """Pays for the whole route, then goes region by region; at the end the Engineer may follow (OR-TRAIN.3, 6, 7)."""
    if isinstance(command, DeclineEffect):
        return decline(game, frame)
    player = game.players[frame.player]
    effect: TrainEffect = effect_at(game, frame)
    printed = sum(game.content.train_cost[region] for region in command.path)
    pay(game, frame.player, goods.COAL, cost(player, effect, printed))
    route = (player.train, *command.path)
    game.push(Frame(FrameKind.ENGINEER_MOVE, frame.player, route=route))
    for region in reversed(command.path):
        game.push(Frame(FrameKind.ARRIVAL, frame.player, frame.effects, frame.index, region))


def arrive(game: Game, frame: Frame) -> None:
    """Enters a region and receives its bonuses, in the order the effect lists them (OR-TRAIN.6, 10)."""
    effect: TrainEffect = effect_at(game, frame)
    region = frame.region
    game.record(TrainMoved(frame.player, game.players[frame.player].train, region))
    for bonus in reversed(effect.bonus):
        ref = (
            f"railway_token:{game.railway_token[region]}" if bonus == "railway"
            else f"region_tile:{game.region_tile[region]}"
        )  # fmt: skip
        game.push(Frame(FrameKind.EFFECTS, frame.player, ref, 0, region))


def refuse(game: Game, frame: Frame, command: MoveTrain | DeclineEffect) -> RuleViolation:
    """Why a move is not offered."""
    if isinstance(command, DeclineEffect):
        return RuleViolation("CANNOT_DECLINE", "OR-ACTION.11", "an Action that has been started cannot be declined")
    player = game.players[frame.player]
    effect: TrainEffect = effect_at(game, frame)
    path = tuple(command.path)
    if not 1 <= len(path) <= effect.max_regions:
        return RuleViolation("PATH_LENGTH", "OR-TRAIN.1", f"the route has 1 to {effect.max_regions} regions")
    if effect.mode == "path":
        at = player.train
        for region in path:
            if region not in game.content.regions[at].adjacent:
                return RuleViolation("REGION_NOT_ADJACENT", "OR-TRAIN.1", f"{region} is not adjacent to {at}")
            at = region
        if at == player.train:
            return RuleViolation("TRAIN_RETURNS_TO_START", "OR-TRAIN.4", f"the route ends in {at}, where it began")
    elif path[0] == player.train:
        return RuleViolation("SAME_REGION", "OR-TRAIN.12", f"the Train stands in {path[0]} already")
    needed = cost(player, effect, sum(game.content.train_cost[region] for region in path))
    return too_little(goods.COAL, needed, player.goods[goods.COAL])


def engineer_options(game: Game, frame: Frame) -> Options:
    """DM-7: stay, or go to a region of the route (OR-TRAIN.7, 11)."""
    engineer = game.players[frame.player].engineer
    listed: Options = [KeepEngineer()]
    listed += [MoveEngineer(region) for region in dict.fromkeys(frame.route) if region != engineer]
    return listed


def move_engineer(game: Game, frame: Frame, command: MoveEngineer | KeepEngineer) -> None:
    """The Engineer goes or stays."""
    if isinstance(command, MoveEngineer):
        game.record(EngineerMoved(frame.player, game.players[frame.player].engineer, command.region))


def refuse_engineer(game: Game, frame: Frame, command: MoveEngineer | KeepEngineer) -> RuleViolation:
    """Why the Engineer may not go there."""
    region = command.region if isinstance(command, MoveEngineer) else ""
    if region not in frame.route:
        return RuleViolation("REGION_NOT_ON_ROUTE", "OR-TRAIN.7", f"{region} is not on the route of the Train")
    return RuleViolation("SAME_REGION", "OR-TRAIN.7", f"the Engineer stands in {region} already")
