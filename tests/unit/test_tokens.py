"""Tokens: who signs them, what is believed, what is not (R-API-9)."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import OctKey, OKPKey

from wellhead_runtime import limits
from wellhead_runtime.errors import Refused
from wellhead_runtime.keyring import BadKeyFile, Keyring
from wellhead_runtime.roles import Role
from wellhead_runtime.tokens import SCORING, Identity, SeatProof, Tokens, load_trusted

pytestmark = pytest.mark.req("R-API-9")

NOW = 1_800_000_000.0
RING = Keyring({"old": b"o" * 32, "new": b"n" * 32}, "new")
READER = Tokens(RING, clock=lambda: NOW)
SEAT = SeatProof("game", 3, b"t" * 16, "ada")


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(clock: Clock) -> Tokens:
    return Tokens(RING, clock=clock)


def reason(call: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as refused:
        call()
    return refused.value.reason


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def claims(token: str) -> dict[str, Any]:
    body = token.split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    return found


def test_a_token_says_who_somebody_is_for_as_long_as_it_says(tokens: Tokens, clock: Clock) -> None:
    token = tokens.identity("ada", Role.OPERATOR, 3600)
    assert tokens.read(token) == Identity("ada", Role.OPERATOR, NOW + 3600, "new")
    clock.now += 3605
    assert tokens.read(token), "clocks differ a little"
    clock.now += 10
    assert reason(lambda: tokens.read(token)) == "TOKEN_EXPIRED"
    assert reason(lambda: tokens.read(token)) == "TOKEN_EXPIRED"


def test_no_token_is_nobody(tokens: Tokens) -> None:
    assert tokens.read("") is None


@pytest.mark.parametrize(("name", "seconds"), [("", 60), ("a" * 65, 60), ("a\nb", 60), ("ada", 0), ("ada", 1e9)])
def test_a_name_that_none_can_have_and_an_endless_time_are_not_signed(
    tokens: Tokens, name: str, seconds: float
) -> None:
    with pytest.raises(ValueError, match=r"at most|characters"):
        tokens.identity(name, Role.PLAYER, seconds)


def test_a_seat_token_is_the_same_every_time_and_no_identity(tokens: Tokens) -> None:
    token = tokens.seat("old", SEAT)
    assert token == Tokens(RING).seat("old", SEAT)
    assert tokens.read(token) == SEAT
    assert token != tokens.seat("new", SEAT)


def test_every_key_at_hand_verifies_and_one_that_has_gone_does_not(clock: Clock) -> None:
    token = Tokens(Keyring({"old": RING.key("old")}, "old"), clock=clock).identity("ada", Role.PLAYER, 60)
    assert Tokens(RING, clock=clock).read(token)
    rotated = Keyring({"new": RING.key("new")}, "new")
    assert reason(lambda: Tokens(rotated, clock=clock).read(token)) == "TOKEN_INVALID"
    same_id = Keyring({"old": b"x" * 32}, "old")
    assert reason(lambda: Tokens(same_id, clock=clock).read(token)) == "TOKEN_INVALID"


def test_a_service_renews_its_token_before_it_is_over(tokens: Tokens, clock: Clock) -> None:
    give = tokens.service(SCORING)
    first = give()
    assert give() == first
    for _ in range(20):
        clock.now += 200
        identity = tokens.read(give())
        assert isinstance(identity, Identity)
        assert (identity.subject, identity.role) == (SCORING, Role.SERVICE)
    assert give() != first


def signed(key: Any, header: dict[str, Any] | None = None, algorithm: str = "Ed25519", **changes: Any) -> str:
    """A token like ours, with something about it changed; None leaves a claim out."""
    said = {"iss": "wellhead", "aud": "wellhead", "sub": "ada", "role": "player", "iat": NOW, "exp": NOW + 60} | changes
    said = {name: value for name, value in said.items() if value is not None}
    return jwt.encode({"alg": algorithm, "kid": "new"} | (header or {}), said, key, algorithms=[algorithm])


def own_key() -> OKPKey:
    return Tokens(RING)._own["new"]


PUBLIC = own_key().as_dict(private=False)["x"]
BAD: dict[str, Callable[[], str]] = {
    "another issuer": lambda: signed(own_key(), iss="elsewhere"),
    "another audience": lambda: signed(own_key(), aud="elsewhere"),
    "no audience": lambda: signed(own_key(), aud=None),
    "no subject": lambda: signed(own_key(), sub=None),
    "a subject that is no name": lambda: signed(own_key(), sub="a" * 65),
    "a role that is none": lambda: signed(own_key(), role="king"),
    "no end": lambda: signed(own_key(), exp=None),
    "no beginning": lambda: signed(own_key(), iat=None),
    "too long a time": lambda: signed(own_key(), exp=NOW + limits.TOKEN_SECONDS + 1),
    "an end before its beginning": lambda: signed(own_key(), exp=NOW - 1),
    "a beginning to come": lambda: signed(own_key(), iat=NOW + 60, exp=NOW + 120),
    "not yet": lambda: signed(own_key(), nbf=NOW + 60),
    "a time that is none": lambda: signed(own_key(), exp="soon"),
    "a time that is no number": lambda: signed(own_key(), exp=float("nan")),
    "a seat for an identity": lambda: signed(own_key(), aud=["wellhead-seat"]),
    "half a seat": lambda: signed(own_key(), aud="wellhead-seat"),
    "an unknown key": lambda: signed(own_key(), {"kid": "newer"}),
    "a key of its own": lambda: signed(OKPKey.generate_key("Ed25519")),
    "a key in its header": lambda: signed(
        key := OKPKey.generate_key("Ed25519"), {"jwk": key.as_dict(private=False)}
    ),
    "our public key as a secret": lambda: signed(OctKey.import_key(PUBLIC), algorithm="HS256"),
    "no key id": lambda: ".".join([part({"alg": "Ed25519"}), *signed(own_key()).split(".")[1:]]),
    "no signature": lambda: signed(own_key()).rpartition(".")[0] + ".",
    "no algorithm": lambda: ".".join([part({"alg": "none", "kid": "new"}), signed(own_key()).split(".")[1], ""]),
    "other claims": lambda: ".".join(
        [(real := signed(own_key()).split("."))[0], part(claims(".".join(real)) | {"sub": "bob"}), real[2]]
    ),
    "too much": lambda: signed(own_key(), more="x" * limits.TOKEN_CHARS),
}  # fmt: skip


@pytest.mark.parametrize("make", BAD.values(), ids=BAD)
def test_what_proves_nothing_is_refused_and_not_told_why(tokens: Tokens, make: Callable[[], str]) -> None:
    with pytest.raises(Refused) as refused:
        tokens.read(make())
    assert refused.value.reason == "TOKEN_INVALID"
    assert refused.value.detail == "the call brings a token that proves nothing here"
    assert refused.value.metadata == {}


def test_the_helper_makes_good_tokens_too(tokens: Tokens) -> None:
    assert tokens.read(signed(own_key())) == Identity("ada", Role.PLAYER, NOW + 60, "new")
    assert tokens.read(signed(own_key(), aud=["other", "wellhead"]))
    assert tokens.read(signed(own_key(), algorithm="EdDSA")), "the name that older libraries write"


@given(st.one_of(st.text(), st.lists(st.text(), min_size=3, max_size=3).map(".".join)))
def test_no_text_is_more_than_invalid(text: str) -> None:
    if text:
        assert reason(lambda: READER.read(text)) == "TOKEN_INVALID"


@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(), lambda each: st.lists(each) | st.dictionaries(
    st.sampled_from(["alg", "kid", "crit", "typ", "b64", "jwk", "x"]), each)))  # fmt: skip
def test_no_header_is_more_than_invalid(header: Any) -> None:
    token = ".".join([part(header), *signed(own_key()).split(".")[1:]])
    assert reason(lambda: READER.read(token)) == "TOKEN_INVALID"


# -- other issuers -----------------------------------------------------------------------------------------------------


@pytest.fixture
def theirs() -> OKPKey:
    return OKPKey.generate_key("Ed25519", {"kid": "theirs"})


def write(path: Path, *keys: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"keys": keys}))
    return path


def test_another_issuer_is_believed_about_people_and_not_about_services(
    tmp_path: Path, clock: Clock, theirs: OKPKey
) -> None:
    jwks = write(tmp_path / "jwks.json", {**theirs.as_dict(private=False), "iss": "club"})
    tokens = Tokens(RING, load_trusted(jwks), clock)

    def from_club(**changes: Any) -> str:
        return signed(theirs, {"kid": "theirs"}, **({"iss": "club"} | changes))

    assert tokens.read(from_club(role="operator")) == Identity("ada", Role.OPERATOR, NOW + 60, "theirs")
    for wrong in ({"iss": "wellhead"}, {"role": "service"}, {"aud": "club"}):
        assert reason(lambda wrong=wrong: tokens.read(from_club(**wrong))) == "TOKEN_INVALID"  # type: ignore[misc]
    proof = {"iss": "wellhead", "aud": "wellhead-seat", "game": "game", "seat": 1, "take": "00", "sub": "ada"}
    for issuer in ("club", "wellhead"):
        forged = jwt.encode({"alg": "Ed25519", "kid": "theirs"}, proof | {"iss": issuer}, theirs, ["Ed25519"])
        assert reason(lambda forged=forged: tokens.read(forged)) == "TOKEN_INVALID"  # type: ignore[misc]


def test_others_verify_our_tokens_with_the_public_keys(tokens: Tokens, clock: Clock, tmp_path: Path) -> None:
    public = tokens.public()
    assert all("d" not in key for key in public["keys"])
    trusted = load_trusted(write(tmp_path / "jwks.json", *public["keys"]))
    elsewhere = Tokens(Keyring({"1": b"1" * 32}, "1"), trusted, clock)
    assert elsewhere.read(tokens.identity("ada", Role.PLAYER, 60))


def test_keys_that_cannot_be_trusted_end_the_start(tmp_path: Path, theirs: OKPKey) -> None:
    good = {**theirs.as_dict(private=False), "iss": "club"}
    for bad in (
        {**theirs.as_dict(private=True), "iss": "club"},
        {**good, "iss": ""},
        {name: value for name, value in good.items() if name != "kid"},
        {**good, "kty": "oct", "k": "AAAA"},
        {**good, "crv": "X25519"},
        {**good, "x": "AAAA"},
    ):
        with pytest.raises(BadKeyFile, match="not a JWKS of public") as caught:
            load_trusted(write(tmp_path / "jwks.json", bad))
        assert str(bad.get("d", good["x"])) not in str(caught.value)
    with pytest.raises(BadKeyFile, match="No such file"):
        load_trusted(tmp_path / "none.json")
    for key_id in ("old", "theirs"):
        twice = load_trusted(write(tmp_path / "jwks.json", {**good, "kid": key_id}, good))
        with pytest.raises(BadKeyFile, match=key_id):
            Tokens(RING, twice)
