"""What the services count, and whether they say that they can do their work."""

import asyncio
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client.parser import text_string_to_metric_families

import wellhead_projection.main
from tests.services.house import SECONDS, House, Unclosed, new_id, play, refused, start_game
from tests.services.house import settings as settings_for
from tests.support.waiting import until
from wellhead.v1 import command_service_pb2 as commands
from wellhead.v1 import query_service_pb2 as queries
from wellhead_eventlog import chain
from wellhead_eventlog.consumer import Consumer
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.errors import FeedMissing, StoreUnavailable
from wellhead_eventlog.memory import MemoryStore
from wellhead_eventlog.port import GENESIS, Head, NewEntry, StreamId
from wellhead_eventlog.redis_store import RedisStore
from wellhead_runtime import limits, metrics
from wellhead_runtime.lag import Lag
from wellhead_runtime.metrics import REGISTRY


def count(name: str, **labels: str) -> float:
    """A series as it stands; 0 if it has not begun."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


@dataclass
class Page:
    status: int
    kind: str
    text: str


async def page(port: int, path: str = "/metrics") -> Page:
    def get() -> Page:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=SECONDS) as answer:
                return Page(answer.status, answer.headers["content-type"], answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Page(error.code, error.headers["content-type"], error.read().decode())

    return await asyncio.to_thread(get)


@asynccontextmanager
async def grows(name: str, by: float = 1, **labels: str) -> AsyncIterator[None]:
    before = count(name, **labels)
    yield
    assert count(name, **labels) - before == by


# -- counting ----------------------------------------------------------------------------------------------------------


async def test_a_command_is_counted_from_its_call_to_its_commit(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    async with (
        grows("wellhead_call_seconds_count", method="SubmitCommand"),
        grows("wellhead_decide_seconds_count"),
        grows("wellhead_append_seconds_count", outcome="ok"),
    ):
        await play(game, query, 1)
    assert count("wellhead_live_games") >= 1
    assert count("wellhead_appends_in_flight") == 0
    assert count("wellhead_durability_pending") == 0


@pytest.mark.reason("STALE_DECISION")
async def test_a_refusal_is_counted_by_its_reason_whichever_way_it_comes(memory_house: House) -> None:
    house = memory_house
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    (decision, *_) = await game.owed(query)
    late = game.submission(decision, decision_id=decision.decision_id + 99)
    async with grows("wellhead_calls_refused_total", method="SubmitCommand", reason="STALE_DECISION"):
        await refused(command.SubmitCommand(late, metadata=game.proof(late.seat)))
    async with grows("wellhead_calls_refused_total", method="Play", reason="STALE_DECISION"):
        stream = command.Play(metadata=game.proof(late.seat))
        late.request_id = new_id()
        await stream.write(commands.PlayRequest(command=late))
        answer = await stream.read()
        assert isinstance(answer, commands.PlayResponse)
        assert answer.refused.reason == "STALE_DECISION"
        await stream.done_writing()
    async with grows("wellhead_calls_refused_total", method="SubmitCommand", reason="STALE_DECISION"):
        over_http = house.stubs.over_http("json", house.running[0].http_port, _command_service())
        late.request_id = new_id()
        await refused(over_http.SubmitCommand(late, metadata=game.proof(late.seat)))


def _command_service() -> Any:
    return commands.DESCRIPTOR.services_by_name["GameCommandService"]


@pytest.mark.reason("LOST_TAIL", "FROZEN")
async def test_a_lost_tail_is_a_fault_of_continuity(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    (decision, *_) = await game.owed(query)
    stream = StreamId("game", game.id)
    memory_house.log._partitions[stream.partition].streams[stream].pop()  # type: ignore[attr-defined]
    async with (
        grows("wellhead_continuity_faults_total", reason="LOST_TAIL"),
        grows("wellhead_append_seconds_count", outcome="lost_tail"),
    ):
        told = await refused(command.SubmitCommand(game.submission(decision), metadata=game.proof(decision.seat)))
        assert told.reason == "LOST_TAIL"
    async with grows("wellhead_continuity_faults_total", reason="FROZEN"):
        await refused(command.SubmitCommand(game.submission(decision), metadata=game.proof(decision.seat)))


def test_a_fault_that_has_not_been_is_counted_as_0() -> None:
    """Otherwise the first would look to Prometheus as if nothing had changed."""
    for reason in ("LOST_TAIL", "FORK", "FROZEN", "STREAM_DAMAGED", "FEED_MISSING", "CORRUPT_RECORD"):
        assert REGISTRY.get_sample_value("wellhead_continuity_faults_total", {"reason": reason}) is not None


async def test_watchers_are_counted_while_they_watch_and_cuts_by_their_reason(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    before, fanned = count("wellhead_watchers"), count("wellhead_fanout_seconds_count")
    stream = query.WatchGame(queries.WatchGameRequest(game_id=game.id))
    await stream.read()
    assert count("wellhead_watchers") - before == 1
    await play(game, query, 1)
    await stream.read()
    assert count("wellhead_fanout_seconds_count") > fanned
    async with grows("wellhead_streams_cut_total", reason="SERVER_STOPPING"):
        await memory_house.stop("projection")
    assert count("wellhead_watchers") == before


@pytest.mark.reason("RATE_LIMITED")
async def test_who_asks_too_often_is_counted_by_the_rate(memory_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READS", limits.Rate(0.001, 1))
    query = await memory_house.query(rates=1)
    await query.ListGames(queries.ListGamesRequest())
    async with grows("wellhead_rate_limited_total", rate="READS", key="address"):
        await refused(query.ListGames(queries.ListGamesRequest()))


async def test_the_delay_of_scores_is_counted_by_their_kind(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    await memory_house.scoring()
    awards, finals = (count("wellhead_score_delay_seconds_count", kind=kind) for kind in ("award", "final"))
    await play(await start_game(command), query)
    await until(lambda: _is(lambda: count("wellhead_score_delay_seconds_count", kind="final") == finals + 1))
    assert count("wellhead_score_delay_seconds_count", kind="award") == awards + 4
    assert count("wellhead_scores_waiting") == 0


async def _is(told: Callable[[], bool]) -> bool:
    return told()


# -- lag ---------------------------------------------------------------------------------------------------------------


async def append(log: MemoryStore, stream: StreamId, head: Head) -> Head:
    digest = chain.digest(head.digest, b"x")
    await log.append(stream, head, NewEntry(digest, b"id%d" % head.revision, b"x"))
    return Head(head.revision + 1, digest)


async def test_a_consumer_that_falls_behind_and_parks_a_game_tells_it() -> None:
    log, stream, hold = MemoryStore(), StreamId("game", "g"), asyncio.Event()

    async def handle(_: StreamId, entries: object) -> list[Any]:
        await hold.wait()
        raise ValueError("no")

    consumer = Consumer(log, "slow", handle, owner="me", ttl_ms=60_000, attempts=1)
    lag, running = Lag(log, consumer), asyncio.create_task(consumer.run())
    await until(lambda: _is(lambda: len(consumer.positions) == 64))
    await lag.look()
    assert count("wellhead_consumer_leases", consumer="slow") == count("wellhead_partitions") == 64
    assert count("wellhead_consumer_lag_positions", consumer="slow") == 0

    await append(log, stream, await append(log, stream, GENESIS))
    await lag.look()
    await asyncio.sleep(0.01)
    await lag.look()
    assert count("wellhead_consumer_lag_positions", consumer="slow") == 2
    assert count("wellhead_consumer_lag_seconds", consumer="slow") > 0

    hold.set()
    await until(lambda: _is(lambda: consumer.parked == 1))
    await until(lambda: _is(lambda: consumer.positions[stream.partition] == 2))
    await lag.look()
    assert count("wellhead_consumer_lag_positions", consumer="slow") == 0
    assert count("wellhead_consumer_lag_seconds", consumer="slow") == 0
    assert count("wellhead_consumer_parked", consumer="slow") == 1
    consumer.stop()
    await running


async def test_a_service_tells_the_lag_of_its_consumer(memory_house: House) -> None:
    await memory_house.query()
    name = wellhead_projection.main.CONSUMER
    await until(lambda: _is(lambda: count("wellhead_consumer_leases", consumer=name) == 64))


# -- where it is told --------------------------------------------------------------------------------------------------


async def test_metrics_are_on_the_http_port_as_prometheus_reads_them(memory_house: House) -> None:
    metrics.introduce("command", "memory")
    await memory_house.command()
    told = await page(memory_house.running[0].http_port)
    assert told.status == 200
    assert told.kind.startswith("text/plain; version=0.0.4")
    families = {family.name: family for family in text_string_to_metric_families(told.text)}
    assert {"wellhead_build_info", "wellhead_call_seconds", "wellhead_continuity_faults"} <= set(families)
    (build,) = [s for s in families["wellhead_build_info"].samples if s.labels["service"] == "command"]
    assert build.labels["durability"] == "memory"


async def test_a_port_of_their_own_has_metrics_and_health_and_nothing_else(memory_house: House) -> None:
    await memory_house.command(metrics_listen="127.0.0.1:0")
    (running,) = memory_house.running
    assert (await page(running.metrics_port)).status == 200
    assert (await page(running.metrics_port, "/readyz")).text == "ready\n"
    assert (await page(running.metrics_port, "/openapi.json")).status == 404
    assert (await page(running.http_port)).status == 404, "public beside the port that was meant for them"


async def test_metrics_name_no_game_no_player_and_no_token(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    await play(game, query, 3)
    text = (await page(memory_house.running[0].http_port)).text
    for secret in (game.id, "player 0", "organiser", *game.credentials.values()):
        assert secret not in text


# -- health ------------------------------------------------------------------------------------------------------------


async def serving(port: int) -> Any:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        return (await stub.Check(health_pb2.HealthCheckRequest())).status


async def healthy(house: House) -> bool:
    (running,) = house.running
    ready = (await page(running.http_port, "/readyz")).status == 200
    said = await serving(running.port) == health_pb2.HealthCheckResponse.SERVING
    assert (await page(running.http_port, "/healthz")).status == 200, "it lives all the while"
    return ready and said and count("wellhead_ready") == 1


async def unhealthy(house: House) -> bool:
    (running,) = house.running
    told = await page(running.http_port, "/readyz")
    said = await serving(running.port) == health_pb2.HealthCheckResponse.NOT_SERVING
    assert (await page(running.http_port, "/healthz")).status == 200, "it lives all the while"
    return told.status == 503 and said and count("wellhead_ready") == 0


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PULSE_SECONDS", 0.05)
    monkeypatch.setattr(limits, "STORE_SILENT_SECONDS", 0.2)


@pytest.mark.usefixtures("soon")
async def test_a_service_whose_store_dies_is_not_ready_until_it_is_back(tmp_path: Path) -> None:
    store = await asyncio.to_thread(EmbeddedStore.start, tmp_path / "store")
    url = store.url
    house = House(settings_for(Durability.FSYNC), lambda: RedisStore(url, durability=Durability.FSYNC))
    try:
        await house.query()
        assert await healthy(house)
        await asyncio.to_thread(store.stop)
        await until(lambda: unhealthy(house))
        assert (await page(house.running[0].http_port, "/readyz")).text == "the store does not answer\n"
        assert count("wellhead_store_silent_seconds") > 0
        store = await asyncio.to_thread(EmbeddedStore.start, tmp_path / "store")
        assert store.url == url
        await until(lambda: healthy(house))
    finally:
        await house.close()
        await asyncio.to_thread(store.stop)


class Failing(Unclosed):
    """A store in which the feeds are gone."""

    lost = False

    async def follow_feeds(self, positions: Any, *more: Any) -> Any:
        if self.lost:
            raise FeedMissing(0, 1)
        return await self._log.follow_feeds(positions, *more)


@pytest.mark.usefixtures("soon")
async def test_a_service_whose_background_work_has_failed_is_not_ready(memory_house: House) -> None:
    log = Failing(MemoryStore())
    house = replace(memory_house, open_log=lambda: log, running=memory_house.running)
    await house.query()
    assert await healthy(house)
    log.lost = True
    await until(lambda: unhealthy(house))
    assert "background work has failed" in (await page(house.running[0].http_port, "/readyz")).text
    with suppress(FeedMissing):
        await house.running[0].failed()


@pytest.mark.usefixtures("soon")
async def test_one_answer_that_is_late_makes_nobody_unready(
    memory_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STORE_SILENT_SECONDS", 1_000.0)
    log = Unclosed(MemoryStore())
    asked = 0

    async def silent(partition: int) -> int:
        nonlocal asked
        asked += 1
        raise StoreUnavailable("silent")

    house = replace(memory_house, open_log=lambda: log, running=memory_house.running)
    await house.command()
    monkeypatch.setattr(log, "feed_tail", silent, raising=False)
    await until(lambda: _is(lambda: asked > 2))
    assert await healthy(house)
