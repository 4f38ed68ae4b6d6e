"""Every reason for which a service refuses a call, with its status. Clients decide by it, so none is a free word.

What each means and what a client does about it stands in `protos/errors.md`, which tests hold to this list. The codes
of a game's own rules are not here: they belong to the closed set of its rules document.
"""

from enum import Enum

from grpc import StatusCode


class Reason(Enum):
    """A reason; its name is what goes over the wire."""

    status: StatusCode

    def __new__(cls, status: StatusCode) -> "Reason":
        """Two reasons may have one status: a member's value is its place."""
        member = object.__new__(cls)
        member._value_ = len(cls.__members__)
        member.status = status
        return member

    # The call
    MALFORMED_REQUEST = StatusCode.INVALID_ARGUMENT
    MESSAGE_TOO_LARGE = StatusCode.RESOURCE_EXHAUSTED
    REQUEST_ID_REUSED = StatusCode.FAILED_PRECONDITION
    REVISION_NOT_REACHED = StatusCode.OUT_OF_RANGE
    TOO_LATE = StatusCode.DEADLINE_EXCEEDED
    UNKNOWN_METHOD = StatusCode.UNIMPLEMENTED
    UNKNOWN_ENCODING = StatusCode.UNIMPLEMENTED
    NOT_OVER_HTTP = StatusCode.UNIMPLEMENTED

    # The caller
    TOKEN_MISSING = StatusCode.UNAUTHENTICATED
    TOKEN_INVALID = StatusCode.UNAUTHENTICATED
    TOKEN_EXPIRED = StatusCode.UNAUTHENTICATED
    NOT_YOURS = StatusCode.PERMISSION_DENIED
    SPECTATING_CLOSED = StatusCode.PERMISSION_DENIED
    SEAT_CHANGED = StatusCode.UNAVAILABLE
    NOT_SEAT_HOLDER = StatusCode.PERMISSION_DENIED
    NOT_SCORING_SERVICE = StatusCode.PERMISSION_DENIED

    # The table
    UNKNOWN_GAME = StatusCode.NOT_FOUND
    UNKNOWN_GAME_KIND = StatusCode.INVALID_ARGUMENT
    UNKNOWN_CONTENT = StatusCode.INVALID_ARGUMENT
    UNKNOWN_OPTION = StatusCode.INVALID_ARGUMENT
    UNKNOWN_COLOUR = StatusCode.INVALID_ARGUMENT
    UNKNOWN_SEAT = StatusCode.INVALID_ARGUMENT
    BAD_PLAYER_COUNT = StatusCode.INVALID_ARGUMENT
    DUPLICATE_PLAYER = StatusCode.ALREADY_EXISTS
    DUPLICATE_COLOUR = StatusCode.ALREADY_EXISTS
    NO_FREE_SEAT = StatusCode.FAILED_PRECONDITION
    SEAT_TAKEN = StatusCode.FAILED_PRECONDITION
    SEAT_FREE = StatusCode.FAILED_PRECONDITION
    SEAT_RESERVED = StatusCode.FAILED_PRECONDITION
    NO_INVITATION = StatusCode.FAILED_PRECONDITION
    INVITATION_NEEDED = StatusCode.PERMISSION_DENIED
    SEATS_MISSING = StatusCode.FAILED_PRECONDITION
    GAME_STARTED = StatusCode.FAILED_PRECONDITION
    GAME_NOT_STARTED = StatusCode.FAILED_PRECONDITION
    GAME_OVER = StatusCode.FAILED_PRECONDITION
    SEAT_RESIGNED = StatusCode.FAILED_PRECONDITION
    SEAT_NOT_AWAY = StatusCode.FAILED_PRECONDITION
    GAME_NOT_OVER = StatusCode.FAILED_PRECONDITION
    TABLE_ABANDONED = StatusCode.FAILED_PRECONDITION
    SCORE_NOT_DUE = StatusCode.FAILED_PRECONDITION
    SCORE_DIFFERS = StatusCode.FAILED_PRECONDITION

    # The game
    STALE_DECISION = StatusCode.FAILED_PRECONDITION
    NOT_DECISION_OWNER = StatusCode.FAILED_PRECONDITION
    OPTION_NOT_OFFERED = StatusCode.FAILED_PRECONDITION
    COMMAND_NOT_EXPECTED = StatusCode.FAILED_PRECONDITION
    NOTHING_TO_UNDO = StatusCode.FAILED_PRECONDITION
    UNDO_BARRIER = StatusCode.FAILED_PRECONDITION
    UNDO_PENDING = StatusCode.FAILED_PRECONDITION
    UNDO_DECLINED = StatusCode.FAILED_PRECONDITION
    UNDO_NOT_ASKED = StatusCode.FAILED_PRECONDITION
    STALE_PROGRAMME = StatusCode.FAILED_PRECONDITION
    NO_PROGRAMME = StatusCode.FAILED_PRECONDITION

    # Limits
    RATE_LIMITED = StatusCode.RESOURCE_EXHAUSTED
    TOO_MANY_OPEN_TABLES = StatusCode.RESOURCE_EXHAUSTED
    TOO_MANY_REMATCHES = StatusCode.RESOURCE_EXHAUSTED
    TOO_MANY_COMMANDS = StatusCode.RESOURCE_EXHAUSTED
    TOO_MANY_WATCHERS = StatusCode.RESOURCE_EXHAUSTED
    TOO_MANY_WATCHED_GAMES = StatusCode.RESOURCE_EXHAUSTED
    TOO_MANY_STREAMS = StatusCode.RESOURCE_EXHAUSTED
    SLOW_READER = StatusCode.RESOURCE_EXHAUSTED
    SLOW_WATCHER = StatusCode.UNAVAILABLE
    LIMIT_EXCEEDED = StatusCode.RESOURCE_EXHAUSTED

    # The service
    SERVER_STOPPING = StatusCode.UNAVAILABLE
    STORE_UNAVAILABLE = StatusCode.UNAVAILABLE
    CONTENDED = StatusCode.ABORTED
    LOST_TAIL = StatusCode.DATA_LOSS
    FORK = StatusCode.DATA_LOSS
    FROZEN = StatusCode.DATA_LOSS
    STREAM_DAMAGED = StatusCode.DATA_LOSS
    FEED_MISSING = StatusCode.DATA_LOSS
    CORRUPT_RECORD = StatusCode.DATA_LOSS
    SERVER_KEY_MISSING = StatusCode.FAILED_PRECONDITION
    INTERNAL = StatusCode.INTERNAL
