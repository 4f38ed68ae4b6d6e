"""Runs a service for as long as the process that started it lives: `python -m wellhead_cli.tether MODULE`.

Standard input is a pipe whose other end is the parent's. When the parent goes, however it goes, the pipe ends, and the
service is asked to stop: a supervisor that is killed leaves nothing behind.
"""

import os
import runpy
import signal
import sys
import threading
from typing import BinaryIO


def _stop_with_parent(pipe: BinaryIO) -> None:
    while pipe.read(1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Becomes the module that is named on the command line."""
    # Not sys.stdin's buffer: a thread that blocks in it would hold its lock when the interpreter ends.
    pipe = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    threading.Thread(target=_stop_with_parent, args=(pipe,), daemon=True).start()
    module = sys.argv[1]
    del sys.argv[1]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
