"""Settings: where they come from, which source goes first, and everything that is said of what cannot be used."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from wellhead_eventlog.durability import Durability
from wellhead_runtime import lifecycle
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.lifecycle import Running
from wellhead_runtime.settings import KEYS, BadSettings, Settings, reference, survey
from wellhead_runtime.sources import SERVICES

README = Path(__file__).parents[2] / "libs" / "wellhead_runtime" / "README.md"

Environment = dict[str, str]
File = Callable[[str], Environment]


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    Keyring.load_or_create(tmp_path / "key.json")
    return {"WELLHEAD_KEY_FILE": str(tmp_path / "key.json"), "WELLHEAD_STORE_URL": "unix:///s"}


@pytest.fixture
def file(tmp_path: Path, environment: Environment) -> File:
    """What a service's environment is with this file."""

    def write(content: str) -> Environment:
        (tmp_path / "wellhead.toml").write_text(content)
        return environment | {"WELLHEAD_CONFIG": str(tmp_path / "wellhead.toml")}

    return write


def faults(environment: Environment, service: str = "") -> list[str]:
    with pytest.raises(BadSettings) as caught:
        Settings.from_environment(environment, service)
    assert str(caught.value).splitlines() == list(map(str, caught.value.faults))
    return [re.sub(r"\S+/wellhead.toml", "FILE", str(fault)) for fault in caught.value.faults]


# -- precedence --------------------------------------------------------------------------------------------------------


def test_the_environment_goes_before_the_file_and_the_file_before_the_default(file: File) -> None:
    environment = file("[wellhead]\nlive_games = 7\nlease_ms = 700\n") | {"WELLHEAD_LIVE_GAMES": "8"}
    settings = Settings.from_environment(environment)
    assert (settings.live_games, settings.lease_ms, settings.heartbeat_seconds) == (8, 700, 15)


@pytest.mark.parametrize("order", ["[command]\nlive_games = 9\n[wellhead]\nlive_games = 7\n",
                                   "[wellhead]\nlive_games = 7\n[command]\nlive_games = 9\n"])  # fmt: skip
def test_a_section_of_the_service_goes_before_the_one_for_all(file: File, order: str) -> None:
    environment = file(order)
    assert [Settings.from_environment(environment, each).live_games for each in ("command", "projection")] == [9, 7]


def test_what_is_empty_stands_for_the_default(file: File) -> None:
    environment = file("[wellhead]\nlive_games = 7\n") | {"WELLHEAD_LIVE_GAMES": ""}
    assert Settings.from_environment(environment).live_games == 2_000


def test_a_file_is_read_only_if_it_is_named(file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = file("[wellhead]\nlive_games = 7\n")
    monkeypatch.chdir(tmp_path)
    del environment["WELLHEAD_CONFIG"]
    assert Settings.from_environment(environment).live_games == 2_000


def test_a_file_has_values_of_every_kind(file: File) -> None:
    settings = Settings.from_environment(
        file(
            "[wellhead]\n"
            'durability = "everysec"\nreuse_port = true\nheartbeat_seconds = 2.5\nrates_percent = 50\n'
            'cors_origins = ["https://a.example", "https://b.example"]\nlog_level = "debug"\n'
        )
    )
    assert (settings.durability, settings.reuse_port, settings.heartbeat_seconds) == (Durability.EVERYSEC, True, 2.5)
    assert settings.cors_origins == ("https://a.example", "https://b.example")
    assert (settings.rates, settings.log_level) == (0.5, "debug")


def test_without_anything_told_settings_are_those_of_the_constructor(environment: Environment) -> None:
    settings = Settings.from_environment(environment)
    assert settings == Settings(keyring=settings.keyring, store_url="unix:///s")


# -- faults ------------------------------------------------------------------------------------------------------------


def test_every_fault_is_named_at_once_with_its_source(file: File) -> None:
    environment = file('[wellhead]\n\nlease_ms = 5\nlog_level = "loud"\ndurability = "mostly"\n[scoring]\nlive_games=0')
    environment |= {"WELLHEAD_REUSE_PORT": "yes", "WELLHEAD_LISTEN": "nowhere"}
    del environment["WELLHEAD_STORE_URL"]
    assert sorted(faults(environment, "scoring")) == [
        "FILE:3: lease_ms: '5' is not a number from 500 to 60000",
        "FILE:4: log_level: 'loud' is not one of debug, info, warning, error",
        "FILE:5: durability: 'mostly' is not one of memory, everysec, fsync",
        "FILE:7: live_games: '0' is not a number from 1 to 1000000",
        "WELLHEAD_COMMAND_TARGET: must be set: the command service; for the scoring service",
        "WELLHEAD_STORE_URL: must be set: where the event log is kept",
        "environment: WELLHEAD_LISTEN: 'nowhere' is not HOST:PORT",
        "environment: WELLHEAD_REUSE_PORT: 'yes' is not true or false",
    ]


def test_an_unknown_key_is_a_fault_and_a_misspelt_one_names_its_neighbour(file: File) -> None:
    environment = file("live_games = 1\n[wellhead]\nlive_gmaes = 2\n[projecton]\nx = 1\n[scoring]\nwhatever = 1\n")
    environment |= {"WELLHEAD_LISTEM": "127.0.0.1:0", "WELLHEAD_XYZZY": "1"}
    sections = "[wellhead], [command], [projection], [scoring]"
    assert sorted(faults(environment, "command")) == [
        f"FILE:1: live_games: stands in no section; those are {sections}",
        "FILE:3: live_gmaes: is no setting; is live_games meant?",
        f"FILE:4: [projecton]: is no section; those are {sections}",
        "FILE:7: whatever: is no setting",
        "environment: WELLHEAD_LISTEM: is no setting; is WELLHEAD_LISTEN meant?",
        "environment: WELLHEAD_XYZZY: is no setting",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WELLHEAD_SERVICE_HOST", "10.0.0.1"),
        ("WELLHEAD_PORT", "tcp://10.0.0.1:4770"),
        ("WELLHEAD_COMMAND_SERVICE_HOST", "10.0.0.1"),
        ("WELLHEAD_COMMAND_SERVICE_PORT", "4770"),
        ("WELLHEAD_COMMAND_SERVICE_PORT_GRPC", "4770"),
        ("WELLHEAD_COMMAND_PORT", "tcp://10.0.0.1:4770"),
        ("WELLHEAD_COMMAND_PORT_4770_TCP", "tcp://10.0.0.1:4770"),
        ("WELLHEAD_COMMAND_PORT_4770_TCP_PROTO", "tcp"),
        ("WELLHEAD_COMMAND_PORT_4770_TCP_PORT", "4770"),
        ("WELLHEAD_COMMAND_PORT_4770_TCP_ADDR", "10.0.0.1"),
    ],
)
def test_what_kubernetes_says_of_services_beside_us_is_none_of_our_business(
    environment: Environment, name: str, value: str
) -> None:
    Settings.from_environment(environment | {name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WELLHEAD_RESUE_PORT", "1"),
        ("WELLHEAD_COMMAND_PORT", "4770"),
        ("WELLHEAD_PORT_HTTP", "80"),
        ("WELLHEAD_SERVICE_PORTS", "80"),
        ("WELLHEAD_SERVICE_HOSTS", "a"),
    ],
)
def test_what_only_looks_like_it_is_a_fault(environment: Environment, name: str, value: str) -> None:
    (fault,) = faults(environment | {name: value})
    assert fault.startswith(f"environment: {name}: is no setting")


@pytest.mark.parametrize(
    "content", ["[wellhead", "[wellhead]\nlisten = \n", "[wellhead]\nlease_ms = 1\nlease_ms = 2\n"]
)
def test_a_file_that_is_not_toml_is_one_line(file: File, content: str) -> None:
    (fault,) = faults(file(content))
    assert fault.startswith("environment: WELLHEAD_CONFIG: FILE is not TOML: ")


def test_a_file_that_is_not_there_is_one_line(environment: Environment, tmp_path: Path) -> None:
    (fault,) = faults(environment | {"WELLHEAD_CONFIG": str(tmp_path / "none.toml")})
    assert fault == f"environment: WELLHEAD_CONFIG: {tmp_path}/none.toml: No such file or directory"


@pytest.mark.parametrize("value", ["{a = 1}", "1979-05-27", "[1, 2]"])
def test_a_value_of_another_kind_is_a_fault(file: File, value: str) -> None:
    assert faults(file(f"[wellhead]\nlease_ms = {value}\n")) == ["FILE:2: lease_ms: is not a number from 500 to 60000"]


@pytest.mark.req("R-API-9")
def test_no_fault_and_no_row_tells_a_secret(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "key.json").write_text('{"current": "2", "keys": {"1": "c0ffee"}}')
    rows, found = survey(environment | {"WELLHEAD_STORE_URL": "redis://ada:c0ffee@store:6379/0"})
    said = "\n".join(map(str, [*rows, *found]))
    assert "c0ffee" not in said
    assert "redis://ada:***@store:6379/0" in said
    assert str(tmp_path / "key.json") in said
    for url in (
        "redis://:c0ffee@h",
        "redis://ada:c0/c0ffee@h",
        "redis://h?db=0&password=c0ffee",
        "unix:///s?password=c0ffee",
    ):
        assert "c0ffee" not in str(survey(environment | {"WELLHEAD_STORE_URL": url}))
    assert "c0ffee" not in "\n".join(faults(environment | {"WELLHEAD_OTLP_ENDPOINT": "ftp://ada:c0ffee@h:1"}))
    for url in ("http://ada:c0ffee@store", "c0ffee"):
        assert "c0ffee" not in "\n".join(faults(environment | {"WELLHEAD_STORE_URL": url}))


def test_a_service_that_cannot_start_says_why_a_line_a_fault(
    environment: Environment, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (environment | {"WELLHEAD_LIVE_GAMES": "0"}).items():
        monkeypatch.setenv(name, value)

    async def serve(settings: Settings) -> Running:
        raise AssertionError("it must not come so far")

    assert lifecycle.main("scoring", serve) == 1
    assert capsys.readouterr().err.splitlines() == [
        "scoring: WELLHEAD_COMMAND_TARGET: must be set: the command service; for the scoring service",
        "scoring: environment: WELLHEAD_LIVE_GAMES: '0' is not a number from 1 to 1000000",
    ]


# -- telling what is set -----------------------------------------------------------------------------------------------


def test_a_survey_tells_the_source_of_every_setting(file: File) -> None:
    environment = file("[wellhead]\nlive_games = 7\n[scoring]\nlease_ms = 900\n") | {"WELLHEAD_LOG_LEVEL": "debug"}
    rows, found = survey(environment, "scoring")
    told = {row.key: (row.value, re.sub(r".*/", "", row.source)) for row in rows}
    assert list(told) == list(KEYS)
    assert told["live_games"] == ("7", "wellhead.toml:2")
    assert told["lease_ms"] == ("900", "wellhead.toml:4")
    assert told["log_level"] == ("debug", "environment")
    assert told["durability"] == ("fsync", "default")
    assert [fault.name for fault in found] == ["WELLHEAD_COMMAND_TARGET"]


def test_a_survey_of_all_services_finds_what_is_wrong_in_any_section(file: File) -> None:
    _, found = survey(file("[projection]\nlive_games = 0\n[scoring]\nlease_ms = 0\n"))
    assert [fault.name for fault in found] == ["live_games", "lease_ms"]


def test_every_setting_says_what_it_is_and_has_a_default_that_it_takes() -> None:
    for key in KEYS.values():
        assert key.setting.help
        assert key.wanted
        if key.default:
            key.read(key.default)
        assert {*key.setting.needed_by} <= {"", *SERVICES}


def test_the_readme_lists_the_settings() -> None:
    assert reference() in README.read_text(), f"the table in {README} should be:\n{reference()}"
