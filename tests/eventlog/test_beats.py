"""A service says that it is there; the times in which it was not are remembered: one contract, every store."""

import pytest

from wellhead_eventlog import limits
from wellhead_eventlog.port import EventLog, Outage


@pytest.mark.req("R-API-5")
async def test_a_silence_longer_than_the_gap_is_remembered(log: EventLog) -> None:
    assert await log.beat("clocks", 1_000, 500) == []
    assert await log.beat("clocks", 1_500, 500) == []
    assert await log.beat("clocks", 2_001, 500) == [Outage(1_500, 2_001)]
    assert await log.beat("clocks", 2_002, 500) == [Outage(1_500, 2_001)]
    assert await log.beat("clocks", 9_000, 500, after_ms=2_001) == [Outage(2_002, 9_000)]
    assert await log.beat("clocks", 9_000, 500) == [Outage(1_500, 2_001), Outage(2_002, 9_000)]
    assert await log.beat("others", 90_000, 500) == []
    assert await log.outages("clocks", after_ms=2_001) == (9_000, [Outage(2_002, 9_000)])
    assert await log.outages("never") == (None, [])


async def test_a_clock_that_is_behind_takes_nothing_back(log: EventLog) -> None:
    await log.beat("clocks", 10_000, 500)
    assert await log.beat("clocks", 3_000, 500) == []
    assert await log.beat("clocks", 10_400, 500) == []


@pytest.mark.req("R-LOG-11")
async def test_only_so_many_are_remembered(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_OUTAGES", 2)
    for now in range(1_000, 6_000, 1_000):
        await log.beat("clocks", now, 1)
    assert await log.beat("clocks", 5_000, 1) == [Outage(3_000, 4_000), Outage(4_000, 5_000)]
