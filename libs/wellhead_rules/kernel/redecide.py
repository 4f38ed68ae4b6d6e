"""Deciding a stored commit again, for verifiers: the same command on the same table must give the same bytes."""

from collections.abc import Mapping

from wellhead.v1 import log_pb2
from wellhead_rules.kernel import commits, expiry, programming, table, undo
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.kernel.table import Step, Table
from wellhead_rules.kernel.violations import CorruptRecord


def redecide(
    before: Table | None,
    record: log_pb2.CommitRecord,
    private: log_pb2.PrivateRecord,
    registry: Mapping[str, Ruleset],
    seed: bytes,
) -> Step:
    """The step that the stored command makes on `before`, None for the first commit; RuleViolation if illegal.

    A command that is redacted in the record is taken from its private part.
    """
    kind = record.WhichOneof("command")
    if kind == "table_command":
        return _table_command(before, record, registry, seed)
    if before is None:
        raise CorruptRecord(record.revision, "the first commit does not open a table")
    if kind == "game_command":
        command = commits.command_of(before.ruleset, record, private, record.actor.seat)
        return table.answer(before, record.actor.seat, record.game_command.decision_id, command, seed)
    if kind == "expiry":
        return _expiry(before, record, private, registry, seed)
    if kind == "programmed":
        done = record.programmed
        return programming.act(before, done.seat, done.programme_revision, registry, seed)
    if kind == "clock_credit":
        if any(each.until_us > record.time_us for each in record.clock_credit.downtimes):
            raise CorruptRecord(record.revision, "it gives back time that has not passed")
        return expiry.credit(before, record.clock_credit, registry)
    if kind == "round_award":
        lines = [commits.score_line_from_proto(line) for line in record.round_award.lines]
        return table.record_award(before, record.round_award.round, lines)
    if kind == "final_score":
        return table.record_final(before, commits.score_card_from_proto(record.final_score), registry, seed)
    raise CorruptRecord(record.revision, "it names no command that this version knows")


def _expiry(
    before: Table, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, registry: Mapping[str, Ruleset],
    seed: bytes,
) -> Step:  # fmt: skip
    """Only the choice of a bot is taken from the record: it is good if it was legal. All else is decided again."""
    stored = record.expiry
    by_bot = stored.HasField("take_over")
    chosen = commits.command_of(before.ruleset, record, private, stored.seat) if by_bot else None
    return expiry.expire(before, stored.seat, stored.decision_id, chosen, record.time_us, registry, seed)


def _table_command(
    before: Table | None, record: log_pb2.CommitRecord, registry: Mapping[str, Ruleset], seed: bytes
) -> Step:
    command = record.table_command
    kind = command.WhichOneof("kind")
    if kind == "open":
        key_id = record.table_events[0].table_opened.key_id if record.table_events else ""
        return table.open_table(record.game_id, command.open, record.actor.user, registry, seed, key_id)
    if before is None:
        raise CorruptRecord(record.revision, "the first commit does not open a table")
    if kind == "take_seat":
        return table.take_seat(before, command.take_seat, registry, seed)
    if kind == "leave_seat":
        return table.leave_seat(before, command.leave_seat, registry)
    if kind == "start":
        return table.start_game(before, registry, seed)
    if kind == "resign":
        return expiry.resign(before, command.resign.seat, registry, seed)
    if kind == "return_to_seat":
        return expiry.return_to_seat(before, command.return_to_seat.seat, registry)
    if kind == "invite":
        return table.invite_player(before, command.invite, registry)
    if kind == "withdraw":
        return table.withdraw_invitation(before, command.withdraw, registry)
    if kind == "close":
        return table.close_table(before, registry)
    if kind == "request_undo":
        return undo.request_undo(before, record.actor.seat, command.request_undo, registry)
    if kind == "answer_undo":
        return undo.answer_undo(before, record.actor.seat, command.answer_undo, registry)
    if kind == "set_programme":
        return programming.set_programme(before, record.actor.seat, command.set_programme, registry)
    if kind == "stop_programme":
        return programming.stop_programme(before, record.actor.seat, registry)
    raise CorruptRecord(record.revision, "it names no table command that this version knows")
