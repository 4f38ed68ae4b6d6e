"""The examples of the SDK's README do what they say, one after the other."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.documents import blocks, main_of
from wellhead_cli.stack import Ports, Stack
from wellhead_rules.registry import RULESETS
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.roles import Role
from wellhead_runtime.tokens import Tokens

README = Path(__file__).parents[2] / "libs" / "wellhead_client" / "README.md"
EXAMPLES = dict(blocks(README, "python"))

pytestmark = pytest.mark.req("R-API-8")


@pytest.fixture(scope="module")
async def stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    async with Stack(tmp_path_factory.mktemp("sdk"), Ports(command_http=0, query_http=0)) as running:
        yield running


def test_every_example_is_run() -> None:
    # The last one needs a server with a certificate: tests/services/test_tls.py has it.
    assert list(EXAMPLES) == ["a game, move by move", "watching", "bots", "refusals", "tokens and HTTP", "TLS"]


@pytest.mark.parametrize("game", RULESETS)
async def test_a_game_is_played_and_watched(stack: Stack, capsys: pytest.CaptureFixture[str], game: str) -> None:
    at = stack.endpoints
    game_id = await main_of(EXAMPLES["a game, move by move"])(game, at.command, at.query)
    assert len(capsys.readouterr().out.splitlines()) == 10
    await main_of(EXAMPLES["watching"])(game_id, at.command, at.query)
    first, *again = capsys.readouterr().out.splitlines()
    found = re.fullmatch(r"The game is at revision (\d+); seats \[[01, ]+\] are to move\.", first)
    assert found
    last = int(found[1])
    assert last > 3
    assert again == [f"Revision {number} again." for number in range(last - 2, last + 1)]


@pytest.mark.parametrize("game", RULESETS)
async def test_bots_play_a_game(stack: Stack, capsys: pytest.CaptureFixture[str], game: str) -> None:
    at = stack.endpoints
    await main_of(EXAMPLES["bots"])(game, at.command, at.query, at.scoring)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    for line in lines:
        found = re.fullmatch(r"Seat [01] has (-?\d+) points: (.+)\.", line)
        assert found
        assert sum(int(part.rpartition(" ")[2]) for part in found[2].split(", ")) == int(found[1])


async def test_what_is_refused_says_why(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    at = stack.endpoints
    await main_of(EXAMPLES["refusals"])("oil_rock", at.command, at.query)
    one, stale, owed, nobody = capsys.readouterr().out.splitlines()
    assert one == "One table: True."
    assert stale.startswith("STALE_DECISION: ")
    assert "take a character" in owed
    assert nobody.startswith("Nobody there: gave up after 0.2 s: ")


async def test_a_token_names_its_bearer_over_http(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    at = stack.endpoints
    token = Tokens(Keyring.load(stack.data_dir / "server-key.json")).identity("ada", Role.PLAYER, 60)
    await main_of(EXAMPLES["tokens and HTTP"])("oilfield", token, at.command_http, at.query_http)
    assert capsys.readouterr().out == "ada sits at a table of ada, and owes 0 answers.\n"
