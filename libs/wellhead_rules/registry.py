"""The games that exist. A new game is one new package and one line here."""

from collections.abc import Mapping
from types import MappingProxyType

from wellhead_rules import oil_rock, oilfield
from wellhead_rules.kernel.ruleset import Ruleset

RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {ruleset.name: ruleset for ruleset in (oil_rock.RULESET, oilfield.RULESET)}
)
