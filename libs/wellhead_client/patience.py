"""When to try again: only what is safe to repeat, at growing intervals, until patience ends."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from google.rpc import code_pb2

from wellhead_client.errors import CALL_FAILED, Refused, Unreachable, refusal_of_call

T = TypeVar("T")

_FIRST_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 1.0

# The server may never have seen the call, or its answer got lost. Every call of this client may be repeated: the
# mutating ones carry a request id.
_TRY_AGAIN = frozenset({code_pb2.UNAVAILABLE, code_pb2.DEADLINE_EXCEEDED, code_pb2.CANCELLED})


class Patience:
    """How long to go on trying. Every success starts it anew."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.renew()

    def renew(self) -> None:
        """Something has worked."""
        self._until = asyncio.get_running_loop().time() + self._seconds
        self._pause = _FIRST_PAUSE_S

    async def pause(self, failure: Refused) -> None:
        """Waits before the next try; raises the refusal if another try cannot help, Unreachable when patience ends."""
        if failure.code not in _TRY_AGAIN and failure.retry_after is None:
            raise failure
        # Spread, so that the clients of a restarted server do not all come back at the same moment.
        wait = failure.retry_after if failure.retry_after is not None else self._pause * random.uniform(0.5, 1.0)
        if asyncio.get_running_loop().time() + wait > self._until:
            raise Unreachable(f"gave up after {self._seconds:g} s: {failure}") from failure
        await asyncio.sleep(wait)
        self._pause = min(self._pause * 2, _LONGEST_PAUSE_S)


async def persist(call: Callable[[], Awaitable[T]], seconds: float) -> T:
    """The answer of a call that may be repeated; Refused or Unreachable if there is none."""
    patience = Patience(seconds)
    while True:
        try:
            return await call()
        except CALL_FAILED as error:
            await patience.pause(refusal_of_call(error))
