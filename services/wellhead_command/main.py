"""Wiring of the command service."""

from collections.abc import Mapping

from wellhead.v1 import command_service_pb2
from wellhead_command.committer import Committer
from wellhead_command.intents import House
from wellhead_command.restraint import OpenTables, Tempered
from wellhead_command.servicer import CommandServicer
from wellhead_command.sweeper import Sweeper
from wellhead_command.timekeeping import Downtimes
from wellhead_eventlog.port import EventLog
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.registry import RULESETS
from wellhead_runtime.admission import Gate
from wellhead_runtime.authority import Authority
from wellhead_runtime.lifecycle import Running
from wellhead_runtime.live import LiveGames
from wellhead_runtime.methods import Service
from wellhead_runtime.server import Server
from wellhead_runtime.settings import Settings
from wellhead_runtime.store import open_log
from wellhead_runtime.timekeeping import WALL_CLOCK, Clock

SERVICE = command_service_pb2.DESCRIPTOR.services_by_name["GameCommandService"]


async def serve(
    settings: Settings,
    log: EventLog | None = None,
    registry: Mapping[str, Ruleset] = RULESETS,
    clock: Clock = WALL_CLOCK,
) -> Running:
    """Starts the service; it listens when this returns. Without a log it opens the store of the settings."""
    log = log or await open_log(settings)
    games = LiveGames(log, registry, settings.live_games)
    house = House(settings.keyring, Authority.of(settings), registry, settings.idle_table_seconds)
    gate = Gate(settings.rates)
    downtimes = Downtimes(log, clock)
    await downtimes.begin()
    committer = Committer(games, settings.durability, clock, downtimes)
    sweeper = Sweeper(house, committer, clock)
    servicer = CommandServicer(house, committer, Tempered(settings.rates), OpenTables(games, settings.rates))
    server = Server([Service(SERVICE, servicer, gate, house.authority.recognise)], settings)
    running = Running("command", server, log)
    running.background(downtimes.run(), downtimes.stop)
    running.background(sweeper.run(), sweeper.stop)
    return await running.start()
