"""The README's example does what it says."""

import re
from pathlib import Path

import pytest

from tests.support.documents import blocks, main_of
from wellhead_cli.stack import Ports, Stack

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("transport", ["grpc", "http"])
async def test_the_client_example_plays_a_whole_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], transport: str
) -> None:
    ((_, example),) = blocks(README, "python")
    async with Stack(tmp_path, Ports(command_http=0, query_http=0)) as stack:
        at = stack.endpoints
        targets = (at.command, at.query) if transport == "grpc" else (at.command_http, at.query_http)
        await main_of(example)(*targets)
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"Seat [01] wins with \d+ points\.", lines[-1])
    assert any("worker turn 3 of round 4" in line for line in lines)
