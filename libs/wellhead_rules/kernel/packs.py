"""Content packs as files of a game's package: read, typed, and identified by the digest of their bytes."""

import hashlib
from importlib import resources
from typing import Any, TypeVar

import msgspec

from wellhead_rules.kernel.ruleset import PackInfo
from wellhead_rules.kernel.violations import ContentError

T = TypeVar("T")

_FOLDER = "content"


def files(package: str) -> list[bytes]:
    """The packs in the folder `content` of a package, by name."""
    folder = resources.files(package) / _FOLDER
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".json"))
    return [(folder / name).read_bytes() for name in names]


def changes(package: str) -> str:
    """The change log of a package's packs, in Markdown; empty if nothing was ever tuned."""
    log = resources.files(package) / _FOLDER / "CHANGES.md"
    return log.read_text("utf-8") if log.is_file() else ""


def decode(text: bytes, kind: type[T]) -> T:
    """A pack as a typed record; ContentError names the first place that does not fit."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        raise ContentError(path.strip("`") or "$", message) from None
    except msgspec.DecodeError as error:
        raise ContentError("$", str(error)) from None


def info(header: Any, text: bytes) -> PackInfo:
    """Who a pack is: `id` and `version` of its header, and the digest of its bytes."""
    return PackInfo(header.id, header.version, hashlib.sha256(text).hexdigest())


def expect(condition: bool, path: str, detail: str) -> None:
    """ContentError at the path unless the condition holds."""
    if not condition:
        raise ContentError(path, detail)
