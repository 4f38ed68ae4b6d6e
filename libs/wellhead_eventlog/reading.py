"""Reading on from what one knows, so that a lost tail or a fork is found by reading too (R-LOG-4)."""

import logging

from wellhead_eventlog.chain import verify_chain
from wellhead_eventlog.errors import BrokenChain
from wellhead_eventlog.port import GENESIS, Entry, EventLog, Head, StreamId

_log = logging.getLogger(__name__)


async def read_on(log: EventLog, stream: StreamId, known: Head, reach: int = 0) -> list[Entry]:
    """The commits after `known`, verified to continue it and to come as far as `reach`, if one has heard of that.

    Otherwise the stream is damaged: it is frozen, an alarm is logged, and `BrokenChain` raised.
    """
    entries = await log.read(stream, after=known.revision)
    try:
        end = verify_chain(entries, after=known)
        if end.revision < reach:
            raise BrokenChain(end.revision + 1, f"missing; the stream has been at {reach}")
        if not entries:
            head = await log.head(stream) or GENESIS
            if head.revision <= known.revision and head != known:
                raise BrokenChain(known.revision, f"not there as read before; the stream ends at {head.revision}")
    except BrokenChain as fault:
        _log.critical("%s is damaged: %s", stream, fault)
        await log.freeze(stream, f"damaged: {fault}")
        raise
    return entries
