"""`wellhead parked`: what a consumer could not process and has put aside, and having it try again."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path

from rich.table import Table
from rich.text import Text

from wellhead_cli import places
from wellhead_cli.console import Failure, out, whole
from wellhead_eventlog.partitions import PARTITIONS
from wellhead_eventlog.port import EventLog, Parked


def list_parked(url: str, data_dir: Path | None, as_json: bool) -> None:
    """Prints a line for each, with the kind of the error but not its words, which may hold what is secret."""

    async def look() -> list[tuple[str, Parked]]:
        async with places.store(url, data_dir) as log:
            return await _everything(log)

    found = asyncio.run(look())
    if as_json:
        return _say({"parked": [_described(consumer, each) for consumer, each in found]})
    if not found:
        return out.print("Nothing is put aside.")
    table = Table("consumer", whole("game"), "from revision", "attempts", "error")
    for consumer, each in found:
        about = (consumer, each.stream.id, str(each.revision), str(each.attempts), _kind(each))
        table.add_row(*map(Text, about))
    out.print(table)


def show_parked(consumer: str, game_id: str, url: str, data_dir: Path | None, as_json: bool) -> None:
    """Prints the whole record; Failure if there is none."""
    wanted = places.stream(game_id)

    async def look() -> tuple[Parked | None, str | None]:
        async with places.store(url, data_dir) as log:
            found = [each for each in await log.parked(consumer, wanted.partition) if each.stream == wanted]
            return (found[0] if found else None), await log.frozen(wanted)

    each, frozen = asyncio.run(look())
    if each is None:
        raise _not_parked(consumer, game_id)
    if as_json:
        return _say({**_described(consumer, each), "message": each.error, "frozen": frozen})
    lines = {
        "consumer": consumer,
        "game": each.stream.id,
        "from revision": str(each.revision),
        "attempts": str(each.attempts),
        "error": each.error,
        "frozen": frozen or "no: the game itself goes on",
    }
    for name, value in lines.items():
        out.print(f"{name + ':':<15}{value}", markup=False, soft_wrap=True)


def retry_parked(consumer: str, game_id: str, url: str, data_dir: Path | None, as_json: bool) -> None:
    """Has one game, or without a name everything, tried again; Failure if it is not put aside."""

    async def retry() -> list[tuple[str, Parked]]:
        async with places.store(url, data_dir) as log:
            wanted = await _everything(log)
            if game_id:
                one = places.stream(game_id)
                wanted = [(name, each) for name, each in wanted if name == consumer and each.stream == one]
            return [(name, each) for name, each in wanted if await log.unpark(name, each.stream)]

    tried = asyncio.run(retry())
    if game_id and not tried:
        raise _not_parked(consumer, game_id)
    if as_json:
        return _say({"retried": [{"consumer": name, "game": each.stream.id} for name, each in tried]})
    for name, each in tried:
        out.print(f"{name} tries {each.stream.id} again from revision {each.revision}", markup=False, soft_wrap=True)
    if not tried:
        out.print("Nothing is put aside.")


async def _everything(log: EventLog) -> list[tuple[str, Parked]]:
    async def of(consumer: str) -> Iterable[tuple[str, Parked]]:
        shelves = await asyncio.gather(*(log.parked(consumer, partition) for partition in range(PARTITIONS)))
        return [(consumer, each) for shelf in shelves for each in shelf]

    return [found for consumer in await places.consumers(log) for found in await of(consumer)]


def _described(consumer: str, each: Parked) -> dict[str, object]:
    return {
        "consumer": consumer,
        "game": each.stream.id,
        "revision": each.revision,
        "attempts": each.attempts,
        "error": _kind(each),
    }


def _kind(each: Parked) -> str:
    return each.error.partition(":")[0]


def _not_parked(consumer: str, game_id: str) -> Failure:
    return Failure(f"{consumer} has not put {game_id} aside; wellhead parked list tells what is")


def _say(what: object) -> None:
    out.print(json.dumps(what), markup=False, soft_wrap=True)
