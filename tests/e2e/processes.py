"""Looking at processes from outside: which belong to a directory, and waiting until one is gone."""

import os
import select
from pathlib import Path

PROC = Path("/proc")


def processes_of(directory: Path) -> set[int]:
    """Every process that was started for a data directory: its command line or its environment names it."""
    name, found = os.fsencode(directory), set()
    for process in PROC.glob("[0-9]*"):
        try:
            told = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue  # gone, or somebody else's
        if name in told and int(process.name) != os.getpid():
            found.add(int(process.name))
    return found


def wait_until_gone(pid: int, seconds: float = 20.0) -> None:
    """Returns when a process has ended, whoever its parent is; TimeoutError if it has not."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ended, _, _ = select.select([handle], [], [], seconds)
    finally:
        os.close(handle)
    if not ended:
        raise TimeoutError(f"process {pid} is still there after {seconds:g} s")
