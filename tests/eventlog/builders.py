"""Small builders: a writer that keeps the head of its stream, and streams in the partition one asks for."""

import itertools
from dataclasses import dataclass, field

from wellhead_eventlog import chain
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import GENESIS, Appended, AppendResult, EventLog, Head, NewEntry, StreamId

_numbers = itertools.count(1)


def a_stream(partition: int | None = None) -> StreamId:
    """A stream that no other test has, in `partition` if that matters."""
    while True:
        stream = StreamId("game", f"g{next(_numbers)}")
        if partition is None or stream.partition == partition % PARTITIONS:
            return stream


def after(head: Head, public: bytes, command_id: bytes = b"", mark: str = "", deadline: int | None = None) -> NewEntry:
    """The commit of `public` after `head`."""
    return NewEntry(
        digest=chain.digest(head.digest, public),
        command_id=command_id or chain.digest(head.digest, b"command " + public),
        public=public,
        private=b"secret " + public,
        mark=mark,
        deadline=deadline,
    )


@dataclass
class Writer:
    """Someone who writes a stream and knows how far it has come."""

    log: EventLog
    stream: StreamId = field(default_factory=a_stream)
    head: Head = GENESIS

    async def offer(self, entry: NewEntry) -> AppendResult:
        """Append after the head, and go on from there if it was taken."""
        answer = await self.log.append(self.stream, self.head, entry)
        if isinstance(answer, Appended):
            self.head = Head(answer.revision, entry.digest)
        return answer

    async def write(self, *publics: bytes, mark: str = "", deadline: int | None = None) -> Head:
        """Append commits that must be taken."""
        for public in publics:
            answer = await self.offer(after(self.head, public, mark=mark, deadline=deadline))
            assert isinstance(answer, Appended), answer
        return self.head
