"""`wellhead scenario`: positions posed in files, and whether the rules do with them what the files say."""

import json as jsonlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct, structs

from wellhead_cli.console import Failure, err, out
from wellhead_rules.kernel.scenarios import BadScenario, Difference, Document
from wellhead_rules.oil_rock import scenarios as oil_rock

app = typer.Typer(help="Pose positions and check what the rules do with them.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


class Kind(Struct, frozen=True):
    """What a game offers for scenarios."""

    run: Callable[[str], list[Difference]]
    schema: Callable[[], dict[str, Any]]


GAMES: Mapping[str, Kind] = {"oil_rock": Kind(oil_rock.run, oil_rock.schema)}


class Outcome(Struct, frozen=True):
    """What became of a file: what differs, or why it is no scenario."""

    file: str
    differences: tuple[Difference, ...] = ()
    bad: str = ""

    @property
    def passed(self) -> bool:
        """Everything is as the file says."""
        return not self.differences and not self.bad


@app.command(epilog="Example: `wellhead scenario run tests/scenarios/oil_rock/*.yaml`")
def run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files.")], json: Json = False
) -> None:
    """Play scenarios and print what differs from what they expect. Exit code 1 if anything does."""
    outcomes = [play(file) for file in files]
    if json:
        rows = [
            {
                "file": outcome.file,
                "passed": outcome.passed,
                "bad": outcome.bad,
                "differences": [structs.asdict(difference) for difference in outcome.differences],
            }
            for outcome in outcomes
        ]
        out.print(jsonlib.dumps({"scenarios": rows}), markup=False, soft_wrap=True)
    else:
        for outcome in outcomes:
            report(outcome)
    failed = sum(not outcome.passed for outcome in outcomes)
    if failed:
        raise Failure(f"{failed} of {len(outcomes)} files differ from the rules")
    if not json:
        out.print(f"{len(outcomes)} files, everything as they say", soft_wrap=True)


@app.command(epilog="Example: `wellhead scenario schema > scenario.schema.json`")
def schema(game: Annotated[str, typer.Option(help="The game.")] = "oil_rock") -> None:
    """Print the JSON schema of scenario files."""
    if game not in GAMES:
        raise Failure(f"there is no game {game!r} with scenarios; there is {', '.join(GAMES)}")
    out.print(jsonlib.dumps(GAMES[game].schema(), indent=2), markup=False, soft_wrap=True)


def play(file: Path) -> Outcome:
    """Plays one file."""
    try:
        text = file.read_text(encoding="utf-8")
        data = Document(text).data
        game = data.get("game") if isinstance(data, dict) else None
        if not isinstance(game, str) or game not in GAMES:
            raise BadScenario(1, f"`game` must name one of {', '.join(GAMES)}")
        return Outcome(str(file), tuple(GAMES[game].run(text)))
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
