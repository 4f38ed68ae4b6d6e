"""Structured logs: one JSON object a line on standard error, with the call they belong to.

What may be logged: ids, revisions, seats, reasons. Never: request ids (whoever knows one can ask for its answer, which
may hold a credential), credentials, seeds, private parts. So a request appears by a digest of its id, and an exception
by its type and where it was raised, without its message, which may quote anything (R-API-9).
"""

import hashlib
import logging
import sys
import traceback
from contextvars import ContextVar
from typing import Any

import structlog
from structlog.typing import EventDict, WrappedLogger

from wellhead_runtime import tracing

_call: ContextVar[tuple[str, Any] | None] = ContextVar("call", default=None)


def bind(method: str, request: Any) -> None:
    """From now on this task's log lines name the call: worked out only when a line is written."""
    _call.set((method, request))


def request_digest(request_id: str) -> str:
    """How a request id appears in logs."""
    return hashlib.sha256(b"wellhead/log-request\0" + request_id.encode()).hexdigest()[:16]


def configure(service: str, level: str) -> None:
    """Logs of this process, those of the libraries included, go to standard error as JSON."""
    shared: list[Any] = [
        _name_call, _name_trace, structlog.stdlib.add_log_level, structlog.processors.TimeStamper("iso"), _describe,
    ]  # fmt: skip
    structlog.configure(
        processors=[
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _add_service(service),
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)


def _add_service(service: str) -> Any:
    def add(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        return {"service": service, **event}

    return add


def _name_call(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    call = _call.get()
    if call is None:
        return event
    method, request = call
    event.setdefault("method", method)
    fields = getattr(request, "DESCRIPTOR", None)
    names = fields.fields_by_name if fields is not None else ()
    if "game_id" in names:
        event.setdefault("game", request.game_id)
    if "seat" in names:
        event.setdefault("seat", request.seat)
    if "request_id" in names:
        event.setdefault("request", request_digest(request.request_id))
    return event


def _name_trace(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    if ids := tracing.ids():
        event["trace_id"], event["span_id"] = ids
    return event


def _describe(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)
        event["error"] = type(error).__name__
        event["raised_at"] = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
    return event
