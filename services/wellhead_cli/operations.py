"""What an operator asks of a place that runs: `wellhead config`, `games`, `top` and `parked`.

All of it is plain text: whatever a colour says, a word says too.
"""

from pathlib import Path
from typing import Annotated

import typer

from wellhead_cli.options import DEFAULT_QUERY, Json, QueryTarget, Token

games = typer.Typer(help="Look at games as text, as any client may.", no_args_is_help=True)
parked = typer.Typer(help="Games that a service could not process and has put aside.", no_args_is_help=True)

GameId = Annotated[str, typer.Argument(metavar="GAME", help="Id of the game.", show_default=False)]
ConsumerName = Annotated[str, typer.Argument(metavar="CONSUMER", help="Who has put it aside.", show_default=False)]
Store = Annotated[
    str,
    typer.Option(
        "--store", metavar="URL", envvar="WELLHEAD_STORE_URL", help="The store that the services use.",
        show_default=False,
    ),
]  # fmt: skip
DataDir = Annotated[
    Path | None,
    typer.Option(
        help="Where a `wellhead up` that runs keeps its data, instead of --store.",
        show_default="$XDG_DATA_HOME/wellhead",
    ),
]


def config(
    service: Annotated[str, typer.Option(metavar="NAME", help="The service: command, projection or scoring.")] = "",
    file: Annotated[
        Path | None, typer.Option(help="A file of settings.", envvar="WELLHEAD_CONFIG", show_default=False)
    ] = None,
    reference: Annotated[bool, typer.Option("--reference", help="Print what settings there are instead.")] = False,
    json: Json = False,
) -> None:
    """Print every setting with its source, as a service would read them here. Exit code 1 if it would not start."""
    from wellhead_cli import config as command

    if reference:
        command.refer()
    else:
        command.run(service, file, json)


def top(
    store: Store = "",
    data_dir: DataDir = None,
    interval: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds from one look to the next.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Look for one interval, print it and end.")] = False,
    json: Json = False,
) -> None:
    """Show what goes on until Ctrl-C: consumers, who attends, how far behind they are, games and commits."""
    from wellhead_cli import top as command

    command.run(store, data_dir, interval, once, json)


@games.command("list", epilog="Examples: wellhead games list --status running · wellhead games list --player ada")
def list_games(
    status: Annotated[str, typer.Option(metavar="WORD", help="Only games that are open, running, ended, ...")] = "",
    game: Annotated[str, typer.Option(metavar="NAME", help="Only games of these rules.")] = "",
    player: Annotated[str, typer.Option(metavar="NAME", help="Only games in which this player has a seat.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many, the newest first.")] = 50,
    target: QueryTarget = DEFAULT_QUERY,
    token: Token = "",
    json: Json = False,
) -> None:
    """List games, the newest first."""
    from wellhead_cli import onlooking as command

    command.list_games(command.Wanted(status, game, player, limit), target, token, json)


@games.command("show", epilog="Example: wellhead games show GAME --facts 20")
def show_game(
    game_id: GameId,
    facts: Annotated[int, typer.Option(min=0, help="How many of the last facts.")] = 10,
    target: QueryTarget = DEFAULT_QUERY,
    token: Token = "",
    json: Json = False,
) -> None:
    """Print a game: its seats and clocks, who has to decide what, and what has happened last."""
    from wellhead_cli import onlooking as command

    command.show_game(game_id, facts, target, token, json)


@games.command("watch", epilog="Example: wellhead games watch GAME --after 120")
def watch_game(
    game_id: GameId,
    after: Annotated[int, typer.Option(min=0, help="Only what has happened after this revision.")] = 0,
    target: QueryTarget = DEFAULT_QUERY,
    token: Token = "",
    json: Json = False,
) -> None:
    """Print what has happened and what happens, a line a fact, until the game is over; outlives broken connections."""
    from wellhead_cli import onlooking as command

    command.watch_game(game_id, after, target, token, json)


@parked.command("list", epilog="Example: wellhead parked list --store redis://store:6379/0")
def list_parked(store: Store = "", data_dir: DataDir = None, json: Json = False) -> None:
    """List what is put aside. What an error says may be secret: `show` tells it."""
    from wellhead_cli import parking as command

    command.list_parked(store, data_dir, json)


@parked.command("show", epilog="Example: wellhead parked show scoring GAME")
def show_parked(
    consumer: ConsumerName, game_id: GameId, store: Store = "", data_dir: DataDir = None, json: Json = False
) -> None:
    """Print why a game is put aside, in the words of the error: they may hold what players must not know."""
    from wellhead_cli import parking as command

    command.show_parked(consumer, game_id, store, data_dir, json)


@parked.command("retry", epilog="Examples: wellhead parked retry scoring GAME · wellhead parked retry --all")
def retry_parked(
    consumer: Annotated[str, typer.Argument(metavar="CONSUMER", help="Who has put it aside.")] = "",
    game_id: Annotated[str, typer.Argument(metavar="GAME", help="Id of the game.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Everything that is put aside.")] = False,
    store: Store = "",
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Have a game processed again, once the reason is gone."""
    from wellhead_cli import parking as command

    if everything == bool(game_id):
        raise typer.BadParameter("either CONSUMER and GAME, or --all")
    command.retry_parked(consumer, game_id, store, data_dir, json)
