"""The closed vocabulary of the rules, number for number that of the enums in `wellhead/oil_rock/v1`.

A value that came out of a stored event is a plain int; it equals, and hashes like, the member it stands for.
"""

from enum import IntEnum


class PlayerColour(IntEnum):
    """The colours a player's pieces may have."""

    WHITE = 1
    RED = 2
    BLUE = 3
    YELLOW = 4


class OilColour(IntEnum):
    """The three qualities of oil; also the name of a well, and the colour of Improvements and Briefcases."""

    YELLOW = 1
    GREEN = 2
    BLUE = 3


class Phase(IntEnum):
    """The phases of a round, in their order (OR-GEN.2)."""

    INCOME = 1
    ACTIONS = 2
    OIL_EXTRACTION = 3
    OIL_REFINING = 4
    GOALS = 5
    END_OF_ROUND = 6


class Ring(IntEnum):
    """The two rings of the Wheel."""

    OUTER = 1
    INNER = 2


class Worker(IntEnum):
    """The two kinds of worker."""

    ASSISTANT = 1
    MANAGER = 2


class WorkerSpace(IntEnum):
    """Where a worker can stand."""

    TILE = 1
    CIRCLE = 2
    COPY = 3


class TileMode(IntEnum):
    """How many of the Actions of a source may be carried out (OR-ACTION.1 to 4)."""

    SINGLE = 1
    BOTH = 2
    EITHER = 3
    BLANK = 4


class Reason(IntEnum):
    """The innermost cause of a change of goods or of a move on the Progress track."""

    SETUP = 1
    INCOME = 2
    PAYMENT = 3
    COPY_COST = 4
    COMPENSATION = 5
    ACTION = 6
    RAILWAY_BONUS = 7
    BRANCH_BONUS = 8
    EQUIPMENT = 9
    TECHNOLOGY = 10
    REFINERY = 11
    BASIC_REFINERY = 12
    TURBINE = 13
    BRIEFCASE = 14
    ABILITY = 15
    EXTRACTION = 16
    CONVERSION = 17
    BARREL_CAP = 18
    ENERGY_LOST = 19


class VpCategory(IntEnum):
    """The categories of Victory Points gained in play (section G.2 of the rules document)."""

    GOALS = 1
    IMPROVEMENT_DEPTH = 2
    REFINERY = 3
    TURBINE = 4
    RAILWAY_BONUS = 5
    BRANCH_BONUS = 6
    BRIEFCASE = 7
    EQUIPMENT = 8
    TECHNOLOGY = 9
    ABILITY = 10
    PROGRESS_OVERFLOW = 11


class ScoreCategory(IntEnum):
    """The categories of the final breakdown (section G.3)."""

    IN_PLAY = 1
    DEPTH = 2
    MODERN_REFINERIES = 3
    OFFICES = 4
    PROGRESS = 5
    STRUCTURES = 6
    PATENTS = 7
    RESOURCES = 8


class CardOrigin(IntEnum):
    """Where an Improvement came from when it was revealed, looked at or taken."""

    UNKNOWN_DECK = 1
    DECK_BOTTOM = 2
    DISPLAY = 3
    LOOKED_AT = 4


class DecisionKind(IntEnum):
    """The questions a player can be asked; the number is that of the decision point DM-n (section E.5)."""

    CHOOSE_CHARACTER = 1
    DEPLOY = 2
    TURN_MENU = 3
    PHASE_MENU = 4
    TRAIN_ROUTE = 5
    TRAIN_TARGET = 6
    ENGINEER_MOVE = 7
    OFFICE_SITE = 8
    DRILL_WELL = 9
    TURBINE_SITE = 10
    IMPROVEMENT_PURCHASE = 11
    RESOURCE_PORTION = 12
    ALTERNATIVE = 13
    PAID_REPEAT = 14
    TURBINE_BONUS = 15
    BONUS_REGION = 16
    ENERGY_CONVERSION = 17
    BASIC_LOADING = 18


class FrameKind(IntEnum):
    """What a frame of the agenda does (section E.2). Numbers 1 to 18 ask the decision of that number."""

    CHOOSE_CHARACTER = 1
    DEPLOY = 2
    TURN_MENU = 3
    PHASE_MENU = 4
    TRAIN_ROUTE = 5
    TRAIN_TARGET = 6
    ENGINEER_MOVE = 7
    OFFICE_SITE = 8
    DRILL_WELL = 9
    TURBINE_SITE = 10
    IMPROVEMENT_PURCHASE = 11
    RESOURCE_PORTION = 12
    ALTERNATIVE = 13
    PAID_REPEAT = 14
    TURBINE_BONUS = 15
    BONUS_REGION = 16
    ENERGY_CONVERSION = 17
    BASIC_LOADING = 18
    EFFECTS = 19
    ARRIVAL = 20
    LAYING = 21
    FINISH = 22
    SETTLE = 23
    FLOW = 24


class FlowStep(IntEnum):
    """The steps of the flow (section E.4)."""

    CHARACTER = 1
    DEPLOYMENT = 2
    ROUND = 3
    INCOME = 4
    WORKER_TURN = 5
    PHASE_TURN = 6
