"""Programmes: what players file and stop, and what is done by them. The order within a class is that of `intents`."""

from wellhead.v1 import command_service_pb2 as api
from wellhead.v1 import log_pb2
from wellhead_command.absence import _OfSeat
from wellhead_command.intents import Decided, House, Intent, require_room
from wellhead_rules.kernel import programming
from wellhead_rules.kernel.programmes import Programme
from wellhead_runtime import limits, viewing
from wellhead_runtime.errors import Refused
from wellhead_runtime.ids import command_key
from wellhead_runtime.live import LiveGame
from wellhead_runtime.reasons import Reason
from wellhead_runtime.tokens import PROGRAMMES, Caller


class SetProgramme(_OfSeat[api.SetProgrammeResponse]):
    """Files a programme."""

    def __init__(self, house: House, request: api.SetProgrammeRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, request.seat, request.request_id)
        self._command = log_pb2.SetProgramme(revision=request.revision)
        if request.HasField("when"):
            self._command.when.decision_kind = request.when.decision_kind
            self._command.when.option_id = request.when.option_id
        else:
            self._command.pass_until_round.round = request.pass_until_round.round

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        asked = record.table_command
        return asked.HasField("set_programme") and asked.set_programme == self._command

    def decide(self, live: LiveGame) -> Decided:
        require_room(live)
        if live.table.programme_facts >= limits.PROGRAMME_FACTS:
            raise Refused(Reason.TOO_MANY_COMMANDS, "too many programmes have been set", limit="PROGRAMME_FACTS")
        step = programming.set_programme(live.table, self.actor.seat, self._command, self.house.registry)
        return step, log_pb2.CommitRecord(table_command=log_pb2.TableCommand(set_programme=self._command))

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.SetProgrammeResponse:
        return api.SetProgrammeResponse(receipt=receipt, view=viewing.game_view(live.table, self.actor.seat))


class StopProgramme(_OfSeat[api.StopProgrammeResponse]):
    """Stops the programme."""

    def __init__(self, house: House, request: api.StopProgrammeRequest, caller: Caller) -> None:
        super().__init__(house, caller, request.game_id, request.seat, request.request_id)

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.table_command.HasField("stop_programme")

    def decide(self, live: LiveGame) -> Decided:
        step = programming.stop_programme(live.table, self.actor.seat, self.house.registry)
        command = log_pb2.TableCommand(stop_programme=log_pb2.StopProgramme())
        return step, log_pb2.CommitRecord(table_command=command)

    def reply(self, live: LiveGame, receipt: api.Receipt) -> api.StopProgrammeResponse:
        return api.StopProgrammeResponse(receipt=receipt, view=viewing.game_view(live.table, self.actor.seat))


class ActByProgramme(Intent[None]):
    """Does what is due by a programme: nobody asks for it but this service.

    Its key says by which, and at which revision: of two processes that find the same, one commits it.
    """

    def __init__(self, house: House, live: LiveGame, programme: Programme) -> None:
        what = f"{PROGRAMMES}/{live.head.revision}/{programme.seat} {programme.revision}"
        key = command_key("service", 0, what)
        super().__init__(house, None, live.game_id, log_pb2.Actor(service=PROGRAMMES), key)
        self._programme = programme

    def authorise(self, live: LiveGame, formerly: bool) -> None:
        pass

    def recognise(self, live: LiveGame, record: log_pb2.CommitRecord) -> bool:
        return record.HasField("programmed")

    def decide(self, live: LiveGame) -> Decided:
        house, programme = self.house, self._programme
        step = programming.act(live.table, programme.seat, programme.revision, house.registry, house.seed(live))
        return step, log_pb2.CommitRecord()

    def reply(self, live: LiveGame, receipt: api.Receipt) -> None:
        return None
