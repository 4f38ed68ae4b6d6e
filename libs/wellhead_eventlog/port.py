"""The contract of the event log: what every store answers, and the small values it speaks in (architecture §3).

A stream is the commits of one game or tournament, numbered 1, 2, 3, ... without gaps. Streams hash to partitions; each
partition has a feed of pointers to its commits, also without gaps, and documents that consumers derive from them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from wellhead_eventlog.durability import Durability
from wellhead_eventlog.errors import InvalidName
from wellhead_eventlog.partitions import partition_of

_KIND = re.compile(r"[a-z][a-z0-9_]{0,31}")
_ID = re.compile(r"[A-Za-z0-9._~-]{1,128}")

DIGEST_BYTES = 32

RETRY = "retry"
"""The mark of a pointer that repeats an earlier one because a parked stream is to be tried again."""


# --- streams and commits ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class StreamId:
    """A stream's kind (`game`) and its id within that kind."""

    kind: str
    id: str

    def __post_init__(self) -> None:
        if not _KIND.fullmatch(self.kind) or not _ID.fullmatch(self.id):
            raise InvalidName(f"not a stream: kind {self.kind!r}, id {self.id!r}")

    def __str__(self) -> str:
        return f"{self.kind}/{self.id}"

    @classmethod
    def parse(cls, name: str) -> Self:
        """The stream that `str` wrote as `name`."""
        kind, _, id = name.partition("/")
        return cls(kind, id)

    @property
    def partition(self) -> int:
        return partition_of(str(self))


@dataclass(frozen=True, slots=True)
class Head:
    """How far a stream has come: its last revision and that commit's digest."""

    revision: int
    digest: bytes


GENESIS = Head(0, bytes(DIGEST_BYTES))
"""The head of a stream that has no commit yet."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A commit to be appended.

    `digest` is `chain.digest(expected.digest, public)`. `public` is what everybody may verify, `private` the salted
    secret parts that `public` commits to. `mark` is copied to the feed's pointer, so that a consumer can tell commits
    that matter to it without reading them. `deadline` is when the stream is next due, in unix ms; None leaves what
    stands, 0 clears it. `trace` names the trace in which the commit came about, for whoever carries it on: it is stored
    beside the commit, and no digest covers it.
    """

    digest: bytes
    command_id: bytes
    public: bytes
    private: bytes = b""
    mark: str = ""
    deadline: int | None = None
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored commit; its bytes are those that were appended."""

    revision: int
    digest: bytes
    command_id: bytes
    public: bytes
    private: bytes
    mark: str
    trace: str = ""

    @property
    def head(self) -> Head:
        return Head(self.revision, self.digest)


# --- answers to an append --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Appended:
    """The commit stands at `revision` and survives what `durability` says."""

    revision: int
    durability: Durability


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The commit after the expected head, at `revision`, already carries this command id (R-LOG-3)."""

    revision: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another command was faster; the stream has come to `revision` (R-LOG-2)."""

    revision: int


@dataclass(frozen=True, slots=True)
class LostTail:
    """The stream ends at `revision`, before what the writer has seen. It is frozen now (R-LOG-4)."""

    revision: int


@dataclass(frozen=True, slots=True)
class Fork:
    """At `revision` the stream holds another commit than the writer has seen. It is frozen now (R-LOG-4)."""

    revision: int


@dataclass(frozen=True, slots=True)
class Frozen:
    """The stream was found damaged earlier; nothing is ever appended over that (R-LOG-4)."""

    reason: str


AppendResult = Appended | Duplicate | Conflict | LostTail | Fork | Frozen


# --- feeds, deadlines, consumers -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pointer:
    """A feed entry: at `position` of its partition's feed, `stream` reached `revision`."""

    position: int
    stream: StreamId
    revision: int
    mark: str


@dataclass(frozen=True, slots=True)
class Due:
    """A stream and its deadline in unix ms."""

    stream: StreamId
    deadline: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of `owner` to write what `consumer` derives from `partition`, until a higher epoch exists."""

    consumer: str
    partition: int
    epoch: int
    owner: str


@dataclass(frozen=True, slots=True)
class Parked:
    """A stream that a consumer cannot process: the first revision it owes, the error, how often it tried (R-LOG-6)."""

    stream: StreamId
    revision: int
    error: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which a service was not there, in unix ms: since it last said that it was, until it did again."""

    since: int
    until: int


# --- documents -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Document:
    """Something a consumer derived. A collection lists its documents by (`score`, `id`)."""

    id: str
    value: bytes
    score: int = 0

    @property
    def place(self) -> str:
        """Where `scan` goes on after this document; ordered alike in all partitions, so scans can be merged."""
        return f"{self.score:020d}{self.id}"


@dataclass(frozen=True, slots=True)
class Put:
    """Write a document, in place of the one with its id."""

    collection: str
    document: Document


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove the document with this id, if there is one."""

    collection: str
    id: str


Write = Put | Delete


# --- the port --------------------------------------------------------------------------------------------------------


class EventLog(Protocol):
    """A store of streams. Every method may raise `StoreUnavailable`, `StoreBusy`, `StoreRefused` or `LimitExceeded`."""

    async def append(self, stream: StreamId, expected: Head, entry: NewEntry) -> AppendResult:
        """Append after `expected`: commit, pointer and deadline in one step, or none of them (R-LOG-1 to 4).

        Finishes even if the caller is cancelled. Raises `FeedMissing` if the partition's feed was lost.
        """

    async def read(self, stream: StreamId, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Commits with revisions above `after`, in order; all of them without a `limit`. Empty for no such stream."""

    async def head(self, stream: StreamId) -> Head | None:
        """The last commit's revision and digest; None for no such stream."""

    async def streams(self, partition: int, after: str = "", limit: int = 1000) -> list[StreamId]:
        """Every stream of a partition by name; go on after `str(last)`. What a trimmed feed no longer lists."""

    async def freeze(self, stream: StreamId, reason: str) -> None:
        """Let nothing be appended any more, and nothing fall due. The first reason stays (R-LOG-4)."""

    async def frozen(self, stream: StreamId) -> str | None:
        """Why the stream is frozen; None if it is not."""

    async def due(self, partition: int, now_ms: int, limit: int = 1000) -> list[Due]:
        """Streams whose deadline is at or before `now_ms`, most overdue first."""

    async def follow_feeds(
        self, positions: Mapping[int, int], limit: int = 1000, timeout_ms: int = 1000
    ) -> dict[int, list[Pointer]]:
        """For each partition the pointers after its position, at most `limit`; waits for the first to arrive.

        Partitions without news are left out: after `timeout_ms` that may be all. Raises `FeedMissing` (R-LOG-7) and
        `FeedTrimmed`.
        """

    async def feed_tail(self, partition: int) -> int:
        """The last position given out; 0 before the first commit."""

    async def trim_feed(self, partition: int) -> int:
        """Drop pointers below the slowest registered consumer's checkpoint, never the last one; how many (R-LOG-7)."""

    async def register_consumer(self, consumer: str) -> None:
        """From now on no feed is trimmed beyond what `consumer` has processed. Repeatable."""

    async def retire_consumer(self, consumer: str) -> None:
        """The consumer is gone for good: its checkpoints, leases and parked streams with it, but not its documents."""

    async def attend(self, consumer: str, owner: str, ttl_ms: int) -> int:
        """Say that `owner` is alive for `ttl_ms` and count the owners that are, so that each can take its share."""

    async def consumers(self) -> list[str]:
        """Every registered consumer, by name; for whoever looks on, as are the next two."""

    async def attending(self, consumer: str) -> list[str]:
        """The owners that are alive, by name."""

    async def leases(self, consumer: str) -> dict[int, str]:
        """The owner of every partition whose lease has not expired."""

    async def beat(self, service: str, now_ms: int, gap_ms: int, after_ms: int = 0) -> list[Outage]:
        """Say that a service is there, whichever of its processes says so; when it was not, as far as that ended after
        `after_ms`, the earliest end first. A silence longer than `gap_ms` up to now is such a time from now on."""

    async def outages(self, service: str, after_ms: int = 0) -> tuple[int | None, list[Outage]]:
        """When a service last said that it was there, None if it never has; and when it was not, as `beat` says it."""

    async def acquire(self, consumer: str, partition: int, owner: str, ttl_ms: int) -> Lease | None:
        """A lease of a new epoch, which ends every earlier one; None while another owner's has not expired."""

    async def renew(self, lease: Lease, ttl_ms: int) -> None:
        """Hold on for `ttl_ms` from now; raises `StaleLease`."""

    async def release(self, lease: Lease) -> None:
        """Let others have the partition at once. A stale lease is released already."""

    async def checkpoint(self, consumer: str, partition: int) -> int:
        """The feed position up to which the consumer has processed the partition; 0 at first."""

    async def commit(self, lease: Lease, position: int, writes: Sequence[Write] = ()) -> None:
        """Apply `writes` in order and move the checkpoint, in one step; raises `StaleLease` instead (R-LOG-5).

        `position` may lie before the checkpoint (a rewind), never beyond the feed (`FeedMissing`).
        """

    async def get(self, collection: str, partition: int, id: str) -> Document | None:
        """The document, or None."""

    async def scan(
        self, collection: str, partition: int, after: str = "", limit: int = 100, descending: bool = False
    ) -> list[Document]:
        """A page of documents by (score, id); go on after `last.place`."""

    async def size(self, collection: str, partition: int) -> int:
        """How many documents a collection has."""

    async def drop(self, collection: str) -> None:
        """Delete a collection in every partition: a generation of a read model that another has replaced."""

    async def park(self, lease: Lease, parked: Parked) -> None:
        """Put a stream aside for this consumer; raises `StaleLease` (R-LOG-6)."""

    async def parked(self, consumer: str, partition: int) -> list[Parked]:
        """What is put aside, by stream."""

    async def unpark(self, consumer: str, stream: StreamId) -> bool:
        """Try a parked stream again: forget the record and repeat its pointer, marked `RETRY`. False: not parked."""

    async def close(self) -> None:
        """Finish what was sent and let go of the store."""
