"""Bots that play for players whose time is over: of a declared strength, and always the same in the same position."""

import hashlib
import re

from wellhead_client.policies import make_bot
from wellhead_rules.kernel.ruleset import Command, GameState, Owed, Ruleset

_KNOWN = re.compile(r"random|greedy|search:[1-9][0-9]{0,2}n")


def is_known(bot: str) -> bool:
    """Whether a bot of this name can stand in. A search is bounded by positions: time would not give the same twice."""
    return _KNOWN.fullmatch(bot) is not None


def choose(bot: str, ruleset: Ruleset, state: GameState, owed: Owed, place: str) -> Command:
    """The answer of the bot to a decision at this place of a game, which its chances derive from. It takes its time."""
    seed = int.from_bytes(hashlib.sha256(f"wellhead/v1/stand-in/{place}/{owed.seat}".encode()).digest()[:8], "big")
    return make_bot(bot, ruleset, seed).choose(state, owed, ruleset.legal(state, owed.seat))
