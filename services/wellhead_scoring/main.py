"""Wiring of the scoring service."""

from collections.abc import Mapping
from uuid import uuid4

from wellhead.v1 import command_service_pb2_grpc, scoring_service_pb2
from wellhead_eventlog.consumer import Consumer
from wellhead_eventlog.port import EventLog
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.registry import RULESETS
from wellhead_runtime import tls
from wellhead_runtime.admission import Gate
from wellhead_runtime.authority import Authority
from wellhead_runtime.hub import Hub
from wellhead_runtime.lifecycle import Running
from wellhead_runtime.live import LiveGames
from wellhead_runtime.methods import Service
from wellhead_runtime.server import Server
from wellhead_runtime.settings import BadSetting, Settings
from wellhead_runtime.store import open_log
from wellhead_runtime.tokens import SCORING
from wellhead_scoring.recorder import Recorder
from wellhead_scoring.scorer import CONSUMER, MARKS, Scorer
from wellhead_scoring.servicer import ScoringServicer

SERVICE = scoring_service_pb2.DESCRIPTOR.services_by_name["ScoringService"]


async def serve(settings: Settings, log: EventLog | None = None, registry: Mapping[str, Ruleset] = RULESETS) -> Running:
    """Starts the service; it listens when this returns. Without a log it opens the store of the settings."""
    if not settings.command_target:
        raise BadSetting("WELLHEAD_COMMAND_TARGET", "must be set: scores reach the log through the command service")
    log = log or await open_log(settings)
    games = LiveGames(log, registry, settings.live_games)
    hub = Hub(games)
    await hub.begin()
    authority = Authority.of(settings)
    channel = tls.channel(settings.command_target, settings.command_ca, settings.tls)
    recorder = Recorder(command_service_pb2_grpc.GameCommandServiceStub(channel), authority.tokens.service(SCORING))
    # The scorer needs games at revisions of its own, so its cache is not the one that queries bring up to date.
    scorer = Scorer(LiveGames(log, registry, settings.live_games), recorder)
    consumer = Consumer(log, CONSUMER, scorer.handle, owner=f"scoring-{uuid4()}", marks=MARKS, ttl_ms=settings.lease_ms)
    servicer = ScoringServicer(games, hub, authority)
    server = Server([Service(SERVICE, servicer, Gate(settings.rates), authority.recognise)], settings)
    running = Running("scoring", server, log)
    running.background(hub.run(), hub.stop)
    running.consume(consumer)
    running.before_stop(recorder.stop)
    running.after_stop(channel.close)
    return await running.start()
