"""What a player can do (section F.1): the commands, field for field those of `commands.proto`."""

from msgspec import Struct

from wellhead_rules.oil_rock.vocabulary import OilColour


class Command(Struct, frozen=True, gc=False):
    """Any command of a player."""


class ChooseCharacter(Command, frozen=True, gc=False):
    """Takes a character (OR-SETUP.16)."""

    character: str


class DeployTrain(Command, frozen=True, gc=False):
    """Puts Train and Engineer in a plains region (OR-DEPLOY.2)."""

    region: str


class PlaceOnTile(Command, frozen=True, gc=False):
    """Puts a worker on a free Action tile (OR-PLACE.1, 4)."""

    tile: str


class PlaceOnCircle(Command, frozen=True, gc=False):
    """Puts a manager on a free circle (OR-PLACE.5)."""

    circle: str


class PlaceOnCopy(Command, frozen=True, gc=False):
    """Puts a worker on the Copy space and names the tile whose Actions are used (OR-COPY.1 to 4)."""

    tile: str


class ResolveAction(Command, frozen=True, gc=False):
    """Carries out one pending Action of a source (OR-ACTION.1 to 8)."""

    source: str
    action: str


class ForgoSource(Command, frozen=True, gc=False):
    """Gives up everything still pending from a source (OR-ACTION.7)."""

    source: str


class EndTurn(Command, frozen=True, gc=False):
    """Ends the worker turn (OR-ACT.4)."""


class OpenBriefcase(Command, frozen=True, gc=False):
    """Opens a Briefcase (OR-PATENT.4)."""

    briefcase: str


class UseExtraAction(Command, frozen=True, gc=False):
    """Pays 3 Patents and uses an Extra Action tile (OR-PATENT.6)."""

    extra_action: str


class UseAbility(Command, frozen=True, gc=False):
    """Uses the optional part of the ability (OR-CHAR.5)."""


class ActivateRefinery(Command, frozen=True, gc=False):
    """Activates the refinery in a slot with exactly these barrels (OR-REFINE.2, 3, 15)."""

    slot: int
    yellow: int
    green: int
    blue: int


class UseBasicRefinery(Command, frozen=True, gc=False):
    """Starts the use of the Basic Refinery (OR-REFINE.9)."""


class EndPhaseTurn(Command, frozen=True, gc=False):
    """Ends the phase turn (OR-REFINE.12)."""


class MoveTrain(Command, frozen=True, gc=False):
    """Moves the Train (OR-TRAIN.1, 9)."""

    path: tuple[str, ...]


class MoveEngineer(Command, frozen=True, gc=False):
    """Moves the Engineer to a region of the route (OR-TRAIN.7)."""

    region: str


class KeepEngineer(Command, frozen=True, gc=False):
    """Leaves the Engineer where it is."""


class BuildOffice(Command, frozen=True, gc=False):
    """Builds an Office (OR-OFFICE.1, 6)."""

    region: str
    well: OilColour


class BuildDrill(Command, frozen=True, gc=False):
    """Builds the topmost drill of a well (OR-DRILL.1)."""

    well: OilColour


class BuildTurbine(Command, frozen=True, gc=False):
    """Builds a Turbine beside a slot (OR-TURB.1, 3)."""

    turbine: str
    slot: int


class BuyImprovement(Command, frozen=True, gc=False):
    """Buys an Improvement (OR-BUY.1)."""

    improvement: str


class ChooseResources(Command, frozen=True, gc=False):
    """Chooses resources; the sum must be the portion asked for."""

    tools: int
    coins: int
    coal: int


class ChooseOption(Command, frozen=True, gc=False):
    """Chooses one of several gains."""

    index: int


class PayForMore(Command, frozen=True, gc=False):
    """Pays once more."""


class StopPaying(Command, frozen=True, gc=False):
    """Stops paying."""


class ChooseTurbineBonus(Command, frozen=True, gc=False):
    """Chooses a built Turbine."""

    turbine: str


class ChooseBonusRegion(Command, frozen=True, gc=False):
    """Chooses a region."""

    region: str


class ConvertBarrels(Command, frozen=True, gc=False):
    """Converts barrels of the colour asked about into Energy."""

    colour: OilColour
    count: int


class LoadBasicRefinery(Command, frozen=True, gc=False):
    """Loads barrels of the colour asked about into the Basic Refinery."""

    colour: OilColour
    count: int


class DeclineEffect(Command, frozen=True, gc=False):
    """Declines a bonus that builds, moves or buys (OR-GEN.9)."""
