"""`wellhead up --identity tokens` and `wellhead token`: a game among people who say who they are (R-API-9)."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wellhead.v1 import game_pb2
from wellhead_client import Refused, Seat, WellheadClient
from wellhead_client.bots import RandomBot
from wellhead_client.runner import play_seat
from wellhead_rules.registry import RULESETS

pytestmark = [
    pytest.mark.req("R-API-9"),
    pytest.mark.skipif(sys.platform != "linux", reason="a stack of processes, as the others of this folder"),
]

WELLHEAD = (sys.executable, "-m", "wellhead_cli")
ANY_PORT = ("--command-port", "0", "--query-port", "0", "--scoring-port", "0")


@pytest.fixture
def said(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """What a stack says that wants identities."""
    arguments = [*WELLHEAD, "up", "--data-dir", tmp_path, "--identity", "tokens", *ANY_PORT, "--json"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
        process.terminate()
        assert process.wait(30) == 0


@pytest.mark.parametrize("game", RULESETS)
async def test_people_play_the_seats_they_hold_without_any_credential(
    said: dict[str, Any], tmp_path: Path, game: str
) -> None:
    assert said["identity"] == "tokens"

    def signed_in(name: str, role: str = "player") -> WellheadClient:
        arguments = [*WELLHEAD, "token", name, "--role", role, "--data-dir", tmp_path]
        token = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.strip()
        return WellheadClient(said["command"], said["query"], said["scoring"], token=token)

    stranger = WellheadClient(said["command"], said["query"], said["scoring"])
    async with signed_in("ada") as ada, signed_in("bob") as bob, signed_in("referee", "operator") as referee, stranger:
        with pytest.raises(Refused, match="TOKEN_MISSING"):
            await stranger.create_game(game, ["ada"])
        created = await ada.create_game(game, ["ada"], seat_count=2, spectating=game_pb2.SPECTATING_SEATS)
        await bob.take_seat(created.game_id)
        with pytest.raises(Refused, match="SPECTATING_CLOSED"):
            await stranger.view(created.game_id)
        with pytest.raises(Refused, match="NOT_SEAT_HOLDER"):
            await referee.legal(created.game_id, Seat(0))
        await ada.start_game(created.game_id)
        async with asyncio.timeout(120), asyncio.TaskGroup() as group:
            for number, player in enumerate((ada, bob)):
                group.create_task(play_seat(player, created.game_id, Seat(number), RandomBot(number), RULESETS))
        assert (await stranger.score_card(created.game_id)).ranking
