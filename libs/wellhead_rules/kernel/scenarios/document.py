"""YAML read into typed records, with the line of whatever is wrong in it."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import yaml
from msgspec import Struct

T = TypeVar("T")
Path = tuple[str | int, ...]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C where the wheel has it: ten times as fast


class BadScenario(Exception):
    """A file that is no scenario; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Difference(Struct, frozen=True):
    """What a scenario expects and does not find; `line` is that of the expectation."""

    line: int
    case: str
    what: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.case}: {self.what}: expected {self.expected}, found {self.found}"


class Document:
    """A YAML document: plain values, and the line on which each of them stands."""

    def __init__(self, text: str) -> None:
        try:
            root = yaml.compose(text, Loader=_LOADER)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise BadScenario(mark.line + 1 if mark else 1, error.problem or str(error)) from None
        except yaml.YAMLError as error:
            raise BadScenario(1, " ".join(str(error).split())) from None
        self._constructor = yaml.SafeLoader("")
        self._lines: dict[Path, int] = {(): 1}
        self.data: Any = self._read(root, ()) if root is not None else None

    def line(self, path: Path) -> int:
        """The line of the value at a path, or of the nearest value around it."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def has(self, path: Path) -> bool:
        """There is a value at the path."""
        return path in self._lines

    def convert(self, kind: type[T]) -> T:
        """The document as a typed record; BadScenario with line and reason if it does not fit."""
        try:
            return msgspec.convert(self.data, kind)
        except msgspec.ValidationError as error:
            path, reason = _locate(self.data, kind, error)
            raise BadScenario(self.line(path), f"{reason} (at {'.'.join(map(str, path)) or 'the top'})") from None

    def _read(self, node: yaml.Node, path: Path) -> Any:
        self._lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.SequenceNode):
            return [self._read(one, (*path, index)) for index, one in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            mapping = {}
            for key_node, value_node in node.value:
                key = self._scalar(key_node)
                line = key_node.start_mark.line + 1
                if key in mapping:
                    raise BadScenario(line, f"{key!r} stands twice")
                self._lines[(*path, key)] = line
                mapping[key] = self._read(value_node, (*path, key))
            return mapping
        return self._scalar(node)

    def _scalar(self, node: yaml.Node) -> Any:
        if not isinstance(node, yaml.ScalarNode):
            raise BadScenario(node.start_mark.line + 1, "a key must be a plain value")
        try:
            return self._constructor.construct_object(node)
        except (yaml.YAMLError, ValueError):
            raise BadScenario(node.start_mark.line + 1, f"{node.value!r} cannot be read") from None


# -- where a value does not fit --------------------------------------------------------------------------------

_STEP = re.compile(r"\.([^.\[\]`]+)|\[(\d+)\]|\[(\.\.\.)\]")
_FIELD = re.compile(r"(?:unknown|required) field `([^`]+)`")


def _locate(data: Any, kind: type[Any], error: msgspec.ValidationError) -> tuple[Path, str]:
    """The path of what is wrong, and the reason; the error leaves out the keys of mappings, so they are tried."""
    reason, _, where = str(error).partition(" - at ")
    in_key = where.startswith("`key` in ")
    steps = _STEP.findall(where)
    path: Path = ()
    for name, index, _ in steps:
        if name or index:
            path = (*path, name or int(index))
            continue
        path = (*path, _guilty(data, kind, path, where))
    if in_key:
        path = (*path, _guilty(data, kind, path, where))
    unknown = _FIELD.search(reason)
    return ((*path, unknown[1]) if unknown else path), reason


def _guilty(data: Any, kind: type[Any], path: Path, where: str) -> Any:
    """The first key of the mapping at a path whose entry, alone, does not fit at the same place."""
    mapping = _at(data, path)
    for key, value in mapping.items():
        try:
            msgspec.convert(_with(data, path, {key: value}), kind)
        except msgspec.ValidationError as error:
            if str(error).endswith(where):
                return key
    return next(iter(mapping))


def _at(data: Any, path: Path) -> Any:
    """The value at a path."""
    for step in path:
        data = data[step]
    return data


def _with(data: Any, path: Path, value: Any) -> Any:
    """The data with the value at a path replaced."""
    if not path:
        return value
    inner = _with(data[path[0]], path[1:], value)
    if isinstance(data, Mapping):
        return {**data, path[0]: inner}
    return [inner if index == path[0] else one for index, one in enumerate(data)]
