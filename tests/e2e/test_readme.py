"""The README's example does what it says."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from wellhead_cli.stack import Stack

README = Path(__file__).parents[2] / "README.md"


def example() -> Callable[[str, str], Awaitable[None]]:
    """`main` of the Python block."""
    (block,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    scope: dict[str, Callable[[str, str], Awaitable[None]]] = {"__name__": "example"}  # type: ignore[dict-item]
    exec(block, scope)
    return scope["main"]


async def test_the_client_example_plays_a_whole_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with Stack(tmp_path) as stack:
        await example()(stack.endpoints.command, stack.endpoints.query)
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"Seat [01] wins with \d+ points\.", lines[-1])
    assert any("worker turn 3 of round 4" in line for line in lines)
