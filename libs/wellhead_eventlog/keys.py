"""Every key of the store is built here (architecture §3). All keys of a partition share its hash tag, so its slot."""

import re

from wellhead_eventlog.errors import InvalidName
from wellhead_eventlog.partitions import TAGS, partition_of
from wellhead_eventlog.port import StreamId

_NAME = re.compile(r"[A-Za-z0-9._/~-]{1,200}")


def checked(name: str) -> str:
    """A namespace, consumer or collection that cannot be mistaken for another part of a key."""
    if not _NAME.fullmatch(name):
        raise InvalidName(f"not a name: {name!r}")
    return name


class Keys:
    """The keys of one namespace: several can share a store without meeting."""

    def __init__(self, namespace: str) -> None:
        self._prefixes = [f"{checked(namespace)}:{{{tag}}}:" for tag in TAGS]

    # Streams

    def stream(self, stream: StreamId) -> str:
        """Stream: the commits, `<revision>-0`."""
        return f"{self._prefixes[stream.partition]}stream:{stream}"

    def streams(self, partition: int) -> str:
        """Sorted set: the name of every stream."""
        return self._prefixes[partition] + "streams"

    def frozen(self, partition: int) -> str:
        """Hash: name of a frozen stream to the reason."""
        return self._prefixes[partition] + "frozen"

    def deadlines(self, partition: int) -> str:
        """Sorted set: name of a stream by its deadline."""
        return self._prefixes[partition] + "deadlines"

    # Feeds

    def feed(self, partition: int) -> str:
        """Stream: the pointers, `<position>-0`."""
        return self._prefixes[partition] + "feed"

    def position(self, partition: int) -> str:
        """String: the last position given out. A feed that ends elsewhere has been lost (R-LOG-7)."""
        return self._prefixes[partition] + "position"

    # Consumers

    def checkpoints(self, partition: int) -> str:
        """Hash: every registered consumer to its checkpoint."""
        return self._prefixes[partition] + "checkpoints"

    def lease(self, partition: int, consumer: str) -> str:
        """Hash: epoch, owner, until (ms)."""
        return f"{self._prefixes[partition]}lease:{checked(consumer)}"

    def parked(self, partition: int, consumer: str) -> str:
        """Hash: name of a parked stream to its record."""
        return f"{self._prefixes[partition]}parked:{checked(consumer)}"

    def members(self, consumer: str) -> str:
        """Sorted set: a consumer's owners by the time (ms) until which they are taken to be alive."""
        return f"{self._prefixes[partition_of(consumer)]}members:{checked(consumer)}"

    # Services

    def alive(self, service: str) -> str:
        """String: when the service last said that it was there (ms)."""
        return f"{self._prefixes[partition_of(service)]}alive:{checked(service)}"

    def outages(self, service: str) -> str:
        """Sorted set: `<from> <until>` of the times in which it was not, by their ends (ms)."""
        return f"{self._prefixes[partition_of(service)]}outages:{checked(service)}"

    # Documents

    def documents(self, partition: int, collection: str) -> str:
        """Hash: id to score (20 digits) and value."""
        return f"{self._prefixes[partition]}documents:{checked(collection)}"

    def places(self, partition: int, collection: str) -> str:
        """Sorted set: the place of every document, in lexical order."""
        return f"{self._prefixes[partition]}places:{checked(collection)}"
