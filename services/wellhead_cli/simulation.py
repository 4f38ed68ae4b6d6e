"""Whole games without services: what bots, rules and scores do over many games.

Every game also checks what must hold in all of them: a legal command is accepted, a seat that owes a decision has one,
a game ends in time, and every total equals its breakdown (R-RULES-2, R-RULES-3, R-SCORE-3).
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context

from wellhead_client.bots import Bot
from wellhead_client.policies import make_bot
from wellhead_rules.kernel.chance import Chance
from wellhead_rules.kernel.ruleset import FINAL, Event, GameState, Ruleset, Taken
from wellhead_rules.kernel.scores import totals
from wellhead_rules.kernel.violations import RuleViolation
from wellhead_rules.registry import RULESETS


@dataclass(frozen=True, slots=True)
class Series:
    """Games to be played: a policy for each seat of game 0; in every next game each moves on by one seat."""

    game: str
    policies: tuple[str, ...]
    seed: int
    options: Mapping[str, str] = field(default_factory=dict)

    def seated(self, number: int) -> list[str]:
        """The policy of every seat in a game."""
        players = len(self.policies)
        return [self.policies[(seat - number) % players] for seat in range(players)]

    def root(self, number: int) -> bytes:
        """The key of a game's draws; it also seeds the bots."""
        return hashlib.sha256(f"wellhead sim {self.seed} {number}".encode()).digest()


@dataclass(slots=True)
class Outcome:
    """One game. What is by seat is empty unless the game finished.

    `ranking` lists seats, the winner first; `ranks` are their places from 0, the same for seats that share one.
    """

    number: int = 0
    policies: list[str] = field(default_factory=list)
    decisions: int = 0
    finished: bool = False
    refused: int = 0
    anomalies: list[str] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    ranking: list[int] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    points: list[dict[str, int]] = field(default_factory=list)
    """By seat, the points of every category."""
    taken: Counter[Taken] = field(default_factory=Counter)

    @property
    def winners(self) -> list[int]:
        """The seats that won: one, or several that share the win."""
        return [seat for seat, rank in zip(self.ranking, self.ranks, strict=True) if rank == 0]


def play_all(series: Series, numbers: Sequence[int], workers: int = 1) -> Iterator[Outcome]:
    """Plays the games of these numbers, in order; how many processes share them changes nothing but the time."""
    if workers == 1 or len(numbers) < 2:
        yield from map(partial(play_one, series), numbers)
        return
    # Started afresh rather than forked: a fork would copy whatever threads of this process were holding.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from pool.map(partial(play_one, series), numbers, chunksize=max(1, min(16, len(numbers) // workers // 4)))


def play_one(series: Series, number: int) -> Outcome:
    """One game of a series."""
    ruleset, root, seated = RULESETS[series.game], series.root(number), series.seated(number)
    bots = [make_bot(policy, ruleset, int.from_bytes(root) + seat) for seat, policy in enumerate(seated)]
    outcome = play_game(ruleset, bots, root, series.options)
    outcome.number, outcome.policies = number, seated
    return outcome


def play_game(ruleset: Ruleset, bots: Sequence[Bot], key: bytes, options: Mapping[str, str] | None = None) -> Outcome:
    """One game from set-up to final score; `key` gives all its draws. Stops at the first thing that must not happen."""
    chance = Chance(key)
    outcome = Outcome()
    pack = next(iter(ruleset.packs()))
    state = ruleset.new(pack, ruleset.options(options or {}, len(bots)), ruleset.colours([""] * len(bots)))
    _count(ruleset, ruleset.begin(state, chance), outcome)
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
    answers = ruleset.legal(state, first.seat)
    if not answers:
        outcome.anomalies.append(f"seat {first.seat} owes {first.kind} and has no legal command")
        return False
    if outcome.decisions == ruleset.max_commands:
        outcome.anomalies.append(f"not over after {ruleset.max_commands} decisions")
        return False
    command = bots[first.seat].choose(state, first, [*answers, *ruleset.anytime(state, first.seat)])
    _count(ruleset, ruleset.play(state, first.seat, first.decision_id, command, chance), outcome)
    outcome.decisions += 1
    return True


def _count(ruleset: Ruleset, events: Iterable[Event], outcome: Outcome) -> None:
    for event in events:
        taken = ruleset.taken(event)
        if taken is not None:
            outcome.taken[taken] += 1


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
    outcome.ranking = [rank.seat for rank in card.ranking]
    for place, rank in enumerate(card.ranking):
        outcome.ranks.append(outcome.ranks[-1] if rank.shared else place)
    outcome.points = [{} for _ in ranked]
    for line in card.lines:
        own = outcome.points[line.seat]
        own[line.category] = own.get(line.category, 0) + line.points
