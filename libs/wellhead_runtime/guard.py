"""What is done around every call, whichever transport brought it: it is bound to the log and bounded in time, and what
goes wrong is told in a way that a client may read (R-API-1)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from google.protobuf.message import DecodeError
from grpc import StatusCode

from wellhead_runtime import limits, logging
from wellhead_runtime.errors import FieldFault, Refused, busy, internal, malformed, refusal
from wellhead_runtime.reasons import Reason

_log = structlog.get_logger(__name__)


def parse(sent: bytes, read: Callable[[bytes], Any]) -> Any:
    """The message in the bytes; Refused if they are too many or no message."""
    check_size(len(sent))
    try:
        return read(sent)
    except DecodeError:
        raise malformed([FieldFault("request", "the bytes are no message of this method")]) from None


def check_size(size: int) -> None:
    """Refused if a request's message is too large."""
    if size > limits.REQUEST_BYTES:
        raise too_large(f"the message has {size} bytes, at most {limits.REQUEST_BYTES}")


def too_large(detail: str) -> Refused:
    """A message is larger than any that makes sense."""
    return Refused(Reason.MESSAGE_TOO_LARGE, detail, limit="REQUEST_BYTES")


async def answer(method: str, serve: Callable[[Any, Any], Awaitable[Any]], request: Any, call: Any) -> Any:
    """The answer to a request, for which a caller who names no deadline waits as long as the server says."""
    logging.bind(method, request)
    if call.time_remaining() is not None:
        return await serve(request, call)
    async with asyncio.timeout(limits.CALL_SECONDS):
        return await serve(request, call)


def explain(error: Exception) -> Refused:
    """What the client is told about an error. What was not foreseen stays here, in the log."""
    refused = refusal(error)
    if refused is None:
        _log.error("unforeseen error", exc_info=error)
        return internal()
    if refused.code is StatusCode.DATA_LOSS:
        _log.critical("data loss", reason=refused.reason, exc_info=error)
    else:
        _log.info("refused", reason=refused.reason, code=refused.code.name)
    return refused


def slow_reader() -> Refused:
    """Nobody takes what a stream brings."""
    detail = f"the reader has taken nothing for {limits.WRITE_SECONDS:.0f} seconds"
    return Refused(Reason.SLOW_READER, detail, limit="WRITE_SECONDS")


def stopping() -> Refused:
    """The server goes."""
    return busy(Reason.SERVER_STOPPING, "the server is stopping; another one or the next one will answer")
