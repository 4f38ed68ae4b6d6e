"""`wellhead scenario`: positions posed in files, and whether the rules do with them what the files say."""

from pathlib import Path
from typing import Annotated

import typer

from wellhead_cli.options import Game

app = typer.Typer(help="Pose positions in files and check what the rules do with them.", no_args_is_help=True)

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


@app.command(epilog="Example: wellhead scenario run tests/scenarios/*/*.yaml")
def run(files: Files, json: Json = False) -> None:
    """Play scenarios and print what differs from what they expect. Exit code 1 if anything does."""
    from wellhead_cli import scenario_runs as command

    command.run(files, json)


@app.command(epilog="Example: wellhead scenario schema > scenario.schema.json")
def schema(game: Game) -> None:
    """Print the JSON schema of a game's scenario files."""
    from wellhead_cli import scenario_runs as command

    command.schema(game)
