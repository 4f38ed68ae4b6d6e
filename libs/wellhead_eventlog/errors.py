"""What can go wrong, one type each. A lost race is no error: `append` answers it (`port.AppendResult`)."""


class EventLogError(Exception):
    """Root of every error this package raises on purpose."""


class InvalidName(EventLogError, ValueError):
    """A kind, id, namespace or consumer that could not become a key without ambiguity."""


class LimitExceeded(EventLogError):
    """Something is larger than `limits` allows (R-LOG-11). Nothing was written."""

    def __init__(self, what: str, size: int, limit: int) -> None:
        super().__init__(f"{what}: {size}, at most {limit}")
        self.what = what
        self.size = size
        self.limit = limit


class BrokenChain(EventLogError):
    """A stream is not what its digests say; `revision` is the first fault (R-LOG-4)."""

    def __init__(self, revision: int, why: str) -> None:
        super().__init__(f"revision {revision}: {why}")
        self.revision = revision
        self.why = why


class FeedMissing(EventLogError):
    """A partition's feed is shorter than what was read from it, or gone: an alarm, never created anew (R-LOG-7)."""

    def __init__(self, partition: int, position: int) -> None:
        super().__init__(f"partition {partition}: the feed does not reach position {position} any more")
        self.partition = partition
        self.position = position


class FeedTrimmed(EventLogError):
    """The feed no longer holds what follows `position`; it goes on at `first`. List the streams to catch up."""

    def __init__(self, partition: int, position: int, first: int) -> None:
        super().__init__(f"partition {partition}: the feed was trimmed, {position} is followed by {first}")
        self.partition = partition
        self.position = position
        self.first = first


class StaleLease(EventLogError):
    """Another owner holds, or held, the partition since: nothing was written (R-LOG-5)."""

    def __init__(self, consumer: str, partition: int, epoch: int) -> None:
        super().__init__(f"{consumer}: the lease on partition {partition} of epoch {epoch} is over")
        self.consumer = consumer
        self.partition = partition
        self.epoch = epoch


class UnsafeStore(EventLogError):
    """The store's settings would lose data that the durability class promises to keep (R-LOG-8)."""


class StoreUnavailable(EventLogError):
    """The store did not answer. A write may or may not have happened: repeat the identical call."""


class StoreBusy(EventLogError):
    """Too many calls wait for the store already (R-LOG-11). Nothing was sent."""


class StoreRefused(EventLogError):
    """The store answered with an error (out of memory, a disk that cannot be written). Nothing was written."""


class DataDirectoryInUse(EventLogError):
    """Another process uses the embedded store's data directory."""


class StoreFailedToStart(EventLogError):
    """The embedded server ended, or stayed silent, instead of starting."""
