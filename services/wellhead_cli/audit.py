"""`wellhead audit`: a game's log as a file, and the proof of it."""

import asyncio
import io
import json
import os
from pathlib import Path

from msgspec import to_builtins
from rich.table import Table

from wellhead_cli.console import Failure, out
from wellhead_client import Refused, Unreachable, WellheadClient
from wellhead_rules.registry import RULESETS
from wellhead_runtime.proof import Fault, Report, read_export
from wellhead_runtime.proof import verify as prove

_CALL_S = 10.0


def export(game_id: str, output: Path, target: str, token: str, as_json: bool) -> None:
    """Writes the export of a game and prints what to check it against."""
    try:
        content = asyncio.run(_fetch(game_id, target, token))
    except (Refused, Unreachable) as error:
        raise Failure(str(error)) from error
    try:
        manifest, _ = read_export(io.BytesIO(content))
    except Fault as fault:
        raise Failure(f"the server sent no export: {fault}") from fault
    write_whole(output, content)
    said = {
        "game": manifest.game_id,
        "file": str(output),
        "revisions": manifest.revisions,
        "head": manifest.head.hex(),
        "redacted": manifest.redacted,
    }
    if as_json:
        out.print(json.dumps(said), markup=False, soft_wrap=True)
        return
    kind = "redacted export" if manifest.redacted else "export"
    out.print(f"{kind} of {manifest.revisions} revisions in {output}", markup=False, soft_wrap=True)
    out.print(f"head {manifest.head.hex()}", soft_wrap=True)


def verify(file: Path, head: str, as_json: bool) -> None:
    """Proves an export and says what has been proved; Failure at the first fault."""
    try:
        wanted = bytes.fromhex(head) if head else None
    except ValueError:
        raise Failure(f"--head {head!r} is not hexadecimal") from None
    try:
        report = prove(file, RULESETS, wanted)
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}") from error
    except Fault as fault:
        if as_json:
            said = {"verified": False, "revision": fault.revision, "what": fault.what}
            out.print(json.dumps(said), markup=False, soft_wrap=True)
        raise Failure(f"{file}: {fault}") from fault
    if as_json:
        out.print(json.dumps({"verified": True, **to_builtins(report)}), markup=False, soft_wrap=True)
    else:
        out.print(proof_table(report))
        out.print(f"head {report.head}", soft_wrap=True)


def proof_table(report: Report) -> Table:
    """What has been proved, a line a kind."""
    table = Table(title=f"{report.game} {report.game_id}", show_header=False, title_justify="left")
    table.add_row("chain", f"{report.revisions} revisions, every digest follows from the one before")
    table.add_row("facts", f"{report.facts} folded")
    if report.commands:
        table.add_row("commands", f"{report.commands} decided again, each with the stored outcome")
        table.add_row("chance", f"{report.draws} draws redone from the published seed")
        table.add_row("scores", f"{report.scores} awards and final scores computed again")
    if report.private_parts:
        table.add_row("private parts", f"{report.private_parts} fit their commitments")
    for what in report.unproved:
        table.add_row("not proved", what)
    table.add_row("rules", f"{report.game} {report.rules_version}, content {report.content_pack}")
    return table


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that there is never half of it under its name."""
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from error


async def _fetch(game_id: str, target: str, token: str) -> bytes:
    async with WellheadClient(target, target, token=token, patience=_CALL_S) as client:
        return await client.export(game_id)
