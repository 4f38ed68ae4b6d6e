"""Who may act: credentials that are recognised without being stored (R-API-9).

    seat credential     base64url of the seat, the key of the command that took it, HMAC(game's server key, game, both)
    service credential  base64url of HMAC(server key, service)
    command key         16 bytes of SHA-256(kind of actor, seat, request id): all that the log keeps of a request id

Leaving and taking a seat again is another command, so the old credential is of no use any more, although it is still
known to have been genuine: that is enough to ask once more for an answer given while it was in use.
"""

import hashlib
import hmac
from base64 import b32encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from struct import Struct
from struct import error as StructError

from msgspec import Struct as Record

from wellhead_runtime.keyring import Keyring

_KEY_BYTES = 16
_MAC_BYTES = 24
_LAYOUT = Struct(f">H{_KEY_BYTES}s{_MAC_BYTES}s")
_LENGTH = Struct(">I")
_BEARER = "Bearer "


class SeatClaim(Record, frozen=True):
    """What a seat credential says: its seat, and the key of the command that took the seat; `mac` proves it."""

    seat: int
    taken_by: bytes
    mac: bytes


def _tagged(tag: str, *parts: bytes) -> bytes:
    return b"wellhead/v1/" + tag.encode() + b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def game_id_of(creator: str, request_id: str) -> str:
    """The id of the game that a creation opens: a repeat of the creation finds the same game."""
    digest = hashlib.sha256(_tagged("game-id", creator.encode(), request_id.encode())).digest()
    return b32encode(digest[:15]).decode().lower()


def command_key(actor: str, seat: int, request_id: str) -> bytes:
    """The key under which a command is known in its game; `actor` is the kind of actor, `seat` 0 if it is no seat."""
    return hashlib.sha256(_tagged("command-key", actor.encode(), b"%d" % seat, request_id.encode())).digest()[
        :_KEY_BYTES
    ]


def seat_credential(key: bytes, game_id: str, seat: int, taken_by: bytes) -> str:
    """Proof of a seat; `key` is the server key that the game began with."""
    return urlsafe_b64encode(_LAYOUT.pack(seat, taken_by, _seat_mac(key, game_id, seat, taken_by))).decode()


def read_seat_credential(credential: str) -> SeatClaim | None:
    """What a seat credential says, not yet proved; None if it is no seat credential."""
    try:
        return SeatClaim(*_LAYOUT.unpack(urlsafe_b64decode(credential.encode())))
    except (ValueError, StructError):
        return None


def is_genuine(key: bytes, game_id: str, claim: SeatClaim) -> bool:
    """Whether this server once gave out the credential for this game."""
    return hmac.compare_digest(claim.mac, _seat_mac(key, game_id, claim.seat, claim.taken_by))


def _seat_mac(key: bytes, game_id: str, seat: int, taken_by: bytes) -> bytes:
    message = _tagged("seat-credential", game_id.encode(), b"%d" % seat, taken_by)
    return hmac.digest(key, message, "sha256")[:_MAC_BYTES]


def service_credential(keyring: Keyring, service: str) -> str:
    """Proof that a caller is one of our own services."""
    return _service_credential(keyring.key(keyring.current), service)


def is_service(keyring: Keyring, service: str, credential: str) -> bool:
    """Whether the credential is the service's, under any key at hand: not all services learn of a new one at once."""
    given = credential.encode()
    expected = [_service_credential(keyring.key(key_id), service).encode() for key_id in keyring.ids]
    return any(hmac.compare_digest(given, each) for each in expected)


def _service_credential(key: bytes, service: str) -> str:
    return urlsafe_b64encode(hmac.digest(key, _tagged("service-credential", service.encode()), "sha256")).decode()


def bearer(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    """The credential in a call's metadata; empty if there is none."""
    for name, value in metadata or ():
        if name == "authorization" and isinstance(value, str) and value.startswith(_BEARER):
            return value[len(_BEARER) :]
    return ""
