"""What a player can do (section F.1): the commands, field for field those of `commands.proto`."""

from msgspec import Struct

from wellhead_rules.oilfield.vocabulary import ActionCard


class Command(Struct, frozen=True, gc=False):
    """Any command of a player."""


class PlaceWorker(Command, frozen=True, gc=False):
    """Places the worker (OF-4.1)."""

    space_id: str


class CommitPrivateAction(Command, frozen=True, gc=False):
    """Puts an action card face down (OF-4.8)."""

    card: ActionCard


class PassAction(Command, frozen=True, gc=False):
    """Loses the action of one's own will (OF-3.5)."""


class TakeLease(Command, frozen=True, gc=False):
    """Takes a lease card (OF-7.1, OF-7.2)."""

    field: str


class BuildTower(Command, frozen=True, gc=False):
    """Buys a tower and places it (OF-8.2)."""

    tile_type: str
    field: str


class BuildExpansion(Command, frozen=True, gc=False):
    """Buys an expansion (OF-8.4)."""

    tile_type: str


class DrillTower(Command, frozen=True, gc=False):
    """Extracts with one tower (OF-9); amounts in cubes."""

    tile_id: str
    oil_to_warehouse: int = 0
    gas_to_warehouse: int = 0
    oil_to_local: int = 0
    gas_to_local: int = 0


class FinishDrilling(Command, frozen=True, gc=False):
    """Ends the drilling."""


class SellLocal(Command, frozen=True, gc=False):
    """Sells at the local market (OF-10.1)."""

    oil_for_coins: int = 0
    oil_pairs_for_vp: int = 0
    gas_for_vp: int = 0


class SellNational(Command, frozen=True, gc=False):
    """Sells at the national market (OF-11.2)."""

    oil: int = 0
    gas: int = 0


class ShipNationalTower(Command, frozen=True, gc=False):
    """Ships one oil from the field of a national tower (OF-20.6)."""

    tile_id: str


class FinishNational(Command, frozen=True, gc=False):
    """Ends the national action."""


class TakeFirstPlayer(Command, frozen=True, gc=False):
    """Takes the first player card (OF-12.1)."""


class TakeSubsidy(Command, frozen=True, gc=False):
    """Takes the subsidy (OF-13.1)."""


class BuyInvestment(Command, frozen=True, gc=False):
    """Buys an investment (OF-14.2)."""

    track: str


class SellInvestment(Command, frozen=True, gc=False):
    """Sells an investment back (OF-14.6)."""

    track: str


class PayGovernmentTower(Command, frozen=True, gc=False):
    """Pays for a government tower (OF-20.10)."""

    tile_id: str


class ForfeitGovernmentTower(Command, frozen=True, gc=False):
    """Gives a government tower up (OF-20.11)."""

    tile_id: str
