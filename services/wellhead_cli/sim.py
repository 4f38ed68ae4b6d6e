"""`wellhead sim`: many games in one process, with a progress bar, and what came of them."""

import json
from dataclasses import asdict

from rich.progress import Progress
from rich.table import Table

from wellhead_cli.console import Failure, err, out
from wellhead_cli.simulation import Summary, simulate
from wellhead_client.bots import POLICIES
from wellhead_rules.registry import RULESETS


def run(game: str, players: int, games: int, policy: str, seed: int, as_json: bool) -> None:
    """Simulates and reports; Failure if anything is wrong with any game."""
    ruleset = RULESETS.get(game)
    if ruleset is None:
        raise Failure(f"there is no game {game!r}; there is {', '.join(RULESETS)}")
    if players not in ruleset.seat_counts:
        raise Failure(f"{game} takes {ruleset.seat_counts[0]} to {ruleset.seat_counts[-1]} players, not {players}")
    policies = _per_seat(policy, players)
    with Progress(console=err, disable=as_json or not err.is_terminal) as progress:
        task = progress.add_task(f"{game}, {players} players", total=games)
        for summary in simulate(ruleset, policies, games, seed):
            progress.update(task, completed=summary.games)
    if as_json:
        out.print(json.dumps(asdict(summary)), markup=False, soft_wrap=True)
    else:
        out.print(_table(summary))
    if not summary.flawless:
        first = summary.anomalies[0] if summary.anomalies else "a game did not finish"
        raise Failure(f"{summary.finished} of {summary.games} games finished; {len(summary.anomalies)} faults: {first}")


def _per_seat(policy: str, players: int) -> list[str]:
    """A policy a seat: `random,greedy` for four players is random, greedy, random, greedy."""
    names = policy.split(",")
    if unknown := [name for name in names if name not in POLICIES]:
        raise Failure(f"there is no policy {unknown[0]!r}; there is {', '.join(POLICIES)}")
    if len(names) > players:
        raise Failure(f"{len(names)} policies for {players} seats")
    return [names[seat % len(names)] for seat in range(players)]


def _table(summary: Summary) -> Table:
    table = Table(title=f"{summary.game} {summary.rules_version}, seed {summary.seed}", show_header=False)
    table.add_row("games", f"{summary.finished} of {summary.games} finished")
    table.add_row(
        "decisions", f"{summary.decisions} in {summary.seconds:.1f} s, {summary.decisions_per_second:,.0f} a second"
    )
    table.add_row("mean score", f"{summary.mean_score:.1f}")
    for seat, (name, score, wins) in enumerate(
        zip(summary.policy, summary.mean_score_by_seat, summary.wins_by_seat, strict=True)
    ):
        table.add_row(f"seat {seat}, {name}", f"{score:.1f} points, won {wins}")
    table.add_row("faults", str(len(summary.anomalies)))
    return table
