"""What has happened (section F.2): the facts, field for field those of `events.proto`."""

from msgspec import Struct

from wellhead_rules.oil_rock.vocabulary import (
    CardOrigin,
    DecisionKind,
    FlowStep,
    FrameKind,
    OilColour,
    Phase,
    PlayerColour,
    Reason,
    Ring,
    ScoreCategory,
    TileMode,
    VpCategory,
    Worker,
    WorkerSpace,
)


class Event(Struct, frozen=True, gc=False):
    """Any fact."""


class HiddenCards(Struct, frozen=True, gc=False):
    """Cards that only one player may see."""

    improvements: tuple[str, ...]
    origins: tuple[CardOrigin, ...]


class Standing(Struct, frozen=True, gc=False):
    """A place in the final ranking."""

    player: int
    total: int


class Frame(Struct, frozen=True, gc=False):
    """One thing that remains to be done (section E.2). Which fields are set depends on the kind."""

    kind: FrameKind
    player: int = 0
    effects: str = ""
    index: int = 0
    region: str = ""
    route: tuple[str, ...] = ()
    item: str = ""
    action: str = ""
    step: FlowStep | None = None
    count: int = 0
    colour: OilColour | None = None
    loaded: tuple[int, ...] = ()


class GameCreated(Event, frozen=True, gc=False):
    """The game begins with these settings (OR-GEN.1)."""

    player_count: int
    options: dict[str, str]
    content_pack: str
    content_version: str


class PlayerSeated(Event, frozen=True, gc=False):
    """A player takes part (OR-SETUP.9)."""

    player: int
    colour: PlayerColour


class ActionTilePlaced(Event, frozen=True, gc=False):
    """An Action tile lies on a tile space (OR-SETUP.3)."""

    ring: Ring
    index: int
    tile: str


class RegionTilePlaced(Event, frozen=True, gc=False):
    """A Region tile lies on its region (OR-SETUP.4)."""

    region: str
    region_tile: str


class RailwayTokenPlaced(Event, frozen=True, gc=False):
    """A Railway token lies on its region (OR-SETUP.5)."""

    region: str
    railway_token: str


class GoalPlaced(Event, frozen=True, gc=False):
    """A goal is in play (OR-SETUP.6)."""

    position: int
    goal: str


class ImprovementRevealed(Event, frozen=True, gc=False):
    """A card joins the display (OR-SETUP.7, OR-EOR.3)."""

    improvement: str
    origin: CardOrigin


class TurnOrderSet(Event, frozen=True, gc=False):
    """The order in which players act (OR-SETUP.10, OR-EOR.7)."""

    round: int
    order: tuple[int, ...]


class ProgressMarkerPlaced(Event, frozen=True, gc=False):
    """A Progress marker is put on top of a space (OR-SETUP.11)."""

    player: int
    space: int


class CharacterTaken(Event, frozen=True, gc=False):
    """A player has a character (OR-SETUP.16)."""

    player: int
    character: str


class TrainPlaced(Event, frozen=True, gc=False):
    """The Train is deployed (OR-DEPLOY.2)."""

    player: int
    region: str


class EngineerPlaced(Event, frozen=True, gc=False):
    """The Engineer is deployed (OR-DEPLOY.2)."""

    player: int
    region: str


class RoundStarted(Event, frozen=True, gc=False):
    """A round starts (OR-GEN.2)."""

    round: int


class PhaseStarted(Event, frozen=True, gc=False):
    """A phase starts (OR-GEN.2)."""

    round: int
    phase: Phase


class PhaseEnded(Event, frozen=True, gc=False):
    """A phase ends."""

    round: int
    phase: Phase


class WorkerTurnStarted(Event, frozen=True, gc=False):
    """A worker turn starts (OR-FLOW.2)."""

    player: int
    number: int


class WorkerTurnEnded(Event, frozen=True, gc=False):
    """A worker turn ends."""

    player: int
    number: int


class PhaseTurnStarted(Event, frozen=True, gc=False):
    """A phase turn starts; the marks for ability, slots and Basic Refinery are cleared."""

    player: int
    phase: Phase
    ability_tier: int
    energy_mode: bool


class PhaseTurnEnded(Event, frozen=True, gc=False):
    """A phase turn ends."""

    player: int
    phase: Phase


class DecisionOpened(Event, frozen=True, gc=False):
    """A player owes a decision; everything that remains to be done is in the agenda."""

    decision_id: int
    owner: int
    kind: DecisionKind
    agenda: tuple[Frame, ...]


class DecisionClosed(Event, frozen=True, gc=False):
    """The open decision has been answered."""

    decision_id: int


class WorkersReceived(Event, frozen=True, gc=False):
    """Workers join a pool (OR-INC.2)."""

    player: int
    assistants: int
    managers: int


class WorkerPlaced(Event, frozen=True, gc=False):
    """A worker is deployed (OR-PLACE.1, 4, 5; OR-COPY.1)."""

    player: int
    worker: Worker
    space: WorkerSpace
    place: str


class ActionsUnlocked(Event, frozen=True, gc=False):
    """A source offers its Actions."""

    player: int
    source: str
    mode: TileMode
    actions: tuple[str, ...]
    started: bool


class ActionStarted(Event, frozen=True, gc=False):
    """A pending Action is carried out."""

    player: int
    source: str
    action: str
    removed: tuple[str, ...]


class ActionFinished(Event, frozen=True, gc=False):
    """An Action has been resolved completely."""

    player: int
    source: str
    action: str


class SourceForgone(Event, frozen=True, gc=False):
    """What was pending from a source is given up (OR-ACTION.7)."""

    player: int
    source: str


class GoodsChanged(Event, frozen=True, gc=False):
    """Holdings change."""

    player: int
    tools: int
    coins: int
    coal: int
    patents: int
    yellow: int
    green: int
    blue: int
    energy: int
    reason: Reason
    source_id: str


class VictoryPointsGained(Event, frozen=True, gc=False):
    """Points in play."""

    player: int
    amount: int
    category: VpCategory
    source_id: str


class ProgressMarkerMoved(Event, frozen=True, gc=False):
    """A marker moves and is put on top of its new space (OR-PROG.2, 4)."""

    player: int
    origin: int
    space: int
    reason: Reason


class BestSpaceRaised(Event, frozen=True, gc=False):
    """A marker is further than ever before (OR-PROG.8)."""

    player: int
    space: int


class LevelReached(Event, frozen=True, gc=False):
    """A level is updated at a settle (OR-PROG.9)."""

    player: int
    level: int


class TrainMoved(Event, frozen=True, gc=False):
    """The Train enters a region."""

    player: int
    origin: str
    region: str


class EngineerMoved(Event, frozen=True, gc=False):
    """The Engineer moves."""

    player: int
    origin: str
    region: str


class OfficeBuilt(Event, frozen=True, gc=False):
    """An Office leaves a well for a region (OR-OFFICE.6, 8)."""

    player: int
    region: str
    slot_vp: int
    well: OilColour
    drill_position: int


class DrillBuilt(Event, frozen=True, gc=False):
    """A drill is built (OR-DRILL.4)."""

    player: int
    well: OilColour
    depth: int


class RefineryBuilt(Event, frozen=True, gc=False):
    """A refinery is built (OR-REF.2 to 4)."""

    player: int
    number: int
    slot: int


class TurbineBuilt(Event, frozen=True, gc=False):
    """A Turbine is built (OR-TURB.3)."""

    player: int
    turbine: str
    slot: int


class ImprovementTaken(Event, frozen=True, gc=False):
    """A card is acquired and becomes public (OR-BUY.7)."""

    player: int
    improvement: str
    origin: CardOrigin


class ImprovementLaid(Event, frozen=True, gc=False):
    """A card is laid above the well of its colour (OR-BUY.7)."""

    player: int
    improvement: str


class ImprovementsLookedAt(Event, frozen=True, gc=False):
    """A player looks at cards of the deck (OR-CHAR.CARNEGIE.1)."""

    player: int
    count: int
    hidden: HiddenCards | None


class ImprovementsPutUnder(Event, frozen=True, gc=False):
    """Cards looked at go under the deck (OR-CHAR.CARNEGIE.6)."""

    player: int
    count: int
    hidden: HiddenCards | None


class AbilityUsed(Event, frozen=True, gc=False):
    """The optional part of an ability is used (OR-CHAR.5)."""

    player: int
    character: str
    tier: int


class RefineryActivated(Event, frozen=True, gc=False):
    """A refinery runs (OR-REFINE.1)."""

    player: int
    slot: int
    number: int


class BasicRefineryUsed(Event, frozen=True, gc=False):
    """The Basic Refinery runs (OR-REFINE.9)."""

    player: int
    yellow: int
    green: int
    blue: int
    value: int


class BriefcaseOpened(Event, frozen=True, gc=False):
    """A Briefcase is opened (OR-PATENT.4)."""

    player: int
    briefcase: str


class ExtraActionUsed(Event, frozen=True, gc=False):
    """An Extra Action is used (OR-PATENT.6)."""

    player: int
    extra_action: str
    round: int


class EffectSkipped(Event, frozen=True, gc=False):
    """An effect has no legal execution (OR-GEN.9)."""

    player: int
    effects: str
    index: int


class EffectDeclined(Event, frozen=True, gc=False):
    """A player declines an effect (OR-GEN.9)."""

    player: int
    effects: str
    index: int


class GoalScoringDue(Event, frozen=True, gc=False):
    """A goal is turned face down; what it counts is fixed, the award follows (OR-GOAL.2, 3)."""

    round: int
    goal: str
    measures: tuple[int, ...]


class GoalScored(Event, frozen=True, gc=False):
    """The award of a round has been recorded (OR-GOAL.2)."""

    round: int
    goal: str


class ImprovementDiscarded(Event, frozen=True, gc=False):
    """A card leaves the game (OR-EOR.1)."""

    improvement: str


class WorkersReturned(Event, frozen=True, gc=False):
    """All workers leave the Wheel, the Copy space and the pools (OR-EOR.5)."""


class OuterRingTurned(Event, frozen=True, gc=False):
    """The outer ring has turned (OR-EOR.6)."""

    rotation: int


class FinalScoringDue(Event, frozen=True, gc=False):
    """The rounds are over; the final score follows (OR-FLOW.7)."""


class CategoryScored(Event, frozen=True, gc=False):
    """One line of the final breakdown (section G.3)."""

    player: int
    category: ScoreCategory
    vp: int


class GameEnded(Event, frozen=True, gc=False):
    """The game is over (OR-END.9, 10)."""

    ranking: tuple[Standing, ...]
