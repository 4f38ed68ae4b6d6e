"""What an acknowledged append survives, and whether a store keeps that promise (architecture §7)."""

from enum import Enum
from typing import TYPE_CHECKING

from wellhead_eventlog.errors import UnsafeStore

if TYPE_CHECKING:
    from redis.asyncio import Redis


class Durability(Enum):
    """The classes an answer can name, weakest first."""

    MEMORY = "memory"
    """Survives nothing: tests only."""

    EVERYSEC = "everysec"
    """Survives the death of any process; a power loss may cost a second."""

    FSYNC = "fsync"
    """Survives a power loss of the store: the answer waits for the flush."""


# What each class needs of the store's settings. `everysec` is refused for FSYNC although WAITAOF exists: on some
# servers it answers before the flush. Eviction is refused even in MEMORY: it would delete streams of live games.
_ALWAYS = {"maxmemory-policy": {"noeviction"}}
_NEEDED: dict[Durability, dict[str, set[str]]] = {
    Durability.MEMORY: _ALWAYS,
    Durability.EVERYSEC: _ALWAYS | {"appendonly": {"yes"}, "appendfsync": {"everysec", "always"}},
    Durability.FSYNC: _ALWAYS | {"appendonly": {"yes"}, "appendfsync": {"always"}, "no-appendfsync-on-rewrite": {"no"}},
}


async def check_store(client: "Redis", wanted: Durability) -> None:
    """Raise `UnsafeStore`, naming every setting at fault, if the store would lose what `wanted` promises (R-LOG-8)."""
    from redis.exceptions import ResponseError  # here, so that naming a class does not load the store's client

    needed = _NEEDED[wanted]
    try:
        found = {_text(name): _text(value) for name, value in (await client.config_get(*needed)).items()}
    except ResponseError as refusal:
        raise UnsafeStore(f"the store does not let its settings be read: {refusal}") from refusal
    faults = [
        f"{name} is {found.get(name, 'unknown')}, {wanted.name} needs {' or '.join(sorted(values))}"
        for name, values in needed.items()
        if found.get(name) not in values
    ]
    if faults:
        raise UnsafeStore("; ".join(faults))


def _text(value: bytes | str | None) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
