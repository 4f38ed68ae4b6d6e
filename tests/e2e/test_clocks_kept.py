"""A game with clocks survives whatever dies, and its clocks charge nobody for the time that it took (R-API-5)."""

import asyncio
import io
import os
import signal
import sys
from pathlib import Path

import pytest

from wellhead.v1 import game_pb2, log_pb2
from wellhead_cli.stack import Stack
from wellhead_client import WellheadClient
from wellhead_client.bots import RandomBot
from wellhead_client.runner import play_seat
from wellhead_rules.kernel import commits
from wellhead_rules.kernel.table import Table
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import read_export, verify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="stops and kills processes by their ids")

SECONDS = 6
"""For each decision. Whoever were charged for a death would lose one by it."""

DEATHS = {20: "wellhead_command", 40: "wellhead_projection", 60: "wellhead_scoring", 80: "store"}


async def kill_slowly(client: WellheadClient, game_id: str, stack: Stack) -> list[str]:
    """Parts of the stack fall silent one after the other, for longer than a decision may take, and die."""
    killed = []
    for revision, part in DEATHS.items():
        await client.view(game_id, min_revision=revision)
        pid = stack.pids[part]
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(SECONDS + 1)
        os.kill(pid, signal.SIGKILL)
        killed.append(part)
    return killed


@pytest.mark.req("R-API-4", "R-API-5")
async def test_no_clock_charges_a_player_for_the_death_of_a_process(tmp_path: Path) -> None:
    control = game_pb2.TimeControl(per_turn=game_pb2.PerTurn(seconds=SECONDS))
    async with (
        Stack(tmp_path) as stack,
        WellheadClient(*targets(stack), patience=60.0) as client,
    ):
        opened = await client.create_game("oil_rock", ["ada", "bob"], time_control=control)
        await client.start_game(opened.game_id, opened.credentials[0])
        async with asyncio.timeout(150), asyncio.TaskGroup() as group:
            killing = group.create_task(kill_slowly(client, opened.game_id, stack))
            for seat in opened.credentials:
                group.create_task(play_seat(client, opened.game_id, seat, RandomBot(seat.seat), RULESETS))
        exported = await client.export(opened.game_id)
    assert killing.result() == list(DEATHS.values())
    report = verify(io.BytesIO(exported), RULESETS)
    assert report.unproved == [] and report.ended

    table, kinds, given_back = Table(opened.game_id), [], 0
    for stored in read_export(io.BytesIO(exported))[1]:
        record, private = commits.decode(stored.record, stored.private_record)
        commits.fold(table, record, private, RULESETS)
        kinds.append(record.WhichOneof("command"))
        given_back += sum(each.us for event in record.table_events for each in event.clock_credited.seats)
    assert "expiry" not in kinds
    assert kinds.count("clock_credit") >= 2
    assert given_back >= 2 * SECONDS * 1_000_000
    assert all(clock.left_us >= 0 for clock in table.clocks)


def targets(stack: Stack) -> tuple[str, str, str]:
    endpoints = stack.endpoints
    return endpoints.command, endpoints.query, endpoints.scoring


@pytest.mark.req("R-API-5")
async def test_a_game_goes_on_in_time_when_its_players_stay_away(tmp_path: Path) -> None:
    control = game_pb2.TimeControl(per_game=game_pb2.PerGame(initial_seconds=1))
    policy = game_pb2.AbsencePolicy(take_over=game_pb2.TakeOver(bot="random"))
    async with Stack(tmp_path) as stack, WellheadClient(*targets(stack)) as client:
        players = ["ada", "bob"]
        opened = await client.create_game("oilfield", players, time_control=control, absence_policy=policy)
        await client.start_game(opened.game_id, opened.credentials[0])
        turns = [turn async for turn in client.turns()]
        assert all(turn.game_id == opened.game_id and turn.player in players for turn in turns)
        async with asyncio.timeout(90):
            async for message in client.watch(opened.game_id):
                last = message
        assert last.HasField("game_over")
        exported = await client.export(opened.game_id)
    report = verify(io.BytesIO(exported), RULESETS)
    assert report.unproved == [] and report.ended
    stored = [log_pb2.CommitRecord.FromString(each.record) for each in read_export(io.BytesIO(exported))[1]]
    assert {each.expiry.take_over.bot for each in stored if each.HasField("expiry")} == {"random"}
