"""The digest chain over stored bytes (architecture §3); what they say of private parts is covered with them."""

import hashlib
from collections.abc import Iterable

from wellhead_eventlog.errors import BrokenChain
from wellhead_eventlog.port import DIGEST_BYTES, GENESIS, Entry, Head

# Each use of SHA-256 begins with its own tag, so that no digest of one kind can be passed off as another.
_COMMIT = b"wellhead/commit/1\x00"


def digest(previous: bytes, public: bytes) -> bytes:
    """The digest of a commit: over the previous digest (32 bytes, so no framing is needed) and its public bytes."""
    if len(previous) != DIGEST_BYTES:
        raise ValueError(f"a digest has {DIGEST_BYTES} bytes, not {len(previous)}")
    return hashlib.sha256(_COMMIT + previous + public).digest()


def verify_chain(entries: Iterable[Entry], after: Head = GENESIS, until: Head | None = None) -> Head:
    """Check that `entries` continue `after` without a fault and, if given, end at `until`; return where they end.

    Raises `BrokenChain` with the first revision that is missing, out of place or not what its digest says.
    """
    head = after
    for entry in entries:
        due = head.revision + 1
        if entry.revision != due:
            raise BrokenChain(due, f"revision {entry.revision} stands in its place")
        if entry.digest != digest(head.digest, entry.public):
            raise BrokenChain(due, "the digest does not follow from the commit and the one before")
        head = entry.head
    if until is not None and head != until:
        if head.revision < until.revision:
            raise BrokenChain(head.revision + 1, f"missing; the stream should reach {until.revision}")
        raise BrokenChain(min(head.revision, until.revision + 1), "not the commit the stream should end with")
    return head
