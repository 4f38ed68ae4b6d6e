"""`wellhead config`: every setting, what it is, and who said so."""

import json
import os
from dataclasses import asdict
from pathlib import Path

from rich.table import Table
from rich.text import Text

from wellhead_cli.console import Failure, err, foldable, out, whole
from wellhead_runtime.settings import reference, survey
from wellhead_runtime.sources import CONFIG, SERVICES


def refer() -> None:
    """Prints the table of settings as the README has it."""
    out.print(reference(), markup=False, soft_wrap=True)


def run(service: str, file: Path | None, as_json: bool) -> None:
    """Prints the settings; Failure after the faults, a line each, if there are any."""
    if service and service not in SERVICES:
        raise Failure(f"there is no service {service!r}; there is {', '.join(SERVICES)}")
    environment = os.environ | ({CONFIG: str(file)} if file else {})
    rows, faults = survey(environment, service)
    if as_json:
        said = {"settings": [asdict(row) for row in rows], "faults": [asdict(fault) for fault in faults]}
        out.print(json.dumps(said), markup=False, soft_wrap=True)
    else:
        table = Table(whole("key"), foldable("value"), foldable("source"), "what it says")
        for row in rows:
            table.add_row(*map(Text, (row.key, row.value or "·", row.source, row.help)))
        out.print(table)
        for fault in faults:
            err.print(str(fault), style="red", markup=False, soft_wrap=True)
    if faults:
        raise Failure(
            f"{len(faults)} of the settings cannot be used" if len(faults) > 1 else "a setting cannot be used"
        )
