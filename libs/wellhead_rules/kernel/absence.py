"""What a table has agreed for seats whose time is over, and how a seat stands whose player does not decide for it."""

from msgspec import Struct

from wellhead.v1 import game_pb2

RESIGNED = ""
"""What stands in the place of a bot's name where nobody plays a seat any more."""


class Policy(Struct, frozen=True):
    """What happens when the time of a seat is over; `kind` is that of `wellhead.v1.AbsencePolicy`.

    With `abort_early` a game whose first round is not over is broken off instead.
    """

    kind: str = "automatic_pass"
    bot: str = ""
    abort_early: bool = False

    @classmethod
    def of(cls, message: game_pb2.AbsencePolicy) -> "Policy":
        """What a message says; nothing said means an automatic pass."""
        kind = message.WhichOneof("kind") or "automatic_pass"
        return cls(kind, message.take_over.bot, message.abort_before_first_round)

    def to_proto(self) -> game_pb2.AbsencePolicy:
        """The message that says it."""
        message = game_pb2.AbsencePolicy(abort_before_first_round=self.abort_early)
        getattr(message, self.kind).SetInParent()
        if self.bot:
            message.take_over.bot = self.bot
        return message
