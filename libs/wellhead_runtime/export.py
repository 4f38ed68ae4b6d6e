"""The file an auditor receives: a manifest and the commits as stored, each with its length before it.

    file  = frame(ExportManifest) frame(ExportEntry) ...        frame = 4 bytes of length, big-endian, then the message

Every byte of the file is bound by something: records by the digest chain, private parts by their commitments, and the
manifest and the framing by what `wellhead_runtime.proof` has proved. So the file carries nothing that cannot be
checked, and messages have one encoding here: a field that is unknown, or default and yet written, is a fault.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, TypeVar

from google.protobuf.message import DecodeError, Message

from wellhead.v1 import log_pb2
from wellhead_eventlog import limits
from wellhead_eventlog.port import Entry

M = TypeVar("M", bound=Message)

FORMAT = 1
CHUNK_BYTES = 64 * 1024
_LENGTH_BYTES = 4
# The largest entry: both parts of a commit, its digest, and the tags and lengths of three fields.
_MAX_FRAME_BYTES = limits.MAX_PUBLIC_BYTES + limits.MAX_PRIVATE_BYTES + 128


class Fault(Exception):
    """The first thing in an export that cannot be true; revision 0 is the file's manifest (R-PROOF-1)."""

    def __init__(self, revision: int, what: str) -> None:
        super().__init__(f"revision {revision}: {what}")
        self.revision = revision
        self.what = what


def manifest(game_id: str, revisions: int, head: bytes, redacted: bool) -> log_pb2.ExportManifest:
    """The manifest of an export; it says nothing that does not follow from the entries."""
    return log_pb2.ExportManifest(format=FORMAT, game_id=game_id, revisions=revisions, head=head, redacted=redacted)


def export_chunks(game_id: str, entries: Iterable[Entry], redacted: bool) -> Iterator[bytes]:
    """The bytes of an export in pieces that fit a message; `redacted` leaves the private parts out."""
    stored = list(entries)
    head = stored[-1].digest if stored else b""
    buffer = bytearray(_frame(manifest(game_id, len(stored), head, redacted)))
    for entry in stored:
        private = b"" if redacted else entry.private
        buffer += _frame(log_pb2.ExportEntry(record=entry.public, private_record=private, digest=entry.digest))
        if len(buffer) >= CHUNK_BYTES:
            yield bytes(buffer)
            buffer.clear()
    if buffer:
        yield bytes(buffer)


def read_export(stream: BinaryIO) -> tuple[log_pb2.ExportManifest, Iterator[log_pb2.ExportEntry]]:
    """The manifest, and the entries as they are read; either raises `Fault` where the framing breaks."""
    first = _read_message(stream, log_pb2.ExportManifest, 0)
    if first is None:
        raise Fault(0, "the file is empty")
    if first.format != FORMAT:
        raise Fault(0, f"format {first.format} is not known here, only {FORMAT}")
    return first, _read_entries(stream)


def is_canonical(message: Message, encoded: bytes) -> bool:
    """Whether `encoded`, from which `message` was parsed, is how this code would have written it."""
    known = type(message)()
    known.CopyFrom(message)
    known.DiscardUnknownFields()  # type: ignore[no-untyped-call,unused-ignore]
    return known.SerializeToString() == encoded


def _read_entries(stream: BinaryIO) -> Iterator[log_pb2.ExportEntry]:
    revision = 1
    while (entry := _read_message(stream, log_pb2.ExportEntry, revision)) is not None:
        yield entry
        revision += 1


def _frame(message: Message) -> bytes:
    encoded = message.SerializeToString()
    return len(encoded).to_bytes(_LENGTH_BYTES, "big") + encoded


def _read_message(stream: BinaryIO, kind: type[M], revision: int) -> M | None:
    prefix = stream.read(_LENGTH_BYTES)
    if not prefix:
        return None
    length = int.from_bytes(prefix, "big")
    if len(prefix) < _LENGTH_BYTES or length > _MAX_FRAME_BYTES:
        raise Fault(revision, "the file is not framed as an export")
    encoded = stream.read(length)
    if len(encoded) < length:
        raise Fault(revision, f"cut off: {len(encoded)} of {length} bytes are there")
    try:
        message = kind.FromString(encoded)
    except DecodeError:
        raise Fault(revision, f"not an {kind.DESCRIPTOR.name}") from None
    if not is_canonical(message, encoded):
        raise Fault(revision, f"not encoded as an {kind.DESCRIPTOR.name} is")
    return message
