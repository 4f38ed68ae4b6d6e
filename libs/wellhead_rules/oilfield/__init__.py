"""Oilfield: 2 to 5 players, hidden simultaneous choices. `rules.md` is the rules document that the code names."""

from wellhead_rules.oilfield.ruleset import Oilfield

RULESET = Oilfield()
