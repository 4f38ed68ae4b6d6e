"""`wellhead demo`: one game from an empty directory to a proof, by the road that everybody takes.

A stack of processes is started, bots play as gRPC clients, a spectator tells what it is sent, the scoring service gives
the score, and the exported log is verified without the services.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

from msgspec import to_builtins
from rich.table import Table

from wellhead.v1 import game_pb2
from wellhead_cli.audit import proof_table, write_whole
from wellhead_cli.console import Failure, err, out, score_table, words
from wellhead_cli.games import ruleset_for
from wellhead_cli.narration import Narrator, Round, in_words
from wellhead_cli.stack import Endpoints, Stack, StackFailed
from wellhead_client import Refused, SeatAt, Unreachable, WellheadClient
from wellhead_client.bots import Bot
from wellhead_client.policies import make_bot
from wellhead_client.runner import play_seat
from wellhead_eventlog.errors import EventLogError
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.registry import RULESETS
from wellhead_runtime.keyring import BadKeyFile
from wellhead_runtime.proof import Fault, Report, verify

_NAMES = ("Ada", "Basil", "Cleo", "Dora", "Emil")
_POLICIES = ("greedy", "random")

_FORESEEN = (Refused, Unreachable, StackFailed, EventLogError, BadKeyFile, Fault, Failure, OSError)

_POINTS = 7
"""Width of a number of points."""

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


def run(game: str, players: int, seed: int, keep: Path | None, as_json: bool) -> None:
    """Plays and proves; Failure if anything on the way goes wrong."""
    ruleset = ruleset_for(game, players)
    scene: tempfile.TemporaryDirectory[str] | nullcontext[Path]
    scene = tempfile.TemporaryDirectory(prefix="wellhead-demo-") if keep is None else nullcontext(keep)
    with scene as place:
        try:
            asyncio.run(_run(ruleset, Path(place), players, seed, keep is not None, as_json))
        except (*_FORESEEN, ExceptionGroup) as error:
            first: BaseException = error
            while isinstance(first, ExceptionGroup):
                first = first.exceptions[0]
            if not isinstance(first, _FORESEEN):
                raise
            raise Failure(str(first)) from error


async def _run(ruleset: Ruleset, place: Path, players: int, seed: int, keep: bool, as_json: bool) -> None:
    say: Say = _nothing if as_json else out.print
    say("Starting an embedded store and three services …")
    begun = time.perf_counter()
    async with Stack(place, tell=lambda sentence: err.print(sentence, markup=False)) as stack:
        up = time.perf_counter() - begun
        say(_endpoints_table(stack.endpoints))
        played = await _play(ruleset, stack.endpoints, players, seed, say)
    say()
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


async def _play(ruleset: Ruleset, endpoints: Endpoints, players: int, seed: int, say: Say) -> Played:
    policies = [_POLICIES[seat % len(_POLICIES)] for seat in range(players)]
    names = [f"{name} ({policy})" for name, policy in zip(_NAMES, policies, strict=False)]
    begun = time.perf_counter()
    async with _client(endpoints) as spectator:
        table = await spectator.create_game(ruleset.name, _NAMES[:players], creator="demo")
        game_id, seats = table.game_id, list(table.credentials)
        await spectator.start_game(game_id, seats[0])
        say(f"Game {game_id} of {words(ruleset.name).title()} is on.")
        say("Told after every round: points if the game ended then, what the round was worth, what was done.\n")
        async with asyncio.TaskGroup() as group:
            for seat, policy in zip(seats, policies, strict=True):
                bot = make_bot(policy, ruleset, seed * 100 + seat.seat)
                group.create_task(_take_part(endpoints, game_id, seat, bot))
            telling = group.create_task(_tell(ruleset, spectator, game_id, names, say))
        seconds = time.perf_counter() - begun
        card = await spectator.score_card(game_id, revision=telling.result())
        return Played(game_id, names, card, await spectator.export(game_id), seconds)


async def _take_part(endpoints: Endpoints, game_id: str, seat: SeatAt, bot: Bot) -> None:
    """A player with a connection of its own, as everywhere."""
    async with _client(endpoints) as client:
        await play_seat(client, game_id, seat, bot, RULESETS)


async def _tell(ruleset: Ruleset, spectator: WellheadClient, game_id: str, names: Sequence[str], say: Say) -> int:
    """Tells each round when all of it is known; the revision at which the game is over."""
    narrator, before = Narrator(ruleset, len(names)), dict.fromkeys(range(len(names)), 0)

    async def tell(told: Round) -> None:
        card = await spectator.score_card(game_id, revision=told.revision)
        points = {rank.seat: rank.total for rank in card.ranking}
        say(round_table(told, names, before, points))
        before.update(points)

    async for message in spectator.watch(game_id, after_revision=0):
        if message.WhichOneof("kind") == "game_over":
            for told in narrator.rest(message.game_over.revision):
                await tell(told)
            return message.game_over.revision
        for told in narrator.tell(message.change):
            await tell(told)
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


def round_table(told: Round, names: Sequence[str], before: Mapping[int, int], points: Mapping[int, int]) -> Table:
    """What was done, a line a seat: points before and after give what the round was worth if the game ended now.

    A seat that did and gained nothing has no line. Widths do not depend on the round, so that the tables of a game
    stand under each other as one.
    """
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(width=len("Round 10"), style="bold")
    table.add_column(width=max(map(len, names)), no_wrap=True)
    table.add_column(width=_POINTS, justify="right")
    table.add_column(width=_POINTS + 1, justify="right", style="dim")
    table.add_column(ratio=1)
    head = f"Round {told.number}"
    for seat, name in enumerate(names):
        gain, done = points[seat] - before[seat], in_words(told.deeds[seat])
        if gain or done:
            table.add_row(head, name, f"{points[seat]:,}", f"{gain:+,}" if gain else "·", done)
            head = ""
    if head:
        table.add_row(head, "·")
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
