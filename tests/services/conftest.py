"""Services to test: in this process, over a store in memory or the embedded one."""

import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.services.house import SEEN, House, Unclosed, settings
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


@pytest.fixture(autouse=True)
def reasons(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test reads the reasons that its mark names."""
    SEEN.clear()
    yield
    marked = {name for mark in request.node.iter_markers("reason") for name in mark.args}
    assert marked <= SEEN, f"the mark names what the test has not read: {', '.join(sorted(marked - SEEN))}"


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.start(Path(tmp_path_factory.mktemp("store"))) as store:
        yield store


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What lies behind the services is the same whatever the transport: one store is enough for the others. Long runs
    are for those who ask for them."""
    items[:] = [item for item in items if not _behind_another(item)]
    if "soak" in (config.getoption("markexpr") or ""):
        return
    for item in items:
        if item.get_closest_marker("soak") and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.skip(reason="a long run; asked for with -m soak"))


def _behind_another(item: pytest.Item) -> bool:
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return params.get("house") == "embedded" and params.get("transport", "grpc") != "grpc"


@pytest.fixture
def transport() -> str:
    """How clients call; a module whose tests hold for every transport has a fixture of this name with all of them."""
    return "grpc"


@pytest.fixture(params=["memory", "embedded"])
async def house(request: pytest.FixtureRequest, transport: str) -> AsyncIterator[House]:
    """No service runs yet: a test starts those it needs."""
    if request.param == "memory":
        memory = MemoryStore()
        house = House(settings(Durability.MEMORY), lambda: Unclosed(memory), transport=transport)  # type: ignore[arg-type]
        yield house
        await house.close()
        return
    store: EmbeddedStore = request.getfixturevalue("embedded")
    namespace = f"test{next(_namespaces)}"
    opened: list[RedisStore] = []

    def open_log() -> EventLog:
        opened.append(RedisStore(store.url, namespace=namespace, durability=Durability.FSYNC))
        return opened[-1]

    house = House(settings(Durability.FSYNC), open_log, transport=transport)
    yield house
    await house.close()
    for log in opened:
        await log.close()


@pytest.fixture
async def memory_house(transport: str) -> AsyncIterator[House]:
    """For tests that have nothing to do with the store."""
    memory = MemoryStore()
    house = House(settings(Durability.MEMORY), lambda: Unclosed(memory), transport=transport)  # type: ignore[arg-type]
    yield house
    await house.close()
