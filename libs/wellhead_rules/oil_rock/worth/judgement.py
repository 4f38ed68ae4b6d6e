"""What bots think of things: the weights of `worth`, in points. Judgement, not rules; set by playing bots out."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct


class Judgement(Struct, frozen=True):
    """Weights. `turn` in a comment means a worker turn; every player has twelve."""

    # Goods while they can still be spent. Each is worth `..._late` at the end, and more with every turn left.
    resource: float = 0.6
    resource_late: float = 1 / 3
    resource_per_turn: float = 0.06
    resource_cap: float = 3.0  # so many of a kind, and `..._cap_per_turn` more, find a use
    resource_cap_per_turn: float = 1.0
    patent: float = 1.7
    patent_late: float = 1.0
    patent_per_turn: float = 0.1
    progress: float = 1.1
    progress_late: float = 0.4
    barrel: float = 0.65  # by barrel value

    # What stands on the company board.
    refinery_option: float = 0.25  # a refinery, by rounds left, whether or not it runs
    turbine_option: float = 0.1  # of the points that a Turbine gives beside a refinery yet to be modernised, by rounds
    basic: float = 0.8  # of a resource, for each that the Basic Refinery will give in later rounds
    kept: float = 0.15  # a barrel value carried into the next round
    promise: float = 0.97  # what a promise is worth against the thing itself

    # Levels.
    manager: float = 1.5
    energy: float = 0.5
    level_part: float = 0.45  # of the way to the next level
    end_spaces_per_turn: float = 1.2

    # Effects whose worth depends on what the player makes of them.
    railway: float = 2.0
    branch: float = 3.5
    turbine_bonus: float = 0.8
    train: float = 2.5
    office: float = 4.8
    drill: float = 2.0
    refinery: float = 0.8
    turbine: float = 1.2
    improvement: float = 3.5
    site: float = 0.3  # of the best Office that could be built where Train and Engineer are

    # How often things happen.
    rates: float = 1.0
    growth: float = 0.7


RATES: Mapping[str, float] = MappingProxyType({
    "drill_built": 0.2, "refinery_built": 0.5, "office_built": 0.25, "turbine_built": 0.25, "level_reached": 0.3,
    "briefcase_opened": 0.3, "basic_refinery_used": 0.25, "improvement_acquired": 0.25,
    "move_train": 0.3, "build_office": 0.25, "buy_improvement": 0.25,
})  # fmt: skip
"""How often in a turn a trigger starts or a discount is used."""

GROWTH: Mapping[str, float] = MappingProxyType({
    "drills_yellow": 0.06, "drills_green": 0.06, "drills_blue": 0.06, "drills": 0.18, "progress_level": 0.3,
    "progress_space": 1.5, "offices_plains": 0.08, "offices_hills": 0.08, "offices_mountains": 0.08, "offices": 0.25,
    "briefcases_opened": 0.3, "briefcases_yellow": 0.1, "briefcases_green": 0.1, "briefcases_blue": 0.1,
    "improvements_yellow": 0.08, "improvements_green": 0.08, "improvements_blue": 0.08, "improvements": 0.25,
    "turbines_built": 0.25, "refineries_built": 0.5, "extra_actions_used": 0.15,
})  # fmt: skip
"""What a player adds to a metric in a turn."""
