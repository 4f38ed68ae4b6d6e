"""What is done around every call, whichever transport brought it: it is bound to the log and bounded in time, and what
goes wrong is told in a way that a client may read (R-API-1)."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from time import perf_counter
from typing import Any

import structlog
from google.protobuf.message import DecodeError
from grpc import StatusCode
from prometheus_client import Counter

from wellhead_runtime import limits, logging, metrics
from wellhead_runtime.errors import FieldFault, Refused, busy, internal, malformed, refusal
from wellhead_runtime.metrics import REGISTRY
from wellhead_runtime.reasons import Reason

CALL_SECONDS = metrics.Histogram(
    "wellhead_call_seconds",
    "Time to answer a call, or a command of a Play stream; refusals are answers.",
    ["method"],
    buckets=metrics.SECONDS,
)
REFUSED = Counter(
    "wellhead_calls_refused_total",
    "Calls, commands and streams that ended with a refusal, by the reason that the caller reads.",
    ["method", "reason"],
    registry=REGISTRY,
)
CONTINUITY = Counter(
    "wellhead_continuity_faults_total",
    "Answers that told of a log which is not what it was: a tail lost, a fork, a frozen game, a feed gone.",
    ["reason"],
    registry=REGISTRY,
)
for _reason in Reason:
    if _reason.status is StatusCode.DATA_LOSS:
        CONTINUITY.labels(_reason.name)  # at 0: what appears with its first fault looks as if there were no change

_log = structlog.get_logger(__name__)


@cache  # a method that is served, so there are few
def _seconds(method: str) -> metrics.Observations:
    return CALL_SECONDS.labels(_name(method))


def _name(method: str) -> str:
    return method.rpartition("/")[2]


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
    begun = perf_counter()
    try:
        if call.time_remaining() is not None:
            return await serve(request, call)
        async with asyncio.timeout(limits.CALL_SECONDS):
            return await serve(request, call)
    finally:
        _seconds(method).observe(perf_counter() - begun)


def explain(error: Exception, method: str = "") -> Refused:
    """What the client is told about an error. What was not foreseen stays here, in the log.

    Every refusal passes here once; `method` is empty where none that is served has been called.
    """
    refused = refusal(error)
    if refused is None:
        _log.error("unforeseen error", exc_info=error)
        refused = internal()
        REFUSED.labels(_name(method), refused.reason).inc()
        return refused
    REFUSED.labels(_name(method), refused.reason).inc()
    if refused.code is StatusCode.DATA_LOSS:
        CONTINUITY.labels(refused.reason).inc()
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
