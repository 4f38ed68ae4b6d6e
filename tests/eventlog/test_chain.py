"""The digest chain, and reading on from what one knows."""

import hashlib
from dataclasses import replace

import pytest

from tests.eventlog.builders import Writer, after
from tests.eventlog.conftest import Harness
from wellhead_eventlog import chain
from wellhead_eventlog.errors import BrokenChain
from wellhead_eventlog.port import GENESIS, Entry, Frozen, Head
from wellhead_eventlog.reading import read_on


def a_chain(length: int) -> list[Entry]:
    entries: list[Entry] = []
    head = GENESIS
    for revision in range(1, length + 1):
        new = after(head, b"commit %d" % revision)
        entries.append(Entry(revision, new.digest, new.command_id, new.public, new.private, new.mark))
        head = entries[-1].head
    return entries


@pytest.mark.req("R-PROOF-1")
def test_the_digest_is_sha256_over_tag_previous_digest_and_public_bytes() -> None:
    expected = hashlib.sha256(b"wellhead/commit/1\0" + bytes(32) + b"moved").digest()

    assert chain.digest(GENESIS.digest, b"moved") == expected


@pytest.mark.req("R-PROOF-1")
def test_a_previous_digest_of_another_length_is_refused_so_the_framing_is_unambiguous() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        chain.digest(b"short", b"public")


@pytest.mark.req("R-PROOF-1")
def test_an_unbroken_chain_verifies_whole_and_in_parts() -> None:
    entries = a_chain(5)

    assert chain.verify_chain(entries, until=entries[-1].head) == entries[-1].head
    assert chain.verify_chain(entries[2:], after=entries[1].head) == entries[-1].head
    assert chain.verify_chain([]) == GENESIS


@pytest.mark.req("R-PROOF-1", "R-LOG-4")
@pytest.mark.parametrize("at", range(5))
def test_every_fault_is_found_at_its_first_revision(at: int) -> None:
    entries = a_chain(5)
    end = entries[-1].head
    revision = at + 1
    flipped = replace(entries[at], public=b"Commit" + entries[at].public[6:])
    forged = replace(flipped, digest=chain.digest((entries[at - 1].digest if at else bytes(32)), flipped.public))
    swapped = [*entries[:at], *entries[at + 1 : at + 2], entries[at], *entries[at + 2 :]]

    faults = {
        "flip": ([*entries[:at], flipped, *entries[at + 1 :]], revision),
        "other digest": ([*entries[:at], replace(entries[at], digest=bytes(32)), *entries[at + 1 :]], revision),
        "forged": ([*entries[:at], forged, *entries[at + 1 :]], min(revision + 1, 5)),
        "drop": ([*entries[:at], *entries[at + 1 :]], revision),
        "truncate": (entries[:at], revision),
        "insert": ([*entries[: at + 1], *entries[at:]], revision + 1),
    }
    if at < 4:
        faults["swap"] = (swapped, revision)
    for name, (damaged, first) in faults.items():
        with pytest.raises(BrokenChain) as broken:
            chain.verify_chain(damaged, until=end)
        assert broken.value.revision == first, name


@pytest.mark.req("R-PROOF-1")
def test_a_chain_that_goes_on_too_long_is_faulty_where_it_should_have_ended() -> None:
    entries = a_chain(5)

    with pytest.raises(BrokenChain) as broken:
        chain.verify_chain(entries, until=entries[2].head)
    assert broken.value.revision == 4


@pytest.mark.req("R-LOG-4")
async def test_reading_on_gives_what_is_new(harness: Harness) -> None:
    writer = Writer(harness.log)
    known = await writer.write(b"a")
    await writer.write(b"b", b"c")

    assert [entry.public for entry in await read_on(harness.log, writer.stream, known, reach=3)] == [b"b", b"c"]
    assert await read_on(harness.log, writer.stream, writer.head) == []


@pytest.mark.req("R-LOG-4")
async def test_reading_on_finds_a_lost_tail_and_freezes_the_stream(harness: Harness) -> None:
    for reach in (0, 3):  # known from having read it, known from a pointer
        writer = Writer(harness.log)
        await writer.write(b"a", b"b")
        known = writer.head
        if reach:
            await writer.write(b"c")
        await harness.lose_tail(writer.stream)

        with pytest.raises(BrokenChain):
            await read_on(harness.log, writer.stream, known, reach)

        assert isinstance(await writer.offer(after(writer.head, b"d")), Frozen)


@pytest.mark.req("R-LOG-4")
async def test_reading_on_finds_a_fork_and_freezes_the_stream(harness: Harness) -> None:
    for length in (0, 1):  # of what is there beyond the fork
        writer = Writer(harness.log)
        await writer.write(b"a", b"b", *[b"more"] * length)
        known = Head(2, chain.digest(bytes(32), b"another b"))

        with pytest.raises(BrokenChain):
            await read_on(harness.log, writer.stream, known)

        assert "damaged" in str(await harness.log.frozen(writer.stream))
