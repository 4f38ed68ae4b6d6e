"""Exports and their proof: what is true verifies, and whatever is touched is found and named (R-PROOF-1 to 3)."""

import io
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.hiding import SECRETIVE, SecretGoods
from tests.support.recording import Recording, open_game, play, record_game
from wellhead.v1 import log_pb2
from wellhead_eventlog import chain
from wellhead_eventlog.port import GENESIS, Entry
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.registry import RULESETS
from wellhead_runtime.export import manifest
from wellhead_runtime.proof import Fault, Report, export_chunks, read_export, verify


@pytest.fixture(scope="module")
def game() -> Recording:
    return record_game(2)


@pytest.fixture(scope="module")
def secretive() -> Recording:
    recording = open_game(3, registry=SECRETIVE)
    play(recording)
    return recording


def export(recording: Recording, entries: Iterable[Entry] | None = None, redacted: bool = False) -> bytes:
    stored = recording.entries if entries is None else entries
    return b"".join(export_chunks(recording.game_id, stored, redacted))


def prove(content: bytes, head: bytes | None = None, registry: dict[str, Ruleset] | None = None) -> Report:
    return verify(io.BytesIO(content), registry or RULESETS, head)


def fault(content: bytes, head: bytes | None = None) -> Fault:
    with pytest.raises(Fault) as caught:
        prove(content, head)
    return caught.value


def frames(content: bytes) -> list[bytes]:
    """The manifest and the entries, each with its length before it."""
    found, at = [], 0
    while at < len(content):
        end = at + 4 + int.from_bytes(content[at : at + 4], "big")
        found.append(content[at:end])
        at = end
    return found


def forge(recording: Recording, revision: int, change: Callable[[log_pb2.CommitRecord], None]) -> list[Entry]:
    """The entries with one record changed and every digest after it made to fit, as a forger with the log would."""
    forged, head = [], GENESIS
    for entry in recording.entries:
        record = log_pb2.CommitRecord.FromString(entry.public)
        record.previous_digest = head.digest
        if entry.revision == revision:
            change(record)
        public = record.SerializeToString()
        forged.append(replace(entry, public=public, digest=chain.digest(head.digest, public)))
        head = forged[-1].head
    return forged


def revision_where(recording: Recording, test: Callable[[log_pb2.CommitRecord], bool]) -> int:
    records = (log_pb2.CommitRecord.FromString(entry.public) for entry in recording.entries)
    return next(record.revision for record in records if test(record))


# -- what is true ------------------------------------------------------------------------------------------------------


@pytest.mark.req("R-PROOF-2", "R-RULES-1", "R-RULES-8")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_is_proved_from_its_export(players: int) -> None:
    recording = record_game(players, seed=5)
    report = prove(export(recording), recording.head.digest)
    assert report.unproved == []
    assert report.commands == report.revisions == len(recording.entries)
    assert report.draws == recording.table.draws > 0
    assert report.ended
    assert report.ranking == recording.table.ranking
    assert report.head == recording.head.digest.hex()


def test_an_export_comes_in_pieces_that_fit_a_message(game: Recording) -> None:
    pieces = list(export_chunks(game.game_id, game.entries * 20, False))
    assert len(pieces) > 1
    assert max(map(len, pieces)) < 1024 * 1024  # a quarter of what a message may hold


def test_reading_an_export_gives_the_stored_bytes(game: Recording) -> None:
    said, entries = read_export(io.BytesIO(export(game)))
    assert (said.game_id, said.revisions, said.head) == (game.game_id, game.head.revision, game.head.digest)
    assert [entry.record for entry in entries] == [entry.public for entry in game.entries]


@pytest.mark.req("R-PROOF-3")
def test_a_redacted_export_of_a_live_game_proves_its_chain_and_says_what_it_cannot_prove() -> None:
    recording = open_game(2, registry=SECRETIVE)
    play(recording, commands=40)
    report = prove(export(recording, redacted=True), recording.head.digest, SECRETIVE)
    assert (report.commands, report.private_parts, report.ended) == (0, 0, False)
    assert len(report.unproved) == 2


@pytest.mark.req("R-PROOF-3")
def test_after_the_end_the_full_export_proves_the_redaction(secretive: Recording) -> None:
    whole = prove(export(secretive), registry=SECRETIVE)
    redacted = prove(export(secretive, redacted=True), secretive.head.digest, SECRETIVE)
    assert whole.private_parts > 0
    assert whole.unproved == []
    # The seed gives the private parts again, so even the redacted copy is proved completely.
    assert redacted.private_parts == whole.private_parts
    assert redacted.commands == whole.commands
    assert redacted.unproved == []


@pytest.mark.req("R-RULES-12")
def test_with_other_rules_than_the_games_facts_still_fold_and_the_report_says_so(game: Recording) -> None:
    class Newer(SecretGoods):
        version = "a later one"
        hidden_from = RULESETS["oil_rock"].hidden_from

    report = prove(export(game), registry={"oil_rock": Newer(RULESETS["oil_rock"])})
    assert report.commands == 0
    assert report.facts > 0
    assert report.ranking == game.table.ranking
    assert "rules version" in report.unproved[0]


# -- what was damaged --------------------------------------------------------------------------------------------------


@pytest.mark.req("R-PROOF-1")
@settings(max_examples=150)
@given(data=st.data())
def test_a_flipped_bit_anywhere_is_found_at_its_revision(secretive: Recording, data: st.DataObject) -> None:
    content = bytearray(export(secretive))
    every = frames(bytes(content))
    revision = data.draw(st.one_of(st.sampled_from([0, 1, len(every) - 1]), st.integers(0, len(every) - 1)))
    offset = data.draw(st.integers(0, len(every[revision]) - 1))
    position = sum(map(len, every[:revision])) + offset
    content[position] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(Fault) as caught:
        prove(bytes(content), registry=SECRETIVE)
    assert caught.value.revision == revision


@pytest.mark.req("R-PROOF-1")
def test_every_byte_of_the_manifest_matters(game: Recording) -> None:
    content = export(game)
    for position in range(len(frames(content)[0])):
        for bit in range(8):
            flipped = bytearray(content)
            flipped[position] ^= 1 << bit
            assert fault(bytes(flipped)).revision == 0


@pytest.mark.req("R-PROOF-1")
@given(data=st.data())
@settings(max_examples=30)
def test_an_inserted_or_removed_byte_is_found(game: Recording, data: st.DataObject) -> None:
    content = export(game)
    position = data.draw(st.integers(0, len(content) - 1))
    inserted = content[:position] + bytes([data.draw(st.integers(0, 255))]) + content[position:]
    fault(inserted)
    fault(content[:position] + content[position + 1 :])


@pytest.mark.req("R-PROOF-1")
def test_a_dropped_commit_is_named(game: Recording) -> None:
    entries = game.entries
    assert fault(export(game, entries[:10] + entries[11:])).revision == 11


@pytest.mark.req("R-PROOF-1")
def test_two_swapped_commits_are_named_by_the_first(game: Recording) -> None:
    entries = list(game.entries)
    entries[10], entries[20] = entries[20], entries[10]
    assert fault(export(game, entries)).revision == 11


@pytest.mark.req("R-PROOF-1")
def test_a_repeated_commit_is_named(game: Recording) -> None:
    assert fault(export(game, game.entries[:10] + game.entries[9:])).revision == 11


@pytest.mark.req("R-PROOF-1")
def test_commits_missing_at_the_end_are_named(game: Recording) -> None:
    every = frames(export(game))
    assert fault(b"".join(every[:-2])).revision == len(every) - 2


@pytest.mark.req("R-PROOF-1")
@pytest.mark.parametrize("cut", [1, 2, 3, 10, 100])
def test_a_file_that_is_cut_off_is_refused_at_the_commit_it_breaks_off_in(game: Recording, cut: int) -> None:
    assert fault(export(game)[:-cut]).revision == game.head.revision


@pytest.mark.req("R-PROOF-1")
def test_the_expected_head_finds_a_truncated_end_even_under_a_new_manifest(game: Recording) -> None:
    shorter = export(game, game.entries[:-3])
    assert prove(shorter).ended is False
    assert fault(shorter, game.head.digest).revision == game.head.revision - 2


@pytest.mark.req("R-PROOF-1")
def test_a_log_that_goes_beyond_the_expected_head_is_refused(game: Recording) -> None:
    assert fault(export(game), game.entries[9].digest).revision == 11


@pytest.mark.parametrize("content", [b"", b"\x00", b"not an export at all", bytes(100)])
def test_a_file_that_is_no_export_is_refused(content: bytes) -> None:
    assert fault(content).revision == 0


def test_an_export_without_commits_proves_nothing(game: Recording) -> None:
    assert fault(export(game, [])).revision == 1


def test_a_commit_of_another_game_is_named(game: Recording) -> None:
    other = record_game(2, seed=2).entries
    assert fault(export(game, [*game.entries[:5], *other[5:]])).revision == 6


def test_a_manifest_of_another_game_is_refused(game: Recording) -> None:
    assert fault(b"".join(export_chunks("another", game.entries, False))).revision == 0


def test_the_manifest_says_nothing_that_the_commits_do_not(game: Recording) -> None:
    said, _ = read_export(io.BytesIO(export(game)))
    assert said == manifest(game.game_id, game.head.revision, game.head.digest, False)


# -- what was forged: the chain fits, the game does not ----------------------------------------------------------------


@pytest.mark.req("R-PROOF-1", "R-PROOF-2")
def test_a_forged_draw_is_found_by_redoing_it(game: Recording) -> None:
    revision = revision_where(game, lambda record: record.table_command.HasField("start"))

    def another_tile(record: log_pb2.CommitRecord) -> None:
        placed = [event for event in record.events.oil_rock.events if event.HasField("action_tile_placed")]
        first, second = placed[0].action_tile_placed, placed[1].action_tile_placed
        first.tile, second.tile = second.tile, first.tile

    found = fault(export(game, forge(game, revision, another_tile)))
    assert found.revision == revision
    assert "action_tile_placed.tile" in found.what


@pytest.mark.req("R-PROOF-1")
def test_a_forged_fact_is_found_by_deciding_again(game: Recording) -> None:
    def has_goods(record: log_pb2.CommitRecord) -> bool:
        return record.HasField("game_command") and any(
            event.HasField("goods_changed") for event in record.events.oil_rock.events
        )

    def richer(record: log_pb2.CommitRecord) -> None:
        next(e for e in record.events.oil_rock.events if e.HasField("goods_changed")).goods_changed.coins += 1

    revision = revision_where(game, has_goods)
    found = fault(export(game, forge(game, revision, richer)))
    assert found.revision == revision
    assert "goods_changed.coins" in found.what


@pytest.mark.req("R-PROOF-1")
def test_a_forged_command_is_refused_by_the_rules(game: Recording) -> None:
    revision = revision_where(game, lambda record: record.HasField("game_command"))

    def another_decision(record: log_pb2.CommitRecord) -> None:
        record.game_command.decision_id += 1

    found = fault(export(game, forge(game, revision, another_decision)))
    assert found.revision == revision
    assert "refused" in found.what


@pytest.mark.req("R-PROOF-1", "R-SCORE-2")
def test_a_forged_award_is_found_by_scoring_again(game: Recording) -> None:
    revision = revision_where(game, lambda record: record.HasField("round_award"))

    def more(record: log_pb2.CommitRecord) -> None:
        record.round_award.lines[0].points += 1

    assert fault(export(game, forge(game, revision, more))).revision == revision


@pytest.mark.req("R-PROOF-1", "R-SCORE-2")
def test_a_forged_final_score_is_found_by_scoring_again(game: Recording) -> None:
    def more(record: log_pb2.CommitRecord) -> None:
        record.final_score.lines[0].points += 1

    assert fault(export(game, forge(game, game.head.revision, more))).revision == game.head.revision


@pytest.mark.req("R-PROOF-2")
def test_another_seed_than_the_committed_one_is_found(game: Recording) -> None:
    def another_seed(record: log_pb2.CommitRecord) -> None:
        record.table_events[-1].game_closed.seed = bytes(32)

    assert fault(export(game, forge(game, game.head.revision, another_seed))).revision == game.head.revision


@pytest.mark.req("R-PROOF-3")
def test_a_private_part_that_was_not_committed_to_is_found(secretive: Recording) -> None:
    entries = list(secretive.entries)
    index = next(index for index, entry in enumerate(entries) if entry.private)
    parts = log_pb2.PrivateRecord.FromString(entries[index].private)
    parts.parts[0].body += b"\x00"
    entries[index] = replace(entries[index], private=parts.SerializeToString())
    with pytest.raises(Fault, match="private parts"):
        prove(export(secretive, entries), registry=SECRETIVE)


@pytest.mark.req("R-PROOF-1")
def test_facts_that_make_no_sense_are_a_fault_not_a_crash() -> None:
    recording = record_game(2, commands=20)

    def nobody(record: log_pb2.CommitRecord) -> None:
        for event in record.events.oil_rock.events:
            if event.HasField("goods_changed"):
                event.goods_changed.player = 99

    revision = revision_where(recording, lambda record: record.table_command.HasField("start"))
    assert fault(export(recording, forge(recording, revision, nobody))).revision == revision
