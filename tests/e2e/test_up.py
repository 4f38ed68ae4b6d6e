"""`wellhead up` as a process: it says where it is, keeps its data, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import processes_of, wait_until_gone
from tests.support.waiting import until
from wellhead_client import WellheadClient

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

Up = Callable[[], tuple[subprocess.Popen[str], dict[str, Any]]]

ANY_PORT = [
    word for name in ("command", "query", "scoring") for word in (f"--{name}-port", "0", f"--{name}-http-port", "0")
]


def command(data_dir: Path) -> list[str]:
    return [sys.executable, "-m", "wellhead_cli", "up", "--data-dir", str(data_dir), *ANY_PORT, "--json"]


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Up]:
    """Starts it on one data directory, and returns it with what it says once it is ready."""
    started: list[subprocess.Popen[str]] = []

    def start() -> tuple[subprocess.Popen[str], dict[str, Any]]:
        process = subprocess.Popen(command(tmp_path), stdout=subprocess.PIPE, text=True, start_new_session=True)
        started.append(process)
        assert process.stdout is not None
        return process, json.loads(process.stdout.readline())

    yield start
    for process in started:
        process.kill()
        process.communicate()
    for pid in processes_of(tmp_path):
        os.kill(pid, signal.SIGKILL)


async def games(said: dict[str, Any]) -> list[str]:
    """The games that are listed, once there are any."""
    async with WellheadClient(said["command"], said["query"]) as client:

        async def listed() -> list[str]:
            return [summary.game_id async for summary in client.games()]

        return await until(listed)


async def create_game(said: dict[str, Any]) -> str:
    async with WellheadClient(said["command"], said["query"]) as client:
        return (await client.create_game("oil_rock", ["ada", "bob"])).game_id


@pytest.mark.req("R-API-4")
async def test_it_stops_cleanly_and_its_data_is_there_the_next_time(up: Up, tmp_path: Path) -> None:
    process, said = up()
    game_id = await create_game(said)
    assert len(processes_of(tmp_path)) == 5  # itself, three services, the store
    process.terminate()
    assert process.wait(30) == 0
    assert processes_of(tmp_path) == set()

    process, said = up()
    assert await games(said) == [game_id]
    # To the whole group, as a terminal does on Ctrl-C.
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(30) == 0
    assert processes_of(tmp_path) == set()


@pytest.mark.req("R-API-1")
async def test_it_is_there_for_http_too(up: Up) -> None:
    _, said = up()
    async with WellheadClient(said["command_http"], said["query_http"]) as client:
        game_id = (await client.create_game("oil_rock", ["ada", "bob"])).game_id
        assert (await client.view(game_id)).revision == 1


@pytest.mark.req("R-API-4")
async def test_killed_it_takes_its_services_along_and_goes_on_with_its_store(up: Up, tmp_path: Path) -> None:
    process, said = up()
    game_id = await create_game(said)
    process.kill()
    for name, pid in said["pids"].items():
        if name != "store":
            wait_until_gone(pid)
    assert processes_of(tmp_path) <= {said["pids"]["store"]}

    process, again = up()
    assert again["pids"]["store"] == said["pids"]["store"]
    assert await games(again) == [game_id]
    process.terminate()
    assert process.wait(30) == 0
    wait_until_gone(again["pids"]["store"])
    assert processes_of(tmp_path) == set()


def test_a_data_directory_and_a_port_belong_to_one_stack(up: Up, tmp_path: Path) -> None:
    _, said = up()
    port = said["scoring"].rpartition(":")[2]
    for arguments in (command(tmp_path), [*command(tmp_path / "other"), "--scoring-port", port]):
        second = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert (second.returncode, second.stdout) == (1, "")
        assert "in use" in second.stderr
        assert second.stderr.count("\n") == 1
