"""The operator's console on a stack that runs."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

from tests.support.waiting import until
from wellhead_cli.stack import Stack
from wellhead_client import WellheadClient
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_projection.summaries import CONSUMER as SUMMARIES
from wellhead_scoring.scorer import CONSUMER as SCORING


async def wellhead(*words: object) -> str:
    """What the command line says; it must succeed."""
    arguments = [sys.executable, "-m", "wellhead_cli", *map(str, words)]
    environment = {name: value for name, value in os.environ.items() if name != "WELLHEAD_STORE_URL"}
    process = await asyncio.create_subprocess_exec(*arguments, stdout=PIPE, stderr=PIPE, env=environment)
    said, complaints = await process.communicate()
    assert process.returncode == 0, complaints.decode()
    return said.decode()


async def frames_until_interrupted(data_dir: Path) -> None:
    """Two frames and a Ctrl-C, which is how one leaves."""
    words = ["top", "--interval", "0.1", "--json", "--data-dir", str(data_dir)]
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "wellhead_cli", *words, stdout=PIPE)
    assert process.stdout is not None
    first, second = [json.loads(await process.stdout.readline()) for _ in range(2)]
    assert first["games"] == second["games"]
    process.send_signal(signal.SIGINT)
    await process.communicate()
    assert process.returncode == 0


async def test_it_sees_processes_leases_and_games(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack, WellheadClient(stack.endpoints.command, stack.endpoints.query) as client:
        table = await client.create_game("oil_rock", ["Ada", "Basil"])
        started = await client.start_game(table.game_id, table.credentials[0])

        async def settled() -> dict[str, Any] | None:
            frame = json.loads(await wellhead("top", "--once", "--interval", "0.2", "--json", "--data-dir", tmp_path))
            calm = all(each["state"] == "up to date" for each in frame["consumers"])
            return frame if calm and frame["games"]["running"] else None

        frame = await until(settled)
        assert frame["commits"] >= started.receipt.revision
        held = {each["consumer"]: each["held"] for each in frame["consumers"]}
        assert {SUMMARIES: PARTITIONS, SCORING: PARTITIONS}.items() <= held.items()
        assert {"projection", "scoring"} <= {each.partition("-")[0] for each in frame["processes"]}

        await frames_until_interrupted(tmp_path)

        target = ("--target", stack.endpoints.query)
        (listed,) = json.loads(await wellhead("games", "list", "--status", "running", "--json", *target))["games"]
        assert listed["game_id"] == table.game_id
        shown = await wellhead("games", "show", table.game_id, "--facts", 50, *target)
        assert "Decision 1: " in shown
        assert "the game starts" in shown
        assert await wellhead("parked", "list", "--data-dir", tmp_path) == "Nothing is put aside.\n"
