"""Wiring of the projection service."""

from collections.abc import Mapping
from uuid import uuid4

from wellhead.v1 import query_service_pb2
from wellhead_eventlog.consumer import Consumer
from wellhead_eventlog.port import EventLog
from wellhead_projection.servicer import QueryServicer
from wellhead_projection.summaries import CONSUMER, Summaries
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.registry import RULESETS
from wellhead_runtime import tracing
from wellhead_runtime.admission import Gate
from wellhead_runtime.authority import Authority
from wellhead_runtime.hub import Hub
from wellhead_runtime.lifecycle import Running
from wellhead_runtime.live import LiveGames
from wellhead_runtime.methods import Service
from wellhead_runtime.server import Server
from wellhead_runtime.settings import Settings
from wellhead_runtime.store import open_log
from wellhead_runtime.timekeeping import QUERY, WALL_CLOCK, Beating, Clock

SERVICE = query_service_pb2.DESCRIPTOR.services_by_name["GameQueryService"]


async def serve(
    settings: Settings,
    log: EventLog | None = None,
    registry: Mapping[str, Ruleset] = RULESETS,
    clock: Clock = WALL_CLOCK,
) -> Running:
    """Starts the service; it listens when this returns. Without a log it opens the store of the settings."""
    log = log or await open_log(settings)
    games = LiveGames(log, registry, settings.live_games)
    hub = Hub(games)
    await hub.begin()
    derive = tracing.carried_on("project", Summaries(games).derive)
    consumer = Consumer(log, CONSUMER, derive, owner=f"projection-{uuid4()}", ttl_ms=settings.lease_ms)
    authority = Authority.of(settings)
    servicer = QueryServicer(games, hub, authority, settings.heartbeat_seconds)
    server = Server([Service(SERVICE, servicer, Gate(settings.rates), authority.recognise)], settings)
    running = Running("projection", server, log)
    running.background(hub.run(), hub.stop)
    beating = Beating(log, QUERY, clock)
    await beating.begin()
    running.background(beating.run(), beating.stop)
    running.consume(consumer)
    return await running.start()
