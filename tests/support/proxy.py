"""A network that cannot be trusted: a TCP proxy that delays, cuts and stalls what goes through it."""

import asyncio
import contextlib
from random import Random
from typing import Self


class Proxy:
    """Listens on a free port and passes bytes on. `delay` is the longest wait before a piece goes on, in seconds, `cut`
    the chance that a piece ends its connection instead."""

    def __init__(self, target: int, seed: int = 0, delay: float = 0.0, cut: float = 0.0) -> None:
        self._target = target
        self._random = Random(seed)
        self._delay = delay
        self._cut = cut
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.cuts = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=16_384)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def stall(self) -> None:
        """Nothing of the server's gets through any more."""
        self._flowing.clear()

    def go_on(self) -> None:
        self._flowing.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target, limit=16_384)
            pumps = [
                asyncio.ensure_future(self._pump(reader, back)),
                asyncio.ensure_future(self._pump(there, writer, self._flowing)),
            ]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in pumps:
                    each.cancel()
                for end in (writer, back):
                    end.transport.abort()
        except (OSError, asyncio.CancelledError):
            writer.close()
        finally:
            self._tasks.discard(task)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flowing: asyncio.Event | None = None
    ) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(16_384):
                if self._delay:
                    await asyncio.sleep(self._random.random() * self._delay)
                if flowing is not None:
                    await flowing.wait()
                if self._random.random() < self._cut:
                    self.cuts += 1
                    return
                writer.write(piece)
                await writer.drain()
