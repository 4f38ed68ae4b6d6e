"""Who somebody is, as a signed token says it: JSON Web Tokens under Ed25519 keys, none of them stored (R-API-9).

    identity token   says who its bearer is and in which role; issued here, or by others whose keys we are told to trust
    seat token       says that its bearer holds one seat of one game: the credential given to whoever takes a seat
    invitation code  lets whoever shows it sit at a private table: no token, but short enough to be read out

Our signing keys derive from the server keys, one each, under the same id: the current one signs, all at hand verify, so
rotating the server keys rotates these. A seat token carries no time: a repeated request gets it again, byte for byte.
What a token says is remembered once it has been verified, so that a signature costs a caller once and not every call.
"""

import hmac
import json
import time
import warnings
from base64 import b32encode
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from joserfc import jwt
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import OKPKey
from msgspec import Struct

from wellhead_runtime import limits
from wellhead_runtime.errors import Refused
from wellhead_runtime.keyring import BadKeyFile, Keyring
from wellhead_runtime.reasons import Reason
from wellhead_runtime.roles import Role

ISSUER = "wellhead"
AUDIENCE = "wellhead"
SEAT_AUDIENCE = "wellhead-seat"
SCORING = "scoring"
CLOCK = "clock"
PROGRAMMES = "programmes"

_ALGORITHM = "Ed25519"
_ACCEPTED = ("Ed25519", "EdDSA")  # RFC 9864's name of it, and the older one that other issuers' libraries still write
_TAG = b"wellhead/v1/token-key"
_INVITATION_TAG = b"wellhead/v1/invitation"
_PKCS8 = bytes.fromhex("302e020100300506032b657004220420")  # what stands before the 32 bytes of a key (RFC 8410)
_INVITATION_BYTES = 15  # 24 characters
_LEEWAY_SECONDS = 10
_SERVICE_SECONDS = 600

warnings.filterwarnings("ignore", message="EdDSA is deprecated", category=SecurityWarning)


class Identity(Struct, frozen=True):
    """Who a caller is; `expires` in seconds since the Unix epoch."""

    subject: str
    role: Role
    expires: float
    key_id: str


class SeatProof(Struct, frozen=True):
    """The seat that a caller was given; `taken_by` is the key of the command that took it."""

    game_id: str
    seat: int
    taken_by: bytes
    player: str


Caller: TypeAlias = Identity | SeatProof | None
"""Whoever calls: None if they do not say."""


class TrustedKey(Struct, frozen=True):
    """A public key of another issuer."""

    key_id: str
    issuer: str
    key: OKPKey


class _IdentityClaims(Struct):
    iss: str
    aud: str | list[str]
    sub: str
    role: Role
    iat: float
    exp: float
    nbf: float = 0


class _SeatClaims(Struct):
    iss: str
    aud: str
    game: str
    seat: int
    take: str
    sub: str


class Tokens:
    """Issues tokens and reads them."""

    def __init__(
        self, keyring: Keyring, trusted: Iterable[TrustedKey] = (), clock: Callable[[], float] = time.time
    ) -> None:
        """BadKeyFile if a trusted key has the id of another key."""
        self._current = keyring.current
        self._invitations = {each: hmac.digest(keyring.key(each), _INVITATION_TAG, "sha256") for each in keyring.ids}
        self._own = {key_id: _signing_key(key_id, keyring.key(key_id)) for key_id in keyring.ids}
        self._trusted: dict[str, TrustedKey] = {}
        for each in trusted:
            if each.key_id in self._own or each.key_id in self._trusted:
                raise BadKeyFile(f"two keys have the id {each.key_id!r}")
            self._trusted[each.key_id] = each
        self._clock = clock
        self._verified = lru_cache(limits.TOKENS_AT_HAND)(self._verify)  # what is refused is not remembered

    # -- issuing -----------------------------------------------------------------------------------------------------

    def identity(self, subject: str, role: Role, seconds: float) -> str:
        """A token that says for so long who its bearer is."""
        if not _is_name(subject):
            raise ValueError(f"a name has {limits.NAME_CHARS[0]} to {limits.NAME_CHARS[-1]} printable characters")
        if not 0 < seconds <= limits.TOKEN_SECONDS:
            raise ValueError(f"a token holds for at most {limits.TOKEN_SECONDS // 3600} hours")
        now = int(self._clock())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "role": role.value}
        return self._sign(self._current, {**claims, "iat": now, "exp": now + max(1, int(seconds))})

    def service(self, name: str) -> Callable[[], str]:
        """Gives the token of one of our services, a new one whenever the last has but half of its time left."""
        token, fresh_until = "", 0.0

        def give() -> str:
            nonlocal token, fresh_until
            if self._clock() >= fresh_until:
                token = self.identity(name, Role.SERVICE, _SERVICE_SECONDS)
                fresh_until = self._clock() + _SERVICE_SECONDS / 2
            return token

        return give

    def seat(self, key_id: str, proof: SeatProof) -> str:
        """The token of a seat, under the key that its game began with; the same one every time."""
        claims = {"iss": ISSUER, "aud": SEAT_AUDIENCE, "game": proof.game_id, "seat": proof.seat}
        return self._sign(key_id, {**claims, "take": proof.taken_by.hex(), "sub": proof.player})

    def invitation(self, key_id: str, game_id: str) -> str:
        """The invitation code of a private table, under the key that its game began with; the same one every time."""
        code = hmac.digest(self._invitations[key_id], game_id.encode(), "sha256")
        return b32encode(code[:_INVITATION_BYTES]).decode().lower()

    def invites(self, key_id: str, game_id: str, code: str) -> bool:
        """Whether it is the table's invitation code."""
        if not code or key_id not in self._invitations:
            return False
        return hmac.compare_digest(code.encode(), self.invitation(key_id, game_id).encode())

    def public(self) -> dict[str, Any]:
        """The public half of every key at hand, as a JWKS: what others need to verify our tokens."""
        use = {"alg": _ALGORITHM, "use": "sig", "iss": ISSUER}
        return {"keys": [{**key.as_dict(private=False), **use} for key in self._own.values()]}

    def _sign(self, key_id: str, claims: dict[str, Any]) -> str:
        header = {"alg": _ALGORITHM, "kid": key_id}
        return jwt.encode(header, claims, self._own[key_id], algorithms=_ACCEPTED)

    # -- reading -----------------------------------------------------------------------------------------------------

    def read(self, token: str) -> Caller:
        """Who brings the token; None without one; TOKEN_INVALID or TOKEN_EXPIRED if it proves nothing."""
        if not token:
            return None
        if len(token) > limits.TOKEN_CHARS:
            raise _invalid()
        caller = self._verified(token)
        self.require_current(caller)
        return caller

    def require_current(self, caller: Caller) -> None:
        """TOKEN_EXPIRED if the caller's time is over; for what goes on after it has begun."""
        if isinstance(caller, Identity) and self._clock() > caller.expires + _LEEWAY_SECONDS:
            raise Refused(Reason.TOKEN_EXPIRED, "the token has expired")

    def _verify(self, token: str) -> Identity | SeatProof:
        """What the token says, if one of our keys or of those we trust has signed it, even if its time is over."""
        try:
            # A token chooses among our keys by id, and nothing else: all of them are of one kind, and so is their use.
            signed = jwt.decode(token, lambda header: self._public_key(header.headers()), algorithms=_ACCEPTED)
            key_id = signed.header["kid"]
            if signed.claims.get("aud") == SEAT_AUDIENCE:
                return self._seat_proof(key_id, msgspec.convert(signed.claims, _SeatClaims))
            return self._identity(key_id, msgspec.convert(signed.claims, _IdentityClaims))
        except (JoseError, ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
            # Nor is it told which part is wrong: whoever has a token from us has one that is right.
            raise _invalid() from None

    def _public_key(self, header: Mapping[str, Any]) -> OKPKey:
        key_id = header["kid"]
        return self._own[key_id] if key_id in self._own else self._trusted[key_id].key

    def _identity(self, key_id: str, claims: _IdentityClaims) -> Identity:
        ours = key_id in self._own
        issuer = ISSUER if ours else self._trusted[key_id].issuer
        audience = [claims.aud] if isinstance(claims.aud, str) else claims.aud
        now = self._clock() + _LEEWAY_SECONDS
        genuine = claims.iss == issuer and AUDIENCE in audience and _is_name(claims.sub)
        # Others may say who a person is; who a service of ours is, only we do.
        genuine = genuine and (ours or claims.role is not Role.SERVICE)
        timely = claims.nbf <= now and claims.iat <= now and 0 < claims.exp - claims.iat <= limits.TOKEN_SECONDS
        if not (genuine and timely):
            raise ValueError
        return Identity(claims.sub, claims.role, claims.exp, key_id)

    def _seat_proof(self, key_id: str, claims: _SeatClaims) -> SeatProof:
        if key_id not in self._own or claims.iss != ISSUER:
            raise ValueError
        return SeatProof(claims.game, claims.seat, bytes.fromhex(claims.take), claims.sub)


def load_trusted(path: Path) -> tuple[TrustedKey, ...]:
    """The keys of a JWKS file whose issuers are trusted; each key names its issuer as `iss`.

    BadKeyFile if it cannot be used; the message quotes nothing of it.
    """
    try:
        return tuple(_trusted_key(each) for each in json.loads(path.read_text(encoding="utf-8"))["keys"])
    except OSError as error:
        raise BadKeyFile(f"{path}: {error.strerror}") from error
    except (JoseError, ValueError, TypeError, KeyError, AttributeError):
        what = 'not a JWKS of public Ed25519 keys, each with its "kid" and its issuer as "iss"'
        raise BadKeyFile(f"{path}: {what}") from None


def _trusted_key(jwk: Any) -> TrustedKey:
    key_id, issuer = jwk["kid"], jwk["iss"]
    if not (isinstance(key_id, str) and key_id and isinstance(issuer, str) and issuer):
        raise ValueError
    if jwk["kty"] != "OKP" or jwk["crv"] != "Ed25519" or "d" in jwk:
        raise ValueError
    return TrustedKey(key_id, issuer, OKPKey.import_key({"kty": "OKP", "crv": "Ed25519", "x": jwk["x"], "kid": key_id}))


def missing(what: str) -> Refused:
    """The call needs a token and brings none."""
    return Refused(Reason.TOKEN_MISSING, f"the call brings no token; {what}")


def _invalid() -> Refused:
    return Refused(Reason.TOKEN_INVALID, "the call brings a token that proves nothing here")


def _is_name(name: str) -> bool:
    return len(name) in limits.NAME_CHARS and name.isprintable()


def _signing_key(key_id: str, server_key: bytes) -> OKPKey:
    key = OKPKey.import_key(_PKCS8 + hmac.digest(server_key, _TAG, "sha256"), {"kid": key_id})
    assert key.is_private and key.curve_name == "Ed25519"
    return key
