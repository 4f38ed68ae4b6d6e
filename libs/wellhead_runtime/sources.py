"""Where settings come from: the environment, a file, defaults, in this order of precedence (architecture §8).

Whatever is wrong is found in one go, and each fault names its key and where that was told. Names that nobody knows are
faults too, so that a misspelt setting does not end as a default.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from enum import Enum, EnumMeta
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

PREFIX = "WELLHEAD_"
CONFIG = f"{PREFIX}CONFIG"
"""Names the file; without it there is none."""
COMMON = "wellhead"
"""The section for all services; one of a service's own name goes before it."""
SERVICES = ("command", "projection", "scoring")
ANY = ""
"""Stands for every service."""
DEFAULT, ENVIRONMENT = "default", "environment"

_NOT_OURS = frozenset({CONFIG, f"{PREFIX}TOKEN"})  # read by the command line
_PROTOCOL = "(TCP|UDP|SCTP)"
_LINK = re.compile(
    rf"{PREFIX}(\w+_)?(SERVICE_HOST=.*|SERVICE_PORT(_\w+)?=\d+"
    rf"|PORT(_\d+_{_PROTOCOL})?=(tcp|udp|sctp)://.*|PORT_\d+_{_PROTOCOL}_(PROTO|PORT|ADDR)=.*)"
)
"""What Kubernetes tells every container of the services beside it, under names like ours; `NAME=VALUE`."""
_HEADING = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
_LINE = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")
_PASSWORD = re.compile(r"((?<=://)[^/@:\s]*:|[?&]password=)(?:\S*(?=@)|(?<==)[^&\s]*)")


# -- what is declared --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Form:
    """How a value is written, in words, and read: ValueError says what is wrong with it."""

    words: str
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What stands beside a setting's type: help, bounds, and whatever differs from the ordinary."""

    help: str
    least: int | None = None
    most: int | None = None
    form: Form | None = None
    key: str = ""
    """Its name outside, if that is not the field's."""
    default: str = ""
    """Its default outside, if that is not written as the field's."""
    needed_by: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    """A field that is told in several keys, each with the field's name before its own."""

    parts: Mapping[str, Setting]


@dataclass(frozen=True, slots=True)
class Key:
    """A setting as it is told from outside."""

    name: str
    field: str
    type: Any
    setting: Setting
    default: str

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return PREFIX + self.name.upper()

    @property
    def wanted(self) -> str:
        """What may be told, in words."""
        if self.setting.form is not None:
            return self.setting.form.words
        if isinstance(self.type, EnumMeta):
            return f"one of {', '.join(str(each.value) for each in self.type)}"  # type: ignore[var-annotated]
        if get_origin(self.type) is Literal:
            return f"one of {', '.join(get_args(self.type))}"
        if self.type is bool:
            return "true or false"
        return f"a number from {self.setting.least} to {self.setting.most}"

    def read(self, text: str) -> Any:
        """The value that a text stands for; ValueError says what is wrong with it."""
        if self.setting.form is not None:
            return self.setting.form.read(text)
        bounds = msgspec.Meta(ge=self.setting.least, le=self.setting.most)
        wanted = self.type if self.setting.least is None else Annotated[self.type, bounds]
        try:
            return msgspec.convert(text, wanted, strict=False)
        except msgspec.ValidationError:
            raise ValueError(f"{text!r} is not {self.wanted}") from None


def declared(settings: type) -> dict[str, Key]:
    """The keys of a dataclass whose fields are annotated with `Setting` or `Parts`, in the order of its fields."""
    hints = get_type_hints(settings, include_extras=True)
    found: list[Key] = []
    for field in fields(settings):
        kind, *_, told = get_args(hints[field.name])
        if isinstance(told, Parts):
            found += [
                Key(f"{field.name}_{part}", field.name, kind, setting, "") for part, setting in told.parts.items()
            ]
        else:
            default = told.default or ("" if field.default is MISSING else written(field.default))
            found.append(Key(told.key or field.name, field.name, kind, told, default))
    return {key.name: key for key in found}


def written(value: object) -> str:
    """A value as it is told: the same in the environment and, but for quotes, in a file."""
    match value:
        case None:
            return ""
        case Enum():
            return str(value.value)
        case bool():
            return str(value).lower()
        case float():
            return f"{value:g}"
        case list() | tuple():
            return ",".join(map(written, value))
    return str(value)


# -- what is told ------------------------------------------------------------------------------------------------------


class BadSetting(Exception):
    """A setting is missing or cannot be used; `name` is its name in the environment."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"{name}: {detail}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that cannot be used: the name it was told under, where that was, if anywhere, and what is wrong."""

    name: str
    source: str
    detail: str

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.source, self.name, self.detail)))


class BadSettings(BadSetting):
    """All faults, a line each."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        Exception.__init__(self, "\n".join(map(str, faults)))
        self.name = faults[0].name
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Told:
    """A text and where it was told: `default`, `environment` or FILE:LINE."""

    text: str
    source: str


class Sources:
    """What one service, or none in particular, is told; `faults` are those found so far."""

    def __init__(
        self, keys: Mapping[str, Key], environment: Mapping[str, str], service: str = "", needs: bool = True
    ) -> None:
        """Without `needs` a setting may be missing that the service cannot do without."""
        self._keys = keys
        self._service = service
        self._needs = needs
        self.faults: list[Fault] = []
        self.told = {name: Told(key.default, DEFAULT) for name, key in keys.items()}
        if path := environment.get(CONFIG, ""):
            self._read_file(Path(path))
        self._read_environment(environment)

    def values(self) -> dict[str, Any]:
        """The value of every key that is told and can be used."""
        values = {}
        for name, key in self._keys.items():
            text = self.told[name].text
            if not text:
                if self._needs and {self._service, ANY} & set(key.setting.needed_by):
                    self.fault(name, f"must be set: {key.setting.help}")
                continue
            try:
                values[name] = key.read(text)
            except ValueError as wrong:
                self.fault(name, str(wrong))
        return values

    def fault(self, name: str, detail: str) -> None:
        """Something is wrong with a key."""
        source, detail = self.told[name].source, shown(detail)
        if source in (DEFAULT, ENVIRONMENT):
            self._blame(self._keys[name].variable, "" if source == DEFAULT else source, detail)
        else:
            self._blame(name, source, detail)

    def shown(self, name: str) -> str:
        """What is told, as it may be printed: of a URL not the password."""
        return shown(self.told[name].text)

    def is_told(self, name: str) -> bool:
        """Whether it is not left to its default."""
        return self.told[name].source != DEFAULT

    def _tell(self, key: Key, text: str, source: str) -> None:
        """What is told later stands; an empty text is for the default."""
        self.told[key.name] = Told(text, source) if text else Told(key.default, DEFAULT)

    def _blame(self, name: str, source: str, detail: str) -> None:
        self.faults.append(Fault(name, source, detail))

    def _read_environment(self, environment: Mapping[str, str]) -> None:
        known = {key.variable: key for key in self._keys.values()}
        for variable, text in environment.items():
            if key := known.get(variable):
                self._tell(key, text, ENVIRONMENT)
            elif (
                variable.startswith(PREFIX) and variable not in _NOT_OURS and not _LINK.fullmatch(f"{variable}={text}")
            ):
                self._blame(variable, ENVIRONMENT, f"is no setting{_meant(variable, known)}")

    def _read_file(self, path: Path) -> None:
        try:
            text = path.read_text(encoding="utf-8")
            content = tomllib.loads(text)
        except OSError as error:
            return self._blame(CONFIG, ENVIRONMENT, f"{path}: {error.strerror}")
        except ValueError as error:  # also what is no UTF-8
            return self._blame(CONFIG, ENVIRONMENT, f"{path} is not TOML: {error}")
        lines = dict(_lines(text))
        # The service's own section comes last: what it says stands.
        for section in sorted(content, key=lambda name: name == self._service):
            self._read_section(path, section, content[section], lines)

    def _read_section(self, path: Path, section: str, content: Any, lines: Mapping[tuple[str, str], int]) -> None:
        sections = (COMMON, *SERVICES)
        if not isinstance(content, dict):
            where = _place(path, lines.get(("", section)))
            return self._blame(section, where, f"stands in no section; those are {_headings(sections)}")
        if section not in sections:
            where = _place(path, lines.get((section, "")))
            return self._blame(f"[{section}]", where, f"is no section; those are {_headings(sections)}")
        for name, value in content.items():
            where = _place(path, lines.get((section, name)))
            if name not in self._keys:
                self._blame(name, where, f"is no setting{_meant(name, self._keys)}")
            elif not _is_plain(value):
                self._blame(name, where, f"is not {self._keys[name].wanted}")
            elif section in (COMMON, self._service):
                self._tell(self._keys[name], written(value), where)
        return None


def shown(text: str) -> str:
    """A text as it may be printed: of a URL not the password."""
    return _PASSWORD.sub(r"\1***", text)


def _meant(name: str, known: Mapping[str, Key]) -> str:
    close = get_close_matches(name, known, n=1, cutoff=0.75)
    return f"; is {close[0]} meant?" if close else ""


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(each, str) for each in value)
    return isinstance(value, str | int | float)


def _headings(sections: Sequence[str]) -> str:
    return ", ".join(f"[{section}]" for section in sections)


def _place(path: Path, line: int | None) -> str:
    return f"{path}:{line}" if line else str(path)


def _lines(text: str) -> Iterator[tuple[tuple[str, str], int]]:
    """The line of every key under its section, and of every section under the empty key."""
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.match(line):
            section = heading[1]
            yield (section, ""), number
        elif key := _LINE.match(line):
            yield (section, key[1]), number
