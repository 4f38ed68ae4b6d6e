"""`wellhead parked` and `wellhead top`, on a store in which a consumer has put a game aside."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.eventlog.builders import Writer
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import Document, Parked, Put, StreamId
from wellhead_eventlog.redis_store import RedisStore
from wellhead_projection.summaries import CONSUMER, with_status
from wellhead_rules.kernel.table import Status

Wellhead = Callable[..., Any]

GAME = StreamId("game", "stuck")
HOUR = 3_600_000


async def put_aside(url: str) -> None:
    """Two commits; the consumer `ratings` has processed none and put the game aside."""
    log = RedisStore(url, durability=Durability.MEMORY)
    await Writer(log, GAME).write(b"a", b"b")
    await log.register_consumer("ratings")
    await log.attend("ratings", "ratings-7", HOUR)
    lease = await log.acquire("ratings", GAME.partition, "ratings-7", HOUR)
    assert lease is not None
    await log.commit(lease, 0, [Put(with_status(Status.RUNNING), Document("stuck", b""))])
    await log.park(lease, Parked(GAME, 1, "ValueError: the seed is c0ffee (in rate, line 7)", 3))
    await log.close()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data directory as that of a running `up`."""
    monkeypatch.delenv("WELLHEAD_STORE_URL", raising=False)
    monkeypatch.setenv("COLUMNS", "140")
    with EmbeddedStore.start(tmp_path / "store", Durability.MEMORY) as store:
        asyncio.run(put_aside(store.url))
        yield tmp_path


# -- parked ------------------------------------------------------------------------------------------------------------


@pytest.mark.req("R-LOG-6")
def test_the_list_names_the_game_and_the_kind_of_error_alone(wellhead: Wellhead, data: Path) -> None:
    said = json.loads(wellhead("parked", "list", "--data-dir", data, "--json").out)
    about = {"consumer": "ratings", "game": "stuck", "revision": 1, "attempts": 3, "error": "ValueError"}
    assert said == {"parked": [about]}
    text = wellhead("parked", "list", "--data-dir", data).out
    assert all(word in text for word in ("ratings", "stuck", "ValueError"))
    assert "c0ffee" not in text


@pytest.mark.req("R-LOG-6")
def test_the_whole_record_is_shown_to_whoever_asks_for_it(wellhead: Wellhead, data: Path) -> None:
    ran = wellhead("parked", "show", "ratings", "stuck", "--data-dir", data)
    assert ran.code == 0
    assert "ValueError: the seed is c0ffee (in rate, line 7)" in ran.out
    said = json.loads(wellhead("parked", "show", "ratings", "stuck", "--data-dir", data, "--json").out)
    assert (said["message"], said["frozen"]) == ("ValueError: the seed is c0ffee (in rate, line 7)", None)


@pytest.mark.req("R-LOG-6")
@pytest.mark.parametrize("which", [("ratings", "stuck"), ("ratings", "game/stuck"), ("--all",)])
def test_it_is_tried_again(wellhead: Wellhead, data: Path, which: tuple[str, ...]) -> None:
    ran = wellhead("parked", "retry", *which, "--data-dir", data)
    assert (ran.code, ran.out) == (0, "ratings tries stuck again from revision 1\n")
    assert wellhead("parked", "list", "--data-dir", data).out == "Nothing is put aside.\n"
    assert wellhead("parked", "retry", "--all", "--data-dir", data).out == "Nothing is put aside.\n"


@pytest.mark.parametrize("command", ["show", "retry"])
@pytest.mark.parametrize("which", [("ratings", "other"), ("others", "stuck"), ("ratings", "no name")])
def test_what_is_not_put_aside_is_one_line(
    wellhead: Wellhead, data: Path, command: str, which: tuple[str, str]
) -> None:
    ran = wellhead("parked", command, *which, "--data-dir", data)
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("words", [(), ("ratings",), ("ratings", "stuck", "--all")])
def test_what_to_retry_has_to_be_said(wellhead: Wellhead, words: tuple[str, ...]) -> None:
    assert wellhead("parked", "retry", *words).code == 2


# -- where the store is ------------------------------------------------------------------------------------------------


def test_a_store_has_a_url_too(wellhead: Wellhead, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = EmbeddedStore.running_on(data / "store")
    assert url is not None
    assert "stuck" in wellhead("parked", "list", "--store", url).out
    monkeypatch.setenv("WELLHEAD_STORE_URL", url)
    assert "stuck" in wellhead("parked", "list").out


@pytest.mark.parametrize(
    "place", [("--data-dir", "nowhere"), ("--store", "http://here"), ("--store", "unix:///nowhere")]
)
@pytest.mark.parametrize("command", [("top", "--once"), ("parked", "list")])
def test_a_store_that_is_not_there_is_one_line(
    wellhead: Wellhead, command: tuple[str, ...], place: tuple[str, str]
) -> None:
    ran = wellhead(*command, *place)
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)


# -- top ---------------------------------------------------------------------------------------------------------------


def test_top_says_who_attends_and_what_waits(wellhead: Wellhead, data: Path) -> None:
    said = json.loads(wellhead("top", "--once", "--interval", "0.1", "--json", "--data-dir", data).out)
    assert (said["commits"], said["per_second"], said["games"]["running"]) == (2, 0.0, 1)
    assert said["processes"] == {"ratings-7": {"ratings": 1}}
    consumers = {each["consumer"]: each for each in said["consumers"]}
    assert consumers["ratings"] == {
        "consumer": "ratings",
        "state": f"{PARTITIONS - 1} PARTITIONS WITHOUT OWNER",
        "processes": 1,
        "held": 1,
        "behind": 2,
        "parked": 1,
    }
    assert consumers[CONSUMER]["state"] == "NOBODY ATTENDS"


def test_top_as_text_needs_no_colour(wellhead: Wellhead, data: Path) -> None:
    ran = wellhead("top", "--once", "--interval", "0.1", "--data-dir", data)
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert "NOBODY ATTENDS" in ran.out
    assert "1 of ratings" in ran.out
