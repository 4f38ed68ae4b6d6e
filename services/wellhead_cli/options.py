"""Options that several commands have."""

import os
from pathlib import Path
from typing import Annotated

import typer

QUERY_PORT = 4771
DEFAULT_QUERY = f"127.0.0.1:{QUERY_PORT}"


def default_data_dir() -> Path:
    """Where `up` keeps its data unless told otherwise."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share", "wellhead")


def default_game() -> str:
    """The game unless told otherwise; loaded when it is asked for, to keep the command line's start short."""
    from wellhead_cli.games import DEFAULT

    return DEFAULT


Game = Annotated[
    str,
    typer.Option(help="The game.", metavar="NAME", default_factory=default_game, show_default="the first there is"),
]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
QueryTarget = Annotated[str, typer.Option("--target", help="Query service, as HOST:PORT.")]
Token = Annotated[str, typer.Option(envvar="WELLHEAD_TOKEN", help="A token that says who asks.", show_default=False)]
