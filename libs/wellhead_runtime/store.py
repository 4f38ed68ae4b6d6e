"""Opening the event log that the settings name."""

from wellhead_eventlog.port import EventLog
from wellhead_eventlog.redis_store import RedisStore
from wellhead_runtime.settings import STORE_SCHEMES, BadSetting, Settings


async def open_log(settings: Settings) -> EventLog:
    """The store at `settings.store_url`; it refuses one that would lose what the durability class promises."""
    if not settings.store_url.startswith(STORE_SCHEMES):
        raise BadSetting("WELLHEAD_STORE_URL", f"begins with none of {', '.join(STORE_SCHEMES)}")
    return await RedisStore.open(settings.store_url, durability=settings.durability)
