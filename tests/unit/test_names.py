"""What is not of a game names none: services, log, runtime, client, kernel and what deploys them fit any game."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from wellhead_rules.registry import RULESETS

ROOT = Path(__file__).parents[2]
PROTOS = ROOT / "protos" / "wellhead"
PLACES = (
    "services", "libs/wellhead_eventlog", "libs/wellhead_runtime", "libs/wellhead_client", "libs/wellhead_rules/kernel",
    "Makefile", "deploy",
)  # fmt: skip

# A game's name is that of its folder; the folder of a version holds what all games share.
GAMES = frozenset(RULESETS) | {
    folder.name for folder in PROTOS.iterdir() if folder.is_dir() and not re.fullmatch(r"v\d+", folder.name)
}


def named(text: str, games: Iterable[str] = GAMES) -> list[str]:
    """Where a text names a game, however its words are joined."""
    joined = "|".join("[ _-]?".join(map(re.escape, game.split("_"))) for game in sorted(games))
    return re.findall(rf"(?i){joined}", text)


def files() -> Iterator[Path]:
    for place in PLACES:
        path = ROOT / place
        assert path.exists()
        yield from (path,) if path.is_file() else sorted(path.rglob("*"))


def test_what_is_not_of_a_game_names_none() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in files()
        if path.is_file() and "__pycache__" not in path.parts
        for name in named(f"{path.name}\n{path.read_text('utf-8', 'replace')}")
    ]
    assert found == []


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("joint", ["_", " ", "-", ""])
def test_a_name_is_found_however_it_is_written(game: str, joint: str) -> None:
    written = joint.join(game.split("_"))
    for name in (written, written.upper(), written.title()):
        assert named(f"from wellhead_rules.{name} import events") == [name]


def test_other_words_are_no_names() -> None:
    assert {"oil_rock"} <= GAMES
    assert named("the rock, oil on a field, and a well") == []
