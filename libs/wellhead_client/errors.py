"""What a call can come back with instead of an answer, read from google.rpc details (R-API-1)."""

from collections.abc import Mapping

import grpc
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from wellhead.v1 import command_service_pb2


class Refused(Exception):
    """The server has said no. `reason` is stable, `clause` the rule's if a rule said it, `revision` 0 if unknown.

    `standing` says where the game stands and what is owed now, if it is a game that has refused a command.
    """

    def __init__(
        self,
        code: int,
        reason: str,
        message: str,
        *,
        clause: str = "",
        revision: int = 0,
        retry_after: float | None = None,
        metadata: Mapping[str, str] | None = None,
        standing: command_service_pb2.Standing | None = None,
    ) -> None:
        super().__init__(f"{reason}: {message}" + (f" ({clause})" if clause else ""))
        self.code = code
        self.reason = reason
        self.message = message
        self.clause = clause
        self.revision = revision
        self.retry_after = retry_after
        self.metadata = dict(metadata or {})
        self.standing = standing


class Unreachable(Exception):
    """No server has answered within the client's patience. A command may or may not have been accepted: ask again."""


# A server's own error carries details. Without them these are the library's words for a connection that broke.
_TRANSPORT = frozenset({grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN})


CALL_FAILED = (grpc.aio.AioRpcError, Refused)
"""What a call raises that has no answer: gRPC's own error, or what a call over HTTP has made of its."""


def refusal_of_call(error: grpc.aio.AioRpcError | Refused) -> Refused:
    """What a failed call says; reason is the status code's name where the server gave no details."""
    if isinstance(error, Refused):
        return error
    code = error.code()
    status = rpc_status.from_call(error)  # type: ignore[arg-type]  # it has what is asked of a Call
    if status is None:
        if code in _TRANSPORT:
            code = grpc.StatusCode.UNAVAILABLE
        return Refused(code.value[0], code.name, error.details() or "")
    return refusal_of_status(status)


def refusal_of_status(status: status_pb2.Status) -> Refused:
    """What a server's error says."""
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    standing = command_service_pb2.Standing()
    retry_after = None
    for detail in status.details:
        detail.Unpack(info)
        if detail.Unpack(retry):
            retry_after = retry.retry_delay.ToTimedelta().total_seconds()
    return Refused(
        status.code,
        info.reason or code_pb2.Code.Name(status.code),
        status.message,
        clause=info.metadata.get("clause", ""),
        revision=_number(info.metadata.get("revision", "")),
        retry_after=retry_after,
        metadata=info.metadata,
        standing=next((standing for detail in status.details if detail.Unpack(standing)), None),
    )


def refusal_in_stream(refusal: command_service_pb2.Refusal) -> Refused:
    """What a Play stream says of a command that was refused."""
    retry_after = refusal.metadata.get("retry_seconds")
    return Refused(
        refusal.code,
        refusal.reason,
        refusal.message,
        clause=refusal.clause,
        revision=refusal.revision,
        retry_after=float(retry_after) if retry_after else None,
        metadata=refusal.metadata,
        standing=refusal.standing if refusal.HasField("standing") else None,
    )


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
