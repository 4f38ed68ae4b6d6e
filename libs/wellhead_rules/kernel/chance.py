"""Verifiable chance: every draw can be redone from the published seed (R-RULES-8, R-PROOF-2).

    seed            a secret of 32 bytes, one per game
    commitment      SHA-256(tag "commitment", game id, seed), published before anything is drawn
    draw key        HMAC-SHA256(seed, tag "draws", game id, nonces of the seats in seat order)
    draw n          the first 8 bytes of HMAC-SHA256(draw key, n, attempt), rejection-sampled below the bound
    salt key        HMAC-SHA256(seed, tag "salts"), from which the salts of private parts derive

The tags keep the derivations apart: nothing that is published before the end helps to predict a draw.
"""

import hashlib
import hmac
from collections.abc import MutableSequence, Sequence
from struct import Struct
from typing import Any, Protocol, TypeVar

from msgspec import Struct as Record

T = TypeVar("T")

SEED_BYTES = 32
_RANGE = 1 << 64
_COUNTER = Struct(">QI")
_LENGTH = Struct(">I")


class Shuffler(Protocol):
    """What sampling needs of a source of randomness; `random.Random` is one."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Puts `x` into a random order."""


class Draw(Record, frozen=True):
    """One draw: `value` was taken uniformly from 0 to `bound - 1`."""

    bound: int
    value: int


class Chance:
    """Hands out draws in order; remembers the ones made since it was created."""

    __slots__ = ("_key", "counter", "draws")

    def __init__(self, key: bytes, counter: int = 0) -> None:
        self._key = key
        self.counter = counter
        self.draws: list[Draw] = []

    def draw(self, bound: int) -> int:
        """A uniform integer from 0 to `bound - 1`; `bound` must be positive."""
        limit = _RANGE - _RANGE % bound
        attempt = 0
        while True:
            block = hmac.digest(self._key, _COUNTER.pack(self.counter, attempt), "sha256")
            number = int.from_bytes(block[:8], "big")
            if number < limit:
                break
            attempt += 1
        self.counter += 1
        value = number % bound
        self.draws.append(Draw(bound, value))
        return value

    def pick(self, candidates: Sequence[T]) -> T:
        """One of the candidates, uniformly; nothing is drawn when there is only one."""
        return candidates[0] if len(candidates) == 1 else candidates[self.draw(len(candidates))]


def _tagged(tag: str, *parts: bytes) -> bytes:
    return b"wellhead/v1/" + tag.encode() + b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def game_seed(server_key: bytes, game_id: str) -> bytes:
    """The seed of a game; it derives from the server's key, so nothing secret is stored with the game."""
    return hmac.digest(server_key, _tagged("seed", game_id.encode()), "sha256")


def commitment(seed: bytes, game_id: str) -> bytes:
    """What is published of a seed before the first draw; it cannot be used as the seed."""
    return hashlib.sha256(_tagged("commitment", game_id.encode(), seed)).digest()


def draw_key(seed: bytes, game_id: str, nonces: Sequence[bytes]) -> bytes:
    """The key of the draws; every seat's nonce changes all of them."""
    return hmac.digest(seed, _tagged("draws", game_id.encode(), *nonces), "sha256")


def salt(seed: bytes, revision: int, part: int) -> bytes:
    """The salt of a private part, 16 bytes; derived, so that deciding again gives the same bytes."""
    key = hmac.digest(seed, _tagged("salts"), "sha256")
    return hmac.digest(key, _COUNTER.pack(revision, part), "sha256")[:16]
