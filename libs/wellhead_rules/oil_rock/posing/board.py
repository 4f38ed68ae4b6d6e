"""What belongs to a player: goods, points, character, pieces, Offices and the company board."""

from collections.abc import Mapping

from msgspec import UNSET

from wellhead_rules.oil_rock import events as e
from wellhead_rules.oil_rock import goods
from wellhead_rules.oil_rock.described import OILS, PlayerSaid, PositionError
from wellhead_rules.oil_rock.game import Player
from wellhead_rules.oil_rock.posing.pose import Pose
from wellhead_rules.oil_rock.vocabulary import OilColour, Reason, VpCategory

_CHARACTERS = ("drake", "bissel", "carnegie", "vanderbilt", "rockefeller", "lukasiewicz")


def lay(pose: Pose) -> None:
    """Gives every player what is said of the player."""
    give_supplies(pose)
    take_characters(pose)
    deploy(pose)
    place_offices(pose)
    for player in pose.game.players:
        build_board(pose, player, pose.of(player))


def give_supplies(pose: Pose) -> None:
    """Goods and points. Whoever's goods are not named holds the initial supply during setup, and nothing later."""
    for player in pose.game.players:
        said = pose.of(player)
        named = {
            place: amount
            for name, place in goods.PLACE.items()
            if (amount := getattr(said, name, UNSET) if place < goods.YELLOW or place == goods.ENERGY else UNSET)
            is not UNSET
        }
        for name, amount in (said.barrels or {}).items():
            named[goods.PLACE[name]] = amount
        if not named and pose.setting_up:
            supply = pose.content.data.initial_supply.by_turn_order_position[pose.order.index(player.seat)]
            named = {goods.PLACE[kind]: getattr(supply, kind) for kind in ("tools", "coins", "coal", "patents")}
        _hold(pose, player.seat, named)
        _points(pose, player.seat, said)


def _hold(pose: Pose, seat: int, named: Mapping[int, int]) -> None:
    held = [named.get(place, 0) for place in range(8)]
    if any(held):
        tools, coins, coal, patents, yellow, green, blue, energy = held
        pose.game.record(
            e.GoodsChanged(seat, tools, coins, coal, patents, yellow, green, blue, energy, Reason.SETUP, "")
        )


def _points(pose: Pose, seat: int, said: PlayerSaid) -> None:
    by_category: dict[str, int] = dict(said.vp_by_category or {})
    path = (pose.names[seat], "vp_by_category")
    pose.known("category", by_category, {category.name.lower() for category in VpCategory}, *path)
    rest = (said.vp or 0) - sum(by_category.values())
    if said.vp is not UNSET and rest < 0:
        raise PositionError(path, f"the categories add up to more than {said.vp}")
    by_category["goals"] = by_category.get("goals", 0) + max(0, rest)
    for category, amount in by_category.items():
        if amount:
            pose.game.record(e.VictoryPointsGained(seat, amount, VpCategory[category.upper()], ""))


def take_characters(pose: Pose) -> None:
    """The characters, each taken once."""
    said = {player.seat: of.character for player in pose.game.players if (of := pose.of(player)).character}
    for seat, character in said.items():
        pose.known("character", (character,), pose.content.characters, pose.names[seat], "character")
        if list(said.values()).count(character) > 1:
            raise PositionError((pose.names[seat], "character"), f"{character} is taken twice")
    left = (character for character in _CHARACTERS if character not in said.values())
    taken = {seat: said[seat] if seat in said else next(left) for seat in range(len(pose.names))}
    for seat in reversed(pose.order):
        if seat in said or pose.at != "characters":
            pose.game.record(e.CharacterTaken(seat, str(taken[seat])))


def deploy(pose: Pose) -> None:
    """Train and Engineer of everybody who has deployed."""
    plains = pose.content.regions_of["plains"]
    for seat in reversed(pose.order):
        player = pose.game.players[seat]
        said = pose.of(player)
        if pose.setting_up and not said.train:
            continue
        train = said.train or plains[seat]
        engineer = said.engineer or train
        for name, region in (("train", train), ("engineer", engineer)):
            pose.known("region", (region,), pose.content.regions, pose.names[seat], name)
        pose.game.record(e.TrainPlaced(seat, train))
        pose.game.record(e.EngineerPlaced(seat, engineer))


def place_offices(pose: Pose) -> None:
    """The Offices: those listed by region in their order, then those listed by player."""
    for region, row in (pose.said.map or {}).items():
        for index, owner in enumerate(row.offices or ()):
            name, _, well = owner.partition(" from ")
            path = ("map", region, "offices", index)
            _office(pose, pose.seat(name, *path), region, well, path)
    for player in pose.game.players:
        for index, place in enumerate(pose.of(player).offices or ()):
            region, _, well = place.partition(" from ")
            owned = (pose.names[player.seat], "offices", index)
            pose.known("region", (region,), pose.content.regions, *owned)
            _office(pose, player.seat, region, well, owned)


def _office(pose: Pose, seat: int, region: str, well: str, path: tuple[str | int, ...]) -> None:
    player, built = pose.game.players[seat], pose.game.offices[region]
    if seat in built:
        raise PositionError(path, f"{pose.names[seat]} has an Office in {region} already")
    if len(built) >= pose.content.constants.max_offices_per_region:
        raise PositionError(path, f"{region} holds {len(built)} Offices")
    colour = OILS[well] if well else _office_well(pose, player, path)
    positions = pose.content.wells[colour].offices_on_drills
    if player.offices_taken[colour] >= len(positions):
        raise PositionError(path, f"no Office is left on the {colour.name.lower()} well")
    slot_vp = pose.content.office_slots[region][len(built)]
    pose.game.record(e.OfficeBuilt(seat, region, slot_vp, colour, positions[player.offices_taken[colour]]))


def _office_well(pose: Pose, player: Player, path: tuple[str | int, ...]) -> OilColour:
    left = [
        colour for colour, well in pose.content.wells.items()
        if player.offices_taken[colour] < len(well.offices_on_drills)
    ]  # fmt: skip
    if not left:
        raise PositionError(path, f"all Offices of {pose.names[player.seat]} are on the map")
    in_the_way = [colour for colour in left if _uncovered(pose, player, colour) < _drills(pose, player, colour)]
    return (in_the_way or left)[0]


def _drills(pose: Pose, player: Player, well: OilColour) -> int:
    depth = {str(name): deep for name, deep in (pose.of(player).depth or {}).items()}
    return depth.get(well.name.lower(), pose.content.constants.min_depth) - pose.content.constants.min_depth


def _uncovered(pose: Pose, player: Player, well: OilColour) -> int:
    """How many drills of a well can have been built, for the Offices that are off it."""
    covered = pose.content.wells[well].offices_on_drills[player.offices_taken[well] :]
    return covered[0] - 1 if covered else pose.content.constants.drills_per_well


def build_board(pose: Pose, player: Player, said: PlayerSaid) -> None:
    """Drills, refineries, Turbines, Briefcases and Extra Actions."""
    game, seat, name = pose.game, player.seat, pose.names[player.seat]
    for well in pose.content.wells:
        drills = _drills(pose, player, well)
        if drills > _uncovered(pose, player, well):
            reason = f"an Office lies in the way on the {well.name.lower()} well: say in which region it stands"
            raise PositionError((name, "depth"), reason)
        for drill in range(drills):
            game.record(e.DrillBuilt(seat, well, pose.content.constants.min_depth + drill + 1))
    for colour, count in (said.offices_on_wells or {}).items():
        left = len(pose.content.wells[OILS[colour]].offices_on_drills) - player.offices_taken[OILS[colour]]
        if count != left:
            raise PositionError((name, "offices_on_wells"), f"{left} lie on the {colour} well")
    for number in range(1, (said.refineries or 0) + 1):
        game.record(e.RefineryBuilt(seat, number, pose.content.refineries[number].slot))
    turbines: Mapping[str, int] = said.turbines or {}
    pose.known("Turbine", turbines, pose.content.turbines, name, "turbines")
    pose.known("slot", turbines.values(), pose.content.slots, name, "turbines")
    for turbine, slot in turbines.items():
        game.record(e.TurbineBuilt(seat, turbine, slot))
    pose.known("Briefcase", said.briefcases or (), pose.content.briefcases, name, "briefcases")
    for briefcase in said.briefcases or ():
        game.record(e.BriefcaseOpened(seat, briefcase))
    extras: Mapping[str, int] = said.extra_actions or {}
    pose.known("Extra Action", extras, pose.content.extra_actions, name, "extra_actions")
    pose.known("round so far", extras.values(), range(1, pose.round + 1), name, "extra_actions")
    for extra_action, round in extras.items():
        game.record(e.ExtraActionUsed(seat, extra_action, round))
