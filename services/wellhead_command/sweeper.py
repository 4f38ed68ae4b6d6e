"""Looks for games whose deadline has passed, and does what is due: any process may, and what two of them find at once
is done once, since both commit it under the same key (R-API-5)."""

import asyncio
import contextlib
from collections.abc import Iterable

import structlog

from wellhead_command import stand_ins
from wellhead_command.absence import ExpireTurn
from wellhead_command.committer import Committer
from wellhead_command.intents import House
from wellhead_command.lobby import CloseIdleTable
from wellhead_command.programmes import ActByProgramme
from wellhead_eventlog.errors import StoreBusy, StoreUnavailable
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import Due
from wellhead_rules.kernel import clocks, expiry
from wellhead_rules.kernel.absence import RESIGNED
from wellhead_rules.kernel.ruleset import Owed
from wellhead_rules.kernel.table import Status, Table
from wellhead_runtime import limits
from wellhead_runtime.errors import Refused
from wellhead_runtime.live import GAME, LiveGame
from wellhead_runtime.reasons import Reason
from wellhead_runtime.timekeeping import Clock

_log = structlog.get_logger(__name__)

_OTHERS_WERE_FASTER = (Reason.STALE_DECISION.name, Reason.GAME_OVER.name, Reason.CONTENDED.name)


class Sweeper:
    """Sweeps again and again; games whose next commit is due at once can be `told` of."""

    def __init__(self, house: House, committer: Committer, clock: Clock) -> None:
        self._house = house
        self._committer = committer
        self._clock = clock
        self._told: set[str] = set()
        self._news = asyncio.Event()
        self._stopping = False
        self._at_work = asyncio.Semaphore(limits.SWEPT_TOGETHER)
        self._put_off: dict[str, int] = {}
        """Games with which something is wrong: not before then."""
        committer.on_due = self.tell

    def tell(self, game_id: str) -> None:
        """Something is due in this game now."""
        self._told.add(game_id)
        self._news.set()

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping = True
        self._news.set()

    async def run(self) -> None:
        """Sweeps until stopped; outlives an absent store."""
        loop = asyncio.get_running_loop()
        next_sweep = loop.time()
        while not self._stopping:
            try:
                if loop.time() >= next_sweep:
                    next_sweep = loop.time() + self._clock.sweep_seconds
                    await self.sweep()
                told, self._told = self._told, set()
                await self._resolve_all(told)
            except (StoreUnavailable, StoreBusy) as absence:
                _log.warning("waiting for the store", why=str(absence))
            self._news.clear()
            if not self._told and not self._stopping:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(next_sweep):
                        await self._news.wait()

    async def sweep(self) -> None:
        """Once through all partitions."""
        log, now_ms = self._committer.games.log, self._clock.now_us() // 1000
        pages = await asyncio.gather(
            *(log.due(partition, now_ms, limits.SWEPT_AT_ONCE) for partition in range(PARTITIONS))
        )
        await self._resolve_all(due.stream.id for page in pages for due in page if self._wanted(due, now_ms))

    def _wanted(self, due: Due, now_ms: int) -> bool:
        return due.stream.kind == GAME and self._put_off.get(due.stream.id, 0) <= now_ms

    async def _resolve_all(self, game_ids: Iterable[str]) -> None:
        await asyncio.gather(*map(self._resolve_apart, game_ids))

    async def _resolve_apart(self, game_id: str) -> None:
        """A game that is damaged keeps nobody else waiting, and is looked at again after a while."""
        async with self._at_work:
            try:
                await self._resolve(game_id)
                self._put_off.pop(game_id, None)
            except (StoreUnavailable, StoreBusy):
                raise
            except Exception as error:
                if isinstance(error, Refused) and error.reason in _OTHERS_WERE_FASTER:
                    return
                _log.error("what is due cannot be done", game=game_id, exc_info=error)
                self._put_off[game_id] = self._clock.now_us() // 1000 + int(limits.PUT_OFF_SECONDS * 1000)

    async def _resolve(self, game_id: str) -> None:
        """What is due in a game, and what is due next; others get their turn after so many commits."""
        live = self._committer.games.at_hand(game_id)
        async with live.lock:
            await self._committer.games.refresh(live)
        for _ in range(limits.ANSWERED_AT_ONCE):
            now_us = self._clock.now_us()
            if live.table.status is Status.OPEN:
                if self._house.given_up_us(live.table) <= now_us:
                    await self._committer.commit(CloseIdleTable(self._house, game_id, now_us))
                return
            if due := live.table.programmes_due:
                await self._committer.commit(ActByProgramme(self._house, live, due[0]))
                continue
            owed = overdue(live.table, now_us)
            if owed is None:
                return
            await self._committer.commit(await self._expire(live, owed))
        self.tell(game_id)

    async def _expire(self, live: LiveGame, owed: Owed) -> ExpireTurn:
        table, bot = live.table, expiry.player_of(live.table, owed.seat)
        intent = ExpireTurn(self._house, live, owed)
        if bot == RESIGNED:
            return intent
        place = f"{table.game_id}/{owed.decision_id}"
        state = table.ruleset.clone(table.game)
        intent.bots_choice = await asyncio.to_thread(stand_ins.choose, bot, table.ruleset, state, owed, place)
        return intent


def overdue(table: Table, now_us: int) -> Owed | None:
    """The first decision that the clock is to resolve: its seat is absent, or has no time left."""
    for owed in table.owed:
        reading = clocks.reading(table.clocks, owed.seat, now_us)
        if owed.seat in table.absent or (reading is not None and reading <= 0):
            return owed
    return None
