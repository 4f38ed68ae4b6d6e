"""Options that several commands have."""

from typing import Annotated

import typer


def default_game() -> str:
    """The game unless told otherwise; loaded when it is asked for, to keep the command line's start short."""
    from wellhead_cli.games import DEFAULT

    return DEFAULT


Game = Annotated[
    str,
    typer.Option(help="The game.", metavar="NAME", default_factory=default_game, show_default="the first there is"),
]
