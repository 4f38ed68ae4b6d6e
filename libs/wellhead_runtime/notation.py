"""A game in words, commit by commit: who acted, what was asked, what happened."""

from collections.abc import Iterable

from wellhead.v1 import game_pb2, log_pb2
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.programmes import Stop
from wellhead_rules.kernel.ruleset import Event, Viewer
from wellhead_rules.kernel.table import Table
from wellhead_runtime import viewing


def actor(table: Table, sender: log_pb2.Actor) -> str:
    """Who sent a command: a colour once the game has begun, before that a name; or a service."""
    if sender.WhichOneof("kind") != "seat":
        return sender.user or sender.service
    holder = table.seats[sender.seat]
    return viewing.colours(table)[sender.seat] or (holder.player if holder else f"seat {sender.seat}")


def command(before: Table, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, viewer: Viewer) -> str:
    """What was asked, as the viewer may see it, on the table as it was before."""
    match record.WhichOneof("command"):
        case "game_command":
            ruleset = before.ruleset
            return ruleset.option_label(before.game, commits.command_of(ruleset, record, private, viewer))
        case "expiry":
            return _expiry(before, record, private, viewer)
        case "programmed":
            return _programmed(before, record, private, viewer)
        case "clock_credit":
            seconds = sum(each.until_us - each.from_us for each in record.clock_credit.downtimes) / 1_000_000
            return f"give back {seconds:.1f} seconds in which the service was down"
        case "round_award":
            return f"record the award of round {record.round_award.round}"
        case "final_score":
            return "record the final score"
    match record.table_command.WhichOneof("kind"):
        case "open":
            return "open the table"
        case "take_seat":
            return f"take seat {record.table_command.take_seat.seat}"
        case "leave_seat":
            return f"leave seat {record.table_command.leave_seat.seat}"
        case "resign":
            return "resign"
        case "return_to_seat":
            return "return to the seat"
        case "invite":
            return f"invite {record.table_command.invite.player} to seat {record.table_command.invite.seat}"
        case "withdraw":
            return f"withdraw the invitation to seat {record.table_command.withdraw.seat}"
        case "close":
            return "close the table"
        case "request_undo":
            return f"ask to go back to revision {record.table_command.request_undo.target_revision}"
        case "answer_undo":
            return "agree to take it back" if record.table_command.answer_undo.agree else "take nothing back"
        case "set_programme":
            return "set a programme"
        case "stop_programme":
            return "stop the programme"
    return "start the game"


def _programmed(before: Table, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, viewer: Viewer) -> str:
    """What a programme has done, in words like `programme: green: End the turn`."""
    done, ruleset = record.programmed, before.ruleset
    who = viewing.colours(before)[done.seat]
    if not done.HasField("command"):
        return f"programme: {who}: stop"
    label = ruleset.option_label(before.game, commits.command_of(ruleset, record, private, viewer))
    return f"programme: {who}: {label}"


def _expiry(before: Table, record: log_pb2.CommitRecord, private: log_pb2.PrivateRecord, viewer: Viewer) -> str:
    """Why the clock has acted for a seat, and how, in words like `time over: green passes: End the turn`."""
    expiry, ruleset = record.expiry, before.ruleset
    who = viewing.colours(before)[expiry.seat]
    why = "" if expiry.seat in before.absent else "time over: "
    match expiry.WhichOneof("resolution"):
        case "abort":
            return f"{why}the game is broken off"
        case "resignation":
            return f"{why}{who} resigns"
        case "take_over":
            how = f"{expiry.take_over.bot} plays for {who}"
        case _:
            how = f"{who} passes"
    label = ruleset.option_label(before.game, commits.command_of(ruleset, record, private, viewer))
    return f"{why}{how}: {label}"


def facts(after: Table, record: log_pb2.CommitRecord, events: Iterable[Event], viewer: Viewer) -> list[str]:
    """What happened, as the viewer may see it, on the table as it is afterwards; a line a fact."""
    lines = [_table_fact(after, event) for event in record.table_events]
    lines += [after.ruleset.describe(after.game, after.ruleset.redact(event, viewer)) for event in events]
    return [line for line in lines if line]


def _table_fact(table: Table, event: log_pb2.TableEvent) -> str:
    match event.WhichOneof("kind"):
        case "seat_taken_over":
            taken = event.seat_taken_over
            return f"{taken.bot} plays for {viewing.colours(table)[taken.seat]} from now on"
        case "seat_returned":
            return f"{viewing.colours(table)[event.seat_returned.seat]} is back"
        case "seat_resigned":
            return f"{viewing.colours(table)[event.seat_resigned.seat]} has resigned"
        case "game_aborted":
            return "the game is broken off"
        case "clock_credited":
            colours, given = viewing.colours(table), event.clock_credited.seats
            return "time is given back: " + ", ".join(f"{colours[each.seat]} {each.us / 1e6:.1f} s" for each in given)
        case "table_opened":
            opened = event.table_opened
            return f"a table of {opened.game} with {opened.seat_count} seats is open"
        case "seat_taken":
            return f"{event.seat_taken.player} takes seat {event.seat_taken.seat}"
        case "seat_left":
            return f"seat {event.seat_left.seat} is free again"
        case "seat_reserved":
            return f"seat {event.seat_reserved.seat} is kept for {event.seat_reserved.player}"
        case "invitation_withdrawn":
            withdrawn = event.invitation_withdrawn
            return f"seat {withdrawn.seat} is kept for {withdrawn.player} no longer"
        case "table_abandoned":
            return "the table is closed, its game never started"
        case "game_started":
            return "the game starts"
        case "undo_requested":
            asked = event.undo_requested
            return f"{viewing.colours(table)[asked.seat]} asks to go back to revision {asked.target_revision}"
        case "undo_answered":
            answered = event.undo_answered
            return f"{viewing.colours(table)[answered.seat]} agrees" if answered.agree else "nothing is taken back"
        case "undone":
            return f"taken back to revision {event.undone.target_revision}"
        case "programme_set":
            return f"programme: {viewing.colours(table)[event.programme_set.seat]} {_plan(event.programme_set)}"
        case "programme_stopped":
            stopped = event.programme_stopped
            return f"programme of {viewing.colours(table)[stopped.seat]} stopped: {_WHY[Stop(stopped.cause)]}"
    return "the game is closed and its seed published"


_WHY = {
    Stop.REACHED: "it has done what it was for",
    Stop.NOT_OFFERED: "option not offered",
    Stop.UNFORESEEN: "a decision it did not foresee",
    Stop.OWN_COMMAND: "the player decides",
    Stop.UNDONE: "commands are taken back",
    Stop.RESIGNED: "the seat has resigned",
    Stop.AWAY: "time over",
    Stop.STOPPED: "the player has stopped it",
}


def _plan(programme: game_pb2.Programme) -> str:
    if programme.HasField("pass_until_round"):
        return f"passes until round {programme.pass_until_round.round}"
    return f"chooses {programme.when.option_id} when asked for {programme.when.decision_kind}"
