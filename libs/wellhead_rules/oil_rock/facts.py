"""Asking what has been recorded, in the rulebook's words: `fact(OfficeBuilt, region="R07", slot_vp=4) in facts`."""

from wellhead_rules.kernel.scenarios import facts as kernel
from wellhead_rules.kernel.scenarios.facts import Fact, fact


class Facts(kernel.Facts):
    """Facts in the order in which they were recorded; the seats bear the players' colours."""

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the players by seat."""
        return self.names


__all__ = ["Fact", "Facts", "fact"]
