"""`wellhead demo`: one game from an empty directory to a proof, by the road that everybody takes.

A stack of processes is started, bots play as gRPC clients, a spectator tells what it is sent, the scoring service gives
the score, and the exported log is verified without the services.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

from msgspec import to_builtins
from rich.table import Table

from wellhead.v1 import game_pb2
from wellhead_cli.audit import proof_table, write_whole
from wellhead_cli.console import Failure, err, out, score_table
from wellhead_cli.narration import Narrator, Round, in_words
from wellhead_cli.stack import Endpoints, Stack, StackFailed
from wellhead_client import Refused, SeatAt, Unreachable, WellheadClient
from wellhead_client.bots import Bot
from wellhead_client.policies import make_bot
from wellhead_client.runner import play_seat
from wellhead_eventlog.errors import EventLogError
from wellhead_rules.registry import RULESETS
from wellhead_runtime.keyring import BadKeyFile
from wellhead_runtime.proof import Fault, Report, verify

_NAMES = ("Ada", "Basil", "Cleo", "Dora")
_POLICIES = ("greedy", "random")
_GAME = "oil_rock"

_FORESEEN = (Refused, Unreachable, StackFailed, EventLogError, BadKeyFile, Fault, Failure, OSError)

Say = Callable[..., None]
"""`Console.print`, or nothing where a program reads the result."""


@dataclass(slots=True)
class Played:
    """A game that is over, with what its services said of it."""

    game_id: str
    players: list[str]
    card: game_pb2.ScoreCard
    export: bytes
    seconds: float


def run(players: int, seed: int, keep: Path | None, as_json: bool) -> None:
    """Plays and proves; Failure if anything on the way goes wrong."""
    scene: tempfile.TemporaryDirectory[str] | nullcontext[Path]
    scene = tempfile.TemporaryDirectory(prefix="wellhead-demo-") if keep is None else nullcontext(keep)
    with scene as place:
        try:
            asyncio.run(_run(Path(place), players, seed, keep is not None, as_json))
        except (*_FORESEEN, ExceptionGroup) as error:
            first: BaseException = error
            while isinstance(first, ExceptionGroup):
                first = first.exceptions[0]
            if not isinstance(first, _FORESEEN):
                raise
            raise Failure(str(first)) from error


async def _run(place: Path, players: int, seed: int, keep: bool, as_json: bool) -> None:
    say: Say = _nothing if as_json else out.print
    say("Starting an embedded store and three services …")
    begun = time.perf_counter()
    async with Stack(place, tell=lambda sentence: err.print(sentence, markup=False)) as stack:
        up = time.perf_counter() - begun
        say(_endpoints_table(stack.endpoints))
        played = await _play(stack.endpoints, players, seed, say)
    say(score_table(played.card, played.players, "Final score"))
    file = place / f"{played.game_id}.wellhead"
    write_whole(file, played.export)
    say(f"Everything is stopped. The exported log ({len(played.export):,} bytes) is now verified on its own.")
    begun = time.perf_counter()
    report = verify(file, RULESETS)
    _check_agreement(report, played.card)
    seconds = {"up": up, "play": played.seconds, "verify": time.perf_counter() - begun}
    if as_json:
        out.print(_as_json(played, report, seconds, file if keep else None), markup=False, soft_wrap=True)
        return
    say(proof_table(report))
    took = f"up in {up:.1f} s, played in {seconds['play']:.1f} s, verified in {seconds['verify']:.1f} s"
    say(f"Verified: chain, chance, commands and scores. {took[0].upper()}{took[1:]}.", style="bold green")
    if keep:
        say(f"Kept: {file}", markup=False, soft_wrap=True)


# -- playing -----------------------------------------------------------------------------------------------------------


async def _play(endpoints: Endpoints, players: int, seed: int, say: Say) -> Played:
    policies = [_POLICIES[seat % len(_POLICIES)] for seat in range(players)]
    names = [f"{name} ({policy})" for name, policy in zip(_NAMES, policies, strict=False)]
    begun = time.perf_counter()
    async with _client(endpoints) as spectator:
        table = await spectator.create_game(_GAME, _NAMES[:players], creator="demo")
        game_id, seats = table.game_id, list(table.credentials)
        await spectator.start_game(game_id, seats[0])
        say(f"Game {game_id} is on. Points are those of the scoring service if the game ended then.")
        async with asyncio.TaskGroup() as group:
            for seat, policy in zip(seats, policies, strict=True):
                bot = make_bot(policy, RULESETS[_GAME], seed * 100 + seat.seat)
                group.create_task(_take_part(endpoints, game_id, seat, bot))
            telling = group.create_task(_tell(spectator, game_id, names, say))
        seconds = time.perf_counter() - begun
        card = await spectator.score_card(game_id, revision=telling.result())
        return Played(game_id, names, card, await spectator.export(game_id), seconds)


async def _take_part(endpoints: Endpoints, game_id: str, seat: SeatAt, bot: Bot) -> None:
    """A player with a connection of its own, as everywhere."""
    async with _client(endpoints) as client:
        await play_seat(client, game_id, seat, bot, RULESETS)


async def _tell(spectator: WellheadClient, game_id: str, names: Sequence[str], say: Say) -> int:
    """Tells each round when its award is recorded; the revision at which the game is over."""
    narrator = Narrator(len(names))
    async for message in spectator.watch(game_id, after_revision=0):
        if message.WhichOneof("kind") == "game_over":
            return message.game_over.revision
        for told in narrator.tell(message.change):
            card = await spectator.score_card(game_id, revision=told.revision)
            say(_round_table(told, names, card))
    raise AssertionError("a watch ends with the end of the game")


def _client(endpoints: Endpoints) -> WellheadClient:
    return WellheadClient(endpoints.command, endpoints.query, endpoints.scoring)


def _check_agreement(report: Report, card: game_pb2.ScoreCard) -> None:
    proved = [(rank.seat, rank.total) for rank in report.ranking]
    if report.unproved or proved != [(rank.seat, rank.total) for rank in card.ranking]:
        raise Failure(f"the proof does not bear out the score: {proved}, {'; '.join(report.unproved)}")


# -- showing -----------------------------------------------------------------------------------------------------------


def _endpoints_table(endpoints: Endpoints) -> Table:
    table = Table(show_header=False, box=None)
    for name, target in asdict(endpoints).items():
        table.add_row(f"{name} service", target)
    return table


def _round_table(told: Round, names: Sequence[str], card: game_pb2.ScoreCard) -> Table:
    """What everybody did, and where they would stand if the game ended now."""
    table = Table(title=f"Round {told.number}", title_justify="left", expand=True)
    table.add_column("player", no_wrap=True)
    table.add_column("what happened", ratio=1)
    table.add_column("goal", justify="right")
    table.add_column("points", justify="right")
    standing = {rank.seat: rank.total for rank in card.ranking}
    for seat, name in enumerate(names):
        goal = f"+{told.award[seat]}" if told.award[seat] else "·"
        table.add_row(name, in_words(told.deeds[seat]), goal, str(standing[seat]))
    return table


def _as_json(played: Played, report: Report, seconds: dict[str, float], file: Path | None) -> str:
    lines = [
        {"seat": line.seat, "category": line.category, "points": line.points, "clause": line.clause}
        for line in played.card.lines
    ]
    ranking = [{"seat": rank.seat, "player": played.players[rank.seat], "total": rank.total} for rank in report.ranking]
    return json.dumps(
        {
            "verified": True,
            **to_builtins(report),
            "players": played.players,
            "ranking": ranking,
            "score": lines,
            "seconds": {name: round(spent, 3) for name, spent in seconds.items()},
            "file": str(file) if file else None,
        }
    )


def _nothing(*what: object, **how: object) -> None:
    pass
