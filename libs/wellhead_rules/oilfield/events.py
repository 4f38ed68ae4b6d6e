"""The facts of Oilfield (section F.2): final amounts, so that folding is addition, removal and assignment only.

The fields are explained where they are published, in `protos/wellhead/oilfield/v1/events.proto`.
"""

from msgspec import Struct

from wellhead_rules.oilfield.vocabulary import (
    Action,
    ActionCard,
    ActionOrigin,
    DecisionKind,
    LostReason,
    Phase,
    Step,
    VpCategory,
)  # fmt: skip


class ConfiguredSeat(Struct, frozen=True, gc=False):
    """What a player begins with (OF-2.2 to OF-2.5)."""

    seat: int
    color: str
    coins: int
    lease_markers: int
    free_investment_markers: int
    storage: int


class RevealedCard(Struct, frozen=True, gc=False):
    """A card turned up."""

    seat: int
    card: ActionCard


class Standing(Struct, frozen=True, gc=False):
    """A place in the final ranking (section G)."""

    seat: int
    rank: int
    total: int
    coins: int
    leases: int


class DummyTower(Struct, frozen=True, gc=False):
    """A tower of the dummy."""

    tile_id: str
    slot_id: str


class Frame(Struct, frozen=True, gc=False):
    """Something that remains to be done, as data."""

    step: Step
    seat: int = 0
    field: str = ""
    tile_id: str = ""


class Event(Struct, frozen=True, gc=False):
    """A fact. Facts are never changed."""


class GameConfigured(Event, frozen=True, gc=False):
    """The material of the game (OF-1.3)."""

    seats: tuple[ConfiguredSeat, ...]
    advanced_towers: bool
    dummy_timing: str
    tile_ids: tuple[str, ...]
    lease_ids: tuple[str, ...]
    bag_oil: int
    bag_gas: int


class DecisionOpened(Event, frozen=True, gc=False):
    """Seats owe an answer."""

    decision_id: int
    kind: DecisionKind
    seats: tuple[int, ...]
    agenda: tuple[Frame, ...]
    parameters: Frame


class DecisionClosed(Event, frozen=True, gc=False):
    """A seat owes the decision no more."""

    decision_id: int
    seat: int


class FirstPlayerChosen(Event, frozen=True, gc=False):
    """The first player is drawn (OF-2.15)."""

    seat: int


class TilesRemoved(Event, frozen=True, gc=False):
    """Tiles leave the game (OF-2.8)."""

    tile_ids: tuple[str, ...]


class StartingCubesDrawn(Event, frozen=True, gc=False):
    """A player's first cubes (OF-2.5)."""

    seat: int
    oil: int
    gas: int


class FieldFilled(Event, frozen=True, gc=False):
    """A field is filled at the start (OF-2.6)."""

    field: str
    oil: int
    gas: int


class StrikeCubeReturnedToBag(Event, frozen=True, gc=False):
    """The strike cube goes into the bag (OF-2.7, OF-16.1)."""


class TileRevealed(Event, frozen=True, gc=False):
    """A tile comes from the deck into the building market."""

    tile_id: str


class TileReturnedToDeck(Event, frozen=True, gc=False):
    """A tile goes from the building market back into the deck (OF-2.10, OF-21.12)."""

    tile_id: str


class LeaseRevealed(Event, frozen=True, gc=False):
    """A card comes from the deck into the lease market."""

    lease_id: str


class LeaseReturnedToDeck(Event, frozen=True, gc=False):
    """A card goes from the lease market back into the deck (OF-21.11)."""

    lease_id: str


class SubsidyIncreased(Event, frozen=True, gc=False):
    """The subsidy pot grows (OF-13.2)."""

    amount: int


class RoundStarted(Event, frozen=True, gc=False):
    """A round starts."""

    round: int
    is_final: bool


class PhaseStarted(Event, frozen=True, gc=False):
    """A phase starts."""

    phase: Phase


class WorkerPlaced(Event, frozen=True, gc=False):
    """A worker is placed (OF-4.1)."""

    seat: int
    space_id: str


class PrivateActionCommitted(Event, frozen=True, gc=False):
    """A card lies face down (OF-4.8)."""

    seat: int
    card: ActionCard


class PrivateActionsRevealed(Event, frozen=True, gc=False):
    """All cards are turned up (OF-6.1)."""

    entries: tuple[RevealedCard, ...]


class NationalPriceFixed(Event, frozen=True, gc=False):
    """The national price of the round (OF-6.2)."""

    sellers: int
    price: int


class ActionStarted(Event, frozen=True, gc=False):
    """An action comes up."""

    seat: int
    action: Action
    origin: ActionOrigin
    lease_price: int


class ActionPassed(Event, frozen=True, gc=False):
    """The player does not carry the action out (OF-3.5)."""

    seat: int
    action: Action
    origin: ActionOrigin


class ActionLost(Event, frozen=True, gc=False):
    """The action cannot be carried out (OF-5.5)."""

    seat: int
    action: Action
    origin: ActionOrigin
    reason: LostReason


class ActionCompleted(Event, frozen=True, gc=False):
    """The action is done."""

    seat: int
    action: Action
    origin: ActionOrigin


class WorkerReturned(Event, frozen=True, gc=False):
    """A worker goes back to its player (OF-5.3)."""

    seat: int
    space_id: str


class PrivateCardReturned(Event, frozen=True, gc=False):
    """A card goes back to its player (OF-6.4)."""

    seat: int


class LeaseTaken(Event, frozen=True, gc=False):
    """A lease is taken (OF-7)."""

    seat: int
    lease_id: str
    slot_id: str
    coins_paid: int


class TowerBuilt(Event, frozen=True, gc=False):
    """A tower is built (OF-8.2)."""

    seat: int
    tile_id: str
    slot_id: str
    coins_paid: int
    has_disc: bool


class ExpansionBuilt(Event, frozen=True, gc=False):
    """An expansion is built (OF-8.4)."""

    seat: int
    tile_id: str
    coins_paid: int
    storage_added: int


class TowerDrilled(Event, frozen=True, gc=False):
    """A tower extracts (OF-9)."""

    seat: int
    tile_id: str
    field: str
    oil_to_warehouse: int
    gas_to_warehouse: int
    oil_to_local: int
    gas_to_local: int
    coins_gained: int
    vp_gained: int


class LocalSold(Event, frozen=True, gc=False):
    """A sale at the local market (OF-10)."""

    seat: int
    oil_removed: int
    gas_removed: int
    coins_gained: int
    vp_gained: int


class SupervisorPaid(Event, frozen=True, gc=False):
    """The supervisor's fee (OF-10.4)."""

    seat: int
    coins: int


class NationalSold(Event, frozen=True, gc=False):
    """A sale at the national market (OF-11)."""

    seat: int
    oil_removed: int
    gas_removed: int
    coins_gained: int


class NationalTowerShipped(Event, frozen=True, gc=False):
    """A national tower ships (OF-20.6)."""

    seat: int
    tile_id: str
    field: str
    coins_gained: int


class FirstPlayerTaken(Event, frozen=True, gc=False):
    """The first player card is taken, or kept (OF-12)."""

    seat: int


class SubsidyTaken(Event, frozen=True, gc=False):
    """The subsidy pot is taken (OF-13.1)."""

    seat: int
    coins: int


class InvestmentBought(Event, frozen=True, gc=False):
    """An investment is bought (OF-14.2)."""

    seat: int
    track: str
    square: int
    coins_paid: int
    vp_gained: int


class InvestmentSold(Event, frozen=True, gc=False):
    """An investment is sold back (OF-14.6)."""

    seat: int
    track: str
    square: int
    coins_gained: int
    vp_lost: int


class OilfieldMarkerAdvanced(Event, frozen=True, gc=False):
    """The marker of a field moves on (OF-16.3)."""

    field: str
    step: int


class FieldExhausted(Event, frozen=True, gc=False):
    """A field is never refilled again (OF-16.4)."""

    field: str


class FieldReplenished(Event, frozen=True, gc=False):
    """A field has been refilled (OF-16.5)."""

    field: str
    oil: int
    gas: int


class StrikeStarted(Event, frozen=True, gc=False):
    """The strike cube was drawn (OF-17.1)."""

    field: str


class StrikeEnded(Event, frozen=True, gc=False):
    """A strike is over (OF-16.1)."""

    field: str


class GovernmentPaymentDemanded(Event, frozen=True, gc=False):
    """The owner of a government tower is asked to pay (OF-20.8)."""

    seat: int
    tile_id: str
    amount: int


class GovernmentTowerLiberated(Event, frozen=True, gc=False):
    """A government tower is paid off (OF-20.10)."""

    seat: int
    tile_id: str
    coins_paid: int


class GovernmentTowerForfeited(Event, frozen=True, gc=False):
    """A government tower and its lease are lost (OF-20.11)."""

    seat: int
    tile_id: str
    slot_id: str
    lease_id: str


class EndTriggered(Event, frozen=True, gc=False):
    """The end of the game is near (OF-18.1)."""

    final_round: int


class FinalScoreAdded(Event, frozen=True, gc=False):
    """Points at the end (OF-19)."""

    seat: int
    category: VpCategory
    vp: int


class GameEnded(Event, frozen=True, gc=False):
    """The game is over (OF-19.5)."""

    winners: tuple[int, ...]
    ranking: tuple[Standing, ...]


class DummyPrepared(Event, frozen=True, gc=False):
    """The dummy's leases and towers (OF-21.2, OF-21.3)."""

    lease_ids: tuple[str, ...]
    towers: tuple[DummyTower, ...]


class DummyWorkerMoved(Event, frozen=True, gc=False):
    """The dummy's worker blocks another space (OF-21.5, OF-21.9)."""

    space_id: str


class DummyCardDrawn(Event, frozen=True, gc=False):
    """The dummy's card of the round (OF-21.10)."""

    card: ActionCard


class DummySupervisorPaid(Event, frozen=True, gc=False):
    """The dummy uses the local market (OF-21.13)."""

    seat: int
    coins: int


class DummyDrilled(Event, frozen=True, gc=False):
    """The dummy's tower in the field drawn extracts (OF-21.15)."""

    field: str
    tile_id: str
    oil: int
    gas: int
