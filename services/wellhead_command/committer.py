"""From an intent to a commit: load, recognise a repeat, authorise, decide, append, answer (architecture §4).

A game that others have moved on is caught up with and the command decided again; so is one whose present state refuses
the command, before the caller hears of it: a refusal always speaks of the store's tail. The table of a step takes the
place of the present one only once its commit stands.
"""

import time

import structlog
from grpc import StatusCode

from wellhead.v1 import command_service_pb2 as api
from wellhead_command.intents import Intent, Reply
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
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_runtime import limits, viewing
from wellhead_runtime.errors import Refused, busy, damaged, refusal
from wellhead_runtime.live import LiveGame, LiveGames
from wellhead_runtime.reasons import Reason

_log = structlog.get_logger(__name__)

_DURABILITY = {
    Durability.MEMORY: api.DURABILITY_MEMORY,
    Durability.EVERYSEC: api.DURABILITY_EVERYSEC,
    Durability.FSYNC: api.DURABILITY_FSYNC,
}


class Committer:
    """Carries out intents; `durability` is what every commit of the store survives."""

    def __init__(self, games: LiveGames, durability: Durability) -> None:
        self._games = games
        self._durability = durability

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
                        intent.authorise(live, formerly=False)
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
                        return intent.reply(live, self._receipt(live.head))
                    case Duplicate(revision) | Conflict(revision):
                        await live.catch_up(self._games.log, revision)
                    case _:
                        self._games.forget(live)
                        raise _damage(live, result)
        raise busy(Reason.CONTENDED, "others were faster every time")

    async def _append(self, live: LiveGame, intent: Intent[Reply]) -> AppendResult:
        step, record = intent.decide(live)
        now_us = max(time.time_ns() // 1000, live.table.updated_us)  # time does not run backwards within a game
        origin = commits.Origin(intent.actor, intent.key, now_us)
        seed = intent.house.keyring.seed(step.table.key_id, live.game_id)
        encoded = commits.encode(step, record, origin, live.head.digest, seed)
        entry = NewEntry(
            digest=chain.digest(live.head.digest, encoded.public),
            command_id=intent.key,
            public=encoded.public,
            private=encoded.private,
            mark=step.mark,
        )
        result = await self._games.log.append(live.stream, live.head, entry)
        if isinstance(result, Appended):
            live.accept(step, record, encoded.private, Head(result.revision, entry.digest))
            _log.debug("committed", game=live.game_id, revision=result.revision)
        return result

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
