"""Services to test: in this process, over a store in memory or the embedded one."""

import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.services.house import House, Unclosed, settings
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.memory import MemoryStore
from wellhead_eventlog.port import EventLog
from wellhead_eventlog.redis_store import RedisStore
from wellhead_runtime import logging

_namespaces = itertools.count(1)


@pytest.fixture(scope="session", autouse=True)
def logs() -> None:
    logging.configure("test", "warning")


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.start(Path(tmp_path_factory.mktemp("store"))) as store:
        yield store


@pytest.fixture(params=["memory", "embedded"])
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """No service runs yet: a test starts those it needs."""
    if request.param == "memory":
        memory = MemoryStore()
        house = House(settings(Durability.MEMORY), lambda: Unclosed(memory))  # type: ignore[arg-type]
        yield house
        await house.close()
        return
    store: EmbeddedStore = request.getfixturevalue("embedded")
    namespace = f"test{next(_namespaces)}"
    opened: list[RedisStore] = []

    def open_log() -> EventLog:
        opened.append(RedisStore(store.url, namespace=namespace, durability=Durability.FSYNC))
        return opened[-1]

    house = House(settings(Durability.FSYNC), open_log)
    yield house
    await house.close()
    for log in opened:
        await log.close()


@pytest.fixture
async def memory_house() -> AsyncIterator[House]:
    """For tests that have nothing to do with the store."""
    memory = MemoryStore()
    house = House(settings(Durability.MEMORY), lambda: Unclosed(memory))  # type: ignore[arg-type]
    yield house
    await house.close()
