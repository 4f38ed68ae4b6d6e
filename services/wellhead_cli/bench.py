"""`wellhead bench rules`: how fast the engine is, as ratios against named baselines in the same run.

Both sides of a ratio alternate, so that a machine that is slower for a while is slower for both; the median counts.
What is measured is CPU time of this process on one core: waiting for neighbours on the machine does not enter it.
"""

import importlib
import importlib.util
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, structs
from rich.progress import Progress
from rich.table import Table

from wellhead.v1 import game_pb2
from wellhead_cli.console import err, out
from wellhead_cli.games import ruleset_for
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import FINAL, Command, Event, GameState, Ruleset
from wellhead_rules.registry import RULESETS

FOLDED_PER_SECOND = 150_000
"""The floor for folding stored events (the project's own target)."""


class Measure(Struct, frozen=True):
    """One figure of a game's engine; `ratio` is `value` to `baseline_value`, so above 1 is faster for rates."""

    name: str
    value: float
    unit: str
    baseline: str
    baseline_value: float | None
    ratio: float | None
    conditions: str


_RANDOM_PLAY = "random play"

Rate = Callable[[int], float]
"""Runs games with a seed and answers with a rate per CPU second."""


def run(game: str | None, players: int, games: int, repeats: int, as_json: bool) -> None:
    """Measures a game, or all there are, and prints; Failure if one is not known or not for so many players."""
    rulesets = [ruleset_for(name, players) for name in (RULESETS if game is None else [game])]
    rates: dict[str, Rate] = {
        ruleset.name: partial(_decisions_per_second, ruleset, players, games) for ruleset in rulesets
    }
    if importlib.util.find_spec("catanatron"):
        rates["catanatron"] = lambda seed: _catanatron_ticks_per_second(games, seed)
    if importlib.util.find_spec("pyspiel"):
        rates["openspiel"] = lambda seed: _openspiel_decisions_per_second(10 * games, seed)
    measured: dict[str, list[float]] = {name: [] for name in rates}
    with Progress(console=err, transient=True, disable=as_json) as progress:
        task = progress.add_task("measuring", total=repeats * len(rates))
        for repeat in range(repeats):
            for name, rate in rates.items():
                measured[name].append(rate(repeat))
                progress.advance(task)
    engines = {
        ruleset.name: [*_compared(ruleset, players, measured), *_operations(ruleset, players)] for ruleset in rulesets
    }
    if as_json:
        said = {name: [structs.asdict(measure) for measure in measures] for name, measures in engines.items()}
        sys.stdout.write(json.dumps({"engines": said}) + "\n")
        return
    out.print(_table(engines))
    missing = {"catanatron", "openspiel"} - set(rates)
    if missing:
        out.print(f"Not installed, so not compared: {', '.join(sorted(missing))} (pip install 'wellhead[bench]').")


def _compared(ruleset: Ruleset, players: int, measured: dict[str, list[float]]) -> list[Measure]:
    ours, about = statistics.median(measured[ruleset.name]), conditions(players, len(measured[ruleset.name]))
    baselines = {
        "catanatron": "catanatron random players, 4 players, ticks per second (forced ones included)",
        "openspiel": "OpenSpiel backgammon (C++) from Python, random playouts, decisions per second",
    }
    compared = [
        Measure(
            _RANDOM_PLAY, ours, "decisions/s", words, (base := statistics.median(measured[name])), ours / base, about
        )
        for name, words in baselines.items()
        if name in measured
    ]
    return compared or [Measure(_RANDOM_PLAY, ours, "decisions/s", "none installed", None, None, about)]


def conditions(players: int, repeats: int) -> str:
    """What somebody needs to know to repeat a figure."""
    return (
        f"{players} players, one core, CPU time, median of {repeats} alternating runs, "
        f"CPython {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    )


def _table(engines: Mapping[str, Sequence[Measure]]) -> Table:
    """A row a game under every measure, in the order of the first game's."""
    first = next(iter(engines.values()))
    table = Table(title="Engine", caption=first[0].conditions)
    for column in ("measure", "baseline", "game"):
        table.add_column(column)
    for column in ("value", "baseline value", "ratio"):
        table.add_column(column, justify="right")
    for place, common in enumerate(first):
        for number, (game, measures) in enumerate(engines.items()):
            measure = measures[place]
            heads = ("", "") if number else (common.name, common.baseline or "·")
            base = f"{measure.baseline_value:,.0f}" if measure.baseline_value is not None else "·"
            ratio = f"{measure.ratio:.2f}" if measure.ratio is not None else "·"
            table.add_row(*heads, game, f"{measure.value:,.1f} {measure.unit}", base, ratio)
    return table


# -- ours --------------------------------------------------------------------------------------------------------------


def _decisions_per_second(ruleset: Ruleset, players: int, games: int, seed: int) -> float:
    """A decision: list the legal commands, choose one, decide, fold. What the engine does by itself is not counted."""
    begun = time.process_time()
    decisions = sum(len(_play(ruleset, players, seed * games + number)[1]) for number in range(games))
    return decisions / (time.process_time() - begun)


Moment = tuple[GameState, int, int, Command, int]
"""A state before a decision, the seat, the decision, the command chosen, and the number of draws made."""


def _play(ruleset: Ruleset, players: int, seed: int, keep: bool = False) -> tuple[list[list[Event]], list[Moment]]:
    choose = random.Random(seed).random
    chance = Chance(seed.to_bytes(32, "big"))
    state = ruleset.new(next(iter(ruleset.packs())), ruleset.options({}, players), ruleset.colours([""] * players))
    commits = [ruleset.begin(state, chance)]
    moments: list[Moment] = []
    while not ruleset.ended(state):
        for round in ruleset.scoring_due(state):
            if round == FINAL:
                commits.append(ruleset.record_final(state, ruleset.score(state)))
            else:
                commits.append(ruleset.record_award(state, round, ruleset.award(state, round)))
        for owed in ruleset.decisions(state):
            legal = ruleset.legal(state, owed.seat)
            command = legal[int(choose() * len(legal))]
            before = ruleset.clone(state) if keep else None
            moments.append((before, owed.seat, owed.decision_id, command, chance.counter))
            commits.append(ruleset.play(state, owed.seat, owed.decision_id, command, chance))
    return commits, moments


def _operations(ruleset: Ruleset, players: int) -> list[Measure]:
    """Microseconds of each operation over the moments of a game, and stored events folded per second."""
    commits, moments = _play(ruleset, players, 1, keep=True)
    states = [(ruleset.clone(state), seat) for state, seat, *_ in moments]
    stored = [ruleset.events_to_proto(events).SerializeToString() for events in commits]
    facts = [event for events in commits for event in events]

    def new() -> GameState:
        return ruleset.new(next(iter(ruleset.packs())), ruleset.options({}, players), ruleset.colours([""] * players))

    def evolve() -> None:
        state = new()
        for event in facts:
            ruleset.evolve(state, event)

    def fold() -> None:
        state = new()
        for entry in stored:
            for event in ruleset.events_from_proto(game_pb2.Events.FromString(entry)):
                ruleset.evolve(state, event)

    def clones() -> list[GameState]:
        return [ruleset.clone(state) for state, _ in states]

    def unlisted() -> list[GameState]:  # copies whose options have not been listed yet
        return [ruleset.determinise(state, seat, random.Random(1)) for state, seat in states]

    def legal(copies: list[GameState]) -> None:
        for state, (_, seat) in zip(copies, states, strict=True):
            ruleset.legal(state, seat)

    def view(copies: list[GameState]) -> None:
        for state, (_, seat) in zip(copies, states, strict=True):
            ruleset.view(state, seat)

    count = len(moments)
    timed = {
        "legal": _microseconds(legal, count, unlisted),
        "decide": _decide_microseconds(ruleset, moments),
        "evolve": _microseconds(lambda _: evolve(), len(facts)),
        "clone": _microseconds(lambda _: clones(), count),
        "view": _microseconds(view, count, clones),
    }
    quarter = count // 4
    early, late = (_decide_microseconds(ruleset, moments[place]) for place in (slice(quarter), slice(-quarter, None)))
    folded = 1e6 / _microseconds(lambda _: fold(), len(facts))
    about = conditions(players, _REPEATS)
    return [
        *(Measure(name, value, "µs", "", None, None, about) for name, value in timed.items()),
        Measure(
            "decide, last quarter of a game", late, "µs", "decide, first quarter of the same game", early,
            late / early, about,
        ),
        Measure(
            "stored events folded", folded, "events/s", "the project's floor", FOLDED_PER_SECOND,
            folded / FOLDED_PER_SECOND, about,
        ),
    ]  # fmt: skip


_REPEATS = 5


def _decide_microseconds(ruleset: Ruleset, moments: Sequence[Moment]) -> float:
    def decide(copies: list[GameState]) -> None:
        for state, (_, seat, decision_id, command, counter) in zip(copies, moments, strict=True):
            ruleset.play(state, seat, decision_id, command, Chance(bytes(32), counter))

    return _microseconds(decide, len(moments), lambda: [ruleset.clone(moment[0]) for moment in moments])


def _microseconds(act: Callable[[Any], Any], count: int, prepare: Callable[[], Any] = lambda: None) -> float:
    """Median microseconds per item, of five runs over `count` items; preparing is not counted."""
    taken = []
    for _ in range(_REPEATS):
        prepared = prepare()
        begun = time.process_time()
        act(prepared)
        taken.append(time.process_time() - begun)
    return statistics.median(taken) / count * 1e6


# -- baselines ---------------------------------------------------------------------------------------------------------


def _catanatron_ticks_per_second(games: int, seed: int) -> float:
    catanatron: Any = importlib.import_module("catanatron")
    colours = (catanatron.Color.RED, catanatron.Color.BLUE, catanatron.Color.WHITE, catanatron.Color.ORANGE)
    begun = time.process_time()
    ticks = 0
    for number in range(games):
        game = catanatron.Game([catanatron.RandomPlayer(colour) for colour in colours], seed=seed * games + number)
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            ticks += 1
    return ticks / (time.process_time() - begun)


def _openspiel_decisions_per_second(games: int, seed: int) -> float:
    pyspiel: Any = importlib.import_module("pyspiel")
    choose = random.Random(seed)
    game = pyspiel.load_game("backgammon")
    begun = time.process_time()
    decisions = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choose.choices(outcomes, weights)[0])
            else:
                state.apply_action(choose.choice(state.legal_actions()))
                decisions += 1
    return decisions / (time.process_time() - begun)
