from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from tests.client.fakes import serve
from wellhead_client import WellheadClient

Connect = Callable[..., Awaitable[WellheadClient]]


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """A client of a fake service."""
    opened: list[Any] = []

    async def make(fake: Any, **settings: Any) -> WellheadClient:
        server, target = await serve(fake)
        client = WellheadClient(target, target, **settings)
        opened.append((server, client))
        return client

    yield make
    for server, client in opened:
        await client.close()
        await server.stop(None)
