"""A call as the application sees it, whichever transport brought it."""

from collections.abc import Callable, Mapping

from wellhead_runtime.tokens import Caller

_BEARER = "Bearer "


class Call:
    """What comes with a request: who asks, from where, and how long they will wait for the answer.

    `method` is `/package.Service/Method`, `metadata` has lower-case names, `peer` is an address without its port, empty
    if it is unknown, and `caller` is whoever the call has been recognised as coming from.
    """

    __slots__ = ("_time_remaining", "caller", "metadata", "method", "peer")

    def __init__(
        self,
        method: str,
        metadata: Mapping[str, str],
        peer: str = "",
        time_remaining: Callable[[], float | None] = lambda: None,
    ) -> None:
        self.method = method
        self.metadata = metadata
        self.peer = peer
        self.caller: Caller = None
        self._time_remaining = time_remaining

    def time_remaining(self) -> float | None:
        """Seconds until the caller gives up; None if they have not said when."""
        return self._time_remaining()

    @property
    def bearer(self) -> str:
        """The token in `authorization`; empty if there is none."""
        value = self.metadata.get("authorization", "")
        return value[len(_BEARER) :] if value.startswith(_BEARER) else ""
