"""What commands and games are known by: derived from the request, so that a repeat is recognised and nothing is stored.

game id        base32 of SHA-256(creator, request id); of a rematch, of (game id, number of the rematch)
command key    16 bytes of SHA-256(kind of actor, seat, request id): all that the log keeps of a request id
"""

import hashlib
from base64 import b32encode
from struct import Struct

_KEY_BYTES = 16
_LENGTH = Struct(">I")


def _tagged(tag: str, *parts: bytes) -> bytes:
    return b"wellhead/v1/" + tag.encode() + b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def game_id_of(creator: str, request_id: str) -> str:
    """The id of the game that a creation opens: a repeat of the creation finds the same game."""
    return _game_id("game-id", creator.encode(), request_id.encode())


def rematch_id_of(game_id: str, number: int) -> str:
    """The id of a game's rematch: whoever knows the game finds it, whoever asks first opens it."""
    return _game_id("rematch-id", game_id.encode(), b"%d" % number)


def _game_id(tag: str, *parts: bytes) -> str:
    digest = hashlib.sha256(_tagged(tag, *parts)).digest()
    return b32encode(digest[:15]).decode().lower()


def command_key(actor: str, seat: int, request_id: str) -> bytes:
    """The key under which a command is known in its game; `actor` is the kind of actor, `seat` 0 if it is no seat."""
    return hashlib.sha256(_tagged("command-key", actor.encode(), b"%d" % seat, request_id.encode())).digest()[
        :_KEY_BYTES
    ]
