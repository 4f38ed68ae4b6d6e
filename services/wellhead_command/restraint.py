"""What keeps one caller from taking the service for themselves: open tables and refused commands are counted."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from grpc import StatusCode

from wellhead_rules.kernel.violations import RuleViolation
from wellhead_runtime import limits
from wellhead_runtime.admission import Buckets, Key, key_of, scaled
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import Refused
from wellhead_runtime.live import LiveGames
from wellhead_runtime.reasons import Reason

_OURS = (StatusCode.DATA_LOSS, StatusCode.UNAVAILABLE, StatusCode.ABORTED)
"""What is no fault of the caller's."""


class OpenTables:
    """The tables that each caller has opened through this process and nobody has started.

    They are looked at again before anybody is refused, and forgotten after a while: no table is kept from its creator.
    """

    def __init__(self, games: LiveGames, scale: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._games = games
        self._most = int(limits.OPEN_TABLES * scale)
        self._clock = clock
        self._opened: OrderedDict[Key, dict[str, float]] = OrderedDict()

    async def room_for(self, call: Call, game_id: str) -> Callable[[], None]:
        """Takes the room for a table of the caller's, once it is clear that it is a new one; TOO_MANY_OPEN_TABLES."""
        if not self._most:
            return lambda: None
        tables = self._opened.setdefault(key := key_of(call), {})
        self._opened.move_to_end(key)
        if len(self._opened) > limits.CALLERS:
            self._opened.popitem(last=False)
        if len(tables) >= self._most:
            for other, at in list(tables.items()):
                if at + limits.OPEN_TABLE_SECONDS < self._clock() or await self._started(other):
                    tables.pop(other, None)

        def take() -> None:
            if len(tables) >= self._most and game_id not in tables:
                detail = f"this {key[0]} has opened {len(tables)} tables that nobody has started"
                raise Refused(Reason.TOO_MANY_OPEN_TABLES, detail, limit="OPEN_TABLES", metadata={"key": key[0]})
            tables[game_id] = self._clock()

        return take

    async def _started(self, game_id: str) -> bool:
        """Or never opened after all."""
        live = self._games.at_hand(game_id)
        async with live.lock:
            await live.catch_up(self._games.log)
        return live.table.started or live.table.abandoned or not live.begun


class Tempered:
    """Commands of whoever has had too many refused wait a moment; they are decided all the same (R-API-6).

    Whose they are is told by the credential, so that nobody is slowed down by their neighbours. Those that prove no
    seat count for the address that they come from: there every credential waits that has had no command accepted yet.
    """

    def __init__(self, scale: float) -> None:
        self._refused = Buckets(scaled(limits.REFUSED_COMMANDS, scale)) if scale else None
        self._good: OrderedDict[int, None] = OrderedDict()

    @asynccontextmanager
    async def command(self, call: Call) -> AsyncIterator[None]:
        """Around the decision of a command."""
        if self._refused is None:
            yield
            return
        credential, key = hash(call.bearer), key_of(call)
        seconds = self._refused.seconds(credential)
        if credential not in self._good:
            seconds = max(seconds, self._refused.seconds(key))
        if seconds:
            await asyncio.sleep(min(seconds, limits.REFUSED_COMMAND_SECONDS))
        try:
            yield
        except (Refused, RuleViolation) as no:
            if isinstance(no, Refused) and no.code in _OURS:
                raise
            proved = getattr(no, "code", None) not in (StatusCode.PERMISSION_DENIED, StatusCode.UNAUTHENTICATED)
            self._refused.spend(credential if proved else key)
            raise
        self._good[credential] = None
        self._good.move_to_end(credential)
        if len(self._good) > limits.CALLERS:
            self._good.popitem(last=False)
