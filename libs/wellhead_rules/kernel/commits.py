"""From a step to the bytes of a commit, and back.

The public bytes are what digests are computed from; they are encoded once, here, and only copied afterwards. What a
single seat may see is cut out of them into private parts; the public bytes carry a salted commitment to each, so that a
redacted copy verifies and the full copy proves the redaction.
"""

import hashlib
from collections.abc import Mapping

from msgspec import Struct

from wellhead.v1 import game_pb2, log_pb2
from wellhead_rules.kernel.chance import salt
from wellhead_rules.kernel.ruleset import Command, Event, Ruleset, Viewer
from wellhead_rules.kernel.scores import Rank, ScoreCard, ScoreLine
from wellhead_rules.kernel.stretch import is_barrier
from wellhead_rules.kernel.table import Step, Table
from wellhead_rules.kernel.violations import CorruptRecord

_PADDED_TO = 64
"""Bytes; every private part of a commit with a hidden command is as long as a multiple of it."""


class Origin(Struct, frozen=True):
    """Who sent a command, under which key, and when: microseconds since the Unix epoch, from which clock."""

    actor: log_pb2.Actor
    command_key: bytes
    time_us: int
    time_source: str = "command-service"


class CommitBytes(Struct, frozen=True):
    """The stored form of a commit; `private` is empty when nothing is hidden."""

    public: bytes
    private: bytes


def private_commitment(salt: bytes, body: bytes) -> bytes:
    """The salted commitment to a private part, 32 bytes; the salt has a fixed length, so the framing is unambiguous."""
    return hashlib.sha256(b"wellhead/v1/private-part" + salt + body).digest()


def encode(
    step: Step, record: log_pb2.CommitRecord, origin: Origin, previous_digest: bytes, seed: bytes
) -> CommitBytes:
    """The bytes of the commit after `previous_digest`.

    `record` says already what kind of command it was; a player's command itself, and all the rest, is filled in.

    Maps are written in order, so that the same step gives the same bytes wherever it is taken.
    Stamps revision and time on the step's table.
    """
    table = step.table
    if step.events:
        _note_move(step, record, origin.actor)
    table.revision += 1
    table.updated_us = origin.time_us
    if table.revision == 1:
        table.created_us = origin.time_us
    table.undoing = table.undoing.stamped(table.revision)
    table.pass_time(origin.time_us, step.events)
    if step.expiry is not None:
        record.expiry.CopyFrom(step.expiry)
    if step.programmed is not None:
        record.programmed.CopyFrom(step.programmed)
    record.game_id = table.game_id
    record.revision = table.revision
    record.previous_digest = previous_digest
    record.time_us = origin.time_us
    record.time_source = origin.time_source
    record.actor.CopyFrom(origin.actor)
    record.command_key = origin.command_key
    record.rules_version = table.rules_version
    record.table_events.extend(step.table_events)
    record.draw_bounds.extend(step.draw_bounds)
    private = log_pb2.PrivateRecord()
    if step.command is not None:
        _encode_command(step, record, private, seed)
    if step.events:
        _encode_events(step, record, private, seed)
    return CommitBytes(record.SerializeToString(deterministic=True), private.SerializeToString(deterministic=True))


def _note_move(step: Step, record: log_pb2.CommitRecord, actor: log_pb2.Actor) -> None:
    """What the step leaves to be taken back; `fold` comes to the same."""
    table, ruleset = step.table, step.table.ruleset
    seat = _player_of(record, actor)
    if step.before is None or is_barrier(ruleset, step.events, len(step.draw_bounds)):
        seat = None
    elif list(ruleset.scoring_due(step.before)) != list(table.scoring_due):
        seat = None  # a score that is due counts what has been played
    table.undoing = table.undoing.moved(seat, step.before, step.events)


def _player_of(record: log_pb2.CommitRecord, actor: log_pb2.Actor) -> int | None:
    """The seat whose own command it is."""
    own = record.HasField("game_command") and actor.WhichOneof("kind") == "seat"
    return actor.seat if own else None


def _encode_command(step: Step, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, seed: bytes) -> None:
    ruleset, (seat, stored) = step.table.ruleset, asked_of(record)
    public_command = ruleset.redact_command(step.command)
    stored.command.CopyFrom(ruleset.command_to_proto(public_command))
    if public_command is not step.command:
        stored.redacted = True
        body = log_pb2.PrivateBody(seat=seat, command=ruleset.command_to_proto(step.command))
        _add_part(step, record, private, body, seed)


def _encode_events(step: Step, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, seed: bytes) -> None:
    ruleset = step.table.ruleset
    public_events = step.events
    for index, event in enumerate(step.events):
        seat = ruleset.hidden_from(event)
        if seat is None:
            continue
        if public_events is step.events:
            public_events = list(step.events)
        public_events[index] = ruleset.redact(event, None)
        body = log_pb2.PrivateBody(seat=seat, event_index=index, event=ruleset.events_to_proto([event]))
        _add_part(step, record, private, body, seed)
    record.events.CopyFrom(ruleset.events_to_proto(public_events))


def _add_part(
    step: Step, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, body: log_pb2.PrivateBody, seed: bytes
) -> None:
    if asked_of(record)[1].redacted:  # two bytes are those of the field's own tag and length
        body.padding = bytes(1 + -(body.ByteSize() + 3) % _PADDED_TO)
    encoded = body.SerializeToString(deterministic=True)
    part_salt = salt(seed, step.table.revision, len(private.parts))
    private.parts.add(salt=part_salt, body=encoded)
    record.private_commitments.append(private_commitment(part_salt, encoded))


def decode(public: bytes, private: bytes = b"") -> tuple[log_pb2.CommitRecord, log_pb2.PrivateRecord]:
    """The records in stored bytes; CorruptRecord if they are not protobuf."""
    try:
        return log_pb2.CommitRecord.FromString(public), log_pb2.PrivateRecord.FromString(private)
    except Exception as error:
        raise CorruptRecord(0, f"the stored bytes are not a commit: {error}") from error


def events_of(
    ruleset: Ruleset, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, viewer: int | None = None,
    everything: bool = False,
) -> list[Event]:  # fmt: skip
    """The facts of a commit as a viewer may see them, or with `everything` all that is stored."""
    events = ruleset.events_from_proto(record.events) if record.HasField("events") else []
    for part in private.parts:
        body = log_pb2.PrivateBody.FromString(part.body)
        if body.HasField("event") and (everything or body.seat == viewer):
            (events[body.event_index],) = ruleset.events_from_proto(body.event)
    return events


def command_of(
    ruleset: Ruleset, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, viewer: Viewer
) -> Command:
    """The command of a seat in a commit as a viewer may see it: whole for that seat, as far as it is stored."""
    seat, stored = asked_of(record)
    if stored.redacted and viewer == seat:
        for part in private.parts:
            body = log_pb2.PrivateBody.FromString(part.body)
            if body.HasField("command"):
                return ruleset.command_from_proto(body.command)
    return ruleset.command_from_proto(stored.command)


def asked_of(record: log_pb2.CommitRecord) -> tuple[int, log_pb2.GameCommand | log_pb2.Expiry | log_pb2.Programmed]:
    """The seat whose command of the game it is, and where that stands: its player's, or the answer of the clock or of a
    programme for it."""
    if record.HasField("programmed"):
        return record.programmed.seat, record.programmed
    if record.HasField("expiry"):
        return record.expiry.seat, record.expiry
    return record.actor.seat, record.game_command


def fold(
    table: Table, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, registry: Mapping[str, Ruleset]
) -> list[Event]:
    """Folds a stored commit into the table; its facts, hidden parts included as far as they are stored."""
    if record.revision != table.revision + 1:
        raise CorruptRecord(record.revision, f"it follows revision {table.revision}")
    table.revision = record.revision
    table.updated_us = record.time_us
    if table.revision == 1:
        table.created_us = record.time_us
    for table_event in record.table_events:
        table.fold_table_event(table_event, registry)
    table.draws += len(record.draw_bounds)
    events = _fold_events(table, record, private) if record.HasField("events") else []
    table.undoing = table.undoing.stamped(table.revision)
    table.pass_time(record.time_us, events)
    if record.HasField("final_score"):
        table.ranking = score_card_from_proto(record.final_score).ranking
    return events


def _fold_events(table: Table, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord) -> list[Event]:
    events = events_of(table.ruleset, record, private, everything=True)
    evolve, game, due = table.ruleset.evolve, table.game, list(table.scoring_due)
    seat = _player_of(record, record.actor)
    if seat is not None and is_barrier(table.ruleset, events, len(record.draw_bounds)):
        seat = None
    # What the seat can take back already begins earlier: no copy is needed then.
    before = table.ruleset.clone(game) if seat is not None and table.undoing.of(seat) is None else None
    for event in events:
        evolve(game, event)
    if list(table.scoring_due) != due:
        seat = None
    table.undoing = table.undoing.moved(seat, before, events)
    return events


# -- scores at the edge ----------------------------------------------------------------------------------------


def score_line_to_proto(line: ScoreLine) -> game_pb2.ScoreLine:
    """A score line as it travels."""
    return game_pb2.ScoreLine(
        seat=line.seat, category=line.category, points=line.points, clause=line.clause, source_id=line.source_id
    )


def score_line_from_proto(line: game_pb2.ScoreLine) -> ScoreLine:
    """A score line that has travelled."""
    return ScoreLine(line.seat, line.category, line.points, line.clause, line.source_id)


def rank_to_proto(rank: Rank) -> game_pb2.RankedSeat:
    """A place in the ranking as it travels."""
    return game_pb2.RankedSeat(seat=rank.seat, total=rank.total, shared=rank.shared)


def score_card_to_proto(card: ScoreCard, revision: int) -> game_pb2.ScoreCard:
    """A score card as it travels, with the revision of the state it was computed from."""
    return game_pb2.ScoreCard(
        revision=revision,
        lines=map(score_line_to_proto, card.lines),
        ranking=map(rank_to_proto, card.ranking),
    )


def score_card_from_proto(card: game_pb2.ScoreCard) -> ScoreCard:
    """A score card that has travelled."""
    return ScoreCard(
        tuple(map(score_line_from_proto, card.lines)),
        tuple(Rank(rank.seat, rank.total, rank.shared) for rank in card.ranking),
    )
