"""Run as a process of its own: folds every export in a folder, and prints what the games come to as JSON.

Arguments: the module and the name of the ruleset's class, and the folder.
"""

import hashlib
import importlib
import json
import sys
from pathlib import Path

from wellhead_rules.kernel import commits
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.kernel.table import Table
from wellhead_runtime.proof import read_export


def fold(file: Path, ruleset: Ruleset) -> Table:
    """The table at the end of an export, by folding alone."""
    with file.open("rb") as stream:
        manifest, entries = read_export(stream)
        table = Table(manifest.game_id)
        for entry in entries:
            commits.fold(table, *commits.decode(entry.record, entry.private_record), {ruleset.name: ruleset})
    return table


def outcome(table: Table) -> dict[str, str]:
    """Digests of all that a table's game comes to: snapshot, the view of everybody, score."""
    ruleset, state = table.ruleset, table.game
    found = {"snapshot": ruleset.snapshot(state), "score": repr(ruleset.score(state)).encode()}
    for viewer in (*range(len(table.seats)), None):
        found[f"view of {viewer}"] = ruleset.view(state, viewer).SerializeToString(deterministic=True)
    return {what: hashlib.sha256(content).hexdigest() for what, content in found.items()}


def main(module: str, name: str, folder: str) -> None:
    """Prints the outcome of every game."""
    ruleset = getattr(importlib.import_module(module), name)()
    print(json.dumps({file.name: outcome(fold(file, ruleset)) for file in sorted(Path(folder).iterdir())}))


if __name__ == "__main__":
    main(*sys.argv[1:])
