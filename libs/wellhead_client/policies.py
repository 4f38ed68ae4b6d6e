"""Bots by name, as the command line and the tests call them."""

from wellhead_client.bots import Bot, GreedyBot, RandomBot
from wellhead_client.search import Budget, SearchBot
from wellhead_rules.kernel.ruleset import Ruleset

POLICIES = ("random", "greedy", "search")
"""The names; `search` takes a budget, as in `search:50ms` or `search:200n`."""

_DEFAULT_BUDGET = "50ms"


def make_bot(policy: str, ruleset: Ruleset, seed: int) -> Bot:
    """A bot for one game. ValueError, in words for people, if there is no such policy."""
    name, _, budget = policy.partition(":")
    if name == "search":
        return SearchBot(ruleset, seed, Budget.parse(budget or _DEFAULT_BUDGET))
    if budget or name not in POLICIES:
        raise ValueError(f"there is no policy {policy!r}; there is {', '.join(POLICIES)} (as in search:50ms)")
    return GreedyBot(ruleset, seed) if name == "greedy" else RandomBot(seed)
