"""What a service is told from outside: typed, from `WELLHEAD_*` in the environment or from a constructor."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Self

from wellhead_eventlog.durability import Durability
from wellhead_runtime.keyring import Keyring
from wellhead_runtime.roles import IdentityMode
from wellhead_runtime.tls import Tls
from wellhead_runtime.tokens import TrustedKey, load_trusted

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
    http_listen: str = ""
    cors_origins: tuple[str, ...] = ()
    reuse_port: bool = False
    command_target: str = ""
    command_ca: Path | None = None
    tls: Tls | None = None
    identity: IdentityMode = IdentityMode.OPEN
    trusted_keys: tuple[TrustedKey, ...] = ()
    live_games: int = 2_000
    lease_ms: int = 5_000
    heartbeat_seconds: float = 15.0
    rates: float = 1.0
    """Multiplies every limit of one caller; 0 switches them off."""
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
            http_listen=read.address("HTTP_LISTEN", ""),
            cors_origins=read.origins("CORS_ORIGINS"),
            reuse_port=read.one_of("REUSE_PORT", ["0", "1"], "0") == "1",
            command_target=read.text("COMMAND_TARGET", ""),
            command_ca=read.file("COMMAND_CA"),
            tls=read.tls(),
            identity=read.identity(),
            trusted_keys=load_trusted(trusted) if (trusted := read.file("TRUSTED_KEYS")) else (),
            live_games=read.number("LIVE_GAMES", 2_000, range(1, 1_000_001)),
            lease_ms=read.number("LEASE_MS", 5_000, range(500, 60_001)),
            heartbeat_seconds=read.number("HEARTBEAT_SECONDS", 15, range(1, 301)),
            rates=read.number("RATES_PERCENT", 100, range(0, 100_001)) / 100,
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

    def file(self, name: str) -> Path | None:
        value = self.text(name, "")
        if not value:
            return None
        try:
            with Path(value).open("rb"):
                return Path(value)
        except OSError as error:
            raise BadSetting(_PREFIX + name, f"{value}: {error.strerror}") from None

    def tls(self) -> Tls | None:
        certificate, key, client_ca = (self.file(f"TLS_{each}") for each in ("CERTIFICATE", "KEY", "CLIENT_CA"))
        if certificate and key:
            tls = Tls(certificate, key, client_ca)
            try:
                tls.check()
            except OSError:
                detail = "is of no use, or the key or the clients' authority that belong to it are"
                raise BadSetting(_PREFIX + "TLS_CERTIFICATE", detail) from None
            return tls
        for name, there in (("CERTIFICATE", certificate), ("KEY", key)):
            if not there and (certificate or key or client_ca):
                raise BadSetting(f"{_PREFIX}TLS_{name}", "must be set: a certificate and its key go together")
        return None

    def identity(self) -> IdentityMode:
        """Open only where nobody else can listen in, unless whoever runs the service has said so."""
        for listen in (self.address("LISTEN", "127.0.0.1:0"), self.address("HTTP_LISTEN", "")):
            if listen and not _is_loopback(listen) and not self.text("IDENTITY", ""):
                detail = f"must be set to listen on {listen}: tokens, or open to let anybody act under any name"
                raise BadSetting(_PREFIX + "IDENTITY", detail)
        return IdentityMode(self.one_of("IDENTITY", [each.value for each in IdentityMode], IdentityMode.OPEN.value))

    def address(self, name: str, default: str) -> str:
        value = self.text(name, default)
        host, _, port = value.rpartition(":")
        if value == default:
            return value
        if not host or not port.isascii() or not port.isdigit() or int(port) > 65_535:
            raise BadSetting(_PREFIX + name, f"{value!r} is not HOST:PORT")
        return value

    def origins(self, name: str) -> tuple[str, ...]:
        """Web origins with commas between, as browsers send them: no path, no slash at the end."""
        values = tuple(filter(None, map(str.strip, self.text(name, "").split(","))))
        for value in values:
            scheme, mark, host = value.partition("://")
            if value != "*" and (scheme not in ("http", "https") or not mark or not host or "/" in host):
                raise BadSetting(_PREFIX + name, f"{value!r} is neither an origin like https://play.example nor *")
        return values


def _is_loopback(address: str) -> bool:
    """Whether HOST:PORT can be reached from this machine alone."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
