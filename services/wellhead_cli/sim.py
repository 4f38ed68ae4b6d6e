"""`wellhead sim`: many games without services, with a progress bar, and what came of them."""

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.progress import Progress
from rich.table import Table

from wellhead_cli.console import Failure, err, out
from wellhead_cli.games import ruleset_for
from wellhead_cli.report import write_report
from wellhead_cli.simulation import Outcome, Series, play_all
from wellhead_cli.standings import Standings, Summary
from wellhead_client.policies import make_bot
from wellhead_rules.kernel.ruleset import Ruleset
from wellhead_rules.kernel.violations import RuleViolation

_WORTH_WORKERS = 5.0
"""Seconds of work from which on starting other processes pays."""


def run(
    game: str,
    players: int,
    games: int,
    policy: str,
    seed: int,
    options: Sequence[str],
    workers: int,
    report: Path | None,
    as_json: bool,
) -> None:
    """Simulates and reports; Failure if anything is wrong with any game."""
    ruleset = ruleset_for(game, players)
    series = Series(game, _per_seat(ruleset, policy, players), seed, _options(ruleset, options, players))
    standings = Standings(ruleset, series)
    outcomes: list[Outcome] = []
    with Progress(console=err, disable=as_json or not err.is_terminal) as progress:
        task = progress.add_task(f"{game}, {players} players", total=games)
        for outcome in _play(series, games, workers):
            standings.add(outcome)
            progress.advance(task)
            if report is not None:
                outcomes.append(outcome)
    summary = standings.rate()
    if report is not None:
        write_report(report, ruleset, series, summary, outcomes)
    if as_json:
        out.print(json.dumps(asdict(summary)), markup=False, soft_wrap=True)
    else:
        out.print(_table(summary))
        if len(summary.ratings) > 1:
            out.print(_ratings(summary))
        if report is not None:
            out.print(f"report: {report}", markup=False, soft_wrap=True)
    if not summary.flawless:
        first = summary.anomalies[0] if summary.anomalies else "a game did not finish"
        raise Failure(f"{summary.finished} of {summary.games} games finished; {len(summary.anomalies)} faults: {first}")


# -- what is asked for -------------------------------------------------------------------------------------------------


def _per_seat(ruleset: Ruleset, policy: str, players: int) -> tuple[str, ...]:
    """A policy a seat: `random,greedy` for four players is random, greedy, random, greedy."""
    names = policy.split(",")
    for name in names:
        try:
            make_bot(name, ruleset, 0)
        except ValueError as error:
            raise Failure(str(error)) from None
    if len(names) > players:
        raise Failure(f"{len(names)} policies for {players} seats")
    return tuple(names[seat % len(names)] for seat in range(players))


def _options(ruleset: Ruleset, chosen: Sequence[str], players: int) -> dict[str, str]:
    options = {name: value for name, _, value in (option.partition("=") for option in chosen)}
    try:
        ruleset.options(options, players)
    except RuleViolation as violation:
        raise Failure(violation.detail) from None
    return options


# -- playing -----------------------------------------------------------------------------------------------------------


def _play(series: Series, games: int, workers: int) -> Iterator[Outcome]:
    """All games, in order. With `workers` 0 the first game shows whether others are worth their start."""
    numbers = range(games)
    if not workers:
        begun = time.perf_counter()
        yield from play_all(series, numbers[:1])
        work = (time.perf_counter() - begun) * (games - 1)
        workers, numbers = (_cores() if work > _WORTH_WORKERS else 1), numbers[1:]
    yield from play_all(series, numbers, workers)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# -- what came of it ---------------------------------------------------------------------------------------------------


def _table(summary: Summary) -> Table:
    table = Table(title=f"{summary.game} {summary.rules_version}, seed {summary.seed}", show_header=False)
    table.add_row("games", f"{summary.finished} of {summary.games} finished")
    table.add_row(
        "decisions", f"{summary.decisions} in {summary.seconds:.1f} s, {summary.decisions_per_second:,.0f} a second"
    )
    table.add_row("mean score", f"{summary.mean_score:.1f}")
    for seat, (score, wins) in enumerate(zip(summary.mean_score_by_seat, summary.wins_by_seat, strict=True)):
        table.add_row(f"seat {seat}", f"{score:.1f} points, won {wins}")
    table.add_row("faults", str(len(summary.anomalies)))
    return table


def _ratings(summary: Summary) -> Table:
    table = Table(title="ratings (the seats rotate; intervals of 95 %)")
    for column in ("policy", "rating", "won", "of its seats", "points"):
        table.add_column(column, justify="left" if column == "policy" else "right", no_wrap=True)
    for rated in summary.ratings:
        table.add_row(
            rated.policy,
            f"{rated.rating:.1f} ({rated.rating_low:.1f} to {rated.rating_high:.1f})",
            f"{rated.wins} of {rated.seats}",
            f"{rated.win_share:.0%} ({rated.win_share_low:.0%} to {rated.win_share_high:.0%})",
            f"{rated.mean_score:.1f}",
        )
    return table
