"""A store that would lose data is refused at start."""

from pathlib import Path

import pytest
from redis.asyncio import Redis

from wellhead_eventlog.durability import Durability, check_store
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.errors import StoreUnavailable, UnsafeStore
from wellhead_eventlog.redis_store import RedisStore

EVERYSEC = {"appendonly": "yes", "appendfsync": "everysec"}
FSYNC = {"appendonly": "yes", "appendfsync": "always"}


class Store(Redis):
    """A client whose store has these settings."""

    def __init__(self, **settings: str) -> None:
        self.settings = {"maxmemory-policy": "noeviction", "no-appendfsync-on-rewrite": "no", **settings}

    async def config_get(self, *names: str) -> dict[str, str]:  # type: ignore[override]
        return {name: self.settings[name.replace("_", "-")] for name in names}


@pytest.mark.req("R-LOG-8")
@pytest.mark.parametrize(
    ("wanted", "settings"),
    [
        (Durability.MEMORY, {"appendonly": "no"}),
        (Durability.EVERYSEC, EVERYSEC),
        (Durability.EVERYSEC, FSYNC),
        (Durability.FSYNC, FSYNC),
    ],
)
async def test_a_store_that_keeps_the_promise_is_taken(wanted: Durability, settings: dict[str, str]) -> None:
    await check_store(Store(**settings), wanted)


@pytest.mark.req("R-LOG-8")
@pytest.mark.parametrize(
    ("wanted", "settings", "fault"),
    [
        (Durability.MEMORY, {"maxmemory-policy": "allkeys-lru"}, "maxmemory-policy is allkeys-lru"),
        (Durability.FSYNC, FSYNC | {"maxmemory-policy": "volatile-ttl"}, "maxmemory-policy is volatile-ttl"),
        (Durability.EVERYSEC, EVERYSEC | {"appendonly": "no"}, "appendonly is no"),
        (Durability.EVERYSEC, EVERYSEC | {"appendfsync": "no"}, "appendfsync is no"),
        (Durability.FSYNC, FSYNC | {"appendonly": "no"}, "appendonly is no"),
        (Durability.FSYNC, EVERYSEC, "appendfsync is everysec, FSYNC needs always"),
        (Durability.FSYNC, FSYNC | {"no-appendfsync-on-rewrite": "yes"}, "no-appendfsync-on-rewrite is yes"),
    ],
)
async def test_a_store_that_would_lose_data_is_refused_with_the_setting_at_fault(
    wanted: Durability, settings: dict[str, str], fault: str
) -> None:
    with pytest.raises(UnsafeStore, match=fault):
        await check_store(Store(**settings), wanted)


@pytest.mark.req("R-LOG-8")
async def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(UnsafeStore, match=r"maxmemory-policy.*appendonly.*appendfsync"):
        await check_store(Store(**{"maxmemory-policy": "x", "appendonly": "no", "appendfsync": "no"}), Durability.FSYNC)


@pytest.mark.req("R-LOG-8")
async def test_real_stores_are_judged_by_their_settings(valkey: EmbeddedStore, redis8: EmbeddedStore) -> None:
    for store in (valkey, redis8):
        log = await RedisStore.open(store.url, durability=store.durability)
        await log.close()
    with pytest.raises(UnsafeStore, match="appendfsync is everysec"):
        await RedisStore.open(redis8.url, durability=Durability.FSYNC)


@pytest.mark.req("R-LOG-8")
async def test_a_store_that_hides_its_settings_is_refused(valkey: EmbeddedStore) -> None:
    async with Redis.from_url(valkey.url) as client:
        await client.execute_command("ACL", "SETUSER", "guest", "on", "nopass", "~*", "+@all", "-config")
    with pytest.raises(UnsafeStore, match="does not let its settings be read"):
        await RedisStore.open(valkey.url.replace("unix://", "unix://guest:any@"), durability=Durability.FSYNC)


@pytest.mark.req("R-LOG-8")
async def test_a_store_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        await RedisStore.open(f"unix://{tmp_path}/none.sock")
