"""The embedded store: started, locked, stopped, taken over, and what survives."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.eventlog.builders import Writer
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.embedded import EmbeddedStore
from wellhead_eventlog.errors import DataDirectoryInUse, StoreFailedToStart
from wellhead_eventlog.redis_store import RedisStore

pytestmark = pytest.mark.req("R-API-4")


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_whoever_looks_on_finds_a_server_for_as_long_as_it_runs(tmp_path: Path) -> None:
    assert EmbeddedStore.running_on(tmp_path / "data") is None
    with EmbeddedStore.start(tmp_path / "data", Durability.MEMORY) as store:
        assert EmbeddedStore.running_on(tmp_path / "data") == store.url
    assert EmbeddedStore.running_on(tmp_path / "data") is None


async def test_a_store_answers_when_start_returns_and_is_gone_when_stop_does(tmp_path: Path) -> None:
    store = EmbeddedStore.start(tmp_path / "data")
    log = await RedisStore.open(store.url, durability=store.durability)
    await Writer(log).write(b"a")
    await log.close()
    store.stop()
    store.stop()

    assert store.durability is Durability.FSYNC
    assert is_gone(store.pid)
    assert not (tmp_path / "data" / "store.sock").exists()


async def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    with EmbeddedStore.start(tmp_path, Durability.EVERYSEC) as store:
        writer = Writer(await RedisStore.open(store.url, durability=store.durability))
        await writer.write(b"a", b"b")
        await writer.log.close()
    with EmbeddedStore.start(tmp_path, Durability.FSYNC) as store:
        log = await RedisStore.open(store.url, durability=store.durability)
        assert await log.head(writer.stream) == writer.head
        await log.close()


async def test_a_killed_store_loses_nothing_that_was_acknowledged_and_needs_no_repair(tmp_path: Path) -> None:
    store = EmbeddedStore.start(tmp_path)
    writer = Writer(await RedisStore.open(store.url, durability=store.durability))
    await writer.write(*(b"%d" % n for n in range(50)))
    os.kill(store.pid, signal.SIGKILL)
    store.stop()

    with EmbeddedStore.start(tmp_path):
        await writer.write(b"on the same connections, opened anew")
        assert len(await writer.log.read(writer.stream)) == 51
        await writer.log.close()


def test_a_directory_in_use_is_refused(tmp_path: Path) -> None:
    with EmbeddedStore.start(tmp_path), pytest.raises(DataDirectoryInUse, match="another process runs a store"):
        EmbeddedStore.start(tmp_path)
    EmbeddedStore.start(tmp_path).stop()


def orphan(data: Path) -> int:
    """Start a store in a process that is then killed; its server stays behind."""
    script = (
        "import sys, pathlib; from wellhead_eventlog.embedded import EmbeddedStore;"
        "store = EmbeddedStore.start(pathlib.Path(sys.argv[1])); print(store.pid, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(data)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    return pid


async def test_a_server_orphaned_by_a_kill_is_taken_over(tmp_path: Path) -> None:
    pid = orphan(tmp_path)

    with EmbeddedStore.start(tmp_path) as store:
        assert store.pid == pid
        log = await RedisStore.open(store.url, durability=store.durability)
        await Writer(log).write(b"a")
        await log.close()
        with pytest.raises(DataDirectoryInUse):
            EmbeddedStore.start(tmp_path)

    EmbeddedStore.start(tmp_path).stop()


def test_an_orphan_of_another_durability_is_named_and_left_alone(tmp_path: Path) -> None:
    pid = orphan(tmp_path)

    with pytest.raises(DataDirectoryInUse, match=f"pid {pid}.*fsync, not everysec"):
        EmbeddedStore.start(tmp_path, Durability.EVERYSEC)

    with EmbeddedStore.start(tmp_path) as store:
        assert store.pid == pid


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("not a directory")

    with pytest.raises(StoreFailedToStart, match="appendonlydir"):
        EmbeddedStore.start(tmp_path)
    (tmp_path / "appendonlydir").unlink()
    EmbeddedStore.start(tmp_path).stop()


def test_a_directory_with_a_long_name_and_spaces_will_do(tmp_path: Path) -> None:
    data = tmp_path / ("a long name " * 8)
    with EmbeddedStore.start(data) as store:
        socket = Path(store.url.removeprefix("unix://"))
        assert socket.is_socket()
    assert not socket.parent.exists() or socket.parent == data
