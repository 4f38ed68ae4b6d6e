"""`wellhead token`: what it prints, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wellhead_runtime.keyring import Keyring
from wellhead_runtime.roles import Role
from wellhead_runtime.tokens import Identity, Tokens, load_trusted

pytestmark = pytest.mark.req("R-API-9")

Wellhead = Callable[..., Any]


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    return Keyring.load_or_create(tmp_path / "server-key.json")


@pytest.mark.parametrize("role", Role)
def test_it_prints_the_token_and_nothing_else(wellhead: Wellhead, tmp_path: Path, keyring: Keyring, role: Role) -> None:
    for place in (("--data-dir", tmp_path), ("--key-file", tmp_path / "server-key.json")):
        ran = wellhead("token", "Ada L.", "--role", role.value, *place)
        assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
        identity = Tokens(keyring).read(ran.out.strip())
        assert isinstance(identity, Identity)
        assert (identity.subject, identity.role, identity.key_id) == ("Ada L.", role, keyring.current)


def test_it_holds_for_a_day_unless_told_otherwise(wellhead: Wellhead, tmp_path: Path, keyring: Keyring) -> None:
    ends = []
    for hours in ((), ("--hours", "0.5")):
        identity = Tokens(keyring).read(wellhead("token", "ada", *hours, "--data-dir", tmp_path).out.strip())
        assert isinstance(identity, Identity)
        ends.append(identity.expires)
    assert ends[0] - ends[1] == pytest.approx(23.5 * 3600, abs=5)


def test_the_public_keys_are_what_others_verify_with(wellhead: Wellhead, tmp_path: Path, keyring: Keyring) -> None:
    ran = wellhead("token", "--public", "--data-dir", tmp_path)
    assert (ran.code, ran.err) == (0, "")
    (tmp_path / "jwks.json").write_text(ran.out)
    (key,) = load_trusted(tmp_path / "jwks.json")
    assert (key.key_id, key.issuer) == (keyring.current, "wellhead")
    assert "d" not in json.loads(ran.out)["keys"][0]


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [
        ([], 2, "either a NAME or --public"),
        (["ada", "--public"], 2, "either a NAME or --public"),
        (["ada", "--hours", "745"], 1, "744 hours"),
        (["ada", "--hours", "0"], 1, "744 hours"),
        (["a" * 65], 1, "1 to 64 printable characters"),
        (["ada", "--role", "king"], 2, "king"),
        (["ada", "--key-file", "/nowhere/key.json"], 1, "No such file"),
    ],
)
def test_what_makes_no_token_is_told_in_a_line(
    wellhead: Wellhead, tmp_path: Path, keyring: Keyring, arguments: list[str], code: int, what: str
) -> None:
    ran = wellhead("token", *arguments, "--data-dir", tmp_path)
    assert (ran.code, ran.out) == (code, "")
    assert what in ran.err
    assert ran.err.count("\n") == 1
