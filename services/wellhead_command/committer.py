"""From an intent to a commit: load, recognise a repeat, authorise, decide, append, answer (architecture §4).

A game that others have moved on is caught up with and the command decided again; so is one whose present state refuses
the command, before the caller hears of it: a refusal always speaks of the store's tail. The table of a step takes the
place of the present one only once its commit stands.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import structlog
from grpc import StatusCode
from prometheus_client import Gauge

from wellhead.v1 import command_service_pb2 as api
from wellhead_command.absence import CreditClocks
from wellhead_command.intents import House, Intent, Reply
from wellhead_command.timekeeping import Downtimes
from wellhead_eventlog import chain
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.port import (
    Appended,
    AppendResult,
    Conflict,
    Duplicate,
    Fork,
    Frozen,
    Head,
    LostTail,
    NewEntry,
)
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.table import Status, Step
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_runtime import limits, metrics, tracing, viewing
from wellhead_runtime.errors import Refused, busy, damaged, refusal
from wellhead_runtime.live import LiveGame, LiveGames
from wellhead_runtime.metrics import REGISTRY
from wellhead_runtime.reasons import Reason
from wellhead_runtime.timekeeping import Clock

DECIDE_SECONDS = metrics.Histogram(
    "wellhead_decide_seconds", "Time to decide a command: the rules alone.", buckets=metrics.SECONDS
).labels()
APPEND_SECONDS = metrics.Histogram(
    "wellhead_append_seconds",
    "Time of an append, by how it ended; those that ended ok are the commits. no_answer: it may have happened.",
    ["outcome"],
    buckets=metrics.SECONDS,
)
IN_FLIGHT = Gauge(
    "wellhead_appends_in_flight",
    "Appends that the store has not answered. Under fsync it holds the answer until the commit is flushed.",
    registry=REGISTRY,
)
PENDING = Gauge(
    "wellhead_durability_pending",
    "Commits that stand while the wait for what their class promises goes on. Always 0 for memory, everysec and fsync: "
    "the store's answer is all that they wait for.",
    registry=REGISTRY,
)

_OUTCOMES = {
    kind: APPEND_SECONDS.labels(name)
    for kind, name in (
        (Appended, "ok"), (Duplicate, "duplicate"), (Conflict, "conflict"), (LostTail, "lost_tail"), (Fork, "fork"),
        (Frozen, "frozen"), (type(None), "no_answer"),
    )
}  # fmt: skip

_flying = 0
IN_FLIGHT.set_function(lambda: _flying)
PENDING.set(0)

_log = structlog.get_logger(__name__)

_DURABILITY = {
    Durability.MEMORY: api.DURABILITY_MEMORY,
    Durability.EVERYSEC: api.DURABILITY_EVERYSEC,
    Durability.FSYNC: api.DURABILITY_FSYNC,
}


class Committer:
    """Carries out intents; `durability` is what every commit of the store survives."""

    def __init__(self, games: LiveGames, durability: Durability, clock: Clock, downtimes: Downtimes) -> None:
        self._games = games
        self._durability = durability
        self._clock = clock
        self._downtimes = downtimes
        self.on_due: Callable[[str], None] = lambda game_id: None
        """Hears of a game in which something is due at once after a commit."""

    @property
    def games(self) -> LiveGames:
        """The games it moves."""
        return self._games

    async def commit(self, intent: Intent[Reply]) -> Reply:
        """The answer to the intent, the same however often it comes (R-LOG-3).

        If the caller goes away during the append, that still happens: the log sees to it. The game in memory is then
        behind its stream, as if another process had written.
        """
        live = self._games.at_hand(intent.game_id)
        async with live.lock:
            if not intent.opens:
                await self._games.load(live)
            for _ in range(limits.APPEND_TRIES):
                if intent.key in live.commands:
                    return await self._repeat(live, intent)
                try:
                    if live.begun:
                        with tracing.span("authorise"):
                            intent.authorise(live, formerly=False)
                    if live.begun and await self._credited(live, intent.house):
                        continue
                    result = await self._append(live, intent)
                except (RuleViolation, Refused) as no:
                    if await live.catch_up(self._games.log):
                        continue
                    if reason := await self._games.log.frozen(live.stream):
                        raise _damage(live, Frozen(reason)) from None
                    raise _with_position(no, live, intent.plays) from None
                match result:
                    case Appended():
                        self._games.keep(live)
                        with tracing.span("answer"):
                            return intent.reply(live, self._receipt(live.head))
                    case Duplicate(revision) | Conflict(revision):
                        await live.catch_up(self._games.log, revision)
                    case _:
                        self._games.forget(live)
                        raise _damage(live, result)
        raise busy(Reason.CONTENDED, "others were faster every time")

    async def _credited(self, live: LiveGame, house: House) -> bool:
        """Gives back what the service has missed before anything else happens in the game; whether it was anything."""
        due = await self._downtimes.credit_for(live.table)
        if due is None:
            return False
        match await self._append(live, CreditClocks(house, live, due)):
            case Duplicate(revision) | Conflict(revision):
                await live.catch_up(self._games.log, revision)
            case LostTail() | Fork() | Frozen() as damage:
                self._games.forget(live)
                raise _damage(live, damage)
        return True

    async def _append(self, live: LiveGame, intent: Intent[Any]) -> AppendResult:
        # Time does not run backwards within a game.
        now_us = intent.now_us = max(self._clock.now_us(), live.table.updated_us)
        with tracing.span("decide"):
            begun = perf_counter()
            try:
                step, record = intent.decide(live)
            finally:
                DECIDE_SECONDS.observe(perf_counter() - begun)
        origin = commits.Origin(intent.actor, intent.key, now_us)
        seed = intent.house.keyring.seed(step.table.key_id, live.game_id)
        with tracing.span("encode"):
            encoded = commits.encode(step, record, origin, live.head.digest, seed)
            digest = chain.digest(live.head.digest, encoded.public)
        with tracing.span("append", live.game_id, live.head.revision + 1):
            entry = NewEntry(
                digest=digest,
                command_id=intent.key,
                public=encoded.public,
                private=encoded.private,
                mark=step.mark,
                trace=tracing.parent(),
                deadline=_deadline(intent.house, live, step),
            )
            result = await self._store(live, entry)
        if isinstance(result, Appended):
            live.accept(step, record, encoded.private, Head(result.revision, entry.digest))
            _log.debug("committed", game=live.game_id, revision=result.revision)
            if (due_us := live.table.due_us) is not None and due_us <= now_us:
                self.on_due(live.game_id)
        return result

    async def _store(self, live: LiveGame, entry: NewEntry) -> AppendResult:
        global _flying  # noqa: PLW0603 - of the process, like the gauge
        result: AppendResult | None = None
        begun = perf_counter()
        _flying += 1
        try:
            result = await self._games.log.append(live.stream, live.head, entry)
            return result
        finally:
            _flying -= 1
            _OUTCOMES[type(result)].observe(perf_counter() - begun)

    async def _repeat(self, live: LiveGame, intent: Intent[Reply]) -> Reply:
        """The first answer, from the game as it stood then."""
        intent.authorise(live, formerly=True)
        revision = live.commands[intent.key]
        then = live if revision == live.head.revision else await self._games.at(live.game_id, revision)
        assert then.last is not None
        if not intent.recognise(then, then.last.record):
            detail = f"the request id has been used for another command, at revision {revision}"
            raise Refused(Reason.REQUEST_ID_REUSED, detail, metadata={"revision": str(revision)})
        return intent.reply(then, self._receipt(then.head))

    def _receipt(self, head: Head) -> api.Receipt:
        return api.Receipt(revision=head.revision, digest=head.digest, durability=_DURABILITY[self._durability])


def _with_position(error: RuleViolation | Refused, live: LiveGame, plays: bool) -> Refused:
    """The refusal, with the revision, and for whoever plays what is owed now: what a caller who is late needs to know.

    Who may not act is told nothing.
    """
    refused = refusal(error)
    assert refused is not None
    if refused.code in (StatusCode.PERMISSION_DENIED, StatusCode.UNAUTHENTICATED):
        return refused
    refused.metadata.setdefault("revision", str(live.head.revision))
    if plays and live.begun:
        owed = viewing.decisions(live.table, None)
        refused.standing = api.Standing(revision=live.head.revision, decisions=owed)
        if owed:
            ids = dict.fromkeys(str(each.decision_id) for each in owed)
            refused.metadata.setdefault("decision_ids", ",".join(ids))
    return refused


def _deadline(house: House, live: LiveGame, step: Step) -> int | None:
    """When the game is next due, in unix ms: an open table when it is given up, a game when the clock is to decide for
    a seat. None if nothing was due and nothing is."""
    before, after = live.table if live.begun else None, step.table
    if after.status is Status.OPEN:
        return house.given_up_us(after) // 1000
    if (due_us := after.due_us) is not None:
        return -(-due_us // 1000)
    return 0 if before is not None and (before.status is Status.OPEN or before.due_us is not None) else None


def _damage(live: LiveGame, result: AppendResult) -> Refused:
    seen = live.head.revision
    match result:
        case LostTail(revision):
            return damaged(
                Reason.LOST_TAIL, live.game_id, f"the log ends at revision {revision}, {seen} was acknowledged"
            )
        case Fork(revision):
            return damaged(Reason.FORK, live.game_id, f"the log holds another commit at revision {revision}")
        case Frozen(reason):
            _log.warning("the game is frozen", game=live.game_id, why=reason)
            return damaged(Reason.FROZEN, live.game_id, "the game is frozen: its log has been found damaged")
    raise AssertionError(f"not damage: {result}")
