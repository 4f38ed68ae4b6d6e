"""Positions for tests and scenario files, of any game.

A scenario poses a position, sends commands, and says what must follow. What a table is, is the game's own business: it
adds the records in which a table is described, `pose` from words to facts, `seen` from state to words, and how its
commands and facts are said (see the README of `tests/scenarios`).
"""

from wellhead_rules.kernel.scenarios.described import PositionError, Said, merge, named
from wellhead_rules.kernel.scenarios.document import BadScenario, Difference, Document, Path
from wellhead_rules.kernel.scenarios.facts import Fact, Facts, fact, normal
from wellhead_rules.kernel.scenarios.positions import Posing, Position, ScriptedChance, Unexpected
from wellhead_rules.kernel.scenarios.runs import ScenarioFiles, by_category
from wellhead_rules.kernel.scenarios.wording import Wording, kind_name, kinds

__all__ = [
    "BadScenario", "Difference", "Document", "Fact", "Facts", "Path", "Posing", "Position", "PositionError", "Said",
    "ScenarioFiles", "ScriptedChance", "Unexpected", "Wording", "by_category", "fact", "kind_name", "kinds", "merge",
    "named", "normal",
]  # fmt: skip
