"""Waiting for a condition, not for a time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

SECONDS = 20.0
_PAUSE_S = 0.02


async def until(ask: Callable[[], Awaitable[T]], holds: Callable[[T], bool] = bool, seconds: float = SECONDS) -> T:
    """Asks until the answer is as it should be, and returns it; AssertionError with the last answer if it never is.

    What is derived from the log, as the list of games is, may lag behind an acknowledged command by moments.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not holds(answer := await ask()):
        assert loop.time() < deadline, f"still {answer!r} after {seconds:g} s"
        await asyncio.sleep(_PAUSE_S)
    return answer
