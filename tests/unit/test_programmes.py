"""Programmes in the rules: what follows from one, how it folds and is told, and that one which lied is found out."""

import io

import pytest

from tests.conformance.sealed_bids import Bid, SealedBids
from tests.support.recording import Recording, open_game, record_due
from wellhead.v1 import game_pb2, log_pb2
from wellhead_rules.kernel import commits, programming, table
from wellhead_rules.kernel.programmes import Programme, Stop, verdict
from wellhead_rules.kernel.ruleset import Owed
from wellhead_rules.kernel.table import Status, Step, Table
from wellhead_rules.kernel.violations import CorruptRecord, RuleViolation
from wellhead_runtime import notation
from wellhead_runtime.proof import Fault, export_chunks, verify

TOY = SealedBids()
UNTIL_2 = log_pb2.SetProgramme(pass_until_round=game_pb2.PassUntilRound(round=2))
BID_3 = log_pb2.SetProgramme(when=game_pb2.WhenAsked(decision_kind="bid", option_id=TOY.option_id(Bid(3))))
BY_PROGRAMME = log_pb2.Actor(service="programmes")


def begun() -> Recording:
    recording = open_game(2, TOY.name, {TOY.name: TOY})  # type: ignore[dict-item]
    step = table.start_game(recording.table, recording.registry, recording.seed)
    start = log_pb2.TableCommand(start=log_pb2.StartGame())
    recording.commit(step, log_pb2.Actor(user="organiser"), table_command=start)
    return recording


def bid(recording: Recording, seat: int, round: int, amount: int) -> None:
    step = table.answer(recording.table, seat, round, Bid(amount), recording.seed)
    recording.commit(step, log_pb2.Actor(seat=seat), game_command=log_pb2.GameCommand(decision_id=round))


def file(recording: Recording, seat: int, plan: log_pb2.SetProgramme) -> None:
    command = log_pb2.SetProgramme()
    command.CopyFrom(plan)
    command.revision = recording.table.revision
    step = programming.set_programme(recording.table, seat, command, recording.registry)
    recording.commit(step, log_pb2.Actor(seat=seat), table_command=log_pb2.TableCommand(set_programme=command))


def act(recording: Recording) -> Step:
    due = recording.table.programmes_due[0]
    step = programming.act(recording.table, due.seat, due.revision, recording.registry, recording.seed)
    recording.commit(step, BY_PROGRAMME)
    return step


def played() -> Recording:
    """A programme passes and has reached its round, another waits."""
    recording = begun()
    file(recording, 0, UNTIL_2)
    act(recording)
    bid(recording, 1, 1, 4)
    act(recording)
    bid(recording, 0, 2, 4)
    file(recording, 0, BID_3)
    return recording


def to_the_end(recording: Recording) -> Recording:
    while recording.table.status is Status.RUNNING:
        if recording.table.programmes_due:
            act(recording)
            continue
        due = recording.table.owed[0]
        bid(recording, due.seat, due.decision_id, min(recording.table.game.hands[due.seat]))
    record_due(recording)
    return recording


def test_what_is_folded_is_what_was_decided() -> None:
    recording = played()
    folded = Table(recording.game_id)
    for entry in recording.entries:
        commits.fold(folded, *commits.decode(entry.public, entry.private), recording.registry)
    now = recording.table
    assert (folded.programmes, folded.programme_facts, folded.round) == (now.programmes, now.programme_facts, now.round)
    assert list(now.programmes) == [0] and now.programme_facts == 3 and now.round == 2


@pytest.mark.parametrize(
    ("programme", "owed", "round", "wanted"),
    [
        (Programme(0, 1, round=2), [], 1, None),
        (Programme(0, 1, round=2), [Owed(1, 1, "bid")], 1, None),
        (Programme(0, 1, round=2), [Owed(1, 0, "bid")], 1, (1, Bid(1), None)),
        (Programme(0, 1, round=2), [Owed(2, 0, "bid")], 2, (0, None, Stop.REACHED)),
        (Programme(0, 1, round=2), [], 3, (0, None, Stop.REACHED)),
        (Programme(0, 1, 0, "bid", "bid:3"), [], 1, None),
        (Programme(0, 1, 0, "bid", "bid:3"), [Owed(1, 0, "bid")], 1, (1, Bid(3), Stop.REACHED)),
        (Programme(0, 1, 0, "bid", "bid:9"), [Owed(1, 0, "bid")], 1, (1, None, Stop.NOT_OFFERED)),
        (Programme(0, 1, 0, "bid", "bid:3"), [Owed(1, 0, "duel")], 1, (1, None, Stop.UNFORESEEN)),
    ],
)
def test_what_follows_from_a_programme(
    programme: Programme, owed: list[Owed], round: int, wanted: tuple[object, ...] | None
) -> None:
    found = verdict(programme, TOY, begun().table.game, owed, round)  # type: ignore[arg-type]
    assert (found and (found.decision_id, found.command, found.stop)) == wanted
    assert Programme.of(programme.to_proto()) == programme


def test_a_programme_of_an_unknown_kind_is_not_folded() -> None:
    with pytest.raises(CorruptRecord):
        Programme.of(game_pb2.Programme(seat=0, revision=1))


def test_what_is_not_due_is_not_done() -> None:
    recording = begun()
    for seat in (0, 1):
        with pytest.raises(RuleViolation, match="STALE_DECISION"):
            programming.act(recording.table, seat, 2, recording.registry, recording.seed)
    file(recording, 0, BID_3)
    with pytest.raises(RuleViolation, match="STALE_DECISION"):  # another programme of the seat
        programming.act(recording.table, 0, 1, recording.registry, recording.seed)


def test_it_is_told_in_words_and_what_it_does_in_secret_is_hidden() -> None:
    recording = to_the_end(played())
    now, told = Table(recording.game_id), []
    for entry in recording.entries:
        record, private = commits.decode(entry.public, entry.private)
        command = notation.command(now, record, private, None)
        events = commits.fold(now, record, private, recording.registry)
        told.append((notation.actor(now, record.actor), command, *notation.facts(now, record, events, None)))
        if record.programmed.redacted:
            seen = {viewer: commits.command_of(TOY, record, private, viewer) for viewer in (0, 1, None)}  # type: ignore[arg-type]
            assert seen[0] != seen[1] == seen[None]
    assert ("0", "set a programme", "programme: 0 passes until round 2") in told
    assert ("0", "set a programme", "programme: 0 chooses bid:3 when asked for bid") in told
    stopped = ("programmes", "programme: 0: stop", "programme of 0 stopped: it has done what it was for")
    assert stopped in told
    assert any(line[0] == "programmes" and line[1].startswith("programme: 0: ") for line in told if line != stopped)


@pytest.mark.req("R-PROOF-1")
def test_the_whole_game_is_proved() -> None:
    recording = to_the_end(played())
    content = b"".join(export_chunks(recording.game_id, recording.entries, redacted=False))
    report = verify(io.BytesIO(content), recording.registry)
    assert report.ended and report.commands == len(recording.entries) and not report.unproved


@pytest.mark.req("R-PROOF-1")
@pytest.mark.parametrize("forged", [Bid(2), None])
def test_a_programme_that_did_something_else_is_found(forged: Bid | None) -> None:
    """It bids what nobody has filed, or stops where it was to bid."""
    recording = played()
    bid(recording, 1, 2, 3)
    due = recording.table.programmes_due[0]
    step = programming.act(recording.table, due.seat, due.revision, recording.registry, recording.seed)
    if forged is not None:
        honest = table.answer(recording.table, 0, 3, forged, recording.seed)
        honest.programmed, step = step.programmed, honest
    else:
        step = Step(recording.table.clone(), [], [], [], programmed=step.programmed)
        stopped = log_pb2.ProgrammeStopped(seat=0, cause=game_pb2.PROGRAMME_STOP_UNFORESEEN)
        step.table_events = [log_pb2.TableEvent(programme_stopped=stopped)]
        step.table.fold_table_event(step.table_events[0], recording.registry)
    recording.commit(step, BY_PROGRAMME)
    at = recording.table.revision
    to_the_end(recording)
    content = b"".join(export_chunks(recording.game_id, recording.entries, redacted=False))
    with pytest.raises(Fault, match="decided again") as found:
        verify(io.BytesIO(content), recording.registry)
    assert found.value.revision == at


def test_whoever_files_one_is_back_at_the_table() -> None:
    recording = begun()
    taken = log_pb2.TableEvent(seat_taken_over=log_pb2.SeatTakenOver(seat=0, bot="random"))
    recording.table.fold_table_event(taken, recording.registry)
    command = log_pb2.SetProgramme(when=BID_3.when, revision=recording.table.revision)
    step = programming.set_programme(recording.table, 0, command, recording.registry)
    assert [each.WhichOneof("kind") for each in step.table_events] == ["seat_returned", "programme_set"]
    assert not step.table.absent and list(step.table.programmes) == [0]
