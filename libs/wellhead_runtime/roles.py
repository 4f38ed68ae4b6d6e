"""Words about who somebody is, for settings, tokens and the command line."""

from enum import StrEnum


class IdentityMode(StrEnum):
    """Whether callers have to say who they are."""

    OPEN = "open"
    """Anybody may open tables and name players; for development, and among friends."""
    TOKENS = "tokens"
    """Whoever changes anything brings a token that says who they are."""


class Role(StrEnum):
    """What the bearer of a token may be."""

    PLAYER = "player"
    """Opens tables and takes seats in their own name."""
    OPERATOR = "operator"
    """Runs the place: prepares tables for others, starts games, looks on everywhere; plays no seat but their own."""
    SERVICE = "service"
    """One of our own processes."""
