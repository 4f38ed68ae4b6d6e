"""`wellhead audit verify`: what it says of an export, and with which exit code."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.support.recording import Recording, record_game
from wellhead_runtime.proof import export_chunks


@pytest.fixture(scope="module")
def game() -> Recording:
    return record_game(2)


@pytest.fixture
def file(game: Recording, tmp_path: Path) -> Path:
    path = tmp_path / "game.wellhead"
    path.write_bytes(b"".join(export_chunks(game.game_id, game.entries, False)))
    return path


def test_a_true_export_is_verified(wellhead: Callable[..., Any], game: Recording, file: Path) -> None:
    ran = wellhead("audit", "verify", file, "--head", game.head.digest.hex())
    assert (ran.code, ran.err) == (0, "")
    assert "draws redone from the published seed" in ran.out
    assert "not proved" not in ran.out


def test_json_says_what_was_proved(wellhead: Callable[..., Any], game: Recording, file: Path) -> None:
    said = json.loads(wellhead("audit", "verify", file, "--json").out)
    assert said["verified"] is True
    assert said["revisions"] == said["commands"] == game.head.revision
    assert said["head"] == game.head.digest.hex()
    assert said["ranking"] == [structs.asdict(rank) for rank in game.table.ranking]


@pytest.mark.req("R-PROOF-1")
def test_a_fault_is_one_line_that_names_the_revision(wellhead: Callable[..., Any], game: Recording, file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    ran = wellhead("audit", "verify", file)
    assert (ran.code, ran.out) == (1, "")
    assert f"revision {game.head.revision}:" in ran.err
    assert ran.err.count("\n") == 1


def test_a_fault_as_json(wellhead: Callable[..., Any], file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])
    ran = wellhead("audit", "verify", file, "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["verified"] is False


@pytest.mark.req("R-PROOF-1")
def test_another_head_than_expected_is_refused(wellhead: Callable[..., Any], file: Path) -> None:
    ran = wellhead("audit", "verify", file, "--head", "00" * 32)
    assert ran.code == 1
    assert "not at the expected head" in ran.err


def test_a_live_game_says_what_is_not_proved(wellhead: Callable[..., Any], tmp_path: Path) -> None:
    live = record_game(2, commands=30)
    path = tmp_path / "live.wellhead"
    path.write_bytes(b"".join(export_chunks(live.game_id, live.entries, True)))
    ran = wellhead("audit", "verify", path)
    assert ran.code == 0
    assert "not proved" in ran.out


@pytest.mark.parametrize("arguments", [["no-such-file"], ["{file}", "--head", "not-hexadecimal"]])
def test_what_cannot_be_read_is_one_line(wellhead: Callable[..., Any], file: Path, arguments: list[str]) -> None:
    ran = wellhead("audit", "verify", *(argument.format(file=file) for argument in arguments))
    assert ran.code == 1
    assert ran.err.count("\n") == 1


def test_show_prints_a_line_a_command_and_the_score_with_its_clauses(
    wellhead: Callable[..., Any], game: Recording, file: Path
) -> None:
    ran = wellhead("audit", "show", file)
    assert (ran.code, ran.err) == (0, "")
    lines, _, score = ran.out.partition("\n\n")
    assert len(lines.splitlines()) == game.head.revision
    assert "OR-END." in score
    for rank in game.table.ranking:
        assert f" {rank.total} " in score
    assert len(wellhead("audit", "show", file, "--facts").out) > len(ran.out)


def test_show_says_in_one_line_that_a_file_is_no_export(wellhead: Callable[..., Any], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"no export")
    ran = wellhead("audit", "show", other)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
