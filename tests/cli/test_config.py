"""`wellhead config`: what a service would read here, where it was told, and what it would refuse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wellhead_runtime.keyring import Keyring
from wellhead_runtime.settings import KEYS, reference

Wellhead = Callable[..., Any]


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Keyring.load_or_create(tmp_path / "key.json")
    monkeypatch.setenv("WELLHEAD_KEY_FILE", str(tmp_path / "key.json"))
    monkeypatch.setenv("WELLHEAD_STORE_URL", "redis://ada:c0ffee@store:6379/0")
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "places.toml"
    path.write_text("[wellhead]\nlive_games = 7\n[scoring]\nlease_ms = 900\n")
    return path


def test_it_prints_every_setting_with_its_source(wellhead: Wellhead, file: Path) -> None:
    ran = wellhead("config", "--file", file, "--json")
    said = json.loads(ran.out)
    assert (ran.code, said["faults"]) == (0, [])
    rows = {row["key"]: row for row in said["settings"]}
    assert list(rows) == list(KEYS)
    assert (rows["live_games"]["value"], rows["live_games"]["source"]) == ("7", f"{file}:2")
    assert rows["store_url"]["source"] == "environment"
    assert rows["durability"]["source"] == "default"
    assert "c0ffee" not in ran.out


def test_text_names_the_same(wellhead: Wellhead, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WELLHEAD_CONFIG", str(file))
    ran = wellhead("config")
    assert (ran.code, ran.err) == (0, "")
    for key in KEYS:
        assert key in ran.out
    assert "environment" in ran.out
    assert "default" in ran.out


def test_a_service_is_told_its_own(wellhead: Wellhead, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WELLHEAD_COMMAND_TARGET", "127.0.0.1:4770")
    said = json.loads(wellhead("config", "--service", "scoring", "--file", file, "--json").out)
    assert {"key": "lease_ms", "value": "900", "source": f"{file}:4"}.items() <= next(
        row for row in said["settings"] if row["key"] == "lease_ms"
    ).items()


def test_faults_are_a_line_each_and_exit_code_1(
    wellhead: Wellhead, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("[wellhead]\nlive_gmaes = 7\n[scoring]\nlease_ms = 1\n")
    monkeypatch.setenv("WELLHEAD_LISTEN", "nowhere")
    ran = wellhead("config", "--file", file)
    assert ran.code == 1
    assert ran.err.splitlines() == [
        f"{file}:2: live_gmaes: is no setting; is live_games meant?",
        "environment: WELLHEAD_LISTEN: 'nowhere' is not HOST:PORT",
        f"{file}:4: lease_ms: '1' is not a number from 500 to 60000",
        "wellhead: 3 of the settings cannot be used",
    ]
    assert len(json.loads(wellhead("config", "--file", file, "--json").out)["faults"]) == 3


def test_a_service_that_is_not_there_is_one_line(wellhead: Wellhead) -> None:
    ran = wellhead("config", "--service", "ratings")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "wellhead: there is no service 'ratings'; there is command, projection, scoring\n"


def test_the_reference_is_the_table_of_the_readme(wellhead: Wellhead) -> None:
    assert wellhead("config", "--reference").out.strip() == reference()
