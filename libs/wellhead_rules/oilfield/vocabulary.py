"""The closed vocabulary of the rules, number for number that of the enums in `wellhead/oilfield/v1`.

A value that came out of a stored event is a plain int; it equals, and hashes like, the member it stands for.
"""

from enum import IntEnum


class Phase(IntEnum):
    """Where a round is (OF-3.1)."""

    PUBLIC_SELECTION = 1
    PRIVATE_SELECTION = 2
    PUBLIC_ACTIONS = 3
    PRIVATE_ACTIONS = 4
    FINAL_SCORING = 5
    GAME_OVER = 6


class Action(IntEnum):
    """An action. The first five have an action card as well; their numbers agree."""

    LEASE = 1
    BUILD = 2
    DRILL = 3
    LOCAL = 4
    NATIONAL = 5
    FIRST_PLAYER = 6
    SUBSIDY = 7
    INVEST = 8


class ActionCard(IntEnum):
    """A private action card (OF-4.9)."""

    LEASE = 1
    BUILD = 2
    DRILL = 3
    LOCAL = 4
    NATIONAL = 5


class ActionOrigin(IntEnum):
    """How an action was chosen."""

    PUBLIC = 1
    PRIVATE = 2


class DecisionKind(IntEnum):
    """What is asked (section E)."""

    PLACE_WORKER = 1
    COMMIT_PRIVATE = 2
    RESOLVE_LEASE = 3
    RESOLVE_BUILD = 4
    DRILL_NEW_TOWER = 5
    RESOLVE_DRILL = 6
    RESOLVE_LOCAL = 7
    RESOLVE_NATIONAL = 8
    SHIP_NATIONAL_TOWER = 9
    RESOLVE_FIRST_PLAYER = 10
    RESOLVE_SUBSIDY = 11
    RESOLVE_INVEST = 12
    GOVERNMENT_PAYMENT = 13


class LostReason(IntEnum):
    """Why an action was lost (OF-5.5)."""

    NO_LEASE_CARDS = 1
    NO_LEASE_MARKER = 2
    INSUFFICIENT_COINS = 3
    NOTHING_TO_BUILD = 4
    NOTHING_TO_DRILL = 5
    NOTHING_TO_SELL = 6
    NOTHING_TO_INVEST = 7


class VpCategory(IntEnum):
    """What victory points are for (section G)."""

    VP_INVESTMENTS = 1
    VP_LOCAL_MARKET = 2
    VP_LEASES = 3
    VP_FULL_STORAGE = 4
    VP_MOST_MONEY = 5


class Step(IntEnum):
    """What a frame of the agenda does when its turn comes."""

    PLACE_WORKER = 1
    COMMIT_PRIVATE = 2
    PUBLIC_ACTIONS = 3
    CHECK = 4
    CHECK_FIELD = 5
    SETTLE_GOVERNMENT_TOWER = 6
    REPLENISH = 7
    CHECK_END = 8
    REVEAL = 9
    PRIVATE_ACTION = 10
    DUMMY_CARD = 11
    RESOLVE = 12
    DRILL_NEW_TOWER = 13
    DRILL_ON = 14
    SHIP = 15
    COMPLETE = 16
    NEXT_ROUND = 17
