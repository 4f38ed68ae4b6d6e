"""`wellhead demo` and the audit over gRPC, as a user runs them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import processes_of
from wellhead_cli.stack import Stack
from wellhead_client import WellheadClient
from wellhead_rules.registry import RULESETS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

Wellhead = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def wellhead(tmp_path: Path) -> Wellhead:
    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        # What a run keeps in a temporary directory is found under ours, so that leftovers are.
        environment = os.environ | {"TMPDIR": str(tmp_path), "COLUMNS": "100"}
        command = [sys.executable, "-m", "wellhead_cli", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    return run


@pytest.mark.req("R-PROOF-1", "R-SCORE-3")
@pytest.mark.parametrize("game", RULESETS)
def test_the_demo_plays_scores_and_proves_a_game(wellhead: Wellhead, tmp_path: Path, game: str) -> None:
    ran = wellhead("demo", "--game", game, "--players", 2)
    assert (ran.returncode, ran.stderr) == (0, "")
    for part in ("Round 1", "Round 4", "Final score", "draws redone from the published seed", "Verified"):
        assert part in ran.stdout
    assert max(map(len, ran.stdout.splitlines())) <= 100
    assert processes_of(tmp_path) == set()
    assert list(tmp_path.iterdir()) == []


def test_what_the_demo_keeps_verifies(wellhead: Wellhead, tmp_path: Path) -> None:
    said = json.loads(wellhead("demo", "--players", 2, "--json", "--keep", tmp_path / "kept").stdout)
    assert said["verified"] is True
    totals = {rank["seat"]: rank["total"] for rank in said["ranking"]}
    for seat, total in totals.items():
        assert sum(line["points"] for line in said["score"] if line["seat"] == seat) == total
    assert wellhead("audit", "verify", said["file"], "--head", said["head"]).returncode == 0


def connected(stack: Stack) -> WellheadClient:
    return WellheadClient(stack.endpoints.command, stack.endpoints.query)


@pytest.mark.req("R-PROOF-3")
async def test_a_live_game_is_exported_redacted_and_verifies(wellhead: Wellhead, tmp_path: Path) -> None:
    async with Stack(tmp_path / "data") as stack, connected(stack) as client:
        table = await client.create_game("oil_rock", ["ada", "bob"])
        started = await client.start_game(table.game_id, table.credentials[0])
        await client.view(table.game_id, min_revision=started.receipt.revision)
        file = tmp_path / "live.wellhead"
        said: dict[str, Any] = json.loads(
            wellhead("audit", "export", table.game_id, "-o", file, "--target", stack.endpoints.query, "--json").stdout
        )
        assert (said["revisions"], said["redacted"]) == (started.receipt.revision, True)
        assert said["head"] == started.receipt.digest.hex()
        missing = wellhead("audit", "export", "no-such-game", "-o", file, "--target", stack.endpoints.query)
        assert (missing.returncode, missing.stdout) == (1, "")
        assert "UNKNOWN_GAME" in missing.stderr
        assert missing.stderr.count("\n") == 1
    assert wellhead("audit", "verify", file, "--head", said["head"]).returncode == 0
