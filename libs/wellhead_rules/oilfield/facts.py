"""Asking what has been recorded, in the rulebook's words: `fact(LeaseTaken, seat="P0", coins_paid=7) in facts`."""

from wellhead_rules.kernel.scenarios.facts import Fact, Facts, fact

__all__ = ["Fact", "Facts", "fact"]
