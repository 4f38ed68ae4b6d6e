"""What a call passes before a servicer sees it: how much its caller has asked for, and the form of its request.

Whoever asks too often is told the kind of key under which they are counted, and how long to wait (R-API-6). Moves in a
game are not counted: a game's own rules and its length bound them. Only commands that were refused are, and whoever has
had too many of them waits a moment before the next one is decided; a legal move is never turned away.
"""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Hashable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from functools import lru_cache
from typing import Any, cast

from google.protobuf.message import Message
from prometheus_client import Counter

from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import query_service_pb2 as queries
from wellhead.v1 import scoring_service_pb2 as scores
from wellhead_runtime import limits, validation
from wellhead_runtime.calls import Call
from wellhead_runtime.errors import Refused
from wellhead_runtime.limits import Rate
from wellhead_runtime.metrics import REGISTRY
from wellhead_runtime.reasons import Reason

RATE_LIMITED = Counter(
    "wellhead_rate_limited_total", "Calls turned away for their number, by the rate and the kind of key.",
    ["rate", "key"], registry=REGISTRY,
)  # fmt: skip

Key = tuple[str, Hashable]
"""Under whom a call is counted: the kind of key, which may be told, and the key, which may not."""

CREATIONS, TABLE_COMMANDS, READS, WATCHES = "CREATIONS", "TABLE_COMMANDS", "READS", "WATCHES"

COUNTED: Mapping[type[Message], tuple[str, int]] = {
    commands.CreateGameRequest: (CREATIONS, 1),
    commands.TakeSeatRequest: (TABLE_COMMANDS, 1),
    commands.LeaveSeatRequest: (TABLE_COMMANDS, 1),
    commands.StartGameRequest: (TABLE_COMMANDS, 1),
    commands.RequestUndoRequest: (TABLE_COMMANDS, 1),
    commands.AnswerUndoRequest: (TABLE_COMMANDS, 1),
    commands.SetProgrammeRequest: (TABLE_COMMANDS, 1),
    commands.StopProgrammeRequest: (TABLE_COMMANDS, 1),
    commands.InvitePlayerRequest: (TABLE_COMMANDS, 1),
    commands.WithdrawInvitationRequest: (TABLE_COMMANDS, 1),
    commands.CloseTableRequest: (TABLE_COMMANDS, 1),
    commands.RequestRematchRequest: (CREATIONS, 1),
    queries.GetGameViewRequest: (READS, 1),
    queries.ListGamesRequest: (READS, 1),
    queries.ListTurnsRequest: (READS, limits.HISTORY_COST),
    queries.ListHistoryRequest: (READS, limits.HISTORY_COST),
    queries.ListLegalCommandsRequest: (READS, 1),
    queries.ExportGameRequest: (READS, limits.EXPORT_COST),
    queries.WatchGameRequest: (WATCHES, 1),
    scores.GetScoreCardRequest: (READS, limits.HISTORY_COST),
    scores.GetScoreIfEndedNowRequest: (READS, 1),
    scores.WatchScoresRequest: (WATCHES, 1),
}
"""The rate that a request counts for, and for how much. What is missing is never turned away for its number."""


def key_of(call: Call) -> Key:
    """Whoever has proved who they are is counted as that, wherever they call from; everybody else by address."""
    subject = getattr(call.caller, "subject", "")
    return ("caller", subject) if subject else ("address", _network(call.peer))


@lru_cache(4_096)
def _network(address: str) -> str:
    """One household has one IPv4 address, but many of IPv6: those count as one."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


class Buckets:
    """A token bucket for each key: full at first, and full again for whoever has not been seen for long."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._levels)

    def take(self, key: Hashable, cost: float = 1) -> float:
        """0 and the tokens are taken, or the seconds until there are enough, and nothing is."""
        level = self._level(key)
        if level < cost:
            return (cost - level) / self._rate.per_second
        self._put(key, level - cost)
        return 0.0

    def spend(self, key: Hashable) -> None:
        """Takes a token for what has happened already."""
        self._put(key, max(self._level(key) - 1, 0))

    def seconds(self, key: Hashable) -> float:
        """The seconds until there is a token; 0 if there is one."""
        return max(1 - self._level(key), 0) / self._rate.per_second

    def _level(self, key: Hashable) -> float:
        level, at = self._levels.get(key, (self._rate.burst, 0.0))
        return min(self._rate.burst, level + (self._clock() - at) * self._rate.per_second)

    def _put(self, key: Hashable, level: float) -> None:
        self._levels[key] = (level, self._clock())
        self._levels.move_to_end(key)
        if len(self._levels) > limits.CALLERS:
            self._levels.popitem(last=False)


def scaled(rate: Rate, scale: float) -> Rate:
    """The rate for a place where callers may ask so many times as often."""
    return Rate(rate.per_second * scale, rate.burst * scale)


class Gate:
    """Stands before the servicers of a process. `scale` multiplies every limit of one caller; 0 switches them off."""

    def __init__(self, scale: float = 0.0) -> None:
        self.scale = scale
        names = (CREATIONS, TABLE_COMMANDS, READS, WATCHES)
        self._buckets = {name: Buckets(scaled(getattr(limits, name), scale)) for name in names} if scale else {}
        self._streams: dict[Key, int] = {}

    def answer(self, serve: Callable[[Any, Call], Awaitable[Any]]) -> Callable[[Any, Call], Awaitable[Any]]:
        """A method that answers, behind the gate."""

        async def answer(request: Any, call: Call) -> Any:
            self.admit(request, call)
            return await serve(request, call)

        return answer

    def stream(self, serve: Callable[[Any, Call], AsyncIterator[Any]]) -> Callable[[Any, Call], AsyncIterator[Any]]:
        """A method that goes on answering, behind the gate."""

        async def stream(request: Any, call: Call) -> AsyncIterator[Any]:
            self.admit(request, call)
            with self._stream(key_of(call)):
                async with aclosing(cast(AsyncGenerator[Any, None], serve(request, call))) as messages:
                    async for message in messages:
                        yield message

        return stream

    def admit(self, request: Message, call: Call) -> None:
        """RATE_LIMITED or MALFORMED_REQUEST; nobody has looked at the request before."""
        if self._buckets and (counted := COUNTED.get(type(request))):
            name, cost = counted
            key = key_of(call)
            if seconds := self._buckets[name].take(key, cost):
                raise rate_limited(name, key, seconds)
        validation.check(request)

    @contextmanager
    def _stream(self, key: Key) -> Iterator[None]:
        running = self._streams.get(key, 0)
        if self.scale and running >= limits.STREAMS_PER_CALLER * self.scale:
            detail = f"{running} streams of this {key[0]} run already"
            raise Refused(Reason.TOO_MANY_STREAMS, detail, limit="STREAMS_PER_CALLER", metadata={"key": key[0]})
        self._streams[key] = running + 1
        try:
            yield
        finally:
            self._streams[key] -= 1
            if not self._streams[key]:
                del self._streams[key]


def rate_limited(rate: str, key: Key, seconds: float) -> Refused:
    """Too often: which rate, for whom, and how long to wait. The key itself may be a name or an address: not told."""
    RATE_LIMITED.labels(rate, key[0]).inc()
    return Refused(
        Reason.RATE_LIMITED,
        f"too many calls of this kind by this {key[0]}; one more is taken in {seconds:.1f} seconds",
        metadata={"limit": rate, "at_most": f"{getattr(limits, rate).per_second:g} per second", "key": key[0]},
        retry_seconds=seconds,
    )
