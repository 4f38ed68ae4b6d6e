"""When players are away: what the clock does for them, and what they do about it. The order within a class is that of
`intents`."""

from wellhead.v1 import command_service_pb2 as api
from wellhead.v1 import log_pb2
from wellhead_command.intents import Decided, House, Intent, Reply, require_room
from wellhead_rules.kernel import expiry
from wellhead_rules.kernel.ruleset import Command, Owed
from wellhead_runtime import viewing
from wellhead_runtime.ids import command_key
from wellhead_runtime.live import LiveGame
from wellhead_runtime.tokens import CLOCK, Caller

# -- what players do ---------------------------------------------------------------------------------------------------


class _OfSeat(Intent[Reply]):
    """A command of whoever holds a seat."""

    plays = True

    def __init__(self, house: House, caller: Caller, game_id: str, seat: int, request_id: str) -> None:
        super().__init__(house, caller, game_id, log_pb2.Actor(seat=seat), command_key("seat", seat, request_id))

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        self.house.authority.require_seat(live, self.caller, self.actor.seat, formerly)


class Resign(_OfSeat[api.ResignResponse]):
    """Gives the game up."""

    def __init__(self, house: House, request: api.ResignRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, request.seat, request.request_id)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.HasField("resign")

    def decide(self, live: LiveGame) -> Decided:
        step = expiry.resign(live.table, self.actor.seat, self.house.registry, self.house.seed(live))
        command = log_pb2.TableCommand(resign=log_pb2.Resign(seat=self.actor.seat))
        return step, log_pb2.CommitRecord(table_command=command)

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.ResignResponse:
        return api.ResignResponse(receipt=receipt, status=int(live.table.status))  # type: ignore[arg-type]


class ReturnToSeat(_OfSeat[api.ReturnToSeatResponse]):
    """Takes a seat back from the bot that plays it."""

    def __init__(self, house: House, request: api.ReturnToSeatRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, request.seat, request.request_id)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.HasField("return_to_seat")

    def decide(self, live: LiveGame) -> Decided:
        require_room(live)
        step = expiry.return_to_seat(live.table, self.actor.seat, self.house.registry)
        command = log_pb2.TableCommand(return_to_seat=log_pb2.ReturnToSeat(seat=self.actor.seat))
        return step, log_pb2.CommitRecord(table_command=command)

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.ReturnToSeatResponse:
        owed = viewing.decisions(live.table, self.actor.seat)
        return api.ReturnToSeatResponse(receipt=receipt, decisions=owed)


# -- what the clock does -----------------------------------------------------------------------------------------------


class _OfClock(Intent[None]):
    """A command of the clock: nobody asks for it but this service.

    Its key says what it is about, and at which revision: of two processes that find the same, one commits it.
    """

    def __init__(self, house: House, live: LiveGame, what: str) -> None:
        key = command_key("service", 0, f"{CLOCK}/{live.head.revision}/{what}")
        super().__init__(house, None, live.game_id, log_pb2.Actor(service=CLOCK), key)

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        pass

    def reply(self, live: LiveGame, receipt: api.Receipt) -> None:
        return None


class ExpireTurn(_OfClock):
    """Resolves a decision whose time is over, or whose player is away already."""

    def __init__(self, house: House, live: LiveGame, owed: Owed) -> None:
        super().__init__(house, live, f"expire {owed.seat} {owed.decision_id}")
        self._owed = owed
        self.bots_choice: Command | None = None
        """Where a bot is to answer."""

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.HasField("expiry")

    def decide(self, live: LiveGame) -> Decided:
        house, owed = self.house, self._owed
        step = expiry.expire(
            live.table, owed.seat, owed.decision_id, self.bots_choice, self.now_us, house.registry, house.seed(live)
        )
        return step, log_pb2.CommitRecord()


class CreditClocks(_OfClock):
    """Gives back the time in which the service was down."""

    def __init__(self, house: House, live: LiveGame, command: log_pb2.ClockCredit) -> None:
        super().__init__(house, live, "credit")
        self._command = command

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.HasField("clock_credit")

    def decide(self, live: LiveGame) -> Decided:
        step = expiry.credit(live.table, self._command, self.house.registry)
        return step, log_pb2.CommitRecord(clock_credit=self._command)
