"""What the guide for client authors says works, line by line."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_up import ANY_PORT
from tests.support.documents import blocks
from tests.support.node import PROTOS, environment, ready_protos

GUIDE = PROTOS / "guide.md"
README = PROTOS.parent / "README.md"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a stack of processes, as the others of this folder")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory as a reader has it: with the protos, and with room for the server's data."""
    where = tmp_path_factory.mktemp("guide")
    (where / "protos").symlink_to(ready_protos())
    # An error that the guide does not announce is the end.
    (where / ".curlrc").write_text("fail-with-body\nmax-time = 60\n")
    return where


@pytest.fixture(scope="module")
def variables(place: Path) -> dict[str, str]:
    """An environment that keeps its data there, and has the programs that the guide names."""
    own = {"CURL_HOME": str(place), "XDG_DATA_HOME": str(place / "share"), "COLUMNS": "200"}
    return {**environment(ready_protos().parent / "bin"), **own}


@pytest.fixture(scope="module")
def said(variables: dict[str, str]) -> Iterator[dict[str, Any]]:
    """What the guide's first line says, with ports that are free."""
    _, first = blocks(GUIDE, "sh")[0]
    assert first == "wellhead up\n"
    up = [sys.executable, "-m", "wellhead_cli", *shlex.split(first)[1:], *ANY_PORT, "--json"]
    with subprocess.Popen(up, stdout=subprocess.PIPE, text=True, start_new_session=True, env=variables) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
        process.terminate()
        assert process.wait(30) == 0


def at_free_ports(text: str, said: dict[str, Any]) -> str:
    """The same lines with the ports that the server has."""
    ports = {"command": 4770, "query": 4771, "command_http": 4780, "query_http": 4781, "scoring_http": 4782}
    for name, port in ports.items():
        text = text.replace(f"127.0.0.1:{port}", said[name].removeprefix("http://"))
    # The only command that takes a service's address from a default.
    return text.replace("wellhead audit export", f"wellhead audit export --target {said['query']}")


def script() -> str:
    """All the guide's other lines, each block announced by its number; what is to be refused, checked."""
    lines = ["set -euo pipefail"]
    for number, (comment, block) in enumerate(blocks(GUIDE, "sh")[1:], 1):
        lines.append(f'echo; echo "## block {number}"')
        if comment.startswith("refused: "):
            reason = comment.removeprefix("refused: ")
            block = f"{{ ! {block.strip()}; }} | tee refused.json\ngrep -q {reason} refused.json\n"
        lines.append(block)
    return "\n".join(lines)


@pytest.mark.req("R-API-1", "R-API-7", "R-API-8")
def test_every_line_of_the_guide_does_what_it_says(
    place: Path, variables: dict[str, str], said: dict[str, Any]
) -> None:
    ((_, bot),) = blocks(GUIDE, "python")
    assert len(bot.splitlines()) <= 40
    (place / "bot.py").write_text(bot)
    command = ["bash", "-c", at_free_ports(script(), said)]
    ran = subprocess.run(command, cwd=place, env=variables, capture_output=True, check=False, timeout=240)
    out = ran.stdout.decode(errors="replace")
    assert ran.returncode == 0, out[-3000:] + ran.stderr.decode()[-3000:]
    assert len(re.findall(r"^seat [01]: -?\d+$", out, re.MULTILINE)) == 8  # two games, two bots, two seats
    for word in ('"options":', '"gameOver":', '"clause"', "redone from the published seed"):
        assert word in out
    assert (place / "export.frames").stat().st_size > 1000
    assert json.loads((place / "view.json").read_text())["view"]["summary"]["status"] == "GAME_STATUS_ENDED"


@pytest.mark.req("R-API-8")
def test_the_lines_in_the_readme_list_games(place: Path, variables: dict[str, str], said: dict[str, Any]) -> None:
    lines = re.findall(r"^    ((?:buf )?curl .*)$", README.read_text("utf-8"), re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        command = ["bash", "-c", at_free_ports(line, said)]
        ran = subprocess.run(command, cwd=place, env=variables, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        assert isinstance(json.loads(ran.stdout), dict)
