"""What deploy/ promises of its files."""

from asyncio.subprocess import PIPE, create_subprocess_exec
from pathlib import Path

import pytest
from redis.asyncio import Redis

from wellhead_eventlog.durability import Durability, check_store
from wellhead_eventlog.embedded import valkey_binary

SETTINGS = Path(__file__).parents[2] / "deploy" / "store" / "valkey.conf"


@pytest.mark.req("R-LOG-8")
async def test_a_store_with_the_settings_of_deploy_keeps_what_is_acknowledged(tmp_path: Path) -> None:
    settings = (SETTINGS, "--port", "0", "--unixsocket", tmp_path / "s", "--dir", tmp_path)
    server = await create_subprocess_exec(valkey_binary(), *settings, stdout=PIPE)
    try:
        assert server.stdout is not None
        while b"Ready to accept connections" not in (line := await server.stdout.readline()):
            assert line, "the store has ended"
        async with Redis(unix_socket_path=str(tmp_path / "s")) as client:
            await check_store(client, Durability.FSYNC)
    finally:
        server.terminate()
        await server.wait()
