"""A command with a secret: only its sender can read it, and it is proved all the same (R-RULES-7, R-PROOF-3)."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conformance.sealed_bids import BIDS, Bid, Concede, SealedBids
from tests.support.recording import Recording, open_game, play
from wellhead.v1 import log_pb2
from wellhead_cli import show
from wellhead_eventlog import chain
from wellhead_eventlog.port import GENESIS, Entry
from wellhead_rules.kernel import commits, table
from wellhead_rules.kernel.table import Table
from wellhead_runtime import notation
from wellhead_runtime.proof import Fault, Report, export_chunks, verify

GAME = SealedBids()
REGISTRY = {GAME.name: GAME}


def recorded(commands: int | None = None) -> Recording:
    recording = open_game(3, GAME.name, REGISTRY, "hidden commands")  # type: ignore[arg-type]
    play(recording, seed=4, commands=commands)  # one in which points are conceded
    return recording


def bidding(amount: int) -> Entry:
    """The commit of the game's first bid."""
    recording = recorded(commands=0)
    owed = recording.table.owed[0]
    step = table.answer(recording.table, owed.seat, owed.decision_id, Bid(amount), recording.seed)
    asked = log_pb2.GameCommand(decision_id=owed.decision_id)
    recording.commit(step, log_pb2.Actor(seat=owed.seat), game_command=asked)
    return recording.entries[-1]


def prove(recording: Recording, entries: list[Entry] | None = None, redacted: bool = False) -> Report:
    stored = recording.entries if entries is None else entries
    content = b"".join(export_chunks(recording.game_id, stored, redacted))
    return verify(io.BytesIO(content), REGISTRY)  # type: ignore[arg-type]


def folded(entries: list[Entry]) -> Table:
    result = Table("hidden commands")
    for entry in entries:
        commits.fold(result, *commits.decode(entry.public, entry.private), REGISTRY)  # type: ignore[arg-type]
    return result


@pytest.mark.req("R-RULES-7")
def test_only_the_sender_reads_the_whole_command() -> None:
    record, private = commits.decode(bidding(3).public, bidding(3).private)
    assert record.game_command.redacted
    assert GAME.command_from_proto(record.game_command.command) == Bid(None)
    seen = {viewer: commits.command_of(GAME, record, private, viewer) for viewer in (0, 1, 2, None)}
    assert seen == {0: Bid(3), 1: Bid(None), 2: Bid(None), None: Bid(None)}
    left_out = log_pb2.PrivateRecord()
    assert commits.command_of(GAME, record, left_out, 0) == Bid(None)
    before = recorded(commands=0).table
    words = {viewer: notation.command(before, record, private, viewer) for viewer in (0, 1, None)}
    assert words[1] == words[None] != words[0]


@pytest.mark.req("R-RULES-7")
def test_nothing_of_a_commit_but_its_commitments_and_private_bodies_depends_on_the_secret() -> None:
    public, sizes = set(), set()
    for entry in map(bidding, BIDS):
        record, private = commits.decode(entry.public, entry.private)
        assert len(record.private_commitments) == len(private.parts) == 2  # the command, and the fact
        sizes.add((len(entry.public), len(entry.private), *(len(part.body) % 64 for part in private.parts)))
        del record.private_commitments[:]
        public.add((record.SerializeToString(deterministic=True), entry.mark))
    assert len(public) == len(sizes) == 1
    assert sizes.pop()[2:] == (0, 0)


def test_a_command_without_a_secret_has_no_private_part() -> None:
    stored = [commits.decode(entry.public, entry.private) for entry in recorded().entries]
    asked = [(record, private) for record, private in stored if record.HasField("game_command")]
    conceded = [
        (record, private)
        for record, private in asked
        if GAME.command_from_proto(record.game_command.command) == Concede()
    ]
    assert 0 < len(conceded) < len(asked)
    assert not any(record.game_command.redacted or private.parts for record, private in conceded)


@pytest.mark.req("R-RULES-1", "R-RULES-5")
def test_a_game_goes_on_from_its_bytes_with_its_secrets() -> None:
    recording = recorded()
    for reached in range(2, len(recording.entries)):
        resumed = folded(recording.entries[:reached])
        other = recorded(commands=0)
        other.entries, other.table = recording.entries[:reached], resumed
        play_on(other)
        assert other.table.status is table.Status.ENDED
        assert prove(other).unproved == []
    assert GAME.snapshot(folded(recording.entries).game) == GAME.snapshot(recording.table.game)


def play_on(recording: Recording) -> None:
    """Plays a game that has started to its end, the first answer each time."""
    while owed := recording.table.owed:
        seat, number = owed[-1].seat, owed[-1].decision_id
        step = table.answer(recording.table, seat, number, GAME.legal(recording.table.game, seat)[0], recording.seed)
        asked = log_pb2.GameCommand(decision_id=number)
        recording.commit(step, log_pb2.Actor(seat=seat), game_command=asked)
    card = GAME.score(recording.table.game)
    step = table.record_final(recording.table, card, REGISTRY, recording.seed)  # type: ignore[arg-type]
    score = commits.score_card_to_proto(card, recording.table.revision)
    recording.commit(step, log_pb2.Actor(service="scoring"), final_score=score)


@pytest.mark.req("R-PROOF-3")
def test_the_full_export_proves_every_command() -> None:
    recording = recorded()
    report = prove(recording)
    assert report.unproved == []
    assert report.commands == report.revisions
    assert report.private_parts == 2 * 9


@pytest.mark.req("R-PROOF-3")
def test_a_redacted_export_of_a_running_game_verifies() -> None:
    report = prove(recorded(commands=7), redacted=True)
    assert (report.private_parts, report.commands, report.ended) == (0, 0, False)
    assert report.facts > 7


@pytest.mark.req("R-PROOF-3")
def test_a_redacted_export_of_an_ended_game_is_proved_up_to_its_first_hidden_command() -> None:
    recording = recorded()
    report = prove(recording, redacted=True)
    assert (report.commands, report.ended) == (2, True)
    assert report.ranking == recording.table.ranking
    assert "from revision 3 on" in report.unproved[0]


@pytest.mark.req("R-RULES-7")
def test_an_export_is_shown_with_the_commands_that_are_in_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(show, "RULESETS", REGISTRY)
    recording, file = recorded(commands=3), tmp_path / "game.wellhead"
    for redacted in (False, True):
        file.write_bytes(b"".join(export_chunks(recording.game_id, recording.entries, redacted)))
        show.run(file, facts=False)
        assert capsys.readouterr().out.count("Bid in secret") == (3 if redacted else 0)


# -- what was forged: the chain and the commitments fit, the game does not ---------------------------------------------


def forged(recording: Recording, change: Callable[[log_pb2.CommitRecord, list[log_pb2.PrivateBody]], None]) -> int:
    """The revision at which a fault is found, after a change to the first hidden command; everything else fits."""
    entries, head, changed = [], GENESIS, False
    for entry in recording.entries:
        record, private = commits.decode(entry.public, entry.private)
        record.previous_digest = head.digest
        if record.game_command.redacted and not changed:
            changed = True
            bodies = [log_pb2.PrivateBody.FromString(part.body) for part in private.parts]
            change(record, bodies)
            del record.private_commitments[:]
            for part, body in zip(private.parts, bodies, strict=True):
                part.body = body.SerializeToString(deterministic=True)
                record.private_commitments.append(commits.private_commitment(part.salt, part.body))
        public, hidden = record.SerializeToString(deterministic=True), private.SerializeToString(deterministic=True)
        entry = replace(entry, public=public, private=hidden, digest=chain.digest(head.digest, public))
        entries.append(entry)
        head = entry.head
    with pytest.raises(Fault) as found:
        prove(recording, entries)
    return found.value.revision


def _another_bid(record: log_pb2.CommitRecord, bodies: list[log_pb2.PrivateBody]) -> None:
    (bid,) = [body for body in bodies if body.HasField("command")]
    bid.command.oil_rock.choose_option.index = bid.command.oil_rock.choose_option.index % 4 + 1


def _another_reader(record: log_pb2.CommitRecord, bodies: list[log_pb2.PrivateBody]) -> None:
    bodies[0].seat += 1


def _padded(record: log_pb2.CommitRecord, bodies: list[log_pb2.PrivateBody]) -> None:
    bodies[0].padding += bytes(64)


def _called_whole(record: log_pb2.CommitRecord, bodies: list[log_pb2.PrivateBody]) -> None:
    record.game_command.redacted = False


def _told_to_all(record: log_pb2.CommitRecord, bodies: list[log_pb2.PrivateBody]) -> None:
    record.game_command.command.CopyFrom(bodies[0].command)


@pytest.mark.req("R-PROOF-1", "R-PROOF-3")
@pytest.mark.parametrize("change", [_another_bid, _another_reader, _padded, _called_whole, _told_to_all])
def test_a_forged_hidden_command_is_found(
    change: Callable[[log_pb2.CommitRecord, list[log_pb2.PrivateBody]], None],
) -> None:
    assert forged(recorded(), change) == 3


@pytest.mark.req("R-PROOF-1")
def test_a_command_with_nothing_to_hide_cannot_be_called_redacted() -> None:
    recording = recorded()
    entries, head, changed = [], GENESIS, 0
    for entry in recording.entries:
        record = log_pb2.CommitRecord.FromString(entry.public)
        record.previous_digest = head.digest
        if not changed and record.HasField("game_command") and not record.game_command.redacted:
            record.game_command.redacted, changed = True, entry.revision
        public = record.SerializeToString(deterministic=True)
        entries.append(replace(entry, public=public, digest=chain.digest(head.digest, public)))
        head = entries[-1].head
    with pytest.raises(Fault) as found:
        prove(recording, entries)
    assert found.value.revision == changed > 0
