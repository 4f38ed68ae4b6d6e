"""Whatever dies while action cards are being chosen, what was chosen stays chosen, and stays secret (R-RULES-7)."""

import asyncio
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.waiting import until
from wellhead.oilfield.v1 import types_pb2, view_pb2
from wellhead.v1 import game_pb2, log_pb2
from wellhead_cli.stack import Stack
from wellhead_client import SeatAt, WellheadClient
from wellhead_runtime.export import read_export

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

PARTS = ("wellhead_command", "wellhead_projection", "wellhead_scoring", "store")
CARDS = ("lease", "drill", "national")
"""What each seat chooses; no two the same, so that a mix-up shows."""
ORDER = (2, 0, 1)
"""The seats in the order in which they commit."""


def card_number(name: str) -> int:
    return types_pb2.ActionCard.Value(f"ACTION_CARD_{name.upper()}")


class Table:
    """A game of three, driven seat by seat through the services alone."""

    def __init__(self, client: WellheadClient, game_id: str, seats: Sequence[SeatAt]) -> None:
        self.client, self.game_id, self.seats = client, game_id, seats
        self.revision = 1

    async def view(self, viewer: int | None) -> game_pb2.GameView:
        seat = None if viewer is None else self.seats[viewer]
        return await self.client.view(self.game_id, seat, min_revision=self.revision)

    async def table(self, viewer: int | None) -> view_pb2.View:
        return (await self.view(viewer)).table.oilfield

    async def answer(self, seat: int, wanted: str = "") -> None:
        """The seat's decision, by the option wanted or by the last one: the way to decline, if there is one."""
        legal = await self.client.legal(self.game_id, self.seats[seat], min_revision=self.revision)
        decision = legal.decisions[0]
        ids = [option.id for option in decision.options]
        option_id = wanted or ids[-1]
        assert option_id in ids
        answer = await self.client.submit(self.game_id, self.seats[seat], decision.decision_id, option_id)
        self.revision = answer.receipt.revision

    async def play_until(self, kind: str) -> None:
        """Answers whatever is owed, until this is asked."""
        while (owed := (await self.view(None)).decisions)[0].kind != kind:
            await self.answer(owed[0].seat)

    async def check_secrets(self, committed: Sequence[int]) -> None:
        """Everybody sees who has committed, the committer alone sees what."""
        for viewer in (None, *range(len(self.seats))):
            for player in (await self.table(viewer)).players:
                has = player.seat in committed
                shown = card_number(CARDS[player.seat]) if has and player.seat == viewer else 0
                assert (player.has_committed, player.card) == (has, shown)
        _, entries = read_export(io.BytesIO(await self.client.export(self.game_id)))
        for entry in entries:
            record = log_pb2.CommitRecord.FromString(entry.record)
            assert not record.game_command.command.oilfield.commit_private_action.card
            for event in record.events.oilfield.events:
                assert not event.private_action_committed.card
            assert not entry.private_record


async def kill(stack: Stack, part: str) -> None:
    """Kills a part, and returns when another process has taken its place."""
    killed = stack.pids[part]
    os.kill(killed, signal.SIGKILL)

    async def replaced() -> bool:
        return stack.pids[part] != killed

    await until(replaced)


@pytest.mark.req("R-RULES-7", "R-API-4")
async def test_killing_anything_at_any_step_of_private_selection_keeps_the_secrets(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack, asyncio.timeout(180):
        endpoints = stack.endpoints
        async with WellheadClient(endpoints.command, endpoints.query, endpoints.scoring, patience=60.0) as client:
            created = await client.create_game("oilfield", ["ada", "bob", "cleo"])
            await client.start_game(created.game_id, created.credentials[0])
            table = Table(client, created.game_id, created.credentials)
            for part in PARTS:
                await table.play_until("commit_private")
                for step in range(len(ORDER) + 1):
                    await kill(stack, part)
                    committed = ORDER[:step]
                    if step < len(ORDER):
                        await table.check_secrets(committed)
                        await table.answer(ORDER[step], f"commit_private_action:{CARDS[ORDER[step]]}")
                await table.play_until("place_worker")
                revealed = [entry async for entry in client.history(created.game_id)]
                told = [fact for entry in revealed for fact in entry.facts if fact.startswith("The action cards")]
                assert told[-1] == "The action cards: red lease, blue drill, green national"
