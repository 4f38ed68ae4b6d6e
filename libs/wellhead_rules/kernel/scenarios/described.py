"""What descriptions of any table have in common."""

from typing import Any

import msgspec
from msgspec import Struct


class Said(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A record in which nothing has to be said."""


class PositionError(Exception):
    """A description that no table can match; `path` leads to the place in it."""

    def __init__(self, path: tuple[str | int, ...], reason: str) -> None:
        super().__init__(f"{'.'.join(map(str, path)) or 'position'}: {reason}")
        self.path = path
        self.reason = reason


def named(said: Any) -> dict[str, Any]:
    """What a description says, and nothing that it leaves out."""
    built: dict[str, Any] = msgspec.to_builtins(said, str_keys=False)
    return built


def merge(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """The base with more said: mappings are merged key by key, everything else is replaced."""
    merged = dict(base)
    for key, value in more.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
