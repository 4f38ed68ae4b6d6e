"""`wellhead token`: who somebody is, signed with a key of the server."""

import json
from pathlib import Path

from wellhead_cli.console import Failure, out
from wellhead_runtime.keyring import BadKeyFile, Keyring
from wellhead_runtime.roles import Role
from wellhead_runtime.tokens import Tokens


def issue(name: str, role: Role, hours: float, key_file: Path) -> None:
    """Prints the token, and nothing else."""
    try:
        token = _tokens(key_file).identity(name, role, hours * 3600)
    except ValueError as error:
        raise Failure(str(error)) from error
    out.print(token, markup=False, highlight=False, soft_wrap=True)


def public(key_file: Path) -> None:
    """Prints the public keys as a JWKS."""
    out.print(json.dumps(_tokens(key_file).public()), markup=False, highlight=False, soft_wrap=True)


def _tokens(key_file: Path) -> Tokens:
    try:
        return Tokens(Keyring.load(key_file))
    except BadKeyFile as failure:
        raise Failure(str(failure)) from failure
