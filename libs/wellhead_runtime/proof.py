"""Proof of a game from its export alone, offline (R-PROOF-1 to 3).

1. The chain: every record's digest follows from its bytes and the digest before; private parts fit their commitments.
2. Chance: the seed published at the end is the one committed to at the beginning.
3. Play: every command, decided again on the state before it, gives the stored record, field by field: the same draws,
   the same facts, the same awards, the same final score.
4. The fold: every stored fact folds, and ends in the ranking that the final score names.

Without the seed (the game goes on) or with other rules than the game's, 2 and 3 cannot be done; the report says so.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from wellhead.v1 import log_pb2
from wellhead_eventlog.chain import verify_chain
from wellhead_eventlog.errors import BrokenChain
from wellhead_eventlog.port import GENESIS, Entry, Head
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.chance import commitment
from wellhead_rules.kernel.redecide import redecide
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.kernel.scores import Rank
from wellhead_rules.kernel.table import Table
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation
from wellhead_runtime.differences import first_difference
from wellhead_runtime.export import Fault, export_chunks, is_canonical, manifest, read_export

__all__ = ["Fault", "Report", "export_chunks", "read_export", "verify"]

_NO_SEED = "commands, draws and scores: the game has not ended, so its seed is still secret"
_LEFT_OUT = "private parts: the export is redacted; only their commitments are covered"
_HIDDEN_COMMAND = "commands, draws and scores from revision {} on: its command is hidden, and the export is redacted"
_OTHER_RULES = "commands, draws and scores: rules version {} of {} is not at hand"


@dataclass(slots=True)
class Report:
    """What has been proved of an export, and in `unproved` what could not be."""

    game_id: str
    game: str = ""
    rules_version: str = ""
    content_pack: str = ""
    revisions: int = 0
    head: str = ""
    redacted: bool = False
    ended: bool = False
    """Also if it was broken off, and so has no ranking."""
    commands: int = 0
    """Commands decided again with the same outcome."""
    draws: int = 0
    """Draws redone from the seed."""
    facts: int = 0
    """Events folded."""
    private_parts: int = 0
    """Private parts that fit their commitments, or were made again from the seed."""
    scores: int = 0
    """Awards and final scores computed again."""
    ranking: tuple[Rank, ...] = ()
    unproved: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Commit:
    """A commit whose place in the chain is proved."""

    revision: int
    previous: bytes
    record: log_pb2.CommitRecord
    private: log_pb2.PrivateRecord


def verify(source: Path | BinaryIO, registry: Mapping[str, Ruleset], head: bytes | None = None) -> Report:
    """Proves what can be proved of an export; raises `Fault` at the first revision that cannot be true.

    `head` is the digest the export should end with: only that tells a truncated file with a rewritten manifest from a
    shorter game.
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            return verify(stream, registry, head)
    claimed, entries = read_export(source)
    report = Report(game_id=claimed.game_id, redacted=claimed.redacted)
    proved = list(_chained(claimed, entries, head, report))
    _replay(proved, registry, report)
    return report


# -- 1: the chain ------------------------------------------------------------------------------------------------------


def _chained(
    claimed: log_pb2.ExportManifest, entries: Iterator[log_pb2.ExportEntry], wanted: bytes | None, report: Report
) -> Iterator[_Commit]:
    """The commits, each once its place is proved; at the end the manifest and the expected head."""
    tip, game_id, wanted_at = GENESIS, "", None
    for stored in entries:
        due = tip.revision + 1
        try:
            record, private = commits.decode(stored.record, stored.private_record)
            entry = Entry(record.revision, stored.digest, record.command_key, stored.record, stored.private_record, "")
            previous, tip = tip, verify_chain((entry,), after=tip)
        except CorruptRecord as error:
            raise Fault(due, error.detail) from error
        except BrokenChain as error:
            raise Fault(error.revision, error.why) from error
        if record.previous_digest != previous.digest:
            raise Fault(due, "it names another commit before it than the one that is there")
        game_id = game_id or record.game_id
        if record.game_id != game_id:
            raise Fault(due, f"it belongs to game {record.game_id!r}, not to {game_id!r}")
        _check_private(due, claimed.redacted, record, private, stored.private_record)
        wanted_at = due if tip.digest == wanted else wanted_at
        yield _Commit(due, previous.digest, record, private)
    _check_end(claimed, tip, game_id, wanted, wanted_at)
    report.revisions, report.head = tip.revision, tip.digest.hex()


def _check_private(
    revision: int, redacted: bool, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, stored: bytes
) -> None:
    if not is_canonical(private, stored):
        raise Fault(revision, "its private parts are not encoded as they should be")
    if redacted:
        if private.parts:
            raise Fault(revision, "a private part in an export that is said to be redacted")
        return
    proved = [commits.private_commitment(part.salt, part.body) for part in private.parts]
    if proved != list(record.private_commitments):
        raise Fault(revision, "its private parts are not those it commits to")


def _check_end(
    claimed: log_pb2.ExportManifest, tip: Head, game_id: str, wanted: bytes | None, wanted_at: int | None
) -> None:
    if tip == GENESIS:
        raise Fault(1, "there is no commit")
    if tip.revision < claimed.revisions and tip.digest != claimed.head:
        raise Fault(tip.revision + 1, f"missing; the manifest promises {claimed.revisions} revisions")
    if claimed != manifest(game_id, tip.revision, tip.digest, claimed.redacted):
        raise Fault(0, "the manifest is not that of the commits that follow it")
    if wanted is None or wanted == tip.digest:
        return
    if wanted_at is None:
        raise Fault(tip.revision + 1, f"missing; the file ends at {tip.digest.hex()}, not at the expected head")
    raise Fault(wanted_at + 1, "it comes after the expected head")


# -- 2 to 4: chance, play, the fold ------------------------------------------------------------------------------------


def _replay(proved: list[_Commit], registry: Mapping[str, Ruleset], report: Report) -> None:
    table: Table | None = None
    last = proved[-1].revision
    seed = _published_seed(proved[-1].record)
    if seed is not None and commitment(seed, report.game_id) != _seed_commitment(proved[0].record):
        raise Fault(last, "the published seed is not the one that revision 1 commits to")
    decided: bytes | None = seed
    for commit in proved:
        if decided is not None and report.redacted and commits.asked_of(commit.record)[1].redacted:
            decided = (
                None  # what follows from a command that is not there cannot be decided again, nor what comes after
            )
            report.unproved.append(_HIDDEN_COMMAND.format(commit.revision))
        table = _replay_commit(table, commit, registry, decided, report)
    assert table is not None, "the chain has at least one commit"
    ended = table.status.over
    if ended != (seed is not None):
        raise Fault(last, "the game has ended without publishing its seed" if ended else "a seed before the end")
    report.game, report.rules_version, report.ended = table.ruleset.name, table.rules_version, ended
    report.content_pack = f"{table.pack.id} {table.pack.version}"
    report.ranking = table.ranking
    if seed is None:
        report.unproved.append(_NO_SEED)
    elif table.ruleset.version != table.rules_version:
        report.unproved.append(_OTHER_RULES.format(table.rules_version, table.ruleset.name))
    if report.redacted and report.unproved:
        report.unproved.append(_LEFT_OUT)


def _replay_commit(
    table: Table | None, commit: _Commit, registry: Mapping[str, Ruleset], seed: bytes | None, report: Report
) -> Table:
    record, private = commit.record, commit.private
    try:
        if seed is not None and _rules_at_hand(table, record, registry):
            private = _decide_again(table, commit, registry, seed, report)
        after = Table(record.game_id) if table is None else table
        facts = commits.fold(after, record, private, registry)
    except Fault:
        raise
    except RuleViolation as refusal:
        clause = f" ({refusal.clause})" if refusal.clause else ""
        raise Fault(commit.revision, f"its command is refused: {refusal.code}{clause}: {refusal.detail}") from refusal
    except CorruptRecord as error:
        raise Fault(commit.revision, error.detail) from error
    except Exception as error:
        # Facts that chain correctly and yet make no sense can break the fold in any way; none may look like a success.
        raise Fault(commit.revision, f"its facts cannot be folded: {type(error).__name__}: {error}") from error
    if record.rules_version != after.rules_version:
        raise Fault(commit.revision, f"rules version {record.rules_version} in a game of {after.rules_version}")
    report.facts += len(facts) + len(record.table_events)
    report.private_parts += len(private.parts)
    return after


def _rules_at_hand(table: Table | None, record: log_pb2.CommitRecord, registry: Mapping[str, Ruleset]) -> bool:
    """Whether the rules the game was played by are those of the registry; a game unknown to it is refused later."""
    ruleset = table.ruleset if table is not None else registry.get(record.table_command.open.game)
    return ruleset is None or ruleset.version == record.rules_version


def _decide_again(
    before: Table | None, commit: _Commit, registry: Mapping[str, Ruleset], seed: bytes, report: Report
) -> log_pb2.PrivateRecord:
    """The private parts of the commit, after its command, decided again, has given the stored record."""
    stored = commit.record
    step = redecide(before, stored, commit.private, registry, seed)
    redone = log_pb2.CommitRecord()
    command = stored.WhichOneof("command")
    assert command is not None, "redecide refuses a record without a command"
    if command == "game_command":
        redone.game_command.CopyFrom(log_pb2.GameCommand(decision_id=stored.game_command.decision_id))
    elif command not in ("expiry", "programmed"):  # what clock and programmes have done is decided again altogether
        getattr(redone, command).CopyFrom(getattr(stored, command))
    origin = commits.Origin(stored.actor, stored.command_key, stored.time_us, stored.time_source)
    encoded = commits.encode(step, redone, origin, commit.previous, seed)
    if difference := first_difference(stored, redone):
        raise Fault(commit.revision, f"its command, decided again, gives another {difference}")
    private = log_pb2.PrivateRecord.FromString(encoded.private)
    if not report.redacted and (difference := first_difference(commit.private, private)):
        raise Fault(commit.revision, f"its command, decided again, gives another private {difference}")
    report.commands += 1
    report.draws += len(step.draw_bounds)
    report.scores += command in ("round_award", "final_score")
    return private


def _published_seed(record: log_pb2.CommitRecord) -> bytes | None:
    for event in record.table_events:
        if event.WhichOneof("kind") == "game_closed":
            return event.game_closed.seed
    return None


def _seed_commitment(record: log_pb2.CommitRecord) -> bytes:
    return record.table_events[0].table_opened.seed_commitment if record.table_events else b""
