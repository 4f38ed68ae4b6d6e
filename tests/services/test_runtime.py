"""What every service shares: settings, keys, credentials, tokens, logs, the cache of live games."""

import json
import logging as standard_logging
from pathlib import Path

import pytest
import structlog

from tests.services.house import KEYRING, House, open_game, play, start_game
from wellhead.v1 import command_service_pb2 as commands
from wellhead_eventlog.durability import Durability
from wellhead_projection import tokens
from wellhead_rules.registry import RULESETS
from wellhead_runtime import ids, logging
from wellhead_runtime.authority import Authority
from wellhead_runtime.errors import Refused
from wellhead_runtime.keyring import BadKeyFile, KeyMissing, Keyring
from wellhead_runtime.live import LiveGames
from wellhead_runtime.settings import BadSetting, Settings
from wellhead_runtime.tokens import Tokens

# -- settings and keys -------------------------------------------------------------------------------------------------


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    Keyring.load_or_create(tmp_path / "key.json")
    return tmp_path / "key.json"


def test_settings_are_read_from_the_environment(key_file: Path) -> None:
    settings = Settings.from_environment(
        {
            "WELLHEAD_KEY_FILE": str(key_file),
            "WELLHEAD_STORE_URL": "redis://localhost:6379/0",
            "WELLHEAD_DURABILITY": "everysec",
            "WELLHEAD_COMMAND_PORT": "tcp://10.0.0.1:7001",  # what an orchestrator injects is none of our business
        }
    )
    assert settings.durability is Durability.EVERYSEC
    assert settings.listen == "127.0.0.1:0"
    assert "keyring" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WELLHEAD_DURABILITY", "mostly"),
        ("WELLHEAD_LISTEN", "nowhere"),
        ("WELLHEAD_LISTEN", "host:70000"),
        ("WELLHEAD_LIVE_GAMES", "0"),
        ("WELLHEAD_LEASE_MS", "-5"),
        ("WELLHEAD_REUSE_PORT", "yes"),
        ("WELLHEAD_LOG_LEVEL", "loud"),
        ("WELLHEAD_STORE_URL", ""),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(key_file: Path, name: str, value: str) -> None:
    environment = {"WELLHEAD_KEY_FILE": str(key_file), "WELLHEAD_STORE_URL": "unix:///s", name: value}
    with pytest.raises(BadSetting, match=name):
        Settings.from_environment(environment)


def test_a_key_file_is_made_once_and_for_its_owner_alone(key_file: Path) -> None:
    assert key_file.stat().st_mode & 0o077 == 0
    again = Keyring.load_or_create(key_file)
    assert again.key(again.current) == Keyring.load(key_file).key(again.current)
    assert [file.name for file in key_file.parent.iterdir()] == [key_file.name]


@pytest.mark.req("R-API-9")
@pytest.mark.parametrize(
    "content", ["", "{}", '{"current": "2", "keys": {"1": "c0ffee"}}', '{"current": 1, "keys": []}']
)
def test_a_key_file_that_cannot_be_used_is_refused_without_quoting_it(tmp_path: Path, content: str) -> None:
    (tmp_path / "bad.json").write_text(content)
    with pytest.raises(BadKeyFile) as caught:
        Keyring.load(tmp_path / "bad.json")
    assert "c0ffee" not in str(caught.value)


def test_a_keyring_keeps_old_keys_readable() -> None:
    seed = Keyring({"1": b"k" * 32}, "1").seed("1", "game")
    assert Keyring({"1": b"k" * 32, "2": b"j" * 32}, "2").seed("1", "game") == seed
    with pytest.raises(KeyMissing):
        Keyring({"2": b"j" * 32}, "2").seed("1", "game")


# -- ids and page tokens -----------------------------------------------------------------------------------------------


def test_command_keys_and_game_ids_depend_on_everything() -> None:
    keys = [ids.command_key(*parts) for parts in (("seat", 0, "a"), ("seat", 1, "a"), ("user", 0, "a"))]
    assert len({*keys, ids.command_key("seat", 0, "b")}) == 4
    assert ids.game_id_of("ab", "c") != ids.game_id_of("a", "bc")


def test_a_page_token_is_good_for_its_list_only() -> None:
    token = tokens.make("history", "game", "17")
    assert tokens.read(token, "history", "game") == "17"
    assert tokens.read("", "history", "game") == ""
    for other in (("history", "other"), ("games", "0")):
        with pytest.raises(Refused, match="page_token"):
            tokens.read(token, *other)
    with pytest.raises(Refused, match="page_token"):
        tokens.read(token[:-2] + "AA", "history", "game")


# -- logs --------------------------------------------------------------------------------------------------------------


@pytest.mark.req("R-API-9")
def test_a_log_line_names_the_call_and_holds_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    root = standard_logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logging.configure("test", "info")
    try:
        request = commands.SubmitCommandRequest(game_id="g", request_id="an unguessable id", seat=2)
        logging.bind("SubmitCommand", request)
        try:
            raise ValueError("c0ffee")
        except ValueError:
            structlog.get_logger("x").error("broken", exc_info=True)
            standard_logging.getLogger("y").exception("broken too")
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.bind("", None)
    assert len(lines) == 2
    for line in lines:
        assert (line["service"], line["game"], line["seat"], line["error"]) == ("test", "g", 2, "ValueError")
        assert line["request"] == logging.request_digest(request.request_id)
        assert "c0ffee" not in json.dumps(line)
        assert "unguessable" not in json.dumps(line)


# -- live games --------------------------------------------------------------------------------------------------------


@pytest.mark.req("R-RULES-1")
async def test_a_game_folded_from_the_log_equals_the_one_that_was_played(house: House) -> None:
    command, query = await house.command(), await house.query()
    game = await start_game(command)
    await play(game, query, 30)
    games = LiveGames(house.log, RULESETS, 2)
    whole = await games.at(game.id, game.revision)
    ruleset = whole.table.ruleset
    step_by_step = [ruleset.snapshot(live.table.game) async for live in games.replay(game.id) if live.table.started]
    assert step_by_step[-1] == ruleset.snapshot(whole.table.game)
    authority = Authority(Tokens(KEYRING))
    assert authority.viewer(whole, authority.tokens.read(game.credentials[1])) == 1


@pytest.mark.req("R-LOG-11")
async def test_the_cache_keeps_the_latest_used_and_all_that_is_in_use(memory_house: House) -> None:
    command = await memory_house.command()
    opened = [await open_game(command) for _ in range(4)]
    games = LiveGames(memory_house.log, RULESETS, 2)
    used = games.at_hand(opened[0].id)
    for game in opened:
        await games.refresh(games.at_hand(game.id))
    assert games.at_hand(opened[0].id) is used
    assert games.at_hand(opened[3].id).begun
    assert not games.at_hand(opened[1].id).begun


@pytest.mark.req("R-API-4")
async def test_a_service_with_a_small_cache_loads_what_it_has_let_go(memory_house: House) -> None:
    command, query = await memory_house.command(live_games=1), await memory_house.query(live_games=1)
    games = [await start_game(command) for _ in range(3)]
    for _ in range(3):
        for game in games:
            await play(game, query, 1)
    assert [game.revision for game in games] == [5, 5, 5]
