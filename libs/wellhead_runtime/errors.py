"""How an error reaches a client: the one place that maps exceptions to google.rpc errors (R-API-1).

Every error carries `ErrorInfo` with a stable reason, a rule's refusal also the clause that refuses, malformed input the
fields at fault, and `RetryInfo` where repeating the identical call makes sense. What is not mapped here is a fault of
ours: the client reads INTERNAL and nothing of the cause.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc import StatusCode

from wellhead.v1 import command_service_pb2
from wellhead_eventlog import errors as log_errors
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation
from wellhead_runtime.keyring import KeyMissing

DOMAIN = "wellhead"

RETRY_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class FieldFault:
    """What is wrong with one field of a request; `field` is its path, for instance `seats[0].player`."""

    field: str
    detail: str


class Refused(Exception):
    """A call is refused: all that the client is told. `metadata` holds nothing that the caller may not know."""

    def __init__(
        self,
        code: StatusCode,
        reason: str,
        detail: str,
        *,
        clause: str = "",
        metadata: Mapping[str, str] | None = None,
        faults: Sequence[FieldFault] = (),
        retry_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.code = code
        self.reason = reason
        self.detail = detail
        self.clause = clause
        self.metadata = dict(metadata or {})
        self.faults = tuple(faults)
        self.retry_seconds = retry_seconds


# -- what is often refused ---------------------------------------------------------------------------------------------


def malformed(faults: Sequence[FieldFault]) -> Refused:
    """The request cannot mean anything."""
    detail = "; ".join(f"{fault.field}: {fault.detail}" for fault in faults)
    return Refused(StatusCode.INVALID_ARGUMENT, "MALFORMED_REQUEST", detail, faults=faults)


def unknown_game(game_id: str) -> Refused:
    """There is no such game."""
    return Refused(StatusCode.NOT_FOUND, "UNKNOWN_GAME", f"there is no game {game_id!r}", metadata={"game_id": game_id})


def not_reached(wanted: int, revision: int, code: StatusCode = StatusCode.OUT_OF_RANGE) -> Refused:
    """The game has not come as far as the caller wants."""
    return Refused(
        code,
        "REVISION_NOT_REACHED",
        f"revision {wanted} is wanted, the game is at {revision}",
        metadata={"revision": str(revision)},
    )


def not_seat_holder(seat: int | None = None) -> Refused:
    """The credential does not prove the seat; which of its parts is wrong is not told (R-API-9)."""
    what = "a seat of this game" if seat is None else f"seat {seat} of this game"
    return Refused(StatusCode.PERMISSION_DENIED, "NOT_SEAT_HOLDER", f"the call brings no valid credential of {what}")


def damaged(reason: str, game_id: str, detail: str) -> Refused:
    """The stored game is not what it was; it is frozen and nothing is papered over (R-LOG-4)."""
    return Refused(StatusCode.DATA_LOSS, reason, detail, metadata={"game_id": game_id})


def busy(reason: str, detail: str, code: StatusCode = StatusCode.UNAVAILABLE) -> Refused:
    """Not now: repeating the identical call is harmless and may succeed."""
    return Refused(code, reason, detail, retry_seconds=RETRY_SECONDS)


# -- the mapper --------------------------------------------------------------------------------------------------------

_INVALID = frozenset(
    {
        "BAD_PLAYER_COUNT",
        "UNKNOWN_CHOICE",
        "UNKNOWN_COLOUR",
        "UNKNOWN_CONTENT",
        "UNKNOWN_GAME_KIND",
        "UNKNOWN_ID",
        "UNKNOWN_OPTION",
        "UNKNOWN_SEAT",
    }
)
_EXISTS = frozenset({"DUPLICATE_COLOUR", "DUPLICATE_PLAYER"})


def refusal(error: Exception) -> Refused | None:
    """What the client is told about an exception; None if that is not foreseen, so a fault of ours."""
    match error:
        case Refused():
            return error
        case RuleViolation():
            return Refused(_code_of(error), error.code, error.detail, clause=error.clause)
        case log_errors.StoreUnavailable() | log_errors.StoreBusy() | log_errors.StoreRefused():
            return busy("STORE_UNAVAILABLE", "the store does not answer; whether the command took effect is unknown")
        case log_errors.LimitExceeded():
            return Refused(StatusCode.RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", str(error))
        case log_errors.BrokenChain():
            return Refused(StatusCode.DATA_LOSS, "STREAM_DAMAGED", "the stored game is damaged and has been frozen")
        case log_errors.FeedMissing() | log_errors.FeedTrimmed():
            return Refused(StatusCode.DATA_LOSS, "FEED_MISSING", "a feed of the store is missing; nothing is appended")
        case CorruptRecord():
            return Refused(
                StatusCode.DATA_LOSS, "CORRUPT_RECORD", "the stored game cannot be understood by this version"
            )
        case KeyMissing():
            detail = "the game began under a server key that is not at hand any more"
            return Refused(StatusCode.FAILED_PRECONDITION, "SERVER_KEY_MISSING", detail)
        case TimeoutError():
            return Refused(StatusCode.DEADLINE_EXCEEDED, "TOO_LATE", "the call took longer than it may")
    return None


def internal() -> Refused:
    """A fault of ours; the log has the cause, the client does not."""
    return Refused(StatusCode.INTERNAL, "INTERNAL", "something went wrong here; it has been logged")


def _code_of(violation: RuleViolation) -> StatusCode:
    if violation.code in _INVALID:
        return StatusCode.INVALID_ARGUMENT
    return StatusCode.ALREADY_EXISTS if violation.code in _EXISTS else StatusCode.FAILED_PRECONDITION


# -- on the wire -------------------------------------------------------------------------------------------------------


def to_status(refused: Refused) -> status_pb2.Status:
    """The error as a google.rpc.Status."""
    metadata = dict(refused.metadata)
    if refused.clause:
        metadata["clause"] = refused.clause
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=refused.reason, domain=DOMAIN, metadata=metadata)]
    if refused.faults:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=fault.field, description=fault.detail)
            for fault in refused.faults
        ]
        details.append(error_details_pb2.BadRequest(field_violations=violations))
    if refused.retry_seconds is not None:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(int(refused.retry_seconds * 1000))
        details.append(retry)
    status = status_pb2.Status(code=_number(refused.code), message=refused.detail)
    for detail in details:
        status.details.add().Pack(detail)
    return status


def to_refusal(refused: Refused) -> command_service_pb2.Refusal:
    """The error as an answer within a stream that goes on."""
    metadata = dict(refused.metadata)
    revision = int(metadata.pop("revision", "0"))
    if refused.retry_seconds is not None:
        metadata["retry_seconds"] = str(refused.retry_seconds)
    for fault in refused.faults:
        metadata[f"field:{fault.field}"] = fault.detail
    return command_service_pb2.Refusal(
        code=_number(refused.code),
        reason=refused.reason,
        message=refused.detail,
        clause=refused.clause,
        revision=revision,
        metadata=metadata,
    )


def _number(code: StatusCode) -> int:
    return int(code_pb2.Code.Value(code.name))
