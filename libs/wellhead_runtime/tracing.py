"""Traces: what a command goes through, from the bytes that came to the score that follows (OpenTelemetry).

    receive ── parse, authorise, decide, encode, append, answer     the command service
                                             ├── project            the projection service, from the stored commit
                                             └── score              the scoring service; its call goes on from there

Off unless `WELLHEAD_OTLP_ENDPOINT` names a collector: what makes and sends spans is not loaded then, and a span costs
a call that does nothing. A caller's `traceparent` is taken over. A commit carries that of the span that appended it, as
a field of its own that no digest covers. A span names methods, games and revisions, and an error by its type or reason:
like the log it quotes nothing (R-API-9).
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from wellhead_eventlog.port import Entry, StreamId
from wellhead_runtime import limits
from wellhead_runtime.sources import BadSetting

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

_PARENT = "traceparent"
_LINKS = 32
"""Commits at most that one span is linked to."""

_tracer: Any = None
_provider: Any = None


# -- on and off --------------------------------------------------------------------------------------------------------


def export(service: str, endpoint: str) -> None:
    """From now on spans go to the collector at `http(s)://HOST:PORT`, in batches, by a thread of their own.

    How many traces are kept is OpenTelemetry's own `OTEL_TRACES_SAMPLER`.
    """
    try:
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as missing:
        detail = f"traces need the extra `wellhead[traces]`, {missing.name} is not installed"
        raise BadSetting("WELLHEAD_OTLP_ENDPOINT", detail) from missing
    provider = TracerProvider(resource=Resource.create({"service.name": f"wellhead-{service}"}))
    exporter = OTLPSpanExporter(
        endpoint=endpoint, insecure=not endpoint.startswith("https://"), timeout=limits.STOP_SECONDS
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    use(provider)


def use(provider: "TracerProvider | None") -> None:
    """Spans go to this provider; None switches them off."""
    global _provider, _tracer  # noqa: PLW0603 - a process has one
    _provider = provider
    _tracer = provider.get_tracer("wellhead") if provider is not None else None


def close() -> None:
    """Sends what waits, for a limited time."""
    if _provider is not None:
        _provider.shutdown()
        use(None)


# -- spans -------------------------------------------------------------------------------------------------------------


class _Off:
    """The span of a process that traces nothing."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: object, trace_back: object) -> None:
        return None


_OFF = _Off()


class _Span:
    """A span around a block, on the loop: the current one for whatever the block awaits."""

    __slots__ = ("_attributes", "_kind", "_links", "_name", "_parent", "_span", "_token")

    def __init__(
        self, name: str, attributes: Mapping[str, Any], parent: Any = None, kind: str = "INTERNAL", links: Any = ()
    ) -> None:
        self._name = name
        self._attributes = attributes
        self._parent = parent
        self._kind = kind
        self._links = links

    def __enter__(self) -> None:
        from opentelemetry import context, trace

        self._span = _tracer.start_span(
            self._name,
            context=self._parent,
            kind=trace.SpanKind[self._kind],
            attributes=self._attributes,
            links=self._links,
            record_exception=False,
        )
        self._token = context.attach(trace.set_span_in_context(self._span))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace_back: TracebackType | None
    ) -> None:
        from opentelemetry import context

        if error is not None:
            fail(error)
        context.detach(self._token)
        self._span.end()


def span(name: str, game: str = "", revision: int = 0) -> AbstractContextManager[None]:
    """A part of what goes on now, if that is traced; with game and revision where the spans around it lack them."""
    if _tracer is None or ids() is None:
        return _OFF
    return _Span(name, {"wellhead.game": game, "wellhead.revision": revision} if game else {})


def fail(error: BaseException) -> None:
    """What goes on now has failed."""
    if _tracer is None:
        return
    from opentelemetry import trace

    told = getattr(error, "reason", "") or getattr(error, "code", "")  # a refusal's, a rule's
    now = trace.get_current_span()
    now.set_attribute("error.type", str(told) or type(error).__name__)
    now.set_status(trace.Status(trace.StatusCode.ERROR))


def active() -> bool:
    """Whether anything is traced."""
    return _tracer is not None


def receive(method: str, metadata: Mapping[str, str]) -> AbstractContextManager[None]:
    """A call's first span, within the trace that its caller names, if it does. `metadata` has lower-case names."""
    if _tracer is None:
        return _OFF
    service, _, name = method.strip("/").rpartition("/")
    attributes = {"rpc.service": service, "rpc.method": name}
    return _Span("receive", attributes, _context(metadata.get(_PARENT, "")), kind="SERVER")


def carry_on(name: str, stream: StreamId, entries: Sequence[Entry]) -> AbstractContextManager[None]:
    """What follows from commits, within the trace of the last of them, if it has one, and linked to the others'."""
    if _tracer is None or not entries[-1].trace:
        return _OFF
    from opentelemetry import trace

    attributes = {"wellhead.game": stream.id, "wellhead.revision": entries[-1].revision}
    others = [trace.get_current_span(_context(each.trace)) for each in entries[:-1][-_LINKS:] if each.trace]
    links = [trace.Link(each.get_span_context()) for each in others]
    return _Span(name, attributes, _context(entries[-1].trace), kind="CONSUMER", links=links)


Handle = Callable[[StreamId, Sequence[Entry]], Awaitable[Any]]


def carried_on(name: str, handle: Handle) -> Handle:
    """A consumer's handler in a span of this name."""

    async def handled(stream: StreamId, entries: Sequence[Entry]) -> Any:
        with carry_on(name, stream, entries):
            return await handle(stream, entries)

    return handled


# -- across processes --------------------------------------------------------------------------------------------------


def parent() -> str:
    """The current span as a `traceparent`; empty if nothing is traced."""
    if _tracer is None:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(_PARENT, "")


def metadata() -> tuple[tuple[str, str], ...]:
    """What a call of ours brings along, so that its trace goes on there."""
    now = parent()
    return ((_PARENT, now),) if now else ()


def ids() -> tuple[str, str] | None:
    """The ids of the current trace and span, as a log line names them."""
    if _tracer is None:
        return None
    from opentelemetry import trace

    now = trace.get_current_span().get_span_context()
    return (f"{now.trace_id:032x}", f"{now.span_id:016x}") if now.is_valid else None


def _context(parent: str) -> Any:
    """The context in which a span continues what `parent` names: a new trace if that is empty or makes no sense."""
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({_PARENT: parent}, Context())
