"""Partitions and keys."""

from itertools import pairwise

import pytest
from redis.crc import key_slot

from wellhead_eventlog.keys import Keys
from wellhead_eventlog.partitions import PARTITIONS, TAGS, partition_of
from wellhead_eventlog.port import StreamId


@pytest.mark.req("R-LOG-10")
def test_partitions_are_spread_evenly_over_the_slots() -> None:
    slots = sorted(key_slot(tag.encode()) for tag in TAGS)

    assert len(set(TAGS)) == PARTITIONS == 64
    assert {higher - lower for lower, higher in pairwise(slots)} == {16384 // PARTITIONS}


@pytest.mark.req("R-LOG-10")
def test_all_keys_of_a_partition_share_its_slot() -> None:
    keys = Keys("some/namespace")
    stream = StreamId("game", "g1")
    partition = stream.partition
    built = [
        keys.stream(stream),
        keys.streams(partition),
        keys.frozen(partition),
        keys.deadlines(partition),
        keys.feed(partition),
        keys.position(partition),
        keys.checkpoints(partition),
        keys.lease(partition, "boards"),
        keys.parked(partition, "boards"),
        keys.documents(partition, "board/1"),
        keys.places(partition, "board/1"),
    ]

    assert {key_slot(key.encode()) for key in built} == {key_slot(TAGS[partition].encode())}
    assert len(set(built)) == len(built)
    assert all(key.startswith("some/namespace:") for key in built)


@pytest.mark.req("R-LOG-10")
def test_the_partition_of_a_stream_never_changes() -> None:
    assert [partition_of(name) for name in ("game/a", "game/b", "tournament/a")] == [10, 48, 43]


@pytest.mark.req("R-LOG-10")
def test_streams_are_spread_over_all_partitions() -> None:
    counts = [0] * PARTITIONS
    for n in range(64_00):
        counts[StreamId("game", f"{n:032x}").partition] += 1

    assert min(counts) > 50
    assert max(counts) < 150
