"""Every limit of the event log, and the checks that hold callers to them before anything is sent (R-LOG-11)."""

from collections.abc import Sequence

from wellhead_eventlog import chain
from wellhead_eventlog.errors import LimitExceeded
from wellhead_eventlog.port import GENESIS, Head, NewEntry, Put, Write

# Commits
MAX_PUBLIC_BYTES = 256 * 1024
MAX_PRIVATE_BYTES = 256 * 1024
MAX_COMMAND_ID_BYTES = 64
MAX_MARK_CHARS = 32
MAX_TRACE_CHARS = 64
MAX_COMMITS = 100_000  # of one stream

# Services
MAX_OUTAGES = 1_000  # that are remembered of a service, the latest ones

# Reading: one answer of the store. Longer reads are taken in pages, so that no single one holds the store up.
PAGE = 1_000
MAX_FEED_READ = 1_000  # pointers of one partition
MAX_FOLLOW_MS = 10_000

# Derived documents
MAX_WRITES = 1_000  # of one commit of a consumer
MAX_DOCUMENT_BYTES = 1024 * 1024
MAX_DOCUMENT_ID_CHARS = 256
MAX_SCORE = 10**20 - 1
MAX_REASON_CHARS = 500  # of a freeze or a parked stream's error; longer ones are cut

# Calls to the store
MAX_BATCH = 128  # calls that share a pipeline
MAX_WAITING_CALLS = 10_000


def check(what: str, size: int, limit: int) -> None:
    """Raise `LimitExceeded` if `size` is above `limit`."""
    if size > limit:
        raise LimitExceeded(what, size, limit)


def check_append(expected: Head, entry: NewEntry) -> None:
    """Refuse a commit that is too large, and one whose digest would break the chain for ever."""
    check("public bytes", len(entry.public), MAX_PUBLIC_BYTES)
    check("private bytes", len(entry.private), MAX_PRIVATE_BYTES)
    check("command id bytes", len(entry.command_id), MAX_COMMAND_ID_BYTES)
    check("mark characters", len(entry.mark), MAX_MARK_CHARS)
    check("trace characters", len(entry.trace), MAX_TRACE_CHARS)
    check("commits of a stream", expected.revision + 1, MAX_COMMITS)
    if expected.revision == 0 and expected != GENESIS:
        raise ValueError("before the first commit the digest is GENESIS's")
    if entry.digest != chain.digest(expected.digest, entry.public):
        raise ValueError("the digest does not follow from the expected one and the public bytes")


def check_writes(writes: Sequence[Write]) -> None:
    """Refuse a consumer's commit that has too many writes or too large a document."""
    check("writes of a commit", len(writes), MAX_WRITES)
    for write in writes:
        match write:
            case Put(document=document):
                check("document bytes", len(document.value), MAX_DOCUMENT_BYTES)
                check("document id characters", len(document.id), MAX_DOCUMENT_ID_CHARS)
                check("score", document.score, MAX_SCORE)
                if document.score < 0:
                    raise ValueError("a score is not negative: places are ordered by their digits")


def check_follow(limit: int, timeout_ms: int) -> None:
    """Refuse a feed read that asks for too much, or waits longer than the connection does."""
    check("pointers of a feed read", limit, MAX_FEED_READ)
    check("milliseconds of a feed read", timeout_ms, MAX_FOLLOW_MS)
