"""`wellhead`: the commands and their options; each does its work in a module of its own."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from wellhead_cli import operations, scenario
from wellhead_cli.console import Failure, err
from wellhead_cli.options import DEFAULT_QUERY, QUERY_PORT, Game, Json, QueryTarget, Token, default_data_dir
from wellhead_eventlog.durability import Durability
from wellhead_runtime.roles import IdentityMode, Role

app = typer.Typer(
    help="An event-sourced backend for board games about the oil industry.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
audit = typer.Typer(help="Export games and prove them offline.", no_args_is_help=True)
app.add_typer(audit, name="audit")
app.add_typer(scenario.app, name="scenario")
bench = typer.Typer(help="Measure, beside named baselines in the same run.", no_args_is_help=True)
app.add_typer(bench, name="bench")

app.add_typer(operations.games, name="games")
app.add_typer(operations.parked, name="parked")
app.command(epilog="Examples: wellhead config · wellhead config --service scoring --json")(operations.config)
app.command(epilog="Examples: wellhead top · wellhead top --once --json · wellhead top --interval 5")(operations.top)

COMMAND_PORT, SCORING_PORT = 4770, 4772
COMMAND_HTTP_PORT, QUERY_HTTP_PORT, SCORING_HTTP_PORT = 4780, 4781, 4782


@app.command(epilog="Examples: wellhead up · wellhead up --data-dir ./data --query-port 0 --json")
def up(
    data_dir: Annotated[
        Path,
        typer.Option(
            help="Where everything is kept; one stack at a time.",
            default_factory=default_data_dir,
            show_default="$XDG_DATA_HOME/wellhead",
        ),
    ],
    command_port: Annotated[int, typer.Option(help="Port of the command service; 0 for any.")] = COMMAND_PORT,
    query_port: Annotated[int, typer.Option(help="Port of the query service; 0 for any.")] = QUERY_PORT,
    scoring_port: Annotated[int, typer.Option(help="Port of the scoring service; 0 for any.")] = SCORING_PORT,
    http: Annotated[bool, typer.Option(help="Serve HTTP too, for browsers and curl.")] = True,
    command_http_port: Annotated[int, typer.Option(help="Its port for HTTP; 0 for any.")] = COMMAND_HTTP_PORT,
    query_http_port: Annotated[int, typer.Option(help="Its port for HTTP; 0 for any.")] = QUERY_HTTP_PORT,
    scoring_http_port: Annotated[int, typer.Option(help="Its port for HTTP; 0 for any.")] = SCORING_HTTP_PORT,
    cors: Annotated[str, typer.Option(metavar="ORIGINS", help="Web pages that may call, with commas; * for all.")] = "",
    durability: Annotated[Durability, typer.Option(help="What an acknowledged command survives.")] = Durability.FSYNC,
    identity: Annotated[
        IdentityMode, typer.Option(help="Whether anybody may act under any name, or callers bring tokens.")
    ] = IdentityMode.OPEN,
    json: Json = False,
) -> None:
    """Run everything on this machine, on an embedded store, until Ctrl-C."""
    from wellhead_cli import up as command
    from wellhead_cli.stack import Ports

    web = (command_http_port, query_http_port, scoring_http_port) if http else (None, None, None)
    command.run(data_dir, Ports(command_port, query_port, scoring_port, *web), durability, identity, cors, json)


@app.command(epilog="Examples: wellhead token ada · wellhead token referee --role operator --hours 8")
def token(
    data_dir: Annotated[
        Path,
        typer.Option(
            help="Where `wellhead up` keeps its key.",
            default_factory=default_data_dir,
            show_default="$XDG_DATA_HOME/wellhead",
        ),
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom the token names.", show_default=False)] = "",
    role: Annotated[Role, typer.Option(help="What its bearer may do.")] = Role.PLAYER,
    hours: Annotated[float, typer.Option(help="How long it holds; a month at most.")] = 24,
    key_file: Annotated[Path | None, typer.Option(help="The server's key file, instead of that.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Print the public keys instead, as a JWKS.")] = False,
) -> None:
    """Print a token that says who somebody is, signed with the server's current key."""
    from wellhead_cli import token as command

    if public == bool(name):
        raise typer.BadParameter("either a NAME or --public")
    file = key_file or data_dir / "server-key.json"
    if public:
        command.public(file)
    else:
        command.issue(name, role, hours, file)


@app.command(epilog="Examples: wellhead demo · wellhead demo --players 2 --seed 7 --json · wellhead demo --keep ./demo")
def demo(
    game: Game,
    players: Annotated[int, typer.Option(help="Number of bots.")] = 4,
    seed: Annotated[int, typer.Option(help="Seed of the bots; the draws of the game are its own.")] = 1,
    keep: Annotated[Path | None, typer.Option(help="Keep the data and the export in this directory.")] = None,
    json: Json = False,
) -> None:
    """Play one whole game with bots over gRPC, then score, export and verify it."""
    from wellhead_cli import demo as command

    command.run(game, players, seed, keep, json)


@app.command(
    epilog="Examples: wellhead sim --players 2 --policy search:50ms,greedy · "
    "wellhead sim --games 400 --policy greedy --report balance.html"
)
def sim(
    game: Game,
    players: Annotated[int, typer.Option(help="Number of seats.")] = 4,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    policy: Annotated[
        str,
        typer.Option(
            help="Bots with commas between, repeated to fill the seats: random, greedy, or search with a budget per "
            "decision (search:50ms by the clock, search:200n the same everywhere)."
        ),
    ] = "random",
    seed: Annotated[int, typer.Option(help="The same seed plays the same games, whatever the number of workers.")] = 1,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game.")] = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes that share the games; 0 decides by itself.")] = 0,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write where points and wins come from, with charts.")
    ] = None,
    json: Json = False,
) -> None:
    """Play many games without services, check each of them, and rate the bots: they move on by a seat every game."""
    from wellhead_cli import sim as command

    command.run(game, players, games, policy, seed, option or [], workers, report, json)


@bench.command(epilog="Examples: wellhead bench rules · wellhead bench rules --players 2 --repeats 9 --json")
def rules(
    game: Annotated[str | None, typer.Option(help="The game.", metavar="NAME", show_default="all of them")] = None,
    players: Annotated[int, typer.Option(help="Number of seats.")] = 4,
    games: Annotated[int, typer.Option(min=1, help="Games per run.")] = 10,
    repeats: Annotated[int, typer.Option(min=5, help="Alternating runs; the median counts.")] = 5,
    json: Json = False,
) -> None:
    """Measure each engine alone: random play on one core, its operations, and stored events folded per second."""
    from wellhead_cli import bench as command

    command.run(game, players, games, repeats, json)


@bench.command("http", epilog="Examples: wellhead bench http · wellhead bench http --seconds 5 --repeats 9 --json")
def bench_http(
    seconds: Annotated[float, typer.Option(min=0.1, help="How long a run takes.")] = 2.0,
    repeats: Annotated[int, typer.Option(min=1, help="Alternating runs; the median counts.")] = 5,
    json: Json = False,
) -> None:
    """Measure what a call costs a service over gRPC and over HTTP."""
    from wellhead_cli import bench_http as command

    command.run(seconds, repeats, json)


@app.command(epilog="Examples: wellhead openapi · wellhead openapi -o openapi.json")
def openapi(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write instead of printing.")] = None,
) -> None:
    """Describe the HTTP side of all services as one OpenAPI document."""
    from wellhead_cli import openapi as command

    command.run(output)


@bench.command(epilog="Examples: wellhead bench watch · wellhead bench watch --watchers 200 --moves 20 --json")
def watch(
    watchers: Annotated[int, typer.Option(min=1, max=1_000, help="Watchers of one game.")] = 1_000,
    moves: Annotated[int, typer.Option(min=2, help="Moves, alternating with messages of the baseline.")] = 60,
    json: Json = False,
) -> None:
    """Measure live streams: a game's watchers on one process, their memory, and how soon the last one knows."""
    from wellhead_cli import bench_watch as command

    command.run(watchers, moves, json)


@audit.command(epilog="Example: wellhead audit export GAME -o game.wellhead")
def export(
    game_id: Annotated[str, typer.Argument(metavar="GAME", help="Id of the game.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write.")],
    target: QueryTarget = DEFAULT_QUERY,
    token: Token = "",
    json: Json = False,
) -> None:
    """Write a game's log to a file, and print its head: who knows that can tell if the file's end is missing."""
    from wellhead_cli import audit as command

    command.export(game_id, output, target, token, json)


@audit.command(epilog="Example: wellhead audit verify game.wellhead --head 3f1c…")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An export.")],
    head: Annotated[str, typer.Option(metavar="HEX", help="The head the log should end with.")] = "",
    json: Json = False,
) -> None:
    """Prove a game from its export alone: chain, draws, commands, facts and scores. Exit code 1 at the first fault."""
    from wellhead_cli import audit as command

    command.verify(file, head, json)


@audit.command(epilog="Example: wellhead audit show game.wellhead --facts")
def show(
    file: Annotated[Path, typer.Argument(help="An export.")],
    facts: Annotated[bool, typer.Option("--facts", help="Also what each command set off.")] = False,
) -> None:
    """Print a game as people read it, one line a command, and its score with the clauses that give the points."""
    from wellhead_cli import show as command

    command.run(file, facts)


def main() -> None:
    """Runs a command: exit code 0 on success only, errors on one line of standard error."""
    try:
        code = typer.main.get_command(app).main(prog_name="wellhead", standalone_mode=False)
    except Failure as failure:
        sys.exit(_complain(str(failure), 1))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(_complain("interrupted", 130))
    except BrokenPipeError:
        # Whoever read our output has stopped; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        # The classes of usage errors have no public name in every version of typer; what they offer is stable.
        explain = getattr(error, "format_message", None)
        if explain is None:
            raise
        sys.exit(_complain(explain(), int(getattr(error, "exit_code", 2))))
    sys.exit(code or 0)


def _complain(message: str, code: int) -> int:
    line = " ".join(message.split())
    if line:
        err.print(f"wellhead: {line}", style="red", markup=False, soft_wrap=True)
    return code
