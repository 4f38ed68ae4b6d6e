"""How an error reaches a client: the one place that maps exceptions to google.rpc errors (R-API-1).

Every error carries `ErrorInfo` with a stable reason, a rule's refusal also the clause that refuses, malformed input the
fields at fault, a limit its name and size, a command that came too late what is owed now; where repeating the identical
call makes sense, `RetryInfo` says when. What is not mapped here is a fault of ours: the client reads INTERNAL and
nothing of the cause. The reasons are in `reasons`, and in words in `protos/errors.md`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc import StatusCode

from wellhead.v1 import command_service_pb2
from wellhead_eventlog import errors as log_errors
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation
from wellhead_runtime import limits
from wellhead_runtime.keyring import KeyMissing
from wellhead_runtime.reasons import Reason

DOMAIN = "wellhead"

RETRY_SECONDS = 0.25

_TOLD_CHARS = 300
_TOLD_FAULTS = 16
"""Of a sentence, and of faults in one request: an error travels in headers, which are short."""


@dataclass(frozen=True, slots=True)
class FieldFault:
    """What is wrong with one field of a request; `field` is its path, for instance `seats[0].player`.

    `limit` names the limit of `limits` that the field exceeds, if it does.
    """

    field: str
    detail: str
    limit: str = ""


class Refused(Exception):
    """A call is refused: all that the client is told. `metadata` holds nothing that the caller may not know.

    The status is the reason's, unless `code` says otherwise; `limit` names the limit that was reached.
    """

    def __init__(
        self,
        reason: Reason | str,
        detail: str,
        *,
        code: StatusCode | None = None,
        clause: str = "",
        metadata: Mapping[str, str] | None = None,
        faults: Sequence[FieldFault] = (),
        limit: str = "",
        retry_seconds: float | None = None,
    ) -> None:
        known = reason if isinstance(reason, Reason) else None
        self.reason = known.name if known else str(reason)
        super().__init__(f"{self.reason}: {detail}")
        self.code = code or (known.status if known else StatusCode.FAILED_PRECONDITION)
        self.detail = detail
        self.clause = clause
        self.metadata = dict(metadata or {})
        if limit:
            self.metadata |= {"limit": limit, "at_most": str(limits.at_most(limit))}
        self.faults = tuple(faults)
        self.retry_seconds = retry_seconds
        self.standing: command_service_pb2.Standing | None = None
        """Where the game stands, for a command that it refuses."""


# -- what is often refused ---------------------------------------------------------------------------------------------


def malformed(faults: Sequence[FieldFault]) -> Refused:
    """The request cannot mean anything."""
    detail = "; ".join(f"{fault.field}: {fault.detail}" for fault in faults)
    limit = next((fault.limit for fault in faults if fault.limit), "")
    return Refused(Reason.MALFORMED_REQUEST, detail, faults=faults, limit=limit)


def unknown_game(game_id: str) -> Refused:
    """There is no such game."""
    return Refused(Reason.UNKNOWN_GAME, f"there is no game {game_id!r}", metadata={"game_id": game_id})


def not_reached(wanted: int, revision: int, code: StatusCode | None = None) -> Refused:
    """The game has not come as far as the caller wants."""
    return Refused(
        Reason.REVISION_NOT_REACHED,
        f"revision {wanted} is wanted, the game is at {revision}",
        code=code,
        metadata={"revision": str(revision)},
    )


def not_seat_holder(seat: int | None = None) -> Refused:
    """The credential does not prove the seat; which of its parts is wrong is not told (R-API-9)."""
    what = "a seat of this game" if seat is None else f"seat {seat} of this game"
    return Refused(Reason.NOT_SEAT_HOLDER, f"the call brings no valid credential of {what}")


def damaged(reason: Reason, game_id: str, detail: str) -> Refused:
    """The stored game is not what it was; it is frozen and nothing is papered over (R-LOG-4)."""
    return Refused(reason, detail, metadata={"game_id": game_id})


def busy(reason: Reason, detail: str) -> Refused:
    """Not now: repeating the identical call is harmless and may succeed."""
    return Refused(reason, detail, retry_seconds=RETRY_SECONDS)


# -- the mapper --------------------------------------------------------------------------------------------------------


def refusal(error: Exception) -> Refused | None:
    """What the client is told about an exception; None if that is not foreseen, so a fault of ours."""
    match error:
        case Refused():
            return error
        case RuleViolation():
            return Refused(error.code, error.detail, code=_code_of(error), clause=error.clause)
        case log_errors.StoreUnavailable() | log_errors.StoreBusy() | log_errors.StoreRefused():
            return busy(
                Reason.STORE_UNAVAILABLE, "the store does not answer; whether the command took effect is unknown"
            )
        case log_errors.LimitExceeded():
            metadata = {"limit": error.what, "at_most": str(error.limit)}
            return Refused(Reason.LIMIT_EXCEEDED, f"{error.what}: at most {error.limit}", metadata=metadata)
        case log_errors.BrokenChain():
            return Refused(Reason.STREAM_DAMAGED, "the stored game is damaged and has been frozen")
        case log_errors.FeedMissing() | log_errors.FeedTrimmed():
            return Refused(Reason.FEED_MISSING, "a feed of the store is missing; nothing is appended")
        case CorruptRecord():
            return Refused(Reason.CORRUPT_RECORD, "the stored game cannot be understood by this version")
        case KeyMissing():
            detail = "the game began under a server key that is not at hand any more"
            return Refused(Reason.SERVER_KEY_MISSING, detail)
        case TimeoutError():
            return Refused(Reason.TOO_LATE, "the call took longer than it may")
    return None


def internal() -> Refused:
    """A fault of ours; the log has the cause, the client does not."""
    return Refused(Reason.INTERNAL, "something went wrong here; it has been logged")


def _code_of(violation: RuleViolation) -> StatusCode:
    """A code of ours has its status; a game's own is wrong in itself if it names what the game does not have."""
    if violation.code in Reason.__members__:
        return Reason[violation.code].status
    unknown = violation.code.startswith("UNKNOWN_")
    return StatusCode.INVALID_ARGUMENT if unknown else StatusCode.FAILED_PRECONDITION


# -- on the wire -------------------------------------------------------------------------------------------------------


def to_status(refused: Refused) -> status_pb2.Status:
    """The error as a google.rpc.Status."""
    metadata = {name: _told(value) for name, value in refused.metadata.items()}
    if refused.clause:
        metadata["clause"] = refused.clause
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=refused.reason, domain=DOMAIN, metadata=metadata)]
    if refused.faults:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=_told(fault.field), description=_told(fault.detail))
            for fault in refused.faults[:_TOLD_FAULTS]
        ]
        details.append(error_details_pb2.BadRequest(field_violations=violations))
    if refused.retry_seconds is not None:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(math.ceil(refused.retry_seconds * 1000))
        details.append(retry)
    if refused.standing is not None:
        details.append(refused.standing)
    status = status_pb2.Status(code=_number(refused.code), message=_told(refused.detail))
    for detail in details:
        status.details.add().Pack(detail)
    return status


def to_refusal(refused: Refused) -> command_service_pb2.Refusal:
    """The error as an answer within a stream that goes on."""
    metadata = {name: _told(value) for name, value in refused.metadata.items()}
    revision = int(metadata.pop("revision", "0"))
    if refused.retry_seconds is not None:
        metadata["retry_seconds"] = str(refused.retry_seconds)
    for fault in refused.faults[:_TOLD_FAULTS]:
        metadata[f"field:{_told(fault.field)}"] = _told(fault.detail)
    return command_service_pb2.Refusal(
        code=_number(refused.code),
        reason=refused.reason,
        message=_told(refused.detail),
        clause=refused.clause,
        revision=revision,
        metadata=metadata,
        standing=refused.standing,
    )


def _told(text: str) -> str:
    """Text that may quote a request: on one line, and not longer than fits."""
    text = text if len(text) <= _TOLD_CHARS else text[: _TOLD_CHARS - 1] + "…"
    return text if text.isprintable() else "".join(each if each.isprintable() else "\ufffd" for each in text)


def _number(code: StatusCode) -> int:
    return int(code_pb2.Code.Value(code.name))
