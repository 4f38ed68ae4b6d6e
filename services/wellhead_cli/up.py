"""`wellhead up`: the stack in the foreground."""

import asyncio
import json
import signal
from dataclasses import asdict
from pathlib import Path

from rich.table import Table

from wellhead_cli.console import Failure, err, out
from wellhead_cli.stack import Ports, Stack, StackFailed
from wellhead_eventlog.durability import Durability
from wellhead_eventlog.errors import EventLogError
from wellhead_runtime.keyring import BadKeyFile
from wellhead_runtime.roles import IdentityMode


def run(data_dir: Path, ports: Ports, durability: Durability, identity: IdentityMode, cors: str, as_json: bool) -> None:
    """Runs until it is interrupted or terminated, then stops everything it started."""
    try:
        asyncio.run(_run(data_dir, ports, durability, identity, cors, as_json))
    except (StackFailed, EventLogError, BadKeyFile) as failure:
        raise Failure(str(failure)) from failure
    except OSError as error:
        raise Failure(f"{data_dir}: {error.strerror}") from error


async def _run(
    data_dir: Path, ports: Ports, durability: Durability, identity: IdentityMode, cors: str, as_json: bool
) -> None:
    told_to_stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop.set)

    def tell(sentence: str) -> None:
        err.print(sentence, style="yellow", markup=False)

    async with Stack(data_dir, ports, durability, identity, tell, cors) as stack:
        _announce(stack, durability, identity, as_json)
        await told_to_stop.wait()
        if not as_json:
            err.print("stopping")


def _announce(stack: Stack, durability: Durability, identity: IdentityMode, as_json: bool) -> None:
    facts = {**asdict(stack.endpoints), "store": stack.store_url, "data_dir": str(stack.data_dir)}
    if as_json:
        said = {**facts, "durability": durability.value, "identity": identity.value, "pids": stack.pids}
        out.print(json.dumps(said), markup=False, soft_wrap=True)
        return
    table = Table(show_header=False, title="Wellhead is up; Ctrl-C stops it", title_justify="left")
    for name, value in filter(all, facts.items()):
        table.add_row(name.replace("_", " "), value)
    table.add_row("durability", durability.value)
    table.add_row("identity", f"{identity.value}; a token: wellhead token NAME --data-dir {stack.data_dir}")
    out.print(table)
