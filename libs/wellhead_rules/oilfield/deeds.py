"""What players do, worth telling round by round."""

from collections.abc import Callable
from typing import Any

from wellhead_rules.kernel.ruleset import Deed
from wellhead_rules.oilfield import events as e
from wellhead_rules.oilfield.events import Event

_DEEDS: dict[type[Event], Callable[[Any], Deed]] = {
    e.LeaseTaken: lambda fact: Deed(fact.seat, "took", "lease", "leases"),
    e.TowerBuilt: lambda fact: Deed(fact.seat, "built", "tower", "towers"),
    e.ExpansionBuilt: lambda fact: Deed(fact.seat, "built", "expansion", "expansions"),
    e.TowerDrilled: lambda fact: Deed(
        fact.seat,
        "drilled",
        "cube",
        "cubes",
        fact.oil_to_warehouse + fact.gas_to_warehouse + fact.oil_to_local + fact.gas_to_local,
    ),
    e.LocalSold: lambda fact: Deed(
        fact.seat, "sold locally", "cube", "cubes", fact.oil_removed + fact.gas_removed
    ),
    e.NationalSold: lambda fact: Deed(
        fact.seat, "sold nationally", "barrel", "barrels", fact.oil_removed + fact.gas_removed
    ),
    e.NationalTowerShipped: lambda fact: Deed(fact.seat, "shipped", "barrel", "barrels"),
    e.FirstPlayerTaken: lambda fact: Deed(fact.seat, "took the first player card", "time", "times"),
    e.SubsidyTaken: lambda fact: Deed(fact.seat, "took a subsidy of", "coin", "coins", fact.coins),
    e.InvestmentBought: lambda fact: Deed(fact.seat, "bought", "investment", "investments"),
    e.InvestmentSold: lambda fact: Deed(fact.seat, "sold", "investment", "investments"),
    e.GovernmentTowerLiberated: lambda fact: Deed(fact.seat, "liberated", "tower", "towers"),
    e.GovernmentTowerForfeited: lambda fact: Deed(fact.seat, "forfeited", "tower", "towers"),
}  # fmt: skip


def deed(event: Event) -> Deed | None:
    """What a player has done by this fact, None if it is not worth telling."""
    told = _DEEDS.get(event.__class__)
    return told(event) if told is not None else None
