"""The server's keys: what seeds and credentials derive from (architecture §2).

Nothing that derives from a key is stored. Keys rotate: the current one serves new games, older ones stay as long as
games that began with them are of interest.
"""

import json
import secrets
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Self

from wellhead_rules.kernel.chance import game_seed

KEY_BYTES = 32
_SEEDS_AT_HAND = 4_096


class BadKeyFile(Exception):
    """The key file cannot be used; the message says why and quotes nothing of it."""


class KeyMissing(Exception):
    """A game began under a key that is not at hand any more."""


class Keyring:
    """Server keys by id, and the id of the one that new games use."""

    __slots__ = ("_keys", "_seeds", "current")

    def __init__(self, keys: Mapping[str, bytes], current: str) -> None:
        if current not in keys:
            raise BadKeyFile("the current key is not among the keys")
        if any(len(key) < KEY_BYTES for key in keys.values()):
            raise BadKeyFile(f"a key has fewer than {KEY_BYTES} bytes")
        self._keys = dict(keys)
        self._seeds = lru_cache(_SEEDS_AT_HAND)(lambda key_id, game_id: game_seed(self.key(key_id), game_id))
        self.current = current

    def __repr__(self) -> str:
        return f"Keyring({', '.join(self._keys)}; current {self.current})"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the keys at hand."""
        return tuple(self._keys)

    def key(self, key_id: str) -> bytes:
        """The key; KeyMissing if it is not here any more."""
        try:
            return self._keys[key_id]
        except KeyError:
            raise KeyMissing(key_id) from None

    def seed(self, key_id: str, game_id: str) -> bytes:
        """The seed of a game that began under this key."""
        return self._seeds(key_id, game_id)

    @classmethod
    def load(cls, path: Path) -> Self:
        """The keyring in a key file: `{"current": ID, "keys": {ID: HEX, ...}}`."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            keys = {str(key_id): bytes.fromhex(key) for key_id, key in content["keys"].items()}
            current = str(content["current"])
        except OSError as error:
            raise BadKeyFile(f"{path}: {error.strerror}") from error
        except (ValueError, TypeError, KeyError, AttributeError):
            # The cause would quote the file.
            raise BadKeyFile(f'{path}: not of the form {{"current": ID, "keys": {{ID: HEX}}}}') from None
        return cls(keys, current)

    @classmethod
    def load_or_create(cls, path: Path) -> Self:
        """The keyring in a key file; if there is none, a new one with a fresh key, readable by its owner only."""
        content = {"current": "1", "keys": {"1": secrets.token_hex(KEY_BYTES)}}
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(content), encoding="utf-8")
        try:
            # Atomic, and never over a file that exists: whoever comes second reads the first one's key.
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        return cls.load(path)
