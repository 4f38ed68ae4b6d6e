"""When nobody could play because a service was not there: nobody is charged for that time (R-API-5).

A process that starts, or that has heard nothing from the store for a while, asks before it takes a commit. So whoever
writes the next commit of a game knows of every time in which nobody could have played.
"""

from wellhead.v1 import log_pb2
from wellhead_eventlog.port import EventLog, Outage
from wellhead_rules.kernel import clocks
from wellhead_rules.kernel.table import Table
from wellhead_runtime.timekeeping import COMMAND, QUERY, Beating, Clock, add, known


class Downtimes(Beating):
    """Says that the command service is there, and knows when it was not, or the query service."""

    def __init__(self, log: EventLog, clock: Clock) -> None:
        super().__init__(log, COMMAND, clock)
        self._store = log
        self._unseen: list[Outage] = []
        """When there was no query service: nobody could see what they were to decide."""
        self._going_on: Outage | None = None

    async def say(self, gap_seconds: float) -> None:
        await super().say(gap_seconds)
        alive_ms, news = await self._store.outages(QUERY, known(self._unseen))
        add(self._unseen, news)
        now_ms = self.clock.now_ms
        silent = alive_ms is not None and now_ms - alive_ms > self.clock.outage_seconds * 1000
        self._going_on = Outage(alive_ms, now_ms) if alive_ms is not None and silent else None

    async def credit_for(self, table: Table) -> log_pb2.ClockCredit | None:
        """What the clocks of a game are still to be given back; None if that is nothing."""
        running = [clock.since_us for clock in table.clocks if clock.decision_id]
        if not running:
            return None
        if self.clock.now_ms - self.said_ms > self.clock.outage_seconds * 1000:
            await self.say(self.clock.outage_seconds)
        since = min(running)
        outages = [*self.outages, *self._unseen, *([self._going_on] if self._going_on else ())]
        spans = clocks.merged((each.since * 1000, each.until * 1000) for each in outages if each.until * 1000 > since)
        if not clocks.credits(table.clocks, spans):
            return None
        return log_pb2.ClockCredit(downtimes=[log_pb2.Downtime(from_us=start, until_us=end) for start, end in spans])
