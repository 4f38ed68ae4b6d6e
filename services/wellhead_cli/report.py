"""The report of a simulation: one HTML file that needs nothing else, with charts as SVG inside."""

import shlex
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from wellhead_cli import charts
from wellhead_cli.console import words
from wellhead_cli.simulation import Outcome, Series
from wellhead_cli.standings import Summary, interval
from wellhead_cli.tallies import Kind, Tally, tallies
from wellhead_rules.kernel.ruleset import Ruleset

# What a balanced game keeps to, in fair shares: 15 to 35 % and 18 to 32 % with four players.
_IDENTITY_BOUNDS = (0.6, 1.4)
_SEAT_BOUNDS = (0.72, 1.28)

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2430; --soft: #667085; --page: #fff; --rule: #e4e7ec; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ee; --soft: #98a2b3; --page: #14171f; --rule: #2b3140; } }
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: var(--page);
  max-width: 1100px; margin: 2rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2.4rem 0 .4rem; }
p { margin: .3rem 0 .8rem; } .soft { color: var(--soft); }
code { font: .86em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: .5rem 0; } th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .14rem .9rem .14rem 0; border-bottom: 1px solid var(--rule); vertical-align: middle; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.good { color: #15803d; font-weight: 600; } .poor { color: #d9480f; font-weight: 600; } svg { display: block; }
"""


def write_report(path: Path, ruleset: Ruleset, series: Series, summary: Summary, outcomes: Sequence[Outcome]) -> None:
    """Writes the report of the games that finished."""
    finished = [outcome for outcome in outcomes if outcome.finished]
    kinds = tallies(ruleset, summary.players, finished)
    title = f"{words(summary.game).title()}: {len(finished)} games of {summary.players} players"
    sections = [_head(title, ruleset, series, summary)]
    if finished:
        sections += [_balance(summary, kinds), _ratings(summary), _points(finished), _sources(finished)]
        sections.append(_wins("seat", _seats(summary), summary.players, _SEAT_BOUNDS))
        sections += [_wins(kind.name, kind.items, summary.players, _IDENTITY_BOUNDS) for kind in kinds if kind.identity]
        sections += [_taken(kind, len(finished), summary.players) for kind in kinds if not kind.identity]
    if log := ruleset.changes():
        sections.append(f"<h2>What was tuned, and why</h2>\n<pre>{escape(log)}</pre>\n")
    path.write_text(
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
        f"<body>\n{''.join(sections)}</body></html>\n",
        encoding="utf-8",
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; columns whose head starts with `#` hold numbers. Cells are HTML."""
    kinds = [" class=n" if head.startswith("#") else "" for head in heads]
    top = "".join(f"<th{kind}>{head.removeprefix('#')}</th>" for head, kind in zip(heads, kinds, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, kinds, strict=True)) + "</tr>\n"
        for row in rows
    )
    return f"<table><tr>{top}</tr>\n{body}</table>\n"


def _head(title: str, ruleset: Ruleset, series: Series, summary: Summary) -> str:
    """What was played, and the command that plays it again."""
    command = ["wellhead", "sim", "--game", summary.game, "--players", str(summary.players)]
    command += ["--games", str(summary.games), "--policy", ",".join(series.policies), "--seed", str(summary.seed)]
    for option in series.options.items():
        command += ["--option", "=".join(option)]
    pack = next(iter(ruleset.packs().values()))
    return (
        f"<h1>{escape(title)}</h1>\n<p class=soft>Rules {summary.rules_version}, content pack {escape(pack.id)} "
        f"{pack.version} ({pack.digest[:12]}), {summary.decisions:,} decisions, {len(summary.anomalies)} faults. "
        "Policies move on by a seat every game; intervals are of 95 %.</p>\n"
        f"<p><code>{escape(shlex.join(command))}</code></p>\n"
    )


# -- who wins ----------------------------------------------------------------------------------------------------------


def _seats(summary: Summary) -> list[Tally]:
    return [
        Tally(f"seat {seat}", f"Seat {seat}", games, games, wins, round(mean * games))
        for seat, (wins, mean) in enumerate(zip(summary.wins_by_seat, summary.mean_score_by_seat, strict=True))
        for games in [summary.finished]
    ]


def _balance(summary: Summary, kinds: Sequence[Kind]) -> str:
    """What is asked of a balanced game, and whether it holds."""
    rows = [_verdict("seat", _seats(summary), summary.players, _SEAT_BOUNDS)]
    rows += [_verdict(kind.name, kind.items, summary.players, _IDENTITY_BOUNDS) for kind in kinds if kind.identity]
    for kind in kinds:
        never = [tally.item for tally in kind.items if not tally.uses]
        found = f"never: {', '.join(never)}" if never else f"all {len(kind.items)}"
        rows.append((f"every {escape(kind.name)} is taken", "", escape(found), _holds(not never)))
    return f"<h2>Balance</h2>\n{_table(('', 'asked', 'found', ''), rows)}"


def _verdict(name: str, items: Sequence[Tally], players: int, bounds: tuple[float, float]) -> Sequence[str]:
    low, high = (bound / players for bound in bounds)
    least, most = min(items, key=lambda one: one.win_share), max(items, key=lambda one: one.win_share)
    found = f"{least.win_share:.1%} ({least.label}) to {most.win_share:.1%} ({most.label})"
    holds = low <= least.win_share and most.win_share <= high
    return f"wins of every {escape(name)}", f"{low:.0%} to {high:.0%}", escape(found), _holds(holds)


def _holds(holds: bool) -> str:
    return "<span class=good>holds</span>" if holds else "<span class=poor>does not hold</span>"


def _ratings(summary: Summary) -> str:
    """The policies against each other."""
    if len(summary.ratings) < 2:
        return ""
    fair = 1 / summary.players
    rows = [
        (
            escape(rated.policy), f"{rated.rating:.1f}", f"{rated.rating_low:.1f} to {rated.rating_high:.1f}",
            f"{rated.wins} of {rated.seats}", f"{rated.win_share:.1%}",
            charts.share(rated.win_share, rated.win_share_low, rated.win_share_high, fair, 1.0, None, 300),
            f"{rated.mean_score:.1f}",
        )
        for rated in summary.ratings
    ]  # fmt: skip
    heads = ("policy", "#rating", "#interval", "#won, of seats", "#share", "with interval", "#mean points")
    return f"<h2>Ratings</h2>\n{_table(heads, rows)}"


def _wins(name: str, items: Sequence[Tally], players: int, bounds: tuple[float, float]) -> str:
    """Wins by what every player has one of."""
    asked = bounds[0] / players, bounds[1] / players
    rows = [
        (
            escape(one.label), f"{one.wins} of {one.seats}", f"{one.win_share:.1%}",
            _share(one, players, asked, 460), f"{one.mean_points:.1f}",
        )
        for one in items
    ]  # fmt: skip
    return (
        f"<h2>Wins by {escape(name)}</h2>\n<p class=soft>The band is what is asked for, {asked[0]:.0%} to "
        f"{asked[1]:.0%}; the dashed line is the fair share.</p>\n"
        f"{_table(('', '#won', '#share', 'with interval', '#mean points'), rows)}"
    )


def _share(tally: Tally, players: int, asked: tuple[float, float] | None, width: int) -> str:
    low, high = interval(tally.wins, tally.seats)
    return charts.share(tally.win_share, low, high, 1 / players, min(1.0, 2.4 / players), asked, width)


# -- where points come from --------------------------------------------------------------------------------------------


def _points(outcomes: Sequence[Outcome]) -> str:
    """Totals, of all and of winners."""
    ordered = sorted(total for outcome in outcomes for total in outcome.totals)
    winners = [outcome.totals[seat] for outcome in outcomes for seat in outcome.winners]
    quarters = [charts.quantile(ordered, part) for part in (0.25, 0.75)]
    return (
        f"<h2>Points</h2>\n<p>Mean {sum(ordered) / len(ordered):.1f}, of winners {sum(winners) / len(winners):.1f} "
        f"(dark); half of all between {quarters[0]:.0f} and {quarters[1]:.0f}, all between {ordered[0]} and "
        f"{ordered[-1]}.</p>\n{charts.histogram(ordered, winners)}\n"
    )


def _sources(outcomes: Sequence[Outcome]) -> str:
    """Points by category, the largest first."""
    seats = [(own, seat in outcome.winners) for outcome in outcomes for seat, own in enumerate(outcome.points)]
    categories = dict.fromkeys(category for own, _ in seats for category in own)
    found = {name: [own.get(name, 0) for own, _ in seats] for name in categories}
    most = 1.05 * max(1.0, *(charts.quantile(sorted(values), 0.9) for values in found.values()))
    rows = []
    for name, values in sorted(found.items(), key=lambda entry: -sum(entry[1])):
        won = [value for value, (_, winner) in zip(values, seats, strict=True) if winner]
        of_winners = sum(won) / len(won)
        chart = charts.spread(values, of_winners, most, 520)
        rows.append((escape(words(name)), f"{sum(values) / len(values):.1f}", f"{of_winners:.1f}", chart))
    return (
        "<h2>Points by source</h2>\n<p class=soft>Bar: the middle 80 % of all players; mark: their mean; ring: mean of "
        f"the winners.</p>\n{_table(('source', '#mean', '#winners', f'0 to {most:.0f} points'), rows)}"
    )


# -- what is taken -----------------------------------------------------------------------------------------------------


def _taken(kind: Kind, games: int, players: int) -> str:
    """How often each thing of a kind is taken, and how those who took it did."""
    most = max(tally.uses for tally in kind.items)
    rows = []
    for one in kind.items:
        often, won, chart = "<span class=poor>never</span>", "", ""
        if one.uses:
            often, won, chart = f"{one.uses / games:.2f}", f"{one.win_share:.0%}", _share(one, players, None, 220)
        rows.append((escape(one.item), escape(one.label), often, charts.bar(one.uses, most), won, chart))
    heads = ("", "", "#a game", "", "#takers won", "with interval")
    return f"<h2>{escape(kind.name[:1].upper() + kind.name[1:])}: how often taken</h2>\n{_table(heads, rows)}"
