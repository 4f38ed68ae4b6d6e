"""Killing anything in the middle of a game changes nothing but time (R-API-4)."""

import asyncio
import io
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import processes_of
from wellhead.v1 import command_service_pb2 as commands
from wellhead_cli.stack import Endpoints, Stack
from wellhead_client import PlaySession, SeatAt, WellheadClient
from wellhead_client.bots import RandomBot
from wellhead_client.runner import play_seat
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import read_export, verify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

# Which part dies when the game has come to which revision.
DEATHS = {
    30: "wellhead_command",
    60: "wellhead_projection",
    90: "wellhead_scoring",
    120: "store",
    150: "wellhead_command",
}


class Noting(WellheadClient):
    """A client that keeps the receipts of what was acknowledged."""

    def __init__(self, endpoints: Endpoints) -> None:
        super().__init__(endpoints.command, endpoints.query, endpoints.scoring, patience=60.0)
        self.receipts: list[commands.Receipt] = []

    def play(self, game_id: str, seat: SeatAt) -> PlaySession:
        session = super().play(game_id, seat)
        submit = session.submit

        async def noting(*arguments: Any, **named: Any) -> commands.SubmitCommandResponse:
            answer = await submit(*arguments, **named)
            self.receipts.append(answer.receipt)
            return answer

        session.submit = noting  # type: ignore[method-assign]
        return session


async def kill_on_the_way(client: WellheadClient, game_id: str, stack: Stack) -> list[tuple[str, int]]:
    """Kills parts of the stack while the game goes on; what was killed."""
    killed = []
    async for message in client.watch(game_id, after_revision=0):
        if part := DEATHS.get(message.change.revision):
            killed.append((part, stack.pids[part]))
            os.kill(stack.pids[part], signal.SIGKILL)
    return killed


@pytest.mark.req("R-API-2", "R-API-3", "R-API-4", "R-LOG-3", "R-SCORE-1", "R-PROOF-2")
async def test_a_game_survives_the_death_of_every_part(tmp_path: Path) -> None:
    told: list[str] = []
    async with Stack(tmp_path, tell=told.append) as stack, Noting(stack.endpoints) as client:
        table = await client.create_game("oil_rock", ["ada", "bob", "cleo", "dora"])
        await client.start_game(table.game_id, table.credentials[0])
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            for seat in table.credentials:
                group.create_task(play_seat(client, table.game_id, seat, RandomBot(seat.seat), RULESETS))
            killing = group.create_task(kill_on_the_way(client, table.game_id, stack))
        exported = await client.export(table.game_id)
        card = await client.score_card(table.game_id)
        pids = stack.pids
    killed = killing.result()
    assert [part for part, _ in killed] == list(DEATHS.values())
    assert all(pids[part] != pid for part, pid in killed)
    assert len(told) >= len(DEATHS)

    report = verify(io.BytesIO(exported), RULESETS)
    assert report.unproved == []
    assert report.ended
    assert [(rank.seat, rank.total) for rank in card.ranking] == [(rank.seat, rank.total) for rank in report.ranking]
    digests = [entry.digest for entry in read_export(io.BytesIO(exported))[1]]
    assert all(digests[receipt.revision - 1] == receipt.digest for receipt in client.receipts)
    # Table opened, game started, one commit an acknowledged command and a score: nothing was lost, nothing came twice.
    assert len(digests) == 2 + len({receipt.revision for receipt in client.receipts}) + report.scores
    assert processes_of(tmp_path) == set()


@pytest.mark.req("R-LOG-3")
async def test_a_request_repeated_after_a_restart_gets_the_first_answer(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack, Noting(stack.endpoints) as client:
        request_id = "the same request id every time"
        answers = [await client.create_game("oil_rock", ["ada", "bob"], request_id=request_id) for _ in range(2)]
        os.kill(stack.pids["wellhead_command"], signal.SIGKILL)
        answers += [await client.create_game("oil_rock", ["ada", "bob"], request_id=request_id) for _ in range(3)]
        assert all(answer == answers[0] for answer in answers)
        assert (await client.view(answers[0].game_id, min_revision=1)).revision == 1
