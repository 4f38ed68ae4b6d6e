"""What a service is told from outside: typed, from the environment and a file, or from a constructor.

A new setting is a line in `Settings`: type, help, bounds, default. What it is called outside, how it is read, and its
row in the README and in `wellhead config` follow from that.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from wellhead_eventlog.durability import Durability
from wellhead_runtime.keyring import BadKeyFile, Keyring
from wellhead_runtime.roles import IdentityMode
from wellhead_runtime.sources import (
    ANY,
    SERVICES,
    BadSetting,
    BadSettings,
    Fault,
    Form,
    Parts,
    Setting,
    Sources,
    declared,
)
from wellhead_runtime.tls import Tls
from wellhead_runtime.tokens import TrustedKey, load_trusted

__all__ = ["BadSetting", "BadSettings", "Row", "Settings", "reference", "survey"]

STORE_SCHEMES = ("redis://", "rediss://", "unix://")
_ALL = (ANY,)


# -- forms -------------------------------------------------------------------------------------------------------------


def _address(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65_535:
        raise ValueError(f"{text!r} is not HOST:PORT")
    return text


def _collector(text: str) -> str:
    scheme, mark, address = text.partition("://")
    if scheme not in ("http", "https") or not mark or not address.rpartition(":")[0]:
        raise ValueError(f"{text!r} is neither http://HOST:PORT nor https://HOST:PORT")
    return f"{scheme}://{_address(address)}"


def _url(text: str) -> str:
    if not text.startswith(STORE_SCHEMES):
        raise ValueError(f"begins with none of {', '.join(STORE_SCHEMES)}")
    return text


def _origins(text: str) -> tuple[str, ...]:
    """Web origins as browsers send them: no path, no slash at the end."""
    values = tuple(filter(None, map(str.strip, text.split(","))))
    for value in values:
        scheme, mark, host = value.partition("://")
        if value != "*" and (scheme not in ("http", "https") or not mark or not host or "/" in host):
            raise ValueError(f"{value!r} is neither an origin like https://play.example nor *")
    return values


def _file(text: str) -> Path:
    try:
        with Path(text).open("rb"):
            return Path(text)
    except OSError as error:
        raise ValueError(f"{text}: {error.strerror}") from None


def _by(load: Callable[[Path], Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return load(Path(text))
        except BadKeyFile as wrong:
            raise ValueError(str(wrong)) from None

    return read


def _percent(text: str) -> float:
    if not text.isascii() or not text.isdigit() or int(text) > 100_000:
        raise ValueError(f"{text!r} is not a number from 0 to 100000")
    return int(text) / 100


TARGET = Form("HOST:PORT", _address)
ADDRESS = Form("HOST:PORT; port 0 takes a free one", _address)
COLLECTOR = Form("http://HOST:PORT or https://HOST:PORT", _collector)
STORE = Form("unix:///path, redis://host:port/0 or rediss://...", _url)
ORIGINS = Form("origins as https://play.example, with commas between; * for all", _origins)
FILE = Form("a file", _file)
KEY_FILE = Form("a JSON file, see below", _by(Keyring.load))
JWKS = Form("a JWKS file, see below", _by(load_trusted))
PERCENT = Form("a number from 0 to 100000", _percent)


# -- the settings ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One service's settings. The README of this package lists them as they are told."""

    keyring: Annotated[Keyring, Setting(help="the server keys", key="key_file", form=KEY_FILE, needed_by=_ALL)] = field(
        repr=False
    )
    store_url: Annotated[str, Setting(help="where the event log is kept", form=STORE, needed_by=_ALL)] = ""
    durability: Annotated[Durability, Setting(help="what a commit survives; a store that keeps less is refused")] = (
        Durability.FSYNC
    )
    listen: Annotated[str, Setting(help="where gRPC listens", form=ADDRESS)] = "127.0.0.1:0"
    http_listen: Annotated[str, Setting(help="where HTTP listens, beside gRPC; not at all without", form=ADDRESS)] = ""
    metrics_listen: Annotated[
        str, Setting(help="a port for metrics and health alone; without, they are on HTTP's", form=ADDRESS)
    ] = ""
    otlp_endpoint: Annotated[
        str, Setting(help="the collector that takes traces, over gRPC; nothing is traced without", form=COLLECTOR)
    ] = ""
    cors_origins: Annotated[tuple[str, ...], Setting(help="web pages that may call over HTTP", form=ORIGINS)] = ()
    reuse_port: Annotated[bool, Setting(help="several workers share the port")] = False
    command_target: Annotated[
        str, Setting(help="the command service; for the scoring service", form=TARGET, needed_by=("scoring",))
    ] = ""
    command_ca: Annotated[
        Path | None,
        Setting(help="what the command service's certificate is known by, as PEM; no TLS without", form=FILE),
    ] = None
    tls: Annotated[
        Tls | None,
        Parts(
            {
                "certificate": Setting(help="our certificate with its chain, as PEM: every port speaks TLS", form=FILE),
                "key": Setting(help="its key, as PEM", form=FILE),
                "client_ca": Setting(help="who has signed the callers that are let in (mutual TLS), as PEM", form=FILE),
            }
        ),
    ] = None
    identity: Annotated[
        IdentityMode,
        Setting(
            help="open: anybody may act under any name; tokens: callers bring tokens that say who they are; "
            "must be set to listen on other addresses than loopback",
        ),
    ] = IdentityMode.OPEN
    trusted_keys: Annotated[
        tuple[TrustedKey, ...], Setting(help="public keys of others who say who people are", form=JWKS)
    ] = ()
    idle_table_seconds: Annotated[
        int, Setting(help="how long a table stays open that nobody touches", least=60, most=365 * 86_400)
    ] = 7 * 86_400
    live_games: Annotated[int, Setting(help="how many games are kept folded", least=1, most=1_000_000)] = 2_000
    lease_ms: Annotated[
        int, Setting(help="how soon another consumer takes over from one that died", least=500, most=60_000)
    ] = 5_000
    heartbeat_seconds: Annotated[
        float, Setting(help="how often a quiet watch stream says that it lives", least=1, most=300)
    ] = 15.0
    rates: Annotated[
        float,
        Setting(
            help="how much one caller may do, in percent of limits.py; 0 for no limit of this kind",
            key="rates_percent",
            default="100",
            form=PERCENT,
        ),
    ] = 1.0
    """Multiplies every limit of one caller; 0 switches them off."""
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Setting(help="what is logged")] = "info"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], service: str = "") -> Self:
        """The settings of a service from `WELLHEAD_*` and the file that `WELLHEAD_CONFIG` names; BadSettings."""
        sources = Sources(KEYS, environment, service)
        values = _assembled(sources)
        if sources.faults:
            raise BadSettings(sources.faults)
        return cls(**values)


KEYS = declared(Settings)


def _assembled(sources: Sources) -> dict[str, Any]:
    """What `Settings` takes, of what is told; what does not go together is a fault."""
    told = sources.values()
    _check_identity(told, sources)
    values = {key.field: told[name] for name, key in KEYS.items() if name in told and key.field != "tls"}
    return values | {"tls": _tls(told, sources)}


def _tls(told: Mapping[str, Any], sources: Sources) -> Tls | None:
    names = ("tls_certificate", "tls_key", "tls_client_ca")
    if not any(sources.told[name].text for name in names):
        return None
    missing = [name for name in names[:2] if not sources.told[name].text]
    for name in missing:
        sources.fault(name, "must be set: a certificate and its key go together")
    certificate, key, client_ca = (told.get(name) for name in names)
    if certificate is None or key is None:
        return None
    tls = Tls(certificate, key, client_ca)
    try:
        tls.check()
    except OSError:
        sources.fault("tls_certificate", "is of no use, or the key or the clients' authority that belong to it are")
    return tls


def _check_identity(told: Mapping[str, Any], sources: Sources) -> None:
    """Open only where nobody else can listen in, unless whoever runs the service has said so."""
    if sources.is_told("identity"):
        return
    for name in ("listen", "http_listen"):
        if (listen := told.get(name)) and not _is_loopback(listen):
            detail = f"must be set to listen on {listen}: tokens, or open to let anybody act under any name"
            return sources.fault("identity", detail)


def _is_loopback(address: str) -> bool:
    """Whether HOST:PORT can be reached from this machine alone."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


# -- telling what is set -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """A setting as people ask for it: what it is, who said so, and what it is for."""

    key: str
    value: str
    source: str
    help: str


def survey(environment: Mapping[str, str], service: str = "") -> tuple[list[Row], list[Fault]]:
    """Every setting of a service, or those of all services, with its source; and all faults."""
    sources = Sources(KEYS, environment, service)
    _assembled(sources)
    rows = [Row(name, sources.shown(name), sources.told[name].source, key.setting.help) for name, key in KEYS.items()]
    faults = sources.faults
    if not service:
        for each in SERVICES:
            own = Sources(KEYS, environment, each, needs=False)
            _assembled(own)
            faults += [fault for fault in own.faults if fault not in faults]
    return rows, faults


def reference() -> str:
    """All settings as a table for the README."""
    lines = ["| name | what it says | value | default |", "|---|---|---|---|"]
    for key in KEYS.values():
        default = "must be set" if key.setting.needed_by == _ALL else f"`{key.default}`" if key.default else "none"
        lines.append(f"| `{key.variable}` | {key.setting.help} | {key.wanted} | {default} |")
    return "\n".join(lines)
