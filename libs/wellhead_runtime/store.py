"""Opening the event log that the settings name."""

from wellhead_eventlog.port import EventLog
from wellhead_eventlog.redis_store import RedisStore
from wellhead_runtime.settings import BadSetting, Settings

_SCHEMES = ("redis://", "rediss://", "unix://")


async def open_log(settings: Settings) -> EventLog:
    """The store at `settings.store_url`; it refuses one that would lose what the durability class promises."""
    if not settings.store_url.startswith(_SCHEMES):
        raise BadSetting("WELLHEAD_STORE_URL", f"begins with none of {', '.join(_SCHEMES)}")
    return await RedisStore.open(settings.store_url, durability=settings.durability)
