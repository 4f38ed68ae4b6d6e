"""Clients in other languages, which know the protos and no game, play whole games against bots of ours."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import pytest

from tests.support.node import EXAMPLE, PROTOS, environment, ready_protos
from wellhead.v1 import game_pb2
from wellhead_cli.stack import Ports, Stack
from wellhead_client import WellheadClient
from wellhead_client.bots import RandomBot
from wellhead_client.runner import play_seat
from wellhead_rules.registry import RULESETS

PLAY_S = 120.0

Launch = tuple[list[str], Path, Mapping[str, str]]
"""Command, folder, environment."""


def typescript() -> Launch:
    protos = ready_protos()
    return ["node", "bot.ts"], protos / EXAMPLE, environment(protos.parent / "bin")


def plain_json() -> Launch:
    # Isolated, so that it sees the standard library and nothing of ours.
    return [sys.executable, "-I", "-S", "bot.py"], PROTOS / "examples" / "json", os.environ


@pytest.fixture(scope="module")
async def stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    async with Stack(tmp_path_factory.mktemp("strangers"), Ports(command_http=0, query_http=0)) as running:
        yield running


async def play(stack: Stack, stranger: Callable[[], Launch], game: str, *restarts: str) -> None:
    """A game against a bot of ours, during which these services are killed and come back."""
    command, folder, variables = await asyncio.to_thread(stranger)
    at = stack.endpoints
    async with WellheadClient(at.command, at.query) as client, asyncio.timeout(PLAY_S):
        table = await client.create_game(game, ["ada", "stranger"])
        game_id, (ada, seat) = table.game_id, table.credentials
        await client.start_game(game_id, ada)
        process = await asyncio.create_subprocess_exec(
            *command, at.command_http, at.query_http, game_id, str(seat.seat), cwd=folder,
            env={**variables, "WELLHEAD_TOKEN": seat.credential},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        playing = asyncio.create_task(play_seat(client, game_id, ada, RandomBot(1), RULESETS))
        try:
            for number, service in enumerate(restarts, 1):
                await client.view(game_id, min_revision=30 * number)
                os.kill(stack.pids[service], signal.SIGKILL)
            said, complaints = await process.communicate()
            assert (process.returncode, complaints.decode()) == (0, "")
            over = await playing
        finally:
            playing.cancel()
            if process.returncode is None:
                process.kill()
                await process.communicate()
        assert said.decode().splitlines() == [f"seat {rank.seat}: {rank.total}" for rank in over.ranking]
        assert (await client.view(game_id)).summary.status == game_pb2.GAME_STATUS_ENDED


@pytest.mark.req("R-API-1", "R-API-7", "R-API-8")
@pytest.mark.parametrize("game", RULESETS)
@pytest.mark.parametrize("stranger", [typescript, plain_json])
async def test_a_stranger_plays_every_game_to_its_end(stack: Stack, stranger: Callable[[], Launch], game: str) -> None:
    await play(stack, stranger, game)


@pytest.mark.req("R-API-3")
@pytest.mark.parametrize("stranger", [typescript, plain_json])
async def test_a_stranger_goes_on_when_services_die_and_come_back(stack: Stack, stranger: Callable[[], Launch]) -> None:
    await play(stack, stranger, "oil_rock", "wellhead_projection", "wellhead_command")


def test_the_typescript_example_has_the_types_it_says() -> None:
    _, folder, variables = typescript()
    checked = subprocess.run(
        ["npm", "run", "check"], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
