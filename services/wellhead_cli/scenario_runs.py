"""Playing scenario files, and saying what differs."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from wellhead_cli.console import Failure, err, out
from wellhead_cli.games import ruleset
from wellhead_rules.kernel.scenarios import BadScenario, Difference, Document
from wellhead_rules.registry import RULESETS


class Outcome(Struct, frozen=True):
    """What became of a file: what differs, or why it is no scenario."""

    file: str
    differences: tuple[Difference, ...] = ()
    bad: str = ""

    @property
    def passed(self) -> bool:
        """Everything is as the file says."""
        return not self.differences and not self.bad

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The differences as plain values."""
        return [structs.asdict(difference) for difference in self.differences]


def run(files: Sequence[Path], as_json: bool) -> None:
    """Plays the files and reports; Failure if anything differs."""
    outcomes = [play(file) for file in files]
    if as_json:
        rows = [{"file": one.file, "passed": one.passed, "bad": one.bad, "differences": one.rows} for one in outcomes]
        out.print(json.dumps({"scenarios": rows}), markup=False, soft_wrap=True)
    else:
        for outcome in outcomes:
            report(outcome)
    failed = sum(not outcome.passed for outcome in outcomes)
    if failed:
        raise Failure(f"{failed} of {len(outcomes)} files differ from the rules")
    if not as_json:
        out.print(f"{len(outcomes)} files, everything as they say", soft_wrap=True)


def schema(game: str) -> None:
    """Prints the JSON schema of a game's scenario files."""
    out.print(json.dumps(ruleset(game).scenarios().schema(), indent=2), markup=False, soft_wrap=True)


def play(file: Path) -> Outcome:
    """Plays one file."""
    try:
        text = file.read_text(encoding="utf-8")
        data = Document(text).data
        game = data.get("game") if isinstance(data, dict) else None
        if not isinstance(game, str) or game not in RULESETS:
            raise BadScenario(1, f"`game` must name one of {', '.join(RULESETS)}")
        return Outcome(str(file), tuple(RULESETS[game].scenarios().run(text)))
    except OSError as error:
        return Outcome(str(file), bad=f"{file}: {error.strerror}")
    except UnicodeDecodeError as error:
        return Outcome(str(file), bad=f"{file}: it is not UTF-8: {error.reason}")
    except BadScenario as error:
        return Outcome(str(file), bad=f"{file}:{error.line}: {error.reason}")


def report(outcome: Outcome) -> None:
    """Prints what differs, each with its place in the file."""
    if outcome.bad:
        err.print(outcome.bad, style="red", markup=False, soft_wrap=True)
    for difference in outcome.differences:
        out.print(
            f"{outcome.file}:{difference.line}: {difference.case}: {difference.what}", markup=False, soft_wrap=True
        )
        out.print(f"    expected {difference.expected}", markup=False, soft_wrap=True)
        out.print(f"    found    {difference.found}", markup=False, soft_wrap=True)
