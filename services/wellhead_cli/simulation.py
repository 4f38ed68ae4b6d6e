"""Whole games in one process, without services: what bots, rules and scores do over many games.

Every game also checks what must hold in all of them: a legal command is accepted, a seat that owes a decision has one,
a game ends in time, and every total equals its breakdown (R-RULES-2, R-RULES-3, R-SCORE-3).
"""

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wellhead_client.bots import POLICIES, Bot
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import FINAL, GameState, Ruleset
from wellhead_rules.kernel.scores import totals
from wellhead_rules.kernel.violations import RuleViolation


@dataclass(slots=True)
class Outcome:
    """One game. `totals` are by seat, empty unless it finished."""

    decisions: int = 0
    finished: bool = False
    refused: int = 0
    anomalies: list[str] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    winner: int = -1


@dataclass(slots=True)
class Summary:
    """Many games; what `wellhead sim --json` prints. Scores and wins are of finished games, `wins_by_seat` by rank."""

    game: str
    rules_version: str
    players: int
    policy: list[str]
    seed: int
    games: int = 0
    finished: int = 0
    decisions: int = 0
    seconds: float = 0.0
    decisions_per_second: float = 0.0
    mean_score: float = 0.0
    mean_score_by_seat: list[float] = field(default_factory=list)
    wins_by_seat: list[int] = field(default_factory=list)
    refused: int = 0
    anomalies: list[str] = field(default_factory=list)

    @property
    def flawless(self) -> bool:
        """Every game finished and nothing was found."""
        return self.finished == self.games and not self.refused and not self.anomalies


def simulate(ruleset: Ruleset, policy: Sequence[str], games: int, seed: int) -> Iterator[Summary]:
    """Plays `games` games, a policy a seat; the summary so far after each. The same seed plays the same games."""
    players = len(policy)
    summary = Summary(ruleset.name, ruleset.version, players, list(policy), seed)
    summary.wins_by_seat = [0] * players
    points = [0] * players
    begun = time.perf_counter()
    for number in range(games):
        root = hashlib.sha256(f"wellhead sim {seed} {number}".encode()).digest()
        bots = [POLICIES[name](ruleset, int.from_bytes(root) + seat) for seat, name in enumerate(policy)]
        outcome = play_game(ruleset, bots, root)
        summary.games += 1
        summary.decisions += outcome.decisions
        summary.refused += outcome.refused
        summary.anomalies += [f"game {number}: {anomaly}" for anomaly in outcome.anomalies]
        if outcome.finished:
            summary.finished += 1
            summary.wins_by_seat[outcome.winner] += 1
            points = [total + own for total, own in zip(points, outcome.totals, strict=True)]
        summary.seconds = time.perf_counter() - begun
        summary.decisions_per_second = summary.decisions / summary.seconds
        summary.mean_score_by_seat = [total / max(summary.finished, 1) for total in points]
        summary.mean_score = sum(summary.mean_score_by_seat) / players
        yield summary


def play_game(ruleset: Ruleset, bots: Sequence[Bot], key: bytes) -> Outcome:
    """One game from set-up to final score; `key` gives all its draws. Stops at the first thing that must not happen."""
    chance = Chance(key)
    outcome = Outcome()
    pack = next(iter(ruleset.packs()))
    state = ruleset.new(pack, ruleset.options({}), ruleset.colours([""] * len(bots)))
    ruleset.begin(state, chance)
    try:
        while not ruleset.ended(state):
            if due := ruleset.scoring_due(state):
                for round in tuple(due):
                    _record_score(ruleset, state, round, outcome)
            elif not _play_decision(ruleset, state, bots, chance, outcome):
                return outcome
    except RuleViolation as refusal:
        outcome.refused += 1
        outcome.anomalies.append(f"refused after {outcome.decisions} decisions: {refusal}")
        return outcome
    outcome.finished = True
    return outcome


def _play_decision(ruleset: Ruleset, state: GameState, bots: Sequence[Bot], chance: Chance, outcome: Outcome) -> bool:
    owed = ruleset.decisions(state)
    if not owed:
        outcome.anomalies.append(f"nothing is owed after {outcome.decisions} decisions, and the game has not ended")
        return False
    first = owed[0]
    commands = ruleset.legal(state, first.seat)
    if not commands:
        outcome.anomalies.append(f"seat {first.seat} owes {first.kind} and has no legal command")
        return False
    if outcome.decisions == ruleset.max_commands:
        outcome.anomalies.append(f"not over after {ruleset.max_commands} decisions")
        return False
    command = bots[first.seat].choose(state, first, commands)
    ruleset.play(state, first.seat, first.decision_id, command, chance)
    outcome.decisions += 1
    return True


def _record_score(ruleset: Ruleset, state: GameState, round: int, outcome: Outcome) -> None:
    if round != FINAL:
        ruleset.record_award(state, round, ruleset.award(state, round))
        return
    card = ruleset.score(state)
    ruleset.record_final(state, card)
    ranked = {rank.seat: rank.total for rank in card.ranking}
    itemised = dict.fromkeys(ranked, 0) | totals(card.lines)
    if itemised != ranked:
        outcome.anomalies.append(f"totals {ranked} are not those of the breakdown {itemised}")
    outcome.totals = [ranked[seat] for seat in sorted(ranked)]
    outcome.winner = card.ranking[0].seat
