"""One connection to a store, and the calls that share it.

redis-py connects, authenticates and reads replies; its pool, retries and callbacks are left out. Every command that is
sent here is harmless to repeat, so a broken connection is answered by sending the identical commands again.
"""

import asyncio
import math
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from wellhead_eventlog import functions, limits
from wellhead_eventlog.errors import StoreBusy, StoreUnavailable

Command = tuple[str | bytes | int, ...]

# Before each resend, seconds: at once, since a connection that went stale while idle is the common case; then giving
# a restarting store a moment.
_PAUSES = (0.0, 0.05)


class Reply(NamedTuple):
    """What the store answered (RESP2, so bytes, int, None, lists or an error) and whether it was asked twice."""

    value: Any
    resent: bool


def client_options() -> dict[str, Any]:
    """For whatever of redis-py connects to a store: no retries of its own, and no extra calls when connecting."""
    return {
        "protocol": 2,
        "retry": Retry(NoBackoff(), 0),
        "driver_info": None,
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }


class Wire:
    """One connection, for one exchange at a time."""

    def __init__(self, url: str, timeout_s: float) -> None:
        # The pool only knows how to read a URL here.
        pool = ConnectionPool.from_url(url, socket_timeout=None, **client_options())
        self._connection: AbstractConnection = pool.connection_class(**pool.connection_kwargs)
        self._timeout_s = timeout_s

    async def exchange(self, commands: Sequence[Command]) -> list[Reply]:
        """Send the commands together and collect their replies; an error reply is one of them.

        Raises `StoreUnavailable` if there is no answer. Cancelled or failed, the connection is closed, never left with
        replies that nobody will read (R-LOG-9).
        """
        replies = await self._exchange_or_resend(commands)
        if missing := [i for i, reply in enumerate(replies) if _lacks_function(reply.value)]:
            await self._once([("FUNCTION", "LOAD", "REPLACE", functions.LIBRARY)])
            again = await self._exchange_or_resend([commands[i] for i in missing])
            for i, reply in zip(missing, again, strict=True):
                replies[i] = reply
        return replies

    async def close(self) -> None:
        await self._connection.disconnect(nowait=True)

    async def _exchange_or_resend(self, commands: Sequence[Command]) -> list[Reply]:
        resent = False
        for pause in (*_PAUSES, None):
            try:
                return [Reply(value, resent) for value in await self._once(commands)]
            except (RedisError, OSError) as broken:
                if pause is None:
                    raise StoreUnavailable(str(broken)) from broken
                await asyncio.sleep(pause)
                resent = True
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, commands: Sequence[Command]) -> list[Any]:
        connection = self._connection
        finished = False
        try:
            async with asyncio.timeout(self._timeout_s):
                # Connects first if need be.
                packed = b"".join([pack_command(command) for command in commands])  # type: ignore[arg-type]  # any length
                await connection.send_packed_command(packed, check_health=False)
                replies = [await self._read() for _ in commands]
            finished = True
            return replies
        except TimeoutError as silence:
            raise StoreUnavailable(f"no answer within {self._timeout_s} s") from silence
        finally:
            if not finished:
                await connection.disconnect(nowait=True)

    async def _read(self) -> Any:
        try:
            return await self._connection.read_response(timeout=math.inf)
        except ResponseError as error:
            return error


class Batcher:
    """Calls that wait together go out together, on one connection: so they also share one flush of the disk.

    A call once made is sent and answered even if its caller is cancelled: the caller waits for a future, never on the
    connection itself (R-LOG-9).
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._waiting: deque[tuple[Command, asyncio.Future[Reply]]] = deque()
        self._sender: asyncio.Task[None] | None = None

    async def call(self, *command: str | bytes | int) -> Reply:
        """The reply to one command; an error reply is returned, not raised. Raises `StoreUnavailable`, `StoreBusy`."""
        if len(self._waiting) >= limits.MAX_WAITING_CALLS:
            raise StoreBusy(f"{limits.MAX_WAITING_CALLS} calls wait for the store")
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((command, future))
        if self._sender is None:
            # The task starts after whatever else is ready to run, so calls made in the same breath share a batch.
            self._sender = asyncio.create_task(self._send())
        return await future

    async def close(self) -> None:
        """Send what waits, then disconnect."""
        if self._sender is not None:
            await self._sender
        await self._wire.close()

    async def _send(self) -> None:
        try:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), limits.MAX_BATCH))]
                try:
                    replies = await self._wire.exchange([command for command, _ in batch])
                except Exception as failure:
                    _fail(batch, failure)
                else:
                    for (_, future), reply in zip(batch, replies, strict=True):
                        if not future.done():
                            future.set_result(reply)
        finally:
            self._sender = None


def _fail(batch: list[tuple[Command, asyncio.Future[Reply]]], failure: Exception) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(failure)


def _lacks_function(value: Any) -> bool:
    return isinstance(value, ResponseError) and str(value) == functions.NOT_FOUND
