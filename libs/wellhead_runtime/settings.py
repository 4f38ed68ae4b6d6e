"""What a service is told from outside: typed, from `WELLHEAD_*` in the environment or from a constructor."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from wellhead_eventlog.durability import Durability
from wellhead_runtime.keyring import Keyring

_PREFIX = "WELLHEAD_"
_LOG_LEVELS = ("debug", "info", "warning", "error")


class BadSetting(Exception):
    """A setting is missing or cannot be used; `name` is its name in the environment."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"{name}: {detail}")
        self.name = name


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One service's settings. The README of this package lists their names in the environment."""

    keyring: Keyring = field(repr=False)
    store_url: str = ""
    durability: Durability = Durability.FSYNC
    listen: str = "127.0.0.1:0"
    reuse_port: bool = False
    command_target: str = ""
    live_games: int = 2_000
    lease_ms: int = 5_000
    heartbeat_seconds: float = 15.0
    log_level: str = "info"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Settings from `WELLHEAD_*`; BadSetting names the first that cannot be used.

        Other names with the prefix are left alone: orchestrators inject their own (`WELLHEAD_COMMAND_PORT` and such).
        """
        read = _Reader(environment)
        return cls(
            keyring=Keyring.load(Path(read.text("KEY_FILE"))),
            store_url=read.text("STORE_URL"),
            durability=Durability(read.one_of("DURABILITY", [each.value for each in Durability], "fsync")),
            listen=read.address("LISTEN", "127.0.0.1:0"),
            reuse_port=read.one_of("REUSE_PORT", ["0", "1"], "0") == "1",
            command_target=read.text("COMMAND_TARGET", ""),
            live_games=read.number("LIVE_GAMES", 2_000, range(1, 1_000_001)),
            lease_ms=read.number("LEASE_MS", 5_000, range(500, 60_001)),
            heartbeat_seconds=read.number("HEARTBEAT_SECONDS", 15, range(1, 301)),
            log_level=read.one_of("LOG_LEVEL", _LOG_LEVELS, "info"),
        )


class _Reader:
    """Reads one setting at a time and says what is wrong with it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str, default: str | None = None) -> str:
        value = self._environment.get(_PREFIX + name, "") or default
        if value is None:
            raise BadSetting(_PREFIX + name, "must be set")
        return value

    def one_of(self, name: str, values: "tuple[str, ...] | list[str]", default: str) -> str:
        value = self.text(name, default)
        if value not in values:
            raise BadSetting(_PREFIX + name, f"{value!r} is none of {', '.join(values)}")
        return value

    def number(self, name: str, default: int, allowed: range) -> int:
        value = self.text(name, str(default))
        if not value.isascii() or not value.isdigit() or int(value) not in allowed:
            raise BadSetting(_PREFIX + name, f"{value!r} is not a number from {allowed[0]} to {allowed[-1]}")
        return int(value)

    def address(self, name: str, default: str) -> str:
        value = self.text(name, default)
        host, _, port = value.rpartition(":")
        if not host or not port.isascii() or not port.isdigit() or int(port) > 65_535:
            raise BadSetting(_PREFIX + name, f"{value!r} is not HOST:PORT")
        return value
