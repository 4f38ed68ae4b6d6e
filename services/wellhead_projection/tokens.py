"""Page tokens: opaque to clients, and recognised when they come back changed or to another list."""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from wellhead_runtime.errors import FieldFault, malformed

_SUM_BYTES = 6
_DIGITS = 18


def make(*parts: str) -> str:
    """A token for the page after what `parts` say; the first ones name the list."""
    body = "\n".join(parts).encode()
    return urlsafe_b64encode(_sum(body) + body).decode()


def read(token: str, *named: str) -> str:
    """The last part of a token of the list that `named` names; "" for the first page."""
    if not token:
        return ""
    try:
        raw = urlsafe_b64decode(token.encode())
        *names, last = raw[_SUM_BYTES:].decode().split("\n")
    except ValueError:
        raise _invalid() from None
    if raw[:_SUM_BYTES] != _sum(raw[_SUM_BYTES:]) or names != list(named):
        raise _invalid()
    return last


def revision(token: str, *named: str) -> int:
    """The same, where it is a revision; 0 for the first page."""
    last = read(token, *named) or "0"
    if not last.isascii() or not last.isdigit() or len(last) > _DIGITS:  # the sum is no secret: it can be made up
        raise _invalid()
    return int(last)


def _sum(body: bytes) -> bytes:
    return hashlib.sha256(b"wellhead/v1/page-token" + body).digest()[:_SUM_BYTES]


def _invalid() -> Exception:
    return malformed([FieldFault("page_token", "was not given out by this service for this list")])
