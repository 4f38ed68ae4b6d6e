"""The server-side functions, as loaded into a store.

Names carry a hash of the source: processes of different versions share a store without replacing each other's
functions. They neither spread between primaries nor move with slots, so whoever misses them loads them
(architecture §3).
"""

import hashlib
from importlib.resources import files

_SOURCE = files("wellhead_eventlog").joinpath("functions.lua").read_text(encoding="utf-8")
_PREFIX = f"wellhead_{hashlib.sha256(_SOURCE.encode()).hexdigest()[:12]}_"

LIBRARY = f"#!lua name={_PREFIX}functions\nlocal PREFIX = '{_PREFIX}'\n{_SOURCE}"

NOT_FOUND = "Function not found"
"""All that a server says when it lacks a function."""


def function(name: str) -> str:
    """The name under which `functions.lua` registers this version of `name`."""
    return _PREFIX + name
