"""One command as a trace shows it, through all services; and that nothing of it is there while traces are off."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent import futures
from typing import Any

import grpc
import pytest
import structlog
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF

from tests.services.house import Game, House, QueryStub, play, refused, start_game
from tests.support.waiting import until
from wellhead.v1 import query_service_pb2 as queries
from wellhead_eventlog.port import Entry, StreamId
from wellhead_runtime import logging, tracing

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
TRACE, PARENT = CALLER.split("-")[1:3]


class Spans(InMemorySpanExporter):
    def of(self, trace: str) -> dict[str, list[ReadableSpan]]:
        """The spans of a trace that have ended, by name."""
        found: dict[str, list[ReadableSpan]] = {}
        for span in self.get_finished_spans():
            if trace_of(span) == trace:
                found.setdefault(span.name, []).append(span)
        return found


def trace_of(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.trace_id:032x}"


def id_of(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id


def parent_of(span: ReadableSpan) -> int:
    return span.parent.span_id if span.parent is not None else 0


@pytest.fixture
def spans() -> Iterator[Spans]:
    exporter, provider = Spans(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.use(provider)
    yield exporter
    tracing.use(None)


async def submit(game: Game, query: QueryStub, trace: str = CALLER) -> None:
    """The first option of what is owed, within the caller's trace."""
    (decision, *_) = await game.owed(query)
    request = game.submission(decision)
    await game.stub.SubmitCommand(request, metadata=(*game.proof(decision.seat), ("traceparent", trace)))


async def test_one_command_is_one_trace_from_its_bytes_to_the_read_model(house: House, spans: Spans) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    await submit(game, query)

    async def projected() -> bool:
        return "project" in spans.of(TRACE)

    await until(projected)
    of = spans.of(TRACE)
    (receive,), (append,), (project,) = of["receive"], of["append"], of["project"]
    assert f"{parent_of(receive):016x}" == PARENT
    assert receive.attributes is not None
    assert receive.attributes["rpc.method"] == "SubmitCommand"
    parts = {"parse", "authorise", "decide", "encode", "append", "answer"}
    assert parts <= set(of)
    assert {parent_of(of[part][0]) for part in parts} == {id_of(receive)}
    assert parent_of(project) == id_of(append)
    assert dict(append.attributes or {}) == {
        "wellhead.game": game.id, "wellhead.revision": await house.revisions(game.id),
    }  # fmt: skip


async def test_the_score_that_follows_is_in_the_trace_of_the_command_after_which_it_was_due(
    memory_house: House, spans: Spans
) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    await memory_house.scoring()
    game = await start_game(command)
    await play(game, query)

    def scores() -> list[ReadableSpan]:
        return [span for span in spans.get_finished_spans() if span.name == "score"]

    async def scored() -> bool:
        return any("record" in methods(spans.of(trace_of(span))) for span in scores())

    def methods(of: dict[str, list[ReadableSpan]]) -> str:
        return " ".join(str((span.attributes or {})["rpc.method"]).lower() for span in of.get("receive", []))

    await until(scored)
    for span in scores():
        of = spans.of(trace_of(span))
        assert parent_of(span) in {id_of(append) for append in of["append"]}
        if "record" in methods(of):  # the commit that records it is in the trace too
            recorded = [each for each in of["receive"] if parent_of(each) == id_of(span)]
            assert recorded
            assert len(of["append"]) > 1


@pytest.mark.parametrize("transport", ["connect", "json", "grpc-web"])
async def test_over_http_the_trace_is_the_same(memory_house: House, spans: Spans, transport: str) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    await submit(await start_game(command), query)
    of = spans.of(TRACE)
    (receive,) = of["receive"]
    assert f"{parent_of(receive):016x}" == PARENT
    assert {parent_of(of[part][0]) for part in ("parse", "decide", "append", "answer")} == {id_of(receive)}


@pytest.mark.reason("UNKNOWN_GAME")
@pytest.mark.parametrize("transport", ["grpc", "json"])
async def test_a_refusal_is_named_by_its_reason_and_quotes_nothing(
    memory_house: House, spans: Spans, transport: str
) -> None:
    query = await memory_house.query()
    await refused(query.GetGameView(queries.GetGameViewRequest(game_id="secret"), metadata=(("traceparent", CALLER),)))
    (receive,) = spans.of(TRACE)["receive"]
    assert (receive.attributes or {})["error.type"] == "UNKNOWN_GAME"
    assert not receive.status.is_ok
    assert "secret" not in receive.to_json()


async def test_a_trace_that_makes_no_sense_is_a_new_one(memory_house: House, spans: Spans) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    spans.clear()
    await submit(game, query, "00-not-a-trace")
    assert all(span.parent is None for span in spans.get_finished_spans() if span.name == "receive")
    (*_, entry) = await memory_house.entries(game.id)
    assert len(entry.trace) == len(CALLER)


async def test_what_is_not_sampled_at_first_is_not_sampled_later(memory_house: House) -> None:
    exporter, provider = Spans(), TracerProvider(sampler=ALWAYS_OFF)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.use(provider)
    try:
        command, query = await memory_house.command(), await memory_house.query()
        game = await start_game(command)
        (entry, *_) = await memory_house.entries(game.id)
        assert not int(entry.trace[-2:], 16) & 1
        await play(game, query, 1)
        assert not exporter.get_finished_spans()
    finally:
        tracing.use(None)


async def test_log_lines_name_the_trace_they_belong_to(spans: Spans, capsys: pytest.CaptureFixture[str]) -> None:
    logging.configure("test", "info")
    try:
        log = structlog.get_logger("test")
        log.info("outside")
        with tracing.receive("/wellhead.v1.S/M", {"traceparent": CALLER}):
            log.info("inside")
    finally:
        logging.configure("test", "warning")
    outside, inside = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert "trace_id" not in outside
    (span,) = spans.of(TRACE)["receive"]
    assert (inside["trace_id"], inside["span_id"]) == (TRACE, f"{id_of(span):016x}")


async def test_while_traces_are_off_nothing_is_stored_for_them(memory_house: House) -> None:
    command, query = await memory_house.command(), await memory_house.query()
    game = await start_game(command)
    await submit(game, query)
    assert {entry.trace for entry in await memory_house.entries(game.id)} == {""}


def test_while_traces_are_off_nothing_that_makes_or_sends_them_is_loaded() -> None:
    program = (
        "import sys, wellhead_command.main, wellhead_projection.main, wellhead_scoring.main\n"
        "from wellhead_runtime import tracing\n"
        "with tracing.receive('/a/b', {}), tracing.span('c'): pass\n"
        "unwanted = ('opentelemetry.sdk.trace', 'opentelemetry.exporter')\n"
        "print([name for name in sys.modules if name.startswith(unwanted)])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    def __init__(self) -> None:
        self.names: list[str] = []

    def Export(self, request: Any, context: Any) -> Any:
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                self.names += [span.name for span in scope.spans]
        return trace_service_pb2.ExportTraceServiceResponse()


async def test_spans_reach_a_collector() -> None:
    collector, server = Collector(), grpc.server(futures.ThreadPoolExecutor(1))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        tracing.export("command", f"http://127.0.0.1:{port}")
        with tracing.receive("/a/b", {}), tracing.span("decide"):
            pass
        await asyncio.to_thread(tracing.close)
    finally:
        tracing.use(None)
        server.stop(None)
    assert sorted(collector.names) == ["decide", "receive"]


def entry(revision: int, trace: str) -> Entry:
    return Entry(revision, bytes(32), b"c", b"", b"", "", trace)


def test_what_follows_from_several_commits_is_in_the_trace_of_the_last_and_linked_to_the_others(spans: Spans) -> None:
    others = ["00-" + f"{number:032x}" + "-00000000000000ab-01" for number in (1, 2)]
    entries = [entry(1, others[0]), entry(2, ""), entry(3, others[1]), entry(4, CALLER)]
    with tracing.carry_on("project", StreamId("game", "g"), entries):
        pass
    (span,) = spans.of(TRACE)["project"]
    assert [f"{link.context.trace_id:032x}" for link in span.links] == [other.split("-")[1] for other in others]
    assert (span.attributes or {})["wellhead.revision"] == 4


def test_what_belongs_to_no_trace_begins_none(spans: Spans) -> None:
    with tracing.carry_on("project", StreamId("game", "g"), [entry(1, "")]), tracing.span("decide"):
        assert tracing.parent() == ""
    assert not spans.get_finished_spans()
