"""The store of a place that runs, for whoever looks after it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from wellhead_cli.console import Failure
from wellhead_cli.options import default_data_dir
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.errors import EventLogError
from wellhead_eventlog.port import EventLog, StreamId
from wellhead_eventlog.redis_store import RedisStore
from wellhead_projection.summaries import CONSUMER as SUMMARIES
from wellhead_runtime.live import GAME
from wellhead_runtime.settings import STORE_SCHEMES
from wellhead_scoring.scorer import CONSUMER as SCORING


@asynccontextmanager
async def store(url: str, data_dir: Path | None) -> AsyncIterator[EventLog]:
    """The store at a URL, or of the `up` that runs on a directory; Failure if it is not there, or goes away."""
    log = RedisStore(_address(url, data_dir), durability=Durability.MEMORY)  # nothing is appended: no promise is made
    try:
        yield log
    except EventLogError as error:
        raise Failure(f"the store: {error}") from error
    finally:
        await log.close()


def _address(url: str, data_dir: Path | None) -> str:
    if url and data_dir is None:
        if not url.startswith(STORE_SCHEMES):
            raise Failure(f"the store's URL begins with none of {', '.join(STORE_SCHEMES)}")
        return url
    place = (data_dir or default_data_dir()).absolute()
    running = EmbeddedStore.running_on(place / "store")
    if running is None:
        raise Failure(f"no store runs on {place}; name another with --data-dir, or a server with --store")
    return running


async def consumers(log: EventLog) -> list[str]:
    """Those that the services of this version are, and whoever else is registered."""
    return sorted({SUMMARIES, SCORING, *await log.consumers()})


def stream(game_id: str) -> StreamId:
    """A game's stream, or another by its whole name; Failure for what cannot be one."""
    try:
        return StreamId.parse(game_id) if "/" in game_id else StreamId(GAME, game_id)
    except EventLogError as error:
        raise Failure(str(error)) from error
